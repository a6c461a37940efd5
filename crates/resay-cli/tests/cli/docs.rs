//! Runs every command shown in the documentation and checks the output shown there.
//!
//! A page is docs/*.md or README.md. A fenced block with a language and a name (`tsv pairs.tsv`) is
//! a file that the page needs. In a `console` block, each line `$ resay ...` or `$ ... | resay ...`
//! is run by a shell, in order, in a separate folder per page. The lines below it must be in the
//! output, in order; `...` stands for omitted text. Other lines with `$` are not run.
//! `console status=2` expects that exit status instead of 0. `console json` expects JSON lines of
//! the same shapes: the same keys, with values of the same types; `"..."` stands for any value, or
//! for the rest of a list.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Debug, PartialEq)]
enum Step {
    File { name: String, content: String },
    Run { line: usize, command: String, expected: Expected, shown: Vec<String> },
}

/// What a block expects of its commands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Expected {
    status: i32,
    is_json: bool,
}

/// Returns the steps of a page, in order.
fn steps(page: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((_, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: Vec<(usize, &str)> = lines.by_ref().take_while(|(_, line)| *line != "```").collect();
        match info.split_whitespace().collect::<Vec<_>>()[..] {
            ["console", ref options @ ..] => {
                let mut expected = Expected::default();
                for option in options {
                    match option.strip_prefix("status=").map(str::parse) {
                        Some(Ok(status)) => expected.status = status,
                        None if *option == "json" => expected.is_json = true,
                        _ => panic!("not understood: {line}"),
                    }
                }
                steps.extend(runs(&block, expected));
            }
            [_, name] => {
                let content = block.iter().map(|(_, line)| format!("{line}\n")).collect();
                steps.push(Step::File { name: name.to_owned(), content });
            }
            _ => {}
        }
    }
    steps
}

fn runs(block: &[(usize, &str)], expected: Expected) -> Vec<Step> {
    let mut steps = Vec::new();
    // Lines below a command that is not run are ignored.
    let mut is_ours = false;
    for (number, line) in block {
        if let Some(command) = line.strip_prefix("$ ") {
            is_ours = command.starts_with("resay ") || command.contains("| resay ");
            if is_ours {
                let command = command.to_owned();
                steps.push(Step::Run { line: number + 1, command, expected, shown: Vec::new() });
            }
        } else if let Some(Step::Run { shown, .. }) = steps.last_mut().filter(|_| is_ours) {
            shown.push((*line).to_owned());
        }
    }
    steps
}

/// Returns whether two words are equal, or equal numbers up to rounding: the last digit of a
/// logarithm depends on the machine.
fn is_same_word(shown: &str, printed: &str) -> bool {
    match (shown.parse::<f64>(), printed.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= 1e-6 * a.abs().max(b.abs()).max(1e-3),
        _ => shown == printed,
    }
}

/// Returns whether a printed line is as shown; `...` at the end of a shown line stands for the rest
/// of it.
fn is_same_line(shown: &str, printed: &str) -> bool {
    let (shown, is_start) = shown.strip_suffix("...").map_or((shown, false), |start| (start, true));
    let printed: Vec<&str> = printed.split_whitespace().collect();
    let shown: Vec<&str> = shown.split_whitespace().collect();
    let is_long_enough = if is_start { shown.len() <= printed.len() } else { shown.len() == printed.len() };
    is_long_enough && shown.iter().zip(printed).all(|(shown, printed)| is_same_word(shown, printed))
}

/// Returns the first shown line that is missing at its place in the output, if any.
fn missing<'a>(shown: &'a [String], output: &str) -> Option<&'a str> {
    let mut printed = output.lines();
    let mut may_skip = false;
    for line in shown {
        if line == "..." {
            may_skip = true;
            continue;
        }
        let found = if may_skip {
            printed.any(|printed| is_same_line(line, printed))
        } else {
            printed.next().is_some_and(|printed| is_same_line(line, printed))
        };
        if !found {
            return Some(line);
        }
        may_skip = false;
    }
    let is_end = shown.is_empty() || may_skip || printed.all(|line| line.trim().is_empty());
    (!is_end).then_some("(the end, or ...)")
}

