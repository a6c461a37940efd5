//! One list of laws, checked for every kernel expression in a table. A new kernel is one row here.
//!
//! Corpora are random, over few symbols so that pairs share a lot, and include empty sentences and
//! sentences shorter than k. Each law is stated above its function. The laws do not depend on how a
//! kernel is computed.

use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use resay::kernel::{BoundKernel, Expression, Gram, RuleMatrix};
use resay_learn::progress::Progress;
use resay_text::{Pair, Sentence};

/// The expected diagonal of an expression's Gram matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Diagonal {
    /// 1, or 0 for a pair without a rule under any term; all values lie within -1..=1.
    One,
    /// The number of terms under which the pair has a rule.
    Terms,
    /// No constraint.
    Any,
}

/// Expression, its diagonal, and the k of every term. A pair has a rule under a term if both
/// sentences have at least k symbols.
const TABLE: [(&str, Diagonal, &[usize]); 33] = [
    ("ps(k=1)", Diagonal::One, &[1]),
    ("ps(k=3)", Diagonal::One, &[3]),
    ("pw(k=1,lambda=0.5)", Diagonal::One, &[1]),
    ("pw(k=2)", Diagonal::One, &[2]),
    ("pw(k=3,lambda=0.7)", Diagonal::One, &[3]),
    ("kb(k=1)", Diagonal::One, &[1]),
    ("kb(k=2)", Diagonal::One, &[2]),
    ("kb(k=2,lambda=0.5)", Diagonal::One, &[2]),
    ("kb(k=3,lambda=0.9)", Diagonal::One, &[3]),
    ("kb(k=4,lambda=0.01)", Diagonal::One, &[4]),
    ("kb(k=1..4)", Diagonal::One, &[1, 2, 3, 4]),
    ("ps(k=1..2)+kb(k=2..3,lambda=0.8)", Diagonal::One, &[1, 2, 2, 3]),
    ("ps(k=2)+pw(k=2,lambda=0.5)+kb(k=2)", Diagonal::One, &[2, 2, 2]),
    ("sum(kb(k=1..3))", Diagonal::Terms, &[1, 2, 3]),
    ("sum(ps(k=2)+pw(k=1))", Diagonal::Terms, &[2, 1]),
    ("raw(kb(k=2,lambda=0.5))", Diagonal::Any, &[2]),
    ("raw(ps(k=1..2)+pw(k=2))", Diagonal::Any, &[1, 2, 2]),
    ("only(k=1..3)", Diagonal::Any, &[1, 2, 3]),
    ("kb(k=1..2)+pr+only(k=1)", Diagonal::Any, &[1, 2, 1, 1]),
    ("pr", Diagonal::Any, &[1]),
    ("kb(k=1..4)+pr", Diagonal::Any, &[1, 2, 3, 4, 1]),
    ("idf", Diagonal::Any, &[1]),
    ("kb(k=1..2)+idf+pw(k=2)", Diagonal::Any, &[1, 2, 1, 2]),
    ("sum(kb(k=1..2))+raw(ps(k=2))+ps(k=1)+pr", Diagonal::Any, &[1, 2, 2, 1, 1]),
    ("pair(spectrum(k=1..2))", Diagonal::One, &[1, 2]),
    ("pair(wildcard(k=3,m=1,lambda=0.5))", Diagonal::One, &[3]),
    ("pair(subsequence(k=1..3,lambda=0.5))", Diagonal::One, &[1, 2, 3]),
    ("kb(k=1)+pair(subsequence(k=2..4))+ps(k=2)", Diagonal::One, &[1, 2, 3, 4, 2]),
    ("sum(pair(subsequence(k=1..2,lambda=0.1)))", Diagonal::Terms, &[1, 2]),
    ("raw(pair(subsequence(k=3,lambda=0.9)))", Diagonal::Any, &[3]),
    ("pair(ngram(k=2,min=2,weight=log))+pr", Diagonal::Any, &[2, 1]),
    ("pair(fsm(min=2,weight=inverse))", Diagonal::Any, &[1]),
    ("raw(pair(bow))+pair(fsm(min=3,prefixes=keep))", Diagonal::Any, &[1, 1]),
];

