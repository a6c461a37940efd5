//! `resay diff`: what happened to each sentence between two versions of a text, as text, JSON and
//! HTML.

use crate::world::World;
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

/// Writes two files with these texts and returns the JSON lines of `resay diff` with these options.
fn differences(world: &World, old: &str, new: &str, options: &[&str]) -> Vec<Value> {
    world.write("old.txt", old);
    world.write("new.txt", new);
    world.json(&[&["diff", "old.txt", "new.txt"], options].concat())
}

/// Formats a difference as `kind old sentence | new sentence`, with `>` before a moved one.
fn shown(difference: &Value) -> String {
    let text = |side: &str| difference[side]["text"].as_str().unwrap_or("").replace('\n', " ");
    let moved = if difference["moved"] == true { ">" } else { "" };
    let kind = difference["kind"].as_str().unwrap();
    match (text("source"), text("target")) {
        (source, target) if source == target => format!("{moved}{kind} {source}"),
        (source, target) => format!("{moved}{kind} {source} | {target}").trim().to_owned(),
    }
}

const RAIN: &str = "It rained in the valley all day.";
const MAYOR: &str = "The mayor of the town opened the new bridge on Monday.";
const DUCKS: &str = "Twelve ducks crossed the road behind the school.";
const TICKET: &str = "The ticket to Leeds costs 60 euros.";

#[test]
fn every_kind_of_difference() {
    let world = World::new("diff-kinds");
    let check = |old: &[&str], new: &[&str], expected: &[&str]| {
        let found = differences(&world, &old.join(" "), &new.join(" "), &["--all"]);
        assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), expected, "{old:?} {new:?}");
    };
    let same = |sentence: &str| format!("same {sentence}");
    check(&[RAIN, MAYOR], &[RAIN, MAYOR], &[&same(RAIN), &same(MAYOR)]);
    // A changed number and a negation.
    let dearer = "The ticket to Leeds costs 80 euros.";
    check(
        &[RAIN, TICKET, DUCKS],
        &[RAIN, dearer, DUCKS],
        &[&same(RAIN), &format!("changed {TICKET} | {dearer}"), &same(DUCKS)],
    );
    let never = "The mayor of the town did not open the new bridge on Monday.";
    check(&[RAIN, MAYOR], &[RAIN, never], &[&same(RAIN), &format!("changed {MAYOR} | {never}")]);
    // Paraphrases.
    let began = "The new bridge was opened by the mayor of the town on Monday.";
    check(&[RAIN, MAYOR], &[RAIN, began], &[&same(RAIN), &format!("reworded {MAYOR} | {began}")]);
    let repaired = "The committee has begun to repair the roof of the church.";
    let mended = "The committee has started to mend the roof of the church.";
    check(&[repaired, RAIN], &[mended, RAIN], &[&format!("reworded {repaired} | {mended}"), &same(RAIN)]);
    // Only capitals and punctuation differ.
    check(&["He left.", RAIN], &["He LEFT!", RAIN], &["reworded He left. | He LEFT!", &same(RAIN)]);
    // Moved sentences.
    check(
        &[RAIN, MAYOR, DUCKS, TICKET],
        &[TICKET, RAIN, MAYOR, DUCKS],
        &[&format!(">moved {TICKET}"), &same(RAIN), &same(MAYOR), &same(DUCKS)],
    );
    check(
        &[RAIN, TICKET, DUCKS, began],
        &[MAYOR, RAIN, TICKET, DUCKS],
        &[&format!(">reworded {began} | {MAYOR}"), &same(RAIN), &same(TICKET), &same(DUCKS)],
    );
    // Added and dropped sentences.
    check(&[RAIN, DUCKS], &[RAIN, MAYOR, DUCKS], &[&same(RAIN), &format!("added  | {MAYOR}"), &same(DUCKS)]);
    check(&[RAIN, DUCKS, MAYOR], &[RAIN, DUCKS], &[&same(RAIN), &same(DUCKS), &format!("dropped {MAYOR} |")]);
    check(&[RAIN], &[], &[&format!("dropped {RAIN} |")]);
    check(&[], &[RAIN], &[&format!("added  | {RAIN}")]);
    // Unrelated sentences are not matched.
    check(
        &[RAIN, TICKET],
        &[RAIN, DUCKS],
        &[&same(RAIN), &format!("dropped {TICKET} |"), &format!("added  | {DUCKS}")],
    );
}

