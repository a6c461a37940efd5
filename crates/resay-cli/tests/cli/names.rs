//! Names across scripts: training on true pairs, search in lists, evaluation, explanation and
//! errors.

use crate::answers::{leaves, list, number, refuse};
use crate::world::{World, names};

/// Options for quick training.
const TRAIN: [&str; 9] = ["train", "names", "--folds", "2", "--costs", "1..3", "names.tsv", "-o", "names.resay"];

/// A world with `names.tsv` to train on, `new.tsv` to test on, and its two sides as lists.
fn with_names(test: &str) -> World {
    let world = World::new(test);
    world.write("names.tsv", names(40, 1));
    let new = names(30, 2);
    let side = |column: usize| -> String {
        new.lines().map(|line| format!("{}\n", line.split('\t').nth(column).unwrap())).collect()
    };
    world.write("queries.txt", side(0));
    world.write("candidates.txt", side(1));
    world.write("new.tsv", &new);
    world
}

/// A world that also has `names.resay`.
fn trained(test: &str) -> World {
    let world = with_names(test);
    world.ok(&TRAIN);
    world
}

#[test]
fn learned_from_true_pairs() {
    let world = with_names("names-train");
    let text = world.ok(&TRAIN);
    assert!(text.starts_with("task      names\npairs     40 true, "), "{text}");
    assert!(text.contains("first maps by association") && text.contains("iteration  objective"), "{text}");
    let about = world.json(&[&TRAIN[..], &["--note", "by a rule"]].concat()).remove(0);
    assert_eq!((&about["task"], &about["note"], &about["n_pairs"]), (&"names".into(), &"by a rule".into(), &40.into()));
    assert_eq!(list(&about["search"]).len(), 2);
    let objectives: Vec<f64> = list(&about["objectives"]).iter().map(number).collect();
    assert!(objectives.len() >= 2 && objectives.is_sorted_by(|a, b| a >= b), "{objectives:?}");
    assert!(number(&about["held_out_mrr"]) > 0.7, "{about}");
    // Several files are joined, and a development file chooses the cost.
    let both = ["train", "names", "--dev", "new.tsv", "names.tsv", "new.tsv", "-o", "both.resay"];
    let about = world.json(&both).remove(0);
    assert_eq!((&about["n_pairs"], list(&about["search"][0]["folds"]).len()), (&70.into(), 1));
}

#[test]
fn found_in_lists() {
    let world = trained("names-rank");
    let fixed = ["rank", "-m", "names.resay", "--queries", "queries.txt", "--candidates", "candidates.txt"];
    let table = world.ok(&[&fixed[..], &["--top", "2"]].concat());
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows[0], ["query", "rank", "candidate", "score", "probability"]);
    assert_eq!(rows.len(), 1 + 2 * 30);
    let new = String::from_utf8(world.read("new.tsv")).unwrap();
    let truth: Vec<(&str, &str)> = new.lines().map(|line| line.split_once('\t').unwrap()).collect();
    let mut n_right = 0;
    for (two, (source, target)) in rows[1..].chunks(2).zip(&truth) {
        assert_eq!((two[0][0], two[0][1], two[1][0], two[1][1]), (*source, "1", *source, "2"));
        let [first, second] = [two[0][3], two[1][3]].map(|score| score.parse::<f64>().unwrap());
        assert!(first >= second, "{two:?}");
        n_right += usize::from(two[0][2] == *target);
    }
    assert!(n_right >= 25, "{n_right} of 30");

    let objects = world.json(&[&fixed[..], &["--top", "2"]].concat());
    for (row, object) in rows[1..].iter().zip(&objects) {
        assert_eq!((row[0], row[2]), (object["query"].as_str().unwrap(), object["candidate"].as_str().unwrap()));
        assert_eq!(row[3].parse::<f64>().unwrap(), number(&object["score"]));
    }
    assert_eq!(world.json(&fixed).len(), 10 * 30, "ten unless something else is asked for");
    assert_eq!(world.json(&[&fixed[..], &["--top", "999"]].concat()).len(), 30 * 30);
    // The top candidates are those of the whole list, with the scores that the pairs have by
    // themselves.
    let all = world.json(&[&fixed[..], &["--top", "30"]].concat());
    assert_eq!(all[..2], objects[..2]);
    let pairs: String = all[..30]
        .iter()
        .map(|found| format!("{}\t{}\n", found["query"].as_str().unwrap(), found["candidate"].as_str().unwrap()))
        .collect();
    world.write("pairs.tsv", format!("source\ttarget\n{pairs}"));
    let decided = world.json(&["predict", "-m", "names.resay", "pairs.tsv"]);
    for (found, decided) in all.iter().zip(&decided) {
        assert_eq!((&found["score"], &found["probability"]), (&decided["score"], &decided["probability"]));
    }
    let table = world.ok(&["predict", "-m", "names.resay", "--explain", "1", "pairs.tsv"]);
    assert!(table.starts_with("id\tscore\tprobability\tlabel\trules\n") && table.lines().count() == 31, "{table}");
}

