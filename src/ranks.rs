//! The tokens of a `.tiktoken` file, read straight into flat buffers.
//!
//! Rule.    Lines of a token in base64, a space and its rank, the ranks ascending, no token twice and
//!          none empty, each byte among them. A file in which anything is otherwise is left to the
//!          readable reader (formats/tiktoken.py), which sorts, or says what is wrong and where.
//! Cost.    One pass over the lines.
//! Source.  tiktoken 0.14.0.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::collections::strings::{RowsByString, Strings};
use crate::vocab::NO_ID;

/// The tokens and their ranks; None where the file is not as it usually is.
pub fn read_ranks(data: &[u8]) -> Option<(Strings, RowsByString, Vec<u32>)> {
    let mut tokens = Strings::with_capacity(data.len() / 16, data.len() / 2);
    let mut ranks: Vec<u32> = Vec::new();
    for line in data.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        let space = line.iter().position(|&byte| byte == b' ')?;
        STANDARD.decode_vec(&line[..space], &mut tokens.data).ok()?;
        let rank = rank(&line[space + 1..])?;
        if space == 0 || ranks.last().is_some_and(|&before| before >= rank) {
            return None;
        }
        tokens.close();
        ranks.push(rank);
    }
    let rows = RowsByString::of(&tokens);
    let is_whole = (0..=255).all(|byte| rows.get(&tokens, &[byte]).is_some());
    (is_whole && rows.len() == ranks.len()).then_some((tokens, rows, ranks))
}

fn rank(digits: &[u8]) -> Option<u32> {
    let is_plain = digits.len() <= 10 && digits.iter().all(u8::is_ascii_digit);
    let rank = is_plain.then(|| std::str::from_utf8(digits).ok()?.parse().ok())?;
    rank.filter(|&rank| rank != NO_ID)
}