fn pair((source, target): &(Vec<u32>, Vec<u32>)) -> Pair {
    let sentence = |units: &[u32]| Sentence::of_units(units.to_vec());
    Pair { source: sentence(source), target: sentence(target) }
}

/// Pairs over few symbols: some rephrased (the same symbols in another order), some empty on one or
/// both sides.
fn corpus() -> impl Strategy<Value = Vec<Pair>> {
    let side = || prop::collection::vec(0_u32..5, 0..9);
    let unlike = (side(), side());
    let said_again = (side(), any::<prop::sample::Index>()).prop_map(|(source, turn)| {
        let mut target = source.clone();
        target.rotate_left(turn.index(source.len().max(1)).min(source.len()));
        (source, target)
    });
    let half_empty = side().prop_map(|source| (source, Vec::new()));
    let one = prop_oneof![4 => unlike, 3 => said_again, 1 => half_empty, 1 => Just((Vec::new(), Vec::new()))];
    prop::collection::vec(one.prop_map(|sides| pair(&sides)), 1..8)
}

/// Returns the kernel values between all columns.
fn values(bound: &BoundKernel) -> Vec<Vec<f64>> {
    let column = |i| {
        let mut out = vec![f64::NAN; bound.len()];
        bound.column(i, &mut out, Progress::none()).unwrap();
        out
    };
    (0..bound.len()).map(column).collect()
}

fn bits(values: &[Vec<f64>]) -> Vec<Vec<u64>> {
    values.iter().map(|row| row.iter().map(|value| value.to_bits()).collect()).collect()
}

fn gram_bits(gram: &Gram) -> Vec<Vec<u32>> {
    (0..gram.n_rows()).map(|i| gram.row(i).iter().map(|value| value.to_bits()).collect()).collect()
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-11 * expected.abs().max(1.0)
}

/// K(x, y) equals K(y, x) bit for bit, and every value is finite.
fn symmetric(values: &[Vec<f64>], what: &str) {
    for (i, row) in values.iter().enumerate() {
        for (j, value) in row.iter().enumerate() {
            assert!(value.is_finite(), "{what}: K({i}, {j}) = {value}");
            assert_eq!(value.to_bits(), values[j][i].to_bits(), "{what}: K({i}, {j}) and K({j}, {i})");
        }
    }
}

/// The diagonal is as stated in the table, and no value violates the Cauchy-Schwarz inequality.
fn diagonal(values: &[Vec<f64>], pairs: &[Pair], kind: Diagonal, ks: &[usize], what: &str) {
    for (i, pair) in pairs.iter().enumerate() {
        let n_live = ks.iter().filter(|&&k| pair.source.units.len() >= k && pair.target.units.len() >= k).count();
        let found = values[i][i];
        match kind {
            Diagonal::One => assert!(close(found, n_live.min(1) as f64), "{what}: K({i}, {i}) = {found}"),
            Diagonal::Terms => assert!(close(found, n_live as f64), "{what}: K({i}, {i}) = {found}, not {n_live}"),
            Diagonal::Any => assert!(found >= 0.0, "{what}: K({i}, {i}) = {found}"),
        }
        for (j, other) in values.iter().enumerate().take(i) {
            let (value, most) = (values[i][j], (found * other[j]).sqrt());
            assert!(value.abs() <= most * (1.0 + 1e-11), "{what}: K({i}, {j}) = {value}, above {most}");
            assert!(kind != Diagonal::One || value.abs() <= 1.0 + 1e-11, "{what}: K({i}, {j}) = {value}");
        }
    }
}

