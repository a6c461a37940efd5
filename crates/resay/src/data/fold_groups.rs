//! Which examples must share a fold, so that no fold is tested on what another one taught.
//!
//! A group column decides if the data has one. Otherwise pairs that share a sentence belong
//! together: a sentence that a model has seen in training is not new to it. Sentences are equal if
//! their texts are, without blanks around them, whichever side they stand on. Groups are the
//! connected components of pairs over sentences.
//!
//! One sentence can stand in very many pairs, such as a question with all its candidates or a
//! stock phrase. It would tie most of the data together. So a sentence of more than [`MOST_SHARED`]
//! pairs joins only the pairs that have it as their source.

use super::Dataset;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The largest number of pairs that a sentence joins whichever side it stands on.
pub const MOST_SHARED: usize = 20;

/// What the groups of folds are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum GroupedBy {
    /// The group column of the data.
    Column,
    /// Sentences that pairs share.
    Sentences,
    /// Nothing: every example stands alone, because groups would leave too few folds.
    Nothing,
}

/// The group of every example, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldGroups {
    /// One number per example, counted from 0 in the order of first examples.
    pub of: Vec<usize>,
    /// What they are made of.
    pub by: GroupedBy,
}

impl FoldGroups {
    /// The number of groups.
    pub fn len(&self) -> usize {
        self.of.iter().max().map_or(0, |last| last + 1)
    }

    /// Whether there is no example.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// Every example alone.
    pub fn alone(n_examples: usize) -> Self {
        Self { of: (0..n_examples).collect(), by: GroupedBy::Nothing }
    }
}

impl Dataset {
    /// Returns which examples must share a fold.
    pub fn fold_groups(&self) -> FoldGroups {
        if self.rows.iter().any(|example| example.group.is_some()) {
            return FoldGroups { of: numbered(self.group_numbers()), by: GroupedBy::Column };
        }
        let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
        let mut number = |text| {
            let next = numbers.len();
            *numbers.entry(text).or_insert(next)
        };
        let pairs: Vec<[usize; 2]> =
            self.rows.iter().map(|example| [number(example.source.trim()), number(example.target.trim())]).collect();
        FoldGroups { of: components(&pairs), by: GroupedBy::Sentences }
    }
}

/// Renumbers groups in the order of first examples.
fn numbered(groups: Vec<usize>) -> Vec<usize> {
    let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
    let number = |group| {
        let next = numbers.len();
        *numbers.entry(group).or_insert(next)
    };
    groups.into_iter().map(number).collect()
}

/// The component of every pair of sentences, which are given by number.
fn components(pairs: &[[usize; 2]]) -> Vec<usize> {
    let n_sentences = pairs.iter().flatten().max().map_or(0, |last| last + 1);
    let mut n_pairs = vec![0_usize; n_sentences];
    for [source, target] in pairs {
        n_pairs[*source] += 1;
        n_pairs[*target] += usize::from(source != target);
    }
    // Sentences are the nodes of a forest of disjoint sets; a frequent one is only a source.
    let mut parents: Vec<usize> = (0..n_sentences).collect();
    for &[source, target] in pairs {
        if n_pairs[target] <= MOST_SHARED {
            let (one, other) = (root(&mut parents, source), root(&mut parents, target));
            parents[one.max(other)] = one.min(other);
        }
    }
    numbered(pairs.iter().map(|pair| root(&mut parents, pair[0])).collect())
}

/// The root of a node, with the path to it halved.
fn root(parents: &mut [usize], mut node: usize) -> usize {
    while parents[node] != node {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Columns;
    use resay_learn::rng::SplitMix;

    fn groups(rows: &str) -> FoldGroups {
        Dataset::from_reader("f.tsv", rows.as_bytes(), None, &Columns::default()).unwrap().fold_groups()
    }

    #[test]
    fn pairs_that_share_a_sentence_share_a_group() {
        let found = groups("source\ttarget\na\tb\nc\td\n b \te\nf\tg\nd\tf\nh\th\n");
        assert_eq!(found, FoldGroups { of: vec![0, 1, 0, 1, 1, 2], by: GroupedBy::Sentences });
        assert_eq!((found.len(), found.is_empty()), (3, false));
    }

    #[test]
    fn a_column_decides_where_there_is_one() {
        let found = groups("source\ttarget\tgroup\na\tb\tx\na\tb\ty\nc\td\tx\na\tb\t\n");
        assert_eq!(found, FoldGroups { of: vec![0, 1, 0, 2], by: GroupedBy::Column });
    }

    #[test]
    fn a_frequent_sentence_joins_by_source_only() {
        let rows = |n: usize, row: &dyn Fn(usize) -> String| -> String {
            (0..n).fold("source\ttarget\n".to_owned(), |text, at| text + &row(at))
        };
        let as_target = |n| groups(&rows(n, &|at| format!("s{at}\tyes\n"))).len();
        assert_eq!((as_target(MOST_SHARED), as_target(MOST_SHARED + 1)), (1, MOST_SHARED + 1));
        let as_source = |n| groups(&rows(n, &|at| format!("yes\tt{at}\n"))).len();
        assert_eq!((as_source(MOST_SHARED), as_source(MOST_SHARED + 1)), (1, 1));
    }

    /// Joins groups pair by pair until nothing changes.
    fn slow(pairs: &[[usize; 2]]) -> Vec<usize> {
        let count = |sentence: usize| pairs.iter().filter(|pair| pair.contains(&sentence)).count();
        let joins = |a: [usize; 2], b: [usize; 2]| {
            a[0] == b[0]
                || (0..2).any(|i| {
                    (0..2).any(|j| a[i] == b[j] && (i == 0 || count(a[i]) <= 20) && (j == 0 || count(b[j]) <= 20))
                })
        };
        let mut groups: Vec<usize> = (0..pairs.len()).collect();
        loop {
            let before = groups.clone();
            for one in 0..pairs.len() {
                for other in 0..pairs.len() {
                    if joins(pairs[one], pairs[other]) {
                        let least = groups[one].min(groups[other]);
                        (groups[one], groups[other]) = (least, least);
                    }
                }
            }
            if groups == before {
                return numbered(groups);
            }
        }
    }

    #[test]
    fn components_are_those_of_the_slow_way() {
        for seed in 0..40 {
            let mut random = SplitMix::new(seed);
            let n_sentences = 4 + random.below(60);
            let mut sentence = || if random.below(3) == 0 { 0 } else { random.below(n_sentences) };
            let pairs: Vec<[usize; 2]> = (0..60).map(|_| [sentence(), sentence()]).collect();
            assert_eq!(components(&pairs), slow(&pairs), "seed {seed}");
        }
    }
}
