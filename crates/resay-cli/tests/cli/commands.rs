//! What each command prints and writes.

use crate::answers::{leaves, number, rows};
use crate::world::{World, pairs};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;

#[test]
fn from_training_to_measures() {
    let world = World::new("round-trip");
    let summary =
        world.ok(&["train", "paraphrase", "--folds", "4", "--costs", "0.1..3", "pairs.tsv", "-o", "my.resay"]);
    for said in ["60: 30 of label 1, 30 of label 0", "pairs.tsv", "kb(k=1..4)+pr", "held-out folds", "converged after"]
    {
        assert!(summary.contains(said), "{said}: {summary}");
    }
    assert_eq!(summary.lines().filter(|line| line.starts_with('*')).count(), 1, "{summary}");

    let predicted = world.ok(&["predict", "-m", "my.resay", "more.tsv"]);
    assert!(predicted.starts_with("id\tscore\tprobability\tlabel\n"));
    let more = pairs(40, 2);
    let (predicted, truth) = (rows(&predicted), rows(&more));
    let n_right = predicted.iter().zip(&truth).filter(|(row, truth)| row[3] == truth[3]).count();
    assert_eq!(predicted.len(), 40);
    for (row, truth) in predicted.iter().zip(&truth) {
        let (score, probability): (f64, f64) = (row[1].parse().unwrap(), row[2].parse().unwrap());
        assert_eq!((row[0], row[3]), (truth[0], if score > 0.0 { "1" } else { "0" }));
        assert!((0.0..=1.0).contains(&probability));
        assert_eq!(row[1], score.to_string(), "the shortest digits that read back the same");
    }

    let measured = &world.json(&["eval", "-m", "my.resay", "more.tsv"])[0];
    let accuracy = &measured["measures"][0];
    assert_eq!(accuracy["measure"], "accuracy");
    assert!((number(&accuracy["value"]) - n_right as f64 / 40.0).abs() < 1e-12);
    assert!(n_right > 30, "{n_right} of 40 right");
    for figure in measured["measures"].as_array().unwrap() {
        let [low, value, high] = ["low", "value", "high"].map(|end| number(&figure[end]));
        assert!(low <= value && value <= high, "{figure}");
    }
    let counts = &measured["counts"];
    assert_eq!(number(&counts["true_positive"]) + number(&counts["true_negative"]), n_right as f64);
    let table = world.ok(&["eval", "-m", "my.resay", "more.tsv"]);
    for name in
        ["accuracy", "precision", "recall", "F1", "macro F1", "AUC", "average precision", "log loss", "Brier", "said 1"]
    {
        assert!(table.contains(name), "{name}: {table}");
    }
}

#[test]
fn threads_and_repetition_change_no_byte() {
    let world = World::new("threads");
    let mut seen: Vec<Vec<Vec<u8>>> = Vec::new();
    for threads in ["1", "2", "2"] {
        let run = |args: &[&str]| world.ok(&[args, &["--threads", threads]].concat()).into_bytes();
        run(&["train", "paraphrase", "--folds", "3", "--costs", "0.1..1", "pairs.tsv", "-o", "my.resay"]);
        run(&["train", "pair", "--kernel", "pw(k=2)", "--folds", "3", "--cost", "1", "pairs.tsv", "-o", "dual.resay"]);
        seen.push(vec![
            world.read("my.resay"),
            world.read("dual.resay"),
            run(&["predict", "-m", "my.resay", "more.tsv"]),
            run(&["predict", "-m", "dual.resay", "--explain", "2", "more.tsv"]),
            run(&["eval", "-m", "my.resay", "--versus", "dual.resay", "--resamples", "200", "more.tsv"]),
            run(&["gram", "--kernel", "kb(k=1..2)+pr", "pairs.tsv", "more.tsv"]),
        ]);
    }
    assert!(seen[0] == seen[1], "one thread and two");
    assert!(seen[1] == seen[2], "twice the same");
}

#[test]
fn the_seed_matters_and_nothing_else_does() {
    let world = World::trained("seed");
    let eval = |seed: &str| world.ok(&["eval", "-m", "my.resay", "--resamples", "50", "--seed", seed, "more.tsv"]);
    assert_eq!(eval("1"), eval("1"));
    assert_ne!(eval("1"), eval("2"));
}

