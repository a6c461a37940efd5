//! What was typed. These types hold arguments as the user wrote them, as far as they can be understood one by one;
//! what they mean together is made of them by each command. The examples below each `--help` are run by a test.

use clap::{Args, Parser, Subcommand, ValueEnum};
use resay::data::{Columns, Format, TextFormat};
use resay::svm::linear::Loss;
use resay::svm::search::cost_grid;
use resay::task::{Learner, Measure, Spectrum, Task};
use resay::text::{Layers, Units};
use std::path::PathBuf;

/// Learns when one text re-says another, how, and why.
#[derive(Debug, Parser)]
#[command(
    name = "resay",
    version,
    subcommand_required = true,
    disable_help_subcommand = true,
    max_term_width = 100,
    after_help = "Examples:
  resay compare 'He wrote the book.' 'The book was written by him.'
  resay train --task paraphrase pairs.tsv -o my.resay
  resay predict -m my.resay pairs.tsv
  resay models

Exit status: 0 done, 2 wrong usage or bad input, 3 anything else."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What every command understands.
#[derive(Debug, Args)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Common {
    /// Print JSON lines instead of tables
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// How many threads work; changes no result [default: one a core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Decides folds, visiting order and resamples
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// No progress bars
    #[arg(long, global = true)]
    pub(crate) quiet: bool,
    /// Where corpora are: an input file that is not here is looked for there
    #[arg(long, global = true, value_name = "DIR", env = "RESAY_DATA", hide_env_values = true)]
    pub(crate) data: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say how two sentences relate, by the bundled models
    Compare(CompareArgs),
    /// Learn a model from labelled pairs
    Train(Box<TrainArgs>),
    /// Score pairs with a model
    Predict(PredictArgs),
    /// Sort the candidates of each group, best first
    Rank(RankArgs),
    /// Measure a model on labelled pairs, or against another model
    Eval(EvalArgs),
    /// List a model's heaviest rules
    Rules(RulesArgs),
    /// Take a decision apart
    Explain(ExplainArgs),
    /// Print the kernel matrix of pairs
    Gram(GramArgs),
    /// Say of every word its lemma, tags, chunk, entity and head
    Annotate(AnnotateArgs),
    /// Measure the papers' tables again
    Reproduce(ReproduceArgs),
    /// List or export the bundled models
    Models(ModelsArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    #[command(after_help = "Examples:\n  resay man > resay.1")]
    Man,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay compare 'He wrote the book.' 'The book was written by him.'
  resay compare --top 3 --json 'It rained all day.' 'It did not rain.'")]
pub(crate) struct CompareArgs {
    /// The first sentence
    pub(crate) source: String,
    /// The second sentence
    pub(crate) target: String,
    /// How many rules for and how many against are shown
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) top: usize,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay reproduce srk --data corpora
  resay reproduce tesrk --plots --data corpora
  RESAY_DATA=corpora resay reproduce --json")]
pub(crate) struct ReproduceArgs {
    /// Which tables: srk, tesrk [default: all]
    #[arg(value_name = "TABLE")]
    pub(crate) tables: Vec<String>,
    /// The folder whose CSV files are written anew
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) results: PathBuf,
    /// Draw the figures of the paper on typed kernels instead of measuring tables: SVG files beside the CSV files
    #[arg(long)]
    pub(crate) plots: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay train --task paraphrase pairs.tsv -o my.resay
  resay train --task entailment --kernel 'ps(k=1..2)+pr' --folds 5 pairs.tsv more.tsv -o my.resay
  resay train --task answers --folds 5 questions.tsv -o answers.resay
  resay train --task pair --learner dual --cost 1 --dev more.tsv pairs.tsv -o my.resay
  cat pairs.tsv | resay train --task paraphrase --costs 0.1..10 --max-rules 5000 - -o my.resay")]
pub(crate) struct TrainArgs {
    /// What is decided: paraphrase, entailment, answers (candidates of a question, by group), or pair (any two labels)
    #[arg(long, value_name = "TASK", value_parser = task)]
    pub(crate) task: Task,
    /// Labelled pairs (.tsv, .jsonl, or a corpus); several are joined; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The model's file
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) output: PathBuf,
    /// The kernel, such as 'kb(k=1..4)+pr' [default: the task's]
    #[arg(long, value_name = "EXPR")]
    pub(crate) kernel: Option<String>,
    /// What a symbol is: stems, words, lemmas, tokens or chars
    #[arg(long, value_name = "UNITS", default_value = "stems", value_parser = units)]
    pub(crate) units: Units,
    /// A file of your own word relations: lines type<TAB>word<TAB>word; may be given again
    #[arg(long, value_name = "FILE")]
    pub(crate) relations: Vec<PathBuf>,
    /// linear, dual or auto (whichever is faster for so many pairs)
    #[arg(long, value_name = "LEARNER", default_value = "auto", value_parser = learner)]
    pub(crate) learner: Learner,
    /// Negative eigenvalues of the kernel matrix: plain leaves them in, clip takes them out and keeps all training pairs
    /// in the model. Only word relations (tesrk) make any; for rules that can be listed both are the same
    #[arg(long, value_name = "SPECTRUM", default_value = "plain", value_parser = spectrum)]
    pub(crate) spectrum: Spectrum,
    /// Take this cost of errors
    #[arg(long, value_name = "C", conflicts_with = "costs", allow_negative_numbers = true)]
    pub(crate) cost: Option<f64>,
    /// Choose the cost between these, in steps of 1 and 3
    #[arg(long, value_name = "LOW..HIGH", default_value = "0.01..100", value_parser = costs)]
    pub(crate) costs: Costs,
    /// Choose the cost and calibrate on this many held-out folds
    #[arg(long, value_name = "N", default_value_t = 10, conflicts_with = "dev")]
    pub(crate) folds: usize,
    /// Choose the cost and calibrate on this file instead of folds
    #[arg(long, value_name = "FILE")]
    pub(crate) dev: Option<PathBuf>,
    /// What the search for a cost maximises: accuracy, f1, mrr or map (by group) [default: accuracy; mrr for answers]
    #[arg(long, value_name = "MEASURE", value_parser = measure)]
    pub(crate) measure: Option<Measure>,
    /// The linear learner's loss: hinge or squared
    #[arg(long, value_name = "LOSS", default_value = "hinge", value_parser = loss)]
    pub(crate) loss: Loss,
    /// Weigh the classes so that both count the same [default: false; true for answers]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) balanced: Option<bool>,
    /// Keep rules that at least this many training pairs have
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(crate) min_support: u32,
    /// Keep at most this many rules, the heaviest; 0 keeps all
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) max_rules: usize,
    /// Leave out what the rules' wildcards stood for (up to k words of a training text)
    #[arg(long)]
    pub(crate) no_examples: bool,
    /// Whatever the model should say about itself (source, licence)
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) note: String,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay predict -m my.resay pairs.tsv
  resay predict -m my.resay --explain 3 pairs.tsv > scores.tsv
  cat pairs.tsv | resay predict -m my.resay --json - | head -1")]
