//! `resay explain`: one decision taken apart, with the words marked that the strongest rules are about. Documents
//! are in `explain_topics.rs`, alignments in `explain_align.rs`.

use crate::args::{Common, ExplainArgs, refuse};
use crate::failure::Usage;
use crate::input;
use crate::output::Output;
use anstyle::{AnsiColor, Style};
use resay::explain::{Explanation, Place, Slot, What};
use resay::model::{AnyModel, Decision, Explained, Header, PairModel};
use resay_text::{Sentence, Span};
use resay_view::{json, reasons, text, wording};
use std::ops::Range;

/// How many rules are marked in the sentences: many would mark every word.
const MARKED: usize = 5;

pub(crate) fn run(common: &Common, args: &ExplainArgs) -> anyhow::Result<()> {
    let (model, name) = match input::any_model_or_bundled(common, args.model.model.as_deref())? {
        (AnyModel::Kernel(model), name) => (model, name),
        (AnyModel::Topics(model), name) => return super::explain_topics::run(common, args, &model, &name),
        (AnyModel::Align(model), name) => return super::explain_align::run(common, args, &model, &name),
        (model, name) => {
            let model = input::as_pair_model(model, "explain")?;
            return super::explain_pair::run(common, args, &*model, &name);
        }
    };
    let model: &dyn PairModel = &*model;
    refuse(&[("--topic", args.topic.is_some())], "is for a model of topics, but this one decides about pairs")?;
    let Some(target) = &args.target else {
        let message = "the second sentence is missing: this model decides about pairs, give SOURCE and TARGET";
        return Err(Usage(message.to_owned()).into());
    };
    let Explained { prediction, explanation, symbols } = model.explain_one(&args.source, target, args.top)?;
    let decision = prediction.decision()?;
    let header = model.header();
    let label = header.binary_labels()[usize::from(decision.label)];
    let mut out = Output::stdout();
    if common.json {
        out.json(&json::Explained {
            source: &args.source,
            target,
            model: &name,
            task: &header.task,
            score: decision.score,
            probability: decision.probability,
            label,
            explanation: json::Node::of(&explanation),
        })?;
        return out.finish();
    }
    let head = format!("{}: {}", header.task, verdict(header, decision));
    out.line(&out.styled(Style::new().bold(), &text::clean(&head)))?;
    out.line(&format!("model {}", text::clean(&name)))?;
    out.line("")?;
    let mut rules = reasons::strongest(&explanation, usize::MAX);
    rules.retain(|rule| names_a_word(&rule.what));
    rules.truncate(MARKED);
    if let Some([source, target]) = symbols.as_deref() {
        show_sentence(&mut out, "source", source, &marks(&rules, |place| &place.source, |rule| &rule.source))?;
        show_sentence(&mut out, "target", target, &marks(&rules, |place| &place.target, |rule| &rule.target))?;
    }
    if !rules.is_empty() {
        let n = rules.len();
        out.line(&format!("{:10}+ for, - against, * both, by the {n} strongest rules with a word", ""))?;
    }
    show_tree(&mut out, &explanation)?;
    out.finish()
}

/// What the score is made of, and how to read it.
pub(super) fn show_tree(out: &mut Output, explanation: &Explanation) -> anyhow::Result<()> {
    show_parts(out, explanation)?;
    out.line("")?;
    out.line("The leaves add up to the score; above 0 is yes.")
}

/// What the score is made of.
pub(super) fn show_parts(out: &mut Output, explanation: &Explanation) -> anyhow::Result<()> {
    out.line("")?;
    for (text, value) in tree(explanation) {
        let colour = if value < 0.0 { AnsiColor::Red } else { AnsiColor::Green };
        let value = out.styled(colour.on_default(), &format!("{:>9}", text::signed(value)));
        out.line(&format!("{value}  {text}"))?;
    }
    Ok(())
}

/// `yes, probability 0.813`, or with the model's own labels `late, probability of late 0.813`.
pub(super) fn verdict(header: &Header, decision: Decision) -> String {
    let Decision { label, probability, .. } = decision;
    let [no, yes] = header.binary_labels();
    if [no, yes] == ["0", "1"] {
        return format!("{}, probability of yes {probability:.3}", if label { "yes" } else { "no" });
    }
    format!("{}, probability of {yes} {probability:.3}", if label { yes } else { no })
}

/// The sentence behind its name, wrapped, with marks below.
pub(crate) fn show_sentence(
    out: &mut Output,
    name: &str,
    sentence: &Sentence,
    marks: &[(Range<usize>, char)],
) -> anyhow::Result<()> {
    for (at, (line, below)) in text::wrap(&sentence.text, text::WIDTH - 10, marks).into_iter().enumerate() {
        out.line(format!("{:10}{line}", if at == 0 { name } else { "" }).trim_end())?;
        if !below.is_empty() {
            let below = out.styled(AnsiColor::Cyan.on_default(), &below);
            out.line(&format!("{:10}{below}", ""))?;
        }
    }
    Ok(())
}

/// A rule of wildcards alone speaks of every shared word, and would have them all marked.
fn names_a_word(what: &What) -> bool {
    match what {
        What::Rule(rule) => rule.source.iter().chain(&rule.target).any(|slot| matches!(slot, Slot::Word(_))),
        _ => false,
    }
}

/// `+`, `-` or `*` for every word that the rules name or link on one side.
fn marks(
    rules: &[&Explanation],
    spans: fn(&Place) -> &Vec<Span>,
    slots: fn(&resay::explain::RewriteRule) -> &Vec<Slot>,
) -> Vec<(Range<usize>, char)> {
    let mut marks: Vec<(Range<usize>, char)> = Vec::new();
    for rule in rules {
        let What::Rule(pattern) = &rule.what else { continue };
        let sign = if rule.value > 0.0 { '+' } else { '-' };
        for place in &rule.places {
            for (span, slot) in spans(place).iter().zip(slots(pattern)) {
                if *slot == Slot::Wildcard(None) {
                    continue;
                }
                match marks.iter_mut().find(|(range, _)| *range == span.range()) {
                    Some((_, mark)) if *mark != sign => *mark = '*',
                    Some(_) => {}
                    None => marks.push((span.range(), sign)),
                }
            }
        }
    }
    marks
}

/// The lines of the tree, each with its value.
fn tree(explanation: &Explanation) -> Vec<(String, f64)> {
    fn below(part: &Explanation, indent: &str, lines: &mut Vec<(String, f64)>) {
        for (at, child) in part.parts.iter().enumerate() {
            let is_last = at + 1 == part.parts.len();
            let branch = if is_last { "└ " } else { "├ " };
            lines.push((format!("{indent}{branch}{}", wording::what(&child.what)), child.value));
            below(child, &format!("{indent}{}", if is_last { "  " } else { "│ " }), lines);
        }
    }
    let mut lines = vec![(wording::what(&explanation.what), explanation.value)];
    below(explanation, "", &mut lines);
    lines
}
