//! Tests of the module structure. Each module may use what its row of [`ALLOWED`] lists and nothing
//! else; ARCHITECTURE.md prints the same rows, so a change to the structure changes both. The tests
//! also check what the libraries must not do: print, read the environment, hold global state.

mod scan;

use scan::Use;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A module of the crate `resay`, and what else of the crate it may use: a whole module, or only
/// items below a path. The rows follow the flow of the data. A module without a row may use
/// nothing.
const ALLOWED: [(&str, &str); 19] = [
    ("bundled", ""),
    ("id", ""),
    ("explain", "id"),
    ("data", ""),
    ("kernel", "id"),
    ("align", "explain id"),
    ("latent", "align data::ProgramExample explain id"),
    ("resources", "align bundled"),
    ("pair", "align resources"),
    ("features", "align explain id latent pair"),
    ("relate", "align explain features id latent pair"),
    (
        "model",
        "align data::GroupedBy data::ProgramExample data::write_whole explain features id kernel latent pair relate resources",
    ),
    ("dedupe", "model pair"),
    ("diff", "align explain id model pair"),
    ("train", "align data explain features id kernel latent model pair relate resources"),
    ("judge", "data::write_whole dedupe diff explain model resources"),
    ("pair_kernel", "kernel resources"),
    ("phrase_aligner", "align model resources"),
    ("training", "data judge resources train"),
];

/// The library crates: they print nothing and read nothing that is not passed to them.
const LIBRARIES: [&str; 3] = ["crates/resay-learn/src", "crates/resay-text/src", "crates/resay/src"];

/// Re-exports what the crate root exports.
const PRELUDE: &str = "prelude";

