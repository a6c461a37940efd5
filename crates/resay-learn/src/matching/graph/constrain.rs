//! Maps between two forests under further constraints on the maps of words.
//!
//! Input: the problem of this module and [`MapConstraints`]. Output: among the maps that meet all
//! hard constraints, those with the most wanted maps; among these, the one with the highest score.
//! The empty map meets every hard constraint, so there always is one.
//!
//! ```text
//! forbidden   x[a] = 0
//! with edge   x[a] <= x[heads of a]            the edge above a is mapped whenever a is
//! at most     sum over a in A of x[a] <= N
//! supported   sum over a in A of x[a] <= sum over b in S of x[b]
//! wanted      as many as possible of x[a] = 1
//! ```
//!
//! The first two and the last change gains only, and the search of this module stays exact: a map
//! with edge loses `B` and its edge gains `B`; a wanted map gains `M`. `M` is more than any two maps
//! differ by, and `B` is more than that again, wanted maps included. So no optimum has a map
//! without its edge: dropping that map, with all maps that hang from it by their own edges, would
//! lose less than `B` and gain `B` back.
//!
//! The other two couple maps. If the best map does not meet them as it is, they get prices
//! (Lagrangian relaxation): `x[a]` pays for every unit that it takes, and the search of this module
//! solves what is left. The best value plus all that is paid for bounds every map that meets the
//! constraints. Prices follow Polyak's steps; a map that was found is made to meet the constraints
//! by dropping what does not. If bound and best map do not meet, one map is either made or excluded
//! (branch and bound, depth first). All searches of a problem share one limit of work; if it is
//! spent, [`GraphSearch::gap`] bounds the distance from the optimum, in gains with `M`.

use super::problem::Problem;
use super::{Graph, GraphSearch, NONE, all_forbidden, check_scores};
use crate::matching::{Choice, Space};
use crate::{Error, Result};

/// Maximum number of steps per case, steps without a better bound before they get shorter, and the
/// length below which a case is split.
const MAX_STEPS: usize = 60;
const PATIENCE: usize = 4;
const SHORTEST: f64 = 0.1;
/// Maximum number of terms of constraints that couple maps: all maps of two texts of 250 words, three
/// times over.
const MAX_TERMS: usize = 200_000;
/// Work per term and per map of a step, in accesses.
const STEP: usize = 8;
/// Rounding error of a sum, relative to its largest term.
const ROUNDING: f64 = 1e-14;

/// Constraints on the maps of words of one [`Graph`]. Maps are given by their parts
/// ([`Graph::word`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapConstraints {
    /// As many of these as possible are made.
    pub wanted: Vec<u32>,
    /// None of these is made.
    pub forbidden: Vec<u32>,
    /// Each of these is made only if the heads of its words are mapped to each other, or if neither
    /// word has a head.
    pub with_edge: Vec<u32>,
    /// At most so many of these are made.
    pub at_most: Vec<(Vec<u32>, u32)>,
    /// At most as many of the first are made as of the second. With one map in the first list, it is
    /// made only if one of the second is.
    pub supported: Vec<(Vec<u32>, Vec<u32>)>,
}

impl MapConstraints {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        let Self { wanted, forbidden, with_edge, at_most, supported } = self;
        wanted.is_empty() && forbidden.is_empty() && with_edge.is_empty() && at_most.is_empty() && supported.is_empty()
    }

    /// The size of what couples maps.
    fn n_terms(&self) -> usize {
        let supported = self.supported.iter().map(|(maps, supports)| maps.len() + supports.len());
        self.at_most.iter().map(|(maps, _)| maps.len()).chain(supported).sum()
    }

    /// Fails if a part is no map of two words of the graph, or if too many are coupled.
    fn check(&self, n_maps: usize) -> Result<()> {
        let Self { wanted, forbidden, with_edge, at_most, supported } = self;
        let alone = [wanted, forbidden, with_edge].into_iter().flatten();
        let counted = at_most.iter().flat_map(|(maps, _)| maps);
        let supported = supported.iter().flat_map(|(maps, supports)| supports.iter().chain(maps));
        match alone.chain(counted).chain(supported).find(|map| **map as usize >= n_maps) {
            None if self.n_terms() > MAX_TERMS => Err(Error::data(format!(
                "constraints that count links or tie them to each other have {} terms for these texts, at most \
                {MAX_TERMS} are allowed; cut the texts up, or take such constraints away",
                self.n_terms()
            ))),
            None => Ok(()),
            Some(map) => {
                Err(Error::parameter(format!("part {map} is constrained, expected one of {n_maps} maps of words")))
            }
        }
    }
}

