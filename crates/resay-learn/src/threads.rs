//! Threads that work on many things at once, as a value: no pool is shared by the whole process.
//!
//! A pool of threads does not survive `fork`: the child has the pool's memory and none of its threads, and waits for ever. So
//! the pool remembers the process that made it, and a process that finds itself to be another makes a new one. Nothing here
//! waits for a lock that another thread may have held at the moment of the fork.

use crate::{Error, Result};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};

/// Threads to work with. How many there are changes no result.
#[derive(Debug, Default)]
pub struct Threads {
    /// None for one per core.
    count: Option<NonZeroUsize>,
    /// The pool, and the process that made it; made when it is first needed.
    pool: Mutex<Option<(u32, Arc<ThreadPool>)>>,
}

impl Threads {
    /// So many threads; none for one per core.
    pub fn new(count: Option<NonZeroUsize>) -> Self {
        Self { count, pool: Mutex::new(None) }
    }

    /// Runs work whose parallel loops use these threads. Work within such work stays on the threads that it is on.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> Result<R> {
        if rayon::current_thread_index().is_some() {
            return Ok(work());
        }
        Ok(self.pool()?.install(work))
    }

    /// The pool of this process.
    fn pool(&self) -> Result<Arc<ThreadPool>> {
        let process = std::process::id();
        // A lock that is taken was maybe taken by a thread that is not in this process: then the work has a pool of its own.
        let Ok(mut kept) = self.pool.try_lock() else { return self.build() };
        match &*kept {
            Some((owner, pool)) if *owner == process => return Ok(pool.clone()),
            // What is left of another process' pool has no threads that could be told to end.
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
                    // Work within work stays where it is.
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
