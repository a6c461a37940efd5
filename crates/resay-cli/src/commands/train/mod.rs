//! `resay train TASK`: examples to a model's file, and a summary of how it went. What every
//! training shares is here: the clock, the bar, the file, the summary. Each group of tasks is a
//! file beside.

mod adapt;
mod align;
mod names;
mod pairs;
mod programs;
mod topics;

use crate::args::{Common, CostArgs, ModelOutput, TrainArgs, TrainTask};
use crate::failure::Usage;
use crate::output::Output;
use crate::progress::Progress;
use crate::render;
use resay::model::{Header, Response, Tried};
use resay::train::Task;
use resay_learn::progress::{self, Stage, Step};
use resay_view::{json, text, wording};
use serde::Serialize;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

pub(crate) fn run(common: &Common, args: &TrainArgs) -> anyhow::Result<()> {
    let output = match &args.task {
        TrainTask::Paraphrase(args)
        | TrainTask::Entailment(args)
        | TrainTask::Similarity(args)
        | TrainTask::Pair(args)
        | TrainTask::Answers(args) => &args.model,
        TrainTask::Names(args) => &args.model,
        TrainTask::Topics(args) => &args.model,
        TrainTask::Align(args) => &args.model,
        TrainTask::Program(args) => &args.model,
    };
    if output.output.is_stdout() {
        return Err(Usage("-o -: a model is written to a file, give its name".to_owned()).into());
    }
    match &args.task {
        TrainTask::Paraphrase(args) => pairs::run(common, Task::Paraphrase, args),
        TrainTask::Entailment(args) => pairs::run(common, Task::Entailment, args),
        TrainTask::Similarity(args) => pairs::run(common, Task::Similarity, args),
        TrainTask::Pair(args) => pairs::run(common, Task::Pair, args),
        TrainTask::Answers(args) => pairs::run(common, Task::Answers, args),
        TrainTask::Names(args) => names::run(common, args),
        TrainTask::Topics(args) => topics::run(common, args),
        TrainTask::Align(args) => align::run(common, args),
        TrainTask::Program(args) => programs::run(common, args),
    }
}

