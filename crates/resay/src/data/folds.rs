//! Stratified, grouped folds for cross-validation: groups stay whole, and class proportions are
//! similar in all folds.
//!
//! Given a class and an optional group for each example, returns the fold in which each example is
//! tested. Groups are placed greedily: shuffled by the seed, then largest first, each into the fold
//! that so far holds the smallest share of the group's classes. Large groups go first because the
//! small groups after them even out the balance. Optimal balance is bin packing; the greedy result
//! is within one group's size of it, which is enough for cross-validation.

use crate::{Error, Result};
use std::collections::BTreeMap;

/// A group during placement: its examples, and how many of them belong to each class.
struct Group {
    examples: Vec<usize>,
    of_class: Vec<usize>,
}

/// Returns the fold of each example, in `0..n_folds`. An example without a group forms its own
/// group. Every fold gets at least one group. The same input and seed give the same folds.
pub fn folds<G: Ord, L: Ord>(groups: &[Option<G>], labels: &[L], n_folds: usize, seed: u64) -> Result<Vec<usize>> {
    if groups.len() != labels.len() {
        return Err(Error::data(format!("{} groups for {} labels, expected as many", groups.len(), labels.len())));
    }
    if n_folds < 2 {
        return Err(Error::parameter(format!("{n_folds} folds: expected at least 2")));
    }
    let mut classes: Vec<&L> = labels.iter().collect();
    classes.sort_unstable();
    classes.dedup();
    let mut gathered = gather(groups, labels, &classes);
    check_enough(&gathered, classes.len(), n_folds)?;
    shuffle(&mut gathered, seed);
    // The sort is stable, so groups of equal size stay shuffled.
    gathered.sort_by_key(|group| std::cmp::Reverse(group.examples.len()));

    let of_class_in_all: Vec<usize> =
        (0..classes.len()).map(|class| gathered.iter().map(|group| group.of_class[class]).sum()).collect();
    // `placed[fold][class]` counts the examples placed so far.
    let mut placed = vec![vec![0usize; classes.len()]; n_folds];
    let mut fold_of = vec![0; labels.len()];
    for group in &gathered {
        // share(fold) = sum over classes c of |group in c| * |fold in c| / |all in c|. It is
        // smallest for the fold that most lacks the group's classes. An empty fold has share 0 and
        // size 0, so it is filled before any other.
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

/// Collects the groups in the order of their first examples.
fn gather<G: Ord, L: Ord>(groups: &[Option<G>], labels: &[L], classes: &[&L]) -> Vec<Group> {
    let mut place_of: BTreeMap<&G, usize> = BTreeMap::new();
    let mut gathered: Vec<Group> = Vec::new();
    for (idx, (group, label)) in groups.iter().zip(labels).enumerate() {
        let next = gathered.len();
        let place = group.as_ref().map_or(next, |name| *place_of.entry(name).or_insert(next));
        if place == next {
            gathered.push(Group { examples: Vec::new(), of_class: vec![0; classes.len()] });
        }
        gathered[place].examples.push(idx);
        // The search always succeeds: the classes were built from the labels.
        if let Ok(class) = classes.binary_search(&label) {
            gathered[place].of_class[class] += 1;
        }
    }
    gathered
}

/// Checks that there are enough groups. A fold without groups cannot be tested, and a class found
/// in fewer groups than there are folds is missing from some folds.
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
        format!("use at most {smallest} folds")
    } else {
        "add examples of every class, in more groups".to_owned()
    };
    Err(Error::data(format!("{n_folds} folds cannot be made from {found}; {next}")))
}

