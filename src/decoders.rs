//! The decoders of tokenizer.json: each makes a new list of tokens of the one that it is given.
//!
//! Rule.    In the end the tokens are joined. ByteLevel turns visible characters back into bytes and
//!          makes one token of all; so does Fuse. ByteFallback joins tokens like `<0xE7>` in a row,
//!          if their bytes are text. WordPiece puts a space before each token but the first, without
//!          a prefix; Metaspace, BPEDecoder, CTC, Strip and Replace change each token by itself.
//! Cost.    Linear a decoder, a regex aside.
//! Source.  tokenizers 0.23.3, which panics where Strip is to take more than there is. There ByteLevel
//!          takes an added token for visible characters too (its issue 1996); here it stands as it is.

use serde_json::Value;

use crate::error::Result;
use crate::pre_tokenize::Regex;
use crate::spec::{flag, kind, not_run};
use crate::vocab::bytes_of_visible;

/// What becomes of bytes that are no text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Invalid {
    /// They stay, for who asks for bytes.
    Kept,
    /// They are replaced, as tokenizers does.
    Replaced,
}

/// U+FFFD.
const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

/// What WordPiece and CTC clean up, in this order.
const CLEANED: [(&str, &str); 11] = [
    (" .", "."),
    (" ?", "?"),
    (" !", "!"),
    (" ,", ","),
    (" ' ", "'"),
    (" n't", "n't"),
    (" 'm", "'m"),
    (" do not", " don't"),
    (" 's", "'s"),
    (" 've", "'ve"),
    (" 're", "'re"),
];

/// Tokens end to end.
#[derive(Default)]
pub struct Tokens {
    /// The bytes of all.
    pub data: Vec<u8>,
    ends: Vec<usize>,
    /// Whether each was added to the model.
    added: Vec<bool>,
}

impl Tokens {
    /// One more token.
    pub fn push(&mut self, token: &[u8], added: bool) {
        self.data.extend_from_slice(token);
        self.ends.push(self.data.len());
        self.added.push(added);
    }

    fn iter(&self) -> impl Iterator<Item = (&[u8], bool)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let bounds = starts.zip(&self.ends).zip(&self.added);
        bounds.map(|((start, &end), &added)| (&self.data[start..end], added))
    }

    fn mapped(&self, mut map: impl FnMut(usize, &[u8]) -> Result<Vec<u8>>) -> Result<Self> {
        let mut new = Self::default();
        for (index, (token, added)) in self.iter().enumerate() {
            new.push(&map(index, token)?, added);
        }
        Ok(new)
    }
}

/// One decoder.
pub enum Step {
    /// Visible characters become bytes, token by token.
    Bytes,
    /// All tokens become one; with `lossy`, bytes that are no text are replaced.
    Fuse {
        /// As behind ByteLevel.
        lossy: bool,
    },
    /// Tokens like `<0xE7>` become the bytes that they name.
    ByteFallback,
    /// A sign becomes a space, and nothing in the first token with `drops_first`.
    Metaspace {
        /// The sign.
        sign: Vec<u8>,
        /// Unless the scheme is "never".
        drops_first: bool,
    },
    /// Parts of words are joined, words have a space before them.
    WordPiece {
        /// What parts begin with.
        prefix: Vec<u8>,
        /// Whether spaces before signs go.
        cleanup: bool,
    },
    /// The mark of an end of a word becomes a space, and nothing in the last token.
    Bpe(Vec<u8>),
    /// Of equal tokens in a row one stays, and the blank goes.
    Ctc {
        /// The blank.
        pad: Vec<u8>,
        /// What becomes a space.
        delimiter: Vec<u8>,
        /// Whether to clean up, and to do that.
        cleanup: bool,
    },
    /// So many of a character go at the ends.
    Strip {
        /// The character.
        content: Vec<u8>,
        /// How many at the start.
        start: u64,
        /// How many at the end.
        stop: u64,
    },
    /// A string becomes another.
    Replace(Vec<u8>, Vec<u8>),
    /// What a regex matches becomes a string.
    ReplaceRegex(Box<Regex>, Vec<u8>),
}

