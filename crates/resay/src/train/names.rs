//! Trains a name-matching model on true pairs, and evaluates a model against true pairs.
//!
//! The cost is chosen on held-out pairs by mean reciprocal rank: each held-out source is compared
//! with the targets of its group, which are held out too, filled up with targets of training pairs
//! if the group is small. Probabilities are calibrated on the scores of held-out pairs, true ones
//! and randomly drawn wrong ones. All this happens before the final training begins, so that the
//! model can be saved after each of its iterations.

use super::latent::{Staging, check_costs};
use crate::data::Names;
use crate::latent::names::{Begin, Examples, MachineScratch, NameMachine, NamesSettings, PreparedNames};
use crate::latent::{self, LatentMachine, LatentParams};
use crate::model::{About, Header, ModelKind, NamesDetails, NamesModel, Response, Tried, Versions};
use crate::resources::Resources;
use crate::train::Task;
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::calibrate::Platt;
use resay_learn::eval::ranking::{Ranked, RankingFigure, Which, rank};
use resay_learn::progress::{Progress, Stage};
use resay_learn::rng::SplitMix;

/// The data on which to choose the cost and calibrate probabilities.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub enum NamesChoice<'a> {
    /// This many folds. All are held out in turn if there are few pairs; otherwise only as many as
    /// make about 1,000 pairs, at least one.
    Folds(usize),
    /// A development set of true pairs.
    Dev(&'a Names),
}

/// This many held-out pairs are enough to choose a cost and to calibrate. Every further fold is one
/// more training per cost.
pub const ENOUGH_HELD_OUT: usize = 1_000;

/// Training options.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "unstable"), non_exhaustive)]
pub struct NamesOptions<'a> {
    /// How mapping and decision are trained.
    pub staging: Staging,
    /// How the initial character mappings are chosen.
    pub begin: Begin,
    /// Features and wrong pairs.
    pub settings: NamesSettings,
    /// Costs (1 / lambda) to choose from, ascending. A single cost is used as it is.
    pub costs: Vec<f64>,
    /// The data on which to choose the cost.
    pub choice: NamesChoice<'a>,
    /// Maximum number of candidates for a held-out name.
    pub n_candidates: usize,
    /// Solver parameters; lambda and seed are ignored.
    pub params: LatentParams,
    /// Seed for folds, wrong pairs and visiting order.
    pub seed: u64,
}

impl Default for NamesOptions<'_> {
    fn default() -> Self {
        Self {
            staging: Staging::default(),
            begin: Begin::default(),
            settings: NamesSettings::default(),
            costs: vec![1.0, 3.0, 10.0],
            choice: NamesChoice::Folds(5),
            n_candidates: 300,
            params: LatentParams { tolerance: 1e-3, improvement: 1e-4, max_iterations: 20, ..LatentParams::default() },
            seed: 1,
        }
    }
}

/// A training set, for training at any cost.
struct Learning<'a> {
    examples: Examples,
    begin: Vec<f64>,
    options: &'a NamesOptions<'a>,
}

impl<'a> Learning<'a> {
    fn new(pairs: &[(String, String)], options: &'a NamesOptions<'a>, progress: Progress<'_>) -> Result<Self> {
        let examples = Examples::new(pairs, &NamesSettings { seed: options.seed, ..options.settings }, progress)?;
        let begin = examples.begin(options.begin, progress)?;
        Ok(Self { examples: examples.looked_up(progress)?, begin, options })
    }