/// Fisher-Yates shuffle with SplitMix64 (Steele, Lea, Flood 2014). The modulo bias is below 2^-32
/// for any data that fits in memory.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counts(folds: &[usize], labels: &[bool], n_folds: usize, class: bool) -> Vec<usize> {
        let of_class =
            |fold: usize| folds.iter().zip(labels).filter(|&(&f, &label)| f == fold && label == class).count();
        (0..n_folds).map(of_class).collect()
    }

    fn spread(counts: &[usize]) -> usize {
        counts.iter().max().unwrap_or(&0) - counts.iter().min().unwrap_or(&0)
    }

    #[test]
    fn single_examples_are_dealt_evenly() {
        let labels: Vec<bool> = (0..103).map(|idx| idx % 3 == 0).collect();
        let found = folds(&vec![None::<&str>; 103], &labels, 10, 7).expect("folds");
        for class in [false, true] {
            assert!(spread(&counts(&found, &labels, 10, class)) <= 1, "{found:?}");
        }
    }

    #[test]
    fn the_seed_decides() {
        let labels = vec![true; 40];
        let groups = vec![None::<&str>; 40];
        let with_seed = |seed| folds(&groups, &labels, 4, seed).expect("folds");
        assert_eq!(with_seed(1), with_seed(1));
        assert_ne!(with_seed(1), with_seed(2));
        // Expected values are fixed: if folds changed between versions or machines, no result could
        // be reproduced.
        let few = folds(&[None, None, Some("q"), Some("q"), None, None], &[1, 2, 1, 2, 1, 2], 3, 42).expect("folds");
        assert_eq!(few, [2, 1, 0, 0, 1, 2]);
    }

    #[test]
    fn faults() {
        let check = |groups: &[Option<&str>], labels: &[bool], n_folds: usize, expected: &str| {
            assert_eq!(folds(groups, labels, n_folds, 0).expect_err(expected).to_string(), expected);
        };
        let (yes, no) = (true, false);
        check(&[None], &[yes, no], 2, "1 groups for 2 labels, expected as many");
        check(&[None; 4], &[yes, no, yes, no], 1, "1 folds: expected at least 2");
        check(
            &[Some("a"), Some("a"), Some("b"), Some("b"), Some("c"), Some("c")],
            &[yes, no, yes, no, yes, no],
            4,
            "4 folds cannot be made from only 3 groups of examples; use at most 3 folds",
        );
        check(
            &[None; 7],
            &[yes, yes, yes, no, no, no, no],
            4,
            "4 folds cannot be made from a class that stands in only 3 groups of examples; use at most 3 folds",
        );
        check(
            &[Some("a"), Some("a"), None, None],
            &[yes, yes, no, no],
            2,
            "2 folds cannot be made from a class that stands in only 1 groups of examples; \
             add examples of every class, in more groups",
        );
        check(
            &[],
            &[],
            2,
            "2 folds cannot be made from only 0 groups of examples; add examples of every class, in more groups",
        );
        assert!(folds(&[None::<&str>; 7], &[yes, yes, yes, no, no, no, no], 3, 0).is_ok());
    }

    proptest! {
        #[test]
        fn groups_stay_whole_and_folds_alike(
            rows in prop::collection::vec((prop::option::of(0u8..60), any::<bool>()), 60..300),
            n_folds in 2usize..8,
            seed in any::<u64>(),
        ) {
            let names: Vec<Option<String>> = rows.iter().map(|(group, _)| group.map(|g| g.to_string())).collect();
            let groups: Vec<Option<&str>> = names.iter().map(Option::as_deref).collect();
            let labels: Vec<bool> = rows.iter().map(|&(_, label)| label).collect();
            let found = match folds(&groups, &labels, n_folds, seed) {
                Ok(found) => found,
                Err(_) => return Err(TestCaseError::reject("too few groups")),
            };
            prop_assert_eq!(&found, &folds(&groups, &labels, n_folds, seed).expect("the same"));
            let mut fold_of_group = BTreeMap::new();
            let mut sizes = BTreeMap::new();
            for (group, &fold) in groups.iter().zip(&found) {
                prop_assert!(fold < n_folds);
                if let Some(group) = group {
                    prop_assert_eq!(*fold_of_group.entry(group).or_insert(fold), fold);
                    *sizes.entry(group).or_insert(0usize) += 1;
                }
            }
            let largest = sizes.values().copied().max().unwrap_or(1);
            for class in [false, true] {
                let of_class = counts(&found, &labels, n_folds, class);
                prop_assert!(spread(&of_class) <= largest, "{:?}, largest group {}", of_class, largest);
                prop_assert!(of_class.iter().all(|&n| n > 0), "{:?}", of_class);
            }
        }
    }
}
