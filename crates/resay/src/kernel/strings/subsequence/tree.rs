//! The form for texts that share few symbols: visits only the matches.
//!
//! Solves the same problem as [`super::blocks`]. Columns lie in a Fenwick tree (1994), so that both
//! the sum of all columns before one and an addition to one take at most as many steps as the
//! number of columns has bits. Every node is a sum as seen from its last column and from the row
//! that last changed it. A value read from it is multiplied by lambda to the distance from there,
//! which is never negative, so nothing can overflow.

use super::powers::Powers;
use super::prepared::Shared;

/// Buffers, reused for the next two texts.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    /// `[column][N]`: node n (from 1) is the sum of the columns from n without its lowest bit to
    /// `n - 1`.
    nodes: Vec<f64>,
    /// The position of the row that last changed the node.
    rows: Vec<u32>,
}

impl Tree {
    /// Adds the N values K_2, K_3, ... to `totals`.
    pub(super) fn run<const N: usize>(&mut self, shared: &Shared, powers: &Powers, totals: &mut [f64; N]) {
        let n_columns = shared.columns.len();
        self.nodes.clear();
        self.nodes.resize(n_columns * N, 0.0);
        self.rows.clear();
        self.rows.resize(n_columns, 0);
        let (nodes, _) = self.nodes.as_chunks_mut::<N>();
        let squared = powers.at(2);
        for &row in &shared.rows {
            let mut row_total = [0.0; N];
            // Last column first, so that additions do not affect what this row still reads.
            for &column in &shared.lists[shared.matches(row)] {
                let column = column as usize;
                let position = shared.columns[column];
                let mut taken = [0.0; N];
                let mut node = column;
                while node > 0 {
                    let distance =
                        u64::from(row.position - self.rows[node - 1]) + u64::from(position - shared.columns[node - 1]);
                    let decay = powers.at(distance);
                    for lane in 0..N {
                        taken[lane] += decay * nodes[node - 1][lane];
                    }
                    node &= node - 1;
                }
                for lane in 0..N {
                    row_total[lane] += taken[lane];
                }
                let mut put = [0.0; N];
                put[0] = squared;
                put[1..].copy_from_slice(&taken[..N - 1]);
                let mut node = column + 1;
                while node <= n_columns {
                    let old = powers.at(u64::from(row.position - self.rows[node - 1]));
                    let new = powers.at(u64::from(shared.columns[node - 1] - position));
                    self.rows[node - 1] = row.position;
                    for lane in 0..N {
                        nodes[node - 1][lane] = old * nodes[node - 1][lane] + new * put[lane];
                    }
                    node += node & node.wrapping_neg();
                }
            }
            for (total, row_total) in totals.iter_mut().zip(row_total) {
                *total += row_total;
            }
        }
    }
}
