//! Answers of every kind, from training to ranking: categories, levels of a scale and numbers, by
//! every learner.

use crate::answers::{leaves, list, number, refuse, rows};
use crate::world::{World, levels, similar, three_way};
use serde_json::Value;

/// A kind of answers: how a model of it is trained, and the columns that `predict` gives it.
struct Kind {
    name: &'static str,
    train: &'static [&'static str],
    columns: &'static [&'static str],
}

const KINDS: [Kind; 3] = [
    Kind {
        name: "categories",
        train: &["entailment", "entailment.tsv"],
        columns: &["contradiction", "entailment", "neutral", "label"],
    },
    Kind {
        name: "ordinal",
        train: &["pair", "--levels", "low,middle,high", "levels.tsv"],
        columns: &["low", "middle", "high", "label"],
    },
    Kind { name: "real", train: &["similarity", "similarity.tsv"], columns: &["value", "low", "high"] },
];

impl Kind {
    /// The file that it learns from.
    fn file(&self) -> &'static str {
        self.train[self.train.len() - 1]
    }

    fn model(&self) -> String {
        format!("{}.resay", self.name)
    }

    /// Whether answers are numbers.
    fn is_real(&self) -> bool {
        self.name == "real"
    }

    /// The names of the classes; none for numbers.
    fn classes(&self) -> &'static [&'static str] {
        if self.is_real() { &[] } else { &self.columns[..self.columns.len() - 1] }
    }

    /// Trains with a cost and two folds.
    fn train(&self, world: &World, more: &[&str], output: &str) -> String {
        let fixed = ["--cost", "1", "--folds", "2", "-o", output];
        world.ok(&[&["train"], self.train, &fixed[..], more].concat())
    }
}

/// A world with a file of every kind.
fn files(test: &str) -> World {
    let world = World::new(test);
    world.write("entailment.tsv", three_way(30));
    world.write("levels.tsv", levels(30));
    world.write("similarity.tsv", similar(30));
    world
}

