//! What `train` is told. Options that only some tasks have are kept as typed or not typed, so that one which means nothing
//! for the task at hand can be refused by its name instead of being passed over.

use super::{AlignTrainArgs, InputArgs, OutputFile, SplitArg, refuse, units};
use clap::{Args, ValueEnum, ValueHint};
use resay::model::Header;
use resay::task::latent::Staging;
use resay::task::topics::Criterion;
use resay::task::{Learner, Measure, Spectrum, Task};
use resay_learn::svm::linear::Loss;
use resay_learn::svm::search::cost_grid;
use resay_text::Units;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay train --task paraphrase pairs.tsv -o my.resay
  resay train --task entailment --kernel 'ps(k=1..2)+pr' --folds 5 pairs.tsv more.tsv -o my.resay
  resay train --task answers --folds 5 questions.tsv -o answers.resay
  resay train --task pair --learner dual --cost 1 --dev more.tsv pairs.tsv -o my.resay
  cat pairs.tsv | resay train --task paraphrase --costs 0.1..10 --max-rules 5000 - -o my.resay
  resay train --task topics documents.jsonl -o topics.resay
  resay train --task topics --kernel 'fsm(min=5)' --topics food,sea documents.jsonl -o topics.resay
  resay train --task topics --search --folds 3 documents.jsonl -o topics.resay
  resay train --task paraphrase --learner latent --folds 2 pairs.tsv -o my.resay
  resay train --task names --folds 2 names.tsv -o names.resay
  resay train --task align aligned.json -o align.resay
  resay train --task align --sentences sentences.tsv --l2 2 links.txt -o align.resay")]
pub(crate) struct TrainArgs {
    /// What is decided: paraphrase, entailment, answers (candidates of a question, by group), pair (any two labels),
    /// names (which spellings are one name), topics (of documents), or align (which words correspond)
    #[arg(long, value_name = "TASK", value_parser = task)]
    pub(crate) task: Task,
    /// Labelled pairs (.tsv, .jsonl, or a corpus), documents (.jsonl, or a corpus), aligned pairs (.json, MSR06, or
    /// links with --sentences), or true pairs of names (two columns); several are joined; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The model's file
    #[arg(short, long, value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub(crate) output: OutputFile,
    /// The kernel, such as 'kb(k=1..4)+pr' [default: the task's]
    #[arg(long, value_name = "EXPR")]
    pub(crate) kernel: Option<String>,
    /// What a symbol is: stems, words, lemmas, tokens, chars, lower (characters in lower case) or letters (those that are
    /// letters) [default: stems; lower for topics]
    #[arg(long, value_name = "UNITS", value_parser = units)]
    pub(crate) units: Option<Units>,
    /// A file of your own word relations: lines type<TAB>word<TAB>word; may be given again
    #[arg(long, value_name = "FILE")]
    pub(crate) relations: Vec<PathBuf>,
    /// linear, dual or auto (whichever is faster for so many pairs), latent (a latent alignment and the decision over it
    /// together), two-stage (the decision over alignments that are held), or combined (rules, latent alignment and all
    /// that is noticed about a pair, weighed together) [default: auto; latent for names]
    #[arg(long, value_name = "LEARNER", value_parser = learner)]
    pub(crate) learner: Option<LearnerChoice>,
    /// Negative eigenvalues of the kernel matrix: plain leaves them in, clip takes them out and keeps all training pairs
    /// in the model. Only word relations (tesrk) make any; for rules that can be listed both are the same
    /// [default: plain]
    #[arg(long, value_name = "SPECTRUM", value_parser = spectrum)]
    pub(crate) spectrum: Option<Spectrum>,
    /// Take this cost of errors [default: chosen; 1 for topics; the task's for --learner latent]
    #[arg(long, value_name = "C", conflicts_with = "costs", allow_negative_numbers = true)]
    pub(crate) cost: Option<f64>,
    /// Choose the cost between these, in steps of 1 and 3 [default: 0.01..100; 0.3..30 for names; none for topics and
    /// --learner latent]
    #[arg(long, value_name = "LOW..HIGH", value_parser = costs)]
    pub(crate) costs: Option<Costs>,
    /// Choose the cost and calibrate on this many held-out folds [default: 10; 5 for topics and names; 3 for --learner
    /// latent]
    #[arg(long, value_name = "N", conflicts_with = "dev")]
    pub(crate) folds: Option<usize>,
    /// Choose the cost and calibrate on this file instead of folds
    #[arg(long, value_name = "FILE")]
    pub(crate) dev: Option<PathBuf>,
    /// What the search for a cost maximises: accuracy, f1, mrr or map (by group) [default: accuracy; mrr for answers]
    #[arg(long, value_name = "MEASURE", value_parser = measure)]
    pub(crate) measure: Option<Measure>,
    /// The loss of linear, latent and two-stage: hinge or squared [default: hinge; squared for topics, latent, two-stage]
    #[arg(long, value_name = "LOSS", value_parser = loss)]
    pub(crate) loss: Option<Loss>,
    /// Weigh the classes so that both count the same [default: false; true for answers]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) balanced: Option<bool>,
    /// Keep rules that at least this many training pairs have [default: 2]
    #[arg(long, value_name = "N")]
    pub(crate) min_support: Option<u32>,
    /// Keep at most this many rules, the heaviest, or strings of each topic; 0 keeps all [default: 100000]
    #[arg(long, value_name = "N")]
    pub(crate) max_rules: Option<usize>,
    /// Leave out what the rules' wildcards stood for (up to k words of a training text)
    #[arg(long)]
    pub(crate) no_examples: bool,
    /// Pairs that differ in one thing each, for --learner combined: what weighs the systems learns from them, the systems
    /// do not; may be given again
    #[arg(long, value_name = "FILE")]
    pub(crate) practice: Vec<PathBuf>,
    /// Whatever the model should say about itself (source, licence)
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) note: String,
    /// The licence of the data that is learned from, kept in the model
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) licence: String,
    #[command(flatten)]
    pub(crate) of_topics: TopicTrainArgs,
    #[command(flatten)]
    pub(crate) of_align: AlignTrainArgs,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

