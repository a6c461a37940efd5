//! The aligner: feature weights for both directions, and the alignment of a sentence pair under
//! them.

use super::Merge;
use super::compared::WordMatrix;
use super::crf::{Scratch, transitions_by};
use super::features::{Catalogue, Stretch};
use super::first::FirstPass;
use super::settings::AlignSettings;
use super::states;
use super::table::{Direction, Row, Shapes, second_row, visit_phrases, visit_words};
use crate::id::AlignFeature;
use crate::{Error, Result};
use resay_learn::eval::blocks::{Block, WordLink, blocks};
use resay_learn::sequence::semi_markov::{Scores, Segment, Transitions};
use resay_text::lexicon::Lexicon;
use resay_text::{Analysis, Layers};

/// How links are decoded from the two lattices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decode {
    /// Every link with at least this confidence; `None` uses the threshold found in training. A
    /// lower threshold gives more links.
    Confident(Option<f64>),
    /// The best segmentation in one direction, as in the paper.
    Best(Direction),
    /// The best segmentations in both directions, merged.
    Merged(Merge),
}

/// A link and the aligner's confidence in it, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct SureLink {
    /// The source word, from 0.
    pub source: u32,
    /// The target word, from 0.
    pub target: u32,
    /// The probability of the link, averaged over both directions.
    pub confidence: f64,
}

/// Aligned phrases: every word of one is linked to every word of the other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct SurePhrase {
    /// Position and lengths.
    pub block: Block,
    /// The mean confidence of its links.
    pub confidence: f64,
}

/// The alignment of a sentence pair.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct Alignment {
    /// Links, sorted.
    pub links: Vec<SureLink>,
    /// The same links as phrases; every link belongs to one.
    pub phrases: Vec<SurePhrase>,
    /// The probability of each source word to be unaligned.
    pub source_alone: Vec<f64>,
    /// The probability of each target word to be unaligned.
    pub target_alone: Vec<f64>,
    /// The score of the best segmentation divided by its number of segments, forward and backward;
    /// 0 for an empty side.
    pub scores: [f64; 2],
    /// The score of the best segmentation minus that of leaving every word unaligned, divided by
    /// the number of words segmented, forward and backward. Only these scores are comparable
    /// between pairs: whatever all segmentations of a pair have in common cancels out.
    pub gains: [f64; 2],
}

impl Alignment {
    /// Returns how well the two sentences align as a whole: the mean of both normalised scores.
    pub fn score(&self) -> f64 {
        0.5 * (self.scores[0] + self.scores[1])
    }

    /// Returns the links without confidences.
    pub fn pairs(&self) -> Vec<WordLink> {
        self.links.iter().map(|link| (link.source, link.target)).collect()
    }
}

/// Posterior probabilities of all links of a pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Posteriors {
    pub(super) n_target: usize,
    /// One row per source word; the mean of both directions.
    pub(super) links: Vec<f64>,
    pub(super) source_alone: Vec<f64>,
    pub(super) target_alone: Vec<f64>,
}

impl Posteriors {
    /// Returns the links with at least this probability, sorted.
    pub(super) fn at_least(&self, threshold: f64) -> Vec<WordLink> {
        let likely = self.links.iter().enumerate().filter(|(_, probability)| **probability >= threshold);
        likely.map(|(at, _)| ((at / self.n_target) as u32, (at % self.n_target) as u32)).collect()
    }
}

/// Buffers for aligning, reused from pair to pair.
#[derive(Clone, Debug, Default)]
pub struct AlignScratch {
    pub(super) lattice: Scratch,
    emissions: [Vec<f64>; 2],
    words: Vec<[f64; 2]>,
    /// The scores of words in the first pass, and the probabilities of its links backward.
    first_words: Vec<[f64; 2]>,
    first_cells: Vec<f64>,
}

/// Aligns pairs of sentences.
#[derive(Clone, Debug)]
pub struct Aligner {
    settings: AlignSettings,
    catalogue: Catalogue,
    /// Both directions side by side, because every feature needs both.
    weights: Vec<[f64; 2]>,
    /// The weights of steps per direction; `None` without such features.
    steps: [Option<Vec<f64>>; 2],
    threshold: f64,
    /// The first of two passes.
    first: Option<PassWeights>,
    /// Phrases whose words score lower by more than this than they do on their own are pruned.
    margin: f64,
}

