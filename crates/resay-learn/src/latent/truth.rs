//! Tests of learning against its definition, on examples whose structures are enumerated.

use super::inner::{Inner, dot};
use super::*;
use crate::progress::testing::stops;
use crate::progress::{Cancel, Progress};
use crate::rng::SplitMix;
use crate::svm::linear::Loss;

/// Examples with all their representations enumerated.
struct Listed {
    n_features: usize,
    examples: Vec<(bool, Vec<Sparse>)>,
}

impl LatentProblem for Listed {
    type Scratch = ();

    fn n_examples(&self) -> usize {
        self.examples.len()
    }

    fn n_features(&self) -> usize {
        self.n_features
    }

    fn is_positive(&self, example: usize) -> bool {
        self.examples[example].0
    }

    fn best(&self, example: usize, weights: &[f64], _: Option<&[u32]>, (): &mut ()) -> Result<Choice> {
        let mut best = Choice { active: vec![0], score: f64::NEG_INFINITY };
        for (number, vector) in self.examples[example].1.iter().enumerate() {
            let score = dot(vector, weights);
            if score > best.score {
                best = Choice { active: vec![number as u32], score };
            }
        }
        Ok(best)
    }

    fn features(&self, example: usize, active: &[u32]) -> Sparse {
        self.examples[example].1[active[0] as usize].clone()
    }
}

/// Examples with random structures; every structure has the constant feature 0.
fn random_problem(random: &mut SplitMix, n_examples: usize, n_structures: usize, n_features: usize) -> Listed {
    let mut structure = |positive: bool| {
        let mut vector: Sparse = vec![(0, 1.0)];
        for feature in 1..n_features as u32 {
            if random.unit() < 0.4 {
                let lean = if positive && feature % 3 == 0 { 0.5 } else { 0.0 };
                vector.push((feature, random.unit() * 2.0 - 1.0 + lean));
            }
        }
        vector
    };
    let examples = (0..n_examples)
        .map(|example| (example % 3 == 0, (0..n_structures).map(|_| structure(example % 3 == 0)).collect()))
        .collect();
    Listed { n_features, examples }
}

fn loss(kind: Loss, violation: f64) -> f64 {
    if kind == Loss::Hinge { violation.max(0.0) } else { violation.max(0.0).powi(2) }
}

/// Eq. 3 by definition.
fn objective(problem: &Listed, weights: &[f64], params: &LatentParams) -> f64 {
    let of = |(positive, structures): &(bool, Vec<Sparse>)| {
        let best = structures.iter().map(|vector| dot(vector, weights)).fold(f64::NEG_INFINITY, f64::max);
        loss(params.loss, if *positive { 1.0 - best } else { 1.0 + best })
    };
    let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
    0.5 * params.lambda * squares + problem.examples.iter().map(of).sum::<f64>()
}

fn all(problem: &Listed) -> Vec<usize> {
    (0..problem.n_examples()).collect()
}

fn params(loss: Loss, lambda: f64) -> LatentParams {
    LatentParams { lambda, loss, tolerance: 1e-7, ..LatentParams::default() }
}

#[test]
fn inner_solutions_are_the_minimum() {
    let mut random = SplitMix::new(1);
    for (case, kind) in [Loss::SquaredHinge, Loss::Hinge].into_iter().cycle().take(20).enumerate() {
        let problem = random_problem(&mut random, 15, 4, 8);
        let cost = [0.1, 1.0, 10.0][case % 3];
        let mut inner = Inner::new(8, kind);
        for (positive, structures) in &problem.examples {
            let group = inner.group(*positive, cost);
            for vector in &structures[..if *positive { 1 } else { 4 }] {
                inner.add(group, vector);
            }
        }
        // By definition: half the squared length, plus the loss of each example's largest
        // violation.
        let value = |weights: &[f64]| {
            let of = |(positive, structures): &(bool, Vec<Sparse>)| {
                if *positive {
                    return cost * loss(kind, 1.0 - dot(&structures[0], weights));
                }
                let best = structures.iter().map(|vector| dot(vector, weights)).fold(f64::NEG_INFINITY, f64::max);
                cost * loss(kind, 1.0 + best)
            };
            0.5 * weights.iter().map(|weight| weight * weight).sum::<f64>()
                + problem.examples.iter().map(of).sum::<f64>()
        };
        let solved = inner.solve(1e-9, &mut random, Progress::none()).unwrap();
        let weights = inner.weights().to_vec();
        assert!((solved.primal - value(&weights)).abs() < 1e-9 * (1.0 + solved.primal));
        assert!(solved.gap() <= 1e-9 * solved.primal, "{kind:?} gap {} in {} passes", solved.gap(), solved.n_passes);
        // No step in any direction gains more than the gap: the dual objective is a true lower
        // bound.
        for _ in 0..300 {
            let size = 10f64.powf(-4.0 * random.unit());
            let moved: Vec<f64> = weights.iter().map(|weight| weight + size * (random.unit() - 0.5)).collect();
            assert!(value(&moved) >= solved.dual, "{kind:?}");
        }
    }
}