    fn fit(
        &self,
        cost: f64,
        progress: Progress<'_>,
        watch: &mut dyn FnMut(latent::LatentStage<'_>) -> Result<()>,
    ) -> Result<LatentMachine> {
        let problem = self.examples.problem();
        let members: Vec<usize> = (0..self.examples.pairings().len()).collect();
        let params = LatentParams { lambda: 1.0 / cost, seed: self.options.seed, ..self.options.params };
        let first = latent::two_stage(&problem, &members, &self.begin, &params, progress)?;
        match self.options.staging {
            Staging::TwoStage => Ok(first),
            Staging::Joint => latent::learn(&problem, &members, &first.weights, &params, progress, watch),
        }
    }

    fn machine(&self, weights: &[f64]) -> Result<NameMachine> {
        let inference = (self.options.staging == Staging::TwoStage).then_some(&self.begin[..]);
        self.examples.machine(weights, inference)
    }
}

/// Held-out pairs, and training pairs whose targets fill up their groups.
struct Fold {
    train: Vec<(String, String)>,
    held_out: Vec<(String, String)>,
}

/// Results on held-out pairs at one cost.
struct HeldOut {
    ranked: Vec<Ranked>,
    scores: Vec<f64>,
    labels: Vec<bool>,
}

fn folds(names: &Names, options: &NamesOptions<'_>) -> Result<Vec<Fold>> {
    let n_folds = match options.choice {
        NamesChoice::Dev(dev) => return Ok(vec![Fold { train: names.rows.clone(), held_out: dev.rows.clone() }]),
        NamesChoice::Folds(n_folds) => n_folds,
    };
    if n_folds < 2 || names.len() < 2 * n_folds {
        let n = names.len();
        return Err(Error::parameter(format!(
            "{n_folds} folds with {n} pairs: expected at least 2 folds, and at least 2 pairs in each"
        )));
    }
    let mut order: Vec<usize> = (0..names.len()).collect();
    SplitMix::new(options.seed).shuffle(&mut order);
    let mut fold_of = vec![0; names.len()];
    order.iter().enumerate().for_each(|(at, &pair)| fold_of[pair] = at % n_folds);
    let n_held_out = n_held_out(n_folds, names.len());
    let fold = |fold: usize| {
        let part = |inside: bool| {
            let kept = names.rows.iter().zip(&fold_of).filter(|(_, of)| (**of == fold) == inside);
            kept.map(|(pair, _)| pair.clone()).collect()
        };
        Fold { train: part(false), held_out: part(true) }
    };
    Ok((0..n_held_out).map(fold).collect())
}

/// The number of folds to hold out: as many as come closest to [`ENOUGH_HELD_OUT`] pairs.
fn n_held_out(n_folds: usize, n_pairs: usize) -> usize {
    let nearest = n_folds.saturating_mul(ENOUGH_HELD_OUT).saturating_add(n_pairs / 2) / n_pairs.max(1);
    nearest.clamp(1, n_folds)
}

/// Trains a model. During the final training, `checkpoint` receives the current model after every
/// iteration.
pub fn train_names(
    names: &Names,
    options: &NamesOptions<'_>,
    resources: &Resources,
    progress: Progress<'_>,
    checkpoint: &mut (dyn FnMut(&NamesModel) -> Result<()> + Send),
) -> Result<NamesModel> {
    resources.threads().run(|| learn_names(names, options, resources, progress, checkpoint))?
}

fn learn_names(
    names: &Names,
    options: &NamesOptions<'_>,
    resources: &Resources,
    progress: Progress<'_>,
    checkpoint: &mut dyn FnMut(&NamesModel) -> Result<()>,
) -> Result<NamesModel> {
    check_costs(&options.costs)?;
    let folds = folds(names, options)?;
    let n_costs = options.costs.len();
    progress.report(Stage::Search, 0, folds.len() * n_costs)?;
    let done = std::sync::atomic::AtomicUsize::new(0);
    // Indexed `held_out[fold][cost]`.
    let held_out: Vec<Vec<HeldOut>> = folds
        .par_iter()
        .map(|fold| {
            let learning = Learning::new(&fold.train, options, progress)?;
            let settings = NamesSettings { seed: options.seed, ..options.settings };
            let wrong = Examples::new(&fold.held_out, &settings, progress)?;
            let at_cost = |&cost: &f64| {
                let fitted = learning.fit(cost, progress.quiet(), &mut |_| Ok(()))?;
                let machine = learning.machine(&fitted.weights)?;
                let held_out = hold_against(&machine, fold, &wrong, options.n_candidates, progress)?;
                let done = 1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                progress.report(Stage::Search, done, folds.len() * n_costs)?;
                Ok(held_out)
            };
            options.costs.par_iter().map(at_cost).collect::<Result<Vec<HeldOut>>>()
        })
        .collect::<Result<_>>()?;
    let mean = |figure: RankingFigure, ranked: &[Ranked]| figure.mean(ranked).unwrap_or(0.0);
    let tried = |(at, &cost): (usize, &f64)| {
        let by_fold: Vec<f64> = held_out.iter().map(|fold| mean(RankingFigure::Mrr, &fold[at].ranked)).collect();
        Tried { cost, mean: by_fold.iter().sum::<f64>() / by_fold.len().max(1) as f64, folds: by_fold }
    };
    let search: Vec<Tried> = options.costs.iter().enumerate().map(tried).collect();
    let best = search.iter().map(|tried| tried.mean).fold(f64::NEG_INFINITY, f64::max);
    // On ties, prefer the smallest cost, which gives the simplest machine.
    let chosen = search.iter().position(|tried| tried.mean >= best - 1e-12).unwrap_or(0);
    let at_chosen = || held_out.iter().map(|fold| &fold[chosen]);
    let ranked: Vec<Ranked> = at_chosen().flat_map(|held_out| held_out.ranked.iter().copied()).collect();
    let scores: Vec<f64> = at_chosen().flat_map(|held_out| held_out.scores.iter().copied()).collect();
    let labels: Vec<bool> = at_chosen().flat_map(|held_out| held_out.labels.iter().copied()).collect();
    let platt = Platt::fit(&scores, &labels)?;

    progress.report(Stage::Train, 0, options.params.max_iterations)?;
    let learning = Learning::new(&names.rows, options, progress)?;
    let file_name = std::path::Path::new(&names.name).file_name();
    let header = Header {
        kind: ModelKind::Names,
        task: Task::Names.name().to_owned(),
        response: Response::Binary { labels: ["0".to_owned(), "1".to_owned()] },
        learner: options.staging.name().to_owned(),
        data: file_name.map_or_else(|| names.name.clone(), |name| name.to_string_lossy().into_owned()),
        n_examples: names.len(),
        counts: vec![learning.examples.n_wrong(), names.len()],
        cost: Some(options.costs[chosen]),
        search,
        measure: RankingFigure::Mrr.name().to_owned(),
        held_out: Some(mean(RankingFigure::Mrr, &ranked)),
        folds: None,
        merged: Vec::new(),
        sure: None,
        from: None,
        stop: "interrupted".to_owned(),
        versions: Versions::default(),
        licence: String::new(),
        note: String::new(),
    };
    let details = NamesDetails {
        begin: options.begin.name().to_owned(),
        templates: 0,
        scale: String::new(),
        held_out_accuracy: mean(RankingFigure::PrecisionAt1, &ranked),
        n_candidates: options.n_candidates,
        objectives: Vec::new(),
        gap: 0.0,
        n_features: [0, 0],
        units: 0,
    };
    let mut about = About { header, details };
    let mut objectives = Vec::new();
    let machine = learning.fit(options.costs[chosen], progress, &mut |stage| {
        let latent::LatentStage::Step(_, step, weights) = stage else { return Ok(()) };
        objectives.push(step.objective);
        let mut about = about.clone();
        about.details.objectives.clone_from(&objectives);
        about.details.gap = step.gap / step.objective;
        checkpoint(&NamesModel::new(about, &learning.machine(weights)?, platt, resources)?)
    })?;
    about.details.objectives = machine.objectives();
    about.details.gap = machine.gap();
    about.header.stop = machine.ended();
    NamesModel::new(about, &learning.machine(&machine.weights)?, platt, resources)
}

/// Ranks the held-out pairs, and scores them together with wrong pairs of held-out names.
fn hold_against(
    machine: &NameMachine,
    fold: &Fold,
    examples: &Examples,
    n_candidates: usize,
    progress: Progress<'_>,
) -> Result<HeldOut> {
    let others: Vec<&str> = fold.train.iter().map(|(_, target)| &target[..]).collect();
    let ranked = rank_in_groups(machine, &fold.held_out, &others, n_candidates, progress)?;
    // The examples number characters by their own alphabets, so pairs are encoded again.
    let pair = |scratch: &mut MachineScratch, number: usize| {
        progress.check()?;
        let (source, target, is_true) = examples.pairing(number, &fold.held_out);
        let score = machine.score(&machine.views(0, source), &machine.views(1, target), scratch)?;
        Ok((score, is_true))
    };
    let n_pairings = examples.pairings().len();
    let scored: Vec<(f64, bool)> =
        (0..n_pairings).into_par_iter().map_init(MachineScratch::default, pair).collect::<Result<_>>()?;
    let (scores, labels) = scored.into_iter().unzip();
    Ok(HeldOut { ranked, scores, labels })
}

/// Ranks the targets of each source's group. A group consists of `n_candidates` consecutive pairs;
/// the last one is filled up from `others` as far as possible. All targets spelled like the right
/// one are right. On equal scores, wrong targets rank first.
pub fn rank_in_groups(
    machine: &NameMachine,
    pairs: &[(String, String)],
    others: &[&str],
    n_candidates: usize,
    progress: Progress<'_>,
) -> Result<Vec<Ranked>> {
    let mut ranked = Vec::with_capacity(pairs.len());
    for group in pairs.chunks(n_candidates.max(1)) {
        let mut candidates: Vec<&str> = group.iter().map(|(_, target)| &target[..]).collect();
        let n_missing = n_candidates.saturating_sub(candidates.len());
        candidates.extend(others.iter().take(n_missing));
        let prepared = PreparedNames::new(machine, &candidates);
        let sources: Vec<&str> = group.iter().map(|(source, _)| &source[..]).collect();
        let best = prepared.rank_all(machine, &sources, candidates.len(), progress)?;
        for ((_, target), best) in group.iter().zip(best) {
            let scores: Vec<f64> = best.found.iter().map(|found| found.score).collect();
            let labels: Vec<bool> = best.found.iter().map(|found| candidates[found.candidate] == target).collect();
            ranked.extend(rank(&scores, &labels, &vec![ranked.len(); scores.len()], Which::AnyRight));
        }
    }
    Ok(ranked)
}

/// Evaluates a model on true pairs, in groups of this many candidates.
pub fn rank_names(model: &NamesModel, names: &Names, n_candidates: usize) -> Result<Vec<Ranked>> {
    rank_in_groups(model.machine(), &names.rows, &[], n_candidates, Progress::none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::What;
    use crate::latent::names::NameUnits;
    use crate::model::{AnyModel, NameCandidates, NamesAbout, PairModel};
    use resay_learn::progress::Step;
    use resay_text::container::Container;
    use std::sync::Mutex;

    /// Names transliterated by a rule: letters map one to one, and `e` is dropped.
    fn names(n: usize, seed: u64) -> Names {
        let mut random = SplitMix::new(seed);
        let letters = [('a', "א"), ('b', "ב"), ('d', "ד"), ('e', ""), ('g', "ג"), ('l', "ל"), ('m', "מ"), ('r', "ר")];
        let mut lines = String::new();
        for _ in 0..n {
            let picked: Vec<_> = (0..3 + random.below(4)).map(|_| letters[random.below(letters.len())]).collect();
            let target: String = picked.iter().map(|letter| letter.1).collect();
            lines += &format!("{}\tא{target}\n", picked.iter().map(|letter| letter.0).collect::<String>());
        }
        Names::from_reader("folder/names.tsv", lines.as_bytes()).unwrap()
    }

    fn options() -> NamesOptions<'static> {
        NamesOptions { costs: vec![1.0, 10.0], choice: NamesChoice::Folds(3), ..NamesOptions::default() }
    }

    fn train(options: &NamesOptions<'_>) -> NamesModel {
        train_names(&names(60, 1), options, &Resources::bundled(), Progress::none(), &mut |_| Ok(())).unwrap()
    }

    /// Saves and reopens a model.
    fn again(model: &NamesModel) -> NamesModel {
        let bytes = model.to_bytes().unwrap();
        let again = NamesModel::from_bytes("m.resay", &bytes, &Resources::bundled()).unwrap();
        assert_eq!((again.about(), again.machine()), (model.about(), model.machine()));
        assert_eq!((again.decide(0.5), again.to_bytes().unwrap()), (model.decide(0.5), bytes));
        again
    }

    #[test]
    fn a_model_is_learned_saved_and_opened() {
        let seen = Mutex::new(Vec::new());
        let mut checkpoints = Vec::new();
        let report = |step: Step<'_>| seen.lock().unwrap().push((step.stage, step.done, step.total));
        let (resources, progress) = (Resources::bundled(), Progress::new(&report));
        let model = train_names(&names(60, 1), &options(), &resources, progress, &mut |model| {
            checkpoints.push(model.clone());
            Ok(())
        })
        .unwrap();
        let seen = seen.into_inner().unwrap();
        assert!(seen.contains(&(Stage::Search, 6, 6)) && seen.contains(&(Stage::Train, 1, 20)), "{seen:?}");
        let NamesAbout { header, details } = model.about();
        assert_eq!((header.n_examples, &header.data[..], &header.task[..]), (60, "names.tsv", "names"));
        let mrr = header.held_out.unwrap();
        assert!(mrr > 0.9 && details.held_out_accuracy <= mrr, "{header:?} {details:?}");
        assert!(details.objectives.windows(2).all(|pair| pair[1] < pair[0]) && details.gap <= 1e-3, "{details:?}");
        assert_eq!(header.stop, "converged");
        // The last checkpoint equals the model, except for how training stopped.
        let last = checkpoints.last().unwrap();
        assert_eq!((last.machine(), &last.about().header.stop[..]), (model.machine(), "interrupted"));
        let again = again(&model);
        assert_eq!(train(&options()).to_bytes().unwrap(), model.to_bytes().unwrap(), "the same data and options");
        let test = names(80, 2);
        let figures = rank_names(&again, &test, 40).unwrap();
        assert!(RankingFigure::Mrr.mean(&figures).unwrap() > 0.9);
        let candidates = NameCandidates::new(&again, test.rows.iter().map(|pair| pair.1.clone()).collect());
        let best = again.rank(&test.rows[3].0, &candidates, 2).unwrap();
        let judge: &dyn PairModel = &again;
        let prediction = judge.predict_one(&test.rows[3].0, &candidates.names()[best.found[0].candidate]);
        let decision = prediction.unwrap().decision().unwrap();
        assert_eq!((decision.score, decision.label), (best.found[0].score, decision.score > 0.0));
        assert!((decision.probability > 0.5) == (again.decide(0.0).probability < decision.probability));
        assert!(again.weights(0).len() >= 3 && again.weights(0).is_sorted_by(|a, b| a.weight.abs() >= b.weight.abs()));
        let path = std::env::temp_dir().join(format!("resay-names-{}.resay", std::process::id()));
        model.save(&path).unwrap();
        let opened = AnyModel::open(&path, &resources);
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(opened, Ok(AnyModel::Names(_))));
    }

