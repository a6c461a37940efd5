//! Inputs sorted into bins: a tree then needs sums per bin in place of sorted values.

use super::BoostRows;
use crate::Result;
use crate::progress::Progress;
use rayon::prelude::*;

/// The most bins of an input.
const MAX_BINS: usize = 96;

/// Rows whose values are numbers of bins, input by input.
pub(super) struct Binned {
    /// For each input, ascending: a value belongs to the first bin whose edge is not below it, and
    /// to the last bin (which has no edge) if there is none.
    pub(super) edges: Vec<Vec<f32>>,
    /// For each input, the bin of each row.
    pub(super) columns: Vec<Vec<u8>>,
    pub(super) n_rows: usize,
}

impl Binned {
    pub(super) fn new(rows: BoostRows<'_>, progress: Progress<'_>) -> Result<Self> {
        let column = |input: usize| {
            progress.check()?;
            let values: Vec<f32> = (0..rows.len()).map(|row| rows.row(row)[input]).collect();
            let edges = edges(&values);
            let bins = values.iter().map(|value| bin(&edges, *value)).collect::<Vec<u8>>();
            Ok((edges, bins))
        };
        let made = (0..rows.n_inputs).into_par_iter().map(column).collect::<Result<Vec<_>>>()?;
        let (edges, columns) = made.into_iter().unzip();
        Ok(Self { edges, columns, n_rows: rows.len() })
    }

    pub(super) fn n_bins(&self, input: usize) -> usize {
        self.edges[input].len() + 1
    }
}

fn bin(edges: &[f32], value: f32) -> u8 {
    edges.partition_point(|edge| *edge < value) as u8
}

/// Edges half-way between neighbouring values: between all of them if they are few, else about
/// equally many rows apart.
fn edges(values: &[f32]) -> Vec<f32> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let mut distinct: Vec<(f32, usize)> = Vec::new();
    for value in sorted {
        match distinct.last_mut() {
            Some((last, n)) if *last == value => *n += 1,
            _ => distinct.push((value, 1)),
        }
    }
    let between = |at: usize| {
        let (low, high) = (distinct[at].0, distinct[at + 1].0);
        let middle = low + (high - low) / 2.0;
        // Rounding must not move the edge up to the higher value.
        if middle < high { middle } else { low }
    };
    if distinct.len() <= MAX_BINS {
        return (0..distinct.len().saturating_sub(1)).map(between).collect();
    }
    let share = values.len() as f64 / MAX_BINS as f64;
    let (mut edges, mut n_seen, mut n_wanted) = (Vec::new(), 0_usize, share);
    for (at, (_, n)) in distinct.iter().enumerate().take(distinct.len() - 1) {
        n_seen += n;
        if n_seen as f64 >= n_wanted && edges.len() < MAX_BINS - 1 {
            edges.push(between(at));
            n_wanted = n_seen as f64 + share;
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_order_in_bins() {
        let many: Vec<f32> = (0..10_000_u32).map(|n| ((n * 7919) % 10_007) as f32 / 10.0).collect();
        for values in [vec![1.0, 0.0, 1.0, 3.0], vec![5.0; 4], vec![1.0, 1.0 + f32::EPSILON], many] {
            let edges = edges(&values);
            assert!(edges.len() < MAX_BINS && edges.windows(2).all(|pair| pair[0] < pair[1]), "{edges:?}");
            for pair in values.windows(2) {
                let [a, b] = [pair[0], pair[1]].map(|value| bin(&edges, value));
                assert!(pair[0] > pair[1] || a <= b);
            }
            let n_distinct = {
                let mut sorted = values.clone();
                sorted.sort_unstable_by(f32::total_cmp);
                sorted.dedup();
                sorted.len()
            };
            assert!(n_distinct > MAX_BINS || edges.len() == n_distinct - 1);
        }
    }
}
