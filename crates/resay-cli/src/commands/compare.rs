//! `resay compare`: how two texts are related, by the bundled judge.
//!
//! The relation comes first, then the answers that follow from it, then the differences, then the
//! reasons, then what only one of the texts
//! says, so a reader can stop at any line. The HTML page and the drawing are made from the same
//! answers.

use crate::args::{Common, CompareArgs};
use crate::failure::{Found as CheckFailed, Usage, is_closed_pipe};
use crate::input;
use crate::output::Output;
use crate::render::picture::{self, Paint};
use crate::text_file::read_text;
use anstyle::{AnsiColor, Style};
use resay::model::{AlignedText, Judged, JudgementModel, Question, Undone, pair_context};
use resay::pair::{Annotated, PairView};
use resay::resources::Resources;
use resay_learn::progress::Progress;
use resay_text::Span;
use resay_view::html::{ComparePage, compare};
use resay_view::json::{ComparedPair, Warning, said_once};
use resay_view::reasons::{Answer, DifferingWords, differences};
use resay_view::svg::{Frame, drawing};
use resay_view::text;
use resay_view::wording::sentences::{decider, sentence_pair};
use resay_view::wording::{self, headline};
use std::io::Write;
use std::path::Path;

/// Number of reasons on the page, which has more room than a terminal.
const TOP_OF_PAGE: usize = 6;

/// All results for the two texts.
struct Found {
    /// How they are related.
    judged: Judged,
    /// Whether they say the same, whether the target follows from the source, the source from the
    /// target, and whether they contradict each other.
    answers: [Answer; 4],
    /// What the verdict hangs on.
    undone: Vec<Undone>,
    aligned: AlignedText,
    differences: Vec<DifferingWords>,
}

/// What is asked, and how answers name it.
const ASKED: [(Question, &str); 4] = [
    (Question::Same, "say the same"),
    (Question::Entails, "the target follows from the source"),
    (Question::Entailed, "the source follows from the target"),
    (Question::Contradicts, "contradict each other"),
];

pub(crate) fn run(common: &Common, args: &CompareArgs) -> anyhow::Result<()> {
    check_printed(common, args)?;
    let texts = texts(common, args)?;
    let found = find(&common.resources, &texts)?;
    if !common.quiet {
        for warning in Warning::of(&found.judged) {
            // Ignored: nothing can be done if standard error is closed.
            let _ = writeln!(std::io::stderr(), "warning: {}", warning.message);
        }
    }
    match print(common, args, &texts, &found) {
        // A closed pipe does not change the result of the check.
        Err(error) if !(args.check && is_closed_pipe(&error)) => return Err(error),
        _ => {}
    }
    if args.check && !found.answers[0].is_yes() {
        return Err(CheckFailed.into());
    }
    Ok(())
}

/// Returns the texts as typed, or those of the files.
fn texts(common: &Common, args: &CompareArgs) -> anyhow::Result<[String; 2]> {
    if let [source, target] = &args.file[..] {
        let paths = [source, target].map(|path| input::find(common, path));
        if paths.iter().all(|path| path == Path::new("-")) {
            return Err(Usage("both texts are standard input: give a file for one of them".to_owned()).into());
        }
        let text = |path: &Path| anyhow::Ok(read_text(path)?.trim().to_owned());
        return Ok([text(&paths[0])?, text(&paths[1])?]);
    }
    let texts = [&args.source, &args.target].map(|text| text.clone().unwrap_or_default());
    if texts.iter().all(|text| Path::new(text).is_file()) {
        let [source, target] = &texts;
        let message = format!(
            "{source} and {target} are files: resay compare --file {source} {target} compares their texts, \
             resay diff {source} {target} says what became of each sentence"
        );
        return Err(Usage(message).into());
    }
    Ok(texts)
}

