//! Arguments of `train`: one subcommand per task, with only the options that apply to it. Shared
//! options form groups that are flattened into each. Only constraints that depend on `--learner`
//! are checked here.

use super::choice::choice;
use super::{AlignTraining, InputArgs, OutputFile, SplitArg, refuse, units};
use crate::failure::Usage;
use clap::{Args, Subcommand, ValueEnum, ValueHint};
use resay::latent::LatentParams;
use resay::model::Header;
use resay::train::latent::Staging;
use resay::train::topics::Criterion;
use resay::train::{AnswerOptions, KernelLearner, Measure, ResponseKind, Spectrum, Task};
use resay_learn::svm::linear::Loss;
use resay_learn::svm::search::cost_grid;
use resay_text::Units;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    arg_required_else_help = true,
    disable_help_subcommand = true,
    subcommand_value_name = "TASK",
    subcommand_help_heading = "Tasks",
    after_long_help = "Run 'resay train TASK --help' for the options of a task.

Examples:
  resay train paraphrase pairs.tsv -o my.resay
  resay train topics documents.jsonl -o topics.resay"
)]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    pub(crate) task: TrainTask,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TrainTask {
    /// Do two texts say the same? Pairs with label 1 or 0
    #[command(after_long_help = "Examples:
  resay train paraphrase pairs.tsv -o my.resay
  cat pairs.tsv | resay train paraphrase --costs 0.1..10 --max-rules 5000 - -o my.resay
  resay train paraphrase --learner latent --folds 2 pairs.tsv -o my.resay
  resay train paraphrase --learner latent --constraints links.rules --folds 2 pairs.tsv -o my.resay
  resay train paraphrase --learner combined --contrast more.tsv --folds 2 pairs.tsv -o my.resay
  resay train paraphrase --from judge more.tsv -o mine.resay")]
    Paraphrase(Box<PairTraining>),
    /// Does the target follow from the source? Label 1 or 0, or three-way entailment labels
    #[command(after_long_help = "Examples:
  resay train entailment --kernel 'ps(k=1..2)+pr' --folds 5 pairs.tsv more.tsv -o my.resay
  resay train entailment --folds 3 entailment.tsv -o nli.resay
  resay train entailment --positive entailment --folds 3 entailment.tsv -o my.resay
  resay train entailment --from judge more.tsv -o mine.resay")]
    Entailment(Box<PairTraining>),
    /// How similar are two texts? Pairs with a number
    #[command(after_long_help = "Examples:
  resay train similarity --folds 3 similarity.tsv -o similar.resay
  resay train similarity --response ordinal --folds 3 similarity.tsv -o similar.resay")]
    Similarity(Box<PairTraining>),
    /// Any labels of your own: two, several, levels of a scale, or numbers
    #[command(after_long_help = "Examples:
  resay train pair --learner dual --cost 1 --dev more.tsv pairs.tsv -o my.resay
  resay train pair --levels low,middle,high --folds 3 levels.tsv -o levels.resay")]
    Pair(Box<PairTraining>),
    /// Which candidates answer a question? Pairs with a label and a group
    #[command(after_long_help = "Examples:
  resay train answers --folds 5 questions.tsv -o answers.resay")]
    Answers(Box<PairTraining>),
    /// Which spellings are the same name, in any two scripts? True pairs only
    #[command(after_long_help = "Examples:
  resay train names --folds 2 names.tsv -o names.resay")]
    Names(NamesTraining),
    /// Which topics is a document about? Documents with a list of labels
    #[command(after_long_help = "Examples:
  resay train topics documents.jsonl -o topics.resay
  resay train topics --kernel 'fsm(min=5)' --topics food,sea documents.jsonl -o topics.resay
  resay train topics --kernel 'ngram(k=4)+words(bow)' documents.jsonl -o topics.resay
  resay train topics --search --folds 3 documents.jsonl -o topics.resay")]
    Topics(TopicTraining),
    /// Which words and phrases correspond? Aligned pairs
    #[command(after_long_help = "Examples:
  resay train align aligned.json -o align.resay
  resay train align --sentences sentences.tsv --l2 2 links.txt -o align.resay")]
    Align(AlignTraining),
    /// Is the best structure good enough? Declared 0/1 programmes with a label
    #[command(after_long_help = "Examples:
  resay train program programs.jsonl -o program.resay
  resay train program --learner two-stage --measure f1 --folds 3 programs.jsonl -o held.resay")]
    Program(ProgramTraining),
}