    #[test]
    fn two_stages_keep_what_maps_are_made_by() {
        let options = NamesOptions { staging: Staging::TwoStage, ..options() };
        let model = train(&options);
        let again = again(&model);
        assert!(again.machine().inference().is_some() && again.about().header.learner == "two-stage");
    }

    #[test]
    fn pairs_of_their_own_choose_the_cost() {
        let dev = names(30, 3);
        let model = train(&NamesOptions { choice: NamesChoice::Dev(&dev), ..options() });
        assert_eq!(model.about().header.search.iter().map(|tried| tried.folds.len()).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn folds_are_held_out_until_there_is_enough() {
        let cases =
            [(5, 10, 5), (5, 250, 5), (5, 1_000, 5), (5, 2_000, 3), (5, 3_400, 1), (5, 5_000, 1), (5, 90_000, 1)];
        for (n_folds, n_pairs, expected) in cases.into_iter().chain([(2, 600, 2), (10, 5_000, 2)]) {
            assert_eq!(n_held_out(n_folds, n_pairs), expected, "{n_folds} folds, {n_pairs} pairs");
        }
        let many = folds(&names(3_400, 1), &NamesOptions::default()).unwrap();
        assert_eq!(many.iter().map(|fold| (fold.train.len(), fold.held_out.len())).collect::<Vec<_>>(), [(2_720, 680)]);
    }

    #[test]
    fn damaged_models_are_refused() {
        let model = train(&NamesOptions { costs: vec![1.0], ..options() });
        let bytes = model.to_bytes().unwrap();
        let resources = Resources::bundled();
        for cut in [10, bytes.len() / 2, bytes.len() - 1] {
            assert!(NamesModel::from_bytes("m.resay", &bytes[..cut], &resources).is_err(), "{cut}");
        }
        let check = |change: &dyn Fn(&mut NamesAbout), weights: Vec<u8>, expected: &str| {
            let good = Container::<NamesAbout>::unpack("m.resay", &bytes).unwrap();
            let mut about = model.about().clone();
            change(&mut about);
            let mut container = Container::new(about);
            for section in ["head", "characters"] {
                container.push(section, good.section("m.resay", section).unwrap().to_vec());
            }
            container.push("weights", weights);
            let bytes = container.pack().unwrap();
            let error = NamesModel::from_bytes("m.resay", &bytes, &resources).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        check(&|about| about.details.scale = "huge".into(), vec![0], "a scale 'huge'");
        check(&|about| about.details.templates = u16::MAX, vec![0], "templates 65535");
        let other = "a model that aligns (task names), expected a model of names";
        check(&|about| about.header.kind = ModelKind::Align, vec![0], other);
        check(&|about| about.header.learner = "two-stage".into(), vec![0], "3 sections, expected 4");
        let same = |_: &mut NamesAbout| {};
        check(&same, vec![0], "0 weights for 1 features");
        check(&same, vec![200], "weights");
        check(&same, [vec![1], f32::NAN.to_le_bytes().to_vec()].concat(), "not finite");
        check(&same, [vec![1], 1e30_f32.to_le_bytes().to_vec()].concat(), "a weight of 1");
        // A mapping of the 127th character.
        check(&same, [vec![2, 0, 0, 0, 0, 127, 0, 0, 0, 0]].concat(), "a feature that cannot be");
    }

    #[test]
    fn what_cannot_be_learned_is_refused() {
        let check = |n: usize, options: NamesOptions<'_>, expected: &str| {
            let resources = Resources::bundled();
            let trained = train_names(&names(n, 1), &options, &resources, Progress::none(), &mut |_| Ok(()));
            let error = trained.unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        check(5, options(), "3 folds with 5 pairs");
        check(60, NamesOptions { costs: vec![], ..options() }, "no costs");
        check(60, NamesOptions { costs: vec![-1.0], ..options() }, "a cost of -1");
    }

    #[test]
    fn equal_spellings_are_equally_right() {
        let model = train(&NamesOptions { costs: vec![1.0], ..options() });
        let pairs: Vec<(String, String)> =
            [("gal", "אגאל"), ("gael", "אגאל"), ("mar", "אמאר")].map(|(a, b)| (a.into(), b.into())).to_vec();
        let ranked = rank_in_groups(model.machine(), &pairs, &["אבב"], 3, Progress::none()).unwrap();
        assert_eq!(ranked.iter().map(|ranked| ranked.group).collect::<Vec<_>>(), [0, 1, 2]);
        assert!(ranked.iter().all(|ranked| ranked.reciprocal_rank == 1.0), "{ranked:?}");
    }

    /// Made-up names of two or three syllables, each a sound and its sign. Only every fourth sign is
    /// used if `is_rare`, otherwise all others are.
    fn of_syllables(syllables: &[(String, char)], is_rare: Option<bool>, n: usize, seed: u64) -> Names {
        let is_used = |at: usize| is_rare.is_none_or(|is_rare| at.is_multiple_of(4) == is_rare);
        let used: Vec<_> = syllables.iter().enumerate().filter(|(at, _)| is_used(*at)).map(|(_, one)| one).collect();
        let mut random = SplitMix::new(seed);
        let mut lines = String::new();
        for _ in 0..n {
            let picked: Vec<_> = (0..2 + random.below(2)).map(|_| used[random.below(used.len())]).collect();
            let source: String = picked.iter().map(|(sound, _)| &sound[..]).collect();
            lines += &format!("{source}\t{}\n", picked.iter().map(|(_, sign)| sign).collect::<String>());
        }
        Names::from_reader("made-up.tsv", lines.as_bytes()).unwrap()
    }

    /// Sixty syllables of six consonants and five vowels, with and without an `n` at the end.
    fn korean() -> Vec<(String, char)> {
        let rows = ["가게고구기", "나네노누니", "다데도두디", "마메모무미", "바베보부비", "사세소수시"];
        let closed = ["간겐곤군긴", "난넨논눈닌", "단덴돈둔딘", "만멘몬문민", "반벤본분빈", "산센손순신"];
        let mut syllables = Vec::new();
        for ((lead, row), closed) in "gndmbs".chars().zip(rows).zip(closed) {
            for (vowel, (open, closed)) in "aeoui".chars().zip(row.chars().zip(closed.chars())) {
                syllables.extend([(format!("{lead}{vowel}"), open), (format!("{lead}{vowel}n"), closed)]);
            }
        }
        syllables
    }

    fn chinese() -> Vec<(String, char)> {
        let sounds = ["ba", "li", "sa", "to", "no", "mu", "di", "ro", "ka", "bi", "se", "fu", "ge", "lu", "ma", "ni"];
        sounds.iter().map(|sound| sound.to_string()).zip("巴利萨托诺穆迪罗卡比塞夫格鲁玛尼".chars()).collect()
    }

    fn train_in(units: NameUnits, names: &Names) -> NamesModel {
        let settings = NamesSettings { units, ..NamesSettings::default() };
        let options = NamesOptions { settings, costs: vec![3.0], ..options() };
        train_names(names, &options, &Resources::bundled(), Progress::none(), &mut |_| Ok(())).unwrap()
    }

    fn mrr(model: &NamesModel, names: &Names) -> f64 {
        RankingFigure::Mrr.mean(&rank_names(model, names, 300).unwrap()).unwrap()
    }

    fn score(model: &dyn PairModel, source: &str, target: &str) -> f64 {
        model.predict_one(source, target).unwrap().decision().unwrap().score
    }

    #[test]
    fn letters_lead_to_syllables_that_were_never_seen() {
        let [seen, new] =
            [(false, 1), (true, 2)].map(|(is_rare, seed)| of_syllables(&korean(), Some(is_rare), 80, seed));
        let [letters, whole] = [NameUnits::Parts, NameUnits::Characters].map(|units| train_in(units, &seen));
        let [by_letters, by_whole] = [&letters, &whole].map(|model| mrr(model, &new));
        assert!(by_letters > 0.9 && by_whole < 0.5, "{by_letters} by letters, {by_whole} by whole characters");
        assert_eq!([&letters, &whole].map(|model| model.about().details.units), [1, 0]);
        // A syllable that is composed of its letters by Unicode is the same name.
        let composed = "\u{1107}\u{1169}\u{11ab}\u{1103}\u{1175}";
        assert_eq!(score(&letters, "bondi", "본디"), score(&letters, "bondi", composed));
        again(&letters);
    }

    #[test]
    fn two_letters_stand_for_one_chinese_character() {
        let [old, new] = [1, 2].map(|seed| of_syllables(&chinese(), None, 80, seed));
        let [parts, whole] = [NameUnits::Parts, NameUnits::Characters].map(|units| train_in(units, &old));
        assert!(mrr(&parts, &new) > 0.95, "{}", mrr(&parts, &new));
        assert_ne!(score(&parts, "sato", "萨托"), score(&whole, "sato", "萨托"));
        // Both letters of a sound are mapped to its character; by whole characters one is left out.
        let n_left_out = |model: &dyn PairModel| {
            let explained = model.explain_one("sato", "萨托", 0).unwrap().explanation;
            let is_left = |what: &What| matches!(what, What::Phrase { target: None, .. });
            explained.parts.iter().filter(|part| is_left(&part.what)).count()
        };
        assert_eq!((n_left_out(&parts), n_left_out(&whole)), (0, 2));
        again(&parts);
    }

    #[test]
    fn explanations_of_parts_add_up_and_point_at_whole_characters() {
        for (syllables, source, target) in [(korean(), "dansin", " 단신"), (chinese(), "Muroka", "穆罗卡x")] {
            let model = train_in(NameUnits::Parts, &of_syllables(&syllables, None, 60, 3));
            let judge: &dyn PairModel = &model;
            let explained = judge.explain_one(source, target, 0).unwrap();
            let whole = score(judge, source, target);
            assert_eq!((explained.prediction.decision().unwrap().score, explained.explanation.value), (whole, whole));
            let sum: f64 = explained.explanation.leaves().iter().map(|leaf| leaf.value).sum();
            assert!((sum - whole).abs() < 1e-9, "{sum}, expected {whole}");
            let mut seen = std::collections::BTreeMap::new();
            for part in &explained.explanation.parts {
                for span in part.places.iter().flat_map(|place| &place.target) {
                    let text = &target[span.start as usize..span.end as usize];
                    assert_eq!(text.chars().count(), 1, "{text}");
                    *seen.entry(text).or_insert(0) += 1;
                }
            }
            // Every symbol is mapped or left out once, and lies on its character.
            let symbols = target.trim().chars().map(|character| NameUnits::Parts.split(character).count());
            let texts =
                target.trim().char_indices().map(|(at, character)| &target.trim()[at..][..character.len_utf8()]);
            assert_eq!(seen, texts.zip(symbols).collect());
        }
    }
}
