//! Sentences that differ: annotated, judged, matched, and compared phrase by phrase.

use super::candidates::{Bag, Vocabulary, by_place};
use super::document::DiffDocument;
use super::phrases::{Phrase, phrases};
use super::{Difference, DifferenceKind, Passage, contradicts, in_blocks, told, trimmed};
use crate::Result;
use crate::align::{Entry, matching};
use crate::explain::Explanation;
use crate::model::{AskedClass, PairModel, PairScorer, pair_context};
use crate::pair::{Annotated, PairContext, PairView};
use resay_learn::progress::{Progress, Stage};
use resay_text::Span;
use std::ops::Range;

/// The maximum length of a judged sentence: time grows with the product of both lengths, and longer
/// text is rarely one sentence. Longer sentences are matched by their words, and say the same only
/// if nothing but case and punctuation differs.
pub const MAX_WORDS: usize = 200;

/// The probability from which two sentences say the same.
pub(super) const YES: f64 = 0.5;

/// The minimum overlap of matched sentences that say the same.
const SHARED_AND_ALIKE: f64 = 0.15;
/// The minimum overlap of other matched sentences: the same place in the text, with a different
/// meaning.
const SHARED: f64 = 0.4;
/// The minimum overlaps of sentences out of order, for the same two cases. They are higher, since
/// the position in the text is no evidence for such a match.
const MOVED_AND_ALIKE: f64 = 0.4;
const MOVED: f64 = 0.6;

/// Sentences without an equal in the other document.
pub(super) struct Left<'a> {
    documents: [&'a DiffDocument; 2],
    /// Their numbers, in increasing order.
    pub(super) sentences: [Vec<usize>; 2],
    /// Gaps of both documents between the same neighbours, as index ranges of the two lists.
    between: Vec<[Range<usize>; 2]>,
}

/// A candidate pair and its scores; `places` are indices into the lists of unmatched sentences.
struct Scored {
    places: [usize; 2],
    probability: Option<f64>,
    overlap: f64,
}

/// Annotated sentences and judged pairs.
pub(super) struct Judged<'a> {
    pub(super) documents: [&'a DiffDocument; 2],
    pub(super) sentences: [Vec<usize>; 2],
    pub(super) vocabulary: Vocabulary,
    pub(super) bags: [Vec<Bag>; 2],
    /// The index of each sentence in `annotated`; `None` if it is too long.
    place_of: [Vec<Option<usize>>; 2],
    pub(super) annotated: Vec<Annotated>,
    scored: Vec<Scored>,
}

/// Matched sentences of both documents.
pub(super) struct Pair {
    pub(super) source: Range<usize>,
    pub(super) target: Range<usize>,
    pub(super) is_moved: bool,
    is_same: bool,
    /// Whether both say the same.
    pub(super) is_alike: bool,
    pub(super) probability: Option<f64>,
    /// The indices of both in `annotated`.
    pub(super) texts: Option<[usize; 2]>,
    phrases: Vec<Phrase>,
    explanation: Option<Box<Explanation>>,
}

impl Pair {
    pub(super) fn same(source: usize, target: usize, is_moved: bool) -> Self {
        Self {
            source: source..source + 1,
            target: target..target + 1,
            is_moved,
            is_same: true,
            is_alike: true,
            probability: None,
            texts: None,
            phrases: Vec::new(),
            explanation: None,
        }
    }

    pub(super) fn difference(self, documents: [&DiffDocument; 2]) -> Difference {
        let kind = match (self.is_same, self.is_alike) {
            (true, _) if self.is_moved => DifferenceKind::Moved,
            (true, _) => DifferenceKind::Same,
            (false, true) => DifferenceKind::Reworded,
            (false, false) => DifferenceKind::Changed,
        };
        Difference {
            kind,
            is_moved: self.is_moved,
            source: Some(Passage::new(documents[0], self.source)),
            target: Some(Passage::new(documents[1], self.target)),
            probability: self.probability,
            phrases: self.phrases,
            explanation: self.explanation,
        }
    }
}

