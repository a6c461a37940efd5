//! Command-line arguments as typed, each parsed by itself. How they combine is up to each command.
//! The first paragraph of an argument's doc comment is its line in `-h`. `--help` shows all of it,
//! with examples that a test runs.

mod align;
mod choice;
mod dedupe;
mod files;
mod input;
mod phrases;
mod plots;
mod train;

pub(crate) use align::{AlignArgs, AlignEvalArgs, AlignOutput, AlignTraining, WordUnits};
pub(crate) use dedupe::DedupeArgs;
pub(crate) use files::OutputFile;
pub(crate) use input::{ColumnArgs, InputArgs, SplitArg, SplitChoice, document_format, pair_format, refuse};
pub(crate) use phrases::PhraseArgs;
pub(crate) use plots::PlotArgs;
pub(crate) use train::{
    CostArgs, ModelOutput, NamesTraining, PairLearner, PairTraining, ProgramTraining, TopicTraining, TrainArgs,
    TrainTask, kernel_learner, most_rules,
};

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use resay::data::TextFormat;
use resay::model::Question;
use resay::resources::Resources;
use resay_text::{Layers, Units};
use std::path::PathBuf;

/// Says how two texts relate, which words correspond, and why
#[derive(Debug, Parser)]
#[command(
    name = "resay",
    version,
    subcommand_required = true,
    max_term_width = 100,
    after_help = "Run 'resay COMMAND --help' for details and examples of a command.",
    after_long_help = "Examples:
  resay compare 'He wrote the book.' 'The book was written by him.'
  resay align 'He wrote the book.' 'The book was written by him.'
  resay diff old.txt new.txt
  resay train paraphrase pairs.tsv -o my.resay
  resay predict -m my.resay pairs.tsv
  resay models

Exit status: 0 done, 1 a --check that failed, 2 wrong usage or bad input, 3 anything else."
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Options of all commands.
#[derive(Debug, Args)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Common {
    /// Print JSON, one object per line; docs/json.md describes it
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Use N threads; no result depends on it [default: one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Seed of all random choices: folds, order, resamples
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Show no progress and no notes; results are still printed
    #[arg(long, global = true)]
    pub(crate) quiet: bool,
    /// Look in DIR for input files that are not here
    #[arg(long, global = true, value_name = "DIR", env = "RESAY_DATA", hide_env_values = true)]
    pub(crate) data: Option<PathBuf>,
    /// Resources for the models, created once in `main` and passed down.
    #[arg(skip)]
    pub(crate) resources: Resources,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Say how two texts relate, and why
    Compare(CompareArgs),
    /// Say what happened to each sentence: reworded, moved, added, dropped, changed in meaning
    Diff(DiffArgs),
    /// Say which words and phrases of two texts correspond
    Align(AlignArgs),
    /// Learn a model from your own examples
    Train(TrainArgs),
    /// Score pairs or programmes, or classify documents by topic
    Predict(PredictArgs),
    /// Sort candidates, best first
    Rank(RankArgs),
    /// Find sentences of a file that say the same
    Dedupe(DedupeArgs),
    /// Evaluate a model on labelled data, or compare it with another
    Eval(EvalArgs),
    /// List the heaviest rules, features or strings of a model
    Rules(RulesArgs),
    /// Explain one decision
    Explain(ExplainArgs),
    /// Print the kernel matrix of pairs or documents
    Gram(GramArgs),
    /// Print lemma, tags, chunk, entity and head of every word
    Annotate(AnnotateArgs),
    /// List or export the bundled models
    Models(ModelsArgs),
    /// Print completions for a shell
    Completions(CompletionsArgs),
    /// Print the manual page
    #[command(after_long_help = "Examples:\n  resay man > resay.1")]
    Man,
}

impl Command {
    /// The user's own tables of phrases, for the commands that take some.
    pub(crate) fn phrases(&self) -> Option<&PhraseArgs> {
        match self {
            Self::Compare(args) => Some(&args.own),
            Self::Diff(args) => Some(&args.own),
            Self::Predict(args) => Some(&args.own),
            Self::Rank(args) => Some(&args.own),
            Self::Dedupe(args) => Some(&args.own),
            Self::Eval(args) => Some(&args.own),
            Self::Explain(args) => Some(&args.own),
            _ => None,
        }
    }
}

#[derive(Debug, Args)]
#[command(
    override_usage = "resay compare [OPTIONS] <SOURCE> <TARGET>
       resay compare [OPTIONS] --file <SOURCE> <TARGET>",
    after_long_help = "The bundled judge says which of five relations holds: equivalent, forward (the target follows from the
