//! The training loss: softmax margin (Gimpel and Smith 2010) over a semi-Markov random field.
//!
//! For a pair with gold segments g: `log sum over a of exp(score(a) + cost(g, a)) - score(g)`,
//! where cost counts the source words whose state differs from that in g. The loss is convex in the
//! weights. Its gradient is the expectation of the features, under scores with costs, minus the
//! features of g. The paper's cost is 1 per word. Here a word wrongly left unaligned, a word
//! wrongly linked, and a word linked to the wrong span each have a cost of their own, because
//! training with equal costs favours precision, while F1 weighs both.

use super::features::{Catalogue, Distortion};
use super::states;
use super::table::{Direction, Table};
use crate::Result;
use rayon::prelude::*;
use resay_learn::progress::Progress;
use resay_learn::sequence::semi_markov::{Lattice, LatticeShape, Scores, Segment, Transitions};

/// The cost of a wrong state of one word in training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Unaligned, but linked in the gold.
    pub missed: f64,
    /// Linked, but unaligned in the gold.
    pub extra: f64,
    /// Linked to the wrong span.
    pub wrong: f64,
}

/// A training pair.
#[derive(Clone, Debug)]
pub(super) struct TrainingPair {
    pub(super) table: Table,
    gold: [Vec<Segment>; 2],
}

impl TrainingPair {
    pub(super) fn new(table: Table, links: &[(u32, u32)]) -> Result<Self> {
        let forward = states::segments(links, &table.shapes.of(Direction::Forward))?;
        let backward = states::segments(&states::transposed(links), &table.shapes.of(Direction::Backward))?;
        Ok(Self { table, gold: [forward, backward] })
    }

    fn gold(&self, direction: Direction) -> &[Segment] {
        &self.gold[direction as usize]
    }
}

/// Buffers for lattices, reused from pair to pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) lattice: Lattice,
    pub(super) emissions: Vec<f64>,
    pub(super) cells: Vec<f64>,
    pub(super) words: Vec<f64>,
    pub(super) expected: Transitions,
    states: Vec<usize>,
}

/// Returns the scores of steps under all weights; zeros without distortion features.
pub(super) fn transitions(catalogue: &Catalogue, weights: &[f64], shape: &LatticeShape) -> Transitions {
    transitions_by(catalogue.distortion().map(|range| &weights[range]), shape)
}

/// Returns the scores of steps under the weights of steps alone.
pub(super) fn transitions_by(weights: Option<&[f64]>, shape: &LatticeShape) -> Transitions {
    match weights {
        Some(weights) => Distortion::scores(weights, shape),
        None => Transitions { jumps: vec![0.0; shape.n_jumps()], ..Transitions::default() },
    }
}

/// Adds the costs of every cell to its emission.
fn add_costs(shape: &LatticeShape, gold: &[Segment], costs: Costs, states: &mut Vec<usize>, emissions: &mut [f64]) {
    states.clear();
    gold.iter().for_each(|segment| states.extend(std::iter::repeat_n(segment.state, segment.len)));
    for end in 1..=shape.n_source() {
        for len in 1..=shape.max_source().min(end) {
            let Some(row) = shape.row(end, len) else { continue };
            let of_segment = &states[end - len..end];
            let n_linked = of_segment.iter().filter(|state| **state != 0).count() as f64;
            let on_span = n_linked * costs.wrong + (len as f64 - n_linked) * costs.extra;
            let row = &mut emissions[row];
            row[0] += n_linked * costs.missed;
            row[1..].iter_mut().for_each(|emission| *emission += on_span);
            for state in of_segment.iter().filter(|state| **state != 0) {
                row[*state] -= costs.wrong;
            }
        }
    }
}

