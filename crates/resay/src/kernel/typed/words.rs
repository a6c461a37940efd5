//! Maps the words of sentences to words of the lexicon. Each is looked up once, numbered, and
//! stored with all words it is related to.
//!
//! A word is its form plus its annotation: "saw" the noun and "saw" the verb are two words here.
//! Sentences without annotation consist of tokens, used as they are.

use super::TypedPair;
use crate::Result;
use rayon::prelude::*;
use resay_learn::progress::Progress;
use resay_text::lexicon::{Lexicon, Neighbours, Relations, Term};
use resay_text::{Intern, Interner, Pair, Sentence, Word};
use std::sync::{Arc, Mutex, PoisonError};

/// Which words of a pair may be linked wildcards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkTypes {
    /// The relations that link a source word to a target word.
    pub types: Relations,
    /// Whether two pairs also share a link that has another type in each. The paper's definition
    /// 2.2 allows it, its Algorithm 1 does not.
    pub is_any: bool,
}

impl From<Relations> for LinkTypes {
    fn from(types: Relations) -> Self {
        Self { types, is_any: false }
    }
}

impl LinkTypes {
    /// The types of a link as bits: two pairs share it if they have a bit in common.
    fn bits(self, lexicon: &Lexicon, source: &Term, target: &Term) -> u64 {
        let found = lexicon.relations_among(source, target, self.types);
        if self.is_any { u64::from(!found.is_empty()) } else { found.bits() }
    }

    /// As the kernel expression has it.
    pub(super) fn show(self, lexicon: &Lexicon) -> String {
        let types = lexicon.show(self.types);
        if self.is_any { format!("any({types})") } else { types }
    }
}

/// The relations that make words match, and those that link them.
#[derive(Debug)]
pub(super) struct Scheme {
    pub(super) lexicon: Arc<Lexicon>,
    pub(super) pattern: Relations,
    pub(super) variable: LinkTypes,
    /// The corpus bound last. Kernels that share this scheme are usually bound to the same pairs
    /// next.
    last: Mutex<Option<Arc<Corpus>>>,
}

/// The words of a corpus.
#[derive(Debug)]
pub(super) struct Corpus {
    words: Interner,
    neighbours: Neighbours,
    pub(super) pairs: Vec<TypedPair>,
    /// For every word, the related words, ascending.
    pub(super) related: Arc<Vec<Vec<u32>>>,
    /// Whether every relation is symmetric.
    pub(super) is_symmetric: bool,
}

/// Pairs in the form that [`super::TypedIndex`] takes.
#[derive(Clone, Debug)]
pub struct TypedCorpus {
    /// Their words are numbered jointly, in order of appearance.
    pub pairs: Vec<TypedPair>,
    /// For every word, the words related to it by some pattern type, ascending.
    pub related: Arc<Vec<Vec<u32>>>,
}

/// Looks up every word of the pairs once, with all words it is related to.
pub fn typed_corpus(
    lexicon: Arc<Lexicon>,
    pattern: Relations,
    variable: impl Into<LinkTypes>,
    columns: &[Pair],
    progress: Progress<'_>,
) -> Result<TypedCorpus> {
    let corpus = Scheme::new(lexicon, pattern, variable.into()).corpus(columns, progress)?;
    Ok(TypedCorpus { pairs: corpus.pairs.clone(), related: corpus.related.clone() })
}

/// A pair by itself, with its words numbered from 0 and the relations among them.
pub(super) struct Alone {
    pub(super) pair: TypedPair,
    pub(super) related: Arc<Vec<Vec<u32>>>,
}

/// A new pair in terms of a corpus.
pub(super) struct NewPair {
    pub(super) pair: TypedPair,
    /// For every word that the corpus lacks, the related words of the corpus.
    pub(super) related: Vec<Vec<u32>>,
    pub(super) alone: Alone,
}

/// Writes the key that identifies a word: everything the lexicon uses.
pub(super) fn key(form: &str, word: Option<&Word>, out: &mut String) {
    out.clear();
    let Some(word) = word else { return out.push_str(form) };
    let entity = word.entity.as_deref().unwrap_or_default();
    let entity = entity.strip_prefix("B-").or_else(|| entity.strip_prefix("I-")).unwrap_or(entity);
    for part in [form, word.upos.map_or("", |upos| upos.name()), entity] {
        out.push_str(part);
        out.push('\t');
    }
    out.extend(word.lemma.as_deref());
}

/// Looks up a word of a sentence, or a token as it is, in the lexicon.
pub(super) fn look_up(lexicon: &Lexicon, form: &str, word: Option<&Word>) -> Term {
    let Some(word) = word else { return lexicon.token(form) };
    lexicon.word(form, word.lemma.as_deref(), word.upos).with_entity(word.entity.as_deref())
}

impl Scheme {
    pub(super) fn new(lexicon: Arc<Lexicon>, pattern: Relations, variable: LinkTypes) -> Self {
        Self { lexicon, pattern, variable, last: Mutex::new(None) }
    }

    fn term(&self, sentence: &Sentence, idx: usize) -> Term {
        let (form, word) = sentence.word(idx);
        look_up(&self.lexicon, form, word)
    }