source), backward, contradiction or neutral. All answers are read off it.

With --check the exit status is 1 if the texts do not say the same.

Texts of several sentences are judged sentence by sentence, up to three sentences also as a whole. The
first line then names the sentence that decides, and a list has every pair of sentences.

A text that does not look like English (another language, code, a list of names, mere symbols) gets a
warning, and the answer goes by the words alone.

Examples:
  resay compare 'He wrote the book.' 'The book was written by him.'
  resay compare --top 3 --json 'It rained all day.' 'It did not rain.'
  resay compare --file notes.txt reworded.txt
  resay compare 'It rained. We pay 60 euros.' 'It rained. We pay 80 euros.'
  resay compare --check 'On Monday Anna sold the boat.' 'Anna sold the boat on Monday.' && echo same
  resay compare --html page.html 'It rained all day.' 'It did not rain.'
  resay compare --svg - 'It rained all day.' 'It did not rain.' > picture.svg
  resay compare --phrases plans.tsv 'She has the gold plan.' 'She has the silver plan.'"
)]
pub(crate) struct CompareArgs {
    /// The source text
    #[arg(required_unless_present = "file")]
    pub(crate) source: Option<String>,
    /// The target text
    #[arg(required_unless_present = "file")]
    pub(crate) target: Option<String>,
    /// Compare the texts of two files; - is standard input
    #[arg(long, num_args = 2, value_names = ["SOURCE", "TARGET"], conflicts_with_all = ["source", "target"])]
    pub(crate) file: Vec<PathBuf>,
    /// End with exit status 1 if the texts do not say the same
    #[arg(long)]
    pub(crate) check: bool,
    /// Show N reasons for and N against each answer
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) top: usize,
    /// Also write an HTML page to FILE; - prints the page only
    ///
    /// One file that needs neither network nor scripts, to view, print or send.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<OutputFile>,
    /// Also write the drawing of that page to FILE; - prints the drawing only
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) svg: Option<OutputFile>,
    #[command(flatten)]
    pub(crate) own: PhraseArgs,
}

#[derive(Debug, Args)]
#[command(
    after_long_help = "Sentences are matched whatever their order. Two that belong together were reworded if the bundled
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
    /// The old text; - is standard input
    pub(crate) old: PathBuf,
    /// The new text; - is standard input
    pub(crate) new: PathBuf,
    /// End with exit status 1 if the meaning changed
    #[arg(long)]
    pub(crate) check: bool,
    /// Also show unchanged sentences, not only their number
    #[arg(long)]
    pub(crate) all: bool,
    /// Show N reasons where the meaning changed
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) top: usize,
    /// Write both texts side by side to FILE as HTML, and print only the counts
    ///
    /// With - only the page is printed.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<OutputFile>,
    #[command(flatten)]
    pub(crate) own: PhraseArgs,
}

#[derive(Debug, Args)]
#[command(
    after_long_help = "Prints a table: id, score, probability, label; one row per pair, document or programme, in
order.

Examples:
  resay predict pairs.tsv
  resay predict -m my.resay --explain 3 pairs.tsv > scores.tsv
  cat pairs.tsv | resay predict -m my.resay --json - | head -1
  resay predict --phrases plans.tsv pairs.tsv
  resay predict -m topics.resay --explain 2 documents.jsonl
  resay predict -m program.resay programs.jsonl"
)]
pub(crate) struct PredictArgs {
    /// The model: a file, or a bundled model by name [default: judge]
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// What to ask the bundled judge: same, entails, entailed, contradicts, relation or similarity
    /// [default: same]
    #[arg(long, value_name = "QUESTION", value_parser = question)]
    pub(crate) question: Option<Question>,
    /// Data of the model's kind: pairs, documents or programmes; - is standard input
    pub(crate) file: PathBuf,
    /// Add a column with the N strongest rules, or strings of the best topic
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) explain: Option<u16>,
    /// Stop at the first row that cannot be scored
    ///
    /// Without it, such a row has empty numbers and the label "error", is reported on standard
    /// error, and the rest is still scored. The exit status is 2 in either case.
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) own: PhraseArgs,
    #[command(flatten)]
    pub(crate) split: SplitArg,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