#[test]
fn one_sentence_becomes_two() {
    let world = World::new("diff-parts");
    let one = "The mayor opened the new bridge on Monday and the children of the school sang a song about ducks.";
    let two = "The mayor opened the new bridge on Monday. The children of the school sang a song about ducks.";
    for (old, new, sides) in [(one, two, [1, 2]), (two, one, [2, 1])] {
        let found = differences(&world, &format!("{RAIN} {old}"), &format!("{RAIN} {new}"), &[]);
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!([&found[0]["source"]["n_sentences"], &found[0]["target"]["n_sentences"]], sides);
        assert_eq!((&found[0]["source"]["text"], &found[0]["target"]["text"]), (&old.into(), &new.into()));
    }
}

#[test]
fn spans_are_bytes_of_the_files() {
    let world = World::new("diff-spans");
    let old = "\u{feff}Über uns.\r\n\r\nThe ticket to Leeds\r\ncosts 60 euros, said Zoë.  It was closed.\n";
    let new = "Über uns.\n\nIt was closed. A new line — with a dash. The ticket to Leeds costs 80\neuros, said Zoë.\n";
    let found = differences(&world, old, new, &["--all"]);
    assert!(found.iter().any(|difference| difference["kind"] == "changed"), "{found:#?}");
    for difference in &found {
        for (side, text) in [("source", old), ("target", new)] {
            let slice = |span: &Value| &text[span[0].as_u64().unwrap() as usize..span[1].as_u64().unwrap() as usize];
            let passage = &difference[side];
            if passage.is_null() {
                continue;
            }
            assert_eq!(slice(&passage["span"]), passage["text"].as_str().unwrap());
            let start = passage["span"][0].as_u64().unwrap() as usize;
            let line = 1 + text[..start].matches('\n').count();
            assert_eq!(passage["line"], line, "{difference}");
            for phrase in difference["phrases"].as_array().unwrap() {
                for span in phrase[side].as_array().unwrap() {
                    let words = slice(span);
                    assert!(passage["text"].as_str().unwrap().contains(words) && words == words.trim(), "{words:?}");
                }
            }
        }
    }
    let changed = found.iter().find(|difference| difference["kind"] == "changed").unwrap();
    let numbers = changed["phrases"].as_array().unwrap().iter().find(|phrase| phrase["kind"] == "changed").unwrap();
    let [at, other] = ["source", "target"].map(|side| numbers[side][0][0].as_u64().unwrap() as usize);
    assert_eq!((&old[at..at + 2], &new[other..other + 2]), ("60", "80"));
    assert!(changed["reasons"][0]["text"].as_str().unwrap().contains("60 euros -> 80 euros"), "{changed}");
}

#[test]
fn text_fits_and_folds() {
    let world = World::new("diff-text");
    let long = "The ticket to Leeds, which everybody in the valley has talked about since Monday, costs 60 euros now.";
    world.write("old.txt", format!("{RAIN} {MAYOR} {DUCKS}\n\n{long} It was closed.\n"));
    world.write("new.txt", format!("{RAIN} {MAYOR} {DUCKS}\n\n{} It was closed.\n", long.replace("60", "80")));
    let text = world.ok(&["diff", "old.txt", "new.txt"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 80 && !line.contains('\u{1b}')), "{text}");
    assert_eq!(lines[0], "... 3 sentences the same");
    assert!(lines[2].starts_with("! changed in meaning, line 3, same meaning 0."), "{text}");
    assert!(lines.contains(&"    60 euros -> 80 euros: different number"), "{text}");
    let marked = lines.iter().position(|line| line.contains("80 euros")).unwrap();
    let (at, below) = (lines[marked].find("80").unwrap(), lines[marked + 1]);
    assert_eq!(&below[at..at + 2], "!!", "{text}");
    assert_eq!(lines[lines.len() - 1], "4 same, 0 reworded, 0 moved, 1 changed, 0 added, 0 dropped");
    let all = world.ok(&["diff", "--all", "old.txt", "new.txt"]);
    assert!(all.contains(&format!("  = {RAIN}")) && !all.contains("..."), "{all}");
    let fewer = world.ok(&["diff", "--top", "0", "old.txt", "new.txt"]);
    assert!(!fewer.contains("different number"), "{fewer}");
}

