//! Trains a [`ProgramModel`] on labelled examples: decisions over declared programmes.
//!
//! An example consists of nothing but its programme, so the initial structures are those with the
//! most features that the constraints allow, unless the user gives initial weights. As for latent
//! alignments, the cost is chosen and the probabilities are calibrated on held-out examples before
//! the final training.

use super::Task;
use super::latent::{Staging, check_costs, search_costs};
use super::measure::Measure;
use super::splits::Splits;
use crate::data::{ProgramExample, Programs, folds};
use crate::latent::program::ProgramProblem;
use crate::latent::{self, LatentMachine, LatentParams};
use crate::model::{About, Header, ModelKind, ProgramDetails, ProgramModel, Response, Versions};
use crate::resources::Resources;
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::calibrate::Platt;
use resay_learn::progress::{Progress, Stage};

/// The data on which to choose the cost and calibrate probabilities.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub enum ProgramChoice<'a> {
    /// This many held-out folds.
    Folds(usize),
    /// A development set.
    Dev(&'a Programs),
}

/// Training options.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct ProgramOptions<'a> {
    /// Whether to train structure and decision jointly, or the decision only over the initial
    /// structures.
    pub staging: Staging,
    /// Weights by feature name used to infer the initial structures. If empty, every feature of a
    /// variable weighs 1.
    pub first: Vec<(String, f64)>,
    /// Costs (1 / lambda) to choose from, ascending. A single cost is used as it is.
    pub costs: Vec<f64>,
    /// The data on which to choose the cost and calibrate.
    pub choice: ProgramChoice<'a>,
    /// The measure to maximise. A ranking measure is rejected.
    pub measure: Measure,
    /// Solver parameters; lambda and seed are ignored.
    pub params: LatentParams,
    /// Seed for folds and visiting order.
    pub seed: u64,
}

impl Default for ProgramOptions<'_> {
    fn default() -> Self {
        Self {
            staging: Staging::default(),
            first: Vec::new(),
            costs: vec![0.1, 1.0, 10.0, 100.0],
            choice: ProgramChoice::Folds(5),
            measure: Measure::Accuracy,
            params: LatentParams::default(),
            seed: 1,
        }
    }
}

/// All examples, for training on any subset of them.
struct Learning<'a> {
    problem: ProgramProblem<'a>,
    first: Vec<f64>,
    options: &'a ProgramOptions<'a>,
}

impl Learning<'_> {
    fn fit(&self, rows: &[usize], cost: f64, progress: Progress<'_>) -> Result<LatentMachine> {
        let params = LatentParams { lambda: 1.0 / cost, seed: self.options.seed, ..self.options.params };
        let first = latent::two_stage(&self.problem, rows, &self.first, &params, progress)?;
        match self.options.staging {
            Staging::TwoStage => Ok(first),
            Staging::Joint => latent::learn(&self.problem, rows, &first.weights, &params, progress, &mut |_| Ok(())),
        }
    }

    /// Returns the weights used to infer structures, if they differ from those of the decision.
    fn inference(&self) -> Option<&[f64]> {
        (self.options.staging == Staging::TwoStage).then_some(&self.first[..])
    }

    fn scores(&self, rows: &[usize], weights: &[f64], progress: Progress<'_>) -> Result<Vec<f64>> {
        let inference = self.inference().unwrap_or(weights);
        let score = |&row: &usize| progress.check().and_then(|()| self.problem.score(row, inference, weights));
        rows.par_iter().map(score).collect()
    }
}

/// Trains a model.
pub fn train_programs(
    programs: &Programs,
    options: &ProgramOptions<'_>,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<ProgramModel> {
    resources.threads().run(|| learn_programs(programs, options, resources, progress))?
}

