//! How far long work is, and whether it should stop: one type for all of it.
//!
//! Whoever starts long work hands a [`Progress`] down. Work reports what it is doing, how far, of how much, and asks between
//! steps whether it was cancelled; then it returns [`Error::Cancelled`] and leaves nothing
//! half-written. Asking costs one relaxed load, so inner loops ask as well: between two questions there is never more
//! than a few milliseconds of work.
//!
//! ```
//! use resay_learn::progress::{Cancel, Progress, Step};
//!
//! let cancel = Cancel::new();
//! let report = |step: Step<'_>| eprintln!("{:?} {} of {}", step.stage, step.done, step.total);
//! let progress = Progress::new(&report).with_cancel(&cancel);
//! assert!(progress.check().is_ok());
//! cancel.cancel();
//! assert!(progress.check().is_err());
//! ```

mod sort;
#[cfg(any(test, feature = "unstable"))]
pub mod testing;

pub use sort::sort;

use crate::{Error, Result};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What long work is doing. How it is called for people is up to who shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Text is annotated.
    Annotate,
    /// Features are made, or a kernel matrix is filled.
    Features,
    /// Costs are tried on held-out folds.
    Search,
    /// The final machine is trained.
    Train,
    /// Pairs that may be near-duplicates are looked for.
    Candidates,
    /// Pairs are scored.
    Score,
    /// Decisions are explained.
    Explain,
    /// A system of a paper's table is measured.
    Measure,
}

/// One report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// What is being done.
    pub stage: Stage,
    /// Of what, where there are several: the name of a system or a corpus. Mostly empty.
    pub detail: &'a str,
    /// How far.
    pub done: usize,
    /// Of how much.
    pub total: usize,
}

/// Tells work to stop, from any thread. Clones stand for the same work.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Nothing is cancelled yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Tells all work that was given this to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether work was told to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Where reports go.
type Report<'a> = &'a (dyn Fn(Step<'_>) + Sync);

/// Takes reports, and knows whether work should stop.
#[derive(Clone, Copy, Default)]
pub struct Progress<'a> {
    report: Option<Report<'a>>,
    cancel: Option<&'a Cancel>,
    /// What was done before, and how much there is in all, where this is for a part of longer work.
    part: Option<(usize, usize)>,
}

impl fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress")
            .field("reports", &self.report.is_some())
            .field("cancelled", &self.is_cancelled())
            .finish()
    }
}

impl<'a> Progress<'a> {
    /// Nobody is told anything, and nothing stops the work.
    pub const fn none() -> Self {
        Self { report: None, cancel: None, part: None }
    }

    /// Reports go to this function, from any thread.
    pub fn new(report: Report<'a>) -> Self {
        Self { report: Some(report), cancel: None, part: None }
    }

    /// Work stops once this is cancelled.
    #[must_use]
    pub fn with_cancel(self, cancel: &'a Cancel) -> Self {
        Self { cancel: Some(cancel), ..self }
    }

    /// For work within other work: it stops as that does, and reports nothing of its own.
    #[must_use]
    pub fn quiet(self) -> Self {
        Self { report: None, ..self }
    }

    /// For a part of longer work, of which this much was done before: what the part reports counts from there on, of as
    /// much as there is in all.
    #[must_use]
    pub fn part_of(self, before: usize, total: usize) -> Self {
        let part = self.part.map_or((before, total), |(earlier, whole)| (earlier + before, whole));
        Self { part: Some(part), ..self }
    }

    /// Whether work was told to stop.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(Cancel::is_cancelled)
    }

    /// An error if work was told to stop.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    /// Reports how far a stage is; an error if work was told to stop.
    pub fn report(&self, stage: Stage, done: usize, total: usize) -> Result<()> {
        self.report_on(stage, "", done, total)
    }

    /// The same, with what it is of.
    pub fn report_on(&self, stage: Stage, detail: &str, done: usize, total: usize) -> Result<()> {
        if let Some(report) = self.report {
            let (before, total) = self.part.unwrap_or((0, total));
            report(Step { stage, detail, done: before + done, total });
        }
        self.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn reports_arrive_and_cancelled_work_stops() {
        let seen = Mutex::new(Vec::new());
        let report = |step: Step<'_>| {
            seen.lock().unwrap().push((step.stage, step.detail.to_owned(), step.done, step.total));
        };
        let cancel = Cancel::new();
        let progress = Progress::new(&report).with_cancel(&cancel);
        progress.report(Stage::Search, 1, 3).unwrap();
        progress.quiet().report(Stage::Train, 2, 3).unwrap();
        progress.part_of(3, 9).part_of(2, 4).report(Stage::Score, 1, 2).unwrap();
        cancel.clone().cancel();
        assert!(matches!(progress.report_on(Stage::Measure, "kb", 2, 3), Err(Error::Cancelled)));
        assert!(matches!(progress.quiet().check(), Err(Error::Cancelled)));
        assert!(Progress::none().check().is_ok());
        let expected = [(Stage::Search, "", 1, 3), (Stage::Score, "", 6, 9), (Stage::Measure, "kb", 2, 3)];
        let expected = expected.map(|(stage, detail, done, total)| (stage, detail.to_owned(), done, total));
        assert_eq!(*seen.lock().unwrap(), expected);
    }
}