fn print(common: &Common, args: &CompareArgs, texts: &[String; 2], found: &Found) -> anyhow::Result<()> {
    let mut out = Output::stdout();
    let mut is_printed = false;
    for (output, made) in [(&args.html, page as fn(&Found, &CompareArgs) -> String), (&args.svg, picture)] {
        let Some(output) = output else { continue };
        let made = made(found, args);
        if output.is_stdout() {
            out.write_str(&made)?;
            is_printed = true;
        } else {
            output.write(|file| file.write_all(made.as_bytes()))?;
        }
    }
    if common.json {
        let texts = texts.each_ref().map(String::as_str);
        out.json(&ComparedPair::of(texts, &found.judged, &found.answers, &found.undone, &found.aligned, args.top))?;
    } else if !is_printed {
        show(&mut out, found, args.top)?;
    }
    out.finish()
}

/// Rejects options that would print more than one kind of output.
fn check_printed(common: &Common, args: &CompareArgs) -> anyhow::Result<()> {
    let outputs = [&args.html, &args.svg].into_iter().flatten();
    let n_printed = outputs.filter(|output| output.is_stdout()).count() + usize::from(common.json);
    if n_printed > 1 {
        let message = "only one of --html -, --svg - and --json can be printed: give the others a file";
        return Err(Usage(message.to_owned()).into());
    }
    Ok(())
}

/// Asks the judge. Both texts are annotated once, and looked at once for all questions.
fn find(resources: &Resources, texts: &[String; 2]) -> anyhow::Result<Found> {
    let judge = JudgementModel::bundled(resources)?;
    let annotated: Vec<Annotated> = judge.annotate_texts(texts, Progress::none())?;
    let context = pair_context(resources);
    let view = PairView::new(&context, &annotated[0], &annotated[1]);
    let (judged, explained) = judge.explain_all(&view, ASKED.map(|(question, _)| question))?;
    let mut answers = Vec::with_capacity(ASKED.len());
    for ((_, asked), explained) in ASKED.iter().zip(explained) {
        answers.push(Answer::new(asked, explained.prediction.decision()?, explained.explanation));
    }
    let Ok(answers) = <[Answer; 4]>::try_from(answers) else {
        return Err(resay::Error::machine("a question without an answer").into());
    };
    let undone = judge.undone(&view)?;
    let [source, target] = view.analyses().map(Clone::clone);
    let alignment = match &judged.sentences[..] {
        [] => view.alignment()?.clone(),
        sentences => judge.sentence_alignment(&view, sentences)?,
    };
    let aligned = AlignedText { source, target, alignment };
    let differences = differences(&answers[0].explanation);
    Ok(Found { judged, answers, undone, aligned, differences })
}

fn page(found: &Found, args: &CompareArgs) -> String {
    let Found { judged, answers, undone: _, aligned, differences } = found;
    let top = args.top.max(TOP_OF_PAGE);
    compare(&ComparePage { aligned, judged, answers, differences, top, made_by: "resay compare --html" })
}

fn picture(found: &Found, _: &CompareArgs) -> String {
    drawing(&found.aligned, &found.differences, Frame::Alone)
}

fn show(out: &mut Output, found: &Found, top: usize) -> anyhow::Result<()> {
    if let Some(decider) = decider(&found.judged, [&found.aligned.source.text, &found.aligned.target.text]) {
        for (line, _) in text::wrap(&decider, text::WIDTH, &[]) {
            out.line(&out.styled(Style::new().bold(), &line))?;
        }
    }
    let relation = out.styled(Style::new().bold(), &headline(&found.judged));
    out.line(&relation)?;
    for answer in &found.answers {
        show_answer(out, answer)?;
    }
    out.line(&format!("{:<37}{:.1} of 5", "similarity", found.judged.similarity))?;
    out.line("")?;
    if !found.judged.sentences.is_empty() {
        show_sentences(out, found)?;
        return show_said_once(out, &found.aligned);
    }
    let differing = |of: fn(&DifferingWords) -> &Vec<Span>| found.differences.iter().flat_map(of).copied().collect();
    let differing = [differing(|one| &one.source), differing(|one| &one.target)];
    let paint = Paint { is_coloured: out.is_coloured() };
    for line in picture::marked(&found.aligned, ["source", "target"], &differing, paint) {
        out.line(&line)?;
    }
    out.line(&out.styled(
        Style::new().dimmed(),
        "(= the same, ! differs, letters: reworded or moved, no mark: said here only)",
    ))?;
    show_undone(out, found, top)?;
    // Of the question that the relation answers with yes, and of whether they say the same.
    for answer in found.answers.iter().enumerate().filter(|(at, answer)| *at == 0 || answer.is_yes()) {
        show_reasons(out, answer.1, top)?;
        if found.judged.is_equal {
            break;
        }
    }
    show_said_once(out, &found.aligned)
}

