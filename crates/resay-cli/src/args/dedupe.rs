//! Arguments of `dedupe`.

use super::PhraseArgs;
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    after_long_help = "Every two sentences whose words are similar enough are judged, however many there are, up to a bound
that is told; docs/dedupe.md says what that can miss.

Examples:
  resay dedupe notes.txt
  resay dedupe --quiet --keep notes.txt > once.txt
  resay dedupe --quiet --pairs --threshold 0.8 notes.txt
  cat documents.jsonl | resay dedupe --quiet --json - | head -1"
)]
pub(crate) struct DedupeArgs {
    /// One sentence per line, or JSON lines with text and id; - is standard input
    pub(crate) file: PathBuf,
    /// The model: a file, or a bundled model by name [default: judge]
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// Minimum probability for two sentences to count as saying the same
    #[arg(long, value_name = "P", default_value_t = resay::dedupe::DedupeOptions::default().threshold, value_parser = probability)]
    pub(crate) threshold: f64,
    /// Print the file without lines that say the same as an earlier line
    #[arg(long, conflicts_with_all = ["pairs", "json"])]
    pub(crate) keep: bool,
    /// Print every judged pair as a table
    #[arg(long)]
    pub(crate) pairs: bool,
    /// Judge at most N pairs, the most promising ones
    ///
    /// The default is 50,000 plus three for every two sentences.
    #[arg(long, value_name = "N")]
    pub(crate) max_pairs: Option<usize>,
    /// The format: lines or jsonl [default: guessed]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,
    #[command(flatten)]
    pub(crate) own: PhraseArgs,
}

fn probability(typed: &str) -> Result<f64, String> {
    match typed.parse::<f64>() {
        Ok(value) if value > 0.0 && value <= 1.0 => Ok(value),
        _ => Err("expected a probability above 0 and at most 1".to_owned()),
    }
}
