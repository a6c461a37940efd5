//! TESRK by Algorithms 1 and 2 of the paper (Gleize and Grau, 2015): the reference for the values
//! of the fast index, and the baseline for its timing.
//!
//! Take two instances (s1, t1) and (s2, t2), with all k-grams of each side zipped into k "doubles".
//! A double is a literal of the rule if its two words have a common pattern type. A source double
//! and a target double are a pair of linked wildcards if one variable type leads from source to
//! target in both instances. K-bar counts the ways to link some of the doubles one to one such that
//! all others are literals. The paper has no lambda; here every link weighs lambda squared, as in
//! kb-SRK.
//!
//! The paper leaves open whether the variable type of a link may differ between the instances. Its
//! definition 2.2 and its figure 1 allow it, but its Algorithm 1 demands the same type, and so does
//! this code. With `variable=any(...)` all types are one ([`super::LinkTypes`]), so they may differ.

use rustc_hash::FxHashMap;

/// The word relations that the algorithms query.
pub trait Relate {
    /// Returns whether some pattern type relates word `a` of the first instance to word `b` of the
    /// second, on the same side.
    fn pattern(&self, a: u32, b: u32) -> bool;

    /// Returns the variable types, as bits, that lead from source word `a` to target word `b` of
    /// one instance.
    fn variable(&self, a: u32, b: u32) -> u64;
}

/// Source and target.
pub type Instance<'a> = (&'a [u32], &'a [u32]);

/// The effort of a computation, for figures 3 and 4 of the paper.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Calls of CountPerfectMatchings, including the first of each quadruple.
    pub calls: u64,
    /// Quadruples of k-grams for which it was called: the size of C.
    pub quadruples: u64,
}

/// Two pairs of zipped k-grams as a bipartite graph.
struct Doubles {
    /// Bit i: the double may be a literal.
    source_literal: u32,
    target_literal: u32,
    /// `links[i]`: the target doubles that source double i may be linked with.
    links: Vec<u32>,
    squared: f64,
}

impl Doubles {
    fn new<R: Relate>(relate: &R, grams: [&[u32]; 4], lambda: f64) -> Self {
        let [s1, t1, s2, t2] = grams;
        let literals = |one: &[u32], other: &[u32]| {
            let doubles = one.iter().zip(other).enumerate();
            doubles.fold(0, |bits, (place, (a, b))| bits | u32::from(relate.pattern(*a, *b)) << place)
        };
        let link = |i: usize, j: usize| relate.variable(s1[i], t1[j]) & relate.variable(s2[i], t2[j]) != 0;
        let row = |i: usize| (0..t1.len()).fold(0, |bits, j| bits | u32::from(link(i, j)) << j);
        Self {
            source_literal: literals(s1, s2),
            target_literal: literals(t1, t2),
            links: (0..s1.len()).map(row).collect(),
            squared: lambda * lambda,
        }
    }

    /// Algorithm 1 from source double `place` on; `free` holds the unused target doubles.
    fn count(&self, place: usize, free: u32, calls: &mut u64) -> f64 {
        *calls += 1;
        if place == self.links.len() {
            // The rest of the target; the paper makes one call per double.
            *calls += u64::from(free.count_ones());
            return if free & !self.target_literal == 0 { 1.0 } else { 0.0 };
        }
        let mut sum = 0.0;
        if self.source_literal >> place & 1 == 1 {
            sum += self.count(place + 1, free, calls);
        }
        let mut linked = self.links[place] & free;
        while linked != 0 {
            let target = linked.trailing_zeros();
            linked &= linked - 1;
            sum += self.squared * self.count(place + 1, free & !(1 << target), calls);
        }
        sum
    }
}

/// K-bar of two pairs of k-grams (s1, t1, s2, t2) by Algorithm 1.
pub fn typed_gram_value<R: Relate>(relate: &R, grams: [&[u32]; 4], lambda: f64, effort: &mut Effort) -> f64 {
    let doubles = Doubles::new(relate, grams, lambda);
    effort.quadruples += 1;
    doubles.count(0, ((1_u64 << grams[1].len()) - 1) as u32, &mut effort.calls)
}

/// K_k by Algorithm 1, for every quadruple of k-grams.
pub fn typed_by_algorithm_1<R: Relate>(
    relate: &R,
    k: usize,
    lambda: f64,
    first: Instance<'_>,
    second: Instance<'_>,
) -> f64 {
    let (mut sum, mut effort) = (0.0, Effort::default());
    for s1 in first.0.windows(k) {
        for t1 in first.1.windows(k) {
            for s2 in second.0.windows(k) {
                for t2 in second.1.windows(k) {
                    sum += typed_gram_value(relate, [s1, t1, s2, t2], lambda, &mut effort);
                }
            }
        }
    }
    sum
}

