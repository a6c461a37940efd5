//! The machine over products of inputs against the kernel machine over the Gram matrix of the same
//! kernel, in the same run on one thread.
//!
//! `cargo bench -p resay-learn --bench quadratic [-- --rows N] [--gram N]`. Rows have 120 inputs
//! that depend on a dozen hidden numbers, standardised, as the features of pairs are; answers
//! depend on products of the hidden numbers, with noise. The Gram way runs on `--gram` rows, as its
//! time and memory grow with their square. Its parts are timed one by one (fill the matrix, solve,
//! write the products out): a search over costs fills the matrix once and solves many times. Scores
//! of both ways are compared.
//!
//! Bounds that fail: a visit of a row takes at most half the time of plain loops over the same
//! triangle, and up to cost 0.01 the machine is faster than the Gram way with all its parts. At
//! higher costs it needs more and more passes: at cost 0.1 and 12,000 rows, the Gram way wins.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark prints and may fail loudly")]

use resay_learn::matrix::Gram;
use resay_learn::progress::Progress;
use resay_learn::rng::SplitMix;
use resay_learn::svm::quadratic::{QuadraticAnswers, QuadraticMachine, QuadraticParams, QuadraticRows, fit};
use resay_learn::svm::{SolverStop, dual};
use std::hint::black_box;
use std::time::Instant;

const N_INPUTS: usize = 120;
const N_HIDDEN: usize = 12;

/// Roughly normal.
fn normal(random: &mut SplitMix) -> f64 {
    (0..6).map(|_| random.unit() - 0.5).sum::<f64>() * 2f64.sqrt()
}

/// Rows with labels and numbers.
fn problem(n: usize) -> (QuadraticRows, Vec<bool>, Vec<f64>) {
    let mut random = SplitMix::new(17);
    let mixing: Vec<f64> = (0..N_INPUTS * N_HIDDEN).map(|_| normal(&mut random)).collect();
    let mut values = Vec::with_capacity(n * N_INPUTS);
    let mut numbers = Vec::with_capacity(n);
    for _ in 0..n {
        let hidden: Vec<f64> = (0..N_HIDDEN).map(|_| normal(&mut random)).collect();
        for mixing in mixing.chunks_exact(N_HIDDEN) {
            let value: f64 = mixing.iter().zip(&hidden).map(|(mixing, hidden)| mixing * hidden).sum();
            // Noise and a few far values.
            let noise = normal(&mut random) * if random.below(50) == 0 { 8.0 } else { 2.0 };
            values.push(value + noise);
        }
        let signal = hidden[0] + 0.7 * hidden[1] - 0.6 * hidden[0] * hidden[2] + 0.5 * hidden[3] * hidden[4];
        numbers.push(signal + 0.7 * normal(&mut random));
    }
    for input in 0..N_INPUTS {
        let column = |values: &[f64]| values.iter().skip(input).step_by(N_INPUTS).copied().collect::<Vec<_>>();
        let column = column(&values);
        let mean = column.iter().sum::<f64>() / n as f64;
        let deviation = (column.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n as f64).sqrt();
        values.iter_mut().skip(input).step_by(N_INPUTS).for_each(|value| *value = (*value - mean) / deviation);
    }
    let labels = numbers.iter().map(|number| *number > 0.3).collect();
    (QuadraticRows { n_inputs: N_INPUTS, values }, labels, numbers)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

fn train(rows: &QuadraticRows, answers: QuadraticAnswers<'_>, params: QuadraticParams) -> (QuadraticMachine, f64) {
    let members: Vec<usize> = (0..rows.len()).collect();
    timed(|| fit(rows, answers, &members, &params.check().unwrap(), None, Progress::none()).unwrap())
}

fn accuracy(scores: &[f64], labels: &[bool]) -> f64 {
    scores.iter().zip(labels).filter(|(score, label)| (**score > 0.0) == **label).count() as f64 / labels.len() as f64
}

fn scores(machine: &QuadraticMachine, rows: &QuadraticRows) -> Vec<f64> {
    (0..rows.len()).map(|row| machine.score(rows.row(row))).collect()
}

/// The same visits by plain loops over the whole triangle: xᵀPx, then P += f xxᵀ.
fn plain_pass(rows: &QuadraticRows) -> f64 {
    let mut triangle = vec![0.0; N_INPUTS * (N_INPUTS + 1) / 2];
    let mut sum = 0.0;
    for row in 0..rows.len() {
        let x = rows.row(row);
        let mut place = 0;
        let mut score = 0.0;
        for i in 0..N_INPUTS {
            for j in 0..=i {
                score += triangle[place] * x[i] * x[j];
                place += 1;
            }
        }
        sum += score;
        let factor = 1e-9 * (score - 1.0).min(1.0);
        place = 0;
        for i in 0..N_INPUTS {
            for j in 0..=i {
                triangle[place] += factor * x[i] * x[j];
                place += 1;
            }
        }
    }
    sum
}

fn visits(rows: &QuadraticRows, labels: &[bool]) {
    // One pass moves nearly every coefficient: one reading and one writing of P per row. The
    // closing check reads P once more; the plain loops have none.
    let params = QuadraticParams { max_passes: 1, ..QuadraticParams::default() };
    let fast = (0..5).map(|_| train(rows, QuadraticAnswers::Labels(labels), params).1).fold(f64::INFINITY, f64::min);
    let plain = (0..5).map(|_| timed(|| black_box(plain_pass(rows))).1).fold(f64::INFINITY, f64::min);
    let per_visit = |seconds: f64| seconds / rows.len() as f64 * 1e6;
    println!(
        "one visit of {N_INPUTS} inputs: {:.2} us, plain loops {:.2} us, {:.1} times as fast",
        per_visit(fast),
        per_visit(plain),
        plain / fast
    );
    assert!(plain / fast > 2.0, "a visit takes more than half the time of plain loops");
}

/// Seconds of the Gram way, and its scores.
fn gram_way(rows: &QuadraticRows, labels: &[bool], cost: f64, product: f64) -> (f64, Vec<f64>) {
    let n = rows.len();
    let none = Progress::none();
    let (gram, fill) = timed(|| {
        let mut values = vec![0.0f32; n * n];
        for i in 0..n {
            for j in 0..=i {
                let mut sums = [0.0; 8];
                for (x, y) in rows.row(i).chunks_exact(8).zip(rows.row(j).chunks_exact(8)) {
                    (0..8).for_each(|lane| sums[lane] += x[lane] * y[lane]);
                }
                let dot: f64 = sums.iter().sum();
                let value = (dot + (product * dot).powi(2)) as f32;
                values[i * n + j] = value;
                values[j * n + i] = value;
            }
        }
        Gram::new(n, values)
    });
    let members: Vec<usize> = (0..n).collect();
    let params = dual::DualParams { cost, ..dual::DualParams::default() }.check().unwrap();
    let (machine, solve) = timed(|| {
        let problem = dual::DualProblem::new(&gram, labels, none).unwrap();
        dual::fit(&problem, &members, &params, None, none).unwrap()
    });
    let (_, write) = timed(|| {
        let mut products = vec![0.0; N_INPUTS * N_INPUTS];
        for (row, coefficient) in machine.coefficients.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            let x = rows.row(row);
            for (products, value) in products.chunks_exact_mut(N_INPUTS).zip(x) {
                let scaled = coefficient * product * product * value;
                products.iter_mut().zip(x).for_each(|(slot, other)| *slot += scaled * other);
            }
        }
        black_box(products)
    });
    println!("  Gram way: fill {fill:.2} s, solve {solve:.2} s ({} steps), write out {write:.2} s", machine.iterations);
    (fill + solve + write, (0..n).map(|row| machine.score(gram.row(row))).collect())
}

