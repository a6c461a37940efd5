//! What was typed. These types hold arguments as the user wrote them, as far as they can be understood one by one;
//! what they mean together is made of them by each command. The examples below each `--help` are run by a test.

mod align;
mod dedupe;
mod files;
mod input;
mod train;

pub(crate) use align::{AlignArgs, AlignEvalArgs, AlignOutput, AlignTrainArgs, WordUnits};
pub(crate) use dedupe::DedupeArgs;
pub(crate) use files::OutputFile;
pub(crate) use input::{
    ColumnArgs, InputArgs, ModelArg, OptionalModelArg, SplitArg, SplitChoice, document_format, pair_format, refuse,
};
pub(crate) use train::TrainArgs;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use resay::data::TextFormat;
use resay::resources::Resources;
use resay_text::{Layers, Units};
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
  resay align 'He wrote the book.' 'The book was written by him.'
  resay diff old.txt new.txt
  resay train --task paraphrase pairs.tsv -o my.resay
  resay predict -m my.resay pairs.tsv
  resay models

Exit status: 0 done, 1 diff --check found a change of meaning, 2 wrong usage or bad input,
3 anything else."
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
    /// How many threads work; changes no result [default: one per core]
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
    /// What models look at: made once, in `main`, and passed down.
    #[arg(skip)]
    pub(crate) resources: Resources,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say how two sentences relate, by the bundled models
    Compare(CompareArgs),
    /// Say what became of the sentences of a text: reworded, moved, added, dropped, changed in meaning
    Diff(DiffArgs),
    /// Say which words and phrases of two sentences correspond
    Align(AlignArgs),
    /// Learn a model from labelled or aligned pairs, or from documents with topics
    Train(Box<TrainArgs>),
    /// Score pairs with a model, or sort documents
    Predict(PredictArgs),
    /// Sort the candidates of each group, best first
    Rank(RankArgs),
    /// Find sentences of a file that say the same
    Dedupe(DedupeArgs),
    /// Measure a model on labelled or aligned pairs or documents, or against another model
    Eval(EvalArgs),
    /// List a model's heaviest rules, features, or topics' strings
    Rules(RulesArgs),
    /// Take a decision apart
    Explain(ExplainArgs),
    /// Print the kernel matrix of pairs or documents
    Gram(GramArgs),
    /// Say of every word its lemma, tags, chunk, entity and head
    Annotate(AnnotateArgs),
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
  resay compare --top 3 --json 'It rained all day.' 'It did not rain.'
  resay compare --html page.html 'It rained all day.' 'It did not rain.'
  resay compare --svg - 'It rained all day.' 'It did not rain.' > picture.svg")]
pub(crate) struct CompareArgs {
    /// The first sentence
    pub(crate) source: String,
    /// The second sentence
    pub(crate) target: String,
    /// How many reasons for and how many against are shown
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) top: usize,
    /// Write a page to look at, print or send: one file that needs neither network nor script. The text is printed all the
    /// same, unless --quiet is given; - is standard output, which then has the page only
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<OutputFile>,
    /// Write the drawing of that page alone, as an SVG; as with --html
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) svg: Option<OutputFile>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Sentences are matched whatever their order. Two that belong together were reworded if the bundled
judge takes them to say the same (0.5 or more) and no number, unit, name, negation or opposite
differs; else their meaning changed.

With --check the exit status is 1 if any sentence changed in meaning, or a sentence with a letter or
a digit in it was added or dropped. What was only reworded or moved is fine.

Examples:
  resay diff old.txt new.txt
  resay diff --html diff.html old.txt new.txt
  cat new.txt | resay diff --json old.txt -
  resay diff --check old.txt reworded.txt && echo 'says the same'"
)]
pub(crate) struct DiffArgs {
    /// The text as it was; - is standard input
    pub(crate) source: PathBuf,
    /// The text as it is now; - is standard input
    pub(crate) target: PathBuf,
    /// End with exit status 1 if the meaning changed
    #[arg(long)]
    pub(crate) check: bool,
    /// Show sentences that are the same, too, instead of how many there are
    #[arg(long)]
    pub(crate) all: bool,
    /// How many reasons are shown where the meaning changed
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) top: usize,
    /// Write both texts side by side to this file, to be read in a browser; only the counts are printed then. - is standard
    /// output, which then has the page only
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<OutputFile>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay predict -m my.resay pairs.tsv
  resay predict -m my.resay --explain 3 pairs.tsv > scores.tsv
  cat pairs.tsv | resay predict -m my.resay --json - | head -1
  resay predict -m topics.resay --explain 2 documents.jsonl")]
pub(crate) struct PredictArgs {
    #[command(flatten)]
    pub(crate) model: ModelArg,
    /// Pairs, or documents for a model of topics, labelled or not; - is standard input
    pub(crate) file: PathBuf,
    /// Add a column with the N strongest rules, or strings of the best topic
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) explain: Option<u16>,
    /// Stop at the first row that cannot be scored. Without it such a row has empty numbers and the label "error", is named
    /// on standard error, and the rest goes on; the exit status is 2 in either case
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) split: SplitArg,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay rank -m my.resay questions.tsv
  resay rank -m my.resay --top 1 --json questions.tsv
  resay rank -m my.resay --group-column source pairs.tsv | head -3
  resay rank -m names.resay --queries queries.txt --candidates candidates.txt --top 3")]