/// The pairs of sentences, each with its relation; an asterisk marks the one that decides.
fn show_sentences(out: &mut Output, found: &Found) -> anyhow::Result<()> {
    const INDENT: usize = 18;
    let texts = [&*found.aligned.source.text, &*found.aligned.target.text];
    out.line(&out.styled(Style::new().bold(), "sentence by sentence (* decides)"))?;
    for pair in &found.judged.sentences {
        let sign = if pair.decides { "*" } else { " " };
        let said = sentence_pair(pair, texts);
        for (at, (line, _)) in text::wrap(&said, text::WIDTH - INDENT, &[]).iter().enumerate() {
            match at {
                0 => out.line(&format!("{sign} {:<16}{line}", pair.relation.name()))?,
                _ => out.line(&format!("{:INDENT$}{line}", ""))?,
            }
        }
    }
    Ok(())
}

fn show_answer(out: &mut Output, answer: &Answer) -> anyhow::Result<()> {
    const BAR: f64 = 20.0;
    let (probability, label) = (answer.decision.probability, answer.is_yes());
    let n_full = (probability * BAR).round() as usize;
    let bar = format!("{}{}", "#".repeat(n_full), "-".repeat(BAR as usize - n_full.min(BAR as usize)));
    let colour = if label { AnsiColor::Green } else { AnsiColor::Red };
    let said = out.styled(colour.on_default().bold(), if label { "yes" } else { "no " });
    out.line(&format!("{:<37}{said}  {probability:.3}  {bar}", answer.question))
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
            let value = out.styled(colour.on_default(), &text::signed(part.value));
            let text = text::wrap(&part.text, text::WIDTH - INDENT, &[]);
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

/// What the verdict hangs on: the probability of saying the same, and that without each difference.
fn show_undone(out: &mut Output, found: &Found, top: usize) -> anyhow::Result<()> {
    if found.undone.is_empty() {
        return Ok(());
    }
    out.line("")?;
    let same = found.judged.probability(Question::Same);
    out.line(&out.styled(Style::new().bold(), &format!("without this difference, the same {same:.3} would be")))?;
    for undone in found.undone.iter().take(top) {
        let colour = if undone.effect > 0.0 { AnsiColor::Green } else { AnsiColor::Red };
        let value = out.styled(colour.on_default(), &format!("{:.3}", undone.same));
        const INDENT: usize = 9;
        let said = text::clean(&wording::undone(undone));
        for (at, (line, _)) in text::wrap(&said, text::WIDTH - INDENT, &[]).iter().enumerate() {
            match at {
                0 => out.line(&format!("  {value}  {line}"))?,
                _ => out.line(&format!("{:INDENT$}{line}", ""))?,
            }
        }
    }
    Ok(())
}

fn show_said_once(out: &mut Output, aligned: &AlignedText) -> anyhow::Result<()> {
    const INDENT: usize = 10;
    out.line("")?;
    out.line(&out.styled(Style::new().bold(), "said in only one of them"))?;
    for (name, said) in ["source", "target"].into_iter().zip(said_once(aligned)) {
        let said: Vec<&str> = said.iter().map(|said| said.text.as_str()).collect();
        let said = if said.is_empty() { "nothing".to_owned() } else { said.join(" ... ") };
        for (at, (line, _)) in text::wrap(&said, text::WIDTH - INDENT, &[]).iter().enumerate() {
            out.line(&format!("  {:<8}{line}", if at == 0 { name } else { "" }))?;
        }
    }
    Ok(())
}
