//! Long texts: the verdict by sentences.

use resay::id::TextRelation;
use resay::model::{Judged, JudgementModel, PairModel, Question, SentencePair, pair_context};
use resay::pair::PairView;
use resay::resources::Resources;
use resay_learn::progress::Progress;
use resay_text::Span;
use std::path::Path;
use std::sync::LazyLock;

static JUDGE: LazyLock<JudgementModel> = LazyLock::new(|| JudgementModel::bundled(&Resources::bundled()).unwrap());

/// Texts of two to ten sentences, with one change each.
const TEXTS: [[&str; 2]; 6] = [
    ["Hello Anna. We pay 60 euros.", "Hello Anna. We pay 80 euros."],
    ["It rained all day. We stayed at home.", "We stayed at home. It rained the whole day."],
    ["He left early. The shop was closed. It was dark.", "The shop was closed. He left early."],
    [
        "The office opens at nine. Bring your card. Ask for Mrs Lee. She has your key. The lift is broken.",
        "The office opens at nine. Ask for Mrs Lee. She has your key. The lift is out of order.",
    ],
    [
        "The office opens at nine. Bring your card. Ask for Mrs Lee. We pay 60 euros for each day.",
        "The office opens at nine. Bring your card. Ask for Mrs Lee. We pay 80 euros for each day.",
    ],
    [
        "The train was late. Nobody told us why. We waited for an hour, and then we took a taxi. It was expensive.",
        "The train was late. No one told us why. We waited for an hour. Then we took a taxi. It was expensive.",
    ],
];

fn judged(source: &str, target: &str) -> Judged {
    let context = pair_context(JUDGE.resources());
    let texts = JUDGE.annotate_texts(&[source, target], Progress::none()).unwrap();
    JUDGE.judge(&PairView::new(&context, &texts[0], &texts[1])).unwrap()
}

#[test]
fn the_laws_hold_for_several_sentences() {
    for [source, target] in TEXTS {
        let (found, mirror) = (judged(source, target), judged(target, source));
        assert!(!found.sentences.is_empty(), "{source}");
        assert_eq!(found.relation, mirror.relation.reversed());
        for relation in TextRelation::ALL {
            let bits = [found.probabilities[relation as usize], mirror.probabilities[relation.reversed() as usize]];
            assert_eq!(bits[0].to_bits(), bits[1].to_bits(), "{source} / {target}");
        }
        let covered = |text: &str, of: fn(&SentencePair) -> Option<Span>| {
            let mut spans: Vec<Span> = found.sentences.iter().filter_map(of).collect();
            spans.sort();
            let words: usize = spans.iter().map(|span| text[span.range()].split_whitespace().count()).sum();
            assert!(spans.windows(2).all(|two| two[0].end <= two[1].start), "{text}");
            words == text.split_whitespace().count()
        };
        assert!(covered(source, |pair| pair.source) && covered(target, |pair| pair.target), "{source} / {target}");
        for question in Question::ALL {
            let judge = JUDGE.asking(question);
            let judge: &dyn PairModel = &judge;
            let explained = judge.explain_one(source, target, usize::MAX).unwrap();
            assert_eq!(explained.prediction, judge.predict_one(source, target).unwrap());
            let sum: f64 = explained.explanation.leaves().iter().map(|leaf| leaf.value).sum();
            assert!((sum - explained.explanation.value).abs() < 1e-6, "{source} / {target}, {question:?}");
        }
    }
}

#[test]
fn the_sentence_that_differs_decides() {
    let [source, target] = TEXTS[4];
    let found = judged(source, target);
    assert!(found.relation != TextRelation::Equivalent && found.sentences.len() == 4, "{found:?}");
    let decides: Vec<usize> = (0..4).filter(|at| found.sentences[*at].decides).collect();
    assert_eq!(decides, [3]);
    // Three times the same, and a sentence that only the source has.
    let found = judged(TEXTS[3][0], TEXTS[3][1]);
    let alone: Vec<&SentencePair> = found.sentences.iter().filter(|pair| pair.target.is_none()).collect();
    assert!(alone.len() == 1 && alone[0].relation == TextRelation::Forward, "{found:?}");
    assert_eq!(&TEXTS[3][0][alone[0].source.unwrap().range()], "Bring your card.");
}

