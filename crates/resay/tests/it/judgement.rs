//! Laws of the bundled judge, over all texts of the contrast suite: a text says the same as itself,
//! swapping two texts mirrors the answer, and answers to different questions never contradict each
//! other.

use resay::explain::What;
use resay::id::TextRelation;
use resay::model::{Judged, JudgementModel, PairModel, Prediction, Question, pair_context};
use resay::pair::PairView;
use resay::resources::Resources;
use resay_learn::progress::Progress;
use std::sync::LazyLock;

const SUITE: &str = include_str!("../../../../contrast/suite.tsv");

static JUDGE: LazyLock<JudgementModel> = LazyLock::new(|| JudgementModel::bundled(&Resources::bundled()).unwrap());

fn pairs() -> Vec<(&'static str, &'static str)> {
    let pair = |line: &'static str| {
        let columns: Vec<&str> = line.split('\t').collect();
        (columns[3], columns[4])
    };
    SUITE.lines().skip(1).map(pair).collect()
}

fn predict(question: Question, pairs: &[(&str, &str)]) -> Vec<Prediction> {
    let judge = JUDGE.asking(question);
    let judge: &dyn PairModel = &judge;
    judge.predict(pairs, |pair| *pair, Progress::none()).unwrap().into_iter().map(Result::unwrap).collect()
}

fn judged(source: &str, target: &str) -> Judged {
    let context = pair_context(JUDGE.resources());
    let texts = JUDGE.annotate_texts(&[source, target], Progress::none()).unwrap();
    JUDGE.judge(&PairView::new(&context, &texts[0], &texts[1])).unwrap()
}

#[test]
fn a_text_says_the_same_as_itself_whatever_its_case_and_spaces() {
    let mut twice: Vec<(String, String)> = Vec::new();
    for (source, target) in pairs() {
        for text in [source, target] {
            twice.push((text.to_owned(), text.to_owned()));
            twice.push((text.to_owned(), format!("  {} ", text.replace(' ', "  "))));
        }
    }
    let borrowed: Vec<(&str, &str)> = twice.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    for (found, pair) in predict(Question::Same, &borrowed).iter().zip(&borrowed) {
        let decision = found.decision().unwrap();
        assert!(decision.label && decision.probability == 1.0, "{pair:?}: {decision:?}");
        assert!(decision.score.is_finite() && decision.score > 10.0, "{pair:?}");
    }
}

/// Forward and backward change places, and nothing else changes, to the bit.
#[test]
fn swapping_two_texts_mirrors_the_answer() {
    let pairs = pairs();
    let swapped: Vec<(&str, &str)> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
    for (question, mirrored) in [
        (Question::Same, Question::Same),
        (Question::Contradicts, Question::Contradicts),
        (Question::Entails, Question::Entailed),
        (Question::Similarity, Question::Similarity),
    ] {
        assert_eq!(predict(question, &pairs), predict(mirrored, &swapped), "{question:?}");
    }
    for (found, mirror) in predict(Question::Relation, &pairs).iter().zip(predict(Question::Relation, &swapped)) {
        let (
            Prediction::Category { probabilities, label, .. },
            Prediction::Category { probabilities: other, label: mirrored, .. },
        ) = (found, &mirror)
        else {
            panic!("no relation")
        };
        assert_eq!(TextRelation::ALL[*label].reversed(), TextRelation::ALL[*mirrored]);
        for relation in TextRelation::ALL {
            let bits = [probabilities[relation as usize], other[relation.reversed() as usize]].map(f64::to_bits);
            assert_eq!(bits[0], bits[1]);
        }
    }
}

#[test]
fn answers_never_contradict_each_other() {
    let pairs = pairs();
    let [same, entails, entailed, contradicts] =
        [Question::Same, Question::Entails, Question::Entailed, Question::Contradicts]
            .map(|question| predict(question, &pairs));
    let relations = predict(Question::Relation, &pairs);
    let mut n_yes = 0;
    for at in 0..pairs.len() {
        let [same, entails, entailed, contradicts] =
            [&same, &entails, &entailed, &contradicts].map(|found| found[at].decision().unwrap());
        assert_eq!(same.label, entails.label && entailed.label, "{:?}", pairs[at]);
        assert!(!contradicts.label || !(same.label || entails.label || entailed.label), "{:?}", pairs[at]);
        assert!(same.probability <= entails.probability.min(entailed.probability), "{:?}", pairs[at]);
        assert!(entails.probability + contradicts.probability <= 1.0 + 1e-12, "{:?}", pairs[at]);
        let Prediction::Category { probabilities, label, .. } = &relations[at] else { panic!("no relation") };
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert_eq!(*label == 0, same.label, "{:?}", pairs[at]);
        n_yes += usize::from(same.label);
    }
    // No constant answer passes.
    assert!(n_yes > 300 && n_yes < 1000, "{n_yes}");
}