fn learn_programs(
    programs: &Programs,
    options: &ProgramOptions<'_>,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<ProgramModel> {
    check_costs(&options.costs)?;
    if options.measure.ranks() {
        let name = options.measure.name();
        return Err(Error::parameter(format!(
            "{name} ranks within groups, which programmes do not have: take accuracy or F1"
        )));
    }
    let mut labels = programs.labels()?;
    let (n_train, n_positive) = (programs.len(), labels.iter().filter(|label| **label).count());
    if n_positive == 0 || n_positive == n_train {
        let label = n_positive > 0;
        return Err(Error::file(&programs.name, format!("every example has the label {label}: expected both labels")));
    }
    let (splits, dev) = match options.choice {
        ProgramChoice::Folds(n_folds) => {
            let folds = folds(&vec![None::<&str>; n_train], &labels, n_folds, options.seed)?;
            (folds.into_iter().map(Some).collect(), &[][..])
        }
        ProgramChoice::Dev(dev) => {
            labels.extend(dev.labels()?);
            let held_out = dev.examples.iter().map(|_| Some(0));
            (vec![None; n_train].into_iter().chain(held_out).collect(), &dev.examples[..])
        }
    };
    let splits = Splits::new(splits);
    progress.report(Stage::Features, 0, 1)?;
    let all: Vec<&ProgramExample> = programs.examples.iter().chain(dev).collect();
    let problem = ProgramProblem::new(all);
    let first = problem.first_weights(&options.first)?;
    let learning = Learning { problem, first, options };
    let found = search_costs(&options.costs, options.measure, &labels, &splits, progress, |cost, train, rows| {
        let machine = learning.fit(train, cost, progress.quiet())?;
        learning.scores(rows, &machine.weights, progress)
    })?;
    let held_out = splits.held_out();
    let scores: Vec<f64> = held_out.iter().map(|&row| found.scores[0][row]).collect();
    let scored_labels: Vec<bool> = held_out.iter().map(|&row| labels[row]).collect();
    let platt = Platt::fit(&scores, &scored_labels)?;

    progress.report(Stage::Train, 0, options.params.max_iterations)?;
    let rows: Vec<usize> = (0..n_train).collect();
    let machine = learning.fit(&rows, found.cost, progress)?;
    progress.report(Stage::Train, options.params.max_iterations, options.params.max_iterations)?;
    let file_name = std::path::Path::new(&programs.name).file_name();
    let header = Header {
        kind: ModelKind::Program,
        task: Task::Program.name().to_owned(),
        response: Response::Binary { labels: ["0".to_owned(), "1".to_owned()] },
        learner: options.staging.name().to_owned(),
        data: file_name.map_or_else(|| programs.name.clone(), |name| name.to_string_lossy().into_owned()),
        n_examples: n_train,
        counts: vec![n_train - n_positive, n_positive],
        cost: Some(found.cost),
        search: found.tried,
        measure: options.measure.name().to_owned(),
        held_out: Some(found.held_out),
        folds: None,
        merged: Vec::new(),
        sure: None,
        from: None,
        stop: machine.ended(),
        versions: Versions::default(),
        licence: String::new(),
        note: String::new(),
    };
    let details = ProgramDetails { n_features: [0, 0], objectives: machine.objectives(), gap: machine.gap() };
    let (about, features) = (About { header, details }, learning.problem.named_features());
    ProgramModel::new(about, features, &machine.weights, learning.inference(), platt, resources)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::What;
    use crate::model::{AnyModel, Decision, Weight};
    use resay_learn::progress::Step;
    use std::sync::Mutex;

    /// An evening at a restaurant: each person may be trained as a cook and for the bar. Two people
    /// take the two posts. Who takes which is latent; only whether the evening went well is known.
    /// It did if both posts could have a trained person.
    fn evening(people: &[[bool; 2]]) -> String {
        let people = || people.iter().enumerate();
        let is_good = people().any(|(a, cook)| people().any(|(b, bar)| a != b && cook[0] && bar[1]));
        let skill = |trained: bool| if trained { "trained" } else { "new" };
        let variables: Vec<String> = people()
            .flat_map(|(at, [cook, bar])| {
                [("cook", cook), ("bar", bar)]
                    .map(|(post, trained)| format!("\"{post}{at}\": {{\"{}\": 1}}", skill(*trained)))
            })
            .collect();
        let post = |post: &str| {
            let all: Vec<String> = people().map(|(at, _)| format!("{post}{at}")).collect();
            format!("\"{post}: {} = 1\"", all.join(" + "))
        };
        let mut constraints: Vec<String> = people().map(|(at, _)| format!("\"cook{at} + bar{at} <= 1\"")).collect();
        constraints.extend(["cook", "bar"].map(post));
        let (variables, constraints) = (variables.join(", "), constraints.join(", "));
        format!("{{\"label\": {is_good}, \"variables\": {{{variables}}}, \"constraints\": [{constraints}]}}\n")
    }

    /// All possible evenings with this many people.
    fn evenings(n_people: usize) -> Programs {
        let person = |at: usize, person: usize| [at >> (2 * person) & 1 == 1, at >> (2 * person + 1) & 1 == 1];
        let line = |at: usize| evening(&(0..n_people).map(|one| person(at, one)).collect::<Vec<_>>());
        let lines: String = (0..1 << (2 * n_people)).map(line).collect();
        Programs::from_reader("folder/evenings.jsonl", lines.as_bytes()).unwrap()
    }

    fn options() -> ProgramOptions<'static> {
        ProgramOptions { choice: ProgramChoice::Folds(3), ..ProgramOptions::default() }
    }

    fn train(options: &ProgramOptions<'_>) -> ProgramModel {
        train_programs(&evenings(2), options, &Resources::bundled(), Progress::none()).unwrap()
    }

    fn n_wrong(model: &ProgramModel, programs: &Programs) -> usize {
        let found = model.predict(&programs.examples, |example| example, Progress::none()).unwrap();
        let is_wrong = |(found, label): &(Result<Decision>, bool)| found.as_ref().unwrap().label != *label;
        found.into_iter().zip(programs.labels().unwrap()).filter(is_wrong).count()
    }

    /// Sums the features of an example over all variables: all that a linear model without
    /// structure could use.
    fn sums(example: &ProgramExample) -> Vec<(&str, f64)> {
        ["trained", "new"]
            .map(|wanted| {
                let all = example.of_variables.iter().flatten().filter(|(name, _)| name == wanted);
                (wanted, all.map(|(_, value)| value).sum())
            })
            .to_vec()
    }

    #[test]
    fn the_structure_decides_what_no_rule_over_all_features_can() {
        let programs = evenings(2);
        // Evenings with the same features but different labels: any function of the features gets
        // one of them wrong.
        let has_twin = |example: &&ProgramExample| {
            programs.examples.iter().any(|other| sums(other) == sums(example) && other.label != example.label)
        };
        assert_eq!(programs.examples.iter().filter(has_twin).count(), 6);
        let model = train(&options());
        assert_eq!(n_wrong(&model, &programs), 0);
        // The model has learned about people and posts, not about these evenings: it generalises to
        // three and four people.
        assert_eq!((n_wrong(&model, &evenings(3)), n_wrong(&model, &evenings(4))), (0, 0));
        let weights = model.weights();
        let weight = |name: &str| {
            let is_it = |weight: &&Weight| weight.what == What::ProgramFeature(name.to_owned());
            weights.iter().find(is_it).map_or(0.0, |weight| weight.weight)
        };
        assert!(weight("trained") > weight("new"), "{weights:?}");
    }

    #[test]
    fn a_model_is_learned_saved_and_opened() {
        let seen = Mutex::new(Vec::new());
        let report = |step: Step<'_>| seen.lock().unwrap().push((step.stage, step.done, step.total));
        let resources = Resources::bundled();
        let model = train_programs(&evenings(2), &options(), &resources, Progress::new(&report)).unwrap();
        let seen = seen.into_inner().unwrap();
        assert!(seen.contains(&(Stage::Search, 12, 12)) && seen.contains(&(Stage::Train, 50, 50)), "{seen:?}");
        let header = model.header();
        assert_eq!((header.n_examples, &header.counts[..], &header.data[..]), (16, &[9, 7][..], "evenings.jsonl"));
        assert_eq!((header.kind, &header.task[..], &header.learner[..]), (ModelKind::Program, "program", "latent"));
        assert_eq!((header.search.len(), &header.stop[..], &header.measure[..]), (4, "converged", "accuracy"));
        let details = &model.about().details;
        assert!(
            details.objectives.windows(2).all(|two| two[1] <= two[0]) && details.objectives.len() > 1,
            "{details:?}"
        );
        assert_eq!(details.n_features, [2, 2]);
        let path = std::env::temp_dir().join(format!("resay-program-{}.resay", std::process::id()));
        model.save(&path).unwrap();
        let opened = AnyModel::open(&path, &resources);
        std::fs::remove_file(&path).unwrap();
        let Ok(AnyModel::Program(opened)) = opened else { panic!("no model over programmes") };
        assert_eq!(opened.to_bytes().unwrap(), model.to_bytes().unwrap());
        assert!(AnyModel::Program(opened).into_pair_model().is_err());
    }

    #[test]
    fn the_decision_says_who_was_where() {
        let model = train(&options());
        let explained = |people: &[[bool; 2]]| {
            let example = Programs::from_reader("p", evening(people).as_bytes()).unwrap().examples.remove(0);
            let tree = model.explain(&example).unwrap().explanation;
            let mut posts: Vec<String> = tree
                .parts
                .iter()
                .filter_map(|part| if let What::Variable(name) = &part.what { Some(name.clone()) } else { None })
                .collect();
            posts.sort();
            posts
        };
        assert_eq!(explained(&[[false, true], [true, false]]), ["bar0", "cook1"]);
        assert_eq!(explained(&[[false, false], [true, false], [true, true]]), ["bar2", "cook1"]);
        // Unknown features count nothing.
        let line = "{\"features\": {\"snow\": 5}, \"variables\": {\"a\": {\"ill\": 3}}}";
        let example = Programs::from_reader("p", line.as_bytes()).unwrap().examples.remove(0);
        let tree = model.explain(&example).unwrap().explanation;
        assert!(tree.leaves().iter().all(|leaf| leaf.what == What::Bias || leaf.value == 0.0), "{tree:?}");
    }

    #[test]
    fn two_stages_hold_the_first_structures() {
        let first = vec![("trained".to_owned(), 1.0)];
        let model = train(&ProgramOptions { staging: Staging::TwoStage, first, ..options() });
        assert_eq!((&model.header().learner[..], n_wrong(&model, &evenings(2))), ("two-stage", 0));
        // Structures inferred from the wrong feature stay wrong.
        let first = vec![("new".to_owned(), 1.0)];
        let model = train(&ProgramOptions { staging: Staging::TwoStage, first, ..options() });
        assert!(n_wrong(&model, &evenings(2)) > 0);
        let bytes = model.to_bytes().unwrap();
        let again = ProgramModel::from_bytes("m", &bytes, &Resources::bundled()).unwrap();
        let predict = |model: &ProgramModel| model.predict_one(&evenings(3).examples[27]).unwrap();
        assert_eq!(predict(&again), predict(&model));
    }

    #[test]
    fn examples_of_their_own_choose_the_cost() {
        let mut dev = evenings(3);
        dev.examples[0].shared.push(("rain".to_owned(), 1.0));
        let model = train(&ProgramOptions { choice: ProgramChoice::Dev(&dev), ..options() });
        assert_eq!(model.header().search.iter().map(|tried| tried.folds.len()).collect::<Vec<_>>(), [1; 4]);
        // Features found only in the development set are not kept.
        assert_eq!((model.header().n_examples, model.about().details.n_features), (16, [3, 2]));
        assert_eq!(train(&ProgramOptions { seed: 9, ..options() }).header().n_examples, 16);
    }

    #[test]
    fn what_cannot_be_learned_is_refused() {
        let check = |programs: &Programs, options: &ProgramOptions<'_>, expected: &str| {
            let trained = train_programs(programs, options, &Resources::bundled(), Progress::none());
            let error = trained.map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        let good = evenings(2);
        check(&good, &ProgramOptions { costs: vec![], ..options() }, "no costs");
        check(&good, &ProgramOptions { measure: Measure::Mrr, ..options() }, "MRR ranks within groups");
        check(&good, &ProgramOptions { choice: ProgramChoice::Folds(9), ..options() }, "use at most 7 folds");
        check(&good, &ProgramOptions { first: vec![("luck".to_owned(), 1.0)], ..options() }, "the feature 'luck'");
        let mut one = good.clone();
        one.examples.retain(|example| example.label == Some(true));
        check(&one, &options(), "folder/evenings.jsonl: every example has the label true");
        let mut unlabelled = good.clone();
        unlabelled.examples[4].label = None;
        check(&unlabelled, &options(), "folder/evenings.jsonl:5: no label");
        let impossible = "{\"label\": true, \"variables\": {\"a\": {}}, \"constraints\": [\"a >= 2\"]}";
        let mut contradictory = good;
        contradictory.append(Programs::from_reader("more.jsonl", impossible.as_bytes()).unwrap());
        let message = "more.jsonl:1: no choice meets all constraints: constraint 1 alone cannot be met";
        check(&contradictory, &options(), message);
        let cancel = resay_learn::progress::Cancel::new();
        cancel.cancel();
        let stopped =
            train_programs(&evenings(2), &options(), &Resources::bundled(), Progress::none().with_cancel(&cancel));
        assert!(matches!(stopped, Err(Error::Cancelled)));
    }
}
