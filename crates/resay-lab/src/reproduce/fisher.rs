//! Table 1 of the paper on string, Fisher and automaton kernels (Saunders, Shawe-Taylor and
//! Vinokourov, 2002): the ten largest topics of Reuters-21578, ModApte split.
//!
//! The paper calls its metric average precision, "the average of precision values obtained when
//! thresholding at each positively classified document". With the usual definition, over all
//! documents of the topic, its figures are out of reach: a bag of words reaches 92, not 96. Taken
//! literally, over the documents of the topic that the model accepted, they are reproduced nearly
//! to the digit. Both are measured. The first is the one to trust, since a model that accepts only
//! what it is sure of does well on the second.
//!
//! What the paper leaves open (letters or all characters, case, title, smoothing) is tuned on the
//! last third of the training documents, in order, with the first two thirds for training, by the
//! usual average precision. Our own configuration is then chosen from a list in the same way. Every
//! figure of these choices is a row. The models follow the paper as far as it goes: normalised
//! vectors, cost 1 (SVMlight's default for vectors of length 1), hinge loss. But the bias is the
//! weight of a constant feature and thus regularised, unlike SVMlight's.

use super::{Measured, Row, Scored, TRIED, there};
use resay::Result;
use resay::data::{Document, Documents, Split};
use resay::kernel::Expression;
use resay::resources::Resources;
use resay::train::topics::{Recipe, annotate, params};
use resay_learn::eval::topics::{TopicFigures, topic_figures};
use resay_learn::progress::{Progress, Stage};
use resay_learn::svm::linear::{LinearParams, Loss};
use resay_text::{Interner, Sentence, Units};
use std::path::Path;

const TOPICS: [&str; 10] = ["earn", "acq", "money-fx", "grain", "crude", "trade", "interest", "ship", "wheat", "corn"];

/// The names of the topics as test sets, in the same order, and of all together.
const SETS: [&str; 10] = [
    "Reuters, earn",
    "Reuters, acq",
    "Reuters, money-fx",
    "Reuters, grain",
    "Reuters, crude",
    "Reuters, trade",
    "Reuters, interest",
    "Reuters, ship",
    "Reuters, wheat",
    "Reuters, corn",
];
const ALL: &str = "Reuters, mean of ten";
const HELD_BACK: &str = "Reuters, last third of training";

const PAPERS: &str = "the paper's, the rest by held-back third";
const BY_AP: &str = "ours, by AP of held-back third";
const BY_ACCEPTED: &str = "ours, by AP of accepted of held-back third";

const AP: &str = "AP";
const ACCEPTED: &str = "AP of accepted";

/// The paper's rows: name, kernel without tuned parameters, and figures in the order of topics.
const SYSTEMS: [(&str, &str, Option<[f64; 10]>); 7] = [
    ("BoW tf-idf", "bow", Some([99.86, 99.62, 80.54, 99.69, 98.52, 95.29, 91.61, 96.84, 98.52, 98.95])),
    ("5-grams, uniform", "ngram(k=5)", Some([99.91, 99.61, 82.43, 99.67, 98.23, 95.53, 98.83, 99.42, 98.7, 98.2])),
    ("5-grams, 1/p", "ngram(k=5,weight=inverse)", Some([96.4, 99.7, 84.9, 99.9, 99.9, 94.6, 96.6, 91.7, 97.2, 99.3])),
    ("5-grams, ln 1/p", "ngram(k=5,weight=log)", Some([99.9, 99.5, 83.4, 99.4, 97.2, 95.6, 95.4, 98.9, 99.3, 99.0])),
    ("FSA, uniform", "fsm(min=10)", Some([99.9, 99.7, 86.5, 97.8, 100.0, 94.6, 94.0, 92.7, 95.3, 97.5])),
    ("FSA, ln 1/p", "fsm(min=10,weight=log)", Some([99.9, 99.7, 85.8, 97.5, 100.0, 91.3, 88.8, 98.4, 98.4, 98.1])),
    ("FSA, 1/p", "fsm(min=10,weight=inverse)", None),
];

