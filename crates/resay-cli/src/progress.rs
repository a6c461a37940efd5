//! Progress bars on standard error: only on a terminal, and only for work that takes longer than a
//! second.

use crate::args::Common;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use resay_learn::progress::Step;
use resay_view::wording;
use std::io::IsTerminal;
use std::time::Duration;

const WITHOUT: Duration = Duration::from_secs(1);

/// A bar that appears after a second and clears itself when dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Creates a bar that counts items.
    pub(crate) fn new(common: &Common) -> Self {
        Self::with_template(common, "{msg} [{wide_bar}] {human_pos}/{human_len}, {eta} left")
    }

    /// Creates a bar that counts bytes.
    pub(crate) fn bytes(common: &Common) -> Self {
        Self::with_template(common, "{msg} [{wide_bar}] {bytes}/{total_bytes}, {eta} left")
    }

    /// Creates no bar, for rows that are printed to a terminal as they are computed.
    pub(crate) fn hidden() -> Self {
        Self { bar: ProgressBar::hidden() }
    }

    fn with_template(common: &Common, template: &str) -> Self {
        if common.quiet || !std::io::stderr().is_terminal() {
            return Self::hidden();
        }
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        let later = bar.clone();
        std::thread::spawn(move || {
            std::thread::sleep(WITHOUT);
            if !later.is_finished() {
                later.set_draw_target(ProgressDrawTarget::stderr());
            }
        });
        Self { bar }
    }

    /// Shows a progress report: the stage, and for a table what is measured.
    pub(crate) fn report(&self, step: Step<'_>) {
        if step.detail.is_empty() {
            self.set(wording::stage(step.stage), step.done, step.total);
        } else {
            self.show(step.detail, step.done, step.total);
        }
    }

    /// Sets the current activity, the amount done and the total.
    pub(crate) fn set(&self, what: &'static str, done: usize, total: usize) {
        if self.bar.length() != Some(total as u64) {
            self.bar.set_length(total as u64);
        }
        if self.bar.message() != what {
            self.bar.reset_eta();
            self.bar.set_message(what);
        }
        self.bar.set_position(done.min(total) as u64);
    }

    /// Like [`Progress::set`], for activity names built at run time.
    fn show(&self, what: &str, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_message(what.to_owned());
        self.bar.set_position(done as u64);
    }

    /// Advances the bar.
    pub(crate) fn add(&self, more: usize) {
        self.bar.inc(more as u64);
    }

    /// Wraps an input so that the bar counts its bytes as they are read.
    pub(crate) fn reader<R: std::io::BufRead>(&self, input: R) -> Counted<'_, R> {
        Counted { input, bar: &self.bar }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The input returned by [`Progress::reader`].
pub(crate) struct Counted<'a, R> {
    input: R,
    bar: &'a ProgressBar,
}

impl<R: std::io::BufRead> std::io::Read for Counted<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let n_read = self.input.read(into)?;
        self.bar.inc(n_read as u64);
        Ok(n_read)
    }
}

impl<R: std::io::BufRead> std::io::BufRead for Counted<'_, R> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.bar.inc(amount as u64);
        self.input.consume(amount);
    }
}