/// A constraint that couples maps: the sum of factor times map is at most `most`.
struct Coupling {
    terms: Vec<(usize, f64)>,
    most: f64,
}

/// What a case says about a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Free,
    Made,
    Excluded,
}

/// A case: the maps that are made or excluded, prices to start from, and a bound.
struct Case {
    decided: Vec<(usize, Status)>,
    prices: Vec<f64>,
    bound: f64,
}

/// The best map known.
struct Best {
    map: Vec<u32>,
    gain: f64,
}

/// The search under constraints that couple maps.
struct Coupled<'a> {
    /// Gains with `M` and `B`.
    base: &'a Problem,
    constraints: &'a MapConstraints,
    couplings: Vec<Coupling>,
    /// A gain above all differences between maps.
    force: f64,
    best: Best,
    cases: Vec<Case>,
    /// The highest bound of a case left open.
    left: f64,
}

impl Graph {
    /// The best choice under constraints (see [`MapConstraints`]). Like [`Space::best`] otherwise.
    pub fn best_under(
        &self,
        constraints: &MapConstraints,
        scores: &[f64],
        start: Option<&[u32]>,
        search: &mut GraphSearch,
    ) -> Result<Choice> {
        if constraints.is_empty() {
            return self.best(scores, start, search);
        }
        check_scores(scores, self.n_parts())?;
        constraints.check(self.n_source() * self.n_target())?;
        let mut base = Problem::new(self, scores);
        base.constrain(constraints);
        search.begin();
        let mut coupled = Coupled::new(&base, constraints);
        if let Some(start) = start {
            coupled.offer(self.map_of(start));
        }
        coupled.solve(search);
        let parts = self.parts(&coupled.best.map);
        if parts.iter().any(|&part| scores[part as usize] == f64::NEG_INFINITY) {
            return Err(all_forbidden("a word or an edge"));
        }
        Choice::new(parts, scores)
    }
}

impl Problem {
    /// More than any two proper maps differ by, by much more than the tolerance.
    fn range(&self) -> f64 {
        let n = self.n_columns();
        let worst = |i: usize| {
            let maps = self.gains[i * n..][..n].iter().zip(&self.edge_gains[i * n..][..n]);
            let finite = maps.filter(|(gain, _)| gain.is_finite());
            let cost = |edge: f64| if edge.is_finite() { edge.min(0.0) } else { 0.0 };
            finite.fold(0.0, |least: f64, (gain, edge)| least.min(gain + cost(*edge)))
        };
        let lowest: f64 = (0..self.n_rows()).map(worst).sum();
        let range = 1.01 * (self.ceiling() - lowest) + 1e3 * self.tolerance;
        if range > 0.0 { range } else { 1.0 }
    }

    /// Whether the map `at` hangs from an edge; `None` if just one of its words has a head.
    fn hangs(&self, at: usize) -> Option<bool> {
        let heads = [self.rows.heads[at / self.n_columns()], self.columns.heads[at % self.n_columns()]];
        match heads.map(|head| head == NONE) {
            [true, true] => Some(false),
            [false, false] => Some(true),
            _ => None,
        }
    }

