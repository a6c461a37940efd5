//! Word alignment: training, prediction, output formats, evaluation, explanation and errors.

use crate::answers::{leaves, list, number, refuse};
use crate::world::{World, aligned, links_of};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

/// A world with `aligned.json`, `new.json` and its links `links.txt`.
fn with_pairs(test: &str) -> World {
    let world = World::new(test);
    world.write("aligned.json", aligned(60, 1));
    world.write("new.json", aligned(30, 2));
    world.write("links.txt", links_of(&aligned(30, 2)));
    world
}

/// Options for quick training.
const TRAIN: [&str; 8] = [
    "train",
    "align",
    "--features",
    "bias,string,lemma,wordnet,position,distortion",
    "aligned.json",
    "-o",
    "align.resay",
    "--quiet",
];

/// A world that also has `align.resay`, trained on the first.
fn aligning(test: &str) -> World {
    let world = with_pairs(test);
    world.ok(&TRAIN);
    world
}

/// Returns standard output of a run with this standard input.
fn piped(world: &World, args: &[&str], input: &[u8]) -> String {
    let mut command = world.command(args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn from_training_to_measures() {
    let world = with_pairs("align-all");
    let summary = world.ok(&TRAIN);
    for said in
        ["task      align", "pairs     60 with", "aligned.json", "words only", "12 held-back pairs", "threshold"]
    {
        assert!(summary.contains(said), "{said}: {summary}");
    }
    assert_eq!(summary.lines().filter(|line| line.starts_with("* ")).count(), 1, "{summary}");
    // Training again gives the same bytes, and the JSON says the same.
    let bytes = world.read("align.resay");
    let trained = world.json(&TRAIN).remove(0);
    assert!(bytes == world.read("align.resay"));
    assert_eq!((&trained["task"], &trained["n_pairs"], &trained["longest"]), (&"align".into(), &60.into(), &1.into()));
    assert_eq!(number(&trained["size"]), bytes.len() as f64);
    assert!(list(&trained["features"]).len() == 6 && number(&trained["n_features"]) > 20.0);
    assert!(list(&trained["tried"]).iter().all(|tried| number(&tried[2]) <= number(&trained["held_out"])));

    let found = world.ok(&["align", "-m", "align.resay", "new.json"]);
    let gold = links_of(&aligned(30, 2));
    let n_right = found.lines().zip(gold.lines()).filter(|(found, gold)| found == gold).count();
    assert!(found.lines().count() == 30 && n_right >= 24, "{n_right} of 30:\n{found}");
    let measured = world.json(&["eval", "-m", "align.resay", "--resamples", "50", "new.json"]).remove(0);
    assert_eq!(measured["n_pairs"], 30);
    let names: Vec<&str> = list(&measured["parts"]).iter().map(|part| part["part"].as_str().unwrap()).collect();
    assert_eq!(names, ["all", "identical", "different", "tokens", "phrases"]);
    let all = &measured["parts"][0];
    assert_eq!(all["n_gold"], gold.split_whitespace().count());
    let figures: Vec<&str> = list(&all["measures"]).iter().map(|m| m["measure"].as_str().unwrap()).collect();
    assert_eq!(figures[..5], ["precision", "recall", "F1", "mean F1", "exact"]);
    assert_eq!(number(&all["measures"][4]["value"]), n_right as f64 / 30.0, "as many are exact as align prints");
    for measure in list(&all["measures"]) {
        let [low, value, high] = ["low", "value", "high"].map(|key| number(&measure[key]));
        assert!(low <= value && value <= high && value <= 1.0, "{measure}");
    }
    let table = world.ok(&["eval", "-m", "align.resay", "--resamples", "50", "new.json"]);
    assert!(table.contains("95 % interval") && table.lines().all(|line| line.chars().count() <= 80), "{table}");
}

#[test]
fn an_aligner_against_another_and_against_links() {
    let world = aligning("align-versus");
    let eval = ["eval", "-m", "align.resay", "--resamples", "50", "new.json"];
    let versus = |more: &[&str]| world.json(&[&eval[..], more].concat()).remove(0)["versus"].clone();
    let itself = versus(&["--versus", "align.resay"]);
    assert_eq!((&itself["versus"], list(&itself["parts"]).len()), (&"align.resay".into(), 5));
    for part in list(&itself["parts"]) {
        assert!(list(&part["measures"]).iter().all(|m| number(&m["difference"]) == 0.0 && number(&m["p"]) == 1.0));
    }
    // Gold links score highest, and a single link per pair scores worse than our links.
    let f1 = |versus: &Value| {
        let measures = list(&versus["parts"][0]["measures"]);
        let f1 = measures.iter().find(|m| m["measure"] == "F1").unwrap().clone();
        (number(&f1["first"]), number(&f1["second"]), number(&f1["difference"]))
    };
    assert_eq!(f1(&versus(&["--versus-links", "links.txt"])).1, 1.0);
    assert_eq!(f1(&versus(&["--versus-links", "new.json"])).1, 1.0);
    world.write("few.txt", "0-1\n".repeat(30));
    let (first, second, difference) = f1(&versus(&["--versus-links", "few.txt"]));
    assert!(difference > 0.5 && (first - second - difference).abs() < 1e-12);
    let text = world.ok(&[&eval[..], &["--versus-links", "few.txt"]].concat());
    assert!(text.contains("versus    few.txt") && text.contains("p: paired randomisation"), "{text}");
    // Possible links count if requested.
    world.write("maybe.json", aligned(3, 2).replace("\"possibleAlign\":\"\"", "\"possibleAlign\":\"5-0\""));
    let gold = |more: &[&str]| {
        let fixed = ["eval", "-m", "align.resay", "--resamples", "10", "maybe.json"];
        number(&world.json(&[&fixed[..], more].concat())[0]["parts"][0]["n_gold"])
    };
    assert_eq!(gold(&["--possible"]), gold(&[]) + 3.0);

    refuse(
        &world,
        &[&eval[..], &["--versus-links", "aligned.json"]].concat(),
        "aligned.json:1: other words than pair 1",
    );
    world.write("short.txt", "0-0\n");
    refuse(&world, &[&eval[..], &["--versus-links", "short.txt"]].concat(), "1 pairs, but new.json has 30");
    world.write("outside.txt", "0-99\n".repeat(30));
    refuse(
        &world,
        &[&eval[..], &["--versus-links", "outside.txt"]].concat(),
        "outside.txt:1: link 0-99 points at no word",
    );
    world.ok(&["models", "--export", "paraphrase", "p.resay"]);
    refuse(&world, &[&eval[..], &["--versus", "p.resay"]].concat(), "(task paraphrase), but --versus needs an aligner");
    refuse(&world, &["eval", "-m", "align.resay", "links.txt"], "links.txt: links without sentences");
    refuse(&world, &["eval", "-m", "p.resay", "--versus", "align.resay", "pairs.tsv"], "align");
    refuse(&world, &["eval", "-m", "p.resay", "--threshold", "0.5", "pairs.tsv"], "--threshold is for aligners");
    refuse(&world, &["eval", "-m", "p.resay", "--possible", "pairs.tsv"], "--possible is for aligners");
    refuse(&world, &["eval", "-m", "align.resay", "--source-column", "x", "new.json"], "--source-column is for pairs");
    refuse(&world, &["eval", "-m", "align.resay", "--format", "tsv", "new.json"], "as one of json, msr06, pharaoh");
}

#[test]
fn json_has_words_links_phrases_and_spans() {
    let world = aligning("align-json");
    let two = ["align", "-m", "align.resay", "Anna bought the car, on Monday.", "On Monday Anna purchased the car."];
    let found = world.json(&two).remove(0);
    assert_eq!(found, serde_json::from_str::<Value>(&world.ok(&[&two[..], &["--format", "json"]].concat())).unwrap());
    for side in ["source", "target"] {
        let text = found[side].as_str().unwrap();
        let words = list(&found[format!("{side}_words")]);
        let spans = words.iter().map(|word| {
            (word["word"].as_str().unwrap(), number(&word["start"]) as usize, number(&word["end"]) as usize)
        });
        assert!(spans.clone().all(|(word, start, end)| &text[start..end] == word));
        assert_eq!(list(&found[format!("{side}_alone")]).len(), words.len());
        assert!(list(&found[format!("{side}_alone")]).iter().all(|p| (0.0..=1.0).contains(&number(p))));
    }
    let word = |side: &str, at: &Value| found[side][number(at) as usize]["word"].as_str().unwrap().to_owned();
    let linked: Vec<(String, String)> = list(&found["links"])
        .iter()
        .map(|link| (word("source_words", &link["source"]), word("target_words", &link["target"])))
        .collect();
    for (source, target) in [("Anna", "Anna"), ("bought", "purchased"), ("Monday", "Monday")] {
        assert!(linked.contains(&(source.to_owned(), target.to_owned())), "{linked:?}");
    }
    let mut n_links = 0;
    for phrase in list(&found["phrases"]) {
        let length = |side: &str| number(&phrase[side][1]) - number(&phrase[side][0]);
        n_links += (length("source") * length("target")) as usize;
        let first = word("source_words", &phrase["source"][0]);
        assert!(phrase["source_text"].as_str().unwrap().starts_with(&first), "{phrase}");
        assert!((0.0..=1.0).contains(&number(&phrase["confidence"])));
    }
    assert_eq!(n_links, linked.len(), "every link is in one phrase");
    assert!(number(&found["score"]).is_finite());
}

#[test]
fn files_of_every_kind_and_what_is_written_is_read_again() {
    let world = aligning("align-files");
    let align = |more: &[&str]| world.ok(&[&["align", "-m", "align.resay"], more].concat());
    let table = "id\tsource\ttarget\n\
                 x\tAnna bought the car on Monday .\tAnna purchased the car .\n\
                 z\tOmar began the trip .\tOmar started the journey .\n";
    world.write("p.tsv", table);
    let rows: Vec<String> = table
        .lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            format!("{{\"id\":\"{}\",\"source\":\"{}\",\"target\":\"{}\"}}\n", cells[0], cells[1], cells[2])
        })
        .collect();
    world.write("p.jsonl", rows.concat());
    let links = align(&["p.tsv"]);
    assert_eq!(links.lines().collect::<Vec<_>>(), ["0-0 1-1 2-2 3-3 6-4", "0-0 1-1 2-2 3-3 4-4"]);
    assert_eq!(align(&["p.jsonl"]), links);
    assert_eq!(align(&["--units", "tokens", "p.tsv"]), links, "the words here are the same either way");
    assert_eq!(piped(&world, &["align", "-m", "align.resay", "-"], table.as_bytes()), links);
    assert_eq!(align(&["--format", "pharaoh", "--input-format", "jsonl", "p.jsonl"]), links);
    world.write("q.tsv", table.replace("source\ttarget", "a\tb"));
    assert_eq!(align(&["--source-column", "a", "--target-column", "b", "q.tsv"]), links);
    // Tokens of aligned pairs are kept, whatever the tokeniser would produce; links are ignored.
    world.write("odd.json", r#"{"id":"1","source":"it's mine","target":"it's mine","sureAlign":"0-1"}"#);
    assert_eq!(align(&["odd.json"]), "0-0 1-1\n");
    world.write("m.txt", "# sentence pair 1\nAnna left .\nNULL ({ / / }) Anna ({ / / }) left ({ / / }) . ({ / / })\n");
    assert_eq!(align(&["m.txt"]), "0-0 1-1 2-2\n");
    // Output can be read back: as pairs, as aligned pairs, and as links with their sentences.
    world.write("out.jsonl", align(&["--format", "json", "p.tsv"]));
    assert_eq!(align(&["out.jsonl"]), links);
    world.write("silver.json", align(&["--format", "aligned", "p.tsv"]));
    assert_eq!(align(&["silver.json"]), links);
    let perfect = world.json(&["eval", "-m", "align.resay", "--resamples", "10", "silver.json"]).remove(0);
    assert_eq!(number(&perfect["parts"][0]["measures"][4]["value"]), 1.0, "exact");
    world.write("links.out", &links);
    let learn = |args: &[&str]| {
        world.json(&[&["train", "align", "--features", "bias,string", "-o", "x.resay"], args].concat()).remove(0)
    };
    let by_links = learn(&["--sentences", "p.tsv", "links.out"]);
    let bytes = world.read("x.resay");
    assert_eq!((&by_links["n_links"], &by_links["n_pairs"]), (&10.into(), &2.into()));
    assert_eq!(by_links["held_out"], Value::Null, "too few pairs to hold any back");
    let by_json = learn(&["silver.json"]);
    assert_eq!(by_links["n_steps"], by_json["n_steps"]);
    assert!(bytes.len().abs_diff(world.read("x.resay").len()) < 20, "they differ by the file's name");
    // Sides without words.
    world.write("empty.json", r#"[{"id":"1","source":"","target":"a","sureAlign":""}]"#);
    assert_eq!(align(&["empty.json"]), "\n");
    assert_eq!(align(&["--format", "pharaoh", "", "a"]), "\n");
    assert!(align(&["", "a"]).contains("target only  a"));
}

#[test]
fn pictures_and_matrices() {
    let world = aligning("align-picture");
    let two = ["align", "-m", "align.resay", "Anna bought the car.", "Anna purchased the car."];
    let picture = world.ok(&two);
    let lines: Vec<&str> = picture.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "source    Anna bought the car.",
            "          ==== aaaaaa === ====",
            "target    Anna purchased the car.",
            "          ==== aaaaaaaaa === ===="
        ]
    );
    assert!(lines[5].starts_with("a  bought  ~  purchased  ") && lines[5].contains('#'), "{picture}");
    assert_eq!(lines[6], "= the same     Anna ... the car.");
    let matrix = world.ok(&[&two[..], &["--format", "matrix"]].concat());
    assert!(matrix.contains("\n  Anna #") || matrix.contains("\n  Anna +"), "{matrix}");
    assert!(matrix.contains("# linked, 0.70 or surer"), "{matrix}");
    let file = world.ok(&["align", "-m", "align.resay", "--format", "picture", "new.json"]);
    assert!(file.starts_with("pair a0\nsource    ") && file.contains("\n\npair a29\n"), "{file}");
    let long = "Anna bought the car and ".repeat(10);
    let wide = world.ok(&["align", "-m", "align.resay", "--format", "matrix", &long, &long]);
    assert!(wide.contains("columns of 80: the picture, not the matrix"), "{wide}");
    assert!(wide.lines().all(|line| line.chars().count() <= 80), "{wide}");
}

