//! `resay train topics`: documents with topics to a model's file, and a summary of how it went.

use super::{Clock, Saved, Summary, chosen_cost, print, saved, watched};
use crate::args::{Common, SplitChoice, TopicTraining, document_format, most_rules};
use crate::failure::Usage;
use crate::progress::Progress;
use crate::{input, render};
use resay::model::TopicAbout;
use resay::train::topics::{self, Criterion, TopicOptions, TopicSearch, train_topics};
use resay_learn::progress::{Stage, Step};
use resay_view::{json, text};
use std::path::Path;

/// More topics than this are counted, not listed.
const MOST_LISTED: usize = 20;

/// What the search found, and by what.
type Searched = (Criterion, TopicSearch);

/// The output was checked.
pub(super) fn run(common: &Common, args: &TopicTraining) -> anyhow::Result<()> {
    check_search(args)?;
    let mut clock = Clock::start();
    let choice = args.split.split.unwrap_or(SplitChoice::Train);
    let documents = input::joined_documents(common, &args.files, document_format(args.format.as_deref())?, choice)?;
    clock.read();
    let mut options = options(common, args);
    let searched = match args.search {
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
    args.model.complete(model.header_mut());
    let saved = saved(clock, &args.model, |path| model.save(path))?;
    let about = model.about();
    let tried = searched.as_ref().map(|(_, found)| {
        let rows = found.tried.iter().enumerate();
        rows.map(|(at, candidate)| json::TriedKernel::of(candidate, at == found.best)).collect()
    });
    let trained = json::TopicTraining {
        model: saved.model.clone(),
        size: saved.size,
        n_documents: about.header.n_examples,
        topics: about.topics().collect(),
        about,
        tried,
        seconds: saved.seconds,
    };
    print(common, &trained, || summary(args, options.folds, about, searched.as_ref(), &saved))
}

/// What cannot go with a search.
fn check_search(args: &TopicTraining) -> anyhow::Result<()> {
    let Some(by) = args.search else { return Ok(()) };
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

fn options(common: &Common, args: &TopicTraining) -> TopicOptions {
    let defaults = TopicOptions::default();
    TopicOptions {
        costs: args.cost.grid(&defaults.costs),
        kernel: args.kernel.clone().unwrap_or(defaults.kernel),
        units: args.units.unwrap_or(defaults.units),
        topics: args.topics.clone(),
        min_documents: args.min_documents.unwrap_or(defaults.min_documents),
        folds: args.folds.unwrap_or(defaults.folds),
        loss: args.loss.unwrap_or(defaults.loss),
        balanced: args.balanced.unwrap_or(defaults.balanced),
        max_strings: most_rules(args.max_rules),
        seed: common.seed,
    }
}

fn summary(
    args: &TopicTraining,
    n_folds: usize,
    about: &TopicAbout,
    searched: Option<&Searched>,
    saved: &Saved,
) -> Summary {
    let header = &about.header;
    let on = format!("{n_folds} held-out folds");
    let mut summary = Summary::new();
    if let Some(searched) = searched {
        summary.table(tried(searched, &on));
    }
    let only = if args.cost.costs.is_none() { "; --costs LOW..HIGH chooses one" } else { "" };
    summary.fields(&[
        ("task", header.task.clone()),
        ("documents", header.n_examples.to_string()),
        ("data", header.data.clone()),
        ("topics", about.topics().len().to_string()),
        ("kernel", about.details.kernel.clone()),
        ("units", about.details.units.name().to_owned()),
        ("cost", chosen_cost(&args.cost, header, &format!("macro AP on {on}"), only)),
    ]);
    if header.search.len() > 1 {
        summary.costs(header, "macro AP");
    }
    if about.topics().len() <= MOST_LISTED {
        let mut rows = vec![vec!["topic".to_owned(), "documents".to_owned()]];
        rows.extend(about.topics().map(|(name, n)| vec![text::clean(name), n.to_string()]));
        summary.table(render::table("<>", &rows));
    }
    let [all, kept] = about.details.n_strings;
    let held_out = format!("{:.4} on {on}, of the machines as saved", header.held_out.unwrap_or_default());
    let strings = format!("{kept} of {all} kept");
    summary.end(&[("macro AP", held_out), ("strings", strings), ("stopped", header.stop.clone())], saved)
}

/// The table of what was tried.
fn tried((criterion, found): &Searched, on: &str) -> Vec<String> {
    let (head, said) = match criterion {
        Criterion::Folds => ("macro AP", format!("* is the best: the highest macro AP on {on}")),
        Criterion::Bic => ("bits", "* is the best: the fewest bits per symbol (Bayesian information)".to_owned()),
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
