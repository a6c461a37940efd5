//! Laws of adapted judgements: what the judge promises stays, every kind of answer works, few pairs
//! teach a convention that the judge does not have, and hostile files are refused.

use crate::parts::take_apart;
use resay::data::{Columns, Dataset};
use resay::model::{AdaptedJudgement, AnyModel, AskedClass, JudgementModel, PairModel, Prediction, Question};
use resay::resources::Resources;
use resay::train::Task;
use resay::train::adapt::{AdaptOptions, adapt};
use resay_learn::progress::Progress;
use std::sync::LazyLock;

static RESOURCES: LazyLock<Resources> = LazyLock::new(Resources::bundled);

const WHO: [&str; 8] =
    ["The committee", "Our landlord", "The museum", "A neighbour", "The minister", "Her cousin", "The club", "A clerk"];
const DID: [[&str; 2]; 4] =
    [["bought", "purchased"], ["repaired", "mended"], ["started", "began"], ["finished", "completed"]];
const WHAT: [&str; 5] = ["the bridge", "the report", "the old house", "the garden", "the small boat"];
const DETAIL: [&str; 5] = ["on Monday", "in Lima", "for a friend", "after lunch", "with great care"];

/// What a pair is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Reworded,
    Detail,
    Other,
    Negated,
}

const KINDS: [Kind; 4] = [Kind::Reworded, Kind::Detail, Kind::Other, Kind::Negated];

/// A pair of every kind in turn.
fn pair(at: usize) -> (String, String, Kind) {
    let (who, [did, other], what) = (WHO[at % 8], DID[(at / 3) % 4], WHAT[(at / 5) % 5]);
    let detail = DETAIL[(at / 2) % 5];
    let source = format!("{who} {did} {what}.");
    let kind = KINDS[(at / 2 + at / 8) % 4];
    let target = match kind {
        Kind::Reworded => format!("{who} {other} {what}."),
        Kind::Detail => format!("{who} {other} {what} {detail}."),
        Kind::Other => format!("{} {other} {what}.", WHO[(at + 3) % 8]),
        Kind::Negated => format!("{who} never {other} {what}."),
    };
    if at.is_multiple_of(2) { (source, target, kind) } else { (target, source, kind) }
}

fn dataset(range: std::ops::Range<usize>, label: impl Fn(Kind, usize) -> &'static str) -> Dataset {
    let mut table = "source\ttarget\tlabel\n".to_owned();
    for at in range {
        let (source, target, kind) = pair(at);
        table += &format!("{source}\t{target}\t{}\n", label(kind, at));
    }
    Dataset::from_reader("mine.tsv", table.as_bytes(), None, &Columns::default()).unwrap()
}

/// Who looks for duplicates calls pairs that differ in a detail the same.
fn lenient(kind: Kind, _: usize) -> &'static str {
    if matches!(kind, Kind::Reworded | Kind::Detail) { "1" } else { "0" }
}

fn three_way(kind: Kind, at: usize) -> &'static str {
    match kind {
        Kind::Reworded => "entailment",
        // The longer text comes first in every other pair.
        Kind::Detail if at % 2 == 1 => "entailment",
        Kind::Negated => "contradiction",
        _ => "neutral",
    }
}

fn numbers(kind: Kind, _: usize) -> &'static str {
    match kind {
        Kind::Reworded => "1",
        Kind::Detail => "0.8",
        Kind::Negated => "0.3",
        Kind::Other => "0.1",
    }
}

fn adapted_by(data: &Dataset, options: &AdaptOptions) -> AdaptedJudgement {
    let judge = AnyModel::bundled("judge", &RESOURCES).unwrap();
    match adapt(data, judge, "judge", options, &RESOURCES, Progress::none()).unwrap() {
        AnyModel::AdaptedJudgement(model) => *model,
        _ => panic!("no adapted judgement"),
    }
}

fn adapted(data: &Dataset, task: Task) -> AdaptedJudgement {
    adapted_by(data, &AdaptOptions { folds: 4, ..AdaptOptions::new(task) })
}

fn predict(model: &dyn PairModel, data: &Dataset) -> Vec<Prediction> {
    let found = model.predict(&data.rows, |pair| (&pair.source, &pair.target), Progress::none()).unwrap();
    found.into_iter().map(Result::unwrap).collect()
}

/// The share of right answers, and the log loss.
fn quality(model: &dyn PairModel, data: &Dataset) -> (f64, f64) {
    let labels = data.labels_binary().unwrap();
    let (mut right, mut loss) = (0.0, 0.0);
    for (found, label) in predict(model, data).iter().zip(&labels) {
        let decision = found.decision().unwrap();
        right += f64::from(u8::from(decision.label == *label));
        let share = if *label { decision.probability } else { 1.0 - decision.probability };
        loss -= share.max(1e-9).ln();
    }
    (right / labels.len() as f64, loss / labels.len() as f64)
}