/// What only `--task topics` is told.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of --task topics")]
pub(crate) struct TopicTrainArgs {
    /// Learn these labels, joined by commas [default: all with enough documents]
    #[arg(long, value_name = "LABELS", value_delimiter = ',')]
    pub(crate) topics: Vec<String>,
    /// Leave out labels with fewer documents [default: 2]
    #[arg(long, value_name = "N")]
    pub(crate) min_documents: Option<usize>,
    /// Try how often a string must occur (min), and characters against words, first: by average precision on held-out
    /// folds, or by the information criterion of fsm (bic, which leaves the units as they are)
    #[arg(
        long,
        value_enum,
        value_name = "CRITERION",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "folds",
        hide_possible_values = true
    )]
    pub(crate) search: Option<SearchBy>,
    #[command(flatten)]
    pub(crate) split: SplitArg,
}

impl TopicTrainArgs {
    /// Says no if any was typed.
    fn refuse(&self) -> anyhow::Result<()> {
        refuse(
            &[
                ("--topics", !self.topics.is_empty()),
                ("--min-documents", self.min_documents.is_some()),
                ("--search", self.search.is_some()),
                ("--split", self.split.split.is_some()),
            ],
            "is for --task topics only",
        )
    }
}

/// What decides between kernels.
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

impl TrainArgs {
    /// Writes what only the maker knows into a model's header.
    pub(crate) fn complete(&self, header: &mut Header) {
        header.note.clone_from(&self.note);
        header.licence.clone_from(&self.licence);
    }

    /// Says no to options that the task knows nothing of.
    pub(crate) fn check_options(&self) -> anyhow::Result<()> {
        if self.task == Task::Align {
            return self.check_align();
        }
        self.of_align.refuse()?;
        if self.is_combined() {
            return self.check_combined();
        }
        refuse(&[("--practice", !self.practice.is_empty())], "is for --learner combined only")?;
        if self.task == Task::Names || self.staging().is_some() {
            return self.check_hidden();
        }
        if self.task == Task::Topics {
            refuse(
                &[
                    ("--relations", !self.relations.is_empty()),
                    ("--learner dual", self.learner == Some(LearnerChoice::Kernel(Learner::Dual))),
                    ("--spectrum", self.spectrum.is_some()),
                    ("--dev", self.dev.is_some()),
                    ("--measure", self.measure.is_some()),
                    ("--min-support", self.min_support.is_some()),
                    ("--no-examples", self.no_examples),
                ],
                "means nothing for --task topics",
            )?;
            return self.input.columns.refuse();
        }
        self.of_topics.refuse()
    }

    /// Whether a latent alignment is asked for, and how it is learned.
    pub(crate) fn staging(&self) -> Option<Staging> {
        match self.learner {
            Some(LearnerChoice::Hidden(staging)) => Some(staging),
            None if self.task == Task::Names => Some(Staging::Joint),
            _ => None,
        }
    }

    /// Whether everything is to be joined.
    pub(crate) fn is_combined(&self) -> bool {
        self.learner == Some(LearnerChoice::Combined)
    }

    /// What a combined judge is not told.
    fn check_combined(&self) -> anyhow::Result<()> {
        if !matches!(self.task, Task::Paraphrase | Task::Entailment | Task::Answers | Task::Pair) {
            let task = self.task.name();
            let message =
                format!("--learner combined: expected task paraphrase, entailment, answers or pair, not {task}");
            return Err(crate::failure::Usage(message).into());
        }
        refuse(
            &[
                ("--units", self.units.is_some()),
                ("--relations", !self.relations.is_empty()),
                ("--spectrum", self.spectrum.is_some()),
                ("--dev", self.dev.is_some()),
                ("--loss", self.loss.is_some()),
                ("--balanced", self.balanced.is_some()),
                ("--min-support", self.min_support.is_some()),
                ("--no-examples", self.no_examples),
            ],
            "means nothing for --learner combined",
        )?;
        self.of_topics.refuse()
    }

