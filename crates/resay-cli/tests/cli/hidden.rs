//! Decisions over latent alignments: joint and two-stage training, prediction, evaluation,
//! explanation, interruption and errors.

use crate::answers::{leaves, list, number, refuse};
use crate::world::{World, pairs};
use serde_json::Value;

/// Options for quick training.
const TRAIN: [&str; 7] = ["train", "paraphrase", "--folds", "2", "few.tsv", "-o", "my.resay"];
const LATENT: [&str; 2] = ["--learner", "latent"];
const TWO_STAGE: [&str; 4] = ["--learner", "two-stage", "-o", "held.resay"];

/// A world with `few.tsv` to train on and `new.tsv` to predict.
fn with_pairs(test: &str) -> World {
    let world = World::new(test);
    world.write("few.tsv", pairs(32, 1));
    world.write("new.tsv", pairs(10, 3));
    world
}

/// A world that also has `my.resay`.
fn trained(test: &str) -> World {
    let world = with_pairs(test);
    world.ok(&[&TRAIN[..], &LATENT].concat());
    world
}

#[test]
fn learned_used_and_measured() {
    let world = with_pairs("hidden");
    let text = world.ok(&[&TRAIN[..], &LATENT, &["--cost", "0.01"]].concat());
    assert!(text.starts_with("task      paraphrase\npairs     32: 16 of label 1, 16 of label 0\n"), "{text}");
    assert!(text.contains("cost      0.01, as asked for") && text.contains("features of latent alignments"), "{text}");
    assert!(text.contains("iteration  objective") && text.contains("stopped   converged"), "{text}");

    let about = world.json(&[&TRAIN[..], &LATENT, &["--note", "by hand"]].concat()).remove(0);
    assert_eq!((&about["model"], &about["learner"]), (&"my.resay".into(), &"latent".into()));
    assert_eq!((&about["note"], number(&about["cost"])), (&"by hand".into(), 1.0 / 2000.0));
    let objectives: Vec<f64> = list(&about["objectives"]).iter().map(number).collect();
    assert!(objectives.len() >= 2 && objectives.is_sorted_by(|a, b| a >= b), "{objectives:?}");
    assert_eq!(number(&about["size"]), world.read("my.resay").len() as f64);
    let held = world.json(&[&TRAIN[..5], &TWO_STAGE, &["--costs", "0.01..0.1"]].concat()).remove(0);
    assert_eq!((&held["learner"], list(&held["search"]).len()), (&"two-stage".into(), 3));
    assert_eq!(list(&held["objectives"]).len(), 1);

    let table = world.ok(&["predict", "-m", "my.resay", "new.tsv"]);
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!((rows.len(), &rows[0]), (11, &vec!["id", "score", "probability", "label"]));
    let decided = world.json(&["predict", "-m", "my.resay", "--explain", "2", "new.tsv"]);
    for (row, object) in rows[1..].iter().zip(&decided) {
        assert_eq!((row[0], row[3]), (object["id"].as_str().unwrap(), object["label"].as_str().unwrap()));
        assert_eq!(row[1].parse::<f64>().unwrap(), number(&object["score"]));
        assert_eq!((row[3] == "1", row[1].starts_with('-')), (number(&object["score"]) > 0.0, row[3] == "0"));
    }
    let explained = world.ok(&["predict", "-m", "my.resay", "--explain", "2", "new.tsv"]);
    assert!(explained.starts_with("id\tscore\tprobability\tlabel\trules\n"), "{explained}");
    assert!(explained.lines().skip(1).all(|line| line.split('\t').count() == 5), "{explained}");

    let measured = world.json(&["eval", "-m", "my.resay", "--versus", "held.resay", "--resamples", "50", "more.tsv"]);
    let measures = list(&measured[0]["measures"]);
    assert!(measures.iter().any(|measure| measure["measure"] == "accuracy"), "{measured:?}");
    assert_eq!(measured[0]["versus"]["model"], "held.resay");
    let text = world.ok(&["eval", "-m", "my.resay", "--versus", "held.resay", "--resamples", "50", "more.tsv"]);
    assert!(text.contains("learner   latent, ") && text.contains("versus    held.resay"), "{text}");
}

