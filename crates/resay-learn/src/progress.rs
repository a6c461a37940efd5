//! Progress reports and cancellation: one type for all long-running work.
//!
//! The caller passes a [`Progress`] down. The work reports its stage, how much is done and how much
//! there is in total. Between steps it checks for cancellation; once cancelled, it returns
//! [`Error::Cancelled`] and leaves nothing half-written. A check costs one relaxed load, so inner
//! loops check as well: there are never more than a few milliseconds of work between two checks.
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

/// A stage of long-running work. The front end chooses the wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Annotating text.
    Annotate,
    /// Extracting features, or filling a kernel matrix.
    Features,
    /// Trying costs on held-out folds.
    Search,
    /// Training the final model.
    Train,
    /// Searching for candidate pairs of near-duplicates.
    Candidates,
    /// Scoring pairs.
    Score,
    /// Explaining decisions.
    Explain,
    /// Measuring a system of a paper's table.
    Measure,
}

/// One progress report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The current stage.
    pub stage: Stage,
    /// The system or corpus at work, where there are several. Usually empty.
    pub detail: &'a str,
    /// Units of work done.
    pub done: usize,
    /// Units of work in total.
    pub total: usize,
}

/// A cancellation flag that any thread can set. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Returns a flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels all work that holds this flag.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work has been cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The function that receives reports.
type Report<'a> = &'a (dyn Fn(Step<'_>) + Sync);

/// Receives progress reports and says whether the work has been cancelled.
#[derive(Clone, Copy, Default)]
pub struct Progress<'a> {
    report: Option<Report<'a>>,
    cancel: Option<&'a Cancel>,
    /// For a part of longer work: the units done before it, and the units in total.
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
    /// Drops all reports and never cancels.
    pub const fn none() -> Self {
        Self { report: None, cancel: None, part: None }
    }

    /// Sends reports to `report`, from any thread.
    pub fn new(report: Report<'a>) -> Self {
        Self { report: Some(report), cancel: None, part: None }
    }

    /// Stops the work once `cancel` is set.
    #[must_use]
    pub fn with_cancel(self, cancel: &'a Cancel) -> Self {
        Self { cancel: Some(cancel), ..self }
    }

    /// For nested work: keeps the cancellation, drops the reports.
    #[must_use]
    pub fn quiet(self) -> Self {
        Self { report: None, ..self }
    }

    /// For a part of longer work: `before` units are already done, out of `total`. Reports of the
    /// part are offset by `before` and show `total`.
    #[must_use]
    pub fn part_of(self, before: usize, total: usize) -> Self {
        let part = self.part.map_or((before, total), |(earlier, whole)| (earlier + before, whole));
        Self { part: Some(part), ..self }
    }

    /// Whether the work has been cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(Cancel::is_cancelled)
    }

    /// Returns [`Error::Cancelled`] if the work has been cancelled.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }

    /// Reports the progress of a stage. Fails if the work has been cancelled.
    pub fn report(&self, stage: Stage, done: usize, total: usize) -> Result<()> {
        self.report_on(stage, "", done, total)
    }

    /// Like [`Progress::report`], with the system or corpus at work.
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