impl Step {
    /// Appends the steps of a component to `steps`.
    pub fn read(component: &Value, steps: &mut Vec<Self>) -> Result<()> {
        let text = |name: &str| component[name].as_str().unwrap_or("").as_bytes().to_vec();
        let number = |name: &str| component[name].as_u64().unwrap_or(0);
        let step = match kind(component) {
            "" => return Ok(()),
            "Sequence" => {
                let inner = component["decoders"].as_array().into_iter().flatten();
                return inner.into_iter().try_for_each(|inner| Self::read(inner, steps));
            }
            "ByteLevel" => {
                steps.push(Self::Bytes);
                Self::Fuse { lossy: true }
            }
            "ByteFallback" => Self::ByteFallback,
            "Fuse" => Self::Fuse { lossy: false },
            "Metaspace" => Self::Metaspace {
                sign: text("replacement"),
                drops_first: component["prepend_scheme"] != "never",
            },
            "WordPiece" => {
                Self::WordPiece { prefix: text("prefix"), cleanup: flag(component, "cleanup") }
            }
            "BPEDecoder" => Self::Bpe(text("suffix")),
            "CTC" => Self::Ctc {
                pad: text("pad_token"),
                delimiter: text("word_delimiter_token"),
                cleanup: flag(component, "cleanup"),
            },
            "Strip" => Self::Strip {
                content: text("content"),
                start: number("start"),
                stop: number("stop"),
            },
            "Replace" => {
                if let Some(regex) = component["pattern"]["regex"].as_str() {
                    Self::ReplaceRegex(Box::new(Regex::new(regex)?), text("content"))
                } else {
                    let pattern = component["pattern"]["text"].as_str().unwrap_or("");
                    Self::Replace(pattern.into(), text("content"))
                }
            }
            _ => return Err(not_run("decoder", component)),
        };
        steps.push(step);
        Ok(())
    }

    /// Whether what becomes of a token depends on nothing but that token, and is quickly said.
    pub fn is_of_one_token(&self) -> bool {
        matches!(self, Self::Bytes | Self::Strip { .. } | Self::Replace(..))
    }

    /// The new tokens.
    pub fn run(&self, tokens: &Tokens, invalid: Invalid) -> Result<Tokens> {
        match self {
            Self::Fuse { lossy } => {
                let mut one = Tokens::default();
                if *lossy && invalid == Invalid::Replaced {
                    one.push(String::from_utf8_lossy(&tokens.data).as_bytes(), false);
                } else {
                    one.push(&tokens.data, false);
                }
                Ok(one)
            }
            Self::ByteFallback => Ok(without_byte_names(tokens, invalid)),
            Self::Ctc { pad, delimiter, cleanup } => Ok(ctc(tokens, pad, delimiter, *cleanup)),
            Self::Bytes => {
                let mut new = Tokens::default();
                for (token, added) in tokens.iter() {
                    new.push(&self.of_one(token, added)?, added);
                }
                Ok(new)
            }
            Self::Metaspace { sign, drops_first } => tokens.mapped(|index, token| {
                let space: &[u8] = if index == 0 && *drops_first { b"" } else { b" " };
                Ok(replaced(token, sign, space))
            }),
            Self::WordPiece { prefix, cleanup } => tokens.mapped(|index, token| {
                let token = match token.strip_prefix(prefix.as_slice()) {
                    _ if index == 0 => token.to_vec(),
                    Some(rest) => rest.to_vec(),
                    None => [b" ", token].concat(),
                };
                Ok(if *cleanup { cleaned(token) } else { token })
            }),
            Self::Bpe(mark) => {
                let last = tokens.ends.len().saturating_sub(1);
                tokens.mapped(|index, token| {
                    Ok(replaced(token, mark, if index == last { b"" } else { b" " }))
                })
            }
            _ => tokens.mapped(|_, token| self.of_one(token, false)),
        }
    }

