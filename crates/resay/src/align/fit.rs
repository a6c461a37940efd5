//! Trains an aligner from aligned pairs.
//!
//! Both directions are trained by L-BFGS, each with its own weights, on four pairs in five. The
//! fifth is held out to choose the number of steps and the confidence threshold of links. Then both
//! are trained again on all pairs, with that number of steps.
//!
//! With two passes, the first is trained before, see [`first_pass`]. With fewer than [`FEWEST`]
//! pairs there is only one: too few to find in each what the others taught.

use super::aligner::{Aligner, Posteriors};
use super::compared::WordMatrix;
use super::crf::{Scratch, TrainingPair, objective, transitions};
use super::features::Catalogue;
use super::first::FirstPass;
use super::settings::{AlignSettings, FIRST_PASS};
use super::table::{Direction, Shapes, Table};
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::eval::alignment::{AlignmentFigure, Counts};
use resay_learn::eval::blocks::WordLink;
use resay_learn::optim::{LbfgsLimits, LbfgsStop, minimise};
use resay_learn::progress::{Progress, Stage};
use resay_learn::sequence::semi_markov::Scores;
use resay_text::Analysis;
use resay_text::lexicon::Lexicon;

/// A training pair. The sentences must have the annotation layers that the features need.
#[derive(Clone, Copy, Debug)]
pub struct AlignExample<'a> {
    /// The source.
    pub source: &'a Analysis,
    /// The target.
    pub target: &'a Analysis,
    /// Gold links, from 0.
    pub links: &'a [WordLink],
}

/// A report on training.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The number of steps of the final training.
    pub n_steps: usize,
    /// F1 on held-out pairs: number of steps, the best threshold after them, and F1 with it. Empty
    /// if there were too few pairs to hold any out.
    pub tried: Vec<(usize, f64, f64)>,
    /// Pairs held out while choosing steps and threshold.
    pub n_held_back: usize,
    /// Why the optimiser stopped in each direction.
    pub stops: [LbfgsStop; 2],
}

/// One in this many pairs is held out.
const HELD_BACK: usize = 5;
/// With fewer pairs than this, none is held out.
const FEWEST: usize = 50;
/// Weights are evaluated on held-out pairs after every so many steps.
const EVERY: usize = 10;
/// Not fewer steps than this are chosen: before, the weights of rare features have hardly moved, and
/// held-out pairs, whose words are mostly the same, do not miss them.
const FEWEST_STEPS: usize = 40;
/// The threshold if no pairs are held out.
const THRESHOLD: f64 = 0.5;
/// The candidate thresholds.
const THRESHOLDS: [f64; 15] = [0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8];
const TOLERANCE: f64 = 1e-3;

