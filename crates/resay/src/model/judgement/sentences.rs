//! Long texts, sentence by sentence.
//!
//! The relation of two long texts is that of their sentences:
//!
//! 1. Pairs of sentences with enough words in common are candidates, as is every pair of short texts.
//!    Each candidate is judged.
//! 2. The heaviest set of pairs that keeps the order of both texts is found; other pairs may have moved
//!    ([`matching`]).
//! 3. An unmatched sentence is joined to its neighbour if both together say what the neighbour's
//!    partner says: a sentence was split, or two were merged. One that follows from some sentence of the
//!    other text adds nothing.
//! 4. The texts are equivalent as far as every sentence is; the target follows as far as each of its
//!    sentences does; they contradict each other as much as any two matched sentences do. "As far as"
//!    is between the weakest sentence and the mean of all ([`WEAKEST`]): one sentence decides, but of
//!    twenty judgements one is likely to be wrong.
//!
//! Texts of two or three sentences are judged as a whole, too, and both judgements count half. On 357
//! pairs of our own with at least two sentences each this is right about the same more often than
//! either judgement alone; on pairs joined to texts of four and more sentences the judgement by
//! sentences alone is right more often than with the other (`tests/it/sentences.rs` measures both).
//!
//! Time grows with the number of sentences, of which only a few pairs each are judged; memory with the
//! number of all pairs of sentences, which is bounded.

use super::{JudgementModel, N_RELATIONS, Scored, Way};
use crate::align::{Alignment, Entry, SureLink, SurePhrase, matching};
use crate::explain::{Explanation, Place, What};
use crate::features::Wanted;
use crate::id::TextRelation;
use crate::model::contract::PairModel as _;
use crate::model::pair_context;
use crate::pair::{Annotated, PairContext, PairView};
use crate::{Error, Result};
use resay_learn::progress::Progress;
use resay_text::{Analysis, English, Head, Span};
use std::ops::Range;

/// Texts of at least two and at most this many sentences are judged both by them and as a whole.
const FEW_SENTENCES: usize = 3;

/// Texts of more words are judged by their sentences alone, even if the other text is one sentence.
const MANY_WORDS: usize = 200;

/// How much the judgement as a whole counts for texts of a few sentences.
const WHOLE: f64 = 0.5;

/// How much the weakest sentence counts; the mean of all has the rest.
const WEAKEST: f64 = 0.25;

/// The most pairs of sentences that are compared by their words.
const MOST_PAIRS: usize = 1_000_000;

/// All pairs of sentences are judged up to this many.
const FEW_PAIRS: usize = 9;

/// The most candidates of a sentence.
const MOST_CANDIDATES: usize = 3;

/// The least overlap of a candidate, of matched sentences, and of those out of order.
const OVERLAP: f64 = 0.1;
const MATCHED: f64 = 0.3;
const MOVED: f64 = 0.4;

/// The least probability of a relation of sentences.
const LEAST: f64 = 1e-3;

/// Corresponding sentences, or a sentence of one text alone.
#[derive(Clone, Debug, PartialEq)]
pub struct SentencePair {
    /// Where the source says it; `None` if only the target does.
    pub source: Option<Span>,
    /// Where the target says it; `None` if only the source does.
    pub target: Option<Span>,
    /// How the two are related. What only the source says makes it say more: forward.
    pub relation: TextRelation,
    /// The probability of each relation.
    pub probabilities: [f64; N_RELATIONS],
    /// Whether it is out of order.
    pub is_moved: bool,
    /// Whether the verdict about the texts hangs on it.
    pub decides: bool,
}

/// The judgement of two texts by their sentences.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BySentences {
    pub(super) heads: [f64; N_RELATIONS],
    pub(super) similarity: f64,
    pub(super) pairs: Vec<SentencePair>,
    /// How much the judgement as a whole counts beside this one.
    pub(super) whole: f64,
}

