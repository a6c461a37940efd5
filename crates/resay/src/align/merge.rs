//! Merges two alignments of one pair, one from each direction.
//!
//! An aligner that gives every source word one span can link one source word to many target words,
//! but not many source spans to one; in the other direction it sees the other half. The
//! intersection of the two is precise, their union complete. Between them lies the heuristic of
//! Koehn, Och and Marcu (2003): from the intersection, grow by links of the union that touch an
//! accepted one, also at a corner, and that give a word its first link. Links are visited by source
//! and then by target, repeatedly until nothing is added, so that the result does not depend on
//! their order.

use crate::{Error, Result};
use resay_learn::eval::blocks::WordLink;
use std::collections::BTreeSet;
use std::str::FromStr;

/// How to merge two alignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Merge {
    /// Links of either.
    Union,
    /// Links of both.
    Intersection,
    /// Links of both, and their neighbours that give a word its first link.
    GrowDiag,
    /// As [`Merge::GrowDiag`], and then any link, first of the forward and then of the backward
    /// alignment, that gives a word its first link.
    GrowDiagFinal,
}

impl Merge {
    /// All methods.
    pub const ALL: [Self; 4] = [Self::Union, Self::Intersection, Self::GrowDiag, Self::GrowDiagFinal];

    /// Returns the name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Union => "union",
            Self::Intersection => "intersection",
            Self::GrowDiag => "grow-diag",
            Self::GrowDiagFinal => "grow-diag-final",
        }
    }

    /// Merges two alignments, both from source to target. Returns the links sorted, without
    /// duplicates.
    pub fn merge(self, forward: &[WordLink], backward: &[WordLink]) -> Vec<WordLink> {
        let forward: BTreeSet<WordLink> = forward.iter().copied().collect();
        let backward: BTreeSet<WordLink> = backward.iter().copied().collect();
        let links = match self {
            Self::Union => &forward | &backward,
            Self::Intersection => &forward & &backward,
            Self::GrowDiag => Growth::new(&forward, &backward).links,
            Self::GrowDiagFinal => {
                let mut growth = Growth::new(&forward, &backward);
                for &link in forward.iter().chain(&backward) {
                    if growth.is_first(&link) {
                        growth.add(link);
                    }
                }
                growth.links
            }
        };
        links.into_iter().collect()
    }
}

impl FromStr for Merge {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|merge| merge.name() == name).ok_or_else(|| {
            let known = Self::ALL.map(Self::name).join(", ");
            Error::parameter(format!("unknown way to merge alignments '{name}', expected one of: {known}"))
        })
    }
}

/// The links accepted so far, and the words they cover.
#[derive(Default)]
struct Growth {
    links: BTreeSet<WordLink>,
    sources: BTreeSet<u32>,
    targets: BTreeSet<u32>,
}

impl Growth {
    /// Grows the intersection.
    fn new(forward: &BTreeSet<WordLink>, backward: &BTreeSet<WordLink>) -> Self {
        let mut growth = Self::default();
        forward.intersection(backward).for_each(|&link| growth.add(link));
        let mut left: Vec<WordLink> = forward.symmetric_difference(backward).copied().collect();
        let mut n_before = usize::MAX;
        while growth.links.len() != n_before {
            n_before = growth.links.len();
            // A link between two words that are both linked will never be added, so it is dropped.
            left.retain(|&link| {
                let is_first = growth.is_first(&link);
                let is_added = is_first && growth.has_neighbour(link);
                if is_added {
                    growth.add(link);
                }
                is_first && !is_added
            });
        }
        growth
    }

    fn add(&mut self, link: WordLink) {
        self.links.insert(link);
        self.sources.insert(link.0);
        self.targets.insert(link.1);
    }

    /// Returns whether a link would be the first of its source or of its target word.
    fn is_first(&self, link: &WordLink) -> bool {
        !self.sources.contains(&link.0) || !self.targets.contains(&link.1)
    }

