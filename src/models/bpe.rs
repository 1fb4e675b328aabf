//! Byte-pair encoding.
//!
//! Rule.    Cut a word into its first symbols (first_symbols.rs) and merge as merging.rs says. A
//!          rank is the row in the merge list (`order` "list"), or the id of the joined token
//!          ("rank", as tiktoken; then a word that is itself a token is that token).
//! Cost.    That of merging.
//! Source.  Sennrich et al. 2016; tiktoken 0.14.0 and tokenizers 0.23.3 are the oracles.

use std::io::Read;

use serde_json::Value;

use super::dropout::Dropped;
use super::first_symbols::FirstSymbols;
use super::merges::Merges;
use super::seams::Seams;
use super::splits::each_split;
use super::unknown::Unknown;
use super::whole_characters::WholeCharacters;
use crate::collections::kept::{Reader, Writer};
use crate::encoding::Sink;
use crate::error::Result;
use crate::parallel;
use crate::spec::flag;
use crate::stop::check;
use crate::vocab::Vocab;
use crate::without::{Technique, without};
use crate::worker::Worker;

/// A BPE model.
pub struct Bpe {
    first_symbols: FirstSymbols,
    merges: Merges,
    /// A word that is a token is taken whole before any merging.
    pub takes_whole_words: bool,
    /// Where sections of a word merge for themselves: the symbols of each are those that it has in
    /// the word, if all of it is known.
    seams: Option<Seams>,
    /// Characters that need not be merged from their bytes.
    whole_characters: Option<WholeCharacters>,
    /// What is unknown becomes bytes, which nothing merges with.
    keeps_unknown_apart: bool,
}

/// What of a model is written to a file.
pub struct KeptTables {
    merges: Merges,
    takes_whole_words: bool,
    keeps_unknown_apart: bool,
    seams: Option<Seams>,
    whole_characters: Option<WholeCharacters>,
}

/// Left, right, rank, result.
type Row = (u32, u32, u32, u32);

impl Bpe {
    /// Builds the model of a spec.
    pub fn new(
        spec: &Value,
        vocab: &Vocab,
        merges: &[(u32, u32, u32)],
        first_symbols: FirstSymbols,
    ) -> Self {
        let by_rank = spec["order"] == "rank";
        let rows = if by_rank { from_vocab(vocab) } else { from_list(merges) };
        let tokens = || (0..vocab.len()).map(|row| vocab.row(row));
        let (merges, seams) = parallel::both(
            || Merges::of(&rows),
            || {
                let are_joins = by_rank || merges.iter().all(|&row| is_join(vocab, row));
                (are_joins && !first_symbols.mark_places()).then(|| Seams::new(tokens()))
            },
        );
        let takes_words = by_rank || flag(spec, "ignore_merges");
        let falls_back = falls_back(first_symbols.unknown(), &rows);
        let has_seams = seams.is_some();
        Self {
            takes_whole_words: takes_words && !first_symbols.mark_words(),
            seams,
            whole_characters: first_symbols
                .ids_of_bytes()
                .filter(|_| has_seams)
                .map(|ids| WholeCharacters::new(tokens(), ids, &merges, &rows)),
            keeps_unknown_apart: first_symbols.ids_of_bytes().is_some() || falls_back,
            first_symbols,
            merges,
        }
    }

    /// Writes its tables.
    pub fn keep(&self, out: &mut Writer) {
        self.merges.keep(out);
        let flags = [
            self.takes_whole_words,
            self.keeps_unknown_apart,
            self.seams.is_some(),
            self.whole_characters.is_some(),
        ];
        out.table(&flags.map(u8::from));
        if let Some(seams) = &self.seams {
            seams.keep(out);
        }
        if let Some(whole) = &self.whole_characters {
            whole.keep(out);
        }
    }

    /// The tables that were written.
    pub fn kept_tables<R: Read>(from: &mut Reader<R>) -> Option<KeptTables> {
        let merges = Merges::kept(from)?;
        let [takes_whole_words, keeps_unknown_apart, seams, whole] = from
            .table::<u8>()?
            .try_into()
            .map(|flags: [u8; 4]| flags.map(|flag| flag == 1))
            .ok()?;
        let seams = if seams { Some(Seams::kept(from)?) } else { None };
        let whole_characters = if whole { Some(WholeCharacters::kept(from)?) } else { None };
        Some(KeptTables { merges, takes_whole_words, keeps_unknown_apart, seams, whole_characters })
    }

    /// The model of such tables.
    pub fn kept(tables: KeptTables, first_symbols: FirstSymbols) -> Self {
        let KeptTables { merges, takes_whole_words, keeps_unknown_apart, seams, whole_characters } =
            tables;
        Self {
            first_symbols,
            merges,
            takes_whole_words,
            seams,
            whole_characters,
            keeps_unknown_apart,
        }
    }

