//! Untrusted model files, and files of old versions.
//!
//! A damaged file is rejected with a message that says what is wrong. It never causes a panic, and
//! no length in it is trusted for an allocation. To get past the checksums, the tests unpack and
//! repack files using only the documented format. `models/` keeps files of old formats for ever:
//! they must open and give the same scores as on the day they were written.

use crate::parts::{HEADER, MAGIC, Parts, take_apart};
use miniz_oxide::deflate::compress_to_vec_zlib;
use proptest::prelude::*;
use resay::model::{Ensemble, KernelModel, PairModel, ProgramModel, Pruning};
use resay::resources::Resources;
use resay::train::latent::Staging;
use resay::train::{CostChoice, Task, TrainOptions, train};
use resay_learn::progress::Progress;
use serde_json::{Value, json};

/// A small model, with rules or, if the kernel has no listed rules, with support pairs.
fn small(kernel: &str) -> Vec<u8> {
    made(kernel, 16, 60)
}

/// The files in `models/` were made by this function, with 60 pairs and at most 400 rules.
fn made(kernel: &str, n_pairs: usize, max_rules: usize) -> Vec<u8> {
    let options = TrainOptions {
        kernel: kernel.to_owned(),
        costs: vec![1.0],
        choice: CostChoice::Folds(2),
        pruning: Pruning { min_support: 2, max_rules, examples: true },
        ..TrainOptions::new(Task::Paraphrase)
    };
    let model = train(&crate::pairs::dataset(n_pairs, 2), &options, &Resources::bundled(), Progress::none()).unwrap();
    model.to_bytes().unwrap()
}

const RULES: &str = "kb(k=1..2)+pr";
const PAIRS: &str = "pw(k=2,lambda=0.5)";
/// A kernel that is fitted to its corpus.
const LEARNED: &str = "kb(k=1)+idf";

fn open(bytes: &[u8]) -> resay::Result<KernelModel> {
    KernelModel::from_bytes("m.resay", bytes, &Resources::bundled())
}

fn error(bytes: &[u8]) -> String {
    open(bytes).map_or_else(|error| error.to_string(), |_| "it opened".to_owned())
}

fn check(bytes: &[u8], expected: &str) {
    assert_eq!(error(bytes), format!("m.resay: {expected}"));
}

/// Exercises everything a file offers, if it opens.
fn use_it(bytes: &[u8]) -> Option<u64> {
    let model = open(bytes).ok()?;
    let (source, target) = ("Anna bought the car in Oslo .", "In Oslo the automobile was purchased by Anna .");
    let score = |model: &dyn PairModel| {
        let prediction = model.predict_one(source, target).ok()?;
        Some(prediction.decision().unwrap().score.to_bits())
    };
    let _ = (&model as &dyn PairModel).explain_one(source, target, 3);
    let _ = model.weights(0);
    let again = open(&model.to_bytes().unwrap()).unwrap();
    assert_eq!(score(&model), score(&again));
    score(&model)
}

#[test]
fn what_is_taken_apart_can_be_put_together() {
    for kernel in [RULES, PAIRS, LEARNED] {
        let bytes = small(kernel);
        assert!(use_it(&bytes).is_some());
        assert_eq!(use_it(&bytes), use_it(&take_apart(&bytes).pack()), "{kernel}");
    }
}

#[test]
fn every_truncation_is_named() {
    for kernel in [RULES, PAIRS, LEARNED] {
        let bytes = small(kernel);
        let header_end = HEADER + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let parts = take_apart(&bytes);
        let header: Value = serde_json::from_slice(&bytes[HEADER..header_end]).unwrap();
        // The end of each section and its name.
        let mut ends = Vec::new();
        let mut at = header_end;
        for (entry, (name, _)) in header["sections"].as_array().unwrap().iter().zip(&parts.sections) {
            at += entry["packed"].as_u64().unwrap() as usize;
            ends.push((at, name));
        }
        for len in 0..bytes.len() {
            let cut = |what: &str| format!("the model is cut off in its {what}: copy or train it again");
            let expected = match len {
                0..8 => "not a Resay model: expected a file written by 'resay train'".to_owned(),
                8..HEADER => cut("first bytes"),
                len if len < header_end => cut("header"),
                len => cut(&format!("section '{}'", ends.iter().find(|(end, _)| len < *end).unwrap().1)),
            };
            check(&bytes[..len], &expected);
        }
    }
}

