//! Data structures that have no twin in the readable engine.

pub mod char_set;
pub mod heap;
pub mod pair_map;
pub mod trie;
pub mod unit_cache;
pub mod word_cache;
