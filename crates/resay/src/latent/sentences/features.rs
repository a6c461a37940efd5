//! Features of latent alignments of two sentences: the resources of the paper's Table 2.
//!
//! | part | entailment | paraphrase |
//! |---|---|---|
//! | aligned word | WordNet, spelling, word classes, entities, negation | the same, vectors, tags |
//! | unaligned word | word classes, entities, of the hypothesis only | tags, entities |
//! | aligned edge | its words, by similarity | the same, and relations |
//! | unaligned edge | nothing | relations |
//!
//! Beyond the paper: word similarity has levels (same, lemma, synonym, near, spelling, none), which
//! are also combined with the word class; word vectors and paraphrase tables complement WordNet;
//! numbers have a feature of their own, since different numbers rarely mean the same. There is no
//! coreference: a pronoun that refers to a name is seen by its tags only.

use super::catalogue::{Key, Numbering};
use super::constraints::AlignmentConstraints;
use super::cover::cover;
use crate::align::{AlignWord, WordMatrix, WordPair};
use crate::id::{
    Agreement, Argument, EntityMatch, LatentSide, LatentTemplate as Template, Level, NegationMatch, RelationMatch,
    WordClass, WordMatch,
};
use resay_learn::matching::Graph;
use resay_learn::matching::graph::MapConstraints;
use resay_text::lexicon::Lexicon;
use resay_text::{Analysis, Word};
use serde::{Deserialize, Serialize};

/// The direction of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Symmetric: words and edges of both sentences may be unaligned, and both sides count alike.
    Both,
    /// Whether the target follows from the source. Whatever else the source says does not matter.
    Target,
}

/// What is looked for in a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup<'a> {
    /// The direction of the comparison.
    pub(crate) shape: Shape,
    /// What the user says about links.
    pub(crate) constraints: &'a AlignmentConstraints,
}

/// Labels of one sentence that [`WordMatrix`] does not keep, by number.
pub(super) struct Labels {
    /// 0 for no entity.
    entities: Vec<u16>,
    is_entity: Vec<bool>,
    relations: Vec<u16>,
    pub(super) negations: Vec<bool>,
}

impl Labels {
    /// Whether a word is part of an entity.
    pub(super) fn has_entity(&self, word: usize) -> bool {
        self.is_entity[word]
    }

    /// The type of a word's entity; 0 for none, or one that training did not see.
    pub(super) fn entity(&self, word: usize) -> u16 {
        self.entities[word]
    }

    fn new(sentence: &Analysis, numbering: &impl Numbering) -> Self {
        let mut labels =
            Self { entities: Vec::new(), is_entity: Vec::new(), relations: Vec::new(), negations: Vec::new() };
        for (idx, word) in sentence.words.iter().enumerate() {
            labels.entities.push(entity(word).map_or(0, |kind| numbering.label_of(kind)));
            labels.is_entity.push(entity(word).is_some());
            labels.relations.push(numbering.label_of(word.relation.as_deref().unwrap_or("")));
            let form = sentence.form(idx);
            let negations =
                ["not", "n't", "n’t", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without"];
            labels.negations.push(negations.iter().any(|negation| form.eq_ignore_ascii_case(negation)));
        }
        labels
    }
}

/// The type of the entity that a word is part of.
fn entity(word: &Word) -> Option<&str> {
    word.entity.as_deref().and_then(|tag| tag.split_once('-')).map(|(_, kind)| kind)
}

/// All labels that features of a sentence can have.
pub(super) fn labels(sentence: &Analysis) -> impl Iterator<Item = &str> {
    sentence.words.iter().flat_map(|word| [entity(word), Some(word.relation.as_deref().unwrap_or(""))]).flatten()
}

/// The common class of two words, or `None` if their classes differ.
fn shared_class(word: &AlignWord, other: &AlignWord) -> Option<WordClass> {
    (word.class() == other.class()).then(|| word.class())
}

/// The similarity of two words as a number, which weighs the edges between them.
pub(super) fn likeness(level: Level) -> f32 {
    [0.0, 0.3, 0.5, 0.8, 0.95, 1.0][level as usize]
}

fn agreement(is_one: bool) -> u16 {
    if is_one { Agreement::Agree as u16 } else { Agreement::Differ as u16 }
}

/// The index of the bin of equal width that contains a value.
fn bin(value: f32, first: f32, to_a_unit: f32) -> u16 {
    ((value - first) * to_a_unit).clamp(0.0, 63.0) as u16
}

/// The parts of a pair with their features, numbered as in [`Graph`].
pub(super) struct Described {
    pub(super) graph: Graph,
    /// The start of each part's features, and one final end.
    pub(super) bounds: Vec<u32>,
    pub(super) features: Vec<(u32, f32)>,
    /// Features that are active in every alignment.
    pub(super) constant: Vec<(u32, f32)>,
    /// What the user says about links.
    pub(super) constraints: MapConstraints,
}

/// Collects features part by part.
struct Writer<'a, N> {
    numbering: &'a mut N,
    features: Vec<(u32, f32)>,
    bounds: Vec<u32>,
}

