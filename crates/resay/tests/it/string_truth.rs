//! String kernels against their definitions: every string, index set and count by brute force.

use proptest::prelude::*;
use resay::kernel::strings::TextVectors;
use resay::kernel::{BoundKernel, Expression};
use resay_learn::progress::Progress;
use resay_text::{Pair, Sentence, Span};
use std::collections::BTreeMap;

type Text = Vec<u32>;
/// The value of each string with wildcards.
type Vector = BTreeMap<Vec<Option<u32>>, f64>;

fn add(vector: &mut Vector, string: Vec<Option<u32>>, value: f64) {
    *vector.entry(string).or_default() += value;
}

fn literal(string: &[u32]) -> Vec<Option<u32>> {
    string.iter().map(|symbol| Some(*symbol)).collect()
}

/// Returns the number of distinct symbols in the corpus.
fn n_symbols(corpus: &[Text]) -> f64 {
    (0..99).filter(|symbol| corpus.iter().flatten().any(|known| known == symbol)).count() as f64
}

fn occurrences(corpus: &[Text], string: &[u32]) -> f64 {
    corpus.iter().flat_map(|text| text.windows(string.len())).filter(|window| *window == string).count() as f64
}

/// The definition of a kernel: the vector of a text, given the corpus.
enum Truth {
    Spectrum(usize),
    Wildcard { k: usize, m: usize, lambda: f64 },
    Subsequence { k: usize, lambda: f64 },
    Ngram { k: usize, min: f64, weight: fn(f64) -> f64, smoothing: f64 },
    Bow(fn(f64, f64) -> f64),
}

impl Truth {
    fn vector(&self, corpus: &[Text], text: &Text) -> Vector {
        let mut vector = Vector::new();
        match *self {
            Self::Spectrum(k) => text.windows(k).for_each(|window| add(&mut vector, literal(window), 1.0)),
            Self::Wildcard { k, m, lambda } => {
                for window in text.windows(k) {
                    for mask in (0_u32..1 << k).filter(|mask| mask.count_ones() as usize <= m) {
                        let item = |at: usize| (mask >> at & 1 == 0).then_some(window[at]);
                        add(&mut vector, (0..k).map(item).collect(), lambda.powi(mask.count_ones() as i32));
                    }
                }
            }
            Self::Subsequence { k, lambda } => {
                for mask in (0_u32..1 << text.len()).filter(|mask| mask.count_ones() as usize == k) {
                    let places: Vec<usize> = (0..text.len()).filter(|at| mask >> at & 1 == 1).collect();
                    let length = places[k - 1] - places[0] + 1;
                    add(&mut vector, places.iter().map(|&at| Some(text[at])).collect(), lambda.powi(length as i32));
                }
            }
            Self::Ngram { k, min, weight, smoothing } => {
                for window in text.windows(k) {
                    let count = occurrences(corpus, window);
                    let follows = |x: u32| [&window[..k - 1], &[x]].concat();
                    let total: f64 = (0..99).map(|x| occurrences(corpus, &follows(x))).sum();
                    if count >= min {
                        let chance = (count + smoothing) / (n_symbols(corpus) * smoothing + total);
                        add(&mut vector, literal(window), weight(chance));
                    }
                }
            }
            Self::Bow(value) => {
                for symbol in 0..99 {
                    let n = text.iter().filter(|own| **own == symbol).count() as f64;
                    let n_with = corpus.iter().filter(|text| text.contains(&symbol)).count() as f64;
                    if n > 0.0 && n_with > 0.0 {
                        add(&mut vector, vec![Some(symbol)], value(n, (corpus.len() as f64 / n_with).ln()));
                    }
                }
            }
        }
        vector
    }

    fn kernel(&self, corpus: &[Text], s: &Text, t: &Text) -> f64 {
        let (s, t) = (self.vector(corpus, s), self.vector(corpus, t));
        s.iter().map(|(string, value)| value * t.get(string).copied().unwrap_or(0.0)).sum()
    }
}