fn report(name: &str, machine: &QuadraticMachine, seconds: f64, figure: f64) {
    println!(
        "  {name}: {seconds:.2} s, {} passes, {:?}, objective {:.4}, gap {:.1e}, figure {figure:.4}",
        machine.passes, machine.stop, machine.objective, machine.gap
    );
}

fn argument(name: &str, default: usize) -> usize {
    let arguments: Vec<String> = std::env::args().collect();
    let place = arguments.iter().position(|argument| argument == name);
    place.and_then(|place| arguments.get(place + 1)).map_or(default, |value| value.parse().unwrap())
}

fn main() {
    let (n_rows, n_gram) = (argument("--rows", 12_000), argument("--gram", 8_000));
    let (rows, labels, _) = problem(n_gram);
    visits(&rows, &labels);
    println!("{n_gram} rows, both ways:");
    for cost in [0.001, 0.01, 0.1] {
        let params = QuadraticParams { cost, ..QuadraticParams::default() };
        let (machine, seconds) = train(&rows, QuadraticAnswers::Labels(&labels), params);
        let found = scores(&machine, &rows);
        report(&format!("cost {cost}"), &machine, seconds, accuracy(&found, &labels));
        let (gram_seconds, expected) = gram_way(&rows, &labels, cost, params.product);
        let largest = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("  {:.1} times as fast; scores differ by at most {largest:.4}", gram_seconds / seconds);
        assert!(machine.stop == SolverStop::Converged && largest < 0.05, "the two ways disagree");
        assert!(cost > 0.01 || seconds < gram_seconds, "slower than the Gram way at cost {cost}");
    }
    let (rows, labels, numbers) = problem(n_rows);
    println!("{n_rows} rows:");
    for cost in [0.001, 0.01, 0.1] {
        let params = QuadraticParams { cost, ..QuadraticParams::default() };
        let (machine, seconds) = train(&rows, QuadraticAnswers::Labels(&labels), params);
        report(&format!("labels, cost {cost}"), &machine, seconds, accuracy(&scores(&machine, &rows), &labels));
        let (machine, seconds) = train(&rows, QuadraticAnswers::Numbers(&numbers), params);
        let error = scores(&machine, &rows).iter().zip(&numbers).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        report(&format!("numbers, cost {cost}"), &machine, seconds, (error / n_rows as f64).sqrt());
    }
}
