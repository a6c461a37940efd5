//! The similarity of two lemmas by the positions of their senses in the hierarchy of hypernyms: the
//! maximum over all pairs of senses of one part of speech. The definitions are NLTK's
//! (`path_similarity`, `wup_similarity`, `lin_similarity`); the class of an instance counts as a
//! hypernym, and verbs have one artificial root. Departures, each a defect there:
//!
//! - A synset has similarity 1 with itself. NLTK's Wu-Palmer is lower if one of several hypernyms
//!   is deeper than the synset, and its Lin divides zero by zero for the root.
//! - Wu-Palmer is the maximum over both orders of the pair. NLTK prefers the first synset if
//!   several common ancestors are equally deep, so that the order of its arguments matters.
//! - Adjectives and adverbs have no hierarchy, so only a shared synset counts. NLTK puts them all
//!   under one artificial root, so that any two of them are similar (1/3 and 1/2). Nouns are not
//!   compared with verbs.
//! - The cycle of hypernyms (see `ancestors.rs`) has depths: its first synset by name counts as a
//!   root. NLTK fails.
//! - Every synset has a positive count (see `masses` in the tool that builds the table). NLTK
//!   assigns an unseen synset the information content 1e300, so that any two synsets below an
//!   unseen one have similarity 1.

use super::{LemmaId, Pos, SynsetId, WordNet, ancestors};

/// The longest single path that is stored as a chain. WordNet's longest has 19 steps.
const MAX_CHAIN: usize = 64;

/// The positions of a lemma's senses in the hierarchy: computed once, compared with many.
#[derive(Clone, Debug, Default)]
pub struct Heights {
    /// Sorted by part of speech.
    places: Vec<(Pos, Place)>,
}

/// A synset with all its ancestors.
#[derive(Clone, Debug)]
struct Place {
    synset: u32,
    /// The synset itself at distance 0 and its ancestors at their distances, sorted by synset.
    above: Vec<(u32, u32)>,
    /// The distance of the artificial root: one step above the farthest ancestor.
    root: u32,
    /// The path from the root down to the synset, if there is only one.
    chain: Option<Vec<u32>>,
}

/// Returns the common ancestors of two synsets, each with its two distances.
fn common<'a>(a: &'a Place, b: &'a Place) -> impl Iterator<Item = (u32, u32, u32)> + 'a {
    let mut rest = b.above.as_slice();
    a.above.iter().filter_map(move |&(synset, a_steps)| {
        while let Some((&(first, b_steps), others)) = rest.split_first() {
            if first > synset {
                break;
            }
            rest = others;
            if first == synset {
                return Some((synset, a_steps, b_steps));
            }
        }
        None
    })
}

/// Returns the number of steps from one synset to another through a common ancestor.
fn steps(a: &Place, b: &Place, has_root: bool) -> Option<u32> {
    let root = has_root.then_some(a.root + b.root);
    common(a, b).map(|(_, a_steps, b_steps)| a_steps + b_steps).chain(root).min()
}

/// Returns the maximum over pairs of senses of one part of speech.
fn largest(a: &Heights, b: &Heights, value: impl Fn(&Place, &Place, bool) -> Option<f64>) -> Option<f64> {
    let mut best: Option<f64> = None;
    for (pos, a_place) in &a.places {
        for (_, b_place) in b.places.iter().filter(|(other, _)| other == pos) {
            let found = if a_place.synset == b_place.synset {
                Some(1.0)
            } else if *pos > Pos::Verb {
                None
            } else {
                value(a_place, b_place, *pos == Pos::Verb)
            };
            best = found.into_iter().chain(best).max_by(f64::total_cmp);
        }
    }
    best
}

/// Returns the Wu-Palmer similarity of two synsets with a single path to the root each. The deepest
/// common ancestor is the end of the common prefix of the two paths, so that depths and steps are
/// just lengths. The result equals that of [`WordNet::wu_palmer`].
fn wu_palmer_of_chains(a: &[u32], b: &[u32], has_root: bool) -> Option<f64> {
    let n_common = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let n_both = (a.len() + b.len()) as f64;
    // The artificial root is preferred to a real root, unless one of the two synsets is that root.
    let is_own = n_common == a.len() || n_common == b.len();
    match n_common {
        0 | 1 if has_root && !(n_common == 1 && is_own) => Some(2.0 / (n_both + 2.0)),
        0 => None,
        _ => Some(2.0 * n_common as f64 / n_both),
    }
}