const MAX_LINES: usize = 700;
const PRINTING: [&str; 5] = ["print", "println", "eprint", "eprintln", "dbg"];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns all Rust files below a folder, as sorted paths relative to the repository, with `/` as
/// separator.
fn rust_files(folder: &str) -> Vec<String> {
    let mut files = Vec::new();
    let entries = fs::read_dir(repository().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    for entry in entries.map(|entry| entry.unwrap()) {
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            files.extend(rust_files(&path));
        } else if path.ends_with(".rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Returns the source files of all crates.
fn all_sources() -> Vec<String> {
    let crates = fs::read_dir(repository().join("crates")).unwrap().map(|entry| entry.unwrap());
    let folders = crates.map(|entry| format!("crates/{}/src", entry.file_name().to_string_lossy()));
    let mut files: Vec<String> =
        folders.filter(|folder| repository().join(folder).is_dir()).flat_map(|folder| rust_files(&folder)).collect();
    files.sort();
    files
}

/// Returns the non-test files of a library with their code.
fn library(folder: &str) -> Vec<(String, String)> {
    let sources: Vec<(String, String)> =
        rust_files(folder).into_iter().map(|path| (path.clone(), read(&path))).collect();
    let mut for_tests = BTreeSet::new();
    for (path, source) in &sources {
        let folder = match path.rsplit_once('/').unwrap() {
            (folder, "mod.rs" | "lib.rs") => folder,
            _ => path.strip_suffix(".rs").unwrap(),
        };
        for name in scan::test_files(source) {
            for_tests.extend([format!("{folder}/{name}.rs"), format!("{folder}/{name}/mod.rs")]);
        }
    }
    let kept = sources.into_iter().filter(|(path, _)| !for_tests.contains(path));
    kept.map(|(path, source)| (path, scan::code_only(&source))).collect()
}

/// Returns the module path of a file of the library; empty for the crate root.
fn module_of(path: &str) -> Vec<&str> {
    let inner = path.split_once("/src/").unwrap().1.strip_suffix(".rs").unwrap();
    let mut steps: Vec<&str> = inner.split('/').collect();
    if matches!(steps.last(), Some(&("mod" | "lib"))) {
        steps.pop();
    }
    steps
}

/// Returns what is wrong with a use in a module of the library, if anything. The crate root and
/// the prelude may use everything.
fn fault(module: &[&str], used: &Use) -> Option<String> {
    let from = *module.first().filter(|module| **module != PRELUDE)?;
    let path: Vec<&str> = used.path.iter().map(String::as_str).collect();
    match path.first().copied() {
        Some("std") => return None,
        // The common error type, re-exported at the root of this crate.
        Some("Error" | "Result") => return None,
        _ => {}
    }
    if path.first() == Some(&from) {
        return None;
    }
    let row = ALLOWED.iter().find(|(name, _)| *name == from).map_or("", |(_, row)| *row);
    let path = path.join("::");
    let is_allowed = row.split(' ').any(|entry| path == entry || path.starts_with(&format!("{entry}::")));
    let shown = if path.is_empty() { "the whole crate" } else { &path };
    (!is_allowed).then(|| format!("{from} uses {shown}, allowed: {row}"))
}

fn assert_none(faults: &[String], what_to_do: &str) {
    assert!(faults.is_empty(), "\n{}\n{what_to_do}", faults.join("\n"));
}

#[test]
fn modules_use_only_what_they_may() {
    let mut faults = Vec::new();
    let mut n_uses = 0;
    for (path, code) in library("crates/resay/src") {
        let module = module_of(&path);
        for used in scan::uses(&module, &code) {
            n_uses += 1;
            faults.extend(fault(&module, &used).map(|fault| format!("{path}:{}: {fault}", used.line)));
        }
    }
    assert!(n_uses > 100, "only {n_uses} uses were found: the scanner is broken");
    assert_none(&faults, "Move the code, or change the row in tests/it/architecture.rs and in ARCHITECTURE.md.");
}

#[test]
fn a_wrong_use_is_found() {
    let check = |module: &[&str], code: &str, expected: &[&str]| {
        let found: Vec<String> = scan::uses(module, code).iter().filter_map(|used| fault(module, used)).collect();
        assert_eq!(found, expected, "{code}");
    };
    let to_kernel = "allowed: id";
    check(&["kernel", "list"], "use crate::pair::PairView;", &[&format!("kernel uses pair::PairView, {to_kernel}")]);
    check(&["kernel"], "use crate::{data, id};", &[&format!("kernel uses data, {to_kernel}")]);
    check(&["kernel"], "use crate::data::*;", &[&format!("kernel uses data::*, {to_kernel}")]);
    check(&["kernel"], "fn f(x: super::data::Dataset) {}", &[&format!("kernel uses data::Dataset, {to_kernel}")]);
    check(&["kernel"], "use crate::*;", &[&format!("kernel uses *, {to_kernel}")]);
    check(&["kernel"], "use crate as all;", &[&format!("kernel uses the whole crate, {to_kernel}")]);
    check(&["kernel", "list"], "use crate::id::Rule; use super::Index; use crate::{Error, Result};", &[]);
    check(&["newcomer"], "use crate::data::Dataset;", &["newcomer uses data::Dataset, allowed: "]);
    let row = ALLOWED.iter().find(|(name, _)| *name == "model").unwrap().1;
    check(&["model"], "use crate::data::Dataset;", &[&format!("model uses data::Dataset, allowed: {row}")]);
    check(&["model"], "use crate::data::write_whole; use resay_learn::calibrate::Platt;", &[]);
    check(&[], "pub use crate::train::train;", &[]);
}

#[test]
fn the_rows_have_no_circle_and_every_module_has_one() {
    for (at, (module, row)) in ALLOWED.iter().enumerate() {
        for entry in row.split_whitespace() {
            let used = entry.split("::").next().unwrap();
            let is_before = ALLOWED[..at].iter().any(|(name, _)| *name == used);
            assert!(is_before, "{module} may use {entry}, which does not stand above it");
        }
    }
    let modules: BTreeSet<String> = library("crates/resay/src")
        .iter()
        .filter_map(|(path, _)| module_of(path).first().map(|&name| name.to_owned()))
        .collect();
    for module in modules.into_iter().filter(|module| module != PRELUDE) {
        assert!(ALLOWED.iter().any(|(name, _)| *name == module), "{module} has no row in tests/it/architecture.rs");
    }
}

#[test]
fn the_library_neither_prints_nor_looks_around_nor_remembers() {
    let mut faults = Vec::new();
    for (path, code) in LIBRARIES.into_iter().flat_map(library) {
        let printing =
            scan::macros(&PRINTING, &code).into_iter().map(|(line, name)| (line, format!("prints by {name}!")));
        let uses = scan::uses(&module_of(&path), &code).into_iter();
        let looking = uses.filter(|used| {
            matches!(&used.path[..], [first, rest @ ..] if first == "std"
            && rest.first().is_none_or(|step| step == "env" || step == "*"))
        });
        let looking = looking.map(|used| (used.line, format!("uses {}", used.path.join("::"))));
        let statics = scan::keyword_lines("static", &code).into_iter().map(|line| (line, "has a static".to_owned()));
        let locals = scan::macros(&["thread_local"], &code).into_iter();
        let locals = locals.map(|(line, name)| (line, format!("has a {name}!")));
        let all = printing.chain(looking).chain(statics).chain(locals);
        faults.extend(all.map(|(line, what)| format!("{path}:{line}: {what}")));
    }
    assert_none(&faults, "The faces print, read the environment and keep state; the library returns values.");
}

/// Returns the name of the public type that a line declares, if it declares one.
fn public_type(line: &str) -> Option<&str> {
    let kinds = ["pub struct ", "pub enum ", "pub trait ", "pub type ", "pub union "];
    let rest = kinds.iter().find_map(|kind| line.trim_start().strip_prefix(kind))?;
    // A macro names its types otherwise.
    rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().filter(|name| !name.is_empty())
}

#[test]
fn no_two_public_types_share_a_name() {
    let mut owners: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, code) in LIBRARIES.into_iter().chain(["crates/resay-view/src"]).flat_map(library) {
        for name in code.lines().filter_map(public_type) {
            owners.entry(name.to_owned()).or_default().push(path.clone());
        }
    }
    assert!(owners.len() > 300, "only {} public types were found: the scanner is broken", owners.len());
    let shared = owners.iter().filter(|(_, paths)| paths.len() > 1);
    let faults: Vec<String> = shared.map(|(name, paths)| format!("{name}: {}", paths.join(", "))).collect();
    assert_none(&faults, "Give each a name that says which one it is.");
    assert_eq!(public_type("    pub struct Pair<'a> {"), Some("Pair"));
    assert_eq!(public_type("pub(crate) struct Pair;"), None);
}

/// The program in the README is an example that is compiled with the tests.
#[test]
fn the_program_of_the_readme_is_an_example() {
    let program = read("crates/resay/examples/readme.rs");
    let (_, program) = program.split_once("\nuse ").unwrap();
    let readme = read("README.md");
    let (_, shown) = readme.split_once("```rust\nuse ").unwrap();
    assert_eq!(shown.split("```").next().unwrap(), program);
}

/// `unsafe_code` is denied rather than forbidden because one test calls `fork`. Nothing else may
/// allow it.
#[test]
fn nothing_but_the_fork_test_is_unsafe() {
    let mut faults = Vec::new();
    for path in all_sources().into_iter().chain(rust_files("crates/resay/tests")) {
        let code = scan::code_only(&read(&path));
        let lines = scan::keyword_lines("unsafe", &code).into_iter();
        faults.extend(lines.filter(|_| path != "crates/resay/tests/it/fork.rs").map(|line| format!("{path}:{line}")));
    }
    assert_none(&faults, "Find a way without unsafe code.");
}

#[test]
fn no_file_is_longer_than_one_can_read() {
    let lengths = all_sources().into_iter().map(|path| (read(&path).lines().count(), path));
    let long: Vec<String> =
        lengths.filter(|(n, _)| *n > MAX_LINES).map(|(n, path)| format!("{path}: {n} lines")).collect();
    assert_none(&long, "A file holds one idea; cut it in two.");
}

/// Output of passing tests is not shown: only [`resay_testing::skip`] is counted.
#[test]
fn checks_are_skipped_by_one_function() {
    let word = ["SKIP", "PED"].concat();
    let is_said = |path: &String| !path.starts_with("crates/resay-testing/") && read(path).contains(&word);
    let said: Vec<String> = rust_files("crates").into_iter().filter(is_said).collect();
    assert_none(&said, "Call resay_testing::skip.");
}

/// Returns the lines of a section of ARCHITECTURE.md, from its heading to the next of the same
/// level.
fn chapter(text: &str, heading: &str) -> Vec<String> {
    let mut lines = text.lines().skip_while(|line| *line != heading);
    assert!(lines.next().is_some(), "no chapter \"{heading}\"");
    lines.take_while(|line| !line.starts_with("## ")).map(str::to_owned).collect()
}

/// Returns the texts between backticks.
fn quoted(text: &str) -> Vec<String> {
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Returns the rows of the table: module, and what it may use.
fn direction_table(text: &str) -> Vec<(String, Vec<String>)> {
    let lines = chapter(text, "## Direction").into_iter().filter(|line| line.starts_with("| `"));
    let row = |line: String| {
        let mut cells = line.split('|').skip(1);
        let module = quoted(cells.next().unwrap()).into_iter().next().unwrap();
        (module, quoted(cells.next().unwrap_or_default()))
    };
    lines.map(row).collect()
}

#[test]
fn the_document_prints_the_same_rows() {
    let expected: Vec<(String, Vec<String>)> = ALLOWED
        .iter()
        .map(|(module, row)| ((*module).to_owned(), row.split_whitespace().map(str::to_owned).collect()))
        .collect();
    assert_eq!(
        direction_table(&read("ARCHITECTURE.md")),
        expected,
        "ARCHITECTURE.md on the left, ALLOWED on the right"
    );
}

#[test]
fn source_files_that_the_guides_name_are_there() {
    let files = all_sources();
    let mut n_named = 0;
    let mut faults = Vec::new();
    for guide in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        for named in quoted(&read(guide)) {
            // `NAME` is a placeholder for a name of the reader's choice.
            if named.starts_with("crates/")
                && named.contains("/src/")
                && named.ends_with(".rs")
                && !named.contains("NAME")
            {
                n_named += 1;
                faults.extend((!files.contains(&named)).then(|| format!("{guide}: {named} is not there")));
            }
        }
    }
    assert!(n_named > 5, "only {n_named} files are named");
    assert_none(&faults, "Name the file that took its place.");
}

/// Returns the names in `[dependencies]` and similar tables of a Cargo.toml, except our own crates.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut is_inside = false;
    let mut names = BTreeSet::new();
    for line in manifest.lines() {
        if let Some(section) = line.strip_prefix('[') {
            is_inside = section.trim_end().trim_end_matches(']').ends_with("dependencies");
        } else if is_inside && let Some((name, _)) = line.split_once('=') {
            names.insert(name.trim().split('.').next().unwrap_or_default().to_owned());
        }
    }
    names.retain(|name| !name.is_empty() && !name.starts_with('#') && !name.starts_with("resay"));
    names
}

#[test]
fn every_dependency_has_its_reason() {
    let crates = fs::read_dir(repository().join("crates")).unwrap().map(|entry| entry.unwrap());
    let manifests = crates.map(|entry| format!("crates/{}/Cargo.toml", entry.file_name().to_string_lossy()));
    let used: BTreeSet<String> = manifests.flat_map(|path| dependencies(&read(&path))).collect();
    assert!(used.contains("rayon") && used.contains("proptest"), "{used:?}");
    let rows = chapter(&read("ARCHITECTURE.md"), "## Dependencies").into_iter().filter(|line| line.starts_with("| `"));
    let named: BTreeSet<String> = rows.flat_map(|row| quoted(row.split('|').nth(1).unwrap())).collect();
    let unnamed = used.difference(&named).map(|name| format!("{name} is used and not named"));
    let unused = named.difference(&used).map(|name| format!("{name} is named and not used"));
    assert_none(&unnamed.chain(unused).collect::<Vec<_>>(), "Change the table of dependencies in ARCHITECTURE.md.");
}

#[test]
fn tables_are_read_as_they_stand() {
    let text =
        "## Direction\nx\n| module | may use |\n|---|---|\n| `a` | nothing |\n| `b` | `a`, `c::D` |\n\n## End\n- x\n";
    let rows = direction_table(text);
    let strings = |row: &[&str]| row.iter().map(|&entry| entry.to_owned()).collect::<Vec<String>>();
    assert_eq!(rows, [("a".to_owned(), strings(&[])), ("b".to_owned(), strings(&["a", "c::D"]))]);
    let manifest = "[package]\nname = \"x\"\n[dependencies]\na = \"1\"\nb.workspace = true\nresay.workspace = true\n\n\
        # why\nc = { version = \"1\" }\n[[bin]]\nname = \"d\"\n[dev-dependencies]\ne = \"1\"\n[lints]\nf = true\n";
    assert_eq!(dependencies(manifest).into_iter().collect::<Vec<_>>(), ["a", "b", "c", "e"]);
}

/// The README's first command is `cargo run`, which must know which program to run.
#[test]
fn cargo_run_has_one_program_to_run() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let manifest = fs::read_to_string(repository.join("Cargo.toml")).unwrap();
    let line = manifest.lines().find(|line| line.starts_with("default-members")).unwrap();
    let members = line.split('"').skip(1).step_by(2);
    let programs: Vec<&str> = members.filter(|member| repository.join(member).join("src/main.rs").exists()).collect();
    assert_eq!(programs, ["crates/resay-cli"]);
}
