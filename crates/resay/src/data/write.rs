//! Writes output files atomically. The content goes to a new file beside the target, is synced to
//! disk and only then renamed over the target. An interrupted run, a full disk or a failing writer
//! leaves the old file as it was.

use crate::{Error, Result};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file with `write`, completely or not at all. A target that is not a regular file
/// (`/dev/stdout`, a pipe) cannot be replaced and is written to directly.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let written = match fs::metadata(path) {
        Ok(old) if !old.is_file() => write_through(path, write),
        // Renaming would bypass the protection of a read-only file.
        Ok(old) if old.permissions().readonly() => Err(io::Error::from(io::ErrorKind::PermissionDenied)),
        // A symbolic link is kept: the file it points to is replaced.
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
    // The new name is durable only once the folder is synced. Not every system supports this, and
    // the file is complete either way, so a failure is ignored.
    if let Some(folder) = target.parent()
        && let Ok(folder) = File::open(folder)
    {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// A file that is removed on drop unless it was renamed, even if the writer panics.
struct Temporary {
    path: PathBuf,
    is_renamed: bool,
}

impl Temporary {
    /// Creates `.NAME.PROCESS.NUMBER.tmp` beside the target. The file must not exist, so two runs
    /// never share one.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A separate folder for each test, removed afterwards.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Self {
            let path = std::env::temp_dir().join(format!("resay-write-{test}-{}", std::process::id()));
            fs::create_dir_all(&path).expect("a temporary folder");
            Self(path)
        }

        /// Returns the names and contents of the files in the folder.
        fn files(&self) -> Vec<(String, String)> {
            let mut files: Vec<(String, String)> = fs::read_dir(&self.0)
                .expect("the folder")
                .map(|entry| entry.expect("an entry").path())
                .map(|path| {
                    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                    (name, fs::read_to_string(path).expect("text"))
                })
                .collect();
            files.sort();
            files
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn file(name: &str, content: &str) -> (String, String) {
        (name.to_owned(), content.to_owned())
    }

    #[test]
    fn a_new_file_and_then_a_newer() {
        let folder = Folder::new("new");
        for content in ["one", "two, longer", "3"] {
            write_whole(&folder.0.join("out"), |output| output.write_all(content.as_bytes())).expect("written");
            assert_eq!(folder.files(), [file("out", content)]);
        }
    }

    #[test]
    fn a_writer_that_fails_leaves_the_old_file() {
        let folder = Folder::new("fails");
        let path = folder.0.join("out");
        let fail = |output: &mut dyn Write| {
            // More than any buffer holds, so that some of it reaches the disk.
            output.write_all(&vec![b'x'; 1 << 20])?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        };
        assert!(matches!(write_whole(&path, fail), Err(Error::Write { .. })));
        assert_eq!(folder.files(), []);
        write_whole(&path, |output| output.write_all(b"old")).expect("written");
        let error = write_whole(&path, fail).expect_err("full");
        assert!(error.to_string().starts_with(&format!("cannot write {}: ", path.display())), "{error}");
        assert_eq!(folder.files(), [file("out", "old")]);
    }

    #[test]
    fn a_writer_that_panics_leaves_nothing_behind() {
        let folder = Folder::new("panics");
        let path = folder.0.join("out");
        let panics = || write_whole(&path, |_| panic!("on purpose"));
        assert!(std::panic::catch_unwind(panics).is_err());
        assert_eq!(folder.files(), []);
    }

    #[test]
    fn a_left_over_temporary_file_is_not_touched() {
        let folder = Folder::new("left-over");
        let left_over = format!(".out.{}.0.tmp", std::process::id());
        fs::write(folder.0.join(&left_over), "not ours").expect("written");
        write_whole(&folder.0.join("out"), |output| output.write_all(b"new")).expect("written");
        assert_eq!(folder.files(), [file(&left_over, "not ours"), file("out", "new")]);
    }

    #[test]
    fn a_folder_that_is_not_there_or_is_the_target() {
        let folder = Folder::new("folder");
        for path in [folder.0.join("no/out"), folder.0.clone(), PathBuf::from("/"), PathBuf::new()] {
            let error = write_whole(&path, |output| output.write_all(b"x")).expect_err("cannot be");
            assert!(matches!(error, Error::Write { .. }), "{error}");
        }
        assert_eq!(folder.files(), []);
    }

    #[cfg(unix)]
    #[test]
    fn links_permissions_and_devices() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = Folder::new("unix");
        let (path, link) = (folder.0.join("out"), folder.0.join("link"));
        fs::write(&path, "old").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("permissions");
        symlink("out", &link).expect("a link");
        write_whole(&link, |output| output.write_all(b"new")).expect("written");
        assert!(fs::symlink_metadata(&link).expect("there").file_type().is_symlink());
        assert_eq!(folder.files(), [file("link", "new"), file("out", "new")]);
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);

        fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).expect("permissions");
        assert!(write_whole(&path, |output| output.write_all(b"newer")).is_err());
        assert_eq!(folder.files(), [file("link", "new"), file("out", "new")]);

        let full = Path::new("/dev/full");
        if resay_testing::has_device("writing to a full device, library", full) {
            let error = write_whole(full, |output| output.write_all(b"x")).expect_err("full");
            assert!(matches!(&error, Error::Write { source, .. } if source.kind() == io::ErrorKind::StorageFull));
            assert!(full.exists());
        }
        write_whole(Path::new("/dev/null"), |output| output.write_all(b"x")).expect("a device takes what comes");
    }
}
