//! The edits that turn one text into the other: which words and phrases correspond, and how the one
//! is related to the other.
//!
//! Candidates come from equal words, from equal expressions after normalisation, from the table of
//! phrases, from WordNet and the other word relations, from the word table, and from the aligner.
//! The best candidates are taken one after another; no word belongs to two edits. What remains is
//! said in one text only.

use super::words::Side;
use crate::align::{Alignment, Level, WordMatrix};
use crate::id::{EditKind, WordGroup};
use resay_text::lexicon::{Relation, WordTable};
use resay_text::normalise::{QuantityRelation, compare};
use resay_text::phrases::{PhraseRelation, Phrases};

impl EditKind {
    /// How much the edit counts for finding correspondences.
    fn weight(self) -> f64 {
        match self {
            Self::Same | Self::Normalised => 1.0,
            Self::Inflected => 0.97,
            Self::Equal | Self::Nickname => 0.93,
            Self::Converse | Self::Misspelt => 0.85,
            Self::Opposite | Self::EqualByWay => 0.8,
            Self::General | Self::Specific | Self::Antonym | Self::Denied => 0.76,
            Self::Synonym | Self::Derived => 0.7,
            Self::NumberDiffers | Self::NumberImplies | Self::NumberImplied | Self::NumberOverlaps => 0.6,
            Self::RareSynonym => 0.6,
            Self::Paraphrase => 0.55,
            Self::Hypernym | Self::Hyponym => 0.5,
            Self::Alternative => 0.72,
            Self::OtherName => 0.35,
            Self::Similar => 0.3,
            Self::Unrelated => 0.15,
        }
    }

    /// Whether the two say the same by themselves.
    pub(super) fn is_equal(self) -> bool {
        (self as u8) <= Self::Misspelt as u8 && self != Self::Paraphrase
    }

    /// Whether one denies the other.
    pub(super) fn is_opposite(self) -> bool {
        matches!(self, Self::Opposite | Self::Antonym | Self::Denied)
    }
}

/// Corresponding words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Edit {
    pub(super) kind: EditKind,
    /// The words of the source and those of the target, ascending.
    pub(super) words: [Vec<u32>; 2],
    /// The cosine of single words in the word table, 0 if unknown.
    pub(super) cosine: f32,
}

/// All edits of a pair, and the edit of every word.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    pub(super) edits: Vec<Edit>,
    /// For each word of either side, its edit.
    pub(super) of: [Vec<Option<usize>>; 2],
}

impl Edit {
    /// The two words, if there is one on either side.
    fn single(&self) -> Option<(u32, u32)> {
        match (&*self.words[0], &*self.words[1]) {
            ([i], [j]) => Some((*i, *j)),
            _ => None,
        }
    }
}

struct Candidate {
    edit: Edit,
    score: f64,
}

/// The least cosine of words in the same place that are called similar.
const SIMILAR: f32 = 0.5;

impl Edits {
    pub(super) fn find(
        sides: &[Side<'_>; 2],
        compared: &WordMatrix,
        alignment: &Alignment,
        phrases: &Phrases,
        table: Option<&WordTable>,
    ) -> Self {
        let mut candidates = Vec::new();
        let links: Vec<(usize, usize)> =
            alignment.links.iter().map(|link| (link.source as usize, link.target as usize)).collect();
        listed(sides, phrases, table, &mut candidates);
        words(sides, compared, &links, table, &mut candidates);
        normalised(sides, &mut candidates);
        quantities(sides, &mut candidates);
        for candidate in &mut candidates {
            candidate.score = score(candidate, sides, compared, &links);
        }
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.edit.words.cmp(&b.edit.words)));
        let mut found = Self { edits: Vec::new(), of: [0, 1].map(|side: usize| vec![None; sides[side].len()]) };
        for Candidate { edit, .. } in candidates {
            let is_free =
                (0..2).all(|side| edit.words[side].iter().all(|word| found.of[side][*word as usize].is_none()));
            if is_free {
                for side in 0..2 {
                    edit.words[side].iter().for_each(|word| found.of[side][*word as usize] = Some(found.edits.len()));
                }
                found.edits.push(edit);
            }
        }
        found
    }

    /// The edit of a word.
    pub(super) fn edit(&self, side: usize, word: usize) -> Option<&Edit> {
        self.of[side][word].map(|at| &self.edits[at])
    }

    /// The kind of the edit of a word.
    pub(super) fn kind(&self, side: usize, word: usize) -> Option<EditKind> {
        self.edit(side, word).map(|edit| edit.kind)
    }

    /// The first word that a word corresponds to.
    pub(super) fn partner(&self, side: usize, word: usize) -> Option<usize> {
        self.edit(side, word).and_then(|edit| edit.words[1 - side].first()).map(|word| *word as usize)
    }
}