/// No sum over pairs c_i c_j K(i, j) is negative: Cholesky with a ridge of 1e-9 of the largest
/// value finds no negative pivot. For row i: pivot_i = K(i, i) + ridge - sum_m L(i, m)^2.
fn positive_semidefinite(values: &[Vec<f64>], what: &str) {
    let n = values.len();
    let ridge = 1e-9 * (0..n).map(|i| values[i][i]).fold(1.0, f64::max);
    let mut lower = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|m| lower[i][m] * lower[j][m]).sum();
            let rest = values[i][j] - known + if i == j { ridge } else { 0.0 };
            if i == j {
                assert!(rest > 0.0, "{what}: pivot {i} is {rest}, the Gram has a negative direction");
                lower[i][i] = rest.sqrt();
            } else {
                lower[i][j] = rest / lower[j][j];
            }
        }
    }
}

/// A column as a new pair, part of a row, the square and the rectangle all agree bit for bit.
fn batch_is_one_by_one(bound: &BoundKernel, values: &[Vec<f64>], pairs: &[Pair], what: &str) {
    let (square, rectangle) =
        (bound.square(Progress::none()).unwrap(), bound.rectangle(pairs, Progress::none()).unwrap());
    for (i, pair) in pairs.iter().enumerate() {
        let mut row = vec![f64::NAN; pairs.len()];
        bound.row(pair, &mut row, Progress::none()).unwrap();
        assert_eq!(bits(&[row])[0], bits(values)[i], "{what}: column {i} and the same pair as a query");
        let mut part = vec![f64::NAN; i + 1];
        bound.column(i, &mut part, Progress::none()).unwrap();
        assert_eq!(part, values[i][..=i], "{what}: a part of row {i}");
        let short: Vec<u32> = values[i].iter().map(|&value| (value as f32).to_bits()).collect();
        assert_eq!(gram_bits(&square)[i], short, "{what}: row {i} of the square");
        assert_eq!(gram_bits(&rectangle)[i], short, "{what}: row {i} of the rectangle");
    }
}

/// The values of unseen pairs do not depend on which other pairs are queried, nor on the order of
/// the columns.
fn strangers(expression: &Expression, pairs: &[Pair], what: &str) {
    let (known, new) = pairs.split_at(pairs.len() / 2);
    let bound = BoundKernel::new(expression, known, Progress::none()).unwrap();
    let rectangle = bound.rectangle(new, Progress::none()).unwrap();
    let all = values(&BoundKernel::new(expression, pairs, Progress::none()).unwrap());
    for (i, pair) in new.iter().enumerate() {
        let mut row = vec![f64::NAN; known.len()];
        bound.row(pair, &mut row, Progress::none()).unwrap();
        for (j, &value) in row.iter().enumerate() {
            assert!(close(value, all[known.len() + i][j]), "{what}: {value} instead of {}", all[known.len() + i][j]);
            assert_eq!(rectangle.row(i)[j].to_bits(), (value as f32).to_bits(), "{what}: the rectangle");
        }
    }
}

/// Permuted columns have the same values (up to the order of additions, which follows the
/// numbering).
fn order_changes_nothing(expression: &Expression, values_here: &[Vec<f64>], pairs: &[Pair], what: &str) {
    let n = pairs.len();
    let backwards: Vec<Pair> = pairs.iter().rev().cloned().collect();
    let there = values(&BoundKernel::new(expression, &backwards, Progress::none()).unwrap());
    for i in 0..n {
        for j in 0..n {
            let (found, expected) = (there[n - 1 - i][n - 1 - j], values_here[i][j]);
            assert!(close(found, expected), "{what}: {found} backwards, {expected} forwards");
        }
    }
}

/// One and two threads give the same bits in the index, the matrices and the listing.
fn threads_change_nothing(expression: &Expression, pairs: &[Pair], what: &str) {
    let with = |n_threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| {
            let bound = BoundKernel::new(expression, pairs, Progress::none()).unwrap();
            let listing =
                expression.is_listable().then(|| RuleMatrix::new(expression, pairs, Progress::none()).unwrap().rows);
            let grams = [bound.square(Progress::none()).unwrap(), bound.rectangle(pairs, Progress::none()).unwrap()];
            (bits(&values(&bound)), grams.each_ref().map(gram_bits), listing)
        })
    };
    assert_eq!(with(1), with(2), "{what}: one thread and two");
}

