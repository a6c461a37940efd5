//! String kernels as terms of an expression, over single texts or over both sides of a pair.
//!
//! A single text is a pair without a target, so that sums, normalisation and matrices work as for
//! all other kernels. A kernel with units of its own compares the sentences' readings in these; each
//! kernel lists its own strings, so a word and a character that are spelt alike are never confused.

use super::compared::{ComparedIndex, Subsequence};
use super::{StringFeatures, StringKernel};
use crate::Result;
use crate::kernel::index::Postings;
use crate::kernel::{FeatureMap, Index, Kernel, Learned};
use rayon::prelude::*;
use resay_learn::progress::Progress;
use resay_text::{Pair, Sentence, Symbol, Units};
use std::sync::Arc;

/// Raw kernel values of texts against the texts that a kernel is bound to. If an index evaluates
/// several kernels (parts) at once, a list of values is `n_parts` lists of equal length,
/// concatenated.
pub(super) trait TextIndex: Send + Sync {
    fn n_parts(&self) -> usize {
        1
    }

    /// Returns the kernel of each column with itself.
    fn self_values(&self) -> &[f64];

    /// Writes the kernel of column `i` with the first columns.
    fn column(&self, i: usize, out: &mut [f64], progress: Progress<'_>) -> Result<()>;

    /// Writes the kernel of a new text with the first columns, and with itself.
    fn row(&self, text: &[Symbol], out: &mut [f64], own: &mut [f64], progress: Progress<'_>) -> Result<()>;
}

/// How texts are compared.
#[derive(Clone, Debug)]
enum Recipe {
    /// By the strings of a corpus, as listed features.
    Listed(Arc<dyn StringKernel>),
    /// Two at a time.
    Compared(Subsequence),
}

/// A kernel of single texts.
#[derive(Clone, Debug)]
pub struct OneText {
    recipe: Recipe,
    /// The units to compare, if not the sentences' own.
    units: Option<Units>,
    /// The fitted features.
    features: Option<Arc<dyn StringFeatures>>,
}

impl OneText {
    /// Wraps a kernel that lists strings.
    pub(super) fn listed(kernel: impl StringKernel + 'static) -> Self {
        Self { recipe: Recipe::Listed(Arc::new(kernel)), units: None, features: None }
    }

    /// Wraps a kernel that compares texts two at a time.
    pub(super) fn compared(kernel: Subsequence) -> Self {
        Self { recipe: Recipe::Compared(kernel), units: None, features: None }
    }

    /// Lists the strings of a corpus. Returns `None` if they cannot be listed.
    pub fn list(&self, corpus: &[&[Symbol]], progress: Progress<'_>) -> Result<Option<Arc<dyn StringFeatures>>> {
        match &self.recipe {
            Recipe::Listed(kernel) => kernel.list(corpus, progress).map(Some),
            Recipe::Compared(_) => Ok(None),
        }
    }

    /// Restores the strings of a corpus from their stored form. Returns `None` if they cannot
    /// belong to this kernel.
    pub fn restore(&self, learned: &Learned) -> Option<Arc<dyn StringFeatures>> {
        match &self.recipe {
            Recipe::Listed(kernel) => kernel.restore(learned),
            Recipe::Compared(_) => None,
        }
    }

    /// Returns the same kernel over other units.
    pub(in crate::kernel) fn over(&self, units: Units) -> Self {
        Self { units: Some(units), ..self.clone() }
    }

    /// Returns the symbols of a text that the kernel compares.
    pub(super) fn symbols<'a>(&self, text: &'a Sentence) -> Result<&'a [Symbol]> {
        Ok(text.read_as(self.units)?.0)
    }

