//! Negative examples: names of true pairs, paired at random.

use super::Pairing;
use crate::Result;
use resay_learn::progress::Progress;
use resay_learn::rng::SplitMix;
use rustc_hash::FxHashSet;

/// Returns the true pairs, followed by a random share of all wrong pairings of their names, at most
/// `most`. A pairing that is true elsewhere is never drawn. `pairs` holds name numbers; equal names
/// have equal numbers.
pub(super) fn draw(
    pairs: &[(u32, u32)],
    share: f64,
    most: usize,
    seed: u64,
    progress: Progress<'_>,
) -> Result<Vec<Pairing>> {
    let truth: FxHashSet<(u32, u32)> = pairs.iter().copied().collect();
    let mut random = SplitMix::new(seed);
    let mut all: Vec<Pairing> =
        pairs.iter().map(|&(source, target)| Pairing { source, target, is_true: true }).collect();
    let n = pairs.len();
    let wanted = (share * n as f64 * n.saturating_sub(1) as f64).round().min(most as f64) as usize;
    let mut drawn: FxHashSet<(u32, u32)> = FxHashSet::default();
    // The number of trials is limited: if almost every pairing is true or drawn, none may be left.
    for trial in 0..20 * wanted {
        if trial.is_multiple_of(1 << 10) {
            progress.check()?;
        }
        if drawn.len() == wanted {
            break;
        }
        let (source, target) = (pairs[random.below(n)].0, pairs[random.below(n)].1);
        if !truth.contains(&(source, target)) && drawn.insert((source, target)) {
            all.push(Pairing { source, target, is_true: false });
        }
    }
    Ok(all)
}
