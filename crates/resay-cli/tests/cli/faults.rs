//! Every error is one line with the right exit status, and no file is harmed.

use crate::world::{World, pairs};
use std::fs::OpenOptions;
use std::path::Path;

const TRAIN: [&str; 6] = ["train", "paraphrase", "--cost", "1", "-o", "old.resay"];

/// Runs a command and expects exit status `status` and one line of message that contains
/// `expected`. Returns standard output.
fn check(world: &World, args: &[&str], status: i32, expected: &str) -> String {
    let output = world.run(args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(status), "{args:?}: {said}");
    assert!(said.starts_with("error: ") && said.lines().count() == 1, "{args:?}: {said}");
    assert!(said.contains(expected) && !said.contains("panicked"), "{args:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn bad_pairs() {
    let world = World::trained("bad-pairs");
    world.write("old.resay", "old");
    let header = "source\ttarget\tlabel\n";
    let long = format!("{header}a\tb\t1\n{}\n", "x".repeat(10 << 20));
    let one_class = pairs(20, 1).replace("\t0\n", "\t1\n");
    let cases: [(&str, &[u8], &str); 8] = [
        ("no-column.tsv", b"source\tlabel\na\t1\n", "no-column.tsv:1: "),
        ("label.tsv", b"source\ttarget\tlabel\na\tb\t1\nc\td\tmaybe\n", "label.tsv:3: label \"maybe\""),
        ("no-label.tsv", b"source\ttarget\na\tb\n", "no-label.tsv:2: no label"),
        ("utf8.tsv", b"source\ttarget\tlabel\na\t\xff\t1\n", "utf8.tsv:2: byte 3 (0xff) is not UTF-8"),
        ("long.tsv", long.as_bytes(), "long.tsv:3: the line is longer than"),
        ("empty.tsv", b"", "empty.tsv: no rows"),
        ("header.tsv", header.as_bytes(), "header.tsv: no rows"),
        ("one.tsv", one_class.as_bytes(), "other"),
    ];
    for (name, content, expected) in cases {
        world.write(name, content);
        check(&world, &[&TRAIN[..], &[name]].concat(), 2, expected);
        assert_eq!(world.read("old.resay"), b"old", "{name}");
        if name != "one.tsv" {
            check(&world, &["eval", "-m", "my.resay", name], 2, expected);
        }
        let is_about_labels = name.contains("label") || name == "one.tsv";
        if !is_about_labels {
            check(&world, &["predict", "-m", "my.resay", name], 2, expected);
            check(&world, &["gram", "--kernel", "kb(k=1)", name], 2, expected);
        }
    }
    check(&world, &[&TRAIN[..], &["nowhere.tsv"]].concat(), 2, "cannot read nowhere.tsv: ");
    check(&world, &[&TRAIN[..], &["."]].concat(), 2, "cannot read .: ");
    check(&world, &["predict", "-m", "my.resay", "nowhere.tsv"], 2, "cannot read nowhere.tsv: ");
    check(&world, &["predict", "-m", "my.resay", "--group-column", "q", "pairs.tsv"], 2, "pairs.tsv:1: ");
    check(
        &world,
        &["predict", "-m", "my.resay", "--format", "rte", "pairs.tsv"],
        2,
        "pairs.tsv: no rows: expected at least one pair in format rte",
    );
}

#[test]
fn rows_before_a_bad_one_are_answered() {
    let world = World::trained("partly");
    world.write("partly.tsv", format!("{}one column\n", pairs(30, 1)));
    let printed = check(&world, &["predict", "-m", "my.resay", "partly.tsv"], 2, "partly.tsv:32: ");
    assert_eq!(printed.lines().count(), 31);
}

/// Pairs including one whose rules cannot all be listed, because all its words are equal.
fn with_a_long_row(n: usize) -> String {
    let long = "the ".repeat(250);
    let mut rows: Vec<String> = pairs(n, 1).lines().map(str::to_owned).collect();
    rows[5] = format!("p4\t{long}\t{long}\t1");
    rows.join("\n") + "\n"
}

#[test]
fn a_row_that_cannot_be_scored_takes_no_other_with_it() {
    let world = World::trained("one-long-row");
    world.write("long.tsv", with_a_long_row(40));
    let good = |args: &[&str]| {
        let rows = world.ok(&[&["predict", "-m", "my.resay", "pairs.tsv"][..], args].concat());
        rows.lines().map(str::to_owned).collect::<Vec<String>>()
    };
    let predict = |args: &[&str]| {
        let output = world.run(&[&["predict", "-m", "my.resay", "long.tsv"][..], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let [printed, said] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let lines = |text: String| text.lines().map(str::to_owned).collect::<Vec<String>>();
        (lines(printed), lines(said))
    };
    let fault = "a pair of 250 and 250 symbols has more than";
    // The header and 40 rows, one without numbers; the other rows are not affected by it.
    for (args, failed) in [(&[][..], "p4\t\t\terror"), (&["--explain", "2"], "p4\t\t\terror\t")] {
        let (printed, said) = predict(args);
        assert_eq!((printed.len(), &printed[5][..]), (41, failed), "{args:?}");
        let others = |rows: &[String]| [&rows[..5], &rows[6..41]].concat();
        assert_eq!(others(&printed), others(&good(args)), "{args:?}");
        assert!(said[0].starts_with(&format!("error: long.tsv:6: {fault}")), "{said:?}");
        assert_eq!(said[1..], ["error: 1 of 40 rows could not be scored; all others were"]);
    }
    let (printed, said) = predict(&["--json"]);
    let row: serde_json::Value = serde_json::from_str(&printed[4]).unwrap();
    assert_eq!((printed.len(), &row["id"], &row["label"]), (40, &"p4".into(), &"error".into()));
    assert!(row["error"].as_str().unwrap().starts_with(fault) && row["score"].is_null(), "{row}");
    assert!(row["probability"].is_null() && said.len() == 2 && said[0].starts_with("error: long.tsv:6: "), "{said:?}");
    for at in [3, 5] {
        let row: serde_json::Value = serde_json::from_str(&printed[at]).unwrap();
        assert!(row["score"].is_f64() && row.get("error").is_none(), "{row}");
    }
    // With `--strict` the run stops there: earlier rows are written, later ones are not.
    for args in [&["--strict"][..], &["--strict", "--json"]] {
        let printed = check(&world, &[&["predict", "-m", "my.resay", "long.tsv"], args].concat(), 2, "long.tsv:6: ");
        assert!(printed.lines().count() == if args.len() == 1 { 5 } else { 4 } && !printed.contains("p4"), "{printed}");
    }
}

#[test]
fn a_row_that_cannot_be_aligned_takes_no_other_with_it() {
    let world = World::new("one-long-alignment");
    let long = "boat ".repeat(1001);
    world.write("long.tsv", format!("source\ttarget\nAnna left\tAnna left\n{long}\tb\nOmar sang\tOmar sang\n"));
    let fault = "error: long.tsv:3: 1001 and 1 words, expected at most 1000";
    for (format, lines) in [("pharaoh", Some(["0-0 1-1", "", "0-0 1-1"])), ("json", None), ("aligned", None)] {
        let output = world.run(&["align", "--format", format, "long.tsv"]);
        let [printed, said] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with(fault) && said.contains("error: 1 of 3 rows could not be aligned"), "{said}");
        assert_eq!(printed.lines().count(), 3, "{format}: {printed}");
        match lines {
            Some(lines) => assert_eq!(printed.lines().collect::<Vec<_>>(), lines),
            None => {
                let rows: Vec<serde_json::Value> =
                    printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
                assert!(rows[1]["error"].as_str().unwrap().contains("1001 and 1 words"), "{printed}");
                assert!(rows[0].get("error").is_none() && rows[2].get("error").is_none(), "{printed}");
            }
        }
    }
    let printed = check(&world, &["align", "--strict", "--format", "pharaoh", "long.tsv"], 2, "long.tsv:3: 1001 and");
    assert_eq!(printed, "0-0 1-1\n");
}

#[test]
fn bad_models() {
    let world = World::trained("bad-models");
    let good = world.read("my.resay");
    let mut altered = good.clone();
    let last = altered.len() - 10;
    altered[last] ^= 1;
    let mut header = good.clone();
    header[16] ^= 1;
    let mut newer = good.clone();
    newer[8] = 99;
    let cases: [(&str, &[u8]); 7] = [
        ("text.resay", b"not a model at all"),
        ("empty.resay", b""),
        ("short.resay", &good[..7]),
        ("truncated.resay", &good[..good.len() / 2]),
        ("altered.resay", &altered),
        ("header.resay", &header),
        ("newer.resay", &newer),
    ];
    for (name, content) in cases {
        world.write(name, content);
        check(&world, &["predict", "-m", name, "pairs.tsv"], 2, name);
        check(&world, &["eval", "-m", "my.resay", "--versus", name, "pairs.tsv"], 2, name);
        check(&world, &["rules", "-m", name], 2, name);
        check(&world, &["explain", "-m", name, "a", "b"], 2, name);
    }
    check(&world, &["predict", "-m", "nowhere.resay", "pairs.tsv"], 2, "cannot read nowhere.resay: ");
    check(&world, &["rules", "-m", "."], 2, "cannot read .: ");
}

#[test]
fn outputs_that_cannot_be_written() {
    let world = World::trained("outputs");
    let train = |output: &str, status: i32, expected: &str| {
        let args = ["train", "paraphrase", "--folds", "3", "--cost", "1", "pairs.tsv", "-o", output];
        check(&world, &args, status, expected);
    };
    train("no/such/folder.resay", 3, "cannot write no/such/folder.resay: ");
    train("pairs.tsv/x.resay", 3, "cannot write pairs.tsv/x.resay: ");
    train(".", 3, "cannot write .: ");
    train("-", 2, "a model is written to a file");
    train("pairs.tsv", 2, "would be overwritten");
    train("./pairs.tsv", 2, "would be overwritten");
    assert_eq!(world.read("pairs.tsv"), pairs(60, 1).as_bytes());
    let gram = ["gram", "--kernel", "kb(k=1)", "pairs.tsv", "-o"];
    check(&world, &[&gram[..], &["pairs.tsv"]].concat(), 2, "would be overwritten");
    check(&world, &[&gram[..], &["no/gram.tsv"]].concat(), 3, "cannot write no/gram.tsv: ");
    check(&world, &["models", "--export", "paraphrase", "no/x"], 3, "cannot write no/x: ");
    check(&world, &["models", "--export", "nonsense", "x"], 2, "expected one of: judge, paraphrase, entailment");
    if !resay_testing::has_device("writing to a full device, command line", Path::new("/dev/full")) {
        return;
    }
    train("/dev/full", 3, "cannot write /dev/full: ");
    check(&world, &[&gram[..], &["/dev/full"]].concat(), 3, "cannot write /dev/full: ");
    for args in [
        &["predict", "-m", "my.resay", "pairs.tsv"][..],
        &["eval", "-m", "my.resay", "pairs.tsv", "--resamples", "9"],
        &["rules"],
        &["explain", "a", "b"],
        &["compare", "a", "b"],
        &["gram", "--kernel", "kb(k=1)", "pairs.tsv"],
        &["gram", "--kernel", "kb(k=1)", "pairs.tsv", "--format", "npy"],
        &["models"],
        &["models", "--json"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["train", "--help"],
        &["--version"],
        &[],
    ] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = world.command(args).stdout(full).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{args:?}: {said}");
        assert!(said.starts_with("error: cannot write standard output: ") && said.lines().count() == 1, "{said}");
    }
    let hidden = world.files().into_iter().find(|name| name.starts_with('.'));
    assert_eq!(hidden, None, "nothing half-written is left");
}

/// Usage errors reported by the argument parser, whose messages may take more than one line.
#[test]
fn wrong_usage() {
    let world = World::trained("usage");
    let refuse = |args: &[&str], expected: &str| {
        let output = world.run(args);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}: {said}");
        assert!(said.starts_with("error: ") && said.contains(expected), "{args:?}: {said}");
        assert_eq!(world.files(), ["more.tsv", "my.resay", "pairs.tsv"], "{args:?}");
    };
    let refuse_training = |rest: &[&str], expected: &str| {
        refuse(&[&["train"], rest, &["pairs.tsv", "-o", "x.resay"]].concat(), expected);
    };
    refuse(&["predcit", "pairs.tsv"], "predict");
    refuse(&["predict"], "<FILE>");
    refuse_training(&[], "the task is missing: resay train TASK pairs.tsv -o x.resay");
    refuse_training(&["--task", "pair"], "resay train pair pairs.tsv -o x.resay");
    refuse_training(
        &["--task=pair", "--kernel", "kb(k=2)"],
        "resay train pair --kernel 'kb(k=2)' pairs.tsv -o x.resay",
    );
    refuse(&["train", "pair", "pairs.tsv"], "--output <MODEL>");
    refuse(&["train", "pair", "-o", "x.resay"], "<FILE>...");
    refuse(&["predict", "-m", "my.resay", "pairs.tsv", "--threads", "0"], "--threads");
    refuse(&["predict", "-m", "my.resay", "pairs.tsv", "--explain", "0"], "--explain");
    refuse(
        &["predict", "-m", "my.resay", "pairs.tsv", "--format", "pdf"],
        "expected one of tsv, csv, jsonl, msrp, rte, trecqa, heilman-smith",
    );
    refuse(&["rules", "--for", "--against"], "--against");
    refuse(&["gram", "--kernel", "kb(k=0)", "pairs.tsv"], "k=0, expected");
    refuse(&["gram", "--kernel", "foo", "pairs.tsv"], "unknown kernel 'foo'");
    refuse(&["gram", "--kernel", "pr", "--format", "npy", "--json", "pairs.tsv"], "expected one of them");
    refuse(&["eval", "-m", "my.resay", "pairs.tsv", "--resamples", "0"], "0 resamples");
    refuse_training(&["riddles"], "unrecognized subcommand 'riddles'");
    refuse_training(
        &["pair", "--learner", "deep"],
        "[possible values: auto, linear, dual, latent, two-stage, combined]",
    );
    refuse_training(&["pair", "--units", "syllables"], "unknown units 'syllables'");
    refuse_training(&["pair", "--cost", "-1"], "cost");
    refuse_training(&["pair", "--cost=-1"], "cost is -1");
    refuse_training(&["pair", "--cost", "NaN"], "cost is NaN");
    refuse_training(&["pair", "--cost", "1", "--costs", "1..3"], "--costs");
    refuse_training(&["pair", "--costs", "1..2"], "not a step of the grid");
    refuse_training(&["pair", "--folds", "1"], "expected at least 2");
    refuse_training(&["pair", "--folds", "40"], "use at most 30 folds");
    refuse_training(&["pair", "--dev", "more.tsv", "--folds", "3"], "--folds");
    refuse_training(&["pair", "--kernel", "pw(k=2)", "--learner", "linear"], "pw(k=2");
}

#[test]
fn models_that_do_not_go_together() {
    let world = World::trained("mismatch");
    let named = |name: &str, seed: u64, no: &str, yes: &str| {
        let table = pairs(40, seed).replace("\t1\n", &format!("\t{yes}\n")).replace("\t0\n", &format!("\t{no}\n"));
        world.write(name, table);
    };
    named("named.tsv", 3, "other", "same");
    named("strange.tsv", 4, "other", "alike");
    let train = ["train", "pair", "--cost", "1", "named.tsv", "-o", "named.resay"];
    check(
        &world,
        &[&train[..], &["--dev", "strange.tsv"]].concat(),
        2,
        "strange.tsv:2: label \"alike\", expected other or same",
    );
    world.ok(&[&train[..], &["--folds", "3"]].concat());
    check(&world, &["eval", "-m", "my.resay", "--versus", "named.resay", "pairs.tsv"], 2, "models of the same answers");
    check(&world, &["eval", "-m", "named.resay", "strange.tsv"], 2, "strange.tsv:2: ");
    let dual = ["train", "pair", "--kernel", "pw(k=1)", "--folds", "3", "--cost", "1", "pairs.tsv"];
    world.ok(&[&dual[..], &["-o", "dual.resay"]].concat());
    check(&world, &["rules", "-m", "dual.resay"], 2, "compares with pairs");
}

#[test]
fn a_message_that_nobody_can_hear() {
    let world = World::trained("closed");
    if resay_testing::has_device("a message that nobody can hear", Path::new("/dev/full")) {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = world.command(&["rules", "-m", "nowhere"]).stderr(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "the status is right even if nothing can be said");
    }
}

#[test]
fn bad_relations() {
    let world = World::trained("bad-relations");
    world.write("pairs.tsv", "source\ttarget\na b\tc d\n");
    let kernel = |types: &str| format!("tesrk(k=1,pattern={types},variable=id)");
    let cases: [(&[u8], &str, &str); 7] = [
        (b"drug\taspirin\n", "drug", "own.tsv:1: 2 columns, expected 3"),
        (b"drug\ta\tb\ndrug\t\tb\n", "drug", "own.tsv:2: the first word is empty"),
        (b"dr:ug\ta\tb\n", "drug", "own.tsv:1: the type 'dr:ug' has a ':' in it"),
        (b"drug\ta\tNew York\n", "drug", "own.tsv:1: the second word 'New York' has a blank"),
        (b"drug\ta\t\xff\n", "drug", "own.tsv:1: "),
        (b"drug\ta\tb\n", "drugs", "unknown relation 'drugs', expected one of: id, "),
        (b"drug\ta\tb\n", "", "unknown relation ''"),
    ];
    for (content, types, expected) in cases {
        world.write("own.tsv", content);
        check(&world, &["gram", "--kernel", &kernel(types), "--relations", "own.tsv", "pairs.tsv"], 2, expected);
    }
    check(&world, &["gram", "--kernel", "pr", "--relations", "none.tsv", "pairs.tsv"], 2, "none.tsv");
    // A cycle is harmless, and so is a file whose relations are not used.
    world.write("own.tsv", "near\ta\tb\nnear\tb\ta\nnear\ta\ta\n");
    let args = ["gram", "--kernel", &kernel("near"), "--relations", "own.tsv", "--units", "tokens", "pairs.tsv"];
    assert_eq!(world.run(&args).status.code(), Some(0));
}
