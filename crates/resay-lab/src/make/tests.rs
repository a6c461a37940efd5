//! Tests of building, over a small graph in a temporary folder. Its steps concatenate their inputs.
//!
//! ```text
//! a.txt -> first ------> third (work) -> fourth
//! b.txt -> second -------/   \---------> fifth <- c.txt
//! ```

use super::graph::{Graph, Source, Step};
use super::plan::{Request, plan};
use super::record::Record;
use super::state::State;
use super::{adopt, dry_run, list, lock, make};
use crate::files::{Files, Folders, text};
use anyhow::{Result, ensure};
use std::fs;
use std::path::PathBuf;

/// Writes its name and all its inputs. Fails on a source that says "fail".
fn join(files: &Files<'_>) -> Result<()> {
    let step = files.step();
    let mut all = format!("{}:", step.name);
    for path in files.corpora() {
        all += &text(&path)?;
    }
    for need in step.needs {
        all += &files.made_text(need)?;
    }
    ensure!(!all.contains("fail"), "'fail' is no toy");
    Ok(fs::write(files.output(), all)?)
}

/// The same, but writes only the length.
fn count(files: &Files<'_>) -> Result<()> {
    let length = files.corpora().iter().map(|path| text(path).map(|text| text.len())).sum::<Result<usize>>()?;
    Ok(fs::write(files.output(), format!("{length}"))?)
}

fn step(name: &'static str, sources: &'static [Source], needs: &'static [&'static str]) -> Step {
    let is_bundled = name != "third";
    Step { name, output: name, is_bundled, sources, needs, settings: || "plain".to_owned(), recipe: 1, make: join }
}

fn steps() -> Vec<Step> {
    vec![
        step("first", &[Source::Corpus("a.txt")], &[]),
        Step { make: count, ..step("second", &[Source::Corpus("b.txt")], &[]) },
        step("third", &[], &["first", "second"]),
        step("fourth", &[], &["third"]),
        step("fifth", &[Source::Corpus("c.txt")], &["third"]),
    ]
}

/// A temporary folder per test, removed afterwards.
struct Toys {
    root: PathBuf,
    folders: Folders,
    graph: Graph,
}

impl Toys {
    /// Creates the corpora only.
    fn new(test: &str) -> Self {
        let root = std::env::temp_dir().join(format!("resay-lab-{test}-{}", std::process::id()));
        let [data, models, work] = ["data", "models", "work"].map(|name| root.join(name));
        let folders = Folders { data, models, work, repository: root.clone() };
        fs::create_dir_all(&folders.data).unwrap();
        fs::create_dir_all(&folders.models).unwrap();
        let toys = Self { root, folders, graph: Graph::new(steps()).unwrap() };
        for name in ["a.txt", "b.txt", "c.txt"] {
            toys.corpus(name, name);
        }
        toys
    }

    /// Creates the corpora and builds everything.
    fn made(test: &str) -> Self {
        let toys = Self::new(test);
        assert_eq!(toys.make(), "first second third fourth fifth");
        toys
    }

    fn with(&mut self, change: impl Fn(&mut Vec<Step>)) {
        let mut steps = steps();
        change(&mut steps);
        self.graph = Graph::new(steps).unwrap();
    }

    fn corpus(&self, name: &str, text: &str) {
        fs::write(self.folders.data.join(name), text).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folders.output(self.graph.find(name).unwrap())
    }

    fn request(names: &str, forced: &str) -> Request {
        let split = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        Request { names: split(names), forced: split(forced).into_iter().collect() }
    }

    fn try_make(&self, names: &str, forced: &str) -> Result<String> {
        let done = make(&self.graph, &self.folders, Self::request(names, forced), &mut |_| {})?;
        Ok(done.join(" "))
    }

    /// Builds and returns the steps that ran.
    fn make(&self) -> String {
        self.try_make("", "").unwrap()
    }

    /// Returns what would run, and why.
    fn planned(&self, names: &str) -> String {
        let mut lines = Vec::new();
        dry_run(&self.graph, &self.folders, &Self::request(names, ""), &mut |line| lines.push(line.to_owned()))
            .unwrap();
        lines.join("\n")
    }
}