#[test]
fn training_options_reach_the_model() {
    let world = World::new("options");
    let train = |options: &[&str]| {
        let fixed = ["train", "entailment", "pairs.tsv", "-o", "x.resay"];
        world.json(&[&fixed, options].concat()).remove(0)
    };
    let few = train(&["--folds", "3", "--cost", "0.3", "--max-rules", "7", "--note", "by hand", "--units", "words"]);
    assert_eq!((&few["cost"], &few["note"], &few["units"]), (&0.3.into(), &"by hand".into(), &"words".into()));
    assert_eq!((&few["task"], &few["learner"]), (&"entailment".into(), &"dual".into()));
    assert!((1.0..=7.0).contains(&number(&few["n_rules"][1])), "{few}");
    assert_eq!(number(&few["size"]), world.read("x.resay").len() as f64);
    assert_eq!(few["search"][0]["folds"].as_array().unwrap().len(), 3);
    assert!(number(&few["seconds"]["search"]) > 0.0);

    let dev = train(&["--dev", "more.tsv", "--costs", "0.1..1", "--measure", "f1", "--loss", "squared", "--balanced"]);
    assert_eq!((dev["search"].as_array().unwrap().len(), &dev["measure"]), (3, &"F1".into()));
    assert_eq!(dev["search"][0]["folds"].as_array().unwrap().len(), 1);
    let joined = train(&["--folds", "3", "--cost", "1", "--learner", "dual", "more.tsv"]);
    assert_eq!((&joined["n_pairs"], &joined["data"]), (&100.into(), &"pairs.tsv+more.tsv".into()));
    assert_eq!(joined["learner"], "dual");
    let rare = train(&["--folds", "3", "--cost", "1", "--min-support", "9"]);
    let common = train(&["--folds", "3", "--cost", "1", "--min-support", "1"]);
    assert!(number(&rare["n_rules"][1]) < number(&common["n_rules"][1]));
    // Clipping changes nothing if rules can be listed, and is reported if words are related.
    let typed = ["--folds", "3", "--cost", "1", "--kernel", "tesrk(k=1..2,pattern=stem:similar,variable=stem)"];
    let stop = |options: &[&str]| train(options)["stop"].as_str().unwrap_or_default().to_owned();
    for (kernel, is_clipped) in [(&["--folds", "3", "--cost", "1"][..], false), (&typed[..], true)] {
        let plain = stop(&[kernel, &["--spectrum", "plain"]].concat());
        let clipped = stop(&[kernel, &["--spectrum", "clip"]].concat());
        assert!(!plain.contains("clipped") && clipped.contains("eigenvalues clipped") == is_clipped, "{clipped}");
        assert!(is_clipped || plain == clipped);
    }
    assert_eq!(world.files(), ["more.tsv", "pairs.tsv", "x.resay"], "nothing is left beside the model");
}

#[test]
fn other_labels_other_columns_other_formats() {
    let world = World::new("labels");
    let table = pairs(60, 3).replace("source\ttarget\tlabel", "left\tright\tverdict");
    let table = table.replace("\t1\n", "\tsame\n").replace("\t0\n", "\tother\n");
    world.write("named.tsv", &table);
    let columns =
        ["--source-column", "left", "--target-column", "right", "--label-column", "verdict", "--id-column", "id"];
    let fixed = ["train", "pair", "--folds", "3", "--cost", "1", "named.tsv", "-o", "my.resay"];
    world.ok(&[&fixed[..], &columns].concat());
    let predicted = world.ok(&[&["predict", "-m", "my.resay", "named.tsv"][..], &columns].concat());
    assert!(rows(&predicted).iter().all(|row| row[3] == "same" || row[3] == "other"));
    let measured = world.json(&[&["eval", "-m", "my.resay", "named.tsv"][..], &columns].concat());
    assert!(number(&measured[0]["measures"][0]["value"]) > 0.8);
    // In a file with only one class, the model still knows which of the two it is.
    let same: Vec<&str> = table.lines().filter(|line| !line.ends_with("other")).collect();
    world.write("same.tsv", same.join("\n"));
    let measured = &world.json(&[&["eval", "-m", "my.resay", "same.tsv"][..], &columns].concat())[0];
    let [f1, macro_f1, auc] = [3, 4, 5].map(|at| &measured["measures"][at]);
    assert_eq!((&macro_f1["value"], &macro_f1["low"]), (&f1["value"], &f1["low"]), "the other class has no say");
    assert_eq!((&measured["n_positive"], &auc["measure"], &auc["value"]), (&30.into(), &"AUC".into(), &Value::Null));

    world.write("pairs.jsonl", "{\"source\":\"a\\tb\",\"target\":\"b\",\"id\":\"x\\ty\\nz\"}\n");
    let predicted = world.ok(&["predict", "-m", "my.resay", "pairs.jsonl"]);
    assert_eq!(rows(&predicted).len(), 1, "one row whatever the id holds: {predicted}");
    assert_eq!(rows(&predicted)[0].len(), 4);
    assert_eq!(world.json(&["predict", "-m", "my.resay", "pairs.jsonl"])[0]["id"], "x\ty\nz");
}