/// Returns how the shapes of printed lines differ from those shown, if they do.
fn other_shapes(shown: &str, printed: &str) -> Option<String> {
    let values = |text: &str| serde_json::Deserializer::from_str(text).into_iter().collect::<Result<Vec<Value>, _>>();
    match (values(shown), values(printed)) {
        (Ok(shown), Ok(printed)) => other_shape("", &Value::Array(shown), &Value::Array(printed)),
        (Err(error), _) => Some(format!("what is shown is no JSON: {error}")),
        (_, Err(error)) => Some(format!("what is printed is no JSON: {error}")),
    }
}

/// Returns the first place where a printed value has another shape than the one shown.
fn other_shape(place: &str, shown: &Value, printed: &Value) -> Option<String> {
    match (shown, printed) {
        (Value::String(rest), _) if rest == "..." => None,
        (Value::Null, _) | (_, Value::Null) => None,
        (Value::Object(shown), Value::Object(printed)) => {
            let keys = |object: &serde_json::Map<String, Value>| object.keys().cloned().collect::<Vec<_>>();
            if keys(shown) != keys(printed) {
                return Some(format!("{place}: keys {:?} are shown, {:?} printed", keys(shown), keys(printed)));
            }
            shown.iter().find_map(|(key, value)| other_shape(&format!("{place}.{key}"), value, &printed[key]))
        }
        (Value::Array(shown), Value::Array(printed)) => {
            let is_open = shown.last().is_some_and(|last| *last == "...");
            let shown = if is_open { &shown[..shown.len() - 1] } else { &shown[..] };
            if !(shown.len() == printed.len() || (is_open && shown.len() < printed.len())) {
                return Some(format!("{place}: {} values are shown, {} printed", shown.len(), printed.len()));
            }
            let mut both = shown.iter().zip(printed).enumerate();
            both.find_map(|(at, (shown, printed))| other_shape(&format!("{place}[{at}]"), shown, printed))
        }
        _ if std::mem::discriminant(shown) == std::mem::discriminant(printed) => None,
        _ => Some(format!("{place}: {shown} is shown, {printed} printed")),
    }
}

