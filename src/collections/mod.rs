//! Data structures that have no twin in the readable engine.

pub mod char_set;
pub mod heap;
pub mod pair_map;
pub mod section_cache;
pub mod trie;
pub mod word_cache;
