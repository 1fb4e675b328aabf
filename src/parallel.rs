//! Threads of our own: a pool that starts at its first use, and anew in a forked child.
//!
//! A child of `fork` has none of its parent's threads, so a pool remembers the process it was made
//! in. The pool is reached through one atomic pointer and never through a lock, which another
//! thread could have held at the moment of the fork.

use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, Result};
use crate::lazy::Lazy;
use crate::without::{Technique, without};

struct Pool {
    process: u32,
    threads: ThreadPool,
}

static POOL: AtomicPtr<Pool> = AtomicPtr::new(ptr::null_mut());

/// How many threads the machine runs at once.
pub fn available() -> usize {
    static COUNT: Lazy<usize> =
        Lazy::new(|| std::thread::available_parallelism().map_or(1, usize::from));
    if without(Technique::Threads) { 1 } else { *COUNT }
}

/// The pool of this process.
fn pool() -> Result<&'static ThreadPool> {
    let process = std::process::id();
    loop {
        let current = POOL.load(Ordering::Acquire);
        // SAFETY: the pointer is null or came from `Box::into_raw` below and is never freed.
        if let Some(pool) = unsafe { current.as_ref() }
            && pool.process == process
        {
            return Ok(&pool.threads);
        }
        let threads = ThreadPoolBuilder::new()
            .num_threads(available())
            .thread_name(|index| format!("kugiri-{index}"))
            .build()
            .map_err(|error| Error::Option(format!("no threads can be started: {error}")))?;
        let fresh = Box::into_raw(Box::new(Pool { process, threads }));
        let swap = POOL.compare_exchange(current, fresh, Ordering::AcqRel, Ordering::Acquire);
        if swap.is_err() {
            // SAFETY: nobody else has seen this pointer; its idle threads end with it.
            drop(unsafe { Box::from_raw(fresh) });
        }
    }
}

/// Runs `work(state, index)` for every index below `count`, on up to `threads` threads (None: all of
/// the machine), each with a state of its own, and gives the results in order of index.
///
/// Indices are handed out in order, one at a time; the result does not depend on the threads.
/// `stop` is looked at before each: once set, the rest is left out and the call is `Interrupted`.
/// After an error nothing new is begun; what was begun before is finished, so that the first error in
/// order is the one that is given.
pub fn map<S: Send, T: Send>(
    threads: Option<usize>,
    count: usize,
    stop: &AtomicBool,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let workers = threads.unwrap_or_else(available).clamp(1, count.max(1));
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let results: Mutex<Vec<(usize, Result<T>)>> = Mutex::new(Vec::with_capacity(count));
    let run = || {
        let mut state = state();
        let mut mine = Vec::new();
        loop {
            // In this order, so that no index is taken and then left out.
            let ends = stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed);
            let index = if ends { count } else { next.fetch_add(1, Ordering::Relaxed) };
            if index >= count {
                break;
            }
            let result = work(&mut state, index);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            mine.push((index, result));
        }
        results.lock().unwrap_or_else(PoisonError::into_inner).extend(mine);
    };
    if workers == 1 {
        run();
    } else {
        pool()?.in_place_scope(|scope| (0..workers).for_each(|_| scope.spawn(|_| run())));
    }
    if stop.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Two pieces of work at the same time; one after the other where no thread can be started.
pub fn both<A, B: Send>(one: impl FnOnce() -> A, other: impl FnOnce() -> B + Send) -> (A, B) {
    if without(Technique::Threads) {
        return (one(), other());
    }
    let other = Mutex::new(Some(other));
    let run = || other.lock().ok().and_then(|mut other| other.take()).map(|other| other());
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, run);
        let one = one();
        let ended = thread.ok().and_then(|thread| match thread.join() {
            Ok(other) => other,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        match ended.or_else(run) {
            Some(other) => (one, other),
            None => unreachable!("work that is not taken is done here"),
        }
    })
}

/// Cuts a row of sizes into groups of about `target`, as ranges of indices.
pub fn groups(sizes: impl Iterator<Item = usize>, target: usize) -> Vec<std::ops::Range<usize>> {
    let (mut groups, mut start, mut filled, mut index) = (Vec::new(), 0, 0, 0);
    for size in sizes {
        filled += size;
        index += 1;
        if filled >= target {
            groups.push(start..index);
            (start, filled) = (index, 0);
        }
    }
    if start < index {
        groups.push(start..index);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_for_any_number_of_threads() {
        let stop = AtomicBool::new(false);
        for threads in [Some(1), Some(2), Some(7), None] {
            let squares = map(threads, 100, &stop, || (), |(), i| Ok(i * i)).unwrap();
            assert_eq!(squares, (0..100).map(|i| i * i).collect::<Vec<_>>());
        }
        stop.store(true, Ordering::Relaxed);
        let stopped = map(None, 100, &stop, || (), |(), i| Ok(i));
        assert_eq!(stopped, Err(Error::Interrupted));
    }

    #[test]
    fn groups_cover_everything_once() {
        assert_eq!(groups([3, 3, 3, 1].into_iter(), 5), [0..2, 2..4]);
        assert!(groups(std::iter::empty(), 5).is_empty());
    }
}
