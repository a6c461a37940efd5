//! The gap-weighted subsequence kernel (Lodhi et al. 2002): two texts are similar to the extent
//! that they contain the same symbols in the same order, with or without others between.
//!
//!   K_k(s, t) = sum over strings u of length k, index sets i of s and j of t with s[i] = t[j] = u
//!               of lambda^(l(i) + l(j)),   l(i) = i_k - i_1 + 1,
//!
//! not normalised, for all k from 1 to a maximum at once. By Proposition 1 of Saunders et al.
//! (2002) this is the Fisher kernel of a Markov model with gaps in which all next symbols are
//! equally likely.
//!
//! There are two forms, which agree to about 1e-13: [`blocks`] for texts that share many symbols,
//! such as characters, and [`tree`] for texts with few matching cells. Neither ever subtracts, so
//! no digits are lost. Neither divides by an extreme power of lambda, so texts may be long and
//! lambda small. Values below the smallest number become 0, and values above the largest become
//! infinite.

mod blocks;
mod classic;
mod powers;
mod prepared;
mod tree;

pub use classic::{subsequences_by_recursion, subsequences_by_tables};
pub use prepared::PreparedSubsequences;

use crate::kernel::MAX_K;
use crate::{Error, Result};
use blocks::{BLOCK, Blocks, TILE_COLUMNS};
use powers::Powers;
use prepared::Shared;
use tree::Tree;

/// The kernel for every length up to `max_k`.
#[derive(Clone, Debug)]
pub struct Subsequences {
    max_k: usize,
    lambda: f64,
    powers: Powers,
}

/// The algorithm to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubsequenceForm {
    /// Whichever is likely to be faster.
    Auto,
    /// Row by row over all columns with a match.
    Dense,
    /// Match by match.
    Sparse,
}

/// Buffers, reused from one pair of texts to the next. Use one per thread.
#[derive(Clone, Debug, Default)]
pub struct SubsequenceScratch {
    first: PreparedSubsequences,
    second: PreparedSubsequences,
    shared: Shared,
    blocks: Blocks,
    tree: Tree,
}

impl Subsequences {
    /// Creates the kernel for lengths 1 to `max_k`. Every symbol that a subsequence spans weighs
    /// `lambda`.
    pub fn new(max_k: usize, lambda: f64) -> Result<Self> {
        if !(1..=MAX_K).contains(&max_k) {
            let message = format!("subsequences of {max_k} symbols: k must be 1 to {MAX_K}");
            return Err(Error::parameter(message));
        }
        if !(lambda > 0.0 && lambda <= 1.0) {
            let message = format!("subsequences with lambda={lambda}: it must be above 0 and at most 1");
            return Err(Error::parameter(message));
        }
        Ok(Self { max_k, lambda, powers: Powers::new(lambda) })
    }

    /// Returns the length of the longest subsequences counted.
    pub fn max_k(&self) -> usize {
        self.max_k
    }

    /// Returns the weight of each symbol that a subsequence spans.
    pub fn lambda(&self) -> f64 {
        self.lambda
    }

    /// Fills `out[k - 1]` with K_k(s, t) for k = 1 .. `max_k`, and the rest of `out` with 0.
    pub fn values(&self, s: &[u32], t: &[u32], scratch: &mut SubsequenceScratch, out: &mut [f64]) {
        let (mut first, mut second) = (std::mem::take(&mut scratch.first), std::mem::take(&mut scratch.second));
        first.refill(s);
        second.refill(t);
        self.compare(&first, &second, scratch, out);
        (scratch.first, scratch.second) = (first, second);
    }

    /// Like [`Self::values`], for a text with itself.
    pub fn self_values(&self, s: &[u32], scratch: &mut SubsequenceScratch, out: &mut [f64]) {
        let mut first = std::mem::take(&mut scratch.first);
        first.refill(s);
        self.compare(&first, &first, scratch, out);
        scratch.first = first;
    }

    /// Like [`Self::values`], for prepared texts.
    pub fn compare(
        &self,
        s: &PreparedSubsequences,
        t: &PreparedSubsequences,
        scratch: &mut SubsequenceScratch,
        out: &mut [f64],
    ) {
        self.compare_by(SubsequenceForm::Auto, s, t, scratch, out);
    }

    /// Like [`Self::compare`], with a given form. Results differ only by rounding.
    pub fn compare_by(
        &self,
        form: SubsequenceForm,
        s: &PreparedSubsequences,
        t: &PreparedSubsequences,
        scratch: &mut SubsequenceScratch,
        out: &mut [f64],
    ) {
        // The same text always supplies the rows, so that the kernel is symmetric to the last bit.
        let (rows, columns) = if s.order(t).is_le() { (s, t) } else { (t, s) };
        scratch.shared.fill(rows, columns);
        out.fill(0.0);
        let n_wanted = self.max_k.min(out.len());
        let out = &mut out[..n_wanted];
        let Some((first, rest)) = out.split_first_mut() else { return };
        *first = scratch.shared.n_matches as f64 * self.powers.at(2);
        // Level k is computed from level k - 1, and the last level is only summed.
        match rest.len() {
            0 => {}
            1 | 2 => self.run::<2>(form, scratch, rest),
            3 | 4 => self.run::<4>(form, scratch, rest),
            5 | 6 => self.run::<6>(form, scratch, rest),
            7 | 8 => self.run::<8>(form, scratch, rest),
            9 | 10 => self.run::<10>(form, scratch, rest),
            _ => self.run::<12>(form, scratch, rest),
        }
    }

    fn run<const N: usize>(&self, form: SubsequenceForm, scratch: &mut SubsequenceScratch, rest: &mut [f64]) {
        let SubsequenceScratch { shared, blocks, tree, .. } = scratch;
        let mut totals = [0.0; N];
        match form {
            SubsequenceForm::Dense => blocks.run(shared, &self.powers, &mut totals),
            SubsequenceForm::Sparse => tree.run(shared, &self.powers, &mut totals),
            SubsequenceForm::Auto if is_sparse(shared) => tree.run(shared, &self.powers, &mut totals),
            SubsequenceForm::Auto => blocks.run(shared, &self.powers, &mut totals),
        }
        for (value, total) in rest.iter_mut().zip(totals) {
            *value = total;
        }
    }
}

/// Returns whether the tree is likely to be faster, estimated in nanoseconds as measured for levels
/// up to 5 (more levels cost both forms more). A row is visited in every tile and scans the blocks
/// of the tile if it has a match there.
fn is_sparse(shared: &Shared) -> bool {
    let (n_rows, n_columns, n_matches) =
        (shared.rows.len() as f64, shared.columns.len() as f64, shared.n_matches as f64);
    let n_tiles = (n_columns / TILE_COLUMNS as f64).ceil();
    let tile_blocks = n_columns.min(TILE_COLUMNS as f64) / BLOCK as f64;
    let n_passes = n_matches.min(n_rows * n_tiles);
    let set_up = 150.0 + 8.0 * n_columns;
    let dense = set_up + 5.0 * n_rows * n_tiles + 1.2 * n_passes * tile_blocks + 2.5 * n_matches;
    let n_steps = f64::from(usize::BITS - shared.columns.len().leading_zeros());
    let sparse = 4.5 * n_matches * n_steps;
    sparse < dense
}
