//! `resay explain`: one decision taken apart, with the words marked that the strongest rules or
//! strings are about. A pair is taken apart by a model that decides, or by an aligner; a document
//! by a model of topics; the programmes of a file by a model over such.

use super::align::check_length;
use crate::args::{Common, ExplainArgs, refuse};
use crate::classified::Classified;
use crate::failure::Usage;
use crate::input;
use crate::models::{self, Named};
use crate::output::Output;
use crate::render::tree::{show_text, show_tree};
use crate::text_file::read_text;
use crate::unfit::UnfitTexts;
use anstyle::Style;
use resay::data::ProgramExample;
use resay::explain::{Explanation, Place, RewriteRule, Slot, What};
use resay::model::{
    AlignModel, AnyModel, AskedClass, Explained, Header, PairDetails, PairModel, Prediction, ProgramModel, Response,
    TopicDecision, TopicModel,
};
use resay_text::{English, Span};
use resay_view::{json, reasons, text};
use std::ops::Range;
use std::path::Path;

/// How many rules are marked in the texts: many would mark every word.
const MARKED: usize = 5;
/// How many features of each part of a latent alignment are shown: the alignment is what is looked
/// for.
const FEATURES_OF_PART: usize = 3;
/// How many ids are named where none is the one that was asked for.
const SHOWN_IDS: usize = 5;
/// How to read a tree of yes or no.
const LEAVES: &str = "The leaves add up to the score; above 0 is yes.";

pub(crate) fn run(common: &Common, args: &ExplainArgs) -> anyhow::Result<()> {
    let model = models::open(common, args.model.as_deref(), "judge")?;
    models::check_phrases(&model, &args.own)?;
    let Named { model, name } = models::asking(model, args.question)?;
    match model {
        AnyModel::Topics(model) => topics(common, args, &model, &name),
        AnyModel::Align(model) => alignment(common, args, &model, &name),
        AnyModel::Program(model) => programs(common, args, &model, &name),
        model => pair(common, args, &*models::pair_model(Named { model, name: name.clone() }, "explain")?.model, &name),
    }
}

/// Says no to a class for a model that has none.
fn refuse_class(args: &ExplainArgs, does: &str) -> anyhow::Result<()> {
    let given = [("--class", args.class.is_some()), ("--against", args.against.is_some())];
    refuse(&given, &format!("is for a model that decides about pairs, but this one {does}"))
}

/// Says no to a topic for a model that has none.
fn refuse_topic(args: &ExplainArgs, does: &str) -> anyhow::Result<()> {
    refuse(&[("--topic", args.topic.is_some())], &format!("is for a model of topics, but this one {does}"))
}

/// The second text of a model that needs two.
fn target<'a>(args: &'a ExplainArgs, does: &str) -> anyhow::Result<&'a str> {
    refuse_topic(args, does)?;
    let message = || Usage(format!("the target text is missing: this model {does}, give SOURCE and TARGET"));
    Ok(args.target.as_deref().ok_or_else(message)?)
}

/// The first lines: what was decided, and by which model.
fn show_head(out: &mut Output, head: &str, name: &str) -> anyhow::Result<()> {
    out.line(&out.styled(Style::new().bold(), &text::clean(head)))?;
    out.line(&format!("model {}", text::clean(name)))
}

