//! Topic classification: any number of topics per document, one linear machine per topic, all over
//! the same vectors.
//!
//! Nothing here depends on a language: symbols are lower-case characters unless other units are
//! requested.

mod machines;
mod search;

pub use machines::Recipe;
pub(crate) use machines::{HeldOut, Machines, folds};
pub use search::{Criterion, TopicCandidate, TopicSearch, search};

use super::Task;
use crate::data::Documents;
use crate::kernel::Expression;
use crate::kernel::strings::TextVectors;
use crate::model::{
    About, Header, ModelKind, Response, Topic, TopicDetails, TopicModel, TopicTrained, Tried, Versions, keep_heaviest,
};
use crate::resources::Resources;
use crate::{Error, Result};
use resay_learn::calibrate::Platt;
use resay_learn::progress::{Progress, Stage};
use resay_learn::svm::SolverStop;
use resay_learn::svm::linear::{LinearParams, Loss};
use resay_text::{Annotator, Interner, Sentence, StemMemo, Units};

/// Training options.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct TopicOptions {
    /// The kernel expression, over string kernels.
    pub kernel: String,
    /// The units of a sequence: what counts as a symbol.
    pub units: Units,
    /// The topics to train; if empty, all labels of the documents.
    pub topics: Vec<String>,
    /// Minimum number of documents per topic. It does not apply to topics named explicitly.
    pub min_documents: usize,
    /// Costs to choose from. A single cost is used as it is.
    pub costs: Vec<f64>,
    /// Number of folds for choosing the cost and calibrating probabilities.
    pub folds: usize,
    /// The loss.
    pub loss: Loss,
    /// Weight the classes of each topic so that both count the same.
    pub balanced: bool,
    /// Maximum number of strings to keep per topic, by absolute weight.
    pub max_strings: usize,
    /// Seed for folds and visiting order.
    pub seed: u64,
}

impl Default for TopicOptions {
    fn default() -> Self {
        Self {
            kernel: DEFAULT_KERNEL.to_owned(),
            units: Units::Lower,
            topics: Vec::new(),
            min_documents: 2,
            costs: vec![1.0],
            folds: 5,
            loss: Loss::SquaredHinge,
            balanced: false,
            max_strings: 100_000,
            seed: 1,
        }
    }
}

/// The default kernel.
pub const DEFAULT_KERNEL: &str = "ngram(k=5)";

/// Stopping tolerance for machines over normalised vectors of thousands of documents. On held-out
/// documents of Reuters, mean average precision differed by at most 0.02 points from a tolerance of
/// 0.0001, which takes many times as long.
const TOLERANCE: f64 = 0.03;

/// Returns the parameters of the machines, except the cost.
pub fn params(loss: Loss, seed: u64) -> LinearParams {
    LinearParams { loss, seed, tolerance: TOLERANCE, ..LinearParams::default() }
}

/// Returns the symbols of every text, without their places. Progress is reported from time to time.
pub fn annotate(
    texts: &[&str],
    annotator: &Annotator,
    symbols: &mut Interner,
    progress: Progress<'_>,
) -> Result<Vec<Sentence>> {
    let mut memo = StemMemo::default();
    let sentence = |(number, text): (usize, &&str)| {
        if number % 256 == 0 {
            progress.report(Stage::Annotate, number, texts.len())?;
        }
        progress.check()?;
        Ok(annotator.sentence_with(text, symbols, &mut memo).without_places())
    };
    texts.iter().enumerate().map(sentence).collect()
}

/// The topics, and the documents of each.
struct Truth {
    names: Vec<String>,
    /// Indexed `members[topic][document]`.
    members: Vec<Vec<bool>>,
}

impl Truth {
    fn new(documents: &Documents, options: &TopicOptions) -> Result<Self> {
        if !documents.has_labels() {
            let message = "no labels; to learn topics, documents need a list \"labels\"";
            return Err(Error::file(&documents.name, message));
        }
        if let Some(idx) = documents.first_unlabelled() {
            let message =
                "nothing is said about labels; a document of no topic says so with an empty list: \"labels\": []";
            return Err(documents.error(idx, message));
        }
        let counts = documents.label_counts();
        let names: Vec<String> = if options.topics.is_empty() {
            let enough = |(_, n): &&(String, usize)| *n >= options.min_documents && *n < documents.len();
            counts.iter().filter(enough).map(|(name, _)| name.clone()).collect()
        } else {
            options.topics.clone()
        };
        if names.is_empty() {
            let message = format!(
                "no label with at least {} documents that not all documents have: there is nothing to learn",
                options.min_documents
            );
            return Err(Error::file(&documents.name, message));
        }
        let members: Vec<Vec<bool>> = names.iter().map(|name| documents.members(name)).collect();
        for (name, members) in names.iter().zip(&members) {
            let n = n_true(members);
            if n == 0 || n == members.len() {
                let known: Vec<&str> = counts.iter().take(10).map(|(name, _)| name.as_str()).collect();
                let which = if n == 0 { "no document has" } else { "every document has" };
                let message = format!(
                    "{which} the label '{name}': a machine needs documents with and without it. Labels here: {}",
                    known.join(", ")
                );
                return Err(Error::file(&documents.name, message));
            }
        }
        Ok(Self { names, members })
    }
}

