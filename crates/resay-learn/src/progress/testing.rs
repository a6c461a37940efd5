//! Test helper: checks that long-running work can be cancelled.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use std::time::{Duration, Instant};

/// Time limit between cancellation and return, for unoptimised builds.
const SOON: Duration = Duration::from_secs(1);

/// Asserts that `work` returns soon, whether it is cancelled before it starts or midway by another
/// thread.
///
/// Running times differ between machines, so if the work finishes before the cancellation, the test
/// retries with a shorter delay.
pub fn stops<T>(work: impl Fn(Progress<'_>) -> Result<T>) {
    let (cancel, start) = (Cancel::new(), Instant::now());
    cancel.cancel();
    assert!(matches!(work(Progress::none().with_cancel(&cancel)), Err(Error::Cancelled)), "cancelled before");
    assert!(start.elapsed() < SOON, "{:?} of work that was cancelled before", start.elapsed());
    let delays = [20_000, 10_000, 5_000, 2_000, 1_000, 500, 200].map(Duration::from_micros);
    assert!(delays.into_iter().any(|delay| stops_after(delay, &work)), "cancelled in the middle");
}

/// Cancels `work` after `delay`. Returns whether it was stopped (`true`) or had already finished.
fn stops_after<T>(delay: Duration, work: impl Fn(Progress<'_>) -> Result<T>) -> bool {
    let cancel = Cancel::new();
    std::thread::scope(|scope| {
        let told = scope.spawn(|| {
            std::thread::sleep(delay);
            cancel.cancel();
            Instant::now()
        });
        let result = work(Progress::none().with_cancel(&cancel));
        let end = Instant::now();
        let took = end.saturating_duration_since(told.join().unwrap());
        assert!(took < SOON, "{took:?} from being told to the end");
        match result {
            Ok(_) => false,
            Err(Error::Cancelled) => true,
            Err(other) => panic!("{other} instead of being cancelled"),
        }
    })
}
