//! Declared programmes: learned from, scored, measured, taken apart, and all that can be wrong with
//! them.

use crate::answers::{leaves, list, number, refuse, rows};
use crate::world::{World, programs};

/// A training that is over in a moment.
const TRAIN: [&str; 7] = ["train", "program", "--folds", "2", "programs.jsonl", "-o", "program.resay"];

/// A programme that nothing meets, whatever the model.
const IMPOSSIBLE: &str =
    "{\"id\": \"x\", \"label\": true, \"variables\": {\"a\": {\"good\": 1}}, \"constraints\": [\"both: a >= 2\"]}\n";
/// What is said of it.
const WHY: &str = "no choice meets all constraints: constraint 'both' alone cannot be met";

/// With `programs.jsonl` to learn from, and `impossible.jsonl`, whose second line is.
fn with_programs(test: &str) -> World {
    let world = World::new(test);
    world.write("programs.jsonl", programs(12));
    world.write("impossible.jsonl", programs(1) + IMPOSSIBLE + &programs(1));
    world
}

/// And with `program.resay`.
fn trained(test: &str) -> World {
    let world = with_programs(test);
    world.ok(&TRAIN);
    world
}

#[test]
fn learned_from_labels() {
    let world = with_programs("programs-train");
    let text = world.ok(&TRAIN);
    assert!(text.starts_with("task      program\nexamples  12: 6 of label 1, 6 of label 0\n"), "{text}");
    assert!(text.contains("the best accuracy on 2 held-out folds") && text.contains("iteration  objective"), "{text}");
    assert!(text.contains("held out  accuracy 1.0000 on 2 held-out folds"), "{text}");
    let about = world.json(&[&TRAIN[..], &["--note", "by hand"]].concat()).remove(0);
    let said = ["kind", "task", "learner", "note", "measure"].map(|key| about[key].as_str().unwrap());
    assert_eq!(said, ["program", "program", "latent", "by hand", "accuracy"]);
    assert_eq!((&about["n_examples"], list(&about["search"]).len()), (&12.into(), 4));
    // Several files are one, another file chooses the cost, and every option is heard.
    world.write("more.jsonl", programs(8));
    let options = ["--learner", "two-stage", "--measure", "F1", "--loss", "hinge", "--costs", "1..3"];
    let both = ["train", "program", "--dev", "more.jsonl", "programs.jsonl", "more.jsonl", "-o", "both.resay"];
    let about = world.json(&[&both[..], &options].concat()).remove(0);
    let said = ["learner", "measure", "data"].map(|key| about[key].as_str().unwrap());
    assert_eq!(said, ["two-stage", "F1", "programs.jsonl+more.jsonl"]);
    assert_eq!((&about["n_examples"], list(&about["search"]).len()), (&20.into(), 2));
    assert_eq!(list(&about["search"][0]["folds"]).len(), 1);
    let hinge = world.read("both.resay");
    world.ok(&[&both[..], &options[..4], &options[6..]].concat());
    assert!(world.read("both.resay") != hinge, "the loss is heard");
}

#[test]
fn the_same_bytes_on_any_threads() {
    let world = with_programs("programs-threads");
    let run = |threads: &str| {
        world.ok(&[&TRAIN[..], &["--threads", threads]].concat());
        (world.read("program.resay"), world.ok(&["predict", "-m", "program.resay", "programs.jsonl"]))
    };
    assert!(run("1") == run("2"));
}

#[test]
fn scored_in_order() {
    let world = trained("programs-predict");
    let table = world.ok(&["predict", "-m", "program.resay", "programs.jsonl"]);
    assert!(table.starts_with("id\tscore\tprobability\tlabel\n"), "{table}");
    let found: Vec<[&str; 2]> = rows(&table).iter().map(|row| [row[0], row[3]]).collect();
    let ids: Vec<String> = (1..=12).map(|id| id.to_string()).collect();
    let expected: Vec<[&str; 2]> = ids.iter().zip(["1", "0"].into_iter().cycle()).map(|(id, l)| [&**id, l]).collect();
    assert_eq!(found, expected);
    let explained = world.ok(&["predict", "-m", "program.resay", "--explain", "1", "programs.jsonl"]);
    assert!(explained.starts_with("id\tscore\tprobability\tlabel\trules\n"), "{explained}");
    for (plain, row) in rows(&table).iter().zip(rows(&explained)) {
        assert_eq!(*plain, row[..4], "what explains scores the same");
        assert!(row[4].ends_with(if row[3] == "1" { " good" } else { " bad" }), "{row:?}");
    }
    let objects = world.json(&["predict", "-m", "program.resay", "--explain", "1", "programs.jsonl"]);
    for (row, object) in rows(&table).iter().zip(&objects) {
        assert_eq!(row[1].parse::<f64>().unwrap(), number(&object["score"]));
        assert_eq!((row[0], row[3]), (object["id"].as_str().unwrap(), object["label"].as_str().unwrap()));
        assert_eq!(list(&object["rules"]).len(), 1);
    }
}