/// Our candidates: kernel, units, cost; all with squared hinge loss.
const OURS: [(&str, Units, f64); 22] = [
    ("bow", Units::Words, 1.0),
    ("bow(weight=log)", Units::Words, 0.3),
    ("bow(weight=log)", Units::Words, 1.0),
    ("bow(weight=log)", Units::Words, 3.0),
    ("bow(weight=log)", Units::Stems, 1.0),
    ("bow(weight=log)+ngram(k=2,min=2)", Units::Words, 1.0),
    ("bow(weight=log)+ngram(k=2,min=2)", Units::Stems, 1.0),
    ("spectrum(k=5)", Units::Chars, 1.0),
    ("spectrum(k=5)", Units::Lower, 1.0),
    ("ngram(k=5)", Units::Chars, 1.0),
    ("ngram(k=5)", Units::Lower, 0.3),
    ("ngram(k=5)", Units::Lower, 1.0),
    ("ngram(k=5)", Units::Lower, 3.0),
    ("ngram(k=5)", Units::Letters, 1.0),
    ("ngram(k=4..6)", Units::Lower, 1.0),
    ("fsm(min=10)", Units::Lower, 1.0),
    ("fsm(min=300)", Units::Chars, 1.0),
    ("fsm(min=300)", Units::Lower, 1.0),
    ("fsm(min=1000)", Units::Lower, 1.0),
    ("fsm(min=1000)", Units::Letters, 1.0),
    ("fsm(min=300)+fsm(min=3000)", Units::Chars, 1.0),
    ("fsm(min=300)+fsm(min=3000)", Units::Lower, 1.0),
];

/// The preprocessing of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reading {
    units: Units,
    with_title: bool,
}

impl Reading {
    fn describe(self) -> String {
        format!("{}, {} title", self.units.name(), if self.with_title { "with" } else { "without" })
    }

    /// The title is the first line.
    fn text(self, document: &Document) -> &str {
        let body = || document.text.split_once('\n').map_or("", |(_, body)| body);
        if self.with_title { &document.text } else { body() }
    }
}

/// One configuration of a classifier.
struct System {
    kernel: String,
    reading: Reading,
    loss: Loss,
    cost: f64,
}

impl System {
    fn papers(kernel: &str, reading: Reading) -> Self {
        Self { kernel: kernel.to_owned(), reading, loss: Loss::Hinge, cost: 1.0 }
    }

    fn describe(&self) -> String {
        let loss = if self.loss == Loss::Hinge { "" } else { ", squared loss" };
        format!("{}, {}{loss}", self.kernel, self.reading.describe())
    }
}

/// Training and test documents.
struct Halves<'a> {
    train: &'a [Document],
    test: &'a [Document],
    seed: u64,
    resources: &'a Resources,
    progress: Progress<'a>,
}

impl Halves<'_> {
    fn scores(&self, system: &System) -> Result<Vec<Vec<f64>>> {
        let expression: Expression = system.kernel.parse()?;
        let annotator = self.resources.annotator_for(system.reading.units, expression.needs())?;
        let mut symbols = Interner::new();
        let documents = self.train.iter().chain(self.test);
        let texts: Vec<&str> = documents.map(|document| system.reading.text(document)).collect();
        let texts = annotate(&texts, &annotator, &mut symbols, self.progress)?;
        let texts: Vec<&Sentence> = texts.iter().collect();
        let (train, test) = texts.split_at(self.train.len());
        let params = LinearParams { cost: system.cost, ..params(system.loss, self.seed) };
        let recipe =
            Recipe { expression: &expression, texts: train, truth: &truth(self.train), params, is_balanced: false };
        recipe.scores(test, self.progress)
    }

    fn figures(&self, system: &System) -> Result<TopicFigures> {
        topic_figures(&self.scores(system)?, &truth(self.test), 0.0)
    }
}