    /// Changes gains so that the best map has the most wanted maps, no forbidden one, and none
    /// without the edge that it needs.
    fn constrain(&mut self, constraints: &MapConstraints) {
        let MapConstraints { wanted, forbidden, with_edge, .. } = constraints;
        forbidden.iter().for_each(|&map| self.gains[map as usize] = f64::NEG_INFINITY);
        let mut with_edge = with_edge.clone();
        with_edge.sort_unstable();
        with_edge.dedup();
        for &map in &with_edge {
            if self.hangs(map as usize).is_none() {
                self.gains[map as usize] = f64::NEG_INFINITY;
            }
        }
        let mut wanted = wanted.clone();
        wanted.sort_unstable();
        wanted.dedup();
        if !wanted.is_empty() {
            let bonus = self.range();
            wanted.iter().for_each(|&map| self.gains[map as usize] += bonus);
        }
        with_edge.retain(|&map| self.hangs(map as usize) == Some(true));
        if !with_edge.is_empty() {
            let loss = self.range();
            for at in with_edge.into_iter().map(|map| map as usize) {
                self.gains[at] -= loss;
                self.edge_gains[at] += loss;
            }
        }
        let finite = self.gains.iter().chain(&self.edge_gains).filter(|gain| gain.is_finite());
        let largest = finite.fold(0.0, |most: f64, gain| most.max(gain.abs()));
        self.tolerance = self.tolerance.max(ROUNDING * largest * (1 + self.n_rows().min(self.n_columns())) as f64);
    }
}

impl<'a> Coupled<'a> {
    fn new(base: &'a Problem, constraints: &'a MapConstraints) -> Self {
        let mut couplings = Vec::new();
        for (maps, most) in &constraints.at_most {
            let mut maps: Vec<usize> = maps.iter().map(|&map| map as usize).collect();
            maps.sort_unstable();
            maps.dedup();
            couplings.push(Coupling { terms: maps.into_iter().map(|at| (at, 1.0)).collect(), most: f64::from(*most) });
        }
        for (maps, supports) in &constraints.supported {
            let [maps, supports] = [maps, supports].map(|list| {
                let mut list: Vec<usize> = list.iter().map(|&map| map as usize).collect();
                list.sort_unstable();
                list.dedup();
                list
            });
            // A map that supports itself needs nothing, and supports nothing else.
            let first = maps.iter().filter(|at| supports.binary_search(at).is_err()).map(|&at| (at, 1.0));
            let second = supports.iter().filter(|at| maps.binary_search(at).is_err()).map(|&at| (at, -1.0));
            couplings.push(Coupling { terms: first.chain(second).collect(), most: 0.0 });
        }
        let best = Best { map: vec![NONE; base.n_rows()], gain: 0.0 };
        let force = base.range();
        Self { base, constraints, couplings, force, best, cases: Vec::new(), left: f64::NEG_INFINITY }
    }

    fn solve(&mut self, search: &mut GraphSearch) {
        self.cases.push(Case {
            decided: Vec::new(),
            prices: vec![0.0; self.couplings.len()],
            bound: self.base.ceiling(),
        });
        while let Some(case) = self.cases.pop() {
            if search.is_spent() {
                self.left = self.left.max(case.bound);
            } else if case.bound > self.floor() {
                self.look_at(case, search);
            }
        }
        search.end((self.left > self.floor()).then_some(self.left - self.best.gain));
    }

    /// The value that a map must exceed to matter.
    fn floor(&self) -> f64 {
        self.best.gain + self.base.tolerance
    }

    fn has(&self, map: &[u32], at: usize) -> bool {
        map[at / self.base.n_columns()] as usize == at % self.base.n_columns()
    }

    /// How much a map exceeds a coupling.
    fn excess(&self, map: &[u32], coupling: &Coupling) -> f64 {
        let made = coupling.terms.iter().filter(|(at, _)| self.has(map, *at));
        made.map(|(_, factor)| factor).sum::<f64>() - coupling.most
    }

    /// Drops what breaks a constraint, and keeps the result if it is the best.
    fn offer(&mut self, mut map: Vec<u32>) {
        let base = self.base;
        let n = base.n_columns();
        for (i, j) in map.iter_mut().enumerate() {
            if *j != NONE && base.gains[i * n + *j as usize] == f64::NEG_INFINITY {
                *j = NONE;
            }
        }
        loop {
            let without_edge = |at: &usize| {
                let (i, j) = (at / n, (at % n) as u32);
                base.hangs(*at) == Some(true) && !base.has_edge(&map, i, j)
            };
            let needy = self.constraints.with_edge.iter().map(|&at| at as usize);
            let mut dropped = needy.filter(|&at| self.has(&map, at)).find(without_edge);
            for coupling in &self.couplings {
                if dropped.is_none() && self.excess(&map, coupling) > 0.0 {
                    let made = coupling.terms.iter().filter(|(at, factor)| *factor > 0.0 && self.has(&map, *at));
                    let worth = |at: usize| base.gain_at(&map, at / n, (at % n) as u32);
                    let least = made.map(|(at, _)| *at).min_by(|a, b| worth(*a).total_cmp(&worth(*b)));
                    dropped = least;
                }
            }
            match dropped {
                Some(at) => map[at / n] = NONE,
                None => break,
            }
        }
        let gain = base.gain_of(&map);
        if gain > self.best.gain {
            self.best = Best { map, gain };
        }
    }