#[test]
fn every_altered_byte_is_refused() {
    for kernel in [RULES, PAIRS, LEARNED] {
        let bytes = small(kernel);
        for at in 0..bytes.len() {
            for change in [1, 0x20, 0x80, 0xff] {
                let mut altered = bytes.clone();
                altered[at] ^= change;
                assert!(error(&altered).starts_with("m.resay: "), "byte {at} of {}: {}", bytes.len(), error(&altered));
            }
        }
    }
}

#[test]
fn altered_content_behind_a_right_checksum_never_panics() {
    for kernel in [RULES, PAIRS, LEARNED] {
        let parts = take_apart(&small(kernel));
        let mut n_refused = 0;
        for (name, content) in &parts.sections {
            for at in 0..content.len() {
                for byte in [0, 1, 0x7f, 0xff, content[at].wrapping_add(1), content[at] ^ 0x40] {
                    let mut altered = content.clone();
                    altered[at] = byte;
                    n_refused += usize::from(use_it(&parts.with(name, altered)).is_none());
                }
            }
            for len in 0..content.len() {
                let message = error(&parts.with(name, content[..len].to_vec()));
                assert!(message.starts_with("m.resay: section '"), "{message}");
                assert!(message.ends_with(": the model is damaged"), "{message}");
            }
        }
        assert!(n_refused > 0);
    }
}

proptest! {
    #[test]
    fn random_bytes_are_refused(version in prop::sample::select(vec![0_u32, 1, 2, u32::MAX]), bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut file = MAGIC.to_vec();
        prop_assert!(open(&bytes).is_err());
        file.extend(version.to_le_bytes());
        file.extend(bytes);
        prop_assert!(open(&file).is_err());
    }

    #[test]
    fn random_sections_never_panic(kind in 0_usize..2, section in 0_usize..3, bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut parts = take_apart(&kept(["layout2", "layout2-pairs"][kind]));
        let (name, content) = &mut parts.sections[section];
        // Small counts first, so that parsing reaches the content.
        *content = bytes.iter().enumerate().map(|(at, byte)| if at % 3 == 0 { byte % 4 } else { *byte }).collect();
        let name = name.clone();
        use_it(&parts.pack());
        let mut longer = take_apart(&kept(["layout2", "layout2-pairs"][kind])).section(&name).clone();
        longer.extend(bytes);
        use_it(&parts.with(&name, longer));
    }
}