/// Options for the model file.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ModelOutput {
    /// Write the model to this file
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub(crate) output: OutputFile,
    /// Store this text in the model, such as the origin of its data
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    note: String,
    /// Store the licence of the training data in the model
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    licence: String,
}

impl ModelOutput {
    /// Adds the user's note and licence to a model's header.
    pub(crate) fn complete(&self, header: &mut Header) {
        header.note.clone_from(&self.note);
        header.licence.clone_from(&self.licence);
    }
}

/// Options for the cost of errors.
#[derive(Debug, Args)]
#[command(next_help_heading = "Learning")]
pub(crate) struct CostArgs {
    /// Use this cost of errors instead of choosing one
    ///
    /// Without it, the cost is chosen on held-out examples; topics use 1, and the latent learners a
    /// cost specific to the task, unless --costs is given.
    #[arg(long, value_name = "C", conflicts_with = "costs", allow_negative_numbers = true)]
    pub(crate) cost: Option<f64>,
    /// Choose the cost in this range, in steps of 1 and 3
    ///
    /// 0.01..100 by default; 0.3..30 for names; 0.1, 1, 10 and 100 for program.
    #[arg(long, value_name = "LOW..HIGH", value_parser = costs)]
    pub(crate) costs: Option<Costs>,
}

impl CostArgs {
    /// Returns the costs to try, or the default if no option was given.
    pub(crate) fn grid(&self, default: &[f64]) -> Vec<f64> {
        match (self.cost, &self.costs) {
            (Some(cost), _) => vec![cost],
            (None, Some(costs)) => costs.0.clone(),
            (None, None) => default.to_vec(),
        }
    }
}

/// Options for the data on which costs are chosen and probabilities calibrated.
#[derive(Debug, Args)]
#[command(next_help_heading = "Learning")]
pub(crate) struct HeldOutArgs {
    /// Choose the cost and calibrate on N held-out folds
    ///
    /// 10 by default; 5 for names and program; 3 for --learner latent and two-stage of the other
    /// tasks, where every fold is a whole training.
    #[arg(long, value_name = "N", conflicts_with = "dev")]
    pub(crate) folds: Option<usize>,
    /// Choose the cost and calibrate on this file instead of folds
    #[arg(long, value_name = "FILE")]
    pub(crate) dev: Option<PathBuf>,
}

impl HeldOutArgs {
    /// What costs were chosen on, in words: the folds that the header has, or else as many as were
    /// asked for.
    pub(crate) fn chosen_on(&self, header: &Header, n_folds: usize) -> String {
        match (&self.dev, &header.folds) {
            (Some(dev), _) => dev.display().to_string(),
            (None, Some(folds)) if folds.n_used == Some(1) => "1 held-out fold".to_owned(),
            (None, Some(folds)) => format!("{} held-out folds", folds.n_used.unwrap_or(folds.n_folds)),
            (None, None) => format!("{} held-out folds", self.folds.unwrap_or(n_folds)),
        }
    }
}

