//! Learns an aligner from aligned pairs.
//!
//! Both directions are learned by L-BFGS, each with weights of its own, on four pairs in five. The fifth are held back: they
//! say after how many steps to stop and from which confidence on to give links. Then both are learned again, on all pairs,
//! for as many steps.

use super::aligner::{Aligner, Posteriors};
use super::compared::Compared;
use super::crf::{Lesson, Scratch, objective, transitions};
use super::features::Catalogue;
use super::lbfgs::{Limits, Stop, minimise};
use super::settings::Settings;
use super::table::{Direction, Shapes, Table};
use crate::eval::alignment::{Counts, Figure};
use crate::eval::blocks::Link;
use crate::lexicon::Lexicon;
use crate::structure::semi_markov::Scores;
use crate::text::Analysis;
use crate::{Error, Result};
use rayon::prelude::*;

/// A pair to learn from; sentences have the layers that the features look at.
#[derive(Clone, Copy, Debug)]
pub struct AlignExample<'a> {
    /// The source.
    pub source: &'a Analysis,
    /// The target.
    pub target: &'a Analysis,
    /// Gold links, from 0.
    pub links: &'a [Link],
}

/// How training went.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// Steps that were taken in the end.
    pub n_steps: usize,
    /// F1 on held-back pairs: steps, the best threshold after them, and F1 with it. Empty if there were too few pairs to
    /// hold any back.
    pub tried: Vec<(usize, f64, f64)>,
    /// Pairs held back while steps and threshold were chosen.
    pub n_held_back: usize,
    /// Why the minimiser stopped in each direction.
    pub stops: [Stop; 2],
    /// The loss in each direction at the end, a pair.
    pub losses: [f64; 2],
}

/// One of so many pairs is held back.
const HELD_BACK: usize = 5;
/// Fewer pairs than this are all learned from.
const FEWEST: usize = 50;
/// After so many steps weights are tried on held-back pairs.
const EVERY: usize = 10;
/// Without held-back pairs.
const THRESHOLD: f64 = 0.5;
const TOLERANCE: f64 = 1e-3;

