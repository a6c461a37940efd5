//! Candidate pairs of similar rows, found without comparing every two rows.
//!
//! Problem: given n feature sets, a threshold t and k, find for every row the k most promising
//! earlier rows whose similarity is at least t. The similarity is the total rarity of the shared
//! features over the geometric mean of the two rows' total rarities, with `r(f) = ln(1 + n /
//! n_rows_with(f))`: 1 for equal rows and 0 for rows that share nothing. It is the cosine of
//! vectors with weights `sqrt(r)`; weights `r` needed more candidates to find as many pairs that
//! the judge accepts.
//!
//! If there are too many candidates, [`promise`] ranks them, from figures that the comparison
//! yields anyway.
//!
//! The algorithm is all-pairs search with prefix filtering (Bayardo, Ma and Srikant 2007; Xiao et
//! al. 2008). The features of a row are sorted rarest first, and only a prefix of them is indexed:
//! all that are rarer than a common bound, and then as many more as it takes for the norm of the
//! unindexed suffix to fall below t. Two rows that share no indexed feature share only features in
//! the suffix of one of them, so by Cauchy-Schwarz their similarity is below t: the filter is
//! exact. The sum over indexed features plus an upper bound for the suffixes decides which pairs
//! are compared in full.
//!
//! Text with few distinct words would still cost n^2 steps. The number of steps is limited, and at
//! the limit the commonest features leave the index: rows whose suffix norm then is t or more may
//! miss some of their pairs. The result reports the number of such rows, and the number of pairs
//! that were similar enough but not among the k best of their later row.

use crate::Result;
use rayon::prelude::*;
use resay_learn::progress::{Progress, Stage, sort};

/// Feature sets, one per row.
#[derive(Clone, Debug)]
pub struct FeatureRows {
    starts: Vec<usize>,
    features: Vec<u32>,
}

impl Default for FeatureRows {
    fn default() -> Self {
        Self { starts: vec![0], features: Vec::new() }
    }
}

impl FeatureRows {
    /// Appends a row; features may come in any order and more than once.
    pub fn push(&mut self, features: &mut Vec<u32>) {
        features.sort_unstable();
        features.dedup();
        self.features.extend_from_slice(features);
        self.starts.push(self.features.len());
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The distinct features of a row.
    pub fn row(&self, row: usize) -> &[u32] {
        &self.features[self.starts[row]..self.starts[row + 1]]
    }
}

/// The parameters of the search.
#[derive(Clone, Copy, Debug)]
pub struct CandidateLimits {
    /// The minimum similarity, above 0.
    pub similarity: f64,
    /// The maximum number of candidates per row, among earlier rows.
    pub neighbours: usize,
    /// The maximum number of index entries to visit.
    pub max_steps: u64,
}

/// Two similar rows, the earlier one first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CandidatePair {
    /// The rows.
    pub rows: [u32; 2],
    /// The similarity, 0 to 1.
    pub similarity: f32,
    /// The estimated log odds that they say the same, see [`promise`].
    pub promise: f32,
}

/// Estimates the log odds that the judge accepts a pair, from features that cost nothing: the
/// similarity, the unweighted share of shared features, and the ratio of lengths. The weights come
/// from a logistic regression on the judge's decisions for 4,400 pairs of news sentences. They
/// determine the order of candidates and nothing else.
pub fn promise(similarity: f64, n_shared: usize, [n, m]: [usize; 2]) -> f64 {
    let shared = 2.0 * n_shared as f64 / (n + m).max(1) as f64;
    let lengths = n.min(m) as f64 / n.max(m).max(1) as f64;
    11.25 * similarity + 3.88 * shared + 4.29 * lengths - 12.44
}

/// The result of the search.
#[derive(Clone, Debug, Default)]
pub struct CandidatePairs {
    /// The pairs, by first row, then by second.
    pub pairs: Vec<CandidatePair>,
    /// The number of pairs that were similar enough, but not among the best of their later row.
    pub n_left_out: u64,
    /// The number of rows that may miss pairs because too many rows share their features.
    pub n_weak_rows: usize,
}

/// Rows as unit vectors, rarest features first.
struct Vectors {
    starts: Vec<usize>,
    /// Features by rank; 0 is the rarest.
    ranks: Vec<u32>,
    /// The rarity of a feature by rank: the square of its weight.
    rarities: Vec<f64>,
    /// One over the norm of each row.
    scales: Vec<f64>,
}