/// The sentences of a text, as ranges of its words; `None` if its words were cut in another way.
fn cut(text: &Annotated) -> Option<Vec<Range<usize>>> {
    let mut at = 0;
    let ranges = English::cut(text.text()).into_iter().map(|(_, sentence)| {
        at += sentence.words.len();
        at - sentence.words.len()..at
    });
    let ranges: Vec<Range<usize>> = ranges.collect();
    (at == text.analysis().words.len()).then_some(ranges)
}

/// Some of the words of an annotated text, as a text of its own.
fn part(text: &Analysis, words: Range<usize>) -> Analysis {
    let span = span(text, &words);
    let taken = text.words.get(words.clone()).unwrap_or_default().iter().cloned().map(|mut word| {
        word.span = Span { start: word.span.start - span.start, end: word.span.end - span.start };
        word.head = match word.head {
            Some(Head::Word(head)) if words.contains(&(head as usize)) => Some(Head::Word(head - words.start as u32)),
            Some(_) => Some(Head::Root),
            None => None,
        };
        word
    });
    Analysis { text: text.text.get(span.range()).unwrap_or_default().into(), words: taken.collect() }
}

fn span(text: &Analysis, words: &Range<usize>) -> Span {
    let own = text.words.get(words.clone()).unwrap_or_default();
    let ends = own.first().zip(own.last()).map(|(first, last)| (first.span.start, last.span.end));
    let (start, end) = ends.unwrap_or_default();
    Span { start, end }
}

/// A text and its sentences.
struct Side<'a> {
    text: &'a Annotated,
    sentences: Vec<Range<usize>>,
    annotated: Vec<Annotated>,
    /// The distinct content words of each sentence with their weights, sorted.
    bags: Vec<Vec<(String, f64)>>,
}

/// A judged pair of sentences.
#[derive(Clone)]
struct Candidate {
    source: usize,
    target: usize,
    overlap: f64,
    probabilities: [f64; N_RELATIONS],
    similarity: f64,
}

/// A part of the verdict: sentences of both texts, or of one alone.
struct Unit {
    source: Range<usize>,
    target: Range<usize>,
    probabilities: [f64; N_RELATIONS],
    similarity: f64,
    is_moved: bool,
}

impl Unit {
    fn equivalent(&self) -> f64 {
        self.probabilities[0]
    }

    /// How probable it is that the target's part follows from the source.
    fn entails(&self) -> f64 {
        self.probabilities[0] + self.probabilities[1]
    }

    fn entailed(&self) -> f64 {
        self.probabilities[0] + self.probabilities[2]
    }
}

impl JudgementModel {
    /// Judges two texts by their sentences if they are long; `None` if they are judged as a whole.
    pub(super) fn by_sentences(
        &self,
        texts: [&Annotated; 2],
        is_wanted: bool,
        progress: Progress<'_>,
    ) -> Result<Option<BySentences>> {
        let Some((source, target)) = cut(texts[0]).zip(cut(texts[1])) else { return Ok(None) };
        let sentences = [source, target];
        let n_words = texts.map(|text| text.analysis().words.len());
        let (most, least) = (sentences[0].len().max(sentences[1].len()), sentences[0].len().min(sentences[1].len()));
        let is_long = n_words.iter().any(|n| *n > MANY_WORDS);
        if !is_wanted && (most < 2 || least < 2 && !is_long) {
            return Ok(None);
        }
        let whole = if is_wanted || is_long || most > FEW_SENTENCES { 0.0 } else { WHOLE };
        let found = self.each_sentence(texts, sentences, progress)?;
        Ok(Some(BySentences { whole, ..found }))
    }

    fn each_sentence(
        &self,
        texts: [&Annotated; 2],
        sentences: [Vec<Range<usize>>; 2],
        progress: Progress<'_>,
    ) -> Result<BySentences> {
        let [m, n] = sentences.each_ref().map(Vec::len);
        if m.saturating_mul(n) > MOST_PAIRS {
            return Err(Error::data(format!(
                "{m} and {n} sentences are too many to judge as two texts: cut them up, or compare them as documents"
            )));
        }
        let [source, target] = sentences;
        let sides = [self.side(texts[0], source), self.side(texts[1], target)];
        let context = pair_context(self.resources());
        let mut judged = Vec::new();
        for (source, target, overlap) in candidates(&sides) {
            progress.check()?;
            let view = PairView::new(&context, &sides[0].annotated[source], &sides[1].annotated[target]);
            let (probabilities, similarity) = self.of_part(&view)?;
            judged.push(Candidate { source, target, overlap, probabilities, similarity });
        }
        let mut units = matched(&sides, &judged);
        self.join_parts(&sides, &context, &mut units, progress)?;
        add_alone(&sides, &judged, &mut units);
        Ok(combined(&sides, units))
    }

