//! `resay dedupe`: what is found, what is kept and what is rejected.

use crate::world::World;
use serde_json::Value;

const NOTES: &str = "\
The council closed the old bridge on Monday.
It rained all day in the mountains.
The council closed the old bridge on Monday.

the council closed the old bridge on monday
On Monday, the council closed the old bridge.
Anna sold her red bicycle to a nurse.
The harbour master bought a piano last week.
The council did not close the old bridge on Monday.
";

fn notes(test: &str) -> World {
    let world = World::new(test);
    world.write("notes.txt", NOTES);
    world
}

/// Returns the message of a run that must fail.
fn refused(world: &World, args: &[&str]) -> String {
    let output = world.run(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    assert!(output.stdout.is_empty(), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn clusters_are_shown_with_their_lines() {
    let world = notes("dedupe");
    let shown = world.ok(&["dedupe", "notes.txt"]);
    let block: Vec<&str> = shown.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(block.len(), 4, "{shown}");
    assert_eq!(block[0], "      1         The council closed the old bridge on Monday.");
    assert_eq!(block[1], "      3  same   The council closed the old bridge on Monday.");
    assert_eq!(block[2], "      5  same   the council closed the old bridge on monday");
    assert!(block[3].starts_with("      6  0.") || block[3].starts_with("      6  1."), "{shown}");
    assert!(shown.contains("lines     9: 2 the same as one before, 1 empty"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    assert_eq!(shown, world.ok(&["dedupe", "--threads", "1", "notes.txt"]), "threads change nothing");
}

#[test]
fn a_cluster_is_a_line_of_json() {
    let world = notes("dedupe-json");
    let clusters = world.json(&["dedupe", "--quiet", "notes.txt"]);
    let lines = |cluster: &Value| {
        let members = cluster["members"].as_array().unwrap();
        members.iter().map(|member| member["line"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(lines(&clusters[0]), [1, 3, 5, 6]);
    assert_eq!(clusters[0]["size"], 4);
    let members = &clusters[0]["members"];
    assert_eq!((&members[1]["same_words"], &members[1]["probability"]), (&Value::Bool(true), &Value::from(1.0)));
    assert_eq!(members[3]["same_words"], false);
    assert!(members[3]["probability"].as_f64().unwrap() >= 0.5);
    assert_eq!(members[3]["text"], "On Monday, the council closed the old bridge.");
}

#[test]
fn what_is_kept_is_the_file_without_its_duplicates() {
    let world = notes("dedupe-keep");
    let kept = world.ok(&["dedupe", "--quiet", "--keep", "notes.txt"]);
    let all: Vec<&str> = NOTES.lines().collect();
    let expected = [0, 1, 3, 6, 7, 8].map(|at| format!("{}\n", all[at])).concat();
    assert_eq!(kept, expected);
    // The kept lines contain no more duplicates.
    world.write("kept.txt", &kept);
    assert_eq!(world.ok(&["dedupe", "--quiet", "--keep", "kept.txt"]), kept);
    // The summary goes to standard error, not into output for other programs.
    let output = world.run(&["dedupe", "--keep", "notes.txt"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert!(String::from_utf8(output.stderr).unwrap().contains("3 lines say what one before says"));
    // Objects are kept as they were written.
    let objects =
        "{\"id\": \"a\", \"text\": \"It rained.\",  \"more\": [1]}\n\n{\"text\": \"it rained\"}\n{\"text\":\"No.\"}";
    world.write("notes.jsonl", objects);
    let kept = world.ok(&["dedupe", "--quiet", "--keep", "notes.jsonl"]);
    assert_eq!(kept, "{\"id\": \"a\", \"text\": \"It rained.\",  \"more\": [1]}\n{\"text\":\"No.\"}\n");
}

#[test]
fn pairs_are_what_was_judged() {
    let world = notes("dedupe-pairs");
    let table = world.ok(&["dedupe", "--quiet", "--pairs", "notes.txt"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows[0], ["first", "second", "similarity", "probability", "label"]);
    assert!(rows[1..].iter().any(|row| row[..2] == ["1", "6"] && row[4] == "1"), "{table}");
    // Identical lines are judged once.
    assert!(rows[1..].iter().all(|row| !["3", "5"].contains(&row[0]) && !["3", "5"].contains(&row[1])), "{table}");
    let json = world.json(&["dedupe", "--quiet", "--pairs", "notes.txt"]);
    assert_eq!(json.len(), rows.len() - 1);
    for (json, row) in json.iter().zip(&rows[1..]) {
        assert_eq!((json["first"].as_str(), json["second"].as_str()), (Some(row[0]), Some(row[1])));
        assert_eq!(json["probability"].as_f64().unwrap().to_string(), row[3]);
    }
    // No pair is judged at all, and the summary says so.
    let output = world.run(&["dedupe", "--pairs", "--max-pairs", "0", "notes.txt"]);
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 1);
    assert!(String::from_utf8(output.stderr).unwrap().contains("left out"));
}

#[test]
fn many_lines_of_one_kind_are_bounded() {
    let world = World::new("dedupe-many");
    world.write("same.txt", "Order 12345 was shipped.\n".repeat(100_000));
    let shown = world.ok(&["dedupe", "--quiet", "--keep", "same.txt"]);
    assert_eq!(shown, "Order 12345 was shipped.\n");
    let orders: String = (0..3000).map(|n| format!("Order {} was shipped to depot {}.\n", n % 60, n / 60)).collect();
    world.write("orders.txt", orders);
    let output = world.run(&["dedupe", "--pairs", "--max-pairs", "300", "orders.txt"]);
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 301);
    assert!(String::from_utf8(output.stderr).unwrap().contains("left out"));
}

#[test]
fn odd_files_are_met() {
    let world = notes("dedupe-odd");
    let check = |name: &str, content: &[u8], expected: &str| {
        world.write(name, content);
        let said = refused(&world, &["dedupe", name]);
        assert!(said.contains(expected), "{said}");
    };
    check("empty.txt", b"", "empty.txt: no sentence in it, expected one per line");
    check("blank.txt", b"\n \n\n", "blank.txt: no sentence in it, expected one per line");
    check("latin.txt", b"fine\ncaf\xe9\n", "latin.txt:2: byte 4 (0xe9) is not UTF-8");
    check("binary.txt", b"\x7fELF\x02\x01\x01\0\xff\xfe\n", "binary.txt:1: ");
    check("bad.jsonl", b"{\"text\":\"a\"}\n{\"txt\":\"b\"}\n", "bad.jsonl:2: no key \"text\"");
    check("pairs2.tsv", b"source\ttarget\na\tb\n", "has pairs, but dedupe reads one sentence per line");
    check("docs.sgm", b"<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n", "expected one sentence per line");
    assert!(refused(&world, &["dedupe", "missing.txt"]).contains("missing.txt"));
    assert!(refused(&world, &["dedupe", "--threshold", "1.5", "notes.txt"]).contains("above 0 and at most 1"));
    assert!(refused(&world, &["dedupe", "--format", "tsv", "notes.txt"]).contains("tsv"));
    assert!(refused(&world, &["dedupe", "-m", "notes.txt", "notes.txt"]).contains("notes.txt"));
    // A single line, a line without words and a line of a megabyte are all valid.
    world.write("one.txt", "It rained.");
    assert!(world.ok(&["dedupe", "one.txt"]).contains("clusters  0"));
    world.write("long.txt", format!("{0}\nIt rained.\n{0}\n", "word and more ".repeat(75_000)));
    let shown = world.ok(&["dedupe", "--json", "--quiet", "long.txt"]);
    assert_eq!(shown.lines().count(), 1);
    let output = world.run(&["dedupe", "--keep", "long.txt"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("1 lines of more than"));
}

#[test]
fn any_model_of_pairs_may_judge_and_no_other() {
    let world = World::trained("dedupe-model");
    world.write("notes.txt", NOTES);
    world.ok(&["dedupe", "-m", "my.resay", "notes.txt"]);
    world.ok(&["dedupe", "-m", "judge", "notes.txt"]);
    let said = refused(&world, &["dedupe", "-m", "align", "notes.txt"]);
    assert!(said.contains("needs one that decides"), "{said}");
}
