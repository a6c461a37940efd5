//! Models by bundled name and by default, and models of the wrong kind.

use crate::answers::refuse;
use crate::world::{World, aligned, documents, names, programs, questions};

#[test]
fn a_model_that_is_not_named_is_a_bundled_one() {
    let world = World::new("models-default");
    world.write("questions.tsv", questions(4));
    world.write("notes.txt", "It rained.\nIt rained.\nWe left.\n");
    let same = |args: &[&str], model: &str| {
        let named = world.ok(&[&[args[0], "-m", model], &args[1..]].concat());
        let default = world.ok(args);
        assert_eq!(default.replace(&format!("{model} (bundled)"), model), named, "{args:?}");
        assert!(world.ok(&[args[0], "-h"]).contains(&format!("[default: {model}]")), "{args:?}");
    };
    same(&["predict", "pairs.tsv"], "judge");
    same(&["rank", "questions.tsv"], "judge");
    same(&["eval", "--json", "--resamples", "20", "pairs.tsv"], "judge");
    same(&["explain", "--json", "He left.", "He went."], "judge");
    same(&["rules"], "paraphrase");
    same(&["align", "pairs.tsv"], "align");
    same(&["dedupe", "--json", "--quiet", "notes.txt"], "judge");
}

#[test]
fn every_bundled_model_goes_by_its_name() {
    let world = World::new("models-names");
    let listed = world.ok(&["models"]);
    for name in ["judge", "judge-paraphrase", "judge-entailment", "paraphrase", "entailment"] {
        assert!(listed.contains(name), "{name}");
        assert!(world.ok(&["models", name]).contains("on held-out data"), "{name}");
        assert_eq!(world.ok(&["predict", "-m", name, "pairs.tsv"]).lines().count(), 61, "{name}");
        assert!(world.ok(&["explain", "-m", name, "He left.", "He went."]).contains(&format!("model {name}\n")));
    }
    for args in
        [&["align", "-m", "align", "a", "b"][..], &["rules", "-m", "align"], &["explain", "-m", "align", "a", "b"]]
    {
        assert!(!world.ok(args).is_empty(), "{args:?}");
    }
    refuse(&world, &["predict", "-m", "jugde", "pairs.tsv"], "no file 'jugde', and no bundled model of that name");
    refuse(&world, &["predict", "-m", "no-such.resay", "pairs.tsv"], "cannot read no-such.resay");
}

#[test]
fn models_of_every_kind_say_what_they_are() {
    let world = World::trained("models-cards");
    world.write("documents.jsonl", documents(60, 1));
    world.write("names.tsv", names(40, 1));
    world.write("programs.jsonl", programs(12));
    world.ok(&["train", "topics", "documents.jsonl", "-o", "topics.resay"]);
    world.ok(&["train", "names", "--cost", "1", "--folds", "2", "names.tsv", "-o", "names.resay"]);
    world.ok(&["train", "program", "--cost", "1", "--folds", "2", "programs.jsonl", "-o", "program.resay"]);
    for (file, data) in [
        ("my.resay", "pairs.tsv"),
        ("topics.resay", "documents.jsonl"),
        ("names.resay", "names.tsv"),
        ("program.resay", "programs.jsonl"),
    ] {
        let said = world.ok(&["models", file]);
        assert!(said.starts_with(file) && said.contains(data) && said.contains("quality"), "{said}");
        assert_eq!(world.json(&["models", file])[0]["name"], file);
    }
    assert!(world.ok(&["models", "lemma"]).contains("licence"));
    refuse(&world, &["models", "nowhere.resay"], "cannot read nowhere.resay");
    refuse(&world, &["models", "jugde"], "expected one of: ");
    refuse(&world, &["models", "pairs.tsv"], "not a Resay model");
}

#[test]
fn a_model_of_the_wrong_kind_says_what_it_is_and_who_takes_it() {
    let world = World::new("models-kinds");
    world.write("documents.jsonl", documents(60, 1));
    world.write("aligned.json", aligned(6, 1));
    world.ok(&["train", "topics", "documents.jsonl", "-o", "topics.resay"]);
    let check = |args: &[&str], is: &str, needs: &str, takers: &str| {
        let expected = format!("this model {is}, but {needs}; resay {takers} take this one");
        refuse(&world, args, &expected);
    };
    let (aligns, by_aligner) = ("aligns words (task align)", "align, eval, explain and rules");
    let decides = "needs one that decides about pairs";
    check(&["predict", "-m", "align", "pairs.tsv"], aligns, &format!("predict {decides}"), by_aligner);
    check(&["rank", "-m", "align", "pairs.tsv"], aligns, &format!("rank {decides}"), by_aligner);
    check(&["dedupe", "-m", "align", "documents.jsonl"], aligns, &format!("dedupe {decides}"), by_aligner);
    check(
        &["rank", "-m", "topics.resay", "pairs.tsv"],
        "sorts documents by topic (task topics)",
        &format!("rank {decides}"),
        "predict, eval, explain and rules",
    );
    check(
        &["align", "-m", "judge", "a", "b"],
        "decides about pairs (task relation)",
        "align needs an aligner (resay train align)",
        "predict, rank, eval, explain, rules and dedupe",
    );
    check(
        &["eval", "-m", "align", "--versus", "judge", "aligned.json"],
        "decides about pairs (task relation)",
        "--versus needs an aligner (resay train align)",
        "predict, rank, eval, explain, rules and dedupe",
    );
    world.write("names.txt", "Anna\n");
    let names = ["rank", "--queries", "names.txt", "--candidates", "names.txt"];
    refuse(&world, &names, "--queries needs a model of names, and none is bundled");
}