impl Vectors {
    fn new(rows: &FeatureRows, progress: Progress<'_>) -> Result<Self> {
        let n_features = rows.features.iter().max().map_or(0, |&most| most as usize + 1);
        let mut n_rows_with = vec![0u32; n_features];
        rows.features.iter().for_each(|&feature| n_rows_with[feature as usize] += 1);
        let mut order: Vec<u32> = (0..n_features as u32).collect();
        let key = |feature: &u32| (n_rows_with[*feature as usize], *feature);
        sort(&mut order, |a, b| key(a).cmp(&key(b)), progress)?;
        let mut rank_of = vec![0u32; n_features];
        order.iter().zip(0u32..).for_each(|(&feature, rank)| rank_of[feature as usize] = rank);
        let n = rows.len() as f64;
        let weigh = |&feature: &u32| (1.0 + n / f64::from(n_rows_with[feature as usize].max(1))).ln();
        let rarities: Vec<f64> = order.iter().map(weigh).collect();
        let mut ranks: Vec<u32> = rows.features.iter().map(|&feature| rank_of[feature as usize]).collect();
        let mut scales = Vec::with_capacity(rows.len());
        for row in 0..rows.len() {
            progress.check()?;
            let ranks = &mut ranks[rows.starts[row]..rows.starts[row + 1]];
            ranks.sort_unstable();
            let square: f64 = ranks.iter().map(|&rank| rarities[rank as usize]).sum();
            scales.push(if square > 0.0 { 1.0 / square.sqrt() } else { 0.0 });
        }
        Ok(Self { starts: rows.starts.clone(), ranks, rarities, scales })
    }

    fn len(&self) -> usize {
        self.scales.len()
    }

    fn row(&self, row: usize) -> &[u32] {
        &self.ranks[self.starts[row]..self.starts[row + 1]]
    }

    /// The norm of a row's features from this rank on.
    fn rest(&self, row: usize, cut: u32) -> f64 {
        let beyond = self.row(row).iter().filter(|&&rank| rank >= cut);
        beyond.map(|&rank| self.rarities[rank as usize]).sum::<f64>().sqrt() * self.scales[row]
    }

    /// The cosine: the total rarity of shared features over both norms; and the number of shared
    /// features.
    fn similarity(&self, a: usize, b: usize) -> (f64, usize) {
        let ([mut left, mut right], mut sum, mut n_shared) = ([self.row(a), self.row(b)], 0.0, 0);
        while let (Some((x, after_x)), Some((y, after_y))) = (left.split_first(), right.split_first()) {
            if x == y {
                sum += self.rarities[*x as usize];
                n_shared += 1;
            }
            if x <= y {
                left = after_x;
            }
            if y <= x {
                right = after_y;
            }
        }
        (sum * self.scales[a] * self.scales[b], n_shared)
    }
}

/// The inverted index and the indexed prefix of every row.
struct Index {
    /// The rank from which a row's features are not indexed.
    cuts: Vec<u32>,
    /// The norm of the unindexed features.
    rests: Vec<f64>,
    starts: Vec<usize>,
    rows: Vec<u32>,
}