/// A world that also has a model of every kind.
fn models(test: &str) -> World {
    let world = files(test);
    for kind in &KINDS {
        kind.train(&world, &["--learner", "linear"], &kind.model());
    }
    world
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// The largest of the numbers that an object has by label.
fn most(by_label: &Value) -> &str {
    let pairs = by_label.as_object().unwrap().iter();
    pairs
        .fold(
            ("", f64::NEG_INFINITY),
            |best, (key, value)| {
                if number(value) > best.1 { (key.as_str(), number(value)) } else { best }
            },
        )
        .0
}

/// Every learner predicts every kind. The model is the same on one thread and on two.
#[test]
fn every_learner_gives_every_kind_of_answer() {
    let world = files("kinds");
    for kind in &KINDS {
        for learner in ["auto", "linear", "dual", "latent", "combined"] {
            let what = format!("{} by {learner}", kind.name);
            if kind.is_real() && learner == "latent" {
                let args = ["train", "similarity", "--learner", "latent", "similarity.tsv", "-o", "x.resay"];
                refuse(
                    &world,
                    &args,
                    "can decide about labels and levels but not predict numbers: use another learner",
                );
                continue;
            }
            kind.train(&world, &["--learner", learner, "--threads", "1"], "one.resay");
            kind.train(&world, &["--learner", learner, "--threads", "2"], "m.resay");
            assert!(world.read("one.resay") == world.read("m.resay"), "{what}: the threads show");
            let file = kind.file();
            let table = world.ok(&["predict", "-m", "m.resay", "--threads", "1", file]);
            assert_eq!(table, world.ok(&["predict", "-m", "m.resay", "--threads", "2", file]), "{what}");
            assert_eq!(table.lines().next().unwrap(), format!("id\t{}", kind.columns.join("\t")), "{what}");
            let found = world.json(&["predict", "-m", "m.resay", file]);
            assert_eq!((rows(&table).len(), found.len()), (30, 30), "{what}");
            for (row, json) in rows(&table).iter().zip(&found) {
                check_row(kind, row, json, &what);
            }
            let first = world.read(file);
            let pair: Vec<&str> = std::str::from_utf8(&first).unwrap().lines().nth(1).unwrap().split('\t').collect();
            let explained = &world.json(&["explain", "-m", "m.resay", pair[1], pair[2]])[0];
            for key in ["label", "probabilities", "scores", "value", "low", "high"] {
                assert_eq!(explained.get(key), found[0].get(key), "{what}: {key}");
            }
            let tree = &explained["explanation"];
            assert!(close(leaves(tree), number(&tree["value"])), "{what}: {tree}");
            if kind.is_real() {
                assert!(close(leaves(tree), number(&found[0]["value"])), "{what}: {tree}");
            } else {
                assert_eq!(explained["class"], found[0]["label"], "{what}");
            }
            let measured = &world.json(&["eval", "-m", "m.resay", file])[0];
            assert_eq!((&measured["model"], number(&measured["n_pairs"])), (&"m.resay".into(), 30.0), "{what}");
            assert!(!world.json(&["rules", "-m", "m.resay", "--top", "1"]).is_empty(), "{what}");
        }
    }
}

/// A row of the table and one of JSON say the same, and it makes sense.
fn check_row(kind: &Kind, row: &[&str], json: &Value, what: &str) {
    assert_eq!(json["id"], row[0], "{what}");
    if kind.is_real() {
        let [value, low, high] = ["value", "low", "high"].map(|key| number(&json[key]));
        assert_eq!(row[1..], [value, low, high].map(|number| number.to_string()), "{what}");
        assert!(0.0 <= low && low <= value && value <= high && high <= 5.0, "{what}: {json}");
        return;
    }
    let probability = |class: &str| number(&json["probabilities"][class]);
    let shares: Vec<f64> = kind.classes().iter().map(|class| probability(class)).collect();
    let cells: Vec<String> = shares.iter().map(f64::to_string).collect();
    assert_eq!(
        (&row[1..row.len() - 1], row[row.len() - 1]),
        (&cells.iter().map(String::as_str).collect::<Vec<_>>()[..], json["label"].as_str().unwrap())
    );
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{what}: {json}");
    assert_eq!((most(&json["scores"]), most(&json["probabilities"])), (row[row.len() - 1], row[row.len() - 1]));
}

#[test]
fn the_summary_says_what_was_learned_from_what() {
    let world = files("kinds-summary");
    let [categories, ordinal, real] = [0, 1, 2].map(|at| KINDS[at].train(&world, &[], "m.resay"));
    for (summary, expected) in [
        (&categories, "pairs     30: 10 of contradiction, 10 of entailment, 10 of neutral"),
        (&categories, "folds     2, over 30 groups of pairs that share no sentence"),
        (&ordinal, "pairs     30: 10 of low, 10 of middle, 10 of high"),
        (&real, "pairs     30: numbers from 0 to 5"),
    ] {
        assert!(summary.lines().any(|line| line == expected), "{expected} in {summary}");
    }
    assert!(ordinal.contains("Pearson") && real.contains("Pearson") && categories.contains("accuracy"));
    let card = world.ok(&["models", "m.resay"]);
    assert!(card.contains("30 pairs (numbers from 0 to 5) of similarity.tsv"), "{card}");
    // Integers are a scale; of a task of similarity they are numbers all the same.
    world.write("stars.tsv", similar(30).replace(".2\n", "\n").replace(".5\n", "\n").replace(".8\n", "\n"));
    let train = |task| world.json(&["train", task, "--cost", "1", "--folds", "2", "stars.tsv", "-o", "m.resay"]);
    assert_eq!(
        train("pair")[0]["response"],
        serde_json::json!({"kind": "ordinal", "levels": ["0", "1", "2", "3", "5"]})
    );
    assert_eq!(train("similarity")[0]["response"], serde_json::json!({"kind": "real", "low": 0.0, "high": 5.0}));
    // Pairs that share sentences leave fewer groups, then fewer folds, and the summary says so.
    let once = three_way(12);
    let again: String = once.lines().skip(1).map(|row| format!("again-{row}\n")).collect();
    let shared = once + &again;
    world.write("shared.tsv", shared);
    let train = ["train", "entailment", "--cost", "1", "--folds", "8", "shared.tsv", "-o", "m.resay"];
    let folds = &world.json(&train)[0]["folds"];
    assert_eq!((number(&folds["n_folds"]), number(&folds["n_groups"])), (4.0, 12.0), "{folds}");
    let said = format!("folds     {}, over {} groups", folds["n_folds"], folds["n_groups"]);
    let summary = world.ok(&train);
    assert!(summary.contains(&said), "{said}: {summary}");
}

#[test]
fn merged_labels_are_named() {
    let world = files("kinds-merged");
    let train = |more: &[&str]| {
        let fixed = ["train", "entailment", "--cost", "1", "--folds", "2", "entailment.tsv", "-o", "m.resay"];
        (world.ok(&[&fixed[..], more].concat()), world.json(&[&fixed[..], more].concat()).remove(0))
    };
    let merged = "merged    contradiction, neutral count as no";
    for (more, labels) in [
        (&["--positive", "entailment"], ["not entailment", "entailment"]),
        (&["--positive", "ENTAILMENT"], ["not ENTAILMENT", "ENTAILMENT"]),
        (&["--response", "binary"], ["0", "1"]),
    ] {
        let (summary, json) = train(more);
        assert!(summary.lines().any(|line| line == merged), "{summary}");
        assert_eq!(json["merged"], serde_json::json!(["contradiction", "neutral"]));
        assert_eq!((&json["labels"], number(&json["n_positive"])), (&serde_json::json!(labels), 10.0));
        let table = world.ok(&["predict", "-m", "m.resay", "entailment.tsv"]);
        assert!(table.starts_with("id\tscore\tprobability\tlabel\n"), "{table}");
        assert!(rows(&table).iter().all(|row| labels.contains(&row[3])), "{table}");
        // The file still has three labels, and is read as the model reads it.
        let measured = &world.json(&["eval", "-m", "m.resay", "entailment.tsv"])[0];
        assert_eq!(measured["measures"][0]["measure"], "accuracy");
    }
    let (summary, json) = train(&[]);
    assert!(!summary.contains("merged") && json.get("merged").is_none(), "{summary}");
}

#[test]
fn every_kind_is_measured_and_compared() {
    let world = models("kinds-eval");
    for kind in &KINDS {
        kind.train(&world, &["--kernel", "pr"], "other.resay");
        let args = ["eval", "-m", &kind.model(), "--versus", "other.resay", kind.file()];
        let found = &world.json(&args)[0];
        let names = |of: &Value| list(of).iter().map(|one| one["measure"].as_str().unwrap().to_owned()).collect();
        let (ours, theirs): (Vec<String>, Vec<String>) =
            (names(&found["measures"]), names(&found["versus"]["measures"]));
        let classes = "accuracy, macro F1, log loss, Brier";
        let (expected, compared) = match kind.name {
            "categories" => (classes.to_owned(), classes.to_owned()),
            "ordinal" => (
                format!("{classes}, Pearson, Spearman, mean absolute error in levels"),
                format!("{classes}, Pearson, Spearman"),
            ),
            _ => (
                "Pearson, Spearman, RMSE, mean absolute error, within the interval".to_owned(),
                "Pearson, Spearman, RMSE, mean absolute error".to_owned(),
            ),
        };
        assert_eq!((ours.join(", "), theirs.join(", ")), (expected, compared), "{}", kind.name);
        for measure in list(&found["versus"]["measures"]) {
            let [a, b, difference] = ["first", "second", "difference"].map(|key| number(&measure[key]));
            assert!(close(a - b, difference), "{measure}");
        }
        assert_eq!(found["versus"].get("mcnemar_p").is_some(), !kind.is_real(), "{}", kind.name);
        let text = world.ok(&args);
        assert!(text.contains("versus    other.resay"), "{text}");
        if kind.is_real() {
            assert!(number(&found["mean_interval_width"]) > 0.0 && text.contains("nine in ten should hold the truth"));
            continue;
        }
        // What was said is what predict says.
        let said = world.json(&["predict", "-m", &kind.model(), kind.file()]);
        let gold = String::from_utf8(world.read(kind.file())).unwrap();
        for (at, class) in kind.classes().iter().enumerate() {
            let of_class = &found["classes"][at];
            let n_said = said.iter().filter(|row| row["label"] == *class).count() as f64;
            let n_gold = rows(&gold).iter().filter(|row| row[3] == *class).count() as f64;
            let counted = ["n_gold", "n_predicted"].map(|key| number(&of_class[key]));
            assert_eq!((&of_class["class"], counted), (&(*class).into(), [n_gold, n_said]));
            let in_row: f64 = list(&found["confusion"][at]).iter().map(number).sum();
            assert_eq!(in_row, n_gold, "{}", found["confusion"]);
        }
        assert!(text.contains(&format!("said {}", kind.classes()[0])), "{text}");
    }
    let versus = ["eval", "-m", "categories.resay", "--versus", "real.resay", "entailment.tsv"];
    refuse(&world, &versus, "--versus: its answers are numbers, the model's contradiction, entailment, neutral");
    refuse(&world, &["eval", "-m", "real.resay", "--risk", "x.svg", "similarity.tsv"], "--risk");
}

const PAIR: [&str; 2] = ["Anna sold the boat on Monday.", "The boat was sold by Anna on Monday."];

#[test]
fn an_explanation_is_asked_for_a_class_or_for_one_against_another() {
    let world = models("kinds-explain");
    let explain = |model: &str, more: &[&str]| {
        let found = world.json(&[&["explain", "-m", model], more, &PAIR].concat()).remove(0);
        let tree = &found["explanation"];
        assert!(close(leaves(tree), number(&tree["value"])), "{more:?}: {found}");
        (number(&tree["value"]), found)
    };
    let text = |model: &str, more: &[&str]| {
        let text = world.ok(&[&["explain", "-m", model], more, &PAIR].concat());
        text.lines().last().unwrap().to_owned()
    };
    for kind in KINDS.iter().filter(|kind| !kind.is_real()) {
        let model = kind.model();
        let (whole, answer) = explain(&model, &[]);
        let said = answer["label"].as_str().unwrap().to_owned();
        assert_eq!((answer["class"].as_str(), answer.get("against")), (Some(&*said), None));
        for class in kind.classes() {
            let (value, found) = explain(&model, &["--class", class]);
            assert_eq!((found["class"].as_str(), &found["label"]), (Some(*class), &answer["label"]));
            if kind.name == "categories" {
                assert!(close(value, number(&answer["scores"][class])), "{class}: {found}");
            }
            assert!(*class != said || value == whole, "{class}: {found}");
            for against in kind.classes().iter().filter(|against| *against != class) {
                let (difference, found) = explain(&model, &["--class", class, "--against", against]);
                assert_eq!((&found["class"], &found["against"]), (&(*class).into(), &(*against).into()));
                let (other_way, _) = explain(&model, &["--class", against, "--against", class]);
                assert!(close(difference, -other_way), "{class} against {against}: {difference} {other_way}");
                if kind.name == "categories" {
                    let scores = [class, against].map(|class| number(&answer["scores"][class]));
                    assert!(close(difference, scores[0] - scores[1]), "{class} against {against}");
                }
            }
        }
        // Without a class it is the predicted one, or the next best if that is asked against.
        let (_, found) = explain(&model, &["--against", &said]);
        assert_eq!(found["against"], *said);
        assert!(found["class"] != found["against"], "{found}");
    }
    assert_eq!(
        text("categories.resay", &["--class", "neutral", "--against", "entailment"]),
        "The leaves add up to the score of neutral less that of entailment."
    );
    assert_eq!(
        text("categories.resay", &["--class", "Neutral"]),
        "The leaves add up to the score of neutral; the highest score wins."
    );
    for (asked, expected) in [
        (&["--class", "high"][..], "reaching level high."),
        (&["--class", "middle"], "reaching level middle."),
        (&["--class", "low"], "not reaching level middle."),
        (&["--class", "low", "--against", "high"], "not reaching level high."),
    ] {
        let expected = format!("The leaves add up to the log-odds of {expected}");
        assert_eq!(text("ordinal.resay", asked), expected, "{asked:?}");
    }
    assert_eq!(text("real.resay", &[]), "The leaves add up to the number.");
    let verdict = world.ok(&[&["explain", "-m", "real.resay"][..], &PAIR].concat());
    assert!(verdict.starts_with("similarity: ") && verdict.contains(", in nine of ten cases from "), "{verdict}");
    // A model of two labels explains either.
    world.ok(&["train", "paraphrase", "--cost", "1", "--folds", "2", "pairs.tsv", "-o", "two.resay"]);
    let (yes, found) = explain("two.resay", &[]);
    assert!(close(yes, number(&found["score"])) && found.get("class").is_none());
    for no in [&["--class", "0"][..], &["--against", "1"], &["--class", "0", "--against", "1"]] {
        assert!(close(explain("two.resay", no).0, -yes), "{no:?}");
        assert_eq!(text("two.resay", no), "The leaves add up to the score of no; above 0 is no.");
    }
}

#[test]
fn rules_are_those_of_every_class_or_of_one() {
    let world = models("kinds-rules");
    let all = world.json(&["rules", "-m", "categories.resay", "--top", "3"]);
    let classes: Vec<&str> = all.iter().map(|rule| rule["class"].as_str().unwrap()).collect();
    assert_eq!(classes, ["contradiction", "entailment", "neutral"].map(|class| [class; 3]).concat());
    let one = world.json(&["rules", "-m", "categories.resay", "--top", "3", "--class", "entailment"]);
    assert_eq!(one[..], all[3..6]);
    let table = world.ok(&["rules", "-m", "categories.resay", "--class", "neutral", "--for"]);
    assert_eq!(table.lines().next().unwrap().split_whitespace().next(), Some("class"), "{table}");
    assert!(table.lines().skip(1).all(|line| line.starts_with("neutral ") && line.contains('+')), "{table}");
    // A scale and numbers have one score.
    for model in ["ordinal.resay", "real.resay"] {
        let rules = world.json(&["rules", "-m", model, "--top", "3"]);
        assert!(rules.len() == 3 && rules.iter().all(|rule| rule.get("class").is_none()), "{rules:?}");
        refuse(&world, &["rules", "-m", model, "--class", "low"], "this one has a single score");
    }
    // A latent model of a scale has weights for every step, each named after the level above it.
    KINDS[1].train(&world, &["--learner", "two-stage"], "latent.resay");
    let steps = world.json(&["rules", "-m", "latent.resay", "--top", "1"]);
    assert_eq!(steps.iter().map(|step| step["class"].as_str().unwrap()).collect::<Vec<_>>(), ["middle", "high"]);
    let step = world.json(&["rules", "-m", "latent.resay", "--top", "1", "--class", "high"]);
    assert_eq!(step[..], steps[1..]);
    refuse(&world, &["rules", "-m", "latent.resay", "--class", "low"], "low is the lowest level");
}

#[test]
fn candidates_are_ranked_by_a_class_a_level_or_a_number() {
    let world = models("kinds-rank");
    let candidates = "id\tgroup\tsource\ttarget\n\
                      a\tq\tOmar lost the kite.\tNobody lost the kite of Omar.\n\
                      b\tq\tOmar lost the kite.\tThe kite was lost by Omar.\n\
                      c\tq\tOmar lost the kite.\tOmar lost the kite for a friend.\n\
                      d\tr\tOmar lost the kite.\tNumber 7 is a prime.\n\
                      e\tr\tOmar lost the kite.\tThe kite was lost by Omar.\n";
    world.write("candidates.tsv", candidates);
    let check = |model: &str, class: Option<&str>, value: &dyn Fn(&Value) -> f64| {
        let class: Vec<&str> = class.map(|class| ["--class", class]).into_iter().flatten().collect();
        let args = [&["rank", "-m", model], &class[..], &["candidates.tsv"]].concat();
        let (table, ranked) = (world.ok(&args), world.json(&args));
        assert_eq!(table.lines().next(), Some("group\trank\tid\tscore\tprobability\ttarget"));
        let said = world.json(&["predict", "-m", model, "candidates.tsv"]);
        let of = |row: &Value| value(said.iter().find(|one| one["id"] == row["id"]).unwrap());
        for (row, cells) in ranked.iter().zip(rows(&table)) {
            let probability = row["probability"].as_f64().map_or_else(String::new, |share| share.to_string());
            assert_eq!([cells[3], cells[4]], [number(&row["score"]).to_string(), probability], "{row}");
            assert!(row["probability"].is_null() || close(number(&row["probability"]), of(row)), "{row}");
        }
        assert_eq!(ranked.iter().map(|row| number(&row["rank"])).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 1.0, 2.0]);
        for two in ranked.windows(2).filter(|two| two[0]["group"] == two[1]["group"]) {
            assert!(number(&two[0]["score"]) >= number(&two[1]["score"]), "{two:?}");
            assert!(of(&two[0]) >= of(&two[1]) - 1e-12, "by what was asked: {two:?}");
        }
        ranked
    };
    for class in KINDS[0].classes() {
        check("categories.resay", Some(class), &|row| number(&row["probabilities"][class]));
    }
    for class in KINDS[1].classes() {
        check("ordinal.resay", Some(class), &|row| number(&row["probabilities"][class]));
    }
    let expected = |row: &Value| number(&row["probabilities"]["middle"]) + 2.0 * number(&row["probabilities"]["high"]);
    assert!(check("ordinal.resay", None, &expected).iter().all(|row| row["probability"].is_null()));
    let numbers = check("real.resay", None, &|row| number(&row["value"]));
    assert!(numbers.iter().all(|row| row["probability"].is_null()));
    assert_eq!(numbers[3]["id"], "e");
    let missing = "--class is missing: the model knows contradiction, entailment, neutral, say which one to rank by";
    refuse(&world, &["rank", "-m", "categories.resay", "candidates.tsv"], missing);
    let unknown = ["rank", "-m", "categories.resay", "--class", "maybe", "candidates.tsv"];
    refuse(&world, &unknown, "no class 'maybe', expected one of: contradiction, entailment, neutral");
    let no_class = ["rank", "-m", "real.resay", "--class", "5", "candidates.tsv"];
    refuse(&world, &no_class, "the model answers with a number, it has no classes");
}

