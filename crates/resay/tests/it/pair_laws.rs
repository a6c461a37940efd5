//! One list of laws for every kind of pair model: a batch equals one by one, an explanation
//! explains the prediction, and neither files nor threads nor previously annotated texts change a
//! bit. A pair that cannot be scored does not affect others, and cancelled work stops.

use resay::align::Alignment;
use resay::data::{Columns, Dataset, DocumentFormat, Documents, Names};
use resay::explain::{Explanation, What};
use resay::model::{
    AdaptedJudgement, AlignModel, AnyModel, AskedClass, Ensemble, Header, JudgementModel, KernelModel, LatentModel,
    ModelKind, NamesModel, PairDetails, PairModel, Prediction, ProgramModel, TopicModel, pair_context,
};
use resay::pair::{Needs, PairView, TextAnnotator};
use resay::resources::Resources;
use resay::train::adapt::{AdaptOptions, adapt};
use resay::train::combined::{CombinedOptions, train_combined};
use resay::train::latent::{LatentOptions, Staging, train_latent};
use resay::train::names::{NamesChoice, NamesOptions, train_names};
use resay::train::topics::{TopicOptions, train_topics};
use resay::train::{CostChoice, KernelLearner, Task, TrainOptions, train};
use resay::{Error, Result};
use resay_learn::progress::{Cancel, Progress, Stage, Step};
use resay_learn::threads::Threads;
use resay_text::{Layers, Units};
use std::num::NonZeroUsize;
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

/// A model of each kind, trained once for all laws.
struct Case {
    name: &'static str,
    kind: ModelKind,
    model: AnyModel,
    bytes: Vec<u8>,
    pairs: Vec<(String, String)>,
}

impl Case {
    fn model(&self) -> &dyn PairModel {
        match &self.model {
            AnyModel::Kernel(model) => &**model,
            AnyModel::Latent(model) => &**model,
            AnyModel::Ensemble(model) => &**model,
            AnyModel::Names(model) => &**model,
            AnyModel::Judgement(model) => &**model,
            AnyModel::AdaptedJudgement(model) => &**model,
            _ => panic!("{} decides about no pairs", self.name),
        }
    }

    /// Returns the file that the model is saved to.
    fn saved(&self) -> std::path::PathBuf {
        let name = format!("resay-pair-laws-{}-{}.resay", self.name.replace(' ', "-"), std::process::id());
        let path = std::env::temp_dir().join(name);
        match &self.model {
            AnyModel::Kernel(model) => model.save(&path),
            AnyModel::Latent(model) => model.save(&path),
            AnyModel::Ensemble(model) => model.save(&path),
            AnyModel::Names(model) => model.save(&path),
            AnyModel::Judgement(model) => model.save(&path),
            AnyModel::AdaptedJudgement(model) => model.save(&path),
            _ => panic!("{} decides about no pairs", self.name),
        }
        .unwrap();
        path
    }

    /// Returns the same model, opened from its bytes.
    fn again(&self, resources: &Resources) -> Box<dyn PairModel> {
        let opened = AnyModel::from_bytes("m.resay", &self.bytes, resources).unwrap();
        opened.into_pair_model().unwrap_or_else(|_| panic!("{} decides about no pairs", self.name))
    }
}

const WHO: [&str; 4] = ["Anna", "the baker", "Omar", "my brother"];
const DID: [[&str; 2]; 3] = [["bought", "purchased"], ["mended", "repaired"], ["began", "started"]];
const WHAT: [&str; 4] = ["boat", "piano", "gate", "radio"];

/// Every other pair is a paraphrase; the rest change the agent or negate the sentence.
fn sayings(n: usize) -> Vec<(String, String)> {
    let saying = |row: usize| {
        let (who, [did, other], what) = (WHO[row % 4], DID[(row / 2) % 3], WHAT[(row / 3) % 4]);
        let target = match row % 4 {
            0 | 2 => format!("{who} {other} the {what}."),
            1 => format!("{} {other} the {what}.", WHO[(row + 1) % 4]),
            _ => format!("{who} never {other} the {what}."),
        };
        (format!("{who} {did} the {what}."), target)
    };
    (0..n).map(saying).collect()
}

