//! Lines about which words correspond.

use super::{MeasureDifference, MeasureInterval, Node, Seconds};
use resay::data::Link;
use resay::model::{AlignAbout, AlignedText};
use resay_learn::eval::blocks::Block;
use resay_text::Analysis;
use serde::Serialize;

/// A row of `align`.
#[derive(Debug, Serialize)]
pub struct Aligned<'a> {
    /// The name of the pair.
    pub id: &'a str,
    /// The source text.
    pub source: &'a str,
    /// The target text.
    pub target: &'a str,
    /// The words of the source.
    pub source_words: Vec<AlignedWord<'a>>,
    /// The words of the target.
    pub target_words: Vec<AlignedWord<'a>>,
    /// Words that correspond.
    pub links: Vec<AlignedLink>,
    /// Phrases that correspond.
    pub phrases: Vec<AlignedPhrase<'a>>,
    /// How sure it is that a word of the source corresponds to nothing, one per word.
    pub source_alone: &'a [f64],
    /// The same for the words of the target.
    pub target_alone: &'a [f64],
    /// The score of the alignment as a whole.
    pub score: f64,
}

/// A word, and where it is in bytes of its text.
#[derive(Debug, Serialize)]
pub struct AlignedWord<'a> {
    /// The word as it stands in the text.
    pub word: &'a str,
    /// Its first byte.
    pub start: u32,
    /// The byte behind it.
    pub end: u32,
}

/// A link between words, counted from 0.
#[derive(Debug, Serialize)]
pub struct AlignedLink {
    /// The word of the source.
    pub source: u32,
    /// The word of the target.
    pub target: u32,
    /// How sure it is.
    pub confidence: f64,
}

/// Phrases that correspond: words from `[0]` up to, not with, `[1]`.
#[derive(Debug, Serialize)]
pub struct AlignedPhrase<'a> {
    /// The words of the source.
    pub source: [u32; 2],
    /// The words of the target.
    pub target: [u32; 2],
    /// What stands there in the source.
    pub source_text: &'a str,
    /// What stands there in the target.
    pub target_text: &'a str,
    /// How sure it is.
    pub confidence: f64,
}

impl<'a> Aligned<'a> {
    /// An aligned pair and its name.
    pub fn of(id: &'a str, aligned: &'a AlignedText) -> Self {
        let AlignedText { source, target, alignment } = aligned;
        let link = |link: &resay::align::SureLink| AlignedLink {
            source: link.source,
            target: link.target,
            confidence: link.confidence,
        };
        let phrase = |phrase: &resay::align::SurePhrase| {
            let Block { source: from, n_source, target: to, n_target } = phrase.block;
            AlignedPhrase {
                source: [from, from + n_source],
                target: [to, to + n_target],
                source_text: text(source, from, n_source),
                target_text: text(target, to, n_target),
                confidence: phrase.confidence,
            }
        };
        Self {
            id,
            source: &source.text,
            target: &target.text,
            source_words: words(source),
            target_words: words(target),
            links: alignment.links.iter().map(link).collect(),
            phrases: alignment.phrases.iter().map(phrase).collect(),
            source_alone: &alignment.source_alone,
            target_alone: &alignment.target_alone,
            score: alignment.score(),
        }
    }
}

fn words(analysis: &Analysis) -> Vec<AlignedWord<'_>> {
    let word = |(at, word): (usize, &resay_text::Word)| AlignedWord {
        word: analysis.form(at),
        start: word.span.start,
        end: word.span.end,
    };
    analysis.words.iter().enumerate().map(word).collect()
}

/// What stands in the text from a word on, `n` words long.
fn text(analysis: &Analysis, start: u32, n: u32) -> &str {
    let ends = (analysis.words.get(start as usize), analysis.words.get((start + n).saturating_sub(1) as usize));
    let (Some(first), Some(last)) = ends else { return "" };
    analysis.text.get(first.span.start as usize..last.span.end as usize).unwrap_or("")
}

/// A pair as files of aligned pairs have it, words split at blanks: a row that training can read.
pub fn aligned_pair(id: &str, aligned: &AlignedText) -> resay::Result<String> {
    // A word with a blank in it would be two when it is read again.
    let words = |analysis: &Analysis| -> Vec<String> {
        (0..analysis.words.len()).map(|at| analysis.form(at).replace(char::is_whitespace, "_")).collect()
    };
    let links: Vec<Link> = aligned.alignment.pairs().into_iter().map(Link::from).collect();
    let (source, target) = (words(&aligned.source), words(&aligned.target));
    let pair = resay::data::AlignedPair::new(id.to_owned(), source, target, links, Vec::new());
    Ok(pair.map_err(resay::Error::data)?.to_json())
}

/// The line of `train` for a model that aligns.
#[derive(Debug, Serialize)]
pub struct AlignTraining<'a> {
    /// The model's file.
    pub model: String,
    /// In bytes.
    pub size: u64,
    /// How many features it has.
    pub n_features: usize,
    /// How many pairs it was learned from.
    pub n_pairs: usize,
    /// What the model knows about itself.
    #[serde(flatten)]
    pub about: &'a AlignAbout,
    /// How long that took.
    pub seconds: Seconds,
}

/// The line of `eval` for a model that aligns.
#[derive(Debug, Serialize)]
pub struct AlignEvaluation<'a> {
    /// The model's file.
    pub model: String,
    /// The name of the data.
    pub data: &'a str,
    /// How many pairs.
    pub n_pairs: usize,
    /// The figures, part by part.
    pub parts: Vec<AlignPart>,
    /// Another model on the same data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versus: Option<AlignVersus>,
}

/// Links, or blocks of them, of one kind: all, identical, different; tokens, phrases.
#[derive(Debug, Serialize)]
pub struct AlignPart {
    /// Which links: all of them, or which.
    pub part: &'static str,
    /// How many the data has.
    pub n_gold: usize,
    /// How many the model found.
    pub n_found: usize,
    /// How many of those are right.
    pub n_right: usize,
    /// The measures.
    pub measures: Vec<MeasureInterval>,
}

/// A second model, or the links of another system, on the same pairs.
#[derive(Debug, Serialize)]
pub struct AlignVersus {
    /// The model's file, or that of the links.
    pub versus: String,
    /// The differences, part by part.
    pub parts: Vec<AlignDifference>,
}

/// One part of both.
#[derive(Debug, Serialize)]
pub struct AlignDifference {
    /// Which links: all of them, or which.
    pub part: &'static str,
    /// How the two differ.
    pub measures: Vec<MeasureDifference>,
}

/// A row of `rules` for a model that aligns: a feature, and its weight in either direction.
#[derive(Debug, Serialize)]
pub struct AlignFeatureJson<'a> {
    /// The feature by name.
    pub feature: &'a str,
    /// Its weight from the source to the target.
    pub forward: f64,
    /// Its weight from the target to the source.
    pub backward: f64,
}

/// The line of `explain` for a model that aligns.
#[derive(Debug, Serialize)]
pub struct ExplainedAlignment<'a> {
    /// The source text.
    pub source: &'a str,
    /// The target text.
    pub target: &'a str,
    /// The model.
    pub model: &'a str,
    /// What the model decides.
    pub task: &'a str,
    /// The score of the alignment as a whole.
    pub score: f64,
    /// The score taken apart.
    pub explanation: Node,
}
