//! A sentence as the aligner sees it: everything that features need of one word, computed once.

use super::memo::{Known, WordMemo};
use crate::id::{ChunkKind, WordClass, WordKind};
use resay_text::lexicon::{Lexicon, Term};
use resay_text::{Analysis, Head, Intern, Interner, Upos};
use std::sync::Arc;

/// Returns the kind of a word with this tag.
fn kind(tag: Option<Upos>) -> WordKind {
    use Upos::{Adp, Aux, Cconj, Det, Part, Pron, Punct, Sconj, Sym};
    match tag {
        Some(Adp | Aux | Cconj | Det | Part | Pron | Sconj) => WordKind::Function,
        Some(Punct | Sym) => WordKind::Mark,
        _ => WordKind::Content,
    }
}

/// The range of words of a chunk, and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: ChunkKind,
}

/// Returns the kind of a chunk with this label.
fn chunk_kind(label: &str) -> ChunkKind {
    match label {
        "NP" => ChunkKind::Np,
        "VP" => ChunkKind::Vp,
        "PP" => ChunkKind::Pp,
        "ADVP" => ChunkKind::Advp,
        "ADJP" => ChunkKind::Adjp,
        "SBAR" => ChunkKind::Sbar,
        _ => ChunkKind::Other,
    }
}

/// The number of tags; the last one stands for "no tag".
pub(super) const N_TAGS: usize = Upos::ALL.len() + 1;

/// One word. Symbols are numbered per pair, so that equal numbers are equal strings.
#[derive(Clone, Debug)]
pub(crate) struct AlignWord {
    /// As written.
    pub(super) form: u32,
    /// In lower case.
    pub(crate) lower: u32,
    /// The dictionary form in lower case.
    pub(crate) lemma: u32,
    pub(crate) stem: u32,
    pub(crate) kind: WordKind,
    /// The number of a universal tag, or the last of [`N_TAGS`].
    pub(crate) tag: usize,
    /// The fine-grained tag.
    pub(super) fine: u32,
    /// How often its lower-case form occurs in its sentence.
    pub(super) n_same: usize,
    pub(super) is_capital: bool,
    pub(crate) has_digit: bool,
    /// A form of be, do or have: 1, 2, 3; of a, an, one: 4; else 0.
    pub(super) light: u8,
    pub(super) chunk: Option<Chunk>,
    pub(crate) head: Option<usize>,
    pub(crate) relation: Option<u32>,
}

impl AlignWord {
    pub(crate) fn class(&self) -> WordClass {
        match (self.kind, Upos::ALL.get(self.tag)) {
            (WordKind::Function, _) => WordClass::Function,
            (WordKind::Mark, _) => WordClass::Mark,
            (_, Some(Upos::Num)) => WordClass::Number,
            (_, Some(Upos::Propn)) => WordClass::Name,
            (_, Some(Upos::Verb)) => WordClass::Verb,
            (_, Some(Upos::Adj | Upos::Adv)) => WordClass::Modifier,
            _ => WordClass::Noun,
        }
    }
}

/// One sentence of a pair.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) words: Vec<AlignWord>,
    pub(crate) known: Vec<Arc<Known>>,
    /// The dependents of each word, in order.
    pub(crate) dependents: Vec<Vec<usize>>,
}

impl Side {
    pub(super) fn new(analysis: &Analysis, lexicon: &Lexicon, symbols: &mut Interner, memo: &mut WordMemo) -> Self {
        let known = memo.words(analysis, lexicon);
        let chunks = chunks(analysis);
        let mut words: Vec<AlignWord> = Vec::with_capacity(known.len());
        for (idx, (word, known)) in analysis.words.iter().zip(&known).enumerate() {
            let term = &known.term;
            let form = analysis.form(idx);
            let light = match term.lemma() {
                "be" => 1,
                "do" => 2,
                "have" => 3,
                "a" | "an" | "one" => 4,
                _ => 0,
            };
            words.push(AlignWord {
                form: symbols.symbol(form),
                lower: symbols.symbol(term.form()),
                lemma: symbols.symbol(term.lemma()),
                stem: symbols.symbol(term.stem()),
                kind: kind(word.upos),
                tag: word.upos.map_or(N_TAGS - 1, |tag| tag as usize),
                fine: symbols.symbol(word.xpos.as_deref().unwrap_or("")),
                n_same: 1,
                is_capital: form.chars().next().is_some_and(char::is_uppercase),
                has_digit: form.chars().any(|character| character.is_ascii_digit()),
                light,
                chunk: chunks[idx],
                head: match word.head {
                    Some(Head::Word(head)) if (head as usize) < analysis.words.len() => Some(head as usize),
                    _ => None,
                },
                relation: word.relation.as_deref().map(|relation| symbols.symbol(relation)),
            });
        }
        let mut counts = vec![0; symbols.len()];
        words.iter().for_each(|word| counts[word.lower as usize] += 1);
        words.iter_mut().for_each(|word| word.n_same = counts[word.lower as usize]);
        let mut dependents = vec![Vec::new(); words.len()];
        for (idx, word) in words.iter().enumerate() {
            if let Some(head) = word.head {
                dependents[head].push(idx);
            }
        }
        Self { words, known, dependents }
    }

    /// Returns a word as the lexicon knows it.
    pub(crate) fn term(&self, word: usize) -> &Term {
        &self.known[word].term
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }
}

/// Returns the chunk of every word.
fn chunks(analysis: &Analysis) -> Vec<Option<Chunk>> {
    let mut found = vec![None; analysis.words.len()];
    for range in super::synthesis::chunks(analysis) {
        let label = analysis.words[range.start].chunk.as_deref().unwrap_or("");
        let label = label.split_once('-').map_or("", |(_, label)| label);
        let kind = chunk_kind(label);
        found[range.clone()].fill(Some(Chunk { start: range.start, end: range.end, kind }));
    }
    found
}
