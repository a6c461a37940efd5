//! `resay train --task topics`: documents with topics to a model's file, and a summary of how it went.

use super::train::{Clock, costs, saved, stages, watched};
use crate::args::{Common, SplitChoice, TrainArgs};
use crate::failure::Usage;
use crate::output::Output;
use crate::progress::Progress;
use crate::{input, render};
use resay::model::TopicAbout;
use resay::task::topics::{self, Criterion, Found, TopicOptions, train_topics};
use resay_learn::progress::{Stage, Step};
use resay_view::{json, text};
use std::path::Path;

/// More topics than this are counted, not listed.
const MOST_LISTED: usize = 20;

/// What the search found, and by what.
type Searched = (Criterion, Found);

/// Options and output were checked.
pub(super) fn run(common: &Common, args: &TrainArgs) -> anyhow::Result<()> {
    check_search(args)?;
    let mut clock = Clock::start();
    let choice = args.of_topics.split.split.unwrap_or(SplitChoice::Train);
    let documents = input::joined_documents(common, &args.files, args.input.of_documents()?, choice)?;
    clock.read();
    let mut options = options(common, args);
    let searched = match args.of_topics.search {
        None => None,
        Some(by) => {
            clock.enter(Stage::Search);
            let progress = Progress::new(common);
            let report = |step: Step<'_>| progress.set("trying kernels", step.done, step.total);
            // A cost that is yet to be chosen is 1 until then.
            let costs = if options.costs.len() > 1 { TopicOptions::default().costs } else { options.costs.clone() };
            let candidates = TopicOptions { costs, ..options.clone() };
            let reports = resay_learn::progress::Progress::new(&report);
            let found = topics::search(&documents, &candidates, by.into(), &common.resources, reports)?;
            if let Some(best) = found.tried.get(found.best) {
                (options.kernel, options.units) = (best.kernel.clone(), best.units);
            }
            Some((by.into(), found))
        }
    };
    let (mut model, clock) =
        watched(common, clock, 1, |progress| train_topics(&documents, &options, &common.resources, progress))?;
    args.complete(model.header_mut());
    let (size, seconds) = saved(clock, &args.output, |path| model.save(path))?;

    let mut out = Output::stdout();
    let about = model.about();
    if common.json {
        let tried = searched.as_ref().map(|(_, found)| {
            let rows = found.tried.iter().enumerate();
            rows.map(|(at, candidate)| json::TriedKernel::of(candidate, at == found.best)).collect()
        });
        let model = args.output.path().display().to_string();
        out.json(&json::TopicTraining {
            model,
            size,
            n_documents: about.header.n_examples,
            topics: about.topics().collect(),
            about,
            tried,
            seconds,
        })?;
    } else {
        for line in summary(args, &options, about, searched.as_ref(), size, seconds) {
            out.line(&line)?;
        }
    }
    out.finish()
}

/// What cannot go with a search.
fn check_search(args: &TrainArgs) -> anyhow::Result<()> {
    let Some(by) = args.of_topics.search else { return Ok(()) };
    if Criterion::from(by) == Criterion::Folds && args.units.is_some() {
        let message = "--units and --search: the search chooses the units too, expected one of them";
        return Err(Usage(message.to_owned()).into());
    }
    // The criterion stands behind a =, or else a file with such a name could not be given.
    let is_criterion = |path: &&Path| [Path::new("folds"), Path::new("bic")].contains(path) && !path.exists();
    match args.files.iter().map(|path| path.as_path()).find(is_criterion) {
        Some(path) => {
            let name = path.display();
            Err(Usage(format!("no file {name}: if that is how to search, write --search={name}")).into())
        }
        None => Ok(()),
    }
}

fn options(common: &Common, args: &TrainArgs) -> TopicOptions {
    let defaults = TopicOptions::default();
    let costs = match (args.cost, &args.costs) {
        (Some(cost), _) => vec![cost],
        (None, Some(costs)) => costs.0.clone(),
        (None, None) => defaults.costs,
    };
    TopicOptions {
        kernel: args.kernel.clone().unwrap_or(defaults.kernel),
        units: args.units.unwrap_or(defaults.units),
        topics: args.of_topics.topics.clone(),
        min_documents: args.of_topics.min_documents.unwrap_or(defaults.min_documents),
        costs,
        folds: args.folds.unwrap_or(defaults.folds),
        loss: args.loss.unwrap_or(defaults.loss),
        balanced: args.balanced.unwrap_or(defaults.balanced),
        max_strings: args.most_rules(),
        seed: common.seed,
    }
}

fn summary(
    args: &TrainArgs,
    options: &TopicOptions,
    about: &TopicAbout,
    searched: Option<&Searched>,
    size: u64,
    seconds: json::Seconds,
) -> Vec<String> {
    let on = format!("{} held-out folds", options.folds);
    let cost = match (args.cost, &args.costs) {
        (Some(cost), _) => format!("{cost}, as asked for"),
        (None, Some(_)) => format!("{}, the best macro AP on {on}", about.header.cost.unwrap_or_default()),
        (None, None) => format!("{}; --costs LOW..HIGH chooses one", about.header.cost.unwrap_or_default()),
    };
    let mut lines = Vec::new();
    if let Some(searched) = searched {
        lines.extend(tried(searched, &on));
        lines.push(String::new());
    }
    let fields = [
        ("task", about.header.task.clone()),
        ("documents", about.header.n_examples.to_string()),
        ("data", about.header.data.clone()),
        ("topics", about.topics().len().to_string()),
        ("kernel", about.details.kernel.clone()),
        ("units", about.details.units.name().to_owned()),
        ("cost", cost),
    ];
    lines.extend(fields.iter().flat_map(|(name, text)| render::field(name, text)));
    if about.header.search.len() > 1 {
        lines.push(String::new());
        lines.extend(costs(&about.header.search, about.header.cost.unwrap_or_default(), "macro AP"));
    }
    if about.topics().len() <= MOST_LISTED {
        let mut rows = vec![vec!["topic".to_owned(), "documents".to_owned()]];
        rows.extend(about.topics().map(|(name, n)| vec![text::clean(name), n.to_string()]));
        lines.push(String::new());
        lines.extend(render::table("<>", &rows));
    }
    lines.push(String::new());
    let [all, kept] = about.details.n_strings;
    let fields = [
        ("macro AP", format!("{:.4} on {on}, of the machines as saved", about.header.held_out.unwrap_or_default())),
        ("strings", format!("{kept} of {all} kept")),
        ("stopped", about.header.stop.clone()),
        ("model", format!("{}, {}", args.output.path().display(), text::size(size as usize))),
        ("seconds", stages(seconds)),
    ];
    lines.extend(fields.iter().flat_map(|(name, text)| render::field(name, text)));
    lines
}

/// The table of what was tried.
fn tried((criterion, found): &Searched, on: &str) -> Vec<String> {
    let (head, said) = match criterion {
        Criterion::Folds => ("macro AP", format!("* is the best: the highest macro AP on {on}")),
        Criterion::Bic => ("bits", "* is the best: the fewest bits a symbol (Bayesian information)".to_owned()),
    };
    let mut rows = vec![["", "kernel", "units", head].map(str::to_owned).to_vec()];
    for (at, candidate) in found.tried.iter().enumerate() {
        rows.push(vec![
            if at == found.best { "*" } else { "" }.to_owned(),
            candidate.kernel.clone(),
            candidate.units.name().to_owned(),
            format!("{:.4}", candidate.value),
        ]);
    }
    let mut lines = render::table("<<<>", &rows);
    lines.push(said);
    lines
}
