//! Texts as sparse vectors over the strings of a corpus, under all kernels of an expression: the
//! training data of linear models.

use super::{OneText, StringFeatures};
use crate::kernel::combine::scales;
use crate::kernel::{Expression, Item, Learned, Rows, Scaling};
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::progress::{Progress, sort};
use resay_text::{Sentence, Span, Units};
use std::sync::Arc;

/// The strings of a corpus under every kernel of an expression. Columns are numbered consecutively,
/// kernel after kernel.
#[derive(Clone, Debug)]
pub struct TextVectors {
    scalings: Vec<Scaling>,
    terms: Vec<Arc<dyn StringFeatures>>,
    /// The units that each kernel compares, if not the sentences' own.
    units: Vec<Option<Units>>,
    /// The first column of each kernel, and one past the last column.
    starts: Vec<u32>,
}

/// A text as a vector, scaled as the expression says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextVector {
    /// Columns and values, by ascending column.
    pub entries: Vec<(u32, f64)>,
    /// Squared length of the features that the corpus does not contain.
    pub unlisted: f64,
}

/// A corpus as rows over the columns that several texts share.
#[derive(Clone, Debug)]
pub struct TextRows {
    /// One row per text.
    pub rows: Rows,
    /// `columns[i]`: the original number of column i.
    pub columns: Vec<u32>,
}

impl TextVectors {
    /// Lists the strings of a corpus, for each kernel those of its own units.
    pub fn new(expression: &Expression, corpus: &[&Sentence], progress: Progress<'_>) -> Result<Self> {
        let list = |kernel: &OneText| {
            let texts = corpus.iter().map(|text| kernel.symbols(text)).collect::<Result<Vec<_>>>();
            texts.and_then(|texts| kernel.list(&texts, progress)).transpose()
        };
        let terms: Option<Result<Vec<_>>> =
            expression.texts().and_then(|kernels| kernels.into_iter().map(list).collect());
        match terms {
            Some(terms) => Self::assemble(expression, terms?),
            None => Err(Error::parameter(format!(
                "kernel {expression}: its strings cannot be listed, expected some of spectrum, wildcard, ngram, fsm, bow"
            ))),
        }
    }

    /// Restores the strings of a corpus from their stored form.
    pub fn restore(expression: &Expression, learned: &[Learned]) -> Result<Self> {
        let kernels = expression.texts().unwrap_or_default();
        let restored = kernels.iter().zip(learned).map(|(kernel, learned)| kernel.restore(learned)).collect();
        match restored {
            Some(terms) if kernels.len() == learned.len() && !learned.is_empty() => Self::assemble(expression, terms),
            _ => Err(Error::data(format!("{expression} cannot have listed what it is given"))),
        }
    }

    fn assemble(expression: &Expression, terms: Vec<Arc<dyn StringFeatures>>) -> Result<Self> {
        let mut starts = vec![0_u32];
        for term in &terms {
            let end = starts.last().copied().unwrap_or(0) as usize + term.n_features();
            let end = u32::try_from(end).map_err(|_| {
                Error::data(format!("kernel {expression}: {end} different strings are too many: raise min or lower k"))
            })?;
            starts.push(end);
        }
        let units = expression.terms().iter().map(|term| term.units()).collect();
        Ok(Self { scalings: expression.scalings(), terms, units, starts })
    }

    /// Returns the number of strings.
    pub fn n_columns(&self) -> usize {
        self.starts.last().map_or(0, |end| *end as usize)
    }

    /// Returns the fitted state, one per kernel.
    pub fn learned(&self) -> Vec<Learned> {
        self.terms.iter().map(|term| term.learned()).collect()
    }

