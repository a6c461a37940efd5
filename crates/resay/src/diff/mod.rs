//! Semantic comparison of two documents: which sentences correspond, and how each one changed.
//!
//! 1. Sentences with the same text are matched without the judge (`same.rs`).
//! 2. The rest is annotated, and a few pairs become candidates (`candidates.rs`); the judge
//!    estimates for each how likely both sentences say the same.
//! 3. The heaviest set of pairs that keeps the order of both documents is found exactly; the rest
//!    may have moved (`align/matching.rs`).
//! 4. An unmatched sentence next to such a pair may be part of it: one sentence was split into two,
//!    or two were merged (`parts.rs`). Splits into three or more are not detected: the surplus
//!    counts as added or dropped.
//! 5. Pairs that the judge accepts are reworded, the others changed in meaning; both are compared
//!    phrase by phrase (`phrases.rs`).
//!
//! The time grows with the number of sentences that differ, and with the logarithm of the number of
//! all others.

mod candidates;
mod document;
mod pairs;
mod parts;
mod phrases;
mod same;

pub use document::{DiffDocument, MAX_BYTES, SentencePlace};
pub use pairs::MAX_WORDS;
pub use phrases::{Phrase, PhraseKind};

use crate::explain::{Explanation, What};
use crate::id::{EditKind, Feature, FeatureGroup, RelationFeature};
use crate::model::PairModel;
use crate::{Error, Result};
use pairs::{Left, Pair};
use rayon::prelude::*;
use resay_learn::progress::{Progress, Stage};
use resay_text::Span;
use std::ops::Range;

/// The maximum number of sentences per document without an equal in the other. More would take
/// minutes, and more memory than a laptop has to spare.
pub const MAX_LEFT: usize = 10_000;

/// How a sentence changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub enum DifferenceKind {
    /// The same text in the same place.
    Same,
    /// The same text in a different place.
    Moved,
    /// The same meaning in other words.
    Reworded,
    /// The same place in the text, but a different meaning.
    Changed,
    /// Only in the second document.
    Added,
    /// Only in the first document.
    Dropped,
}

impl DifferenceKind {
    /// All kinds, in display order.
    pub const ALL: [Self; 6] = [Self::Same, Self::Reworded, Self::Moved, Self::Changed, Self::Added, Self::Dropped];

    /// The name for display and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Moved => "moved",
            Self::Reworded => "reworded",
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Dropped => "dropped",
        }
    }
}

/// Consecutive sentences of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct Passage {
    /// The sentences, from 0; more than one after a split or merge.
    pub sentences: Range<usize>,
    /// Their span in the document's text.
    pub span: Span,
    /// The line that they start on, from 1.
    pub line: u32,
}

impl Passage {
    fn new(document: &DiffDocument, sentences: Range<usize>) -> Self {
        let places = &document.sentences()[sentences.clone()];
        let empty = SentencePlace { span: Span { start: 0, end: 0 }, line: 1, paragraph: 0, n_words: 0 };
        let (first, last) = (places.first().unwrap_or(&empty), places.last().unwrap_or(&empty));
        Self { sentences, span: Span { start: first.span.start, end: last.span.end }, line: first.line }
    }
}

/// How one or two sentences changed.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct Difference {
    /// The kind of change.
    pub kind: DifferenceKind,
    /// Whether it is out of order; always true for [`DifferenceKind::Moved`], and possible for
    /// reworded and changed sentences.
    pub is_moved: bool,
    /// The passage of the first document; `None` if added.
    pub source: Option<Passage>,
    /// The passage of the second document; `None` if dropped.
    pub target: Option<Passage>,
    /// The judge's probability that both say the same; `None` if the judge was not asked.
    pub probability: Option<f64>,
    /// The reworded or changed phrases, with spans of the documents' texts. Empty for all other
    /// kinds, and for sentences of more than 200 words, which are not judged.
    pub phrases: Vec<Phrase>,
    /// Why the meaning is taken to have changed; base models appear as a whole.
    pub explanation: Option<Box<Explanation>>,
}

/// Compares two documents. Returns all differences, unchanged sentences included, in the order of
/// the second document; a dropped sentence precedes what replaced it.
pub fn compare(
    judge: &dyn PairModel,
    documents: [&DiffDocument; 2],
    progress: Progress<'_>,
) -> Result<Vec<Difference>> {
    judge.resources().threads().run(|| find_differences(judge, documents, progress))?
}

