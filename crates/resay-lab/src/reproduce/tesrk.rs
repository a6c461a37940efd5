//! Tables 2, 3 and 4 of the paper on type-enriched kernels (Gleize and Grau, 2015): paraphrase,
//! entailment, answer sentence selection.
//!
//! Every row is a kernel SVM over a precomputed kernel. Its cost is chosen by grouped ten-fold
//! cross-validation on the training set, by F1 for paraphrase and by MRR for answers, as in the
//! paper. For entailment the paper says F as well, but with balanced classes this selects models
//! that say yes to nearly all pairs (TESRK alone to all: accuracy 51.2). So entailment uses
//! accuracy, which is what the table reports. Precision and recall (`pr`) and common words weighted
//! by idf are linear and can be added to a sum unchanged, so each Gram matrix is computed once.
//! Each task is measured with our annotation and with the annotation that comes with the corpora,
//! and then once more with the system that did best in cross-validation among our candidates.

use super::bm25::bm25;
use super::{Measured, Row, Scored, corpus};
use resay::data::{Columns, Dataset, folds, tar_gz};
use resay::kernel::{BoundKernel, Expression, Gram};
use resay::resources::Resources;
use resay::train::{AnnotationSource, annotate};
use resay::{Error, Result};
use resay_learn::eval::metrics::Confusion;
use resay_learn::eval::ranking::{Ranked, RankingFigure, Which, rank};
use resay_learn::eval::significance::{self, mcnemar};
use resay_learn::progress::{Progress, Stage};
use resay_learn::svm::search::{self, DualFit, HeldOut, Plan, cost_grid};
use resay_learn::svm::{ClassWeights, dual};
use resay_text::lexicon::Lexicon;
use resay_text::{Interner, Layers, Pair, Units};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

const N_FOLDS: usize = 10;
const PAPERS: &str = "the paper's, cost by folds";
const OURS: &str = "ours, all by folds";

const SYN: &str = "pattern=stem:synonym,variable=stem:synonym";
const ALL: &str = "pattern=stem:synonym,variable=stem:synonym:hypernym:hyponym:entailment:holonym";
const FIRST: &str = "pattern=stem,variable=stem:synonym1:hypernym:hyponym:entailment:holonym";
const ALL_NE: &str = "pattern=stem:synonym:ne,variable=stem:synonym:hypernym:hyponym:entailment:holonym:ne";

/// A system of the paper: the summed parts, and the paper's figures.
struct System {
    name: &'static str,
    /// Kernel expressions; each is computed once per task.
    parts: Vec<String>,
    paper: [Option<f64>; 2],
}

fn system(name: &'static str, parts: &[&str], paper: [Option<f64>; 2]) -> System {
    System { name, parts: parts.iter().map(|&part| part.to_owned()).collect(), paper }
}

/// The metric of a task, which also selects costs: F1, accuracy, MRR.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Paraphrase,
    Entailment,
    Answers,
}

struct Task {
    name: &'static str,
    kind: Kind,
    annotation: AnnotationSource,
    train: Dataset,
    test: Dataset,
    systems: Vec<System>,
    /// Candidates for our own system, by their parts.
    ours: Vec<Vec<String>>,
    /// Pairs of systems compared by a paired test: better, worse.
    compared: Vec<(&'static str, &'static str)>,
}

/// The corpora annotated by Heilman and Smith (2010): one archive.
pub(super) struct HeilmanSmith {
    name: String,
    files: Vec<(String, Vec<u8>)>,
}

impl HeilmanSmith {
    /// The files of the archive with MSRP's training pairs.
    pub(super) const MSRP_TRAIN: [&str; 2] = ["paraphrase/par_train.dat", "paraphrase/par_dev.dat"];
    /// The files of the archive with MSRP's test pairs.
    pub(super) const MSRP_TEST: [&str; 1] = ["paraphrase/par_test.dat"];

    pub(super) fn open(folder: &Path) -> Result<Self> {
        let archive = folder.join("heilman_smith2010.tar.gz");
        let name = archive.display().to_string();
        let bytes = std::fs::read(&archive).map_err(|error| Error::read(&archive, error))?;
        let files = tar_gz(&name, &bytes)?;
        Ok(Self { name, files })
    }

