//! What two sentences have in common and where they differ, as numbers: the features of an
//! ensemble.
//!
//! [`extract`] reads a [`PairView`] and returns one number per feature, always the same features in
//! the same order for a [`Shape`] ([`catalogue`]). Features that point at something (a number that
//! differs, a word that only one sentence has) come with the words and their places, so that a
//! decision can be explained in words.

mod correspondence;
mod meaning;
mod measures;
mod mismatches;
mod quantity;
mod question;
mod roles;
#[cfg(test)]
mod truth;
mod unaligned;
mod verbs;

pub(crate) use correspondence::Correspondence;

use crate::Result;
use crate::align::{Alignment, WordMatrix};
use crate::explain::{Place, What};
use crate::id::{Feature, FeatureId, Part};
use crate::latent::sentences::Shape;
use crate::pair::PairView;
use resay_text::lexicon::Lexicon;
use resay_text::{Analysis, English};
use unaligned::Unaligned;

/// The words a feature points at.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// The index of the feature.
    pub feature: usize,
    /// The words.
    pub what: What,
    /// Where they are.
    pub place: Place,
}

/// The features of a pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeatureVector {
    /// One per feature.
    pub values: Vec<f64>,
    /// The words features point at, if requested.
    pub evidence: Vec<Evidence>,
}

/// Collects features one after another.
struct FeatureExtractor<'a> {
    pair: &'a Correspondence<'a>,
    shape: Shape,
    wanted: Wanted,
    vector: FeatureVector,
    /// The ids of the features, if requested.
    ids: Vec<FeatureId>,
}

/// What to collect besides values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Nothing: only a score is needed.
    Values,
    /// The words features point at.
    Evidence,
    /// The ids of the features.
    Ids,
}

impl FeatureExtractor<'_> {
    fn put(&mut self, feature: Feature, value: f64) -> usize {
        self.put_part(feature, Part::Whole, value)
    }

    fn put_part(&mut self, feature: Feature, part: Part, value: f64) -> usize {
        if self.wanted == Wanted::Ids {
            self.ids.push(FeatureId { feature, part });
        }
        self.vector.values.push(value);
        self.vector.values.len() - 1
    }

    /// Adds two numbers of one kind, one per sentence. If neither sentence comes first, they are
    /// the smaller and the larger one; otherwise that of the target and that of the source. Returns
    /// the indices of both.
    fn both(&mut self, feature: Feature, of_source: f64, of_target: f64) -> [usize; 2] {
        let (parts, values) = match self.shape {
            Shape::Both => ([Part::Less, Part::More], [of_source.min(of_target), of_source.max(of_target)]),
            Shape::Target => ([Part::Target, Part::Source], [of_target, of_source]),
        };
        [0, 1].map(|at| self.put_part(feature, parts[at], values[at]))
    }

    /// Records the words that a feature points at.
    fn point(&mut self, feature: usize, source: &[usize], target: &[usize]) {
        if self.wanted != Wanted::Evidence {
            return;
        }
        let what = What::Phrase { source: self.pair.words(0, source), target: self.pair.words(1, target) };
        let place = Place { source: self.pair.spans(0, source), target: self.pair.spans(1, target) };
        self.vector.evidence.push(Evidence { feature, what, place });
    }
}

/// Which features to extract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureSet {
    /// All that this version knows.
    All,
    /// All but those that need the word table, which come last. Models that were trained before
    /// there were any do without it, and it is not even opened.
    WithoutWordTable,
}

impl FeatureSet {
    /// The smallest set with these features.
    pub fn of(features: impl IntoIterator<Item = FeatureId>) -> Self {
        let needs_table = features.into_iter().any(|id| id.feature.needs_word_table());
        if needs_table { Self::All } else { Self::WithoutWordTable }
    }
}

/// Extracts all features of a pair. `english` supplies the rarity of words.
pub fn extract(view: &PairView<'_>, english: &English, shape: Shape, wanted: Wanted) -> Result<FeatureVector> {
    extract_set(FeatureSet::All, view, english, shape, wanted)
}

/// Extracts a set of features of a pair.
pub(crate) fn extract_set(
    set: FeatureSet,
    view: &PairView<'_>,
    english: &English,
    shape: Shape,
    wanted: Wanted,
) -> Result<FeatureVector> {
    let rarity = |lower: &str| english.rarity(lower);
    let pair = Correspondence::new(view.analyses(), view.words()?, view.alignment()?, rarity);
    let (mut out, unaligned) = run(&pair, shape, wanted);
    if set == FeatureSet::All {
        meaning::extract(&mut out, &unaligned, Some(view.word_table()?));
    }
    Ok(out.vector)
}

/// Returns the ids of all features, in order.
pub fn catalogue(shape: Shape) -> Vec<FeatureId> {
    let empty = Analysis::default();
    let words = WordMatrix::new(&empty, &empty, &Lexicon::new());
    let (alignment, rarity) = (Alignment::default(), |_: &str| 1.0);
    let pair = Correspondence::new([&empty; 2], &words, &alignment, rarity);
    let (mut out, unaligned) = run(&pair, shape, Wanted::Ids);
    meaning::extract(&mut out, &unaligned, None);
    out.ids
}

/// Extracts the features that need no word table.
fn run<'a>(pair: &'a Correspondence<'a>, shape: Shape, wanted: Wanted) -> (FeatureExtractor<'a>, Unaligned) {
    let mut out = FeatureExtractor { pair, shape, wanted, vector: FeatureVector::default(), ids: Vec::new() };
    measures::extract(&mut out);
    let unaligned = Unaligned::new(pair);
    unaligned::extract(&mut out, &unaligned);
    let told = mismatches::extract(&mut out, &unaligned);
    verbs::extract(&mut out);
    roles::extract(&mut out);
    let n_left: usize = [0, 1]
        .map(|side: usize| unaligned.words[side].iter().filter(|word| !told[side].contains(word)).count())
        .iter()
        .sum();
    // Grows as fewer content words are unaligned without being part of a mismatch. A difference
    // matters more if nothing else differs.
    out.put(Feature::AllElseAlike, (-0.5 * n_left as f64).exp());
    question::extract(&mut out);
    (out, unaligned)
}