/// Every string kernel at some sizes, as an expression and as a definition. The reference for `fsm`
/// is beside its code.
fn table() -> Vec<(&'static str, Truth)> {
    vec![
        ("spectrum(k=1)", Truth::Spectrum(1)),
        ("spectrum(k=3)", Truth::Spectrum(3)),
        ("wildcard(k=3)", Truth::Wildcard { k: 3, m: 3, lambda: 1.0 }),
        ("wildcard(k=3,m=1,lambda=0.5)", Truth::Wildcard { k: 3, m: 1, lambda: 0.5 }),
        ("wildcard(k=2,m=0)", Truth::Wildcard { k: 2, m: 0, lambda: 1.0 }),
        ("subsequence(k=1)", Truth::Subsequence { k: 1, lambda: 1.0 }),
        ("subsequence(k=2,lambda=0.5)", Truth::Subsequence { k: 2, lambda: 0.5 }),
        ("subsequence(k=4,lambda=0.8)", Truth::Subsequence { k: 4, lambda: 0.8 }),
        ("ngram(k=1,min=3)", Truth::Ngram { k: 1, min: 3.0, weight: |_| 1.0, smoothing: 0.0 }),
        ("ngram(k=2,min=2)", Truth::Ngram { k: 2, min: 2.0, weight: |_| 1.0, smoothing: 0.0 }),
        ("ngram(k=2,min=2,weight=inverse)", Truth::Ngram { k: 2, min: 2.0, weight: |p| 1.0 / p, smoothing: 0.0 }),
        ("ngram(k=3,min=1,weight=log)", Truth::Ngram { k: 3, min: 1.0, weight: |p| -p.ln(), smoothing: 0.0 }),
        (
            "ngram(k=2,min=1,weight=log,smoothing=0.5)",
            Truth::Ngram { k: 2, min: 1.0, weight: |p| -p.ln(), smoothing: 0.5 },
        ),
        ("bow", Truth::Bow(|n, idf| n * idf)),
        ("bow(weight=log)", Truth::Bow(|n, idf| (1.0 + n.ln()) * idf)),
        ("bow(weight=tf)", Truth::Bow(|n, _| n)),
    ]
}

fn pair(source: &Text, target: &Text) -> Pair {
    Pair { source: Sentence::of_units(source.clone()), target: Sentence::of_units(target.clone()) }
}

fn alone(texts: &[Text]) -> Vec<Pair> {
    texts.iter().map(|text| pair(text, &Vec::new())).collect()
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-10 * expected.abs().max(1.0)
}

fn bound(expression: &str, corpus: &[Pair], columns: &[Pair]) -> BoundKernel {
    BoundKernel::new(
        &expression.parse::<Expression>().unwrap().learn(corpus, Progress::none()).unwrap(),
        columns,
        Progress::none(),
    )
    .unwrap()
}

/// Returns the values of `new` against the columns, and between the columns.
fn values(bound: &BoundKernel, new: &[Pair]) -> Vec<Vec<f64>> {
    let mut all = Vec::new();
    for column in 0..bound.len() {
        let mut out = vec![0.0; bound.len()];
        bound.column(column, &mut out, Progress::none()).unwrap();
        all.push(out);
    }
    for pair in new {
        let mut out = vec![0.0; bound.len()];
        bound.row(pair, &mut out, Progress::none()).unwrap();
        all.push(out);
    }
    all
}

