//! Trees against their definition.

use super::*;

fn rows(n: usize, n_inputs: usize, seed: u64) -> Vec<f32> {
    let mut random = SplitMix::new(seed);
    (0..n * n_inputs).map(|_| (random.unit() * 8.0).floor() as f32).collect()
}

/// The first split of the first tree is the best of all splits at all values.
#[test]
fn the_first_split_is_the_best() {
    for seed in 0..30 {
        let (n, n_inputs) = (60, 4);
        let values = rows(n, n_inputs, seed);
        let data = BoostRows { n_inputs, values: &values };
        let numbers: Vec<f32> = (0..n).map(|row| data.row(row)[1] * 2.0 - data.row(row)[3]).collect();
        let weights = vec![1.0; n];
        let objective = SquaredError { numbers: &numbers, weights: &weights };
        let params = BoostParams { rounds: 1, leaves: 2, min_curvature: 3.0, inputs: 1.0, ..BoostParams::default() };
        let made = Boosted::fit(data, &objective, vec![0.0], &params, Progress::none()).unwrap();
        let root = made.trees[0].nodes[0];
        let gain = |input: usize, threshold: f32| {
            let of = |is_left: bool| {
                let own = (0..n).filter(|row| (data.row(*row)[input] <= threshold) == is_left);
                own.fold([0.0; 2], |[g, h], row| [g - f64::from(numbers[row]), h + 1.0])
            };
            let [left, right] = [of(true), of(false)];
            grow::gain(left, [left[0] + right[0], left[1] + right[1]], &params)
        };
        let found = gain(usize::from(root.input), root.threshold);
        for input in 0..n_inputs {
            for row in 0..n {
                assert!(gain(input, data.row(row)[input]) <= found + 1e-6);
            }
        }
    }
}

#[test]
fn classes_that_depend_on_two_inputs_are_learned_from_partial_labels() {
    let (n, n_inputs) = (3_000, 3);
    let values = rows(n, n_inputs, 5);
    let data = BoostRows { n_inputs, values: &values };
    let class = |row: usize| {
        let row = data.row(row);
        usize::from(row[0] > 3.0) + usize::from(row[0] > 3.0 && row[1] > 3.0)
    };
    let mut random = SplitMix::new(8);
    // A third of the labels leaves two classes open.
    let allowed: Vec<u32> = (0..n)
        .map(|row| {
            let own = 1 << class(row);
            if random.below(3) == 0 { own | 1 << random.below(3) } else { own }
        })
        .collect();
    let (weights, offset_of, offsets) = (vec![1.0; n], vec![0; n], [vec![0.0; 3]]);
    let objective = PartialLabels { allowed: &allowed, weights: &weights, offset_of: &offset_of, offsets: &offsets };
    let params = BoostParams { rounds: 30, leaves: 8, rate: 0.3, inputs: 1.0, ..BoostParams::default() };
    let fit = || Boosted::fit(data, &objective, vec![0.0; 3], &params, Progress::none()).unwrap();
    let made = fit();
    let mut n_right = 0;
    for row in 0..n {
        let scores = made.scores(data.row(row));
        let best = (0..3).fold(0, |best, at| if scores[at] > scores[best] { at } else { best });
        n_right += usize::from(best == class(row));
        for (head, score) in scores.iter().enumerate() {
            let mut parts = vec![0.0; n_inputs];
            let rest = made.explain(head, data.row(row), &mut parts);
            assert!((parts.iter().sum::<f64>() + rest - score).abs() < 1e-6);
        }
    }
    assert!(n_right as f64 > 0.97 * n as f64, "{n_right} of {n}");
    // The third input says nothing.
    let spread = made.importance(0, n_inputs);
    assert!(spread[2] < 0.2 * spread[0], "{spread:?}");
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(alone.install(fit), made);
}

#[test]
fn parameters_and_empty_data_are_refused() {
    let weights = [1.0; 4];
    let objective = SquaredError { numbers: &weights, weights: &weights };
    let refused = |n_inputs: usize, values: &[f32], params: BoostParams| {
        Boosted::fit(BoostRows { n_inputs, values }, &objective, vec![0.0], &params, Progress::none()).is_err()
    };
    assert!(refused(2, &[], BoostParams::default()));
    assert!(refused(0, &[1.0], BoostParams::default()));
    for params in [
        BoostParams { leaves: 1, ..BoostParams::default() },
        BoostParams { rate: 0.0, ..BoostParams::default() },
        BoostParams { inputs: 1.5, ..BoostParams::default() },
        BoostParams { ridge: 0.0, ..BoostParams::default() },
    ] {
        assert!(refused(2, &[0.0; 8], params));
    }
    // Equal rows cannot be split: a single leaf.
    let params = BoostParams { rounds: 2, rate: 1.0, ridge: 1e-9, ..BoostParams::default() };
    let rows = BoostRows { n_inputs: 1, values: &[3.0; 4] };
    let made = Boosted::fit(rows, &objective, vec![0.0], &params, Progress::none()).unwrap();
    assert!((made.scores(&[9.0])[0] - 1.0).abs() < 1e-6);
}