    /// Which machine learns over a kernel.
    pub(crate) fn kernel_learner(&self) -> Learner {
        match self.learner {
            Some(LearnerChoice::Kernel(learner)) => learner,
            _ => Learner::default(),
        }
    }

    /// What learners over latent alignments are not told.
    fn check_hidden(&self) -> anyhow::Result<()> {
        let is_names = self.task == Task::Names;
        if matches!(self.task, Task::Answers | Task::Topics) {
            let task = self.task.name();
            let message = format!("--learner latent: task {task} has no latent alignment; leave --learner out");
            return Err(crate::failure::Usage(message).into());
        }
        refuse(
            &[
                ("--kernel", self.kernel.is_some()),
                ("--units", self.units.is_some()),
                ("--relations", !self.relations.is_empty()),
                ("--learner linear, dual or auto", is_names && self.staging().is_none()),
                ("--spectrum", self.spectrum.is_some()),
                ("--measure", self.measure.is_some_and(|measure| is_names || measure.ranks())),
                ("--balanced", self.balanced.is_some()),
                ("--min-support", self.min_support.is_some()),
                ("--max-rules", self.max_rules.is_some()),
                ("--no-examples", self.no_examples),
            ],
            "means nothing where a latent alignment is learned",
        )?;
        if is_names {
            self.input.columns.refuse()?;
        }
        self.of_topics.refuse()
    }

    /// What an aligner is not told.
    fn check_align(&self) -> anyhow::Result<()> {
        refuse(
            &[
                ("--kernel", self.kernel.is_some()),
                ("--units", self.units.is_some()),
                ("--relations", !self.relations.is_empty()),
                ("--learner", self.learner.is_some()),
                ("--spectrum", self.spectrum.is_some()),
                ("--cost", self.cost.is_some()),
                ("--costs", self.costs.is_some()),
                ("--folds", self.folds.is_some()),
                ("--dev", self.dev.is_some()),
                ("--measure", self.measure.is_some()),
                ("--loss", self.loss.is_some()),
                ("--balanced", self.balanced.is_some()),
                ("--min-support", self.min_support.is_some()),
                ("--max-rules", self.max_rules.is_some()),
                ("--no-examples", self.no_examples),
            ],
            "means nothing for --task align",
        )?;
        if self.of_align.sentences.is_none() {
            self.input.columns.refuse_as("is for the table of --sentences")?;
        }
        self.of_topics.refuse()
    }

    /// How many rules or strings are kept.
    pub(crate) fn most_rules(&self) -> usize {
        match self.max_rules {
            Some(0) => usize::MAX,
            Some(most) => most,
            None => 100_000,
        }
    }
}

/// A range of costs, written out.
#[derive(Clone, Debug)]
pub(crate) struct Costs(pub(crate) Vec<f64>);

fn costs(typed: &str) -> Result<Costs, String> {
    let ends = typed.split_once("..").map(|(low, high)| (low.trim().parse(), high.trim().parse()));
    let Some((Ok(low), Ok(high))) = ends else {
        return Err("expected LOW..HIGH, as in 0.01..100".to_owned());
    };
    cost_grid(low, high).map(Costs).map_err(|error| error.to_string())
}

fn task(name: &str) -> Result<Task, resay::Error> {
    name.parse()
}

/// What learns: a machine over a kernel, or one over latent alignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LearnerChoice {
    Kernel(Learner),
    Hidden(Staging),
    Combined,
}

fn learner(name: &str) -> Result<LearnerChoice, String> {
    Ok(match name {
        "auto" => LearnerChoice::Kernel(Learner::Auto),
        "linear" => LearnerChoice::Kernel(Learner::Linear),
        "dual" => LearnerChoice::Kernel(Learner::Dual),
        "latent" => LearnerChoice::Hidden(Staging::Joint),
        "two-stage" => LearnerChoice::Hidden(Staging::TwoStage),
        "combined" => LearnerChoice::Combined,
        _ => return Err("expected one of: auto, linear, dual, latent, two-stage, combined".to_owned()),
    })
}

fn spectrum(name: &str) -> Result<Spectrum, String> {
    match name {
        "plain" => Ok(Spectrum::Plain),
        "clip" => Ok(Spectrum::Clip),
        _ => Err("expected plain or clip".to_owned()),
    }
}

fn measure(name: &str) -> Result<Measure, String> {
    match name.to_ascii_lowercase().as_str() {
        "accuracy" => Ok(Measure::Accuracy),
        "f1" => Ok(Measure::F1),
        "mrr" => Ok(Measure::Mrr),
        "map" => Ok(Measure::Map),
        _ => Err("expected accuracy, f1, mrr or map".to_owned()),
    }
}

fn loss(name: &str) -> Result<Loss, String> {
    match name {
        "hinge" => Ok(Loss::Hinge),
        "squared" => Ok(Loss::SquaredHinge),
        _ => Err("expected hinge or squared".to_owned()),
    }
}

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
