//! The features of links, in named templates. Each template is one file and is switched on or off
//! by name.
//!
//! A template lists the ids of its features once; after that features are numbers. The features of
//! two words also count in every phrase that pairs these two (see [`super::table`]), so that a
//! phrase of three equal words is worth exactly as much as three links. The paper reaches the same
//! fair weight of phrases by multiplying. In addition, a template may have features of an unaligned
//! word and of a phrase as a whole.

mod bias;
mod chunks;
mod conjunctions;
mod context;
mod distortion;
mod first_pass;
mod heads;
mod lemma;
mod names;
mod order;
mod phrases;
mod position;
mod ppdb;
mod rivals;
mod string;
mod tags;
mod vectors;
mod wordnet;

use super::compared::WordMatrix;
use super::first::FirstPass;
use crate::id::AlignFeature;
use crate::{Error, Result};
pub(super) use distortion::Distortion;
pub(super) use first_pass::FirstPassFeatures;
use resay_text::Layers;
use std::ops::Range;

/// A span of source words and a span of target words, at least one of them longer than one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) source: usize,
    pub(super) n_source: usize,
    pub(super) target: usize,
    pub(super) n_target: usize,
}

impl Stretch {
    /// Collects the word pairs of a phrase: in order if both sides are equally long; otherwise each
    /// word of the shorter side with the most similar word of the other.
    pub(super) fn members(self, pair: &WordMatrix, members: &mut Vec<(usize, usize)>) {
        members.clear();
        let Self { source, n_source, target, n_target } = self;
        if n_source == n_target {
            members.extend((0..n_source).map(|at| (source + at, target + at)));
        } else if n_source < n_target {
            for i in source..source + n_source {
                let best = (target..target + n_target).rev().max_by_key(|&j| pair.level(i, j));
                members.extend(best.map(|j| (i, j)));
            }
        } else {
            for j in target..target + n_target {
                let best = (source..source + n_source).rev().max_by_key(|&i| pair.level(i, j));
                members.extend(best.map(|i| (i, j)));
            }
        }
    }
}

/// Receives features, numbered from the first one of the template.
pub(super) struct Out<'a> {
    base: usize,
    list: &'a mut Vec<(u16, f32)>,
}

impl Out<'_> {
    pub(super) fn flag(&mut self, feature: usize) {
        self.value(feature, 1.0);
    }

    pub(super) fn value(&mut self, feature: usize, value: f32) {
        self.list.push(((self.base + feature) as u16, value));
    }
}

/// A group of features under one name.
pub(super) trait FeatureTemplate: Sync {
    /// The name that switches it on.
    fn name(&self) -> &'static str;
    /// Describes what it uses, in one line.
    fn what(&self) -> &'static str;
    /// Returns the annotation layers that it needs.
    fn layers(&self) -> Layers {
        Layers::LEMMAS
    }
    /// Returns its features, by number.
    fn features(&self) -> Vec<AlignFeature>;
    /// Extracts the features of two words.
    fn words(&self, _pair: &WordMatrix, _source: usize, _target: usize, _out: &mut Out) {}
    /// Extracts the features of an unaligned word of the viewed side.
    fn null(&self, _view: &View, _word: usize, _out: &mut Out) {}
    /// Extracts the features of a phrase beyond those of its words; `members` are its word pairs.
    fn phrase(&self, _pair: &WordMatrix, _stretch: Stretch, _members: &[(usize, usize)], _out: &mut Out) {}
}

/// A pair seen from one side.
pub(super) struct View<'a> {
    pub(super) pair: &'a WordMatrix,
    /// Whether it is seen from the target.
    pub(super) is_turned: bool,
}

impl View<'_> {
    pub(super) fn side(&self) -> &super::words::Side {
        if self.is_turned { &self.pair.target } else { &self.pair.source }
    }

    pub(super) fn other(&self) -> &super::words::Side {
        if self.is_turned { &self.pair.source } else { &self.pair.target }
    }

    /// Returns, for every word of this side, the level of the most similar word of the other.
    pub(super) fn best(&self) -> &[crate::id::Level] {
        if self.is_turned { &self.pair.target_best } else { &self.pair.source_best }
    }
}

