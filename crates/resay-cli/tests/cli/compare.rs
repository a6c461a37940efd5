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

#[test]
fn texts_that_are_not_english_get_a_warning_and_no_sure_answer() {
    let world = World::new("compare-unfit");
    let german = ["Ich habe heute keine Zeit.", "Der Zug kommt um acht Uhr an."];
    let output = world.run(&["compare", german[0], german[1]]);
    let warnings = String::from_utf8(output.stderr).unwrap();
    let expected = |text: &str| format!("warning: the {text} looks like another language, not like English");
    assert!(output.status.success() && warnings.lines().count() == 2, "{warnings}");
    assert!(warnings.contains(&expected("source")) && warnings.contains(&expected("target")), "{warnings}");
    assert!(world.run(&["--quiet", "compare", german[0], german[1]]).stderr.is_empty());

    let about = world.json(&["compare", "--quiet", "He left.", "if (a == b) { return 0; }"]).remove(0);
    assert_eq!((&about["warnings"][0]["text"], &about["warnings"][0]["kind"]), (&"target".into(), &"code".into()));
    assert!(about["warnings"].as_array().unwrap().len() == 1);
    for share in about["relations"].as_object().unwrap().values() {
        assert!(share.as_f64().unwrap() < 0.6 + 1e-9, "{about}");
    }
    // Equal texts are equal in any language, and English is not warned of.
    for pair in [[german[0], german[0]], ["He left.", "He went away."]] {
        let output = world.run(&["compare", "--json", pair[0], pair[1]]);
        assert!(output.stderr.is_empty() && String::from_utf8(output.stdout).unwrap().contains("\"warnings\":[]"));
    }
    let output = world.run(&["explain", german[0], german[1]]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("warning: the source looks like another language"));
}

#[test]
fn rows_that_are_not_english_are_counted_once() {
    let world = World::new("predict-unfit");
    let rows = "source\ttarget\tlabel\nIch habe keine Zeit.\tIch habe heute keine Zeit.\t0\nHe left.\tHe went away.\t1\n\
                <p>One</p>\t<p>Two</p>\t0\nHe left.\tHe stayed.\t0\n";
    world.write("pairs.tsv", rows);
    let note = "note: 2 rows have a text that does not look like English: another language 1, code 1; judged by the words alone";
    for args in
        [&["predict", "pairs.tsv"][..], &["eval", "pairs.tsv"], &["rank", "--group-column", "label", "pairs.tsv"]]
    {
        let output = world.run(args);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && said.lines().filter(|line| *line == note).count() == 1, "{args:?}: {said}");
    }
    assert!(world.run(&["--quiet", "predict", "pairs.tsv"]).stderr.is_empty());
    assert!(world.run(&["predict", "-m", "judge-paraphrase", "pairs.tsv"]).stderr.is_empty());
}

#[test]
fn own_phrases_change_the_verdict() {
    let world = World::new("compare-phrases");
    world.write("own.tsv", "# Our products.\ngold plan\talternative\tsilver plan\n");
    world.write("more.tsv", "wibbler\tequal\tcoffee machine\n");
    let same = |args: &[&str]| {
        let about = world.json(&[&["compare"][..], args].concat()).remove(0);
        about["same"]["probability"].as_f64().unwrap()
    };
    let texts = ["The wibbler is broken.", "The coffee machine is broken."];
    let own = ["--phrases", "own.tsv", "--phrases", "more.tsv"];
    let [without, with] = [same(&texts), same(&[&texts[..], &own].concat())];
    assert!(without < 0.5 && with > 0.5, "{without} {with}");
    // The same decision by every command.
    world.write("pairs.tsv", format!("source\ttarget\n{}\t{}\n", texts[0], texts[1]));
    let row = world.json(&["predict", "--phrases", "more.tsv", "pairs.tsv"]).remove(0);
    assert!((row["probability"].as_f64().unwrap() - same(&[&texts[..], &own[2..]].concat())).abs() < 1e-12);

    world.write("bad.tsv", "wibbler\tequal\tmachine\nwibbler\tlike\tmachine\n");
    refuse(
        &world,
        &["compare", "--phrases", "bad.tsv", "a", "b"],
        "bad.tsv:2: unknown relation 'like', expected one of",
    );
    refuse(&world, &["compare", "--phrases", "none.tsv", "a", "b"], "cannot read none.tsv");
    let other = ["predict", "-m", "judge-paraphrase", "--phrases", "own.tsv", "pairs.tsv"];
    refuse(&world, &other, "--phrases is for the bundled judge");
}

#[test]
fn several_sentences_are_listed_and_the_deciding_one_is_named() {
    let world = World::new("compare-sentences");
    let texts = ["Hello Anna. It rained all day. We pay 60 euros.", "Hello Anna. We pay 80 euros."];
    let shown = world.ok(&["compare", texts[0], texts[1]]);
    assert!(shown.starts_with("Not the same: "), "{shown}");
    for line in ["sentence by sentence (* decides)", "only in the source: \"It rained all day.\""] {
        assert!(shown.contains(line), "{shown}");
    }
    let about = world.json(&["compare", texts[0], texts[1]]).remove(0);
    let sentences = about["sentences"].as_array().unwrap();
    assert!(sentences.len() == 3 && sentences[1]["target"].is_null(), "{about}");
    assert_eq!(sentences.iter().filter(|pair| pair["decides"] == true).count(), 1);
    // The same decision by predict, and a page with the list.
    world.write("pairs.tsv", format!("source\ttarget\n{}\t{}\n", texts[0], texts[1]));
    let row = world.json(&["predict", "pairs.tsv"]).remove(0);
    assert_eq!(row["probability"], about["same"]["probability"]);
    let page = world.ok(&["compare", "--html", "-", texts[0], texts[1]]);
    assert!(page.contains("<ul class=\"sentences\">") && page.contains("<p>Not the same: "));
}

#[test]
fn long_texts_are_compared() {
    let world = World::new("compare-long");
    let text =
        |what: &str| (0..200).map(|at| format!("Room {at} has {what} beds and a sink.")).collect::<Vec<_>>().join(" ");
    world.write("old.txt", text("two"));
    world.write("new.txt", text("two").replace("Room 77 has two", "Room 77 has three"));
    let about = world.json(&["compare", "--file", "old.txt", "new.txt"]).remove(0);
    assert_eq!(about["sentences"].as_array().unwrap().len(), 200);
    let shown = world.ok(&["compare", "--file", "old.txt", "new.txt"]);
    assert!(shown.starts_with("Not the same: \"Room 77 has two beds and a sink.\" became"), "{shown}");
}