/// What decides about pairs over a kernel.
#[derive(Debug, Args)]
#[command(next_help_heading = "Kernel and rules")]
pub(crate) struct KernelArgs {
    /// The kernel, such as 'kb(k=1..4)+pr' [default: the task's]
    #[arg(long, value_name = "EXPR")]
    pub(crate) kernel: Option<String>,
    /// The unit of a symbol [default: stems]
    ///
    /// One of stems, words, lemmas, tokens, chars, lower (lower-case characters) or letters
    /// (letters only). In the kernel, a unit around string kernels sets theirs: words(bow).
    #[arg(long, value_name = "UNITS", value_parser = units)]
    pub(crate) units: Option<Units>,
    /// Add your own word relations: lines type<TAB>word<TAB>word
    ///
    /// May be given more than once.
    #[arg(long, value_name = "FILE")]
    pub(crate) relations: Vec<PathBuf>,
    /// How to treat negative eigenvalues of the kernel matrix [default: plain]
    ///
    /// plain keeps them. clip removes them and keeps all training pairs in the model. Only kernels
    /// over word relations (tesrk) have any; for rules that can be listed both are the same.
    #[arg(long, value_name = "SPECTRUM", value_parser = choice(&SPECTRA))]
    pub(crate) spectrum: Option<Spectrum>,
    /// Keep rules found in at least N training pairs [default: 2]
    #[arg(long, value_name = "N")]
    pub(crate) min_support: Option<u32>,
    /// Keep the N heaviest rules; 0 keeps all [default: 100000]
    #[arg(long, value_name = "N")]
    pub(crate) max_rules: Option<usize>,
    /// Do not store the training words that the wildcards of a rule stood for
    #[arg(long)]
    pub(crate) no_examples: bool,
}

/// How labels are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Answers")]
pub(crate) struct AnswerArgs {
    /// Take this label as yes and all others as no
    #[arg(long, value_name = "LABEL", conflicts_with_all = ["response", "levels"])]
    positive: Option<String>,
    /// The kind of answers: binary, categories, ordinal or real [default: as the labels look]
    ///
    /// Two labels are binary, more are categories. Numbers are real, but up to ten different
    /// integers are the levels of a scale (ordinal). Binary treats contradiction and neutral alike.
    #[arg(long, value_name = "KIND", value_parser = choice(&ResponseKind::NAMES))]
    response: Option<ResponseKind>,
    /// Be sure of a label only where this share of such answers is right, else say 'unsure'
    ///
    /// The probability from which on the model is sure is chosen on held-out pairs, for each label.
    #[arg(long, value_name = "SHARE")]
    pub(crate) precision: Option<f64>,
    /// The levels of a scale, lowest first, joined by commas
    #[arg(long, value_name = "LEVELS", value_delimiter = ',')]
    levels: Vec<String>,
}

impl AnswerArgs {
    /// What training is told.
    pub(crate) fn options(&self) -> AnswerOptions {
        AnswerOptions { positive: self.positive.clone(), kind: self.response, levels: self.levels.clone() }
    }
}

/// Arguments of `train paraphrase`, `entailment`, `similarity`, `pair` and `answers`.
#[derive(Debug, Args)]
pub(crate) struct PairTraining {
    /// Labelled pairs; several files are joined, - is standard input
    ///
    /// A .tsv file with columns source, target and label, a .jsonl file with such keys, or a
    /// research corpus.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelOutput,
    #[command(flatten)]
    pub(crate) answers: AnswerArgs,
    /// Start from this model: a bundled one, such as judge, or a file
    ///
    /// Its weights move as far as held-out folds of your pairs allow, and its probabilities follow
    /// your pairs: for as few as 50 of them. Ensembles and rules change their weights, the joint
    /// judge gets a correction, and support pairs change their calibration only.
    #[arg(long, value_name = "MODEL", help_heading = "Learning")]
    pub(crate) from: Option<PathBuf>,
    /// The learner [default: auto]
    #[arg(long, value_enum, value_name = "LEARNER", help_heading = "Learning")]
    learner: Option<PairLearner>,
    #[command(flatten)]
    pub(crate) cost: CostArgs,
    #[command(flatten)]
    pub(crate) held_out: HeldOutArgs,
    /// The measure that the chosen cost maximises; mrr and map need groups [default: accuracy; mrr
    /// for answers, pearson for numbers and levels]
    #[arg(long, value_name = "MEASURE", ignore_case = true, value_parser = choice(&MEASURES), help_heading = "Learning")]
    pub(crate) measure: Option<Measure>,
    /// The loss of linear, latent and two-stage [default: hinge; squared for latent and two-stage]
    #[arg(long, value_name = "LOSS", value_parser = choice(&LOSSES), help_heading = "Learning")]
    pub(crate) loss: Option<Loss>,
    /// Give both classes the same weight [default: false; true for answers]
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        help_heading = "Learning"
    )]
    pub(crate) balanced: Option<bool>,
    /// Add contrast training pairs, for --learner combined
    ///
    /// Pairs that differ in one respect each. Only the machine that combines the base models is
    /// trained on them. May be given more than once.
    #[arg(long, value_name = "FILE", help_heading = "Learning")]
    pub(crate) contrast: Vec<PathBuf>,
    /// Constraints on the latent alignment, one per line, such as 'must-not-link noun verb'
    ///
    /// For --learner latent and two-stage. Lines begin with must-link, must-not-link, at-most N or
    /// only-if CONDITION, then two kinds of words, then relations of the two: 'must-link number
    /// number same-form', 'at-most 3 any any !near', 'only-if neighbours-linked function function'.
    /// They are stored in the model.
    #[arg(long, value_name = "FILE", help_heading = "Learning")]
    pub(crate) constraints: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) kernel: KernelArgs,
    #[command(flatten, next_help_heading = "Input")]
    pub(crate) input: InputArgs,
}