fn dataset(n: usize) -> Dataset {
    let mut table = "source\ttarget\tlabel\n".to_owned();
    for (row, (source, target)) in sayings(n).into_iter().enumerate() {
        table.push_str(&format!("{source}\t{target}\t{}\n", (row + 1) % 2));
    }
    Dataset::from_reader("pairs.tsv", table.as_bytes(), None, &Columns::default()).unwrap()
}

/// Pairs of words: more than one batch, some repeated, some unlike any training data.
fn worded() -> Vec<(String, String)> {
    let odd = [
        ("", ""),
        ("", "Anna left."),
        ("Yes.", ""),
        ("the the the the", "the THE the"),
        ("Anna sold 12 old boats in Lima.", "In Lima, 13 boats were not bought by Anna."),
        ("He never left. She stayed at home.", "They stayed; nobody went away on 3 May."),
        ("un\u{e9} pomme\u{2028}rouge", "\u{1f34e} \u{200b}"),
        ("   \t\n ", "Who sold the boat?"),
        ("Anna sold 12 old boats in Lima.", "Anna sold 12 old boats in Lima."),
    ];
    let odd = odd.map(|(source, target)| (source.to_owned(), target.to_owned()));
    odd.clone().into_iter().chain(sayings(50)).chain(odd).collect()
}

fn names() -> Names {
    let letters = [('a', "א"), ('b', "ב"), ('d', "ד"), ('e', ""), ('g', "ג"), ('l', "ל"), ('m', "מ"), ('r', "ר")];
    let mut lines = String::new();
    for number in 0..60_usize {
        let picked: Vec<_> = (0..3 + number % 4).map(|at| letters[(number * 5 + at * (3 + number / 8)) % 8]).collect();
        let target: String = picked.iter().map(|letter| letter.1).collect();
        lines += &format!("{}\tא{target}\n", picked.iter().map(|letter| letter.0).collect::<String>());
    }
    Names::from_reader("names.tsv", lines.as_bytes()).unwrap()
}

fn kernel(kernel: &str, learner: KernelLearner) -> KernelModel {
    let options = TrainOptions {
        kernel: kernel.to_owned(),
        learner,
        costs: vec![1.0],
        choice: CostChoice::Folds(2),
        ..TrainOptions::new(Task::Paraphrase)
    };
    train(&dataset(32), &options, &RESOURCES, Progress::none()).unwrap()
}

fn latent(task: Task, staging: Staging) -> LatentModel {
    let options = LatentOptions { staging, costs: vec![0.1], choice: CostChoice::Folds(2), ..LatentOptions::new(task) };
    train_latent(&dataset(24), &options, &RESOURCES, Progress::none(), &mut |_| Ok(())).unwrap()
}

/// The bundled judge, adapted with weights that move.
fn adapted() -> AdaptedJudgement {
    let options = AdaptOptions { strengths: vec![1.0], folds: 2, ..AdaptOptions::new(Task::Paraphrase) };
    let judge = AnyModel::bundled("judge", &RESOURCES).unwrap();
    match adapt(&dataset(32), judge, "judge", &options, &RESOURCES, Progress::none()).unwrap() {
        AnyModel::AdaptedJudgement(model) => *model,
        _ => panic!("no adapted judgement"),
    }
}

static RESOURCES: LazyLock<Resources> = LazyLock::new(Resources::bundled);

