//! Three implementations of TESRK that must agree: Algorithm 1 over all quadruples, Algorithm 2,
//! and the index, on random relations that are neither symmetric nor transitive nor reflexive.

use proptest::prelude::*;
use resay::kernel::typed::{Effort, Relate, TypedIndex, TypedPair, typed_by_algorithm_1, typed_by_algorithm_2};
use resay_learn::progress::Progress;
use std::sync::Arc;

const N_WORDS: usize = 5;

/// Relations between a handful of words, as tables.
#[derive(Clone, Debug)]
struct Tables {
    pattern: Vec<bool>,
    variable: Vec<u64>,
}

impl Relate for Tables {
    fn pattern(&self, a: u32, b: u32) -> bool {
        self.pattern[a as usize * N_WORDS + b as usize]
    }

    fn variable(&self, a: u32, b: u32) -> u64 {
        self.variable[a as usize * N_WORDS + b as usize]
    }
}

impl Tables {
    fn pair(&self, (source, target): &(Vec<u32>, Vec<u32>)) -> TypedPair {
        let links = source.iter().flat_map(|&a| target.iter().map(move |&b| self.variable(a, b))).collect();
        TypedPair { source: source.clone(), target: target.clone(), links }
    }

    fn related(&self, word: u32, n_known: usize) -> Vec<u32> {
        (0..n_known as u32).filter(|&other| self.pattern(word, other)).collect()
    }
}

fn tables() -> impl Strategy<Value = Tables> {
    let pattern = prop::collection::vec(prop::bool::weighted(0.4), N_WORDS * N_WORDS);
    let variable = prop::collection::vec(prop_oneof![Just(0_u64), 0_u64..8], N_WORDS * N_WORDS);
    (pattern, variable).prop_map(|(pattern, variable)| Tables { pattern, variable })
}

fn sentence() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0..N_WORDS as u32, 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn three_routes_agree(
        tables in tables(),
        columns in prop::collection::vec((sentence(), sentence()), 1..4),
        query in (sentence(), sentence()),
        k in 1_usize..4,
        lambda in prop_oneof![Just(1.0), Just(0.5)],
    ) {
        // The columns use the first words, so that some words of the query are new.
        let n_known = columns.iter().flat_map(|(s, t)| s.iter().chain(t)).max().map_or(0, |most| *most as usize + 1);
        let related = (0..n_known as u32).map(|word| tables.related(word, n_known)).collect();
        let new: Vec<Vec<u32>> = (n_known..N_WORDS).map(|word| tables.related(word as u32, n_known)).collect();
        let pairs: Vec<TypedPair> = columns.iter().map(|pair| tables.pair(pair)).collect();
        let index = TypedIndex::new(k, lambda, &pairs, Arc::new(related), Progress::none()).unwrap();
        let mut row = vec![0.0; columns.len()];
        index.row(&tables.pair(&query), &new, &mut row, Progress::none()).unwrap();
        for (column, found) in columns.iter().zip(&row) {
            let (first, second) = ((&query.0[..], &query.1[..]), (&column.0[..], &column.1[..]));
            let expected = typed_by_algorithm_1(&tables, k, lambda, first, second);
            let by_second = typed_by_algorithm_2(&tables, k, lambda, first, second, &mut Effort::default());
            prop_assert_eq!(by_second, expected);
            prop_assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{} instead of {}", found, expected);
        }
        for (i, column) in columns.iter().enumerate() {
            index.column(i, &mut row, Progress::none()).unwrap();
            for (other, found) in columns.iter().zip(&row) {
                let expected = typed_by_algorithm_1(&tables, k, lambda, (&column.0, &column.1), (&other.0, &other.1));
                prop_assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{} instead of {}", found, expected);
            }
        }
    }
}
