//! Long-running work stops when cancelled: every learner, near-duplicate search and diff, at any
//! point.

use resay::align::AlignSettings;
use resay::data::{AlignedPairs, Columns, Dataset, Documents, Names};
use resay::dedupe::{self, dedupe};
use resay::diff::{DiffDocument, compare};
use resay::model::JudgementModel;
use resay::resources::Resources;
use resay::train::align::{AlignOptions, train_align};
use resay::train::combined::{CombinedOptions, train_combined};
use resay::train::latent::{LatentOptions, Staging, train_latent};
use resay::train::names::{NamesOptions, train_names};
use resay::train::topics::{Criterion, TopicOptions, train_topics};
use resay::train::{KernelLearner, Spectrum, Task, TrainOptions, topics, train};
use resay::{Error, Result};
use resay_learn::progress::{Cancel, Progress, Stage, Step};
use resay_learn::rng::SplitMix;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum time from cancellation to the end. Unoptimised code has ten times as long.
const MOST: Duration = Duration::from_millis(if cfg!(debug_assertions) { 1000 } else { 100 });

/// Delays after which another thread cancels.
const AFTER: [Duration; 3] = [Duration::from_millis(150), Duration::from_millis(400), Duration::from_millis(900)];

/// Work that takes seconds, and the stages it reports.
struct Case {
    name: &'static str,
    stages: &'static [Stage],
    work: Box<dyn Fn(Progress<'_>) -> Result<()> + Sync>,
}

fn case(
    name: &'static str,
    stages: &'static [Stage],
    work: impl Fn(Progress<'_>) -> Result<()> + Sync + 'static,
) -> Case {
    Case { name, stages, work: Box::new(work) }
}

/// When to cancel.
#[derive(Clone, Copy, Debug)]
enum When {
    /// Before it starts.
    Before,
    /// This long after the start, by another thread.
    After(Duration),
    /// At the first report of a stage, by the reporting thread.
    At(Stage),
    /// This long after the first report of a stage, by another thread.
    Since(Stage, Duration),
}

/// Runs and cancels work. Returns how long it continued after that, or `None` if it had finished
/// before.
fn told(case: &Case, when: When) -> Option<Duration> {
    let (cancel, told_at) = (Cancel::new(), Mutex::new(None));
    let tell = || {
        told_at.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(Instant::now);
        cancel.cancel();
    };
    let (started, first_report) = std::sync::mpsc::channel();
    let report = |step: Step<'_>| match when {
        When::At(stage) if step.stage == stage => tell(),
        When::Since(stage, _) if step.stage == stage => _ = started.send(()),
        _ => {}
    };
    let progress = Progress::new(&report).with_cancel(&cancel);
    if let When::Before = when {
        tell();
    }
    let (ended, result) = std::thread::scope(|scope| {
        let work = scope.spawn(|| {
            let result = (case.work)(progress);
            (Instant::now(), result)
        });
        match when {
            When::After(delay) => std::thread::sleep(delay),
            When::Since(_, delay) => {
                while first_report.recv_timeout(Duration::from_millis(20)).is_err() && !work.is_finished() {}
                std::thread::sleep(delay);
            }
            When::Before | When::At(_) => return work.join().unwrap(),
        }
        tell();
        work.join().unwrap()
    });
    let told_at = told_at.into_inner().unwrap();
    if result.is_ok() {
        assert!(told_at.is_none_or(|told_at| ended <= told_at + MOST), "{} {when:?}: went on to its end", case.name);
        return None;
    }
    assert!(matches!(result, Err(Error::Cancelled)), "{} {when:?}: {:?}", case.name, result.err());
    Some(ended.saturating_duration_since(told_at.unwrap()))
}

const WHO: [&str; 12] = [
    "The old baker",
    "Anna",
    "Omar",
    "My brother",
    "The mayor of Lyon",
    "A young nurse",
    "The committee",
    "Doctor Meier",
    "The red-haired singer",
    "A farmer from Ohio",
    "The second team",
    "Our neighbour",
];
const DID: [[&str; 2]; 10] = [
    ["bought", "purchased"],
    ["mended", "repaired"],
    ["began to paint", "started to paint"],
    ["sold", "gave away"],
    ["found", "discovered"],
    ["lost", "mislaid"],
    ["showed", "presented"],
    ["hid", "concealed"],
    ["wanted", "wished for"],
    ["described", "explained"],
];
const WHAT: [&str; 11] = [
    "boat",
    "grand piano",
    "garden gate",
    "radio",
    "letter to the king",
    "green bicycle",
    "town library",
    "map of the coast",
    "silver coin",
    "new bridge",
    "broken window",
];
const WHERE: [&str; 9] = [
    "in the harbour",
    "near the church",
    "at the market in Vienna",
    "on the third floor",
    "behind the old school",
    "before the long winter",
    "after the war ended",
    "while it was raining",
    "although nobody had asked for it",
];

/// Returns the sentence of a row, in its plain or paraphrased form. A number makes every sentence
/// unique.
fn saying(row: usize, other: bool) -> String {
    let (who, did, what) = (WHO[row % 12], DID[row / 5 % 10][usize::from(other)], WHAT[row / 3 % 11]);
    let (place, number) = (WHERE[row / 7 % 9], row * 37 % 1009);
    if other {
        format!(
            "{} {}, {} {did} the {what} for {number} euros.",
            place[..1].to_uppercase(),
            &place[1..],
            who.to_lowercase()
        )
    } else {
        format!("{who} {did} the {what} for {number} euros {place}.")
    }
}

/// Every other pair is a paraphrase.
fn pairs(n: usize) -> Dataset {
    let mut table = "source\ttarget\tlabel\n".to_owned();
    for row in 0..n {
        let is_same = row % 2 == 0;
        let target = saying(if is_same { row } else { row + 1 + row % 5 }, true);
        table.push_str(&format!("{}\t{target}\t{}\n", saying(row, false), u8::from(is_same)));
    }
    Dataset::from_reader("pairs.tsv", table.as_bytes(), None, &Columns::default()).unwrap()
}

/// Names transliterated by a rule: letters map one to one, and `e` is dropped.
fn names(n: usize) -> Names {
    let mut random = SplitMix::new(1);
    let letters = [('a', "א"), ('b', "ב"), ('d', "ד"), ('e', ""), ('g', "ג"), ('l', "ל"), ('m', "מ"), ('r', "ר")];
    let mut lines = String::new();
    for _ in 0..n {
        let picked: Vec<_> = (0..4 + random.below(6)).map(|_| letters[random.below(letters.len())]).collect();
        let target: String = picked.iter().map(|letter| letter.1).collect();
        lines += &format!("{}\tא{target}\n", picked.iter().map(|letter| letter.0).collect::<String>());
    }
    Names::from_reader("names.tsv", lines.as_bytes()).unwrap()
}

/// Documents of forty sentences, whose topics are the actions in them.
fn documents(n: usize) -> Documents {
    let line = |row: usize| {
        let text: Vec<String> = (0..40).map(|at| saying(row * 11 + at * at * 3, row.is_multiple_of(3))).collect();
        format!("{{\"text\": {:?}, \"labels\": [\"topic {}\", \"topic {}\"]}}\n", text.join(" "), row % 4, 4 + row % 3)
    };
    let lines: String = (0..n).map(line).collect();
    Documents::from_reader("documents.jsonl", lines.as_bytes(), None).unwrap()
}

/// Pairs in which identical words are linked.
fn aligned(n: usize) -> AlignedPairs {
    let line = |row: usize| {
        let (source, target) = (saying(row, false), saying(row, true));
        let words: Vec<&str> = target.split(' ').collect();
        let link = |(at, word): (usize, &str)| Some(format!("{at}-{}", words.iter().position(|other| *other == word)?));
        let links: Vec<String> = source.split(' ').enumerate().filter_map(link).collect();
        format!("{{\"source\": {source:?}, \"target\": {target:?}, \"sureAlign\": \"{}\"}}\n", links.join(" "))
    };
    let lines: String = (0..n).map(line).collect();
    AlignedPairs::from_reader("aligned.json", lines.as_bytes(), None).unwrap()
}

const TRAINING: &[Stage] = &[Stage::Annotate, Stage::Features, Stage::Search, Stage::Train];

fn cases() -> Vec<Case> {
    let resources = Resources::bundled();
    let judge = || JudgementModel::bundled(&resources).unwrap();
    let (many, some, few) = (pairs(3000), pairs(1200), pairs(400));
    let by_kernel = |data: &Dataset, kernel: &str, learner: KernelLearner| {
        let (data, kernel, resources) = (data.clone(), kernel.to_owned(), resources.clone());
        move |progress: Progress<'_>| {
            let spectrum = Spectrum::Clip;
            let options =
                TrainOptions { kernel: kernel.clone(), learner, spectrum, ..TrainOptions::new(Task::Paraphrase) };
            train(&data, &options, &resources, progress).map(|_| ())
        }
    };
    let latent = |data: &Dataset, staging: Staging| {
        let (data, resources) = (data.clone(), resources.clone());
        move |progress: Progress<'_>| {
            let options =
                LatentOptions { staging, costs: vec![0.001, 0.01, 0.1], ..LatentOptions::new(Task::Paraphrase) };
            train_latent(&data, &options, &resources, progress, &mut |_| Ok(())).map(|_| ())
        }
    };
    let (names, library, links) = (names(400), documents(400), aligned(300));
    let library_again = library.clone();
    let texts: Vec<String> = (0..1000).map(|row| saying(row, row % 2 == 0)).collect();
    let document = |other: bool| {
        let text: Vec<String> = (0..600).map(|row| saying(row, other)).collect();
        DiffDocument::from_bytes("text", text.join(" ").into_bytes()).unwrap()
    };
    let (old, new) = (document(false), document(true));
    let (of_texts, of_documents) = (judge(), judge());
    let [a, b, c, d, e] = [(); 5].map(|()| resources.clone());
    vec![
        case("linear", TRAINING, by_kernel(&many, "kb(k=1..4)+pr", KernelLearner::Linear)),
        case("dual", TRAINING, by_kernel(&many, "kb(k=1..4)+pr", KernelLearner::Dual)),
        case(
            "support",
            TRAINING,
            by_kernel(&some, "tesrk(k=1..3,pattern=stem:synonym,variable=stem:hypernym)", KernelLearner::Dual),
        ),
        case("subsequence", TRAINING, by_kernel(&some, "pair(subsequence(k=1..4,lambda=0.5))", KernelLearner::Dual)),
        case("latent", TRAINING, latent(&some, Staging::Joint)),
        case("two-stage", TRAINING, latent(&some, Staging::TwoStage)),
        case("combined", TRAINING, move |progress| {
            train_combined(&few, None, &CombinedOptions::new(Task::Paraphrase), &a, progress).map(|_| ())
        }),
        case("names", &[Stage::Search, Stage::Train], move |progress| {
            train_names(&names, &NamesOptions::default(), &b, progress, &mut |_| Ok(())).map(|_| ())
        }),
        case("topics", TRAINING, move |progress| {
            let options =
                TopicOptions { kernel: "fsm(min=3)".into(), costs: vec![0.1, 1.0], ..TopicOptions::default() };
            train_topics(&library, &options, &c, progress).map(|_| ())
        }),
        case("topic search", &[Stage::Search], move |progress| {
            topics::search(&library_again, &TopicOptions::default(), Criterion::Folds, &d, progress).map(|_| ())
        }),
        case("align", &[Stage::Annotate, Stage::Features, Stage::Train], move |progress| {
            train_align(&links, &AlignOptions::new(AlignSettings::phrases()), &e, progress).map(|_| ())
        }),
        case("dedupe", &[Stage::Candidates, Stage::Score], move |progress| {
            dedupe(&texts, &of_texts, &dedupe::DedupeOptions::default(), progress).map(|_| ())
        }),
        case("diff", &[Stage::Annotate, Stage::Score, Stage::Explain], move |progress| {
            compare(&of_documents, [&old, &new], progress).map(|_| ())
        }),
    ]
}

#[test]
fn work_that_is_told_to_stop_stops() {
    let mut slowest = (Duration::ZERO, String::new());
    for case in cases() {
        let at = case.stages.iter().map(|stage| When::At(*stage));
        let since = case.stages.iter().map(|stage| When::Since(*stage, Duration::from_millis(30)));
        let mut n_stopped = 0;
        for when in AFTER.map(When::After).into_iter().chain([When::Before]).chain(at).chain(since) {
            let Some(took) = told(&case, when) else { continue };
            n_stopped += 1;
            assert!(took < MOST, "{} {when:?}: {took:?} from being told to the end, expected {MOST:?}", case.name);
            if took > slowest.0 {
                slowest = (took, format!("{} {when:?}", case.name));
            }
        }
        // Before the start, at each stage, and while running.
        assert!(n_stopped > case.stages.len() + 1, "{}: stopped {n_stopped} times only", case.name);
    }
    println!("slowest: {slowest:?}");
}