fn find_differences(
    judge: &dyn PairModel,
    documents: [&DiffDocument; 2],
    progress: Progress<'_>,
) -> Result<Vec<Difference>> {
    let same = same::same(documents, progress)?;
    let left = Left::new(documents, &same);
    let n_left = left.sentences.each_ref().map(Vec::len);
    if n_left.iter().any(|&n| n > MAX_LEFT) {
        let [n_source, n_target] = n_left;
        return Err(Error::data(format!(
            "{n_source} sentences of the first file and {n_target} of the second have no equal in the other, at most \
             {MAX_LEFT} are compared: cut the files up, such as by chapters, and compare part by part"
        )));
    }
    let mut pairs: Vec<Pair> =
        same.iter().map(|&(source, target, is_moved)| Pair::same(source, target, is_moved)).collect();
    if n_left.iter().all(|&n| n > 0) {
        let mut judged = left.judge(judge, progress)?;
        pairs = judged.matched(pairs);
        judged.join_parts(judge, &mut pairs, progress)?;
        pairs = judged.explained(judge, pairs, progress)?;
    }
    Ok(in_order(documents, pairs))
}

/// Whether the meaning of the document changed: a sentence changed in meaning, or a sentence with a
/// letter or digit was added or dropped.
pub fn is_meaning_changed(documents: [&DiffDocument; 2], differences: &[Difference]) -> bool {
    let has_content = |side: usize, passage: &Option<Passage>| {
        let text = passage.as_ref().map_or("", |passage| documents[side].slice(passage.span));
        text.chars().any(char::is_alphanumeric)
    };
    differences.iter().any(|difference| match difference.kind {
        DifferenceKind::Changed => true,
        DifferenceKind::Added => has_content(1, &difference.target),
        DifferenceKind::Dropped => has_content(0, &difference.source),
        DifferenceKind::Same | DifferenceKind::Moved | DifferenceKind::Reworded => false,
    })
}

/// Sorts everything by the second document; dropped sentences precede what replaced them.
fn in_order(documents: [&DiffDocument; 2], pairs: Vec<Pair>) -> Vec<Difference> {
    let mut is_paired = [0, 1].map(|side: usize| vec![false; documents[side].sentences().len()]);
    for pair in &pairs {
        pair.source.clone().for_each(|at| is_paired[0][at] = true);
        pair.target.clone().for_each(|at| is_paired[1][at] = true);
    }
    let alone = |side: usize, at: usize| Difference {
        kind: if side == 0 { DifferenceKind::Dropped } else { DifferenceKind::Added },
        is_moved: false,
        source: (side == 0).then(|| Passage::new(documents[0], at..at + 1)),
        target: (side == 1).then(|| Passage::new(documents[1], at..at + 1)),
        probability: None,
        phrases: Vec::new(),
        explanation: None,
    };
    let n_source = documents[0].sentences().len();
    let mut dropped = (0..n_source).filter(|&at| !is_paired[0][at]).peekable();
    let added = (0..documents[1].sentences().len()).filter(|&at| !is_paired[1][at]);
    let mut events: Vec<(usize, Option<Pair>)> = added.map(|at| (at, None)).collect();
    events.extend(pairs.into_iter().map(|pair| (pair.target.start, Some(pair))));
    events.sort_by_key(|(at, _)| *at);
    // next_kept[e]: the source of the first pair in order, at event e or later.
    let mut next_kept = vec![n_source; events.len() + 1];
    for at in (0..events.len()).rev() {
        let kept = events[at].1.as_ref().filter(|pair| !pair.is_moved).map(|pair| pair.source.start);
        next_kept[at] = kept.unwrap_or(next_kept[at + 1]);
    }
    let mut differences = Vec::new();
    for (number, (at, pair)) in events.into_iter().enumerate() {
        while let Some(dropped) = dropped.next_if(|&dropped| dropped < next_kept[number]) {
            differences.push(alone(0, dropped));
        }
        differences.push(match pair {
            Some(pair) => pair.difference(documents),
            None => alone(1, at),
        });
    }
    differences.extend(dropped.map(|at| alone(0, at)));
    differences
}

