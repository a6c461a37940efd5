//! Output never overwrites input, whichever arguments name the two and however the path is written.

use crate::world::{World, aligned, documents, links_of, names, pairs, sentences_of};
use std::fs::{self, File};
use std::process::Output;

const OWN: &str = "drug\taspirin\tibuprofen\n";
const KERNEL: &str = "tesrk(k=1,pattern=drug,variable=id)";

/// A command line without its output, the option for the output, and the argument and the file that
/// must be kept.
type Case = (&'static [&'static str], &'static str, &'static str, &'static str);

/// Every input argument of every command that writes a file.
const CASES: [Case; 22] = [
    (&["train", "paraphrase", "--cost", "1", "pairs.tsv"], "-o", "FILE", "pairs.tsv"),
    (&["train", "paraphrase", "--cost", "1", "pairs.tsv", "more.tsv"], "-o", "FILE", "more.tsv"),
    (&["train", "pair", "--cost", "1", "--dev", "more.tsv", "pairs.tsv"], "-o", "--dev", "more.tsv"),
    (
        &["train", "pair", "--cost", "1", "--relations", "own.tsv", "--kernel", KERNEL, "pairs.tsv"],
        "-o",
        "--relations",
        "own.tsv",
    ),
    (
        &["train", "pair", "--learner", "combined", "--contrast", "more.tsv", "pairs.tsv"],
        "-o",
        "--contrast",
        "more.tsv",
    ),
    (&["train", "pair", "--learner", "latent", "pairs.tsv"], "-o", "FILE", "pairs.tsv"),
    (
        &["train", "pair", "--learner", "latent", "--constraints", "own.tsv", "pairs.tsv"],
        "-o",
        "--constraints",
        "own.tsv",
    ),
    (&["train", "names", "--cost", "1", "names.tsv"], "-o", "FILE", "names.tsv"),
    (&["train", "topics", "documents.jsonl"], "-o", "FILE", "documents.jsonl"),
    (&["train", "topics", "reuters"], "-o", "FILE", "reuters/a.sgm"),
    (&["train", "align", "aligned.json"], "-o", "FILE", "aligned.json"),
    (&["train", "align", "--sentences", "sentences.tsv", "links.txt"], "-o", "FILE", "links.txt"),
    (&["train", "align", "--sentences", "sentences.tsv", "links.txt"], "-o", "--sentences", "sentences.tsv"),
    (&["gram", "--kernel", "kb(k=1)", "pairs.tsv"], "-o", "FILE", "pairs.tsv"),
    (&["gram", "--kernel", "kb(k=1)", "pairs.tsv", "more.tsv"], "-o", "FILE2", "more.tsv"),
    (&["gram", "--kernel", KERNEL, "--relations", "own.tsv", "pairs.tsv"], "-o", "--relations", "own.tsv"),
    (&["compare", "--file", "old.txt", "new.txt"], "--html", "--file", "old.txt"),
    (&["compare", "--file", "old.txt", "new.txt"], "--svg", "--file", "new.txt"),
    (&["eval", "pairs.tsv"], "--reliability", "FILE", "pairs.tsv"),
    (&["eval", "pairs.tsv"], "--risk", "FILE", "pairs.tsv"),
    (&["diff", "old.txt", "new.txt"], "--html", "OLD", "old.txt"),
    (&["diff", "old.txt", "new.txt"], "--html", "NEW", "new.txt"),
];

/// A world with the inputs of all cases below a folder.
fn world(test: &str, folder: &str) -> World {
    let world = World::new(test);
    fs::create_dir_all(world.folder.join(folder).join("reuters")).unwrap();
    for (name, content) in [
        ("pairs.tsv", pairs(60, 1)),
        ("more.tsv", pairs(40, 2)),
        ("own.tsv", OWN.to_owned()),
        ("names.tsv", names(20, 1)),
        ("documents.jsonl", documents(30, 1)),
        ("reuters/a.sgm", "<REUTERS></REUTERS>\n".to_owned()),
        ("aligned.json", aligned(20, 1)),
        ("links.txt", links_of(&aligned(20, 1))),
        ("sentences.tsv", sentences_of(&aligned(20, 1))),
        ("old.txt", "It rained all day.\n".to_owned()),
        ("new.txt", "It snowed all day.\n".to_owned()),
    ] {
        world.write(&format!("{folder}/{name}"), content);
    }
    world
}

/// Returns the message of a run that was rejected, and checks that nothing was printed.
fn refused(output: &Output, status: i32) -> String {
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(status), 0), "{said}");
    assert!(said.starts_with("error: ") && said.lines().count() == 1, "{said}");
    said
}

/// Runs a case with this output, and expects an error that names the conflict and leaves the input
/// unchanged.
fn check(world: &World, (args, option, argument, _): Case, extra: &[&str], output: &str, kept: &str) {
    let before = world.read(kept);
    let said = refused(&world.run(&[args, &[option, output], extra].concat()), 2);
    let line = format!("{args:?} {option} {output} {extra:?}: {said}");
    assert!(said.contains(&format!(" {output} is the same file as {argument} {kept}, ")), "{line}");
    assert!(said.contains("would be overwritten: write to another file"), "{line}");
    assert_eq!(world.read(kept), before, "{line}");
}

