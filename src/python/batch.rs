//! Texts on several threads: short ones in groups, a long one in blocks.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::tokenizer::{Core, LONG, Loan};
use crate::blocks::{BLOCK, Cutter, Frame};
use crate::encoding::{Count, Sink};
use crate::error::{Error, Result};
use crate::parallel;
use crate::special_tokens::Special;
use crate::stop::Stop;

/// Texts are handed to threads in groups of about this many bytes.
pub(super) const GROUP: usize = 64 << 10;

/// What one thread does at a time.
enum Piece {
    /// Whole texts, by number.
    Texts(Range<usize>),
    /// Bytes of a text that can be encoded for themselves.
    Block(usize, Range<usize>),
}

impl Core {
    /// The tokens of every text in order: for each piece of the work what came out, and how much
    /// that was (`size`) at the end of each text that ends in it. `name` says in an error which text
    /// it is about.
    pub(super) fn texts<S: Sink + Default + Send>(
        &self,
        texts: &[&str],
        special: Special,
        threads: Option<usize>,
        stop: &Stop,
        size: impl Fn(&S) -> usize + Sync + Send,
        name: impl Fn(Error, usize) -> Error + Sync + Send,
    ) -> Result<Vec<(S, Vec<usize>)>> {
        let threads = self.threads(threads);
        let can_cut = threads != Some(1) && !self.pipeline.carries();
        let frame = if can_cut { self.pipeline.frame(special)? } else { None };
        let pieces = self.pieces(texts, frame.is_some());
        let frame = frame.unwrap_or_default();
        let never = AtomicBool::new(false);
        let work = |loan: &mut Loan, index: usize| {
            loan.stop = stop.clone();
            let (mut out, mut ends) = (S::default(), Vec::new());
            match &pieces[index] {
                Piece::Texts(group) => {
                    for index in group.clone() {
                        self.pipeline
                            .encode(&[texts[index]], special, &mut *loan, &mut out)
                            .map_err(|error| name(error, index))?;
                        ends.push(size(&out));
                    }
                }
                Piece::Block(index, block) => {
                    self.block(texts[*index], block.clone(), special, &frame, loan, &mut out)
                        .map_err(|error| name(error, *index))?;
                    ends.extend((block.end == texts[*index].len()).then(|| size(&out)));
                }
            }
            Ok((out, ends))
        };
        let flag = stop.flag().unwrap_or(&never);
        parallel::map(threads, pieces.len(), flag, || Loan::of(self), work)
    }

    /// The work, cut for threads.
    fn pieces(&self, texts: &[&str], can_cut: bool) -> Vec<Piece> {
        let (mut pieces, mut cutter) = (Vec::new(), Cutter::default());
        let mut start = 0;
        let is_long = |index: &usize| can_cut && texts[*index].len() >= LONG;
        for long in (0..texts.len()).filter(is_long).map(Some).chain([None]) {
            let end = long.unwrap_or(texts.len());
            let sizes = texts[start..end].iter().map(|text| text.len() + 16);
            let groups = parallel::groups(sizes, GROUP).into_iter();
            pieces.extend(groups.map(|group| Piece::Texts(start + group.start..start + group.end)));
            if let Some(long) = long {
                let blocks = cutter.blocks(&self.pipeline, texts[long], BLOCK).into_iter();
                pieces.extend(blocks.map(|block| Piece::Block(long, block)));
                start = long + 1;
            }
        }
        pieces
    }

    /// The tokens of one block of a text, with what is put around the text at its ends.
    fn block<S: Sink>(
        &self,
        text: &str,
        block: Range<usize>,
        special: Special,
        frame: &Frame,
        loan: &mut Loan,
        out: &mut S,
    ) -> Result<()> {
        let (begins, ends) = (block.start == 0, block.end == text.len());
        out.tokens(if begins { &frame.before } else { &[] });
        let worker = &mut *loan;
        match self.pipeline.encode_block(&text[block], !begins, special, worker, out) {
            // Which character of the text it is, is known to the whole alone.
            Err(Error::Unknown(..)) => {
                self.pipeline.encode(&[text], special, worker, &mut Count::default())?;
            }
            encoded => encoded?,
        }
        out.tokens(if ends { &frame.behind } else { &[] });
        Ok(())
    }
}
