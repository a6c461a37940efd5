//! Tests of every solver against the programme of its space, and of programmes against exhaustive
//! search.

use super::*;
use crate::rng::SplitMix;

const NO: f64 = f64::NEG_INFINITY;

/// Scores of one kind: arbitrary; few distinct values, so that there are many ties; some parts
/// forbidden; only negative; all zero; of very different magnitudes.
fn scores(kind: usize, n_parts: usize, random: &mut SplitMix) -> Vec<f64> {
    let mut one = |_| match kind % 7 {
        0 => random.unit() * 2.0 - 1.0,
        1 => random.below(3) as f64 - 1.0,
        2 if random.below(4) == 0 => NO,
        2 => random.below(5) as f64 * 0.5 - 1.0,
        3 => -random.unit(),
        4 if random.below(12) == 0 => NO,
        4 => random.unit() * 8.0 - 3.0,
        5 => (random.unit() - 0.5) * [1e-3, 1.0, 1e3][random.below(3)],
        _ => 0.0,
    };
    (0..n_parts).map(&mut one).collect()
}

fn is_close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-9 * (1.0 + expected.abs())
}

/// Checks a space's solver, with any start, against its programme.
fn check<S: Space>(space: &S, scratch: &mut S::Scratch, kind: usize, random: &mut SplitMix) {
    let program = space.program();
    assert_eq!(program.n_variables(), space.n_parts());
    let scores = scores(kind, space.n_parts(), random);
    let found = space.best(&scores, None, scratch);
    let expected = match program.best(&scores, None, &mut ()) {
        Ok(expected) => expected,
        Err(error) => {
            let error = error.to_string();
            assert!(error.contains("no choice meets all"), "{error} {scores:?}");
            let found = found.unwrap_err().to_string();
            assert!(found.contains("every choice is forbidden"), "{found} {scores:?}");
            return;
        }
    };
    let found = found.unwrap();
    assert!(is_close(found.score, expected.score), "{} {} {scores:?}", found.score, expected.score);
    program.check_choice(&found.active).unwrap();
    assert_eq!(found.active.iter().map(|&part| scores[part as usize]).sum::<f64>(), found.score);
    assert!(found.active.is_sorted_by(|a, b| a < b));

    // The best choice under other scores, this one, and invalid ones.
    let older: Vec<f64> = (0..space.n_parts()).map(|_| random.unit() - 0.5).collect();
    let older = space.best(&older, None, scratch).unwrap().active;
    let nonsense: Vec<u32> = (0..random.below(9)).map(|_| random.below(2 * space.n_parts() + 3) as u32).collect();
    for start in [older, found.active.clone(), nonsense, vec![u32::MAX], Vec::new()] {
        let again = space.best(&scores, Some(&start), scratch).unwrap();
        assert!(is_close(again.score, found.score), "{start:?} {} {} {scores:?}", again.score, found.score);
        program.check_choice(&again.active).unwrap();
    }
}

/// A forest of a few trees, with words in any order.
fn heads(n: usize, random: &mut SplitMix) -> Vec<Option<u32>> {
    let mut order: Vec<usize> = (0..n).collect();
    random.shuffle(&mut order);
    let mut heads = vec![None; n];
    let root_every = 1 + random.below(6);
    for at in 1..n {
        if random.below(root_every) > 0 {
            heads[order[at]] = Some(order[random.below(at)] as u32);
        }
    }
    heads
}

fn graph(most: usize, random: &mut SplitMix) -> Graph {
    let (m, n) = (random.below(most + 1), random.below(most + 1));
    Graph::new(heads(m, random), heads(n, random)).unwrap()
}

#[test]
fn monotone_maps_are_the_best() {
    let (mut random, mut scratch) = (SplitMix::new(1), Vec::new());
    for case in 0..1000 {
        let space = Monotone::new(random.below(6), random.below(6)).unwrap();
        check(&space, &mut scratch, case, &mut random);
    }
}

#[test]
fn assignments_are_the_best() {
    let (mut random, mut scratch) = (SplitMix::new(2), Default::default());
    for case in 0..1500 {
        let space = Assignment::new(random.below(7), random.below(7)).unwrap();
        check(&space, &mut scratch, case, &mut random);
    }
}

