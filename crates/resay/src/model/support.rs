//! A machine over a kernel without listed rules: the training pairs it leans on, and how much on each.

use crate::Result;
use crate::explain::{Explanation, What};
use crate::kernel::{Bound, Expression};
use crate::pack::{Reader, put, put_str};
use crate::text::{Intern, Interner, Pair, Sentence, Symbol};

/// More patterns than this would take minutes to number when a file is opened. Four thousand pairs at k=1..4 have five
/// million.
const MAX_PATTERNS: usize = 1 << 25;

/// The machine: score(x) = sum_i coefficient_i K(pair_i, x).
pub(super) struct SupportMachine {
    pairs: Vec<Pair>,
    ids: Vec<String>,
    coefficients: Vec<f64>,
    bound: Bound,
}

impl SupportMachine {
    /// Keeps the pairs with a coefficient; their symbols are interned anew, in `symbols`.
    pub(super) fn new(
        expression: &Expression,
        pairs: &[Pair],
        ids: &[String],
        coefficients: &[f64],
        all_symbols: &Interner,
        symbols: &mut Interner,
    ) -> Result<Self> {
        let mut renew = |sentence: &Sentence| {
            let renew = |&symbol: &Symbol| symbols.symbol(all_symbols.string(symbol).unwrap_or_default());
            bare(sentence.units.iter().map(renew).collect())
        };
        let kept = || (0..pairs.len()).filter(|&i| coefficients[i] != 0.0);
        let new_pairs: Vec<Pair> =
            kept().map(|i| Pair { source: renew(&pairs[i].source), target: renew(&pairs[i].target) }).collect();
        let bound = Bound::new(expression, &new_pairs)?;
        let ids = kept().map(|i| ids[i].clone()).collect();
        Ok(Self { pairs: new_pairs, ids, coefficients: kept().map(|i| coefficients[i]).collect(), bound })
    }

    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// The score of a pair without the bias.
    pub(super) fn score(&self, pair: &Pair) -> Result<f64> {
        Ok(self.contributions(pair)?.iter().sum())
    }

    fn contributions(&self, pair: &Pair) -> Result<Vec<f64>> {
        let mut row = vec![0.0; self.len()];
        self.bound.row(pair, &mut row)?;
        row.iter_mut().zip(&self.coefficients).for_each(|(value, coefficient)| *value *= coefficient);
        Ok(row)
    }

    /// The score taken apart by the pairs that were learned from, at most `top` of them and the rest summed up.
    pub(super) fn explain(&self, expression: &Expression, pair: &Pair, top: usize) -> Result<Vec<Explanation>> {
        let contributions = self.contributions(pair)?;
        let mut order: Vec<usize> = (0..self.len()).filter(|&i| contributions[i] != 0.0).collect();
        order.sort_by(|&a, &b| contributions[b].abs().total_cmp(&contributions[a].abs()).then(a.cmp(&b)));
        let (shown, rest) = order.split_at(top.min(order.len()));
        let leaf = |&i: &usize| Explanation::leaf(What::Pair(self.ids[i].clone()), contributions[i]);
        let mut leaves: Vec<Explanation> = shown.iter().map(leaf).collect();
        if !rest.is_empty() {
            leaves.push(Explanation::leaf(What::Rest(rest.len()), rest.iter().map(|&i| contributions[i]).sum()));
        }
        let value = contributions.iter().sum();
        let what = What::Kernel(expression.to_string());
        Ok(vec![Explanation { parts: leaves, ..Explanation::leaf(what, value) }])
    }

    pub(super) fn write(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, self.len() as u64);
        for (pair, id) in self.pairs.iter().zip(&self.ids) {
            put_str(&mut out, id);
            for sentence in [&pair.source, &pair.target] {
                put(&mut out, sentence.units.len() as u64);
                sentence.units.iter().for_each(|&unit| put(&mut out, u64::from(unit)));
            }
        }
        self.coefficients.iter().for_each(|coefficient| out.extend(coefficient.to_le_bytes()));
        out
    }

    pub(super) fn read(file: &str, bytes: &[u8], expression: &Expression, n_symbols: usize) -> Result<Self> {
        let mut reader = Reader::new(file, "pairs", bytes);
        let n_pairs = reader.count(3)?;
        let (mut pairs, mut ids) = (Vec::with_capacity(n_pairs), Vec::with_capacity(n_pairs));
        for _ in 0..n_pairs {
            ids.push(reader.string()?.to_owned());
            let mut sentence = || {
                let len = reader.count(1)?;
                (0..len).map(|_| reader.below(n_symbols, "a symbol")).collect::<Result<_>>().map(bare)
            };
            let source = sentence()?;
            pairs.push(Pair { source, target: sentence()? });
        }
        let coefficients = (0..n_pairs).map(|_| reader.real()).collect::<Result<_>>()?;
        reader.end()?;
        let lengths = pairs.iter().flat_map(|pair: &Pair| [pair.source.units.len(), pair.target.units.len()]);
        let of_terms = |n: usize| expression.terms().iter().map(|term| term.n_patterns(n)).sum::<usize>();
        let n_patterns = lengths.map(of_terms).fold(0, usize::saturating_add);
        if n_patterns > MAX_PATTERNS {
            return reader
                .fail(format_args!("its pairs have {n_patterns} patterns, at most {MAX_PATTERNS} are allowed"));
        }
        let bound = Bound::new(expression, &pairs)?;
        Ok(Self { pairs, ids, coefficients, bound })
    }
}

/// A sentence of which only the symbols are known.
fn bare(units: Vec<Symbol>) -> Sentence {
    Sentence { text: "".into(), spans: Vec::new(), units }
}