#[test]
fn labels_and_options_that_do_not_fit_are_refused() {
    let world = models("kinds-faults");
    let train = |more: &[&str], expected: &str| {
        refuse(&world, &[&["train"], more, &["--cost", "1", "--folds", "2", "-o", "x.resay"]].concat(), expected);
    };
    let header = "source\ttarget\tlabel\n";
    world.write("mixed.tsv", format!("{header}a\tb\t1.5\nc\td\thigh\ne\tf\t3\n"));
    train(&["similarity", "mixed.tsv"], "mixed.tsv:3: label \"high\", expected a number");
    train(&["pair", "--response", "real", "mixed.tsv"], "mixed.tsv:3: label \"high\", expected a number");
    train(&["pair", "--response", "ordinal", "mixed.tsv"], "a scale of words needs its levels, lowest first");
    train(&["pair", "--levels", "low,high", "levels.tsv"], "levels.tsv:3: label \"middle\", expected low, high");
    train(&["pair", "--levels", "low,middle,high,top", "levels.tsv"], "no example of level \"top\"");
    train(&["pair", "--response", "binary", "levels.tsv"], "3 different labels (high, low, middle), expected two");
    train(&["paraphrase", "--positive", "yes", "entailment.tsv"], "no label \"yes\", expected one of: contradiction");
    train(&["paraphrase", "levels.tsv"], "levels.tsv:2: label \"low\"");
    world.write("dev.tsv", three_way(6).replace("neutral", "unsure"));
    let dev = ["train", "entailment", "--cost", "1", "--dev", "dev.tsv", "entailment.tsv", "-o", "x.resay"];
    refuse(&world, &dev, "dev.tsv:3: label \"unsure\", expected contradiction, entailment, neutral");
    train(&["similarity", "--measure", "f1", "similarity.tsv"], "F1 is for classes");
    train(&["entailment", "--measure", "pearson", "entailment.tsv"], "Pearson's correlation is for numbers and levels");
    train(&["entailment", "--measure", "mrr", "entailment.tsv"], "MRR is for answers of yes or no");
    assert!(!world.files().contains(&"x.resay".to_owned()));
    for (model, class, expected) in [
        ("categories.resay", "maybe", "no class 'maybe', expected one of: contradiction, entailment, neutral"),
        ("ordinal.resay", "3", "no class '3', expected one of: low, middle, high"),
        ("real.resay", "5", "the model answers with a number, it has no classes"),
    ] {
        for option in ["--class", "--against"] {
            refuse(&world, &[&["explain", "-m", model, option, class][..], &PAIR].concat(), expected);
        }
    }
    let itself = ["explain", "-m", "categories.resay", "--class", "neutral", "--against", "neutral", PAIR[0], PAIR[1]];
    refuse(&world, &itself, "a class against itself");
    refuse(&world, &["explain", "-m", "align", "--class", "x", PAIR[0], PAIR[1]], "but this one aligns pairs");
    refuse(&world, &["eval", "-m", "categories.resay", "levels.tsv"], "levels.tsv:2: label \"low\"");
    refuse(&world, &["eval", "-m", "real.resay", "entailment.tsv"], "label \"entailment\", expected a number");
    world.write("notes.txt", "It rained all day.\nAll day it rained.\n");
    let needed = "this model answers with one of contradiction, entailment, neutral, but dedupe needs one of yes or no";
    refuse(&world, &["dedupe", "-m", "categories.resay", "notes.txt"], needed);
    refuse(&world, &["dedupe", "-m", "real.resay", "notes.txt"], "this model answers with a number");
}

