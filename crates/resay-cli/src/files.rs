//! No output may overwrite an input, whichever arguments name the two. This is checked once for
//! every command, before any work is done, by the types of its arguments: an [`OutputFile`] is
//! written, every `PathBuf` is read. New arguments are thus protected automatically.

use crate::args::{Common, OutputFile};
use crate::failure::Usage;
use crate::input;
use clap::{Arg, ArgMatches, Command};
use resay::data::Documents;
use std::path::{Path, PathBuf};
use std::{fmt, io};

/// A path and the argument it came from, as the user knows it.
struct Named {
    argument: String,
    path: PathBuf,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.argument, self.path.display())
    }
}

/// Rejects invalid outputs: one that is also an input, two that are the same file, one whose folder
/// is missing.
pub(crate) fn check(cli: &Command, matches: &ArgMatches, common: &Common) -> anyhow::Result<()> {
    let (mut command, mut matches) = (cli, matches);
    while let Some((name, below)) = matches.subcommand() {
        let Some(subcommand) = command.find_subcommand(name) else { break };
        (command, matches) = (subcommand, below);
    }
    let mut files = named(command, matches, OutputFile::path);
    files.retain(|file| !is_standard(&file.path));
    if files.is_empty() {
        return Ok(());
    }
    let mut inputs = named(command, matches, PathBuf::as_path);
    for input in &mut inputs {
        input.path = input::find(common, &input.path);
    }
    for (at, output) in files.iter().enumerate() {
        check_place(&output.path)?;
        check_unread(output, &inputs)?;
        if let Some(other) = files[..at].iter().find(|other| is_same_place(&other.path, &output.path)) {
            let message = format!("{other} and {output} name the same file: give each its own");
            return Err(Usage(message).into());
        }
    }
    Ok(())
}

/// Returns the paths of all arguments of type `T`.
fn named<T: Clone + Send + Sync + 'static>(
    command: &Command,
    matches: &ArgMatches,
    path: impl Fn(&T) -> &Path,
) -> Vec<Named> {
    let mut found = Vec::new();
    for arg in command.get_arguments() {
        // Arguments of another type hold no such paths.
        let Ok(Some(values)) = matches.try_get_many::<T>(arg.get_id().as_str()) else { continue };
        found.extend(values.map(|value| Named { argument: called(arg), path: path(value).to_owned() }));
    }
    found
}

/// Returns the name of an argument as the user knows it: `--relations`, or `FILE`.
fn called(arg: &Arg) -> String {
    match (arg.get_long(), arg.get_short(), arg.get_value_names()) {
        (Some(long), _, _) => format!("--{long}"),
        (None, Some(short), _) => format!("-{short}"),
        (None, None, Some([name, ..])) => name.to_string(),
        _ => arg.get_id().to_string(),
    }
}

fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns the folder of an existing or future file.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Rejects a path that is a folder, or whose folder is missing.
pub(crate) fn check_place(path: &Path) -> resay::Result<()> {
    let fault = |kind: io::ErrorKind, message: String| Err(resay::Error::write(path, io::Error::new(kind, message)));
    if path.is_dir() {
        return fault(io::ErrorKind::IsADirectory, "it is a folder, name a file in it".to_owned());
    }
    let folder = folder_of(path);
    let shown = folder.display();
    match folder.metadata() {
        Ok(there) if there.is_dir() => Ok(()),
        Ok(_) => fault(io::ErrorKind::NotADirectory, format!("{shown} is no folder, write to another")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fault(error.kind(), format!("there is no folder {shown}, make it first or write to another"))
        }
        Err(error) => Err(resay::Error::write(path, error)),
    }
}

/// Rejects an output that is also an input.
fn check_unread(output: &Named, inputs: &[Named]) -> anyhow::Result<()> {
    // A file that does not exist yet or is not a regular file (a terminal, a pipe) cannot be
    // overwritten.
    let Some(written) = identity(&output.path) else { return Ok(()) };
    for input in inputs {
        if is_standard(&input.path) {
            if identity_of_stdin().is_some_and(|read| read == written) {
                return Err(overwritten(output, &format!("{input} (standard input)")));
            }
            continue;
        }
        // A folder stands for the files that are read from it.
        let read = Documents::files_of(&input.path, None).unwrap_or_default();
        if let Some(path) = read.into_iter().find(|path| identity(path).is_some_and(|read| read == written)) {
            let argument = input.argument.clone();
            return Err(overwritten(output, &Named { argument, path }.to_string()));
        }
    }
    Ok(())
}

fn overwritten(output: &Named, input: &str) -> anyhow::Error {
    let message =
        format!("{output} is the same file as {input}, which is read and would be overwritten: write to another file");
    Usage(message).into()
}

/// Returns whether two outputs are or will be the same file.
fn is_same_place(first: &Path, second: &Path) -> bool {
    let place = |path: &Path| Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    match (identity(first), identity(second)) {
        (Some(first), Some(second)) => first == second,
        (None, None) => place(first).is_some_and(|first| Some(first) == place(second)),
        _ => false,
    }
}

/// Returns the identity of a regular file, independent of links to it.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    identity_of(&path.metadata().ok()?)
}

#[cfg(unix)]
fn identity_of(file: &std::fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    file.is_file().then(|| (file.dev(), file.ino()))
}

/// Returns the identity of the file that standard input is redirected from.
#[cfg(unix)]
fn identity_of_stdin() -> Option<(u64, u64)> {
    use std::os::fd::AsFd;
    let stdin = io::stdin().as_fd().try_clone_to_owned().ok()?;
    identity_of(&std::fs::File::from(stdin).metadata().ok()?)
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().filter(|path| path.is_file())
}

