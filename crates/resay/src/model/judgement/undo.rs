//! What a verdict hangs on: each difference is undone in the text itself, and the pair is judged again.
//!
//! The contributions of an explanation add up, but each is what the trees make of a number, beside
//! hundreds of others that say nearly the same. Undoing a difference asks the question that a
//! reader has: what if it said 60 here, too? The answer is true by construction.

use super::{JudgementModel, Question};
use crate::Result;
use crate::explain::{Place, What};
use crate::features::Wanted;
use crate::id::{EditKind, RelationFeature, WordGroup};
use crate::model::contract::PairModel;
use crate::pair::PairView;
use crate::relate::RelationEvidence;
use resay_learn::progress::Progress;
use resay_text::Span;

/// A difference, and what undoing it changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Undone {
    /// How the words are related.
    pub feature: RelationFeature,
    /// The words.
    pub what: What,
    /// Where they are.
    pub place: Place,
    /// The score of saying the same without the difference, less the score with it.
    pub effect: f64,
    /// The probability of saying the same without the difference.
    pub same: f64,
}

/// The most differences that are undone: each is one more pair to judge.
const MOST: usize = 12;

impl JudgementModel {
    /// Undoes every difference of a pair by itself, and says what that does to the answer whether both
    /// say the same; the strongest first.
    pub fn undone(&self, pair: &PairView<'_>) -> Result<Vec<Undone>> {
        let scored = self.scored(pair, Wanted::Evidence, Progress::none())?;
        if scored.is_equal || scored.inputs.is_empty() {
            return Ok(Vec::new());
        }
        let texts = pair.texts().map(|text| text.text());
        let mut found: Vec<(RelationFeature, What, Place)> = Vec::new();
        for evidence in &scored.features.evidence {
            let feature = self.features[evidence.feature];
            if is_difference(feature) {
                let (what, place) = given(evidence, scored.is_turned);
                found.push((feature, what, place));
            }
        }
        let mut found = joined(found, texts);
        found.truncate(MOST);
        let changed: Vec<(String, String)> = found.iter().map(|(_, _, place)| undo(texts, place)).collect();
        let model = self.asking(Question::Same);
        let model: &dyn PairModel = &model;
        let of = |(source, target): &(String, String)| -> Result<_> { model.predict_one(source, target)?.decision() };
        let before = model.predict_one(texts[0], texts[1])?.decision()?;
        let mut undone = Vec::with_capacity(found.len());
        for ((feature, what, place), changed) in found.into_iter().zip(&changed) {
            // A text of which nothing is left says nothing.
            let Ok(after) = of(changed) else { continue };
            undone.push(Undone { feature, what, place, effect: after.score - before.score, same: after.probability });
        }
        undone.sort_by(|a, b| b.effect.abs().total_cmp(&a.effect.abs()));
        Ok(undone)
    }

    /// [`Self::undone`] for two texts.
    pub fn undone_texts(&self, source: &str, target: &str) -> Result<Vec<Undone>> {
        let texts = self.annotate_texts(&[source, target], Progress::none())?;
        let context = crate::model::pair_context(&self.resources);
        self.undone(&PairView::new(&context, &texts[0], &texts[1]))
    }
}

/// Whether words that a feature points at say something else in one text than in the other.
fn is_difference(feature: RelationFeature) -> bool {
    use EditKind::{Equal, Inflected, Misspelt, Nickname, Normalised, Same};
    match feature {
        RelationFeature::Content(kind) => !matches!(kind, Same | Inflected | Normalised | Equal | Nickname | Misspelt),
        RelationFeature::Function(kind) => {
            kind.is_difference() || matches!(kind, EditKind::General | EditKind::Specific | EditKind::Converse)
        }
        RelationFeature::Alone(_, group) => group != WordGroup::Filler && group != WordGroup::Mark,
        _ => false,
    }
}

/// The words of a feature, in the order in which the texts were given.
fn given(evidence: &RelationEvidence, is_turned: bool) -> (What, Place) {
    let place = evidence.place.clone();
    match (&evidence.what, is_turned) {
        (What::Phrase { source, target }, true) => (
            What::Phrase { source: target.clone(), target: source.clone() },
            Place { source: place.target, target: place.source },
        ),
        (what, _) => (what.clone(), place),
    }
}

