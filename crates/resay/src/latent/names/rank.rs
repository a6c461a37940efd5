//! Exact top-k ranking of candidates for a name, without scoring every candidate in full.
//!
//! Candidates are prepared once: every distinct character context (the character and its
//! neighbours) gets a number. A query scores each of its characters once against every distinct
//! view of a target character, and sums the views into contexts:
//!
//! ```text
//! cell[x][i] = the score of mapping character i of the query to a character in context x
//! gain[x]    = max(deletion of x, max over i of cell[x][i] − deletion of i)
//! bound      = bias + scale × (Σ_i deletion of i + Σ over characters of the candidate of gain)
//! ```
//!
//! An alignment uses each i at most once and in order. The bound relaxes both constraints, so no
//! score exceeds it. The candidates with the highest bounds are scored in full first; of the rest,
//! only those whose bound reaches the lowest score in the current top k.

use super::features::{VIEWS, Views};
use super::machine::{MachineScratch, NameMachine};
use crate::Result;
use rayon::prelude::*;
use resay_learn::matching::monotone::best_score;
use resay_learn::progress::Progress;
use rustc_hash::FxHashMap;

/// Candidates scored in full before bounds prune: the number per requested result, and the minimum.
const FIRST: (usize, usize) = (2, 64);

/// Names of the target side, prepared for one machine.
#[derive(Clone, Debug)]
pub struct PreparedNames {
    /// `contexts[starts[c]..starts[c + 1]]`: the context numbers of candidate c.
    starts: Vec<u32>,
    contexts: Vec<u32>,
    /// The view numbers of each context.
    views_of: Vec<[u32; VIEWS]>,
    /// The distinct views of each kind; `None` is an unknown view.
    views: [Vec<Option<u64>>; VIEWS],
    /// One deletion score per context.
    deletions: Vec<f64>,
    longest: usize,
}

/// A candidate and its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedName {
    /// The index of the candidate.
    pub candidate: usize,
    /// Its score.
    pub score: f64,
}

/// The best candidates for a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// Best first; ties are in candidate order.
    pub found: Vec<RankedName>,
    /// The number of candidates scored in full.
    pub n_scored: usize,
}

/// Scratch space for queries, one per thread.
#[derive(Debug, Default)]
pub struct RankScratch {
    machine: MachineScratch,
    parts: [Vec<f64>; VIEWS],
    cells: Vec<f64>,
    gains: Vec<f64>,
    bounds: Vec<(f64, u32)>,
    deletions: [Vec<f64>; 2],
    values: Vec<f64>,
}

impl PreparedNames {
    /// Prepares names as candidates.
    pub fn new<S: AsRef<str>>(machine: &NameMachine, names: &[S]) -> Self {
        let mut prepared = Self {
            starts: vec![0],
            contexts: Vec::new(),
            views_of: Vec::new(),
            views: Default::default(),
            deletions: Vec::new(),
            longest: 0,
        };
        let mut numbers = FxHashMap::default();
        let mut view_numbers: [FxHashMap<Option<u64>, u32>; VIEWS] = Default::default();
        for name in names {
            let spelled = machine.alphabets()[1].spell(name.as_ref());
            prepared.longest = prepared.longest.max(spelled.len());
            for context in spelled {
                let next = prepared.views_of.len() as u32;
                let number = *numbers.entry(context).or_insert(next);
                prepared.contexts.push(number);
                if number < next {
                    continue;
                }
                let views = Views::new(&context);
                prepared.deletions.push(machine.features().deletion(1, &views, machine.weights()));
                let mut of_context = [0; VIEWS];
                for (kind, place) in of_context.iter_mut().enumerate() {
                    let next = prepared.views[kind].len() as u32;
                    *place = *view_numbers[kind].entry(views.get(kind)).or_insert(next);
                    if *place == next {
                        prepared.views[kind].push(views.get(kind));
                    }
                }
                prepared.views_of.push(of_context);
            }
            prepared.starts.push(prepared.contexts.len() as u32);
        }
        prepared
    }