fn pair(common: &Common, args: &ExplainArgs, model: &dyn PairModel, name: &str) -> anyhow::Result<()> {
    let target = target(args, "decides about pairs")?;
    // Rules of a kernel are listed as far as asked for. Of all else programs get the whole tree,
    // people what is cut below.
    let is_kernel = matches!(model.details(), PairDetails::Kernel(_));
    let top = if is_kernel { args.top } else { usize::MAX };
    let header = model.header();
    let class = |name: &Option<String>| name.as_deref().map(|name| models::class(header, name)).transpose();
    let asked = AskedClass { class: class(&args.class)?, against: class(&args.against)? };
    let explained = model.explain_asked(&args.source, target, asked, top)?;
    UnfitTexts::new(common, model)?.warn(&args.source, target);
    let Explained { prediction, mut explanation, symbols } = explained;
    let mut out = Output::stdout();
    if common.json {
        let decision = json::ExplainedDecision::of(name, header, &prediction, asked, &explanation);
        out.json(&json::ExplainedJson { source: &args.source, target, decision })?;
        return out.finish();
    }
    let unsure = if header.is_sure(&prediction) { "" } else { ", not sure enough" };
    show_head(&mut out, &format!("{}: {}{unsure}", header.task, verdict(header, &prediction)), name)?;
    if is_kernel {
        out.line("")?;
        let mut rules = reasons::strongest(&explanation, usize::MAX);
        rules.retain(|rule| names_a_word(&rule.what));
        rules.truncate(MARKED);
        if let Some([source, target]) = symbols.as_deref() {
            show_text(
                &mut out,
                "source",
                &source.text,
                &rule_marks(&rules, |place| &place.source, |rule| &rule.source),
            )?;
            show_text(
                &mut out,
                "target",
                &target.text,
                &rule_marks(&rules, |place| &place.target, |rule| &rule.target),
            )?;
        }
        if !rules.is_empty() {
            let n = rules.len();
            out.line(&format!("{:10}+ for, - against, * both, by the {n} strongest rules with a word", ""))?;
        }
    } else {
        let phrases = explanation.parts.iter().filter(|part| matches!(&part.what, What::Phrase { .. }));
        let (mapped, alone): (Vec<_>, Vec<_>) =
            phrases.partition(|part| matches!(&part.what, What::Phrase { source: Some(_), target: Some(_) }));
        if !(mapped.is_empty() && alone.is_empty()) {
            let (n_mapped, n_alone) = (mapped.len(), alone.len());
            out.line(&format!("latent alignment: {n_mapped} parts stand for each other, {n_alone} are left alone"))?;
        }
        explanation.parts.iter_mut().for_each(|part| reasons::sum_up(part, FEATURES_OF_PART));
        reasons::sum_up(&mut explanation, args.top);
    }
    show_tree(&mut out, &explanation)?;
    out.line(&add_up_to(header, &prediction, asked))?;
    out.finish()
}

/// `yes, probability of yes 0.813`; with the model's own labels `late, probability of late 0.813`; of
/// several classes `neutral, probability 0.713 (entailment 0.200, contradiction 0.087)`; of numbers
/// `3.20, in nine of ten cases from 2.50 to 4.10`.
fn verdict(header: &Header, prediction: &Prediction) -> String {
    match prediction {
        Prediction::Binary { label, probability, .. } => {
            let [no, yes] = binary_names(header);
            format!("{}, probability of {yes} {probability:.3}", if *label { yes } else { no })
        }
        Prediction::Category { probabilities, label, .. } => {
            let labels = header.response.labels();
            let others = (0..labels.len()).filter(|other| other != label);
            let others: Vec<String> =
                others.map(|other| format!("{} {:.3}", labels[other], probabilities[other])).collect();
            format!("{}, probability {:.3} ({})", labels[*label], probabilities[*label], others.join(", "))
        }
        Prediction::Real { value, interval: [low, high] } => {
            format!("{value:.2}, in nine of ten cases from {low:.2} to {high:.2}")
        }
    }
}