    /// Returns the vector of a text.
    pub fn extract(&self, text: &Sentence) -> Result<TextVector> {
        let mut found = Vec::with_capacity(self.terms.len());
        for (term, units) in self.terms.iter().zip(&self.units) {
            let mut entries = Vec::new();
            let unlisted = term.extract(text.read_as(*units)?.0, &mut entries);
            let squared_length: f64 = entries.iter().map(|(_, value)| value * value).sum();
            found.push((entries, unlisted, squared_length + unlisted));
        }
        let self_values: Vec<f64> = found.iter().map(|(.., self_value)| *self_value).collect();
        let mut vector = TextVector::default();
        for (((entries, unlisted, _), scale), start) in
            found.into_iter().zip(scales(&self.scalings, &self_values)).zip(&self.starts)
        {
            // A string with value zero is left out.
            let scaled = entries.into_iter().filter(|(_, value)| *value != 0.0);
            vector.entries.extend(scaled.map(|(feature, value)| (start + feature, value * scale)));
            vector.unlisted += unlisted * scale * scale;
        }
        Ok(vector)
    }

    /// Returns the vectors of the corpus itself. Columns that only one text has are not listed but
    /// add to its private mass. The others are renumbered, the most frequent first, so that the
    /// most used weights of a model lie together.
    pub fn rows(&self, texts: &[&Sentence], progress: Progress<'_>) -> Result<TextRows> {
        let extract = |text: &&Sentence| progress.check().and_then(|()| self.extract(text));
        let vectors: Vec<TextVector> = texts.par_iter().map(extract).collect::<Result<_>>()?;
        let mut support = vec![0_u32; self.n_columns()];
        for vector in &vectors {
            progress.check()?;
            vector.entries.iter().for_each(|(column, _)| support[*column as usize] += 1);
        }
        let mut columns: Vec<u32> =
            (0..self.n_columns() as u32).filter(|&column| support[column as usize] > 1).collect();
        let order = |a: &u32, b: &u32| support[*b as usize].cmp(&support[*a as usize]).then(a.cmp(b));
        sort(&mut columns, order, progress)?;
        // From here on, the new number of a column plus one; 0 for columns of a single text.
        let mut numbers = support;
        numbers.fill(0);
        columns.iter().zip(1..).for_each(|(&column, number)| numbers[column as usize] = number);
        let mut rows = Rows::new(columns.len());
        for TextVector { entries, unlisted } in vectors {
            progress.check()?;
            let number = |column: u32| numbers[column as usize].checked_sub(1);
            let own = entries.iter().filter(|(column, _)| number(*column).is_none());
            let private: f64 = own.map(|(_, value)| value * value).sum();
            let shared = entries.iter().filter_map(|&(column, value)| Some((number(column)?, value)));
            rows.push(shared, private + unlisted);
        }
        Ok(TextRows { rows, columns })
    }

    /// Returns the log probability of a text under the model of these strings and the number of its
    /// symbols, or `None` unless there is exactly one model.
    pub fn log_probability(&self, text: &Sentence) -> Result<Option<(f64, usize)>> {
        let ([term], [units]) = (&self.terms[..], &self.units[..]) else { return Ok(None) };
        let symbols = text.read_as(*units)?.0;
        Ok(term.log_probability(symbols).map(|nats| (nats, symbols.len())))
    }

    /// Returns the index of the kernel that a column belongs to.
    pub fn term(&self, column: u32) -> usize {
        self.starts.partition_point(|start| *start <= column) - 1
    }

    /// Returns the string of a column.
    pub fn string(&self, column: u32) -> Vec<Item> {
        let term = self.term(column);
        self.terms[term].string(column - self.starts[term])
    }

    /// Returns the units that the kernel of a column compares, if not the sentences' own.
    pub fn units(&self, column: u32) -> Option<Units> {
        self.units[self.term(column)]
    }

    /// Visits every occurrence of a column in a text, with the positions of its symbols.
    pub fn occurrences(&self, text: &Sentence, mut found: impl FnMut(u32, &[Span])) -> Result<()> {
        for ((term, units), start) in self.terms.iter().zip(&self.units).zip(&self.starts) {
            let (symbols, spans) = text.read_as(*units)?;
            term.occurrences(symbols, &mut |feature, range| {
                found(start + feature, spans.get(range).unwrap_or_default());
            });
        }
        Ok(())
    }
}