#[test]
fn the_dial_and_the_ways_to_choose() {
    let world = aligning("align-decode");
    let links = |more: &[&str]| -> Vec<Vec<String>> {
        let text = world.ok(&[&["align", "-m", "align.resay", "new.json"], more].concat());
        text.lines().map(|line| line.split(' ').filter(|link| !link.is_empty()).map(str::to_owned).collect()).collect()
    };
    let is_within = |few: &[Vec<String>], many: &[Vec<String>]| {
        few.iter().zip(many).all(|(few, many)| few.iter().all(|link| many.contains(link)))
    };
    let [low, middle, high] = ["0.01", "0.5", "0.999"].map(|threshold| links(&["--threshold", threshold]));
    assert!(is_within(&high, &middle) && is_within(&middle, &low));
    let count = |links: &[Vec<String>]| links.iter().map(Vec::len).sum::<usize>();
    assert!(count(&high) < count(&middle) && count(&middle) < count(&low));
    assert_eq!(links(&["--decode", "confident"]), links(&[]));
    let named = |name: &str| links(&["--decode", name]);
    let (forward, backward) = (named("best"), named("best-backward"));
    let (union, both) = (named("union"), named("intersection"));
    assert!(is_within(&both, &forward) && is_within(&both, &backward));
    assert!(is_within(&forward, &union) && is_within(&backward, &union));
    for name in ["grow-diag", "grow-diag-final"] {
        let merged = named(name);
        assert!(is_within(&both, &merged) && is_within(&merged, &union), "{name}");
    }
    // In the forward direction without phrases, a source word has at most one link.
    for line in &forward {
        let mut sources: Vec<&str> = line.iter().map(|link| link.split_once('-').unwrap().0).collect();
        sources.dedup();
        assert_eq!(sources.len(), line.len());
    }
    let exact = |more: &[&str]| {
        let fixed = ["eval", "-m", "align.resay", "--resamples", "10", "new.json"];
        number(&world.json(&[&fixed[..], more].concat())[0]["parts"][0]["n_found"])
    };
    assert_eq!(exact(&["--threshold", "0.01"]), count(&low) as f64);
    assert_eq!(exact(&["--decode", "union"]), count(&union) as f64);
}

