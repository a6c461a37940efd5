//! How many pairs a second the lattice of phrases takes, one thread, against the plain dynamic
//! programme in the same run.
//!
//! `cargo bench -p resay --bench lattice`. Pairs have the mean lengths of two corpora of
//! alignments, 29 x 11 and 22 x 22 tokens, with phrases of 1 x 1 and of 3 x 3 and random scores;
//! making scores counts for neither. The plain programme is the paper's: for every end, length and
//! state, all states before, in logarithms, with a table of all transitions. Both sides' answers
//! are compared, and a lattice that is not faster by a bound fails: a third or less of the least
//! ratio that was measured.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints and may fail loudly")]

use resay_learn::rng::SplitMix;
use resay_learn::sequence::semi_markov::{Lattice, LatticeShape, Scores, Segment, Transitions};
use std::hint::black_box;
use std::time::Instant;

const FORBIDDEN: f64 = f64::NEG_INFINITY;
/// Different pairs of each shape.
const N_PAIRS: usize = 50;
/// How often all are taken; the fastest round counts, as others may be using the machine.
const N_ROUNDS: usize = 60;

/// The plain programme: `table[before * S + state]`, with the beginning as one more state before.
struct Plain<'a> {
    shape: LatticeShape,
    emissions: &'a [f64],
    table: Vec<f64>,
}

fn log_sum_exp(terms: &[f64]) -> f64 {
    let top = terms.iter().copied().fold(FORBIDDEN, f64::max);
    if top == FORBIDDEN { top } else { top + terms.iter().map(|term| (term - top).exp()).sum::<f64>().ln() }
}

impl<'a> Plain<'a> {
    fn new(shape: LatticeShape, emissions: &'a [f64], transitions: &Transitions) -> Self {
        let n = shape.n_states();
        let mut table = Vec::with_capacity((n + 1) * n);
        for before in 0..=n {
            for state in 0..n {
                table.push(match (before == n, shape.span(before), shape.span(state)) {
                    (true, _, None) => transitions.start_null,
                    (true, _, Some(_)) => transitions.start_aligned,
                    (false, None, None) => transitions.null_null,
                    (false, None, Some(_)) => transitions.null_aligned,
                    (false, Some(_), None) => transitions.aligned_null,
                    (false, Some((from, len)), Some((to, _))) => {
                        transitions.jumps[shape.jump(from + len - 1, to).unwrap()]
                    }
                });
            }
        }
        Self { shape, emissions, table }
    }

    fn befores(&self, start: usize) -> std::ops::Range<usize> {
        let n = self.shape.n_states();
        if start == 0 { n..n + 1 } else { 0..n }
    }

    fn best(&self) -> (f64, Vec<Segment>) {
        let (shape, n) = (self.shape, self.shape.n_states());
        let mut values = vec![FORBIDDEN; (shape.n_source() + 1) * (n + 1)];
        let mut from = vec![(0_u16, 0_u16); values.len()];
        values[n] = 0.0;
        for end in 1..=shape.n_source() {
            for len in 1..=shape.max_source().min(end) {
                for state in 0..n {
                    let emission = self.emissions[shape.cell(end, len, state).unwrap()];
                    for before in self.befores(end - len) {
                        let value = values[(end - len) * (n + 1) + before] + self.table[before * n + state] + emission;
                        if value > values[end * (n + 1) + state] {
                            values[end * (n + 1) + state] = value;
                            from[end * (n + 1) + state] = (len as u16, before as u16);
                        }
                    }
                }
            }
        }
        let last = &values[shape.n_source() * (n + 1)..];
        let mut state = (0..n).fold(0, |best, state| if last[state] > last[best] { state } else { best });
        let (score, mut end, mut segments) = (last[state], shape.n_source(), Vec::new());
        while end > 0 {
            let (len, before) = from[end * (n + 1) + state];
            segments.push(Segment { end, len: usize::from(len), state });
            (end, state) = (end - usize::from(len), usize::from(before));
        }
        segments.reverse();
        (score, segments)
    }

    fn forward(&self) -> (f64, Vec<f64>) {
        let (shape, n) = (self.shape, self.shape.n_states());
        let mut values = vec![FORBIDDEN; (shape.n_source() + 1) * (n + 1)];
        values[n] = 0.0;
        let mut terms = Vec::new();
        for end in 1..=shape.n_source() {
            for state in 0..n {
                terms.clear();
                for len in 1..=shape.max_source().min(end) {
                    let emission = self.emissions[shape.cell(end, len, state).unwrap()];
                    let before = self.befores(end - len);
                    let row = &values[(end - len) * (n + 1)..];
                    terms.extend(before.map(|before| row[before] + self.table[before * n + state] + emission));
                }
                values[end * (n + 1) + state] = log_sum_exp(&terms);
            }
        }
        (log_sum_exp(&values[shape.n_source() * (n + 1)..][..n]), values)
    }

