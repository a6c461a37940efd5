//! Input options: models, formats, column names, splits of a corpus. A format is kept as typed,
//! since only the command knows (often from its model) whether it reads pairs or documents.

use crate::failure::Usage;
use clap::{Args, ValueEnum};
use resay::data::{AlignmentFormat, Columns, DocumentFormat, FileFormat, Format, Split};

/// Options for reading pairs or documents.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// The format: tsv, csv, jsonl, msrp, rte, trecqa or heilman-smith for pairs; json (edinburgh),
    /// msr06 or pharaoh for aligned pairs; jsonl, lines or reuters for documents [default: guessed]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<String>,
    #[command(flatten)]
    pub(crate) columns: ColumnArgs,
}

impl InputArgs {
    pub(crate) fn of_pairs(&self) -> anyhow::Result<Option<Format>> {
        pair_format(self.format.as_deref())
    }

    /// Returns the format of aligned pairs, which have no columns.
    pub(crate) fn of_alignments(&self) -> anyhow::Result<Option<AlignmentFormat>> {
        named(self.format.as_deref(), &[("pairs", |name| Format::by_name(name).is_ok())], "aligned pairs")
    }

    /// Returns the format of documents, which have no columns.
    pub(crate) fn of_documents(&self) -> anyhow::Result<Option<DocumentFormat>> {
        self.columns.refuse()?;
        document_format(self.format.as_deref())
    }

    /// Says no if anything was typed: programmes have one format.
    pub(crate) fn refuse_for_programs(&self) -> anyhow::Result<()> {
        let why = "does not apply to programmes, which are JSON lines with fixed keys";
        refuse(&[("--format", self.format.is_some())], why)?;
        self.columns.refuse_as(why)
    }
}

/// Finds a pair format by name.
pub(crate) fn pair_format(name: Option<&str>) -> anyhow::Result<Option<Format>> {
    let others: [Others<'_>; 2] = [
        ("documents", |name| DocumentFormat::by_name(name).is_ok()),
        ("aligned pairs", |name| AlignmentFormat::by_name(name).is_ok()),
    ];
    named(name, &others, "pairs")
}

/// Another kind of input, and whether it has a format of a given name.
type Others<'a> = (&'a str, fn(&str) -> bool);

/// Finds a format by name. The error distinguishes the format of another kind of input from an
/// unknown one.
fn named<F: FileFormat>(name: Option<&str>, others: &[Others<'_>], what: &str) -> anyhow::Result<Option<F>> {
    let Some(name) = name else { return Ok(None) };
    match (F::by_name(name), others.iter().find(|(_, is_known)| is_known(name))) {
        (Err(_), Some((others, _))) => {
            let known = F::names();
            Err(Usage(format!("format {name} is one of {others}, but {what} are read here, as one of {known}")).into())
        }
        (format, _) => Ok(Some(format?)),
    }
}

/// Finds a document format by name.
pub(crate) fn document_format(name: Option<&str>) -> anyhow::Result<Option<DocumentFormat>> {
    Ok(name.map(str::parse).transpose()?)
}

/// Options for column names.
#[derive(Debug, Args)]
#[command(next_help_heading = "Columns or keys of the pairs")]
pub(crate) struct ColumnArgs {
    /// The first text [default: source, or a common name such as question1]
    #[arg(long, value_name = "NAME")]
    pub(crate) source_column: Option<String>,
    /// The second text [default: target, or a common name such as question2]
    #[arg(long, value_name = "NAME")]
    pub(crate) target_column: Option<String>,
    /// The label [default: label, or a common name such as gold_label]
    #[arg(long, value_name = "NAME")]
    pub(crate) label_column: Option<String>,
    /// The id of the pair [default: id]
    #[arg(long, value_name = "NAME")]
    pub(crate) id_column: Option<String>,
    /// The group of the pair, such as its question [default: group]
    #[arg(long, value_name = "NAME")]
    pub(crate) group_column: Option<String>,
}

impl ColumnArgs {
    pub(crate) fn columns(&self) -> Columns {
        let default = Columns::default();
        let name = |typed: &Option<String>, default: String| typed.clone().unwrap_or(default);
        Columns {
            source: name(&self.source_column, default.source),
            target: name(&self.target_column, default.target),
            label: name(&self.label_column, default.label),
            id: name(&self.id_column, default.id),
            group: name(&self.group_column, default.group),
        }
    }

    /// Returns an error if any was given: documents have fixed keys.
    pub(crate) fn refuse(&self) -> anyhow::Result<()> {
        self.refuse_as("is for pairs, but documents are read here")
    }

    /// Returns an error with this reason if any was given.
    pub(crate) fn refuse_as(&self, why: &str) -> anyhow::Result<()> {
        refuse(
            &[
                ("--source-column", self.source_column.is_some()),
                ("--target-column", self.target_column.is_some()),
                ("--label-column", self.label_column.is_some()),
                ("--id-column", self.id_column.is_some()),
                ("--group-column", self.group_column.is_some()),
            ],
            why,
        )
    }
}

/// Returns an error for the first option that was given.
pub(crate) fn refuse(options: &[(&str, bool)], why: &str) -> anyhow::Result<()> {
    match options.iter().find(|(_, is_typed)| *is_typed) {
        Some((name, _)) => Err(Usage(format!("{name} {why}: leave it out")).into()),
        None => Ok(()),
    }
}

/// Selects a split of a corpus of documents.
#[derive(Debug, Args)]
pub(crate) struct SplitArg {
    /// Which split of a corpus to read (reuters) [default: train for train, test for eval, else
    /// all]
    #[arg(long, value_enum, value_name = "SPLIT", hide_possible_values = true)]
    pub(crate) split: Option<SplitChoice>,
}

impl SplitArg {
    /// Returns an error if it was given.
    pub(crate) fn refuse(&self) -> anyhow::Result<()> {
        refuse(&[("--split", self.split.is_some())], "is for documents, but none are read here")
    }
}

/// The values of [`SplitArg`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SplitChoice {
    /// Training documents
    Train,
    /// Test documents
    Test,
    /// All documents, including unused ones
    All,
}

impl SplitChoice {
    /// Returns the split, or `None` for all documents.
    pub(crate) fn split(self) -> Option<Split> {
        match self {
            Self::Train => Some(Split::Train),
            Self::Test => Some(Split::Test),
            Self::All => None,
        }
    }
}
