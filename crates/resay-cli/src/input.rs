//! Opens the files that commands read: pairs, documents, aligned pairs, names, programmes and relations.

use crate::args::{Common, InputArgs, SplitChoice};
use crate::failure::Usage;
use crate::text_file::read_text;
use resay::data::{AlignedPairs, AlignmentFormat, Columns, Dataset, DocumentFormat, Documents, Format, Names};
use resay::data::{PairReader, Programs, Table, open};
use resay::latent::sentences::AlignmentConstraints;
use resay::model::{Decision, PairModel, Prediction};
use resay_learn::progress::Progress;
use resay_text::lexicon::OwnRelations;
use resay_view::text;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// Returns the path as given, or under the data folder if the file exists only there.
pub(crate) fn find(common: &Common, path: &Path) -> PathBuf {
    if path.is_relative()
        && path != Path::new("-")
        && !path.exists()
        && let Some(folder) = &common.data
        && folder.join(path).exists()
    {
        return folder.join(path);
    }
    path.to_owned()
}

/// Opens a reader of pairs. Columns recognised by non-standard names are reported on standard
/// error.
pub(crate) fn pair_reader<'a>(
    common: &Common,
    name: &str,
    input: impl BufRead + Send + 'a,
    format: Option<Format>,
    columns: &Columns,
) -> anyhow::Result<PairReader<'a>> {
    let pairs = PairReader::new(name, input, format, columns)?;
    if !common.quiet && !pairs.recognised().is_empty() {
        let taken = pairs.recognised().iter().map(|(column, field)| format!("\"{}\" as {field}", text::clean(column)));
        // Ignored: nothing can be done if standard error is closed.
        let _ = writeln!(std::io::stderr(), "{name}: taking {}", taken.collect::<Vec<_>>().join(", "));
    }
    Ok(pairs)
}

/// Reads the pairs of a file.
pub(crate) fn pairs(
    common: &Common,
    path: &Path,
    format: Option<Format>,
    columns: &Columns,
) -> anyhow::Result<Dataset> {
    let (name, input) = open(&find(common, path))?;
    Ok(Dataset::collect(pair_reader(common, &name, input, format, columns)?)?)
}

/// Joins the tables of several files. `what` names their contents in messages.
fn joined<R>(
    paths: &[PathBuf],
    what: &str,
    read: impl FnMut(&PathBuf) -> anyhow::Result<Table<R>>,
) -> anyhow::Result<Table<R>> {
    let joined = Table::joined(paths.iter().map(read))?;
    joined.ok_or_else(|| Usage(format!("no file of {what}, expected at least one")).into())
}

/// Reads and joins the pairs of several files.
pub(crate) fn joined_pairs(common: &Common, paths: &[PathBuf], input: &InputArgs) -> anyhow::Result<Dataset> {
    let (columns, format) = (input.columns.columns(), input.of_pairs()?);
    let mut joined = joined(paths, "pairs", |path| pairs(common, path, format, &columns))?;
    if paths.len() > 1 {
        joined.name = joined_name(paths);
    }
    Ok(joined)
}

/// A model stores the names of its data without folders. Errors in a line still name the file that
/// contains it.
fn joined_name(paths: &[PathBuf]) -> String {
    let name = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    paths.iter().map(name).collect::<Vec<_>>().join("+")
}

/// Reads and joins the true name pairs of several files.
pub(crate) fn joined_names(common: &Common, paths: &[PathBuf]) -> anyhow::Result<Names> {
    let mut joined = joined(paths, "names", |path| Ok(Names::read(&find(common, path))?))?;
    joined.name = joined_name(paths);
    Ok(joined)
}

/// Reads the aligned pairs of a file.
pub(crate) fn aligned_pairs(
    common: &Common,
    path: &Path,
    format: Option<AlignmentFormat>,
) -> anyhow::Result<AlignedPairs> {
    Ok(AlignedPairs::read(&find(common, path), format)?)
}

/// Reads and joins the aligned pairs of several files.
pub(crate) fn joined_aligned_pairs(
    common: &Common,
    paths: &[PathBuf],
    format: Option<AlignmentFormat>,
) -> anyhow::Result<AlignedPairs> {
    let mut joined = joined(paths, "aligned pairs", |path| aligned_pairs(common, path, format))?;
    joined.name = joined_name(paths);
    Ok(joined)
}

