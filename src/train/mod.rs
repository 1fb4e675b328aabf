//! Training: corpus → word counts → trainer → vocabulary and merges.

pub mod bpe;
pub mod corpus;
pub mod options;
pub mod pairs;
pub mod symbols;
pub mod valid_pieces;
pub mod word_counts;