/// What the leaves of a tree add up to.
fn add_up_to(header: &Header, prediction: &Prediction, asked: AskedClass) -> String {
    let asked = asked.resolved(prediction);
    let (Some(class), labels) = (asked.class, header.response.labels()) else {
        return "The leaves add up to the number.".to_owned();
    };
    match (prediction, &header.response) {
        (Prediction::Category { .. }, Response::Ordinal { levels }) => {
            let other = asked.against.unwrap_or(if class == 0 { 1 } else { class - 1 });
            let level = &levels[class.max(other)];
            let not = if class < other { "not reaching" } else { "reaching" };
            format!("The leaves add up to the log-odds of {not} level {level}.")
        }
        (Prediction::Category { .. }, _) => match asked.against {
            Some(against) => {
                format!("The leaves add up to the score of {} less that of {}.", labels[class], labels[against])
            }
            None => format!("The leaves add up to the score of {}; the highest score wins.", labels[class]),
        },
        _ if class == 0 => {
            let no = binary_names(header)[0];
            format!("The leaves add up to the score of {no}; above 0 is {no}.")
        }
        _ => LEAVES.to_owned(),
    }
}

/// What the two labels of a model are called: no and yes unless it has its own.
fn binary_names(header: &Header) -> [&str; 2] {
    match header.binary_labels() {
        ["0", "1"] => ["no", "yes"],
        own => own,
    }
}

/// A rule of wildcards alone speaks of every shared word, and would have them all marked.
fn names_a_word(what: &What) -> bool {
    match what {
        What::Rule(rule) => rule.source.iter().chain(&rule.target).any(|slot| matches!(slot, Slot::Word(_))),
        _ => false,
    }
}