impl Index {
    fn new(vectors: &Vectors, limits: &CandidateLimits, progress: Progress<'_>) -> Result<Self> {
        let n = vectors.len();
        let mut sizes = vec![0u64; vectors.rarities.len()];
        vectors.ranks.iter().for_each(|&rank| sizes[rank as usize] += 1);
        // An eighth of the steps is for the features that are indexed for every row.
        let common = bound(&sizes, limits.max_steps / 8);
        let cut_of = |row: usize| {
            progress.check()?;
            let mut cut = common;
            let mut rest = vectors.rest(row, cut);
            for &rank in vectors.row(row).iter().filter(|&&rank| rank >= common) {
                if rest < limits.similarity {
                    break;
                }
                cut = rank + 1;
                rest = vectors.rest(row, cut);
            }
            Ok(cut)
        };
        let mut cuts: Vec<u32> = (0..n).into_par_iter().map(cut_of).collect::<Result<_>>()?;
        sizes.fill(0);
        for (row, &cut) in cuts.iter().enumerate() {
            progress.check()?;
            let inside = vectors.row(row).iter().take_while(|&&rank| rank < cut);
            inside.for_each(|&rank| sizes[rank as usize] += 1);
        }
        let last = bound(&sizes, limits.max_steps);
        cuts.iter_mut().for_each(|cut| *cut = last.min(*cut));
        let rest = |row: usize| progress.check().map(|()| vectors.rest(row, cuts[row]));
        let rests = (0..n).into_par_iter().map(rest).collect::<Result<_>>()?;
        let mut starts = vec![0usize];
        for (rank, size) in sizes.iter().enumerate() {
            let size = if (rank as u64) < u64::from(last) { *size as usize } else { 0 };
            starts.push(starts[rank] + size);
        }
        let mut next = starts.clone();
        let mut rows = vec![0u32; starts[sizes.len()]];
        for (row, &cut) in cuts.iter().enumerate() {
            progress.check()?;
            for &rank in vectors.row(row).iter().take_while(|&&rank| rank < cut) {
                rows[next[rank as usize]] = row as u32;
                next[rank as usize] += 1;
            }
        }
        Ok(Self { cuts, rests, starts, rows })
    }

    fn rows_with(&self, rank: u32) -> &[u32] {
        &self.rows[self.starts[rank as usize]..self.starts[rank as usize + 1]]
    }

    /// An upper bound of what unindexed shared features add to a similarity.
    fn at_most(&self, a: usize, b: usize) -> f64 {
        match self.cuts[a].cmp(&self.cuts[b]) {
            std::cmp::Ordering::Less => self.rests[a],
            std::cmp::Ordering::Equal => self.rests[a] * self.rests[b],
            std::cmp::Ordering::Greater => self.rests[b],
        }
    }
}

/// The first rank beyond the step limit, if every row with a feature visits all earlier rows with
/// it.
fn bound(sizes: &[u64], max_steps: u64) -> u32 {
    let mut n_steps = 0u64;
    let fits = |size: &&u64| {
        n_steps = n_steps.saturating_add(size.saturating_mul(**size) / 2);
        n_steps <= max_steps
    };
    sizes.iter().take_while(fits).count() as u32
}

/// The per-thread scratch space.
struct Scratch {
    sums: Vec<f32>,
    touched: Vec<u32>,
}

/// The most promising earlier rows of a row, and the number of further similar rows.
fn neighbours(
    row: usize,
    vectors: &Vectors,
    index: &Index,
    limits: &CandidateLimits,
    scratch: &mut Scratch,
) -> (Vec<CandidatePair>, u64) {
    // Much more than the error of the f32 sums.
    const SLACK: f64 = 1e-4;
    let Scratch { sums, touched } = scratch;
    touched.clear();
    for &rank in vectors.row(row).iter().take_while(|&&rank| rank < index.cuts[row]) {
        let square = vectors.rarities[rank as usize] as f32;
        let rows = index.rows_with(rank);
        for &other in &rows[..rows.partition_point(|&other| (other as usize) < row)] {
            let sum = &mut sums[other as usize];
            if *sum == 0.0 {
                touched.push(other);
            }
            *sum += square;
        }
    }
    let mut found = Vec::new();
    for &other in touched.iter() {
        let sum = f64::from(std::mem::take(&mut sums[other as usize]));
        let other = other as usize;
        let known = sum * vectors.scales[row] * vectors.scales[other];
        if known + index.at_most(row, other) < limits.similarity - SLACK {
            continue;
        }
        let (similarity, n_shared) = vectors.similarity(other, row);
        if similarity >= limits.similarity {
            let promise = promise(similarity, n_shared, [other, row].map(|row| vectors.row(row).len()));
            let rows = [other as u32, row as u32];
            found.push(CandidatePair { rows, similarity: similarity as f32, promise: promise as f32 });
        }
    }
    let n_found = found.len();
    if n_found > limits.neighbours {
        found.select_nth_unstable_by(limits.neighbours, best_first);
        found.truncate(limits.neighbours);
    }
    let n_more = (n_found - found.len()) as u64;
    (found, n_more)
}

/// Orders by decreasing promise; ties by row.
pub fn best_first(a: &CandidatePair, b: &CandidatePair) -> std::cmp::Ordering {
    b.promise.total_cmp(&a.promise).then(a.rows.cmp(&b.rows))
}

