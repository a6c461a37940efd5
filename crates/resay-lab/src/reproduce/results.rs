//! The results folder and its file formats: CSV (RFC 4180), with drawings beside it.

use super::{Row, Scored};
use anyhow::{Context, Result, bail};
use resay::data::write_whole;
use std::path::{Path, PathBuf};

/// The columns of a table's CSV file.
const HEADS: [&str; 9] = ["dataset", "system", "protocol", "cost", "metric", "value", "paper", "held_out", "note"];

/// A results folder, created when the first file is written.
pub(crate) struct Results<'a>(&'a Path);

impl<'a> Results<'a> {
    /// Rejects a folder in which writing could overwrite a corpus.
    pub(crate) fn new(folder: &'a Path, corpora: &Path) -> Result<Self> {
        let results = Self(folder);
        // A folder that does not exist yet contains nothing.
        let Ok(written) = folder.canonicalize() else { return Ok(results) };
        let Ok(read) = corpora.canonicalize() else { return Ok(results) };
        let (shown, corpora) = (folder.display(), corpora.display());
        if written == read {
            bail!("--results {shown} is where --data {corpora} is read, write to another folder");
        }
        for entry in written.read_dir().with_context(|| format!("--results {shown}"))? {
            let entry = entry.with_context(|| format!("--results {shown}"))?.path();
            let leads_out = entry.canonicalize().ok().filter(|there| !there.starts_with(&written));
            if leads_out.is_some_and(|there| there.starts_with(&read)) {
                let entry = entry.display();
                bail!("--results {shown}: {entry} leads to what --data {corpora} reads, write to another folder");
            }
        }
        Ok(results)
    }

    /// Writes a file atomically and returns its path.
    pub(crate) fn write(&self, name: &str, content: &str) -> Result<PathBuf> {
        std::fs::create_dir_all(self.0).map_err(|error| resay::Error::write(self.0, error))?;
        let path = self.0.join(name);
        write_whole(&path, |file| file.write_all(content.as_bytes()))?;
        Ok(path)
    }

    /// Writes the rows of a table.
    pub(crate) fn write_rows(&self, name: &str, rows: &[Row]) -> Result<PathBuf> {
        self.write(name, &csv(&table(HEADS, rows, 4)))
    }

    /// Writes the score of every test example.
    pub(crate) fn write_scores(&self, name: &str, scores: &[Scored]) -> Result<PathBuf> {
        let mut lines = vec![["dataset", "system", "id", "label", "score"].map(str::to_owned).to_vec()];
        for row in scores {
            let label = if row.label { "1" } else { "0" };
            let cells = [row.dataset, &row.system, &row.id, label, &format!("{:.6}", row.score)];
            lines.push(cells.map(str::to_owned).to_vec());
        }
        self.write(name, &csv(&lines))
    }
}

/// A header line and one line per row, with `decimals` decimals.
pub(crate) fn table(heads: [&str; 9], rows: &[Row], decimals: usize) -> Vec<Vec<String>> {
    // Percentages with the given decimals, shares (MAP, MRR) with two more.
    let figure =
        |value: f64| if value > 1.0 { format!("{value:.decimals$}") } else { format!("{value:.0$}", decimals + 2) };
    let mut lines = vec![heads.map(str::to_owned).to_vec()];
    for row in rows {
        lines.push(vec![
            row.dataset.to_owned(),
            row.system.clone(),
            row.protocol.to_owned(),
            if row.cost > 0.0 { row.cost.to_string() } else { String::new() },
            row.metric.to_owned(),
            figure(row.value),
            row.paper.map_or_else(String::new, |paper| paper.to_string()),
            row.held_out.map_or_else(String::new, figure),
            row.note.clone(),
        ]);
    }
    lines
}

/// RFC 4180: cells with a comma, a quote or a line break are quoted.
pub(crate) fn csv(lines: &[Vec<String>]) -> String {
    let cell = |cell: &String| {
        if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.clone() }
    };
    lines.iter().map(|line| line.iter().map(cell).collect::<Vec<_>>().join(",") + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder(test: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("resay-lab-results-{test}-{}", std::process::id()));
        fs::create_dir_all(folder.join("corpora")).expect("a temporary folder");
        fs::write(folder.join("corpora/kept.txt"), "kept").expect("a file");
        folder
    }

    #[test]
    fn tables_are_not_written_among_corpora() {
        let folder = folder("corpora");
        let refused = |results: &Path| {
            let corpora = folder.join("corpora");
            Results::new(results, &corpora).err().map_or_else(String::new, |error| error.to_string())
        };
        for results in ["corpora", "./corpora/", "corpora/../corpora"] {
            let said = refused(&folder.join(results));
            assert!(said.contains("is where --data "), "{results}: {said}");
        }
        for results in ["new", "corpora/new", "."] {
            assert_eq!(refused(&folder.join(results)), "", "{results}");
        }
        #[cfg(unix)]
        {
            fs::create_dir(folder.join("results")).expect("a folder");
            let link = folder.join("results/srk.csv");
            std::os::unix::fs::symlink("../corpora/kept.txt", link).expect("a link");
            let said = refused(&folder.join("results"));
            assert!(said.contains("srk.csv leads to what --data "), "{said}");
        }
        assert_eq!(fs::read_to_string(folder.join("corpora/kept.txt")).expect("text"), "kept");
        fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn a_folder_is_made_and_files_are_replaced() {
        let folder = folder("made");
        let above = folder.join("a/b");
        let results = Results::new(&above, &folder.join("corpora")).expect("not there yet");
        for content in ["one", "two"] {
            let path = results.write("x.csv", content).expect("written");
            assert_eq!(fs::read_to_string(path).expect("text"), content);
        }
        let file = folder.join("corpora/kept.txt");
        let said = Results(&file).write("x.csv", "").map_or_else(|error| error.to_string(), |_| String::new());
        assert!(said.contains("cannot write "), "{said}");
        fs::remove_dir_all(folder).expect("removed");
    }

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        let lines = [vec!["a,b".to_owned(), "said \"no\"".to_owned(), "c".to_owned()], vec!["d".to_owned()]];
        assert_eq!(csv(&lines), "\"a,b\",\"said \"\"no\"\"\",c\nd\n");
    }
}