/// `truth[topic][document]`.
fn truth(documents: &[Document]) -> Vec<Vec<bool>> {
    TOPICS.iter().map(|topic| documents.iter().map(|document| document.has_label(topic)).collect()).collect()
}

fn percent(share: Option<f64>) -> f64 {
    share.unwrap_or(0.0) * 100.0
}

/// Both metrics over all topics: average precision, and average precision of accepted documents.
fn means(figures: &TopicFigures) -> [f64; 2] {
    let summary = &figures.summary;
    [percent(summary.macro_average_precision), percent(summary.macro_accepted_average_precision)]
}

/// Collects rows and reports progress.
struct Table<'a> {
    rows: Vec<Row>,
    progress: Progress<'a>,
    n_done: usize,
    n_total: usize,
}

impl Table<'_> {
    fn next(&mut self, what: &str) -> Result<()> {
        self.n_done += 1;
        self.progress.report_on(Stage::Measure, what, self.n_done - 1, self.n_total)
    }

    /// Measures a system on the held-out third and adds its rows. Returns both metrics.
    fn try_out(&mut self, held_back: &Halves<'_>, system: &System) -> Result<[f64; 2]> {
        self.next(&system.describe())?;
        let means = means(&held_back.figures(system)?);
        for (metric, value) in [AP, ACCEPTED].into_iter().zip(means) {
            self.rows.push(Row {
                dataset: HELD_BACK,
                system: system.describe(),
                protocol: TRIED,
                cost: system.cost,
                metric,
                value,
                held_out: None,
                paper: None,
                note: String::new(),
            });
        }
        Ok(means)
    }

    /// Adds the rows of a system on the test documents.
    fn keep(
        &mut self,
        name: &str,
        system: &System,
        protocol: &'static str,
        held_out: [f64; 2],
        measured: &TopicFigures,
        paper: Option<[f64; 10]>,
    ) {
        let mut push = |dataset, metric, value, held_out, paper| {
            self.rows.push(Row {
                dataset,
                system: name.to_owned(),
                protocol,
                cost: system.cost,
                metric,
                value,
                held_out,
                paper,
                note: system.describe(),
            });
        };
        for (topic, figures) in measured.labels.iter().enumerate() {
            let paper = paper.map(|paper| paper[topic]);
            push(SETS[topic], ACCEPTED, percent(figures.accepted_average_precision), None, paper);
            push(SETS[topic], AP, percent(figures.average_precision), None, paper);
        }
        let paper = paper.map(|paper| (paper.iter().sum::<f64>() * 10.0).round() / 100.0);
        let ([ap, accepted], summary) = (means(measured), &measured.summary);
        push(ALL, ACCEPTED, accepted, Some(held_out[1]), paper);
        push(ALL, AP, ap, Some(held_out[0]), paper);
        push(ALL, "break-even", percent(summary.macro_break_even), None, None);
        push(ALL, "micro F1", 100.0 * summary.micro.f1(), None, None);
        push(ALL, "macro F1", percent(summary.macro_f1), None, None);
    }
}

/// Index of the largest value, the first on ties.
fn largest(values: impl IntoIterator<Item = f64>) -> usize {
    let numbered = values.into_iter().enumerate();
    numbered.reduce(|best, next| if next.1 > best.1 { next } else { best }).map_or(0, |(place, _)| place)
}