#[test]
fn the_objective_falls_in_every_iteration() {
    let mut random = SplitMix::new(2);
    for (case, kind) in [Loss::SquaredHinge, Loss::Hinge].into_iter().cycle().take(30).enumerate() {
        let problem = random_problem(&mut random, 40, 6, 12);
        let params = params(kind, [0.1, 1.0, 5.0][case % 3]);
        let fixed: Vec<f64> = (0..12).map(|_| random.unit() - 0.5).collect();
        let first = two_stage(&problem, &all(&problem), &fixed, &params, Progress::none()).unwrap();
        let mut seen = Vec::new();
        let machine = learn(&problem, &all(&problem), &first.weights, &params, Progress::none(), &mut |stage| {
            if let LatentStage::Step(_, step, weights) = stage {
                seen.push((step.objective, objective(&problem, weights, &params)));
            }
            Ok(())
        })
        .unwrap();
        assert!((machine.steps[0].objective - objective(&problem, &first.weights, &params)).abs() < 1e-9);
        assert!(!seen.is_empty() && machine.steps.windows(2).all(|pair| pair[1].objective < pair[0].objective));
        // The reported objective is Eq. 3 of the weights passed along.
        assert!(seen.iter().all(|(said, truth)| (said - truth).abs() < 1e-9 * (1.0 + truth)));
        let last = machine.steps.last().unwrap().objective;
        assert!((last - objective(&problem, &machine.weights, &params)).abs() < 1e-9 * (1.0 + last));
    }
}

#[test]
fn cutting_planes_come_to_the_same_as_all_structures_at_once() {
    let mut random = SplitMix::new(3);
    for kind in [Loss::SquaredHinge, Loss::Hinge] {
        for _ in 0..10 {
            // Each positive has one structure, which makes Algorithm 1 a single convex problem.
            let mut problem = random_problem(&mut random, 30, 8, 10);
            problem.examples.iter_mut().filter(|example| example.0).for_each(|example| example.1.truncate(1));
            let params = params(kind, 0.5);
            let machine =
                learn(&problem, &all(&problem), &[0.0; 10], &params, Progress::none(), &mut |_| Ok(())).unwrap();
            let mut inner = Inner::new(10, kind);
            for (positive, structures) in &problem.examples {
                let group = inner.group(*positive, 1.0 / params.lambda);
                structures.iter().for_each(|vector| {
                    inner.add(group, vector);
                });
            }
            let solved = inner.solve(1e-8, &mut random, Progress::none()).unwrap();
            let whole = params.lambda * solved.primal;
            let cut = machine.steps.last().unwrap().objective;
            assert!((whole - cut).abs() < 2e-7 * whole, "{whole} {cut}");
        }
    }
}

/// Every pair has two alignments. The first, which the heuristic chooses, looks the same in all
/// pairs, so any model over it treats all pairs alike and gets one whole class wrong. The second
/// separates the classes.
#[test]
fn what_two_stages_cannot_learn() {
    let (constant, tempting, telling, other) = (0, 1, 2, 3);
    let example = |positive: bool| {
        let second = if positive { telling } else { other };
        (positive, vec![vec![(constant, 1.0), (tempting, 1.0)], vec![(constant, 1.0), (second, 1.0)]])
    };
    let problem = Listed { n_features: 4, examples: (0..30).map(|number| example(number < 10)).collect() };
    let heuristic = [0.0, 1.0, 0.0, 0.0];
    for kind in [Loss::SquaredHinge, Loss::Hinge] {
        let params = params(kind, 0.01);
        let first = two_stage(&problem, &all(&problem), &heuristic, &params, Progress::none()).unwrap();
        let wrong = |right: &dyn Fn(usize) -> f64| {
            (0..30).filter(|example| (right(*example) > 0.0) != problem.is_positive(*example)).count()
        };
        let fixed = wrong(&|example| {
            let held = problem.best(example, &heuristic, None, &mut ()).unwrap();
            dot(&problem.features(example, &held.active), &first.weights)
        });
        assert_eq!(fixed, 10, "no linear decision over equal features does better");
        let machine =
            learn(&problem, &all(&problem), &first.weights, &params, Progress::none(), &mut |_| Ok(())).unwrap();
        assert_eq!(wrong(&|example| problem.best(example, &machine.weights, None, &mut ()).unwrap().score), 0);
    }
}

#[test]
fn wrong_parameters_are_refused_and_a_watcher_can_stop_it() {
    let problem = random_problem(&mut SplitMix::new(4), 12, 3, 6);
    let good = params(Loss::SquaredHinge, 1.0);
    let refused = |params: LatentParams, start: &[f64]| {
        learn(&problem, &all(&problem), start, &params, Progress::none(), &mut |_| Ok(())).unwrap_err().to_string()
    };
    assert!(refused(LatentParams { lambda: 0.0, ..good }, &[0.0; 6]).contains("lambda is 0"));
    assert!(refused(LatentParams { tolerance: f64::NAN, ..good }, &[0.0; 6]).contains("tolerance is NaN"));
    assert!(refused(good, &[0.0; 5]).contains("5 weights to begin with, expected 6"));
    let stopped =
        learn(&problem, &all(&problem), &[0.0; 6], &good, Progress::none(), &mut |_| Err(crate::Error::data("enough")));
    assert_eq!(stopped.unwrap_err().to_string(), "enough");
}

#[test]
fn learning_can_be_stopped() {
    let problem = random_problem(&mut SplitMix::new(5), 1500, 6, 40);
    let never = LatentParams {
        tolerance: f64::MIN_POSITIVE,
        improvement: f64::MIN_POSITIVE,
        max_iterations: usize::MAX,
        ..params(Loss::SquaredHinge, 0.01)
    };
    let start = [0.1; 40];
    stops(|progress| two_stage(&problem, &all(&problem), &start, &never, progress));
    stops(|progress| learn(&problem, &all(&problem), &start, &never, progress, &mut |_| Ok(())));
    // An observer gets no events of work that was cancelled before it started.
    let cancel = Cancel::new();
    cancel.cancel();
    let mut told = 0;
    let progress = Progress::none().with_cancel(&cancel);
    let stopped = learn(&problem, &all(&problem), &start, &never, progress, &mut |_| {
        told += 1;
        Ok(())
    });
    assert!(matches!(stopped, Err(crate::Error::Cancelled)) && told == 0);
}