/// Finds the pairs of similar rows; reports the number of rows done.
pub fn candidates(rows: &FeatureRows, limits: &CandidateLimits, progress: Progress<'_>) -> Result<CandidatePairs> {
    const BLOCK: usize = 1 << 13;
    progress.report(Stage::Candidates, 0, rows.len())?;
    let vectors = Vectors::new(rows, progress)?;
    let index = Index::new(&vectors, limits, progress)?;
    let n = rows.len();
    let scratch = || Scratch { sums: vec![0.0; n], touched: Vec::new() };
    let (mut pairs, mut n_left_out) = (Vec::new(), 0u64);
    for start in (0..n).step_by(BLOCK) {
        let block: Vec<(Vec<CandidatePair>, u64)> = (start..n.min(start + BLOCK))
            .into_par_iter()
            .with_min_len(256)
            .map_init(scratch, |scratch, row| {
                progress.check()?;
                Ok(neighbours(row, &vectors, &index, limits, scratch))
            })
            .collect::<Result<_>>()?;
        for (found, n_more) in block {
            n_left_out += n_more;
            pairs.extend(found);
        }
        progress.report(Stage::Candidates, n.min(start + BLOCK), n)?;
    }
    sort(&mut pairs, |a: &CandidatePair, b| a.rows.cmp(&b.rows), progress)?;
    let n_weak_rows = index.rests.iter().filter(|rest| **rest >= limits.similarity).count();
    Ok(CandidatePairs { pairs, n_left_out, n_weak_rows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay_learn::progress::testing::stops;
    use resay_learn::rng::SplitMix;

    fn rows(lists: &[&[u32]]) -> FeatureRows {
        let mut rows = FeatureRows::default();
        lists.iter().for_each(|list| rows.push(&mut list.to_vec()));
        rows
    }

    /// Rows over a vocabulary with few common features, some rows being altered copies of others.
    fn random_rows(random: &mut SplitMix, n: usize, n_features: usize) -> FeatureRows {
        let mut lists: Vec<Vec<u32>> = Vec::new();
        for _ in 0..n {
            let mut list = match lists.len() {
                n_lists if n_lists > 0 && random.unit() < 0.4 => lists[random.below(n_lists)].clone(),
                _ => Vec::new(),
            };
            for _ in 0..random.below(8) {
                list.push((random.unit().powi(3) * n_features as f64) as u32);
            }
            lists.push(list);
        }
        let mut rows = FeatureRows::default();
        lists.iter_mut().for_each(|list| rows.push(list));
        rows
    }

    /// The definition: compares every two rows as sets.
    fn slow(rows: &FeatureRows, limits: &CandidateLimits) -> (Vec<[u32; 2]>, u64) {
        let n = rows.len();
        let count = |feature: u32| (0..n).filter(|&row| rows.row(row).contains(&feature)).count() as f64;
        let square = |feature: u32| (1.0 + n as f64 / count(feature)).ln();
        let length = |row: usize| rows.row(row).iter().map(|&feature| square(feature)).sum::<f64>().sqrt();
        let similarity = |a: usize, b: usize| {
            let shared = rows.row(a).iter().filter(|feature| rows.row(b).contains(feature));
            shared.map(|&feature| square(feature)).sum::<f64>() / (length(a) * length(b))
        };
        let mut all: Vec<([u32; 2], f64)> = Vec::new();
        for b in 0..n {
            all.extend((0..b).map(|a| ([a as u32, b as u32], similarity(a, b))));
        }
        all.retain(|(_, similarity)| *similarity >= limits.similarity);
        let mut kept: Vec<[u32; 2]> = Vec::new();
        for row in 0..n as u32 {
            let mut own: Vec<&([u32; 2], f64)> = all.iter().filter(|(pair, _)| pair[1] == row).collect();
            let promise = |(pair, similarity): &([u32; 2], f64)| {
                let [a, b] = pair.map(|row| rows.row(row as usize));
                let n_shared = a.iter().filter(|feature| b.contains(feature)).count();
                // Round, because sums in another order differ in their last digits.
                (promise(*similarity, n_shared, [a.len(), b.len()]) * 1e5).round()
            };
            own.sort_by(|a, b| promise(b).total_cmp(&promise(a)).then(a.0.cmp(&b.0)));
            kept.extend(own.iter().take(limits.neighbours).map(|(pair, _)| *pair));
        }
        kept.sort_unstable();
        let n_left_out = (all.len() - kept.len()) as u64;
        (kept, n_left_out)
    }

    #[test]
    fn all_pairs_above_the_threshold_are_found_whatever_is_indexed() {
        for seed in 0..200 {
            let mut random = SplitMix::new(seed);
            let (n, n_features) = (2 + random.below(40), 3 + random.below(60));
            let rows = random_rows(&mut random, n, n_features);
            // No similarity is so close to this that rounding could decide.
            let similarity = 0.123_456 + 0.7 * random.unit();
            let limits = CandidateLimits { similarity, neighbours: usize::MAX, max_steps: u64::MAX };
            let (expected, _) = slow(&rows, &limits);
            // An eighth of the steps is for the features that are indexed for every row, so few
            // steps make short prefixes. The further entries must still fit the limit, or rows
            // would be weak.
            for max_steps in [u64::MAX, 20_000, 4_000, 400, 40] {
                let found = candidates(&rows, &CandidateLimits { max_steps, ..limits }, Progress::none()).unwrap();
                let pairs: Vec<[u32; 2]> = found.pairs.iter().map(|pair| pair.rows).collect();
                if found.n_weak_rows == 0 {
                    assert_eq!(pairs, expected, "seed {seed}, {max_steps} steps");
                } else {
                    assert!(max_steps < u64::MAX && pairs.iter().all(|pair| expected.contains(pair)));
                }
                assert_eq!(found.n_left_out, 0);
            }
        }
    }

    #[test]
    fn each_row_has_its_best() {
        for seed in 0..100 {
            let mut random = SplitMix::new(seed);
            let rows = random_rows(&mut random, 30, 20);
            let limits = CandidateLimits { similarity: 0.2345, neighbours: 1 + random.below(4), max_steps: u64::MAX };
            let found = candidates(&rows, &limits, Progress::none()).unwrap();
            let pairs: Vec<[u32; 2]> = found.pairs.iter().map(|pair| pair.rows).collect();
            assert_eq!((pairs, found.n_left_out), slow(&rows, &limits), "seed {seed}");
        }
    }

    #[test]
    fn rows_without_features_are_like_nothing() {
        let limits = CandidateLimits { similarity: 0.5, neighbours: 5, max_steps: u64::MAX };
        for lists in [&[][..], &[&[][..]], &[&[], &[]], &[&[], &[1, 2], &[]]] {
            assert!(candidates(&rows(lists), &limits, Progress::none()).unwrap().pairs.is_empty(), "{lists:?}");
        }
        let found = candidates(&rows(&[&[1, 2], &[2, 1, 1]]), &limits, Progress::none()).unwrap().pairs;
        assert_eq!(found.len(), 1);
        assert!((found[0].similarity - 1.0).abs() < 1e-6);
    }

    #[test]
    fn one_template_a_thousand_times_is_bounded() {
        // Every two rows are similar: half a million pairs.
        let mut rows = FeatureRows::default();
        (0..1000u32).for_each(|row| rows.push(&mut vec![0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20 + row % 50]));
        let limits = CandidateLimits { similarity: 0.3, neighbours: 20, max_steps: u64::MAX };
        let found = candidates(&rows, &limits, Progress::none()).unwrap();
        assert!(found.pairs.len() <= 20_000 && found.n_weak_rows == 0);
        assert_eq!(found.pairs.len() as u64 + found.n_left_out, 499_500);
        // With few steps the common features leave the index, and the rows that may miss pairs are
        // reported.
        let found = candidates(&rows, &CandidateLimits { max_steps: 100_000, ..limits }, Progress::none()).unwrap();
        assert_eq!(found.n_weak_rows, 1000);
        assert!(found.pairs.len() <= 20_000);
    }

    #[test]
    fn looking_for_candidates_can_be_stopped() {
        let rows = random_rows(&mut SplitMix::new(3), 40_000, 2000);
        let limits = CandidateLimits { similarity: 0.3, neighbours: 20, max_steps: u64::MAX };
        stops(|progress| candidates(&rows, &limits, progress));
    }
}