static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let case = |name, kind, model, bytes: Result<Vec<u8>>| Case {
        name,
        kind,
        model,
        bytes: bytes.unwrap(),
        pairs: match kind {
            ModelKind::Names => {
                let odd = [("", ""), ("gal", ""), ("", "אגל"), ("Zoë", "x"), ("gal gal", "אגאל")];
                let odd = odd.map(|(source, target)| (source.to_owned(), target.to_owned()));
                names().rows.into_iter().chain(odd).collect()
            }
            // They refuse empty texts.
            ModelKind::Judgement | ModelKind::AdaptedJudgement => {
                let is_full =
                    |(source, target): &(String, String)| [source, target].iter().all(|text| !text.trim().is_empty());
                worded().into_iter().filter(is_full).collect()
            }
            _ => worded(),
        },
    };
    let of_kernel = |name, model: KernelModel| {
        let bytes = model.to_bytes();
        case(name, ModelKind::Kernel, AnyModel::Kernel(Box::new(model)), bytes)
    };
    let of_latent = |name, model: LatentModel| {
        let bytes = model.to_bytes();
        case(name, ModelKind::Latent, AnyModel::Latent(Box::new(model)), bytes)
    };
    let of_ensemble = |name, model: Ensemble| {
        let bytes = model.to_bytes();
        case(name, ModelKind::Ensemble, AnyModel::Ensemble(Box::new(model)), bytes)
    };
    let of_judgement = |name, model: JudgementModel| {
        let bytes = model.to_bytes();
        case(name, ModelKind::Judgement, AnyModel::Judgement(Box::new(model)), bytes)
    };
    let of_adapted = |name, model: AdaptedJudgement| {
        let bytes = model.to_bytes();
        case(name, ModelKind::AdaptedJudgement, AnyModel::AdaptedJudgement(Box::new(model)), bytes)
    };
    let of_names = |name, model: NamesModel| {
        let bytes = model.to_bytes();
        case(name, ModelKind::Names, AnyModel::Names(Box::new(model)), bytes)
    };
    let combined = CombinedOptions { folds: 2, costs: vec![0.1], ..CombinedOptions::new(Task::Paraphrase) };
    let named = NamesOptions { costs: vec![1.0], choice: NamesChoice::Folds(3), ..NamesOptions::default() };
    vec![
        of_kernel("rules", kernel("kb(k=1..2)+pr", KernelLearner::Linear)),
        of_kernel(
            "support",
            kernel("tesrk(k=1..2,pattern=stem:synonym,variable=stem:synonym)+pr", KernelLearner::Dual),
        ),
        of_latent("latent", latent(Task::Paraphrase, Staging::Joint)),
        of_latent("two stages", latent(Task::Entailment, Staging::TwoStage)),
        of_ensemble("ensemble", train_combined(&dataset(32), None, &combined, &RESOURCES, Progress::none()).unwrap()),
        of_names("names", train_names(&names(), &named, &RESOURCES, Progress::none(), &mut |_| Ok(())).unwrap()),
        of_judgement("judge", JudgementModel::bundled(&RESOURCES).unwrap()),
        of_adapted("adapted judge", adapted()),
    ]
});

/// Returns a prediction as bits.
fn bits(prediction: &Prediction) -> (u64, u64, bool) {
    let decision = prediction.decision().unwrap();
    assert_eq!(decision.label, decision.score > 0.0);
    assert!((0.0..=1.0).contains(&decision.probability));
    (decision.score.to_bits(), decision.probability.to_bits(), decision.label)
}

/// Predicts all pairs in one batch.
fn all(model: &dyn PairModel, pairs: &[(String, String)]) -> Vec<(u64, u64, bool)> {
    let found = model.predict(pairs, |(source, target)| (source, target), Progress::none()).unwrap();
    found.iter().map(|result| bits(result.as_ref().unwrap())).collect()
}

