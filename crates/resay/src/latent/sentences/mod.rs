//! Paraphrase and entailment over a latent alignment of words and dependency edges, some of which
//! stay unaligned (section 4 of the paper).

mod catalogue;
mod constraints;
mod cover;
mod features;

pub use catalogue::Catalogue;
pub use constraints::AlignmentConstraints;
pub(crate) use features::Setup;
pub use features::Shape;

use super::{LatentProblem, Sparse};
use crate::Result;
use crate::align::WordMatrix;
use crate::id::LatentTemplate as Template;
use catalogue::Key;
use features::{Described, describe};
use rayon::prelude::*;
use resay_learn::matching::graph::{GraphSearch, MapConstraints};
use resay_learn::matching::{Choice, Graph};
use resay_learn::progress::Progress;
use resay_text::Analysis;
use resay_text::lexicon::Lexicon;

/// A pair with all parts of its latent structure and their features.
#[derive(Clone, Debug)]
pub struct PairParts {
    graph: Graph,
    bounds: Vec<u32>,
    features: Vec<(u32, f32)>,
    constant: Vec<(u32, f32)>,
    /// The factor of part features, so that long pairs do not outweigh short ones.
    scale: f64,
    /// What the user says about links.
    constraints: MapConstraints,
}

impl PairParts {
    fn new(described: Described, shape: Shape, n_source: usize, n_target: usize) -> Self {
        let Described { graph, bounds, features, constant, constraints } = described;
        let n_words = if shape == Shape::Both { 0.5 * (n_source + n_target) as f64 } else { n_target as f64 };
        Self {
            graph,
            bounds,
            features,
            constant,
            scale: if shape == Shape::Both { 1.0 } else { 10.0 / n_words.max(1.0) },
            constraints,
        }
    }

    /// The space of its alignments.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The factor of part features.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The features of a part, before scaling.
    pub fn part(&self, part: usize) -> &[(u32, f32)] {
        &self.features[self.bounds[part] as usize..self.bounds[part + 1] as usize]
    }

    /// Features that are active in every alignment; they are not scaled.
    pub fn constant(&self) -> &[(u32, f32)] {
        &self.constant
    }

    /// The best alignment that the constraints allow. Its score is the sum over its parts, before scaling.
    pub fn best(&self, weights: &[f64], start: Option<&[u32]>, scratch: &mut SentenceScratch) -> Result<Choice> {
        let SentenceScratch { search, scores } = scratch;
        scores.clear();
        scores.extend(self.bounds.windows(2).map(|bounds| {
            let features = &self.features[bounds[0] as usize..bounds[1] as usize];
            features.iter().map(|(feature, value)| weights[*feature as usize] * f64::from(*value)).sum::<f64>()
        }));
        self.graph.best_under(&self.constraints, scores, start, search)
    }

    /// u·Φ of an alignment.
    pub fn score(&self, active: &[u32], weights: &[f64]) -> f64 {
        let sum = |features: &[(u32, f32)]| -> f64 {
            features.iter().map(|(feature, value)| weights[*feature as usize] * f64::from(*value)).sum()
        };
        let parts: f64 = active.iter().map(|part| sum(self.part(*part as usize))).sum();
        parts * self.scale + sum(&self.constant)
    }

    /// Φ of an alignment.
    pub fn features(&self, active: &[u32]) -> Sparse {
        let parts = active.iter().flat_map(|part| self.part(*part as usize));
        let scaled = parts.map(|(feature, value)| (*feature, f64::from(*value) * self.scale));
        let constant = self.constant.iter().map(|(feature, value)| (*feature, f64::from(*value)));
        let mut all: Sparse = scaled.chain(constant).collect();
        // Stable, so that values of equal features are added in part order.
        all.sort_by_key(|(feature, _)| *feature);
        all.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 += next.1;
            }
            is_same
        });
        all
    }
}

/// The per-thread state of the alignment search. By default a search stops after
/// [`WORK`](resay_learn::matching::graph::WORK), far more than sentences need.
#[derive(Debug, Default)]
pub struct SentenceScratch {
    search: GraphSearch,
    scores: Vec<f64>,
}

impl SentenceScratch {
    /// Limits each search to this amount of work ([`GraphSearch::within`]).
    pub fn within(limit: u64) -> Self {
        Self { search: GraphSearch::within(limit), ..Self::default() }
    }

    /// The outcome of the last search: whether it hit the limit, and how far from the optimum it
    /// may be.
    pub fn search(&self) -> &GraphSearch {
        &self.search
    }
}

/// A pair described with a feature numbering of its own, so that pairs can be described in
/// parallel.
pub(crate) struct OwnParts {
    catalogue: Catalogue,
    described: Described,
    n_words: [usize; 2],
}

impl OwnParts {
    /// Describes a pair from its word comparison; `labels` holds the labels of all pairs.
    pub(crate) fn new(
        pair: [&Analysis; 2],
        words: &WordMatrix,
        lexicon: &Lexicon,
        setup: Setup<'_>,
        labels: &Catalogue,
    ) -> Result<Self> {
        let mut catalogue = labels.labels_only();
        let described = describe(pair, words, lexicon, setup, &mut &mut catalogue)?;
        Ok(Self { catalogue, described, n_words: pair.map(|side| side.words.len()) })
    }
}

