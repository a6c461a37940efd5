//! The gap-weighted subsequence kernel against its definition: all index sets of both texts are
//! enumerated.
//!
//! Longer texts are compared with the recursion as printed in the paper, and very long ones with
//! closed-form sums. The last test is Proposition 1 of Saunders et al. (2002): the same kernel from
//! a generative model of texts.

use proptest::prelude::*;
use resay::kernel::strings::{
    PreparedSubsequences, SubsequenceForm, SubsequenceScratch, Subsequences, subsequences_by_recursion,
    subsequences_by_tables,
};
use resay_learn::rng::SplitMix;
use std::collections::BTreeMap;

const LAMBDAS: [f64; 7] = [1.0, 0.999, 0.9, 0.5, 0.3, 0.01, 1e-4];

/// Returns all sets of k positions in a text of n symbols, ascending.
fn index_sets(n: usize, k: usize) -> Vec<Vec<usize>> {
    let places = |mask: usize| (0..n).filter(|place| mask >> place & 1 == 1).collect::<Vec<_>>();
    (0..1_usize << n).filter(|mask| mask.count_ones() as usize == k).map(places).collect()
}

/// Returns phi_u(s) for every string u of length k.
fn features(k: usize, lambda: f64, s: &[u32]) -> BTreeMap<Vec<u32>, f64> {
    let mut phi = BTreeMap::new();
    for places in index_sets(s.len(), k) {
        let string = places.iter().map(|&place| s[place]).collect();
        *phi.entry(string).or_insert(0.0) += lambda.powi((places[k - 1] - places[0] + 1) as i32);
    }
    phi
}

fn product(a: &BTreeMap<Vec<u32>, f64>, b: &BTreeMap<Vec<u32>, f64>) -> f64 {
    a.iter().filter_map(|(string, value)| b.get(string).map(|other| value * other)).sum()
}

fn by_form(form: SubsequenceForm, max_k: usize, lambda: f64, s: &[u32], t: &[u32]) -> Vec<f64> {
    let (kernel, mut scratch, mut out) =
        (Subsequences::new(max_k, lambda).unwrap(), SubsequenceScratch::default(), vec![f64::NAN; max_k]);
    kernel.compare_by(form, &PreparedSubsequences::new(s), &PreparedSubsequences::new(t), &mut scratch, &mut out);
    out
}

fn fast(max_k: usize, lambda: f64, s: &[u32], t: &[u32]) -> Vec<f64> {
    let (kernel, mut scratch, mut out) =
        (Subsequences::new(max_k, lambda).unwrap(), SubsequenceScratch::default(), vec![f64::NAN; max_k]);
    kernel.values(s, t, &mut scratch, &mut out);
    out
}

#[track_caller]
fn check_close(found: &[f64], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (k, (found, expected)) in found.iter().zip(expected).enumerate() {
        // Below the normal range precision is lost, which is acceptable.
        let is_close = (found - expected).abs() <= tolerance * expected.abs() + 1e-300;
        assert!(is_close, "{what}, k={}: {found:e}, expected {expected:e}", k + 1);
    }
}

/// Compares both forms with each other and with `expected`.
#[track_caller]
fn check_forms(lambda: f64, s: &[u32], t: &[u32], expected: &[f64]) {
    let max_k = expected.len();
    let what = format!("lambda={lambda}, lengths {} and {}", s.len(), t.len());
    let dense = by_form(SubsequenceForm::Dense, max_k, lambda, s, t);
    let sparse = by_form(SubsequenceForm::Sparse, max_k, lambda, s, t);
    check_close(&dense, &sparse, 1e-12, &format!("dense for sparse, {what}"));
    check_close(&dense, expected, 1e-10, &format!("dense, {what}"));
    check_close(&fast(max_k, lambda, s, t), expected, 1e-10, &format!("as called, {what}"));
}

fn text(random: &mut SplitMix, n: usize, first: usize, n_symbols: usize) -> Vec<u32> {
    // Products of two random numbers: some symbols are far more frequent than others.
    (0..n).map(|_| (first + ((random.unit() * random.unit()) * n_symbols as f64) as usize) as u32).collect()
}

