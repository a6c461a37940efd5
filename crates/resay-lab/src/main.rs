//! Developer tool: builds the files of the data crates from corpora, and reproduces the tables of
//! papers. Not part of the program that users run.
//!
//! `make` builds all files, or the named ones, if any of their inputs changed. `step` runs a single
//! step for experiments; it neither reads nor writes the record. Each step reports what it read,
//! wrote and measured; the same corpora give the same bytes. `reproduce` measures tables into
//! `results/`.

mod chunker;
mod chunks_of_trees;
mod components;
mod entities;
mod files;
mod gazetteer;
mod jackknife;
mod judgement;
mod lemma;
mod make;
mod mixture;
mod models;
mod npy;
mod open;
mod parser;
mod phrases;
mod relations;
mod reproduce;
mod similar;
mod stretches;
mod tagger;
mod treebank;
mod vectors;
mod wndb;
mod word_pairs;
mod word_table;
mod wordnet;
mod words;

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use files::{Files, Folders};
use make::graph::Graph;
use resay_text::container::Origin;
use std::path::PathBuf;

/// The creator named in the files. This was the name of the tool when they were built. Another name
/// would change every file and everything trained on them, so it stays.
const MADE_BY: &str = "resay-make";

/// The metadata of a file, as part of its settings.
fn settings_of(origin: &Origin, options: &str) -> String {
    let Origin { data, licence, made, .. } = origin;
    format!("data={data} licence={licence} made={made} {options}")
}

#[derive(Parser)]
#[command(about, max_term_width = 100)]
struct Cli {
    /// The folder with the corpora.
    #[arg(long, env = "RESAY_DATA", default_value = "../shared/data", global = true)]
    data: PathBuf,
    /// The folder that the files are written to.
    #[arg(long, default_value = "crates", global = true)]
    models: PathBuf,
    /// The folder for what steps hand on to each other and is not bundled.
    #[arg(long, default_value = "target/lab", global = true)]
    work: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Makes the files that something changed for.
    Make(make::MakeArgs),
    /// Measures the papers' tables again.
    Reproduce(reproduce::ReproduceArgs),
    /// Runs one step by itself, for experiments; nothing is recorded.
    Step {
        #[command(subcommand)]
        step: Step,
    },
}

/// In the order in which they build on each other.
#[derive(Subcommand)]
enum Step {
    /// Checks that every corpus is there, and prints its size.
    Check,
    /// WordNet as a table of words, senses and pointers: wordnet.resay.
    Wordnet,
    /// Paraphrases, similar words and nicknames: relations.resay.
    Relations,
    /// Word vectors: vectors.resay.
    Vectors,
    /// Small vectors for the similarity of words and texts: word-table.resay.
    WordTable {
        /// Print development figures of other settings, and write nothing.
        #[arg(long)]
        compare: bool,
    },
    /// The table of words: clusters, parts of speech, names: words.resay.
    Words,
    /// The tagger: tagger.resay.
    Tagger {
        /// Measure on the test part too.
        #[arg(long)]
        test: bool,
        /// Measure what an averaged perceptron makes of the same features, and write nothing.
        #[arg(long)]
        perceptron: bool,
    },
    /// The lemmatizer: lemma.resay.
    Lemma {
        /// Measure on the test part too.
        #[arg(long)]
        test: bool,
    },
    /// The chunker: chunker.resay.
    Chunker {
        /// Measure on the test parts too, and write the file.
        #[arg(long)]
        test: bool,
    },
    /// Tags of the training part by taggers that have not seen it, for the next two to learn from:
    /// jackknife.tsv in the folder for work, a line per word, both tags, a blank line after each
    /// sentence.
    Jackknife,
    /// What finds entities: entities.resay.
    Entities {
        /// Measure on the test parts too.
        #[arg(long)]
        test: bool,
    },
    /// The parser: parser.resay.
    Parser {
        /// Measure on the test part too.
        #[arg(long)]
        test: bool,
    },
}

fn main() -> Result<()> {
    let Cli { data, models, work, command } = Cli::parse();
    let folders = Folders { data, models, work, repository: PathBuf::from(".") };
    let graph = Graph::bundled()?;
    let files = |name: &str| graph.find(name).map(|step| Files::new(&folders, &graph, step));
    let step = match command {
        Command::Make(args) => return make::run(&graph, &folders, &args),
        Command::Reproduce(args) => return reproduce::run(&folders.data, &args),
        Command::Step { step } => step,
    };
    std::fs::create_dir_all(&folders.work).with_context(|| folders.work.display().to_string())?;
    match step {
        Step::Check => make::check(&graph, &folders),
        Step::Wordnet => wordnet::make(&files("wordnet")?),
        Step::Relations => relations::make(&files("relations")?),
        Step::Vectors => vectors::make(&files("vectors")?),
        Step::WordTable { compare } => word_table::make(&files("word-table")?, compare),
        Step::Words => words::make(&files("words")?),
        Step::Tagger { test, perceptron } => tagger::make(&files("tagger")?, test, perceptron),
        Step::Lemma { test } => lemma::make(&files("lemma")?, test),
        Step::Chunker { test } => chunker::make(&files("chunker")?, test),
        Step::Jackknife => jackknife::make(&files("jackknife")?),
        Step::Entities { test } => entities::make(&files("entities")?, test),
        Step::Parser { test } => parser::make(&files("parser")?, test),
    }
}