    /// Reads some of its files as one corpus.
    pub(super) fn corpus(&self, wanted: &[&str]) -> Result<Dataset> {
        let mut all: Option<Dataset> = None;
        for wanted in wanted {
            let Some((path, content)) = self.files.iter().find(|(path, _)| path.ends_with(wanted)) else {
                return Err(Error::file(&self.name, format!("it has no '{wanted}'")));
            };
            let next = Dataset::from_reader(path, &content[..], None, &Columns::default())?;
            match &mut all {
                Some(all) => all.append(next),
                None => all = Some(next),
            }
        }
        all.ok_or_else(|| Error::data("no files to read"))
    }
}

fn tasks(folder: &Path) -> Result<Vec<Task>> {
    let rte = ["rte/rte1_dev.xml", "rte/rte1_test.xml", "rte/rte2_dev.xml", "rte/rte2_test.xml", "rte/rte3_dev.xml"];
    let theirs = HeilmanSmith::open(folder)?;
    let qa = || Ok::<_, Error>((corpus(folder, &["trecqa/train.xml"])?, corpus(folder, &["trecqa/test.xml"])?));
    let (qa_train, qa_test) = qa()?;
    let (qa_train_again, qa_test_again) = qa()?;
    Ok(vec![
        paraphrase(
            "MSRP",
            AnnotationSource::Text,
            corpus(folder, &["msrp/msr_paraphrase_train.txt"])?,
            corpus(folder, &["msrp/msr_paraphrase_test.txt"])?,
        ),
        paraphrase(
            "MSRP, H&S annotation",
            AnnotationSource::File,
            theirs.corpus(&HeilmanSmith::MSRP_TRAIN)?,
            theirs.corpus(&HeilmanSmith::MSRP_TEST)?,
        ),
        entailment("RTE-3", AnnotationSource::Text, corpus(folder, &rte)?, corpus(folder, &["rte/rte3_test.xml"])?),
        entailment(
            "RTE-3, H&S annotation",
            AnnotationSource::File,
            theirs.corpus(&["entailment/trainData.dat", "entailment/devData.dat"])?,
            theirs.corpus(&["entailment/testData.dat"])?,
        ),
        answers("TREC-QA", AnnotationSource::Text, qa_train, qa_test),
        answers("TREC-QA, its annotation", AnnotationSource::File, qa_train_again, qa_test_again),
    ])
}

fn owned(parts: &[&str]) -> Vec<String> {
    parts.iter().map(|&part| part.to_owned()).collect()
}

fn paraphrase(name: &'static str, annotation: AnnotationSource, train: Dataset, test: Dataset) -> Task {
    let typed = format!("tesrk(k=1..4,{SYN})");
    let kb = "kb(k=1..4)";
    let first = "tesrk(k=1..4,pattern=stem,variable=stem:synonym1)";
    let ppdb = "tesrk(k=1..4,pattern=stem,variable=stem:ppdb)";
    Task {
        name,
        kind: Kind::Paraphrase,
        annotation,
        train,
        test,
        systems: vec![
            system("PR", &["pr"], [Some(73.5), Some(82.1)]),
            system("SRK+PR", &[kb, "pr"], [Some(76.2), Some(83.6)]),
            system("TESRK", &[&typed], [Some(76.6), Some(83.7)]),
            system("TESRK+PR", &[&typed, "pr"], [Some(77.2), Some(84.0)]),
        ],
        ours: vec![owned(&[kb, "pr"]), owned(&[first, "pr"]), owned(&[kb, first, "pr"]), owned(&[kb, ppdb, "pr"])],
        compared: vec![("TESRK+PR", "PR"), ("TESRK+PR", "SRK+PR")],
    }
}

fn entailment(name: &'static str, annotation: AnnotationSource, train: Dataset, test: Dataset) -> Task {
    let (all, syn) = (format!("kb(k=1)+tesrk(k=2..4,{ALL})"), format!("kb(k=1)+tesrk(k=2..4,{SYN})"));
    let first = format!("kb(k=1)+tesrk(k=2..4,{FIRST})");
    let kb = "kb(k=1..4)";
    Task {
        name,
        kind: Kind::Entailment,
        annotation,
        train,
        test,
        systems: vec![
            system("PR", &["pr"], [Some(61.8), None]),
            system("TESRK (All)", &[&all], [Some(62.1), None]),
            system("SRK+PR", &[kb, "pr"], [Some(63.8), None]),
            system("TESRK (Syn)+PR", &[&syn, "pr"], [Some(64.1), None]),
            system("TESRK (All)+PR", &[&all, "pr"], [Some(66.1), None]),
        ],
        ours: vec![
            owned(&[kb, "pr"]),
            owned(&["kb(k=1..2)", "pr"]),
            owned(&[&all, "pr"]),
            owned(&[&first, "pr"]),
            owned(&[&all, "pr", "idf"]),
            owned(&[kb, "pr", "idf"]),
        ],
        compared: vec![("TESRK (All)+PR", "PR"), ("TESRK (All)+PR", "TESRK (All)"), ("TESRK (All)+PR", "SRK+PR")],
    }
}