#[test]
fn many_at_once_are_one_by_one() {
    for case in &*CASES {
        let (name, model, pairs) = (case.name, case.model(), &case.pairs);
        let one_by_one: Vec<_> =
            pairs.iter().map(|(source, target)| bits(&model.predict_one(source, target).unwrap())).collect();
        assert_eq!(all(model, pairs), one_by_one, "{name}");
        // The same pairs in reverse order, and so in other batches.
        let backward: Vec<(String, String)> = pairs.iter().rev().cloned().collect();
        assert!(all(model, &backward).iter().eq(one_by_one.iter().rev()), "{name}");
        assert!(all(model, &[]).is_empty(), "{name}");
    }
}

/// Every node is the sum of its parts, up to rounding.
fn parts_add_up(node: &Explanation, name: &str) {
    if !node.parts.is_empty() {
        let sum: f64 = node.parts.iter().map(|part| part.value).sum();
        assert!((sum - node.value).abs() <= 1e-9 * node.value.abs().max(1.0), "{name}: {:?} {sum}", node.what);
        node.parts.iter().for_each(|part| parts_add_up(part, name));
    }
}

#[test]
fn explanations_are_of_the_prediction_and_add_up() {
    for case in &*CASES {
        let (name, model) = (case.name, case.model());
        for (source, target) in case.pairs.iter().rev().take(25) {
            let predicted = bits(&model.predict_one(source, target).unwrap());
            let score = f64::from_bits(predicted.0);
            for top in [0, 3, usize::MAX] {
                let explained = model.explain_one(source, target, top).unwrap();
                assert_eq!(bits(&explained.prediction), predicted, "{name}: {source:?} {target:?}");
                let tree = explained.explanation;
                assert_eq!(tree.what, What::Score, "{name}");
                let sum: f64 = tree.leaves().iter().map(|leaf| leaf.value).sum();
                let close = |value: f64| (value - score).abs() <= 1e-9 * score.abs().max(1.0);
                assert!(close(sum) && close(tree.value), "{name}, top {top}: {sum}, score {score}");
                parts_add_up(&tree, name);
                for place in tree.leaves().iter().flat_map(|leaf| &leaf.places) {
                    assert!(place.source.iter().all(|span| source.get(span.range()).is_some()), "{name}: {place:?}");
                    assert!(place.target.iter().all(|span| target.get(span.range()).is_some()), "{name}: {place:?}");
                }
            }
        }
    }
}

#[test]
fn threads_change_no_bit() {
    for count in [1, 2, 8] {
        let resources = RESOURCES.with_threads(Threads::new(NonZeroUsize::new(count)));
        assert_eq!(resources.threads().run(rayon::current_num_threads).unwrap(), count);
        for case in &*CASES {
            let again = case.again(&resources);
            assert_eq!(all(&*again, &case.pairs), all(case.model(), &case.pairs), "{} on {count}", case.name);
        }
    }
}

#[test]
fn files_change_no_bit() {
    for case in &*CASES {
        let (name, path) = (case.name, case.saved());
        let read = std::fs::read(&path).unwrap();
        let opened = AnyModel::open(&path, &RESOURCES);
        std::fs::remove_file(&path).unwrap();
        assert_eq!(read, case.bytes, "{name}");
        let Ok(opened) = opened.unwrap().into_pair_model() else { panic!("{name} decides about pairs") };
        assert_eq!(opened.header(), case.model().header(), "{name}");
        assert_eq!(opened.weights(0), case.model().weights(0), "{name}");
        assert_eq!(all(&*opened, &case.pairs), all(case.model(), &case.pairs), "{name}");
        let whole =
            |model: &dyn PairModel| model.explain_one(&case.pairs[0].0, &case.pairs[1].1, 5).unwrap().explanation;
        assert_eq!(whole(&*opened), whole(case.model()), "{name}");
    }
}