/// The weights of one pass, as in [`Aligner`].
#[derive(Clone, Debug)]
struct PassWeights {
    weights: Vec<[f64; 2]>,
    steps: [Option<Vec<f64>>; 2],
}

impl PassWeights {
    fn new(catalogue: &Catalogue, forward: &[f64], backward: &[f64]) -> Self {
        let steps = [forward, backward].map(|weights| Some(weights.get(catalogue.distortion()?)?.to_vec()));
        Self { weights: forward.iter().zip(backward).map(|(a, b)| [*a, *b]).collect(), steps }
    }
}

/// Both lattices of a pair; their emissions are in the scratch.
pub(super) struct Scored {
    pub(super) shapes: Shapes,
    /// What the first pass found, if there are two.
    pub(super) first: Option<FirstPass>,
    transitions: [Transitions; 2],
}

impl Scored {
    fn scores<'a>(&'a self, direction: Direction, emissions: &'a [Vec<f64>; 2]) -> Result<Scores<'a>> {
        let at = direction as usize;
        Scores::new(self.shapes.of(direction), &emissions[at], &self.transitions[at])
    }
}

impl Aligner {
    /// Creates an aligner from its weights, one per feature and direction.
    pub fn new(settings: AlignSettings, forward: Vec<f64>, backward: Vec<f64>, threshold: f64) -> Result<Self> {
        settings.check()?;
        let catalogue = Catalogue::new(&settings.features)?;
        check_weights([&forward, &backward], catalogue.features().len())?;
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(Error::parameter(format!("the threshold is {threshold}, expected above 0 and at most 1")));
        }
        let first = catalogue.second().map(|n| PassWeights::new(&catalogue, &vec![0.0; n], &vec![0.0; n]));
        let PassWeights { weights, steps } = PassWeights::new(&catalogue, &forward, &backward);
        Ok(Self { settings, catalogue, weights, steps, threshold, first, margin: f64::INFINITY })
    }

    /// Sets the weights of the first pass, one per feature before those of the second, and
    /// direction. They are 0 until then.
    pub fn with_first(self, forward: Vec<f64>, backward: Vec<f64>) -> Result<Self> {
        let Some(n_features) = self.catalogue.second() else {
            return Err(Error::parameter("weights of a first pass, but no feature uses it"));
        };
        check_weights([&forward, &backward], n_features)?;
        let first = Some(PassWeights::new(&self.catalogue, &forward, &backward));
        Ok(Self { first, ..self })
    }

    /// Returns whether a first pass finds probabilities for a second one.
    pub fn has_first(&self) -> bool {
        self.first.is_some()
    }

    /// Returns the features of the first pass with their forward and backward weights; none if there
    /// is only one pass.
    pub fn first_weights(&self) -> impl Iterator<Item = (AlignFeature, [f64; 2])> {
        let weights = self.first.iter().flat_map(|first| first.weights.iter().copied());
        self.catalogue.features().iter().copied().zip(weights)
    }

    /// Prunes phrases to save time: drops those whose words, in both directions, score lower
    /// together, by more than `margin`, than each word does at its best, linked or unaligned. Such
    /// a phrase could add only about exp(-margin) to any sum.
    #[must_use]
    pub fn leaving_out(self, margin: f64) -> Self {
        Self { margin, ..self }
    }

    /// Returns the settings it was trained with.
    pub fn settings(&self) -> &AlignSettings {
        &self.settings
    }

    /// Returns the default confidence threshold for links.
    pub fn threshold(&self) -> f64 {
        self.threshold
    }

    pub(super) fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Returns the annotation layers its features need.
    pub fn layers(&self) -> Layers {
        self.catalogue.layers()
    }

    /// Returns every feature with its forward and backward weights.
    pub fn weights(&self) -> impl Iterator<Item = (AlignFeature, [f64; 2])> {
        self.catalogue.features().iter().copied().zip(self.weights.iter().copied())
    }

    /// Aligns two sentences. They must have the annotation layers that the features need.
    pub fn align(
        &self,
        lexicon: &Lexicon,
        source: &Analysis,
        target: &Analysis,
        decode: Decode,
        scratch: &mut AlignScratch,
    ) -> Result<Alignment> {
        self.align_compared(&WordMatrix::new(source, target, lexicon), decode, scratch)
    }

    /// Like [`Self::align`], for a word matrix that already exists.
    pub(crate) fn align_compared(
        &self,
        pair: &WordMatrix,
        decode: Decode,
        scratch: &mut AlignScratch,
    ) -> Result<Alignment> {
        let (n_source, n_target) = (pair.source.len(), pair.target.len());
        if n_source == 0 || n_target == 0 {
            let (source_alone, target_alone) = (vec![1.0; n_source], vec![1.0; n_target]);
            return Ok(Alignment { source_alone, target_alone, ..Alignment::default() });
        }
        let scored = self.score(pair, scratch)?;
        let posteriors = self.posteriors(&scored, scratch)?;
        let forward = self.best(&scored, Direction::Forward, scratch)?;
        let backward = self.best(&scored, Direction::Backward, scratch)?;
        let of = |direction: Direction| match direction {
            Direction::Forward => states::links(&forward.1, &scored.shapes.of(direction)),
            Direction::Backward => states::transposed(&states::links(&backward.1, &scored.shapes.of(direction))),
        };
        let links = match decode {
            Decode::Confident(threshold) => posteriors.at_least(threshold.unwrap_or(self.threshold)),
            Decode::Best(direction) => of(direction),
            Decode::Merged(merge) => merge.merge(&of(Direction::Forward), &of(Direction::Backward)),
        };
        let normalised = |(score, segments): &(f64, Vec<Segment>)| score / segments.len().max(1) as f64;
        let gains = [
            self.gain(&scored, Direction::Forward, forward.0, scratch)?,
            self.gain(&scored, Direction::Backward, backward.0, scratch)?,
        ];
        Ok(alignment(&links, posteriors, [normalised(&forward), normalised(&backward)], gains))
    }

    /// Computes the emissions and transitions of both lattices; emissions stay in the scratch.
    pub(super) fn score(&self, pair: &WordMatrix, scratch: &mut AlignScratch) -> Result<Scored> {
        let shapes = Shapes::new(pair.source.len(), pair.target.len(), self.settings.longest)?;
        let AlignScratch { emissions, words, first_words, first_cells, lattice } = scratch;
        words.clear();
        words.resize(shapes.n_source * shapes.n_target, [0.0; 2]);
        first_words.clear();
        first_words.resize(if self.first.is_some() { words.len() } else { 0 }, [0.0; 2]);
        let weigh = |features: &[(u16, f32)]| weigh(&self.weights, features);
        let mut alone = [vec![0.0; shapes.n_source], vec![0.0; shapes.n_target]];
        let mut first_alone = alone.clone();
        // Features are extracted once, and weighed for both passes.
        visit_words(&self.catalogue, pair, &shapes, |row, features| {
            let scores = weigh(features);
            let first = self.first.as_ref().map(|first| self::weigh(&first.weights, features));
            match row {
                Row::Alone(direction, word) => {
                    let at = direction as usize;
                    alone[at][word] = scores[at];
                    first_alone[at][word] = first.map_or(0.0, |first| first[at]);
                }
                Row::Words(source, target) => {
                    let at = source * shapes.n_target + target;
                    words[at] = scores;
                    if let Some(first) = first {
                        first_words[at] = first;
                    }
                }
                Row::Phrase(_) => {}
            }
        });
        let first = match &self.first {
            None => None,
            Some(first) => {
                let shapes = Shapes::new(shapes.n_source, shapes.n_target, 1)?;
                let Scratch { lattice, cells, expected, .. } = lattice;
                for direction in Direction::BOTH {
                    let at = direction as usize;
                    let shape = shapes.of(direction);
                    let emissions = &mut emissions[at];
                    token_emissions(&shapes, direction, first_words, &first_alone[at], emissions);
                    let transitions = transitions_by(first.steps[at].as_deref(), &shape);
                    let cells = if direction == Direction::Forward { &mut *cells } else { &mut *first_cells };
                    lattice.expectations(Scores::new(shape, emissions, &transitions)?, cells, expected);
                }
                Some(FirstPass::new(pair, &shapes, [cells, first_cells]))
            }
        };
        if let Some(first) = &first {
            let mut list = Vec::new();
            let mut second = |row: Row| {
                list.clear();
                second_row(&self.catalogue, pair, first, row, &mut list);
                weigh(&list)
            };
            for (at, scores) in words.iter_mut().enumerate() {
                let more = second(Row::Words(at / shapes.n_target, at % shapes.n_target));
                *scores = [scores[0] + more[0], scores[1] + more[1]];
            }
            for direction in Direction::BOTH {
                for (word, score) in alone[direction as usize].iter_mut().enumerate() {
                    *score += second(Row::Alone(direction, word))[direction as usize];
                }
            }
        }
        for direction in Direction::BOTH {
            let out = &mut emissions[direction as usize];
            out.clear();
            out.resize(shapes.of(direction).n_cells(), f64::NEG_INFINITY);
        }
        let mut put = |stretch: Stretch, scores: [f64; 2]| {
            for direction in Direction::BOTH {
                if let Some(cell) = shapes.cell(direction, stretch) {
                    emissions[direction as usize][cell] = scores[direction as usize];
                }
            }
        };
        for (at, scores) in words.iter().enumerate() {
            let (source, target) = (at / shapes.n_target, at % shapes.n_target);
            put(Stretch { source, n_source: 1, target, n_target: 1 }, *scores);
        }
        let of_words = |members: &[(usize, usize)]| {
            members.iter().fold([0.0; 2], |sum, (i, j)| {
                let of_words = words[i * shapes.n_target + j];
                [sum[0] + of_words[0], sum[1] + of_words[1]]
            })
        };
        // The best score of each word outside any phrase, per direction.
        let mut without = alone.clone();
        for (at, scores) in words.iter().enumerate() {
            let (i, j) = (at / shapes.n_target, at % shapes.n_target);
            without[0][i] = without[0][i].max(scores[0]);
            without[1][j] = without[1][j].max(scores[1]);
        }
        let is_likely = |stretch: Stretch, members: &[(usize, usize)]| {
            let Stretch { source, n_source, target, n_target } = stretch;
            let scores = of_words(members);
            let without = [&without[0][source..source + n_source], &without[1][target..target + n_target]];
            (0..2).any(|at| scores[at] + self.margin >= without[at].iter().sum::<f64>())
        };
        visit_phrases(&self.catalogue, pair, first.as_ref(), &shapes, is_likely, |stretch, features, members| {
            let (own, of_words) = (weigh(features), of_words(members));
            put(stretch, [own[0] + of_words[0], own[1] + of_words[1]]);
        });
        for direction in Direction::BOTH {
            for (word, score) in alone[direction as usize].iter().enumerate() {
                if let Some(cell) = shapes.alone(direction, word) {
                    emissions[direction as usize][cell] = *score;
                }
            }
        }
        let transitions = Direction::BOTH
            .map(|direction| transitions_by(self.steps[direction as usize].as_deref(), &shapes.of(direction)));
        Ok(Scored { shapes, first, transitions })
    }

    pub(super) fn best(
        &self,
        scored: &Scored,
        direction: Direction,
        scratch: &mut AlignScratch,
    ) -> Result<(f64, Vec<Segment>)> {
        Ok(scratch.lattice.lattice.best(scored.scores(direction, &scratch.emissions)?))
    }

    /// Returns the best score minus that of leaving every word unaligned, per word.
    fn gain(&self, scored: &Scored, direction: Direction, best: f64, scratch: &AlignScratch) -> Result<f64> {
        let n_words = scored.shapes.of(direction).n_source();
        let alone: Vec<Segment> = (1..=n_words).map(|end| Segment { end, len: 1, state: 0 }).collect();
        let of_alone = scored.scores(direction, &scratch.emissions)?.score_of(&alone)?;
        Ok((best - of_alone) / n_words as f64)
    }

    fn posteriors(&self, scored: &Scored, scratch: &mut AlignScratch) -> Result<Posteriors> {
        let mut posteriors = Posteriors::new(&scored.shapes);
        for direction in Direction::BOTH {
            let scores = scored.scores(direction, &scratch.emissions)?;
            let Scratch { lattice, cells, expected, .. } = &mut scratch.lattice;
            lattice.expectations(scores, cells, expected);
            posteriors.add(&scored.shapes, direction, cells);
        }
        Ok(posteriors)
    }
}

