//! Pre-tokenizers that change the text: a space put before it, spaces and bytes that can be seen.
//!
//! Rule.    Each piece is rewritten on its own, and what lies between pieces is left out. What is put
//!          before a piece stands for nothing; tokenizers names the first character of the piece for
//!          it. A byte that is shown as a character is named as the whole character it is part of.
//! Cost.    A copy of the text.
//! Source.  tokenizers 0.23.3.

use std::ops::Range;

use serde_json::Value;

use crate::alignment::{Aligned, Rewriting};
use crate::vocab::visible_of_byte;

/// What becomes of each piece.
pub enum Rewrite {
    /// ByteLevel's `add_prefix_space`: a space before what does not begin with one.
    PrefixSpace,
    /// Each byte as its visible character.
    Visible,
    /// Each space as a mark, and one before what does not begin with it.
    Metaspace { mark: String, prepend: Prepend },
}

/// Where Metaspace puts a mark before a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Prepend {
    Always,
    /// Only where the piece is the beginning of the original.
    First,
    Never,
}

impl Rewrite {
    /// That of a Metaspace.
    pub fn metaspace(component: &Value, mark: char) -> Self {
        let prepend = match component["prepend_scheme"].as_str().unwrap_or("always") {
            "never" => Prepend::Never,
            "first" => Prepend::First,
            _ => Prepend::Always,
        };
        Self::Metaspace { mark: mark.into(), prepend }
    }

    /// Whether it decides by where a piece stands in the original.
    pub fn asks_places(&self) -> bool {
        matches!(self, Self::Metaspace { prepend: Prepend::First, .. })
    }

    /// Whether it puts something before pieces.
    pub fn prepends(&self) -> bool {
        match self {
            Self::PrefixSpace => true,
            Self::Visible => false,
            Self::Metaspace { prepend, .. } => *prepend != Prepend::Never,
        }
    }

    /// Rewrites all pieces of a stretch, and says where they are now. Where the stretch `continues`
    /// one that has begun in a block before, nothing is put before its first byte.
    pub fn run<'a>(
        &self,
        old: Aligned<'a>,
        original: &str,
        continues: bool,
        places: bool,
        pieces: &mut [Range<usize>],
    ) -> Aligned<'a> {
        let has_space = |piece: &Range<usize>| old.text[piece.clone()].starts_with(' ');
        if matches!(self, Self::PrefixSpace) && pieces.iter().all(has_space) {
            return old;
        }
        let mut new = Rewriting::of(&old, original, places);
        for piece in pieces {
            let start = new.text().len();
            let begins = !(continues && piece.start == 0);
            self.rewrite(&old, piece.clone(), begins, &mut new);
            *piece = start..new.text().len();
        }
        new.finish(None)
    }

    fn rewrite(&self, old: &Aligned, piece: Range<usize>, begins: bool, new: &mut Rewriting) {
        let text = &old.text[piece.clone()];
        match self {
            Self::PrefixSpace => {
                if begins && !text.starts_with(' ') {
                    new.prepend(" ", piece.start);
                }
                new.keep(piece);
            }
            Self::Visible => {
                for (at, character) in text.char_indices() {
                    let whole = piece.start + at..piece.start + at + character.len_utf8();
                    for byte in whole.clone() {
                        let mut buffer = [0; 4];
                        let visible = visible_of_byte(old.text.as_bytes()[byte]);
                        let visible = visible.encode_utf8(&mut buffer);
                        new.push_named(visible, byte..byte + 1, whole.clone());
                    }
                }
            }
            Self::Metaspace { mark, prepend } => {
                let is_begun = text.starts_with(' ') || text.starts_with(mark.as_str());
                let prepends = match prepend {
                    Prepend::Always => true,
                    Prepend::First => old.named(piece.clone()).0 == 0,
                    Prepend::Never => false,
                };
                if begins && prepends && !is_begun {
                    new.prepend(mark, piece.start);
                }
                let mut done = piece.start;
                for (at, _) in text.match_indices(' ') {
                    let space = piece.start + at;
                    new.keep(done..space);
                    new.replace(space..space + 1, mark);
                    done = space + 1;
                }
                new.keep(done..piece.end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Prepend, Rewrite};
    use crate::alignment::Aligned;

    /// The pieces "a 猫" and " b" of a text, rewritten, each with what tokenizers names for it.
    fn rewritten(rewrite: &Rewrite) -> Vec<(String, (usize, usize))> {
        let original = "a 猫- b";
        let mut pieces = vec![0..5, 6..8];
        let old = Aligned::of(original, 0..original.len());
        let new = rewrite.run(old, original, false, true, &mut pieces);
        pieces.into_iter().map(|at| (new.text[at.clone()].to_owned(), new.named(at))).collect()
    }

    #[test]
    fn each_piece_is_rewritten_on_its_own() {
        let metaspace = |prepend| Rewrite::Metaspace { mark: "▁".into(), prepend };
        for (rewrite, first, second) in [
            (Rewrite::PrefixSpace, " a 猫", " b"),
            (Rewrite::Visible, "aĠçĮ«", "Ġb"),
            (metaspace(Prepend::Always), "▁a▁猫", "▁b"),
            (metaspace(Prepend::First), "▁a▁猫", "▁b"),
            (metaspace(Prepend::Never), "a▁猫", "▁b"),
        ] {
            let found = rewritten(&rewrite);
            assert_eq!(found, [(first.into(), (0, 5)), (second.into(), (6, 8))]);
        }
    }
}