#[test]
fn explanations_add_up_for_every_question() {
    for (source, target) in pairs().into_iter().step_by(40) {
        for question in Question::ALL {
            let judge = JUDGE.asking(question);
            let judge: &dyn PairModel = &judge;
            let explained = judge.explain_one(source, target, usize::MAX).unwrap();
            assert_eq!(explained.prediction, judge.predict_one(source, target).unwrap());
            let sum: f64 = explained.explanation.leaves().iter().map(|leaf| leaf.value).sum();
            assert!((sum - explained.explanation.value).abs() < 1e-6, "{source} / {target}, {question:?}");
            for leaf in explained.explanation.leaves() {
                for place in &leaf.places {
                    let fits = |text: &str, spans: &[resay_text::Span]| {
                        spans.iter().all(|span| text.get(span.range()).is_some())
                    };
                    assert!(fits(source, &place.source) && fits(target, &place.target), "{leaf:?}");
                }
            }
        }
    }
}

#[test]
fn equal_texts_have_one_fixed_reason() {
    let judge: &dyn PairModel = &*JUDGE;
    let explained = judge.explain_one("It's 9 a.m.", "It is 9 a.m.", 5).unwrap().explanation;
    let leaves: Vec<&What> = explained.leaves().into_iter().map(|leaf| &leaf.what).collect();
    assert_eq!(leaves, [&What::EqualTexts]);
    let found = judged("It's 9 a.m.", "It is 9 a.m.");
    assert_eq!(
        (found.relation, found.probability(Question::Entails), found.similarity),
        (TextRelation::Equivalent, 1.0, 5.0)
    );
    assert!(judge.predict_one("  ", "It is 9 a.m.").unwrap_err().to_string().contains("an empty text"));
}

/// Words and phrases that add nothing, before and behind a text.
const FILLERS: [(&str, &str); 8] = [
    ("Actually, ", ""),
    ("Well, ", ""),
    ("To be honest, ", ""),
    ("By the way, ", ""),
    ("Oh, ", ""),
    ("", " Thanks!"),
    ("", ", you know"),
    ("", ", by the way"),
];

fn with_filler(text: &str, (before, behind): (&str, &str)) -> String {
    let is_name = |word: &str| word.chars().skip(1).any(char::is_uppercase) || word == "I" || word.starts_with("I'");
    let mut text = text.trim().to_owned();
    if !before.is_empty() && !text.split_whitespace().next().is_some_and(is_name) {
        let lower: String = text.chars().take(1).flat_map(char::to_lowercase).collect();
        text.replace_range(..text.chars().next().map_or(0, char::len_utf8), &lower);
    }
    let ending = text.trim_end_matches(['.', '!', '?']).len();
    if behind.starts_with(',') {
        text.insert_str(ending, behind);
        return format!("{before}{text}");
    }
    format!("{before}{text}{behind}")
}

/// What is clearly not the same does not become the same by a filler on either side.
#[test]
fn fillers_turn_no_clear_no_into_yes() {
    const CLEAR: f64 = 0.15;
    let pairs = pairs();
    let said = predict(Question::Same, &pairs);
    let clear: Vec<(&str, &str)> = pairs
        .iter()
        .zip(&said)
        .filter(|(_, said)| said.decision().is_ok_and(|decision| decision.probability <= CLEAR))
        .map(|(pair, _)| *pair)
        .collect();
    assert!(clear.len() > 150, "{}", clear.len());
    let mut filled: Vec<(String, String)> = Vec::new();
    for (at, (source, target)) in clear.iter().enumerate() {
        let filler = FILLERS[at % FILLERS.len()];
        filled.push((with_filler(source, filler), (*target).to_owned()));
        filled.push(((*source).to_owned(), with_filler(target, filler)));
    }
    let borrowed: Vec<(&str, &str)> = filled.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let turned: Vec<_> = predict(Question::Same, &borrowed)
        .into_iter()
        .zip(&borrowed)
        .filter(|(said, _)| said.decision().is_ok_and(|decision| decision.label))
        .collect();
    assert!(turned.is_empty(), "{} of {}: {turned:?}", turned.len(), borrowed.len());
}
