//! Suggests a corrected command line for an invalid one whose meaning can be guessed.

use crate::args::Cli;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error};

/// Returns what to type instead, if the error and the arguments tell.
pub(crate) fn hint(fault: &Error, args: &[String]) -> Option<String> {
    let at = args.iter().position(|arg| arg == "train")?;
    let (before, after) = args.split_at(at + 1);
    let train = Cli::command().find_subcommand("train")?.clone();
    let is_task = |word: &str| train.find_subcommand(word).is_some();
    let (task, rest) = without_task(after);
    if let Some(task) = rest.iter().find(|word| is_task(word)) {
        return option_of_another(&train, task, fault);
    }
    let is_file = |word: &str| word == "-" || word.contains(['.', '/']);
    match (task, fault.kind()) {
        (Some(task), ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand) => {
            let task = if is_task(task) { task } else { "TASK" };
            let line = shown(&[before, &[task.to_owned()], &rest].concat());
            Some(format!("--task is no option, the task is the first word after 'train': {line}"))
        }
        (None, ErrorKind::UnknownArgument) => Some(missing_task(before, after)),
        (None, ErrorKind::InvalidSubcommand) if is_file(unknown_subcommand(fault)?) => {
            Some(missing_task(before, after))
        }
        _ => None,
    }
}

/// Handles an option that only other tasks have.
fn option_of_another(train: &Command, task: &str, fault: &Error) -> Option<String> {
    let ContextValue::String(option) = fault.get(ContextKind::InvalidArg)? else { return None };
    let long = option.strip_prefix("--")?;
    let has_it = |task: &&Command| task.get_arguments().any(|arg| arg.get_long() == Some(long));
    let tasks: Vec<&str> = train.get_subcommands().filter(has_it).map(Command::get_name).collect();
    let is_elsewhere = fault.kind() == ErrorKind::UnknownArgument && !tasks.is_empty();
    is_elsewhere.then(|| format!("{option} is no option of 'resay train {task}', but of {}", tasks.join(", ")))
}

fn missing_task(before: &[String], after: &[String]) -> String {
    let line = shown(&[before, &["TASK".to_owned()], after].concat());
    format!("the task is missing: {line}; 'resay train' lists the tasks")
}

fn unknown_subcommand(fault: &Error) -> Option<&str> {
    match fault.get(ContextKind::InvalidSubcommand)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// Extracts the value of `--task` and returns the other arguments.
fn without_task(args: &[String]) -> (Option<&str>, Vec<String>) {
    let (mut task, mut rest) = (None, Vec::new());
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        if arg == "--task" {
            task = args.next().map(String::as_str);
        } else if let Some(value) = arg.strip_prefix("--task=") {
            task = Some(value);
        } else {
            rest.push(arg.clone());
        }
    }
    (task, rest)
}

/// Quotes arguments as a line for the shell.
fn shown(args: &[String]) -> String {
    let is_plain = |arg: &str| !arg.is_empty() && arg.chars().all(|c| c.is_alphanumeric() || "-_./,:=@%".contains(c));
    let shown = |arg: &String| if is_plain(arg) { arg.clone() } else { format!("'{}'", arg.replace('\'', r"'\''")) };
    let words: Vec<String> = args.iter().map(shown).collect();
    format!("resay {}", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_were_right_once_are_put_right() {
        let check = |line: &str, expected: Option<&str>| {
            let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            let typed = std::iter::once("resay".to_owned()).chain(args.clone());
            let fault = Cli::command().try_get_matches_from(typed).unwrap_err();
            let found = hint(&fault, &args);
            assert!(
                found.as_deref().is_none_or(|found| expected.is_some_and(|expected| found.contains(expected))),
                "{line}: {found:?}"
            );
            assert_eq!(found.is_some(), expected.is_some(), "{line}: {fault}");
        };
        check("train --task topics a.jsonl -o m.resay", Some("'train': resay train topics a.jsonl -o m.resay"));
        check("--quiet train a.tsv --task=pair -o m", Some("'train': resay --quiet train pair a.tsv -o m"));
        check("train -o m.resay --task pair a.tsv", Some("resay train pair -o m.resay a.tsv"));
        check("train --task riddles a.tsv", Some("resay train TASK a.tsv"));
        check("train --task pair --kernel kb(k=2) a.tsv", Some("resay train pair --kernel 'kb(k=2)' a.tsv"));
        check("train pairs.tsv -o m.resay", Some("resay train TASK pairs.tsv -o m.resay; 'resay train' lists"));
        check("train -o m.resay pairs.tsv", Some("the task is missing: resay train TASK -o m.resay pairs.tsv"));
        check("train pair --task pair a.tsv", None);
        check("train pair --search a.tsv -o m", Some("--search is no option of 'resay train pair', but of topics"));
        check(
            "train names --dev a --kernel pr a.tsv -o m",
            Some("but of paraphrase, entailment, similarity, pair, answers, topics"),
        );
        check("train pair --cost 1 --costs 1..3 a.tsv -o m", None);
        check("train riddles", None);
        check("train", None);
        check("predict --task pair a.tsv", None);
    }
}