/// Joins neighbouring words that only one text has: they are left out together.
fn joined(found: Vec<(RelationFeature, What, Place)>, texts: [&str; 2]) -> Vec<(RelationFeature, What, Place)> {
    let (mut alone, mut rest): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|(feature, ..)| matches!(feature, RelationFeature::Alone(..)));
    alone.sort_by_key(|(_, _, place)| (place.source.is_empty(), start(place)));
    let mut runs: Vec<(RelationFeature, What, Place)> = Vec::new();
    for (feature, _, place) in alone {
        let side = usize::from(place.source.is_empty());
        let spans = |place: &Place| if side == 0 { place.source.clone() } else { place.target.clone() };
        let follows = |last: &Place| {
            let last_spans = spans(last);
            let (Some(before), Some(next)) = (last_spans.last(), spans(&place).first().copied()) else { return false };
            let between = texts[side].get(before.end as usize..next.start as usize);
            before.end <= next.start && between.is_some_and(|between| between.trim().is_empty())
        };
        match runs.last_mut() {
            Some((_, _, last)) if follows(last) => {
                if side == 0 {
                    last.source.extend(place.source)
                } else {
                    last.target.extend(place.target)
                }
            }
            _ => runs.push((feature, What::Score, place)),
        }
    }
    for (_, what, place) in &mut runs {
        let text =
            |side: usize, spans: &[Span]| hull(spans).and_then(|span| texts[side].get(span.range())).map(str::to_owned);
        *what = What::Phrase { source: text(0, &place.source), target: text(1, &place.target) };
    }
    // Two features may point at the same words: the first is the more telling.
    rest.dedup_by(|next, kept| next.2 == kept.2);
    rest.extend(runs);
    rest
}

fn start(place: &Place) -> u32 {
    place.source.first().or(place.target.first()).map_or(0, |span| span.start)
}

/// The stretch from the first to the last of these spans.
fn hull(spans: &[Span]) -> Option<Span> {
    Some(Span { start: spans.first()?.start, end: spans.last()?.end })
}

/// The texts without the difference: the target says it as the source does, and what only one says
/// is left out.
fn undo([source, target]: [&str; 2], place: &Place) -> (String, String) {
    let put = |text: &str, at: Option<Span>, new: &str| {
        let Some((before, after)) =
            at.and_then(|at| Some((text.get(..at.start as usize)?, text.get(at.end as usize..)?)))
        else {
            return text.to_owned();
        };
        let joined = format!("{before}{new}{after}");
        if new.is_empty() { joined.split_whitespace().collect::<Vec<_>>().join(" ") } else { joined }
    };
    match (hull(&place.source), hull(&place.target)) {
        (Some(from), Some(to)) => {
            let new = source.get(from.range()).unwrap_or_default();
            (source.to_owned(), put(target, Some(to), new))
        }
        (from, to) => (put(source, from, ""), put(target, to, "")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(source: &[[u32; 2]], target: &[[u32; 2]]) -> Place {
        let spans = |spans: &[[u32; 2]]| spans.iter().map(|[start, end]| Span { start: *start, end: *end }).collect();
        Place { source: spans(source), target: spans(target) }
    }

    #[test]
    fn differences_are_undone_in_the_text() {
        let texts = ["He paid 60 euros today.", "He paid 80 euros."];
        let check = |place: Place, expected: [&str; 2]| {
            let (source, target) = undo(texts, &place);
            assert_eq!([source.as_str(), target.as_str()], expected);
        };
        check(place(&[[8, 10]], &[[8, 10]]), ["He paid 60 euros today.", "He paid 60 euros."]);
        check(place(&[[17, 22]], &[]), ["He paid 60 euros .", "He paid 80 euros."]);
        check(place(&[], &[[3, 7]]), ["He paid 60 euros today.", "He 80 euros."]);
        check(place(&[[100, 200]], &[]), texts);
    }
}