#[test]
fn decisions_and_features_are_shown() {
    let world = aligning("align-explain");
    let two = ["explain", "-m", "align.resay", "Anna bought it.", "Anna purchased it."];
    let found = world.json(&two).remove(0);
    let parts = list(&found["explanation"]["parts"]);
    assert_eq!(parts.len(), 4, "a part a word");
    let score = number(&found["score"]);
    assert!((leaves(&found["explanation"]) - score).abs() < 1e-9 * score.abs().max(1.0));
    assert_eq!((&parts[1]["kind"], &parts[1]["text"]), (&"phrase".into(), &"bought -> purchased".into()));
    assert_eq!(parts[1]["places"][0], serde_json::json!({"source": [[5, 11]], "target": [[5, 14]]}));
    let short = world.json(&[&two[..], &["--top", "1"]].concat()).remove(0);
    assert!((leaves(&short["explanation"]) - score).abs() < 1e-9 * score.abs().max(1.0));
    assert!(list(&short["explanation"]["parts"]).iter().all(|part| list(&part["parts"]).len() <= 2));
    let text = world.ok(&two);
    assert!(text.starts_with("align: 4 of 4 pieces") && text.contains("├ bought -> purchased"), "{text}");
    refuse(&world, &["explain", "-m", "align.resay", "one"], "the target text is missing: this model aligns");
    refuse(&world, &["explain", "-m", "align.resay", "--topic", "x", "a", "b"], "--topic is for a model of topics");

    let rules = |more: &[&str]| world.json(&[&["rules", "-m", "align.resay"], more].concat());
    let all = rules(&["--top", "9999"]);
    let weight = |row: &Value| number(&row["forward"]).abs() + number(&row["backward"]).abs();
    assert!(all.len() > 20 && all.is_sorted_by(|a, b| weight(a) >= weight(b)));
    assert_eq!(rules(&[])[..], all[..20]);
    let sum = |row: &Value| number(&row["forward"]) + number(&row["backward"]);
    assert!(rules(&["--for"]).iter().all(|row| sum(row) > 0.0));
    assert!(rules(&["--against"]).iter().all(|row| sum(row) < 0.0));
    let distortion = rules(&["--matching", "distortion"]);
    assert!(
        !distortion.is_empty() && distortion.iter().all(|row| row["feature"].as_str().unwrap().contains("distortion"))
    );
    assert!(world.ok(&["rules", "-m", "align.resay"]).starts_with("forward  backward  feature\n"));
    refuse(&world, &["rules", "-m", "align.resay", "--topic", "x"], "--topic is for a model of topics");
    refuse(
        &world,
        &["predict", "-m", "align.resay", "pairs.tsv"],
        "resay align, eval, explain and rules take this one",
    );
}