#[test]
fn predictions_explained() {
    let world = World::trained("explained");
    let plain = world.ok(&["predict", "-m", "my.resay", "more.tsv"]);
    let explained = world.ok(&["predict", "-m", "my.resay", "--explain", "2", "more.tsv"]);
    for (plain, explained) in rows(&plain).iter().zip(rows(&explained)) {
        assert_eq!(plain[..], explained[..4]);
        assert_eq!(explained[4].split(" | ").count(), 2);
    }
    let json = world.json(&["predict", "-m", "my.resay", "--explain", "3", "more.tsv"]);
    for (row, plain) in json.iter().zip(rows(&plain)) {
        assert_eq!(number(&row["score"]), plain[1].parse::<f64>().unwrap());
        let rules = row["rules"].as_array().unwrap();
        assert_eq!(rules.len(), 3);
        assert!(rules.windows(2).all(|two| number(&two[0]["value"]).abs() >= number(&two[1]["value"]).abs()));
    }
}

#[test]
fn pipes() {
    let world = World::trained("pipes");
    let mut child = world.command(&["predict", "-m", "my.resay", "-"]);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(pairs(40, 2).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), world.ok(&["predict", "-m", "my.resay", "more.tsv"]));

    // The reader closes the pipe early: it takes only the first line of far more output than a pipe
    // holds.
    world.write("long.tsv", pairs(20_000, 4));
    let mut child = world.command(&["predict", "-m", "my.resay", "long.tsv"]);
    let mut child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "id\tscore\tprobability\tlabel\n");
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(0), ""));
    assert_eq!(rows(&world.ok(&["predict", "-m", "my.resay", "long.tsv"])).len(), 20_000);
}

#[test]
fn two_models_compared() {
    let world = World::trained("versus");
    let weak = ["train", "paraphrase", "--kernel", "ps(k=3)", "--folds", "3", "--cost", "0.01", "pairs.tsv"];
    world.ok(&[&weak[..], &["-o", "weak.resay"]].concat());
    let eval = |other: &str| world.json(&["eval", "-m", "my.resay", "--versus", other, "more.tsv"]).remove(0);
    let found = eval("weak.resay");
    let accuracy = &found["versus"]["measures"][0];
    assert_eq!(accuracy["first"], found["measures"][0]["value"]);
    let gap = number(&accuracy["first"]) - number(&accuracy["second"]);
    assert!(gap > 0.2 && (number(&accuracy["difference"]) - gap).abs() < 1e-12);
    assert!(number(&accuracy["p"]) < 0.05 && number(&found["versus"]["mcnemar_p"]) < 0.05);
    let same = eval("my.resay");
    assert_eq!((&same["versus"]["mcnemar_p"], &same["versus"]["measures"][0]["p"]), (&1.0.into(), &1.0.into()));
    assert!(world.ok(&["eval", "-m", "my.resay", "--versus", "weak.resay", "more.tsv"]).contains("McNemar"));
}

