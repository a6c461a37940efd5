//! `resay compare`: two sentences, all that the bundled models say about them.

use crate::args::{Common, CompareArgs};
use crate::output::Output;
use crate::picture::{self, Paint};
use crate::reasons::reasons;
use crate::{bundled, render, wire};
use anstyle::{AnsiColor, Style};
use resay::explain::Explanation;
use resay::model::{Decision, Model};
use resay::text::{Pair, Sentence, Span};
use std::collections::BTreeSet;

/// One model's answer to one question: the decision, and what speaks for and against it, strongest first.
struct Answer {
    question: &'static str,
    decision: Decision,
    reasons: Vec<Explanation>,
}

impl Answer {
    fn of_model(question: &'static str, model: &Model, source: &str, target: &str) -> anyhow::Result<(Self, Pair)> {
        let decision = model.scorer().score(source, target)?;
        // The strongest rules of one sign may all be weaker than as many of the other: all are needed.
        let (pair, explanation) = model.explain(source, target, usize::MAX)?;
        let reasons = render::strongest(&explanation, usize::MAX).into_iter().cloned().collect();
        Ok((Self { question, decision, reasons }, pair))
    }

    /// The strongest parts of one sign.
    fn strongest(&self, speaks_for: bool, top: usize) -> Vec<&Explanation> {
        self.reasons.iter().filter(|part| (part.value > 0.0) == speaks_for && part.value != 0.0).take(top).collect()
    }

    /// The verdict by the probability: a score just above 0 may still be less likely right than wrong.
    fn is_yes(&self) -> bool {
        self.decision.probability >= 0.5
    }

    fn wire(&self, top: usize) -> wire::Answer {
        let (Decision { score, probability, .. }, label) = (self.decision, self.is_yes());
        let parts = |sign| self.strongest(sign, top).into_iter().map(wire::Contribution::of).collect();
        wire::Answer { score, probability, label, speaks_for: parts(true), against: parts(false) }
    }
}

pub(crate) fn run(common: &Common, args: &CompareArgs) -> anyhow::Result<()> {
    let CompareArgs { source, target, top } = args;
    let (judge, entailment) = rayon::join(bundled::judge, || bundled::model("entailment"));
    let (judge, entailment) = (judge?, entailment?);
    let (judged, explanation) = judge.explain(source, target)?;
    let same = Answer { question: "say the same", decision: judged.decision, reasons: reasons(&explanation) };
    let (follows, pair) = Answer::of_model("the second follows from the first", &entailment, source, target)?;
    let (follows_back, _) = Answer::of_model("the first follows from the second", &entailment, target, source)?;
    let shared = shared(&pair);
    let mut out = Output::stdout();
    if common.json {
        out.json(&wire::Compared {
            source,
            target,
            paraphrase: same.wire(*top),
            entailment: follows.wire(*top),
            entailment_back: follows_back.wire(*top),
            shared: wire::Shared { source: wire::spans(&shared.0), target: wire::spans(&shared.1) },
            aligned: wire::Aligned::of("", &judged.aligned),
        })?;
        return out.finish();
    }
    for line in picture::picture(&judged.aligned, Paint { is_coloured: out.is_coloured() }) {
        out.line(&line)?;
    }
    out.line("")?;
    let answers = [same, follows, follows_back];
    for answer in &answers {
        show_answer(&mut out, answer)?;
    }
    for answer in &answers {
        show_rules(&mut out, answer, *top)?;
    }
    out.finish()
}

/// Spans of the words (as the model sees them) that both sentences have.
fn shared(pair: &Pair) -> (Vec<Span>, Vec<Span>) {
    let is_word = |sentence: &Sentence, span: &Span| {
        sentence.text.get(span.range()).is_some_and(|word| word.chars().any(char::is_alphanumeric))
    };
    let of = |sentence: &Sentence, other: &Sentence| {
        let others: BTreeSet<_> = other.units.iter().collect();
        let spans = sentence.spans.iter().zip(&sentence.units);
        spans.filter(|(span, unit)| others.contains(unit) && is_word(sentence, span)).map(|(span, _)| *span).collect()
    };
    (of(&pair.source, &pair.target), of(&pair.target, &pair.source))
}

fn show_answer(out: &mut Output, answer: &Answer) -> anyhow::Result<()> {
    const BAR: f64 = 20.0;
    let (probability, label) = (answer.decision.probability, answer.is_yes());
    let n_full = (probability * BAR).round() as usize;
    let bar = format!("{}{}", "#".repeat(n_full), "-".repeat(BAR as usize - n_full.min(BAR as usize)));
    let colour = if label { AnsiColor::Green } else { AnsiColor::Red };
    let said = out.styled(colour.on_default().bold(), if label { "yes" } else { "no " });
    out.line(&format!("{:<35}{said}  {probability:.3}  {bar}", answer.question))
}

fn show_rules(out: &mut Output, answer: &Answer, top: usize) -> anyhow::Result<()> {
    const INDENT: usize = 19;
    out.line("")?;
    out.line(&out.styled(Style::new().bold(), answer.question))?;
    for (name, sign, colour) in [("for", true, AnsiColor::Green), ("against", false, AnsiColor::Red)] {
        let parts = answer.strongest(sign, top);
        if parts.is_empty() {
            out.line(&format!("  {name:<8}nothing"))?;
        }
        for (at, part) in parts.into_iter().enumerate() {
            let value = out.styled(colour.on_default(), &render::signed(part.value));
            let text = render::wrap(&render::what(&part.what), render::WIDTH - INDENT, &[]);
            for (line_at, (line, _)) in text.iter().enumerate() {
                match line_at {
                    0 => out.line(&format!("  {:<8}{value}  {line}", if at == 0 { name } else { "" }))?,
                    _ => out.line(&format!("{:INDENT$}{line}", ""))?,
                }
            }
        }
    }
    Ok(())
}