    /// Gives the tokens of a word to the sink.
    #[inline]
    pub fn encode<S: Sink>(
        &self,
        vocab: &Vocab,
        word: &[u8],
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        if self.takes_whole_words
            && worker.dropout.is_none()
            && let Some(id) = vocab.id(word)
        {
            out.token(id, word.len());
            return Ok(());
        }
        self.merge(vocab, word, worker, out)
    }

    /// The same for a section of a word, which is no word.
    pub fn merge<S: Sink>(
        &self,
        vocab: &Vocab,
        section: &[u8],
        worker: &mut Worker,
        out: &mut S,
    ) -> Result<()> {
        let Worker { symbols, dropout, stop, .. } = worker;
        let has_moved = match (&self.whole_characters, &self.seams) {
            (Some(whole), Some(seams))
                if dropout.is_none() && !without(Technique::WholeCharacters) =>
            {
                self.first_symbols.cut_bytes(section, symbols, |at| whole.at(section, at, seams));
                false
            }
            _ => self.first_symbols.cut(vocab, section, symbols)?,
        };
        stop.check()?;
        match dropout {
            None => symbols.merge(&self.merges, stop, |_, _, _| {})?,
            Some(dropout) => {
                dropout.merge(symbols, &self.merges, Dropped::ComesBack, stop, |_, _, _| {})?;
            }
        }
        if has_moved && S::PLACES {
            let moved = self.first_symbols.moved(vocab, section, symbols)?;
            moved.for_each(|(id, own, named)| out.placed(id, own, named));
        } else {
            for (index, (id, bytes)) in symbols.iter().enumerate() {
                check(index, stop)?;
                out.token(id, bytes);
            }
        }
        Ok(())
    }

    /// What cuts a word into sections. What becomes of the unknown can be a matter of the whole word.
    pub fn seams_of(&self, vocab: &Vocab, word: &[u8]) -> Option<&Seams> {
        if without(Technique::Seams) {
            return None;
        }
        let seams = self.seams.as_ref()?;
        (self.keeps_unknown_apart || self.first_symbols.know(vocab, word)).then_some(seams)
    }

    /// Whether a text may be cut between two characters of one word: no token holds both, and both
    /// are known.
    pub fn may_part(&self, vocab: &Vocab, left: char, right: char) -> bool {
        let pair = String::from_iter([left, right]);
        self.seams.as_ref().is_some_and(|seams| !seams.join(left, right))
            && !self.takes_whole_words
            && self.first_symbols.know(vocab, pair.as_bytes())
    }

    /// The ids of single bytes, if that is what words are cut into, and merges join.
    pub fn bytes(&self) -> Option<Vec<u32>> {
        self.first_symbols.bytes().filter(|_| self.seams.is_some())
    }

    /// What each pair merges to.
    pub fn merges(&self) -> &Merges {
        &self.merges
    }

    /// What stands for the unknown.
    pub fn unknown(&self) -> &Unknown {
        self.first_symbols.unknown()
    }
}

/// Whether what is unknown becomes the tokens of its bytes, none of which merges.
fn falls_back(unknown: &Unknown, rows: &[Row]) -> bool {
    let every_byte: Vec<u8> = (0..=255).collect();
    unknown.bytes(&every_byte).is_some_and(|ids| {
        let mut is_byte = Vec::new();
        for id in ids {
            is_byte.resize(is_byte.len().max(id as usize + 1), false);
            is_byte[id as usize] = true;
        }
        let is_byte = |&id: &u32| is_byte.get(id as usize) == Some(&true);
        !rows.iter().any(|(left, right, ..)| is_byte(left) || is_byte(right))
    })
}

fn is_join(vocab: &Vocab, (left, right, result): (u32, u32, u32)) -> bool {
    let [left, right, result] = [left, right, result].map(|id| vocab.token(id).unwrap_or_default());
    result.strip_prefix(left) == Some(right)
}

/// Merges by the row in the list; a pair that stands twice has its last row, as in tokenizers.
fn from_list(rows: &[(u32, u32, u32)]) -> Vec<Row> {
    let ranked = rows.iter().zip(0..);
    ranked.map(|(&(left, right, result), rank)| (left, right, rank, result)).collect()
}

/// Merges by rank of bytes: every way to cut a token into two tokens joins to it, ranked by its id.
fn from_vocab(vocab: &Vocab) -> Vec<Row> {
    let mut rows = Vec::with_capacity(vocab.len() * 2);
    each_split(vocab, |left, right, whole| {
        let [left, right, whole] = [left, right, whole].map(|row| vocab.id_of_row(row));
        rows.push((left, right, whole, whole));
    });
    rows
}
