//! Makes the files in `models/` that annotation and the lexicon read: trains the annotators, compiles the word tables.
//! Not part of the program that users run. Each step says what it read, what it wrote and what it measured; the same
//! corpora give the same bytes.

mod chunker;
mod components;
mod corpora;
mod entities;
mod gazetteer;
mod jackknife;
mod lemma;
mod parser;
mod relations;
mod similar;
mod stretches;
mod tagger;
mod treebank;
mod vectors;
mod wndb;
mod wordnet;
mod words;

use anyhow::Result;
use clap::{Parser, Subcommand};
use std::path::PathBuf;

#[derive(Parser)]
#[command(about, max_term_width = 100)]
struct Args {
    /// The folder with the corpora.
    #[arg(long, env = "RESAY_DATA", default_value = "../shared/data", global = true)]
    data: PathBuf,
    /// The folder that the files are written to.
    #[arg(long, default_value = "models", global = true)]
    models: PathBuf,
    #[command(subcommand)]
    step: Step,
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
        /// Write nothing: measure on sentences of the training part that are held back.
        #[arg(long)]
        held_back: bool,
    },
    /// Tags of the training part by taggers that have not seen it, for the next two to learn from.
    Jackknife {
        /// The file that is written: a line a word, both tags, a blank line after each sentence.
        #[arg(long, default_value = "target/jackknife.tsv")]
        out: PathBuf,
    },
    /// What finds entities: entities.resay.
    Entities {
        /// Tags of the treebank's training part, as the step `jackknife` writes them.
        #[arg(long, default_value = "target/jackknife.tsv")]
        tags: PathBuf,
        /// Measure on the test parts too.
        #[arg(long)]
        test: bool,
    },
    /// The parser: parser.resay.
    Parser {
        /// Tags of the treebank's training part, as the step `jackknife` writes them.
        #[arg(long, default_value = "target/jackknife.tsv")]
        tags: PathBuf,
        /// Measure on the test part too.
        #[arg(long)]
        test: bool,
    },
}

fn main() -> Result<()> {
    let args = Args::parse();
    let (data, models) = (&args.data, &args.models);
    match args.step {
        Step::Check => corpora::check(data),
        Step::Wordnet => wordnet::run(data, models),
        Step::Relations => relations::make(data, models),
        Step::Vectors => vectors::make(data, models),
        Step::Words => words::make(data, models),
        Step::Tagger { test, perceptron } => tagger::make(data, models, test, perceptron),
        Step::Lemma { test } => lemma::make(data, models, test),
        Step::Chunker { held_back } => chunker::make(data, models, held_back),
        Step::Jackknife { out } => jackknife::make(data, models, &out),
        Step::Entities { tags, test } => entities::make(data, models, &tags, test),
        Step::Parser { tags, test } => parser::make(data, models, &tags, test),
    }
}