#[test]
fn decisions_are_taken_apart() {
    let world = trained("hidden-explain");
    let (source, target) = ("Anna sold the boat on Monday.", "The boat was sold by Anna.");
    let two = ["explain", "-m", "my.resay", source, target];
    let found = world.json(&two).remove(0);
    let score = number(&found["score"]);
    assert!((leaves(&found["explanation"]) - score).abs() < 1e-9 * score.abs().max(1.0), "{found}");
    let parts = list(&found["explanation"]["parts"]);
    let phrase = |text: &str| parts.iter().find(|part| part["kind"] == "phrase" && part["text"] == text);
    let boat = phrase("boat -> boat").unwrap_or_else(|| panic!("no boat in {found}"));
    assert_eq!(boat["places"], serde_json::json!([{"source": [[14, 18]], "target": [[4, 8]]}]));
    assert!(
        parts.iter().any(|part| part["text"].as_str().is_some_and(|text| text.contains(" > "))),
        "no edge: {found}"
    );
    let text = world.ok(&two);
    assert!(text.starts_with("paraphrase: ") && text.contains("\nlatent alignment: "), "{text}");
    assert!(text.contains("├ sold > Anna -> sold > Anna") && text.contains("├ Anna -> Anna"), "{text}");
    let short = world.ok(&[&two[..], &["--top", "1"]].concat());
    assert!(short.lines().count() < text.lines().count(), "{short}");
    // Two empty texts are a pair, too.
    let nothing = world.json(&["explain", "-m", "my.resay", "", ""]).remove(0);
    assert!((leaves(&nothing["explanation"]) - number(&nothing["score"])).abs() < 1e-9);

    let rules = |more: &[&str]| world.json(&[&["rules", "-m", "my.resay"], more].concat());
    let all = rules(&["--top", "9999"]);
    assert!(all.len() > 20 && all.is_sorted_by(|a, b| number(&a["weight"]).abs() >= number(&b["weight"]).abs()));
    assert_eq!(rules(&[])[..], all[..20]);
    assert!(rules(&["--for"]).iter().all(|row| number(&row["weight"]) > 0.0));
    assert!(rules(&["--against"]).iter().all(|row| number(&row["weight"]) < 0.0));
    let alone = rules(&["--matching", "left alone"]);
    assert!(!alone.is_empty() && alone.iter().all(|row| row["feature"].as_str().unwrap().contains("left alone")));
    assert!(world.ok(&["rules", "-m", "my.resay"]).trim_start().starts_with("weight  feature\n"));
}

#[test]
fn entailment_and_any_labels() {
    let world = with_pairs("hidden-tasks");
    let train = |task: &str, more: &[&str]| {
        let fixed = ["train", task, "--learner", "latent", "--folds", "2", "few.tsv", "-o", "t.resay"];
        world.json(&[&fixed[..], more].concat()).remove(0)
    };
    assert_eq!(train("entailment", &[])["shape"], "target");
    let found = world.json(&["explain", "-m", "t.resay", "Anna left the house.", "Anna left."]).remove(0);
    // Additional material in the source does not matter: no part is about it alone.
    let parts = list(&found["explanation"]["parts"]);
    let is_source_alone = |part: &&Value| part["kind"] == "phrase" && list(&part["places"][0]["target"]).is_empty();
    assert_eq!(parts.iter().find(is_source_alone), None);
    assert_eq!(train("pair", &["--measure", "f1", "--loss", "hinge"])["measure"], "F1");
    let by_file = ["train", "pair", "--learner", "latent", "--dev", "new.tsv", "few.tsv", "-o", "t.resay"];
    assert_eq!(list(&world.json(&by_file)[0]["search"][0]["folds"]).len(), 1);
}

#[test]
fn the_same_bytes_again_and_on_any_threads() {
    let world = with_pairs("hidden-threads");
    let train = |more: &[&str]| {
        world.ok(&[&TRAIN[..], &LATENT, more].concat());
        let decided = world.ok(&[&["predict", "-m", "my.resay", "--explain", "3", "new.tsv"], more].concat());
        (world.read("my.resay"), decided)
    };
    let once = train(&["--threads", "1"]);
    assert!(train(&["--threads", "2"]) == once);
    assert!(train(&["--seed", "9"]).0 != once.0, "the seed decides the folds");
}