/// The learners for pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PairLearner {
    /// linear or dual, whichever is faster for this many pairs
    Auto,
    /// A linear machine over all rules
    Linear,
    /// A kernel machine over pairs of training pairs
    Dual,
    /// A latent alignment and the decision over it, trained jointly
    Latent,
    /// The decision alone, over fixed alignments
    TwoStage,
    /// An ensemble: rules, a latent alignment and features of the pair
    Combined,
}

impl PairTraining {
    pub(crate) fn learner(&self) -> PairLearner {
        self.learner.unwrap_or(PairLearner::Auto)
    }

    /// Returns an error for options that the learner does not use.
    pub(crate) fn check(&self, task: Task) -> anyhow::Result<()> {
        let kernel = &self.kernel;
        if self.from.is_some() {
            let decided = [
                ("--learner", self.learner.is_some()),
                ("--cost", self.cost.cost.is_some()),
                ("--costs", self.cost.costs.is_some()),
                ("--dev", self.held_out.dev.is_some()),
                ("--loss", self.loss.is_some()),
                ("--balanced", self.balanced.is_some()),
                ("--contrast", !self.contrast.is_empty()),
                ("--kernel", kernel.kernel.is_some()),
                ("--units", kernel.units.is_some()),
                ("--relations", !kernel.relations.is_empty()),
                ("--spectrum", kernel.spectrum.is_some()),
                ("--min-support", kernel.min_support.is_some()),
                ("--max-rules", kernel.max_rules.is_some()),
                ("--no-examples", kernel.no_examples),
            ];
            return refuse(&decided, "does not apply with --from, because the model decides it");
        }
        let typed = [
            ("--units", kernel.units.is_some()),
            ("--relations", !kernel.relations.is_empty()),
            ("--spectrum", kernel.spectrum.is_some()),
            ("--balanced", self.balanced.is_some()),
            ("--min-support", kernel.min_support.is_some()),
            ("--no-examples", kernel.no_examples),
        ];
        let (learner, more) = match self.learner() {
            PairLearner::Auto | PairLearner::Linear | PairLearner::Dual => {
                refuse(&[("--contrast", !self.contrast.is_empty())], "needs --learner combined")?;
                return refuse(&[("--constraints", self.constraints.is_some())], "needs --learner latent or two-stage");
            }
            PairLearner::Combined => (
                "combined",
                [
                    ("--dev", self.held_out.dev.is_some()),
                    ("--loss", self.loss.is_some()),
                    ("--constraints", self.constraints.is_some()),
                ]
                .to_vec(),
            ),
            PairLearner::Latent | PairLearner::TwoStage if task == Task::Answers => {
                let message =
                    "--learner: the latent learners cannot rank answers, expected auto, linear, dual or combined";
                return Err(Usage(message.to_owned()).into());
            }
            PairLearner::Latent | PairLearner::TwoStage => (
                "latent and two-stage",
                [
                    ("--kernel", kernel.kernel.is_some()),
                    ("--max-rules", kernel.max_rules.is_some()),
                    ("--measure mrr or map", self.measure.is_some_and(Measure::ranks)),
                    ("--contrast", !self.contrast.is_empty()),
                ]
                .to_vec(),
            ),
        };
        refuse(&[&typed[..], &more].concat(), &format!("does not apply to --learner {learner}"))
    }
}