#[test]
fn fifty_pairs_teach_a_convention_that_the_judge_does_not_have() {
    let (few, test) = (dataset(0..50, lenient), dataset(50..200, lenient));
    let judge = JudgementModel::bundled(&RESOURCES).unwrap();
    let model = adapted(&few, Task::Paraphrase);
    let (alone, found) = (quality(&judge, &test), quality(&model, &test));
    assert!(found.0 > alone.0 + 0.1 && found.1 < 0.7 * alone.1, "{found:?}, the judge alone {alone:?}");
    let from = model.header().from.clone().unwrap();
    assert_eq!((from.name.as_str(), model.header().n_examples), ("judge", 50));
    assert_eq!(from.n_examples, judge.header().n_examples);
    assert!(from.strength > 0.0, "{from:?}");
}

#[test]
fn the_laws_of_the_judge_stay() {
    let data = dataset(0..48, lenient);
    for (task, data) in [(Task::Paraphrase, data), (Task::Similarity, dataset(0..48, numbers))] {
        let options = AdaptOptions { strengths: vec![2.0], folds: 2, ..AdaptOptions::new(task) };
        let model = adapted_by(&data, &options);
        let model: &dyn PairModel = &model;
        for row in &data.rows {
            let found = model.predict_one(&row.source, &row.target).unwrap();
            assert_eq!(found, model.predict_one(&row.target, &row.source).unwrap(), "swapped");
        }
        for (source, target) in [("It's 9 a.m.", "It is 9 a.m."), ("He left.", "  he  left. ")] {
            match model.predict_one(source, target).unwrap() {
                Prediction::Real { value, interval } => assert_eq!((value, interval), (1.0, [1.0; 2])),
                other => {
                    assert_eq!(other.decision().map(|found| (found.label, found.probability)).unwrap(), (true, 1.0))
                }
            }
            let explained = model.explain_one(source, target, 3).unwrap();
            assert_eq!(explained.explanation.leaves().len(), 1);
        }
        assert!(model.predict_one(" ", "He left.").unwrap_err().to_string().contains("an empty text"));
    }
}

#[test]
fn every_kind_of_answer_is_explained_and_kept_to_the_bit() {
    let any = |kind: Kind, _: usize| if kind == Kind::Other { "other" } else { "about the same" };
    let relations = |kind: Kind, at: usize| match kind {
        Kind::Reworded => "equivalent",
        Kind::Detail if at % 2 == 1 => "forward",
        Kind::Detail => "backward",
        Kind::Negated => "contradiction",
        Kind::Other => "neutral",
    };
    let entails = |kind: Kind, at: usize| if three_way(kind, at) == "entailment" { "1" } else { "0" };
    let cases = [
        (Task::Pair, dataset(0..32, any), Question::Same),
        (Task::Entailment, dataset(0..32, entails), Question::Entails),
        (Task::Entailment, dataset(0..32, three_way), Question::Relation),
        (Task::Pair, dataset(0..48, relations), Question::Relation),
        (Task::Similarity, dataset(0..32, numbers), Question::Similarity),
    ];
    for (task, data, question) in cases {
        let model = adapted_by(&data, &AdaptOptions { strengths: vec![1.0], folds: 2, ..AdaptOptions::new(task) });
        assert_eq!(model.question(), question);
        let again = AdaptedJudgement::from_bytes("m.resay", &model.to_bytes().unwrap(), &RESOURCES).unwrap();
        let found = predict(&model, &data);
        assert_eq!(found, predict(&again, &data), "{question:?}");
        assert_eq!(model.weights(0), again.weights(0));
        let n_classes = model.header().response.labels().len();
        let mut asked = vec![AskedClass::ANSWER];
        if n_classes > 2 {
            asked.push(AskedClass { class: Some(0), against: Some(n_classes - 1) });
        }
        let model: &dyn PairModel = &model;
        for (row, prediction) in data.rows.iter().zip(&found).take(8) {
            for asked in &asked {
                let explained = model.explain_asked(&row.source, &row.target, *asked, 5).unwrap();
                assert_eq!(explained.prediction, *prediction);
                let sum: f64 = explained.explanation.leaves().iter().map(|leaf| leaf.value).sum();
                let score = match prediction {
                    Prediction::Binary { score, .. } => *score,
                    Prediction::Real { value, .. } => *value,
                    Prediction::Category { scores, label, .. } => match asked.class {
                        Some(class) => scores[class] - scores[n_classes - 1],
                        None => scores[*label],
                    },
                };
                assert!((sum - score).abs() < 1e-9 * score.abs().max(1.0), "{question:?}: {sum} {score}");
            }
        }
    }
}

