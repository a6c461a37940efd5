//! Makes the files in `models/` that annotation and the lexicon read: trains the annotators, compiles the word tables.
//! Not part of the program that users run. Each step says what it read, what it wrote and what it measured; the same
//! corpora give the same bytes.

mod chunker;
mod corpora;
mod entities;
mod gazetteer;
mod jackknife;
mod relations;
mod similar;
mod parser;
mod lemma;
mod stretches;
mod tagger;
mod treebank;
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

#[derive(Subcommand)]
enum Step {
    /// Checks that every corpus is there, and prints its size.
    Check,
    /// The table of words: clusters, parts of speech, names.
    Words,
    /// The tagger.
    Tagger {
        /// Measure on the test part too.
        #[arg(long)]
        test: bool,
    },
    /// Paraphrases, similar words and nicknames: relations.resay.
    Relations,
    /// WordNet as a table of words, senses and pointers: wordnet.resay.
    Wordnet,
    /// The lemmatizer.
    Lemma {
        /// Measure on the test part too.
    /// The chunker.
    Chunker {
        /// Write nothing: measure on sentences of the training part that are held back.
        #[arg(long)]
        held_back: bool,
    },
    /// What finds entities.
    Entities {
        /// Tags of the treebank's training part, as the step `jackknife` writes them.
        #[arg(long, default_value = "target/jackknife.tsv")]
        tags: PathBuf,
        /// Measure on the test parts too.
        #[arg(long)]
        test: bool,
    },
    /// Tags of the training part by taggers that have not seen it, for the parser to learn from.
    Jackknife {
        /// The file that is written: a line a word, both tags, a blank line after each sentence.
        #[arg(long, default_value = "target/jackknife.tsv")]
        out: PathBuf,
    /// The parser.
    Parser {
        #[arg(long)]
        tags: PathBuf,
    },
}

fn main() -> Result<()> {
    let args = Args::parse();
    match args.step {
        Step::Check => corpora::check(&args.data),
        Step::Words => words::make(&args.data, &args.models),
        Step::Parser { tags } => parser::make(&args.data, &args.models, &tags),
        Step::Tagger { test } => tagger::make(&args.data, &args.models, test),
        Step::Relations => relations::make(&args.data, &args.models),
        Step::Wordnet => wordnet::run(&args.data, &args.models),
        Step::Lemma { test } => lemma::make(&args.data, &args.models, test),
        Step::Chunker { held_back } => chunker::make(&args.data, &args.models, held_back),
        Step::Entities { tags, test } => entities::make(&args.data, &args.models, &tags, test),
        Step::Jackknife { out } => jackknife::make(&args.data, &args.models, &out),
    }
}