/// Runs a page. Returns the number of commands.
fn check_page(name: &str, page: &str) -> Result<usize, String> {
    let folder = std::env::temp_dir().join(format!("resay-docs-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let result = run_all(&folder, name, steps(page));
    fs::remove_dir_all(&folder).unwrap();
    result
}

fn run_all(folder: &Path, name: &str, steps: Vec<Step>) -> Result<usize, String> {
    let programs = Path::new(env!("CARGO_BIN_EXE_resay")).parent().unwrap().display();
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap_or_default());
    let mut n_run = 0;
    for step in steps {
        let (line, command, expected, shown) = match step {
            Step::File { name, content } => {
                assert!(!name.contains('/'), "{name}: a page writes into its own folder only");
                fs::write(folder.join(name), content).unwrap();
                continue;
            }
            Step::Run { line, command, expected, shown } => (line, command, expected, shown),
        };
        let mut shell = Command::new("sh");
        let shell = shell.args(["-c", &command]).current_dir(folder).env("PATH", &path);
        let output = shell.env("NO_COLOR", "1").env_remove("RESAY_DATA").output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(expected.status) {
            return Err(format!("{name}:{line}: {command}: ended with {:?}: {printed}", output.status.code()));
        }
        if expected.is_json {
            let fault = other_shapes(&shown.join("\n"), &String::from_utf8_lossy(&output.stdout));
            if let Some(fault) = fault {
                return Err(format!("{name}:{line}: {command}: {fault}\nin\n{printed}"));
            }
        } else if let Some(missing) = missing(&shown, &printed) {
            return Err(format!("{name}:{line}: {command}: expected\n{missing}\nin\n{printed}"));
        }
        n_run += 1;
    }
    Ok(n_run)
}

#[test]
fn the_pages_do_what_they_show() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let mut pages: Vec<PathBuf> =
        fs::read_dir(repository.join("docs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.push(repository.join("README.md"));
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md") && page.exists());
    pages.sort();
    let mut n_run = 0;
    let mut faults = Vec::new();
    for page in pages {
        let name = page.file_name().unwrap().to_string_lossy().into_owned();
        match check_page(&name, &fs::read_to_string(&page).unwrap()) {
            Ok(n) => n_run += n,
            Err(fault) => faults.push(fault),
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    assert!(n_run >= 10, "only {n_run} commands were found");
}

#[test]
fn a_page_that_lies_is_found() {
    let check = |page: &str, expected: &str| {
        let found = check_page("test.md", page).map_or_else(|fault| fault, |n_run| n_run.to_string());
        assert!(found.starts_with(expected), "{page}: {found}");
    };
    let pairs = "```tsv p.tsv\nsource\ttarget\na b\tb a\n```\n";
    let gram =
        |below: &str| format!("{pairs}text\n```console\n$ resay gram --kernel 'raw(kb(k=2))' p.tsv\n{below}```\n");
    check(&gram(""), "1");
    check(&gram("4\n"), "1");
    check(&gram("...\n"), "1");
    check(&gram("5\n"), "test.md:7: resay gram --kernel 'raw(kb(k=2))' p.tsv: expected\n5\n");
    check(&gram("4\n4\n"), "test.md:7: ");
    check("```console\n$ resay --version\n```\n", "1");
    check("```console\n$ resay no-such-command\n```\n", "test.md:2: resay no-such-command: ended with Some(2)");
    check("```console status=2\n$ resay no-such-command\n```\n", "1");
    check("```console status=2\n$ resay --version\n```\n", "test.md:2: resay --version: ended with Some(0)");
    check("```console json\n$ resay --version --json\n{\"version\": \"1\", \"json\": 1}\n```\n", "1");
    check(
        "```console json\n$ resay --version --json\n{\"version\": 1}\n```\n",
        "test.md:2: resay --version --json: [0]: keys",
    );
    check("```console\n$ cargo build\nanything\n```\n```sh\n$ resay no\n```\n", "0");
}

#[test]
fn json_is_compared_by_its_shape() {
    let check = |shown: &str, printed: &str, expected: Option<&str>| {
        let found = other_shapes(shown, printed);
        assert!(found.is_some() == expected.is_some(), "{shown} / {printed}: {found:?}");
        assert!(expected.is_none_or(|expected| found.unwrap().contains(expected)), "{shown} / {printed}");
    };
    check(r#"{"a": 1, "b": "..."}"#, "{\"a\":2.5,\"b\":[1]}\n", None);
    check(r#"{"a": [1, "..."]}"#, r#"{"a":[3,4,5]}"#, None);
    check("{\"a\":\n1}\n\"...\"", "{\"a\":1}\n{\"b\":2}\n", None);
    check(r#"{"a": null}"#, r#"{"a":1}"#, None);
    check(r#"{"a": 1}"#, "{\"a\":1}\n{\"a\":2}\n", Some(": 1 values are shown, 2 printed"));
    check(r#"{"a": 1}"#, r#"{"a":1,"b":2}"#, Some(r#"["a"] are shown, ["a", "b"] printed"#));
    check(r#"{"a": {"b": 1}}"#, r#"{"a":{}}"#, Some("[0].a: keys"));
    check(r#"{"a": [1, "..."]}"#, r#"{"a":[]}"#, Some("[0].a: 1 values"));
    check(r#"{"a": true}"#, r#"{"a":"true"}"#, Some(r#"[0].a: true is shown, "true" printed"#));
    check(r#"{"a": 1"#, r#"{"a":1}"#, Some("no JSON"));
}

#[test]
fn lines_are_compared_by_words() {
    let check = |shown: &str, output: &str, expected: Option<&str>| {
        let shown: Vec<String> = shown.lines().map(str::to_owned).collect();
        assert_eq!(missing(&shown, output), expected, "{shown:?} in {output}");
    };
    check("a  b\nc", "a b\nc\n", None);
    check("a\n...\nd", "a\nb\nc\nd\n", None);
    check("a\n...\ne", "a\nb\nc\nd\n", Some("e"));
    check("...\nc\n...", "a\nb\nc\nd\n", None);
    check("a", "a\nb\n", Some("(the end, or ...)"));
    check("cannot read x: ...", "cannot read x: No such file\n", None);
    check("p 0.12345678901", "p 0.12345678902\n", None);
    check("p 0.1234", "p 0.1235\n", Some("p 0.1234"));
}