/// A kernel that is fitted to a corpus is fitted when it is bound, unless it already was.
fn bound_kernels_have_learned(expression: &Expression, learned: &[Vec<f64>], pairs: &[Pair], what: &str) {
    let found = values(&BoundKernel::new(expression, pairs, Progress::none()).unwrap());
    assert_eq!(bits(&found), bits(learned), "{what}: learned when bound, and before");
}

/// If rules are listed, inner products of rows equal the Gram matrix. The private mass of a row is
/// what no other row shares.
fn listed_rows_are_the_gram(expression: &Expression, values: &[Vec<f64>], pairs: &[Pair], what: &str) {
    if !expression.is_listable() {
        let error = RuleMatrix::new(expression, pairs, Progress::none()).expect_err(what).to_string();
        assert!(error.ends_with("cannot be listed for a linear machine: use the dual learner"), "{error}");
        return;
    }
    let rows = RuleMatrix::new(expression, pairs, Progress::none()).unwrap().rows;
    let dense = |i: usize| {
        let mut dense = vec![0.0; rows.n_columns()];
        let (columns, values) = rows.row(i);
        columns.iter().zip(values).for_each(|(&column, value)| dense[column as usize] = *value);
        dense
    };
    for (i, row) in values.iter().enumerate() {
        for (j, &expected) in row.iter().enumerate() {
            let product: f64 = dense(i).iter().zip(dense(j)).map(|(a, b)| a * b).sum();
            let found = product + if i == j { rows.private(i) } else { 0.0 };
            assert!(close(found, expected), "{what}: rows {i} and {j} give {found}, the Gram says {expected}");
        }
    }
}

fn check_all(pairs: &[Pair]) {
    for (what, kind, ks) in TABLE {
        let expression = what.parse::<Expression>().unwrap().learn(pairs, Progress::none()).unwrap();
        let bound = BoundKernel::new(&expression, pairs, Progress::none()).unwrap();
        let values = values(&bound);
        bound_kernels_have_learned(&what.parse().unwrap(), &values, pairs, what);
        symmetric(&values, what);
        diagonal(&values, pairs, kind, ks, what);
        positive_semidefinite(&values, what);
        batch_is_one_by_one(&bound, &values, pairs, what);
        strangers(&expression, pairs, what);
        order_changes_nothing(&expression, &values, pairs, what);
        listed_rows_are_the_gram(&expression, &values, pairs, what);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_law_holds_for_every_expression(pairs in corpus()) {
        check_all(&pairs);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_number_of_threads_changes_no_bit(pairs in prop::collection::vec(corpus(), 1..8)) {
        let pairs = pairs.concat();
        for (what, ..) in TABLE {
            threads_change_nothing(&what.parse::<Expression>().unwrap().learn(&pairs, Progress::none()).unwrap(), &pairs, what);
        }
    }
}

#[test]
fn the_laws_hold_for_no_pairs_and_for_empty_ones() {
    check_all(&[]);
    check_all(&[pair(&(vec![], vec![]))]);
    check_all(&[pair(&(vec![], vec![1])), pair(&(vec![], vec![1]))]);
}

#[test]
fn the_laws_can_be_broken() {
    let crooked = [vec![1.0, 0.5], vec![0.25, 1.0]];
    let negative = [vec![1.0, 2.0], vec![2.0, 1.0]];
    let fails = |law: &dyn Fn()| std::panic::catch_unwind(std::panic::AssertUnwindSafe(law)).is_err();
    assert!(fails(&|| symmetric(&crooked, "crooked")));
    assert!(fails(&|| positive_semidefinite(&negative, "negative")));
    let pairs = [pair(&(vec![1], vec![1])), pair(&(vec![2], vec![2]))];
    assert!(fails(&|| diagonal(&negative, &pairs, Diagonal::One, &[1], "too large")));
    assert!(fails(&|| diagonal(&negative, &pairs, Diagonal::Terms, &[1, 1], "too few")));
}