fn texts() -> impl Strategy<Value = Vec<Text>> {
    let text = (1_u32..5).prop_flat_map(|n| prop::collection::vec(0..n, 0..9));
    prop::collection::vec(text, 1..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Raw and normalised, columns and new rows; new texts may contain symbols that the corpus
    /// lacks.
    #[test]
    fn kernels_are_their_definitions(corpus in texts(), new in prop::collection::vec(prop::collection::vec(0_u32..6, 0..9), 0..3)) {
        let (columns, rows) = (alone(&corpus), alone(&new));
        for (name, truth) in table() {
            let raw = values(&bound(&format!("raw({name})"), &columns, &columns), &rows);
            let normal = values(&bound(name, &columns, &columns), &rows);
            for (i, s) in corpus.iter().chain(&new).enumerate() {
                for (j, t) in corpus.iter().enumerate() {
                    let expected = truth.kernel(&corpus, s, t);
                    prop_assert!(close(raw[i][j], expected), "{name} of {s:?} {t:?} in {corpus:?}: {} {expected}", raw[i][j]);
                    let length = (truth.kernel(&corpus, s, s) * truth.kernel(&corpus, t, t)).sqrt();
                    let expected = if length > 0.0 { expected / length } else { 0.0 };
                    prop_assert!(close(normal[i][j], expected), "{name} of {s:?} {t:?}: {} {expected}", normal[i][j]);
                }
            }
        }
    }

    /// Over both sides of pairs, a kernel is a product, and is fitted to both sides.
    #[test]
    fn over_pairs_kernels_are_products(sources in texts(), targets in texts()) {
        let n = sources.len().min(targets.len());
        let pairs: Vec<Pair> = sources.iter().zip(&targets).map(|(source, target)| pair(source, target)).collect();
        let both: Vec<Text> = sources[..n].iter().chain(&targets[..n]).cloned().collect();
        for (name, truth) in table() {
            let found = values(&bound(&format!("raw(pair({name}))"), &pairs, &pairs), &pairs[..1]);
            // The last row is the first pair again, as a new one.
            for (i, found) in found.iter().enumerate() {
                let row = i % n;
                for j in 0..n {
                    let expected = truth.kernel(&both, &sources[row], &sources[j]) * truth.kernel(&both, &targets[row], &targets[j]);
                    prop_assert!(close(found[j], expected), "{name}: {} {expected}", found[j]);
                }
            }
        }
    }

    /// Vectors for linear machines have the kernel's inner products, whatever is listed, and can be
    /// restored from the fitted state.
    #[test]
    fn vectors_have_the_kernels_products(corpus in texts(), new in prop::collection::vec(prop::collection::vec(0_u32..6, 0..9), 0..3)) {
        let columns = alone(&corpus);
        let sentences: Vec<Sentence> = corpus.iter().chain(&new).map(placed).collect();
        let borrowed: Vec<&Sentence> = sentences[..corpus.len()].iter().collect();
        for expression in ["spectrum(k=2)", "wildcard(k=2,m=1,lambda=0.5)", "ngram(k=2,min=2,weight=log)", "fsm(min=2,weight=inverse)",
            "bow", "spectrum(k=1..2)+bow(weight=log)", "sum(spectrum(k=1))+raw(ngram(k=1,min=1))", "fsm(min=3)+spectrum(k=3)"] {
            let gram = values(&bound(expression, &columns, &columns), &alone(&new));
            let parsed: Expression = expression.parse().unwrap();
            let vectors = TextVectors::new(&parsed, &borrowed, Progress::none()).unwrap();
            let again = TextVectors::restore(&parsed, &vectors.learned()).unwrap();
            let rows = vectors.rows(&borrowed, Progress::none()).unwrap();
            for (i, text) in sentences.iter().enumerate() {
                let x = vectors.extract(text).unwrap();
                prop_assert_eq!(&again.extract(text).unwrap(), &x);
                for (j, other) in borrowed.iter().enumerate() {
                    let y: BTreeMap<u32, f64> = vectors.extract(other).unwrap().entries.into_iter().collect();
                    let product: f64 = x.entries.iter().map(|(column, value)| value * y.get(column).copied().unwrap_or(0.0)).sum();
                    prop_assert!(close(product, gram[i][j]), "{expression}: {product} {}", gram[i][j]);
                    if i < corpus.len() && i != j {
                        let dense = |row: usize| -> BTreeMap<u32, f64> {
                            let (columns, values) = rows.rows.row(row);
                            columns.iter().copied().zip(values.iter().copied()).collect()
                        };
                        let (a, b) = (dense(i), dense(j));
                        let shared: f64 = a.iter().map(|(column, value)| value * b.get(column).copied().unwrap_or(0.0)).sum();
                        prop_assert!(close(shared, product), "{expression}: {shared} {product}");
                    }
                }
                if i < corpus.len() {
                    // No part of a text's norm is lost.
                    let length = x.entries.iter().map(|(_, value)| value * value).sum::<f64>() + x.unlisted;
                    prop_assert!(close(rows.rows.squared_length(i), length));
                }
                vectors.occurrences(text, |column, spans| {
                    let string = vectors.string(column);
                    let units = spans.iter().map(|span| text.units[span.start as usize]);
                    let matches = string.iter().zip(units).all(|(item, unit)| item.as_symbol().is_none_or(|s| s == unit));
                    assert!(matches && string.len() == spans.len(), "{expression} {text:?} {spans:?}");
                    assert!(x.entries.iter().any(|(listed, _)| *listed == column) || expression.contains("bow") || expression.contains("log"));
                }).unwrap();
            }
        }
    }
}

/// A text whose symbols have their own numbers as places.
fn placed(text: &Text) -> Sentence {
    let spans = (0..text.len() as u32).map(|at| Span { start: at, end: at + 1 }).collect();
    Sentence { spans, ..Sentence::of_units(text.clone()) }
}

#[test]
fn all_lengths_at_once_are_each_by_itself() {
    let texts = alone(&[vec![0, 1, 0, 2, 1], vec![1, 0, 0, 1], vec![2], vec![]]);
    let one_by_one = "subsequence(k=2,lambda=0.5)+subsequence(k=3,lambda=0.5)+subsequence(k=4,lambda=0.5)";
    let separate = values(&bound(one_by_one, &texts, &texts), &texts);
    let together = values(&bound("subsequence(k=2..4,lambda=0.5)", &texts, &texts), &texts);
    for (a, b) in separate.iter().flatten().zip(together.iter().flatten()) {
        assert!(close(*a, *b), "{a} {b}");
    }
}

/// Fitted state of another kernel, or invalid state, is rejected; state that is accepted can be
/// used.
#[test]
fn strange_numbers_are_refused_or_harmless() {
    let corpus: Vec<Text> = vec![vec![0, 1, 2, 0, 1], vec![2, 1, 0, 1], vec![1, 1, 0]];
    let sentences: Vec<Sentence> = corpus.iter().map(placed).collect();
    let borrowed: Vec<&Sentence> = sentences.iter().collect();
    for expression in ["spectrum(k=2)", "wildcard(k=2)", "ngram(k=2,min=1,weight=log)", "fsm(min=2,weight=log)", "bow"]
    {
        let parsed: Expression = expression.parse().unwrap();
        let learned = TextVectors::new(&parsed, &borrowed, Progress::none()).unwrap().learned();
        let mut n_refused = 0;
        for place in 0..learned[0].numbers.len() {
            for other in [0, 1, 3, 200, u32::MAX] {
                let mut changed = learned.clone();
                changed[0].numbers[place] = other;
                match TextVectors::restore(&parsed, &changed) {
                    Ok(vectors) => sentences.iter().for_each(|text| drop(vectors.extract(text).unwrap())),
                    Err(_) => n_refused += 1,
                }
            }
        }
        assert!(n_refused > 0, "{expression}");
        let mut twice = learned.clone();
        twice[0].symbols[0] = twice[0].symbols[1];
        assert!(TextVectors::restore(&parsed, &twice).is_err(), "{expression}");
        assert!(TextVectors::restore(&parsed, &[]).is_err());
    }
}
