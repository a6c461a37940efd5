//! Lines about alignments.

use super::{MeasureDifference, MeasureInterval, Node, Seconds};
use resay::data::Link;
use resay::model::{AlignAbout, AlignedText};
use resay_learn::eval::blocks::Block;
use resay_text::Analysis;
use serde::Serialize;

/// A row of `align`.
#[derive(Debug, Serialize)]
pub struct Aligned<'a> {
    /// The id of the pair.
    pub id: &'a str,
    /// The source text.
    pub source: &'a str,
    /// The target text.
    pub target: &'a str,
    /// The words of the source.
    pub source_words: Vec<AlignedWord<'a>>,
    /// The words of the target.
    pub target_words: Vec<AlignedWord<'a>>,
    /// Links between words.
    pub links: Vec<AlignedLink>,
    /// Aligned phrases.
    pub phrases: Vec<AlignedPhrase<'a>>,
    /// The confidence that each source word is unaligned.
    pub source_alone: &'a [f64],
    /// The confidence that each target word is unaligned.
    pub target_alone: &'a [f64],
    /// The score of the whole alignment.
    pub score: f64,
}

/// A word with its byte range in the text.
#[derive(Debug, Serialize)]
pub struct AlignedWord<'a> {
    /// The word as it appears in the text.
    pub word: &'a str,
    /// Its first byte.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
}

/// A link between two words, 0-based.
#[derive(Debug, Serialize)]
pub struct AlignedLink {
    /// The source word.
    pub source: u32,
    /// The target word.
    pub target: u32,
    /// Its confidence.
    pub confidence: f64,
}

/// A pair of aligned phrases, each a half-open range of words.
#[derive(Debug, Serialize)]
pub struct AlignedPhrase<'a> {
    /// The source words.
    pub source: [u32; 2],
    /// The target words.
    pub target: [u32; 2],
    /// The text of the source phrase.
    pub source_text: &'a str,
    /// The text of the target phrase.
    pub target_text: &'a str,
    /// Its confidence.
    pub confidence: f64,
}

impl<'a> Aligned<'a> {
    /// Builds the row of an aligned pair.
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

/// The text of `n` words from `start` on.
fn text(analysis: &Analysis, start: u32, n: u32) -> &str {
    let ends = (analysis.words.get(start as usize), analysis.words.get((start + n).saturating_sub(1) as usize));
    let (Some(first), Some(last)) = ends else { return "" };
    analysis.text.get(first.span.start as usize..last.span.end as usize).unwrap_or("")
}

/// An aligned pair in the format of training files, with words separated by spaces.
pub fn aligned_pair(id: &str, aligned: &AlignedText) -> resay::Result<String> {
    // A word that contains a space would be read back as two.
    let words = |analysis: &Analysis| -> Vec<String> {
        (0..analysis.words.len()).map(|at| analysis.form(at).replace(char::is_whitespace, "_")).collect()
    };
    let links: Vec<Link> = aligned.alignment.pairs().into_iter().map(Link::from).collect();
    let (source, target) = (words(&aligned.source), words(&aligned.target));
    let pair = resay::data::AlignedPair::new(id.to_owned(), source, target, links, Vec::new());
    Ok(pair.map_err(resay::Error::data)?.to_json())
}

/// The line of `train` for an alignment model.
#[derive(Debug, Serialize)]
pub struct AlignTraining<'a> {
    /// The model file.
    pub model: String,
    /// Its size in bytes.
    pub size: u64,
    /// Number of features.
    pub n_features: usize,
    /// Number of training pairs.
    pub n_pairs: usize,
    /// The model's metadata.
    #[serde(flatten)]
    pub about: &'a AlignAbout,
    /// Training time.
    pub seconds: Seconds,
}

/// The line of `eval` for an alignment model.
#[derive(Debug, Serialize)]
pub struct AlignEvaluation<'a> {
    /// The model file.
    pub model: String,
    /// The name of the data.
    pub data: &'a str,
    /// Number of pairs.
    pub n_pairs: usize,
    /// The figures by subset of links.
    pub parts: Vec<AlignPart>,
    /// A second model on the same data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub versus: Option<AlignVersus>,
}

/// Figures for a subset of links or blocks: all, identical, different; tokens, phrases.
#[derive(Debug, Serialize)]
pub struct AlignPart {
    /// The subset.
    pub part: &'static str,
    /// Number in the gold standard.
    pub n_gold: usize,
    /// Number predicted.
    pub n_found: usize,
    /// Number predicted correctly.
    pub n_right: usize,
    /// The metrics.
    pub measures: Vec<MeasureInterval>,
}

/// A second model, or the links of another system, on the same pairs.
#[derive(Debug, Serialize)]
pub struct AlignVersus {
    /// The model file, or the file of links.
    pub versus: String,
    /// The differences by subset of links.
    pub parts: Vec<AlignDifference>,
}

/// The differences for one subset.
#[derive(Debug, Serialize)]
pub struct AlignDifference {
    /// The subset.
    pub part: &'static str,
    /// The differences by metric.
    pub measures: Vec<MeasureDifference>,
}

/// A row of `rules` for an alignment model: a feature and its weight in either direction.
#[derive(Debug, Serialize)]
pub struct AlignFeatureJson<'a> {
    /// The name of the feature.
    pub feature: &'a str,
    /// Its weight in the model from source to target.
    pub forward: f64,
    /// Its weight in the model from target to source.
    pub backward: f64,
}

/// The line of `explain` for an alignment model.
#[derive(Debug, Serialize)]
pub struct ExplainedAlignment<'a> {
    /// The source text.
    pub source: &'a str,
    /// The target text.
    pub target: &'a str,
    /// The model.
    pub model: &'a str,
    /// The task of the model.
    pub task: &'a str,
    /// The score of the whole alignment.
    pub score: f64,
    /// The explanation of the score.
    pub explanation: Node,
}