/// `+`, `-` or `*` for every word that the rules name or link on one side.
fn rule_marks(
    rules: &[&Explanation],
    spans: fn(&Place) -> &Vec<Span>,
    slots: fn(&RewriteRule) -> &Vec<Slot>,
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

/// The best way to cut the source into pieces that correspond, piece by piece, with the features
/// that spoke.
fn alignment(common: &Common, args: &ExplainArgs, model: &AlignModel, name: &str) -> anyhow::Result<()> {
    let target = target(args, "aligns pairs")?;
    refuse_class(args, "aligns pairs")?;
    check_length(&English::whole(&args.source), &English::whole(target)).map_err(Usage)?;
    let (_, _, mut explanation) = model.explain(&args.source, target)?;
    explanation.parts.iter_mut().for_each(|part| reasons::sum_up(part, args.top));
    let mut out = Output::stdout();
    let task = &model.about().header.task;
    if common.json {
        let (source, score) = (&args.source, explanation.value);
        let explanation = json::Node::of(&explanation);
        out.json(&json::ExplainedAlignment { source, target, model: name, task, score, explanation })?;
        return out.finish();
    }
    let is_linked = |part: &&Explanation| matches!(part.what, What::Phrase { target: Some(_), .. });
    let (n_linked, n_all) = (explanation.parts.iter().filter(is_linked).count(), explanation.parts.len());
    show_head(&mut out, &format!("{task}: {n_linked} of {n_all} pieces of the source correspond"), name)?;
    show_tree(&mut out, &explanation)?;
    out.line("The leaves add up to the score of the best way to cut the source; links that")?;
    out.line("resay align gives are chosen by confidence in both directions, and may differ.")?;
    out.finish()
}

/// The programmes of a file, or the one of an id: what was chosen in each, and what that adds.
fn programs(common: &Common, args: &ExplainArgs, model: &ProgramModel, name: &str) -> anyhow::Result<()> {
    refuse_topic(args, "decides over declared programmes")?;
    refuse_class(args, "decides over declared programmes")?;
    let programs = input::programs(common, args.source.as_ref())?;
    let is_wanted = |example: &&ProgramExample| args.target.as_ref().is_none_or(|id| *id == example.id);
    let wanted: Vec<&ProgramExample> = programs.examples.iter().filter(is_wanted).collect();
    if let (true, Some(id)) = (wanted.is_empty(), &args.target) {
        let ids: Vec<&str> = programs.examples.iter().take(SHOWN_IDS).map(|example| &*example.id).collect();
        let message = format!("no programme '{id}' in {}, expected an id such as {}", programs.name, ids.join(", "));
        return Err(Usage(message).into());
    }
    let (header, mut out) = (model.header(), Output::stdout());
    for example in wanted {
        let explained = model.explain(example).map_err(|error| example.error(error.to_string()))?;
        let Explained { prediction, mut explanation, .. } = explained;
        let asked = AskedClass::ANSWER;
        if common.json {
            let decision = json::ExplainedDecision::of(name, header, &prediction, asked, &explanation);
            out.json(&json::ExplainedProgram { id: &example.id, decision })?;
            continue;
        }
        show_head(&mut out, &format!("{}: {}", example.id, verdict(header, &prediction)), name)?;
        explanation.parts.iter_mut().for_each(|part| reasons::sum_up(part, args.top));
        reasons::sum_up(&mut explanation, args.top);
        show_tree(&mut out, &explanation)?;
    }
    if !common.json {
        out.line(LEAVES)?;
    }
    out.finish()
}

/// Which topics a text is of, and the score of one of them, with the strings marked that speak for
/// it and against.
fn topics(common: &Common, args: &ExplainArgs, model: &TopicModel, name: &str) -> anyhow::Result<()> {
    refuse_class(args, "sorts documents by topic")?;
    if args.target.is_some() {
        let message = "two texts, but this model sorts documents by topic: give one TEXT (in quotes)";
        return Err(Usage(message.to_owned()).into());
    }
    let given = if args.source == "-" { Some(read_text(Path::new("-"))?) } else { None };
    let document = given.as_deref().map_or(args.source.as_str(), without_line_break);
    let found = Classified::new(model, model.decide(document)?);
    let topic = match &args.topic {
        Some(topic) => model.topic(topic)?,
        None => found.best().ok_or_else(|| Usage(format!("{name}: a model without topics")))?,
    };
    let (sentence, explanation) = model.explain(document, topic, args.top)?;
    let (score, probability) = found.decision(topic).map_or((0.0, 0.0), |d| (d.score, d.probability));
    let mut out = Output::stdout();
    if common.json {
        out.json(&json::ExplainedTopic {
            text: document,
            model: name,
            task: &model.about().header.task,
            labels: found.labels(),
            topics: found.scores(),
            topic: found.name(topic),
            score,
            probability,
            explanation: json::Node::of(&explanation),
        })?;
        return out.finish();
    }
    let accepted = |(name, decision): (&str, &TopicDecision)| format!("{name} ({:.3})", decision.probability);
    let accepted: Vec<String> = found.accepted().map(accepted).collect();
    let accepted = if accepted.is_empty() { "none".to_owned() } else { accepted.join(", ") };
    show_head(&mut out, &format!("topics: {accepted}"), name)?;
    let answer = if score > 0.0 { "yes" } else { "no" };
    let topic = text::clean(found.name(topic));
    out.line(&format!("taken apart: {topic}, {answer}, probability {probability:.3}"))?;
    out.line("")?;
    let strings = reasons::strongest(&explanation, usize::MAX);
    show_text(&mut out, "text", &sentence.text, &string_marks(&strings))?;
    if !strings.is_empty() {
        out.line(&format!("{:10}+ for, - against {topic}, by the {} strings below", "", strings.len()))?;
    }
    show_tree(&mut out, &explanation)?;
    out.line(LEAVES)?;
    out.finish()
}

/// A text without the line break at its end.
fn without_line_break(text: &str) -> &str {
    text.strip_suffix('\n').map_or(text, |text| text.strip_suffix('\r').unwrap_or(text))
}

/// `+` or `-` under every place of the strings, which come strongest first: where they overlap, the
/// stronger is seen.
fn string_marks(strings: &[&Explanation]) -> Vec<(Range<usize>, char)> {
    let mut marks = Vec::new();
    for string in strings.iter().rev() {
        let sign = if string.value > 0.0 { '+' } else { '-' };
        marks.extend(string.places.iter().flat_map(|place| &place.source).map(|span| (span.range(), sign)));
    }
    marks
}