fn n_true(members: &[bool]) -> usize {
    members.iter().filter(|is| **is).count()
}

/// Parses an expression over string kernels.
pub(crate) fn string_expression(kernel: &str) -> Result<Expression> {
    let expression: Expression = kernel.parse()?;
    if expression.texts().is_none() {
        return Err(Error::parameter(format!(
            "kernel {kernel}: it compares pairs, expected kernels of single texts: spectrum, wildcard, ngram, fsm, bow"
        )));
    }
    Ok(expression)
}

/// Trains a model.
pub fn train_topics(
    documents: &Documents,
    options: &TopicOptions,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<TopicModel> {
    resources.threads().run(|| learn_topics(documents, options, resources, progress))?
}

fn learn_topics(
    documents: &Documents,
    options: &TopicOptions,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<TopicModel> {
    let expression = string_expression(&options.kernel)?;
    let truth = Truth::new(documents, options)?;
    let annotator = resources.annotator_for(options.units, expression.needs())?;
    let mut symbols = Interner::new();
    let texts: Vec<&str> = documents.rows.iter().map(|d| d.text.as_str()).collect();
    let texts = annotate(&texts, &annotator, &mut symbols, progress)?;
    let texts: Vec<&Sentence> = texts.iter().collect();

    progress.report(Stage::Features, 0, 1)?;
    let vectors = TextVectors::new(&expression, &texts, progress)?;
    let shared = vectors.rows(&texts, progress)?;
    let machines = Machines {
        rows: &shared.rows,
        truth: &truth.members,
        params: params(options.loss, options.seed),
        is_balanced: options.balanced,
    };

    progress.report(Stage::Search, 0, 1)?;
    let folds = folds(documents.len(), options.folds, options.seed)?;
    let tried = if options.costs.len() > 1 { machines.held_out(&folds, &options.costs, progress)? } else { Vec::new() };
    let mean =
        |at: &HeldOut| Tried { cost: at.cost, mean: at.macro_average_precision(&truth.members), folds: Vec::new() };
    let mut tried: Vec<Tried> = tried.iter().map(mean).collect();
    let best = tried.iter().reduce(|best, next| if next.mean > best.mean + 1e-12 { next } else { best });
    let Some(cost) = best.map(|best| best.cost).or(options.costs.first().copied()) else {
        return Err(Error::parameter("no costs to choose from, expected at least one"));
    };
    // Calibrate and report the machines as they will be saved, after pruning.
    let held_out = machines.held_out_pruned(&folds, cost, options.max_strings, progress)?;
    let as_saved = mean(&held_out);
    if tried.is_empty() {
        tried.push(as_saved.clone());
    }

    progress.report(Stage::Train, 0, 1)?;
    let members: Vec<usize> = (0..documents.len()).collect();
    let mut fitted = machines.fit(&members, cost, progress)?;
    let mut topics = Vec::with_capacity(fitted.len());
    for (topic, machine) in fitted.iter_mut().enumerate() {
        progress.check()?;
        keep_heaviest(&mut machine.weights, options.max_strings);
        let weights = machine.weights.iter().zip(&shared.columns).filter(|(weight, _)| **weight as f32 != 0.0);
        let mut weights: Vec<(u32, f32)> = weights.map(|(weight, column)| (*column, *weight as f32)).collect();
        weights.sort_unstable_by_key(|(column, _)| *column);
        topics.push(Topic {
            name: truth.names[topic].clone(),
            bias: machine.bias,
            platt: Platt::fit(&held_out.scores[topic], &truth.members[topic])?,
            weights,
        });
    }
    let file_name = std::path::Path::new(&documents.name).file_name();
    let n_stopped = fitted.iter().filter(|machine| machine.stop == SolverStop::Limit).count();
    let header = Header {
        kind: ModelKind::Topics,
        task: Task::Topics.name().to_owned(),
        counts: truth.members.iter().map(|is| n_true(is)).collect(),
        response: Response::Topics { labels: truth.names },
        learner: "linear".to_owned(),
        data: file_name.map_or_else(|| documents.name.clone(), |name| name.to_string_lossy().into_owned()),
        n_examples: documents.len(),
        cost: Some(cost),
        search: tried,
        measure: "macro AP".to_owned(),
        held_out: Some(as_saved.mean),
        folds: None,
        merged: Vec::new(),
        sure: None,
        from: None,
        stop: match n_stopped {
            0 => format!("converged: projected gradients within {TOLERANCE}"),
            n => format!("{n} of {} machines at the limit of passes, not at the optimum", fitted.len()),
        },
        versions: Versions::default(),
        licence: String::new(),
        note: String::new(),
    };
    let details = TopicDetails { kernel: options.kernel.trim().to_owned(), units: options.units, n_strings: [0, 0] };
    let about = About { header, details };
    let model = TopicModel::new(TopicTrained { about, expression, vectors, symbols: &symbols, topics, resources })?;
    progress.report(Stage::Train, 1, 1)?;
    Ok(model)
}