    /// What becomes of one token, where that depends on nothing else.
    pub fn of_one(&self, token: &[u8], added: bool) -> Result<Vec<u8>> {
        Ok(match self {
            Self::Bytes if added => token.to_vec(),
            Self::Bytes => bytes_of_visible(token).unwrap_or_else(|| token.to_vec()),
            Self::Strip { content, start, stop } => stripped(token, content, *start, *stop),
            Self::Replace(..) | Self::ReplaceRegex(..) if token.is_empty() => Vec::new(),
            Self::Replace(from, to) => replaced(token, from, to),
            Self::ReplaceRegex(regex, to) => {
                let text = String::from_utf8_lossy(token);
                let (mut new, mut done) = (Vec::new(), 0);
                regex.find(&text, None, |found| {
                    new.extend_from_slice(&text.as_bytes()[done..found.start]);
                    new.extend_from_slice(to);
                    done = found.end;
                })?;
                new.extend_from_slice(&text.as_bytes()[done..]);
                new
            }
            _ => unreachable!("it depends on other tokens"),
        })
    }
}

/// What all steps make of tokens, joined.
pub fn run_all(steps: &[Step], mut tokens: Tokens, invalid: Invalid) -> Result<Vec<u8>> {
    for step in steps {
        tokens = step.run(&tokens, invalid)?;
    }
    Ok(tokens.data)
}

/// A text with each `from` replaced; an empty one stands between all characters and at the ends.
fn replaced(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    if from.is_empty() {
        let text = String::from_utf8_lossy(text);
        let mut new = to.to_vec();
        for character in text.split_inclusive(|_| true) {
            new.extend_from_slice(character.as_bytes());
            new.extend_from_slice(to);
        }
        return new;
    }
    let mut new = Vec::with_capacity(text.len());
    let mut done = 0;
    for at in memchr::memmem::find_iter(text, from) {
        new.extend_from_slice(&text[done..at]);
        new.extend_from_slice(to);
        done = at + from.len();
    }
    new.extend_from_slice(&text[done..]);
    new
}

fn cleaned(token: Vec<u8>) -> Vec<u8> {
    if !token.contains(&b' ') {
        return token;
    }
    CLEANED.iter().fold(token, |token, (from, to)| replaced(&token, from.as_bytes(), to.as_bytes()))
}

fn stripped(token: &[u8], content: &[u8], start: u64, stop: u64) -> Vec<u8> {
    let mut rest = token;
    if content.is_empty() {
        return token.to_vec();
    }
    for _ in 0..start {
        let Some(after) = rest.strip_prefix(content) else { break };
        rest = after;
    }
    for _ in 0..stop {
        let Some(before) = rest.strip_suffix(content) else { break };
        rest = before;
    }
    rest.to_vec()
}

fn ctc(tokens: &Tokens, pad: &[u8], delimiter: &[u8], cleanup: bool) -> Tokens {
    let mut new = Tokens::default();
    let mut before = None;
    for (token, added) in tokens.iter() {
        if before == Some(token) {
            continue;
        }
        before = Some(token);
        let mut shown = replaced(token, pad, b"");
        if cleanup {
            shown = replaced(&cleaned(shown), delimiter, b" ");
        }
        if !shown.is_empty() {
            new.push(&shown, added);
        }
    }
    new
}

fn without_byte_names(tokens: &Tokens, invalid: Invalid) -> Tokens {
    let mut new = Tokens::default();
    let mut row: Vec<u8> = Vec::new();
    for (token, added) in tokens.iter() {
        if let Some(byte) = named_byte(token) {
            row.push(byte);
        } else {
            end_row(&mut row, &mut new, invalid);
            new.push(token, added);
        }
    }
    end_row(&mut row, &mut new, invalid);
    new
}

/// Adds the bytes of a row: one token where they are text, else one for each.
fn end_row(row: &mut Vec<u8>, tokens: &mut Tokens, invalid: Invalid) {
    if row.is_empty() {
        return;
    }
    if std::str::from_utf8(row).is_ok() {
        tokens.push(row, false);
    } else {
        for byte in row.iter() {
            let kept = std::slice::from_ref(byte);
            tokens.push(if invalid == Invalid::Kept { kept } else { REPLACEMENT }, false);
        }
    }
    row.clear();
}

/// The byte that a token names; here `<0xe7>` names one too, and so does `<0x+7>`.
fn named_byte(token: &[u8]) -> Option<u8> {
    let [b'<', b'0', b'x', high, low, b'>'] = *token else { return None };
    u8::from_str_radix(std::str::from_utf8(&[high, low]).ok()?, 16).ok()
}
