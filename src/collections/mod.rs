//! Data structures that have no twin in the readable engine.

pub mod char_set;
pub mod heap;
pub mod huge_pages;
pub mod indexed_heap;
pub mod kept;
pub mod long_words;
pub mod pair_map;
pub mod section_cache;
pub mod short_key;
pub mod short_map;
pub mod strings;
pub mod trie;
pub mod word_cache;