/// The file exists and is complete while training continues, and remains when training is stopped.
#[test]
fn an_interrupted_training_leaves_a_model() {
    let world = World::new("hidden-kill");
    world.write("many.tsv", pairs(400, 1));
    let mut command = world.command(&["train", "paraphrase", "--learner", "latent", "--cost", "0.01"]);
    command.args(["--folds", "2", "many.tsv", "-o", "my.resay", "--quiet"]);
    let mut child = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    let path = world.folder.join("my.resay");
    while !path.exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let _ = child.kill();
    child.wait().unwrap();
    // Whether training was stopped in time or had finished, the file is a model.
    let table = world.ok(&["predict", "-m", "my.resay", "pairs.tsv"]);
    assert_eq!(table.lines().count(), 61);
}

#[test]
fn alignments_meet_the_constraints_of_a_file() {
    let world = with_pairs("hidden-constraints");
    world.write("links.rules", "# nothing but equal words\nmust-not-link any any !same-form\nat-most 3  any any\n");
    let ruled = ["--learner", "latent", "--cost", "0.01", "--constraints", "links.rules"];
    let text = world.ok(&[&TRAIN[..], &ruled].concat());
    assert!(text.contains("links     must-not-link any any !same-form; at-most 3 any any\n"), "{text}");
    // The model knows them without the file.
    std::fs::remove_file(world.folder.join("links.rules")).unwrap();
    let meets = |model: &str| {
        let texts = ["Anna sold the old boat on Monday.", "On Monday the old ship was bought by Anna."];
        let found = world.json(&["explain", "-m", model, "--top", "1000", texts[0], texts[1]]).remove(0);
        let parts = found["explanation"]["parts"].as_array().unwrap().clone();
        let words = parts.iter().filter(|part| part["kind"] == "phrase");
        let links: Vec<_> = words.filter_map(|part| part["text"].as_str().unwrap().split_once(" -> ")).collect();
        assert!(!links.is_empty(), "{found}");
        let linked: Vec<_> = links.iter().filter(|(a, b)| *a != "(nothing)" && *b != "(nothing)").collect();
        linked.len() <= 3 && linked.iter().all(|(a, b)| a.eq_ignore_ascii_case(b))
    };
    assert!(meets("my.resay"));
    world.ok(&[&TRAIN[..5], &["-o", "free.resay", "--learner", "latent", "--cost", "0.01"]].concat());
    assert!(!meets("free.resay"));
    let about = world.ok(&["models", "my.resay"]);
    assert!(about.contains("must-not-link any any !same-form; at-most 3 any any"), "{about}");
    assert!(!world.ok(&["models", "free.resay"]).contains("links "));
    assert_eq!(world.ok(&["predict", "-m", "my.resay", "new.tsv"]).lines().count(), 11);
}