    /// What a case decides about every map, and what follows from it; `None` if no map is left.
    fn status(&self, decided: &[(usize, Status)]) -> Option<Vec<Status>> {
        let n = self.base.n_columns();
        let gains = self.base.gains.iter();
        let mut status: Vec<Status> =
            gains.map(|gain| if *gain == f64::NEG_INFINITY { Status::Excluded } else { Status::Free }).collect();
        let mut queue = decided.to_vec();
        loop {
            while let Some((at, wanted)) = queue.pop() {
                if status[at] == wanted {
                    continue;
                }
                if status[at] != Status::Free {
                    return None;
                }
                status[at] = wanted;
                if wanted == Status::Made {
                    let (row, column) = (at / n, at % n);
                    let rivals = (0..n).map(|j| row * n + j).chain((0..self.base.n_rows()).map(|i| i * n + column));
                    queue.extend(rivals.filter(|&other| other != at).map(|other| (other, Status::Excluded)));
                }
            }
            for Coupling { terms, most } in &self.couplings {
                let least = |&(at, factor): &(usize, f64)| match status[at] {
                    Status::Made => factor,
                    Status::Excluded => 0.0,
                    Status::Free => factor.min(0.0),
                };
                let least: f64 = terms.iter().map(least).sum();
                if least > *most {
                    return None;
                }
                let free =
                    terms.iter().filter(|(at, factor)| status[*at] == Status::Free && least + factor.abs() > *most);
                queue
                    .extend(free.map(|&(at, factor)| (at, if factor > 0.0 { Status::Excluded } else { Status::Made })));
            }
            if queue.is_empty() {
                return Some(status);
            }
        }
    }

    /// The problem of a case at these prices.
    fn priced(&self, status: &[Status], prices: &[f64]) -> Problem {
        let mut problem = self.base.clone();
        for (Coupling { terms, .. }, price) in self.couplings.iter().zip(prices).filter(|(_, price)| **price > 0.0) {
            terms.iter().for_each(|(at, factor)| problem.gains[*at] -= price * factor);
        }
        for (gain, status) in problem.gains.iter_mut().zip(status) {
            match status {
                Status::Free => {}
                Status::Made => *gain += self.force,
                Status::Excluded => *gain = f64::NEG_INFINITY,
            }
        }
        problem
    }

