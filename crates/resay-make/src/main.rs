//! Makes the files in `models/` that annotation and the lexicon read: trains the annotators, compiles the word tables.
//! Not part of the program that users run. Each step says what it read, what it wrote and what it measured; the same
//! corpora give the same bytes.

mod corpora;
mod jackknife;
mod relations;
mod similar;
mod parser;
mod lemma;
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
        #[arg(long)]
        test: bool,
    },
    /// Tags of the training part by taggers that have not seen it, for the parser to learn from.
    Jackknife {
        /// The file that is written: a line a word, both tags, a blank line after each sentence.
        #[arg(long, default_value = "target/jackknife.tsv")]
        out: PathBuf,
    },
    /// The parser.
    Parser {
        /// The tags to learn from, made by the step `jackknife`.
        #[arg(long, default_value = "target/jackknife.tsv")]
        tags: PathBuf,
        /// Measure on the test part too.
        #[arg(long)]
        test: bool,
    },
}

fn main() -> Result<()> {
    let args = Args::parse();
    match args.step {
        Step::Check => corpora::check(&args.data),
        Step::Words => words::make(&args.data, &args.models),
        Step::Parser { tags, test } => parser::make(&args.data, &args.models, &tags, test),
        Step::Tagger { test } => tagger::make(&args.data, &args.models, test),
        Step::Relations => relations::make(&args.data, &args.models),
        Step::Wordnet => wordnet::run(&args.data, &args.models),
        Step::Lemma { test } => lemma::make(&args.data, &args.models, test),
        Step::Jackknife { out } => jackknife::make(&args.data, &args.models, &out),
    }
}