#[test]
fn every_lie_has_its_message() {
    let bytes = small(RULES);
    let parts = take_apart(&bytes);
    let damaged = |what: &str| format!("{what}: the model is damaged");

    check(b"", "not a Resay model: expected a file written by 'resay train'");
    check(b"label\tid\tsource\ttarget\n", "not a Resay model: expected a file written by 'resay train'");
    let text_mode = [b"\x89RESAY\n", &bytes[8..]].concat();
    check(&text_mode, "not a Resay model: expected a file written by 'resay train'");
    for version in [0, 2, u32::MAX] {
        let other = format!("model format {version}, this program reads format 1: use another version of resay");
        check(&Parts { version, ..parts.clone() }.pack(), &other);
    }
    let mut huge = bytes.clone();
    huge[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    check(&huge, &damaged("a header of 4294967295 bytes, at most 1048576 are allowed"));
    huge[12..16].copy_from_slice(&(1_u32 << 20).to_le_bytes());
    check(&huge, "the model is cut off in its header: copy or train it again");

    let mut renamed = bytes.clone();
    renamed[HEADER + 12] ^= 0x20;
    check(&renamed, "the checksum of the header differs: the model was altered or damaged");

    let header = |lie: fn(&mut Value)| error(&parts.pack_lying(lie));
    let unread = |message: String| {
        let (start, end) = ("m.resay: the header cannot be read (", "): the model is damaged");
        assert!(message.starts_with(start) && message.ends_with(end), "{message}");
    };
    unread(header(|header| *header = json!([])));
    unread(header(|header| header["extra"] = json!(1)));
    unread(header(|header| header["about"]["units"] = json!("runes")));
    unread(header(|header| header["sections"][0]["packed"] = json!(-1)));
    unread(header(|header| header["sections"][0]["checksum"] = json!(1_u64 << 32)));
    // The common header of all models is read first.
    let unread_model = |message: String| {
        let (start, end) = ("m.resay: the model's header cannot be read (", "): it is damaged");
        assert!(message.starts_with(start) && message.ends_with(end), "{message}");
    };
    unread_model(header(|header| header["about"]["cost"] = json!("one")));
    unread_model(header(|header| header["about"]["kind"] = json!("oracle")));
    unread_model(header(|header| header["about"]["response"] = json!({"kind": "binary", "labels": ["0"]})));
    // Fields that a later version may add to the header are ignored.
    assert_eq!(use_it(&parts.pack_lying(|header| header["about"]["extra"] = json!(1))), use_it(&bytes));
    let mut no_json = MAGIC.to_vec();
    no_json.extend([1, 0, 0, 0, 4, 0, 0, 0]);
    no_json.extend(crc32fast::hash(&[0xff, 0xfe, 0xfd, 0xfc]).to_le_bytes());
    no_json.extend([0xff, 0xfe, 0xfd, 0xfc]);
    unread(error(&no_json));

    let lie = |lie: fn(&mut Value), expected: &str| check(&parts.pack_lying(lie), expected);
    lie(
        |header| header["sections"][1]["packed"] = json!(u64::MAX),
        "the model is cut off in its section 'words': copy or train it again",
    );
    lie(
        |header| header["sections"][1]["checksum"] = json!(7),
        "the checksum of section 'words' differs: the model was altered or damaged",
    );
    lie(
        |header| header["sections"][1]["unpacked"] = json!(u64::MAX),
        &damaged("section 'words' claims to unpack to 18446744073709551615 bytes"),
    );
    lie(|header| header["sections"][1]["unpacked"] = json!(3), &damaged("section 'words' cannot be unpacked"));
    lie(|header| header["sections"][0]["unpacked"] = json!(25), &damaged("section 'head' cannot be unpacked"));
    lie(
        |header| header["sections"][0]["name"] = json!("tail"),
        "the model has no section 'head': it was not written by resay",
    );
    lie(
        |header| header["sections"] = json!([]),
        &damaged(&format!("{} bytes after the last section", bytes_of_sections(&parts))),
    );
    check(&[&bytes[..], b"end"].concat(), &damaged("3 bytes after the last section"));
}

fn bytes_of_sections(parts: &Parts) -> usize {
    parts.sections.iter().map(|(_, content)| compress_to_vec_zlib(content, 1).len()).sum()
}

#[test]
fn a_bomb_is_not_unpacked() {
    let parts = take_apart(&small(RULES));
    let bomb = vec![0; 64 << 20];
    let file = parts.with("words", bomb);
    assert!(file.len() < 1 << 20, "a bomb is small: {}", file.len());
    check(&file, "section 'words' claims to unpack to 67108864 bytes: the model is damaged");
    let mut parts = parts;
    *parts.section("words") = vec![0; 64 << 20];
    let meek = parts.pack_lying(|header| header["sections"][1]["unpacked"] = json!(4096));
    check(&meek, "section 'words' cannot be unpacked: the model is damaged");
}

/// Encodes numbers of one byte each, as in the format.
fn small_numbers(numbers: &[u8]) -> Vec<u8> {
    assert!(numbers.iter().all(|number| *number < 0x80));
    numbers.to_vec()
}

#[test]
fn every_wrong_content_has_its_message() {
    let rules = take_apart(&small(RULES));
    let pairs = take_apart(&small(PAIRS));
    let in_section = |parts: &Parts, name: &str, content: Vec<u8>, expected: &str| {
        let shown = name.split('.').next().unwrap();
        check(&parts.with(name, content), &format!("section '{shown}': {expected}: the model is damaged"));
    };

    let words = |list: &[&[u8]]| {
        let mut out = small_numbers(&[list.len() as u8]);
        list.iter().for_each(|word| out.extend([&[word.len() as u8], *word].concat()));
        out
    };
    in_section(&rules, "words", words(&[b"a", b"b", b"a"]), "a word occurs twice");
    in_section(&rules, "words", words(&[b"a", b"\xff"]), "a word is not UTF-8");
    in_section(&rules, "words", vec![200, 1, 1, b'a'], "a list of 200 entries in 2 bytes");
    in_section(&rules, "words", vec![0xff; 12], "a number is too large");
    in_section(&rules, "words", vec![0x80], "it ends too early");
    in_section(&rules, "words", vec![1, 9, b'a'], "a list of 9 entries in 1 bytes");
    in_section(&rules, "words", vec![0, 0], "1 bytes too many");

    let head = |values: [f64; 3]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    in_section(&rules, "head", head([f64::NAN, 1.0, 0.0]), "a number is not finite");
    in_section(&rules, "head", head([0.0, f64::INFINITY, 0.0]), "a number is not finite");
    in_section(&rules, "head", vec![0; 23], "it ends too early");
    in_section(&rules, "head", vec![0; 25], "1 bytes too many");

    // Three words; two patterns of one symbol; one rule 0 -> 1 with its weight, support 2 and no
    // fillers.
    let mut three = rules.clone();
    *three.section("words") = words(&[b"a", b"b", b"c"]);
    let term =
        |patterns: &[u8], rule: &[u8], weight: f32, rest: &[u8]| [patterns, rule, &weight.to_le_bytes(), rest].concat();
    let (patterns, rule): (&[u8], &[u8]) = (&[2, 1, 32, 1, 33], &[1, 0, 1]);
    let nothing = vec![0, 0];
    let mut sound = three.clone();
    *sound.section("rules.0") = term(patterns, rule, 0.5, &[2, 0]);
    *sound.section("rules.1") = nothing.clone();
    *sound.section("rules.2") = nothing;
    let opened = open(&sound.pack()).unwrap();
    let rules_found = opened.weights(0);
    assert_eq!((rules_found.len(), rules_found[0].weight, rules_found[0].support), (1, 0.5, Some(2)));
    let wrong = |content: Vec<u8>, expected: &str| in_section(&sound, "rules.0", content, expected);
    wrong(term(patterns, rule, f32::NAN, &[2, 0]), "a number is not finite");
    wrong(term(patterns, rule, f32::NEG_INFINITY, &[2, 0]), "a number is not finite");
    wrong(term(&[2, 1, 32, 1, 32], rule, 0.5, &[2, 0]), "a pattern occurs twice");
    wrong(term(&[2, 1, 32, 1, 35], rule, 0.5, &[2, 0]), "a symbol 35, expected one below 35");
    wrong(term(&[2, 1, 32, 9], &[], 0.5, &[]), "a list of 9 entries in 4 bytes");
    wrong(term(patterns, &[1, 2, 0], 0.5, &[2, 0]), "a pattern 2, expected one below 2");
    wrong(term(patterns, &[2, 1, 1, 1, 0], 0.5, &[2, 0]), "a rule's pattern is not there");
    wrong(term(patterns, &[60, 0, 1], 0.5, &[2, 0]), "a list of 60 entries in 8 bytes");
    wrong(term(patterns, rule, 0.5, &[2, 1, 3]), "a symbol 3, expected one below 3");
    wrong(term(patterns, rule, 0.5, &[2, 9]), "a list of 9 entries in 0 bytes");
    wrong(term(patterns, rule, 0.5, &[2, 0, 0]), "1 bytes too many");
    wrong(term(patterns, rule, 0.5, &[2]), "it ends too early");

    let kernel = |kernel: &str, expected: &str| check(&rules.with_kernel(kernel), expected);
    kernel(
        "foo(k=1)",
        "unknown kernel 'foo', expected one of: ps, pw, kb, tesrk, only, pr, idf, spectrum, wildcard, subsequence, ngram, fsm, bow, or raw(...), sum(...), pair(...) or a unit (stems, words, lemmas, tokens, chars, lower, letters) around them: the model is damaged",
    );
    kernel("kb(k=99)", "kernel kb: k=99, expected k=3 or a range such as k=1..4, from 1 to 12: the model is damaged");
    kernel(&"(".repeat(1000), &format!("kernel '{}': brackets do not match: the model is damaged", "(".repeat(1000)));
    kernel("kb(k=1..4)", "5 sections, expected 6: the model is damaged");
    kernel("kb(k=1)", "5 sections, expected 3: the model is damaged");
    check(&pairs.with_kernel("kb(k=6)"), "kb(k=6,lambda=1) has rules, not pairs: the model is damaged");
    let many = "pw(k=1..12)+pw(k=1..12)";
    let message = error(&take_apart(&made(PAIRS, 400, 400)).with_kernel(many));
    assert!(message.contains("patterns, at most 33554432 are allowed"), "{message}");

    // Three words, two of which occur in more than one of nine documents.
    let mut learned = take_apart(&small(LEARNED));
    *learned.section("words") = words(&[b"a", b"b", b"c"]);
    *learned.section("rules.0") = vec![0, 0];
    *learned.section("learned.1") = vec![2, 0, 2, 3, 9, 2, 4];
    assert!(open(&learned.pack()).is_ok());
    let wrong = |content: &[u8], expected: &str| in_section(&learned, "learned.1", content.to_vec(), expected);
    wrong(&[2, 0, 3, 3, 9, 2, 4], "a symbol 3, expected one below 3");
    wrong(&[2, 0, 2, 9, 9, 2, 4], "a list of 9 entries in 3 bytes");
    wrong(&[2, 0, 2, 3, 9, 2, 4, 0], "1 bytes too many");
    let unsound = |content: &[u8]| {
        let expected = "kernel 2 of kb(k=1,lambda=1)+idf cannot have learned what it is given: the model is damaged";
        check(&learned.with("learned.1", content.to_vec()), expected);
    };
    unsound(&[2, 0, 0, 3, 9, 2, 4]);
    unsound(&[2, 0, 2, 2, 9, 2]);
    unsound(&[2, 0, 2, 3, 9, 1, 4]);
    unsound(&[2, 0, 2, 3, 9, 2, 10]);
    unsound(&[0, 0]);
    check(&learned.with_kernel("idf+kb(k=1)"), "the model has no section 'learned.0': it was not written by resay");
    check(&learned.with_kernel("kb(k=1)+pr"), "5 sections, expected 4: the model is damaged");

    let mut two = pairs.clone();
    *two.section("words") = words(&[b"a", b"b"]);
    let machine = |list: &[u8], coefficient: f64| [list, &coefficient.to_le_bytes()].concat();
    *two.section("pairs") = machine(&[1, 1, b'p', 1, 0, 1, 1], 0.5);
    assert!(open(&two.pack()).is_ok());
    let wrong = |content: Vec<u8>, expected: &str| in_section(&two, "pairs", content, expected);
    wrong(machine(&[1, 1, b'p', 1, 0, 1, 2], 0.5), "a symbol 2, expected one below 2");
    wrong(machine(&[1, 1, b'p', 1, 0, 1, 1], f64::NAN), "a number is not finite");
    wrong(machine(&[1, 1, 0xff, 1, 0, 1, 1], 0.5), "a word is not UTF-8");
    wrong(machine(&[100, 1, b'p', 1, 0, 1, 1], 0.5), "a list of 100 entries in 14 bytes");
    wrong(machine(&[1, 1, b'p', 1, 0, 1, 1, 0], 0.5), "1 bytes too many");
}

/// Reads a file in `models/`.
fn kept(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/models/{name}.resay", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| unreachable!("{path}: {error}"))
}

/// Checks the scores of three pairs, as bits of f64, under a file written by an old version.
fn check_kept(name: &str, expected: [u64; 3]) {
    let model = KernelModel::from_bytes(name, &kept(name), &Resources::bundled()).unwrap();
    let model: &dyn PairModel = &model;
    let pairs = [
        ("Greta sold the boat in Tunis .", "In Tunis the ship was traded by Greta ."),
        ("Greta sold the boat in Tunis .", "Hugo mended the letter in Quito ."),
        ("", "Greta"),
    ];
    let found = pairs.map(|(source, target)| model.predict_one(source, target).unwrap().decision().unwrap().score);
    assert_eq!(found.map(f64::to_bits), expected, "{name} scores {found:?} = {:#x?}", found.map(f64::to_bits));
}

#[test]
fn old_files_open_and_score_as_they_did() {
    check_kept("layout2", [0xbfcd_d5d4_8167_2c10, 0xbfed_d064_7a43_6984, 0xc003_1b41_f9a5_cf4d]);
    check_kept("layout2-pairs", [0x3fc0_8316_d849_dea2, 0x3fa2_3417_a395_ef54, 0xbfc6_fa6c_ac5c_6b60]);
}

/// An ensemble from before there was a word table does without it: it opens, scores and explains with
/// the files that there were, and the table changes no bit of its scores.
#[test]
fn old_ensembles_need_no_word_table() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["words", "wordnet", "syntax", "research"].map(|name| crates.join(format!("resay-en-{name}/data")));
    let path =
        |name: &str| folders.iter().map(|folder| folder.join(format!("{name}.resay"))).find(|path| path.is_file());
    let bundled = Resources::bundled();
    let names = bundled.names().filter(|name| *name != "word-table");
    let old = Resources::from_files(names.filter_map(|name| Some((name, path(name)?))));
    assert!(old.word_table().is_err() && bundled.word_table().is_ok());
    let bytes = kept("ensemble-101");
    let [then, now] = [&old, &bundled].map(|resources| {
        let model = Ensemble::from_bytes("m.resay", &bytes, resources).unwrap();
        assert_eq!((model.about().details.n_features, model.weights(0).len()), (101, 101));
        assert_eq!(PairModel::to_bytes(&model).unwrap(), bytes);
        let model: &dyn PairModel = &model;
        let score = |(source, target): (&str, &str)| {
            let scored = model.predict_one(source, target).unwrap().decision().unwrap().score;
            assert!((model.explain_one(source, target, 3).unwrap().explanation.value - scored).abs() < 1e-9);
            scored.to_bits()
        };
        [("Anna bought the car in Oslo.", "Anna purchased a boat."), ("He may leave.", "He left."), ("", "Yes.")]
            .map(score)
    });
    assert_eq!(then, now);
}