#[test]
fn texts_that_were_annotated_before_are_decided_the_same() {
    for case in &*CASES {
        let (name, model) = (case.name, case.model());
        // Every text is annotated once, for any number of pairs.
        let mut texts: Vec<&str> = case.pairs.iter().flat_map(|(source, target)| [&source[..], &target[..]]).collect();
        texts.sort_unstable();
        texts.dedup();
        let annotated = model.annotate(&texts, Progress::none()).unwrap();
        assert!(annotated.iter().zip(&texts).all(|(annotated, text)| annotated.text() == *text), "{name}");
        assert!(annotated.iter().all(|text| text.tokenisation() == model.needs().tokenisation), "{name}");
        let place = |text: &str| texts.binary_search(&text).unwrap();
        let places: Vec<[usize; 2]> =
            case.pairs.iter().map(|(source, target)| [place(source), place(target)]).collect();
        let found = model.predict_annotated(&annotated, &places, Progress::none()).unwrap();
        let found: Vec<_> = found.iter().map(|result| bits(result.as_ref().unwrap())).collect();
        assert_eq!(found, all(model, &case.pairs), "{name}");
    }
}

#[test]
fn models_say_what_they_are_and_what_they_need() {
    let sentences = Needs::sentences;
    for case in &*CASES {
        let (name, model) = (case.name, case.model());
        let header = model.header();
        assert_eq!((header.kind, case.model.header()), (case.kind, header), "{name}");
        assert_eq!(Header::read("m.resay", &case.bytes).unwrap(), *header, "{name}");
        assert_eq!(header.counts.len(), header.response.labels().len(), "{name}");
        // The parser is not run if the model does not use trees.
        let (kind, needs) = match model.details() {
            PairDetails::Kernel(_) => (ModelKind::Kernel, Needs::TEXT),
            PairDetails::Names(_) => (ModelKind::Names, Needs::TEXT),
            PairDetails::Latent(_) => (ModelKind::Latent, sentences(Layers { chunks: false, ..Layers::ALL })),
            PairDetails::Ensemble(_) => (ModelKind::Ensemble, sentences(Layers::ALL)),
            PairDetails::Judgement(_) => (ModelKind::Judgement, sentences(Layers::ALL).with_masked_names()),
            PairDetails::AdaptedJudgement(_) => {
                (ModelKind::AdaptedJudgement, sentences(Layers::ALL).with_masked_names())
            }
            other => panic!("{name}: {other:?} is in no case"),
        };
        assert_eq!((kind, model.needs()), (case.kind, needs), "{name}");
        let weights = model.weights(0);
        assert!(weights.is_sorted_by(|a, b| a.weight.abs() >= b.weight.abs()), "{name}: heaviest first");
        assert_eq!(weights.is_empty(), name == "support", "{name}: only a machine that leans on pairs has none");
    }
}

