//! kb-SRK by Algorithms 1 and 2 of the paper (Bu, Li, Zhu 2012). They are the baseline for timing
//! the fast index and an independent check of its values.
//!
//! Two k-grams zipped are a list of k "doubles". K-bar of two k-gram pairs depends only on how
//! often each double occurs in the source list and in the target list. A double of unlike symbols
//! must be all wildcards, linked in any way; a double of like symbols may be any number of linked
//! wildcards. Note: a linked pair weighs lambda in each feature, hence lambda squared in the
//! kernel. The example printed in the paper is only consistent with that reading.

use rustc_hash::FxHashMap;

/// A symbol of the first k-gram and the symbol of the second at the same position.
type Double = (u32, u32);

/// Returns g_e for a double that occurs `n` times in the source list and `m` times in the target
/// list.
fn factor(is_identical: bool, n: usize, m: usize, lambda: f64) -> f64 {
    let squared = lambda * lambda;
    if !is_identical {
        if n != m {
            return 0.0;
        }
        return (1..=n).map(|i| i as f64 * squared).product();
    }
    // a_i = C(n, i) C(m, i) i!, and a_{i+1} = a_i (n - i)(m - i) / (i + 1).
    let (mut sum, mut term) = (1.0, 1.0);
    for i in 0..n.min(m) {
        term *= (n - i) as f64 * (m - i) as f64 / (i + 1) as f64 * squared;
        sum += term;
    }
    sum
}

/// Lines 3-8 of Algorithm 1: the product of g_e over two sorted lists of doubles.
pub fn double_list_value(source: &[Double], target: &[Double], lambda: f64) -> f64 {
    let (mut i, mut j, mut product) = (0, 0, 1.0);
    while i < source.len() || j < target.len() {
        let double = match (source.get(i), target.get(j)) {
            (Some(a), Some(b)) => *a.min(b),
            (Some(a), None) => *a,
            (None, Some(b)) => *b,
            (None, None) => break,
        };
        let n = source[i..].iter().take_while(|other| **other == double).count();
        let m = target[j..].iter().take_while(|other| **other == double).count();
        (i, j) = (i + n, j + m);
        product *= factor(double.0 == double.1, n, m, lambda);
        if product == 0.0 {
            break;
        }
    }
    product
}

fn sorted_doubles(first: &[u32], second: &[u32]) -> Vec<Double> {
    let mut doubles: Vec<Double> = first.iter().copied().zip(second.iter().copied()).collect();
    doubles.sort_unstable();
    doubles
}

/// K_k((s1, t1), (s2, t2)) by Algorithm 1, for every quadruple of k-grams.
pub fn bijective_by_algorithm_1(k: usize, lambda: f64, first: (&[u32], &[u32]), second: (&[u32], &[u32])) -> f64 {
    let mut sum = 0.0;
    for s1 in first.0.windows(k) {
        for s2 in second.0.windows(k) {
            let source = sorted_doubles(s1, s2);
            for t1 in first.1.windows(k) {
                for t2 in second.1.windows(k) {
                    sum += double_list_value(&source, &sorted_doubles(t1, t2), lambda);
                }
            }
        }
    }
    sum
}

/// K_k((s1, t1), (s2, t2)) by Algorithm 2, which groups k-gram pairs by their unlike doubles. Only
/// groups with the same unlike doubles are compared.
pub fn bijective_by_algorithm_2(k: usize, lambda: f64, first: (&[u32], &[u32]), second: (&[u32], &[u32])) -> f64 {
    // Unlike doubles -> sorted list of all doubles -> number of k-gram pairs that have it.
    type Groups = FxHashMap<Vec<Double>, Vec<(Vec<Double>, f64)>>;
    let group = |first: &[u32], second: &[u32]| {
        let mut groups = Groups::default();
        for a in first.windows(k) {
            for b in second.windows(k) {
                let doubles = sorted_doubles(a, b);
                let key: Vec<Double> = doubles.iter().copied().filter(|double| double.0 != double.1).collect();
                let group = groups.entry(key).or_default();
                match group.iter_mut().find(|(known, _)| *known == doubles) {
                    Some((_, count)) => *count += 1.0,
                    None => group.push((doubles, 1.0)),
                }
            }
        }
        groups
    };
    let source = group(first.0, second.0);
    let target = group(first.1, second.1);
    let mut keys: Vec<&Vec<Double>> = source.keys().filter(|key| target.contains_key(*key)).collect();
    keys.sort_unstable(); // Summing in hash order would not be reproducible.
    let mut sum = 0.0;
    for key in keys {
        for (doubles, count) in &source[key] {
            for (others, other_count) in &target[key] {
                sum += count * other_count * double_list_value(doubles, others, lambda);
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_s_worked_example() {
        // Doubles with (n, m): unlike (1, 1) and (2, 2); like (1, 1), (3, 2), and one on a single
        // side; k = 7.
        let source = [(1, 2), (3, 4), (3, 4), (5, 5), (6, 6), (6, 6), (6, 6)];
        let target = [(1, 2), (3, 4), (3, 4), (5, 5), (6, 6), (6, 6), (7, 7)];
        for lambda in [1.0, 0.5, 0.9_f64] {
            let power = |n| lambda.powi(n);
            let expected = 12.0 * power(12) + 24.0 * power(10) + 14.0 * power(8) + 2.0 * power(6);
            assert!((double_list_value(&source, &target, lambda) - expected).abs() < 1e-12 * expected);
        }
    }
}