#[test]
fn the_same_on_one_thread_and_on_two() {
    let world = with_pairs("align-threads");
    let seen: Vec<(String, Vec<u8>)> = ["1", "2"]
        .iter()
        .map(|threads| {
            world.ok(&[&TRAIN[..], &["--threads", threads]].concat());
            let found = world.ok(&["align", "-m", "align.resay", "--format", "json", "--threads", threads, "new.json"]);
            (found, world.read("align.resay"))
        })
        .collect();
    assert!(seen[0] == seen[1]);
}

#[test]
fn training_options_reach_the_model_and_wrong_ones_are_refused() {
    let world = with_pairs("align-options");
    world.write("small.json", aligned(6, 3));
    let fixed = ["train", "align", "small.json", "-o", "x.resay"];
    let train = |more: &[&str]| world.json(&[&fixed[..], more].concat()).remove(0);
    let two = train(&["--features", "bias,string", "--l2", "0.5", "--note", "by hand", "--longest", "2"]);
    assert_eq!((&two["features"], &two["longest"]), (&serde_json::json!(["bias", "string"]), &2.into()));
    assert_eq!((&two["l2"], &two["note"]), (&0.5.into(), &"by hand".into()));
    let without = train(&["--without", "wordnet,vectors,ppdb,context,conjunctions,rivals,order,names"]);
    let names = list(&without["features"]);
    assert!(names.contains(&"string".into()) && !names.contains(&"wordnet".into()), "{names:?}");
    let links = |more: &[&str]| number(&train(&[&["--features", "bias"], more].concat())["n_links"]);
    assert!(links(&["--synthesise"]) >= links(&[]));
    assert_eq!(links(&["aligned.json"]), links(&[]) + links_of(&aligned(60, 1)).split_whitespace().count() as f64);

    let refuse_train = |more: &[&str], expected: &str| refuse(&world, &[&fixed[..], more].concat(), expected);
    refuse_train(&["--features", "bias,no"], "no feature is named 'no', expected some of: bias (");
    refuse_train(&["--without", "no"], "no feature is named 'no'");
    refuse_train(&["--longest", "0"], "expected 1 to 8");
    refuse_train(&["--l2", "-1"], "l2 is -1");
    refuse_train(&["--kernel", "pr"], "--kernel is no option of 'resay train align'");
    refuse_train(&["--folds", "3"], "--folds is no option of 'resay train align'");
    refuse_train(&["--max-rules", "3"], "--max-rules is no option of 'resay train align'");
    refuse_train(&["--topics", "a"], "--topics is no option of 'resay train align', but of topics");
    refuse_train(&["--id-column", "a"], "--id-column is for the table of --sentences");
    refuse_train(&["--format", "msrp"], "format msrp is one of pairs, but aligned pairs are read here");
    refuse_train(&["--sentences", "pairs.tsv"], "small.json:1: the pair has words already");
    let paraphrase = ["train", "paraphrase", "pairs.tsv", "-o", "x.resay"];
    for option in [&["--longest", "2"][..], &["--possible"], &["--synthesise"], &["--sentences", "pairs.tsv"]] {
        refuse(&world, &[&paraphrase[..], option].concat(), "is no option of 'resay train paraphrase', but of align");
    }
    refuse(&world, &[&paraphrase[..], &["--format", "msr06"]].concat(), "format msr06 is one of aligned pairs");
    let links_only = ["train", "align", "links.txt", "-o", "x.resay"];
    refuse(&world, &links_only, "name the file with their sentences (pairs, row by row) by --sentences");
    refuse(&world, &[&links_only[..], &["--sentences", "more.tsv"]].concat(), "30 pairs, but more.tsv has 40");
    world.write("outside.json", "{\"source\":\"a b\",\n\"target\":\"c\",\"sureAlign\":\"0-0 1-1\"}");
    refuse(&world, &["train", "align", "outside.json", "-o", "x.resay"], "link 1-1 points at no word");
    world.write("none.json", "{\"source\":\"a b\",\"target\":\"c\",\"sureAlign\":\"\"}");
    refuse(&world, &["train", "align", "none.json", "-o", "x.resay"], "no pair has a link");
}