    fn sources<'a>(&self, pairs: &'a [Pair]) -> Result<Vec<&'a [Symbol]>> {
        pairs.iter().map(|pair| self.symbols(&pair.source)).collect()
    }

    fn targets<'a>(&self, pairs: &'a [Pair]) -> Result<Vec<&'a [Symbol]>> {
        pairs.iter().map(|pair| self.symbols(&pair.target)).collect()
    }

    /// Returns the same kernel over both sides of a pair.
    pub(in crate::kernel) fn both(&self) -> BothTexts {
        BothTexts(self.clone())
    }

    /// Returns the kernel fitted to these texts, if it needs fitting and is not yet fitted.
    fn taught(&self, corpus: &[&[Symbol]], progress: Progress<'_>) -> Result<Option<Self>> {
        match &self.recipe {
            Recipe::Listed(kernel) if kernel.learns() && self.features.is_none() => {
                Ok(Some(Self { features: Some(kernel.list(corpus, progress)?), ..self.clone() }))
            }
            _ => Ok(None),
        }
    }

    fn with(&self, learned: &Learned) -> Option<Self> {
        Some(Self { features: Some(self.restore(learned)?), ..self.clone() })
    }

    fn bind(&self, texts: &[&[Symbol]], progress: Progress<'_>) -> Result<Box<dyn TextIndex>> {
        Ok(match &self.recipe {
            Recipe::Listed(kernel) => {
                let features = self.features.clone().map_or_else(|| kernel.list(texts, progress), Ok)?;
                Box::new(ListedIndex::new(features, texts, progress)?)
            }
            Recipe::Compared(kernel) => Box::new(ComparedIndex::new(kernel.clone(), texts, progress)?),
        })
    }
}

impl Kernel for OneText {
    fn describe(&self) -> String {
        let kernel = match &self.recipe {
            Recipe::Listed(kernel) => kernel.describe(),
            Recipe::Compared(kernel) => kernel.describe(),
        };
        match self.units {
            Some(units) => format!("{}({kernel})", units.name()),
            None => kernel,
        }
    }

    fn units(&self) -> Option<Units> {
        self.units
    }

    fn index(&self, columns: &[Pair], progress: Progress<'_>) -> Result<Box<dyn Index>> {
        Ok(Box::new(Single { texts: self.bind(&self.sources(columns)?, progress)?, units: self.units }))
    }

    fn features(&self) -> Option<&dyn FeatureMap> {
        None
    }

    fn text(&self) -> Option<&OneText> {
        Some(self)
    }

    fn learn(&self, corpus: &[Pair], progress: Progress<'_>) -> Result<Option<Box<dyn Kernel>>> {
        Ok(self.taught(&self.sources(corpus)?, progress)?.map(|taught| Box::new(taught) as Box<dyn Kernel>))
    }

    fn learned(&self) -> Option<Learned> {
        self.features.as_ref().map(|features| features.learned())
    }

    fn with_learned(&self, learned: &Learned) -> Option<Box<dyn Kernel>> {
        Some(Box::new(self.with(learned)?))
    }
}

/// `pair(...)`: the kernel of both sources times that of both targets. It is fitted to both sides
/// together.
#[derive(Clone, Debug)]
pub struct BothTexts(OneText);

impl BothTexts {
    fn taught(&self, corpus: &[Pair], progress: Progress<'_>) -> Result<Option<Self>> {
        let texts = [self.0.sources(corpus)?, self.0.targets(corpus)?].concat();
        Ok(self.0.taught(&texts, progress)?.map(Self))
    }
}

impl Kernel for BothTexts {
    fn describe(&self) -> String {
        format!("pair({})", self.0.describe())
    }

    fn units(&self) -> Option<Units> {
        self.0.units
    }

    fn index(&self, columns: &[Pair], progress: Progress<'_>) -> Result<Box<dyn Index>> {
        let taught = self.taught(columns, progress)?;
        let kernel = &taught.as_ref().unwrap_or(self).0;
        let source = kernel.bind(&kernel.sources(columns)?, progress)?;
        let target = kernel.bind(&kernel.targets(columns)?, progress)?;
        let self_values = source.self_values().iter().zip(target.self_values()).map(|(a, b)| a * b).collect();
        Ok(Box::new(Product { source, target, units: kernel.units, self_values }))
    }

    fn features(&self) -> Option<&dyn FeatureMap> {
        None
    }

    fn learn(&self, corpus: &[Pair], progress: Progress<'_>) -> Result<Option<Box<dyn Kernel>>> {
        Ok(self.taught(corpus, progress)?.map(|taught| Box::new(taught) as Box<dyn Kernel>))
    }

    fn learned(&self) -> Option<Learned> {
        self.0.learned()
    }

