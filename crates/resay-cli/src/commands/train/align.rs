//! `resay train align`: aligned pairs to an aligner's file, and a summary of how it went.

use super::{Clock, Saved, Summary, print, saved, watched};
use crate::args::{AlignTraining, Common};
use crate::failure::Usage;
use crate::{input, render};
use resay::align::{AlignSettings, feature_templates};
use resay::data::AlignedPairs;
use resay::model::AlignAbout;
use resay::train::align::{AlignOptions, train_align};
use resay_view::json;

/// The output was checked.
pub(super) fn run(common: &Common, args: &AlignTraining) -> anyhow::Result<()> {
    if args.sentences.is_none() {
        args.input.columns.refuse_as("is for the table of --sentences")?;
    }
    let settings = settings(args)?;
    let n_features = settings.feature_ids()?.len();
    let mut clock = Clock::start();
    let pairs = pairs(common, args)?;
    clock.read();
    let options = AlignOptions { settings, possible: args.possible, synthesise: args.synthesise };
    let (mut model, clock) =
        watched(common, clock, 1, |progress| train_align(&pairs, &options, &common.resources, progress))?;
    args.model.complete(model.header_mut());
    let saved = saved(clock, &args.model, |path| model.save(path))?;
    let about = model.about();
    let trained = json::AlignTraining {
        model: saved.model.clone(),
        size: saved.size,
        n_features,
        n_pairs: about.header.n_examples,
        about,
        seconds: saved.seconds,
    };
    print(common, &trained, || summary(args, about, n_features, &saved))
}

/// What the aligner looks at: what fits the length of its phrases, unless something else is asked
/// for.
fn settings(args: &AlignTraining) -> anyhow::Result<AlignSettings> {
    let longest = args.longest.unwrap_or(1);
    let defaults =
        if longest == 1 { AlignSettings::tokens() } else { AlignSettings { longest, ..AlignSettings::phrases() } };
    let is_known = |name: &&String| feature_templates().any(|(known, _)| known == name.as_str());
    if let Some(unknown) = args.features.iter().chain(&args.without).find(|name| !is_known(name)) {
        let known: Vec<String> = feature_templates().map(|(name, what)| format!("{name} ({what})")).collect();
        return Err(Usage(format!("no feature is named '{unknown}', expected some of: {}", known.join(", "))).into());
    }
    let mut features = if args.features.is_empty() { defaults.features } else { args.features.clone() };
    features.retain(|name| !args.without.contains(name));
    if features.is_empty() {
        return Err(Usage("--without leaves no features, expected at least one".to_owned()).into());
    }
    Ok(AlignSettings { features, l2: args.l2.unwrap_or(defaults.l2), ..defaults })
}

/// All files joined; links without words get them from a file of sentences.
fn pairs(common: &Common, args: &AlignTraining) -> anyhow::Result<AlignedPairs> {
    let format = args.input.of_alignments()?;
    let pairs = input::joined_aligned_pairs(common, &args.files, format)?;
    let Some(sentences) = &args.sentences else {
        if pairs.first_without_words().is_some() {
            let message = "links without words: name the file with their sentences (pairs, row by row) by --sentences";
            return Err(resay::Error::file(&pairs.name, message).into());
        }
        return Ok(pairs);
    };
    if let Some(idx) = pairs.rows.iter().position(|pair| pair.has_words()) {
        let message = "the pair has words already, but --sentences gives others: leave --sentences out";
        return Err(pairs.error(idx, message).into());
    }
    let sentences = input::pairs(common, sentences, None, &args.input.columns.columns())?;
    Ok(pairs.with_sentences(&sentences)?)
}

fn summary(args: &AlignTraining, about: &AlignAbout, n_features: usize, saved: &Saved) -> Summary {
    let (header, details) = (&about.header, &about.details);
    let phrases = match details.longest {
        1 => "words only".to_owned(),
        longest => format!("phrases of up to {longest} words"),
    };
    let links = match (args.possible, args.synthesise) {
        (true, true) => ", possible ones and whole chunks among them",
        (true, false) => ", possible ones among them",
        (false, true) => ", whole chunks among them",
        (false, false) => "",
    };
    let mut summary = Summary::new();
    summary.fields(&[
        ("task", header.task.clone()),
        ("pairs", format!("{} with {} links{links}", header.n_examples, details.n_links)),
        ("data", header.data.clone()),
        ("aligns", phrases),
        ("features", format!("{n_features} of {}", details.features.join(", "))),
        ("l2", details.l2.to_string()),
    ]);
    if !details.tried.is_empty() {
        summary.table(tried(about));
    }
    let held_out = match header.held_out {
        Some(f1) => format!("F1 {f1:.4} on {} held-back pairs; then learned again from all", details.n_held_back),
        None => "too few pairs to hold any back: steps and threshold were not chosen".to_owned(),
    };
    let steps = format!("at most {}: {}", details.n_steps, header.stop);
    summary.end(&[("held out", held_out), ("steps", steps), ("threshold", format!("{:.2}", details.threshold))], saved)
}

/// The table of steps that were tried on held-back pairs.
fn tried(about: &AlignAbout) -> Vec<String> {
    let scores: Vec<f64> = about.details.tried.iter().map(|tried| tried.2).collect();
    let mut rows = vec![["", "steps", "threshold", "F1", ""].map(str::to_owned).to_vec()];
    for ((steps, threshold, f1), bar) in about.details.tried.iter().zip(render::bars(&scores)) {
        let mark = if *steps == about.details.n_steps { "*" } else { "" };
        rows.push(vec![mark.to_owned(), steps.to_string(), format!("{threshold:.2}"), format!("{f1:.4}"), bar]);
    }
    render::table("<>>><", &rows)
}
