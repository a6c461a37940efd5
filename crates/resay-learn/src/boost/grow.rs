//! Grows one tree: the leaf whose best split gains most is split next.

use super::bins::Binned;
use super::{BoostParams, Tree, TreeNode};
use crate::Result;
use crate::progress::Progress;
use rayon::prelude::*;

/// What a tree is grown from.
pub(super) struct Grower<'a> {
    pub(super) binned: &'a Binned,
    /// Gradient and curvature of each row.
    pub(super) slopes: &'a [[f32; 2]],
    /// The inputs that may be used, ascending.
    pub(super) inputs: Vec<usize>,
    pub(super) params: &'a BoostParams,
    pub(super) progress: Progress<'a>,
}

/// Sums of gradient and curvature.
type Sums = [f64; 2];

/// Sums per bin, for each usable input.
type Histograms = Vec<Vec<Sums>>;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Split {
    pub(super) gain: f64,
    /// The place of the input among the usable ones.
    pub(super) at: usize,
    /// The last bin of the first child.
    pub(super) bin: usize,
    pub(super) left: Sums,
}

/// A leaf that may still be split.
struct Leaf {
    node: usize,
    rows: Vec<u32>,
    sums: Sums,
    histograms: Histograms,
    best: Option<Split>,
}

/// The nodes that are leaves, with their rows.
pub(super) type LeafRows = Vec<(usize, Vec<u32>)>;

/// Gains below this are rounding.
const LEAST_GAIN: f64 = 1e-9;

impl Grower<'_> {
    pub(super) fn grow(&self) -> Result<(Tree, LeafRows)> {
        let rows: Vec<u32> = (0..self.binned.n_rows as u32).collect();
        let histograms = self.histograms(&rows)?;
        let sums = total(&histograms[0]);
        let mut nodes = vec![self.leaf_node(sums)];
        let best = self.best_split(&histograms, sums);
        let mut leaves = vec![Leaf { node: 0, rows, sums, histograms, best }];
        while leaves.len() < self.params.leaves {
            // The first of several that gain equally much.
            let gain = |leaf: &Leaf| leaf.best.map_or(f64::NEG_INFINITY, |split| split.gain);
            let next = (0..leaves.len()).reduce(|a, b| if gain(&leaves[b]) > gain(&leaves[a]) { b } else { a });
            let Some((at, split)) = next.and_then(|at| Some((at, leaves[at].best?))) else { break };
            let leaf = leaves.swap_remove(at);
            let children = self.split(leaf, split, &mut nodes)?;
            leaves.extend(children);
        }
        let rows = leaves.into_iter().map(|leaf| (leaf.node, leaf.rows)).collect();
        Ok((Tree { nodes }, rows))
    }

    fn leaf_node(&self, [gradient, curvature]: Sums) -> TreeNode {
        let value = (-self.params.rate * gradient / (curvature + self.params.ridge)) as f32;
        TreeNode { input: 0, threshold: 0.0, child: 0, value }
    }

    fn split(&self, leaf: Leaf, split: Split, nodes: &mut Vec<TreeNode>) -> Result<[Leaf; 2]> {
        let input = self.inputs[split.at];
        let column = &self.binned.columns[input];
        let (left_rows, right_rows): (Vec<u32>, Vec<u32>) =
            leaf.rows.iter().partition(|row| usize::from(column[**row as usize]) <= split.bin);
        let right = [leaf.sums[0] - split.left[0], leaf.sums[1] - split.left[1]];
        let child = nodes.len();
        nodes.extend([split.left, right].map(|sums| self.leaf_node(sums)));
        let node = &mut nodes[leaf.node];
        // Inputs are at most MAX_INPUTS, which fits.
        node.input = input as u16;
        node.threshold = self.binned.edges[input][split.bin];
        node.child = child as u32;
        // Sums of the larger child are those of the parent less those of the smaller one.
        let is_left_small = left_rows.len() <= right_rows.len();
        let small = self.histograms(if is_left_small { &left_rows } else { &right_rows })?;
        let mut large = leaf.histograms;
        for (large, small) in large.iter_mut().zip(&small) {
            for (large, small) in large.iter_mut().zip(small) {
                *large = [large[0] - small[0], large[1] - small[1]];
            }
        }
        let [of_left, of_right] = if is_left_small { [small, large] } else { [large, small] };
        let make = |node: usize, rows: Vec<u32>, sums: Sums, histograms: Histograms| {
            let best = self.best_split(&histograms, sums);
            Leaf { node, rows, sums, histograms, best }
        };
        Ok([make(child, left_rows, split.left, of_left), make(child + 1, right_rows, right, of_right)])
    }

    fn histograms(&self, rows: &[u32]) -> Result<Histograms> {
        // In the order of the rows, so that every input reads them one after another.
        let slopes: Vec<[f32; 2]> = rows.iter().map(|row| self.slopes[*row as usize]).collect();
        let of_input = |input: &usize| {
            self.progress.check()?;
            let column = &self.binned.columns[*input];
            let mut sums = vec![[0.0; 2]; self.binned.n_bins(*input)];
            for (row, slope) in rows.iter().zip(&slopes) {
                let sum = &mut sums[usize::from(column[*row as usize])];
                sum[0] += f64::from(slope[0]);
                sum[1] += f64::from(slope[1]);
            }
            Ok(sums)
        };
        self.inputs.par_iter().with_min_len(4).map(of_input).collect()
    }

    /// The split that gains most, the first of several.
    fn best_split(&self, histograms: &Histograms, sums: Sums) -> Option<Split> {
        let mut best: Option<Split> = None;
        for (at, bins) in histograms.iter().enumerate() {
            let mut left = [0.0; 2];
            for (bin, sum) in bins.iter().enumerate().take(bins.len() - 1) {
                left = [left[0] + sum[0], left[1] + sum[1]];
                let gain = gain(left, sums, self.params);
                if gain > best.map_or(LEAST_GAIN, |best| best.gain) {
                    best = Some(Split { gain, at, bin, left });
                }
            }
        }
        best
    }
}

/// What a split gains; less than nothing if a side has too little curvature.
pub(super) fn gain(left: Sums, all: Sums, params: &BoostParams) -> f64 {
    let right = [all[0] - left[0], all[1] - left[1]];
    if left[1].min(right[1]) < params.min_curvature {
        return f64::NEG_INFINITY;
    }
    let of = |[gradient, curvature]: Sums| gradient * gradient / (curvature + params.ridge);
    of(left) + of(right) - of(all)
}

fn total(bins: &[Sums]) -> Sums {
    bins.iter().fold([0.0; 2], |sum, bin| [sum[0] + bin[0], sum[1] + bin[1]])
}
