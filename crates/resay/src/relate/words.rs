//! The words of a text, as relations between texts see them.

use crate::align::{Class, WordMatrix};
use crate::id::WordGroup;
use resay_text::normalise::Normal;
use resay_text::phrases::{PhraseMatch, PhraseWord, Phrases};
use resay_text::{Analysis, Span};

impl WordGroup {
    /// Whether words of the group carry content.
    pub fn is_content(self) -> bool {
        (self as u8) <= Self::Adverb as u8
    }
}

/// Words that can be left out without changing what is said, wherever they stand.
const FILLERS: [&str; 28] = [
    "please",
    "just",
    "really",
    "very",
    "actually",
    "basically",
    "simply",
    "quite",
    "indeed",
    "kindly",
    "well",
    "so",
    "oh",
    "hi",
    "hello",
    "hey",
    "dear",
    "thanks",
    "thank",
    "regards",
    "sorry",
    "ok",
    "okay",
    "honestly",
    "literally",
    "totally",
    "definitely",
    "certainly",
];

/// Words that can be left out as adverbs.
const ADVERBIAL_FILLERS: [&str; 9] = ["of", "course", "certain", "then", "now", "anyway", "also", "too", "there"];

/// One text of a pair.
#[derive(Debug)]
pub(crate) struct Side<'a> {
    pub(super) analysis: &'a Analysis,
    /// The same words as the user wrote them: names may be others.
    shown: &'a Analysis,
    pub(super) lower: Vec<&'a str>,
    pub(super) lemma: Vec<&'a str>,
    pub(super) group: Vec<WordGroup>,
    pub(super) head: Vec<Option<usize>>,
    pub(super) dependents: &'a [Vec<usize>],
    pub(super) rarity: Vec<f64>,
    pub(super) normal: &'a Normal,
    pub(super) phrases: Vec<PhraseMatch>,
    /// For each word, how many negating words it is under.
    pub(super) negations: Vec<u8>,
}

impl<'a> Side<'a> {
    pub(super) fn new(
        side: usize,
        [analysis, shown]: [&'a Analysis; 2],
        normal: &'a Normal,
        compared: &'a WordMatrix,
        rarity: &dyn Fn(&str) -> f64,
        phrases: &Phrases,
    ) -> Self {
        let known = if side == 0 { &compared.source } else { &compared.target };
        let lower: Vec<&str> = (0..known.len()).map(|word| known.term(word).form()).collect();
        let lemma: Vec<&str> = (0..known.len()).map(|word| known.term(word).lemma()).collect();
        let group =
            (0..known.len()).map(|word| group(analysis, word, lower[word], known.words[word].class())).collect();
        let words: Vec<PhraseWord<'_>> =
            lower.iter().zip(&lemma).map(|(&lower, &lemma)| PhraseWord { lower, lemma }).collect();
        let mut made = Self {
            analysis,
            shown,
            group,
            head: known.words.iter().map(|word| word.head).collect(),
            dependents: &known.dependents,
            rarity: lower.iter().map(|lower| rarity(lower)).collect(),
            normal,
            phrases: phrases.find(&words),
            negations: Vec::new(),
            lower,
            lemma,
        };
        made.negations = super::operators::negations(&made, phrases);
        made
    }

    pub(super) fn len(&self) -> usize {
        self.lower.len()
    }

    /// The Penn tag of a word.
    pub(super) fn tag(&self, word: usize) -> &str {
        self.analysis.words[word].xpos.as_deref().unwrap_or("")
    }

    /// The dependency relation of a word.
    pub(super) fn relation(&self, word: usize) -> &str {
        self.analysis.words[word].relation.as_deref().unwrap_or("")
    }

    /// A word as the user wrote it, and its place.
    pub(super) fn shown(&self, word: usize) -> (&str, Span) {
        (self.shown.form(word), self.shown.words[word].span)
    }

    /// The words of a span, as a range.
    pub(super) fn words_in(&self, span: Span) -> std::ops::Range<usize> {
        let words = &self.analysis.words;
        let start = words.partition_point(|word| word.span.end <= span.start);
        let end = words.partition_point(|word| word.span.start < span.end);
        start..end.max(start)
    }

    pub(super) fn is_content(&self, word: usize) -> bool {
        self.group[word].is_content()
    }

    /// The words without a head.
    pub(super) fn roots(&self) -> impl Iterator<Item = usize> {
        (0..self.len()).filter(|&word| self.head[word].is_none())
    }

    /// Whether `word` is `above` or lies below it.
    pub(super) fn is_under(&self, word: usize, above: usize) -> bool {
        let mut at = Some(word);
        for _ in 0..self.len() {
            match at {
                Some(here) if here == above => return true,
                Some(here) => at = self.head[here],
                None => return false,
            }
        }
        false
    }

    /// The dependents of a word with a relation that begins like this.
    pub(super) fn with_relation(&self, word: usize, relation: &str) -> impl Iterator<Item = usize> {
        self.dependents[word].iter().copied().filter(move |&other| self.relation(other).starts_with(relation))
    }
}

fn group(analysis: &Analysis, word: usize, lower: &str, class: Class) -> WordGroup {
    use resay_text::Upos;
    let annotated = &analysis.words[word];
    if class == Class::Mark {
        return WordGroup::Mark;
    }
    let is_adverb = matches!(annotated.upos, Some(Upos::Aux | Upos::Adv));
    if FILLERS.contains(&lower) || (is_adverb && ADVERBIAL_FILLERS.contains(&lower)) {
        return WordGroup::Filler;
    }
    match (class, annotated.upos) {
        (Class::Number, _) => WordGroup::Number,
        (Class::Name, _) => WordGroup::Name,
        (Class::Verb, _) => WordGroup::Verb,
        (_, Some(Upos::Adj)) => WordGroup::Adjective,
        (_, Some(Upos::Adv)) => WordGroup::Adverb,
        (_, Some(Upos::Pron)) => WordGroup::Pronoun,
        (_, Some(Upos::Adp)) => WordGroup::Preposition,
        (_, Some(Upos::Part)) if matches!(lower, "to" | "'s" | "’s" | "'") => WordGroup::Preposition,
        (_, Some(Upos::Det)) => WordGroup::Determiner,
        (_, Some(Upos::Aux)) => WordGroup::Auxiliary,
        (Class::Noun, Some(Upos::Noun)) => WordGroup::Noun,
        (_, Some(Upos::Intj | Upos::Cconj | Upos::Sconj | Upos::Part)) => WordGroup::Other,
        (Class::Noun, _) => WordGroup::Noun,
        _ => WordGroup::Other,
    }
}