pub(crate) struct PredictArgs {
    #[command(flatten)]
    pub(crate) model: ModelArg,
    /// Pairs, labelled or not; - is standard input
    pub(crate) file: PathBuf,
    /// Add a column with the N strongest rules
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) explain: Option<u16>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay rank -m my.resay questions.tsv
  resay rank -m my.resay --top 1 --json questions.tsv
  resay rank -m my.resay --group-column source pairs.tsv | head -3")]
pub(crate) struct RankArgs {
    #[command(flatten)]
    pub(crate) model: ModelArg,
    /// Candidates (target), each with its question (source, and group); - is standard input
    pub(crate) file: PathBuf,
    /// Only the N best of each group
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay eval -m my.resay pairs.tsv
  resay eval -m my.resay --versus other.resay --json pairs.tsv")]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    pub(crate) model: ModelArg,
    /// Labelled pairs; - is standard input
    pub(crate) file: PathBuf,
    /// Compare with this model on the same pairs
    #[arg(long, value_name = "MODEL")]
    pub(crate) versus: Option<PathBuf>,
    /// How many bootstrap resamples and random swaps
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) resamples: usize,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay rules -m my.resay --top 5
  resay rules --against --matching not
  resay rules --json --top 1")]
pub(crate) struct RulesArgs {
    #[command(flatten)]
    pub(crate) model: OptionalModelArg,
    /// How many rules are shown
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) top: usize,
    /// Only rules that speak for yes
    #[arg(long = "for", conflicts_with = "against")]
    pub(crate) speaks_for: bool,
    /// Only rules that speak against
    #[arg(long)]
    pub(crate) against: bool,
    /// Only rules with this word, in any form that the model takes for the same
    #[arg(long, value_name = "WORD")]
    pub(crate) matching: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay explain 'He wrote the book.' 'The book was written by him.'
  resay explain -m my.resay --top 5 'It rained all day.' 'It did not rain.'
  resay explain --json 'He left.' 'He went away.'")]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) model: OptionalModelArg,
    /// The first sentence
    pub(crate) source: String,
    /// The second sentence
    pub(crate) target: String,
    /// How many rules of each kernel are shown; the rest is summed up
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay gram --kernel 'kb(k=2)' pairs.tsv
  resay gram --kernel 'ps(k=1..3)+pr' --format npy -o gram.npy pairs.tsv more.tsv
  cat pairs.tsv | resay gram --kernel 'raw(ps(k=1))' --units words --json - | head -1")]