    /// The probabilities of the relations of two parts, and how similar they are.
    fn of_part(&self, view: &PairView<'_>) -> Result<([f64; N_RELATIONS], f64)> {
        let scored = self.scored_in(Way::Whole, view, Wanted::Values, Progress::none())?;
        Ok((self.judged(&scored).probabilities, scored.similarity))
    }

    fn side<'a>(&self, text: &'a Annotated, sentences: Vec<Range<usize>>) -> Side<'a> {
        let annotated: Vec<Annotated> =
            sentences.iter().map(|words| Annotated::given(part(text.analysis(), words.clone()))).collect();
        let bag = |sentence: &Annotated| {
            let analysis = sentence.analysis();
            let words = (0..analysis.words.len()).map(|word| {
                let lower = analysis.words[word].lemma.as_deref().unwrap_or(analysis.form(word)).to_lowercase();
                let weight = self.english.rarity(&lower).powi(2);
                (lower, weight)
            });
            let mut bag: Vec<(String, f64)> =
                words.filter(|(lower, _)| lower.contains(char::is_alphanumeric)).collect();
            bag.sort_by(|a, b| a.0.cmp(&b.0));
            bag.dedup_by(|a, b| a.0 == b.0);
            bag
        };
        let bags = annotated.iter().map(bag).collect();
        Side { text, sentences, annotated, bags }
    }

    /// Joins unmatched sentences to the pairs that they belong to.
    fn join_parts(
        &self,
        sides: &[Side<'_>; 2],
        context: &PairContext,
        units: &mut [Unit],
        progress: Progress<'_>,
    ) -> Result<()> {
        let mut is_free = sides.each_ref().map(|side| vec![true; side.sentences.len()]);
        for unit in units.iter() {
            is_free[0][unit.source.start] = false;
            is_free[1][unit.target.start] = false;
        }
        for unit in units.iter_mut() {
            for (side, is_free) in is_free.iter_mut().enumerate() {
                let own = if side == 0 { unit.source.clone() } else { unit.target.clone() };
                let beside = [own.start.checked_sub(1), Some(own.end)].into_iter().flatten();
                for other in beside.filter(|at| is_free.get(*at) == Some(&true)).collect::<Vec<usize>>() {
                    progress.check()?;
                    if unit.source.len() + unit.target.len() > 2 || unit.equivalent() > 0.9 {
                        continue;
                    }
                    let joined = own.start.min(other)..own.end.max(other + 1);
                    let whole = [unit.source.clone(), unit.target.clone()];
                    let ranges = if side == 0 { [joined, whole[1].clone()] } else { [whole[0].clone(), joined] };
                    let texts = [0, 1].map(|at: usize| {
                        let words = words_of(&sides[at].sentences, &ranges[at]);
                        Annotated::given(part(sides[at].text.analysis(), words))
                    });
                    let (probabilities, similarity) = self.of_part(&PairView::new(context, &texts[0], &texts[1]))?;
                    if probabilities[0] > unit.equivalent().max(0.4) {
                        is_free[other] = false;
                        let [source, target] = ranges;
                        *unit = Unit { source, target, probabilities, similarity, is_moved: unit.is_moved };
                    }
                }
            }
        }
        Ok(())
    }

    /// The alignment of texts that were judged by their sentences: that of each pair of sentences.
    pub fn sentence_alignment(&self, view: &PairView<'_>, pairs: &[SentencePair]) -> Result<Alignment> {
        let context = pair_context(self.resources());
        let analyses = view.analyses();
        let mut whole = Alignment {
            source_alone: vec![1.0; analyses[0].words.len()],
            target_alone: vec![1.0; analyses[1].words.len()],
            ..Alignment::default()
        };
        for (source, target) in pairs.iter().filter_map(|pair| pair.source.zip(pair.target)) {
            let words = |side: usize, span: Span| {
                let first = analyses[side].words.partition_point(|word| word.span.start < span.start);
                first..analyses[side].words.partition_point(|word| word.span.start < span.end)
            };
            let ranges = [words(0, source), words(1, target)];
            let texts = [0, 1].map(|side: usize| Annotated::given(part(analyses[side], ranges[side].clone())));
            let own = PairView::new(&context, &texts[0], &texts[1]).alignment()?.clone();
            let [by_source, by_target] = ranges.each_ref().map(|range| range.start as u32);
            whole.links.extend(own.links.into_iter().map(|link| SureLink {
                source: link.source + by_source,
                target: link.target + by_target,
                ..link
            }));
            whole.phrases.extend(own.phrases.into_iter().map(|mut phrase: SurePhrase| {
                phrase.block.source += by_source;
                phrase.block.target += by_target;
                phrase
            }));
            let [from_source, from_target] = ranges;
            whole.source_alone.splice(from_source, own.source_alone);
            whole.target_alone.splice(from_target, own.target_alone);
        }
        whole.links.sort_by_key(|link| (link.source, link.target));
        whole.phrases.sort_by_key(|phrase| phrase.block);
        Ok(whole)
    }
}

