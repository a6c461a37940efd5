//! How two texts are related: what a joint judgement sees of a pair.
//!
//! [`extract`] reads a [`PairView`], finds the edits that turn one text into the other, and
//! returns numbers in a fixed order ([`catalogue`]): edits by kind, words that only one text has, negation
//! and other operators, order, roles, what natural logic makes of it all, and the features of an
//! ensemble. Numbers that point at words come with their places.

mod edits;
mod ingredient;
mod logic;
mod operators;
mod order;
mod roles;
mod rules;
mod scope;
mod words;

pub use ingredient::Ingredient;

use crate::Result;
use crate::align::{Alignment, WordMatrix};
use crate::explain::{Place, What};
use crate::features::{self, Wanted};
use crate::id::{
    AloneMeasure, Detail, EditKind, LogicRelation, Operator, OrderMeasure, PolarityMeasure, RelationFeature,
    RoleMeasure, ScopeMeasure, SizeMeasure, TextRelation, TextSide, WordGroup,
};
use crate::latent::sentences::Shape;
use crate::pair::{Annotated, PairView};
use edits::{Edit, Edits};
use logic::RolesFound;
use resay_text::lexicon::{Lexicon, WordTable};
use resay_text::normalise::Normal;
use resay_text::phrases::Phrases;
use resay_text::{Analysis, English};
use words::Side;

/// Words that a feature points at.
#[derive(Clone, Debug, PartialEq)]
pub struct RelationEvidence {
    /// The index of the feature.
    pub feature: usize,
    /// The words.
    pub what: What,
    /// Where they are.
    pub place: Place,
}

/// What is seen of a pair.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RelationFeatures {
    /// One value per feature.
    pub values: Vec<f32>,
    /// The words that features point at, if wanted.
    pub evidence: Vec<RelationEvidence>,
    /// The rules that apply, ascending, each once.
    pub rules: Vec<u32>,
    /// The words of every rule, if wanted: [`RelationEvidence::feature`] is an index into `rules`.
    pub rule_evidence: Vec<RelationEvidence>,
}

struct Extractor {
    ids: Option<Vec<RelationFeature>>,
    wanted: Wanted,
    vector: RelationFeatures,
}

impl Extractor {
    fn put(&mut self, feature: RelationFeature, value: f32) -> usize {
        if let Some(ids) = &mut self.ids {
            ids.push(feature);
        }
        self.vector.values.push(value);
        self.vector.values.len() - 1
    }