#[test]
fn a_file_of_another_kind_is_refused_by_what_it_is() {
    type Open = fn(&[u8]) -> Result<()>;
    let kinds: [(ModelKind, &str, Open); 9] = [
        (ModelKind::Kernel, "a kernel model that decides about pairs", |bytes| {
            KernelModel::from_bytes("m.resay", bytes, &RESOURCES).map(drop)
        }),
        (ModelKind::Latent, "a latent model that decides about pairs", |bytes| {
            LatentModel::from_bytes("m.resay", bytes, &RESOURCES).map(drop)
        }),
        (ModelKind::Ensemble, "an ensemble that decides about pairs", |bytes| {
            Ensemble::from_bytes("m.resay", bytes, &RESOURCES).map(drop)
        }),
        (ModelKind::Names, "a model of names", |bytes| NamesModel::from_bytes("m.resay", bytes, &RESOURCES).map(drop)),
        (ModelKind::Topics, "a model that sorts documents", |bytes| {
            TopicModel::from_bytes("m.resay", bytes, &RESOURCES).map(drop)
        }),
        (ModelKind::Align, "a model that aligns", |bytes| {
            AlignModel::from_bytes("m.resay", bytes, &RESOURCES).map(drop)
        }),
        (ModelKind::Program, "a model over declared programmes", |bytes| {
            ProgramModel::from_bytes("m.resay", bytes, &RESOURCES).map(drop)
        }),
        (ModelKind::Judgement, "a judgement of how two texts are related", |bytes| {
            JudgementModel::from_bytes("m.resay", bytes, &RESOURCES).map(drop)
        }),
        (ModelKind::AdaptedJudgement, "an adapted judgement that decides about pairs", |bytes| {
            AdaptedJudgement::from_bytes("m.resay", bytes, &RESOURCES).map(drop)
        }),
    ];
    let documents: String = (0..12)
        .map(|at| {
            format!("{{\"text\": \"{} {at}\", \"labels\": [{}]}}\n", ["rain", "bread"][at % 2], ["\"wet\"", ""][at % 2])
        })
        .collect();
    let documents = Documents::from_reader("d.jsonl", documents.as_bytes(), Some(DocumentFormat::Jsonl)).unwrap();
    let options = TopicOptions {
        kernel: "bow".to_owned(),
        units: Units::Words,
        folds: 2,
        min_documents: 1,
        ..TopicOptions::default()
    };
    let topics = train_topics(&documents, &options, &RESOURCES, Progress::none()).unwrap().to_bytes().unwrap();
    let programs = crate::programs::model(Staging::Joint, &RESOURCES).to_bytes().unwrap();
    let others = [topics, RESOURCES.bytes("align").unwrap().into_owned(), programs];
    let files: Vec<&[u8]> = CASES.iter().map(|case| &case.bytes).chain(&others).map(Vec::as_slice).collect();
    let mut n_opened = 0;
    for bytes in files {
        let header = Header::read("m.resay", bytes).unwrap();
        let (_, found, _) = kinds.iter().find(|(kind, ..)| *kind == header.kind).unwrap();
        for (kind, expected, open) in &kinds {
            match open(bytes) {
                Ok(()) => {
                    assert_eq!(*kind, header.kind, "{found} opened as {expected}");
                    n_opened += 1;
                }
                Err(error) => {
                    let message = format!("m.resay: {found} (task {}), expected {expected}", header.task);
                    assert_eq!(error.to_string(), message);
                }
            }
        }
    }
    assert_eq!(n_opened, CASES.len() + others.len(), "each file as its own kind alone");
}

#[test]
fn one_pair_that_is_too_long_takes_no_other_with_it() {
    let words = "word ".repeat(1001);
    let rules = kernel("kb(k=1..4)", KernelLearner::Linear);
    let repeated = "the ".repeat(250);
    let named = |name: &str| CASES.iter().find(|case| case.name == name).unwrap().model();
    let cases: [(&str, &dyn PairModel, &str, &str); 4] = [
        ("latent", named("latent"), &words, "1001 and 1001 words are too many to align"),
        ("two stages", named("two stages"), &words, "1001 and 1001 words are too many to align"),
        ("ensemble", named("ensemble"), &words, "1001 and 1001 words are too many to align"),
        ("rules", &rules, &repeated, "more than"),
    ];
    for (name, model, long, expected) in cases {
        let mut pairs: Vec<(String, String)> =
            (0..10_000).map(|at| (format!("Yes {}", at % 50), format!("No {}", at % 7))).collect();
        pairs[6_543] = (long.to_owned(), long.to_owned());
        let n_reported = Mutex::new((0, 0));
        let report = |step: Step<'_>| {
            assert_eq!(step.stage, Stage::Score);
            let mut seen = n_reported.lock().unwrap();
            *seen = (seen.0.max(step.done), step.total);
        };
        let found = model.predict(&pairs, |(source, target)| (source, target), Progress::new(&report)).unwrap();
        assert_eq!(n_reported.into_inner().unwrap(), (10_000, 10_000), "{name}");
        assert_eq!(found.len(), pairs.len(), "{name}");
        let errors: Vec<(usize, String)> = found
            .iter()
            .enumerate()
            .filter_map(|(at, result)| Some((at, result.as_ref().err()?.to_string())))
            .collect();
        assert!(errors.len() == 1 && errors[0].0 == 6_543, "{name}: {errors:?}");
        assert!(errors[0].1.contains(expected), "{name}: {}", errors[0].1);
        // Its neighbours are decided as if it were absent.
        for at in [6_542, 6_544] {
            let alone = model.predict_one(&pairs[at].0, &pairs[at].1).unwrap();
            assert_eq!(bits(found[at].as_ref().unwrap()), bits(&alone), "{name}");
        }
        let alone = model.predict_one(long, long).unwrap_err().to_string();
        let explained = model.explain_one(long, long, 3).unwrap_err().to_string();
        assert_eq!((alone, explained), (errors[0].1.clone(), errors[0].1.clone()), "{name}");
    }
}