#[test]
fn a_check_ends_by_what_it_found() {
    let world = World::new("diff-check");
    let check = |old: &str, new: &str, expected: i32| {
        world.write("old.txt", old);
        world.write("new.txt", new);
        let output = world.run(&["diff", "--check", "old.txt", "new.txt"]);
        assert_eq!(output.status.code(), Some(expected), "{old} | {new}: {output:?}");
        assert!(output.stderr.is_empty() && !output.stdout.is_empty(), "{output:?}");
        // Only `--check` sets this exit status.
        assert!(world.run(&["diff", "old.txt", "new.txt"]).status.success());
    };
    check(RAIN, RAIN, 0);
    check(&format!("{RAIN} {MAYOR}"), &format!("{MAYOR} {RAIN}"), 0);
    check(MAYOR, "The new bridge was opened by the mayor of the town on Monday.", 0);
    check(RAIN, &RAIN.to_uppercase().replace('.', "!"), 0);
    check(RAIN, &format!("{RAIN}\n\n* * *\n"), 0);
    check(TICKET, &TICKET.replace("60", "80"), 1);
    check(RAIN, &format!("{RAIN} {MAYOR}"), 1);
    check(&format!("{RAIN} {MAYOR}"), RAIN, 1);
    check(RAIN, "", 1);
    check("", "", 0);
}