fn answers(name: &'static str, annotation: AnnotationSource, train: Dataset, test: Dataset) -> Task {
    let (all, all_ne) = (format!("tesrk(k=1..5,{ALL})"), format!("tesrk(k=1..5,{ALL_NE})"));
    let kb = "kb(k=1..5)";
    Task {
        name,
        kind: Kind::Answers,
        annotation,
        train,
        test,
        systems: vec![
            system("IDF", &["idf"], [Some(0.596), Some(0.650)]),
            system("SRK", &[kb], [Some(0.609), Some(0.669)]),
            system("SRK+IDF", &[kb, "idf"], [Some(0.620), Some(0.677)]),
            system("TESRK (WN)", &[&all], [Some(0.642), Some(0.725)]),
            system("TESRK (WN+NE)", &[&all_ne], [Some(0.656), Some(0.744)]),
            system("TESRK (WN)+IDF", &[&all, "idf"], [Some(0.678), Some(0.759)]),
            system("TESRK (WN+NE)+IDF", &[&all_ne, "idf"], [Some(0.672), Some(0.768)]),
        ],
        ours: vec![
            owned(&[kb, "idf"]),
            owned(&[&all, "idf"]),
            owned(&[&all_ne, "idf"]),
            owned(&[kb, &all_ne, "idf"]),
            owned(&[kb, &all, "idf"]),
        ],
        compared: vec![("TESRK (WN)+IDF", "SRK+IDF"), ("TESRK (WN+NE)+IDF", "SRK+IDF")],
    }
}

/// A kernel on a task: both matrices.
struct Matrices {
    train: Gram,
    test: Gram,
}

/// The data shared by the systems of a task.
struct Bench<'a> {
    task: &'a Task,
    lexicon: Arc<Lexicon>,
    train: Vec<Pair>,
    test: Vec<Pair>,
    labels: Vec<bool>,
    test_labels: Vec<bool>,
    groups: Vec<usize>,
    test_groups: Vec<usize>,
    folds: Vec<usize>,
    filled: BTreeMap<String, Matrices>,
    progress: Progress<'a>,
}

/// A trained and tested system.
struct Tested {
    cost: f64,
    held_out: f64,
    scores: Vec<f64>,
}

impl<'a> Bench<'a> {
    fn new(
        task: &'a Task,
        lexicon: &Arc<Lexicon>,
        seed: u64,
        resources: &Resources,
        progress: Progress<'a>,
    ) -> Result<Self> {
        let annotator = resources.annotator(Units::Stems, Layers { entities: true, ..Layers::LEMMAS })?;
        let sets = [&task.train, &task.test];
        let mut pairs = annotate(&sets, &annotator, task.annotation, &mut Interner::new(), progress)?;
        let test = pairs.split_off(task.train.len());
        let labels = task.train.labels_binary()?;
        Ok(Self {
            task,
            lexicon: lexicon.clone(),
            train: pairs,
            test,
            folds: folds(&task.train.groups(), &labels, N_FOLDS, seed)?,
            labels,
            test_labels: task.test.labels_binary()?,
            groups: task.train.group_numbers(),
            test_groups: task.test.group_numbers(),
            filled: BTreeMap::new(),
            progress,
        })
    }

    fn fill(&mut self, part: &str) -> Result<()> {
        if !self.filled.contains_key(part) {
            let lexicon = self.lexicon.clone();
            let expression = Expression::parse(part, &|| Ok(lexicon.clone()))?.learn(&self.train, self.progress)?;
            let bound = BoundKernel::new(&expression, &self.train, self.progress)?;
            let (train, test) = (bound.square(self.progress)?, bound.rectangle(&self.test, self.progress)?);
            self.filled.insert(part.to_owned(), Matrices { train, test });
        }
        Ok(())
    }

