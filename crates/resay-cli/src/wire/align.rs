//! Lines about which words correspond.

use super::{Difference, Figure, Node, Seconds};
use resay::data::Link;
use resay::eval::blocks::Block;
use resay::model::{AlignAbout, AlignedText};
use resay::text::Analysis;
use serde::Serialize;

/// A row of `align --format json`.
#[derive(Debug, Serialize)]
pub(crate) struct Aligned<'a> {
    pub(crate) id: &'a str,
    pub(crate) source: &'a str,
    pub(crate) target: &'a str,
    pub(crate) source_words: Vec<AlignedWord<'a>>,
    pub(crate) target_words: Vec<AlignedWord<'a>>,
    pub(crate) links: Vec<AlignedLink>,
    pub(crate) phrases: Vec<AlignedPhrase<'a>>,
    /// How sure it is that a word corresponds to nothing, one a word.
    pub(crate) source_alone: &'a [f64],
    pub(crate) target_alone: &'a [f64],
    pub(crate) score: f64,
}

/// A word, and where it is in bytes of its text.
#[derive(Debug, Serialize)]
pub(crate) struct AlignedWord<'a> {
    pub(crate) word: &'a str,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// A link between words, counted from 0.
#[derive(Debug, Serialize)]
pub(crate) struct AlignedLink {
    pub(crate) source: u32,
    pub(crate) target: u32,
    pub(crate) confidence: f64,
}

/// Phrases that correspond: words from `[0]` up to, not with, `[1]`.
#[derive(Debug, Serialize)]
pub(crate) struct AlignedPhrase<'a> {
    pub(crate) source: [u32; 2],
    pub(crate) target: [u32; 2],
    pub(crate) source_text: &'a str,
    pub(crate) target_text: &'a str,
    pub(crate) confidence: f64,
}

impl<'a> Aligned<'a> {
    pub(crate) fn of(id: &'a str, aligned: &'a AlignedText) -> Self {
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
    let word = |(at, word): (usize, &resay::text::Word)| AlignedWord {
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

/// A row of `align --format aligned`: what files of aligned pairs have, words split at blanks.
pub(crate) fn aligned_pair(id: &str, aligned: &AlignedText) -> anyhow::Result<String> {
    // A word with a blank in it would be two when it is read again.
    let words = |analysis: &Analysis| -> Vec<String> {
        (0..analysis.words.len()).map(|at| analysis.form(at).replace(char::is_whitespace, "_")).collect()
    };
    let links: Vec<Link> = aligned.alignment.pairs().into_iter().map(Link::from).collect();
    let (source, target) = (words(&aligned.source), words(&aligned.target));
    let pair = resay::data::AlignedPair::new(id.to_owned(), source, target, links, Vec::new());
    Ok(pair.map_err(resay::Error::data)?.to_json())
}

/// The line of `train --task align`.
#[derive(Debug, Serialize)]
pub(crate) struct AlignTraining<'a> {
    pub(crate) model: String,
    pub(crate) size: u64,
    pub(crate) n_features: usize,
    #[serde(flatten)]
    pub(crate) about: &'a AlignAbout,
    pub(crate) seconds: Seconds,
}

/// The line of `eval`.
#[derive(Debug, Serialize)]
pub(crate) struct AlignEvaluation<'a> {
    pub(crate) model: String,
    pub(crate) data: &'a str,
    pub(crate) n_pairs: usize,
    pub(crate) parts: Vec<AlignPart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) versus: Option<AlignVersus>,
}

/// Links, or blocks of them, of one kind: all, identical, different; tokens, phrases.
#[derive(Debug, Serialize)]
pub(crate) struct AlignPart {
    pub(crate) part: &'static str,
    pub(crate) n_gold: usize,
    pub(crate) n_found: usize,
    pub(crate) n_right: usize,
    pub(crate) measures: Vec<Figure>,
}

/// A second model, or the links of another system, on the same pairs.
#[derive(Debug, Serialize)]
pub(crate) struct AlignVersus {
    /// The model's file, or that of the links.
    pub(crate) versus: String,
    pub(crate) parts: Vec<AlignDifference>,
}

/// One part of both.
#[derive(Debug, Serialize)]
pub(crate) struct AlignDifference {
    pub(crate) part: &'static str,
    pub(crate) measures: Vec<Difference>,
}

/// A row of `rules`.
#[derive(Debug, Serialize)]
pub(crate) struct AlignFeature<'a> {
    pub(crate) feature: &'a str,
    pub(crate) forward: f64,
    pub(crate) backward: f64,
}

/// The line of `explain`; spans are bytes of the two texts.
#[derive(Debug, Serialize)]
pub(crate) struct ExplainedAlignment<'a> {
    pub(crate) source: &'a str,
    pub(crate) target: &'a str,
    pub(crate) model: &'a str,
    pub(crate) task: &'a str,
    pub(crate) score: f64,
    pub(crate) explanation: Node,
}

/// The bundled aligner.
#[derive(Debug, Serialize)]
pub(crate) struct BundledAligner<'a> {
    pub(crate) name: &'a str,
    pub(crate) size: usize,
    #[serde(flatten)]
    pub(crate) about: &'a AlignAbout,
}
