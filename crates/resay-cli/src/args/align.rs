//! What `align` is told, and what other commands are told about alignments: how links are chosen, how an aligner learns.

use super::{ColumnArgs, refuse};
use crate::failure::Usage;
use clap::{Args, ValueEnum};
use resay::align::{Decode, Direction, Merge};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  resay align 'He bought a new car.' 'He purchased a new automobile.'
  resay align --format matrix 'The plan was rejected.' 'They turned down the plan.'
  resay align pairs.tsv > pairs.links
  resay align -m align.resay --format json aligned.json | head -1
  cat pairs.tsv | resay align --threshold 0.2 - | head -2
  resay align --decode grow-diag --units tokens --format aligned pairs.tsv > silver.json")]
pub(crate) struct AlignArgs {
    /// The model's file [default: the bundled aligner]
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// A file of pairs (.tsv, .jsonl, a corpus) or of aligned pairs, whose words are kept; - is standard input. Or, if
    /// another follows, the first sentence
    #[arg(value_name = "FILE|SOURCE")]
    pub(crate) file: String,
    /// The second sentence
    #[arg(value_name = "TARGET")]
    pub(crate) target: Option<String>,
    /// What is written [default: picture for two sentences and on a terminal, else pharaoh]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<AlignOutput>,
    /// What a word is [default: words; as they are in a file of aligned pairs]
    #[arg(long, value_enum, value_name = "UNITS")]
    pub(crate) units: Option<WordUnits>,
    #[command(flatten)]
    pub(crate) decode: DecodeArgs,
    /// The format of FILE: tsv, csv, jsonl, msrp, rte, trecqa or heilman-smith of pairs; json (edinburgh) or msr06 of aligned
    /// pairs [default: guessed]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<String>,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
    /// Stop at the first pair that cannot be aligned. Without it such a pair has an empty row, is named on standard error, and
    /// the rest goes on; the exit status is 2 in either case
    #[arg(long)]
    pub(crate) strict: bool,
}

/// What `align` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AlignOutput {
    /// Links, a line a pair: 0-0 1-2
    Pharaoh,
    /// An object a line: words, links, phrases, confidences
    Json,
    /// An object a line: words and links, to be learned from or corrected
    Aligned,
    /// Both sentences with marks below, and a list of what corresponds
    Picture,
    /// A grid, shaded by confidence
    Matrix,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WordUnits {
    /// English words and punctuation
    Words,
    /// What stands between blanks
    Tokens,
}

/// Which links are given.
#[derive(Debug, Args)]
pub(crate) struct DecodeArgs {
    /// How links are chosen: confident (all that are sure enough), best or best-backward (the best way to cut one
    /// sentence), or both ways merged: union, intersection, grow-diag, grow-diag-final [default: confident]
    #[arg(long, value_name = "HOW", value_parser = decode)]
    pub(crate) decode: Option<Decode>,
    /// Links of at least this confidence, above 0 up to 1: the lower, the more [default: the model's]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) threshold: Option<f64>,
}

impl DecodeArgs {
    /// What was asked for.
    pub(crate) fn choice(&self) -> anyhow::Result<Decode> {
        let decode = self.decode.unwrap_or(Decode::Confident(None));
        let Some(threshold) = self.threshold else { return Ok(decode) };
        if !matches!(decode, Decode::Confident(_)) {
            let message = "--threshold is for --decode confident, which it is by default: leave one of them out";
            return Err(Usage(message.to_owned()).into());
        }
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(Usage(format!("--threshold {threshold}: expected a number above 0 and at most 1")).into());
        }
        Ok(Decode::Confident(Some(threshold)))
    }

    /// The options, and whether they were typed.
    pub(crate) fn typed(&self) -> [(&'static str, bool); 2] {
        [("--decode", self.decode.is_some()), ("--threshold", self.threshold.is_some())]
    }
}

