//! Topic classification: training, prediction, evaluation, explanation and errors.

use crate::answers::{leaves, number, refuse, rows};
use crate::world::{World, documents};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

/// A world with `documents.jsonl`, `new.jsonl`, and `topics.resay` trained on the first.
fn sorting(test: &str) -> World {
    let world = with_documents(test);
    world.ok(&["train", "topics", "documents.jsonl", "-o", "topics.resay"]);
    world
}

fn with_documents(test: &str) -> World {
    let world = World::new(test);
    world.write("documents.jsonl", documents(60, 1));
    world.write("new.jsonl", documents(36, 2));
    world
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|item| item.as_str().unwrap()).collect()
}

/// Runs a command with this standard input. Returns exit status, standard output and standard
/// error.
fn piped(world: &World, args: &[&str], input: &[u8]) -> (Option<i32>, String, String) {
    let mut command = world.command(args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let [out, said] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), out, said)
}

#[test]
fn from_training_to_measures() {
    let world = with_documents("topics-all");
    let summary = world.ok(&["train", "topics", "documents.jsonl", "-o", "topics.resay"]);
    for said in
        ["documents 60", "topics    2", "ngram(k=5)", "lower", "food          30", "on 5 held-out folds", "converged"]
    {
        assert!(summary.contains(said), "{said}: {summary}");
    }
    let table = world.ok(&["predict", "-m", "topics.resay", "new.jsonl"]);
    assert!(table.starts_with("id\tscore\tprobability\tlabel\n"), "{table}");
    let json = world.json(&["predict", "-m", "topics.resay", "new.jsonl"]);
    let truth: Vec<Value> = documents(36, 2).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((rows(&table).len(), json.len()), (36, 36));
    let mut n_right = 0;
    for ((row, json), truth) in rows(&table).into_iter().zip(&json).zip(&truth) {
        let topics = json["topics"].as_array().unwrap();
        assert_eq!(topics.iter().map(|topic| topic["topic"].as_str().unwrap()).collect::<Vec<_>>(), ["food", "sea"]);
        let scores: Vec<f64> = topics.iter().map(|topic| number(&topic["score"])).collect();
        let best = usize::from(scores[1] > scores[0]);
        assert_eq!((row[0], json["id"].as_str()), (truth["id"].as_str().unwrap(), truth["id"].as_str()));
        assert_eq!(row[1].parse::<f64>().unwrap(), scores[best]);
        assert_eq!(row[2].parse::<f64>().unwrap(), number(&topics[best]["probability"]));
        let labels = strings(&json["labels"]);
        assert_eq!(row[3], labels.join(","), "an empty label where there is none");
        assert_eq!(labels.len(), scores.iter().filter(|score| **score > 0.0).count());
        assert!(labels.is_empty() || labels[0] == ["food", "sea"][best], "best first");
        let mut labels = labels;
        labels.sort_unstable();
        n_right += usize::from(labels == strings(&truth["labels"]));
    }
    assert!(n_right > 30, "{n_right} of 36");

    let measured = &world.json(&["eval", "-m", "topics.resay", "new.jsonl"])[0];
    assert_eq!((&measured["n_documents"], &measured["n_unknown"]), (&36.into(), &0.into()));
    let names: Vec<&str> =
        measured["measures"].as_array().unwrap().iter().map(|m| m["measure"].as_str().unwrap()).collect();
    assert_eq!(names, ["macro AP", "macro break-even", "macro AP of accepted", "micro F1", "macro F1"]);
    for figure in measured["measures"].as_array().unwrap() {
        let [low, value, high] = ["low", "value", "high"].map(|end| number(&figure[end]));
        assert!(low <= value && value <= high && value > 0.8, "{figure}");
    }
    let mean = (0..2).map(|topic| number(&measured["topics"][topic]["average_precision"])).sum::<f64>() / 2.0;
    assert!((mean - number(&measured["measures"][0]["value"])).abs() < 1e-12);
    assert_eq!((&measured["topics"][0]["topic"], &measured["topics"][0]["documents"]), (&"food".into(), &18.into()));
    let table = world.ok(&["eval", "-m", "topics.resay", "new.jsonl"]);
    for said in ["break-even", "precision", "recall", "macro AP of accepted", "micro F1", "36 in new.jsonl"] {
        assert!(table.contains(said), "{said}: {table}");
    }
    assert!(!table.contains("undefined") && !table.contains("ignored"), "{table}");
}

