//! Arguments of `align`, and the alignment options of other commands: how links are chosen and how
//! an aligner is trained.

use super::choice::choice;
use super::{ColumnArgs, InputArgs, ModelOutput, refuse};
use crate::failure::Usage;
use clap::{Args, ValueEnum};
use resay::align::{Decode, Direction, Merge};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(
    override_usage = "resay align [OPTIONS] <SOURCE> <TARGET>
       resay align [OPTIONS] <FILE>",
    after_long_help = "Examples:
  resay align 'He bought a new car.' 'He purchased a new automobile.'
  resay align --format matrix 'The plan was rejected.' 'They turned down the plan.'
  resay align pairs.tsv > pairs.links
  resay align -m align.resay --format json aligned.json | head -1
  cat pairs.tsv | resay align --threshold 0.2 - | head -2
  resay align --decode grow-diag --units tokens --format aligned pairs.tsv > silver.json"
)]
pub(crate) struct AlignArgs {
    /// The aligner: a file, or a bundled model by name [default: align]
    #[arg(short, long, value_name = "MODEL")]
    pub(crate) model: Option<PathBuf>,
    /// A file of pairs; - is standard input. Or, if TARGET follows, the source text
    ///
    /// The file has plain pairs (.tsv, .jsonl, a corpus) or aligned pairs, whose words are kept as
    /// they are.
    #[arg(value_name = "FILE|SOURCE")]
    pub(crate) file: String,
    /// The target text
    #[arg(value_name = "TARGET")]
    pub(crate) target: Option<String>,
    /// What to print [default: picture for two texts and on a terminal, else pharaoh]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<AlignOutput>,
    /// What a word is [default: words; as in the file for aligned pairs]
    #[arg(long, value_enum, value_name = "UNITS")]
    pub(crate) units: Option<WordUnits>,
    #[command(flatten)]
    pub(crate) decode: DecodeArgs,
    /// The format of FILE [default: guessed]
    ///
    /// For pairs: tsv, csv, jsonl, msrp, rte, trecqa or heilman-smith. For aligned pairs: json
    /// (edinburgh) or msr06.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<String>,
    /// Stop at the first pair that cannot be aligned
    ///
    /// Without it, such a pair gets an empty row and an error on standard error, and the rest is
    /// still aligned. The exit status is 2 in either case.
    #[arg(long)]
    pub(crate) strict: bool,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
}

/// The output format of `align`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AlignOutput {
    /// Links, one line per pair: 0-0 1-2
    Pharaoh,
    /// One object per line: words, links, phrases, confidences
    Json,
    /// One object per line: words and links, for training or correction
    Aligned,
    /// Both texts with marks below, and a list of the phrases that correspond
    Picture,
    /// A grid, shaded by confidence
    Matrix,
}

/// The units that count as words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WordUnits {
    /// English words and punctuation
    Words,
    /// Anything between blanks
    Tokens,
}

/// How links are chosen.
#[derive(Debug, Args)]
pub(crate) struct DecodeArgs {
    /// How links are chosen [default: confident]
    ///
    /// confident takes all links that reach the threshold. best and best-backward take the best
    /// segmentation of the source, or the target, into phrases. The others merge these two.
    #[arg(long, value_name = "HOW", value_parser = choice(&DECODES))]
    pub(crate) decode: Option<Decode>,
    /// Take links of at least this confidence, above 0 up to 1 [default: the model's]
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub(crate) threshold: Option<f64>,
}

const DECODES: [(&str, Decode); 7] = [
    ("confident", Decode::Confident(None)),
    ("best", Decode::Best(Direction::Forward)),
    ("best-backward", Decode::Best(Direction::Backward)),
    ("union", Decode::Merged(Merge::Union)),
    ("intersection", Decode::Merged(Merge::Intersection)),
    ("grow-diag", Decode::Merged(Merge::GrowDiag)),
    ("grow-diag-final", Decode::Merged(Merge::GrowDiagFinal)),
];

impl DecodeArgs {
    /// Returns the decoding method.
    pub(crate) fn choice(&self) -> anyhow::Result<Decode> {
        let decode = self.decode.unwrap_or(Decode::Confident(None));
        let Some(threshold) = self.threshold else { return Ok(decode) };
        if !matches!(decode, Decode::Confident(_)) {
            let message = "--threshold is for --decode confident, the default: leave one of them out";
            return Err(Usage(message.to_owned()).into());
        }
        if !(threshold > 0.0 && threshold <= 1.0) {
            return Err(Usage(format!("--threshold {threshold}: expected a number above 0 and at most 1")).into());
        }
        Ok(Decode::Confident(Some(threshold)))
    }

    /// Returns the options and whether each was given.
    pub(crate) fn typed(&self) -> [(&'static str, bool); 2] {
        [("--decode", self.decode.is_some()), ("--threshold", self.threshold.is_some())]
    }
}

/// Options of `eval` for aligners.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options for aligners")]
pub(crate) struct AlignEvalArgs {
    #[command(flatten)]
    pub(crate) decode: DecodeArgs,
    /// Count possible links as sure
    #[arg(long)]
    pub(crate) possible: bool,
    /// Compare with links of another system, one line per pair: 0-0 1-2
    #[arg(long, value_name = "FILE", conflicts_with = "versus")]
    pub(crate) versus_links: Option<PathBuf>,
}

impl AlignEvalArgs {
    /// Returns an error if any option was given.
    pub(crate) fn refuse(&self) -> anyhow::Result<()> {
        refuse(&self.decode.typed(), "is for aligners")?;
        let typed = [("--possible", self.possible), ("--versus-links", self.versus_links.is_some())];
        refuse(&typed, "is for aligners")
    }
}

/// Arguments of `train align`.
#[derive(Debug, Args)]
pub(crate) struct AlignTraining {
    /// Aligned pairs (.json, MSR06), or links with --sentences; several are joined, - is standard
    /// input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) model: ModelOutput,
    /// Phrases of at most N words; 1 links single words, 3 takes much longer [default: 1]
    #[arg(long, value_name = "N", help_heading = "Learning")]
    pub(crate) longest: Option<usize>,
    /// Use these features only, joined by commas [default: all that fit]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Learning")]
    pub(crate) features: Vec<String>,
    /// Use all features but these; a wrong name lists all
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "features", help_heading = "Learning")]
    pub(crate) without: Vec<String>,
    /// Strength of the L2 penalty on weights [default: 1]
    #[arg(long, value_name = "X", allow_negative_numbers = true, help_heading = "Learning")]
    pub(crate) l2: Option<f64>,
    /// Train on possible links as if they were sure
    #[arg(long, help_heading = "Learning")]
    pub(crate) possible: bool,
    /// Link whole chunks whose words are linked one by one, so that there are phrases to learn
    #[arg(long, help_heading = "Learning")]
    pub(crate) synthesise: bool,
    /// The sentences for the links: a file of pairs, row by row, words split at blanks
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) sentences: Option<PathBuf>,
    #[command(flatten, next_help_heading = "Input")]
    pub(crate) input: InputArgs,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_go_with_confident_links() {
        let check = |name: Option<&str>, threshold: Option<f64>, expected: Result<Decode, &str>| {
            let decode = |name: &str| DECODES.into_iter().find(|(known, _)| *known == name).unwrap().1;
            let args = DecodeArgs { decode: name.map(decode), threshold };
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
        for merge in Merge::ALL {
            check(Some(merge.name()), None, Ok(Decode::Merged(merge)));
        }
    }
}