/// How `eval` measures an aligner.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for models that align")]
pub(crate) struct AlignEvalArgs {
    #[command(flatten)]
    pub(crate) decode: DecodeArgs,
    /// Count possible links of the file as if they were sure
    #[arg(long)]
    pub(crate) possible: bool,
    /// Compare with these links of another system, a line a pair: 0-0 1-2
    #[arg(long, value_name = "FILE", conflicts_with = "versus")]
    pub(crate) versus_links: Option<PathBuf>,
}

impl AlignEvalArgs {
    /// Says no if any was typed.
    pub(crate) fn refuse(&self) -> anyhow::Result<()> {
        refuse(&self.decode.typed(), "is for models that align")?;
        let typed = [("--possible", self.possible), ("--versus-links", self.versus_links.is_some())];
        refuse(&typed, "is for models that align")
    }
}

/// What only `--task align` is told.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of --task align")]
pub(crate) struct AlignTrainArgs {
    /// Words in a phrase at most: 1 links words, 3 learns phrases as well and takes much longer [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) longest: Option<usize>,
    /// Look at these features only, joined by commas [default: all that fit]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) features: Vec<String>,
    /// Look at all features but these; a wrong name lists all
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "features")]
    pub(crate) without: Vec<String>,
    /// How strongly weights are held near 0 [default: 1]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) l2: Option<f64>,
    /// Learn from possible links as if they were sure
    #[arg(long)]
    pub(crate) possible: bool,
    /// Link chunks that are linked word by word as a whole, so that there are phrases to learn
    #[arg(long)]
    pub(crate) synthesise: bool,
    /// The sentences of a file that has links only: pairs, row by row, words split at blanks
    #[arg(long, value_name = "FILE")]
    pub(crate) sentences: Option<PathBuf>,
}

impl AlignTrainArgs {
    /// Says no if any was typed.
    pub(crate) fn refuse(&self) -> anyhow::Result<()> {
        refuse(
            &[
                ("--longest", self.longest.is_some()),
                ("--features", !self.features.is_empty()),
                ("--without", !self.without.is_empty()),
                ("--l2", self.l2.is_some()),
                ("--possible", self.possible),
                ("--synthesise", self.synthesise),
                ("--sentences", self.sentences.is_some()),
            ],
            "is for --task align only",
        )
    }
}

fn decode(name: &str) -> Result<Decode, String> {
    match name {
        "confident" => return Ok(Decode::Confident(None)),
        "best" => return Ok(Decode::Best(Direction::Forward)),
        "best-backward" => return Ok(Decode::Best(Direction::Backward)),
        _ => {}
    }
    let merge = Merge::ALL.into_iter().find(|merge| merge.name() == name);
    merge.map(Decode::Merged).ok_or_else(|| {
        let merges = Merge::ALL.map(Merge::name).join(", ");
        format!("expected one of confident, best, best-backward, {merges}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_go_with_confident_links() {
        let check = |name: Option<&str>, threshold: Option<f64>, expected: Result<Decode, &str>| {
            let args = DecodeArgs { decode: name.map(|name| decode(name).unwrap()), threshold };
            let found = args.choice().map_err(|error| error.to_string());
            match (&found, expected) {
                (Err(found), Err(expected)) => assert!(found.contains(expected), "{found}"),
                (found, expected) => assert_eq!(*found, expected.map_err(str::to_owned)),
            }
        };
        check(None, None, Ok(Decode::Confident(None)));
        check(None, Some(0.2), Ok(Decode::Confident(Some(0.2))));
        check(Some("confident"), Some(1.0), Ok(Decode::Confident(Some(1.0))));
        check(Some("best-backward"), None, Ok(Decode::Best(Direction::Backward)));
        check(Some("grow-diag"), None, Ok(Decode::Merged(Merge::GrowDiag)));
        check(Some("union"), Some(0.2), Err("--threshold is for --decode confident"));
        for threshold in [0.0, -1.0, 1.1, f64::NAN] {
            check(None, Some(threshold), Err("expected a number above 0 and at most 1"));
        }
        assert!(decode("all").unwrap_err().contains("best-backward, union, intersection, grow-diag, grow-diag-final"));
    }
}