#[test]
fn a_page_is_one_file() {
    let world = World::new("diff-page");
    let old = format!("{RAIN} {MAYOR} {TICKET} <b>Tom & \"Jerry\"</b> left.");
    world.write("old.txt", &old);
    world.write("new.txt", old.replace("60", "80").replace("left", "<script>left</script> early"));
    let printed = world.ok(&["diff", "--html", "page.html", "old.txt", "new.txt"]);
    assert_eq!(printed.lines().count(), 1, "{printed}");
    let page = String::from_utf8(world.read("page.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("prefers-color-scheme"));
    for never in ["<script", "http://", "https://", "<b>Tom", "url(", "@import"] {
        assert!(!page.contains(never), "{never}");
    }
    assert!(page.contains("d-quiet") && page.contains("Tom &amp; &quot;Jerry&quot;"), "{page}");
    assert!(page.contains("<span class=\"p-changed\" title=\"changed\">60</span>"), "{page}");
    assert!(page.contains("60 euros \u{2192} 80 euros: different number"), "{page}");
    // Equal files have a page, too.
    world.ok(&["diff", "--html", "page.html", "old.txt", "old.txt"]);
    assert!(String::from_utf8(world.read("page.html")).unwrap().contains("the same, byte for byte"));
}

#[test]
fn a_page_on_standard_output_is_all_that_is_printed() {
    let world = World::new("diff-page-stdout");
    world.write("old.txt", format!("{RAIN} {TICKET}"));
    world.write("new.txt", format!("{RAIN} {}", TICKET.replace("60", "80")));
    let files = world.files();
    for [first, second] in [["old.txt", "new.txt"], ["old.txt", "old.txt"]] {
        let printed = world.ok(&["diff", "--html", "-", first, second]);
        assert_eq!(world.files(), files, "no file is called -");
        world.ok(&["diff", "--html", "page.html", first, second]);
        assert_eq!(printed.as_bytes(), world.read("page.html"));
        std::fs::remove_file(world.folder.join("page.html")).unwrap();
    }
    let checked = world.run(&["diff", "--check", "--html", "-", "old.txt", "new.txt"]);
    assert_eq!(checked.status.code(), Some(1));
    assert!(checked.stdout.starts_with(b"<!DOCTYPE html>") && checked.stderr.is_empty());
    let refused = world.run(&["diff", "--json", "--html", "-", "old.txt", "new.txt"]);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!((refused.status.code(), refused.stdout.len()), (Some(2), 0), "{said}");
    assert!(said.contains("only one of --html - and --json can be printed"), "{said}");
}

#[test]
fn what_is_no_text_is_refused_in_a_line() {
    let world = World::new("diff-faults");
    world.write("good.txt", RAIN);
    world.write("binary.txt", b"fine\nPNG\0\x01\x02");
    world.write("latin.txt", b"caf\xe9\n");
    world.write("wide.txt", b"\xff\xfeI\0t\0");
    let many: String = (0..12_000).map(|at| format!("The house of number {at} was sold.\n\n")).collect();
    world.write("many.txt", &many);
    world.write("others.txt", many.replace("was sold", "has burned"));
    let check = |args: &[&str], expected: &str| {
        let output = world.run(&[&["diff"], args].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(
            said.starts_with("error: ") && said.lines().count() == 1 && said.contains(expected),
            "{args:?}: {said}"
        );
        assert!(output.stdout.is_empty());
    };
    check(&["good.txt", "binary.txt"], "binary.txt:2: a byte 0: not a text");
    check(&["latin.txt", "good.txt"], "latin.txt:1: bytes that are not UTF-8: convert");
    check(&["good.txt", "wide.txt"], "wide.txt:1: a byte 0");
    check(&["good.txt", "nowhere.txt"], "cannot read nowhere.txt: ");
    check(&["good.txt", "."], "cannot read .: ");
    check(&["-", "-"], "both texts are standard input");
    check(&["many.txt", "others.txt"], "at most 10000 are compared: cut the files up");
}

#[test]
fn equal_files_are_equal_at_once() {
    let world = World::new("diff-equal");
    let same = "The files are the same, byte for byte.\n";
    world.write("a.txt", "");
    assert_eq!(world.ok(&["diff", "a.txt", "a.txt"]), same);
    world.write("a.txt", b"\0\xff");
    world.write("b.txt", b"\0\xff");
    assert_eq!(world.ok(&["diff", "--check", "a.txt", "b.txt"]), same);
    assert_eq!(world.ok(&["diff", "--json", "a.txt", "b.txt"]), "");
    // Long files too: nothing is split and no model is loaded.
    world.write("a.txt", RAIN.repeat(1 << 20));
    let start = std::time::Instant::now();
    assert_eq!(world.ok(&["diff", "a.txt", "a.txt"]), same);
    assert!(start.elapsed().as_secs() < 10);
    world.write("a.txt", format!("{RAIN} {MAYOR}\n"));
    world.write("b.txt", format!("{}\n\n{MAYOR}", RAIN.replace(' ', "\n")));
    let only = "The sentences are the same; only blanks, line breaks or blank lines differ.\n";
    let found = world.ok(&["diff", "--check", "a.txt", "b.txt"]);
    assert!(found.ends_with(only), "{found}");
}

#[test]
fn standard_input_is_a_text() {
    let world = World::new("diff-stdin");
    world.write("old.txt", format!("{RAIN} {MAYOR}"));
    let mut command = world.command(&["diff", "old.txt", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(MAYOR.as_bytes()).unwrap();
    let printed = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(printed.ends_with("1 same, 0 reworded, 0 moved, 0 changed, 0 added, 1 dropped\n"), "{printed}");
}

#[test]
fn threads_change_nothing() {
    let world = World::new("diff-threads");
    let old: String =
        (0..40).map(|at| format!("House {at} of the old street was sold for {} euros. ", at * 7)).collect();
    world.write("old.txt", &old);
    world.write("new.txt", old.replace("was sold", "has been bought").replace("House 1", "Hut 1"));
    let one = world.ok(&["diff", "--json", "--threads", "1", "old.txt", "new.txt"]);
    assert_eq!(world.ok(&["diff", "--json", "--threads", "4", "old.txt", "new.txt"]), one);
    assert!(!one.is_empty());
}