#[test]
fn a_batch_that_is_told_to_stop_stops() {
    /// Maximum time from cancellation to the end. Unoptimised code has ten times as long.
    const MOST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 1000 } else { 100 });
    let judge = JudgementModel::bundled(&RESOURCES).unwrap();
    let judge: &dyn PairModel = &judge;
    let pairs: Vec<(String, String)> = sayings(6_000)
        .into_iter()
        .enumerate()
        .map(|(at, (source, target))| {
            (format!("In {at} {source} It rained."), format!("{target} In {at} it rained a lot."))
        })
        .collect();
    // Resources are loaded before the clock starts.
    judge.predict_one(&pairs[0].0, &pairs[0].1).unwrap();
    let cancel = Cancel::new();
    let (told, ended, result) = std::thread::scope(|scope| {
        let work = scope.spawn(|| {
            let progress = Progress::none().with_cancel(&cancel);
            let result = judge.predict(&pairs, |(source, target)| (source, target), progress).map(|found| found.len());
            (Instant::now(), result)
        });
        std::thread::sleep(Duration::from_millis(50));
        assert!(!work.is_finished(), "there is work for seconds");
        let told = Instant::now();
        cancel.cancel();
        let (ended, result) = work.join().unwrap();
        (told, ended, result)
    });
    assert!(matches!(result, Err(Error::Cancelled)), "{result:?}");
    let took = ended.saturating_duration_since(told);
    assert!(took < MOST, "{took:?}");
    // Work that is cancelled before it begins does not begin.
    let progress = Progress::none().with_cancel(&cancel);
    for case in &*CASES {
        let model = case.model();
        let all = model.predict(&case.pairs, |(source, target)| (source, target), progress);
        assert!(matches!(all, Err(Error::Cancelled)), "{}", case.name);
        assert!(matches!(model.annotate(&["a", "b"], progress), Err(Error::Cancelled)), "{}", case.name);
    }
}

#[test]
fn a_pair_is_looked_at_once() {
    for case in &*CASES {
        let (name, model) = (case.name, case.model());
        let annotator = TextAnnotator::new(model.resources(), model.needs()).unwrap();
        let context = pair_context(model.resources());
        for (source, target) in case.pairs.iter().take(12) {
            let texts = annotator.annotate(&[source, target], &mut resay_text::EnglishScratch::default());
            let view = PairView::new(&context, &texts[0], &texts[1]);
            let alignment = || -> *const Alignment { view.alignment().unwrap() };
            let first = alignment();
            let mut scorer = model.scorer();
            let mut score = || bits(&scorer.score(std::slice::from_ref(&view), Progress::none()).remove(0).unwrap());
            let scored = score();
            assert_eq!(score(), scored, "{name}: asked twice");
            let explained = scorer.explain(&view, AskedClass::ANSWER, 3).unwrap();
            assert_eq!(bits(&explained.prediction), scored, "{name}: explained after it was scored");
            assert_eq!(alignment(), first, "{name}: aligned anew");
            // Earlier queries to a view change nothing.
            assert_eq!(bits(&model.predict_one(source, target).unwrap()), scored, "{name}");
        }
    }
}
