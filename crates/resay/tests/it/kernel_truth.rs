//! Every implementation of the rewriting kernels against the definition: all rules listed, matched
//! and counted.
//!
//! The slow reference is independent of the fast code. It enumerates every rule that can match a
//! pair of k-grams, first sets of wildcards, then every bijection between them, and keeps those
//! whose linked wildcards stand for the same symbol.

use proptest::prelude::*;
use resay::kernel::{
    BoundKernel, Expression, FeatureUnion, PairFeatures, PatternOverlay, PatternTable, RuleMatrix,
    bijective_by_algorithm_1, bijective_by_algorithm_2,
};
use resay_learn::progress::Progress;
use resay_text::{Pair, Sentence};
use std::collections::BTreeMap;

/// Source pattern, target pattern (`None` is a wildcard), and links by position.
type Rule = (Vec<Option<u32>>, Vec<Option<u32>>, Vec<(usize, usize)>);

fn sentence(units: &[u32]) -> Sentence {
    Sentence::of_units(units.to_vec())
}

fn pair(source: &[u32], target: &[u32]) -> Pair {
    Pair { source: sentence(source), target: sentence(target) }
}

fn masked(gram: &[u32], mask: usize) -> Vec<Option<u32>> {
    gram.iter().enumerate().map(|(place, &symbol)| (mask >> place & 1 == 0).then_some(symbol)).collect()
}

fn places(mask: usize, k: usize) -> Vec<usize> {
    (0..k).filter(|place| mask >> place & 1 == 1).collect()
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, &first) in items.iter().enumerate() {
        let mut rest = items.to_vec();
        rest.remove(at);
        for mut tail in permutations(&rest) {
            tail.insert(0, first);
            all.push(tail);
        }
    }
    all
}