/// The words of some sentences.
fn words_of(sentences: &[Range<usize>], some: &Range<usize>) -> Range<usize> {
    let own = sentences.get(some.clone()).unwrap_or_default();
    own.first().map_or(0, |first| first.start)..own.last().map_or(0, |last| last.end)
}

/// The weight of the words that two sentences share, of all their words.
fn overlap(a: &[(String, f64)], b: &[(String, f64)]) -> f64 {
    let (mut at, mut shared) = (0, 0.0);
    for (word, weight) in a {
        while b.get(at).is_some_and(|(other, _)| other < word) {
            at += 1;
        }
        if b.get(at).is_some_and(|(other, _)| other == word) {
            shared += weight;
        }
    }
    let all: f64 = a.iter().chain(b).map(|(_, weight)| weight).sum();
    if all > 0.0 { 2.0 * shared / all } else { 0.0 }
}

/// The pairs of sentences that are worth judging, in order, with their overlap.
fn candidates(sides: &[Side<'_>; 2]) -> Vec<(usize, usize, f64)> {
    let [m, n] = sides.each_ref().map(|side| side.sentences.len());
    let overlaps: Vec<Vec<f64>> =
        sides[0].bags.iter().map(|own| sides[1].bags.iter().map(|other| overlap(own, other)).collect()).collect();
    let mut found: Vec<(usize, usize)> = Vec::new();
    if m * n <= FEW_PAIRS {
        found.extend((0..m).flat_map(|source| (0..n).map(move |target| (source, target))));
    }
    let best = |scores: Vec<(f64, usize)>| {
        let mut scores: Vec<(f64, usize)> = scores.into_iter().filter(|(score, _)| *score >= OVERLAP).collect();
        scores.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        scores.into_iter().take(MOST_CANDIDATES).map(|(_, at)| at)
    };
    for (source, row) in overlaps.iter().enumerate() {
        found.extend(best(row.iter().copied().zip(0..).collect()).map(|target| (source, target)));
        // About as far into the target.
        found.push((source, source * n / m.max(1)));
    }
    for target in 0..n {
        let column = overlaps.iter().map(|row| row[target]).zip(0..).collect();
        found.extend(best(column).map(|source| (source, target)));
    }
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|(source, target)| (source, target, overlaps[source][target])).collect()
}

