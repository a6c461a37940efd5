//! How many pairs a second the solvers of hidden structure take, one thread, against the 0/1
//! programme of the same space in the same run.
//!
//! `cargo bench -p resay --bench solvers`. Scores are as learned models have them: equal words
//! score high, others about nothing or below, words repeat, edges between equal words bring a
//! little; sentences of 12 x 20 and 20 x 20 words, and 20 words against 20 that stand twice; names
//! of 8 x 8 letters. Building a programme counts for neither side. Both sides' scores are compared,
//! and a solver that is not faster by a bound fails: a quarter or less of the ratio that was
//! measured.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints and may fail loudly")]

use resay_learn::matching::{Assignment, Graph, Monotone, Space};
use resay_learn::rng::SplitMix;
use std::hint::black_box;
use std::time::Instant;

/// Different pairs of each shape.
const N_PAIRS: usize = 40;
/// How often all are taken; the fastest round counts, as others may be using the machine.
const N_ROUNDS: usize = 10;
/// Different words: few, so that they repeat.
const N_WORDS: usize = 15;

/// A sentence: words by number, those with small numbers often, and a head for each but the root.
fn sentence(n: usize, random: &mut SplitMix) -> (Vec<usize>, Vec<Option<u32>>) {
    let words = (0..n).map(|_| (random.unit() * random.unit() * N_WORDS as f64) as usize).collect();
    let mut order: Vec<usize> = (0..n).collect();
    random.shuffle(&mut order);
    let mut heads = vec![None; n];
    (1..n).for_each(|at| heads[order[at]] = Some(order[random.below(at)] as u32));
    (words, heads)
}

/// The score of every map of a word to a word.
fn word_scores(source: &[usize], target: &[usize], random: &mut SplitMix) -> Vec<f64> {
    let likeness: Vec<f64> = (0..N_WORDS * N_WORDS).map(|_| random.unit().powi(4) * 0.5 - 0.2).collect();
    let score = |a: usize, b: usize| if a == b { 0.8 } else { likeness[a * N_WORDS + b] };
    source.iter().flat_map(|&a| target.iter().map(move |&b| score(a, b))).collect()
}

/// Two sentences, the second like the first in two words of three, or that one twice over.
fn graph(m: usize, n: usize, is_doubled: bool, random: &mut SplitMix) -> (Graph, Vec<f64>) {
    let (source, source_heads) = sentence(m, random);
    let (mut target, mut target_heads) = sentence(n, random);
    for j in 0..n.min(m) {
        if random.below(3) > 0 {
            target[j] = source[j];
        }
    }
    if is_doubled {
        target.extend_from_within(..);
        let again: Vec<_> = target_heads.iter().map(|head| head.map(|head| head + n as u32)).collect();
        target_heads.extend(again);
    }
    let space = Graph::new(source_heads, target_heads).unwrap();
    let mut scores = word_scores(&source, &target, random);
    scores.resize(space.n_parts(), 0.0);
    for (e, &(head, dependent)) in space.source_edges().iter().enumerate() {
        for (f, &(other_head, other)) in space.target_edges().iter().enumerate() {
            let n_equal = usize::from(source[head as usize] == target[other_head as usize])
                + usize::from(source[dependent as usize] == target[other as usize]);
            scores[space.edge(e, f)] = [-0.1, 0.05, 0.4][n_equal];
        }
    }
    (space, scores)
}

/// Pairs a second: all pairs once in every round, the fastest round.
fn rate(n_pairs: usize, n_rounds: usize, mut run: impl FnMut()) -> f64 {
    let round = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    n_pairs as f64 / (0..n_rounds).map(round).fold(f64::INFINITY, f64::min)
}

/// Compares both ways; the solver has to be so many times as fast.
fn measure<S: Space>(name: &str, pairs: &[(S, Vec<f64>)], at_least: f64) {
    let mut scratch = S::Scratch::default();
    let programs: Vec<_> = pairs.iter().map(|(space, _)| space.program()).collect();
    for ((space, scores), program) in pairs.iter().zip(&programs) {
        let (found, expected) =
            (space.best(scores, None, &mut scratch).unwrap(), program.best(scores, None, &mut ()).unwrap());
        assert!((found.score - expected.score).abs() < 1e-9 * (1.0 + expected.score.abs()));
    }
    let fast = rate(pairs.len(), N_ROUNDS, || {
        pairs.iter().for_each(|(space, scores)| drop(black_box(space.best(scores, None, &mut scratch))));
    });
    // The programme is not to take minutes.
    let slow = rate(pairs.len(), 2, || {
        pairs.iter().zip(&programs).for_each(|((_, scores), program)| {
            drop(black_box(program.best(scores, None, &mut ())));
        });
    });
    let ratio = fast / slow;
    println!("{name:>22} {fast:>12.0} {slow:>16.0} {ratio:>8.1}");
    assert!(ratio >= at_least, "{name}: {ratio:.1} times as fast as the programme, expected at least {at_least}");
}

fn main() {
    let mut random = SplitMix::new(17);
    println!("{:>22} {:>12} {:>16} {:>8}", "", "pairs/s", "programme/s", "ratio");
    for (name, m, n, is_doubled) in
        [("trees 12x20", 12, 20, false), ("trees 20x20", 20, 20, false), ("trees 20x40 doubled", 20, 20, true)]
    {
        let pairs: Vec<_> = (0..N_PAIRS).map(|_| graph(m, n, is_doubled, &mut random)).collect();
        measure(name, &pairs, 5.0);
    }
    let assignments: Vec<_> = (0..N_PAIRS)
        .map(|_| {
            let (source, target) = (sentence(20, &mut random).0, sentence(20, &mut random).0);
            let space = Assignment::new(20, 20).unwrap();
            let mut scores = word_scores(&source, &target, &mut random);
            scores.resize(space.n_parts(), 0.0);
            (space, scores)
        })
        .collect();
    measure("assignment 20x20", &assignments, 25.0);
    let names: Vec<_> = (0..N_PAIRS)
        .map(|_| {
            let space = Monotone::new(8, 8).unwrap();
            let mut scores: Vec<f64> = (0..64).map(|_| random.unit() * 2.0 - 1.0).collect();
            scores.resize(space.n_parts(), 0.0);
            (space, scores)
        })
        .collect();
    measure("monotone 8x8", &names, 1000.0);
}