impl WordNet {
    /// Path similarity: 1 / (1 + steps on the shortest path). `None` if no two senses are
    /// comparable.
    pub fn path_similarity(&self, a: LemmaId, a_pos: Option<Pos>, b: LemmaId, b_pos: Option<Pos>) -> Option<f64> {
        largest(&self.heights(a, a_pos), &self.heights(b, b_pos), |a, b, has_root| {
            steps(a, b, has_root).map(|steps| 1.0 / (f64::from(steps) + 1.0))
        })
    }

    /// Wu-Palmer similarity: twice the depth of the deepest common ancestor, over the sum of the
    /// depths of both synsets through it.
    pub fn wu_palmer_similarity(&self, a: LemmaId, a_pos: Option<Pos>, b: LemmaId, b_pos: Option<Pos>) -> Option<f64> {
        self.wu_palmer_between(&self.heights(a, a_pos), &self.heights(b, b_pos))
    }

    /// Like [`WordNet::wu_palmer_similarity`], for lemmas whose senses were located before.
    pub fn wu_palmer_between(&self, a: &Heights, b: &Heights) -> Option<f64> {
        largest(a, b, |a, b, has_root| match (&a.chain, &b.chain) {
            (Some(a), Some(b)) => wu_palmer_of_chains(a, b, has_root),
            _ => self.wu_palmer(a, b, has_root),
        })
    }

    /// Locates the senses of a lemma in the hierarchy.
    pub fn heights(&self, lemma: LemmaId, pos: Option<Pos>) -> Heights {
        let parts = Pos::ALL.into_iter().filter(|part| pos.is_none_or(|pos| pos == *part));
        let places = parts.flat_map(|part| self.synsets(lemma, Some(part)).map(move |synset| (part, synset)));
        Heights { places: places.map(|(part, synset)| (part, self.place(synset.0))).collect() }
    }

    /// Lin similarity: twice the information content of the most informative common ancestor, over
    /// the sum of the information content of both.
    pub fn lin_similarity(&self, a: LemmaId, a_pos: Option<Pos>, b: LemmaId, b_pos: Option<Pos>) -> Option<f64> {
        largest(&self.heights(a, a_pos), &self.heights(b, b_pos), |a, b, _| {
            let information = |synset| self.information(SynsetId(synset)).unwrap_or(0.0);
            let shared = common(a, b).map(|(synset, _, _)| information(synset)).fold(0.0, f64::max);
            let sum = information(a.synset) + information(b.synset);
            (sum > 0.0).then(|| 2.0 * shared / sum)
        })
    }

    /// Returns the information content of a noun or verb synset, in nats: -ln of the share of all
    /// noun or verb occurrences that are at or below it.
    pub fn information(&self, synset: SynsetId) -> Option<f64> {
        let total = self.total_masses.get(self.pos(synset)? as usize)?;
        let mass = self.masses.get(synset.0 as usize)?;
        Some(-(f64::from(*mass) / total).ln())
    }

    /// Calls `each` with every ancestor of a synset and its distance, possibly more than once.
    fn above(&self, synset: u32, mut each: impl FnMut(u32, u32)) {
        for parent in self.parents(synset) {
            each(parent, 1);
            for &ancestor in self.ancestors.of(parent) {
                let (id, steps) = ancestors::unpack(ancestor);
                each(id, steps + 1);
            }
        }
    }

    /// Locates a synset: collects its ancestors.
    fn place(&self, synset: u32) -> Place {
        let mut above = vec![(synset, 0)];
        self.above(synset, |ancestor, steps| above.push((ancestor, steps)));
        // Keeps the shortest path to each.
        above.sort_unstable();
        above.dedup_by_key(|&mut (ancestor, _)| ancestor);
        let root = above.iter().map(|&(_, steps)| steps).max().unwrap_or(0) + 1;
        Place { synset, above, root, chain: self.chain(synset) }
    }

