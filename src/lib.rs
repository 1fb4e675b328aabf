//! The fast engine of kugiri. It follows the readable engine in `python/kugiri/reference/` file by
//! file: same rules, same ids, at the speed of the machine.
//!
//! **text → special tokens → normalize → pre-tokenize → model → ids → post-process, and decode
//! back**: [`pipeline`] is that sentence. **corpus → word counts → trainer → spec → format file**:
//! [`train`] is its middle; specs and formats live in Python.
//!
//! Python sees this crate only through `python.rs`, behind the feature `python`.

pub mod alignment;
mod assemble;
pub mod blocks;
pub mod canonical;
pub mod collections;
pub mod decode;
pub mod decoders;
pub mod encoding;
pub mod error;
pub mod hypotheses;
pub mod json_tables;
pub mod keep;
pub mod lazy;
pub mod limits;
pub mod models;
pub mod ngram;
pub mod normalize;
pub mod parallel;
pub mod piece_joiner;
pub mod pipeline;
pub mod post_process;
pub mod pre_tokenize;
pub mod random_numbers;
pub mod ranks;
mod raw_words;
pub mod sampling;
pub mod scripts;
pub mod segment;
pub mod spec;
pub mod special_tokens;
pub mod stochastok;
pub mod stop;
pub mod train;
pub mod unicode;
pub mod vocab;
pub mod without;
pub mod worker;

#[cfg(feature = "python")]
mod python;