#[test]
fn measured_and_compared() {
    let world = trained("names-eval");
    world.ok(&[&TRAIN[..7], &["--learner", "two-stage", "-o", "held.resay"]].concat());
    let fixed = ["eval", "-m", "names.resay", "--versus", "held.resay", "--resamples", "50", "new.tsv"];
    let found = world.json(&fixed).remove(0);
    assert_eq!((&found["n_pairs"], &found["n_candidates"]), (&30.into(), &30.into()));
    let measures = list(&found["measures"]);
    assert_eq!((&measures[0]["measure"], &measures[1]["measure"]), (&"accuracy".into(), &"MRR".into()));
    assert!(number(&measures[1]["value"]) >= number(&measures[0]["value"]) && number(&measures[1]["value"]) > 0.8);
    assert_eq!((&found["versus"]["model"], list(&found["versus"]["measures"]).len()), (&"held.resay".into(), 2));
    let text = world.ok(&fixed);
    assert!(text.contains("task      names") && text.contains("each among 30 candidates at most"), "{text}");
    assert!(text.contains("\naccuracy ") && text.contains("\nMRR ") && text.contains("versus    held.resay"), "{text}");
    assert!(text.ends_with("p: paired randomisation, either way.\n"), "{text}");
}

#[test]
fn decisions_and_features_are_shown() {
    let world = trained("names-explain");
    let two = ["explain", "-m", "names.resay", "gamal", "אגאמאל"];
    let found = world.json(&two).remove(0);
    let score = number(&found["score"]);
    assert!((leaves(&found["explanation"]) - score).abs() < 1e-9 * score.abs().max(1.0), "{found}");
    let parts = list(&found["explanation"]["parts"]);
    let gimel = parts.iter().find(|part| part["text"] == "g -> ג").unwrap_or_else(|| panic!("no map in {found}"));
    assert_eq!(gimel["places"], serde_json::json!([{"source": [[0, 1]], "target": [[2, 4]]}]));
    let text = world.ok(&two);
    assert!(text.starts_with("names: ") && text.contains("g -> ג"), "{text}");

    let rules = |more: &[&str]| world.json(&[&["rules", "-m", "names.resay"], more].concat());
    assert_eq!(rules(&[]).len(), 20);
    assert!(rules(&["--for", "--top", "5"]).iter().all(|row| number(&row["weight"]) > 0.0));
    let gimels = rules(&["--matching", "ג"]);
    assert!(!gimels.is_empty() && gimels.iter().all(|row| row["feature"].as_str().unwrap().contains('ג')));
    assert!(world.ok(&["rules", "-m", "names.resay"]).trim_start().starts_with("weight  feature\n"));
}

#[test]
fn the_same_bytes_again_and_on_any_threads() {
    let world = with_names("names-threads");
    let run = |more: &[&str]| {
        world.ok(&[&TRAIN[..], more].concat());
        let fixed = ["rank", "-m", "names.resay", "--queries", "queries.txt", "--candidates", "candidates.txt"];
        (world.read("names.resay"), world.ok(&[&fixed[..], more].concat()))
    };
    let once = run(&["--threads", "1"]);
    assert!(run(&["--threads", "2"]) == once);
    assert!(run(&["--seed", "9"]).0 != once.0, "the seed decides what is drawn");
}

