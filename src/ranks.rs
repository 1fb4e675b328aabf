//! The tokens of a `.tiktoken` file, read straight into flat buffers.
//!
//! Rule.    Lines of a token in base64, a space and its rank, the ranks ascending, no token twice and
//!          none empty, each byte among them. A file in which anything is otherwise is left to the
//!          readable reader (formats/tiktoken.py), which sorts, or says what is wrong and where.
//! Cost.    One pass over the lines.
//! Source.  tiktoken 0.14.0.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::json_tables::Strings;
use crate::vocab::{NO_ID, Vocab};

/// The tokens and their ranks; None where the file is not as it usually is.
pub fn read_ranks(data: &[u8]) -> Option<(Strings, Vec<u32>)> {
    let mut tokens = Strings { data: Vec::with_capacity(data.len() / 2), offsets: vec![0] };
    let mut ranks: Vec<u32> = Vec::new();
    for line in data.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let space = line.iter().position(|&byte| byte == b' ')?;
        STANDARD.decode_vec(&line[..space], &mut tokens.data).ok()?;
        let rank = rank(&line[space + 1..])?;
        if space == 0 || ranks.last().is_some_and(|&before| before >= rank) {
            return None;
        }
        tokens.offsets.push(tokens.data.len() as i64);
        ranks.push(rank);
    }
    let vocab = Vocab::new(tokens.data.clone(), &tokens.offsets, Some(&ranks)).ok()?;
    let is_whole = (0..=255).all(|byte| vocab.id(&[byte]).is_some());
    (is_whole && vocab.found_rows().count() == ranks.len()).then_some((tokens, ranks))
}

fn rank(digits: &[u8]) -> Option<u32> {
    let is_plain = digits.len() <= 10 && digits.iter().all(u8::is_ascii_digit);
    let rank = is_plain.then(|| std::str::from_utf8(digits).ok()?.parse().ok())?;
    rank.filter(|&rank| rank != NO_ID)
}