#[test]
fn texts_of_any_length_are_judged_or_refused() {
    let sentences =
        |n: usize, what: &str| (0..n).map(|at| format!("Room {at} has {what} beds.")).collect::<Vec<_>>().join(" ");
    // 1,400 words each: as a whole they would be refused.
    let found = judged(&sentences(200, "two"), &sentences(200, "two").replace("Room 77 has two", "Room 77 has three"));
    assert!(found.sentences.len() == 200 && found.sentences.iter().filter(|pair| pair.decides).count() <= 1);
    let (one, other) = ("Yes. ".repeat(1100), "No. ".repeat(1100));
    let error = (&*JUDGE as &dyn PairModel).predict_one(&one, &other).unwrap_err().to_string();
    assert!(error.contains("1100 and 1100 sentences are too many"), "{error}");
}

#[test]
#[ignore = "a measurement"]
fn both_ways_of_judging_are_measured() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrast/training");
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut pairs: Vec<(String, String, String)> = Vec::new();
    for file in files {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let columns: Vec<&str> = line.split('\t').collect();
            if columns.len() >= 5 {
                pairs.push((columns[2].to_owned(), columns[3].to_owned(), columns[4].to_owned()));
            }
        }
    }
    let n_sentences = |text: &str| resay_text::English::cut(text).len();
    let several: Vec<_> = pairs.iter().filter(|(a, b, _)| n_sentences(a).max(n_sentences(b)) >= 2).cloned().collect();
    measure("several sentences", &several);
    for (low, high) in [(2, 2), (3, 3), (4, 99)] {
        let some: Vec<_> = several
            .iter()
            .filter(|(a, b, _)| {
                (low..=high).contains(&n_sentences(a).max(n_sentences(b))) && n_sentences(a).min(n_sentences(b)) >= 2
            })
            .cloned()
            .collect();
        measure(&format!("both at least 2, the longer {low} to {high}"), &some);
    }
    // Joined pairs: equivalent ones, and one of another relation among them.
    let single: Vec<_> = pairs.iter().filter(|(a, b, _)| n_sentences(a) == 1 && n_sentences(b) == 1).cloned().collect();
    let equal: Vec<_> = single.iter().filter(|(_, _, r)| r == "equivalent").cloned().collect();
    let other: Vec<_> = single.iter().filter(|(_, _, r)| r != "equivalent").cloned().collect();
    let mut seed = 1_u64;
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    for k in [2, 3, 4, 6, 10, 20] {
        let mut made = Vec::new();
        for number in 0..(if k > 10 { 60 } else { 200 }) {
            let mut parts: Vec<_> = (0..k).map(|_| equal[next(equal.len())].clone()).collect();
            let mut relation = "equivalent".to_owned();
            if number % 2 == 1 {
                let at = next(k);
                parts[at] = other[next(other.len())].clone();
                relation = parts[at].2.clone();
            }
            let end = |text: &str| {
                let text = text.trim();
                if text.ends_with(['.', '!', '?', '"']) { text.to_owned() } else { format!("{text}.") }
            };
            let join = |of: fn(&(String, String, String)) -> &String| {
                parts.iter().map(|part| end(of(part))).collect::<Vec<_>>().join(" ")
            };
            made.push((join(|part| &part.0), join(|part| &part.1), relation));
        }
        measure(&format!("{k} joined"), &made);
    }
}

fn measure(name: &str, pairs: &[(String, String, String)]) {
    let context = pair_context(JUDGE.resources());
    let mut right = [[0; 2]; 3];
    for (source, target, gold) in pairs {
        let texts = JUDGE.annotate_texts(&[source, target], Progress::none()).unwrap();
        let view = PairView::new(&context, &texts[0], &texts[1]);
        let [by_sentences, whole] = JUDGE.judge_both_ways(&view).unwrap();
        let by_length = JUDGE.judge(&view).unwrap();
        for (count, found) in right.iter_mut().zip([by_sentences, whole, by_length]) {
            let found = found.relation.name();
            count[0] += usize::from((found == "equivalent") == (gold == "equivalent"));
            count[1] += usize::from(found == gold);
        }
    }
    let share = |n: usize| 100.0 * n as f64 / pairs.len().max(1) as f64;
    let [sentences, whole, length] = right.map(|[two, five]| format!("{:.1} / {:.1}", share(two), share(five)));
    println!(
        "{name}: {} pairs, same or not / five relations: by sentences {sentences}, as a whole {whole}, as judged {length}",
        pairs.len()
    );
}