/// Returns phi: the value of every rule in a pair, under kernel `name` with `k` and `lambda`.
fn all_rules(name: &str, k: usize, lambda: f64, source: &[u32], target: &[u32]) -> BTreeMap<Rule, f64> {
    let mut phi = BTreeMap::new();
    for s in source.windows(k) {
        for t in target.windows(k) {
            for source_mask in 0..1 << k {
                for target_mask in 0..1 << k {
                    let (from, to) = (places(source_mask, k), places(target_mask, k));
                    let patterns = (masked(s, source_mask), masked(t, target_mask));
                    match name {
                        "ps" if from.is_empty() && to.is_empty() => {
                            *phi.entry((patterns.0, patterns.1, Vec::new())).or_insert(0.0) += 1.0;
                        }
                        "pw" => {
                            let value = lambda.powi((from.len() + to.len()) as i32);
                            *phi.entry((patterns.0, patterns.1, Vec::new())).or_insert(0.0) += value;
                        }
                        "kb" if from.len() == to.len() => {
                            for to in permutations(&to) {
                                let links: Vec<(usize, usize)> = from.iter().copied().zip(to).collect();
                                if links.iter().all(|&(a, b)| s[a] == t[b]) {
                                    let value = lambda.powi(links.len() as i32);
                                    *phi.entry((patterns.0.clone(), patterns.1.clone(), links)).or_insert(0.0) += value;
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    phi
}

fn inner(x: &BTreeMap<Rule, f64>, y: &BTreeMap<Rule, f64>) -> f64 {
    x.iter().filter_map(|(rule, value)| Some(value * y.get(rule)?)).sum()
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-10 * expected.abs().max(1.0)
}

/// Returns the kernel between all pairs by the index, raw or normalised.
fn indexed(expression: &str, pairs: &[Pair]) -> Vec<Vec<f64>> {
    let expression: Expression = expression.parse().unwrap();
    let bound = BoundKernel::new(&expression, pairs, Progress::none()).unwrap();
    (0..pairs.len())
        .map(|i| {
            let mut row = vec![f64::NAN; pairs.len()];
            bound.column(i, &mut row, Progress::none()).unwrap();
            let mut again = vec![f64::NAN; pairs.len()];
            bound.row(&pairs[i], &mut again, Progress::none()).unwrap();
            assert_eq!(row, again, "a column and the same pair as a query");
            row
        })
        .collect()
}

/// Returns the kernel between all pairs as inner products of listed rows, with private mass on the
/// diagonal.
fn listed(expression: &str, pairs: &[Pair]) -> Vec<Vec<f64>> {
    let expression: Expression = expression.parse().unwrap();
    let rows = RuleMatrix::new(&expression, pairs, Progress::none()).unwrap().rows;
    let dense = |i: usize| {
        let mut dense = vec![0.0; rows.n_columns()];
        let (columns, values) = rows.row(i);
        columns.iter().zip(values).for_each(|(&column, value)| dense[column as usize] = *value);
        dense
    };
    (0..pairs.len())
        .map(|i| {
            (0..pairs.len())
                .map(|j| {
                    let product: f64 = dense(i).iter().zip(dense(j)).map(|(a, b)| a * b).sum();
                    product + if i == j { rows.private(i) } else { 0.0 }
                })
                .collect()
        })
        .collect()
}

fn sentences(max_len: usize) -> impl Strategy<Value = Vec<u32>> {
    (1_u32..6).prop_flat_map(move |n_symbols| prop::collection::vec(0..n_symbols, 0..=max_len))
}

fn corpus(max_len: usize) -> impl Strategy<Value = Vec<(Vec<u32>, Vec<u32>)>> {
    prop::collection::vec((sentences(max_len), sentences(max_len)), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Compares thousands of kernel values: listed rules, Algorithm 1, Algorithm 2, the index, and
    /// listed rows.
    #[test]
    fn all_routes_agree(corpus in corpus(6), k in 1_usize..=4, lambda in prop::sample::select(vec![1.0, 0.5, 0.9, 0.01])) {
        let pairs: Vec<Pair> = corpus.iter().map(|(s, t)| pair(s, t)).collect();
        for name in ["ps", "pw", "kb"] {
            let truth: Vec<_> = corpus.iter().map(|(s, t)| all_rules(name, k, lambda, s, t)).collect();
            let arguments = if name == "ps" { format!("k={k}") } else { format!("k={k},lambda={lambda}") };
            let expression = format!("raw({name}({arguments}))");
            let fast = indexed(&expression, &pairs);
            let rows = (name != "pw").then(|| listed(&expression, &pairs));
            for (i, (s1, t1)) in corpus.iter().enumerate() {
                for (j, (s2, t2)) in corpus.iter().enumerate() {
                    let expected = inner(&truth[i], &truth[j]);
                    prop_assert!(close(fast[i][j], expected), "{expression}: {} instead of {expected}", fast[i][j]);
                    prop_assert_eq!(fast[i][j].to_bits(), fast[j][i].to_bits(), "symmetric to the last bit");
                    if let Some(rows) = &rows {
                        prop_assert!(close(rows[i][j], expected), "{expression}: listed {} instead of {expected}", rows[i][j]);
                    }
                    if name == "kb" {
                        let one = bijective_by_algorithm_1(k, lambda, (s1, t1), (s2, t2));
                        let two = bijective_by_algorithm_2(k, lambda, (s1, t1), (s2, t2));
                        prop_assert!(close(one, expected) && close(two, expected), "{one} and {two} instead of {expected}");
                    }
                    if s1.len() < k || t1.len() < k {
                        prop_assert_eq!(fast[i][j], 0.0, "a sentence shorter than k has no rule");
                    }
                }
            }
        }
    }

    /// Normalised terms, their sum, and the normalised sum, as in the definition; plain terms are
    /// not normalised.
    #[test]
    fn sums_are_normalised_before_and_after(corpus in corpus(6), lambda in prop::sample::select(vec![1.0, 0.5])) {
        let pairs: Vec<Pair> = corpus.iter().map(|(s, t)| pair(s, t)).collect();
        let truth = |name: &'static str, k| -> Vec<_> { corpus.iter().map(|(s, t)| all_rules(name, k, lambda, s, t)).collect() };
        let parts = [truth("kb", 1), truth("kb", 2), truth("ps", 3)];
        let cosine = |xy: f64, xx: f64, yy: f64| if xx * yy == 0.0 { 0.0 } else { xy / (xx * yy).sqrt() };
        let sum = |i: usize, j: usize| -> f64 {
            parts.iter().map(|part| cosine(inner(&part[i], &part[j]), inner(&part[i], &part[i]), inner(&part[j], &part[j]))).sum()
        };
        let overlap = |i: usize| -> [f64; 2] {
            let (s, t) = &corpus[i];
            let count = |side: &[u32], word| side.iter().filter(|&&w| w == word).count();
            let common: usize = (0..6).map(|word| count(s, word).min(count(t, word))).sum();
            [common as f64 / t.len().max(1) as f64, common as f64 / s.len().max(1) as f64]
        };
        let expression = format!("kb(k=1..2,lambda={lambda})+ps(k=3)+pr");
        let parts_only = indexed(&format!("sum(kb(k=1..2,lambda={lambda})+ps(k=3))+pr"), &pairs);
        let (fast, rows) = (indexed(&expression, &pairs), listed(&expression, &pairs));
        for i in 0..pairs.len() {
            for j in 0..pairs.len() {
                let plain: f64 = overlap(i).iter().zip(overlap(j)).map(|(a, b)| a * b).sum();
                let expected = cosine(sum(i, j), sum(i, i), sum(j, j)) + plain;
                prop_assert!(close(fast[i][j], expected), "{} instead of {expected}", fast[i][j]);
                prop_assert!(close(rows[i][j], expected), "listed {} instead of {expected}", rows[i][j]);
                let expected = sum(i, j) + plain;
                prop_assert!(close(parts_only[i][j], expected), "{} instead of {expected}", parts_only[i][j]);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Longer patterns, for which listing all rules is slow.
    #[test]
    fn all_routes_agree_for_long_patterns(
        corpus in corpus(7), k in 5_usize..=6, lambda in prop::sample::select(vec![1.0, 0.7])
    ) {
        let pairs: Vec<Pair> = corpus.iter().map(|(s, t)| pair(s, t)).collect();
        let truth: Vec<_> = corpus.iter().map(|(s, t)| all_rules("kb", k, lambda, s, t)).collect();
        let fast = indexed(&format!("raw(kb(k={k},lambda={lambda}))"), &pairs);
        for (i, (s1, t1)) in corpus.iter().enumerate() {
            for (j, (s2, t2)) in corpus.iter().enumerate() {
                let expected = inner(&truth[i], &truth[j]);
                prop_assert!(close(fast[i][j], expected));
                prop_assert!(close(bijective_by_algorithm_1(k, lambda, (s1, t1), (s2, t2)), expected));
                prop_assert!(close(bijective_by_algorithm_2(k, lambda, (s1, t1), (s2, t2)), expected));
            }
        }
    }
}

#[test]
fn the_worked_example_by_the_index() {
    // One pair of k-grams each, k = 7, with the paper's counts of repeated symbols.
    let first = pair(&[1, 3, 3, 5, 6, 6, 6], &[1, 3, 3, 5, 6, 6, 7]);
    let second = pair(&[2, 4, 4, 5, 6, 6, 6], &[2, 4, 4, 5, 6, 6, 7]);
    for lambda in [1.0, 0.5_f64] {
        let power = |n| lambda.powi(n);
        let expected = 12.0 * power(12) + 24.0 * power(10) + 14.0 * power(8) + 2.0 * power(6);
        let found = indexed(&format!("raw(kb(k=7,lambda={lambda}))"), &[first.clone(), second.clone()])[0][1];
        assert!(close(found, expected), "{found} instead of {expected}");
    }
}

#[test]
fn too_many_matchings_are_refused() {
    let expression: Expression = "kb(k=12)".parse().unwrap();
    let mapped = FeatureUnion::new(&expression).unwrap();
    // Twelve times the same symbol, and eleven times beside one that occurs nowhere else.
    let (same, mut but_one) = (vec![1; 40], vec![1; 12]);
    but_one[0] = 2;
    for hostile in [same, but_one] {
        let (hostile, mut features) = (pair(&hostile, &hostile), PairFeatures::default());
        let error = mapped.extract(&hostile, &mut [PatternTable::default()], &mut features).unwrap_err();
        assert!(error.to_string().contains("use a smaller k"), "{error}");
        let known = PatternTable::default();
        let error = mapped.extract(&hostile, &mut [PatternOverlay::new(&known)], &mut features).unwrap_err();
        assert!(error.to_string().contains("use a smaller k"), "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// A pair unknown to the index: its values with the columns and, through normalisation, with
    /// itself.
    #[test]
    fn new_pairs_are_compared_as_old_ones(
        columns in corpus(6), new in corpus(6), k in 1_usize..=4, lambda in prop::sample::select(vec![1.0, 0.5])
    ) {
        let pairs: Vec<Pair> = columns.iter().map(|(s, t)| pair(s, t)).collect();
        let expression: Expression = format!("kb(k={k},lambda={lambda})").parse().unwrap();
        let bound = BoundKernel::new(&expression, &pairs, Progress::none()).unwrap();
        for (s, t) in &new {
            let mut row = vec![f64::NAN; pairs.len()];
            bound.row(&pair(s, t), &mut row, Progress::none()).unwrap();
            let x = all_rules("kb", k, lambda, s, t);
            for ((s, t), found) in columns.iter().zip(row) {
                let y = all_rules("kb", k, lambda, s, t);
                let lengths = (inner(&x, &x) * inner(&y, &y)).sqrt();
                let expected = if lengths == 0.0 { 0.0 } else { inner(&x, &y) / lengths };
                prop_assert!(close(found, expected), "{found} instead of {expected}");
            }
        }
    }
}