    /// Expectations of cells, and of steps from state to state.
    fn expectations(&self) -> (f64, Vec<f64>, Vec<f64>) {
        let (shape, n) = (self.shape, self.shape.n_states());
        let (log_sum, forward) = self.forward();
        let mut backward = vec![0.0; (shape.n_source() + 1) * n];
        let (mut cells, mut steps) = (vec![0.0; shape.n_cells()], vec![0.0; self.table.len()]);
        let mut terms = Vec::new();
        for start in (0..shape.n_source()).rev() {
            for before in self.befores(start) {
                terms.clear();
                for len in 1..=shape.max_source().min(shape.n_source() - start) {
                    for state in 0..n {
                        let cell = shape.cell(start + len, len, state).unwrap();
                        let step = before * n + state;
                        let term = self.table[step] + self.emissions[cell] + backward[(start + len) * n + state];
                        let chance = (forward[start * (n + 1) + before] + term - log_sum).exp();
                        cells[cell] += chance;
                        steps[step] += chance;
                        terms.push(term);
                    }
                }
                if before < n {
                    backward[start * n + before] = log_sum_exp(&terms);
                }
            }
        }
        (log_sum, cells, steps)
    }
}

/// Pairs a second: all pairs once in every round, the fastest round.
fn rate(n_rounds: usize, mut run: impl FnMut()) -> f64 {
    let round = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    N_PAIRS as f64 / (0..n_rounds).map(round).fold(f64::INFINITY, f64::min)
}

/// Compares both ways; each question has to be answered so many times as fast.
fn measure(n_source: usize, n_target: usize, max_phrase: usize, at_least: [f64; 3]) {
    let shape = LatticeShape::new(n_source, n_target, max_phrase, max_phrase).unwrap();
    let mut random = SplitMix::new(17);
    let mut values = |n: usize| -> Vec<f64> { (0..n).map(|_| random.unit() * 8.0 - 4.0).collect() };
    let pairs: Vec<(Vec<f64>, Transitions)> = (0..N_PAIRS)
        .map(|_| {
            let five = values(5);
            let transitions = Transitions {
                start_null: five[0],
                start_aligned: five[1],
                null_null: five[2],
                null_aligned: five[3],
                aligned_null: five[4],
                jumps: values(shape.n_jumps()),
            };
            (values(shape.n_cells()), transitions)
        })
        .collect();
    let mut lattice = Lattice::new();
    let (mut cells, mut expected) = (Vec::new(), Transitions::default());
    for (emissions, transitions) in &pairs {
        let (scores, plain) =
            (Scores::new(shape, emissions, transitions).unwrap(), Plain::new(shape, emissions, transitions));
        assert_eq!(lattice.best(scores).1, plain.best().1);
        let (log_sum, plain_cells, plain_steps) = plain.expectations();
        assert!((lattice.expectations(scores, &mut cells, &mut expected) - log_sum).abs() < 1e-9);
        assert!(cells.iter().zip(&plain_cells).all(|(a, b)| (a - b).abs() < 1e-9));
        assert!((plain_steps[0] - expected.null_null).abs() < 1e-9);
    }
    let all = || pairs.iter().map(|(emissions, transitions)| Scores::new(shape, emissions, transitions).unwrap());
    let plains: Vec<Plain> = pairs.iter().map(|(e, transitions)| Plain::new(shape, e, transitions)).collect();
    let fast = [
        rate(N_ROUNDS, || all().for_each(|scores| drop(black_box(lattice.best(scores))))),
        rate(N_ROUNDS, || all().for_each(|scores| _ = black_box(lattice.log_sum(scores)))),
        rate(N_ROUNDS, || {
            all().for_each(|scores| _ = black_box(lattice.expectations(scores, &mut cells, &mut expected)));
        }),
    ];
    // The plain one is not to take minutes.
    let plain = [
        rate(2, || plains.iter().for_each(|plain| drop(black_box(plain.best())))),
        rate(2, || plains.iter().for_each(|plain| drop(black_box(plain.forward())))),
        rate(2, || plains.iter().for_each(|plain| drop(black_box(plain.expectations())))),
    ];
    for (at, name) in ["best", "log-sum", "expectations"].into_iter().enumerate() {
        let (fast, plain, ratio, at_least) = (fast[at], plain[at], fast[at] / plain[at], at_least[at]);
        println!(
            "{:>8} {:>7} {name:>14} {fast:>14.0} {plain:>14.0} {ratio:>8.1}",
            format!("{n_source}x{n_target}"),
            format!("{max_phrase}x{max_phrase}"),
        );
        assert!(ratio >= at_least, "{name}: {ratio:.1} times as fast as the plain one, expected at least {at_least}");
    }
}

fn main() {
    println!("{:>8} {:>7} {:>14} {:>14} {:>14} {:>8}", "tokens", "phrases", "", "pairs/s", "plain pairs/s", "ratio");
    for (n_source, n_target) in [(29, 11), (22, 22)] {
        for (max_phrase, at_least) in [(1, [1.2, 1.5, 2.5]), (3, [10.0, 15.0, 18.0])] {
            measure(n_source, n_target, max_phrase, at_least);
        }
    }
}