impl<N: Numbering> Writer<'_, N> {
    /// Adds a feature with numbered arguments (labels, tags, bins).
    fn put(&mut self, template: Template, first: u16, second: u16, value: f32) {
        if value != 0.0
            && let Some(number) = self.numbering.feature(Key(template, first, second))
        {
            self.features.push((number, value));
        }
    }

    fn end_part(&mut self) {
        self.bounds.push(self.features.len() as u32);
    }
}

/// Describes all parts of a pair. Heads that form a cycle or point at no word are ignored.
pub(super) fn describe(
    [source, target]: [&Analysis; 2],
    compared: &WordMatrix,
    lexicon: &Lexicon,
    setup: Setup<'_>,
    numbering: &mut impl Numbering,
) -> crate::Result<Described> {
    let shape = setup.shape;
    let labels = [Labels::new(source, numbering), Labels::new(target, numbering)];
    let heads = [&compared.source, &compared.target].map(|side| {
        let heads: Vec<Option<usize>> = side.words.iter().map(|word| word.head).collect();
        forest(&heads)
    });
    let [source_heads, target_heads] = heads;
    let graph = Graph::new(source_heads, target_heads)?;
    let constraints = setup.constraints.of(compared, &labels, &graph);
    let mut writer = Writer { numbering, features: Vec::new(), bounds: vec![0] };
    let heights = [&compared.source, &compared.target]
        .map(|side| side.known.iter().map(|known| known.heights(lexicon)).collect::<Vec<_>>());
    for i in 0..compared.source.len() {
        for j in 0..compared.target.len() {
            let by_wordnet = || lexicon.wu_palmer_between(heights[0][i], heights[1][j]);
            word_map(&mut writer, compared, &labels, (i, j), by_wordnet, shape);
            writer.end_part();
        }
    }
    for (side, words) in [&compared.source.words, &compared.target.words].into_iter().enumerate() {
        for (idx, word) in words.iter().enumerate() {
            if shape == Shape::Both || side == 1 {
                word_alone(&mut writer, word, &labels[side], idx, shape);
            }
            writer.end_part();
        }
    }
    for &(a, b) in graph.source_edges() {
        for &(c, d) in graph.target_edges() {
            edge_map(&mut writer, compared, &labels, [(a, c), (b, d)], shape);
            writer.end_part();
        }
    }
    for (side, edges) in [graph.source_edges(), graph.target_edges()].into_iter().enumerate() {
        for &(_, dependent) in edges {
            if shape == Shape::Both {
                let relation = labels[side].relations[dependent as usize];
                writer.put(Template::EdgeAlone, relation, LatentSide::Either as u16, 1.0);
            }
            writer.end_part();
        }
    }
    let Writer { numbering, features, bounds } = writer;
    let mut constant = Vec::new();
    let (shorter, longer) = (source.words.len().min(target.words.len()), source.words.len().max(target.words.len()));
    let difference = (longer - shorter) as f32 / longer.max(1) as f32;
    let mut always = |template, first, value| {
        constant.extend(numbering.feature(Key(template, first, 0)).map(|number| (number, value)));
    };
    always(Template::Bias, 0, 1.0);
    match shape {
        Shape::Both => {
            always(Template::Length, 0, difference);
            always(Template::LengthBin, bin(difference, 0.0, 10.0), 1.0);
        }
        Shape::Target => cover(compared, &labels, &mut always),
    }
    Ok(Described { graph, bounds, features, constant, constraints })
}