    /// Closes a case, or splits it.
    fn look_at(&mut self, case: Case, search: &mut GraphSearch) {
        let Some(status) = self.status(&case.decided) else { return };
        let n_made = status.iter().filter(|status| **status == Status::Made).count();
        let Case { decided, mut prices, bound: mut best_bound } = case;
        let mut best_prices = prices.clone();
        let (mut length, mut since_better, mut n_steps) = (1.0, 0, 0);
        let mut counts = vec![0_u32; status.len()];
        let n_terms: usize = self.couplings.iter().map(|coupling| coupling.terms.len()).sum();
        for _ in 0..MAX_STEPS {
            if !search.take(n_terms + status.len(), STEP) {
                self.left = self.left.max(best_bound);
                return;
            }
            let mut problem = self.priced(&status, &prices);
            // What is made for certain is paid back.
            let paid: f64 = self.couplings.iter().zip(&prices).map(|(coupling, price)| coupling.most * price).sum();
            let constant = paid - self.force * n_made as f64;
            let map = search.solve_more(&mut problem, Some(self.best.map.clone())).to_vec();
            let bound = problem.gain_of(&map) + search.gap() + constant;
            for (i, &j) in map.iter().enumerate().filter(|(_, j)| **j != NONE) {
                counts[i * self.base.n_columns() + j as usize] += 1;
            }
            n_steps += 1;
            self.offer(map.clone());
            since_better += 1;
            if bound < best_bound {
                if best_bound - bound > 0.05 * (bound - self.best.gain) {
                    since_better = 0;
                }
                best_bound = bound;
                best_prices.clone_from(&prices);
            }
            if best_bound <= self.floor() {
                return;
            }
            if search.is_spent() {
                self.left = self.left.max(best_bound);
                return;
            }
            if since_better >= PATIENCE {
                since_better = 0;
                length *= 0.5;
                if length < SHORTEST {
                    break;
                }
            }
            let excesses: Vec<f64> = self.couplings.iter().map(|coupling| self.excess(&map, coupling)).collect();
            let directions = excesses.iter().zip(&prices);
            let directions: Vec<f64> =
                directions.map(|(&excess, &price)| if excess > 0.0 || price > 0.0 { excess } else { 0.0 }).collect();
            let square: f64 = directions.iter().map(|direction| direction * direction).sum();
            if square == 0.0 {
                break;
            }
            let by = length * (bound - self.best.gain) / square;
            for (price, direction) in prices.iter_mut().zip(&directions) {
                *price = (*price + by * direction).max(0.0);
            }
        }
        // The map that was chosen about half of the time is the least certain.
        let coupled = self.couplings.iter().flat_map(|coupling| &coupling.terms);
        let free = coupled.map(|(at, _)| *at).filter(|&at| status[at] == Status::Free);
        let Some(at) = free.min_by_key(|&at| ((2 * counts[at]).abs_diff(n_steps), at)) else {
            // All that is coupled is decided, so prices do nothing: the search was exact.
            let mut problem = self.priced(&status, &vec![0.0; prices.len()]);
            let map = search.solve_more(&mut problem, None).to_vec();
            if search.is_spent() {
                self.left = self.left.max(best_bound);
            }
            return self.offer(map);
        };
        let mut orders = [Status::Excluded, Status::Made];
        if 2 * counts[at] < n_steps {
            orders.reverse();
        }
        for order in orders {
            let decided = decided.iter().copied().chain([(at, order)]).collect();
            self.cases.push(Case { decided, prices: best_prices.clone(), bound: best_bound });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix;

    fn heads(n: usize, random: &mut SplitMix) -> Vec<Option<u32>> {
        (0..n).map(|word| (word > 0 && random.below(5) > 0).then(|| random.below(word) as u32)).collect()
    }

    /// Every proper map, by trying all.
    fn all_maps(m: usize, n: usize) -> Vec<Vec<u32>> {
        let mut maps: Vec<Vec<u32>> = vec![Vec::new()];
        for _ in 0..m {
            let longer = |map: &Vec<u32>| {
                let free = (0..n as u32).filter(|j| !map.contains(j)).chain([NONE]);
                free.map(|j| [&map[..], &[j]].concat()).collect::<Vec<_>>()
            };
            maps = maps.iter().flat_map(longer).collect();
        }
        maps
    }

    /// Whether a map meets the hard constraints, by their definition.
    fn is_allowed(graph: &Graph, constraints: &MapConstraints, map: &[u32]) -> bool {
        let n = graph.n_target();
        let has = |part: u32| map[part as usize / n] == part % n as u32;
        let MapConstraints { forbidden, with_edge, at_most, supported, .. } = constraints;
        let edge = |part: u32| {
            let (head, label) = (graph.source.heads[part as usize / n], graph.target.heads[part as usize % n]);
            if head == NONE || label == NONE { head == label } else { map[head as usize] == label }
        };
        let count = |maps: &[u32]| {
            let mut made: Vec<u32> = maps.iter().copied().filter(|&part| has(part)).collect();
            made.sort_unstable();
            made.dedup();
            made.len()
        };
        !forbidden.iter().any(|&part| has(part))
            && with_edge.iter().all(|&part| !has(part) || edge(part))
            && at_most.iter().all(|(maps, most)| count(maps) <= *most as usize)
            && supported.iter().all(|(maps, supports)| count(maps) <= count(supports))
    }

    fn n_wanted(graph: &Graph, constraints: &MapConstraints, map: &[u32]) -> usize {
        let n = graph.n_target();
        let mut wanted = constraints.wanted.clone();
        wanted.sort_unstable();
        wanted.dedup();
        wanted.iter().filter(|&&part| map[part as usize / n] == part % n as u32).count()
    }

    /// Constraints of the kinds whose bits are set, at random.
    fn constraints(kinds: usize, n_maps: usize, random: &mut SplitMix) -> MapConstraints {
        let mut constraints = MapConstraints::default();
        if n_maps == 0 {
            return constraints;
        }
        let mut some =
            |most: usize| -> Vec<u32> { (0..random.below(most + 1)).map(|_| random.below(n_maps) as u32).collect() };
        let lists = [some(4), some(4), some(n_maps), some(n_maps), some(n_maps)];
        let supports: Vec<Vec<u32>> = (0..random.below(6)).map(|_| Vec::new()).collect();
        let supports =
            supports.into_iter().map(|_| (0..random.below(3)).map(|_| random.below(n_maps) as u32).collect());
        let supports: Vec<Vec<u32>> = supports.collect();
        let [wanted, forbidden, with_edge, counted, more] = lists;
        if kinds & 1 > 0 {
            constraints.wanted = wanted;
        }
        if kinds & 2 > 0 {
            constraints.forbidden = forbidden;
        }
        if kinds & 4 > 0 {
            constraints.with_edge = with_edge;
        }
        if kinds & 8 > 0 {
            constraints.at_most = vec![(counted, random.below(3) as u32), (more, random.below(4) as u32)];
        }
        if kinds & 16 > 0 {
            constraints.supported = supports
                .into_iter()
                .map(|maps| (vec![random.below(n_maps) as u32, random.below(n_maps) as u32], maps))
                .collect();
            constraints.supported.iter_mut().step_by(2).for_each(|(maps, _)| maps.truncate(1));
        }
        constraints
    }

    #[test]
    fn every_combination_agrees_with_trying_everything() {
        let (mut random, mut search) = (SplitMix::new(8), GraphSearch::default());
        let (mut n_bound, mut n_met) = (0, [0; 5]);
        for case in 0..3200 {
            let (m, n) = (random.below(5), random.below(if case % 7 == 0 { 5 } else { 4 }));
            let graph = Graph::new(heads(m, &mut random), heads(n, &mut random)).unwrap();
            let score = |_| match case % 3 {
                0 => random.unit() * 2.0 - 0.8,
                1 => random.below(4) as f64 * 0.5 - 0.5,
                _ => (random.unit() - 0.4) * [0.01, 1.0, 100.0][random.below(3)],
            };
            let scores: Vec<f64> = (0..graph.n_parts()).map(score).collect();
            let constraints = constraints(case % 32, m * n, &mut random);
            let value = |map: &Vec<u32>| {
                let score = Choice::new(graph.parts(map), &scores).unwrap().score;
                (n_wanted(&graph, &constraints, map), score)
            };
            let allowed = all_maps(m, n).into_iter().filter(|map| is_allowed(&graph, &constraints, map));
            let best = allowed.map(|map| value(&map)).max_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))).unwrap();
            let free = graph.best(&scores, None, &mut search).unwrap();
            for start in [None, Some(&free.active[..])] {
                let found = graph.best_under(&constraints, &scores, start, &mut search).unwrap();
                let map = graph.map_of(&found.active);
                assert!(!search.is_stopped() && search.gap() == 0.0);
                assert!(is_allowed(&graph, &constraints, &map), "{case}: {constraints:?} {map:?}");
                let found = value(&map);
                let is_best = found.0 == best.0 && (found.1 - best.1).abs() <= 1e-9 * (100.0 + best.1.abs());
                assert!(is_best, "{case}: {found:?} {best:?} {constraints:?} {map:?}");
            }
            n_bound += usize::from((free.score - best.1).abs() > 1e-9);
            (0..5).for_each(|kind| n_met[kind] += usize::from(((case % 32) >> kind) & 1 == 1 && m * n > 0));
        }
        assert!(n_bound > 900 && n_met.iter().all(|n| *n > 800), "{n_bound} {n_met:?}");
    }

    /// Sentences of some length: the same as the programme, which has the constraints as rows.
    #[test]
    fn longer_sentences_agree_with_the_programme() {
        use crate::matching::program::ConstraintSense::AtMost;
        let (mut random, mut search) = (SplitMix::new(9), GraphSearch::default());
        for case in 0..24 {
            let (m, n) = (6 + random.below(4), 6 + random.below(4));
            let graph = Graph::new(heads(m, &mut random), heads(n, &mut random)).unwrap();
            let mut scores: Vec<f64> = (0..graph.n_parts()).map(|_| random.unit() * 0.4 - 0.2).collect();
            scores[..m * n].fill_with(|| random.unit().powi(3) - 0.1);
            let constraints = MapConstraints {
                at_most: vec![((0..(m * n) as u32).collect(), 3), ((0..n as u32 * 3).collect(), 1 + case as u32 % 2)],
                supported: (0..m * n)
                    .filter(|at| at / n > 0 && at % n > 0 && case % 3 > 0)
                    .map(|at| {
                        (
                            vec![at as u32],
                            [at - n - 1, at + n + 1].into_iter().filter(|at| *at < m * n).map(|at| at as u32).collect(),
                        )
                    })
                    .collect(),
                ..MapConstraints::default()
            };
            let mut program = graph.program();
            for (maps, most) in &constraints.at_most {
                let terms: Vec<(usize, f64)> = maps.iter().map(|&map| (map as usize, 1.0)).collect();
                program.constrain("", &terms, AtMost, f64::from(*most));
            }
            for (map, supports) in &constraints.supported {
                let terms = supports.iter().map(|&map| (map as usize, -1.0)).chain([(map[0] as usize, 1.0)]);
                program.constrain("", &terms.collect::<Vec<_>>(), AtMost, 0.0);
            }
            let expected = program.best(&scores, None, &mut ()).unwrap();
            let found = graph.best_under(&constraints, &scores, None, &mut search).unwrap();
            assert!(!search.is_stopped(), "{case}");
            program.check_choice(&found.active).unwrap();
            assert!((found.score - expected.score).abs() < 1e-9, "{case}: {} {}", found.score, expected.score);
        }
    }

    #[test]
    fn a_search_that_is_stopped_says_how_far_it_may_be() {
        let mut random = SplitMix::new(10);
        let mut n_stopped = 0;
        for case in 0..30 {
            let (m, n) = (8, 8);
            let graph = Graph::new(heads(m, &mut random), heads(n, &mut random)).unwrap();
            let scores: Vec<f64> = (0..graph.n_parts()).map(|_| random.below(5) as f64 * 0.5 - 0.8).collect();
            let mut constraints = constraints(4 + 8 + 16, m * n, &mut random);
            constraints.at_most.push(((0..(m * n) as u32).collect(), 3));
            let mut long = GraphSearch::default();
            let best = graph.best_under(&constraints, &scores, None, &mut long).unwrap();
            assert!(!long.is_stopped());
            for limit in [0, 10, 100, 1000, 10_000] {
                let mut short = GraphSearch::within(limit);
                let found = graph.best_under(&constraints, &scores, None, &mut short).unwrap();
                assert!(is_allowed(&graph, &constraints, &graph.map_of(&found.active)), "{case} {limit}");
                assert!(found.score <= best.score + 1e-9 && short.work() <= limit);
                assert!(found.score + short.gap() >= best.score - 1e-9, "{case} {limit}: {}", short.gap());
                assert!(short.is_stopped() || (found.score - best.score).abs() < 1e-9);
                n_stopped += usize::from(short.is_stopped());
            }
        }
        assert!((20..150).contains(&n_stopped), "{n_stopped}");
    }

    #[test]
    fn what_is_no_map_is_refused() {
        let graph = Graph::new(vec![None], vec![None, Some(0)]).unwrap();
        let scores = vec![0.0; graph.n_parts()];
        let check = |constraints: MapConstraints| {
            let error = graph.best_under(&constraints, &scores, None, &mut GraphSearch::default()).unwrap_err();
            assert_eq!(error.to_string(), "part 2 is constrained, expected one of 2 maps of words");
        };
        check(MapConstraints { wanted: vec![2], ..MapConstraints::default() });
        check(MapConstraints { at_most: vec![(vec![0, 2], 1)], ..MapConstraints::default() });
        check(MapConstraints { supported: vec![(vec![2], vec![])], ..MapConstraints::default() });
        check(MapConstraints { supported: vec![(vec![0], vec![1, 2])], ..MapConstraints::default() });
    }
}
