//! Scratch space for threads that score pairs. It is reused between batches, so that words are
//! looked up only once.

use crate::align::{AlignScratch, WordMemo};
use resay_text::EnglishScratch;
use std::sync::Mutex;

/// A pool of reusable objects, such as the threads' scratch space.
#[derive(Debug)]
pub(crate) struct Pool<T> {
    free: Mutex<Vec<T>>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self { free: Mutex::new(Vec::new()) }
    }
}

impl<T> Pool<T> {
    /// Takes an object from the pool, if there is one. Never blocks: after `fork` the lock may be
    /// held by a thread that no longer exists.
    pub(crate) fn take(&self) -> Option<T> {
        self.free.try_lock().ok()?.pop()
    }

    /// Returns an object to the pool.
    pub(crate) fn put(&self, item: T) {
        if let Ok(mut free) = self.free.try_lock() {
            free.push(item);
        }
    }
}

/// The scratch space of a thread that scores pairs, with a memo of the words already looked up.
#[derive(Debug, Default)]
pub struct PairScratch {
    pub(crate) english: EnglishScratch,
    pub(crate) align: AlignScratch,
    pub(crate) words: WordMemo,
}