#[test]
fn wrong_use_is_explained() {
    let world = trained("hidden-faults");
    world.write("bad.rules", "must-link noun verb\nmust-link nuon verb\n");
    world.write("good.rules", "must-link noun verb\n");
    let train = |task: &str, more: &[&str], expected: &str| {
        let fixed = ["train", task, "--learner", "latent", "few.tsv", "-o", "x.resay"];
        refuse(&world, &[&fixed[..], more].concat(), expected);
    };
    let nothing = "does not apply to --learner latent and two-stage";
    train("paraphrase", &["--kernel", "pr"], &format!("--kernel {nothing}"));
    train("paraphrase", &["--units", "words"], &format!("--units {nothing}"));
    train("entailment", &["--spectrum", "clip"], &format!("--spectrum {nothing}"));
    train("paraphrase", &["--balanced"], &format!("--balanced {nothing}"));
    train("paraphrase", &["--max-rules", "3"], &format!("--max-rules {nothing}"));
    train("paraphrase", &["--no-examples"], &format!("--no-examples {nothing}"));
    train("paraphrase", &["--measure", "mrr"], &format!("--measure mrr or map {nothing}"));
    train("paraphrase", &["--constraints", "bad.rules"], "bad.rules:2: 'nuon' is no kind of word, expected any, noun");
    train("paraphrase", &["--constraints", "none.rules"], "none.rules");
    let linear = ["train", "paraphrase", "--constraints", "good.rules", "few.tsv", "-o", "x.resay"];
    refuse(&world, &linear, "--constraints needs --learner latent or two-stage");
    train("answers", &[], "the latent learners cannot rank answers");
    train("topics", &[], "--learner is no option of 'resay train topics'");
    train("align", &[], "--learner is no option of 'resay train align'");
    train("paraphrase", &["--topics", "a"], "--topics is no option of 'resay train paraphrase', but of topics");
    train("paraphrase", &["--cost", "0"], "a cost of 0, expected a finite number above 0");
    train("paraphrase", &["--cost", "-1"], "a cost of -1");
    train("paraphrase", &["--folds", "1"], "folds");
    let unknown = ["train", "paraphrase", "--learner", "deep", "few.tsv", "-o", "x.resay"];
    let output = world.run(&unknown);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("auto, linear, dual, latent, two-stage"), "{said}");
    assert!(!world.files().contains(&"x.resay".to_owned()), "{:?}", world.files());

    refuse(&world, &["explain", "-m", "my.resay", "one"], "the target text is missing: this model decides about pairs");
    refuse(&world, &["explain", "-m", "my.resay", "--topic", "x", "a", "b"], "--topic is for a model of topics");
    refuse(&world, &["rules", "-m", "my.resay", "--topic", "x"], "--topic is for a model of topics");
    world.write("queries.txt", "Anna\n");
    let ranked = ["rank", "-m", "my.resay", "--queries", "queries.txt", "--candidates", "queries.txt"];
    refuse(&world, &ranked, "but rank --queries needs a model of names (resay train names)");
    refuse(&world, &["align", "-m", "my.resay", "a", "b"], "needs an aligner (resay train align)");
    let long = "word ".repeat(1200);
    refuse(&world, &["explain", "-m", "my.resay", &long, &long], "1200 and 1200 words are too many to align");
    let mut bytes = world.read("my.resay");
    bytes.truncate(bytes.len() - 9);
    world.write("cut.resay", bytes);
    refuse(&world, &["predict", "-m", "cut.resay", "new.tsv"], "cut.resay: the model is cut off");
}

#[test]
fn everything_joined_is_learned_used_and_taken_apart() {
    let world = with_pairs("combined");
    let train = ["train", "paraphrase", "--learner", "combined", "--folds", "2", "few.tsv", "-o", "all.resay"];
    let text = world.ok(&train);
    assert!(text.contains("learner   combined, ") && text.contains("by themselves: re-writing rules"), "{text}");
    let about = world.json(&[&train[..], &["--note", "joined"]].concat()).remove(0);
    assert_eq!((&about["learner"], &about["note"]), (&"combined".into(), &"joined".into()));
    assert_eq!(list(&about["parts"]).len(), 3);
    assert_eq!(world.ok(&["predict", "-m", "all.resay", "new.tsv"]).lines().count(), 1 + 10);
    world.ok(&["eval", "-m", "all.resay", "new.tsv"]);
    let signs = world.json(&["rules", "-m", "all.resay", "--top", "5"]);
    assert!(signs.len() == 5 && signs.iter().all(|sign| number(&sign["weight"]) != 0.0));
    let two = ["explain", "-m", "all.resay", "Anna sold 12 boats.", "Anna sold 13 boats."];
    let found = world.json(&two).remove(0);
    let score = number(&found["score"]);
    assert!((leaves(&found["explanation"]) - score).abs() < 1e-9 * score.abs().max(1.0));
    let text = world.ok(&two);
    assert!(text.contains("re-writing rules") && text.contains("latent alignment"), "{text}");
    refuse(&world, &[&train[..], &["--loss", "hinge"]].concat(), "--loss does not apply to --learner combined");
    // Contrast training pairs are not counted as pairs of the corpus.
    let contrasted = world.json(&[&train[..], &["--contrast", "new.tsv"]].concat()).remove(0);
    assert_eq!(contrasted["n_pairs"], about["n_pairs"]);
    let plain = ["train", "paraphrase", "--contrast", "new.tsv", "few.tsv", "-o", "x.resay"];
    refuse(&world, &plain, "--contrast needs --learner combined");
}