#[cfg(not(unix))]
fn identity_of_stdin() -> Option<PathBuf> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use clap::{CommandFactory, ValueHint, value_parser};
    use resay::resources::Resources;
    use std::any::TypeId;

    /// A folder with one file in it, removed afterwards.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Self {
            let path = std::env::temp_dir().join(format!("resay-files-{test}-{}", std::process::id()));
            std::fs::create_dir_all(&path).expect("a temporary folder");
            std::fs::write(path.join("file"), "kept").expect("a file");
            Self(path)
        }

        fn file(&self) -> String {
            self.0.join("file").display().to_string()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    /// Returns the message of the check for a command line, ignoring its other errors.
    fn said(cli: Command, line: &[String]) -> String {
        let mut cli = cli.ignore_errors(true);
        let matches = cli.try_get_matches_from_mut(line).expect("errors are ignored");
        let common =
            Common { json: false, threads: None, seed: 1, quiet: false, data: None, resources: Resources::bundled() };
        check(&cli, &matches, &common).map_or_else(|error| error.to_string(), |()| String::new())
    }

    /// Returns all arguments of all commands, such as `train topics`, including common options.
    fn arguments() -> Vec<(String, Arg)> {
        fn below(command: &Command, found: &mut Vec<(String, Arg)>) {
            for command in command.get_subcommands().filter(|command| command.get_name() != "help") {
                let name = command.get_bin_name().unwrap_or_default().trim_start_matches("resay ").to_owned();
                found.extend(command.get_arguments().map(|arg| (name.clone(), arg.clone())));
                below(command, found);
            }
        }
        let (mut cli, mut found) = (Cli::command(), Vec::new());
        cli.build();
        below(&cli, &mut found);
        found
    }

    fn is<T: 'static>(arg: &Arg) -> bool {
        arg.get_value_parser().type_id() == TypeId::of::<T>()
    }

    /// Returns the argument as typed, preceded by placeholders for earlier positional arguments.
    fn typed(arg: &Arg, value: &str) -> Vec<String> {
        match (arg.get_long(), arg.get_index()) {
            (Some(long), _) => vec![format!("--{long}={value}")],
            (None, Some(index)) => (1..index).map(|_| "other".to_owned()).chain([value.to_owned()]).collect(),
            (None, None) => panic!("{arg} is neither an option nor in a place"),
        }
    }

    #[test]
    fn every_output_is_checked_against_every_input() {
        let folder = Folder::new("all");
        let (file, all) = (folder.file(), arguments());
        let mut n_checked = 0;
        for (command, output) in all.iter().filter(|(_, arg)| is::<OutputFile>(arg)) {
            for (_, input) in all.iter().filter(|(of, arg)| of == command && is::<PathBuf>(arg)) {
                let start: Vec<String> = format!("resay {command}").split(' ').map(str::to_owned).collect();
                let line = [start, typed(output, &file), typed(input, &file)];
                let said = said(Cli::command(), &line.concat());
                let names_both = said.contains(&called(output)) && said.contains(&called(input));
                assert!(names_both && said.contains("be overwritten"), "{line:?}: {said:?}");
                n_checked += 1;
            }
        }
        assert!(n_checked >= 15, "{n_checked} pairs of arguments");
    }

    #[test]
    fn a_new_argument_is_protected_without_anybody_thinking_of_it() {
        let folder = Folder::new("new");
        let cli = || {
            let style = Arg::new("style").long("style").value_parser(value_parser!(PathBuf)).num_args(1..);
            Cli::command().mut_subcommand("compare", |compare| compare.arg(style))
        };
        let line = |html: &str| {
            let line = ["resay", "compare", "a", "b", "--html", html, "--style", "other", &folder.file()];
            said(cli(), &line.map(str::to_owned))
        };
        let refused = line(&folder.file());
        assert!(refused.contains("is the same file as --style "), "{refused}");
        assert_eq!(line(&format!("{}.html", folder.file())), "");
        assert_eq!(line("-"), "");
    }

    #[test]
    fn every_argument_that_names_a_file_says_whether_it_is_written() {
        // A path not in this list is either an input, and belongs here, or an output, and has the
        // wrong type.
        const READ: [&str; 18] = [
            "candidates",
            "constraints",
            "contrast",
            "data",
            "dev",
            "file",
            "file2",
            "files",
            "from",
            "model",
            "new",
            "old",
            "phrases",
            "queries",
            "relations",
            "sentences",
            "versus",
            "versus_links",
        ];
        let mut written = Vec::new();
        for (command, arg) in arguments() {
            let id = arg.get_id().as_str();
            if is::<PathBuf>(&arg) {
                assert!(READ.contains(&id), "{command} {id}: if it is written, make it an OutputFile");
            } else if is::<OutputFile>(&arg) {
                assert_eq!(arg.get_value_hint(), ValueHint::FilePath, "{command} {id}: a shell completes its name");
                written.push(format!("{command} {id}"));
            } else {
                let is_file = |name: &str| ["FILE", "DIR", "MODEL", "OUT"].iter().any(|file| name.contains(file));
                let names_file = arg.get_value_names().is_some_and(|names| names.iter().any(|name| is_file(name)));
                // Either a file or a sentence, and no file is written; or a model to describe or the file of
                // --export, and then no file is read.
                let is_either = matches!((command.as_str(), id), ("align", "file") | ("models", "target"));
                assert!(!names_file || is_either, "{command} {id}: a file, expected a PathBuf or an OutputFile");
            }
        }
        written.sort();
        let expected = [
            "compare html",
            "compare svg",
            "diff html",
            "eval reliability",
            "eval risk",
            "gram output",
            "train align output",
            "train answers output",
            "train entailment output",
            "train names output",
            "train pair output",
            "train paraphrase output",
            "train program output",
            "train similarity output",
            "train topics output",
        ];
        assert_eq!(written, expected);
    }
}