/// The text of a span for the judge: line breaks become blanks, so that none of them ends a
/// sentence, and all byte positions stay valid.
pub(super) fn readable(document: &DiffDocument, span: Span) -> String {
    document.slice(span).replace(['\n', '\r', '\t'], " ")
}

impl<'a> Left<'a> {
    /// The sentences outside `same`, which is sorted by source.
    pub(super) fn new(documents: [&'a DiffDocument; 2], same: &[(usize, usize, bool)]) -> Self {
        let mut is_left = documents.map(|document| vec![true; document.sentences().len()]);
        for &(source, target, _) in same {
            is_left[0][source] = false;
            is_left[1][target] = false;
        }
        let sentences = is_left.map(|left| (0..left.len()).filter(|&at| left[at]).collect::<Vec<usize>>());
        let ends = documents.map(|document| document.sentences().len());
        let kept = same.iter().filter(|(_, _, is_moved)| !is_moved).map(|&(source, target, _)| [source, target]);
        let mut between = Vec::new();
        let mut start = [0, 0];
        for end in kept.chain([ends]) {
            let place = |side: usize, at: usize| sentences[side].partition_point(|&sentence| sentence < at);
            let stretch = [0, 1].map(|side: usize| place(side, start[side])..place(side, end[side]));
            if stretch.iter().all(|range| !range.is_empty()) {
                between.push(stretch);
            }
            start = end.map(|at| at + 1);
        }
        Self { documents, sentences, between }
    }

    /// Annotates all unmatched sentences and judges the candidate pairs.
    pub(super) fn judge(self, judge: &dyn PairModel, progress: Progress<'_>) -> Result<Judged<'a>> {
        const BLOCK: usize = 256;
        let Self { documents, sentences, between } = self;
        let mut texts: Vec<String> = Vec::new();
        let place_of = [0, 1].map(|side: usize| {
            let mut number = |&sentence: &usize| {
                let place = documents[side].sentences()[sentence];
                let is_short = place.n_words as usize <= MAX_WORDS;
                is_short.then(|| {
                    texts.push(readable(documents[side], place.span));
                    texts.len() - 1
                })
            };
            sentences[side].iter().map(&mut number).collect::<Vec<Option<usize>>>()
        });
        let mut annotated: Vec<Annotated> = Vec::with_capacity(texts.len());
        for block in texts.chunks(BLOCK) {
            progress.report(Stage::Annotate, annotated.len(), texts.len())?;
            annotated.extend(judge.annotate(block, progress.quiet())?);
        }
        let mut vocabulary = Vocabulary::default();
        let mut bags = |side: usize| {
            let bag = |(&sentence, reading): (&usize, &Option<usize>)| {
                progress.check()?;
                Ok(match reading {
                    Some(reading) => vocabulary.bag(annotated[*reading].analysis()),
                    None => vocabulary.bag_of_words(documents[side].slice(documents[side].sentences()[sentence].span)),
                })
            };
            sentences[side].iter().zip(&place_of[side]).map(bag).collect::<Result<Vec<Bag>>>()
        };
        let bags = [bags(0)?, bags(1)?];
        vocabulary.weigh(bags.iter().flatten());
        let mut candidates = vocabulary.by_words(&bags[0], &bags[1], progress)?;
        candidates.extend(by_place(&between));
        candidates.sort_unstable();
        candidates.dedup();
        let score = |places: &[usize; 2]| {
            progress.check()?;
            let overlap = vocabulary.overlap(&bags[0][places[0]], &bags[1][places[1]]);
            Ok(Scored { places: *places, probability: None, overlap })
        };
        let mut scored: Vec<Scored> = candidates.iter().map(score).collect::<Result<_>>()?;
        let both = |scored: &Scored| Some([place_of[0][scored.places[0]]?, place_of[1][scored.places[1]]?]);
        let is_open = |pair: &[usize; 2]| {
            let [source, target] = pair.map(|at| texts[at].as_str());
            !is_same_but_for_marks(source, target)
        };
        let mut judged: Vec<(usize, [usize; 2])> = Vec::new();
        for (at, scored) in scored.iter().enumerate() {
            progress.check()?;
            judged.extend(both(scored).filter(&is_open).map(|pair| (at, pair)));
        }
        let mut n_judged = 0;
        for block in judged.chunks(BLOCK) {
            progress.report(Stage::Score, n_judged, judged.len())?;
            n_judged += block.len();
            let pairs: Vec<[usize; 2]> = block.iter().map(|(_, pair)| *pair).collect();
            for ((at, _), found) in block.iter().zip(judge.predict_annotated(&annotated, &pairs, progress.quiet())?) {
                scored[*at].probability = Some(found?.decision()?.probability);
            }
        }
        Ok(Judged { documents, sentences, vocabulary, bags, place_of, annotated, scored })
    }
}

impl Judged<'_> {
    /// Matches sentences, including those with the same text.
    pub(super) fn matched(&self, same: Vec<Pair>) -> Vec<Pair> {
        let n_words = |side: usize, sentence: usize| f64::from(self.documents[side].sentences()[sentence].n_words);
        let mut entries: Vec<Entry> = Vec::with_capacity(same.len() + self.scored.len());
        for pair in &same {
            let (source, target) = (pair.source.start, pair.target.start);
            entries.push(Entry { source, target, weight: n_words(0, source).sqrt(), may_move: true });
        }
        let mut of_entry: Vec<&Scored> = Vec::new();
        for scored in &self.scored {
            let [source, target] = [0, 1].map(|side: usize| self.sentences[side][scored.places[side]]);
            let is_alike = self.is_alike(scored);
            let (probability, overlap) = (scored.probability.unwrap_or(0.0), scored.overlap);
            if overlap < if is_alike { SHARED_AND_ALIKE } else { SHARED } {
                continue;
            }
            let may_move = overlap >= if is_alike { MOVED_AND_ALIKE } else { MOVED };
            let length = (0.5 * (n_words(0, source) + n_words(1, target))).sqrt();
            entries.push(Entry { source, target, weight: 0.5 * (probability + overlap) * length, may_move });
            of_entry.push(scored);
        }
        let (n_same, mut pairs) = (same.len(), Vec::with_capacity(same.len()));
        for (at, is_moved) in matching(&entries) {
            let mut pair = Pair::same(entries[at].source, entries[at].target, is_moved);
            if let Some(scored) = at.checked_sub(n_same).and_then(|at| of_entry.get(at)) {
                pair.is_same = false;
                pair.is_alike = self.is_alike(scored);
                pair.probability = scored.probability;
                let [source, target] = [0, 1].map(|side: usize| self.place_of[side][scored.places[side]]);
                pair.texts = source.zip(target).map(|(source, target)| [source, target]);
            }
            pairs.push(pair);
        }
        pairs
    }

    fn is_alike(&self, scored: &Scored) -> bool {
        let text = |side: usize| {
            let place = self.documents[side].sentences()[self.sentences[side][scored.places[side]]];
            self.documents[side].slice(place.span)
        };
        scored.probability.map_or_else(|| is_same_but_for_marks(text(0), text(1)), |probability| probability >= YES)
    }

    /// Compares differing pairs phrase by phrase, and explains why their meaning changed.
    pub(super) fn explained(
        &self,
        judge: &dyn PairModel,
        pairs: Vec<Pair>,
        progress: Progress<'_>,
    ) -> Result<Vec<Pair>> {
        let of_interest: Vec<usize> = (0..pairs.len()).filter(|&at| pairs[at].texts.is_some()).collect();
        let explain = |(scorer, context): &mut (Box<dyn PairScorer + '_>, PairContext), &at: &usize| {
            let pair = &pairs[at];
            let Some(texts) = pair.texts else { return Ok(None) };
            let [source, target] = texts.map(|at| &self.annotated[at]);
            let view = PairView::new(context, source, target);
            let explanation = scorer.explain(&view, AskedClass::ANSWER, 0)?.explanation;
            let is_alike = pair.is_alike && !contradicts(&explanation);
            let against = (!is_alike).then(|| told(&explanation));
            let mut phrases = phrases(view.analyses(), &view.alignment()?.links, against.as_deref());
            let start = |side: usize, sentence: usize| self.documents[side].sentences()[sentence].span.start;
            let starts = [start(0, pair.source.start), start(1, pair.target.start)];
            for phrase in &mut phrases {
                shift(&mut phrase.source, starts[0]);
                shift(&mut phrase.target, starts[1]);
            }
            Ok(Some((phrases, trimmed(explanation), is_alike)))
        };
        let begin = || (judge.scorer(), pair_context(judge.resources()));
        let explained = in_blocks(Stage::Explain, &of_interest, progress, begin, explain)?;
        let mut pairs = pairs;
        for (at, explained) in of_interest.into_iter().zip(explained) {
            let Some((phrases, explanation, is_alike)) = explained else { continue };
            pairs[at].phrases = phrases;
            pairs[at].is_alike = is_alike;
            pairs[at].explanation = (!pairs[at].is_alike).then(|| Box::new(explanation));
        }
        Ok(pairs)
    }
}

/// Whether two sentences have the same words in the same order, ignoring case and the punctuation
/// around words. Such pairs are not judged, because the judge overrates an exclamation mark in a
/// sentence of two words. Marks that may change the meaning are not ignored: a question mark, the
/// sign of a number, a decimal point.
fn is_same_but_for_marks(source: &str, target: &str) -> bool {
    const MARKS: [char; 14] =
        ['.', ',', ';', ':', '!', '"', '\'', '\u{201c}', '\u{201d}', '\u{2018}', '\u{2019}', '*', '_', '\u{2026}'];
    let words = |text: &'_ str| -> Vec<String> {
        let words = text.split_whitespace().map(|word| word.trim_matches(MARKS).to_lowercase());
        words.filter(|word| !word.is_empty()).collect()
    };
    words(source) == words(target)
}

