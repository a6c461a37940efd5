//! Texts as sparse vectors over the strings of a corpus, under all kernels of an expression: the
//! training data of linear models.

use super::StringFeatures;
use crate::kernel::combine::scales;
use crate::kernel::{Expression, Item, Learned, Rows, Scaling};
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::progress::{Progress, sort};
use resay_text::Symbol;
use std::ops::Range;
use std::sync::Arc;

/// The strings of a corpus under every kernel of an expression. Columns are numbered consecutively,
/// kernel after kernel.
#[derive(Clone, Debug)]
pub struct TextVectors {
    scalings: Vec<Scaling>,
    terms: Vec<Arc<dyn StringFeatures>>,
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
    /// Lists the strings of a corpus.
    pub fn new(expression: &Expression, corpus: &[&[Symbol]], progress: Progress<'_>) -> Result<Self> {
        let terms: Option<Result<Vec<_>>> = expression
            .texts()
            .and_then(|kernels| kernels.into_iter().map(|kernel| kernel.list(corpus, progress).transpose()).collect());
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
        Ok(Self { scalings: expression.scalings(), terms, starts })
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
    pub fn extract(&self, text: &[Symbol]) -> TextVector {
        let mut found = Vec::with_capacity(self.terms.len());
        for term in &self.terms {
            let mut entries = Vec::new();
            let unlisted = term.extract(text, &mut entries);
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
        vector
    }

    /// Returns the vectors of the corpus itself. Columns that only one text has are not listed but
    /// add to its private mass. The others are renumbered, the most frequent first, so that the
    /// most used weights of a model lie together.
    pub fn rows(&self, texts: &[&[Symbol]], progress: Progress<'_>) -> Result<TextRows> {
        let extract = |text: &&[Symbol]| progress.check().map(|()| self.extract(text));
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

    /// Returns the log probability of a text under the model of these strings, or `None` unless
    /// there is exactly one.
    pub fn log_probability(&self, text: &[Symbol]) -> Option<f64> {
        match &self.terms[..] {
            [term] => term.log_probability(text),
            _ => None,
        }
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

    /// Visits every occurrence of a column in a text.
    pub fn occurrences(&self, text: &[Symbol], mut found: impl FnMut(u32, Range<usize>)) {
        for (term, start) in self.terms.iter().zip(&self.starts) {
            term.occurrences(text, &mut |feature, range| found(start + feature, range));
        }
    }
}
