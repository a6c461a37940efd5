//! The problem in the solver's form: deletions folded into gains, edges identified by their
//! dependents.

use super::{Graph, NONE, Side, forbidden_deletion};

/// Bound and solution have met if their difference, relative to the scores, is at most this.
const TOLERANCE: f64 = 1e-10;

/// A forest whose words are labelled with the words of another.
#[derive(Clone, Debug)]
pub(super) struct Forest {
    /// The head of each word, or [`NONE`].
    pub(super) heads: Vec<u32>,
    /// The same for the other forest, whose words are the labels.
    pub(super) label_heads: Vec<u32>,
    /// Words in topological order, dependents before their heads.
    pub(super) order: Vec<u32>,
}

impl Forest {
    fn new(words: &Side, labels: &Side) -> Self {
        Self { heads: words.heads.clone(), label_heads: labels.heads.clone(), order: words.order.clone() }
    }

    pub(super) fn n_words(&self) -> usize {
        self.heads.len()
    }

    pub(super) fn n_labels(&self) -> usize {
        self.label_heads.len()
    }
}

/// Gains of word maps, and of edges between them.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    /// Source words labelled with target words, and vice versa.
    pub(super) rows: Forest,
    pub(super) columns: Forest,
    /// `gains[i * columns + j]` for mapping i to j, minus infinity if forbidden.
    pub(super) gains: Vec<f64>,
    /// `edge_gains[i * columns + j]`, added if the head of i is mapped to the head of j; 0 if one
    /// of them has no head.
    pub(super) edge_gains: Vec<f64>,
    /// Solutions that are better by less than this are not searched for.
    pub(super) tolerance: f64,
}

impl Problem {
    pub(super) fn new(graph: &Graph, scores: &[f64]) -> Self {
        let (m, n) = (graph.n_source(), graph.n_target());
        let has_forbidden = |parts: std::ops::Range<usize>| scores[parts].contains(&f64::NEG_INFINITY);
        let least = if has_forbidden(graph.source_deletion(0)..graph.edge(0, 0))
            || has_forbidden(graph.source_edge_deletion(0)..scores.len())
        {
            forbidden_deletion(scores)
        } else {
            0.0
        };
        let deletion = |part: usize| if scores[part] == f64::NEG_INFINITY { least } else { scores[part] };
        let mut gains = Vec::with_capacity(m * n);
        let mut edge_gains = Vec::with_capacity(m * n);
        for i in 0..m {
            let e = graph.source.edge_of[i];
            for j in 0..n {
                let deletions = deletion(graph.source_deletion(i)) + deletion(graph.target_deletion(j));
                gains.push(scores[graph.word(i, j)] - deletions);
                let f = graph.target.edge_of[j];
                edge_gains.push(if e == NONE || f == NONE {
                    0.0
                } else {
                    let (e, f) = (e as usize, f as usize);
                    let deletions = deletion(graph.source_edge_deletion(e)) + deletion(graph.target_edge_deletion(f));
                    scores[graph.edge(e, f)] - deletions
                });
            }
        }
        let finite = scores.iter().filter(|score| score.is_finite());
        let largest = finite.fold(0.0, |most: f64, score| most.max(score.abs()));
        Self {
            rows: Forest::new(&graph.source, &graph.target),
            columns: Forest::new(&graph.target, &graph.source),
            gains,
            edge_gains,
            tolerance: TOLERANCE * largest * m.min(n) as f64,
        }
    }

    pub(super) fn n_rows(&self) -> usize {
        self.rows.n_words()
    }

    pub(super) fn n_columns(&self) -> usize {
        self.columns.n_words()
    }

    /// Whether the edges from i and from j to their heads are mapped to each other, in a map that
    /// maps i to j.
    pub(super) fn has_edge(&self, map: &[u32], i: usize, j: u32) -> bool {
        let (head, label_head) = (self.rows.heads[i], self.columns.heads[j as usize]);
        head != NONE && label_head != NONE && map[head as usize] == label_head
    }

    /// The gain of mapping row i to j, given the map of its head.
    pub(super) fn gain_at(&self, map: &[u32], i: usize, j: u32) -> f64 {
        let at = i * self.n_columns() + j as usize;
        self.gains[at] + if self.has_edge(map, i, j) { self.edge_gains[at] } else { 0.0 }
    }

    /// An upper bound on all maps: every row has its best choice, with its edge if that helps.
    pub(super) fn ceiling(&self) -> f64 {
        let n = self.n_columns();
        let best = |i: usize| {
            let maps = self.gains[i * n..][..n].iter().zip(&self.edge_gains[i * n..][..n]);
            maps.fold(0.0, |most: f64, (gain, edge)| most.max(gain + edge.max(0.0)))
        };
        (0..self.n_rows()).map(best).sum()
    }

    /// The gain of a map: the column of each row, or [`NONE`].
    pub(super) fn gain_of(&self, map: &[u32]) -> f64 {
        map.iter().enumerate().filter(|(_, j)| **j != NONE).map(|(i, &j)| self.gain_at(map, i, j)).sum()
    }
}
