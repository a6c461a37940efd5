//! `resay explain` with a model of topics: which topics a text is of, and the score of one of them taken apart, with the
//! strings marked that speak for it and against.

use super::explain::{show_sentence, show_tree};
use super::topics::Sorted;
use crate::args::{Common, ExplainArgs};
use crate::failure::Usage;
use crate::output::Output;
use anstyle::Style;
use resay::data::MAX_DOCUMENT;
use resay::explain::Explanation;
use resay::model::{TopicDecision, TopicModel};
use resay_view::{json, reasons, text};
use std::io::Read;
use std::ops::Range;

pub(super) fn run(common: &Common, args: &ExplainArgs, model: &TopicModel, name: &str) -> anyhow::Result<()> {
    if args.target.is_some() {
        let message = "two texts, but this model sorts documents by topic: give one TEXT (in quotes)";
        return Err(Usage(message.to_owned()).into());
    }
    let given = if args.source == "-" { Some(standard_input()?) } else { None };
    let text = given.as_deref().unwrap_or(&args.source);
    let sorted = Sorted::new(model, model.decide(text));
    let topic = match &args.topic {
        Some(topic) => model.topic(topic)?,
        None => sorted.best().ok_or_else(|| Usage(format!("{name}: a model without topics")))?,
    };
    let (sentence, explanation) = model.explain(text, topic, args.top)?;
    let (score, probability) = sorted.decision(topic).map_or((0.0, 0.0), |d| (d.score, d.probability));
    let mut out = Output::stdout();
    if common.json {
        out.json(&json::ExplainedTopic {
            text,
            model: name,
            task: &model.about().header.task,
            labels: sorted.labels(),
            topics: sorted.scores(),
            topic: sorted.name(topic),
            score,
            probability,
            explanation: json::Node::of(&explanation),
        })?;
        return out.finish();
    }
    let accepted = |(name, decision): (&str, &TopicDecision)| format!("{name} ({:.3})", decision.probability);
    let accepted: Vec<String> = sorted.accepted().map(accepted).collect();
    let accepted = if accepted.is_empty() { "none".to_owned() } else { accepted.join(", ") };
    let head = format!("topics: {accepted}");
    out.line(&out.styled(Style::new().bold(), &text::clean(&head)))?;
    out.line(&format!("model {}", text::clean(name)))?;
    let answer = if score > 0.0 { "yes" } else { "no" };
    let topic = text::clean(sorted.name(topic));
    out.line(&format!("taken apart: {topic}, {answer}, probability {probability:.3}"))?;
    out.line("")?;
    let strings = reasons::strongest(&explanation, usize::MAX);
    show_sentence(&mut out, "text", &sentence, &marks(&strings))?;
    if !strings.is_empty() {
        out.line(&format!("{:10}+ for, - against {topic}, by the {} strings below", "", strings.len()))?;
    }
    show_tree(&mut out, &explanation)?;
    out.finish()
}

/// All of standard input, without the line break at its end.
fn standard_input() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().take(MAX_DOCUMENT as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| resay::Error::read("-".as_ref(), error))?;
    if bytes.len() > MAX_DOCUMENT {
        return Err(Usage(format!("standard input: more than {MAX_DOCUMENT} bytes, the most of a document")).into());
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to() + 1;
        Usage(format!(
            "standard input: byte {place} is not UTF-8; convert to UTF-8 (for example iconv -f latin1 -t utf-8)"
        ))
    })?;
    if text.ends_with('\n') {
        text.truncate(text.len() - 1);
        if text.ends_with('\r') {
            text.truncate(text.len() - 1);
        }
    }
    Ok(text)
}

/// `+` or `-` under every place of the strings, which come strongest first: where they overlap, the stronger is seen.
fn marks(strings: &[&Explanation]) -> Vec<(Range<usize>, char)> {
    let mut marks = Vec::new();
    for string in strings.iter().rev() {
        let sign = if string.value > 0.0 { '+' } else { '-' };
        marks.extend(string.places.iter().flat_map(|place| &place.source).map(|span| (span.range(), sign)));
    }
    marks
}