    /// The sum of the parts' matrices.
    fn sum(&mut self, parts: &[String]) -> Result<Matrices> {
        parts.iter().try_for_each(|part| self.fill(part))?;
        let add = |of: fn(&Matrices) -> &Gram| -> Gram {
            let grams: Vec<&Gram> = parts.iter().filter_map(|part| self.filled.get(part)).map(of).collect();
            let (n_rows, n_columns) = grams.first().map_or((0, 0), |gram| (gram.n_rows(), gram.n_columns()));
            let mut values = vec![0.0; n_rows * n_columns];
            for gram in grams {
                for (row, sums) in values.chunks_mut(n_columns.max(1)).enumerate() {
                    sums.iter_mut().zip(gram.row(row)).for_each(|(sum, value)| *sum += value);
                }
            }
            Gram::new(n_columns, values)
        };
        Ok(Matrices { train: add(|matrices| &matrices.train), test: add(|matrices| &matrices.test) })
    }

    fn ranked(&self, scores: &[f64], which: Which) -> Vec<Ranked> {
        rank(scores, &self.test_labels, &self.test_groups, which)
    }

    /// Trains at the cost that is best in cross-validation, and scores the test set.
    fn run(&mut self, parts: &[String], is_balanced: bool) -> Result<Tested> {
        let Matrices { train, test } = self.sum(parts)?;
        let costs = cost_grid(0.01, 100.0)?;
        let groups = &self.groups;
        let mrr = |held_out: &HeldOut<'_>| {
            let groups: Vec<usize> = held_out.rows.iter().map(|&row| groups[row]).collect();
            RankingFigure::Mrr.mean(&rank(held_out.scores, held_out.labels, &groups, Which::Mixed)).unwrap_or(0.0)
        };
        let measure: search::HeldOutMeasure<'_> = match self.task.kind {
            Kind::Paraphrase => &search::f1,
            Kind::Entailment => &search::accuracy,
            Kind::Answers => &mrr,
        };
        let members: Vec<usize> = (0..self.labels.len()).collect();
        let class_weights =
            if is_balanced { ClassWeights::balanced(&self.labels, &members) } else { ClassWeights::default() };
        let params = dual::DualParams { class_weights, ..dual::DualParams::default() };
        let plan =
            Plan { labels: &self.labels, folds: &self.folds, costs: &costs, measure, rule: search::CostRule::Best };
        let fit = DualFit { problem: dual::DualProblem::new(&train, &self.labels, self.progress)?, params };
        let found = search::search(&fit, &plan, self.progress)?;
        let cost = found.cost();
        let params = dual::DualParams { cost, ..params }.check()?;
        let machine = dual::fit(&fit.problem, &members, &params, None, self.progress)?;
        let scores = (0..test.n_rows()).map(|row| machine.score(test.row(row))).collect();
        Ok(Tested { cost, held_out: found.mean[found.chosen], scores })
    }

    /// The rows of a system.
    fn rows(&self, name: &str, tested: &Tested, protocol: &'static str, paper: [Option<f64>; 2]) -> Vec<Row> {
        let row = |dataset, metric, value, paper, held_out| Row {
            dataset,
            system: name.to_owned(),
            protocol,
            cost: tested.cost,
            metric,
            value,
            held_out,
            paper,
            note: String::new(),
        };
        let held_out = (tested.held_out > 0.0).then_some(tested.held_out);
        match self.task.kind {
            kind @ (Kind::Paraphrase | Kind::Entailment) => {
                let counts = Confusion::at(&tested.scores, &self.test_labels, 0.0);
                let held_out = |of: Kind| held_out.filter(|_| kind == of).map(|value| 100.0 * value);
                vec![
                    row(self.task.name, "accuracy", 100.0 * counts.accuracy(), paper[0], held_out(Kind::Entailment)),
                    row(self.task.name, "F1", 100.0 * counts.f1(), paper[1], held_out(Kind::Paraphrase)),
                ]
            }
            Kind::Answers => {
                let mut rows = Vec::new();
                for (which, metrics) in
                    [(Which::Mixed, ["MAP, 68", "MRR, 68"]), (Which::AnyRight, ["MAP, 89", "MRR, 89"])]
                {
                    let ranked = self.ranked(&tested.scores, which);
                    for (at, (figure, metric)) in
                        [RankingFigure::Map, RankingFigure::Mrr].into_iter().zip(metrics).enumerate()
                    {
                        let paper = paper[at].filter(|_| which == Which::Mixed);
                        let held_out = held_out.filter(|_| metric == "MRR, 68");
                        rows.push(row(self.task.name, metric, figure.mean(&ranked).unwrap_or(0.0), paper, held_out));
                    }
                }
                rows
            }
        }
    }

    /// The p-value of two systems: McNemar on decisions, or sign flips of reciprocal ranks over
    /// questions.
    fn p_value(&self, one: &Tested, other: &Tested) -> Result<f64> {
        if self.task.kind == Kind::Answers {
            let [one, other] = [one, other].map(|tested| self.ranked(&tested.scores, Which::Mixed));
            let found = RankingFigure::Mrr.compare(&one, &other, &significance::ResampleOptions::default())?;
            return Ok(found.map_or(1.0, |comparison| comparison.p_value));
        }
        let right = |tested: &Tested| -> Vec<bool> {
            tested.scores.iter().zip(&self.test_labels).map(|(score, label)| (*score > 0.0) == *label).collect()
        };
        Ok(mcnemar(&right(one), &right(other)))
    }

    fn scored(&self, name: &str, tested: &Tested) -> Vec<Scored> {
        let examples = self.task.test.rows.iter().zip(&self.test_labels).zip(&tested.scores);
        let scored = |((example, &label), &score): ((&resay::data::Example, &bool), &f64)| Scored {
            dataset: self.task.name,
            system: format!("{name} cost {}", tested.cost),
            id: example.id.clone(),
            label,
            score,
        };
        examples.map(scored).collect()
    }
}

