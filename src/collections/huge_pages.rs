//! Large tables in large pages: a look-up at random then needs no walk through the page tables.
//!
//! Cost.    Nothing but the call; where the system has no large pages for it, the table lies in small
//!          ones.

use std::alloc::{Layout, alloc_zeroed, handle_alloc_error};

use super::kept::Plain;
#[cfg(target_os = "linux")]
use crate::without::{Technique, without};

/// An empty vector with room for `capacity` values, in large pages if there is much of it.
///
/// Large pages must be asked for before memory is touched.
pub fn with_capacity<T>(capacity: usize) -> Vec<T> {
    let vector: Vec<T> = Vec::with_capacity(capacity);
    advise(vector.as_ptr().cast(), capacity * size_of::<T>());
    vector
}

/// A table of zeros, in large pages if it is large.
pub fn zeros<T: Plain>(length: usize) -> Vec<T> {
    let layout = match Layout::array::<T>(length) {
        Ok(layout) if layout.size() > 0 => layout,
        _ => return Vec::new(),
    };
    // SAFETY: the layout is that of a vector of as many, and zeros are values of `T`.
    unsafe {
        let start: *mut T = alloc_zeroed(layout).cast();
        if start.is_null() {
            handle_alloc_error(layout);
        }
        advise(start.cast(), layout.size());
        Box::from_raw(std::ptr::slice_from_raw_parts_mut(start, length)).into_vec()
    }
}

#[cfg(target_os = "linux")]
fn advise(start: *const u8, bytes: usize) {
    /// Of the smallest kind on most machines.
    const PAGE: usize = 2 << 20;
    let first = start.align_offset(PAGE);
    if first < bytes && bytes - first >= PAGE && !without(Technique::HugePages) {
        let whole = (bytes - first) / PAGE * PAGE;
        // SAFETY: this is memory of the vector, and the advice changes neither it nor who may use it.
        // An error means only that nothing has become better.
        unsafe { libc::madvise(start.add(first).cast_mut().cast(), whole, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise(_start: *const u8, _bytes: usize) {}

#[cfg(test)]
mod tests {
    #[test]
    fn is_a_vector_like_any() {
        assert!(
            super::zeros::<u8>(0).is_empty() && super::zeros::<u32>(5 << 20) == vec![0; 5 << 20]
        );
        for capacity in [0, 10, 5 << 20] {
            let mut vector = super::with_capacity::<u16>(capacity);
            vector.resize(capacity, 7);
            assert!(vector.iter().all(|&value| value == 7) && vector.capacity() >= capacity);
        }
    }
}