    fn with_learned(&self, learned: &Learned) -> Option<Box<dyn Kernel>> {
        Some(Box::new(Self(self.0.with(learned)?)))
    }
}

struct Single {
    texts: Box<dyn TextIndex>,
    units: Option<Units>,
}

impl Index for Single {
    fn n_parts(&self) -> usize {
        self.texts.n_parts()
    }

    fn self_values(&self) -> &[f64] {
        self.texts.self_values()
    }

    fn column(&self, i: usize, out: &mut [f64], progress: Progress<'_>) -> Result<()> {
        self.texts.column(i, out, progress)
    }

    fn row(&self, pair: &Pair, out: &mut [f64], own: &mut [f64], progress: Progress<'_>) -> Result<()> {
        self.texts.row(pair.source.read_as(self.units)?.0, out, own, progress)
    }
}

struct Product {
    source: Box<dyn TextIndex>,
    target: Box<dyn TextIndex>,
    units: Option<Units>,
    self_values: Vec<f64>,
}

fn multiply(values: &mut [f64], others: &[f64]) {
    values.iter_mut().zip(others).for_each(|(value, other)| *value *= other);
}

impl Index for Product {
    fn n_parts(&self) -> usize {
        self.source.n_parts()
    }

    fn self_values(&self) -> &[f64] {
        &self.self_values
    }

    fn column(&self, i: usize, out: &mut [f64], progress: Progress<'_>) -> Result<()> {
        let mut other = vec![0.0; out.len()];
        self.source.column(i, out, progress)?;
        self.target.column(i, &mut other, progress)?;
        multiply(out, &other);
        Ok(())
    }

    fn row(&self, pair: &Pair, out: &mut [f64], own: &mut [f64], progress: Progress<'_>) -> Result<()> {
        let (mut other, mut other_own) = (vec![0.0; out.len()], vec![0.0; own.len()]);
        self.source.row(pair.source.read_as(self.units)?.0, out, own, progress)?;
        self.target.row(pair.target.read_as(self.units)?.0, &mut other, &mut other_own, progress)?;
        multiply(out, &other);
        multiply(own, &other_own);
        Ok(())
    }
}

/// The index of a kernel whose strings can be listed.
pub(super) struct ListedIndex {
    features: Arc<dyn StringFeatures>,
    columns: Vec<Vec<(u32, f64)>>,
    self_values: Vec<f64>,
    postings: Postings,
}

impl ListedIndex {
    pub(super) fn new(features: Arc<dyn StringFeatures>, texts: &[&[Symbol]], progress: Progress<'_>) -> Result<Self> {
        let extract = |text: &&[Symbol]| {
            progress.check()?;
            let mut vector = Vec::new();
            let unlisted = features.extract(text, &mut vector);
            Ok((squared_length(&vector) + unlisted, vector))
        };
        let extracted = texts.par_iter().map(extract).collect::<Result<Vec<_>>>()?;
        let (self_values, columns): (Vec<f64>, Vec<_>) = extracted.into_iter().unzip();
        let columns_of = || columns.iter().map(|column: &Vec<(u32, f64)>| &column[..]);
        let postings = Postings::new(features.n_features(), columns_of, progress)?;
        Ok(Self { features, columns, self_values, postings })
    }

    fn fill(&self, vector: &[(u32, f64)], out: &mut [f64]) {
        out.fill(0.0);
        vector.iter().for_each(|&(feature, value)| self.postings.add(feature, value, out));
    }
}

fn squared_length(vector: &[(u32, f64)]) -> f64 {
    vector.iter().map(|(_, value)| value * value).sum()
}

impl TextIndex for ListedIndex {
    fn self_values(&self) -> &[f64] {
        &self.self_values
    }

    fn column(&self, i: usize, out: &mut [f64], _progress: Progress<'_>) -> Result<()> {
        self.fill(&self.columns[i], out);
        Ok(())
    }

    fn row(&self, text: &[Symbol], out: &mut [f64], own: &mut [f64], _progress: Progress<'_>) -> Result<()> {
        let mut vector = Vec::new();
        let unlisted = self.features.extract(text, &mut vector);
        self.fill(&vector, out);
        own.fill(squared_length(&vector) + unlisted);
        Ok(())
    }
}