/// The locations of the negative evidence in an explanation: mismatches and sentence structure.
fn told(explanation: &Explanation) -> Vec<phrases::Told> {
    let is_of = |part: &Explanation| matches!(part.what, What::Group(FeatureGroup::Mismatch | FeatureGroup::Structure));
    let features = explanation.parts.iter().filter(|group| is_of(group)).flat_map(|group| &group.parts);
    let evidence = features.flat_map(|feature| &feature.parts).filter(|evidence| evidence.value < 0.0);
    evidence.flat_map(|evidence| &evidence.places).map(|place| [place.source.clone(), place.target.clone()]).collect()
}

/// Features that mark a contradiction. Two news reports may differ in a number and still be
/// labelled as paraphrases; between two versions of a text such a difference is what a reader looks
/// for.
const CONTRADICTIONS: [Feature; 5] =
    [Feature::OtherNumber, Feature::OtherUnit, Feature::OtherName, Feature::NegationInOne, Feature::Opposites];

/// Whether a feature points at contradictory words.
fn contradicts(explanation: &Explanation) -> bool {
    let is_one = |what: &What| match what {
        What::Feature(id) => CONTRADICTIONS.contains(&id.feature),
        // Opposites may cancel out with a negation; numbers and names do not.
        What::RelationFeature(RelationFeature::Content(kind)) => {
            matches!(kind, EditKind::NumberDiffers | EditKind::OtherName)
        }
        _ => false,
    };
    let mut features = explanation.parts.iter().flat_map(|group| &group.parts);
    features.any(|feature| is_one(&feature.what) && !feature.parts.is_empty())
}

/// Keeps base models as a whole: their thousands of rules and parts are unreadable here.
fn trimmed(mut explanation: Explanation) -> Explanation {
    for part in explanation.parts.iter_mut().filter(|part| matches!(part.what, What::BaseModel(_))) {
        part.parts.clear();
    }
    explanation
}

/// Processes items in parallel, in blocks, and reports progress; `begin` makes the state of a
/// thread.
fn in_blocks<T: Sync, S, R: Send>(
    stage: Stage,
    items: &[T],
    progress: Progress<'_>,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    const BLOCK: usize = 64;
    let mut done = Vec::with_capacity(items.len());
    for block in items.chunks(BLOCK) {
        progress.report(stage, done.len(), items.len())?;
        let work = |state: &mut S, item: &T| progress.check().and_then(|()| work(state, item));
        done.extend(block.par_iter().map_init(&begin, work).collect::<Result<Vec<R>>>()?);
    }
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sentences are letters; pairs are written as `0-1`, with a leading `>` if moved.
    #[test]
    fn everything_stands_in_the_order_of_the_second_document() {
        let check = |old: &str, new: &str, pairs: &str, expected: &str| {
            let document = |text: &str| {
                let sentences: Vec<String> = text.chars().map(|letter| format!("{letter} is here.")).collect();
                DiffDocument::from_text(sentences.join(" "))
            };
            let documents = [document(old), document(new)];
            let pair = |pair: &str| {
                let (source, target) = pair.trim_start_matches('>').split_once('-').unwrap();
                Pair::same(source.parse().unwrap(), target.parse().unwrap(), pair.starts_with('>'))
            };
            let documents = [&documents[0], &documents[1]];
            let found = in_order(documents, pairs.split_whitespace().map(pair).collect());
            let shown = |difference: &Difference| {
                let text = |side: usize, passage: &Option<Passage>| {
                    passage.as_ref().map_or("", |passage| &documents[side].slice(passage.span)[..1]).to_owned()
                };
                let sign = match difference.kind {
                    DifferenceKind::Moved => ">",
                    DifferenceKind::Added => "+",
                    DifferenceKind::Dropped => "-",
                    _ => "",
                };
                let both = [text(0, &difference.source), text(1, &difference.target)];
                format!("{sign}{}", both.iter().max().unwrap())
            };
            assert_eq!(found.iter().map(shown).collect::<Vec<_>>().join(" "), expected, "{old} {new}");
        };
        check("AB", "AB", "0-0 1-1", "A B");
        check("AXB", "AYB", "0-0 2-2", "A -X +Y B");
        check("XA", "AY", "1-0", "-X A +Y");
        check("ABX", "AB", "0-0 1-1", "A B -X");
        check("ABCD", "DABC", ">3-0 0-1 1-2 2-3", ">D A B C");
        check("AXBC", "BAC", "0-1 >2-0 3-2", ">B A -X C");
        check("", "Y", "", "+Y");
        check("X", "", "", "-X");
    }
}
