//! Learning a combined judge: from labelled pairs to a [`CombinedModel`].
//!
//! The systems within are learned on all folds but one and score the one that they have not seen, fold by fold, so that the
//! machine above them learns how far to trust them from scores of pairs that they were not learned from. Then both are
//! learned from everything. Costs of the systems within are fixed; that of the machine is chosen on the same folds.

use super::latent::{self, LatentOptions, Learning, Staging};
use super::splits::Splits;
use super::train::{CostChoice, Measure, Options, Progress, Stage, splits, train};
use super::{Learner, Task};
use crate::data::Dataset;
use crate::kernel::Rows;
use crate::model::{CombinedAbout, CombinedModel, CombinedTrained, Model, PartAbout, Pruning, Seen, Tried};
use crate::model::{latent_size, observer};
use crate::signs::{ObserverScratch, SYSTEMS, Wanted};
use crate::svm::calibrate::Platt;
use crate::svm::linear;
use crate::svm::search::{self, HeldOut, LinearFit, Plan};
use crate::text::Analysis;
use crate::{Error, Result};
use rayon::prelude::*;

/// How to learn.
#[derive(Clone, Debug)]
pub struct CombinedOptions {
    /// What is decided: paraphrase, entailment, or pair, which is taken as paraphrase is.
    pub task: Task,
    /// Costs to choose from, rising; one is taken as it is.
    pub costs: Vec<f64>,
    /// Held-out folds.
    pub folds: usize,
    /// What to maximise.
    pub measure: Measure,
    /// The kernel of the re-writing rules, and the cost of their machine.
    pub rules: (String, f64),
    /// How many rules are kept.
    pub max_rules: usize,
    /// Decides folds and visiting order.
    pub seed: u64,
}

impl CombinedOptions {
    /// The defaults of a task; costs of the rules are those that were best on folds of the corpora.
    pub fn new(task: Task) -> Self {
        let cost = if task == Task::Entailment { 1.0 } else { 3.0 };
        Self {
            task,
            costs: vec![1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2],
            folds: 5,
            measure: Measure::Accuracy,
            rules: (task.default_kernel().to_owned(), cost),
            max_rules: 50_000,
            seed: 1,
        }
    }

    fn rules_options(&self) -> Options<'_> {
        Options {
            kernel: self.rules.0.clone(),
            learner: Learner::Auto,
            costs: vec![self.rules.1],
            choice: CostChoice::Folds(2),
            pruning: Pruning { min_support: 2, max_rules: self.max_rules, examples: false },
            seed: self.seed,
            ..Options::new(self.task)
        }
    }
}

