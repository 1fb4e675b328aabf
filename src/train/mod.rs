//! Training: corpus → word counts → trainer → vocabulary and merges.

pub mod bpe;
pub mod corpus;
pub mod expectation;
pub mod lattices;
pub mod options;
pub mod pairs;
pub mod pieces;
pub mod pruning;
pub mod seed_pieces;
pub mod sentences;
pub mod symbols;
pub mod unigram;
pub mod valid_pieces;
pub mod word_counts;
pub mod word_piece;
