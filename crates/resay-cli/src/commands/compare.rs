//! `resay compare`: two sentences, all that the bundled models say about them.
//!
//! The verdicts come first, then where the sentences part, then why, then what only one of them says: who has read enough
//! can stop at any line. A page and a drawing are made of the same answers.

use crate::args::{Common, CompareArgs};
use crate::failure::Usage;
use crate::groups::{groups, only, runs, side};
use crate::html::compare::{Compared, compare};
use crate::html::{Frame, drawing};
use crate::output::Output;
use crate::picture::{self, Paint};
use crate::reasons::{Answer, Difference, differences};
use crate::{bundled, input, render, wire};
use anstyle::{AnsiColor, Style};
use resay::data::write_whole;
use resay::model::{AlignedText, CombinedModel, Decision};
use resay::text::{Analysis, Span};
use std::collections::BTreeSet;
use std::path::Path;

/// A page has room for more reasons than a terminal.
const TOP_OF_PAGE: usize = 6;

/// All that is known of the two sentences.
struct Found {
    /// Whether they say the same, whether the second follows from the first, and the first from the second.
    answers: [Answer; 3],
    aligned: AlignedText,
    differences: Vec<Difference>,
    /// Words that both have, as spans of each.
    shared: (Vec<Span>, Vec<Span>),
}

pub(crate) fn run(common: &Common, args: &CompareArgs) -> anyhow::Result<()> {
    check_outputs(common, args)?;
    let found = find(&args.source, &args.target)?;
    let mut out = Output::stdout();
    let mut is_printed = false;
    for (path, made) in [(&args.html, page as fn(&Found, &CompareArgs) -> String), (&args.svg, picture)] {
        let Some(path) = path else { continue };
        let made = made(&found, args);
        if path == Path::new("-") {
            out.write_str(&made)?;
            is_printed = true;
        } else {
            write_whole(path, |file| file.write_all(made.as_bytes()))?;
            is_printed |= common.quiet;
        }
    }
    if is_printed {
        return out.finish();
    }
    if common.json {
        out.json(&wired(&found, args))?;
    } else {
        show(&mut out, &found, args.top)?;
    }
    out.finish()
}

/// Refuses what cannot be written, before any work is done for it.
fn check_outputs(common: &Common, args: &CompareArgs) -> anyhow::Result<()> {
    let files: Vec<&Path> = [&args.html, &args.svg].into_iter().flatten().map(AsRef::as_ref).collect();
    let n_printed = files.iter().filter(|path| **path == Path::new("-")).count() + usize::from(common.json);
    if n_printed > 1 {
        let message = "only one of --html -, --svg - and --json can be printed: give the others a file";
        return Err(Usage(message.to_owned()).into());
    }
    for path in files.iter().filter(|path| **path != Path::new("-")) {
        input::check_output(common, path, &[])?;
    }
    if files.len() == 2 && files[0] == files[1] {
        return Err(Usage("--html and --svg name the same file: give each its own".to_owned()).into());
    }
    Ok(())
}

/// Asks the judges.
fn find(source: &str, target: &str) -> anyhow::Result<Found> {
    let judge = bundled::judge()?;
    let of_entailment = bundled::judge_of_entailment(&judge)?;
    let read = judge.read_all(&[source, target]);
    let ask = |question, judge: &CombinedModel, pair: [usize; 2]| -> anyhow::Result<(Answer, AlignedText)> {
        let (judged, explanation) = judge.explain_pair(pair.map(|at| &read[at]))?;
        Ok((Answer::new(question, judged.decision, explanation), judged.aligned))
    };
    let (same, aligned) = ask("say the same", &judge, [0, 1])?;
    let (follows, _) = ask("the second follows from the first", &of_entailment, [0, 1])?;
    let (follows_back, _) = ask("the first follows from the second", &of_entailment, [1, 0])?;
    let differences = differences(&same.explanation);
    let shared = shared(&aligned);
    Ok(Found { answers: [same, follows, follows_back], aligned, differences, shared })
}