/// Reads the documents of a file or folder, restricted to one split if the corpus has splits.
pub(crate) fn documents(
    common: &Common,
    path: &Path,
    format: Option<DocumentFormat>,
    choice: SplitChoice,
) -> anyhow::Result<Documents> {
    let mut documents = Documents::read(&find(common, path), format)?;
    let Some(split) = choice.split() else { return Ok(documents) };
    let n_all = documents.len();
    documents.retain_split(split);
    if documents.is_empty() {
        let part = if choice == SplitChoice::Train { "train" } else { "test" };
        let message = format!("none of its {n_all} documents is in the part {part}: choose another with --split");
        return Err(resay::Error::file(&documents.name, message).into());
    }
    Ok(documents)
}

/// Rejects a table with source and target columns: it holds pairs, and its lines would silently be
/// read as documents.
pub(crate) fn refuse_pairs(path: &Path, why: &str) -> anyhow::Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    let (name, file) = open(path)?;
    let mut line = Vec::new();
    file.take(1 << 16).read_until(b'\n', &mut line).map_err(|error| resay::Error::read(path, error))?;
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line);
    let is_header = |between: u8| {
        let heads = line.split(|byte| *byte == between).map(<[u8]>::trim_ascii);
        let has = |spellings: [&[u8]; 2]| heads.clone().any(|head| spellings.contains(&head));
        has([b"source", b"\"source\""]) && has([b"target", b"\"target\""])
    };
    if is_header(b'\t') || is_header(b',') {
        return Err(Usage(format!("{name} has pairs, but {why}")).into());
    }
    Ok(())
}

/// Reads and joins the documents of several files or folders.
pub(crate) fn joined_documents(
    common: &Common,
    paths: &[PathBuf],
    format: Option<DocumentFormat>,
    choice: SplitChoice,
) -> anyhow::Result<Documents> {
    let mut joined = joined(paths, "documents", |path| documents(common, path, format, choice))?;
    if paths.len() > 1 {
        joined.name = joined_name(paths);
    }
    Ok(joined)
}

/// The programmes of a file.
pub(crate) fn programs(common: &Common, path: &Path) -> resay::Result<Programs> {
    Programs::read(&find(common, path))
}

/// The programmes of several files, joined.
pub(crate) fn joined_programs(common: &Common, paths: &[PathBuf]) -> anyhow::Result<Programs> {
    let Some((first, others)) = paths.split_first() else {
        return Err(Usage("no file of programmes, expected at least one".to_owned()).into());
    };
    let mut joined = programs(common, first)?;
    for path in others {
        joined.append(programs(common, path)?);
    }
    if !others.is_empty() {
        joined.name = joined_name(paths);
    }
    Ok(joined)
}

/// Reads the user's own word relations from any number of files.
pub(crate) fn relations(common: &Common, paths: &[PathBuf]) -> anyhow::Result<OwnRelations> {
    let mut relations = OwnRelations::new();
    for path in paths {
        let path = find(common, path);
        let file = File::open(&path).map_err(|error| resay::Error::read(&path, error))?;
        relations.read(&path.display().to_string(), BufReader::new(file))?;
    }
    Ok(relations)
}

/// Reads the user's own tables of phrases: the name and the text of each.
pub(crate) fn phrases(common: &Common, paths: &[PathBuf]) -> anyhow::Result<Vec<(String, String)>> {
    let table = |path: &PathBuf| {
        let path = find(common, path);
        Ok((path.display().to_string(), read_text(&path)?))
    };
    paths.iter().map(table).collect()
}

/// Reads the constraints on a latent alignment, if there are any.
pub(crate) fn constraints(common: &Common, path: Option<&Path>) -> anyhow::Result<AlignmentConstraints> {
    match path {
        None => Ok(AlignmentConstraints::default()),
        Some(path) => Ok(AlignmentConstraints::open(&find(common, path))?),
    }
}

/// Returns a model's answers for the pairs of a file. The error for a pair that cannot be judged
/// names its line.
pub(crate) fn predictions(model: &dyn PairModel, dataset: &Dataset) -> anyhow::Result<Vec<Prediction>> {
    let found = model.predict(&dataset.rows, |pair| (&pair.source, &pair.target), Progress::none())?;
    let named = |(row, result): (usize, resay::Result<Prediction>)| {
        result.map_err(|error| dataset.error(row, error.to_string()).into())
    };
    found.into_iter().enumerate().map(named).collect()
}

/// The same for a model of yes or no.
pub(crate) fn decisions(model: &dyn PairModel, dataset: &Dataset) -> anyhow::Result<Vec<Decision>> {
    Ok(predictions(model, dataset)?.iter().map(Prediction::decision).collect::<resay::Result<_>>()?)
}

/// Returns the size of a regular file, or 0 for anything else, such as a pipe, whose size is
/// unknown.
pub(crate) fn file_size(path: &Path) -> usize {
    path.metadata().ok().filter(|file| file.is_file()).map_or(0, |file| file.len() as usize)
}