#[test]
fn what_cannot_be_aligned_is_explained() {
    let world = World::new("align-faults");
    world.write("links.txt", "0-0 1-1\n\n2-1\n");
    refuse(&world, &["align", "links.txt"], "links.txt: links without sentences, expected pairs to align");
    refuse(&world, &["align", "--input-format", "pharaoh", "links.txt"], "links without sentences");
    refuse(&world, &["align", "One sentence alone."], "is no file: give two texts");
    refuse(&world, &["align", "no-such.tsv"], "cannot read no-such.tsv");
    refuse(
        &world,
        &["align", "pairs.tsv", "more.tsv"],
        "pairs.tsv and more.tsv are files: give two texts, or one file",
    );
    refuse(
        &world,
        &["eval", "-m", "align", "pairs.tsv"],
        "pairs.tsv has pairs, but the model aligns: give aligned pairs",
    );
    refuse(&world, &["align", "--threshold", "0", "a", "b"], "--threshold 0: expected a number above 0 and at most 1");
    refuse(&world, &["align", "--threshold", "1.5", "pairs.tsv"], "--threshold 1.5");
    refuse(
        &world,
        &["align", "--threshold", "0.5", "--decode", "union", "a", "b"],
        "--threshold is for --decode confident",
    );
    refuse(&world, &["align", "--json", "--format", "picture", "a", "b"], "--json and another --format");
    refuse(&world, &["align", "--input-format", "tsv", "a", "b"], "--input-format is for a file");
    refuse(&world, &["align", "--source-column", "x", "a", "b"], "--source-column is for a file");
    refuse(&world, &["align", "--input-format", "reuters", "pairs.tsv"], "format reuters is one of documents");
    world.ok(&["models", "--export", "paraphrase", "p.resay"]);
    refuse(
        &world,
        &["align", "-m", "p.resay", "a", "b"],
        "p.resay: this model decides about pairs (task paraphrase), but align needs an aligner",
    );
    world.write("latin.tsv", b"source\ttarget\nna\xefve\tplain\n");
    refuse(&world, &["align", "latin.tsv"], "latin.tsv:2: ");
    world.write("empty.tsv", "source\ttarget\n");
    refuse(&world, &["align", "empty.tsv"], "empty.tsv: no ");
    world.write("a.json", r#"[{"source":"a","target":"b","sureAlign":"0-7"}]"#);
    refuse(&world, &["align", "a.json"], "link 0-7 points at no word");
    world.write("b.json", r#"{"source":"a","target":"b","sureAlign":"0-0"}"#);
    refuse(&world, &["align", "--units", "tokens", "b.json"], "--units is for pairs");
    let long = "word ".repeat(1001);
    refuse(&world, &["align", &long, "word"], "1001 and 1 words, expected at most 1000 per side");
    world.write("long.tsv", format!("source\ttarget\na b\ta b\n{long}\tword\n"));
    refuse(&world, &["align", "--strict", "long.tsv"], "long.tsv:3: 1001 and 1 words");
    let hundreds: Vec<String> = (0..400).map(|number| format!("item{number}")).collect();
    let found = world.ok(&["align", "--format", "pharaoh", &hundreds.join(" "), &hundreds.join(" ")]);
    assert!(found.split(' ').count() >= 300, "{found}");
}

#[test]
fn the_bundled_aligner() {
    let world = World::new("align-bundled");
    let links = world.ok(&["align", "pairs.tsv"]);
    assert_eq!(links.lines().count(), 60);
    assert!(links.split_whitespace().count() > 200);
    let listed = world.json(&["models"]).into_iter().find(|model| model["name"] == "align").unwrap();
    assert!(number(&listed["held_out"]) > 0.5 && !listed["note"].as_str().unwrap().is_empty());
    world.ok(&["models", "--export", "align", "align.resay"]);
    assert_eq!(number(&listed["size"]), world.read("align.resay").len() as f64);
    assert_eq!(world.ok(&["align", "-m", "align.resay", "pairs.tsv"]), links);
    assert!(world.ok(&["models", "align"]).contains("F1 0.8944 on held-out data"));
}