#[test]
fn maps_of_trees_are_the_best() {
    let (mut random, mut scratch) = (SplitMix::new(3), graph::GraphSearch::default());
    for case in 0..1400 {
        let most = if case % 20 == 0 { 8 } else { 5 };
        let space = graph(most, &mut random);
        check(&space, &mut scratch, case, &mut random);
    }
}

/// Sentences with repeated words: equal words have equal scores, so that there are very many ties.
#[test]
fn repeated_words_are_mapped_as_well() {
    let (mut random, mut search) = (SplitMix::new(4), graph::GraphSearch::default());
    let mut most_cases = 0;
    for case in 0..60 {
        let (n, n_words) = (5 + random.below(4), 2 + random.below(3));
        let words: Vec<usize> = (0..n).map(|_| random.below(n_words)).collect();
        let source = heads(n, &mut random);
        // The target is the source, once or twice.
        let mut target = (words.clone(), if case % 3 == 0 { heads(n, &mut random) } else { source.clone() });
        if case % 2 == 0 {
            target.0.extend_from_slice(&words);
            let again: Vec<_> = target.1.iter().map(|head| head.map(|head| head + n as u32)).collect();
            target.1.extend(again);
        }
        let space = Graph::new(source, target.1).unwrap();
        let mut scores = vec![0.0; space.n_parts()];
        for (i, word) in words.iter().enumerate() {
            for (j, other) in target.0.iter().enumerate() {
                scores[space.word(i, j)] = if word == other { 0.7 } else { -0.2 };
            }
        }
        let edge_score = [0.4, -0.1, 0.1][case % 3];
        for e in 0..space.source_edges().len() {
            (0..space.target_edges().len()).for_each(|f| scores[space.edge(e, f)] = edge_score);
        }
        let found = space.best(&scores, None, &mut search).unwrap();
        most_cases = most_cases.max(search.n_cases());
        let expected = space.program().best(&scores, None, &mut ()).unwrap();
        assert!(is_close(found.score, expected.score), "{} {}", found.score, expected.score);
    }
    assert!(most_cases < 100, "{most_cases}");
}

/// Sentences of a dozen words with scores like those of trained models: some words alike, edges
/// that gain or cost a little, and deletions that are free or so expensive that nearly every word
/// is mapped. Too large for the first bound alone.
#[test]
fn longer_sentences_are_mapped_as_well() {
    let (mut random, mut search) = (SplitMix::new(6), graph::GraphSearch::default());
    let mut most_steps = 0;
    for case in 0..60 {
        let (m, n) = (8 + random.below(6), 8 + random.below(6));
        let space = Graph::new(heads(m, &mut random), heads(n, &mut random)).unwrap();
        let mut scores: Vec<f64> = (0..space.n_parts()).map(|_| random.unit() * 0.6 - 0.3).collect();
        scores[..m * n].fill_with(|| random.unit().powi(3) - 0.2);
        let deletion = [0.0, -0.5, -0.1][case % 3];
        (0..m).for_each(|i| scores[space.source_deletion(i)] = deletion);
        (0..n).for_each(|j| scores[space.target_deletion(j)] = deletion);
        let found = space.best(&scores, None, &mut search).unwrap();
        most_steps = most_steps.max(search.n_steps());
        let expected = space.program().best(&scores, None, &mut ()).unwrap();
        assert!(is_close(found.score, expected.score), "{case}: {} {}", found.score, expected.score);
        let again = space.best(&scores, Some(&found.active), &mut search).unwrap();
        assert!(is_close(again.score, expected.score), "{case}: {} {}", again.score, expected.score);
    }
    // The search closed gaps by subgradient steps, not by prices alone.
    assert!(most_steps > 30, "{most_steps}");
}

/// The best score by exhaustive search over all 0/1 vectors; `None` if none is feasible.
fn tried(program: &Program, scores: &[f64]) -> Option<f64> {
    let mut best = None;
    for bits in 0_u32..1 << scores.len() {
        let active: Vec<u32> = (0..scores.len() as u32).filter(|part| bits >> part & 1 == 1).collect();
        let score: f64 = active.iter().map(|&part| scores[part as usize]).sum();
        if score > best.unwrap_or(NO) && program.check_choice(&active).is_ok() {
            best = Some(score);
        }
    }
    best
}