#[test]
fn what_cannot_be_solved_is_named_by_its_line() {
    let world = trained("programs-impossible");
    let place = format!("impossible.jsonl:2: {WHY}");
    for (more, bad) in [(&[][..], "x\t\t\terror"), (&["--explain", "1"], "x\t\t\terror\t")] {
        let output = world.run(&[&["predict", "-m", "program.resay", "impossible.jsonl"], more].concat());
        let (table, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!((output.status.code(), table.lines().count(), table.lines().nth(2)), (Some(2), 4, Some(bad)));
        assert!(said.starts_with(&format!("error: {place}")), "{said}");
        assert!(said.ends_with("error: 1 of 3 rows could not be scored; all others were\n"), "{said}");
    }
    let output = world.run(&["predict", "-m", "program.resay", "--json", "impossible.jsonl"]);
    let line = String::from_utf8(output.stdout).unwrap().lines().nth(1).unwrap().to_owned();
    let failed: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&failed["id"], &failed["label"], &failed["score"]), (&"x".into(), &"error".into(), &().into()));
    assert!(failed["error"].as_str().unwrap().starts_with(WHY), "{failed}");
    let strict = refuse(&world, &["predict", "-m", "program.resay", "--strict", "impossible.jsonl"], &place);
    assert_eq!(strict.lines().count(), 2, "the head and the row before");
    refuse(&world, &["eval", "-m", "program.resay", "impossible.jsonl"], &place);
    refuse(&world, &["explain", "-m", "program.resay", "impossible.jsonl", "x"], &place);
    refuse(
        &world,
        &["train", "program", "--folds", "2", "programs.jsonl", "impossible.jsonl", "-o", "y.resay"],
        &place,
    );
    assert!(!world.files().contains(&"y.resay".to_owned()));
}

#[test]
fn measured_and_compared() {
    let world = trained("programs-eval");
    world.ok(&["train", "program", "--folds", "2", "--cost", "0.01", "programs.jsonl", "-o", "weak.resay"]);
    let args = |model: &'static str, versus: &'static str| {
        ["eval", "-m", model, "--versus", versus, "--resamples", "50", "programs.jsonl"]
    };
    let fixed = args("program.resay", "weak.resay");
    let found = world.json(&fixed).remove(0);
    assert_eq!((&found["n_pairs"], &found["n_positive"]), (&12.into(), &6.into()));
    assert_eq!(found["counts"]["true_positive"], 6);
    assert_eq!((&found["measures"][0]["measure"], number(&found["measures"][0]["value"])), (&"accuracy".into(), 1.0));
    let (versus, measures) = (&found["versus"], list(&found["versus"]["measures"]));
    assert_eq!((&versus["model"], measures.len()), (&"weak.resay".into(), 9));
    // Each is what it is by itself, whichever comes first.
    let swapped = world.json(&args("weak.resay", "program.resay")).remove(0);
    assert!(measures.iter().any(|row| row["first"] != row["second"]), "{versus}");
    for (row, other) in measures.iter().zip(list(&swapped["versus"]["measures"])) {
        assert_eq!((&row["first"], &row["second"]), (&other["second"], &other["first"]), "{row}");
    }
    let text = world.ok(&fixed);
    assert!(text.contains("learner   latent, 2 features\nexamples  12 in programs.jsonl, 6 of label 1\n"), "{text}");
    assert!(text.contains("versus    weak.resay") && text.contains("Exact McNemar test"), "{text}");
}

