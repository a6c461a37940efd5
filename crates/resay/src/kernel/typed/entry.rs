//! Two pairs of a corpus compared by the paper's algorithms, with words renumbered and relations in
//! tables.

use super::{Relate, TypedCorpus, TypedPair};

/// One entry of a Gram matrix. All relations the algorithms query are tabulated, so that their
/// timing is not dominated by lookups.
#[derive(Clone, Debug)]
pub struct TypedEntry {
    first: [Vec<u32>; 2],
    second: [Vec<u32>; 2],
    n_words: usize,
    pattern: Vec<bool>,
    variable: Vec<u64>,
}

impl Relate for TypedEntry {
    fn pattern(&self, a: u32, b: u32) -> bool {
        self.pattern[a as usize * self.n_words + b as usize]
    }

    fn variable(&self, a: u32, b: u32) -> u64 {
        self.variable[a as usize * self.n_words + b as usize]
    }
}

impl TypedEntry {
    /// Prepares the comparison of pairs `i` and `j` of the corpus.
    pub fn new(corpus: &TypedCorpus, (i, j): (usize, usize)) -> Self {
        let pairs = [&corpus.pairs[i], &corpus.pairs[j]];
        let mut words: Vec<u32> =
            pairs.iter().flat_map(|pair| pair.source.iter().chain(&pair.target)).copied().collect();
        words.sort_unstable();
        words.dedup();
        let n_words = words.len();
        let renumber = |side: &Vec<u32>| -> Vec<u32> {
            side.iter().map(|word| words.partition_point(|known| known < word) as u32).collect()
        };
        let sides = |pair: &TypedPair| [renumber(&pair.source), renumber(&pair.target)];
        let [first, second] = pairs.map(sides);
        let is_related = |a: u32, b: u32| corpus.related[a as usize].binary_search(&b).is_ok();
        let pattern = words.iter().flat_map(|&a| words.iter().map(move |&b| is_related(a, b))).collect();
        let mut variable = vec![0; n_words * n_words];
        for (pair, [source, target]) in pairs.iter().zip([&first, &second]) {
            for (place, &a) in source.iter().enumerate() {
                for (&b, types) in target.iter().zip(&pair.links[place * target.len()..]) {
                    variable[a as usize * n_words + b as usize] = *types;
                }
            }
        }
        Self { first, second, n_words, pattern, variable }
    }

    /// Returns source and target of the first pair.
    pub fn first(&self) -> (&[u32], &[u32]) {
        (&self.first[0], &self.first[1])
    }

    /// Returns source and target of the second pair.
    pub fn second(&self) -> (&[u32], &[u32]) {
        (&self.second[0], &self.second[1])
    }

    /// Returns the total number of words of all four sentences.
    pub fn n_words(&self) -> usize {
        self.first.iter().chain(&self.second).map(Vec::len).sum()
    }
}
