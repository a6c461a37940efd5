//! A process that has used a model may fork, and the child may use it too, as in a Python program
//! with worker processes. The child has none of the parent's threads, so waiting for them would
//! block for ever.

#![allow(unsafe_code, reason = "fork cannot be called otherwise; the library itself has no unsafe code")]

use resay::model::{JudgementModel, PairModel, Prediction};
use resay::resources::Resources;
use resay_learn::progress::Progress;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

/// Maximum time for the child. Prediction takes milliseconds; a deadlock lasts for ever.
const LIMIT: Duration = Duration::from_secs(60);

fn predict(judge: &dyn PairModel, pairs: &[(String, String)]) -> Vec<Prediction> {
    let found = judge.predict(pairs, |(source, target)| (source, target), Progress::none()).unwrap();
    found.into_iter().map(|result| result.unwrap()).collect()
}

/// Tells a restarted copy of this program to run one test alone: a process that forks must not
/// share its threads with other tests.
const ALONE: &str = "RESAY_TEST_FORK_ALONE";

#[test]
fn a_child_judges_as_its_parent_did() {
    if std::env::var_os(ALONE).is_none() {
        let mut again = std::process::Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", "fork::a_child_judges_as_its_parent_did", "--test-threads=1"]).env(ALONE, "1");
        let output = again.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let judge = JudgementModel::bundled(&Resources::bundled()).unwrap();
    let pairs: Vec<(String, String)> = (0..100)
        .map(|at| (format!("Anna sold {at} old boats."), format!("{} boats were sold by Anna.", at % 7)))
        .collect();
    let before = predict(&judge, &pairs);
    // SAFETY: the child computes, and leaves by `_exit` without running anything of the parent's.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let is_same = std::panic::catch_unwind(AssertUnwindSafe(|| predict(&judge, &pairs) == before));
        // SAFETY: ends this process and nothing else.
        unsafe { libc::_exit(i32::from(!is_same.unwrap_or(false))) };
    }
    assert!(child > 0, "cannot fork");
    let start = Instant::now();
    let mut status = 0;
    loop {
        // SAFETY: `status` outlives the call, and the child is ours.
        match unsafe { libc::waitpid(child, &raw mut status, libc::WNOHANG) } {
            0 if start.elapsed() < LIMIT => std::thread::sleep(Duration::from_millis(20)),
            0 => {
                // SAFETY: the child is ours and was not waited for.
                unsafe { libc::kill(child, libc::SIGKILL) };
                panic!("the child still judges after {LIMIT:?}");
            }
            _ => break,
        }
    }
    assert_eq!(status, 0, "the child judged otherwise than its parent");
    assert_eq!(predict(&judge, &pairs), before, "the parent goes on");
}
