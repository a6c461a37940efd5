//! Tables of pairs in each format, with non-standard column names.

use crate::world::World;

/// Three pairs: one with a comma, one with quotes, one with both.
const PAIRS: [[&str; 4]; 3] = [
    ["a", "Anna sold the boat, then the kite.", "The boat was sold by Anna.", "1"],
    ["b", "Omar painted the \"old\" gate.", "The gate was lost by Omar.", "0"],
    ["c", "My brother repaired the radio.", "\"The radio\", my brother said, was repaired.", "1"],
];

fn tsv(header: [&str; 4]) -> String {
    std::iter::once(header).chain(PAIRS).map(|row| row.join("\t") + "\n").collect()
}

fn csv(header: [&str; 4]) -> String {
    let quoted = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
    std::iter::once(header).chain(PAIRS).map(|row| row.map(quoted).join(",") + "\r\n").collect()
}

fn jsonl(header: [&str; 4]) -> String {
    let object = |row: [&str; 4]| {
        let object: serde_json::Map<String, serde_json::Value> =
            header.into_iter().zip(row).map(|(key, cell)| (key.to_owned(), cell.into())).collect();
        serde_json::Value::from(object).to_string() + "\n"
    };
    PAIRS.into_iter().map(object).collect()
}

/// Returns standard output and standard error of a run.
fn said(world: &World, args: &[&str]) -> (String, String) {
    let output = world.run(args);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args:?}: {:?} {said}", output.status.code());
    (String::from_utf8(output.stdout).unwrap(), said)
}

#[test]
fn the_same_pairs_get_the_same_rows_in_every_format() {
    let world = World::new("tables");
    let standard = ["id", "source", "target", "label"];
    world.write("standard.tsv", tsv(standard));
    let expected = world.ok(&["predict", "-m", "paraphrase", "standard.tsv"]);
    assert_eq!(expected.lines().count(), 4, "{expected}");
    world.write("standard.csv", csv(standard));
    assert_eq!(world.ok(&["predict", "-m", "paraphrase", "standard.csv"]), expected);
    let names = ["id", "Question1", "Question2", "is_duplicate"];
    for (file, content) in [("other.tsv", tsv(names)), ("other.csv", csv(names)), ("other.jsonl", jsonl(names))] {
        world.write(file, content);
        let note =
            format!("{file}: taking \"Question1\" as source, \"Question2\" as target, \"is_duplicate\" as label\n");
        let args = ["predict", "-m", "paraphrase", file];
        assert_eq!(said(&world, &args), (expected.clone(), note), "{file}");
        assert_eq!(world.ok(&["predict", "-m", "paraphrase", "--quiet", file]), expected, "{file}");
        // Columns named by the user are not reported.
        let named = ["--source-column", "Question1", "--target-column", "Question2", "--label-column", "is_duplicate"];
        let args: Vec<&str> = args.into_iter().chain(named).collect();
        assert_eq!(world.ok(&args), expected, "{file}");
    }
}

#[test]
fn whole_files_are_read_and_noted_in_the_same_way() {
    let world = World::new("tables-whole");
    world.write("standard.tsv", tsv(["id", "source", "target", "label"]));
    world.write("other.csv", csv(["id", "premise", "hypothesis", "score"]));
    let expected = world.ok(&["gram", "--kernel", "kb(k=2)", "standard.tsv"]);
    let (found, note) = said(&world, &["gram", "--kernel", "kb(k=2)", "other.csv"]);
    assert_eq!(found, expected);
    assert_eq!(note, "other.csv: taking \"premise\" as source, \"hypothesis\" as target, \"score\" as label\n");
    let (found, note) = said(&world, &["align", "other.csv"]);
    assert_eq!((found, note.lines().count()), (world.ok(&["align", "standard.tsv"]), 1));
}

#[test]
fn commas_are_seen_where_the_name_says_nothing() {
    let world = World::new("tables-guess");
    world.write("standard.tsv", tsv(["id", "source", "target", "label"]));
    world.write("table", csv(["id", "source", "target", "label"]));
    let expected = world.ok(&["predict", "-m", "paraphrase", "standard.tsv"]);
    assert_eq!(world.ok(&["predict", "-m", "paraphrase", "table"]), expected);
    assert_eq!(world.ok(&["predict", "-m", "paraphrase", "--format", "csv", "table"]), expected);
    // A table of pairs is not a list of sentences, whatever its delimiter.
    let output = world.run(&["dedupe", "table"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn headers_that_are_not_clear_are_refused() {
    let world = World::new("tables-unclear");
    let check = |file: &str, content: &str, expected: &str| {
        world.write(file, content);
        for args in [["predict", "-m", "paraphrase", file], ["gram", "--kernel", "kb(k=2)", file]] {
            let output = world.run(&args);
            assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}");
            assert_eq!(String::from_utf8(output.stderr).unwrap(), format!("error: {expected}\n"));
        }
    };
    check(
        "both.csv",
        "premise,hypothesis,sentence1,sentence2\na,b,c,d\n",
        "both.csv:1: columns \"sentence1\" and \"sentence2\", but also \"premise\" and \"hypothesis\"; \
         say which columns hold the source and the target",
    );
    check(
        "half.tsv",
        "premise\tlabel\na\t1\n",
        "half.tsv:1: column \"premise\", but no column \"hypothesis\" beside it; \
         say which columns hold the source and the target",
    );
    check(
        "open.csv",
        "source,\"target\na,b\n",
        "open.csv:1: the file ends inside the quotes of column 2; expected a quote that closes it",
    );
}
