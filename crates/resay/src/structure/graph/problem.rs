//! The problem as it is solved: deletions folded into gains, edges known by their dependents, and the side that is walked
//! over as a forest (the rows) chosen.

use super::{Graph, NONE, forbidden_deletion};

/// Bound and solution have met if they differ by no more than this, relative to the scores.
const TOLERANCE: f64 = 1e-10;

/// Gains of maps, and of edges between maps.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// The head of a row, or [`NONE`].
    pub(super) row_heads: Vec<u32>,
    pub(super) column_heads: Vec<u32>,
    /// Rows, dependents before their heads.
    pub(super) order: Vec<u32>,
    /// `gains[i * columns + j]` for mapping i to j, minus infinity if that is forbidden.
    pub(super) gains: Vec<f64>,
    /// `edge_gains[i * columns + j]` on top of that if the head of i is mapped to the head of j; 0 if one has no head.
    pub(super) edge_gains: Vec<f64>,
    /// A solution that is better by less is not looked for.
    pub(super) tolerance: f64,
    /// Rows are words of the target.
    pub(super) is_swapped: bool,
}

impl Problem {
    pub(super) fn new(graph: &Graph, scores: &[f64]) -> Self {
        let (m, n) = (graph.n_source(), graph.n_target());
        // The side with fewer words chooses: fewer of them then want the same.
        let is_swapped = m > n;
        let (row_side, column_side) =
            if is_swapped { (&graph.target, &graph.source) } else { (&graph.source, &graph.target) };
        let (rows, columns) = (row_side.heads.len(), column_side.heads.len());
        let has_forbidden = |parts: std::ops::Range<usize>| scores[parts].contains(&f64::NEG_INFINITY);
        let least = if has_forbidden(graph.source_deletion(0)..graph.edge(0, 0))
            || has_forbidden(graph.source_edge_deletion(0)..scores.len())
        {
            forbidden_deletion(scores)
        } else {
            0.0
        };
        let deletion = |part: usize| if scores[part] == f64::NEG_INFINITY { least } else { scores[part] };
        let mut gains = vec![0.0; m * n];
        let mut edge_gains = vec![0.0; m * n];
        let mut largest: f64 = 0.0;
        for i in 0..m {
            for j in 0..n {
                let at = if is_swapped { j * columns + i } else { i * columns + j };
                let map = scores[graph.word(i, j)];
                gains[at] = map - deletion(graph.source_deletion(i)) - deletion(graph.target_deletion(j));
                let (e, f) = (graph.source.edge_of[i], graph.target.edge_of[j]);
                let mut edge = 0.0;
                if e != NONE && f != NONE {
                    let (e, f) = (e as usize, f as usize);
                    edge = scores[graph.edge(e, f)];
                    edge_gains[at] =
                        edge - deletion(graph.source_edge_deletion(e)) - deletion(graph.target_edge_deletion(f));
                }
                for score in [map, edge].iter().filter(|score| score.is_finite()) {
                    largest = largest.max(score.abs());
                }
            }
        }
        let deletions = scores.iter().skip(graph.source_deletion(0)).filter(|score| score.is_finite());
        largest = deletions.fold(largest, |most, score| most.max(score.abs()));
        Self {
            rows,
            columns,
            row_heads: row_side.heads.clone(),
            column_heads: column_side.heads.clone(),
            order: row_side.order.clone(),
            gains,
            edge_gains,
            tolerance: TOLERANCE * largest * rows as f64,
            is_swapped,
        }
    }

    /// The gain of a map: the column of each row, or [`NONE`].
    pub(super) fn gain_of(&self, map: &[u32]) -> f64 {
        let mut total = 0.0;
        for (i, &j) in map.iter().enumerate().filter(|(_, j)| **j != NONE) {
            let at = i * self.columns + j as usize;
            total += self.gains[at];
            if self.row_heads[i] != NONE
                && self.column_heads[j as usize] != NONE
                && map[self.row_heads[i] as usize] == self.column_heads[j as usize]
            {
                total += self.edge_gains[at];
            }
        }
        total
    }

    /// A map of source words to target words from one of rows to columns, and the other way round.
    pub(super) fn turned(&self, map: Vec<u32>, n_of_other: usize) -> Vec<u32> {
        if !self.is_swapped {
            return map;
        }
        let mut turned = vec![NONE; n_of_other];
        for (i, &j) in map.iter().enumerate().filter(|(_, j)| **j != NONE) {
            turned[j as usize] = i as u32;
        }
        turned
    }
}
