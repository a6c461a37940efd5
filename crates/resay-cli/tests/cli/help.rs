//! Help is available everywhere, and every example in it works.

use crate::world::{
    World, aligned, documents, levels, links_of, names, programs, questions, sentences_of, similar, three_way,
};
use std::path::Path;
use std::process::Command;

/// Every command; those of `train` are its tasks.
const COMMANDS: [&str; 24] = [
    "align",
    "annotate",
    "compare",
    "dedupe",
    "diff",
    "train",
    "train paraphrase",
    "train entailment",
    "train similarity",
    "train pair",
    "train answers",
    "train names",
    "train topics",
    "train align",
    "train program",
    "predict",
    "rank",
    "eval",
    "rules",
    "explain",
    "gram",
    "models",
    "completions",
    "man",
];

/// Returns the arguments of a command, followed by `what`.
fn asked(command: &'static str, what: &'static str) -> Vec<&'static str> {
    command.split(' ').chain([what]).collect()
}

/// Returns the command lines below "Examples:".
fn examples(help: &str) -> Vec<String> {
    let below = help.lines().skip_while(|line| *line != "Examples:");
    below.map(str::trim).filter(|line| line.contains("resay ")).map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn every_example_runs() {
    let program = Path::new(env!("CARGO_BIN_EXE_resay"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let world = World::trained("examples");
    world.write("questions.tsv", questions(10));
    world.write("entailment.tsv", three_way(30));
    world.write("similarity.tsv", similar(30));
    world.write("levels.tsv", levels(30));
    world.ok(&["train", "entailment", "--folds", "3", "--cost", "1", "entailment.tsv", "-o", "nli.resay"]);
    world.write("documents.jsonl", documents(60, 1));
    world.write("aligned.json", aligned(60, 1));
    world.ok(&["train", "align", "--features", "bias,string,wordnet", "aligned.json", "-o", "align.resay"]);
    world.write("links.txt", links_of(&aligned(60, 1)));
    world.write("sentences.tsv", sentences_of(&aligned(60, 1)));
    world.write("names.tsv", names(40, 1));
    world.write("programs.jsonl", programs(12));
    world.write("links.rules", "must-link number number same-form\n");
    world.write("queries.txt", "dana\nmagal\n");
    world.write("candidates.txt", "אדאלא\nאמאגאל\nארם\n");
    world.ok(&["train", "names", "--cost", "1", "--folds", "2", "names.tsv", "-o", "names.resay"]);
    world.write("plans.tsv", "gold plan\talternative\tsilver plan\n");
    world.write("old.txt", "It rained all day. The ticket costs 60 euros.\n");
    world.write("new.txt", "It rained all day. The ticket costs 80 euros.\n");
    world.write("reworded.txt", "The ticket costs 60 euros. It rained all day.\n");
    world.write("notes.txt", "It rained all day. We stayed at home.\n");
    std::fs::copy(world.folder.join("my.resay"), world.folder.join("other.resay")).unwrap();
    let helps = std::iter::once(world.ok(&["--help"])).chain(COMMANDS.map(|name| world.ok(&asked(name, "--help"))));
    let mut n_run = 0;
    for help in helps {
        let examples = examples(&help);
        assert!(!examples.is_empty(), "no examples: {help}");
        for example in examples {
            // Help is at most 100 columns wide; a longer line would be wrapped anywhere.
            assert!(example.len() <= 98, "too long: {example}");
            let mut shell = Command::new("sh");
            let shell = shell.args(["-c", &example]).current_dir(&world.folder).env("PATH", &path);
            let output = shell.output().unwrap();
            // `cat` may report that `head` closed the pipe.
            let said = String::from_utf8_lossy(&output.stderr);
            let said: String = said.lines().filter(|line| !line.starts_with("cat: ")).collect();
            assert!(output.status.success() && said.is_empty(), "{example}: {said}");
            n_run += 1;
        }
    }
    assert!(n_run >= 25, "{n_run} examples");
}

#[test]
fn help_is_to_be_had_everywhere() {
    let world = World::new("help");
    let alone = world.ok(&[]);
    assert_eq!(alone, world.ok(&["-h"]));
    for name in COMMANDS {
        let list = if name.starts_with("train ") { world.ok(&["train", "-h"]) } else { alone.clone() };
        assert!(list.contains(&format!("  {}", name.trim_start_matches("train "))), "{name}");
        let (short, long) = (world.ok(&asked(name, "-h")), world.ok(&asked(name, "--help")));
        for common in ["--json", "--threads", "--seed", "--quiet", "--data"] {
            assert!(short.contains(common) && long.contains(common), "{name} {common}");
        }
        // Short help has a line or two per option; long help also has examples.
        assert!(short.lines().count() < long.lines().count(), "{name}");
        assert!(short.lines().count() <= 75 && !short.contains("Examples:"), "{name}: {short}");
        assert_eq!(world.ok(&[&["help"], &name.split(' ').collect::<Vec<_>>()[..]].concat()), long, "{name}");
    }
    assert!(world.ok(&["--version"]).starts_with("resay "));
    let version = world.json(&["--version"]);
    assert_eq!((&version[0]["version"], &version[0]["json"]), (&env!("CARGO_PKG_VERSION").into(), &1.into()));
    // If the task is missing, the error lists all tasks.
    let nothing = world.run(&["train"]);
    let said = String::from_utf8(nothing.stderr).unwrap();
    assert!(nothing.status.code() == Some(2) && said.contains("Tasks:") && said.contains("  paraphrase "), "{said}");
}

#[test]
fn help_is_as_wide_as_the_terminal() {
    let world = World::new("help-width");
    let width = |columns: &str| {
        let output = world.command(&["train", "paraphrase", "--help"]).env("COLUMNS", columns).output().unwrap();
        let help = String::from_utf8(output.stdout).unwrap();
        // Usage and examples are meant to be typed and are not wrapped.
        let prose = help.lines().take_while(|line| *line != "Examples:").filter(|line| !line.starts_with("Usage:"));
        prose.map(|line| line.chars().count()).max().unwrap()
    };
    let (narrow, usual, wide) = (width("60"), width("80"), width("300"));
    assert!(narrow <= 60 && usual <= 80 && wide <= 100, "{narrow} {usual} {wide}");
    assert!(narrow < usual && usual < wide, "{narrow} {usual} {wide}");
}