    /// Returns the path from a root down to a synset, if there is only one.
    fn chain(&self, synset: u32) -> Option<Vec<u32>> {
        let mut chain = vec![synset];
        let mut at = synset;
        loop {
            let mut parents = self.parents(at);
            match (parents.next(), parents.next()) {
                (None, _) => break,
                // A cycle has no root.
                (Some(parent), None) if chain.len() <= MAX_CHAIN => at = parent,
                _ => return None,
            }
            chain.push(at);
        }
        chain.reverse();
        let depth = chain.len() as u32 - 1;
        (self.depths(synset) == (depth, depth)).then_some(chain)
    }

    /// Returns the lengths of the shortest and the longest path to a root.
    fn depths(&self, synset: u32) -> (u32, u32) {
        if let Some(&(shortest, longest)) = self.ancestors.depths.get(synset as usize) {
            return (u32::from(shortest), u32::from(longest));
        }
        let parents = || self.parents(synset).map(|parent| self.depths(parent));
        let shortest = parents().map(|(shortest, _)| shortest + 1).min();
        (shortest.unwrap_or(0), parents().map(|(_, longest)| longest + 1).max().unwrap_or(0))
    }

    /// Returns NLTK's Wu-Palmer similarity of two synsets, the maximum over both orders.
    ///
    /// Candidates are the common ancestors with the longest *shortest* path to a root. One of them
    /// is chosen: the synset itself if it is a candidate, else the first by name; the artificial
    /// root goes before all others. With d = 1 + the length of the *longest* path from it to a
    /// root, and the steps from either synset to it, the value is 2d / (2d + steps + steps).
    fn wu_palmer(&self, a: &Place, b: &Place, has_root: bool) -> Option<f64> {
        // The first of the deepest, and whether either synset is one of them.
        let (mut first, mut is_own, mut most) = (None, [false; 2], 0);
        for (synset, _, _) in common(a, b) {
            let depth = self.depths(synset).0;
            if depth > most {
                (first, is_own, most) = (None, [false; 2], depth);
            }
            if depth == most {
                first = first.or(Some(synset));
                is_own = [is_own[0] || synset == a.synset, is_own[1] || synset == b.synset];
            }
        }
        // The artificial root has depth 0.
        let takes_root = has_root && most == 0;
        let first = if takes_root { None } else { Some(first?) };
        let value = |ancestor: Option<u32>| -> Option<f64> {
            let (depth, a_steps, b_steps) = match ancestor {
                Some(synset) => {
                    let depth = self.depths(synset).1 + 1;
                    (depth, self.steps_to(a, synset, has_root)?, self.steps_to(b, synset, has_root)?)
                }
                None => (1, a.root, b.root),
            };
            Some(2.0 * f64::from(depth) / f64::from(a_steps + depth + b_steps + depth))
        };
        let preferred = |is_own: bool, own: u32| if is_own { Some(own) } else { first };
        let (one, other) = (preferred(is_own[0], a.synset), preferred(is_own[1], b.synset));
        let larger = value(one)?;
        Some(if one == other { larger } else { larger.max(value(other)?) })
    }

    /// Returns the number of steps from a synset to one of its ancestors. If a synset has several
    /// hypernyms, the shortest path may go through an ancestor of both.
    fn steps_to(&self, place: &Place, ancestor: u32, has_root: bool) -> Option<u32> {
        let find = |synset: u32| {
            let at = place.above.binary_search_by_key(&synset, |&(synset, _)| synset).ok()?;
            Some(place.above[at].1)
        };
        let mut farthest = 0;
        let mut least = find(ancestor);
        self.above(ancestor, |synset, steps| {
            farthest = farthest.max(steps);
            least = find(synset).map(|down| down + steps).into_iter().chain(least).min();
        });
        least.into_iter().chain(has_root.then_some(place.root + farthest + 1)).min()
    }
}

#[cfg(test)]
mod tests {
    use super::super::toy;
    use super::*;
    use crate::testing;
    use resay_learn::rng::SplitMix;

