//! One list of laws for every kind of answer, by every learner: categories, levels of a scale and
//! numbers.
//!
//! Explanations add up whatever is asked, saving changes no bit, many at once are one by one, and
//! answers are what they claim to be.

use resay::data::{Columns, Dataset, Format};
use resay::explain::Explanation;
use resay::model::{AnyModel, AskedClass, PairModel, Prediction, Pruning, Response};
use resay::resources::Resources;
use resay::train::combined::{CombinedOptions, train_combined};
use resay::train::latent::{LatentOptions, Staging, train_latent};
use resay::train::{AnswerOptions, CostChoice, KernelLearner, ResponseKind, Task, TrainOptions, train};
use resay_learn::progress::Progress;
use std::collections::BTreeSet;

/// Pairs outside the training set: similar, dissimilar, empty, and with unknown words.
const NEW: [(&str, &str); 5] = [
    ("Anna bought the car in Oslo .", "In Oslo the automobile was purchased by Anna ."),
    ("Anna bought the car in Oslo .", "Boris sold the boat in Quito ."),
    ("", ""),
    ("", "Anna bought the car ."),
    ("un\u{e9} pomme\u{2028}rouge", "\u{1f34e}"),
];

const LEVELS: [&str; 3] = ["low", "middle", "high"];

#[derive(Clone, Copy, Debug)]
enum Learner {
    Kernel(&'static str, KernelLearner),
    Latent(Staging),
    Combined,
}

/// Every way to learn. The rules of `pw` cannot be listed: its models keep support pairs.
const LEARNERS: [Learner; 6] = [
    Learner::Kernel("kb(k=1..2)+pr", KernelLearner::Linear),
    Learner::Kernel("kb(k=1..2)+pr", KernelLearner::Dual),
    Learner::Kernel("pw(k=1)+pr", KernelLearner::Dual),
    Learner::Latent(Staging::Joint),
    Learner::Latent(Staging::TwoStage),
    Learner::Combined,
];

/// The share of words that two texts have in common.
fn overlap(source: &str, target: &str) -> f64 {
    let words = |text: &str| text.to_lowercase().split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>();
    let (source, target) = (words(source), words(target));
    source.intersection(&target).count() as f64 / source.union(&target).count() as f64
}

/// Pairs with labels of a kind: in which way something is said again, or how many words are shared.
fn labelled(kind: ResponseKind, n: usize, seed: u64) -> Dataset {
    let pairs = crate::pairs::dataset(n, seed);
    let mut shares: Vec<f64> = pairs.rows.iter().map(|row| overlap(&row.source, &row.target)).collect();
    shares.sort_by(f64::total_cmp);
    let (third, two_thirds) = (shares[n / 3], shares[2 * n / 3]);
    let label = |source: &str, target: &str, is_same: bool| match kind {
        ResponseKind::Categories if !is_same => "other".to_owned(),
        ResponseKind::Categories if target.contains(" by ") => "passive".to_owned(),
        ResponseKind::Categories => "active".to_owned(),
        ResponseKind::Ordinal => {
            let share = overlap(source, target);
            LEVELS[usize::from(share > third) + usize::from(share > two_thirds)].to_owned()
        }
        _ => format!("{:.2}", 5.0 * overlap(source, target)),
    };
    let labels = pairs.labels_binary().unwrap();
    let rows = pairs.rows.iter().zip(labels).map(|(example, is_same)| {
        let (source, target) = (&example.source, &example.target);
        format!("{0}\t{source}\t{target}\t{1}\t{0}\n", example.id, label(source, target, is_same))
    });
    let table = rows.fold("id\tsource\ttarget\tlabel\tgroup\n".to_owned(), |table, row| table + &row);
    Dataset::from_reader("kinds.tsv", table.as_bytes(), Some(Format::Tsv), &Columns::default()).unwrap()
}

fn options(kind: ResponseKind) -> AnswerOptions {
    let levels = LEVELS.map(str::to_owned).to_vec();
    let levels = if kind == ResponseKind::Ordinal { levels } else { Vec::new() };
    AnswerOptions { kind: Some(kind), levels, positive: None }
}

fn trained(data: &Dataset, kind: ResponseKind, learner: Learner) -> resay::Result<Box<dyn PairModel>> {
    let (resources, answers) = (Resources::bundled(), options(kind));
    Ok(match learner {
        Learner::Kernel(kernel, learner) => {
            let options = TrainOptions {
                answers,
                kernel: kernel.to_owned(),
                learner,
                costs: vec![1.0],
                choice: CostChoice::Folds(3),
                pruning: Pruning { min_support: 1, max_rules: usize::MAX, examples: true },
                ..TrainOptions::new(Task::Pair)
            };
            Box::new(train(data, &options, &resources, Progress::none())?)
        }
        Learner::Latent(staging) => {
            let options =
                LatentOptions { answers, staging, choice: CostChoice::Folds(2), ..LatentOptions::new(Task::Pair) };
            Box::new(train_latent(data, &options, &resources, Progress::none(), &mut |_| Ok(()))?)
        }
        Learner::Combined => {
            let options = CombinedOptions { answers, folds: 2, costs: vec![0.01], ..CombinedOptions::new(Task::Pair) };
            Box::new(train_combined(data, None, &options, &resources, Progress::none())?)
        }
    })
}

/// Checks a law for a model of every kind by every learner that can make one.
fn each_model(law: impl Fn(&dyn PairModel, &Dataset, &str)) {
    for kind in [ResponseKind::Categories, ResponseKind::Ordinal, ResponseKind::Real] {
        let data = labelled(kind, 36, 5);
        for learner in LEARNERS {
            if kind == ResponseKind::Real && matches!(learner, Learner::Latent(_)) {
                continue;
            }
            let what = format!("{kind:?} by {learner:?}");
            law(&*trained(&data, kind, learner).expect(&what), &data, &what);
        }
    }
}

fn texts(data: &Dataset) -> Vec<(&str, &str)> {
    data.rows.iter().map(|example| (&*example.source, &*example.target)).chain(NEW).collect()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

/// Every node is the sum of its parts.
fn check_sums(part: &Explanation, what: &str) {
    if !part.parts.is_empty() {
        let sum: f64 = part.parts.iter().map(|part| part.value).sum();
        assert!(close(sum, part.value), "{what}: {:?} is {}, its parts {sum}", part.what, part.value);
        part.parts.iter().for_each(|part| check_sums(part, what));
    }
}

#[test]
fn all_laws_hold_for_every_kind_of_answer() {
    each_model(|model, data, what| {
        let texts = texts(data);
        let answers: Vec<Prediction> =
            model.predict(&texts, |pair| *pair, Progress::none()).unwrap().into_iter().map(Result::unwrap).collect();
        for ((source, target), answer) in texts.iter().zip(&answers) {
            assert_eq!(*answer, model.predict_one(source, target).unwrap(), "{what}: one by one");
            check_answer(model, answer, what);
        }
        check_saved(model, &texts, &answers, what);
        check_explanations(model, &texts, &answers, what);
        check_ranking(model, &answers, what);
        if let Response::Real { .. } = model.header().response {
            check_intervals(data, &answers, what);
        }
    });
}

/// Probabilities sum to 1 and the label is the most probable one; a number is within the range of
/// the labels, and its interval around it.
fn check_answer(model: &dyn PairModel, answer: &Prediction, what: &str) {
    match (answer, &model.header().response) {
        (Prediction::Category { scores, probabilities, label }, response) => {
            assert_eq!([scores.len(), probabilities.len()], [response.labels().len(); 2], "{what}");
            assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{what}: {answer:?}");
            assert!(probabilities.iter().all(|share| (0.0..=1.0).contains(share)), "{what}: {answer:?}");
            assert!(probabilities.iter().all(|share| *share <= probabilities[*label]), "{what}: {answer:?}");
            assert!(scores.iter().all(|score| *score <= scores[*label]), "{what}: {answer:?}");
        }
        (Prediction::Real { value, interval: [from, to] }, Response::Real { low, high }) => {
            assert!(low <= from && from <= value && value <= to && to <= high, "{what}: {answer:?}");
        }
        _ => panic!("{what}: {answer:?}"),
    }
}

/// A saved model has the same bytes when it is saved again, and the same answers.
fn check_saved(model: &dyn PairModel, texts: &[(&str, &str)], answers: &[Prediction], what: &str) {
    let bytes = model.to_bytes().unwrap();
    let again = AnyModel::from_bytes("m.resay", &bytes, &Resources::bundled()).unwrap();
    let Ok(again) = again.into_pair_model() else { panic!("{what}: opened as another kind of model") };
    assert!(again.to_bytes().unwrap() == bytes, "{what}: saved twice");
    assert_eq!(again.header(), model.header(), "{what}");
    let found = again.predict(texts, |pair| *pair, Progress::none()).unwrap();
    assert_eq!(found.into_iter().map(Result::unwrap).collect::<Vec<_>>(), answers, "{what}: saved and opened");
    for end in [bytes.len() / 2, bytes.len() - 1] {
        assert!(AnyModel::from_bytes("m.resay", &bytes[..end], &Resources::bundled()).is_err(), "{what}: cut off");
    }
}

/// Leaves add up for every class and every pair of classes; two classes change their sign with their
/// places.
fn check_explanations(model: &dyn PairModel, texts: &[(&str, &str)], answers: &[Prediction], what: &str) {
    let n_classes = model.header().response.labels().len();
    let is_scale = matches!(model.header().response, Response::Ordinal { .. });
    let at_end = answers.len() - NEW.len() - 2;
    for ((source, target), answer) in texts.iter().zip(answers).skip(at_end) {
        let value = |class: Option<usize>, against: Option<usize>| {
            let asked = AskedClass { class, against };
            let mut of_top = [3, usize::MAX].map(|top| {
                let explained = model.explain_asked(source, target, asked, top).unwrap();
                assert_eq!(explained.prediction, *answer, "{what}, {asked:?}");
                let leaves: f64 = explained.explanation.leaves().iter().map(|leaf| leaf.value).sum();
                let whole = explained.explanation.value;
                assert!(close(leaves, whole), "{what}, {asked:?}: leaves {leaves}, score {whole}");
                check_sums(&explained.explanation, what);
                whole
            });
            of_top.sort_by(f64::total_cmp);
            assert!(close(of_top[0], of_top[1]), "{what}, {asked:?}: {of_top:?}");
            of_top[0]
        };
        let Prediction::Category { scores, probabilities, label } = answer else {
            let Prediction::Real { value: number, .. } = answer else { panic!("{what}: {answer:?}") };
            assert!(close(value(None, None), *number), "{what}");
            assert!(model.explain_asked(source, target, AskedClass { class: Some(0), against: None }, 3).is_err());
            continue;
        };
        assert!(close(value(None, None), value(Some(*label), None)), "{what}: the answer is the one explained");
        for class in 0..n_classes {
            let alone = value(Some(class), None);
            assert!(is_scale || close(alone, scores[class]), "{what}: {alone}, the score is {}", scores[class]);
            if is_scale {
                // Log-odds of reaching the level; of the lowest, of not reaching the next.
                let share: f64 = probabilities[class.max(1)..].iter().sum();
                let odds = (share / (1.0 - share)).ln() * if class == 0 { -1.0 } else { 1.0 };
                assert!((alone - odds).abs() < 1e-6 || odds.abs() > 20.0, "{what}: {alone}, the odds are {odds}");
            }
            for against in (0..n_classes).filter(|against| *against != class) {
                let difference = value(Some(class), Some(against));
                assert!(close(difference, -value(Some(against), Some(class))), "{what}: {class} and {against}");
                assert!(is_scale || close(difference, scores[class] - scores[against]), "{what}: {difference}");
            }
            let beside = AskedClass { class: None, against: Some(class) }.resolved(answer).class.unwrap();
            assert!(beside != class, "{what}: a class against itself");
            assert!(close(value(None, Some(class)), value(Some(beside), Some(class))), "{what}");
        }
        let outside = AskedClass { class: Some(n_classes), against: None };
        assert!(model.explain_asked(source, target, outside, 3).is_err(), "{what}");
    }
}

/// Candidates are ranked by what was asked for: a higher rank has no lower probability.
fn check_ranking(model: &dyn PairModel, answers: &[Prediction], what: &str) {
    let response = &model.header().response;
    for class in 0..response.labels().len() {
        let mut ranks: Vec<_> = answers.iter().map(|answer| answer.rank(response, Some(class)).unwrap()).collect();
        ranks.sort_by(|a, b| a.score.total_cmp(&b.score));
        let shares: Vec<f64> = ranks.iter().map(|rank| rank.probability.unwrap()).collect();
        assert!(shares.windows(2).all(|two| two[0] <= two[1] + 1e-12), "{what}: class {class}, {ranks:?}");
    }
    let by_itself = answers[0].rank(response, None);
    assert_eq!(by_itself.is_err(), matches!(response, Response::Categories { .. }), "{what}");
}

/// Most intervals hold the label of a pair that was trained on.
fn check_intervals(data: &Dataset, answers: &[Prediction], what: &str) {
    let labels: Vec<f64> = data.rows.iter().map(|row| row.label.as_ref().unwrap().as_str().parse().unwrap()).collect();
    let is_within = |(answer, label): &(&Prediction, &f64)| match answer {
        Prediction::Real { interval: [low, high], .. } => (*low - 1e-9..=*high + 1e-9).contains(*label),
        _ => false,
    };
    let n_within = answers.iter().zip(&labels).filter(is_within).count();
    assert!(n_within * 10 >= labels.len() * 8, "{what}: {n_within} of {} within", labels.len());
}

/// Folds of numbers are dealt even where groups leave nothing to balance.
#[test]
fn numbers_in_two_groups_make_two_folds() {
    let mut data = labelled(ResponseKind::Real, 12, 1);
    data.rows.iter_mut().enumerate().for_each(|(at, row)| row.group = Some(format!("g{}", at % 2)));
    let options = TrainOptions {
        answers: options(ResponseKind::Real),
        costs: vec![1.0],
        choice: CostChoice::Folds(2),
        ..TrainOptions::new(Task::Pair)
    };
    let model = train(&data, &options, &Resources::bundled(), Progress::none()).unwrap();
    assert_eq!(model.about().header.folds.as_ref().map(|folds| [folds.n_folds, folds.n_groups]), Some([2, 2]));
}

#[test]
fn a_latent_alignment_predicts_no_numbers() {
    let data = labelled(ResponseKind::Real, 12, 1);
    for staging in [Staging::Joint, Staging::TwoStage] {
        let error = trained(&data, ResponseKind::Real, Learner::Latent(staging)).err().unwrap().to_string();
        assert!(error.contains("not predict numbers: use another learner"), "{error}");
    }
}