#[test]
fn threads_and_repetition_change_no_byte() {
    let world = with_documents("topics-threads");
    let seen: Vec<Vec<Vec<u8>>> = ["1", "2"]
        .iter()
        .map(|threads| {
            let run = |args: &[&str]| world.ok(&[args, &["--threads", threads]].concat()).into_bytes();
            run(&["train", "topics", "--costs", "0.1..1", "documents.jsonl", "-o", "topics.resay"]);
            vec![
                world.read("topics.resay"),
                run(&["predict", "-m", "topics.resay", "--explain", "2", "new.jsonl"]),
                run(&["eval", "-m", "topics.resay", "--versus", "topics.resay", "--resamples", "50", "new.jsonl"]),
                run(&["gram", "--kernel", "ngram(k=3,min=2)", "new.jsonl"]),
            ]
        })
        .collect();
    assert!(seen[0] == seen[1]);
}

#[test]
fn training_options_reach_the_model() {
    let world = with_documents("topics-options");
    let train = |options: &[&str]| {
        let fixed = ["train", "topics", "documents.jsonl", "-o", "x.resay"];
        world.json(&[&fixed, options].concat()).remove(0)
    };
    let plain = train(&[]);
    assert_eq!((&plain["cost"], &plain["units"], &plain["task"]), (&1.0.into(), &"lower".into(), &"topics".into()));
    assert_eq!(plain["search"].as_array().unwrap().len(), 1, "no cost is chosen unless asked for");
    assert_eq!(number(&plain["size"]), world.read("x.resay").len() as f64);
    let few = train(&["--max-rules", "3", "--note", "by hand", "--cost", "0.3", "--folds", "3", "--loss", "hinge"]);
    assert!(number(&few["n_strings"][1]) <= 6.0 && number(&plain["n_strings"][1]) > 6.0, "{few}");
    assert_eq!((&few["note"], &few["cost"]), (&"by hand".into(), &0.3.into()));
    let words = train(&["--kernel", "bow", "--units", "words", "--costs", "0.1..1", "--balanced"]);
    assert_eq!((&words["units"], &words["kernel"]), (&"words".into(), &"bow".into()));
    assert_eq!(words["search"].as_array().unwrap().len(), 3);
    assert_eq!(train(&["--topics", "sea"])["topics"], serde_json::json!([["sea", 30]]));
    assert_eq!(train(&["new.jsonl"])["data"], "documents.jsonl+new.jsonl");
    assert_eq!(train(&["new.jsonl"])["n_documents"], 96);
    // Rare labels are left out unless they are named.
    world.write("more.jsonl", documents(60, 1) + "{\"text\":\"It snows.\",\"labels\":[\"snow\"]}\n");
    let names = |options: &[&str]| {
        let fixed = ["train", "topics", "more.jsonl", "-o", "x.resay"];
        let found = world.json(&[&fixed[..], options].concat()).remove(0);
        let names = found["topics"].as_array().unwrap().iter().map(|topic| topic[0].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    assert_eq!(names(&[]), ["food", "sea"]);
    assert_eq!(names(&["--min-documents", "1"]), ["food", "sea", "snow"]);
    assert_eq!(names(&["--topics", "snow,food"]), ["snow", "food"]);
    let (status, _, said) = piped(&world, &["train", "topics", "-", "-o", "x.resay"], documents(60, 1).as_bytes());
    assert_eq!((status, said.as_str()), (Some(0), ""));
    // The default loss is squared.
    let [default, squared, hinge] = [&[][..], &["--loss", "squared"], &["--loss", "hinge"]].map(|options| {
        train(options);
        world.read("x.resay")
    });
    assert!(default == squared && default != hinge);
}

#[test]
fn min_and_units_are_searched() {
    let world = with_documents("topics-search");
    let fixed = ["train", "topics", "--folds", "3", "-o", "x.resay"];
    let folds = [&fixed[..], &["--kernel", "ngram(k=3)", "--search", "documents.jsonl"]].concat();
    let found = world.json(&folds).remove(0);
    let tried = found["tried"].as_array().unwrap();
    assert_eq!(tried.len(), 12);
    let best = tried.iter().find(|tried| tried["best"] == true).unwrap();
    assert_eq!((&found["kernel"], &found["units"]), (&best["kernel"], &best["units"]), "the best is trained with");
    assert!(tried.iter().all(|other| number(&other["value"]) <= number(&best["value"])));
    // The cost is chosen after the kernel, which is tried at cost 1.
    let with_costs = world.json(&[&folds[..], &["--costs", "0.01..1"]].concat()).remove(0);
    assert_eq!(with_costs["tried"], found["tried"]);
    assert_eq!(with_costs["search"].as_array().unwrap().len(), 5);
    let table = world.ok(&folds);
    assert_eq!(table.lines().filter(|line| line.starts_with("* ")).count(), 2, "{table}");
    assert!(table.contains("the highest macro AP on 3 held-out folds"), "{table}");
    let bic = [&fixed[..], &["--kernel", "fsm", "--search=bic", "--units", "words", "documents.jsonl"]].concat();
    let found = world.json(&bic).remove(0);
    let tried = found["tried"].as_array().unwrap();
    let best = tried.iter().find(|tried| tried["best"] == true).unwrap();
    assert!(tried.len() == 6 && tried.iter().all(|other| number(&other["value"]) >= number(&best["value"])));
    assert!(tried.iter().all(|tried| tried["units"] == "words"));
    assert!(world.ok(&bic).contains("fewest bits"));
    refuse(&world, &[&fixed[..], &["--search", "bic", "documents.jsonl"]].concat(), "write --search=bic");
    refuse(
        &world,
        &[&fixed[..], &["--search", "--units", "chars", "documents.jsonl"]].concat(),
        "--units and --search",
    );
    refuse(&world, &[&fixed[..], &["--search=bic", "documents.jsonl"]].concat(), "expected fsm(...) alone");
    refuse(
        &world,
        &[&fixed[..], &["--search=bic", "--kernel", "bow", "documents.jsonl"]].concat(),
        "nothing to choose",
    );
}

#[test]
fn predictions_explained() {
    let world = sorting("topics-explained");
    let plain = world.ok(&["predict", "-m", "topics.resay", "new.jsonl"]);
    let explained = world.ok(&["predict", "-m", "topics.resay", "--explain", "2", "new.jsonl"]);
    assert!(explained.starts_with("id\tscore\tprobability\tlabel\tstrings\n"));
    for (plain, explained) in rows(&plain).iter().zip(rows(&explained)) {
        assert_eq!(plain[..], explained[..4]);
        assert_eq!(explained[4].split(" | ").count(), 2, "{explained:?}");
        assert!(explained[4].split(" | ").all(|string| string.contains(" \"")), "{explained:?}");
    }
    for row in world.json(&["predict", "-m", "topics.resay", "--explain", "3", "new.jsonl"]) {
        let strings = row["strings"].as_array().unwrap();
        assert!(strings.len() == 3 && strings.iter().all(|string| string["kind"] == "string"));
        assert!(strings.windows(2).all(|two| number(&two[0]["value"]).abs() >= number(&two[1]["value"]).abs()));
    }
}

#[test]
fn two_models_compared() {
    let world = sorting("topics-versus");
    let weak = ["train", "topics", "--max-rules", "1", "--cost", "0.001", "documents.jsonl", "-o", "weak.resay"];
    world.ok(&weak);
    world.ok(&["train", "topics", "--topics", "sea", "documents.jsonl", "-o", "sea.resay"]);
    let eval = |other: &str| world.json(&["eval", "-m", "topics.resay", "--versus", other, "new.jsonl"]).remove(0);
    let found = eval("weak.resay");
    assert_eq!(found["versus"]["n_topics"], 2);
    let f1 = &found["versus"]["measures"][3];
    assert_eq!((&f1["measure"], &f1["first"]), (&"micro F1".into(), &found["measures"][3]["value"]));
    assert!(number(&f1["difference"]) > 0.2 && number(&f1["p"]) < 0.05, "{f1}");
    let same = eval("topics.resay");
    assert_eq!(same["versus"]["measures"][0]["p"], 1.0);
    assert_eq!(eval("sea.resay")["versus"]["n_topics"], 1);
    let table = world.ok(&["eval", "-m", "topics.resay", "--versus", "sea.resay", "new.jsonl"]);
    assert!(table.contains("on 1 of 2 topics") && table.contains("p: paired"), "{table}");
    world.ok(&["train", "topics", "--topics", "food", "documents.jsonl", "-o", "food.resay"]);
    refuse(&world, &["eval", "-m", "sea.resay", "--versus", "food.resay", "new.jsonl"], "no topic in common");
}

#[test]
fn topics_that_are_not_there_and_labels_that_are_unknown() {
    let world = sorting("topics-strange");
    world.write(
        "strange.jsonl",
        "{\"text\":\"Omar sailed to the island with the tide.\",\"labels\":[\"sea\",\"boats\"]}\n\
         {\"text\":\"Nobody knows.\",\"labels\":[\"boats\"]}\n{\"text\":\"\",\"labels\":[]}\n",
    );
    let found = world.json(&["eval", "-m", "topics.resay", "strange.jsonl"]).remove(0);
    assert_eq!((&found["n_unknown"], &found["topics"][0]["average_precision"]), (&2.into(), &Value::Null));
    let table = world.ok(&["eval", "-m", "topics.resay", "strange.jsonl"]);
    for said in ["labels that the model does not know, in 2 documents", "No document here has food", "- is undefined"] {
        assert!(table.contains(said), "{said}: {table}");
    }
    refuse(&world, &["eval", "-m", "topics.resay", "pairs.tsv"], "pairs.tsv:1: nothing is said about labels");
    world.write("half.jsonl", "{\"text\":\"a\",\"labels\":[]}\n{\"text\":\"b\"}\n");
    refuse(&world, &["eval", "-m", "topics.resay", "half.jsonl"], "half.jsonl:2: nothing is said about labels");
}

#[test]
fn strings_are_listed_and_filtered() {
    let world = sorting("topics-rules");
    let list = |options: &[&str]| world.json(&[&["rules", "-m", "topics.resay"][..], options].concat());
    let all = list(&["--topic", "sea", "--top", "100000"]);
    assert!(all.len() > 20 && all.iter().all(|string| string["topic"] == "sea"));
    assert!(all.windows(2).all(|two| number(&two[0]["weight"]).abs() >= number(&two[1]["weight"]).abs()));
    let filtered = |options: &[&str], keep: &dyn Fn(&Value) -> bool| {
        let found = list(&[&["--topic", "sea", "--top", "100000"][..], options].concat());
        assert_eq!(found, all.iter().filter(|string| keep(string)).cloned().collect::<Vec<_>>(), "{options:?}");
        assert!(!found.is_empty() && found.len() < all.len(), "{options:?}");
    };
    filtered(&["--for"], &|string| number(&string["weight"]) > 0.0);
    filtered(&["--against"], &|string| number(&string["weight"]) < 0.0);
    filtered(&["--matching", " T"], &|string| string["string"].as_str().unwrap().contains(" t"));
    let table = world.ok(&["rules", "-m", "topics.resay", "--topic", "sea"]);
    assert_eq!(table.lines().count(), 21);
    assert!(table.lines().skip(1).all(|line| line.matches('"').count() == 2), "{table}");
    assert_eq!(list(&[]).len(), 20, "five for and five against each of two topics");
    let blocks = world.ok(&["rules", "-m", "topics.resay", "--top", "3"]);
    let expected = ["food", "  for", "  against", "", "sea", "  for", "  against"];
    assert_eq!(blocks.lines().count(), expected.len(), "{blocks}");
    assert!(blocks.lines().zip(expected).all(|(line, start)| line.starts_with(start)), "{blocks}");
    assert!(blocks.lines().filter(|line| line.starts_with("  ")).all(|line| line.matches('"').count() == 6));
    assert!(world.ok(&["rules", "-m", "topics.resay", "--for", "--matching", "zebra"]).contains("nothing"));
    refuse(
        &world,
        &["rules", "-m", "topics.resay", "--topic", "see"],
        "no topic 'see' in this model, expected one of: food, sea",
    );
}

#[test]
fn a_decision_taken_apart_adds_up() {
    let world = sorting("topics-explain");
    let text =
        "Lena sailed to the harbour with the tide, cooked lentils in the kitchen, and sailed home to the open sea.";
    for topic in [&[][..], &["--topic", "food"], &["--topic", "sea", "--top", "0"], &["--top", "1000"]] {
        let args = [&["explain", "-m", "topics.resay", text][..], topic].concat();
        let found = world.json(&args).remove(0);
        let score = number(&found["score"]);
        assert!((leaves(&found["explanation"]) - score).abs() < 1e-9, "{args:?}");
        let chosen = found["topics"].as_array().unwrap().iter().find(|t| t["topic"] == found["topic"]).unwrap();
        assert_eq!(chosen["score"], found["score"]);
    }
    let found = world.json(&["explain", "-m", "topics.resay", text]).remove(0);
    assert!(strings(&found["labels"]).contains(&"sea"), "{found}");
    let strongest = &found["explanation"]["parts"][1]["parts"][0];
    let span = &strongest["places"][0]["source"][0];
    let place = number(&span[0]) as usize..number(&span[1]) as usize;
    assert_eq!(text[place].to_lowercase(), strongest["text"].as_str().unwrap());

    let shown = world.ok(&["explain", "-m", "topics.resay", text]);
    assert!(shown.starts_with("topics: ") && shown.contains("add up to the score") && shown.contains("taken apart: "));
    let picture: Vec<&str> =
        shown.lines().skip_while(|line| !line.starts_with("text")).take_while(|l| !l.is_empty()).collect();
    assert!(picture.len() >= 4 && picture.iter().all(|line| line.chars().count() <= 80), "{shown}");
    assert!(picture.iter().any(|line| !line.trim().is_empty() && line.trim().chars().all(|mark| "+- ".contains(mark))));
    // The same text on standard input.
    let (status, from_pipe, _) =
        piped(&world, &["explain", "-m", "topics.resay", "-"], format!("{text}\r\n").as_bytes());
    assert_eq!((status, from_pipe), (Some(0), shown));
    let (status, _, said) = piped(&world, &["explain", "-m", "topics.resay", "-"], b"caf\xe9");
    assert!(status == Some(2) && said.contains("byte 4 is not UTF-8"), "{said}");
    assert!(world.ok(&["explain", "-m", "topics.resay", ""]).contains("bias"));
}

/// One model over characters and words: trained, applied, read and taken apart.
#[test]
fn words_and_characters_in_one_model() {
    let world = with_documents("topics-units");
    let kernel = "ngram(k=4,min=2)+words(spectrum(k=1..2))";
    let trained = world.json(&["train", "topics", "--kernel", kernel, "documents.jsonl", "-o", "both.resay"]).remove(0);
    assert_eq!((&trained["kernel"], &trained["units"]), (&kernel.into(), &"lower".into()));
    assert_eq!(world.json(&["predict", "-m", "both.resay", "new.jsonl"]).len(), 36);
    let measured = world.json(&["eval", "-m", "both.resay", "new.jsonl"]).remove(0);
    assert!(number(&measured["measures"][0]["value"]) > 0.8, "{measured}");

    let text = "Lena sailed to the harbour, and cooked.";
    let found = world.json(&["explain", "-m", "both.resay", "--top", "1000", "--topic", "sea", text]).remove(0);
    assert!((leaves(&found["explanation"]) - number(&found["score"])).abs() < 1e-9);
    let terms = &found["explanation"]["parts"].as_array().unwrap()[1..];
    for (term, len) in terms.iter().zip([None, Some(1), Some(2)]) {
        for leaf in term["parts"].as_array().unwrap() {
            let span = &leaf["places"][0]["source"][0];
            let place = number(&span[0]) as usize..number(&span[1]) as usize;
            let is_inside =
                |at: usize| text[..at].ends_with(char::is_alphabetic) && text[at..].starts_with(char::is_alphabetic);
            match len {
                None => assert_eq!(place.len(), 4, "{leaf}"),
                Some(len) => {
                    assert!(!is_inside(place.start) && !is_inside(place.end), "{leaf}");
                    assert_eq!(leaf["text"].as_str().unwrap().split(' ').count(), len, "{leaf}");
                }
            }
        }
        assert!(!term["parts"].as_array().unwrap().is_empty(), "{term}");
    }

    let rules = ["rules", "-m", "both.resay", "--topic", "sea", "--top", "1000"];
    let listed = world.json(&rules);
    for row in &listed {
        let of_words = row["kernel"].as_str().unwrap().starts_with("words(");
        assert_eq!(row.get("units").and_then(Value::as_str), of_words.then_some("words"), "{row}");
    }
    assert!(listed.iter().any(|row| row["string"] == "sailed to" && row["units"] == "words"));
    let table = world.ok(&rules);
    assert!(table.contains("\"sailed to\" (words)\n") && table.contains("\"sail\"\n"), "{table}");
    assert!(world.ok(&["rules", "-m", "both.resay"]).contains("\" (words)"));

    let gram = |kernel: &str, units: &str| -> Vec<f64> {
        let table = world.ok(&["gram", "--kernel", kernel, "--units", units, "new.jsonl"]);
        table.split_whitespace().map(|value| value.parse().unwrap()).collect()
    };
    let [chars, words] = ["lower", "words"].map(|units| gram("raw(spectrum(k=2))", units));
    let sums: Vec<f64> = chars.iter().zip(&words).map(|(a, b)| a + b).collect();
    assert_eq!(gram("raw(spectrum(k=2)+words(spectrum(k=2)))", "lower"), sums);
    refuse(&world, &["gram", "--kernel", "words(pair(bow))", "new.jsonl"], "write pair(words(...))");
    refuse(&world, &["gram", "--kernel", "words(chars(bow))", "new.jsonl"], "expected one unit per kernel");
}

#[test]
fn matrices_of_documents() {
    let world = with_documents("topics-gram");
    let parse = |table: &str| -> Vec<Vec<f64>> {
        table.lines().map(|line| line.split('\t').map(|value| value.parse().unwrap()).collect()).collect()
    };
    world.write("two.txt", "abab\nab\n\n");
    // The default units are characters: ab twice and ba once, against ab.
    assert_eq!(
        parse(&world.ok(&["gram", "--kernel", "raw(spectrum(k=2))", "two.txt"])),
        [[5.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0; 3]]
    );
    world.write("words.jsonl", "{\"text\":\"a b a\",\"id\":\"x\"}\n");
    let args = ["gram", "--kernel", "raw(spectrum(k=1))", "--units", "tokens", "words.jsonl", "words.jsonl"];
    assert_eq!(parse(&world.ok(&args)), [[5.0]]);
    assert_eq!(world.json(&args)[0]["id"], "x");
    let square = parse(&world.ok(&["gram", "--kernel", "ngram(k=3,min=2)", "new.jsonl"]));
    assert!(square.len() == 36 && (0..36).all(|i| (square[i][i] - 1.0).abs() < 1e-9));
    // Any kernel over texts, fitted to the first file or compared directly.
    for kernel in ["subsequence(k=2,lambda=0.5)", "fsm(min=2)", "bow", "wildcard(k=2,lambda=0.5)"] {
        let rectangle = parse(&world.ok(&["gram", "--kernel", kernel, "words.jsonl", "two.txt"]));
        assert_eq!((rectangle.len(), rectangle[0].len()), (1, 3), "{kernel}");
    }
    // Both sides of pairs, and kernels that are rejected.
    assert_eq!(
        parse(&world.ok(&["gram", "--kernel", "pair(spectrum(k=2))", "--units", "chars", "more.tsv"])).len(),
        40
    );
    let kernel = ["gram", "--kernel", "spectrum(k=2)"];
    refuse(
        &world,
        &[&kernel[..], &["pairs.tsv"]].concat(),
        "pairs.tsv has pairs, but spectrum(k=2) compares single texts",
    );
    refuse(&world, &[&kernel[..], &["--source-column", "a", "two.txt"]].concat(), "--source-column is for pairs");
    refuse(
        &world,
        &[&kernel[..], &["--input-format", "msrp", "two.txt"]].concat(),
        "expected one of jsonl, lines, reuters",
    );
    refuse(&world, &["gram", "--kernel", "kb(k=1)", "--split", "all", "pairs.tsv"], "--split is for documents");
    refuse(&world, &["gram", "--kernel", "kb(k=1)", "--input-format", "lines", "pairs.tsv"], "pairs are read here");
    assert_eq!(world.ok(&[&kernel[..], &["--input-format", "lines", "more.tsv"]].concat()).lines().count(), 41);
}

#[test]
fn parts_of_a_corpus() {
    let world = World::new("topics-split");
    std::fs::create_dir(world.folder.join("corpus")).unwrap();
    let document = |id: usize, split: &str| {
        let (topic, text) = if id.is_multiple_of(2) {
            ("sea", "Omar sailed with the tide.")
        } else {
            ("food", "Omar cooked some soup.")
        };
        format!(
            "<REUTERS TOPICS=\"YES\" LEWISSPLIT=\"{split}\" NEWID=\"{id}\"><TOPICS><D>{topic}</D></TOPICS>\
             <TEXT><BODY>{text} Number {id}.</BODY></TEXT></REUTERS>\n"
        )
    };
    let file = |ids: std::ops::Range<usize>, split: &str| ids.map(|id| document(id, split)).collect::<String>();
    world.write("corpus/1.sgm", file(0..30, "TRAIN"));
    world.write("corpus/2.sgm", file(30..34, "TEST") + &file(34..35, "NOT-USED"));
    let train = |options: &[&str]| {
        let fixed = ["train", "topics", "corpus", "-o", "topics.resay"];
        number(&world.json(&[&fixed[..], options].concat())[0]["n_documents"])
    };
    assert_eq!([train(&["--split", "all"]), train(&["--split", "train"]), train(&[])], [35.0, 30.0, 30.0]);
    let eval = |options: &[&str]| {
        number(&world.json(&[&["eval", "-m", "topics.resay", "corpus"][..], options].concat())[0]["n_documents"])
    };
    assert_eq!(
        [eval(&[]), eval(&["--split", "train"]), eval(&["--format", "reuters", "--split", "all"])],
        [4.0, 30.0, 35.0]
    );
    let predict =
        |options: &[&str]| rows(&world.ok(&[&["predict", "-m", "topics.resay", "corpus"][..], options].concat())).len();
    assert_eq!([predict(&[]), predict(&["--split", "test"]), predict(&["--split", "train"])], [35, 4, 30]);
    let gram = world.ok(&["gram", "--kernel", "spectrum(k=2)", "--split", "test", "corpus"]);
    assert_eq!(gram.lines().count(), 4);
    refuse(&world, &["eval", "-m", "topics.resay", "corpus/1.sgm"], "none of its 30 documents is in the part test");
    refuse(&world, &["predict", "-m", "topics.resay", "--split", "test", "corpus/1.sgm"], "no documents");
    refuse(
        &world,
        &["predict", "-m", "topics.resay", "--format", "lines", "corpus"],
        "a folder is read as reuters only",
    );
}

#[test]
fn documents_that_are_hard_to_read() {
    let world = sorting("topics-hard");
    world.write("hard.txt", format!("\n{}\nOmar sailed with the tide.\n", "x".repeat(1_000_000)));
    let table = world.ok(&["predict", "-m", "topics.resay", "--explain", "1", "hard.txt"]);
    let found = rows(&table);
    assert_eq!(found.iter().map(|row| row[0]).collect::<Vec<_>>(), ["1", "2", "3"]);
    // An empty document has only the bias.
    let bias = world.json(&["explain", "-m", "topics.resay", ""]).remove(0);
    assert_eq!(number(&bias["explanation"]["parts"][0]["value"]), found[0][1].parse::<f64>().unwrap());
    assert_eq!((found[0][3], found[0][4], found[2][3]), ("", "", "sea"));
    let (status, shown, _) = piped(&world, &["explain", "-m", "topics.resay", "-"], "x".repeat(1_000_000).as_bytes());
    assert!(status == Some(0) && shown.lines().count() > 10_000);
    world.write("bad.txt", b"fine\ncaf\xe9\n");
    let printed =
        refuse(&world, &["predict", "-m", "topics.resay", "bad.txt"], "bad.txt:2: byte 4 (0xe9) is not UTF-8");
    assert_eq!(printed.lines().count(), 2, "what came before is answered");
    world.write("bad.jsonl", b"{\"text\":\"fine\",\"labels\":[]}\n{\"text\":\"\xff\"}\n");
    for args in [
        &["predict", "-m", "topics.resay", "bad.jsonl"][..],
        &["eval", "-m", "topics.resay", "bad.jsonl"],
        &["train", "topics", "bad.jsonl", "-o", "x.resay"],
        &["gram", "--kernel", "spectrum(k=2)", "bad.jsonl"],
    ] {
        refuse(&world, args, "bad.jsonl:2: byte 10 (0xff) is not UTF-8");
    }
    refuse(
        &world,
        &["predict", "-m", "topics.resay", "pairs.tsv"],
        "pairs.tsv has pairs, but the model sorts documents",
    );
    assert_eq!(rows(&world.ok(&["predict", "-m", "topics.resay", "--format", "lines", "pairs.tsv"])).len(), 61);
    world.write("empty.txt", "");
    refuse(&world, &["predict", "-m", "topics.resay", "empty.txt"], "empty.txt: no documents");
}

#[test]
fn options_and_models_of_the_other_kind() {
    let world = sorting("topics-mixed");
    world.ok(&["train", "pair", "--folds", "3", "--cost", "1", "pairs.tsv", "-o", "my.resay"]);
    let before = world.files();
    let topics = ["train", "topics", "documents.jsonl", "-o", "x.resay"];
    for option in [
        &["--relations", "pairs.tsv"][..],
        &["--dev", "new.jsonl"],
        &["--learner", "dual"],
        &["--spectrum", "clip"],
        &["--measure", "f1"],
        &["--min-support", "3"],
        &["--no-examples"],
        &["--label-column", "labels"],
        &["--format", "msrp"],
    ] {
        refuse(&world, &[&topics[..], option].concat(), option[0].trim_start_matches("--"));
    }
    let pairs = ["train", "pair", "pairs.tsv", "-o", "x.resay"];
    for option in [&["--topics", "a,b"][..], &["--min-documents", "2"], &["--search"], &["--split", "all"]] {
        refuse(&world, &[&pairs[..], option].concat(), &format!("{} is no option of 'resay train pair'", option[0]));
    }
    refuse(&world, &[&pairs[..], &["--format", "reuters"]].concat(), "format reuters is one of documents");
    refuse(&world, &[&topics[..], &["--kernel", "kb(k=2)"]].concat(), "it compares pairs");
    refuse(&world, &[&topics[..], &["--topics", "snow"]].concat(), "no document has the label 'snow'");
    refuse(&world, &[&topics[..], &["--min-documents", "50"]].concat(), "no label with at least 50 documents");
    refuse(&world, &[&topics[..], &["--folds", "1"]].concat(), "1 folds of 60 documents");
    refuse(&world, &["train", "topics", "pairs.tsv", "-o", "x.resay"], "no labels; to learn topics");

    refuse(
        &world,
        &["rank", "-m", "topics.resay", "pairs.tsv"],
        "topics.resay: this model sorts documents by topic (task topics), but rank needs one that decides about pairs",
    );
    refuse(
        &world,
        &["eval", "-m", "my.resay", "--versus", "topics.resay", "pairs.tsv"],
        "topics.resay: this model sorts documents by topic (task topics), but --versus needs one that decides",
    );
    refuse(
        &world,
        &["eval", "-m", "topics.resay", "--versus", "my.resay", "new.jsonl"],
        "my.resay: this model decides about pairs (task pair), but --versus needs one of topics",
    );
    refuse(&world, &["explain", "-m", "topics.resay", "a", "b"], "give one TEXT");
    refuse(&world, &["explain", "-m", "my.resay", "a"], "give SOURCE and TARGET");
    refuse(&world, &["explain", "a"], "give SOURCE and TARGET");
    refuse(&world, &["explain", "-m", "topics.resay", "--topic", "see", "a"], "no topic 'see'");
    for args in [&["explain", "--topic", "sea", "a", "b"][..], &["rules", "--topic", "sea"]] {
        refuse(&world, args, "--topic is for a model of topics");
    }
    for command in ["predict", "eval"] {
        refuse(&world, &[command, "-m", "my.resay", "--split", "test", "pairs.tsv"], "--split is for documents");
        refuse(&world, &[command, "-m", "my.resay", "--format", "lines", "pairs.tsv"], "pairs are read here");
        refuse(&world, &[command, "-m", "topics.resay", "--id-column", "x", "new.jsonl"], "--id-column is for pairs");
        let expected = "expected one of jsonl, lines, reuters";
        refuse(&world, &[command, "-m", "topics.resay", "--format", "tsv", "new.jsonl"], expected);
    }
    assert_eq!(world.files(), before);
    assert!(world.ok(&["completions", "bash"]).contains("--min-documents"));
}
