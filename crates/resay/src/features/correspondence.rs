//! Two aligned sentences, as feature extraction sees them.

use crate::align::{AlignWord, Alignment, Class, Level, WordMatrix};
use resay_text::lexicon::Term;
use resay_text::{Analysis, Span};

/// Two sentences with their word matrix and their alignment.
pub(crate) struct Correspondence<'a> {
    sentences: [&'a Analysis; 2],
    pub(super) compared: &'a WordMatrix,
    pub(super) alignment: &'a Alignment,
    /// The rarity of each word.
    rarity: [Vec<f64>; 2],
    /// For each word, the words of the other sentence that it is aligned to.
    partners: [Vec<Vec<usize>>; 2],
}

impl<'a> Correspondence<'a> {
    /// Joins the parts; `rarity` gives the rarity of a lower-case word.
    pub(crate) fn new(
        sentences: [&'a Analysis; 2],
        compared: &'a WordMatrix,
        alignment: &'a Alignment,
        rarity: impl Fn(&str) -> f64,
    ) -> Self {
        let mut partners = [0, 1].map(|side: usize| vec![Vec::new(); sentences[side].words.len()]);
        for link in &alignment.links {
            partners[0][link.source as usize].push(link.target as usize);
            partners[1][link.target as usize].push(link.source as usize);
        }
        let rarity = [&compared.source, &compared.target]
            .map(|side| side.known.iter().map(|known| rarity(known.term.form())).collect());
        Self { sentences, compared, alignment, rarity, partners }
    }

    pub(super) fn side(&self, side: usize) -> &[AlignWord] {
        if side == 0 { &self.compared.source.words } else { &self.compared.target.words }
    }

    pub(super) fn n_words(&self, side: usize) -> usize {
        self.sentences[side].words.len()
    }

    pub(super) fn dependents(&self, side: usize, word: usize) -> &[usize] {
        if side == 0 { &self.compared.source.dependents[word] } else { &self.compared.target.dependents[word] }
    }

    fn term(&self, side: usize, word: usize) -> &Term {
        if side == 0 { self.compared.source.term(word) } else { self.compared.target.term(word) }
    }

    /// Returns a word in lower case.
    pub(super) fn lower(&self, side: usize, word: usize) -> &str {
        self.term(side, word).form()
    }

    pub(super) fn lemma(&self, side: usize, word: usize) -> &str {
        self.term(side, word).lemma()
    }

    /// Returns the rarity of a word, from near 0 to 1.
    pub(super) fn rarity(&self, side: usize, word: usize) -> f64 {
        self.rarity[side][word]
    }

    /// Returns the type of the entity that contains a word, if any.
    pub(super) fn entity(&self, side: usize, word: usize) -> Option<&str> {
        self.sentences[side].words[word].entity.as_deref().and_then(|entity| Some(entity.split_once('-')?.1))
    }

    /// Returns the Penn tag.
    pub(super) fn tag(&self, side: usize, word: usize) -> &str {
        self.sentences[side].words[word].xpos.as_deref().unwrap_or("")
    }

    pub(super) fn relation(&self, side: usize, word: usize) -> &str {
        self.sentences[side].words[word].relation.as_deref().unwrap_or("")
    }

    pub(super) fn partners(&self, side: usize, word: usize) -> &[usize] {
        &self.partners[side][word]
    }

    /// Returns how similar a word of one side and a word of the other are.
    pub(super) fn level(&self, side: usize, word: usize, other: usize) -> Level {
        if side == 0 { self.compared.level(word, other) } else { self.compared.level(other, word) }
    }

    /// Returns whether the other sentence contains the word too, in the same or another form.
    pub(super) fn is_shared(&self, side: usize, word: usize) -> bool {
        let best = if side == 0 { &self.compared.source_best } else { &self.compared.target_best };
        best[word] >= Level::Lemma
    }

    pub(super) fn content(&self, side: usize) -> impl Iterator<Item = usize> {
        let words = self.side(side);
        (0..words.len()).filter(|&word| Class::CONTENT.contains(&words[word].class()))
    }

    /// Returns the words as written, or `None` if there are none.
    pub(super) fn words(&self, side: usize, words: &[usize]) -> Option<String> {
        let forms: Vec<&str> = words.iter().map(|&word| self.sentences[side].form(word)).collect();
        (!forms.is_empty()).then(|| forms.join(" "))
    }

    pub(super) fn spans(&self, side: usize, words: &[usize]) -> Vec<Span> {
        words.iter().map(|&word| self.sentences[side].words[word].span).collect()
    }
}
