//! `resay compare`: with texts as arguments, with files, and with `--check`.

use crate::answers::refuse;
use crate::world::World;
use std::io::Write;
use std::process::Stdio;

const SAME: [&str; 2] = ["On Monday Anna sold the boat.", "Anna sold the boat on Monday."];
const OTHER: [&str; 2] = ["The ticket costs 60 euros.", "The ticket costs 80 euros."];

/// A world with the texts of both pairs as files, surrounded by blanks.
fn world(test: &str) -> World {
    let world = World::new(test);
    for (name, text) in
        [("same1.txt", SAME[0]), ("same2.txt", SAME[1]), ("other1.txt", OTHER[0]), ("other2.txt", OTHER[1])]
    {
        world.write(name, format!("\u{feff} {text}\r\n\n"));
    }
    world
}

#[test]
fn files_are_compared_by_their_texts() {
    let world = world("compare-files");
    for options in [&[][..], &["--json"], &["--svg", "-"]] {
        let typed = world.ok(&[&["compare", OTHER[0], OTHER[1]], options].concat());
        assert_eq!(world.ok(&[&["compare", "--file", "other1.txt", "other2.txt"], options].concat()), typed);
    }
    let mut command = world.command(&["compare", "--file", "-", "other2.txt"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(OTHER[0].as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), world.ok(&["compare", OTHER[0], OTHER[1]]));

    refuse(&world, &["compare", "--file", "-", "-"], "both texts are standard input");
    refuse(&world, &["compare", "--file", "other1.txt", "no-such.txt"], "cannot read no-such.txt");
    world.write("latin.txt", b"na\xefve");
    refuse(&world, &["compare", "--file", "latin.txt", "other1.txt"], "latin.txt: byte 3 is not UTF-8");
    for args in [&["compare", "--file", "other1.txt"][..], &["compare", "--file", "a", "b", "c"], &["compare", "a"]] {
        assert_eq!(world.run(args).status.code(), Some(2), "{args:?}");
    }
}

#[test]
fn names_of_files_are_not_taken_for_texts() {
    let world = world("compare-names");
    let expected = "other1.txt and other2.txt are files: resay compare --file other1.txt other2.txt compares their texts, \
                    resay diff other1.txt other2.txt says";
    refuse(&world, &["compare", "other1.txt", "other2.txt"], expected);
    assert!(world.ok(&["compare", "other1.txt", "A text."]).contains("say the same"));
}

#[test]
fn a_check_ends_with_its_answer() {
    let world = world("compare-check");
    let check = |args: &[&str], status: i32| {
        let args = [&["compare", "--check"], args].concat();
        let output = world.run(&args);
        assert_eq!((output.status.code(), output.stderr.len()), (Some(status), 0), "{args:?}");
        assert!(!output.stdout.is_empty(), "the answer is printed all the same");
    };
    check(&SAME, 0);
    check(&OTHER, 1);
    check(&["--json", OTHER[0], OTHER[1]], 1);
    check(&["--file", "same1.txt", "same2.txt"], 0);
    check(&["--file", "other1.txt", "other2.txt", "--html", "page.html", "--quiet"], 1);
    assert!(world.files().contains(&"page.html".to_owned()));
    refuse(&world, &["compare", "--check", "--file", "same1.txt", "no-such.txt"], "cannot read no-such.txt");
}

/// One judge decides everywhere: no two commands print different probabilities of one pair.
#[test]
fn one_pair_has_one_probability_in_every_command() {
    let pairs = [
        ("The ticket costs 60 euros on Sundays.", "On Sundays the ticket costs 80 euros."),
        ("On Monday Anna sold the old boat.", "Anna sold the old boat on Monday."),
        ("The shop at the corner opens at nine.", "The store at the corner closes at nine."),
    ];
    for (source, target) in pairs {
        let world = World::new("one-probability");
        world.write("pair.tsv", format!("id\tsource\ttarget\tgroup\tlabel\n1\t{source}\t{target}\t1\t0\n"));
        world.write("old.txt", format!("{source}\n"));
        world.write("new.txt", format!("{target}\n"));
        world.write("both.txt", format!("{source}\n{target}\n"));
        let of = |args: &[&str]| world.json(args)[0]["probability"].clone();
        let expected = world.json(&["compare", source, target])[0]["same"]["probability"].clone();
        assert!(expected.as_f64().is_some_and(|p| p > 0.0 && p < 1.0), "{expected}");
        let found = [
            ("predict", of(&["predict", "-m", "judge", "pair.tsv"])),
            ("explain", of(&["explain", source, target])),
            ("rank", of(&["rank", "-m", "judge", "pair.tsv"])),
            ("diff", of(&["diff", "--all", "old.txt", "new.txt"])),
            ("dedupe", of(&["dedupe", "--quiet", "--pairs", "--threshold", "0.01", "both.txt"])),
        ];
        for (command, probability) in found {
            assert_eq!(probability, expected, "{command}: {source} / {target}");
        }
    }
}