impl Posteriors {
    pub(super) fn new(shapes: &Shapes) -> Self {
        Self {
            n_target: shapes.n_target,
            links: vec![0.0; shapes.n_source * shapes.n_target],
            source_alone: vec![0.0; shapes.n_source],
            target_alone: vec![0.0; shapes.n_target],
        }
    }

    /// Adds the expected cell counts of one direction.
    pub(super) fn add(&mut self, shapes: &Shapes, direction: Direction, cells: &[f64]) {
        let shape = shapes.of(direction);
        let alone = match direction {
            Direction::Forward => &mut self.source_alone,
            Direction::Backward => &mut self.target_alone,
        };
        for (word, alone) in alone.iter_mut().enumerate() {
            *alone = shape.cell(word + 1, 1, 0).map_or(0.0, |cell| cells[cell].clamp(0.0, 1.0));
        }
        for end in 1..=shape.n_source() {
            for len in 1..=shape.max_source().min(end) {
                let Some(row) = shape.row(end, len) else { continue };
                for (state, probability) in cells[row].iter().enumerate().skip(1) {
                    if *probability < 1e-9 {
                        continue;
                    }
                    let Some((start, n)) = shape.span(state) else { continue };
                    for word in end - len..end {
                        for on in start..start + n {
                            let (i, j) = direction.turn(word, on);
                            self.links[i * shapes.n_target + j] += 0.5 * probability;
                        }
                    }
                }
            }
        }
    }
}