/// All templates.
const ALL: [&dyn FeatureTemplate; 18] = [
    &bias::Bias,
    &string::Strings,
    &lemma::Lemmas,
    &tags::Tags,
    &position::Position,
    &wordnet::WordNetRelations,
    &ppdb::Paraphrases,
    &vectors::Vectors,
    &names::Names,
    &Distortion,
    &context::Context,
    &order::Order,
    &rivals::Rivals,
    &conjunctions::Conjunctions,
    &chunks::Chunks,
    &heads::Heads,
    &phrases::Phrases,
    &FirstPassFeatures,
];

/// Returns the names and descriptions of all templates, in the order of their numbering.
pub fn feature_templates() -> impl Iterator<Item = (&'static str, &'static str)> {
    ALL.iter().map(|piece| (piece.name(), piece.what()))
}

/// Several templates with their features numbered without gaps.
#[derive(Clone)]
pub(super) struct Catalogue {
    pieces: Vec<(&'static dyn FeatureTemplate, usize)>,
    features: Vec<AlignFeature>,
    /// The range of the step features, if there are any.
    distortion: Option<Range<usize>>,
    /// The first feature of the second pass, if there is one; all later ones belong to it.
    second: Option<usize>,
}

impl std::fmt::Debug for Catalogue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self.pieces.iter().map(|(piece, _)| piece.name())).finish()
    }
}

impl Catalogue {
    /// Selects the templates with these names, in the order of the whole list, whatever the order
    /// of the names.
    pub(super) fn new<S: AsRef<str>>(names: &[S]) -> Result<Self> {
        for name in names {
            if !ALL.iter().any(|piece| piece.name() == name.as_ref()) {
                let known: Vec<&str> = ALL.iter().map(|piece| piece.name()).collect();
                let name = name.as_ref();
                let message = format!("no features are named '{name}', expected some of: {}", known.join(", "));
                return Err(Error::parameter(message));
            }
        }
        let mut catalogue = Self { pieces: Vec::new(), features: Vec::new(), distortion: None, second: None };
        for piece in ALL.into_iter().filter(|piece| names.iter().any(|name| name.as_ref() == piece.name())) {
            let base = catalogue.features.len();
            catalogue.pieces.push((piece, base));
            catalogue.features.extend(piece.features());
            if piece.name() == Distortion.name() {
                catalogue.distortion = Some(base..catalogue.features.len());
            }
            if piece.name() == FirstPassFeatures.name() {
                catalogue.second = Some(base);
            }
        }
        Ok(catalogue)
    }

    /// Returns all features, by number.
    pub(super) fn features(&self) -> &[AlignFeature] {
        &self.features
    }

    /// Returns the range of the step features, if there are any.
    pub(super) fn distortion(&self) -> Option<Range<usize>> {
        self.distortion.clone()
    }

    /// Returns the number of features of the first pass, if there are two passes.
    pub(super) fn second(&self) -> Option<usize> {
        self.second
    }

    /// Extracts the features of two words that only the second pass has.
    pub(super) fn second_words(
        &self,
        pair: &WordMatrix,
        first: &FirstPass,
        source: usize,
        target: usize,
        list: &mut Vec<(u16, f32)>,
    ) {
        if let Some(base) = self.second {
            FirstPassFeatures::of_words(first, pair, source, target, &mut Out { base, list });
        }
    }

    /// Extracts the features of an unaligned word that only the second pass has.
    pub(super) fn second_null(&self, view: &View, first: &FirstPass, word: usize, list: &mut Vec<(u16, f32)>) {
        if let Some(base) = self.second {
            FirstPassFeatures::of_null(first, view.pair, view.is_turned, word, &mut Out { base, list });
        }
    }

    /// Extracts the features of a phrase that only the second pass has.
    pub(super) fn second_phrase(&self, first: &FirstPass, stretch: Stretch, list: &mut Vec<(u16, f32)>) {
        if let Some(base) = self.second {
            FirstPassFeatures::of_phrase(first, stretch, &mut Out { base, list });
        }
    }

