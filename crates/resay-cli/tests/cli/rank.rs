//! Questions and their candidates: training, ranking and evaluation.

use crate::answers::refuse;
use crate::world::{World, questions};
use serde_json::Value;

/// A world with `questions.tsv`, and `answers.resay` trained on it.
fn answering(test: &str) -> World {
    let world = World::trained(test);
    world.write("questions.tsv", questions(24));
    world.ok(&["train", "answers", "--folds", "4", "--cost", "1", "questions.tsv", "-o", "answers.resay"]);
    world
}

fn rows(table: &str) -> Vec<Vec<String>> {
    table.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn candidates_come_best_first() {
    let world = answering("rank");
    let mut ranked = rows(&world.ok(&["rank", "-m", "answers.resay", "questions.tsv"]));
    assert_eq!(ranked.remove(0).join(" "), "group rank id score probability target");
    assert_eq!(ranked.len(), 72);
    // Groups are in file order, although their rows are scattered.
    let groups: Vec<&str> = ranked.chunks(3).map(|rows| rows[0][0].as_str()).collect();
    assert_eq!(groups, (0..24).map(|q| format!("q{q}")).collect::<Vec<_>>());
    let predicted = rows(&world.ok(&["predict", "-m", "answers.resay", "questions.tsv"]));
    for candidates in ranked.chunks(3) {
        let score = |row: &[String]| row[3].parse::<f64>().unwrap();
        for (row, rank) in candidates.iter().zip(1..) {
            assert_eq!((&row[0], row[1].as_str()), (&candidates[0][0], rank.to_string().as_str()));
            let same = predicted.iter().find(|other| other[0] == row[2]).unwrap();
            assert_eq!(row[3..5], same[1..3], "the score is what predict says");
        }
        assert!(candidates.windows(2).all(|two| score(&two[0]) >= score(&two[1])), "{candidates:?}");
        assert!(candidates[0][5].contains(" by "), "{candidates:?}");
    }
    let best: Vec<Value> = world.json(&["rank", "-m", "answers.resay", "--top", "1", "questions.tsv"]);
    assert_eq!(best.len(), 24);
    for (best, row) in best.iter().zip(ranked.chunks(3).map(|rows| &rows[0])) {
        assert_eq!(
            (&best["group"], &best["id"], &best["target"]),
            (&row[0].clone().into(), &row[2].clone().into(), &row[5].clone().into())
        );
        assert_eq!(best["rank"], 1);
    }
    assert_eq!(world.ok(&["rank", "-m", "answers.resay", "--top", "0", "questions.tsv"]).lines().count(), 1);
}

#[test]
fn equal_scores_keep_the_order_of_the_file() {
    let world = World::trained("rank-ties");
    world.write("same.tsv", "id\tgroup\tsource\ttarget\nb\tq\tHe left.\tA\na\tq\tHe left.\tA\nc\tq\tHe left.\tA\n");
    // Any model with two labels can rank.
    let ranked = rows(&world.ok(&["rank", "-m", "my.resay", "same.tsv"]));
    assert_eq!(ranked[1..].iter().map(|row| row[2].as_str()).collect::<String>(), "bac");
}

#[test]
fn a_model_that_ranks_is_measured_by_group() {
    let world = answering("rank-eval");
    // One question without a right candidate, and one without a wrong one.
    world.write("odd.tsv", questions(8) + "x\tq90\tWho left?\tIt rained.\t0\ny\tq91\tWho left?\tOmar left.\t1\n");
    let measured = &world.json(&["eval", "-m", "answers.resay", "odd.tsv"])[0];
    assert_eq!(measured["groups"], serde_json::json!({ "all": 10, "any_right": 9, "mixed": 8 }));
    let names: Vec<&str> =
        measured["measures"].as_array().unwrap().iter().map(|m| m["measure"].as_str().unwrap()).collect();
    assert_eq!(names[..7], ["MAP", "MRR", "P@1", "MAP, mixed", "MRR, mixed", "P@1, mixed", "accuracy"]);
    let (ranked, table) = (
        world.ok(&["rank", "-m", "answers.resay", "--top", "1", "odd.tsv"]),
        world.ok(&["eval", "-m", "answers.resay", "odd.tsv"]),
    );
    let n_right = rows(&ranked).iter().filter(|row| row[5].contains(" by ")).count();
    let mixed = &measured["measures"][5];
    assert!((mixed["value"].as_f64().unwrap() - n_right as f64 / 8.0).abs() < 1e-12, "{mixed}");
    assert!(table.contains("10: 9 with a right candidate, 8 with right and wrong ones"), "{table}");

    world.ok(&[
        "train",
        "answers",
        "--kernel",
        "idf",
        "--folds",
        "4",
        "--cost",
        "1",
        "questions.tsv",
        "-o",
        "idf.resay",
    ]);
    let versus = &world.json(&["eval", "-m", "answers.resay", "--versus", "idf.resay", "odd.tsv"])[0]["versus"];
    let first = &versus["measures"][1];
    assert_eq!(first["measure"], "MRR");
    let [a, b, difference, p] = ["first", "second", "difference", "p"].map(|key| first[key].as_f64().unwrap());
    assert!((a - b - difference).abs() < 1e-12 && p > 0.0 && p <= 1.0, "{first}");
    // Other models are not evaluated by group.
    let plain = &world.json(&["eval", "-m", "my.resay", "odd.tsv"])[0];
    assert!(plain.get("groups").is_none() && plain["measures"][0]["measure"] == "accuracy", "{plain}");
}

#[test]
fn training_options_have_the_task_s_defaults() {
    let world = World::new("rank-options");
    world.write("questions.tsv", questions(12));
    let train = |options: &[&str]| {
        let fixed = ["--folds", "3", "questions.tsv", "-o", "x.resay"];
        (world.json(&[&["train"], options, &fixed[..]].concat()).remove(0), world.read("x.resay"))
    };
    let (model, default) = train(&["answers"]);
    assert_eq!((&model["measure"], &model["kernel"]), (&"MRR".into(), &"kb(k=1..4)+idf".into()));
    let (_, asked_for) = train(&["answers", "--measure", "mrr", "--balanced", "--kernel", "kb(k=1..4)+idf"]);
    assert!(default == asked_for);
    let (_, unbalanced) = train(&["answers", "--balanced=false"]);
    assert!(default != unbalanced);
    let (model, _) = train(&["pair", "--measure", "map"]);
    assert_eq!(model["measure"], "MAP");
    // The questions of a development file are separate, even if they have the same names.
    world.write("dev.tsv", questions(6));
    let dev = world.json(&["train", "answers", "--dev", "dev.tsv", "questions.tsv", "-o", "x.resay"]);
    assert_eq!(dev[0]["measure"], "MRR");
}

#[test]
fn what_cannot_be_ranked_is_refused() {
    let world = answering("rank-faults");
    let check = |args: &[&str], expected: &str| refuse(&world, args, expected);
    let no_group = "pairs.tsv:2: no group; to rank, every candidate needs the question that it belongs to";
    check(&["rank", "-m", "my.resay", "pairs.tsv"], no_group);
    check(&["eval", "-m", "answers.resay", "pairs.tsv"], no_group);
    check(&["train", "answers", "pairs.tsv", "-o", "x.resay"], no_group);
    check(&["train", "pair", "--measure", "mrr", "pairs.tsv", "-o", "x.resay"], no_group);
    check(&["train", "answers", "questions.tsv", "--dev", "pairs.tsv", "-o", "x.resay"], no_group);
    check(&["rank", "-m", "my.resay", "--group-column", "question", "questions.tsv"], "questions.tsv:1: ");
    // All candidates of each question have the same label, so no cost can be chosen.
    let alike =
        questions(6).replace("\t0\n", "\t1\n") + "x\tq90\tWho left?\tIt rained.\t0\ny\tq91\tWho left?\tIt rained.\t0\n";
    world.write("alike.tsv", alike);
    check(
        &["train", "answers", "--folds", "2", "alike.tsv", "-o", "x.resay"],
        "part 1 of 2 to choose the cost on has no group with right and wrong candidates: give more groups, ask for fewer folds",
    );
}