impl Drop for Toys {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

#[test]
fn what_is_made_is_not_made_again() {
    let toys = Toys::made("twice");
    assert_eq!(fs::read_to_string(toys.path("fourth")).unwrap(), "fourth:third:first:a.txt5");
    assert_eq!((toys.make().as_str(), toys.planned("").as_str()), ("", "nothing to do"));
}

#[test]
fn a_changed_corpus_is_a_reason_for_what_depends_on_it() {
    let toys = Toys::made("corpus");
    toys.corpus("c.txt", "other");
    assert_eq!(toys.planned(""), "fifth: corpus c.txt changed");
    assert_eq!(toys.make(), "fifth");
    toys.corpus("a.txt", "other");
    let expected = "first: corpus a.txt changed\nthird: if first changes\n\
        fourth: if third changes\nfifth: if third changes";
    assert_eq!(toys.planned(""), expected);
    assert_eq!(toys.make(), "first third fourth fifth");
    assert_eq!(fs::read_to_string(toys.path("fourth")).unwrap(), "fourth:third:first:other5");
    assert_eq!(toys.make(), "");
}

#[test]
fn a_file_that_comes_out_the_same_stops_the_chain() {
    let toys = Toys::made("same");
    toys.corpus("b.txt", "B.TXT");
    assert_eq!(toys.make(), "second");
    assert_eq!(toys.make(), "");
    toys.corpus("b.txt", "longer");
    assert_eq!(toys.make(), "second third fourth fifth");
}

#[test]
fn files_that_are_edited_or_missing_are_made_again() {
    let toys = Toys::made("edited");
    fs::write(toys.path("first"), "edited").unwrap();
    assert!(toys.planned("").starts_with("first: output edited\nthird: if"), "{}", toys.planned(""));
    assert_eq!(toys.make(), "first");
    fs::remove_file(toys.path("fourth")).unwrap();
    assert_eq!(toys.planned(""), "fourth: output missing");
    assert_eq!(toys.make(), "fourth");
    fs::write(toys.path("third"), "edited").unwrap();
    assert_eq!(toys.make(), "third");
}

#[test]
fn what_is_not_bundled_is_made_when_somebody_needs_it() {
    let toys = Toys::made("work");
    fs::remove_dir_all(&toys.folders.work).unwrap();
    assert_eq!(toys.planned(""), "nothing to do");
    toys.corpus("c.txt", "other");
    assert_eq!(toys.planned(""), "third: output missing, fifth reads it\nfifth: corpus c.txt changed");
    assert_eq!(toys.make(), "third fifth");
    fs::remove_file(toys.path("third")).unwrap();
    assert_eq!(toys.planned("third"), "third: output missing");
    assert_eq!(toys.try_make("third", "").unwrap(), "third");
    // It is not needed if an earlier step gives the same output.
    fs::remove_file(toys.path("third")).unwrap();
    toys.corpus("b.txt", "B.TXT");
    assert_eq!(toys.make(), "second");
    assert!(!toys.path("third").exists());
}

#[test]
fn settings_recipes_and_lists_of_files_are_reasons() {
    let mut toys = Toys::made("settings");
    toys.with(|steps| steps[3].settings = || "fancy".to_owned());
    assert_eq!(toys.planned(""), "fourth: settings changed");
    assert_eq!((toys.make().as_str(), toys.make().as_str()), ("fourth", ""));
    toys.with(|_| {});
    assert_eq!(toys.make(), "fourth");
    toys.with(|steps| steps[1].recipe = 2);
    assert!(toys.planned("").starts_with("second: recipe changed\nthird: if second"));
    assert_eq!(toys.make(), "second");
    let more = &[Source::Corpus("c.txt"), Source::Corpus("a.txt")];
    toys.with(|steps| {
        steps[1].recipe = 2;
        steps[4].sources = more;
    });
    assert!(toys.planned("").starts_with("fifth: reads other files than before"), "{}", toys.planned(""));
    assert_eq!(toys.make(), "fifth");
    // Another order of the inputs changes the result.
    toys.with(|steps| {
        steps[1].recipe = 2;
        steps[4].sources = &[Source::Corpus("a.txt"), Source::Corpus("c.txt")];
    });
    assert_eq!(toys.planned(""), "fifth: settings changed");
    toys.with(|steps| {
        steps[1].recipe = 2;
        steps[4].sources = more;
        steps[3].needs = &["third", "first"];
    });
    assert!(toys.planned("").starts_with("fourth: reads other files than before"), "{}", toys.planned(""));
    assert_eq!(toys.make(), "fourth");
}

#[test]
fn a_step_that_fails_is_where_the_next_make_goes_on() {
    let toys = Toys::new("fails");
    toys.corpus("c.txt", "fail");
    let error = format!("{:#}", toys.try_make("", "").unwrap_err());
    assert!(error.contains("step fifth, which writes") && error.ends_with("'fail' is no toy"), "{error}");
    assert_eq!(toys.planned(""), "fifth: no record of how it was made");
    toys.corpus("c.txt", "well");
    assert_eq!((toys.make().as_str(), toys.make().as_str()), ("fifth", ""));
    // An older file stays until it is replaced, and is not mistaken for a new one.
    toys.corpus("a.txt", "new");
    toys.corpus("c.txt", "fail");
    assert!(toys.try_make("", "").is_err());
    assert_eq!(fs::read_to_string(toys.path("fifth")).unwrap(), "fifth:wellthird:first:a.txt5");
    toys.corpus("c.txt", "well");
    assert_eq!(toys.planned(""), "fifth: third changed");
    assert_eq!(toys.make(), "fifth");
}

#[test]
fn names_make_what_they_need_and_nothing_else() {
    let toys = Toys::new("names");
    assert_eq!(toys.try_make("second", "").unwrap(), "second");
    fs::remove_file(toys.folders.data.join("c.txt")).unwrap();
    assert_eq!(toys.try_make("fourth", "").unwrap(), "first third fourth");
    let error = toys.try_make("sixth", "").unwrap_err().to_string();
    assert_eq!(error, "no step is named 'sixth', expected one of: first, second, third, fourth, fifth");
}

#[test]
fn force_runs_what_it_names_once() {
    let toys = Toys::made("force");
    assert_eq!(toys.try_make("fourth", "fourth").unwrap(), "fourth");
    assert_eq!(toys.try_make("", "first second third fourth fifth").unwrap(), "first second third fourth fifth");
    fs::remove_file(toys.path("third")).unwrap();
    assert_eq!(toys.try_make("fourth", "fourth").unwrap(), "third fourth");
    assert_eq!(toys.make(), "");
}

#[test]
fn all_missing_corpora_are_named_before_any_work() {
    let toys = Toys::new("missing");
    fs::remove_file(toys.folders.data.join("a.txt")).unwrap();
    fs::remove_file(toys.folders.data.join("c.txt")).unwrap();
    let error = toys.try_make("", "").unwrap_err().to_string();
    assert!(error.starts_with("2 files to learn from are missing"), "{error}");
    assert!(error.contains("a.txt") && error.contains("c.txt") && !error.contains("b.txt"), "{error}");
    assert!(!toys.path("second").exists());
}

#[test]
fn files_without_a_record_are_adopted() {
    let toys = Toys::made("adopt");
    let record = toys.folders.models.join("resay-lab/made.json");
    let before = fs::read_to_string(&record).unwrap();
    fs::remove_file(&record).unwrap();
    assert!(toys.planned("").starts_with("first: no record"));
    let adopt = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        adopt(&toys.graph, &toys.folders, &names, &mut |_| {})
    };
    adopt(&[]).unwrap();
    assert_eq!(toys.planned(""), "nothing to do");
    assert_eq!(fs::read_to_string(&record).unwrap(), before);
    // A single file.
    fs::write(toys.path("fourth"), "edited").unwrap();
    fs::write(toys.path("fifth"), "edited").unwrap();
    adopt(&["fourth"]).unwrap();
    assert_eq!(toys.planned(""), "fifth: output edited");
    // Missing files cannot be adopted, but intermediate files are still known from the record.
    fs::remove_file(toys.path("third")).unwrap();
    adopt(&[]).unwrap();
    assert_eq!(toys.planned(""), "nothing to do");
    fs::remove_file(toys.path("first")).unwrap();
    let error = adopt(&[]).unwrap_err().to_string();
    assert!(error.contains("first") && error.contains("is not there"), "{error}");
    assert!(adopt(&["sixth"]).is_err());
}

