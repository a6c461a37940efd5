//! For tests: finds corpora, and keeps count of the checks that are skipped.
//!
//! A check that cannot run here (no corpora, no browser, no valgrind) must not look like one that
//! passed. It says so by [`skip`], and where the variable `RESAY_SKIPS` names a file, a line of
//! that file says so too: `.ci/run` and `.ci/full` name every such check in their last line.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Says that a check is skipped, and why.
pub fn skip(check: &str, why: impl Display) {
    // A skip that is not recorded would look like a check that passed.
    let recorded = record(std::env::var_os("RESAY_SKIPS").as_deref(), check, &why);
    let _ = writeln!(io::stderr(), "SKIPPED: {check} ({why})");
    assert!(recorded.is_ok(), "RESAY_SKIPS: {recorded:?}");
}

/// Appends a line to the file, if there is one. Tests run side by side, so it is written at once.
fn record(file: Option<&OsStr>, check: &str, why: &dyn Display) -> io::Result<()> {
    let Some(file) = file else { return Ok(()) };
    let line = format!("{check} ({why})").replace(['\n', '\r'], " ") + "\n";
    OpenOptions::new().append(true).create(true).open(file)?.write_all(line.as_bytes())
}

/// The folder of the corpora: what `RESAY_DATA` names, else `shared/data` beside the repository.
pub fn corpora() -> PathBuf {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    std::env::var_os("RESAY_DATA").map_or_else(|| PathBuf::from(beside), PathBuf::from)
}

/// A file or folder of the corpora that a check needs; if it is not there, the check is skipped.
pub fn corpus(check: &str, path: &str) -> Option<PathBuf> {
    let found = corpora().join(path);
    if !found.exists() {
        skip(check, format!("no {path} in the folder of the corpora"));
        return None;
    }
    Some(found)
}

/// Whether a device of this name is here; if it is not, the check is skipped.
pub fn has_device(check: &str, path: &Path) -> bool {
    let is_here = path.exists();
    if !is_here {
        skip(check, format!("no {}", path.display()));
    }
    is_here
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_skip_is_one_line() {
        let file = std::env::temp_dir().join(format!("resay-skips-{}", std::process::id()));
        let skips = [("pages", "no browser"), ("counts", "no a\nb")];
        std::thread::scope(|scope| {
            for (check, why) in &skips {
                scope.spawn(|| record(Some(file.as_os_str()), check, why).expect("recorded"));
            }
        });
        let text = std::fs::read_to_string(&file).expect("written");
        std::fs::remove_file(&file).expect("removed");
        let mut lines: Vec<&str> = text.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["counts (no a b)", "pages (no browser)"]);
        assert!(record(None, "pages", &"no browser").is_ok());
        assert!(record(Some(std::env::temp_dir().as_os_str()), "pages", &"a folder").is_err());
    }
}
