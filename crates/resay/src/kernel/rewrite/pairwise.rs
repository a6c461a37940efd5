//! ps-SRK and pw-SRK. They have no links, so each is the product of a string kernel on the sources
//! and one on the targets.

use crate::Result;
use crate::kernel::features::{FeatureMap, Features};
use crate::kernel::index::{ExplicitIndex, Index};
use crate::kernel::{Kernel, PatternIds, sequence};
use resay_learn::progress::Progress;
use resay_text::Pair;

/// ps-SRK: literal patterns of length k; K = spectrum_k(sources) * spectrum_k(targets).
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairwiseSpectrum {
    pub(crate) k: usize,
}

impl FeatureMap for PairwiseSpectrum {
    fn extract(&self, pair: &Pair, patterns: &mut dyn PatternIds, features: &mut Features) -> Result<()> {
        features.clear();
        sequence::spectrum(self.k, &pair.source.units, patterns, &mut features.source);
        sequence::spectrum(self.k, &pair.target.units, patterns, &mut features.target);
        Ok(())
    }

    fn is_listable(&self) -> bool {
        true
    }
}

impl Kernel for PairwiseSpectrum {
    fn describe(&self) -> String {
        format!("ps(k={})", self.k)
    }

    fn index(&self, columns: &[Pair], progress: Progress<'_>) -> Result<Box<dyn Index>> {
        Ok(Box::new(ExplicitIndex::new(*self, columns, progress)?))
    }

    fn features(&self) -> Option<&dyn FeatureMap> {
        Some(self)
    }
}

/// pw-SRK: patterns of length k with wildcards anywhere; K = wildcard_k(sources) *
/// wildcard_k(targets).
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairwiseWildcard {
    pub(crate) k: usize,
    pub(crate) lambda: f64,
}

impl FeatureMap for PairwiseWildcard {
    fn extract(&self, pair: &Pair, patterns: &mut dyn PatternIds, features: &mut Features) -> Result<()> {
        features.clear();
        sequence::wildcard(self.k, self.k, self.lambda, &pair.source.units, patterns, &mut features.source);
        sequence::wildcard(self.k, self.k, self.lambda, &pair.target.units, patterns, &mut features.target);
        Ok(())
    }

    /// There are n * 2^k patterns per side: 100,000 rules per pair at k = 4. Such a model is
    /// learned from the Gram matrix instead.
    fn is_listable(&self) -> bool {
        false
    }
}

impl Kernel for PairwiseWildcard {
    fn describe(&self) -> String {
        format!("pw(k={},lambda={})", self.k, self.lambda)
    }

    fn index(&self, columns: &[Pair], progress: Progress<'_>) -> Result<Box<dyn Index>> {
        Ok(Box::new(ExplicitIndex::new(*self, columns, progress)?))
    }

    fn n_patterns(&self, n: usize) -> usize {
        n.saturating_mul(1 << self.k)
    }

    fn features(&self) -> Option<&dyn FeatureMap> {
        Some(self)
    }
}
