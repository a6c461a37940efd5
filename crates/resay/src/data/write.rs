//! Output files are whole or absent. Everything is written to a new file beside the target, brought to the disk and
//! only then renamed over it, so an interrupted run, a full disk or a failing writer leaves the old file as it was.

use crate::{Error, Result};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file by `write`, whole or not at all. A target that is no ordinary file (`/dev/stdout`, a pipe) cannot be
/// replaced and is written to as it is.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let written = match fs::metadata(path) {
        Ok(old) if !old.is_file() => write_through(path, write),
        // A symbolic link stays one: what it points to is replaced.
        Ok(old) => fs::canonicalize(path).and_then(|target| replace(&target, Some(old.permissions()), write)),
        Err(_) => replace(path, None, write),
    };
    written.map_err(|source| Error::write(path, source))
}

fn write_through(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut output = BufWriter::new(OpenOptions::new().write(true).open(path)?);
    write(&mut output)?;
    output.flush()
}

fn replace(
    target: &Path,
    permissions: Option<fs::Permissions>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let (mut temporary, file) = Temporary::beside(target)?;
    let mut output = BufWriter::new(file);
    write(&mut output)?;
    let file = output.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.sync_all()?;
    drop(file);
    fs::rename(&temporary.path, target)?;
    temporary.is_renamed = true;
    // The new name is on the disk only when the folder is. Not every system can do this, and the file is whole either
    // way, so a refusal is no fault.
    if let Some(folder) = target.parent()
        && let Ok(folder) = File::open(folder)
    {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A file that is removed again unless it was renamed, also when the writer panics.
struct Temporary {
    path: PathBuf,
    is_renamed: bool,
}

impl Temporary {
    /// Creates `.NAME.PROCESS.NUMBER.tmp` beside the target. The file must be new, so two runs never share one.
    fn beside(target: &Path) -> io::Result<(Self, File)> {
        let name = target.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "not a file name"))?;
        let process = std::process::id();
        let mut number = 0;
        loop {
            let mut hidden = OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{process}.{number}.tmp"));
            let path = target.with_file_name(hidden);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok((Self { path, is_renamed: false }, file)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 1000 => number += 1,
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_renamed {
            let _ = fs::remove_file(&self.path);
        }
    }
}
