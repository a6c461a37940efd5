//! Two sentences with every word of one compared with every word of the other, once. Features only
//! read from here.

use super::memo::WordMemo;
use super::strings::Similarities;
use super::words::Side;
use crate::id::{Level, WordClassPair, WordKind};
use resay_text::lexicon::{Lexicon, Relation, Relations};
use resay_text::{Analysis, Interner};

/// The relation between two words.
#[derive(Clone, Debug)]
pub(crate) struct WordPair {
    pub(crate) level: Level,
    pub(crate) word_class_pair: WordClassPair,
    pub(crate) relations: Relations,
    pub(crate) strings: Similarities,
    /// The cosine of their vectors if both have one; otherwise only if one is among the nearest
    /// words of the other.
    pub(crate) cosine: Option<f32>,
}

/// A pair of sentences, compared word by word.
#[derive(Clone, Debug)]
pub(crate) struct WordMatrix {
    pub(crate) source: Side,
    pub(crate) target: Side,
    /// One row per source word, one column per target word.
    cells: Vec<WordPair>,
    /// The level of every cell once more. Neighbours need nothing else, and one byte each stays in
    /// cache.
    levels: Vec<Level>,
    /// Whether another target word near this one is similar to the source word.
    near: Vec<bool>,
    /// Equal content words that occur exactly once in each sentence, in source order.
    pub(super) anchors: Vec<(usize, usize)>,
    /// The level of the most similar word in the other sentence, for every source and every target
    /// word.
    pub(crate) source_best: Vec<Level>,
    pub(crate) target_best: Vec<Level>,
}

const STRONG: [Relation; 6] = [
    Relation::Synonym,
    Relation::Ppdb,
    Relation::Derivation,
    Relation::Nickname,
    Relation::Synonym1,
    Relation::SimilarTo,
];
const WEAK: [Relation; 6] =
    [Relation::Similar, Relation::Hypernym, Relation::Hyponym, Relation::Entailment, Relation::Cause, Relation::Edit1];

impl WordMatrix {
    pub(crate) fn new(source: &Analysis, target: &Analysis, lexicon: &Lexicon) -> Self {
        Self::with(source, target, lexicon, &mut WordMemo::default())
    }

    /// Like [`Self::new`], with a cache shared by successive pairs.
    pub(crate) fn with(source: &Analysis, target: &Analysis, lexicon: &Lexicon, memo: &mut WordMemo) -> Self {
        let mut symbols = Interner::new();
        let source = Side::new(source, lexicon, &mut symbols, memo);
        let target = Side::new(target, lexicon, &mut symbols, memo);
        let strong: Relations = STRONG.into_iter().collect();
        let weak: Relations = WEAK.into_iter().collect();
        let mut cells = Vec::with_capacity(source.len() * target.len());
        for (i, a) in source.words.iter().enumerate() {
            for (j, b) in target.words.iter().enumerate() {
                let word_class_pair = WordClassPair::of(a.kind, b.kind);
                if a.lower == b.lower {
                    let (relations, cosine) = (Relations::NONE, Some(1.0));
                    let (level, strings) = (Level::Same, Similarities::EQUAL);
                    cells.push(WordPair { level, word_class_pair, relations, strings, cosine });
                    continue;
                }
                let (term_a, term_b) = (source.term(i), target.term(j));
                let is_mark = a.kind == WordKind::Mark || b.kind == WordKind::Mark;
                let relations = if is_mark { Relations::NONE } else { lexicon.relations(term_a, term_b) };
                let strings = if is_mark {
                    Similarities::NONE
                } else {
                    source.known[i].spelling.compare(&target.known[j].spelling)
                };
                let level = if a.lemma == b.lemma || a.stem == b.stem {
                    Level::Lemma
                } else if relations.intersects(strong) {
                    Level::Synonym
                } else if relations.intersects(weak) {
                    Level::Near
                } else if strings.levenshtein > 0.7 || strings.prefix > 0.6 {
                    Level::Spelling
                } else {
                    Level::None
                };
                let cosine = || lexicon.cosine(term_a, term_b).or_else(|| lexicon.similarity(term_a, term_b));
                let cosine = if is_mark { None } else { cosine() };
                cells.push(WordPair { level, word_class_pair, relations, strings, cosine });
            }
        }
        let levels: Vec<Level> = cells.iter().map(|cell| cell.level).collect();
        let near = near(&levels, target.len());
        let mut compared = Self {
            source,
            target,
            cells,
            levels,
            near,
            anchors: Vec::new(),
            source_best: Vec::new(),
            target_best: Vec::new(),
        };
        compared.source_best = vec![Level::None; compared.source.len()];
        compared.target_best = vec![Level::None; compared.target.len()];
        for i in 0..compared.source.len() {
            for j in 0..compared.target.len() {
                let level = compared.level(i, j);
                compared.source_best[i] = compared.source_best[i].max(level);
                compared.target_best[j] = compared.target_best[j].max(level);
                let (a, b) = (&compared.source.words[i], &compared.target.words[j]);
                if a.lower == b.lower && a.n_same == 1 && b.n_same == 1 && a.kind == WordKind::Content {
                    compared.anchors.push((i, j));
                }
            }
        }
        compared
    }

    pub(crate) fn cell(&self, source: usize, target: usize) -> &WordPair {
        &self.cells[source * self.target.len() + target]
    }

    /// Returns how similar two words are.
    pub(crate) fn level(&self, source: usize, target: usize) -> Level {
        self.levels[source * self.target.len() + target]
    }

    /// Returns whether another target word within [`NEAR`] words of this one is similar to the
    /// source word.
    pub(super) fn is_near(&self, source: usize, target: usize) -> bool {
        self.near[source * self.target.len() + target]
    }

    /// Returns how similar two words are, or `None` if a position lies outside its sentence.
    pub(super) fn level_at(&self, source: Option<usize>, target: Option<usize>) -> Option<Level> {
        let source = source.filter(|idx| *idx < self.source.len())?;
        let target = target.filter(|idx| *idx < self.target.len())?;
        Some(self.level(source, target))
    }
}

/// The maximal distance of words that are near each other.
pub(super) const NEAR: usize = 3;

/// Returns for each cell whether another cell near it in its row has similar words.
fn near(levels: &[Level], n_columns: usize) -> Vec<bool> {
    let mut near = vec![false; levels.len()];
    for (near, levels) in near.chunks_mut(n_columns.max(1)).zip(levels.chunks(n_columns.max(1))) {
        for (at, _) in levels.iter().enumerate().filter(|(_, level)| **level >= Level::Synonym) {
            near[at.saturating_sub(NEAR)..at].fill(true);
            near[at + 1..(at + NEAR + 1).min(n_columns)].fill(true);
        }
    }
    near
}