#[test]
fn programmes_agree_with_trying_everything() {
    let mut random = SplitMix::new(5);
    for case in 0..400 {
        let (a, b) = (random.below(3), random.below(4));
        let program = match case % 4 {
            0 => Monotone::new(a, b).unwrap().program(),
            1 => Assignment::new(a, b).unwrap().program(),
            2 => {
                // At most three words on one side: a dozen parts.
                let target = heads(2, &mut random);
                Graph::new(heads(a, &mut random), target).unwrap().program()
            }
            _ => {
                let mut program = Program::new();
                let n = 1 + random.below(9);
                (0..n).for_each(|_| _ = program.binary(""));
                for _ in 0..random.below(5) {
                    let terms: Vec<(usize, f64)> =
                        (0..1 + random.below(4)).map(|_| (random.below(n), random.below(7) as f64 - 3.0)).collect();
                    let relation = [
                        program::ConstraintSense::AtMost,
                        program::ConstraintSense::AtLeast,
                        program::ConstraintSense::Equal,
                    ];
                    let bound = random.below(5) as f64 - 1.0;
                    program.constrain("", &terms, relation[random.below(3)], bound);
                }
                program
            }
        };
        let scores = scores(case, program.n_variables(), &mut random);
        match (program.best(&scores, None, &mut ()), tried(&program, &scores)) {
            (Ok(found), Some(expected)) => assert!(is_close(found.score, expected), "{} {expected}", found.score),
            (Err(error), None) => assert!(error.to_string().contains("no choice meets all"), "{error}"),
            (found, expected) => panic!("{found:?} {expected:?} {program:?} {scores:?}"),
        }
    }
}

#[test]
fn graphs_number_their_parts_without_gaps() {
    let space = Graph::new(vec![Some(1), None, Some(1)], vec![None, Some(0)]).unwrap();
    assert_eq!((space.source_edges(), space.target_edges()), (&[(1, 0), (1, 2)][..], &[(0, 1)][..]));
    let words = [space.word(0, 0), space.word(2, 1), space.source_deletion(0), space.target_deletion(0)];
    assert_eq!(words, [0, 5, 6, 9]);
    let edges = [space.edge(0, 0), space.edge(1, 0), space.source_edge_deletion(0), space.target_edge_deletion(0)];
    assert_eq!((edges, space.n_parts()), ([11, 12, 13, 15], 16));
}

#[test]
fn edges_are_mapped_if_and_only_if_their_words_are() {
    let space = Graph::new(vec![None, Some(0)], vec![None, Some(0)]).unwrap();
    let check = |maps: [f64; 4], edge: f64, expected: &[u32]| {
        let mut scores = vec![0.0; space.n_parts()];
        scores[..4].copy_from_slice(&maps);
        scores[space.edge(0, 0)] = edge;
        let choice = space.best(&scores, None, &mut graph::GraphSearch::default()).unwrap();
        assert_eq!(choice.active, expected);
    };
    check([1.0, -1.0, -1.0, 1.0], -0.5, &[0, 3, 8]);
    // The edge costs more than a word gains: one word stays unmapped.
    check([1.0, -1.0, -1.0, 2.0], -1.5, &[3, 4, 6, 9, 10]);
    check([1.0, -1.0, -1.0, 2.0], NO, &[3, 4, 6, 9, 10]);
    // The edge gains more than its words cost.
    check([-1.0, 0.5, 0.5, -1.0], 3.5, &[0, 3, 8]);
    check([-1.0, 0.5, 0.5, -1.0], 2.5, &[1, 2, 9, 10]);
}

#[test]
fn graphs_that_are_none_are_refused() {
    let check = |source: Vec<Option<u32>>, expected: &str| {
        let error = Graph::new(source, vec![None]).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(vec![Some(3), None], "the head of source word 0 is 3, but there are 2 words");
    check(vec![Some(0)], "run in a circle");
    check(vec![None, Some(2), Some(1)], "run in a circle");
    let error = Graph::new(vec![None], vec![Some(1), Some(0)]).unwrap_err().to_string();
    assert!(error.contains("target words"), "{error}");
}
