//! Parallel merge sort that can be cancelled.
//!
//! Short runs are sorted separately and then merged pairwise, back and forth between two buffers.
//! The output of each round is cut into blocks. Bisection finds where a block starts in both runs,
//! so that all threads have work in every round. Cancellation is checked before every block.

use super::Progress;
use crate::Result;
use rayon::prelude::*;
use std::cmp::Ordering;

/// Length of runs and blocks: about a millisecond of work.
const RUN: usize = 1 << 14;

/// Sorts `items`. The sort is not stable.
pub fn sort<T: Copy + Send + Sync>(
    items: &mut Vec<T>,
    compare: impl Fn(&T, &T) -> Ordering + Sync,
    progress: Progress<'_>,
) -> Result<()> {
    progress.check()?;
    if items.len() <= RUN {
        items.sort_unstable_by(compare);
        return Ok(());
    }
    items.par_chunks_mut(RUN).try_for_each(|run| {
        progress.check()?;
        run.sort_unstable_by(&compare);
        Ok(())
    })?;
    let mut merged = items.clone();
    let mut len = RUN;
    while len < items.len() {
        merged.par_chunks_mut(RUN).enumerate().try_for_each(|(block, out)| {
            progress.check()?;
            let start = block * RUN;
            let first = start / (2 * len) * (2 * len);
            let both = &items[first..items.len().min(first + 2 * len)];
            let (left, right) = both.split_at(len.min(both.len()));
            merge(left, right, start - first, out, &compare);
            Ok(())
        })?;
        std::mem::swap(items, &mut merged);
        len *= 2;
    }
    Ok(())
}

/// Fills `out` with the merge of both runs, starting at position `from` of the merged sequence. On
/// ties, items of `left` come first.
fn merge<T: Copy>(left: &[T], right: &[T], from: usize, out: &mut [T], compare: &impl Fn(&T, &T) -> Ordering) {
    let (mut low, mut high) = (from.saturating_sub(right.len()), from.min(left.len()));
    while low < high {
        let middle = low.midpoint(high);
        if compare(&left[middle], &right[from - middle - 1]).is_le() {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let (mut left, mut right) = (&left[low..], &right[from - low..]);
    for place in out {
        let is_left = match (left.first(), right.first()) {
            (Some(a), Some(b)) => compare(a, b).is_le(),
            (first, _) => first.is_some(),
        };
        let side = if is_left { &mut left } else { &mut right };
        if let Some((item, rest)) = side.split_first() {
            (*place, *side) = (*item, rest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;
    use crate::progress::Cancel;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    #[test]
    fn is_the_same_as_the_standard_library() {
        let mut state = 1_usize;
        let mut random = |most: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        for n in [0, 1, 2, RUN - 1, RUN, RUN + 1, 2 * RUN, 3 * RUN + 5, 11 * RUN + 77] {
            for most in [1, 3, 1000, 1 << 30] {
                let mut items: Vec<usize> = (0..n).map(|_| random(most)).collect();
                let mut expected = items.clone();
                expected.sort_unstable();
                sort(&mut items, usize::cmp, Progress::none()).unwrap();
                assert!(items == expected, "{n} numbers below {most}");
            }
        }
    }

    #[test]
    fn stops_when_it_is_told_to() {
        let cancel = Cancel::new();
        let n_compared = AtomicUsize::new(0);
        let compare = |a: &usize, b: &usize| {
            if n_compared.fetch_add(1, Relaxed) == 10 * RUN {
                cancel.cancel();
            }
            a.cmp(b)
        };
        let mut items: Vec<usize> = (0..64 * RUN).map(|item| item.wrapping_mul(0x9e37_79b9) % (1 << 20)).collect();
        let stopped = sort(&mut items, compare, Progress::none().with_cancel(&cancel));
        assert!(matches!(stopped, Err(Error::Cancelled)));
        assert!(n_compared.load(Relaxed) < 64 * 14 * RUN, "{n_compared:?}");
    }
}