pub(crate) struct GramArgs {
    /// The kernel, such as 'kb(k=1..4)+pr'
    #[arg(long, value_name = "EXPR")]
    pub(crate) kernel: String,
    /// The pairs of the rows; - is standard input
    pub(crate) file: PathBuf,
    /// The pairs of the columns [default: FILE]
    pub(crate) file2: Option<PathBuf>,
    /// What a symbol is: stems, words, lemmas, tokens or chars
    #[arg(long, value_name = "UNITS", default_value = "stems", value_parser = units)]
    pub(crate) units: Units,
    /// A file of your own word relations: lines type<TAB>word<TAB>word; may be given again
    #[arg(long, value_name = "FILE")]
    pub(crate) relations: Vec<PathBuf>,
    /// What is written
    #[arg(long, value_enum, default_value_t = GramFormat::Tsv)]
    pub(crate) format: GramFormat,
    /// Where to [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// The format of the pairs: tsv, jsonl, msrp, rte, trecqa or heilman-smith [default: guessed]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) input_format: Option<Format>,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
}

/// The format of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GramFormat {
    /// One row a line, full precision
    Tsv,
    /// NumPy's own, 64-bit
    Npy,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay annotate notes.txt > notes.conllu
  echo 'Anna bought the house for $2 million.' | resay annotate
  echo 'It rained . We stayed .' | resay annotate --format tokens --layers tags,lemmas --json")]
pub(crate) struct AnnotateArgs {
    /// English text; - is standard input
    #[arg(default_value = "-")]
    pub(crate) file: PathBuf,
    /// The state of the text: text (running), lines (a sentence a line), tokens (a sentence a line, split on blanks) or
    /// conllu (what its columns say is kept) [default: conllu for *.conllu, else text]
    #[arg(long, value_name = "FORMAT", value_parser = text_format)]
    pub(crate) format: Option<TextFormat>,
    /// Which layers, joined by commas: tokens (always there), tags, lemmas, chunks, entities, heads
    #[arg(
        long,
        value_name = "LAYERS",
        value_delimiter = ',',
        value_parser = clap::builder::PossibleValuesParser::new(Layers::NAMES),
        hide_possible_values = true,
        default_value = "tags,lemmas,chunks,entities,heads"
    )]
    pub(crate) layers: Vec<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay models
  resay models --export paraphrase paraphrase.resay")]
pub(crate) struct ModelsArgs {
    /// Write the bundled model NAME to FILE
    #[arg(long, num_args = 2, value_names = ["NAME", "FILE"])]
    pub(crate) export: Option<Vec<String>>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  resay completions bash > resay.bash")]
pub(crate) struct CompletionsArgs {
    /// Which shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ModelArg {
    /// The model's file
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct OptionalModelArg {
    /// The model's file [default: the bundled paraphrase model]
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
}

/// How pairs are read.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// The format of the pairs: tsv, jsonl, msrp, rte, trecqa or heilman-smith [default: guessed]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    pub(crate) format: Option<Format>,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
}

/// Other names of columns.
#[derive(Debug, Args)]
#[command(next_help_heading = "Columns or keys of the pairs")]
pub(crate) struct ColumnArgs {
    /// The first text
    #[arg(long, value_name = "NAME", default_value = "source")]
    pub(crate) source_column: String,
    /// The second text
    #[arg(long, value_name = "NAME", default_value = "target")]
    pub(crate) target_column: String,
    /// The label
    #[arg(long, value_name = "NAME", default_value = "label")]
    pub(crate) label_column: String,
    /// The name of the pair
    #[arg(long, value_name = "NAME", default_value = "id")]
    pub(crate) id_column: String,
    /// What the pair belongs with
    #[arg(long, value_name = "NAME", default_value = "group")]
    pub(crate) group_column: String,
}

impl ColumnArgs {
    pub(crate) fn columns(&self) -> Columns {
        Columns {
            source: self.source_column.clone(),
            target: self.target_column.clone(),
            label: self.label_column.clone(),
            id: self.id_column.clone(),
            group: self.group_column.clone(),
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

fn units(name: &str) -> Result<Units, resay::Error> {
    name.parse()
}

fn format(name: &str) -> Result<Format, resay::Error> {
    name.parse()
}

fn text_format(name: &str) -> Result<TextFormat, resay::Error> {
    name.parse()
}

fn learner(name: &str) -> Result<Learner, String> {
    match name {
        "auto" => Ok(Learner::Auto),
        "linear" => Ok(Learner::Linear),
        "dual" => Ok(Learner::Dual),
        "latent" => Err("the latent learner is not there yet; use linear or dual".to_owned()),
        _ => Err("expected one of: auto, linear, dual".to_owned()),
    }
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
    use clap::CommandFactory;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }

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
