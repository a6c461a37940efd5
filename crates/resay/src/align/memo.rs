//! A cache of looked-up words. Running text repeats its words, and looking one up, in a dozen
//! tables, takes longer than everything done with it afterwards.

use super::strings::Spelling;
use resay_text::Analysis;
use resay_text::lexicon::wordnet::Heights;
use resay_text::lexicon::{Lexicon, Term};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// A word as the tables know it.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) term: Term,
    pub(super) spelling: Spelling,
    heights: OnceLock<Option<Heights>>,
}

impl Known {
    /// Returns the positions of its senses in the WordNet hierarchy, computed on first use.
    pub(crate) fn heights(&self, lexicon: &Lexicon) -> Option<&Heights> {
        self.heights.get_or_init(|| lexicon.heights(&self.term)).as_ref()
    }
}

/// Words by form, lemma, tag and entity. It belongs to one thread and one lexicon.
#[derive(Debug, Default)]
pub(crate) struct WordMemo {
    known: FxHashMap<Box<str>, Arc<Known>>,
    key: String,
}

impl WordMemo {
    /// The cache is emptied at this size, so that a stream of text cannot fill the memory.
    const MOST: usize = 1 << 15;

    /// Returns the words of a sentence, looked up.
    pub(super) fn words(&mut self, sentence: &Analysis, lexicon: &Lexicon) -> Vec<Arc<Known>> {
        if self.known.len() > Self::MOST {
            self.known.clear();
        }
        (0..sentence.words.len()).map(|idx| self.word(sentence, idx, lexicon)).collect()
    }

    fn word(&mut self, sentence: &Analysis, idx: usize, lexicon: &Lexicon) -> Arc<Known> {
        let (form, word) = (sentence.form(idx), &sentence.words[idx]);
        self.key.clear();
        let tag = word.upos.map_or(u8::MAX, |tag| tag as u8);
        let (lemma, entity) = (word.lemma.as_deref(), word.entity.as_deref());
        // A missing lemma or entity differs from an empty one.
        for part in [Some(form), lemma, entity] {
            self.key.push_str(part.unwrap_or_default());
            self.key.push(if part.is_some() { '\0' } else { '\u{1}' });
        }
        self.key.push(char::from(tag));
        if let Some(known) = self.known.get(&*self.key) {
            return known.clone();
        }
        let term = lexicon.word(form, lemma, word.upos).with_entity(entity);
        let spelling = Spelling::new(term.form());
        let known = Arc::new(Known { term, spelling, heights: OnceLock::new() });
        self.known.insert(self.key.as_str().into(), known.clone());
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay_text::Upos;

    #[test]
    fn a_word_is_known_again_and_others_are_not_taken_for_it() {
        let lexicon = Lexicon::new();
        let mut memo = WordMemo::default();
        let mut sentence = Analysis::from_forms(["saw", "saw", "saw", "saw", "Saw"]);
        sentence.words[1].upos = Some(Upos::Verb);
        sentence.words[2].lemma = Some("see".into());
        sentence.words[3].entity = Some("B-ORG".into());
        let first = memo.words(&sentence, &lexicon);
        let again = memo.words(&sentence, &lexicon);
        for (at, known) in again.iter().enumerate() {
            for (other, first) in first.iter().enumerate() {
                assert_eq!(Arc::ptr_eq(known, first), at == other, "{at} {other}");
            }
        }
        assert_eq!(again[2].term.lemma(), "see");
    }
}
