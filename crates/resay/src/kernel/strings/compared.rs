//! `subsequence`: compares texts two at a time, for all lengths at once (the arithmetic is in the
//! module `subsequence`).

use super::subsequence::{PreparedSubsequences, SubsequenceScratch, Subsequences};
use super::text::TextIndex;
use crate::Result;
use rayon::prelude::*;
use resay_learn::progress::Progress;
use resay_text::Symbol;
use std::ops::RangeInclusive;

/// The kernel over a range of lengths; each length is a part of its own.
#[derive(Clone, Debug)]
pub(super) struct Subsequence {
    ks: RangeInclusive<usize>,
    kernel: Subsequences,
}

impl Subsequence {
    pub(super) fn new(ks: RangeInclusive<usize>, lambda: f64) -> Result<Self> {
        Ok(Self { kernel: Subsequences::new(*ks.end(), lambda)?, ks })
    }

    pub(super) fn describe(&self) -> String {
        let (low, high) = self.ks.clone().into_inner();
        let range = if low == high { low.to_string() } else { format!("{low}..{high}") };
        format!("subsequence(k={range},lambda={})", self.kernel.lambda())
    }
}

/// The texts that others are compared with one by one.
pub(super) struct ComparedIndex {
    kernel: Subsequence,
    texts: Vec<PreparedSubsequences>,
    self_values: Vec<f64>,
}

impl ComparedIndex {
    pub(super) fn new(kernel: Subsequence, texts: &[&[Symbol]], progress: Progress<'_>) -> Result<Self> {
        let (n, n_parts) = (texts.len(), kernel.ks.clone().count());
        let mut index = Self {
            kernel,
            texts: texts.iter().map(|text| PreparedSubsequences::new(text)).collect(),
            self_values: Vec::new(),
        };
        let own = |text: &PreparedSubsequences| {
            let mut own = vec![0.0; n_parts];
            index.compare(text, std::slice::from_ref(text), &mut own, progress)?;
            Ok(own)
        };
        let by_text: Vec<Vec<f64>> = index.texts.par_iter().map(own).collect::<Result<_>>()?;
        index.self_values = (0..n_parts * n).map(|place| by_text[place % n][place / n]).collect();
        Ok(index)
    }

    /// Writes the kernel of one text with all others for the first length, then for the next, and
    /// so on.
    fn compare(
        &self,
        text: &PreparedSubsequences,
        others: &[PreparedSubsequences],
        out: &mut [f64],
        progress: Progress<'_>,
    ) -> Result<()> {
        let (low, high) = self.kernel.ks.clone().into_inner();
        let mut scratch = SubsequenceScratch::default();
        let mut values = vec![0.0; high];
        for (idx, other) in others.iter().enumerate() {
            progress.check()?;
            self.kernel.kernel.compare(text, other, &mut scratch, &mut values);
            values[low - 1..].iter().enumerate().for_each(|(part, value)| out[part * others.len() + idx] = *value);
        }
        Ok(())
    }
}

impl TextIndex for ComparedIndex {
    fn n_parts(&self) -> usize {
        self.kernel.ks.clone().count()
    }

    fn self_values(&self) -> &[f64] {
        &self.self_values
    }

    fn column(&self, i: usize, out: &mut [f64], progress: Progress<'_>) -> Result<()> {
        let n = out.len() / self.n_parts();
        self.compare(&self.texts[i], &self.texts[..n], out, progress)
    }

    fn row(&self, text: &[Symbol], out: &mut [f64], own: &mut [f64], progress: Progress<'_>) -> Result<()> {
        let n = out.len() / self.n_parts();
        let text = PreparedSubsequences::new(text);
        self.compare(&text, &self.texts[..n], out, progress)?;
        self.compare(&text, std::slice::from_ref(&text), own, progress)
    }
}