#[command(
    override_usage = "resay rank [OPTIONS] <FILE>
       resay rank [OPTIONS] --model <MODEL> --queries <FILE> --candidates <FILE>",
    after_long_help = "Examples:
  resay rank questions.tsv
  resay rank -m my.resay --top 1 --json questions.tsv
  resay rank -m my.resay --group-column source pairs.tsv | head -3
  resay rank -m names.resay --queries queries.txt --candidates candidates.txt --top 3"
)]
pub(crate) struct RankArgs {
    /// The model: a file, or a bundled model by name [default: judge]
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// Candidates (target), each with its question (source, and group); - is standard input
    #[arg(required_unless_present = "queries", conflicts_with_all = ["queries", "candidates"])]
    pub(crate) file: Option<PathBuf>,
    /// Names to look for, one per line; needs a name model
    #[arg(long, value_name = "FILE", requires = "candidates")]
    pub(crate) queries: Option<PathBuf>,
    /// Candidate names, one per line
    #[arg(long, value_name = "FILE", requires = "queries")]
    pub(crate) candidates: Option<PathBuf>,
    /// Rank by the probability of this class, for a model of several
    #[arg(long, value_name = "LABEL", conflicts_with = "queries")]
    pub(crate) class: Option<String>,
    /// Print the N best of each group [default: all; 10 with --queries]
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    #[command(flatten)]
    pub(crate) own: PhraseArgs,
    #[command(flatten)]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  resay eval pairs.tsv
  resay eval -m my.resay --versus judge --json pairs.tsv
  resay eval -m topics.resay documents.jsonl
  resay eval -m my.resay --reliability reliability.svg --risk risk.svg pairs.tsv
  resay eval -m align.resay --threshold 0.3 aligned.json
  resay eval -m align --versus-links links.txt aligned.json
  resay eval -m program.resay --versus held.resay programs.jsonl")]
pub(crate) struct EvalArgs {
    /// The model: a file, or a bundled model by name [default: judge]
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// What to ask the bundled judge: same, entails, entailed, contradicts, relation or similarity
    /// [default: same]
    #[arg(long, value_name = "QUESTION", value_parser = question)]
    pub(crate) question: Option<Question>,
    /// Labelled data for the model; - is standard input
    ///
    /// Labelled pairs; aligned pairs for an aligner; labelled documents for a topic model;
    /// true pairs for a name model; labelled programmes for a programme model.
    pub(crate) file: PathBuf,
    /// Compare with a second model: a file, or a bundled model by name
    #[arg(long, value_name = "MODEL")]
    pub(crate) versus: Option<PathBuf>,
    /// Number of bootstrap resamples and random permutations
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) resamples: usize,
    #[command(flatten)]
    pub(crate) own: PhraseArgs,
    #[command(flatten)]
    pub(crate) plots: PlotArgs,
    #[command(flatten)]
    pub(crate) of_align: AlignEvalArgs,
    #[command(flatten, next_help_heading = "Input")]
    pub(crate) split: SplitArg,
    #[command(flatten, next_help_heading = "Input")]
    pub(crate) input: InputArgs,
}

#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  resay rules --against --matching not
  resay rules -m my.resay --top 5
  resay rules --json --top 1
  resay rules -m judge --top 5
  resay rules -m topics.resay --topic food --for
  resay rules -m align --matching wordnet")]