#[test]
fn groups_are_resampled_whole() {
    let world = World::trained("groups");
    let with_group = |group: &dyn Fn(usize) -> String| {
        let table = pairs(40, 2);
        let lines = table.lines().enumerate();
        lines.map(|(row, line)| format!("{line}\t{}\n", if row == 0 { "group".into() } else { group(row) })).collect()
    };
    let interval = |table: String| {
        world.write("grouped.tsv", table);
        let found = world.json(&["eval", "-m", "my.resay", "grouped.tsv"]).remove(0);
        let loss = &found["measures"][7];
        assert_eq!(loss["measure"], "log loss");
        number(&loss["high"]) - number(&loss["low"])
    };
    assert_eq!(interval(with_group(&|_| "all".into())), 0.0, "one group can only be drawn whole");
    assert!(interval(with_group(&|row| row.to_string())) > 0.0);
}

#[test]
fn intervals_of_shares_are_not_empty() {
    let world = World::trained("exact");
    let perfect = |name: &str| world.json(&["eval", "-m", "my.resay", "--resamples", "20", name]).remove(0);
    let predicted = world.ok(&["predict", "-m", "my.resay", "more.tsv"]);
    let labels: Vec<&str> = rows(&predicted).into_iter().map(|row| row[3]).collect();
    // What the model says, taken as the truth: every figure is 1.
    let table = |group: &dyn Fn(usize) -> String| -> String {
        let more = pairs(40, 2);
        let head = "id\tsource\ttarget\tlabel\tgroup\n".to_owned();
        let line = |(at, row): (usize, Vec<&str>)| {
            format!("{}\t{}\t{}\t{}\t{}\n", row[0], row[1], row[2], labels[at], group(at))
        };
        head + &rows(&more).into_iter().enumerate().map(line).collect::<String>()
    };
    let low = |found: &Value, at: usize| {
        let figure = &found["measures"][at];
        assert_eq!((number(&figure["value"]), number(&figure["high"])), (1.0, 1.0), "{figure}");
        number(&figure["low"])
    };
    // The exact bound of n successes of n.
    let bound = |n: usize| 0.025f64.powf(1.0 / n as f64);
    world.write("own.tsv", table(&|_| String::new()));
    let found = perfect("own.tsv");
    assert!((low(&found, 0) - bound(40)).abs() < 1e-9, "{found}");
    let n_yes = labels.iter().filter(|label| **label == "1").count();
    for (at, n) in [(1, n_yes), (2, n_yes), (3, n_yes)] {
        assert!((low(&found, at) - bound(n)).abs() < 1e-9, "{at}: {found}");
    }
    assert!((low(&found, 4) - (bound(n_yes) + bound(40 - n_yes)) / 2.0).abs() < 1e-9, "{found}");
    // Groups are what was tried.
    world.write("own.tsv", table(&|row| format!("g{}", row / 4)));
    assert!((low(&perfect("own.tsv"), 0) - bound(10)).abs() < 1e-9);
}