/// Trains the weights. Reports progress per step.
pub fn fit(
    examples: &[AlignExample<'_>],
    lexicon: &Lexicon,
    settings: &AlignSettings,
    progress: Progress<'_>,
) -> Result<(Aligner, Fitted)> {
    settings.check()?;
    let mut settings = settings.clone();
    let has_two_passes = settings.has_two_passes();
    if examples.len() < FEWEST {
        settings.features.retain(|name| name != FIRST_PASS);
    }
    let settings = &settings;
    let catalogue = Catalogue::new(&settings.features)?;
    let n_fits = if examples.len() < FEWEST { 2 } else { 4 };
    let n_first = if has_two_passes && examples.len() >= FEWEST { 2 * (HELD_BACK + 1) } else { 0 };
    let total = (n_first + n_fits) * settings.max_steps;
    let first = match catalogue.second() {
        Some(_) => Some(first_pass(examples, lexicon, settings, progress.part_of(0, total))?),
        None => None,
    };
    let before_second = n_first * settings.max_steps;
    let of_first = |number: usize| first.as_ref().map(|first| &first.found[number]);
    let training_pairs = training_pairs(examples, lexicon, &catalogue, settings.longest, of_first, progress)?;
    let is_usable = |training_pair: &&TrainingPair| {
        training_pair.table.shapes.n_source > 0 && training_pair.table.shapes.n_target > 0
    };
    if !training_pairs.iter().any(|training_pair| is_usable(&training_pair)) {
        return Err(Error::data("no pair with words on both sides, expected some to learn from"));
    }
    let with = |is_wanted: &dyn Fn(usize) -> bool| -> Vec<&TrainingPair> {
        let numbered = training_pairs.iter().enumerate().filter(|(number, _)| is_wanted(*number));
        numbered.map(|(_, training_pair)| training_pair).filter(is_usable).collect()
    };
    let learn = |training_pairs: &[&TrainingPair],
                 direction: Direction,
                 steps: usize,
                 before: usize,
                 kept: &mut Vec<Vec<f64>>| {
        learn(&catalogue, training_pairs, direction, settings, steps, kept, progress.part_of(before, total))
    };
    let mut tried = Vec::new();
    let mut chosen = (settings.max_steps, THRESHOLD);
    let mut n_held_back = 0;
    let held_back = with(&|number| examples.len() >= FEWEST && number % HELD_BACK == HELD_BACK - 1);
    if !held_back.is_empty() {
        let rest = with(&|number| number % HELD_BACK != HELD_BACK - 1);
        n_held_back = held_back.len();
        let gold: Vec<Vec<WordLink>> = examples
            .iter()
            .enumerate()
            .filter(|(number, _)| number % HELD_BACK == HELD_BACK - 1 && is_usable(&&training_pairs[*number]))
            .map(|(_, example)| sorted(example))
            .collect();
        let mut kept = [Vec::new(), Vec::new()];
        for direction in Direction::BOTH {
            let before = before_second + direction as usize * settings.max_steps;
            learn(&rest, direction, settings.max_steps, before, &mut kept[direction as usize])?;
        }
        let mut grid = Vec::new();
        for (forward, backward) in kept[0].iter().zip(&kept[1]) {
            let posteriors = held_back
                .par_iter()
                .map_init(Scratch::default, |scratch, training_pair| {
                    progress.check()?;
                    posteriors(&catalogue, training_pair, [forward, backward], scratch)
                })
                .collect::<Result<Vec<_>>>()?;
            grid.push(f1_by_threshold(&posteriors, &gold));
        }
        let (best, thresholds) = choose(&grid);
        let row = |(number, threshold): (usize, usize)| {
            ((number + 1) * EVERY, THRESHOLDS[threshold], grid[number][threshold])
        };
        tried = thresholds.into_iter().enumerate().map(row).collect();
        chosen = (tried[best].0, tried[best].1);
    }
    let all = with(&|_| true);
    let mut weights = Vec::new();
    let mut stops = [LbfgsStop::Limit; 2];
    for direction in Direction::BOTH {
        let before = total - (2 - direction as usize) * settings.max_steps;
        let (found, stop) = learn(&all, direction, chosen.0, before, &mut Vec::new())?;
        weights.push(found);
        stops[direction as usize] = stop;
    }
    let (backward, forward) = (weights.pop().unwrap_or_default(), weights.pop().unwrap_or_default());
    let mut aligner = Aligner::new(settings.clone(), short(forward), short(backward), chosen.1)?;
    if let Some(FirstFit { weights: [forward, backward], .. }) = first {
        aligner = aligner.with_first(forward, backward)?;
    }
    Ok((aligner, Fitted { n_steps: chosen.0, tried, n_held_back, stops }))
}

/// Rounded as in the file, so that saving and loading does not change an aligner.
fn short(weights: Vec<f64>) -> Vec<f64> {
    weights.into_iter().map(|weight| f64::from(weight as f32)).collect()
}

/// Returns the links of an example, sorted, without duplicates.
fn sorted(example: &AlignExample) -> Vec<WordLink> {
    let mut links = example.links.to_vec();
    links.sort_unstable();
    links.dedup();
    links
}

/// Extracts the features of all pairs. `of_first` returns what the first pass found in a pair.
fn training_pairs<'a>(
    examples: &[AlignExample<'_>],
    lexicon: &Lexicon,
    catalogue: &Catalogue,
    longest: usize,
    of_first: impl Fn(usize) -> Option<&'a FirstPass> + Sync,
    progress: Progress<'_>,
) -> Result<Vec<TrainingPair>> {
    let training_pair = |(number, example): (usize, &AlignExample)| -> Result<TrainingPair> {
        progress.check()?;
        let where_it_is = |error: Error| Error::data(format!("pair {}: {error}", number + 1));
        let (n_source, n_target) = (example.source.words.len(), example.target.words.len());
        let shapes = Shapes::new(n_source, n_target, longest).map_err(where_it_is)?;
        let pair = WordMatrix::new(example.source, example.target, lexicon);
        TrainingPair::new(Table::new(catalogue, &pair, of_first(number), shapes), example.links).map_err(where_it_is)
    };
    examples.par_iter().enumerate().map(training_pair).collect()
}

/// A trained first pass.
struct FirstFit {
    weights: [Vec<f64>; 2],
    /// What models that did not see a pair found in it, for all pairs.
    found: Vec<FirstPass>,
}

/// Trains the first pass: a token model of all features but those of the second pass. Every pair
/// belongs to one of [`HELD_BACK`] folds, and what the second pass learns from is found by the model
/// of the other folds. The number of steps is the best for all folds together.
fn first_pass(
    examples: &[AlignExample<'_>],
    lexicon: &Lexicon,
    settings: &AlignSettings,
    progress: Progress<'_>,
) -> Result<FirstFit> {
    let mut settings = AlignSettings { longest: 1, ..settings.clone() };
    settings.features.retain(|name| name != FIRST_PASS);
    let catalogue = Catalogue::new(&settings.features)?;
    let training_pairs = training_pairs(examples, lexicon, &catalogue, 1, |_| None, progress)?;
    let is_usable = |number: &usize| {
        let shapes = training_pairs[*number].table.shapes;
        shapes.n_source > 0 && shapes.n_target > 0
    };
    let with = |is_wanted: &dyn Fn(usize) -> bool| -> Vec<&TrainingPair> {
        let wanted = (0..training_pairs.len()).filter(is_usable).filter(|number| is_wanted(*number));
        wanted.map(|number| &training_pairs[number]).collect()
    };
    // For each fold and direction, the weights after every few steps.
    let mut kept = vec![[Vec::new(), Vec::new()]; HELD_BACK];
    for (fold, kept) in kept.iter_mut().enumerate() {
        let others = with(&|number| number % HELD_BACK != fold);
        for direction in Direction::BOTH {
            let at = direction as usize;
            let progress = progress.part_of((2 * fold + at) * settings.max_steps, 0);
            learn(&catalogue, &others, direction, &settings, settings.max_steps, &mut kept[at], progress)?;
        }
    }
    let gold: Vec<Vec<WordLink>> = examples.iter().map(sorted).collect();
    let mut grid = Vec::new();
    for checkpoint in 0..kept[0][0].len() {
        let found = (0..examples.len())
            .into_par_iter()
            .map_init(Scratch::default, |scratch, number| {
                progress.check()?;
                let [forward, backward] = &kept[number % HELD_BACK];
                let weights = [&forward[checkpoint], &backward[checkpoint]];
                if is_usable(&number) {
                    posteriors(&catalogue, &training_pairs[number], weights, scratch)
                } else {
                    Ok(Posteriors::new(&training_pairs[number].table.shapes))
                }
            })
            .collect::<Result<Vec<_>>>()?;
        grid.push(f1_by_threshold(&found, &gold));
    }
    let (best, _) = choose(&grid);
    let found = (0..examples.len())
        .into_par_iter()
        .map_init(Scratch::default, |scratch, number| {
            progress.check()?;
            if !is_usable(&number) {
                return Ok(FirstPass::default());
            }
            let pair = WordMatrix::new(examples[number].source, examples[number].target, lexicon);
            let table = &training_pairs[number].table;
            let mut cells = [Vec::new(), Vec::new()];
            for direction in Direction::BOTH {
                let weights = &kept[number % HELD_BACK][direction as usize][best];
                expectations(&catalogue, table, direction, weights, scratch)?;
                cells[direction as usize].clone_from(&scratch.cells);
            }
            Ok(FirstPass::new(&pair, &table.shapes, [&cells[0], &cells[1]]))
        })
        .collect::<Result<Vec<_>>>()?;
    let all = with(&|_| true);
    let mut weights = [Vec::new(), Vec::new()];
    for direction in Direction::BOTH {
        let at = direction as usize;
        let progress = progress.part_of((2 * HELD_BACK + at) * settings.max_steps, 0);
        let steps = (best + 1) * EVERY;
        weights[at] = short(learn(&catalogue, &all, direction, &settings, steps, &mut Vec::new(), progress)?.0);
    }
    Ok(FirstFit { weights, found })
}

/// Trains the weights of one direction. Returns them and why training stopped. `kept` receives the
/// weights after every few steps, and the last ones again for steps that were not needed.
fn learn(
    catalogue: &Catalogue,
    training_pairs: &[&TrainingPair],
    direction: Direction,
    settings: &AlignSettings,
    steps: usize,
    kept: &mut Vec<Vec<f64>>,
    progress: Progress<'_>,
) -> Result<(Vec<f64>, LbfgsStop)> {
    let mut weights = vec![0.0; catalogue.features().len()];
    let function = |weights: &[f64], gradient: &mut [f64]| {
        objective(catalogue, training_pairs, direction, settings.costs, settings.l2, weights, gradient, progress)
    };
    let limits = LbfgsLimits { max_steps: steps, tolerance: TOLERANCE };
    let (_, stop) = minimise(&mut weights, limits, function, |step, weights, _| {
        if step % EVERY == 0 {
            kept.push(weights.to_vec());
        }
        progress.report(Stage::Train, step, steps)
    })?;
    kept.resize(steps.div_ceil(EVERY), weights.clone());
    Ok((weights, stop))
}

/// Returns the link probabilities of a pair under both directions.
fn posteriors(
    catalogue: &Catalogue,
    training_pair: &TrainingPair,
    weights: [&Vec<f64>; 2],
    scratch: &mut Scratch,
) -> Result<Posteriors> {
    let table = &training_pair.table;
    let mut posteriors = Posteriors::new(&table.shapes);
    for direction in Direction::BOTH {
        expectations(catalogue, table, direction, weights[direction as usize], scratch)?;
        posteriors.add(&table.shapes, direction, &scratch.cells);
    }
    Ok(posteriors)
}

/// Computes the probabilities of all cells of a lattice, in the scratch.
fn expectations(
    catalogue: &Catalogue,
    table: &Table,
    direction: Direction,
    weights: &[f64],
    scratch: &mut Scratch,
) -> Result<()> {
    let shape = table.shapes.of(direction);
    table.emissions(direction, weights, &mut scratch.words, &mut scratch.emissions);
    let transitions = transitions(catalogue, weights, &shape);
    let scores = Scores::new(shape, &scratch.emissions, &transitions)?;
    scratch.lattice.expectations(scores, &mut scratch.cells, &mut scratch.expected);
    Ok(())
}

/// Returns F1 at every threshold; gold links are sorted, without duplicates.
fn f1_by_threshold(posteriors: &[Posteriors], gold: &[Vec<WordLink>]) -> [f64; THRESHOLDS.len()] {
    THRESHOLDS.map(|threshold| {
        let counts = |(found, gold): (&Posteriors, &Vec<WordLink>)| Counts::of(&found.at_least(threshold), gold);
        AlignmentFigure::F1.of(&posteriors.iter().zip(gold).map(counts).collect::<Vec<_>>())
    })
}

/// Returns the best row of at least [`FEWEST_STEPS`] and, for every row, the best threshold. A cell
/// counts as the mean of itself
/// and its neighbours, up to eight: F1 on a few hundred pairs is noisy, and a lucky cell among
/// worse ones would not be lucky again.
fn choose(grid: &[[f64; THRESHOLDS.len()]]) -> (usize, Vec<usize>) {
    let around = |at: usize, n: usize| at.saturating_sub(1)..(at + 2).min(n);
    let smooth = |row: usize, column: usize| {
        let cells = around(row, grid.len()).flat_map(|row| around(column, THRESHOLDS.len()).map(move |c| (row, c)));
        let values: Vec<f64> = cells.map(|(row, column)| grid[row][column]).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    // The first of equals: fewer steps, more links.
    let first_best = |values: &[f64]| {
        let mut best = 0;
        for (at, value) in values.iter().enumerate() {
            if *value > values[best] {
                best = at;
            }
        }
        best
    };
    let rows: Vec<Vec<f64>> =
        (0..grid.len()).map(|row| (0..THRESHOLDS.len()).map(|column| smooth(row, column)).collect()).collect();
    let thresholds: Vec<usize> = rows.iter().map(|row| first_best(row)).collect();
    let best: Vec<f64> = rows.iter().zip(&thresholds).map(|(row, column)| row[*column]).collect();
    let passed_over = (FEWEST_STEPS / EVERY - 1).min(best.len() - 1);
    (passed_over + first_best(&best[passed_over..]), thresholds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lucky_cell_does_not_decide() {
        let mut grid = vec![[0.5; THRESHOLDS.len()]; 6];
        grid[0][0] = 0.6;
        grid[3..].iter_mut().for_each(|row| row[6..10].fill(0.55));
        let (best, thresholds) = choose(&grid);
        assert_eq!((best, thresholds[best]), (4, 7));
        assert_eq!(choose(&[[0.5; THRESHOLDS.len()]]), (0, vec![0]));
        // Nor do steps after which training has hardly begun.
        grid[0].fill(0.7);
        assert_eq!(choose(&grid).0, 4);
    }
}