#[test]
fn a_row_that_cannot_be_judged_keeps_its_columns() {
    let world = models("kinds-long-row");
    let long = "the ".repeat(250);
    for kind in &KINDS {
        world.write("long.tsv", format!("id\tsource\ttarget\na\tHe left.\tHe went.\nb\t{long}\t{long}\n"));
        let run = |more: &[&str]| {
            let output = world.run(&[&["predict", "-m", &kind.model(), "long.tsv"], more].concat());
            let said = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.code() == Some(2) && said.starts_with("error: long.tsv:3: "), "{said}");
            String::from_utf8(output.stdout).unwrap()
        };
        let tabs = "\t".repeat(kind.columns.len());
        let table = run(&[]);
        let lines: Vec<&str> = table.lines().collect();
        assert_eq!((lines.len(), lines[2]), (3, &*format!("b{tabs}error")), "{}", kind.name);
        assert!(lines.iter().all(|line| line.split('\t').count() == kind.columns.len() + 1), "{table}");
        let explained = run(&["--explain", "1"]);
        assert_eq!(explained.lines().nth(2), Some(&*format!("b{tabs}error\t")), "{}", kind.name);
        // In JSON every key is there, without a value.
        let printed = run(&["--json"]);
        let both: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let keys = |row: &Value| row.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let with_error = [keys(&both[0]), vec!["error".to_owned()]].concat();
        let sorted = |mut keys: Vec<String>| {
            keys.sort();
            keys
        };
        assert_eq!(sorted(keys(&both[1])), sorted(with_error), "{}", kind.name);
        for key in keys(&both[1]).iter().filter(|key| !["id", "error", "label"].contains(&key.as_str())) {
            assert!(both[1][key].is_null(), "{key}: {}", both[1]);
        }
        assert!(kind.is_real() || both[1]["label"] == "error", "{}", both[1]);
    }
}