/// Turns heads into a forest by dropping those that would close a cycle.
fn forest(heads: &[Option<usize>]) -> Vec<Option<u32>> {
    let mut kept: Vec<Option<u32>> = heads.iter().map(|head| head.map(|head| head as u32)).collect();
    for word in 0..heads.len() {
        let (mut at, mut n_steps) = (word, 0);
        while let Some(head) = kept[at] {
            at = head as usize;
            n_steps += 1;
            if n_steps > heads.len() {
                kept[word] = None;
                break;
            }
        }
    }
    kept
}

fn word_map<N: Numbering>(
    writer: &mut Writer<'_, N>,
    compared: &WordMatrix,
    [source, target]: &[Labels; 2],
    (i, j): (usize, usize),
    by_wordnet: impl FnOnce() -> Option<f64>,
    shape: Shape,
) {
    let (a, b) = (&compared.source.words[i], &compared.target.words[j]);
    let pair: &WordPair = compared.cell(i, j);
    let level = pair.level as u16;
    let class = u16::from(shared_class(a, b).number());
    writer.put(Template::Map, level, 0, 1.0);
    writer.put(Template::MapOfClass, level, class, 1.0);
    // Entailment has little training data: tags are used only through the word class, and vectors
    // not at all.
    if shape == Shape::Both {
        writer.put(Template::TagsAgree, agreement(a.tag == b.tag), 0, 1.0);
        if a.tag != b.tag {
            let (first, second) = (a.tag as u16, b.tag as u16);
            writer.put(Template::Tags, first.min(second), first.max(second), 1.0);
        }
    }
    if pair.level < Level::Lemma {
        match pair.cosine {
            Some(cosine) if shape == Shape::Both => {
                writer.put(Template::Cosine, 0, 0, cosine);
                writer.put(Template::CosineBin, bin(cosine, -1.0, 5.0), 0, 1.0);
            }
            Some(_) => {}
            None => writer.put(Template::NoVector, 0, 0, 1.0),
        }
        if let Some(similarity) = by_wordnet() {
            writer.put(Template::WordNet, 0, 0, similarity as f32);
            writer.put(Template::WordNetBin, bin(similarity as f32, 0.0, 5.0), 0, 1.0);
        }
        writer.put(Template::Spelling, 0, 0, pair.strings.levenshtein);
        writer.put(Template::SpellingBin, bin(pair.strings.levenshtein, 0.0, 4.0), 0, 1.0);
    }
    let words = if pair.level >= Level::Lemma { WordMatch::Same } else { WordMatch::Other } as u16;
    let (m, n) = (compared.source.len() as f32, compared.target.len() as f32);
    let apart = (i as f32 / m - j as f32 / n).abs();
    if shape == Shape::Both {
        writer.put(Template::Distance, 0, 0, apart);
        writer.put(Template::DistanceBin, bin(apart, 0.0, 5.0), words, 1.0);
    }
    let (first, second) = (source.entities[i], target.entities[j]);
    if first != 0 || second != 0 {
        let kinds = match (first == second, first != 0 && second != 0) {
            (true, _) => EntityMatch::OneKind,
            (false, true) => EntityMatch::TwoKinds,
            (false, false) => EntityMatch::OneOnly,
        };
        writer.put(Template::Entities, kinds as u16, 0, 1.0);
        if first == second {
            writer.put(Template::Entity, first, words, 1.0);
        }
    }
    if a.has_digit && b.has_digit {
        writer.put(Template::Numbers, agreement(a.lower == b.lower), 0, 1.0);
    }
    let (first, second) = (source.negations[i], target.negations[j]);
    if first || second {
        let which = if first && second { NegationMatch::Both } else { NegationMatch::OneWord };
        writer.put(Template::Negation, which as u16, 0, 1.0);
    }
}