#[test]
fn classes_calibration_and_risk() {
    let world = World::trained("plots");
    let fixed = ["eval", "-m", "my.resay", "--resamples", "20", "more.tsv"];
    let found = world.json(&fixed).remove(0);
    let measure = |name: &str| {
        let rows = found["measures"].as_array().unwrap();
        number(&rows.iter().find(|row| row["measure"] == name).unwrap()["value"])
    };
    let classes = &found["classes"];
    assert_eq!((&classes[0]["label"], &classes[1]["label"]), (&"1".into(), &"0".into()));
    assert_eq!(number(&classes[0]["n"]) + number(&classes[1]["n"]), 40.0);
    let [yes, no] = [&classes[0], &classes[1]].map(|class| number(&class["f1"]));
    assert_eq!((number(&classes[0]["precision"]), yes), (measure("precision"), measure("F1")));
    assert!((measure("macro F1") - (yes + no) / 2.0).abs() < 1e-12);
    let bins = found["calibration"]["bins"].as_array().unwrap();
    assert_eq!((bins.len(), bins.iter().map(|bin| number(&bin["n"])).sum::<f64>()), (10, 40.0));
    let last = found["risk_coverage"]["points"].as_array().unwrap().last().unwrap();
    assert!((number(&last["risk"]) - (1.0 - measure("accuracy"))).abs() < 1e-12 && last["coverage"] == 1.0);

    let plain = world.ok(&fixed);
    assert!(plain.contains("label  pairs  precision  recall      F1\n"), "{plain}");
    let with = |more: &[&'static str]| [&fixed[..], more].concat();
    assert_eq!(world.ok(&with(&["--reliability", "reliability.svg", "--risk", "risk.svg"])), plain);
    for (option, name, figure) in [
        ("--reliability", "reliability.svg", &found["calibration"]["error"]),
        ("--risk", "risk.svg", &found["risk_coverage"]["area"]),
    ] {
        let drawn = world.ok(&with(&[option, "-"]));
        assert_eq!(drawn.as_bytes(), world.read(name));
        assert!(drawn.starts_with("<svg ") && drawn.contains(&format!(" {:.4};", number(figure))), "{drawn}");
        assert!(drawn.contains("my.resay on more.tsv"), "{drawn}");
    }
    for (more, expected) in [
        (&["--reliability", "-", "--risk", "-"][..], "only one of --reliability -, --risk - and --json"),
        (&["--risk", "-", "--json"], "only one of --reliability -, --risk - and --json"),
        (&["--risk", "no-such-folder/x.svg"], "cannot write no-such-folder/x.svg"),
    ] {
        let output = world.run(&with(more));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && said.contains(expected), "{more:?}: {said}");
    }
    world.write("aligned.json", crate::world::aligned(10, 1));
    let output = world.run(&["eval", "-m", "align", "--risk", "x.svg", "aligned.json"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("--risk is for models that decide yes or no"), "{said}");
}

#[test]
fn rules_are_listed_and_filtered() {
    let world = World::trained("rules");
    let all = world.json(&["rules", "-m", "my.resay", "--top", "100000"]);
    assert!(all.windows(2).all(|two| number(&two[0]["weight"]).abs() >= number(&two[1]["weight"]).abs()));
    let counted = |options: &[&str], keep: &dyn Fn(&Value) -> bool| {
        let found = world.json(&[&["rules", "-m", "my.resay", "--top", "100000"][..], options].concat());
        assert_eq!(found, all.iter().filter(|rule| keep(rule)).cloned().collect::<Vec<_>>(), "{options:?}");
        assert!(!found.is_empty() && found.len() < all.len(), "{options:?}");
    };
    counted(&["--for"], &|rule| number(&rule["weight"]) > 0.0);
    counted(&["--against"], &|rule| number(&rule["weight"]) < 0.0);
    // The model uses stems, so any form of a word finds its rules.
    let has = |rule: &Value, word: &str| rule["rule"].as_str().unwrap().split([' ', ',']).any(|part| part == word);
    counted(&["--matching", "Painting"], &|rule| has(rule, "paint"));
    let table = world.ok(&["rules", "-m", "my.resay"]);
    assert_eq!(table.lines().count(), 21);
    assert!(table.lines().nth(1).unwrap().contains(all[0]["rule"].as_str().unwrap()));
    assert_eq!(world.json(&["rules", "--top", "3"]).len(), 3, "the bundled model");
}

#[test]
fn a_decision_taken_apart_adds_up() {
    let world = World::trained("explain");
    world.ok(&["train", "pair", "--kernel", "pw(k=2)", "--folds", "3", "--cost", "1", "pairs.tsv", "-o", "dual.resay"]);
    let (source, target) = ("Omar sold the piano on Monday.", "The piano was sold by Omar on Monday.");
    for model in [&["-m", "my.resay"][..], &["-m", "dual.resay"], &["-m", "paraphrase"], &[]] {
        for top in ["0", "2", "1000"] {
            let args = [&["explain", source, target, "--top", top][..], model].concat();
            let found = world.json(&args).remove(0);
            let score = number(&found["score"]);
            assert!((leaves(&found["explanation"]) - score).abs() < 1e-9, "{args:?}");
            assert!((number(&found["explanation"]["value"]) - score).abs() < 1e-9, "{args:?}");
        }
        let text = world.ok(&[&["explain", source, target][..], model].concat());
        let shows_the_texts = text.contains("add up to the score") && text.contains(target);
        assert!(text.contains("bias") && (shows_the_texts || model.is_empty()), "{text}");
        assert!(!text.contains('\x1b'), "no colour in a pipe");
    }
    let text = world.ok(&["explain", "-m", "my.resay", source, target]);
    let below = text.lines().skip_while(|line| !line.starts_with("source")).nth(1).unwrap();
    assert!(below.trim().chars().all(|mark| "+-* ".contains(mark)) && !below.trim().is_empty(), "{text}");
    for empty in [["", ""], ["", "x"], ["x", ""]] {
        world.ok(&["explain", "-m", "my.resay", empty[0], empty[1]]);
        assert!(world.run(&["explain", empty[0], empty[1]]).status.code() == Some(2), "the judge needs two texts");
    }
}

#[test]
fn a_kernel_that_learns_does_so_from_the_first_file() {
    let world = World::new("gram-idf");
    // Of the three sentences in one file, two contain "b" and one contains "c": ln(3 / 2) and ln 3.
    world.write("one.tsv", "source\ttarget\nb c\tb\nb c\td\n");
    world.write("two.tsv", "source\ttarget\nb c\tc\nb c\tc\n");
    let check = |files: &[&str], expected: f64| {
        let table = world.ok(&[&["gram", "--kernel", "idf", "--units", "tokens"], files].concat());
        let found: f64 = table.split_whitespace().next().unwrap().parse().unwrap();
        assert!((found - expected).abs() < 1e-12, "{files:?}: {found}, not {expected}");
    };
    let (b, c) = (1.5_f64.ln(), 3_f64.ln());
    check(&["one.tsv"], (b / (b + c)).powi(2));
    check(&["one.tsv", "two.tsv"], b * c / (b + c).powi(2));
    // Of the two sentences "b c" and "c", both contain "c" and one contains "b".
    check(&["two.tsv", "one.tsv"], 0.0);
}

#[test]
fn a_matrix_in_every_format() {
    let world = World::new("gram");
    let kernel = ["gram", "--kernel", "kb(k=1..2)+pr"];
    let gram = |rest: &[&str]| world.ok(&[&kernel[..], rest].concat());
    let parse = |table: &str| -> Vec<Vec<f64>> {
        table.lines().map(|line| line.split('\t').map(|value| value.parse().unwrap()).collect()).collect()
    };
    let square = parse(&gram(&["more.tsv"]));
    assert_eq!((square.len(), square[0].len()), (40, 40));
    for (i, row) in square.iter().enumerate() {
        assert!(row.iter().enumerate().all(|(j, value)| *value == square[j][i]), "symmetric");
    }
    // Without `pr`, which is added unnormalised, the kernel of a pair with itself is 1.
    let normalised = parse(&world.ok(&["gram", "--kernel", "kb(k=1..2)", "more.tsv"]));
    assert!((0..40).all(|i| (normalised[i][i] - 1.0).abs() < 1e-12));
    let rectangle = parse(&gram(&["more.tsv", "pairs.tsv"]));
    assert_eq!((rectangle.len(), rectangle[0].len()), (40, 60));
    let itself = parse(&gram(&["more.tsv", "more.tsv"]));
    for (row, other) in square.iter().flatten().zip(itself.iter().flatten()) {
        assert!((row - other).abs() < 1e-12, "new pairs are compared as known ones are");
    }

    gram(&["more.tsv", "pairs.tsv", "--format", "npy", "-o", "gram.npy"]);
    let npy = world.read("gram.npy");
    let header_len = usize::from(u16::from_le_bytes([npy[8], npy[9]])) + 10;
    assert_eq!((&npy[..8], header_len % 64, npy[header_len - 1]), (&b"\x93NUMPY\x01\x00"[..], 0, b'\n'));
    let header = std::str::from_utf8(&npy[10..header_len]).unwrap();
    assert!(header.contains("'descr': '<f8'") && header.contains("'shape': (40, 60)"), "{header}");
    let values: Vec<f64> =
        npy[header_len..].chunks(8).map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(values, rectangle.concat(), "to the last bit");
    let piped = world.run(&[&kernel[..], &["more.tsv", "pairs.tsv", "--format", "npy"]].concat());
    assert_eq!(piped.stdout, npy);

    let json = world.json(&[&kernel[..], &["more.tsv", "pairs.tsv"]].concat());
    assert_eq!((&json[3]["id"], number(&json[3]["values"][5])), (&"p3".into(), rectangle[3][5]));
    gram(&["more.tsv", "-o", "gram.tsv"]);
    assert_eq!(parse(std::str::from_utf8(&world.read("gram.tsv")).unwrap()), square);
    let words = ["gram", "--kernel", "raw(ps(k=1))", "--units", "chars", "--input-format", "tsv", "more.tsv"];
    assert!(parse(&world.ok(&words))[0][0] > 100.0);
}

#[test]
fn two_sentences_compared() {
    let world = World::new("compare");
    let (source, target) =
        ("The old ferry sank in the harbour on Sunday night, officials said.", "The ferry sank on Sunday.");
    let found = world.json(&["compare", "--top", "2", source, target]).remove(0);
    for answer in ["same", "entails", "entailed", "contradicts"] {
        let probability = number(&found[answer]["probability"]);
        assert!((0.0..=1.0).contains(&probability));
        for (side, sign) in [("for", 1.0), ("against", -1.0)] {
            let rules = found[answer][side].as_array().unwrap();
            assert!(rules.len() <= 2 && rules.iter().all(|rule| sign * number(&rule["value"]) > 0.0));
        }
    }
    let word = |span: &Value| &source[number(&span[0]) as usize..number(&span[1]) as usize];
    let shared: Vec<&str> = found["shared"]["source"].as_array().unwrap().iter().map(word).collect();
    assert_eq!(shared, ["The", "ferry", "sank", "the", "on", "Sunday"]);
    let text = world.ok(&["compare", source, target]);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(!text.contains('\x1b') && text.contains("follows from"), "{text}");
    let back = world.json(&["compare", "--top", "2", target, source]).remove(0);
    assert_eq!(back["entails"]["probability"], found["entailed"]["probability"]);
    assert_eq!((&found["relation"], &back["relation"]), (&Value::from("forward"), &Value::from("backward")));
}

#[test]
fn bundled_models_can_be_listed_and_taken_out() {
    let world = World::new("models");
    let all = world.json(&["models"]);
    let (models, resources): (Vec<_>, Vec<_>) = all.into_iter().partition(|model| model.get("held_out").is_some());
    assert!(resources.len() >= 8 && resources.iter().all(|resource| !resource["licence"].as_str().unwrap().is_empty()));
    assert_eq!(
        models.iter().map(|model| &model["name"]).collect::<Vec<_>>(),
        ["judge", "paraphrase", "entailment", "align", "judge-paraphrase", "judge-entailment"]
    );
    for model in models.iter().filter(|model| model["name"] != "align") {
        let name = model["name"].as_str().unwrap();
        assert!(number(&model["held_out"]) > 0.55 && !model["note"].as_str().unwrap().is_empty());
        let card: String = world.ok(&["models", name]).split_whitespace().collect();
        let data: String = model["data"].as_str().unwrap().split_whitespace().collect();
        assert!(card.contains(&data), "{card}");
        world.ok(&["models", "--export", name, "out.resay"]);
        assert_eq!(number(&model["size"]), world.read("out.resay").len() as f64);
        world.ok(&["predict", "-m", "out.resay", "more.tsv"]);
    }
}

#[test]
fn inputs_are_found_in_the_folder_of_corpora() {
    let world = World::trained("data");
    std::fs::create_dir(world.folder.join("corpora")).unwrap();
    world.write("corpora/there.tsv", pairs(10, 5));
    let args = ["predict", "-m", "my.resay", "there.tsv"];
    let found = world.ok(&[&args[..], &["--data", "corpora"]].concat());
    assert_eq!(rows(&found).len(), 10);
    let by_environment = world.command(&args).env("RESAY_DATA", "corpora").output().unwrap();
    assert_eq!(String::from_utf8(by_environment.stdout).unwrap(), found);
    assert_eq!(world.run(&args).status.code(), Some(2));
}

#[test]
fn completions_and_manual() {
    let world = World::new("man");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(world.ok(&["completions", shell]).contains("predict"), "{shell}");
    }
    let manual = world.ok(&["man"]);
    assert_eq!(manual.matches(".TH ").count(), 1);
    for section in ["SYNOPSIS", "\"RESAY TRAIN\"", "\"RESAY COMPARE\""] {
        assert!(manual.contains(&format!(".SH {section}\n")), "{section}");
    }
}
