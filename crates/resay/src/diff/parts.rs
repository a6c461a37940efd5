//! Sentences that were split into two, or merged into one.
//!
//! An unmatched sentence stands next to a sentence of a pair, in the same paragraph. The two are
//! joined into one passage if the unmatched sentence shares words with the other side of the pair,
//! if both together have a higher overlap with the other side than one alone, and if the judge
//! accepts the passage or finds it at least as likely as the pair.

use super::candidates::Bag;
use super::pairs::{Judged, MAX_WORDS, Pair, YES, readable};
use crate::Result;
use crate::model::PairModel;
use resay_learn::progress::Progress;
use resay_text::Span;
use std::ops::Range;

/// The minimum share of the unmatched sentence that the other side of the pair contains.
const CONTAINED: f64 = 0.3;
/// The minimum gain in overlap.
const GAIN: f64 = 0.05;

/// A sentence that may belong to a pair.
struct Trial {
    pair: usize,
    side: usize,
    sentences: Range<usize>,
    gain: f64,
}

impl Judged<'_> {
    /// Joins unmatched sentences to the pairs that they belong to.
    pub(super) fn join_parts(
        &mut self,
        judge: &dyn PairModel,
        pairs: &mut [Pair],
        progress: Progress<'_>,
    ) -> Result<()> {
        let mut is_free = self.documents.map(|document| vec![true; document.sentences().len()]);
        for pair in &*pairs {
            pair.source.clone().for_each(|at| is_free[0][at] = false);
            pair.target.clone().for_each(|at| is_free[1][at] = false);
        }
        let mut trials: Vec<Trial> = Vec::new();
        for (number, pair) in pairs.iter().enumerate().filter(|(_, pair)| pair.texts.is_some()) {
            progress.check()?;
            for (side, is_free) in is_free.iter().enumerate() {
                let own = if side == 0 { &pair.source } else { &pair.target };
                let beside = [own.start.checked_sub(1).map(|at| at..own.end), Some(own.start..own.end + 1)];
                let trial = |sentences: Range<usize>| self.trial(number, pair, side, sentences, is_free);
                trials.extend(beside.into_iter().flatten().filter_map(trial));
            }
        }
        if trials.is_empty() {
            return Ok(());
        }
        let text = |trial: &Trial| {
            let places = &self.documents[trial.side].sentences()[trial.sentences.clone()];
            let ends = places.first().zip(places.last()).map(|(first, last)| (first.span.start, last.span.end));
            let (start, end) = ends.unwrap_or((0, 0));
            readable(self.documents[trial.side], Span { start, end })
        };
        let texts: Vec<String> = trials.iter().map(text).collect();
        let n_before = self.annotated.len();
        self.annotated.extend(judge.annotate(&texts, progress.quiet())?);
        let both = |(number, trial): (usize, &Trial)| {
            let mut both = pairs[trial.pair].texts.unwrap_or_default();
            both[trial.side] = n_before + number;
            both
        };
        let asked: Vec<[usize; 2]> = trials.iter().enumerate().map(both).collect();
        let found = judge.predict_annotated(&self.annotated, &asked, progress.quiet())?;
        let decisions = found.into_iter().map(|found| found?.decision()).collect::<Result<Vec<_>>>()?;
        let mut order: Vec<usize> = (0..trials.len()).collect();
        order.sort_by(|&a, &b| trials[b].gain.total_cmp(&trials[a].gain).then(a.cmp(&b)));
        for at in order {
            let (trial, probability) = (&trials[at], decisions[at].probability);
            let pair = &mut pairs[trial.pair];
            let is_new = pair.source.len() == 1 && pair.target.len() == 1;
            let is_there = trial.sentences.clone().filter(|&sentence| is_free[trial.side][sentence]).count() == 1;
            let is_better = probability >= YES || pair.probability.is_some_and(|before| probability >= before);
            if !(is_new && is_there && is_better) {
                continue;
            }
            trial.sentences.clone().for_each(|sentence| is_free[trial.side][sentence] = false);
            *(if trial.side == 0 { &mut pair.source } else { &mut pair.target }) = trial.sentences.clone();
            pair.probability = Some(probability);
            pair.is_alike = probability >= YES;
            pair.texts = Some(asked[at]);
        }
        Ok(())
    }

    /// Two sentences of one side against one of the other, if they are worth judging.
    fn trial(
        &self,
        number: usize,
        pair: &Pair,
        side: usize,
        sentences: Range<usize>,
        is_free: &[bool],
    ) -> Option<Trial> {
        let (own, other) = if side == 0 { (&pair.source, &pair.target) } else { (&pair.target, &pair.source) };
        let beside = if sentences.start < own.start { sentences.start } else { own.end };
        if !*is_free.get(beside)? {
            return None;
        }
        let places = self.documents[side].sentences().get(sentences.clone())?;
        let is_one_paragraph = places.windows(2).all(|two| two[0].paragraph == two[1].paragraph);
        let n_words: u32 = places.iter().map(|place| place.n_words).sum();
        if !is_one_paragraph || n_words as usize > MAX_WORDS {
            return None;
        }
        let bag = |side: usize, sentence: usize| {
            let place = self.sentences[side].binary_search(&sentence).ok()?;
            self.bags[side].get(place)
        };
        let (whole, kept, new) = (bag(1 - side, other.start)?, bag(side, own.start)?, bag(side, beside)?);
        let is_contained = self.vocabulary.shared(new, whole) >= CONTAINED * self.vocabulary.mass(new);
        let mut joined: Bag = kept.iter().chain(new).copied().collect();
        joined.sort_unstable();
        let gain = self.vocabulary.overlap(&joined, whole) - self.vocabulary.overlap(kept, whole);
        (is_contained && gain >= GAIN).then_some(Trial { pair: number, side, sentences, gain })
    }
}
