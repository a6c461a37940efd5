//! The comparison of two sentences.

use super::{Aligned, Contribution, spans};
use crate::groups::{groups, only, runs, side};
use crate::reasons::Answer;
use crate::wording;
use resay::id::TextRelation;
use resay::model::{AlignedText, Decision, Judged, SentencePair, Undone};
use resay_text::{Analysis, Span, TextKind};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The line of `compare`.
#[derive(Debug, Serialize)]
pub struct ComparedPair<'a> {
    /// The first sentence.
    pub source: &'a str,
    /// The second sentence.
    pub target: &'a str,
    /// What keeps the answer from being more than a guess.
    pub warnings: Vec<Warning>,
    /// How they are related.
    pub relation: &'static str,
    /// The probability of each relation.
    pub relations: BTreeMap<&'static str, f64>,
    /// Whether they say the same.
    pub same: ComparedAnswer,
    /// Whether the target follows from the source.
    pub entails: ComparedAnswer,
    /// Whether the source follows from the target.
    pub entailed: ComparedAnswer,
    /// Whether they contradict each other.
    pub contradicts: ComparedAnswer,
    /// How similar they are, from 0 to 5.
    pub similarity: f64,
    /// What the verdict hangs on, strongest first.
    pub differences: Vec<UndoneDifference>,
    /// Their sentences, if they were judged sentence by sentence.
    pub sentences: Vec<JudgedSentences>,
    /// Words that both sentences have.
    pub shared: Shared,
    /// Words that only one sentence has.
    pub only: Only,
    /// The alignment.
    pub aligned: Aligned<'a>,
}