    /// Returns all annotation layers that the templates need.
    pub(super) fn layers(&self) -> Layers {
        self.pieces.iter().fold(Layers::LEMMAS, |layers, (piece, _)| layers | piece.layers())
    }

    pub(super) fn words(&self, pair: &WordMatrix, source: usize, target: usize, list: &mut Vec<(u16, f32)>) {
        for &(piece, base) in &self.pieces {
            piece.words(pair, source, target, &mut Out { base, list });
        }
    }

    pub(super) fn null(&self, view: &View, word: usize, list: &mut Vec<(u16, f32)>) {
        for &(piece, base) in &self.pieces {
            piece.null(view, word, &mut Out { base, list });
        }
    }

    pub(super) fn phrase(
        &self,
        pair: &WordMatrix,
        stretch: Stretch,
        members: &[(usize, usize)],
        list: &mut Vec<(u16, f32)>,
    ) {
        for &(piece, base) in &self.pieces {
            piece.phrase(pair, stretch, members, &mut Out { base, list });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{Row, Shapes, visit};
    use super::super::truth::corpus;
    use super::*;
    use crate::resources::Resources;
    use std::collections::{BTreeMap, BTreeSet};

    /// Pairs that between them trigger every template.
    const PAIRS: [(&str, &str); 8] = [
        ("the two dogs barked at a man , loudly", "a man heard two dogs bark , the dogs barked loudly"),
        ("Bill paid $ 20 to the UN in 1990 .", "William gave 25 dollars to the United Nations in 1991 ."),
        ("the well known web site opened", "the well-known website was opened"),
        ("he bought an old car and sold one house", "she has purchased a car , he did sell a house"),
        ("Smyth killed the elephant", "the elephant was murdered by Smith"),
        ("rain", "heavy rain fell on the big city"),
        ("a b c d e f g h i j k l m n o p q r s t", "t a"),
        ("It is very good news that prices fell", "That prices rose is bad news"),
    ];

    #[test]
    fn every_piece_stays_within_its_own_features() {
        let lexicon = Resources::bundled().lexicon_with_vectors().unwrap();
        for piece in ALL {
            let catalogue = Catalogue::new(&[piece.name()]).unwrap();
            let ids: BTreeSet<&AlignFeature> = catalogue.features().iter().collect();
            assert_eq!(ids.len(), catalogue.features().len(), "{}: a feature that stands twice", piece.name());
            assert!(!piece.what().is_empty());
            let mut seen: BTreeMap<u16, usize> = BTreeMap::new();
            for (source, target) in &corpus(&PAIRS) {
                let pair = WordMatrix::new(source, target, &lexicon);
                let shapes = Shapes::new(source.words.len(), target.words.len(), 3).unwrap();
                visit(&catalogue, &pair, None, &shapes, |_, features, _| {
                    for (feature, value) in features {
                        assert!(value.is_finite(), "{}: {value}", piece.name());
                        *seen.entry(*feature).or_default() += 1;
                    }
                });
            }
            let last = seen.last_key_value().map_or(0, |(last, _)| usize::from(*last));
            assert!(last < catalogue.features().len(), "{}: feature {last}", piece.name());
            // Steps are features of the lattice, and a second pass needs a first one.
            let needs_more = matches!(piece.name(), "distortion" | "first-pass");
            assert_eq!(seen.is_empty(), needs_more, "{}", piece.name());
        }
    }

    /// Returns the features of these two words.
    fn said(piece: &str, texts: (&str, &str), wanted: (usize, usize)) -> Vec<AlignFeature> {
        let lexicon = Resources::bundled().lexicon_with_vectors().unwrap();
        let (source, target) = &corpus(&[texts])[0];
        let pair = WordMatrix::new(source, target, &lexicon);
        let catalogue = Catalogue::new(&[piece]).unwrap();
        let shapes = Shapes::new(source.words.len(), target.words.len(), 3).unwrap();
        let mut said = Vec::new();
        visit(&catalogue, &pair, None, &shapes, |row, features, _| {
            if matches!(row, Row::Words(i, j) if (i, j) == wanted) {
                said.extend(features.iter().map(|(feature, _)| catalogue.features()[*feature as usize]));
            }
        });
        said
    }

    #[test]
    fn pieces_say_what_their_ids_say() {
        use crate::id::{
            CoarseLevel, CosineOver, Flanks, HeadMatch, Level, LightWords, NameClue, NeighboursAlike, Repetition,
            Rival, TagMatch, WordClassPair, WordMatch, WordNetRelation,
        };
        use AlignFeature as Id;
        use resay_text::Upos;
        let check = |piece: &str, texts: (&str, &str), words: (usize, usize), expected: AlignFeature| {
            let said = said(piece, texts, words);
            assert!(said.contains(&expected), "{texts:?} {words:?}: {said:?}, expected {expected:?}");
        };
        let content = WordClassPair::Content;
        check("bias", ("the dog", "the dog"), (1, 1), Id::Link(content));
        check("bias", ("the dog", "the dog"), (0, 1), Id::Link(WordClassPair::Mixed));
        check("string", ("The dog", "the dog"), (0, 0), Id::Same(WordClassPair::Function));
        check("string", ("a dog", "an eel"), (0, 0), Id::Light(LightWords::Article));
        check("lemma", ("dogs bark", "a dog"), (0, 1), Id::OneLemma(content));
        check("wordnet", ("a car", "one automobile"), (1, 1), Id::WordNet(WordNetRelation::Synonym, TagMatch::Same));
        let killed = ("they killed him", "they murdered him");
        check("ppdb", killed, (1, 1), Id::Paraphrase(TagMatch::Same, content));
        check("vectors", killed, (1, 1), Id::CosineStep(CosineOver::P40, TagMatch::Same, content));
        check("names", ("Bill left", "William left"), (0, 0), Id::Name(NameClue::Nickname));
        check("names", ("in 1990", "in 1991"), (1, 1), Id::Name(NameClue::OtherNumber));
        let bread = ("we saw bread there", "we saw Monday there");
        check("context", bread, (2, 2), Id::Neighbours(NeighboursAlike::Both, CoarseLevel::Other, content));
        let once = Id::Conjunction(Level::None, Flanks::Both, TagMatch::Other, Repetition::Once, content);
        check("conjunctions", bread, (2, 2), once);
        let ate = ("dogs ate old bread", "dogs ate new bread");
        check("order", ate, (2, 2), Id::BetweenAnchors(WordMatch::Other, content));
        check("rivals", ("bread", "bread Monday"), (0, 1), Id::Rivals(Rival::Source, CoarseLevel::Other, content));
        check("position", ("a b c", "a b d"), (2, 2), Id::BothLast);
        let heads = Id::Heads(HeadMatch::AlikeByOneRelation, CoarseLevel::Same, content);
        check("heads", ("dogs bark", "dogs bark"), (0, 0), heads);
        let slept = ("the old dog slept", "the old cat slept");
        check("chunks", slept, (2, 2), Id::ChunkShare(WordMatch::Other, content));
        let nouns = Id::TagPair(WordMatch::Other, Some(Upos::Noun), Some(Upos::Noun));
        check("pos", ("dogs bark", "cats bark"), (0, 0), nouns);
    }

    #[test]
    fn every_feature_has_a_code_of_its_own() {
        let names: Vec<&str> = feature_templates().map(|(name, _)| name).collect();
        let catalogue = Catalogue::new(&names).unwrap();
        let codes: BTreeMap<u64, AlignFeature> = catalogue.features().iter().map(|id| (id.code(), *id)).collect();
        assert_eq!((codes.len(), catalogue.features().len()), (2728, 2728));
        for (code, feature) in codes {
            assert_eq!(AlignFeature::from_code(code), Ok(feature));
        }
    }

    #[test]
    fn unknown_names_are_refused_with_those_there_are() {
        let error = Catalogue::new(&["bias", "colour"]).unwrap_err().to_string();
        assert!(error.contains("'colour'") && error.contains("bias, string, lemma"), "{error}");
    }
}