/// Arguments of `train names`.
#[derive(Debug, Args)]
pub(crate) struct NamesTraining {
    /// True pairs of names, two columns; several files are joined, - is standard input
    ///
    /// Wrong pairs are drawn from the true ones.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelOutput,
    #[command(flatten)]
    pub(crate) learning: LatentArgs,
}

/// What `train program` is told.
#[derive(Debug, Args)]
pub(crate) struct ProgramTraining {
    /// Programmes, one JSON object per line; several files are joined, - is standard input
    ///
    /// Each has variables with features, constraints and a label; docs/programmes.md describes
    /// them.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelOutput,
    #[command(flatten)]
    pub(crate) learning: LatentArgs,
    /// What the chosen cost maximises [default: accuracy]
    #[arg(long, value_name = "MEASURE", ignore_case = true, value_parser = choice(&UNRANKED), help_heading = "Learning")]
    pub(crate) measure: Option<Measure>,
}

/// How a decision over latent structures is learned.
#[derive(Debug, Args)]
#[command(next_help_heading = "Learning")]
pub(crate) struct LatentArgs {
    /// What learns
    #[arg(long, value_enum, value_name = "LEARNER", default_value_t = LatentLearner::Latent)]
    pub(crate) learner: LatentLearner,
    #[command(flatten)]
    pub(crate) cost: CostArgs,
    #[command(flatten)]
    pub(crate) held_out: HeldOutArgs,
    /// The loss [default: squared]
    #[arg(long, value_name = "LOSS", value_parser = choice(&LOSSES))]
    loss: Option<Loss>,
}

impl LatentArgs {
    /// How to solve, the given way unless something else is asked for.
    pub(crate) fn params(&self, defaults: LatentParams) -> LatentParams {
        LatentParams { loss: self.loss.unwrap_or(defaults.loss), ..defaults }
    }
}

/// What learns where a structure is latent: the alignment of two names, or what a programme leaves
/// open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LatentLearner {
    /// The latent structure and the decision over it, learned together
    Latent,
    /// The decision alone, over structures that stay as they are
    TwoStage,
}

impl From<LatentLearner> for Staging {
    fn from(learner: LatentLearner) -> Self {
        match learner {
            LatentLearner::Latent => Self::Joint,
            LatentLearner::TwoStage => Self::TwoStage,
        }
    }
}