    /// The number of candidates.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no candidates.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn contexts_of(&self, candidate: usize) -> &[u32] {
        &self.contexts[self.starts[candidate] as usize..self.starts[candidate + 1] as usize]
    }

    /// The views of a candidate's characters.
    fn spelled(&self, candidate: usize) -> Vec<Views> {
        let of_context = |&context: &u32| {
            let numbers = self.views_of[context as usize];
            Views::from_parts([0, 1, 2].map(|kind| self.views[kind][numbers[kind] as usize]))
        };
        self.contexts_of(candidate).iter().map(of_context).collect()
    }

    /// The `top` best candidates for a name.
    pub fn rank(&self, machine: &NameMachine, query: &str, top: usize, scratch: &mut RankScratch) -> Result<Best> {
        let source = machine.views(0, query);
        if machine.inference().is_some() {
            return self.rank_in_full(machine, &source, top, scratch);
        }
        let n = source.len();
        self.fill(machine, &source, scratch);
        let RankScratch { cells, gains, bounds, deletions: [of_source, of_target], values, .. } = scratch;
        let of_all: f64 = of_source.iter().sum();
        let scales: Vec<f64> = (0..=self.longest).map(|length| machine.scale().of(n, length)).collect();
        bounds.clear();
        for candidate in 0..self.len() {
            let contexts = self.contexts_of(candidate);
            let gain: f64 = contexts.iter().map(|&context| gains[context as usize]).sum();
            let bound = machine.bias() + scales[contexts.len()] * (of_all + gain);
            // The bound adds in another order than the score; the margin covers the rounding error.
            bounds.push((bound + 1e-9 * (1.0 + bound.abs()), candidate as u32));
        }
        let mut score = |candidate: u32| {
            let contexts = self.contexts_of(candidate as usize);
            of_target.clear();
            of_target.extend(contexts.iter().map(|&context| self.deletions[context as usize]));
            let best = best_score(|j, i| cells[contexts[j] as usize * n + i], of_target, of_source, values);
            RankedName { candidate: candidate as usize, score: machine.whole(best, n, contexts.len()) }
        };
        let mut best = Top { most: top, found: Vec::new() };
        let first = (FIRST.0 * top).max(FIRST.1);
        if first < bounds.len() {
            bounds.select_nth_unstable_by(first, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        }
        let mut n_scored = 0;
        for &(bound, candidate) in bounds.iter() {
            if best.may_take(bound) {
                n_scored += 1;
                best.take(score(candidate));
            }
        }
        Ok(Best { found: best.found, n_scored })
    }

    /// Computes the `cells`, `gains` and deletion scores of a query.
    fn fill(&self, machine: &NameMachine, source: &[Views], scratch: &mut RankScratch) {
        let n = source.len();
        machine.deletions(0, source, &mut scratch.deletions[0]);
        for kind in 0..VIEWS {
            let parts = &mut scratch.parts[kind];
            parts.clear();
            for &view in &self.views[kind] {
                parts.extend(source.iter().map(|a| machine.features().map_part(a, kind, view, machine.weights())));
            }
        }
        scratch.cells.clear();
        scratch.gains.clear();
        for (numbers, &deletion) in self.views_of.iter().zip(&self.deletions) {
            let [first, second, third] = [0, 1, 2].map(|kind| &scratch.parts[kind][numbers[kind] as usize * n..][..n]);
            let mut gain = deletion;
            for i in 0..n {
                let cell = first[i] + second[i] + third[i];
                scratch.cells.push(cell);
                gain = gain.max(cell - scratch.deletions[0][i]);
            }
            scratch.gains.push(gain);
        }
    }

    /// Scores every candidate. With separate inference weights there is no bound.
    fn rank_in_full(
        &self,
        machine: &NameMachine,
        source: &[Views],
        top: usize,
        scratch: &mut RankScratch,
    ) -> Result<Best> {
        let mut best = Top { most: top, found: Vec::new() };
        for candidate in 0..self.len() {
            let score = machine.score(source, &self.spelled(candidate), &mut scratch.machine)?;
            best.take(RankedName { candidate, score });
        }
        Ok(Best { found: best.found, n_scored: self.len() })
    }

    /// The best candidates for many names, computed in parallel, in the order of the queries.
    pub fn rank_all<S: AsRef<str> + Sync>(
        &self,
        machine: &NameMachine,
        queries: &[S],
        top: usize,
        progress: Progress<'_>,
    ) -> Result<Vec<Best>> {
        let one = |scratch: &mut RankScratch, query: &S| {
            progress.check()?;
            self.rank(machine, query.as_ref(), top, scratch)
        };
        queries.par_iter().map_init(RankScratch::default, one).collect()
    }
}

/// The current top results, best first.
struct Top {
    most: usize,
    found: Vec<RankedName>,
}

impl Top {
    /// Whether a candidate with this upper bound may enter the top results.
    fn may_take(&self, bound: f64) -> bool {
        self.most > 0 && (self.found.len() < self.most || self.found.last().is_some_and(|last| bound >= last.score))
    }

    fn take(&mut self, new: RankedName) {
        let before = |other: &RankedName| {
            other.score.total_cmp(&new.score).reverse().then(other.candidate.cmp(&new.candidate)).is_lt()
        };
        let place = self.found.partition_point(before);
        if place < self.most {
            self.found.insert(place, new);
            self.found.truncate(self.most);
        }
    }
}