/// Learns a model.
pub fn train_combined(dataset: &Dataset, options: &CombinedOptions, progress: Progress<'_>) -> Result<CombinedModel> {
    if !matches!(options.task, Task::Paraphrase | Task::Entailment | Task::Pair) {
        let name = options.task.name();
        let message = format!("task {name} has no combined judge, expected paraphrase, entailment or pair");
        return Err(Error::parameter(message));
    }
    latent::check_costs(&options.costs)?;
    let (labels, label_names) = options.task.labels(dataset)?;
    let splits = splits(dataset, &labels, CostChoice::Folds(options.folds), options.seed)?;
    let shape = latent::shape(options.task);

    progress(Stage::Annotate, 0, dataset.len());
    let observer = observer()?;
    let annotate = |scratch: &mut ObserverScratch, idx: usize| -> Result<[Analysis; 2]> {
        let example = &dataset.examples[idx];
        let pair = [&example.source, &example.target].map(|text| observer.annotate(text, scratch));
        latent_size([&pair[0], &pair[1]]).map_err(|message| dataset.error(idx, message))?;
        Ok(pair)
    };
    let pairs: Vec<[Analysis; 2]> =
        (0..dataset.len()).into_par_iter().map_init(ObserverScratch::default, annotate).collect::<Result<_>>()?;
    progress(Stage::Features, 0, 1);
    let learning = Learning::new(&pairs, labels.clone(), observer.lexicon(), options.task)?;
    let look = |scratch: &mut ObserverScratch, [source, target]: &[Analysis; 2]| -> Result<Seen> {
        let noticed = observer.observe([source, target], shape, Wanted::Values, scratch)?.noticed;
        Ok(Seen { values: noticed.values, alike: noticed.alike })
    };
    let mut seen: Vec<Seen> = pairs.par_iter().map_init(ObserverScratch::default, look).collect::<Result<_>>()?;
    drop((pairs, observer));

    // What the systems within say of pairs that they were not learned from.
    let measure = |held_out: &HeldOut<'_>| options.measure.of(held_out, &[]);
    let latent_options = LatentOptions {
        choice: CostChoice::Folds(options.folds),
        seed: options.seed,
        ..LatentOptions::new(options.task)
    };
    let rules_scores = cross_fit(dataset, &splits, options)?;
    let found = latent::search(&learning, &labels, &splits, &latent_options, progress)?;
    for (row, seen) in seen.iter_mut().enumerate() {
        seen.values.extend([rules_scores[row], found.scores[row]]);
    }
    let held_out = [splits.mean(&rules_scores, &labels, &measure), splits.mean(&found.scores, &labels, &measure)];
    let parts = SYSTEMS.iter().zip(held_out).map(|(name, held_out)| PartAbout { name: (*name).to_owned(), held_out });

    let machine = Machine::learn(&seen, &labels, &splits, options, &measure)?;
    let about = CombinedAbout {
        task: options.task.name().to_owned(),
        learner: "combined".to_owned(),
        shape,
        labels: label_names.clone(),
        data: dataset.file_name(),
        n_pairs: dataset.len(),
        n_positive: labels.iter().filter(|label| **label).count(),
        cost: machine.cost,
        search: machine.tried,
        measure: options.measure.name().to_owned(),
        held_out: machine.held_out,
        parts: parts.collect(),
        n_signs: machine.weights.len(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        note: String::new(),
    };

    progress(Stage::Train, 0, 1);
    let rules = train(dataset, &options.rules_options(), &|_, _, _| {})?;
    let platt = Platt::fit(&found.scores, &labels)?;
    let begun = found.begin(&learning, dataset, (&labels, label_names), &latent_options, platt);
    let rows: Vec<usize> = (0..dataset.len()).collect();
    let params = latent_options.at(begun.about.cost);
    let fitted = learning.fit(&rows, Staging::Joint, &params, &mut |_| Ok(()))?;
    let Machine { weights, alike, bias, platt, .. } = machine;
    let latent = latent::ended(begun, fitted);
    progress(Stage::Train, 1, 1);
    CombinedModel::new(CombinedTrained { about, weights, alike, bias, platt, rules, latent })
}

/// The score of every row by rules that were learned without its fold.
fn cross_fit(dataset: &Dataset, splits: &Splits, options: &CombinedOptions) -> Result<Vec<f64>> {
    let mut scores = vec![0.0; dataset.len()];
    for fold in 0..splits.n_folds() {
        let (train_rows, rows) = splits.split(fold);
        let model: Model = train(&dataset.subset(&train_rows), &options.rules_options(), &|_, _, _| {})?;
        let examples: Vec<_> = rows.iter().map(|&row| &dataset.examples[row]).collect();
        let held_out = model.score_all(&examples, |example| (&example.source, &example.target))?;
        rows.iter().zip(held_out).for_each(|(&row, decision)| scores[row] = decision.score);
    }
    Ok(scores)
}

/// The machine above the systems.
struct Machine {
    weights: Vec<[f64; 2]>,
    alike: f64,
    bias: f64,
    platt: Platt,
    cost: f64,
    tried: Vec<Tried>,
    held_out: f64,
}

impl Machine {
    /// Learns from rows that were made even: every column has the mean 0 and the spread 1. What that does to the weights is
    /// undone, so that a sign of value 0 adds nothing.
    fn learn(
        seen: &[Seen],
        labels: &[bool],
        splits: &Splits,
        options: &CombinedOptions,
        measure: search::Measure<'_>,
    ) -> Result<Self> {
        let dense: Vec<Vec<f64>> = seen.iter().map(Seen::row).collect();
        let n_columns = dense.first().map_or(0, Vec::len);
        let n = dense.len().max(1) as f64;
        let even: Vec<(f64, f64)> = (0..n_columns)
            .map(|column| {
                let mean = dense.iter().map(|row| row[column]).sum::<f64>() / n;
                let square = dense.iter().map(|row| (row[column] - mean).powi(2)).sum::<f64>() / n;
                (mean, if square > 1e-12 { square.sqrt() } else { f64::INFINITY })
            })
            .collect();
        let mut rows = Rows::new(n_columns);
        for row in &dense {
            let values = row.iter().zip(&even).map(|(value, (mean, spread))| (value - mean) / spread);
            rows.push((0..).zip(values), 0.0);
        }
        let params = linear::Params {
            loss: linear::Loss::SquaredHinge,
            tolerance: 1e-3,
            seed: options.seed,
            ..linear::Params::default()
        };
        let fit = LinearFit { problem: linear::Problem::new(&rows, labels)?, params };
        let folds = splits.folds();
        let plan = Plan { labels, folds: &folds, costs: &options.costs, measure, rule: search::Rule::default() };
        let found = search::search(&fit, &plan, &|_, _| {})?;
        let platt = Platt::fit(&found.held_out_scores, labels)?;
        let members: Vec<usize> = (0..labels.len()).collect();
        let machine =
            linear::fit(&fit.problem, &members, &linear::Params { cost: found.cost(), ..params }.check()?, None)?;
        let weights: Vec<f64> =
            machine.weights.iter().zip(&even).map(|(weight, (_, spread))| weight / spread).collect();
        let shift: f64 = weights.iter().zip(&even).map(|(weight, (mean, _))| weight * mean).sum();
        let n_signs = (n_columns - 1) / 2;
        let tried = found.costs.iter().zip(&found.mean).zip(&found.fold_scores);
        Ok(Self {
            weights: (0..n_signs).map(|sign| [weights[sign], weights[n_signs + sign]]).collect(),
            alike: weights[n_columns - 1],
            bias: machine.bias - shift,
            platt,
            cost: found.cost(),
            tried: tried.map(|((&cost, &mean), folds)| Tried { cost, mean, folds: folds.clone() }).collect(),
            held_out: found.mean[found.chosen],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AnyModel, Judge};
    use crate::task::latent::tests::pairs;

    fn options(task: Task) -> CombinedOptions {
        CombinedOptions { folds: 2, costs: vec![0.01, 0.1], ..CombinedOptions::new(task) }
    }

    fn learn(task: Task) -> CombinedModel {
        train_combined(&pairs(32, 0), &options(task), &|_, _, _| {}).unwrap()
    }

    const TEXTS: [(&str, &str); 5] = [
        ("Anna bought the boat.", "The boat was purchased by Anna."),
        ("Anna bought 12 boats.", "Anna never bought 13 boats."),
        ("", "Anna left."),
        ("", ""),
        ("Prices rose. Omar left.", "Prices fell; Omar stayed."),
    ];

    #[test]
    fn a_judge_is_learned_and_its_reasons_add_up() {
        for task in [Task::Paraphrase, Task::Entailment] {
            let model = learn(task);
            let about = model.about();
            assert_eq!((about.n_pairs, about.n_positive, about.search.len()), (32, 16, 2));
            assert_eq!(about.parts.iter().map(|part| &part.name[..]).collect::<Vec<_>>(), SYSTEMS);
            for (source, target) in TEXTS {
                let decision = model.score(source, target).unwrap();
                let (judged, explanation) = model.explain(source, target).unwrap();
                let sum: f64 = explanation.leaves().iter().map(|leaf| leaf.value).sum();
                let close = |a: f64, b: f64| (a - b).abs() < 1e-9 * b.abs().max(1.0);
                assert!(close(sum, decision.score) && close(explanation.value, decision.score), "{source} / {target}");
                assert_eq!(judged.decision, decision);
                for place in explanation.leaves().iter().flat_map(|leaf| &leaf.places) {
                    assert!(place.source.iter().all(|span| source.get(span.range()).is_some()), "{place:?}");
                    assert!(place.target.iter().all(|span| target.get(span.range()).is_some()), "{place:?}");
                }
            }
            let decided = model.decide_all(&TEXTS).unwrap();
            let one_by_one: Vec<_> = TEXTS.iter().map(|(a, b)| model.score(a, b).unwrap()).collect();
            assert_eq!(decided, one_by_one, "one by one and all at once");
            let texts: Vec<&str> = TEXTS.iter().flat_map(|(a, b)| [*a, *b]).collect();
            let places: Vec<[usize; 2]> = (0..TEXTS.len()).map(|at| [2 * at, 2 * at + 1]).collect();
            assert_eq!(model.decide_pairs(&model.read_all(&texts), &places).unwrap(), decided, "read beforehand");
        }
    }

    #[test]
    fn what_was_saved_is_opened_and_decides_the_same() {
        let model = learn(Task::Paraphrase);
        let bytes = model.to_bytes().unwrap();
        assert_eq!(learn(Task::Paraphrase).to_bytes().unwrap(), bytes, "the same data and options");
        let path = std::env::temp_dir().join(format!("resay-combined-{}.resay", std::process::id()));
        model.save(&path).unwrap();
        let opened = crate::model::open(&path);
        std::fs::remove_file(&path).unwrap();
        let Ok(AnyModel::Combined(opened)) = opened else { panic!("no combined judge") };
        assert_eq!(opened.to_bytes().unwrap(), bytes);
        for (source, target) in TEXTS {
            assert_eq!(opened.score(source, target).unwrap(), model.score(source, target).unwrap());
        }
        for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
            assert!(CombinedModel::from_bytes("cut.resay", &bytes[..cut]).is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn what_cannot_be_learned_is_refused() {
        let check = |dataset: &Dataset, options: &CombinedOptions, expected: &str| {
            let error = train_combined(dataset, options, &|_, _, _| {}).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        let good = options(Task::Paraphrase);
        check(&pairs(8, 0), &options(Task::Topics), "has no combined judge");
        check(&pairs(8, 0), &CombinedOptions { costs: vec![], ..good.clone() }, "no costs");
        check(&pairs(8, 0), &CombinedOptions { folds: 1, ..good.clone() }, "folds");
        let mut long = pairs(8, 0);
        [long.examples[2].source, long.examples[2].target] = ["word ".repeat(1001), "word ".repeat(1000)];
        check(&long, &good, "folder/pairs.tsv:4: 1001 and 1000 words are too many to align");
    }
}