pub(crate) struct RankArgs {
    #[command(flatten)]
    pub(crate) model: ModelArg,
    /// Candidates (target), each with its question (source, and group); - is standard input
    #[arg(required_unless_present = "queries", conflicts_with_all = ["queries", "candidates"])]
    pub(crate) file: Option<PathBuf>,
    /// Names to look for, one a line; with a model of names
    #[arg(long, value_name = "FILE", requires = "candidates")]
    pub(crate) queries: Option<PathBuf>,
    /// Names to find them among, one a line
    #[arg(long, value_name = "FILE", requires = "queries")]
    pub(crate) candidates: Option<PathBuf>,
    /// Only the N best of each group [default: all; 10 with --queries]
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay eval -m my.resay pairs.tsv
  resay eval -m my.resay --versus other.resay --json pairs.tsv
  resay eval -m topics.resay documents.jsonl
  resay eval -m align.resay --threshold 0.3 aligned.json
  resay eval -m align.resay --versus-links links.txt aligned.json")]
pub(crate) struct EvalArgs {
    #[command(flatten)]
    pub(crate) model: ModelArg,
    /// Labelled pairs, aligned pairs for a model that aligns, documents for a model of topics, or true pairs for a model
    /// of names; - is standard input
    pub(crate) file: PathBuf,
    /// Compare with this model on the same file
    #[arg(long, value_name = "MODEL")]
    pub(crate) versus: Option<PathBuf>,
    /// How many bootstrap resamples and random swaps
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) resamples: usize,
    #[command(flatten)]
    pub(crate) of_align: AlignEvalArgs,
    #[command(flatten)]
    pub(crate) split: SplitArg,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay rules -m my.resay --top 5
  resay rules --against --matching not
  resay rules --json --top 1
  resay rules -m topics.resay --topic food --for
  resay rules -m align.resay --matching wordnet")]
pub(crate) struct RulesArgs {
    #[command(flatten)]
    pub(crate) model: OptionalModelArg,
    /// Which topic's strings [default: some of every topic]
    #[arg(long, value_name = "TOPIC")]
    pub(crate) topic: Option<String>,
    /// How many are shown [default: 20; of every topic 5 for and 5 against]
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    /// Only what speaks for yes
    #[arg(long = "for", conflicts_with = "against")]
    pub(crate) speaks_for: bool,
    /// Only what speaks against
    #[arg(long)]
    pub(crate) against: bool,
    /// Only rules with this word, in any form that the model takes for the same; only strings or features with this text
    /// in them
    #[arg(long, value_name = "TEXT")]
    pub(crate) matching: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay explain 'He wrote the book.' 'The book was written by him.'
  resay explain -m my.resay --top 5 'It rained all day.' 'It did not rain.'
  resay explain --json 'He left.' 'He went away.'
  resay explain -m topics.resay --topic food 'Soup with bread.'
  cat notes.txt | resay explain -m topics.resay -
  resay explain -m align.resay --top 3 'He left.' 'He went away.'")]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) model: OptionalModelArg,
    /// The first sentence; or a document for a model of topics, - being standard input
    pub(crate) source: String,
    /// The second sentence; documents have none
    pub(crate) target: Option<String>,
    /// Which topic's score [default: the best topic's]
    #[arg(long, value_name = "TOPIC")]
    pub(crate) topic: Option<String>,
    /// How many rules or strings of each kernel, or features of each link, are shown; the rest is summed up
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay gram --kernel 'kb(k=2)' pairs.tsv
  resay gram --kernel 'ps(k=1..3)+pr' --format npy -o gram.npy pairs.tsv more.tsv
  cat pairs.tsv | resay gram --kernel 'raw(ps(k=1))' --units words --json - | head -1
  resay gram --kernel 'spectrum(k=3)' documents.jsonl
  resay gram --kernel 'pair(spectrum(k=3))' --units chars pairs.tsv")]
pub(crate) struct GramArgs {
    /// The kernel, such as 'kb(k=1..4)+pr'
    #[arg(long, value_name = "EXPR")]
    pub(crate) kernel: String,
    /// The pairs of the rows, or the documents if the kernel compares single texts; - is standard input
    pub(crate) file: PathBuf,
    /// Those of the columns [default: FILE]
    pub(crate) file2: Option<PathBuf>,
    /// What a symbol is: stems, words, lemmas, tokens, chars, lower (characters in lower case) or letters (those that are
    /// letters) [default: stems; chars for documents]
    #[arg(long, value_name = "UNITS", value_parser = units)]
    pub(crate) units: Option<Units>,
    /// A file of your own word relations: lines type<TAB>word<TAB>word; may be given again
    #[arg(long, value_name = "FILE")]
    pub(crate) relations: Vec<PathBuf>,
    /// What is written
    #[arg(long, value_enum, default_value_t = GramFormat::Tsv)]
    pub(crate) format: GramFormat,
    /// Where to [default: standard output]
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<OutputFile>,
    /// The format of FILE: tsv, csv, jsonl, msrp, rte, trecqa or heilman-smith of pairs; jsonl, lines or reuters of documents
    /// [default: guessed]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<String>,
    #[command(flatten)]
    pub(crate) split: SplitArg,
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
    #[arg(long, value_name = "NAME", requires = "output")]
    pub(crate) export: Option<String>,
    /// Where --export writes to
    #[arg(value_name = "FILE", requires = "export", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<OutputFile>,
}

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  resay completions bash > resay.bash")]
pub(crate) struct CompletionsArgs {
    /// Which shell
    pub(crate) shell: clap_complete::Shell,
}

fn units(name: &str) -> Result<Units, resay::Error> {
    name.parse()
}

fn text_format(name: &str) -> Result<TextFormat, resay::Error> {
    name.parse()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_do_not_contradict_each_other() {
        Cli::command().debug_assert();
    }
}