/// Learns with a bar that shows how far it is, and keeps the time of its stages. The search first
/// reports when a fold is done, but starts where the features end; it has so many folds.
fn watched<M>(
    common: &Common,
    clock: Clock,
    n_folds: usize,
    learn: impl FnOnce(progress::Progress<'_>) -> resay::Result<M>,
) -> resay::Result<(M, Clock)> {
    let (bar, clock) = (Progress::new(common), Mutex::new(clock));
    let report = |step: Step<'_>| {
        let is_ready = step.stage == Stage::Features && step.done == step.total;
        let step = if is_ready { Step { stage: Stage::Search, done: 0, total: n_folds, ..step } } else { step };
        bar.report(step);
        if let Ok(mut clock) = clock.lock() {
            clock.enter(step.stage);
        }
    };
    let model = learn(progress::Progress::new(&report))?;
    Ok((model, clock.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

/// The file that a model was written to, and how long everything took.
struct Saved {
    model: String,
    size: u64,
    seconds: json::Seconds,
}

/// Writes a model's file.
fn saved(clock: Clock, output: &ModelOutput, save: impl FnOnce(&Path) -> resay::Result<()>) -> resay::Result<Saved> {
    let path = output.output.path();
    let mut seconds = clock.finish();
    let before_write = Instant::now();
    save(path)?;
    seconds.write = before_write.elapsed().as_secs_f64();
    let size = path.metadata().map_or(0, |file| file.len());
    Ok(Saved { model: path.display().to_string(), size, seconds })
}

/// Prints how it went.
fn print(common: &Common, value: &impl Serialize, summary: impl FnOnce() -> Summary) -> anyhow::Result<()> {
    let mut out = Output::stdout();
    if common.json {
        out.json(value)?;
    } else {
        summary().0.iter().try_for_each(|line| out.line(line))?;
    }
    out.finish()
}

/// Adds up the time of each stage: from a call that names it to the next call.
struct Clock {
    last: Instant,
    stage: Stage,
    seconds: json::Seconds,
}

impl Clock {
    fn start() -> Self {
        Self { last: Instant::now(), stage: Stage::Annotate, seconds: json::Seconds::default() }
    }

    /// All files are read.
    fn read(&mut self) {
        self.seconds.read = self.lap();
    }

    /// Seconds since the last call.
    fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let seconds = (now - self.last).as_secs_f64();
        self.last = now;
        seconds
    }

    fn enter(&mut self, stage: Stage) {
        let since = self.lap();
        match self.stage {
            Stage::Annotate => self.seconds.annotate += since,
            Stage::Features => self.seconds.features += since,
            Stage::Search => self.seconds.search += since,
            // Training has no other stages.
            _ => self.seconds.train += since,
        }
        self.stage = stage;
    }

    fn finish(mut self) -> json::Seconds {
        self.enter(Stage::Train);
        self.seconds
    }
}

/// How it went, for people: fields and tables, a blank line between.
struct Summary(Vec<String>);

impl Summary {
    fn new() -> Self {
        Self(Vec::new())
    }

    /// What was learned from how many labelled examples, which are called `what`; `made_of` are
    /// fields of the learner.
    fn of_labelled(header: &Header, what: &'static str, made_of: &[(&'static str, String)], cost: String) -> Self {
        let examples = format!("{}: {}", header.n_examples, wording::counts(header));
        let start = [("task", header.task.clone()), (what, examples), ("data", header.data.clone())];
        let mut more = vec![("cost", cost)];
        if let Some(folds) = &header.folds {
            more.push(("folds", wording::folds(folds)));
        }
        if !header.merged.is_empty() {
            more.push(("merged", format!("{} count as no", header.merged.join(", "))));
        }
        if let Some(sure) = &header.sure {
            more.push(("sure", wording::sure(sure, header.response.labels())));
        }
        let mut summary = Self::new();
        summary.fields(&[&start, made_of, &more].concat());
        summary.costs(header, &header.measure);
        summary
    }

    fn fields(&mut self, fields: &[(&str, String)]) {
        self.table(fields.iter().flat_map(|(name, text)| render::field(name, text)).collect());
    }

    fn table(&mut self, lines: Vec<String>) {
        if !self.0.is_empty() {
            self.0.push(String::new());
        }
        self.0.extend(lines);
    }

    /// The costs that were tried: mean and spread over folds, and a bar from the worst mean to the
    /// best.
    fn costs(&mut self, header: &Header, measure: &str) {
        let means: Vec<f64> = header.search.iter().map(|tried| tried.mean).collect();
        let mut rows = vec![["", "cost", measure, "spread", ""].map(str::to_owned).to_vec()];
        let spread = |folds: &[f64]| format!("{:.4}", render::spread(folds));
        for (Tried { cost, mean, folds }, bar) in header.search.iter().zip(render::bars(&means)) {
            let mark = if Some(*cost) == header.cost { "*" } else { "" };
            let spread = if folds.len() > 1 { spread(folds) } else { "-".to_owned() };
            rows.push(vec![mark.to_owned(), cost.to_string(), format!("{mean:.4}"), spread, bar]);
        }
        self.table(render::table("<>>><", &rows));
    }

    /// The objective at the start and after every iteration.
    fn objectives(&mut self, objectives: &[f64]) {
        let mut rows = vec![["iteration", "objective", ""].map(str::to_owned).to_vec()];
        for ((iteration, objective), bar) in objectives.iter().enumerate().zip(render::bars(objectives)) {
            let name = if iteration == 0 { "start".to_owned() } else { iteration.to_string() };
            rows.push(vec![name, format!("{objective:.3}"), bar]);
        }
        self.table(render::table(">><", &rows));
    }

    /// How learning over latent structures went and ended, and how good it was on what.
    fn end_of_latent(mut self, header: &Header, objectives: &[f64], gap: f64, on: &str, saved: &Saved) -> Self {
        // Those of several heads follow each other: there is no one curve to show.
        if matches!(header.response, Response::Binary { .. }) {
            self.objectives(objectives);
        }
        let held_out = format!("{} {:.4} on {on}", header.measure, header.held_out.unwrap_or_default());
        self.end(&[("stopped", stopped(header, gap)), ("held out", held_out)], saved)
    }

    /// What came out of it, the file, and how long that took.
    fn end(mut self, fields: &[(&str, String)], saved: &Saved) -> Self {
        let json::Seconds { read, annotate, features, search, train, write } = saved.seconds;
        let seconds = format!(
            "read {read:.1}, annotate {annotate:.1}, features {features:.1}, search {search:.1}, train {train:.1}, \
             write {write:.1}"
        );
        self.fields(fields);
        for (name, text) in
            [("model", format!("{}, {}", saved.model, text::size(saved.size as usize))), ("seconds", seconds)]
        {
            self.0.extend(render::field(name, &text));
        }
        self
    }
}

/// The cost, and where it comes from: it was asked for, or the best on something, or there was
/// nothing to choose from.
fn chosen_cost(args: &CostArgs, header: &Header, best_on: &str, only: &str) -> String {
    let cost = header.cost.unwrap_or_default();
    match (args.cost, header.search.len()) {
        (Some(cost), _) => format!("{cost}, as asked for"),
        (None, 0 | 1) => format!("{cost}{only}"),
        (None, _) => format!("{cost}, the best {best_on}"),
    }
}

/// How a training over latent structures ended.
fn stopped(header: &Header, gap: f64) -> String {
    // Heads that ended alike are told of once.
    let mut ends: Vec<&str> = header.stop.split("; ").collect();
    ends.dedup();
    format!("{}; the last convex problem is within {gap:.1e} of its optimum", ends.join("; "))
}