#[test]
fn an_adapted_judgement_is_adapted_again() {
    let (first, second) = (dataset(0..32, lenient), dataset(32..64, lenient));
    let options = AdaptOptions { strengths: vec![1.0], folds: 2, ..AdaptOptions::new(Task::Paraphrase) };
    let model = AnyModel::AdaptedJudgement(Box::new(adapted_by(&first, &options)));
    let again = adapt(&second, model, "mine.resay", &options, &RESOURCES, Progress::none()).unwrap();
    let from = again.header().from.clone().unwrap();
    assert_eq!((from.name.as_str(), from.data.as_str(), from.n_examples), ("mine.resay", "mine.tsv", 32));
    let Ok(again) = again.into_pair_model() else { panic!("it decides about pairs") };
    assert!(quality(&*again, &dataset(64..104, lenient)).0 > 0.8);
}

#[test]
fn labels_that_the_judge_cannot_read_are_refused() {
    let check = |task: Task, label: fn(Kind, usize) -> &'static str, expected: &str| {
        let judge = AnyModel::bundled("judge", &RESOURCES).unwrap();
        let data = dataset(0..32, label);
        let found = adapt(&data, judge, "judge", &AdaptOptions::new(task), &RESOURCES, Progress::none());
        let error = found.map(drop).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}, expected {expected}");
    };
    let colours = |kind: Kind, _: usize| match kind {
        Kind::Reworded => "red",
        Kind::Detail => "green",
        _ => "blue",
    };
    check(Task::Pair, colours, "the labels are blue, green, red, but the joint judgement can be adapted to yes or no");
    let levels = |kind: Kind, _: usize| match kind {
        Kind::Reworded => "3",
        Kind::Detail => "2",
        _ => "1",
    };
    check(Task::Pair, levels, "but not to the levels of a scale: take them as numbers");
    check(Task::Answers, lenient, "cannot be adapted to the task answers, only to paraphrase");
    // Pairs of equal texts alone teach nothing, and break nothing.
    let equal = "source\ttarget\tlabel\nHe left.\the left\t1\nIt rained.\tIt rained.\t0\nWe won.\tWe won!\t1\n";
    let equal = Dataset::from_reader("equal.tsv", equal.as_bytes(), None, &Columns::default()).unwrap();
    let model = adapted(&equal, Task::Paraphrase);
    assert!(quality(&model, &dataset(0..40, lenient)).0 > 0.5);
}

#[test]
fn hostile_files_are_refused() {
    let options = AdaptOptions { strengths: vec![1.0], folds: 2, ..AdaptOptions::new(Task::Paraphrase) };
    let bytes = adapted_by(&dataset(0..24, lenient), &options).to_bytes().unwrap();
    let open = |bytes: &[u8]| AdaptedJudgement::from_bytes("m.resay", bytes, &RESOURCES).map(drop);
    let error = |bytes: &[u8]| open(bytes).map_or_else(|error| error.to_string(), |()| "it opened".to_owned());
    let parts = take_apart(&bytes);
    assert!(open(&parts.pack()).is_ok());
    let lie =
        |key: &str, value: serde_json::Value| error(&parts.pack_lying(|header| header["about"][key] = value.clone()));
    for (key, value, expected) in [
        ("question", "why".into(), "the question 'why': the model is damaged"),
        ("question", "similarity".into(), "answers of another kind than the question has"),
        ("question", "relation".into(), "answers of another kind than the question has"),
        ("question", 7.into(), "cannot be read"),
        ("kind", "judgement".into(), "a judgement of how two texts are related"),
        ("response", serde_json::json!({ "kind": "ordinal", "levels": ["a", "b"] }), "not to the levels of a scale"),
        ("response", serde_json::json!({ "kind": "links" }), "answers that no pair model gives"),
    ] {
        let said = lie(key, value);
        assert!(said.starts_with("m.resay: ") && said.contains(expected), "{said}, expected {expected}");
    }
    let judge = RESOURCES.bytes("judge-paraphrase").unwrap().into_owned();
    let said = error(&parts.with("judge", judge));
    assert!(said.contains("an ensemble that decides about pairs"), "{said}");
    let weights = parts.sections.iter().find(|(name, _)| name == "weights").unwrap().1.clone();
    for len in (0..weights.len()).step_by(97) {
        let said = error(&parts.with("weights", weights[..len].to_vec()));
        assert!(said.starts_with("m.resay: section 'weights'") && said.ends_with("the model is damaged"), "{said}");
    }
    // The first column twice: view and input are two bytes at the start of the list.
    let start = 16 + weights[16..].iter().position(|byte| *byte < 0x80).unwrap() + 1;
    let mut twice = weights.clone();
    let first = weights[start..start + 10].to_vec();
    twice[start + 10..start + 20].copy_from_slice(&first);
    assert!(error(&parts.with("weights", twice)).contains("a weight of view"), "columns rise");
    for at in (0..40).chain((40..weights.len()).step_by(211)) {
        for byte in [0, 0x7f, 0xff] {
            let mut altered = weights.clone();
            altered[at] = byte;
            // Opened or refused, but never a panic.
            let _ = open(&parts.with("weights", altered));
        }
    }
}
