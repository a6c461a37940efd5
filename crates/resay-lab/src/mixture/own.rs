//! Reads the pairs of our own: `contrast/training.tsv`, which says whether two texts are equivalent,
//! and the files of `contrast/training/`, which name the relation.

use super::table::{Row, Table};
use super::{BACKWARD, CONTRADICTION, EQUIVALENT, FORWARD, MixturePair, NEUTRAL, NOT_EQUIVALENT};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

pub(super) fn read(repository: &Path) -> Result<Vec<MixturePair>> {
    let folder = repository.join("contrast");
    let mut pairs = Vec::new();
    for row in Table::open(folder.join("training.tsv"))?.rows(1) {
        pairs.push(labelled(&row)?);
    }
    for path in tables(&folder.join("training"))? {
        for row in Table::open(path)?.rows(0) {
            pairs.push(related(&row)?);
        }
    }
    Ok(pairs)
}

/// The tables of a folder, sorted by name; none if there is no such folder.
fn tables(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let here = || folder.display().to_string();
    let entries = std::fs::read_dir(folder).with_context(here)?;
    let mut paths = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "tsv"));
    paths.sort();
    Ok(paths)
}

fn labelled(row: &Row<'_>) -> Result<MixturePair> {
    let [_, phenomenon, source, target, label] = row.exactly()?;
    let allowed = match label {
        "1" => EQUIVALENT,
        "0" => NOT_EQUIVALENT,
        _ => bail!("{row}: the label is '{label}' instead of 0 or 1"),
    };
    let pair = MixturePair::new("own", [source, target], allowed, 1.0);
    Ok(MixturePair { phenomenon: phenomenon.to_owned(), ..pair })
}

fn related(row: &Row<'_>) -> Result<MixturePair> {
    let [phenomenon, domain, source, target, relation] = row.exactly()?;
    let allowed = match relation {
        "equivalent" => EQUIVALENT,
        "forward" => FORWARD,
        "backward" => BACKWARD,
        "contradiction" => CONTRADICTION,
        "neutral" => NEUTRAL,
        _ => {
            bail!("{row}: '{relation}' instead of equivalent, forward, backward, contradiction or neutral")
        }
    };
    let pair = MixturePair::new("own-relations", [source, target], allowed, 1.0);
    Ok(MixturePair { phenomenon: phenomenon.to_owned(), domain: domain.to_owned(), ..pair })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_formats_are_read_and_errors_say_where() {
        let root = std::env::temp_dir().join(format!("resay-own-{}", std::process::id()));
        let training = root.join("contrast/training");
        std::fs::create_dir_all(&training).unwrap();
        let write = |file: &str, text: &str| std::fs::write(root.join("contrast").join(file), text).unwrap();
        write("training.tsv", "id\tphenomenon\tsource\ttarget\tlabel\np1\tname\tAnn left.\tBen left.\t0\n");
        write("training/b.tsv", "negation\tnews\tIt rained.\tIt did not rain.\tcontradiction\n");
        write("training/a.tsv", "detail\tnews\tIt rained hard.\tIt rained.\tforward\n");
        write("training/notes.txt", "Not a table.\n");
        let read = || read(&root);
        let pairs = read().unwrap();
        let shown: Vec<_> = pairs.iter().map(|pair| (pair.corpus, pair.phenomenon.as_str(), pair.allowed)).collect();
        let expected = [
            ("own", "name", NOT_EQUIVALENT),
            ("own-relations", "detail", FORWARD),
            ("own-relations", "negation", CONTRADICTION),
        ];
        assert_eq!(shown, expected);
        write("training/b.tsv", "negation\tnews\tIt rained.\tIt did not rain.\tfalse\n");
        let message = read().unwrap_err().to_string();
        assert!(message.contains("b.tsv:1: 'false' instead of equivalent"), "{message}");
        std::fs::remove_dir_all(&root).unwrap();
    }
}
