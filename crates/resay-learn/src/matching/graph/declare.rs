//! The space of maps between two forests as a 0/1 linear programme.
//!
//! Constraints that link edges to words are summed where at most one of their terms can be 1. This
//! is equivalent for integers and tighter for fractions. With e a source edge from h to d, and v a
//! target word:
//! ```text
//! (11)  sum over edges f from v of edge(e, f) <= word(h, v);      edge(e, f to w) <= word(d, w)
//! (10)  word(h, v) + sum over edges f from v to w of (word(d, w) - edge(e, f)) <= 1
//! ```
//! and the first once more with source and target exchanged.

use super::super::Grid;
use super::super::program::ConstraintSense;
use super::{Graph, Program};

impl Graph {
    pub(super) fn declare(&self) -> Program {
        let mut program = Program::new();
        let (m, n) = (self.n_source(), self.n_target());
        Grid { rows: m, columns: n }.declare(&mut program, "s", "t");
        let edges = Grid { rows: self.source.edges.len(), columns: self.target.edges.len() };
        edges.declare(&mut program, "e", "f");
        let mut edges_from = vec![Vec::new(); n];
        for (f, &(head, dependent)) in self.target.edges.iter().enumerate() {
            edges_from[head as usize].push((f, dependent as usize));
        }
        for (e, &(head, dependent)) in self.source.edges.iter().enumerate() {
            let (head, dependent) = (head as usize, dependent as usize);
            for (v, edges) in edges_from.iter().enumerate().filter(|(_, edges)| !edges.is_empty()) {
                let maps = edges.iter().map(|&(f, _)| (self.edge(e, f), 1.0));
                let mut terms: Vec<(usize, f64)> = maps.chain([(self.word(head, v), -1.0)]).collect();
                program.constrain(format!("head of e{e} at {v}"), &terms, ConstraintSense::AtMost, 0.0);
                terms.iter_mut().for_each(|term| term.1 = -term.1);
                terms.extend(edges.iter().map(|&(_, w)| (self.word(dependent, w), 1.0)));
                program.constrain(format!("e{e} at {v} if both"), &terms, ConstraintSense::AtMost, 1.0);
                for &(f, w) in edges {
                    let terms = [(self.edge(e, f), 1.0), (self.word(dependent, w), -1.0)];
                    program.constrain(format!("dependent of e{e} at {w}"), &terms, ConstraintSense::AtMost, 0.0);
                }
            }
        }
        let mut edges_from = vec![Vec::new(); m];
        for (e, &(head, _)) in self.source.edges.iter().enumerate() {
            edges_from[head as usize].push(e);
        }
        for (f, &(head, _)) in self.target.edges.iter().enumerate() {
            for (v, edges) in edges_from.iter().enumerate().filter(|(_, edges)| edges.len() > 1) {
                let maps = edges.iter().map(|&e| (self.edge(e, f), 1.0));
                let terms: Vec<(usize, f64)> = maps.chain([(self.word(v, head as usize), -1.0)]).collect();
                program.constrain(format!("head of f{f} at {v}"), &terms, ConstraintSense::AtMost, 0.0);
            }
        }
        program
    }
}