#[test]
fn no_output_overwrites_an_input() {
    let world = world("files-all", ".");
    for case in CASES {
        let (.., kept) = case;
        check(&world, case, &[], kept, kept);
        check(&world, case, &[], &format!("./{kept}"), kept);
        check(&world, case, &[], &format!("{}/{kept}", world.folder.display()), kept);
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_an_input_is_that_input() {
    let world = world("files-links", ".");
    for case in CASES {
        let (.., kept) = case;
        let [kept_path, link, hard] = [kept, "link", "hard"].map(|name| world.folder.join(name));
        std::os::unix::fs::symlink(&kept_path, &link).unwrap();
        check(&world, case, &[], "link", kept);
        fs::hard_link(&kept_path, &hard).unwrap();
        check(&world, case, &[], "hard", kept);
        assert!(link.is_symlink() && fs::read(&hard).unwrap() == world.read(kept));
        fs::remove_file(link).unwrap();
        fs::remove_file(hard).unwrap();
    }
    // The input may be the link, too, and so may a folder in its path.
    std::os::unix::fs::symlink("old.txt", world.folder.join("link.txt")).unwrap();
    let case: Case = (&["diff", "link.txt", "new.txt"], "--html", "OLD", "link.txt");
    check(&world, case, &[], "old.txt", "link.txt");
    std::os::unix::fs::symlink(".", world.folder.join("here")).unwrap();
    check(&world, CASES[0], &[], "here/pairs.tsv", "pairs.tsv");
}

#[test]
fn an_input_that_is_found_in_the_folder_of_corpora_is_kept() {
    let world = world("files-data", "corpora");
    // These two exist in every such world, and would be found first.
    for name in ["pairs.tsv", "more.tsv"] {
        fs::remove_file(world.folder.join(name)).unwrap();
    }
    for case in CASES {
        // `diff` is among them: it searches there as well.
        let kept = format!("corpora/{}", case.3);
        check(&world, case, &["--data", "corpora"], &kept, &kept);
    }
    let (args, option, ..) = CASES[0];
    let mut command = world.command(&[args, &[option, "corpora/pairs.tsv"]].concat());
    let said = refused(&command.env("RESAY_DATA", "corpora").output().unwrap(), 2);
    assert!(said.contains("would be overwritten"), "{said}");
    // A file of the same name that is not an input may be written.
    world.write("pairs.tsv", pairs(60, 3));
    world.ok(&["gram", "--kernel", "kb(k=1)", "pairs.tsv", "--data", "corpora", "-o", "corpora/pairs.tsv"]);
}

#[cfg(unix)]
#[test]
fn a_file_on_standard_input_is_an_input() {
    let world = world("files-stdin", ".");
    let before = world.read("new.txt");
    let run = |args: &[&str]| {
        let stdin = File::open(world.folder.join("new.txt")).unwrap();
        world.command(args).stdin(stdin).output().unwrap()
    };
    let said = refused(&run(&["diff", "old.txt", "-", "--html", "new.txt"]), 2);
    assert!(said.contains("--html new.txt is the same file as NEW - (standard input), "), "{said}");
    assert_eq!(world.read("new.txt"), before);
    assert!(run(&["diff", "old.txt", "-", "--html", "page.html"]).status.success());
    assert!(run(&["diff", "old.txt", "old.txt", "--html", "new.txt"]).status.success(), "nobody reads it");
}

#[test]
fn two_outputs_are_two_files() {
    let world = World::new("files-two");
    let compare = |html: &str, svg: &str| world.run(&["compare", "a", "b", "--html", html, "--svg", svg]);
    let said = refused(&compare("x", "./x"), 2);
    assert!(said.contains("--html x and --svg ./x name the same file: give each its own"), "{said}");
    world.write("x", "old");
    fs::hard_link(world.folder.join("x"), world.folder.join("y")).unwrap();
    assert!(refused(&compare("x", "y"), 2).contains("--html x and --svg y name the same file"));
    assert_eq!(world.read("x"), b"old");
    assert!(compare("x", "z").status.success());
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_any_work() {
    let world = World::new("files-place");
    for (output, expected) in [
        ("no/such/x", "cannot write no/such/x: there is no folder no/such, make it first"),
        ("pairs.tsv/x", "cannot write pairs.tsv/x: pairs.tsv is no folder"),
        (".", "cannot write .: it is a folder, name a file in it"),
    ] {
        // A missing input would be reported next.
        for args in [
            &["train", "pair", "nowhere.tsv", "-o", output][..],
            &["gram", "--kernel", "kb(k=1)", "nowhere.tsv", "-o", output],
            &["diff", "nowhere.txt", "pairs.tsv", "--html", output],
            &["compare", "a", "b", "--html", output],
            &["compare", "a", "b", "--svg", output],
            &["models", "--export", "nonsense", output],
        ] {
            let said = refused(&world.run(args), 3);
            assert!(said.contains(expected), "{args:?}: {said}");
        }
    }
    assert_eq!(world.files(), ["more.tsv", "pairs.tsv"]);
}

#[test]
fn a_bundled_model_goes_to_a_file() {
    let world = World::new("files-models");
    let said = refused(&world.run(&["models", "--export", "paraphrase", "-"]), 2);
    assert!(said.contains("give its name"), "{said}");
    for args in [&["models", "--export", "paraphrase"][..], &["models", "x.resay"]] {
        assert_eq!(world.run(args).status.code(), Some(2), "{args:?}");
    }
    assert_eq!(world.files(), ["more.tsv", "pairs.tsv"]);
    world.ok(&["models", "--export", "paraphrase", "x.resay"]);
    assert!(world.files().contains(&"x.resay".to_owned()));
}