fn small_texts() -> impl Strategy<Value = (Vec<u32>, Vec<u32>)> {
    (1_u32..=4, 0_u32..=2).prop_flat_map(|(n_symbols, shift)| {
        let text = |shift: u32| prop::collection::vec(shift..shift + n_symbols, 0..=8);
        (text(0), text(shift))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn all_routes_give_the_definition((s, t) in small_texts(), lambda in prop::sample::select(LAMBDAS.to_vec())) {
        let expected: Vec<f64> =
            (1..=5).map(|k| product(&features(k, lambda, &s), &features(k, lambda, &t))).collect();
        check_close(&subsequences_by_recursion(5, lambda, &s, &t), &expected, 1e-10, "the printed recursion");
        check_close(&subsequences_by_tables(5, lambda, &s, &t), &expected, 1e-10, "the usual form");
        check_forms(lambda, &s, &t, &expected);
    }

    /// Neither the order of the texts nor the number of requested lengths changes a bit.
    #[test]
    fn values_are_symmetric_and_independent_of_what_else_is_asked((s, t) in small_texts(), max_k in 1_usize..=12) {
        let all = fast(12, 0.7, &s, &t);
        prop_assert_eq!(&fast(12, 0.7, &t, &s), &all);
        prop_assert_eq!(&fast(max_k, 0.7, &s, &t), &all[..max_k]);
        let (kernel, mut scratch) = (Subsequences::new(12, 0.7).unwrap(), SubsequenceScratch::default());
        let (mut with_itself, mut out) = ([0.0; 12], vec![f64::NAN; 15]);
        kernel.self_values(&s, &mut scratch, &mut with_itself);
        prop_assert_eq!(&with_itself[..], &fast(12, 0.7, &s, &s));
        // Neither reused memory nor the size of the output makes a difference.
        kernel.values(&t, &s, &mut scratch, &mut out);
        prop_assert_eq!(&out[..12], &all);
        prop_assert_eq!(&out[12..], &[0.0; 3]);
        kernel.values(&t, &s, &mut scratch, &mut out[..max_k]);
        prop_assert_eq!(&out[..max_k], &all[..max_k]);
    }
}

#[test]
fn a_text_without_a_long_enough_subsequence_has_none() {
    for (s, t) in [(&[][..], &[][..]), (&[], &[1]), (&[1, 2, 3], &[4, 5]), (&[1], &[1])] {
        let values = fast(12, 0.5, s, t);
        let expected = if s == [1] { 0.25 } else { 0.0 };
        assert_eq!(values[0], expected);
        assert_eq!(values[1..], [0.0; 11]);
    }
    // Five symbols, all in order: exactly the lengths up to five.
    let values = fast(12, 0.9, &[5, 4, 3, 2, 1], &[5, 4, 3, 2, 1]);
    assert!(values[..5].iter().all(|&value| value > 0.0));
    assert_eq!(values[5..], [0.0; 7]);
}

#[test]
fn parameters_out_of_range_are_refused() {
    for (max_k, lambda) in [(0, 0.5), (13, 0.5), (3, 0.0), (3, -0.5), (3, 1.000_1), (3, f64::NAN), (3, f64::INFINITY)] {
        let error = Subsequences::new(max_k, lambda).unwrap_err().to_string();
        assert!(error.contains(&format!("{max_k}")) || error.contains(&format!("{lambda}")), "{error}");
    }
}

#[test]
fn texts_of_hundreds_of_symbols_give_the_printed_recursion() {
    let mut random = SplitMix::new(11);
    for (n, m, n_symbols) in [(150, 230, 30), (260, 90, 3), (200, 200, 400)] {
        let (s, t) = (text(&mut random, n, 0, n_symbols), text(&mut random, m, n_symbols / 4, n_symbols));
        for lambda in [1.0, 0.9, 0.5, 0.01] {
            let expected = subsequences_by_recursion(6, lambda, &s, &t);
            check_close(&subsequences_by_tables(6, lambda, &s, &t), &expected, 1e-9, "the usual form");
            check_forms(lambda, &s, &t, &expected);
        }
    }
}

#[test]
fn long_texts_over_many_windows_and_tiles_give_the_usual_form() {
    let mut random = SplitMix::new(12);
    for (n, m, n_symbols, max_k) in [(1400, 1900, 40, 5), (1100, 700, 1, 12), (900, 1700, 1500, 3), (600, 2600, 9, 2)] {
        let (s, t) = (text(&mut random, n, 0, n_symbols), text(&mut random, m, n_symbols / 3, n_symbols));
        for lambda in LAMBDAS {
            check_forms(lambda, &s, &t, &subsequences_by_tables(max_k, lambda, &s, &t));
        }
    }
}

/// Returns phi of one letter repeated n times: k - 2 positions anywhere between the first and the
/// last, which are l apart.
fn one_letter(n: usize, k: usize, lambda: f64) -> f64 {
    let between = |l: usize| (1..=k.saturating_sub(2)).map(|i| (l - 1 - i) as f64 / i as f64).product::<f64>();
    match k {
        1 => n as f64 * lambda,
        _ => (k..=n).map(|l| (n - l + 1) as f64 * between(l) * lambda.powf(l as f64)).sum(),
    }
}

#[test]
fn one_letter_over_and_over() {
    for lambda in [1.0, 0.9, 0.5, 0.01] {
        let expected: Vec<f64> = (1..=12).map(|k| one_letter(1_200, k, lambda) * one_letter(700, k, lambda)).collect();
        check_forms(lambda, &[3; 1_200], &[3; 700], &expected);
    }
    for lambda in [1.0, 0.7] {
        let expected: Vec<f64> = (1..=12).map(|k| one_letter(5_000, k, lambda).powi(2)).collect();
        let found = by_form(SubsequenceForm::Dense, 12, lambda, &[3; 5_000], &[3; 5_000]);
        check_close(&found, &expected, 1e-9, "5,000 letters");
    }
}

#[test]
fn a_hundred_thousand_symbols_and_a_small_lambda() {
    // Every symbol occurs once: subsequences are index sets, and those with span l number as many
    // as there are positions for it.
    let n = 100_000;
    let s: Vec<u32> = (0..n as u32).map(|symbol| symbol.wrapping_mul(2_654_435_761)).collect();
    for lambda in [0.01, 0.6] {
        let squared = lambda * lambda;
        let expected: Vec<f64> = (1..=4).map(|k| one_letter(n, k, squared)).collect();
        check_close(&fast(4, lambda, &s, &s), &expected, 1e-9, "all different, as called");
        let few = &s[..20_000];
        let expected: Vec<f64> = (1..=4).map(|k| one_letter(few.len(), k, squared)).collect();
        check_forms(lambda, few, few, &expected);
    }
    // Many letters: finite, and each value is less than the one before.
    let mut random = SplitMix::new(13);
    let (s, t) = (text(&mut random, n, 0, 60), text(&mut random, 150, 0, 60));
    let values = fast(5, 0.01, &s, &t);
    assert!(values.iter().all(|value| value.is_finite() && *value > 0.0), "{values:?}");
    check_forms(0.01, &s, &t, &subsequences_by_tables(5, 0.01, &s, &t));
}

#[test]
fn gaps_far_wider_than_a_window() {
    let (mut s, mut t) = (vec![9; 70_000], vec![8; 300]);
    (s[0], s[69_999], t[0], t[299]) = (1, 2, 1, 2);
    for form in [SubsequenceForm::Dense, SubsequenceForm::Sparse] {
        let lambda: f64 = 0.999;
        let found = by_form(form, 2, lambda, &s, &t);
        check_close(&found, &[2.0 * lambda * lambda, lambda.powf(70_300.0)], 1e-9, "one gap");
        assert_eq!(by_form(form, 2, 0.5, &s, &t), [0.5, 0.0], "smaller than the smallest number");
    }
}

/// Returns ln P(d) of the generalised k-stage Markov model with decay. The symbol at position q
/// comes from one of the index sets that end in q, set i with probability lambda^l(i) / `constant`,
/// and then from p(its last symbol | the others). The rest of the probability is the paper's
/// "spurious symbol": here uniform over the alphabet, which is what the paper's second line of
/// equations assumes (there the sum over sets is 1 / |A| for every q).
fn ln_probability(k: usize, lambda: f64, constant: f64, n_symbols: u32, p: &BTreeMap<Vec<u32>, f64>, d: &[u32]) -> f64 {
    let uniform = 1.0 / f64::from(n_symbols);
    let mut sum = 0.0;
    for q in k - 1..d.len() {
        let (mut probability, mut rest) = (0.0, 1.0);
        for places in index_sets(q + 1, k).into_iter().filter(|places| places[k - 1] == q) {
            let chance = lambda.powi((q - places[0] + 1) as i32) / constant;
            let string: Vec<u32> = places.iter().map(|&place| d[place]).collect();
            probability += chance * p.get(&string).unwrap_or(&uniform);
            rest -= chance;
        }
        assert!(rest >= -1e-12);
        sum += (probability + rest * uniform).ln();
    }
    sum
}

/// Returns the derivatives of ln P(d) by every p(x | u) that d can have, at the uniform model, by
/// finite differences.
fn fisher_scores(k: usize, lambda: f64, constant: f64, n_symbols: u32, d: &[u32]) -> BTreeMap<Vec<u32>, f64> {
    let strings = features(k, lambda, d).into_keys();
    strings
        .map(|string| {
            let at = |p: f64| ln_probability(k, lambda, constant, n_symbols, &BTreeMap::from([(string.clone(), p)]), d);
            let (uniform, step) = (1.0 / f64::from(n_symbols), 1e-4);
            let score = (at(uniform + step) - at(uniform - step)) / (2.0 * step);
            (string, score)
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Proposition 1: with every p(x | u) = 1 / |A|, the Fisher kernel is the string kernel, up to
    /// a constant factor.
    #[test]
    fn the_fisher_kernel_of_a_uniform_model_is_the_string_kernel(
        s in prop::collection::vec(0_u32..3, 0..=7),
        t in prop::collection::vec(0_u32..3, 0..=7),
        k in 1_usize..=4,
        lambda in prop::sample::select(vec![1.0_f64, 0.8, 0.5, 0.2]),
    ) {
        // Large enough for every position of every text here.
        let constant: f64 = index_sets(7, k).iter().filter(|places| places[k - 1] == 6)
            .map(|places| lambda.powi((6 - places[0] + 1) as i32)).sum();
        let (of_s, of_t) = (fisher_scores(k, lambda, constant, 3, &s), fisher_scores(k, lambda, constant, 3, &t));
        let factor = 3.0 / constant;
        for (d, scores) in [(&s, &of_s), (&t, &of_t)] {
            for (string, value) in features(k, lambda, d) {
                prop_assert!((scores[&string] - factor * value).abs() <= 1e-5 * factor * value);
            }
        }
        let expected = factor * factor * fast(k, lambda, &s, &t)[k - 1];
        prop_assert!((product(&of_s, &of_t) - expected).abs() <= 1e-5 * expected);
    }
}
