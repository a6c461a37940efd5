//! Progress bars on standard error: only on a terminal, and only for what takes longer than a
//! second.

use crate::args::Common;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use resay_learn::progress::Step;
use resay_view::wording;
use std::io::IsTerminal;
use std::time::Duration;

const WITHOUT: Duration = Duration::from_secs(1);

/// A bar that shows itself after a second and clears itself when dropped.
pub(crate) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar that counts things.
    pub(crate) fn new(common: &Common) -> Self {
        Self::with_template(common, "{msg} [{wide_bar}] {human_pos}/{human_len}, {eta} left")
    }

    /// A bar that counts bytes.
    pub(crate) fn bytes(common: &Common) -> Self {
        Self::with_template(common, "{msg} [{wide_bar}] {bytes}/{total_bytes}, {eta} left")
    }

    /// No bar: for rows that go to a terminal while they are made, and show by themselves how far
    /// it is.
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

    /// Shows what work reports: the stage, and of a table what is measured.
    pub(crate) fn report(&self, step: Step<'_>) {
        if step.detail.is_empty() {
            self.set(wording::stage(step.stage), step.done, step.total);
        } else {
            self.show(step.detail, step.done, step.total);
        }
    }

    /// What is being done, how far, of how much.
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

    /// The same for names that are made as work goes on.
    fn show(&self, what: &str, done: usize, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_message(what.to_owned());
        self.bar.set_position(done as u64);
    }

    /// This much more is done.
    pub(crate) fn add(&self, more: usize) {
        self.bar.inc(more as u64);
    }

    /// Input that counts its bytes as they are read.
    pub(crate) fn reader<R: std::io::BufRead>(&self, input: R) -> Counted<'_, R> {
        Counted { input, bar: &self.bar }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// See [`Progress::reader`].
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