/// Learns weights. `progress(done, total)` is told of steps.
pub fn fit(
    examples: &[AlignExample<'_>],
    lexicon: &Lexicon,
    settings: &Settings,
    progress: &dyn Fn(usize, usize),
) -> Result<(Aligner, Fitted)> {
    settings.check()?;
    let catalogue = Catalogue::new(&settings.features)?;
    let lesson = |(number, example): (usize, &AlignExample)| -> Result<Lesson> {
        let shapes = Shapes::new(example.source.words.len(), example.target.words.len(), settings.longest)?;
        let table = Table::new(&catalogue, &Compared::new(example.source, example.target, lexicon), shapes);
        Lesson::new(table, example.links).map_err(|error| Error::data(format!("pair {}: {error}", number + 1)))
    };
    let lessons: Vec<Lesson> = examples.par_iter().enumerate().map(lesson).collect::<Result<_>>()?;
    let is_usable = |lesson: &&Lesson| lesson.table.shapes.n_source > 0 && lesson.table.shapes.n_target > 0;
    if !lessons.iter().any(|lesson| is_usable(&lesson)) {
        return Err(Error::data("no pair with words on both sides, expected some to learn from"));
    }
    let with = |is_wanted: &dyn Fn(usize) -> bool| -> Vec<&Lesson> {
        let numbered = lessons.iter().enumerate().filter(|(number, _)| is_wanted(*number));
        numbered.map(|(_, lesson)| lesson).filter(is_usable).collect()
    };
    let total = if examples.len() < FEWEST { 2 } else { 4 } * settings.max_steps;
    let learn = |lessons: &[&Lesson], direction: Direction, steps: usize, before: usize, kept: &mut Vec<Vec<f64>>| {
        learn(&catalogue, lessons, direction, settings, steps, kept, &|step| progress(before + step, total))
    };
    let mut tried = Vec::new();
    let mut chosen = (settings.max_steps, THRESHOLD);
    let mut n_held_back = 0;
    if examples.len() >= FEWEST {
        let held_back = with(&|number| number % HELD_BACK == HELD_BACK - 1);
        let rest = with(&|number| number % HELD_BACK != HELD_BACK - 1);
        n_held_back = held_back.len();
        let gold: Vec<&[Link]> = examples
            .iter()
            .enumerate()
            .filter(|(number, _)| number % HELD_BACK == HELD_BACK - 1 && is_usable(&&lessons[*number]))
            .map(|(_, example)| example.links)
            .collect();
        let mut kept = [Vec::new(), Vec::new()];
        for direction in Direction::BOTH {
            let before = direction as usize * settings.max_steps;
            learn(&rest, direction, settings.max_steps, before, &mut kept[direction as usize])?;
        }
        for (number, (forward, backward)) in kept[0].iter().zip(&kept[1]).enumerate() {
            let posteriors = held_back
                .par_iter()
                .map_init(Scratch::default, |scratch, lesson| {
                    posteriors(&catalogue, lesson, [forward, backward], scratch)
                })
                .collect::<Result<Vec<_>>>()?;
            let (threshold, f1) = best_threshold(&posteriors, &gold);
            tried.push(((number + 1) * EVERY, threshold, f1));
        }
        // Of equals the first: fewer steps.
        let best = tried.iter().rev().max_by(|a, b| a.2.total_cmp(&b.2));
        chosen = best.map_or(chosen, |best| (best.0, best.1));
    }
    let all = with(&|_| true);
    let mut weights = Vec::new();
    let mut stops = [Stop::Limit; 2];
    let mut losses = [0.0; 2];
    for direction in Direction::BOTH {
        let before = total - (2 - direction as usize) * settings.max_steps;
        let (found, loss, stop) = learn(&all, direction, chosen.0, before, &mut Vec::new())?;
        weights.push(found);
        stops[direction as usize] = stop;
        losses[direction as usize] = loss / all.len() as f64;
    }
    let (backward, forward) = (weights.pop().unwrap_or_default(), weights.pop().unwrap_or_default());
    // As the file has them, so that an aligner is the same before and after.
    let short = |weights: Vec<f64>| weights.into_iter().map(|weight| f64::from(weight as f32)).collect();
    let aligner = Aligner::new(settings.clone(), short(forward), short(backward), chosen.1)?;
    Ok((aligner, Fitted { n_steps: chosen.0, tried, n_held_back, stops, losses }))
}

/// The weights of one direction, the loss and why it stopped; `kept` gets the weights after every few steps, and the last
/// again for steps that were not needed.
fn learn(
    catalogue: &Catalogue,
    lessons: &[&Lesson],
    direction: Direction,
    settings: &Settings,
    steps: usize,
    kept: &mut Vec<Vec<f64>>,
    progress: &dyn Fn(usize),
) -> Result<(Vec<f64>, f64, Stop)> {
    let mut weights = vec![0.0; catalogue.features().len()];
    let mut failure = None;
    let function = |weights: &[f64], gradient: &mut [f64]| {
        let value = objective(catalogue, lessons, direction, settings.costs, settings.l2, weights, gradient);
        value.unwrap_or_else(|error| {
            failure = Some(error);
            f64::NAN
        })
    };
    let limits = Limits { max_steps: steps, tolerance: TOLERANCE };
    let (loss, stop) = minimise(&mut weights, limits, function, |step, weights, _| {
        if step % EVERY == 0 {
            kept.push(weights.to_vec());
        }
        progress(step);
        true
    });
    kept.resize(steps.div_ceil(EVERY), weights.clone());
    failure.map_or(Ok((weights, loss, stop)), Err)
}

/// What both directions say of a pair's links.
fn posteriors(
    catalogue: &Catalogue,
    lesson: &Lesson,
    weights: [&Vec<f64>; 2],
    scratch: &mut Scratch,
) -> Result<Posteriors> {
    let table = &lesson.table;
    let mut posteriors = Posteriors::new(&table.shapes);
    for direction in Direction::BOTH {
        let weights = weights[direction as usize];
        let shape = table.shapes.of(direction);
        table.emissions(direction, weights, &mut scratch.words, &mut scratch.emissions);
        let transitions = transitions(catalogue, weights, &shape);
        let scores = Scores::new(shape, &scratch.emissions, &transitions)?;
        scratch.lattice.expectations(scores, &mut scratch.cells, &mut scratch.expected);
        posteriors.add(&table.shapes, direction, &scratch.cells);
    }
    Ok(posteriors)
}

/// The threshold of the best F1, and that.
fn best_threshold(posteriors: &[Posteriors], gold: &[&[Link]]) -> (f64, f64) {
    let f1 = |threshold: f64| {
        let counts = |(posteriors, gold): (&Posteriors, &&[Link])| {
            let mut gold = gold.to_vec();
            gold.sort_unstable();
            gold.dedup();
            Counts::of(&posteriors.at_least(threshold), &gold)
        };
        Figure::F1.of(&posteriors.iter().zip(gold).map(counts).collect::<Vec<_>>())
    };
    let mut best = (THRESHOLD, f1(THRESHOLD));
    for step in 2..=18 {
        let threshold = f64::from(step) * 0.05;
        let found = f1(threshold);
        if found > best.1 {
            best = (threshold, found);
        }
    }
    best
}