/// Measures the table.
pub(super) fn measure(folder: &Path, seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    let all = Documents::read(&there(folder, "reuters21578")?, None)?;
    let part = |split: Split| -> Vec<Document> {
        all.rows.iter().filter(|document| document.split == Some(split)).cloned().collect()
    };
    let (train, test) = (part(Split::Train), part(Split::Test));
    let (first, last) = train.split_at(train.len() * 2 / 3);
    let held_back = Halves { train: first, test: last, seed, resources, progress: progress.quiet() };
    let whole = Halves { train: &train, test: &test, seed, resources, progress: progress.quiet() };

    let readings: Vec<Reading> = [Units::Chars, Units::Lower, Units::Letters]
        .into_iter()
        .flat_map(|units| [true, false].map(|with_title| Reading { units, with_title }))
        .collect();
    let word_readings = [Units::Words, Units::Stems].map(|units| Reading { units, with_title: true });
    const SMOOTHINGS: [f64; 3] = [1.0, 0.1, 0.01];
    let n_total = readings.len() * 2 + word_readings.len() + SMOOTHINGS.len() * 2 + 2 + SYSTEMS.len() + OURS.len() + 2;
    let mut table = Table { rows: Vec::new(), progress, n_done: 0, n_total };

    // Preprocessing: for characters it is chosen by the two uniform kernels together, for words by
    // the bag of words.
    let mut uniform = Vec::new();
    for &reading in &readings {
        let of = |table: &mut Table<'_>, kernel| table.try_out(&held_back, &System::papers(kernel, reading));
        uniform.push(of(&mut table, "ngram(k=5)")?[0] + of(&mut table, "fsm(min=10)")?[0]);
    }
    let by_chars = readings[largest(uniform)];
    let mut bags = Vec::new();
    for &reading in &word_readings {
        bags.push(table.try_out(&held_back, &System::papers("bow", reading))?[0]);
    }
    let by_words = word_readings[largest(bags)];

    for (name, kernel, paper) in SYSTEMS {
        let reading = if kernel == "bow" { by_words } else { by_chars };
        let mut system = System::papers(kernel, reading);
        // Smoothing matters only where probabilities are used.
        let smoothings: &[f64] = if kernel.starts_with("fsm") && kernel.contains("weight") { &SMOOTHINGS } else { &[] };
        let mut tried = Vec::new();
        for smoothing in smoothings {
            let kernel = kernel.replace(")", &format!(",smoothing={smoothing})"));
            tried.push((table.try_out(&held_back, &System::papers(&kernel, reading))?, kernel));
        }
        let held_out = if tried.is_empty() {
            // The first two choices have been measured already.
            let described = system.describe();
            let known = |metric| {
                let row = table.rows.iter().find(|row| row.system == described && row.metric == metric);
                row.map(|row| row.value)
            };
            match (known(AP), known(ACCEPTED)) {
                (Some(ap), Some(accepted)) => [ap, accepted],
                _ => table.try_out(&held_back, &system)?,
            }
        } else {
            let (means, kernel) = tried.swap_remove(largest(tried.iter().map(|(means, _)| means[0])));
            system.kernel = kernel;
            means
        };
        table.next(&system.describe())?;
        table.keep(name, &system, PAPERS, held_out, &whole.figures(&system)?, paper);
    }

    let mut ours = Vec::new();
    for (kernel, units, cost) in OURS {
        let reading = Reading { units, with_title: true };
        let system = System { kernel: kernel.to_owned(), reading, loss: Loss::SquaredHinge, cost };
        ours.push((table.try_out(&held_back, &system)?, system));
    }
    let mut scored = Vec::new();
    for (number, protocol) in [BY_AP, BY_ACCEPTED].into_iter().enumerate() {
        let (means, system) = &ours[largest(ours.iter().map(|(means, _)| means[number]))];
        table.next(&system.describe())?;
        let scores = whole.scores(system)?;
        let figures = topic_figures(&scores, &truth(&test), 0.0)?;
        table.keep("ours", system, protocol, *means, &figures, None);
        if number == 0 {
            scored = scored_rows(&test, &scores);
        }
    }
    progress.report_on(Stage::Measure, "done", n_total, n_total)?;
    Ok(Measured { rows: table.rows, scores: scored })
}

fn scored_rows(test: &[Document], scores: &[Vec<f64>]) -> Vec<Scored> {
    let mut rows = Vec::new();
    for ((set, topic), scores) in SETS.into_iter().zip(TOPICS).zip(scores) {
        rows.extend(test.iter().zip(scores).map(|(document, &score)| Scored {
            dataset: set,
            system: "ours".to_owned(),
            id: document.id.clone(),
            label: document.has_label(topic),
            score,
        }));
    }
    rows
}
