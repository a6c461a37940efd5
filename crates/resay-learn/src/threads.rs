//! Thread pools as values: there is no global pool.
//!
//! A thread pool does not survive `fork`: the child process inherits the pool's memory but none of
//! its threads, so it would wait for ever. Each pool therefore records the process that created it,
//! and a process that finds a foreign pool builds its own. Nothing here blocks on a lock that
//! another thread may have held at the moment of the fork.

use crate::{Error, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

/// A thread pool. The number of threads never changes a result.
#[derive(Debug, Default)]
pub struct Threads {
    /// `None` means one per core.
    count: Option<NonZeroUsize>,
    /// The pool and the id of the process that built it. Built on first use.
    pool: Mutex<Option<(u32, Arc<ThreadPool>)>>,
}

impl Threads {
    /// Uses `count` threads, or one per core if `None`.
    pub fn new(count: Option<NonZeroUsize>) -> Self {
        Self { count, pool: Mutex::new(None) }
    }

    /// Runs `work` with its parallel loops on this pool. A nested call stays on the current pool.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R> {
        if rayon::current_thread_index().is_some() {
            return Ok(work());
        }
        Ok(self.pool()?.install(work))
    }

    /// Returns the pool of this process.
    fn pool(&self) -> Result<Arc<ThreadPool>> {
        let process = std::process::id();
        // If the lock is held, its holder may be a thread that did not survive a fork: build a
        // separate pool instead of waiting.
        let Ok(mut kept) = self.pool.try_lock() else { return self.build() };
        match &*kept {
            Some((owner, pool)) if *owner == process => return Ok(pool.clone()),
            // The pool of another process has no threads that could be shut down.
            Some((_, pool)) => std::mem::forget(pool.clone()),
            None => {}
        }
        let pool = self.build()?;
        *kept = Some((process, pool.clone()));
        Ok(pool)
    }

    fn build(&self) -> Result<Arc<ThreadPool>> {
        let builder = ThreadPoolBuilder::new().num_threads(self.count.map_or(0, NonZeroUsize::get));
        let pool = builder.thread_name(|number| format!("resay-{number}")).build();
        Ok(Arc::new(pool.map_err(|error| Error::machine(format!("cannot start threads: {error}")))?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    #[test]
    fn work_is_done_by_as_many_threads_as_asked_for() {
        for count in [1, 3] {
            let threads = Threads::new(NonZeroUsize::new(count));
            let (n_threads, sum) = threads
                .run(|| {
                    let sum: usize = (0..1000_usize).into_par_iter().sum();
                    // A nested call stays on the current pool.
                    let inner = threads.run(rayon::current_num_threads).unwrap();
                    (inner, sum)
                })
                .unwrap();
            assert_eq!((n_threads, sum), (count, 499_500));
        }
    }

    #[test]
    fn a_lock_that_is_held_stops_nobody() {
        let threads = Threads::default();
        let held = threads.pool.lock().unwrap();
        assert_eq!(threads.run(|| 7).unwrap(), 7);
        drop(held);
        assert!(Arc::ptr_eq(&threads.pool().unwrap(), &threads.pool().unwrap()), "one pool for one process");
    }
}