/// Spans of the words that both sentences have, in whatever form.
fn shared(aligned: &AlignedText) -> (Vec<Span>, Vec<Span>) {
    let lemma = |analysis: &Analysis, word: usize| {
        analysis.words[word].lemma.as_deref().unwrap_or_else(|| analysis.form(word)).to_lowercase()
    };
    let of = |sentence: &Analysis, other: &Analysis| {
        let others: BTreeSet<String> = (0..other.words.len()).map(|word| lemma(other, word)).collect();
        let is_word = |word: usize| sentence.form(word).chars().any(char::is_alphanumeric);
        let words = (0..sentence.words.len()).filter(|&word| is_word(word) && others.contains(&lemma(sentence, word)));
        words.map(|word| sentence.words[word].span).collect()
    };
    (of(&aligned.source, &aligned.target), of(&aligned.target, &aligned.source))
}

fn page(found: &Found, args: &CompareArgs) -> String {
    let Found { answers, aligned, differences, .. } = found;
    compare(&Compared { aligned, answers, differences, top: args.top.max(TOP_OF_PAGE) })
}

fn picture(found: &Found, _: &CompareArgs) -> String {
    drawing(&found.aligned, &found.differences, Frame::Alone)
}

/// What only one of the sentences says, in runs of words.
fn said_once(aligned: &AlignedText) -> [Vec<wire::Said>; 2] {
    let AlignedText { source, target, alignment } = aligned;
    let groups = groups(source, target, &alignment.links);
    let said = |analysis: &Analysis, words: Vec<Vec<usize>>| {
        let runs = runs(&only(analysis, &words)).into_iter();
        let said = runs.map(|run| {
            let (start, end) = (analysis.words[run.start].span.start, analysis.words[run.end - 1].span.end);
            let text = analysis.text.get(start as usize..end as usize).unwrap_or("").to_owned();
            wire::Said { text, start, end }
        });
        said.collect()
    };
    [said(source, side(&groups, |group| &group.source)), said(target, side(&groups, |group| &group.target))]
}

fn wired<'a>(found: &'a Found, args: &'a CompareArgs) -> wire::Compared<'a> {
    let Found { answers, aligned, shared, .. } = found;
    let [paraphrase, entailment, entailment_back] = answers.each_ref().map(|answer| {
        let (Decision { score, probability, .. }, label) = (answer.decision, answer.is_yes());
        let parts = |sign| answer.strongest(sign, args.top).into_iter().map(wire::Contribution::of).collect();
        wire::Answer { score, probability, label, speaks_for: parts(true), against: parts(false) }
    });
    let [source, target] = said_once(aligned);
    wire::Compared {
        source: &args.source,
        target: &args.target,
        paraphrase,
        entailment,
        entailment_back,
        shared: wire::Shared { source: wire::spans(&shared.0), target: wire::spans(&shared.1) },
        only: wire::Only { source, target },
        aligned: wire::Aligned::of("", aligned),
    }
}

fn show(out: &mut Output, found: &Found, top: usize) -> anyhow::Result<()> {
    for answer in &found.answers {
        show_answer(out, answer)?;
    }
    out.line("")?;
    let differing = |of: fn(&Difference) -> &Vec<Span>| found.differences.iter().flat_map(of).copied().collect();
    let differing = [differing(|one| &one.source), differing(|one| &one.target)];
    let paint = Paint { is_coloured: out.is_coloured() };
    for line in picture::marked(&found.aligned, ["first", "second"], &differing, paint) {
        out.line(&line)?;
    }
    out.line(&out.styled(
        Style::new().dimmed(),
        "(= the same, ! differs, letters: reworded or moved, no mark: said here only)",
    ))?;
    for answer in &found.answers {
        show_reasons(out, answer, top)?;
    }
    show_said_once(out, &found.aligned)
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

fn show_reasons(out: &mut Output, answer: &Answer, top: usize) -> anyhow::Result<()> {
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

fn show_said_once(out: &mut Output, aligned: &AlignedText) -> anyhow::Result<()> {
    const INDENT: usize = 10;
    out.line("")?;
    out.line(&out.styled(Style::new().bold(), "said in only one of them"))?;
    for (name, said) in ["first", "second"].into_iter().zip(said_once(aligned)) {
        let said: Vec<&str> = said.iter().map(|said| said.text.as_str()).collect();
        let said = if said.is_empty() { "nothing".to_owned() } else { said.join(" ... ") };
        for (at, (line, _)) in render::wrap(&said, render::WIDTH - INDENT, &[]).iter().enumerate() {
            out.line(&format!("  {:<8}{line}", if at == 0 { name } else { "" }))?;
        }
    }
    Ok(())
}