    /// Returns the types of every link of a pair.
    fn links<'t>(&self, pair: &TypedPair, term: impl Fn(u32) -> &'t Term) -> Vec<u64> {
        let targets: Vec<&Term> = pair.target.iter().map(|&word| term(word)).collect();
        let row = |&word: &u32| {
            let source = term(word);
            targets.iter().map(move |target| self.variable.bits(&self.lexicon, source, target))
        };
        pair.source.iter().flat_map(row).collect()
    }

    /// Returns the corpus of these pairs.
    pub(super) fn corpus(&self, columns: &[Pair], progress: Progress<'_>) -> Result<Arc<Corpus>> {
        let (mut words, mut first): (Interner, Vec<(&Sentence, usize)>) = (Interner::new(), Vec::new());
        let mut text = String::new();
        let mut pairs = Vec::with_capacity(columns.len());
        for pair in columns {
            progress.check()?;
            let [source, target] = [&pair.source, &pair.target].map(|sentence| {
                let mut number = |idx: usize| {
                    let (form, word) = sentence.word(idx);
                    key(form, word, &mut text);
                    let number = words.symbol(&text);
                    if number as usize == first.len() {
                        first.push((sentence, idx));
                    }
                    number
                };
                (0..sentence.spans.len()).map(&mut number).collect::<Vec<u32>>()
            });
            pairs.push(TypedPair { source, target, links: Vec::new() });
        }
        if let Some(last) = self.last(None) {
            let is_same = |(a, b): (&TypedPair, &TypedPair)| (&a.source, &a.target) == (&b.source, &b.target);
            let is_same_length = last.pairs.len() == pairs.len() && last.words.len() == words.len();
            if is_same_length && last.words.strings().eq(words.strings()) && last.pairs.iter().zip(&pairs).all(is_same)
            {
                return Ok(last);
            }
        }
        let term = |(sentence, idx): (&Sentence, usize)| progress.check().map(|()| self.term(sentence, idx));
        let terms: Vec<Term> = first.into_par_iter().map(term).collect::<Result<_>>()?;
        let mut neighbours = Neighbours::new(self.lexicon.clone(), self.pattern);
        for term in terms {
            progress.check()?;
            neighbours.push(term);
        }
        let terms = neighbours.terms();
        let related = |term: &Term| progress.check().map(|()| neighbours.related(term));
        let related: Vec<Vec<u32>> = terms.par_iter().map(related).collect::<Result<_>>()?;
        pairs.par_iter_mut().try_for_each(|pair| {
            progress.check()?;
            pair.links = self.links(pair, |word| &terms[word as usize]);
            Ok(())
        })?;
        let goes_back = |(a, list): (usize, &Vec<u32>)| {
            list.iter().all(|&b| related[b as usize].binary_search(&(a as u32)).is_ok())
        };
        let is_symmetric = related.iter().enumerate().all(goes_back);
        let corpus = Arc::new(Corpus { words, neighbours, pairs, related: Arc::new(related), is_symmetric });
        self.last(Some(corpus.clone()));
        Ok(corpus)
    }

    /// Returns the corpus bound last, after replacing it by `new` if given.
    fn last(&self, new: Option<Arc<Corpus>>) -> Option<Arc<Corpus>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if new.is_some() {
            *last = new;
        }
        last.clone()
    }

    /// Maps a pair that is not part of the corpus.
    pub(super) fn new_pair(&self, pair: &Pair, corpus: &Corpus) -> NewPair {
        let known = corpus.neighbours.terms();
        let (mut words, mut terms) = (Interner::new(), Vec::new());
        let mut text = String::new();
        let [source, target] = [&pair.source, &pair.target].map(|sentence| {
            let mut number = |idx: usize| {
                let (form, word) = sentence.word(idx);
                key(form, word, &mut text);
                if let Some(number) = corpus.words.get(&text) {
                    return number;
                }
                let number = words.symbol(&text);
                if number as usize == terms.len() {
                    terms.push(self.term(sentence, idx));
                }
                known.len() as u32 + number
            };
            (0..sentence.spans.len()).map(&mut number).collect::<Vec<u32>>()
        });
        let mut pair = TypedPair { source, target, links: Vec::new() };
        let term = |word: u32| known.get(word as usize).unwrap_or_else(|| &terms[word as usize - known.len()]);
        pair.links = self.links(&pair, term);
        let related = terms.iter().map(|term| corpus.neighbours.related(term)).collect();
        let alone = Alone::new(&pair, |a, b| match corpus.related.get(a as usize) {
            Some(list) if (b as usize) < known.len() => list.binary_search(&b).is_ok(),
            _ => !self.lexicon.relations_among(term(a), term(b), self.pattern).is_empty(),
        });
        NewPair { pair, related, alone }
    }
}

impl Corpus {
    /// Returns a column by itself.
    pub(super) fn alone(&self, column: usize) -> Alone {
        Alone::new(&self.pairs[column], |a, b| self.related[a as usize].binary_search(&b).is_ok())
    }
}

impl Alone {
    fn new(pair: &TypedPair, is_related: impl Fn(u32, u32) -> bool) -> Self {
        let mut words: Vec<u32> = pair.source.iter().chain(&pair.target).copied().collect();
        words.sort_unstable();
        words.dedup();
        let number = |word: &u32| words.partition_point(|known| known < word) as u32;
        let related = |&a: &u32| (0..words.len() as u32).filter(|&b| is_related(a, words[b as usize])).collect();
        let [source, target] = [&pair.source, &pair.target].map(|side| side.iter().map(number).collect());
        Self {
            pair: TypedPair { source, target, links: pair.links.clone() },
            related: Arc::new(words.iter().map(related).collect()),
        }
    }
}