    /// Worked out by hand: path, Wu-Palmer, Lin.
    #[test]
    fn values_are_those_of_the_definitions() {
        let wordnet = toy::wordnet();
        let check = |a: &str, b: &str, expected: Option<[f64; 3]>| {
            let (a_lemma, b_lemma) = (wordnet.lemma(a).unwrap(), wordnet.lemma(b).unwrap());
            for (one, other) in [(a_lemma, b_lemma), (b_lemma, a_lemma)] {
                let found = [
                    wordnet.path_similarity(one, None, other, None),
                    wordnet.wu_palmer_similarity(one, None, other, None),
                    wordnet.lin_similarity(one, None, other, None),
                ];
                for (place, value) in found.into_iter().enumerate() {
                    let (found, expected) = (value.unwrap_or(-1.0), expected.map_or(-1.0, |values| values[place]));
                    assert!((found - expected).abs() < 1e-12, "{a}, {b}: {found}, expected {expected}");
                }
            }
        };
        let information = |mass: f64, total: f64| -(mass / total).ln();
        let lin = |shared: f64, a: f64, b: f64, total: f64| {
            2.0 * information(shared, total) / (information(a, total) + information(b, total))
        };
        check("animal", "beast", Some([1.0; 3]));
        // Below bird, at depth 2: one step each.
        check("raven", "polly", Some([1.0 / 3.0, 6.0 / 8.0, lin(20.0, 5.0, 1.0, 100.0)]));
        check("raven", "bird", Some([1.0 / 2.0, 6.0 / 7.0, lin(20.0, 5.0, 20.0, 100.0)]));
        // Below the root: three steps and one.
        check("raven", "wing", Some([1.0 / 5.0, 2.0 / 6.0, 0.0]));
        check("raven", "thing", Some([1.0 / 4.0, 2.0 / 5.0, 0.0]));
        check("thing", "thing", Some([1.0; 3]));
        // Two verbs that meet only in the artificial root: one step from the leaf, two from the
        // other.
        check("flap", "travel", Some([1.0 / 3.0, 2.0 / 4.0, 0.0]));
        // The verb's own root is preferred to the artificial root: at depth 1, one step.
        check("fly", "travel", Some([1.0 / 2.0, 2.0 / 3.0, lin(50.0, 9.0, 50.0, 60.0)]));
        // No hierarchy.
        check("black", "dark", Some([1.0; 3]));
        check("black", "sooty", None);
        check("raven", "black", None);
        check("raven", "travel", None);
    }

    #[test]
    fn one_way_up_is_no_other_similarity() {
        let bundled = &*testing::wordnet();
        let mut random = SplitMix::new(7);
        let (mut n_chains, mut n_checked) = (0, 0);
        let toy = toy::wordnet();
        for wordnet in [&toy, bundled] {
            for _ in 0..3000 {
                let mut heights = || wordnet.heights(LemmaId(random.below(wordnet.n_lemmas()) as u32), None).places;
                for (pos, a) in heights() {
                    for (_, b) in heights().iter().filter(|(other, b)| *other == pos && a.synset != b.synset) {
                        let has_root = pos == Pos::Verb;
                        n_checked += 1;
                        if let (true, Some(of_a), Some(of_b)) = (pos <= Pos::Verb, &a.chain, &b.chain) {
                            n_chains += 1;
                            let (fast, slow) =
                                (wu_palmer_of_chains(of_a, of_b, has_root), wordnet.wu_palmer(&a, b, has_root));
                            assert_eq!(fast, slow, "{} {}", a.synset, b.synset);
                        }
                    }
                }
            }
        }
        assert!(n_chains * 3 > n_checked, "{n_chains} of {n_checked}");
    }

    #[test]
    fn information_is_of_nouns_and_verbs() {
        let wordnet = toy::wordnet();
        assert_eq!(wordnet.information(SynsetId(2)), Some(0.0));
        assert_eq!(wordnet.information(SynsetId(4)), Some(-(50.0_f64 / 60.0).ln()));
        assert_eq!(wordnet.information(SynsetId(11)), None);
        assert_eq!(wordnet.information(SynsetId(99)), None);
    }
}