#[test]
fn wrong_use_is_explained() {
    let world = trained("names-faults");
    let train = |file: &str, more: &[&str], expected: &str| {
        refuse(&world, &[&["train", "names", file, "-o", "x.resay"], more].concat(), expected);
    };
    for option in ["--kernel", "--measure", "--id-column"] {
        train("names.tsv", &[option, "f1"], &format!("{option} is no option of 'resay train names'"));
    }
    let dual = world.run(&["train", "names", "--learner", "dual", "names.tsv", "-o", "x.resay"]);
    let said = String::from_utf8(dual.stderr).unwrap();
    assert!(dual.status.code() == Some(2) && said.contains("[possible values: latent, two-stage]"), "{said}");
    train("names.tsv", &["--folds", "30"], "30 folds with 40 pairs");
    train("names.tsv", &["--cost", "0"], "a cost of 0");
    world.write("one.tsv", "dana\tדנה\nlonely\n");
    train("one.tsv", &[], "one.tsv:2: 1 column ('lonely'), expected 2 with a tab between: source, target");
    world.write("empty.tsv", "source\ttarget\n");
    train("empty.tsv", &[], "empty.tsv: no pairs: expected lines of two names");
    world.write("same.tsv", "dana\tדנה\n".repeat(20));
    train("same.tsv", &[], "no wrong pair can be drawn");
    assert!(!world.files().contains(&"x.resay".to_owned()));

    world.write("nothing.txt", "\n \n");
    let rank = |queries: &str, candidates: &str, expected: &str| {
        let args = ["rank", "-m", "names.resay", "--queries", queries, "--candidates", candidates];
        refuse(&world, &args, expected);
    };
    rank("nothing.txt", "candidates.txt", "nothing.txt: no names: expected one name a line");
    rank("queries.txt", "nothing.txt", "nothing.txt: no names: expected one name a line");
    rank("new.tsv", "candidates.txt", "new.tsv:1: a tab in the line, expected one name a line");
    rank("nowhere.txt", "candidates.txt", "cannot read nowhere.txt");
    let both = ["rank", "-m", "names.resay", "--queries", "queries.txt", "--candidates", "candidates.txt"];
    refuse(&world, &[&both[..], &["--id-column", "x"]].concat(), "--id-column is for pairs, but names are read here");
    let alone = world.run(&["rank", "-m", "names.resay", "--queries", "queries.txt"]);
    assert_eq!(alone.status.code(), Some(2));
    assert!(String::from_utf8(alone.stderr).unwrap().contains("--candidates"));

    world.ok(&["models", "--export", "paraphrase", "p.resay"]);
    refuse(&world, &[&["rank", "-m", "p.resay"], &both[3..]].concat(), "but rank --queries needs a model of names");
    refuse(
        &world,
        &["eval", "-m", "names.resay", "--versus", "p.resay", "new.tsv"],
        "but --versus needs a model of names",
    );
    refuse(&world, &["explain", "-m", "names.resay", "dana"], "the target text is missing");
    refuse(
        &world,
        &["align", "-m", "names.resay", "a", "b"],
        "this model compares names (task names), but align needs an aligner",
    );
}

/// Made-up names of two or three syllables. Each syllable is a sound and its sign.
fn of_syllables(syllables: &[(&str, &str)], n: usize, seed: u64) -> String {
    let mut state = seed;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut lines = String::from("source\ttarget\n");
    for _ in 0..n {
        let picked: Vec<_> = (0..2 + below(2)).map(|_| syllables[below(syllables.len())]).collect();
        let [source, target]: [String; 2] =
            [picked.iter().map(|one| one.0).collect(), picked.iter().map(|one| one.1).collect()];
        lines.push_str(&format!("{source}\t{target}\n"));
    }
    lines
}