/// The positions of two k-grams, one per instance.
type Grams = (usize, usize);
/// A double of words.
type Double = (u32, u32);

/// The result of OneWayInclusion: quadruples with a wildcard on the far side, as (near grams, far
/// grams), and far grams that consist of literals only.
struct Inclusion {
    wild: Vec<(Grams, Grams)>,
    all_literal: Vec<Grams>,
}

/// One side of both instances.
#[derive(Clone, Copy)]
struct Side<'a> {
    first: &'a [u32],
    second: &'a [u32],
}

impl Side<'_> {
    fn grams(&self, k: usize) -> impl Iterator<Item = Grams> + use<> {
        let (n, m) = (self.first.len() + 1 - k, self.second.len() + 1 - k);
        (0..n).flat_map(move |i| (0..m).map(move |j| (i, j)))
    }

    fn doubles(&self, grams: Grams, k: usize) -> impl Iterator<Item = Double> {
        self.first[grams.0..grams.0 + k].iter().copied().zip(self.second[grams.1..grams.1 + k].iter().copied())
    }
}

/// For every word of one side of an instance, the words of the other side it is linked with, and
/// the types of these links.
fn edges<R: Relate>(relate: &R, near: &[u32], far: &[u32], is_source: bool) -> FxHashMap<u32, Vec<(u32, u64)>> {
    let mut edges: FxHashMap<u32, Vec<(u32, u64)>> = FxHashMap::default();
    for &a in near {
        let list = edges.entry(a).or_default();
        if !list.is_empty() {
            continue;
        }
        for &b in far {
            let types = if is_source { relate.variable(a, b) } else { relate.variable(b, a) };
            if types != 0 && !list.iter().any(|known| known.0 == b) {
                list.push((b, types));
            }
        }
    }
    edges
}

/// OneWayInclusion of the paper.
fn one_way<R: Relate>(relate: &R, k: usize, near: Side<'_>, far: Side<'_>, is_source: bool) -> Inclusion {
    let first = edges(relate, near.first, far.first, is_source);
    let second = edges(relate, near.second, far.second, is_source);
    let mut reached: FxHashMap<Double, Vec<Grams>> = FxHashMap::default();
    for grams in near.grams(k) {
        let mut doubles: Vec<Double> = Vec::new();
        for (a1, a2) in near.doubles(grams, k) {
            for (b1, types) in &first[&a1] {
                let same = second[&a2].iter().filter(|(_, others)| others & types != 0);
                doubles.extend(same.map(|(b2, _)| (*b1, *b2)));
            }
        }
        doubles.sort_unstable();
        doubles.dedup();
        doubles.into_iter().for_each(|double| reached.entry(double).or_default().push(grams));
    }
    let mut found = Inclusion { wild: Vec::new(), all_literal: Vec::new() };
    for grams in far.grams(k) {
        let mut compatible: Option<Vec<Grams>> = None;
        for double in far.doubles(grams, k).filter(|double| !relate.pattern(double.0, double.1)) {
            let here = reached.get(&double).map_or(&[][..], |list| &list[..]);
            compatible = Some(match compatible {
                None => here.to_vec(),
                Some(known) => known.into_iter().filter(|grams| here.binary_search(grams).is_ok()).collect(),
            });
        }
        match compatible {
            None => found.all_literal.push(grams),
            Some(list) => found.wild.extend(list.into_iter().map(|near| (near, grams))),
        }
    }
    found
}

/// K_k by Algorithm 2, which visits only quadruples that can be nonzero.
pub fn typed_by_algorithm_2<R: Relate>(
    relate: &R,
    k: usize,
    lambda: f64,
    first: Instance<'_>,
    second: Instance<'_>,
    effort: &mut Effort,
) -> f64 {
    if [first.0, first.1, second.0, second.1].iter().any(|side| side.len() < k) {
        return 0.0;
    }
    let source = Side { first: first.0, second: second.0 };
    let target = Side { first: first.1, second: second.1 };
    let to_target = one_way(relate, k, source, target, true);
    let to_source = one_way(relate, k, target, source, false);
    // The union of all three parts. A quadruple with wildcards on both sides appears twice and
    // counts once.
    let mut quadruples: Vec<(Grams, Grams)> = to_target.wild;
    quadruples.extend(to_source.wild.into_iter().map(|(target, source)| (source, target)));
    let literal = |&source: &Grams| to_target.all_literal.iter().map(move |&target| (source, target));
    quadruples.extend(to_source.all_literal.iter().flat_map(literal));
    quadruples.sort_unstable();
    quadruples.dedup();
    let mut sum = 0.0;
    for ((s1, s2), (t1, t2)) in quadruples {
        let grams = [&first.0[s1..s1 + k], &first.1[t1..t1 + k], &second.0[s2..s2 + k], &second.1[t2..t2 + k]];
        sum += typed_gram_value(relate, grams, lambda, effort);
    }
    sum
}