/// Refuses weights of the wrong number, or that are not numbers.
fn check_weights(both: [&Vec<f64>; 2], n_features: usize) -> Result<()> {
    for weights in both {
        if weights.len() != n_features {
            let n = weights.len();
            return Err(Error::parameter(format!("{n} weights, expected {n_features}, one per feature")));
        }
        if let Some(weight) = weights.iter().find(|weight| !weight.is_finite()) {
            return Err(Error::parameter(format!("a weight is {weight}, expected a finite number")));
        }
    }
    Ok(())
}

/// Returns the scores of features in both directions.
fn weigh(weights: &[[f64; 2]], features: &[(u16, f32)]) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for (id, value) in features {
        let weights = weights[*id as usize];
        sum[0] += weights[0] * f64::from(*value);
        sum[1] += weights[1] * f64::from(*value);
    }
    sum
}

/// Writes the emissions of a lattice without phrases.
fn token_emissions(shapes: &Shapes, direction: Direction, words: &[[f64; 2]], alone: &[f64], out: &mut Vec<f64>) {
    out.clear();
    out.resize(shapes.of(direction).n_cells(), f64::NEG_INFINITY);
    for (at, scores) in words.iter().enumerate() {
        let (source, target) = (at / shapes.n_target, at % shapes.n_target);
        if let Some(cell) = shapes.cell(direction, Stretch { source, n_source: 1, target, n_target: 1 }) {
            out[cell] = scores[direction as usize];
        }
    }
    for (word, score) in alone.iter().enumerate() {
        if let Some(cell) = shapes.alone(direction, word) {
            out[cell] = *score;
        }
    }
}

/// Builds an alignment from links.
fn alignment(links: &[WordLink], posteriors: Posteriors, scores: [f64; 2], gains: [f64; 2]) -> Alignment {
    let confidence = |(i, j): WordLink| posteriors.links[i as usize * posteriors.n_target + j as usize].clamp(0.0, 1.0);
    let phrase = |block: Block| {
        let n_links = f64::from(block.n_source) * f64::from(block.n_target);
        SurePhrase { block, confidence: block.links().map(confidence).sum::<f64>() / n_links }
    };
    Alignment {
        links: links
            .iter()
            .map(|&(source, target)| SureLink { source, target, confidence: confidence((source, target)) })
            .collect(),
        phrases: blocks(links).into_iter().map(phrase).collect(),
        source_alone: posteriors.source_alone,
        target_alone: posteriors.target_alone,
        scores,
        gains,
    }
}