/// Measures the three tables.
pub(super) fn measure(folder: &Path, seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    let tasks = tasks(folder)?;
    let total: usize = tasks.iter().map(|task| task.systems.len() + task.ours.len()).sum();
    let mut done = 0;
    let mut step = |what: String| {
        done += 1;
        progress.report_on(Stage::Measure, &what, done - 1, total)
    };
    let lexicon = resources.lexicon()?;
    let mut measured = Measured::default();
    for task in &tasks {
        let mut bench = Bench::new(task, &lexicon, seed, resources, progress.quiet())?;
        let is_answers = task.kind == Kind::Answers;
        if is_answers {
            let scores = bm25(&bench.test);
            let baseline = Tested { cost: 0.0, held_out: 0.0, scores };
            measured.rows.extend(bench.rows("BM25", &baseline, "nothing learned", [None; 2]));
        }
        let mut tested: BTreeMap<&str, Tested> = BTreeMap::new();
        for system in &task.systems {
            step(format!("{} {}", task.name, system.name))?;
            let found = bench.run(&system.parts, false)?;
            measured.rows.extend(bench.rows(system.name, &found, PAPERS, system.paper));
            tested.insert(system.name, found);
        }
        for (better, worse) in &task.compared {
            if let (Some(one), Some(other)) = (tested.get(better), tested.get(worse)) {
                let p = bench.p_value(one, other)?;
                let rows =
                    measured.rows.iter_mut().rev().filter(|row| row.dataset == task.name && row.system == *better);
                let test = if is_answers { "sign flips over questions on MRR" } else { "McNemar" };
                for row in rows {
                    let comma = if row.note.is_empty() { "" } else { "; " };
                    row.note.push_str(&format!("{comma}against {worse}: p = {p:.3} ({test})"));
                }
            }
        }
        let mut best: Option<(String, Tested)> = None;
        for parts in &task.ours {
            let name = parts.join("+");
            step(format!("{} {name}", task.name))?;
            let found = bench.run(parts, is_answers)?;
            // On ties, the first, which is the simplest.
            if best.as_ref().is_none_or(|(_, best)| found.held_out > best.held_out + 1e-12) {
                best = Some((name, found));
            }
        }
        if let Some((name, found)) = best {
            measured.rows.extend(bench.rows(&name, &found, OURS, [None; 2]));
            measured.scores.extend(bench.scored(&name, &found));
        }
    }
    progress.report_on(Stage::Measure, "done", total, total)?;
    Ok(measured)
}