/// Returns the loss of one pair and adds its gradient.
pub(super) fn loss(
    catalogue: &Catalogue,
    training_pair: &TrainingPair,
    direction: Direction,
    weights: &[f64],
    costs: Costs,
    scratch: &mut Scratch,
    gradient: &mut [f64],
) -> Result<f64> {
    let shape = training_pair.table.shapes.of(direction);
    let gold = training_pair.gold(direction);
    let transitions = transitions(catalogue, weights, &shape);
    training_pair.table.emissions(direction, weights, &mut scratch.words, &mut scratch.emissions);
    let of_gold = Scores::new(shape, &scratch.emissions, &transitions)?.score_of(gold)?;
    add_costs(&shape, gold, costs, &mut scratch.states, &mut scratch.emissions);
    let scores = Scores::new(shape, &scratch.emissions, &transitions)?;
    let log_sum = scratch.lattice.expectations(scores, &mut scratch.cells, &mut scratch.expected);
    for segment in gold {
        if let Some(cell) = shape.cell(segment.end, segment.len, segment.state) {
            scratch.cells[cell] -= 1.0;
        }
    }
    training_pair.table.add_features(direction, &scratch.cells, &mut scratch.words, gradient);
    if let Some(range) = catalogue.distortion() {
        Distortion::add(&scratch.expected, &shape, 1.0, &mut gradient[range.clone()]);
        Distortion::add(&counted(gold, &shape), &shape, -1.0, &mut gradient[range]);
    }
    Ok(log_sum - of_gold)
}

/// Counts how often each transition is taken.
pub(super) fn counted(segments: &[Segment], shape: &LatticeShape) -> Transitions {
    let mut counts = Transitions { jumps: vec![0.0; shape.n_jumps()], ..Transitions::default() };
    let mut before: Option<Option<(usize, usize)>> = None;
    for segment in segments {
        let span = shape.span(segment.state);
        match (before, span) {
            (None, None) => counts.start_null += 1.0,
            (None, Some(_)) => counts.start_aligned += 1.0,
            (Some(None), None) => counts.null_null += 1.0,
            (Some(None), Some(_)) => counts.null_aligned += 1.0,
            (Some(Some(_)), None) => counts.aligned_null += 1.0,
            (Some(Some((start, len))), Some((next, _))) => {
                if let Some(jump) = shape.jump(start + len - 1, next) {
                    counts.jumps[jump] += 1.0;
                }
            }
        }
        before = Some(span);
    }
    counts
}

/// Pairs summed by one thread before the sums are joined, in order: the sum is the same on any
/// machine.
const BATCH: usize = 16;

/// Returns the loss over all pairs plus `l2` times half the squared norm of the weights, and writes
/// the gradient.
#[allow(clippy::too_many_arguments, reason = "all that a loss depends on")]
pub(super) fn objective(
    catalogue: &Catalogue,
    training_pairs: &[&TrainingPair],
    direction: Direction,
    costs: Costs,
    l2: f64,
    weights: &[f64],
    gradient: &mut [f64],
    progress: Progress<'_>,
) -> Result<f64> {
    let of_batch = |scratch: &mut Scratch, batch: &[&TrainingPair]| -> Result<(f64, Vec<f64>)> {
        let mut gradient = vec![0.0; weights.len()];
        let mut sum = 0.0;
        for training_pair in batch {
            progress.check()?;
            sum += loss(catalogue, training_pair, direction, weights, costs, scratch, &mut gradient)?;
        }
        Ok((sum, gradient))
    };
    let batches: Vec<(f64, Vec<f64>)> =
        training_pairs.par_chunks(BATCH).map_init(Scratch::default, of_batch).collect::<Result<_>>()?;
    let mut value = 0.5 * l2 * weights.iter().map(|weight| weight * weight).sum::<f64>();
    gradient.iter_mut().zip(weights).for_each(|(slope, weight)| *slope = l2 * weight);
    for (sum, of_batch) in batches {
        value += sum;
        gradient.iter_mut().zip(of_batch).for_each(|(slope, part)| *slope += part);
    }
    Ok(value)
}
