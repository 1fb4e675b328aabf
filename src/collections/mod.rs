//! Data structures that have no twin in the readable engine.

pub mod heap;
pub mod pair_map;
pub mod trie;
pub mod word_cache;
