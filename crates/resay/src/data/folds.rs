//! Folds for cross-validation that keep every group whole and every fold like the others.
//!
//! Given a group (or none) and a class for each example, returns for each example the fold it is tested in. Groups
//! are placed greedily: shuffled by the seed, then largest first, each into the fold that so far holds the smallest
//! share of the group's classes. Large groups go first because the small ones behind them even out what they upset.
//! Optimal balance is bin packing; greedy is within a group's size of it, which is all that cross-validation needs.

use crate::{Error, Result};
use std::collections::BTreeMap;

/// A group while it is placed: its examples, and how many of each class they are.
struct Group {
    examples: Vec<usize>,
    of_class: Vec<usize>,
}

/// The fold, `0..n_folds`, of each example. An example without a group is a group of its own. Every fold gets at least
/// one group. The same input and seed give the same folds.
pub fn folds<L: Ord>(groups: &[Option<&str>], labels: &[L], n_folds: usize, seed: u64) -> Result<Vec<usize>> {
    if groups.len() != labels.len() {
        return Err(Error::data(format!("{} groups for {} labels, expected as many", groups.len(), labels.len())));
    }
    if n_folds < 2 {
        return Err(Error::parameter(format!("--folds {n_folds}: expected at least 2")));
    }
    let mut classes: Vec<&L> = labels.iter().collect();
    classes.sort_unstable();
    classes.dedup();
    let mut gathered = gather(groups, labels, &classes);
    check_enough(&gathered, classes.len(), n_folds)?;
    shuffle(&mut gathered, seed);
    // The sort is stable, so groups of one size stay shuffled.
    gathered.sort_by_key(|group| std::cmp::Reverse(group.examples.len()));

    let of_class_in_all: Vec<usize> =
        (0..classes.len()).map(|class| gathered.iter().map(|group| group.of_class[class]).sum()).collect();
    // `placed[fold][class]`: examples so far.
    let mut placed = vec![vec![0usize; classes.len()]; n_folds];
    let mut fold_of = vec![0; labels.len()];
    for group in &gathered {
        // share(fold) = sum over classes c of |group in c| * |fold in c| / |all in c|: the fold that lacks the group's
        // classes most has the smallest. An empty fold has share 0 and size 0, so it is filled before any other.
        let share = |held: &[usize]| -> f64 {
            let classes = group.of_class.iter().zip(held).zip(&of_class_in_all);
            classes.map(|((&here, &there), &all)| here as f64 * there as f64 / all.max(1) as f64).sum()
        };
        let size = |held: &[usize]| held.iter().sum::<usize>();
        let order = |a: &[usize], b: &[usize]| share(a).total_cmp(&share(b)).then(size(a).cmp(&size(b)));
        let best = (0..n_folds).min_by(|&a, &b| order(&placed[a], &placed[b])).unwrap_or(0);
        for (there, here) in placed[best].iter_mut().zip(&group.of_class) {
            *there += here;
        }
        for &example in &group.examples {
            fold_of[example] = best;
        }
    }
    Ok(fold_of)
}

/// The groups in the order of their first example.
fn gather<L: Ord>(groups: &[Option<&str>], labels: &[L], classes: &[&L]) -> Vec<Group> {
    let mut place_of: BTreeMap<&str, usize> = BTreeMap::new();
    let mut gathered: Vec<Group> = Vec::new();
    for (idx, (group, label)) in groups.iter().zip(labels).enumerate() {
        let next = gathered.len();
        let place = group.map_or(next, |name| *place_of.entry(name).or_insert(next));
        if place == next {
            gathered.push(Group { examples: Vec::new(), of_class: vec![0; classes.len()] });
        }
        gathered[place].examples.push(idx);
        // Every label is among the classes: they were made from the labels.
        if let Ok(class) = classes.binary_search(&label) {
            gathered[place].of_class[class] += 1;
        }
    }
    gathered
}

/// A fold without groups cannot be tested, and a class that stands in fewer groups than there are folds is missing
/// from some.
fn check_enough(groups: &[Group], n_classes: usize, n_folds: usize) -> Result<()> {
    let with_class = |class: usize| groups.iter().filter(|group| group.of_class[class] > 0).count();
    let smallest = (0..n_classes).map(with_class).min().unwrap_or(0);
    if smallest >= n_folds {
        return Ok(());
    }
    let found = if groups.len() < n_folds {
        format!("only {} groups of examples", groups.len())
    } else {
        format!("a class that stands in only {smallest} groups of examples")
    };
    let next = if smallest >= 2 {
        format!("use at most --folds {smallest}")
    } else {
        "add examples of every class, in more groups".to_owned()
    };
    Err(Error::data(format!("{n_folds} folds cannot be made from {found}; {next}")))
}

/// Fisher-Yates over SplitMix64 (Steele, Lea, Flood 2014). The remainder's bias is below 2^-32 for any data that fits
/// in memory.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    let mut random = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    for last in (1..items.len()).rev() {
        items.swap(last, (random() % (last as u64 + 1)) as usize);
    }
}