    fn point(&mut self, feature: usize, sides: &[Side<'_>; 2], words: [&[u32]; 2]) {
        if self.wanted == Wanted::Evidence {
            self.vector.evidence.push(evidence(feature, sides, words));
        }
    }
}

/// Words as evidence for a feature.
fn evidence(feature: usize, sides: &[Side<'_>; 2], words: [&[u32]; 2]) -> RelationEvidence {
    let text = |side: usize| {
        let forms: Vec<&str> = words[side].iter().map(|word| sides[side].shown(*word as usize).0).collect();
        (!forms.is_empty()).then(|| forms.join(" "))
    };
    let spans = |side: usize| words[side].iter().map(|word| sides[side].shown(*word as usize).1).collect();
    let what = What::Phrase { source: text(0), target: text(1) };
    let place = Place { source: spans(0), target: spans(1) };
    RelationEvidence { feature, what, place }
}

/// What is needed beside the pair itself.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge<'a> {
    /// Gives the rarity of words.
    pub english: &'a English,
    /// What speakers know about phrases.
    pub phrases: &'a Phrases,
    /// What is not looked at; empty but where it is measured what an ingredient is worth.
    pub left_out: &'a [Ingredient],
}

/// Extracts all features of a pair. It sees canonical first names; evidence shows those of the texts.
pub fn extract(view: &PairView<'_>, knowledge: Knowledge<'_>, wanted: Wanted) -> Result<RelationFeatures> {
    match view.with_names_alike()? {
        Some(texts) => extract_masked(&view.with_texts(&texts), view.analyses(), knowledge, wanted),
        None => extract_masked(view, view.analyses(), knowledge, wanted),
    }
}

fn extract_masked(
    view: &PairView<'_>,
    shown: [&Analysis; 2],
    knowledge: Knowledge<'_>,
    wanted: Wanted,
) -> Result<RelationFeatures> {
    let base = features::extract(view, knowledge.english, Shape::Target, Wanted::Values)?;
    let rarity = |lower: &str| knowledge.english.rarity(lower);
    let has = |ingredient: Ingredient| !knowledge.left_out.contains(&ingredient);
    let (nothing_listed, nothing_read) = (Phrases::default(), Normal::default());
    let mut out = Extractor { ids: None, wanted, vector: RelationFeatures::default() };
    let parts = Parts {
        analyses: view.analyses(),
        shown,
        normal: if has(Ingredient::Normalisation) { view.texts().map(Annotated::normal) } else { [&nothing_read; 2] },
        compared: view.words()?,
        alignment: view.alignment()?,
        rarity: &rarity,
        phrases: if has(Ingredient::Lexicon) { knowledge.phrases } else { &nothing_listed },
        table: if has(Ingredient::WordTable) { Some(view.word_table()?) } else { None },
    };
    run(&mut out, &parts);
    out.vector.values.extend(base.values.into_iter().map(|value| value as f32));
    Ok(out.vector)
}

/// The ids of all features, in order. The last ones are the scores of rules: only a model has weights
/// for rules, so [`extract`] leaves them out.
pub fn catalogue() -> Vec<RelationFeature> {
    let (empty, normal) = (Analysis::default(), Normal::default());
    let compared = WordMatrix::new(&empty, &empty, &Lexicon::new());
    let mut out = Extractor { ids: Some(Vec::new()), wanted: Wanted::Values, vector: RelationFeatures::default() };
    let parts = Parts {
        analyses: [&empty; 2],
        shown: [&empty; 2],
        normal: [&normal; 2],
        compared: &compared,
        alignment: &Alignment::default(),
        rarity: &|_| 1.0,
        phrases: &Phrases::default(),
        table: None,
    };
    run(&mut out, &parts);
    let features = features::catalogue(Shape::Target).into_iter().map(RelationFeature::Feature);
    let rules = TextRelation::ALL.map(RelationFeature::Rules);
    out.ids.unwrap_or_default().into_iter().chain(features).chain(rules).collect()
}

struct Parts<'a> {
    analyses: [&'a Analysis; 2],
    /// The words as the user wrote them.
    shown: [&'a Analysis; 2],
    normal: [&'a Normal; 2],
    compared: &'a WordMatrix,
    alignment: &'a Alignment,
    rarity: &'a dyn Fn(&str) -> f64,
    phrases: &'a Phrases,
    /// `None` where the ids are listed, and where it is left out.
    table: Option<&'a WordTable>,
}

fn run(out: &mut Extractor, parts: &Parts<'_>) {
    let side = |side: usize| {
        let words = [parts.analyses[side], parts.shown[side]];
        Side::new(side, words, parts.normal[side], parts.compared, parts.rarity, parts.phrases)
    };
    let sides = [side(0), side(1)];
    let edits = Edits::find(&sides, parts.compared, parts.alignment, parts.phrases, parts.table);
    put_rules(out, &sides, &edits);
    put_edits(out, &sides, &edits);
    put_alone(out, &sides, &edits);
    for operator in Operator::ALL {
        let counts = [0, 1].map(|side: usize| operator.count(&sides[side]));
        out.put(RelationFeature::Operator(TextSide::Source, operator), counts[0]);
        out.put(RelationFeature::Operator(TextSide::Target, operator), counts[1]);
        out.put(RelationFeature::OperatorDiffers(operator), counts[1] - counts[0]);
    }
    let (values, inverted) = order::measure(&sides, &edits);
    for (measure, value) in OrderMeasure::ALL.into_iter().zip(values) {
        let feature = out.put(RelationFeature::Order(measure), value);
        if measure == OrderMeasure::InvertedNouns {
            for [(i, j), (k, l)] in &inverted {
                out.point(feature, &sides, [&[*i as u32, *k as u32], &[*l as u32, *j as u32]]);
            }
        }
    }
    let found = scope::measure(&sides, &edits);
    for measure in ScopeMeasure::ALL {
        let of_measure = || found.iter().filter(|one| one.measure == measure);
        let feature = out.put(RelationFeature::Scope(measure), of_measure().count() as f32);
        for one in of_measure() {
            out.point(feature, &sides, [&[one.source], &[one.target]]);
        }
    }
    let (roles, exchanged) = roles::measure(&sides, &edits);
    for (measure, value) in RoleMeasure::ALL.into_iter().zip(roles) {
        let feature = out.put(RelationFeature::Role(measure), value);
        if measure == RoleMeasure::Swapped {
            for (i, j) in &exchanged {
                out.point(feature, &sides, [&[*i as u32], &[*j as u32]]);
            }
        }
    }
    let found = RolesFound {
        n_swapped: roles[RoleMeasure::Swapped as usize].max(roles[RoleMeasure::SidesExchanged as usize]),
        n_kept_under_converse: roles[RoleMeasure::KeptUnderConverse as usize],
        n_swapped_under_converse: roles[RoleMeasure::SwappedUnderConverse as usize],
    };
    let logic = logic::find(&sides, &edits, found);
    for (measure, value) in PolarityMeasure::ALL.into_iter().zip(logic.polarity) {
        out.put(RelationFeature::Polarity(measure), value);
    }
    for (is_lenient, joined) in [false, true].into_iter().zip(logic.joined) {
        for relation in LogicRelation::ALL {
            out.put(RelationFeature::Logic { is_lenient, relation }, f32::from(u8::from(relation == joined)));
        }
    }
}

fn put_rules(out: &mut Extractor, sides: &[Side<'_>; 2], edits: &Edits) {
    if out.wanted != Wanted::Evidence {
        rules::each(sides, edits, |key, _| out.vector.rules.push(key));
    } else {
        let mut found = Vec::new();
        rules::each(sides, edits, |key, words| found.push((key, evidence(0, sides, words))));
        found.sort_by_key(|(key, _)| *key);
        out.vector.rules.extend(found.iter().map(|(key, _)| *key));
        out.vector.rules.dedup();
        out.vector.rule_evidence.extend(found.into_iter().map(|(key, evidence)| RelationEvidence {
            feature: out.vector.rules.partition_point(|other| *other < key),
            ..evidence
        }));
    }
    out.vector.rules.sort_unstable();
    out.vector.rules.dedup();
}

/// Groups whose edits are also counted by themselves.
const GROUPED: [WordGroup; 6] = [
    WordGroup::Verb,
    WordGroup::Noun,
    WordGroup::Name,
    WordGroup::Adjective,
    WordGroup::Adverb,
    WordGroup::Preposition,
];

/// Kinds that are counted by group.
const GROUPED_KINDS: [EditKind; 14] = [
    EditKind::Equal,
    EditKind::Synonym,
    EditKind::General,
    EditKind::Specific,
    EditKind::Hypernym,
    EditKind::Hyponym,
    EditKind::Opposite,
    EditKind::Antonym,
    EditKind::Alternative,
    EditKind::Converse,
    EditKind::Similar,
    EditKind::Unrelated,
    EditKind::RareSynonym,
    EditKind::Denied,
];

fn put_edits(out: &mut Extractor, sides: &[Side<'_>; 2], edits: &Edits) {
    let group = |edit: &Edit| {
        let of = |side: usize| edit.words[side].iter().map(move |word| sides[side].group[*word as usize]);
        of(0).chain(of(1)).min().unwrap_or(WordGroup::Mark)
    };
    let groups: Vec<WordGroup> = edits.edits.iter().map(group).collect();
    let is_mark = |at: &usize| groups[*at] == WordGroup::Mark;
    for kind in EditKind::ALL {
        let of_kind: Vec<usize> =
            (0..groups.len()).filter(|at| edits.edits[*at].kind == kind && !is_mark(at)).collect();
        let n_content = of_kind.iter().filter(|at| groups[**at].is_content()).count();
        let content = out.put(RelationFeature::Content(kind), n_content as f32);
        let function = out.put(RelationFeature::Function(kind), (of_kind.len() - n_content) as f32);
        for at in of_kind {
            let feature = if groups[at].is_content() { content } else { function };
            let edit = &edits.edits[at];
            out.point(feature, sides, [&edit.words[0], &edit.words[1]]);
        }
    }
    for group in GROUPED {
        for kind in GROUPED_KINDS {
            let n = (0..groups.len()).filter(|&at| groups[at] == group && edits.edits[at].kind == kind).count();
            out.put(RelationFeature::Grouped(group, kind), n as f32);
        }
    }
    let distance = |edit: &Edit| match edit.kind {
        EditKind::Same | EditKind::Normalised => 0.0,
        EditKind::Inflected => 0.05,
        EditKind::Equal | EditKind::Nickname => 0.1,
        EditKind::EqualByWay | EditKind::Converse | EditKind::Misspelt => 0.2,
        EditKind::Synonym | EditKind::Derived | EditKind::Paraphrase => 0.3,
        EditKind::RareSynonym => 0.4,
        EditKind::Similar => 1.0 - edit.cosine,
        EditKind::General | EditKind::Specific | EditKind::Hypernym | EditKind::Hyponym => 0.5,
        EditKind::NumberImplies | EditKind::NumberImplied | EditKind::NumberOverlaps => 0.5,
        EditKind::Unrelated => 0.8,
        EditKind::Opposite
        | EditKind::Antonym
        | EditKind::Denied
        | EditKind::Alternative
        | EditKind::NumberDiffers
        | EditKind::OtherName => 1.0,
    };
    let (mut largest, mut sum, mut n_content) = (0.0_f32, 0.0, 0);
    let (mut least_similar, mut least_similar_synonyms) = (1.0_f32, 1.0_f32);
    for (edit, _) in edits.edits.iter().zip(&groups).filter(|(_, group)| group.is_content()) {
        largest = largest.max(distance(edit));
        sum += distance(edit);
        n_content += 1;
        if matches!(edit.kind, EditKind::Similar | EditKind::Unrelated | EditKind::Alternative | EditKind::OtherName) {
            least_similar = least_similar.min(edit.cosine);
        }
        if matches!(
            edit.kind,
            EditKind::Synonym | EditKind::RareSynonym | EditKind::Derived | EditKind::Paraphrase | EditKind::EqualByWay
        ) {
            least_similar_synonyms = least_similar_synonyms.min(edit.cosine);
        }
    }
    let n =
        [0, 1].map(|side: usize| (0..sides[side].len()).filter(|&word| sides[side].is_content(word)).count() as f32);
    out.put(RelationFeature::Size(SizeMeasure::LargestEdit), largest);
    out.put(RelationFeature::Size(SizeMeasure::SumOfEdits), sum);
    out.put(RelationFeature::Size(SizeMeasure::MeanEdit), sum / n_content.max(1) as f32);
    out.put(RelationFeature::Size(SizeMeasure::LeastSimilar), least_similar);
    out.put(RelationFeature::Size(SizeMeasure::ContentSource), n[0]);
    out.put(RelationFeature::Size(SizeMeasure::ContentTarget), n[1]);
    out.put(RelationFeature::Size(SizeMeasure::WordsSource), sides[0].len() as f32);
    out.put(RelationFeature::Size(SizeMeasure::WordsTarget), sides[1].len() as f32);
    let is_same = sides[0].normal.is_same(sides[1].normal);
    out.put(RelationFeature::Size(SizeMeasure::SameNormalised), f32::from(u8::from(is_same)));
    out.put(RelationFeature::Size(SizeMeasure::LeastSimilarSynonyms), least_similar_synonyms);
}

fn put_alone(out: &mut Extractor, sides: &[Side<'_>; 2], edits: &Edits) {
    for (side, which) in [TextSide::Source, TextSide::Target].into_iter().enumerate() {
        let here = &sides[side];
        let alone: Vec<usize> = (0..here.len()).filter(|&word| edits.of[side][word].is_none()).collect();
        for group in WordGroup::ALL {
            let words: Vec<usize> = alone.iter().copied().filter(|&word| here.group[word] == group).collect();
            let feature = out.put(RelationFeature::Alone(which, group), words.len() as f32);
            for word in words.iter().filter(|_| group != WordGroup::Mark) {
                let word = [*word as u32];
                let words: [&[u32]; 2] = if side == 0 { [&word, &[]] } else { [&[], &word] };
                out.point(feature, sides, words);
            }
        }
        let content: Vec<usize> = alone.iter().copied().filter(|&word| here.is_content(word)).collect();
        for detail in Detail::ALL {
            let is_it = |word: &&usize| {
                let is_known = here.head[**word].is_some_and(|head| edits.of[side][head].is_some());
                is_known && detail.has(here.relation(**word))
            };
            out.put(RelationFeature::Detail(which, detail), content.iter().filter(is_it).count() as f32);
        }
        let rarity: f64 = content.iter().map(|&word| here.rarity[word]).sum();
        let all: f64 = (0..here.len()).filter(|&word| here.is_content(word)).map(|word| here.rarity[word]).sum();
        out.put(RelationFeature::AloneMeasure(which, AloneMeasure::Rarity), rarity as f32);
        out.put(
            RelationFeature::AloneMeasure(which, AloneMeasure::Share),
            if all > 0.0 { (rarity / all) as f32 } else { 0.0 },
        );
        let root = alone.iter().any(|&word| here.head[word].is_none() && here.is_content(word));
        out.put(RelationFeature::AloneMeasure(which, AloneMeasure::Root), f32::from(u8::from(root)));
    }
}