/// Labelled pairs of sentences.
#[derive(Debug)]
pub struct SentencePairs {
    pairs: Vec<PairParts>,
    labels: Vec<bool>,
    catalogue: Catalogue,
}

impl SentencePairs {
    /// Describes annotated pairs. Features are numbered in order of first occurrence.
    pub fn new(
        pairs: &[[Analysis; 2]],
        truth: Vec<bool>,
        lexicon: &Lexicon,
        shape: Shape,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let labels = Self::labels_of(pairs.iter().flatten());
        let setup = Setup { shape, constraints: &AlignmentConstraints::default() };
        let describe = |pair: &[Analysis; 2]| {
            progress.check()?;
            let words = WordMatrix::new(&pair[0], &pair[1], lexicon);
            OwnParts::new([&pair[0], &pair[1]], &words, lexicon, setup, &labels)
        };
        let own = pairs.par_iter().map(describe).collect::<Result<Vec<_>>>()?;
        Self::join(labels, own, truth, shape, progress)
    }

    /// A catalogue with the labels of all sentences and no features yet.
    pub(crate) fn labels_of<'a>(sentences: impl Iterator<Item = &'a Analysis>) -> Catalogue {
        let mut labels = Catalogue::default();
        for sentence in sentences {
            features::labels(sentence).for_each(|label| labels.add_label(label));
        }
        labels
    }

    /// Merges the separate feature numberings of the pairs into one, in pair order.
    pub(crate) fn join(
        labels: Catalogue,
        own: Vec<OwnParts>,
        truth: Vec<bool>,
        shape: Shape,
        progress: Progress<'_>,
    ) -> Result<Self> {
        let mut catalogue = labels;
        let mut pairs = Vec::with_capacity(own.len());
        for OwnParts { catalogue: numbered, mut described, n_words: [n_source, n_target] } in own {
            progress.check()?;
            let common = catalogue.join(&numbered);
            let renumber = |features: &mut [(u32, f32)]| {
                features.iter_mut().for_each(|(feature, _)| *feature = common[*feature as usize]);
            };
            renumber(&mut described.features);
            renumber(&mut described.constant);
            pairs.push(PairParts::new(described, shape, n_source, n_target));
        }
        Ok(Self { pairs, labels: truth, catalogue })
    }

    /// The numbered features.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The pairs.
    pub fn pairs(&self) -> &[PairParts] {
        &self.pairs
    }

    /// The labels.
    pub fn labels(&self) -> &[bool] {
        &self.labels
    }

    /// The alignment weights of the two-stage learner: word similarity only.
    pub fn heuristic(catalogue: &Catalogue) -> Vec<f64> {
        let weight = |key: &Key| match key {
            Key(Template::Map, level, _) => [-1.0, 0.3, 0.5, 0.8, 1.0, 1.2][usize::from(*level)],
            _ => 0.0,
        };
        catalogue.keys().iter().map(weight).collect()
    }
}

/// Describes a pair with known features only, and without constraints.
pub fn describe_with(
    pair: [&Analysis; 2],
    lexicon: &Lexicon,
    shape: Shape,
    catalogue: &Catalogue,
) -> Result<PairParts> {
    let setup = Setup { shape, constraints: &AlignmentConstraints::default() };
    describe_compared(pair, &WordMatrix::new(pair[0], pair[1], lexicon), lexicon, setup, catalogue)
}

/// Like [`describe_with`], for a pair whose words are already compared.
pub(crate) fn describe_compared(
    pair: [&Analysis; 2],
    compared: &WordMatrix,
    lexicon: &Lexicon,
    setup: Setup<'_>,
    catalogue: &Catalogue,
) -> Result<PairParts> {
    let described = describe(pair, compared, lexicon, setup, &mut &*catalogue)?;
    Ok(PairParts::new(described, setup.shape, pair[0].words.len(), pair[1].words.len()))
}

/// Pairs of sentences with other labels than their own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relabelled<'a> {
    pairs: &'a SentencePairs,
    labels: &'a [bool],
}

impl SentencePairs {
    /// The same pairs with other labels.
    pub(crate) fn labelled<'a>(&'a self, labels: &'a [bool]) -> Relabelled<'a> {
        Relabelled { pairs: self, labels }
    }

    /// The number of features.
    pub(crate) fn n_features(&self) -> usize {
        self.catalogue.len()
    }

    /// The best alignment of a pair.
    pub(crate) fn best(&self, pair: usize, weights: &[f64], scratch: &mut SentenceScratch) -> Result<Choice> {
        self.pairs[pair].best(weights, None, scratch)
    }
}

impl LatentProblem for Relabelled<'_> {
    type Scratch = SentenceScratch;

    fn n_examples(&self) -> usize {
        self.pairs.pairs.len()
    }

    fn n_features(&self) -> usize {
        self.pairs.catalogue.len()
    }

    fn is_positive(&self, example: usize) -> bool {
        self.labels[example]
    }

    fn best(
        &self,
        example: usize,
        weights: &[f64],
        start: Option<&[u32]>,
        scratch: &mut SentenceScratch,
    ) -> Result<Choice> {
        self.pairs.pairs[example].best(weights, start, scratch)
    }

    fn features(&self, example: usize, active: &[u32]) -> Sparse {
        self.pairs.pairs[example].features(active)
    }
}