pub(crate) struct RulesArgs {
    /// The model: a file, or a bundled model by name [default: paraphrase]
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// Strings of this topic [default: some of every topic]
    #[arg(long, value_name = "TOPIC")]
    pub(crate) topic: Option<String>,
    /// Weights of this class, for a model of several [default: some of every class]
    #[arg(long, value_name = "LABEL")]
    pub(crate) class: Option<String>,
    /// Show the N heaviest [default: 20; of every topic 5 for and 5 against, of every class 10]
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<usize>,
    /// Only entries that count for yes
    #[arg(long = "for", conflicts_with = "against")]
    pub(crate) speaks_for: bool,
    /// Only entries that count against
    #[arg(long)]
    pub(crate) against: bool,
    /// Only rules with this word, or strings or features with this text
    ///
    /// A word matches in any form that the model treats as the same.
    #[arg(long, value_name = "TEXT")]
    pub(crate) matching: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  resay explain 'He wrote the book.' 'The book was written by him.'
  resay explain -m my.resay --top 5 'It rained all day.' 'It did not rain.'
  resay explain --json 'He left.' 'He went away.'
  resay explain -m paraphrase 'He left.' 'He went away.'
  resay explain -m nli.resay --class neutral --against entailment 'He left.' 'He left early.'
  resay explain -m topics.resay --topic food 'Soup with bread.'
  cat notes.txt | resay explain -m topics.resay -
  resay explain -m align --top 3 'He left.' 'He went away.'
  resay explain -m program.resay programs.jsonl 1")]
pub(crate) struct ExplainArgs {
    /// The model: a file, or a bundled model by name [default: judge]
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// What to ask the bundled judge: same, entails, entailed, contradicts, relation or similarity
    /// [default: same]
    #[arg(long, value_name = "QUESTION", value_parser = question)]
    pub(crate) question: Option<Question>,
    /// The source text, or a document for a topic model (- is standard input)
    ///
    /// For a programme model, a file of them.
    pub(crate) source: String,
    /// The target text; a document has none
    ///
    /// For a programme model, the id of one of them; without it all are taken apart.
    pub(crate) target: Option<String>,
    /// Explain the score of this topic [default: the best topic's]
    #[arg(long, value_name = "TOPIC")]
    pub(crate) topic: Option<String>,
    /// Explain this class or level [default: the one that the model says]
    #[arg(long, value_name = "LABEL")]
    pub(crate) class: Option<String>,
    /// Explain why it is not this class
    #[arg(long, value_name = "LABEL")]
    pub(crate) against: Option<String>,
    /// Show N rules or strings per kernel, or features per link or variable; sum up the rest
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    #[command(flatten)]
    pub(crate) own: PhraseArgs,
}

#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  resay gram --kernel 'kb(k=2)' pairs.tsv
  resay gram --kernel 'ps(k=1..3)+pr' --format npy -o gram.npy pairs.tsv more.tsv
  cat pairs.tsv | resay gram --kernel 'raw(ps(k=1))' --units words --json - | head -1
  resay gram --kernel 'spectrum(k=3)' documents.jsonl
  resay gram --kernel 'pair(spectrum(k=3))' --units chars pairs.tsv
  resay gram --kernel 'pair(chars(spectrum(k=3))+words(bow))' pairs.tsv")]
pub(crate) struct GramArgs {
    /// The kernel, such as 'kb(k=1..4)+pr'
    #[arg(long, value_name = "EXPR")]
    pub(crate) kernel: String,
    /// Pairs, or documents if the kernel compares single texts, one row each; - is standard input
    pub(crate) file: PathBuf,
    /// Pairs or documents for the columns [default: FILE]
    pub(crate) file2: Option<PathBuf>,
    /// The unit of a symbol [default: stems; chars for documents]
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
    /// The output format
    #[arg(long, value_enum, default_value_t = GramFormat::Tsv)]
    pub(crate) format: GramFormat,
    /// Write to this file [default: standard output]
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<OutputFile>,
    /// The format of FILE [default: guessed]
    ///
    /// For pairs: tsv, csv, jsonl, msrp, rte, trecqa or heilman-smith. For documents: jsonl, lines
    /// or reuters.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<String>,
    #[command(flatten)]
    pub(crate) split: SplitArg,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
}

/// The output format of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GramFormat {
    /// One row per line, full precision
    Tsv,
    /// NumPy's format, 64-bit
    Npy,
}

#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  resay annotate notes.txt > notes.conllu
  echo 'Anna bought the house for $2 million.' | resay annotate
  echo 'It rained . We stayed .' | resay annotate --format tokens --layers tags,lemmas --json")]
pub(crate) struct AnnotateArgs {
    /// English text; - is standard input
    #[arg(default_value = "-")]
    pub(crate) file: PathBuf,
    /// The format: text, lines, tokens or conllu [default: conllu for *.conllu, else text]
    ///
    /// text is running text; lines has one sentence per line; tokens has one sentence per line,
    /// split at blanks; conllu keeps existing annotation.
    #[arg(long, value_name = "FORMAT", value_parser = text_format)]
    pub(crate) format: Option<TextFormat>,
    /// Which layers to print, joined by commas
    ///
    /// Some of tokens (always there), tags, lemmas, chunks, entities, heads.
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
#[command(after_long_help = "Examples:
  resay models
  resay models judge
  resay models my.resay
  resay models --export paraphrase paraphrase.resay")]
pub(crate) struct ModelsArgs {
    /// Write the bundled model NAME to FILE
    #[arg(long, value_name = "NAME", requires = "target")]
    pub(crate) export: Option<String>,
    /// Say all about this model, bundled or a file; with --export, the file to write
    #[arg(value_name = "NAME|FILE", value_hint = ValueHint::FilePath)]
    pub(crate) target: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  resay completions bash > resay.bash")]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

fn units(name: &str) -> Result<Units, resay::Error> {
    name.parse()
}

fn question(name: &str) -> Result<Question, resay::Error> {
    Question::named(name).ok_or_else(|| {
        let known = Question::ALL.map(Question::name).join(", ");
        resay::Error::parameter(format!("no question '{name}', expected one of: {known}"))
    })
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