/// Arguments of `train topics`.
#[derive(Debug, Args)]
pub(crate) struct TopicTraining {
    /// Documents with labels (.jsonl, or a corpus); several are joined, - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelOutput,
    /// Train these labels, joined by commas [default: all with enough documents]
    #[arg(long, value_name = "LABELS", value_delimiter = ',', help_heading = "Topics")]
    pub(crate) topics: Vec<String>,
    /// Leave out labels with fewer documents [default: 2]
    #[arg(long, value_name = "N", help_heading = "Topics")]
    pub(crate) min_documents: Option<usize>,
    #[command(flatten)]
    pub(crate) cost: CostArgs,
    /// Calibrate, and choose the cost of --costs, on N held-out folds [default: 5]
    #[arg(long, value_name = "N", help_heading = "Learning")]
    pub(crate) folds: Option<usize>,
    /// The loss [default: squared]
    #[arg(long, value_name = "LOSS", value_parser = choice(&LOSSES), help_heading = "Learning")]
    pub(crate) loss: Option<Loss>,
    /// Give documents with and without the topic the same weight
    #[arg(
        long,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true",
        help_heading = "Learning"
    )]
    pub(crate) balanced: Option<bool>,
    /// The kernel, such as 'ngram(k=4)' [default: the task's]
    #[arg(long, value_name = "EXPR", help_heading = "Kernel and strings")]
    pub(crate) kernel: Option<String>,
    /// The unit of a symbol [default: lower]
    ///
    /// One of stems, words, lemmas, tokens, chars, lower (lower-case characters) or letters
    /// (letters only). In the kernel, a unit around string kernels sets theirs: words(bow).
    #[arg(long, value_name = "UNITS", value_parser = units, help_heading = "Kernel and strings")]
    pub(crate) units: Option<Units>,
    /// Keep the N heaviest strings of each topic; 0 keeps all [default: 100000]
    #[arg(long, value_name = "N", help_heading = "Kernel and strings")]
    pub(crate) max_rules: Option<usize>,
    /// First try several values of min, and characters against words
    ///
    /// --search (or --search=folds) takes the candidate with the best average precision on held-out
    /// folds. --search=bic takes the one with the best information criterion of fsm, and does not
    /// change the units.
    #[arg(
        long,
        value_enum,
        value_name = "CRITERION",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "folds",
        hide_possible_values = true,
        help_heading = "Kernel and strings"
    )]
    pub(crate) search: Option<SearchBy>,
    /// The format: jsonl, lines or reuters [default: guessed]
    #[arg(long, value_name = "FORMAT", help_heading = "Input")]
    pub(crate) format: Option<String>,
    #[command(flatten, next_help_heading = "Input")]
    pub(crate) split: SplitArg,
}

/// The criterion of a search over kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SearchBy {
    /// Average precision on held-out folds
    Folds,
    /// The Bayesian information criterion
    Bic,
}

impl From<SearchBy> for Criterion {
    fn from(by: SearchBy) -> Self {
        match by {
            SearchBy::Folds => Self::Folds,
            SearchBy::Bic => Self::Bic,
        }
    }
}

/// Returns the maximum number of rules or strings; 0 means all.
pub(crate) fn most_rules(typed: Option<usize>) -> usize {
    match typed {
        Some(0) => usize::MAX,
        Some(most) => most,
        None => 100_000,
    }
}

/// Converts a pair learner into a kernel learner.
pub(crate) fn kernel_learner(learner: PairLearner) -> KernelLearner {
    match learner {
        PairLearner::Linear => KernelLearner::Linear,
        PairLearner::Dual => KernelLearner::Dual,
        _ => KernelLearner::Auto,
    }
}

/// A range of costs, expanded.
#[derive(Clone, Debug)]
pub(crate) struct Costs(Vec<f64>);

fn costs(typed: &str) -> Result<Costs, String> {
    let ends = typed.split_once("..").map(|(low, high)| (low.trim().parse(), high.trim().parse()));
    let Some((Ok(low), Ok(high))) = ends else {
        return Err("expected LOW..HIGH, as in 0.01..100".to_owned());
    };
    cost_grid(low, high).map(Costs).map_err(|error| error.to_string())
}

const SPECTRA: [(&str, Spectrum); 2] = [("plain", Spectrum::Plain), ("clip", Spectrum::Clip)];
const LOSSES: [(&str, Loss); 2] = [("hinge", Loss::Hinge), ("squared", Loss::SquaredHinge)];
const UNRANKED: [(&str, Measure); 2] = [("accuracy", Measure::Accuracy), ("f1", Measure::F1)];
const MEASURES: [(&str, Measure); 5] =
    [UNRANKED[0], UNRANKED[1], ("mrr", Measure::Mrr), ("map", Measure::Map), ("pearson", Measure::Pearson)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_ranges() {
        let check = |typed: &str, expected: &str| {
            let found = costs(typed).map_or_else(|error| error, |costs| format!("{:?}", costs.0));
            assert!(found.contains(expected), "{typed}: {found}");
        };
        check("0.1..3", "[0.1, 0.3, 1.0, 3.0]");
        check(" 1 .. 1 ", "[1.0]");
        check("1", "expected LOW..HIGH");
        check("a..3", "expected LOW..HIGH");
        check("2..10", "not a step of the grid");
        check("3..1", "lower cost is above the upper");
        check("nan..1", "not finite");
    }
}