#[test]
fn records_that_are_none_are_refused() {
    let toys = Toys::made("record");
    let path = toys.folders.models.join("resay-lab/made.json");
    fs::write(&path, "{\"first\": {\"output\": \"1\"}}").unwrap();
    let error = toys.try_make("", "").unwrap_err().to_string();
    assert!(error.contains("made.json: no record that this program wrote"), "{error}");
    fs::remove_file(&path).unwrap();
    assert_eq!(toys.make(), "first second third fourth fifth");
}

#[test]
fn a_step_reads_what_its_row_names() {
    fn greedy(files: &Files<'_>) -> Result<()> {
        files.text("b.txt").map(|_| ())
    }
    fn curious(files: &Files<'_>) -> Result<()> {
        files.made_text("second").map(|_| ())
    }
    let mut toys = Toys::new("greedy");
    for (make, file) in [(greedy as fn(&Files<'_>) -> Result<()>, "b.txt"), (curious, "second")] {
        toys.with(|steps| steps[0].make = make);
        let error = format!("{:#}", toys.try_make("first", "").unwrap_err());
        assert!(
            error.ends_with(&format!("{file}: the step first reads it, but its row in make/graph.rs does not say so"))
        );
    }
}

#[test]
fn a_step_that_writes_elsewhere_is_not_recorded() {
    fn lazy(_: &Files<'_>) -> Result<()> {
        Ok(())
    }
    fn meddling(files: &Files<'_>) -> Result<()> {
        fs::write(files.output().with_file_name("second"), "mine")?;
        join(files)
    }
    let mut toys = Toys::new("elsewhere");
    let check = |toys: &Toys, expected: &str| {
        let error = toys.try_make("first second", "").unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert!(!toys.folders.models.join("resay-lab/made.json").exists());
    };
    toys.with(|steps| steps[0].make = lazy);
    check(&toys, "step first: it wrote no");
    toys.with(|steps| steps[0].make = meddling);
    check(&toys, "step first: other files were changed while it ran");
}

#[test]
fn two_makes_at_a_time_are_refused() {
    let toys = Toys::new("lock");
    let held = lock(&toys.folders).unwrap();
    assert!(toys.try_make("", "").unwrap_err().to_string().contains("another make is at work"));
    drop(held);
    assert_eq!(toys.try_make("first", "").unwrap(), "first");
}

#[test]
fn steps_that_are_no_more_leave_the_record() {
    let mut toys = Toys::made("gone");
    toys.with(|steps| steps.truncate(4));
    toys.corpus("a.txt", "other");
    assert_eq!(toys.make(), "first third fourth");
    let record = Record::read(&toys.folders.models).unwrap();
    assert_eq!(record.steps.keys().collect::<Vec<_>>(), ["first", "fourth", "second", "third"]);
}

#[test]
fn the_first_certain_step_of_a_plan_waits_for_nobody() {
    let toys = Toys::made("certain");
    let record = Record::read(&toys.folders.models).unwrap();
    let state = State::look(&toys.graph, &[true; 5], &toys.folders).unwrap();
    // All combinations of edited and missing outputs.
    for ways in 0..3_usize.pow(5) {
        let mut state = state.clone();
        for (at, step) in toys.graph.steps().iter().enumerate() {
            match ways / 3_usize.pow(at as u32) % 3 {
                1 => _ = state.outputs.remove(step.name),
                2 => _ = state.outputs.insert(step.name.to_owned(), super::state::Digest::of(b"edited")),
                _ => {}
            }
        }
        let planned = plan(&toys.graph, &record, &state, &Request::default()).unwrap();
        let first = planned.iter().find(|planned| planned.is_certain);
        assert_eq!(first.is_none(), planned.is_empty(), "{ways}: {planned:?}");
        let Some(first) = first else { continue };
        for need in toys.graph.steps()[first.step].needs {
            let need = toys.graph.index(need).unwrap();
            assert!(planned.iter().all(|planned| planned.step != need), "{ways}: {planned:?}");
        }
    }
}

#[test]
fn the_list_names_what_each_step_reads() {
    let toys = Toys::new("list");
    let mut lines = Vec::new();
    list(&toys.graph, &["third".to_owned()], &mut |line| lines.push(line.to_owned())).unwrap();
    let expected = "first: first, recipe 1\n  reads a.txt\n  settings plain\nsecond: second, recipe 1\n  reads b.txt\n  \
        settings plain\nthird: third, recipe 1\n  needs first, second\n  settings plain";
    assert_eq!(lines.join("\n"), expected);
}