fn single(kind: EditKind, i: usize, j: usize, cosine: f32) -> Candidate {
    Candidate { edit: Edit { kind, words: [vec![i as u32], vec![j as u32]], cosine }, score: 0.0 }
}

const DENYING: [&str; 8] = ["un", "in", "im", "dis", "ir", "il", "non", "non-"];

fn is_prefixed(a: &str, b: &str) -> bool {
    let denies = |a: &str, b: &str| b.len() > 3 && DENYING.iter().any(|start| a.strip_prefix(start) == Some(b));
    denies(a, b) || denies(b, a)
}

/// Pairs of single words.
fn words(
    sides: &[Side<'_>; 2],
    compared: &WordMatrix,
    links: &[(usize, usize)],
    table: Option<&WordTable>,
    out: &mut Vec<Candidate>,
) {
    let [source, target] = sides;
    let rows = [source, target].map(|side| {
        (0..side.len())
            .map(|word| if side.is_content(word) { table?.row(side.lower[word], side.lemma[word]) } else { None })
            .collect::<Vec<_>>()
    });
    // Where our own table relates two words, it is not asked what others say of them.
    let is_prefix = |i: u32, j: u32| is_prefixed(source.lemma[i as usize], target.lemma[j as usize]);
    out.retain(|one| !(one.edit.kind == EditKind::Opposite && one.edit.single().is_some_and(|(i, j)| is_prefix(i, j))));
    let known: Vec<(u32, u32)> = out.iter().filter_map(|one| one.edit.single()).collect();
    for i in 0..source.len() {
        for j in 0..target.len() {
            let (a, b) = (source.group[i], target.group[j]);
            if (a == WordGroup::Mark) != (b == WordGroup::Mark) {
                continue;
            }
            let level = compared.level(i, j);
            if level >= Level::Lemma {
                let kind = if level == Level::Same { EditKind::Same } else { EditKind::Inflected };
                out.push(single(kind, i, j, 1.0));
                continue;
            }
            if a == WordGroup::Mark || known.contains(&(i as u32, j as u32)) {
                continue;
            }
            let cell = compared.cell(i, j);
            let has = |relation: Relation| cell.relations.contains(relation);
            let cosine = match (table, rows[0][i], rows[1][j]) {
                (Some(table), Some(a), Some(b)) => table.cosine(a, b),
                _ => 0.0,
            };
            let is_content = a.is_content() && b.is_content();
            let is_same_group = a == b;
            let kind = if has(Relation::Nickname) {
                Some(EditKind::Nickname)
            } else if is_content && is_prefixed(source.lemma[i], target.lemma[j]) {
                Some(EditKind::Denied)
            } else if has(Relation::Antonym) {
                Some(EditKind::Antonym)
            } else if is_content && has(Relation::Synonym1) {
                Some(EditKind::Synonym)
            } else if is_content && has(Relation::Synonym) {
                Some(EditKind::RareSynonym)
            } else if is_content && has(Relation::Derivation) {
                Some(EditKind::Derived)
            } else if is_content && (has(Relation::Hypernym) || has(Relation::Entailment)) {
                Some(EditKind::Hypernym)
            } else if is_content && has(Relation::Hyponym) {
                Some(EditKind::Hyponym)
            } else if is_content && (has(Relation::Ppdb) || has(Relation::SimilarTo)) {
                Some(EditKind::Paraphrase)
            } else if has(Relation::Edit1)
                && source.lower[i].len() > 4
                && (source.rarity[i] >= 1.0 || target.rarity[j] >= 1.0)
                && a != WordGroup::Number
            {
                Some(EditKind::Misspelt)
            } else {
                None
            };
            if let Some(kind) = kind {
                out.push(single(kind, i, j, cosine));
                continue;
            }
            let is_linked = links.contains(&(i, j));
            let fits = || {
                let heads = (source.head[i], target.head[j]);
                let is_same_head = match heads {
                    (Some(a), Some(b)) => compared.level(a, b) >= Level::Synonym,
                    (None, None) => true,
                    _ => false,
                };
                is_same_head && source.relation(i) == target.relation(j)
            };
            if a == WordGroup::Name && b == WordGroup::Name {
                if is_linked || fits() {
                    out.push(single(EditKind::OtherName, i, j, cosine));
                }
            } else if is_content && a != WordGroup::Number && b != WordGroup::Number {
                if cosine >= SIMILAR {
                    out.push(single(EditKind::Similar, i, j, cosine));
                } else if is_linked || (is_same_group && fits()) {
                    out.push(single(EditKind::Unrelated, i, j, cosine));
                }
            } else if is_same_group && !is_content && a != WordGroup::Filler && (is_linked || fits()) {
                out.push(single(EditKind::Unrelated, i, j, cosine));
            }
        }
    }
}

/// Stretches that are equal after normalisation, and not as they stand.
fn normalised(sides: &[Side<'_>; 2], out: &mut Vec<Candidate>) {
    // The words of one contraction share a place: none of them has one of its own.
    let [source, target] = sides;
    let all = [source, target].map(|side| side.normal.tokens().collect::<Vec<_>>());
    let is_own = |side: usize, at: usize| {
        let shares = |other: usize| all[side].get(other).is_some_and(|token| token.span == all[side][at].span);
        let before = at > 0 && shares(at - 1);
        !(before || shares(at + 1))
    };
    for (_, a) in all[0].iter().enumerate().filter(|(at, _)| is_own(0, *at)) {
        for (j, b) in all[1].iter().enumerate().filter(|(_, b)| a.form == b.form) {
            let words = [source.words_in(a.span), target.words_in(b.span)];
            let is_plain = words.iter().all(|words| words.len() == 1)
                && source.lower[words[0].start] == target.lower[words[1].start];
            if is_plain || !is_own(1, j) || words.iter().any(|words| words.is_empty()) {
                continue;
            }
            let words = words.map(|words| words.map(|word| word as u32).collect());
            out.push(Candidate { edit: Edit { kind: EditKind::Normalised, words, cosine: 1.0 }, score: 0.0 });
        }
    }
}

/// Numbers, amounts, dates and times.
fn quantities(sides: &[Side<'_>; 2], out: &mut Vec<Candidate>) {
    let [source, target] = sides;
    for a in source.normal.quantities() {
        for b in target.normal.quantities() {
            let kind = match compare(a, b) {
                QuantityRelation::Equal => EditKind::Normalised,
                QuantityRelation::FirstImplies => EditKind::NumberImplies,
                QuantityRelation::SecondImplies => EditKind::NumberImplied,
                QuantityRelation::Disjoint => EditKind::NumberDiffers,
                QuantityRelation::Overlapping => EditKind::NumberOverlaps,
                QuantityRelation::Incomparable => continue,
            };
            let words = [source.words_in(a.span), target.words_in(b.span)];
            if words.iter().any(|words| words.is_empty()) {
                continue;
            }
            let words = words.map(|words| words.map(|word| word as u32).collect());
            out.push(Candidate { edit: Edit { kind, words, cosine: 0.0 }, score: 0.0 });
        }
    }
}

/// Phrases that the table relates.
fn listed(sides: &[Side<'_>; 2], phrases: &Phrases, table: Option<&WordTable>, out: &mut Vec<Candidate>) {
    let [source, target] = sides;
    for a in &source.phrases {
        for b in &target.phrases {
            let relations = phrases.between(a.phrase, b.phrase);
            if relations.is_empty() {
                continue;
            }
            let kinds = [
                (PhraseRelation::Equal, EditKind::Equal),
                (PhraseRelation::Converse, EditKind::Converse),
                (PhraseRelation::Opposite, EditKind::Opposite),
                (PhraseRelation::Forward, EditKind::General),
                (PhraseRelation::Backward, EditKind::Specific),
                (PhraseRelation::Alternative, EditKind::Alternative),
            ];
            // "buy" and "sell" are called opposites, too; the roles decide.
            let is_known = |relation: PhraseRelation| {
                relations.is_listed(relation)
                    || (relation == PhraseRelation::Converse
                        && !relations.is_listed(PhraseRelation::Equal)
                        && relations.has(relation))
            };
            let listed = kinds.iter().find(|(relation, _)| is_known(*relation));
            let Some(&(relation, kind)) =
                listed.or_else(|| kinds.iter().find(|(relation, _)| relations.has(*relation)))
            else {
                continue;
            };
            if !kind.is_equal() && kind != EditKind::Converse && is_said_on_both(sides, &a.words, &b.words) {
                continue;
            }
            let is_derived = !relations.is_listed(relation);
            let kind = if kind == EditKind::Equal && is_derived { EditKind::EqualByWay } else { kind };
            let mut edit = Edit { kind, words: [a.words.clone(), b.words.clone()], cosine: 0.0 };
            if let (Some(table), Some((i, j))) = (table, edit.single()) {
                let row = |side: &Side<'_>, word: u32| table.row(side.lower[word as usize], side.lemma[word as usize]);
                if let (Some(a), Some(b)) = (row(source, i), row(target, j)) {
                    edit.cosine = table.cosine(a, b);
                }
            }
            out.push(Candidate { edit, score: 0.0 });
        }
    }
}

/// Whether the other text has all content words of both phrases, too: in "by card or in cash" and "in
/// cash or by card" nothing is replaced.
fn is_said_on_both(sides: &[Side<'_>; 2], source: &[u32], target: &[u32]) -> bool {
    let has_all = |words: &[u32], side: usize| {
        let here = &sides[side];
        words
            .iter()
            .map(|word| *word as usize)
            .all(|word| !here.is_content(word) || sides[1 - side].lemma.contains(&here.lemma[word]))
    };
    let has_content = |words: &[u32], side: usize| words.iter().any(|word| sides[side].is_content(*word as usize));
    has_content(source, 0) && has_content(target, 1) && has_all(source, 0) && has_all(target, 1)
}

/// How good a candidate is: by its kind, how much its words say, and how well it fits in.
fn score(candidate: &Candidate, sides: &[Side<'_>; 2], compared: &WordMatrix, links: &[(usize, usize)]) -> f64 {
    let edit = &candidate.edit;
    let mass = |side: usize| {
        let of = |&word: &u32| match sides[side].group[word as usize] {
            WordGroup::Mark => 0.1,
            group if group.is_content() => 1.0,
            WordGroup::Filler => 0.2,
            _ => 0.4,
        };
        edit.words[side].iter().map(of).sum::<f64>()
    };
    let mut score = edit.kind.weight() * 0.5 * (mass(0) + mass(1));
    let (i, j) = (edit.words[0][0] as usize, edit.words[1][0] as usize);
    let is_linked =
        edit.words[0].iter().any(|&i| edit.words[1].iter().any(|&j| links.contains(&(i as usize, j as usize))));
    score += if is_linked { 0.3 } else { 0.0 };
    score += if sides[0].relation(i) == sides[1].relation(j) { 0.08 } else { 0.0 };
    if let (Some(a), Some(b)) = (sides[0].head[i], sides[1].head[j])
        && compared.level(a, b) >= Level::Synonym
    {
        score += 0.08;
    }
    let beside = |by: isize| {
        let at = |word: usize, length: usize| word.checked_add_signed(by).filter(|word| *word < length);
        at(i, sides[0].len()).zip(at(j, sides[1].len())).is_some_and(|(i, j)| compared.level(i, j) >= Level::Lemma)
    };
    score += 0.1 * f64::from(u8::from(beside(-1)) + u8::from(beside(1)));
    let place = |word: usize, length: usize| word as f64 / length.max(1) as f64;
    score - 0.15 * (place(i, sides[0].len()) - place(j, sides[1].len())).abs() + 0.05 * f64::from(edit.cosine)
}
