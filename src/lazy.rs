//! Values that are made at their first use, without a lock.
//!
//! Rule.    Two threads that come at once may both make a value; one of the two is kept. A lock would
//!          be held meanwhile, and in a child of a fork that comes at that moment nobody would ever
//!          open it (`lazy.py` says the same of Python's).
//! Cost.    One load and one branch once it is made.

use std::marker::PhantomData;
use std::ops::Deref;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A value that is made when it is first asked for.
pub struct Once<T> {
    value: AtomicPtr<T>,
    /// It is held as a box would be.
    owned: PhantomData<Box<T>>,
}

impl<T: Send + Sync> Default for Once<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Send + Sync> Once<T> {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self { value: AtomicPtr::new(ptr::null_mut()), owned: PhantomData }
    }

    /// The value, which is the same whoever makes it.
    #[inline]
    pub fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        // SAFETY: the pointer is null or that of a box that lives as long as `self`.
        match unsafe { self.value.load(Ordering::Acquire).as_ref() } {
            Some(value) => value,
            None => self.keep(make()),
        }
    }

    #[cold]
    fn keep(&self, value: T) -> &T {
        let (none, new) = (ptr::null_mut(), Box::into_raw(Box::new(value)));
        match self.value.compare_exchange(none, new, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: it is kept now, and lives as long as `self`.
            Ok(_) => unsafe { &*new },
            Err(kept) => {
                // SAFETY: nobody else has seen the new one; the other is kept as above.
                unsafe {
                    drop(Box::from_raw(new));
                    &*kept
                }
            }
        }
    }
}

impl<T> Drop for Once<T> {
    fn drop(&mut self) {
        let value = *self.value.get_mut();
        if !value.is_null() {
            // SAFETY: it came from a box, and nobody can ask for it any more.
            drop(unsafe { Box::from_raw(value) });
        }
    }
}

/// The same for a static value.
pub struct Lazy<T> {
    once: Once<T>,
    make: fn() -> T,
}

impl<T: Send + Sync> Lazy<T> {
    /// A value, and how it is made.
    pub const fn new(make: fn() -> T) -> Self {
        Self { once: Once::new(), make }
    }
}

impl<T: Send + Sync> Deref for Lazy<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.once.get_or_make(self.make)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn all_threads_get_one_value_and_each_is_dropped_once() {
        static ALIVE: AtomicUsize = AtomicUsize::new(0);
        struct Counted;
        impl Drop for Counted {
            fn drop(&mut self) {
                ALIVE.fetch_sub(1, Ordering::Relaxed);
            }
        }
        let once = Once::new();
        let make = || {
            ALIVE.fetch_add(1, Ordering::Relaxed);
            std::thread::yield_now();
            Counted
        };
        let get = || ptr::from_ref(once.get_or_make(make)) as usize;
        let places: Vec<usize> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(get)).collect();
            threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
        });
        assert_eq!(places, [places[0]; 8]);
        assert_eq!(ALIVE.load(Ordering::Relaxed), 1);
        drop(once);
        assert_eq!(ALIVE.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_static_value_is_made_once() {
        static WORDS: Lazy<Vec<u8>> = Lazy::new(|| vec![1, 2]);
        assert_eq!((&WORDS[..], WORDS.len()), (&[1, 2][..], 2));
    }
}