    /// Returns whether one of the eight links around it was accepted.
    fn has_neighbour(&self, (source, target): WordLink) -> bool {
        let (left, right) = (target.saturating_sub(1), target.saturating_add(1));
        let mut rows = source.saturating_sub(1)..=source.saturating_add(1);
        rows.any(|row| self.links.range((row, left)..=(row, right)).next().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::align::states::transposed;
    use resay_learn::rng::SplitMix;

    /// One line of text per source word: `f` forward, `b` backward, `x` both.
    fn picture(rows: &[&str], kinds: &[u8]) -> Vec<WordLink> {
        let mut links = Vec::new();
        for (source, row) in (0..).zip(rows) {
            let cells = (0..).zip(row.bytes()).filter(|(_, cell)| kinds.contains(cell));
            links.extend(cells.map(|(target, _)| (source, target)));
        }
        links
    }

    #[test]
    fn pictures() {
        // `grown` and `complete`: the links that grow-diag and grow-diag-final accept.
        let check = |rows: &[&str], grown: &[&str], complete: &[&str]| {
            let (forward, backward) = (picture(rows, b"fx"), picture(rows, b"bx"));
            assert_eq!(Merge::Union.merge(&forward, &backward), picture(rows, b"fbx"));
            assert_eq!(Merge::Intersection.merge(&forward, &backward), picture(rows, b"x"));
            assert_eq!(Merge::GrowDiag.merge(&forward, &backward), picture(grown, b"x"), "{rows:?}");
            assert_eq!(Merge::GrowDiagFinal.merge(&forward, &backward), picture(complete, b"x"), "{rows:?}");
        };
        check(&[], &[], &[]);
        check(&["x..", ".f.", "..b"], &["x..", ".x.", "..x"], &["x..", ".x.", "..x"]);
        // A link that touches none waits for the final step.
        check(&["x...", "....", "...f"], &["x...", "....", "...."], &["x...", "....", "...x"]);
        // Both words are linked already.
        check(&["xf", "bx"], &["x.", ".x"], &["x.", ".x"]);
        // One word is not linked: the row grows to the left, which takes a second scan.
        check(&["ffx"], &["xxx"], &["xxx"]);
        check(&["..x", ".f.", "b.."], &["..x", ".x.", "x.."], &["..x", ".x.", "x.."]);
        // Nothing to start from; forward comes first.
        check(&["bf", ".."], &["..", ".."], &["xx", ".."]);
        check(&["b.", "fb"], &["..", ".."], &["x.", "xx"]);
        check(&["bf", "fb"], &["..", ".."], &[".x", "x."]);
    }

    #[test]
    fn names_are_read_and_others_are_refused() {
        for merge in Merge::ALL {
            assert_eq!(merge.name().parse::<Merge>().unwrap(), merge);
        }
        let error = "grow".parse::<Merge>().unwrap_err().to_string();
        let expected = "'grow', expected one of: union, intersection, grow-diag, grow-diag-final";
        assert!(error.ends_with(expected), "{error}");
    }

    #[test]
    fn the_last_numbers_have_neighbours_too() {
        let last = u32::MAX;
        let (forward, backward) = ([(last, last), (0, 0)], [(last, last), (last, last - 1), (0, 0), (1, 1)]);
        let expected = [(0, 0), (1, 1), (last, last - 1), (last, last)];
        assert_eq!(Merge::GrowDiag.merge(&forward, &backward), expected);
    }

    /// The procedure of the paper on matrices of cells.
    fn slow(forward: &[WordLink], backward: &[WordLink], n: usize, is_final: bool) -> Vec<WordLink> {
        let mut accepted = vec![vec![false; n]; n];
        let has = |links: &[WordLink], i: usize, j: usize| links.contains(&(i as u32, j as u32));
        let is_free = |accepted: &[Vec<bool>], i: usize, j: usize| {
            !accepted[i].iter().any(|&cell| cell) || !accepted.iter().any(|row| row[j])
        };
        let cells = || (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        for (i, j) in cells() {
            accepted[i][j] = has(forward, i, j) && has(backward, i, j);
        }
        loop {
            let mut has_changed = false;
            for (i, j) in cells() {
                let mut is_near = false;
                for (row, column) in cells() {
                    is_near |= accepted[row][column] && row.abs_diff(i) <= 1 && column.abs_diff(j) <= 1;
                }
                let is_of_either = has(forward, i, j) || has(backward, i, j);
                if !accepted[i][j] && is_of_either && is_near && is_free(&accepted, i, j) {
                    accepted[i][j] = true;
                    has_changed = true;
                }
            }
            if !has_changed {
                break;
            }
        }
        for links in [forward, backward] {
            for (i, j) in cells() {
                if is_final && has(links, i, j) && is_free(&accepted, i, j) {
                    accepted[i][j] = true;
                }
            }
        }
        cells().filter(|&(i, j)| accepted[i][j]).map(|(i, j)| (i as u32, j as u32)).collect()
    }

    #[test]
    fn random_links_against_the_matrix() {
        let (mut n_grown, mut n_added) = (0, 0);
        for seed in 0..400 {
            let mut random = SplitMix::new(seed);
            let n = 2 + random.below(7);
            let mut draw = |count: usize| -> Vec<WordLink> {
                (0..count).map(|_| (random.below(n) as u32, random.below(n) as u32)).collect()
            };
            let (mut forward, mut backward, both) = (draw(n), draw(n), draw(n / 2));
            forward.extend(&both);
            backward.extend(&both);
            let merged = |merge: Merge| merge.merge(&forward, &backward);
            let [union, intersection, grown, complete] = Merge::ALL.map(merged);
            assert_eq!(grown, slow(&forward, &backward, n, false), "seed {seed}");
            assert_eq!(complete, slow(&forward, &backward, n, true), "seed {seed}");

            let is_within = |small: &[WordLink], large: &[WordLink]| small.iter().all(|link| large.contains(link));
            assert!(is_within(&intersection, &grown) && is_within(&grown, &complete) && is_within(&complete, &union));
            for merge in Merge::ALL {
                assert!(merged(merge).is_sorted_by(|a, b| a < b), "seed {seed}");
                assert_eq!(merge.merge(&union, &union), union, "seed {seed}: two that agree");
            }
            for merge in [Merge::Union, Merge::Intersection] {
                assert_eq!(merge.merge(&backward, &forward), merged(merge), "seed {seed}");
                let turned = merge.merge(&transposed(&forward), &transposed(&backward));
                assert_eq!(transposed(&turned), merged(merge), "seed {seed}");
            }
            // Which of the two is called forward matters only in the final step.
            assert_eq!(Merge::GrowDiag.merge(&backward, &forward), grown, "seed {seed}");
            n_grown += grown.len() - intersection.len();
            n_added += complete.len() - grown.len();
        }
        assert!(n_grown > 400 && n_added > 400, "{n_grown} {n_added}");
    }
}