impl<'a> ComparedPair<'a> {
    /// Builds the line from two sentences as given, the answers in the order of the fields, and the
    /// alignment. Each answer has at most `top` reasons for and as many against.
    pub fn of(
        [source, target]: [&'a str; 2],
        judged: &Judged,
        answers: &[Answer; 4],
        undone: &[Undone],
        aligned: &'a AlignedText,
        top: usize,
    ) -> Self {
        let [same, entails, entailed, contradicts] = answers.each_ref().map(|one| ComparedAnswer::of(one, top));
        let relations = TextRelation::ALL.map(|relation| (relation.name(), judged.probabilities[relation as usize]));
        let [only_source, only_target] = said_once(aligned);
        Self {
            source,
            target,
            warnings: Warning::of(judged),
            relation: judged.relation.name(),
            relations: relations.into_iter().collect(),
            same,
            entails,
            entailed,
            contradicts,
            similarity: judged.similarity,
            differences: undone.iter().map(UndoneDifference::of).collect(),
            sentences: judged.sentences.iter().map(JudgedSentences::of).collect(),
            shared: Shared::of(aligned),
            only: Only { source: only_source, target: only_target },
            aligned: Aligned::of("", aligned),
        }
    }
}

/// Corresponding sentences of two texts, or a sentence of one alone.
#[derive(Debug, Serialize)]
pub struct JudgedSentences {
    /// How they are related.
    pub relation: &'static str,
    /// The probability of that.
    pub probability: f64,
    /// Where it is in the source; null if only the target says it.
    pub source: Option<[u32; 2]>,
    /// Where it is in the target; null if only the source says it.
    pub target: Option<[u32; 2]>,
    /// Whether it is out of order.
    pub moved: bool,
    /// Whether the verdict hangs on it.
    pub decides: bool,
}

impl JudgedSentences {
    fn of(pair: &SentencePair) -> Self {
        let span = |span: Option<Span>| span.map(|span| [span.start, span.end]);
        Self {
            relation: pair.relation.name(),
            probability: pair.probabilities[pair.relation as usize],
            source: span(pair.source),
            target: span(pair.target),
            moved: pair.is_moved,
            decides: pair.decides,
        }
    }
}

/// A text that is not English.
#[derive(Debug, Serialize)]
pub struct Warning {
    /// `source` or `target`.
    pub text: &'static str,
    /// What the text looks like: `other-language`, `code`, `names` or `symbols`.
    pub kind: &'static str,
    /// The warning in words.
    pub message: String,
}

impl Warning {
    /// The warnings about two texts; none if they are equal.
    pub fn of(judged: &Judged) -> Vec<Self> {
        let of = |(text, kind): (&'static str, TextKind)| {
            Some(Self { text, kind: kind.name(), message: wording::warning(text, kind)? })
        };
        let texts = ["source", "target"].into_iter().zip(judged.kinds);
        if judged.is_equal { Vec::new() } else { texts.filter_map(of).collect() }
    }
}

/// A difference of two texts, and what undoing it does to the answer whether they say the same.
#[derive(Debug, Serialize)]
pub struct UndoneDifference {
    /// The words and how they are related.
    pub text: String,
    /// How much the score rises without it.
    pub effect: f64,
    /// The probability of saying the same without it.
    pub same: f64,
    /// Where it is in the source.
    pub source: Vec<[u32; 2]>,
    /// Where it is in the target.
    pub target: Vec<[u32; 2]>,
}

impl UndoneDifference {
    fn of(undone: &Undone) -> Self {
        Self {
            text: wording::undone(undone),
            effect: undone.effect,
            same: undone.same,
            source: spans(&undone.place.source),
            target: spans(&undone.place.target),
        }
    }
}

/// The answer to one question of `compare`.
#[derive(Debug, Serialize)]
pub struct ComparedAnswer {
    /// The score; positive scores favour yes.
    pub score: f64,
    /// The probability of yes.
    pub probability: f64,
    /// Yes or no, by the relation.
    pub label: bool,
    /// The strongest reasons for yes.
    #[serde(rename = "for")]
    pub speaks_for: Vec<Contribution>,
    /// The strongest reasons for no.
    pub against: Vec<Contribution>,
}

impl ComparedAnswer {
    /// Builds an answer with at most `top` reasons for and as many against.
    pub fn of(answer: &Answer, top: usize) -> Self {
        let (Decision { score, probability, .. }, label) = (answer.decision, answer.is_yes());
        let parts = |speaks_for| answer.strongest(speaks_for, top).into_iter().map(Contribution::of_reason).collect();
        Self { score, probability, label, speaks_for: parts(true), against: parts(false) }
    }
}

/// Words that both sentences have, as spans of each.
#[derive(Debug, Serialize)]
pub struct Shared {
    /// Spans of the first sentence.
    pub source: Vec<[u32; 2]>,
    /// Spans of the second sentence.
    pub target: Vec<[u32; 2]>,
}

impl Shared {
    /// Finds the words that both sentences have, comparing lemmas.
    pub fn of(aligned: &AlignedText) -> Self {
        let lemma = |analysis: &Analysis, word: usize| {
            analysis.words[word].lemma.as_deref().unwrap_or_else(|| analysis.form(word)).to_lowercase()
        };
        let of = |sentence: &Analysis, other: &Analysis| {
            let others: BTreeSet<String> = (0..other.words.len()).map(|word| lemma(other, word)).collect();
            let is_word = |word: usize| sentence.form(word).chars().any(char::is_alphanumeric);
            let words =
                (0..sentence.words.len()).filter(|&word| is_word(word) && others.contains(&lemma(sentence, word)));
            spans(&words.map(|word| sentence.words[word].span).collect::<Vec<Span>>())
        };
        Self { source: of(&aligned.source, &aligned.target), target: of(&aligned.target, &aligned.source) }
    }
}

/// What only one of the sentences says.
#[derive(Debug, Serialize)]
pub struct Only {
    /// What only the first sentence says.
    pub source: Vec<Said>,
    /// What only the second sentence says.
    pub target: Vec<Said>,
}

/// A run of words with its byte range in the text.
#[derive(Debug, Serialize)]
pub struct Said {
    /// The words as they appear in the text.
    pub text: String,
    /// Its first byte.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
}

/// Returns what only the first and what only the second sentence says, in runs of words.
pub fn said_once(aligned: &AlignedText) -> [Vec<Said>; 2] {
    let AlignedText { source, target, alignment } = aligned;
    let groups = groups(source, target, &alignment.links);
    let said = |analysis: &Analysis, words: Vec<Vec<usize>>| {
        let runs = runs(&only(analysis, &words)).into_iter();
        let said = runs.map(|run| {
            let (start, end) = (analysis.words[run.start].span.start, analysis.words[run.end - 1].span.end);
            let text = analysis.text.get(start as usize..end as usize).unwrap_or("").to_owned();
            Said { text, start, end }
        });
        said.collect()
    };
    [said(source, side(&groups, |group| &group.source)), said(target, side(&groups, |group| &group.target))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::aligned;

    #[test]
    fn what_both_say_and_what_one_says_is_found() {
        let pair = aligned("Anna quit the old job .", "anna left her job", "0-0 1-1 4-3");
        let shared = Shared::of(&pair);
        assert_eq!((shared.source, shared.target), (vec![[0, 4], [18, 21]], vec![[0, 4], [14, 17]]));
        let show =
            |said: &Vec<Said>| said.iter().map(|one| format!("{} {}-{}", one.text, one.start, one.end)).collect();
        let said: [Vec<String>; 2] = said_once(&pair).each_ref().map(show);
        assert_eq!(said, [["the old 10-17"], ["her 10-13"]]);
    }
}
