//! `resay rules` with a model of topics: the strings that speak for and against a topic, or some of every topic's.

use crate::args::{Common, RulesArgs};
use crate::output::Output;
use crate::render;
use anstyle::{AnsiColor, Style};
use resay::model::{TopicModel, WeightedString};
use resay_view::{json, text};

/// How many strings of one topic, and how many of each sign of all topics.
const TOP_OF_ONE: usize = 20;
const TOP_OF_EACH: usize = 5;

pub(super) fn run(common: &Common, args: &RulesArgs, model: &TopicModel) -> anyhow::Result<()> {
    let mut out = Output::stdout();
    let wants = |weight: f64| if args.speaks_for { weight > 0.0 } else { !args.against || weight < 0.0 };
    if let Some(name) = &args.topic {
        let top = args.top.unwrap_or(TOP_OF_ONE);
        let strings = strings(args, model, model.topic(name)?, top, wants);
        if common.json {
            show_json(&mut out, name, &strings)?;
        } else {
            show_one(&mut out, &strings)?;
        }
        return out.finish();
    }
    let top = args.top.unwrap_or(TOP_OF_EACH);
    for (topic, (name, n_documents)) in model.about().topics().enumerate() {
        let of_sign = |sign: f64| strings(args, model, topic, top, |weight| wants(weight) && weight * sign > 0.0);
        let (speak_for, against) = (of_sign(1.0), of_sign(-1.0));
        if common.json {
            show_json(&mut out, name, &speak_for)?;
            show_json(&mut out, name, &against)?;
            continue;
        }
        if topic > 0 {
            out.line("")?;
        }
        let head = out.styled(Style::new().bold(), &text::clean(name));
        out.line(&format!("{head}  {n_documents} documents"))?;
        if !args.against {
            show_line(&mut out, "for", &speak_for, AnsiColor::Green)?;
        }
        if !args.speaks_for {
            show_line(&mut out, "against", &against, AnsiColor::Red)?;
        }
    }
    out.finish()
}

/// The heaviest strings, of those that are asked for.
fn strings(
    args: &RulesArgs,
    model: &TopicModel,
    topic: usize,
    top: usize,
    wants: impl Fn(f64) -> bool,
) -> Vec<WeightedString> {
    let Some(text) = &args.matching else { return model.strings(topic, top, wants) };
    let lower = text.to_lowercase();
    let mut found = model.strings(topic, usize::MAX, wants);
    // Most units are in lower case.
    found.retain(|found| found.string.contains(text) || found.string.contains(&lower));
    found.truncate(top);
    found
}

fn show_json(out: &mut Output, topic: &str, strings: &[WeightedString]) -> anyhow::Result<()> {
    for WeightedString { kernel, string, weight } in strings {
        out.json(&json::TopicString { topic, weight: *weight, kernel, string })?;
    }
    Ok(())
}

fn show_one(out: &mut Output, strings: &[WeightedString]) -> anyhow::Result<()> {
    let mut table = vec![vec!["weight".to_owned(), "string".to_owned()]];
    table.extend(strings.iter().map(|found| vec![text::signed(found.weight), text::quoted(&found.string)]));
    let mut lines = render::table("><", &table).into_iter();
    if let Some(head) = lines.next() {
        out.line(&out.styled(Style::new().bold(), &head))?;
    }
    for (line, found) in lines.zip(strings) {
        let colour = if found.weight > 0.0 { AnsiColor::Green } else { AnsiColor::Red };
        out.line(&out.styled(colour.on_default(), &line))?;
    }
    Ok(())
}

fn show_line(out: &mut Output, name: &str, strings: &[WeightedString], colour: AnsiColor) -> anyhow::Result<()> {
    let shown: Vec<String> = strings.iter().map(|found| text::quoted(&found.string)).collect();
    let shown = if shown.is_empty() { "nothing".to_owned() } else { shown.join("  ") };
    out.line(&format!("  {name:<8}{}", out.styled(colour.on_default(), &shown)))
}