fn word_alone<N: Numbering>(writer: &mut Writer<'_, N>, word: &AlignWord, labels: &Labels, idx: usize, shape: Shape) {
    let side = if shape == Shape::Both { LatentSide::Either } else { LatentSide::Target } as u16;
    writer.put(Template::Alone, word.class() as u16, side, 1.0);
    if shape == Shape::Both {
        writer.put(Template::AloneTag, word.tag as u16, side, 1.0);
    }
    if labels.entities[idx] != 0 {
        writer.put(Template::AloneEntity, labels.entities[idx], side, 1.0);
    }
    if word.has_digit {
        writer.put(Template::AloneNumber, 0, side, 1.0);
    }
    if labels.negations[idx] {
        writer.put(Template::AloneNegation, 0, side, 1.0);
    }
}

/// Features of an aligned edge: heads (a, c), dependents (b, d).
fn edge_map<N: Numbering>(
    writer: &mut Writer<'_, N>,
    compared: &WordMatrix,
    labels: &[Labels; 2],
    [(a, c), (b, d)]: [(u32, u32); 2],
    shape: Shape,
) {
    let level = |source: u32, target: u32| compared.level(source as usize, target as usize);
    let (heads, dependents) = (level(a, c), level(b, d));
    // As in the paper, word features of an edge are weighted by the similarity of the words.
    let weight = likeness(heads) * likeness(dependents);
    let [first, second] = [(0, b), (1, d)].map(|(side, word): (usize, u32)| labels[side].relations[word as usize]);
    let relations = if first == second { RelationMatch::One } else { RelationMatch::Two };
    writer.put(Template::Edge, relations as u16, 0, 1.0);
    let (word, other) = (&compared.source.words[b as usize], &compared.target.words[d as usize]);
    let class = u16::from(shared_class(word, other).number());
    writer.put(Template::EdgeNodes, heads as u16, 0, weight);
    writer.put(Template::EdgeDependent, dependents as u16, class, weight);
    if shape == Shape::Both {
        writer.put(Template::EdgeRelations, first.min(second), first.max(second), 1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SentencePairs, SentenceScratch, describe_with};
    use super::*;
    use crate::id::LatentArgument;
    use crate::resources::Resources;
    use resay_learn::matching::Space;
    use resay_learn::matching::graph::GraphPart;
    use resay_learn::progress::Progress;
    use resay_learn::rng::SplitMix;
    use resay_text::{EnglishScratch, Head, Layers};
    use std::sync::Arc;

    const TEXTS: [(&str, &str); 6] = [
        ("Anna sold 12 old boats in Lima.", "In Lima, 13 boats were not bought by Anna."),
        ("The cat chased a small dog.", "A small dog chased the animal!"),
        ("He never left. She stayed at home.", "They stayed; nobody went away on 3 May."),
        ("Yes.", ""),
        ("", ""),
        ("one two two two", "two one"),
    ];

    fn pairs() -> (Vec<[Analysis; 2]>, Arc<Lexicon>) {
        let resources = Resources::bundled();
        let english = resources.english(Layers { chunks: false, ..Layers::ALL }).unwrap();
        let mut scratch = EnglishScratch::default();
        let pairs = TEXTS.map(|(a, b)| [a, b].map(|text| english.text(text, &mut scratch))).to_vec();
        (pairs, resources.lexicon_with_vectors().unwrap())
    }

    fn weights(n: usize, seed: u64) -> Vec<f64> {
        let mut random = SplitMix::new(seed);
        (0..n).map(|_| random.below(2001) as f64 / 1000.0 - 1.0).collect()
    }

    #[test]
    fn paraphrase_has_no_first_sentence() {
        let (pairs, lexicon) = pairs();
        let problem =
            SentencePairs::new(&pairs, vec![true; pairs.len()], &lexicon, Shape::Both, Progress::none()).unwrap();
        for (seed, ([source, target], parts)) in (0..).zip(pairs.iter().zip(problem.pairs())) {
            let swapped = [target.clone(), source.clone()];
            let swapped =
                describe_with([&swapped[0], &swapped[1]], &lexicon, Shape::Both, problem.catalogue()).unwrap();
            for seed in 10 * seed..10 * seed + 10 {
                let weights = weights(problem.catalogue().len(), seed);
                let [one, other] = [parts, &swapped].map(|parts| {
                    let choice = parts.best(&weights, None, &mut SentenceScratch::default()).unwrap();
                    parts.score(&choice.active, &weights)
                });
                assert!((one - other).abs() < 1e-9 * one.abs().max(1.0), "{:?}: {one} {other}", source.text);
            }
        }
    }

    #[test]
    fn entailment_looks_at_what_the_target_leaves_alone() {
        let (pairs, lexicon) = pairs();
        let problem =
            SentencePairs::new(&pairs, vec![true; pairs.len()], &lexicon, Shape::Target, Progress::none()).unwrap();
        let mut seen = [0; 3];
        for parts in problem.pairs() {
            for part in 0..parts.graph().n_parts() {
                let n_features = parts.part(part).len();
                match parts.graph().part(part) {
                    GraphPart::SourceWord(_) | GraphPart::SourceEdge(_) | GraphPart::TargetEdge(_) => {
                        assert_eq!(n_features, 0)
                    }
                    GraphPart::TargetWord(_) => seen[0] += usize::from(n_features > 0),
                    GraphPart::Word(..) => seen[1] += usize::from(n_features > 0),
                    GraphPart::Edge(..) => seen[2] += usize::from(n_features > 0),
                }
            }
        }
        assert!(seen.iter().all(|n| *n > 0), "{seen:?}");
        let catalogue = problem.catalogue();
        let alone = Key(Template::Alone, WordClass::Noun as u16, LatentSide::Target as u16);
        assert!(catalogue.number(alone).is_some(), "{:?}", catalogue.keys());
        let ids = (0..catalogue.len() as u32).filter_map(|number| catalogue.feature(number));
        for id in ids {
            assert!(!id.arguments.contains(&LatentArgument::Side(LatentSide::Source)), "{id:?}");
            assert_ne!(id.template, Template::EdgeAlone);
        }
    }

    #[test]
    fn features_are_those_of_the_parts_that_were_chosen() {
        let (pairs, lexicon) = pairs();
        for shape in [Shape::Both, Shape::Target] {
            let problem =
                SentencePairs::new(&pairs, vec![true; pairs.len()], &lexicon, shape, Progress::none()).unwrap();
            let weights = weights(problem.catalogue().len(), 5);
            for parts in problem.pairs() {
                let choice = parts.best(&weights, None, &mut SentenceScratch::default()).unwrap();
                let features = parts.features(&choice.active);
                assert!(features.is_sorted_by(|a, b| a.0 < b.0), "each once");
                let score: f64 = features.iter().map(|(feature, value)| weights[*feature as usize] * value).sum();
                let expected = parts.score(&choice.active, &weights);
                assert!((score - expected).abs() < 1e-9 * expected.abs().max(1.0), "{score} {expected}");
                let constant: f64 =
                    parts.constant().iter().map(|(f, value)| weights[*f as usize] * f64::from(*value)).sum();
                assert!((choice.score * parts.scale() + constant - expected).abs() < 1e-9 * expected.abs().max(1.0));
            }
        }
    }

    #[test]
    fn heads_that_run_in_a_circle_count_as_none() {
        let check = |heads: &[Option<usize>], expected: &[Option<u32>]| assert_eq!(forest(heads), expected);
        check(&[Some(1), None, Some(1)], &[Some(1), None, Some(1)]);
        check(&[Some(1), Some(0)], &[None, Some(0)]);
        check(&[Some(0)], &[None]);
        check(&[Some(1), Some(2), Some(1), Some(0)], &[None, None, Some(1), Some(0)]);
        check(&[], &[]);
        let (mut pairs, lexicon) = pairs();
        let [source, target] = &mut pairs[0];
        let n_words = source.words.len() as u32;
        for (idx, word) in (0..).zip(&mut source.words) {
            word.head = Some(Head::Word((idx + 1) % n_words));
        }
        target.words[0].head = Some(Head::Word(1000));
        target.words[1].head = None;
        let problem = SentencePairs::new(&pairs[..1], vec![true], &lexicon, Shape::Both, Progress::none()).unwrap();
        let graph = problem.pairs()[0].graph();
        assert_eq!(graph.source_edges().len(), n_words as usize - 1);
        let weights = vec![1.0; problem.catalogue().len()];
        assert!(problem.pairs()[0].best(&weights, None, &mut SentenceScratch::default()).is_ok());
    }
}
