//! `tesrk(k, pattern=..., variable=..., lambda)`: the typed kernel as a term of an expression.

use super::TypedIndex;
use super::words::{Alone, Corpus, LinkTypes, Scheme};
use super::{described, layers};
use crate::Result;
use crate::kernel::{FeatureMap, Index, Kernel};
use rayon::prelude::*;
use resay_learn::progress::Progress;
use resay_text::lexicon::{Lexicon, Relations};
use resay_text::{Layers, Pair};
use std::sync::Arc;

/// TESRK at one k. Kernels that differ only in k share their scheme.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    k: usize,
    lambda: f64,
    scheme: Arc<Scheme>,
}

impl Typed {
    /// Returns one kernel per k.
    pub(crate) fn family(
        ks: impl Iterator<Item = usize>,
        lambda: f64,
        lexicon: Arc<Lexicon>,
        pattern: Relations,
        variable: LinkTypes,
    ) -> Vec<Self> {
        let scheme = Arc::new(Scheme::new(lexicon, pattern, variable));
        ks.map(|k| Self { k, lambda, scheme: scheme.clone() }).collect()
    }

    /// Returns the kernel of a pair with itself.
    fn self_value(&self, alone: &Alone, progress: Progress<'_>) -> Result<f64> {
        let mut value = [0.0];
        TypedIndex::new(self.k, self.lambda, std::slice::from_ref(&alone.pair), alone.related.clone(), progress)?
            .column(0, &mut value, progress)?;
        Ok(value[0])
    }
}

impl Kernel for Typed {
    fn describe(&self) -> String {
        let Scheme { lexicon, pattern, variable, .. } = &*self.scheme;
        described(self.k, self.lambda, lexicon, *pattern, *variable) + ")"
    }

    fn layers(&self) -> Layers {
        layers(self.scheme.pattern | self.scheme.variable.types)
    }

    fn prepare(&self, columns: &[Pair], progress: Progress<'_>) -> Result<()> {
        self.scheme.corpus(columns, progress).map(|_| ())
    }

    fn index(&self, columns: &[Pair], progress: Progress<'_>) -> Result<Box<dyn Index>> {
        let corpus = self.scheme.corpus(columns, progress)?;
        let index = TypedIndex::new(self.k, self.lambda, &corpus.pairs, corpus.related.clone(), progress)?;
        let self_value = |i: usize| self.self_value(&corpus.alone(i), progress);
        let self_values = (0..columns.len()).into_par_iter().map(self_value).collect::<Result<_>>()?;
        Ok(Box::new(BoundKernel { kernel: self.clone(), corpus, index, self_values }))
    }

    fn n_patterns(&self, n: usize) -> usize {
        n << self.k
    }

    fn features(&self) -> Option<&dyn FeatureMap> {
        None
    }
}

struct BoundKernel {
    kernel: Typed,
    corpus: Arc<Corpus>,
    index: TypedIndex,
    self_values: Vec<f64>,
}

impl Index for BoundKernel {
    fn self_values(&self) -> &[f64] {
        &self.self_values
    }

    fn is_symmetric(&self) -> bool {
        self.corpus.is_symmetric
    }

    fn column(&self, i: usize, out: &mut [f64], progress: Progress<'_>) -> Result<()> {
        self.index.column(i, out, progress)
    }

    fn row(&self, pair: &Pair, out: &mut [f64], own: &mut [f64], progress: Progress<'_>) -> Result<()> {
        let new = self.kernel.scheme.new_pair(pair, &self.corpus);
        self.index.row(&new.pair, &new.related, out, progress)?;
        own.fill(self.kernel.self_value(&new.alone, progress)?);
        Ok(())
    }
}