/// Converts spans of a sentence to spans of its document.
fn shift(spans: &mut [Span], by: u32) {
    for span in spans {
        *span = Span { start: span.start + by, end: span.end + by };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_change_nothing() {
        let check = |source: &str, target: &str, expected: bool| {
            assert_eq!(is_same_but_for_marks(source, target), expected, "{source} | {target}");
        };
        check("He left.", "He left!", true);
        check("The town library", "The Town Library", true);
        check("\"We won,\" she said.", "\u{201c}We won\u{201d}, she said.", true);
        check("He left.", "He left?", false);
        check("It is 5 degrees.", "It is -5 degrees.", false);
        check("It is 3.5 metres.", "It is 35 metres.", false);
        check("It costs $5.", "It costs \u{20ac}5.", false);
        check("He left.", "He left early.", false);
    }

    #[test]
    fn stretches_between_the_same_neighbours() {
        let check = |old: &str, new: &str, same: &[(usize, usize, bool)], expected: &[[Range<usize>; 2]]| {
            // Each letter is a sentence.
            let documents = [old, new].map(|text| {
                let sentences: Vec<String> = text.chars().map(|letter| format!("{letter} is here.")).collect();
                DiffDocument::from_text(sentences.join(" "))
            });
            let left = Left::new([&documents[0], &documents[1]], same);
            assert_eq!(left.between, expected, "{old} | {new}");
        };
        check("ABC", "DBEF", &[(1, 1, false)], &[[0..1, 0..1], [1..2, 1..3]]);
        check("ABC", "BE", &[(1, 0, false)], &[[1..2, 0..1]]);
        check("ABC", "CE", &[(2, 0, true)], &[[0..2, 0..1]]);
        check("", "A", &[], &[]);
    }
}