/// Names whose characters stand for several letters: trained, decided, explained, listed and found.
fn check_script(test: &str, syllables: &[(&str, &str)], name: (&str, &str), wrong: &str, rules: &[&str], part: &str) {
    let world = World::new(test);
    world.write("names.tsv", of_syllables(syllables, 80, 1));
    world.write("new.tsv", of_syllables(syllables, 40, 2));
    world.ok(&TRAIN);
    let measured = world.json(&["eval", "-m", "names.resay", "new.tsv"]).remove(0);
    assert!(number(&measured["measures"][1]["value"]) > 0.95, "{measured}");

    world.write("pairs.tsv", format!("source\ttarget\n{0}\t{1}\n{0}\t{wrong}\n", name.0, name.1));
    let decided = world.json(&["predict", "-m", "names.resay", "pairs.tsv"]);
    assert!(number(&decided[0]["score"]) > number(&decided[1]["score"]), "{decided:?}");

    let found = world.json(&["explain", "-m", "names.resay", name.0, name.1]).remove(0);
    let score = number(&found["score"]);
    assert_eq!(score, number(&decided[0]["score"]));
    assert!((leaves(&found["explanation"]) - score).abs() < 1e-9, "{found}");
    // Places are those of whole characters.
    let width = name.1.chars().next().unwrap().len_utf8() as u64;
    let parts = list(&found["explanation"]["parts"]);
    let places = parts.iter().filter_map(|part| part["places"].as_array()).flatten();
    let spans: Vec<[u64; 2]> = places
        .flat_map(|place| list(&place["target"]))
        .map(|span| [&span[0], &span[1]].map(|at| at.as_u64().unwrap()))
        .collect();
    assert!(spans.len() >= 4, "{found}");
    assert!(spans.iter().all(|[start, end]| start.is_multiple_of(width) && *end == start + width), "{spans:?}");
    let text = world.ok(&["explain", "-m", "names.resay", name.0, name.1]);
    assert!(text.contains(part), "{text}");

    let shown = world.ok(&["rules", "-m", "names.resay", "--for", "--top", "999"]);
    for rule in rules {
        assert!(shown.lines().any(|line| line.ends_with(&format!("  {rule}"))), "no {rule} in {shown}");
    }
    let is_readable =
        |character: char| !matches!(character, '\u{1100}'..='\u{11ff}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..);
    assert!([&shown, &text].iter().all(|text| text.chars().all(is_readable)), "{shown} {text}");

    world.write("queries.txt", format!("{}\n", name.0));
    world.write("candidates.txt", format!("{wrong}\n{}\n", name.1));
    let ranked =
        world.json(&["rank", "-m", "names.resay", "--queries", "queries.txt", "--candidates", "candidates.txt"]);
    assert_eq!((&ranked[0]["candidate"], &ranked[0]["score"]), (&name.1.into(), &decided[0]["score"]));
    assert_eq!((&ranked[1]["candidate"], &ranked[1]["score"]), (&wrong.into(), &decided[1]["score"]));
}

#[test]
fn korean_names_are_compared_by_letters() {
    let syllables = [
        ("ga", "가"),
        ("gon", "곤"),
        ("na", "나"),
        ("nun", "눈"),
        ("do", "도"),
        ("dal", "달"),
        ("mi", "미"),
        ("mul", "물"),
        ("bo", "보"),
        ("ban", "반"),
        ("si", "시"),
        ("sol", "솔"),
    ];
    // 돈 is in no training name.
    check_script("names-korean", &syllables, ("donna", "돈나"), "나돈", &["d : ㄷ", "o : ㅗ", "n : ㄴ₃"], "n : ㄴ₃");
}

#[test]
fn chinese_characters_stand_for_two_letters() {
    let syllables = [
        ("ba", "巴"),
        ("li", "利"),
        ("sa", "萨"),
        ("to", "托"),
        ("no", "诺"),
        ("mu", "穆"),
        ("di", "迪"),
        ("ro", "罗"),
        ("ka", "卡"),
        ("fe", "费"),
    ];
    check_script("names-chinese", &syllables, ("satodi", "萨托迪"), "萨罗迪", &["s : 萨", "a : 萨₂"], "o : 托₂");
}
