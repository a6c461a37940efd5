//! Models that start from another one: `train --from`.

use crate::world::{World, levels, pairs, similar, three_way};

#[test]
fn models_of_every_kind_of_answer_are_adapted_and_used() {
    let world = World::new("adapt");
    world.write("pairs.tsv", pairs(40, 1));
    world.write("few.tsv", pairs(16, 2));
    world.write("entailment.tsv", three_way(30));
    world.write("levels.tsv", levels(30));
    world.write("similarity.tsv", similar(30));
    let kinds: [(&str, &str, &str, &[&str]); 4] = [
        ("paraphrase", "pairs.tsv", "few.tsv", &[]),
        ("entailment", "entailment.tsv", "entailment.tsv", &[]),
        ("pair", "levels.tsv", "levels.tsv", &["--levels", "low,middle,high"]),
        ("similarity", "similarity.tsv", "similarity.tsv", &[]),
    ];
    for (task, old, few, more) in kinds {
        let train = ["train", task, "--cost", "1", "--folds", "2", old, "-o", "old.resay"];
        world.ok(&[&train[..], more].concat());
        let adapt = ["train", task, "--from", "old.resay", "--folds", "2", few, "-o"];
        let said = world.ok(&[&adapt[..], &["mine.resay"], more].concat());
        assert!(said.contains("from      old.resay, trained on ") && said.contains("strength  "), "{said}");
        let line = world.json(&[&adapt[..], &["again.resay", "--threads", "1"], more].concat());
        assert_eq!((&line[0]["from"]["name"], &line[0]["data"]), (&"old.resay".into(), &few.into()));
        assert_eq!(world.read("mine.resay"), world.read("again.resay"), "{task} on one thread and on more");
        assert!(world.ok(&["models", "mine.resay"]).contains("from      old.resay, trained on "));
        world.ok(&["predict", "-m", "mine.resay", few]);
        world.ok(&["eval", "-m", "mine.resay", few]);
        world.ok(&["rules", "-m", "mine.resay"]);
        world.ok(&["explain", "-m", "mine.resay", "The cat sat.", "The cat was sitting."]);
    }
}

#[test]
fn what_cannot_be_adapted_is_refused() {
    let world = World::trained("adapt-faults");
    world.write("entailment.tsv", three_way(30));
    let check = |args: &[&str], expected: &str| {
        let output = world.run(&[args, &["-o", "mine.resay"]].concat());
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains(expected), "{args:?}: {said}");
    };
    check(&["train", "entailment", "--from", "my.resay", "entailment.tsv"], "trained for task paraphrase, not for");
    let expected = "the labels are one of contradiction, entailment, neutral, but my.resay answers with yes or no";
    check(&["train", "pair", "--from", "my.resay", "entailment.tsv"], expected);
    check(&["train", "pair", "--from", "align", "entailment.tsv"], "align is a model that aligns: only ensembles");
    check(&["train", "pair", "--from", "nothing", "entailment.tsv"], "no bundled model of that name");
    let decided = "--kernel does not apply with --from";
    check(&["train", "paraphrase", "--from", "my.resay", "--kernel", "pr", "entailment.tsv"], decided);
    // A model is not written over the one it starts from.
    let output = world.run(&["train", "pair", "--from", "my.resay", "entailment.tsv", "-o", "my.resay"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn the_judge_is_adapted_to_every_question() {
    let world = World::new("adapt-judge");
    world.write("pairs.tsv", pairs(24, 1));
    world.write("entailment.tsv", three_way(30));
    world.write("levels.tsv", levels(30));
    world.write("similarity.tsv", similar(30));
    let kinds: [(&str, &str, &[&str], &str); 5] = [
        ("paraphrase", "pairs.tsv", &[], "same"),
        ("pair", "levels.tsv", &["--positive", "high"], "same"),
        ("entailment", "entailment.tsv", &[], "relation"),
        ("entailment", "entailment.tsv", &["--positive", "entailment"], "entails"),
        ("similarity", "similarity.tsv", &[], "similarity"),
    ];
    for (task, few, more, question) in kinds {
        let adapt = ["train", task, "--from", "judge", "--folds", "2", few, "-o"];
        let said = world.ok(&[&adapt[..], &["mine.resay"], more].concat());
        assert!(said.contains("from      judge, trained on ") && said.contains("strength  "), "{said}");
        let line = world.json(&[&adapt[..], &["again.resay", "--threads", "1"], more].concat());
        assert_eq!((&line[0]["from"]["name"], &line[0]["question"]), (&"judge".into(), &question.into()));
        assert_eq!(world.read("mine.resay"), world.read("again.resay"), "{task} on one thread and on more");
        let card = world.ok(&["models", "mine.resay"]);
        assert!(card.contains("from      judge, trained on ") && card.contains(question), "{card}");
        assert_eq!(world.json(&["models", "mine.resay"])[0]["kind"], "adapted-judgement");
        world.ok(&["predict", "-m", "mine.resay", few]);
        world.ok(&["eval", "-m", "mine.resay", few]);
        world.ok(&["rules", "-m", "mine.resay"]);
        let texts = ["The cat sat on the mat.", "The cat was sitting."];
        world.ok(&[&["explain", "-m", "mine.resay"][..], &texts].concat());
        world.json(&[&["explain", "-m", "mine.resay"][..], &texts].concat());
        // From what was adapted to still other pairs.
        world.ok(&[&["train", task, "--from", "mine.resay", "--folds", "2", few, "-o", "more.resay"][..], more].concat());
    }
    world.ok(&["train", "paraphrase", "--from", "judge", "--folds", "2", "pairs.tsv", "-o", "mine.resay"]);
    world.write("texts.txt", "The cat sat.\nthe cat sat\nA dog ran home.\n");
    world.ok(&["dedupe", "-m", "mine.resay", "texts.txt"]);
    let output = world.run(&["predict", "--question", "same", "-m", "mine.resay", "pairs.tsv"]);
    assert_eq!(output.status.code(), Some(2));
    let levelled =
        world.run(&["train", "pair", "--from", "judge", "--levels", "low,middle,high", "levels.tsv", "-o", "x.resay"]);
    let said = String::from_utf8(levelled.stderr).unwrap();
    assert!(levelled.status.code() == Some(2) && said.contains("not to the levels of a scale"), "{said}");
}
