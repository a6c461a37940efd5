//! Room that threads look at pairs in, kept from one batch to the next: words that were looked up once stay known.

use crate::align::{AlignScratch, WordMemo};
use resay_text::EnglishScratch;
use std::sync::Mutex;

/// Things that are used again: room that threads work in, kept from one batch to the next.
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
    /// One that was used before, if there is any. Never waits: after `fork` a lock may be held by nobody.
    pub(crate) fn take(&self) -> Option<T> {
        self.free.try_lock().ok()?.pop()
    }

    /// Keeps something for whoever asks next.
    pub(crate) fn put(&self, item: T) {
        if let Ok(mut free) = self.free.try_lock() {
            free.push(item);
        }
    }
}

/// What a thread keeps while it looks at pairs: words that were looked up once stay known.
#[derive(Debug, Default)]
pub struct PairScratch {
    pub(crate) english: EnglishScratch,
    pub(crate) align: AlignScratch,
    pub(crate) words: WordMemo,
}