#[test]
fn decisions_and_features_are_shown() {
    let world = trained("programs-explain");
    let found = world.json(&["explain", "-m", "program.resay", "programs.jsonl", "1"]).remove(0);
    assert_eq!((&found["id"], &found["task"], &found["label"]), (&"1".into(), &"program".into(), &"1".into()));
    assert!((leaves(&found["explanation"]) - number(&found["score"])).abs() < 1e-9, "{found}");
    let part = &found["explanation"]["parts"][0];
    assert_eq!((&part["kind"], &part["text"]), (&"variable".into(), &"a = 1".into()));
    let text = world.ok(&["explain", "-m", "program.resay", "programs.jsonl", "1"]);
    assert!(text.starts_with("1: yes, probability of yes ") && text.contains("├ a = 1\n"), "{text}");
    // Without an id, all of them, in order.
    assert_eq!(world.json(&["explain", "-m", "program.resay", "programs.jsonl"]).len(), 12);
    let all = world.ok(&["explain", "-m", "program.resay", "programs.jsonl"]);
    let heads: Vec<&str> = all.lines().filter(|line| line.contains(", probability of yes ")).collect();
    assert!(heads.len() == 12 && heads[11].starts_with("12: no"), "{all}");
    assert!(all.matches("The leaves add up").count() == 1 && all.ends_with("above 0 is yes.\n"), "{all}");
    let rules = world.json(&["rules", "-m", "program.resay"]);
    let sign = |feature: &str| {
        let row = rules.iter().find(|row| row["feature"] == feature).unwrap_or_else(|| panic!("no {feature}"));
        number(&row["weight"]) > 0.0
    };
    assert_eq!((rules.len(), sign("good"), sign("bad")), (2, true, false));
    let only = world.ok(&["rules", "-m", "program.resay", "--for"]);
    assert!(only.contains("good") && !only.contains("bad"), "{only}");
}

#[test]
fn wrong_use_is_explained() {
    let world = trained("programs-faults");
    let train = |more: &[&str], expected: &str| {
        refuse(&world, &[&["train", "program", "-o", "x.resay"], more].concat(), expected);
    };
    train(&["pairs.tsv"], "pairs.tsv:1: not JSON at byte 1");
    train(&["nowhere.jsonl"], "cannot read nowhere.jsonl");
    train(&["programs.jsonl", "--kernel", "pr"], "--kernel is no option of 'resay train program'");
    train(&["programs.jsonl", "--cost", "0"], "a cost of 0");
    train(&["programs.jsonl", "--folds", "9"], "use at most 6 folds");
    world.write("one.jsonl", "{\"label\": true, \"variables\": {}}\n");
    train(&["one.jsonl"], "one.jsonl: every example has the label true");
    world.write("unlabelled.jsonl", "{\"variables\": {}}\n");
    train(&["programs.jsonl", "unlabelled.jsonl"], "unlabelled.jsonl:1: no label");
    let ranked = world.run(&["train", "program", "--measure", "mrr", "programs.jsonl", "-o", "x.resay"]);
    let said = String::from_utf8(ranked.stderr).unwrap();
    assert!(ranked.status.code() == Some(2) && said.contains("[possible values: accuracy, f1]"), "{said}");
    refuse(&world, &["train", "program", "programs.jsonl", "-o", "-"], "a model is written to a file");
    assert!(!world.files().contains(&"x.resay".to_owned()));

    let with_model = |command: &str, more: &[&str], expected: &str| {
        refuse(&world, &[&[command, "-m", "program.resay"], more].concat(), expected);
    };
    with_model("predict", &["pairs.tsv"], "pairs.tsv:1: not JSON at byte 1");
    world.write("empty.jsonl", "\n");
    with_model("predict", &["empty.jsonl"], "empty.jsonl: no programmes");
    with_model("predict", &["--split", "all", "programs.jsonl"], "--split is for documents");
    for command in ["predict", "eval"] {
        with_model(command, &["--format", "jsonl", "programs.jsonl"], "--format does not apply to programmes");
        with_model(command, &["--id-column", "x", "programs.jsonl"], "--id-column does not apply to programmes");
    }
    with_model("eval", &["unlabelled.jsonl"], "unlabelled.jsonl:1: no label");
    with_model("eval", &["--versus", "judge", "programs.jsonl"], "but --versus needs one over programmes");
    with_model(
        "explain",
        &["programs.jsonl", "99"],
        "no programme '99' in programs.jsonl, expected an id such as 1, 2",
    );
    with_model("explain", &["--topic", "a", "programs.jsonl"], "--topic is for a model of topics");
    with_model("rules", &["--topic", "a"], "--topic is for a model of topics");
    // Commands that have no use for the model say which have.
    let takers = "resay predict, eval, explain and rules take this one";
    with_model("rank", &["pairs.tsv"], "this model decides over declared programmes (task program), but rank needs");
    with_model("align", &["a", "b"], takers);
    world.write("notes.txt", "It rained all day.\nWe stayed.\n");
    with_model("dedupe", &["notes.txt"], takers);
    refuse(&world, &["eval", "-m", "judge", "--versus", "program.resay", "pairs.tsv"], takers);
    // Programmes are no pairs.
    refuse(&world, &["predict", "-m", "judge", "programs.jsonl"], "programs.jsonl:1: ");
}