/// Matches sentences one to one.
fn matched(sides: &[Side<'_>; 2], judged: &[Candidate]) -> Vec<Unit> {
    let related = |one: &Candidate| 1.0 - one.probabilities[TextRelation::Neutral as usize];
    let is_worth = |one: &&Candidate| one.overlap >= MATCHED || related(one) >= 0.5;
    let worth: Vec<&Candidate> = judged.iter().filter(is_worth).collect();
    let entry = |one: &&Candidate| {
        let n_words = (sides[0].sentences[one.source].len() + sides[1].sentences[one.target].len()) as f64;
        let equivalent = one.probabilities[0];
        let weight = (related(one) + equivalent + one.overlap) * n_words.sqrt();
        let may_move = one.overlap >= MOVED || equivalent >= 0.5;
        Entry { source: one.source, target: one.target, weight, may_move }
    };
    let entries: Vec<Entry> = worth.iter().map(entry).collect();
    let unit = |(at, is_moved): (usize, bool)| {
        let Candidate { source, target, probabilities, similarity, .. } = worth[at].clone();
        Unit { source: source..source + 1, target: target..target + 1, probabilities, similarity, is_moved }
    };
    matching(&entries).into_iter().map(unit).collect()
}

/// Adds sentences of one text alone. One that follows from a sentence of the other adds nothing.
fn add_alone(sides: &[Side<'_>; 2], judged: &[Candidate], units: &mut Vec<Unit>) {
    let mut is_alone = sides.each_ref().map(|side| vec![true; side.sentences.len()]);
    for unit in &*units {
        unit.source.clone().for_each(|at| is_alone[0][at] = false);
        unit.target.clone().for_each(|at| is_alone[1][at] = false);
    }
    for side in 0..2 {
        for at in (0..is_alone[side].len()).filter(|at| is_alone[side][*at]) {
            if sides[side].bags[at].is_empty() {
                continue;
            }
            let own = judged.iter().filter(|one| if side == 0 { one.source == at } else { one.target == at });
            let follows = own.map(|one| one.probabilities[0] + one.probabilities[if side == 0 { 2 } else { 1 }]);
            let known = follows.fold(0.0, f64::max).clamp(LEAST, 1.0 - LEAST);
            let mut probabilities = [known, 0.0, 0.0, 0.0, 0.0];
            probabilities[if side == 0 { 1 } else { 2 }] = 1.0 - known;
            let [source, target] = if side == 0 { [at..at + 1, 0..0] } else { [0..0, at..at + 1] };
            units.push(Unit { source, target, probabilities, similarity: known, is_moved: false });
        }
    }
}

/// The verdict over all parts.
fn combined(sides: &[Side<'_>; 2], units: Vec<Unit>) -> BySentences {
    let all = |of: fn(&Unit) -> f64| {
        let logs = || units.iter().map(|unit| of(unit).max(LEAST).ln());
        let mean = logs().sum::<f64>() / units.len().max(1) as f64;
        (WEAKEST * logs().fold(0.0, f64::min) + (1.0 - WEAKEST) * mean).exp()
    };
    let (equivalent, entails, entailed) = (all(Unit::equivalent), all(Unit::entails), all(Unit::entailed));
    let contradicts = 1.0 - all(|unit| 1.0 - unit.probabilities[3]);
    let (forward, backward) = ((entails - equivalent).max(0.0), (entailed - equivalent).max(0.0));
    let neutral = (1.0 - equivalent - (forward + backward)).max(0.0);
    let mut probabilities = [equivalent, forward, backward, 0.0, neutral].map(|share| (1.0 - contradicts) * share);
    probabilities[3] = contradicts;
    let heads = probabilities.map(|share| share.max(LEAST).ln());
    let best = (0..N_RELATIONS).fold(0, |best, at| if probabilities[at] > probabilities[best] { at } else { best });
    // What the verdict hangs on: the unit that keeps it from being equivalent.
    let against = |unit: &Unit| match TextRelation::ALL[best] {
        TextRelation::Equivalent => 0.0,
        TextRelation::Forward => 1.0 - unit.entailed(),
        TextRelation::Backward => 1.0 - unit.entails(),
        TextRelation::Contradiction => unit.probabilities[3],
        TextRelation::Neutral => 2.0 - (unit.entails() + unit.entailed()),
    };
    let strongest = units.iter().map(&against).fold(0.0, f64::max);
    let mut decider = units.iter().position(|unit| strongest > 0.0 && against(unit) == strongest);
    let n_words = |unit: &Unit| {
        let of = |side: usize, some: &Range<usize>| words_of(&sides[side].sentences, some).len();
        (of(0, &unit.source) + of(1, &unit.target)) as f64
    };
    let n_all: f64 = units.iter().map(n_words).sum();
    let similarity = units.iter().map(|unit| unit.similarity * n_words(unit)).sum::<f64>() / n_all.max(1.0);
    let place = |side: usize, some: &Range<usize>| {
        let text = sides[side].text.analysis();
        (!some.is_empty()).then(|| span(text, &words_of(&sides[side].sentences, some)))
    };
    let mut pairs: Vec<SentencePair> = Vec::with_capacity(units.len());
    for (at, unit) in units.into_iter().enumerate() {
        let best = (0..N_RELATIONS)
            .fold(0, |best, at| if unit.probabilities[at] > unit.probabilities[best] { at } else { best });
        let decides = decider.take_if(|decider| *decider == at).is_some();
        pairs.push(SentencePair {
            source: place(0, &unit.source),
            target: place(1, &unit.target),
            relation: TextRelation::ALL[best],
            probabilities: unit.probabilities,
            is_moved: unit.is_moved,
            decides,
        });
    }
    BySentences { heads, similarity, pairs, whole: 0.0 }
}

impl BySentences {
    /// The same with the texts exchanged, in the order of the source.
    pub(super) fn given(mut self, is_turned: bool) -> Self {
        if is_turned {
            self.heads.swap(1, 2);
            for pair in &mut self.pairs {
                std::mem::swap(&mut pair.source, &mut pair.target);
                pair.probabilities.swap(1, 2);
                pair.relation = pair.relation.reversed();
            }
        }
        in_order(&mut self.pairs);
        self
    }
}

/// Sorts by the source; what only the target says comes after what precedes it in the target.
fn in_order(pairs: &mut Vec<SentencePair>) {
    let start = |span: &Option<Span>| span.map_or(u32::MAX, |span| span.start);
    let (mut sorted, mut alone): (Vec<_>, Vec<_>) =
        std::mem::take(pairs).into_iter().partition(|pair| pair.source.is_some());
    sorted.sort_by_key(|pair| start(&pair.source));
    alone.sort_by_key(|pair| start(&pair.target));
    for pair in alone {
        let before = sorted.iter().filter(|other| other.target.is_some() && start(&other.target) < start(&pair.target));
        let last = before.max_by_key(|other| start(&other.target)).cloned();
        let at = last.and_then(|last| sorted.iter().position(|other| *other == last)).map_or(0, |at| at + 1);
        sorted.insert(at, pair);
    }
    *pairs = sorted;
}

/// Explains a score with these factors of the heads: each pair of sentences has its share of the mean,
/// and the rest is that the weakest counts more.
pub(super) fn explain(scored: &Scored, texts: [&str; 2], value: f64, factors: [f64; N_RELATIONS]) -> Vec<Explanation> {
    let n = scored.sentences.len().max(1) as f64;
    let share_of_whole = if scored.inputs.is_empty() { 0.0 } else { scored.whole };
    let leaf = |pair: &SentencePair| {
        let score: f64 =
            factors.iter().zip(pair.probabilities).map(|(factor, share)| factor * share.max(LEAST).ln()).sum();
        let text =
            |side: usize, span: Option<Span>| span.and_then(|span| texts[side].get(span.range())).map(str::to_owned);
        let what = What::Phrase { source: text(0, pair.source), target: text(1, pair.target) };
        let spans = |span: Option<Span>| span.into_iter().collect();
        let places = vec![Place { source: spans(pair.source), target: spans(pair.target) }];
        Explanation { what, value: (1.0 - share_of_whole) * score / n, places, parts: Vec::new() }
    };
    let mut parts: Vec<Explanation> = scored.sentences.iter().map(leaf).collect();
    let sum: f64 = parts.iter().map(|part| part.value).sum();
    Explanation::strongest_first(&mut parts);
    parts.push(Explanation::leaf(What::Sentences, value - sum));
    parts
}