/// Files from before all kinds of model shared one header. No version that wrote them was ever
/// released.
#[test]
fn files_from_before_any_release_are_refused_by_name() {
    for name in ["v1", "v1-pairs", "v1-topics"] {
        check(&kept(name), "a model of an earlier version of Resay, which had no release: train it again");
    }
}

/// A model over declared programmes with altered content but valid checksums is rejected, or can be
/// used without a panic.
#[test]
fn altered_models_over_programmes_never_panic() {
    let (resources, data) = (Resources::bundled(), crate::programs::evenings());
    let open = |bytes: &[u8]| ProgramModel::from_bytes("m.resay", bytes, &resources);
    for staging in [Staging::Joint, Staging::TwoStage] {
        let bytes = crate::programs::model(staging, &resources).to_bytes().unwrap();
        assert!((0..bytes.len()).all(|len| open(&bytes[..len]).is_err()), "a truncation opened");
        let parts = take_apart(&bytes);
        let mut n_refused = 0;
        for (name, content) in &parts.sections {
            for at in 0..content.len() {
                for byte in [0, 0x7f, 0xff, content[at].wrapping_add(1), content[at] ^ 0x40] {
                    let mut altered = content.clone();
                    altered[at] = byte;
                    let Ok(model) = open(&parts.with(name, altered)) else {
                        n_refused += 1;
                        continue;
                    };
                    let score =
                        |model: &ProgramModel| model.predict_one(&data.examples[6]).ok().map(|found| found.score);
                    let again = open(&model.to_bytes().unwrap()).unwrap();
                    assert_eq!(score(&model).map(f64::to_bits), score(&again).map(f64::to_bits));
                    let _ = (model.explain(&data.examples[6]), model.weights());
                }
            }
            for len in 0..content.len() {
                let message = open(&parts.with(name, content[..len].to_vec())).unwrap_err().to_string();
                assert!(message.starts_with("m.resay: section '") && message.ends_with(": the model is damaged"));
            }
        }
        assert!(n_refused > 0);
        let large = [1.0_f64, 2e100, 0.0, 0.0].iter().flat_map(|weight| weight.to_le_bytes()).collect();
        let message = open(&parts.with("weights", large)).unwrap_err().to_string();
        assert!(message.contains("section 'weights': a weight of 2000"), "{message}");
    }
}
