//! Joint maps between the words of two sentences and between the edges of their dependency trees.
//!
//! Input: two forests (a word has at most one head), a score for every map of a source word to a
//! target word, of a source edge to a target edge, and for deleting a word or an edge of either
//! side. Constraints, after Chang, Goldwasser, Roth and Srikumar (2010), section 4, equations (6)
//! to (11):
//! ```text
//! every word is mapped to exactly one word of the other side, or deleted     (6), (7)
//! every edge is mapped to exactly one edge of the other side, or deleted     (8), (9)
//! an edge is mapped if and only if its head and its dependent are mapped
//! to the head and the dependent of the other edge                            (10), (11)
//! ```
//! So an edge is mapped even at a loss if both of its words are. Output: the choice with the
//! highest score. The paper uses an integer programming solver.
//!
//! The map of words determines everything. With deletions folded in,
//! `gain(i, j) = map - delete i - delete j`, and likewise for edges, which are identified by their
//! dependents, the score of a partial one-to-one map p is a constant plus
//! ```text
//! sum over mapped i of gain(i, p(i)) + [p(head of i) = head of p(i)] edge gain(i, p(i))
//! ```
//! Without the constraint "no target word twice" this is a sum over the source forest, which can be
//! maximised in O(m n) (`relax.rs`); without "no source word twice", it is a sum over the target
//! forest. The search goes as follows:
//!
//! 1. Remove maps that no optimal solution needs (`reduce.rs`).
//! 2. Put prices on target words that are chosen twice (`prices.rs`).
//! 3. If that is not enough, share the gains between the two forests until they agree
//!    (`search.rs`).
//! 4. Throughout, prune maps that cannot be in a solution better than the best one known
//!    (`choices.rs`).
//! 5. When few maps are left, search them exhaustively (`sweep.rs`). Branch only if all this is not
//!    enough.
//!
//! `improve.rs` and `pairing.rs` build solutions from the choices of a forest. All work is counted
//! and stops at a limit (`budget.rs`); [`GraphSearch::gap`] then bounds the distance from the
//! optimum.

mod budget;
mod choices;
mod constrain;
mod declare;
mod improve;
mod pairing;
mod prices;
mod problem;
mod reduce;
mod relax;
mod search;
mod sweep;

pub use budget::WORK;
pub use constrain::MapConstraints;
pub use search::GraphSearch;

use super::assignment::{NONE, forbidden_deletion};
use super::{Choice, Program, Space, all_forbidden, check_scores};
use crate::{Error, Result};
use problem::Problem;

/// All maps between two forests. Parts: the maps of source word i to target word j, row by row;
/// deletions of source words; deletions of target words; then the same for edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    source: Side,
    target: Side,
}

/// One forest.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Side {
    /// The head of each word, or [`NONE`].
    heads: Vec<u32>,
    /// Head and dependent, sorted by dependent.
    edges: Vec<(u32, u32)>,
    /// The edge from each word to its head, or [`NONE`].
    edge_of: Vec<u32>,
    /// Words in topological order, dependents before their heads.
    order: Vec<u32>,
}

impl Side {
    fn new(name: &str, heads: &[Option<u32>]) -> Result<Self> {
        let n = heads.len();
        let mut side = Self { heads: Vec::new(), edges: Vec::new(), edge_of: vec![NONE; n], order: Vec::new() };
        let mut n_dependents = vec![0_u32; n];
        for (word, head) in heads.iter().enumerate() {
            if let Some(head) = *head {
                match n_dependents.get_mut(head as usize) {
                    Some(count) => *count += 1,
                    None => {
                        return Err(Error::parameter(format!(
                            "the head of {name} word {word} is {head}, but there are {n} words, from 0"
                        )));
                    }
                }
                side.edge_of[word] = side.edges.len() as u32;
                side.edges.push((head, word as u32));
            }
            side.heads.push(head.unwrap_or(NONE));
        }
        // Leaves first; a head follows its last dependent.
        side.order.extend((0..n as u32).filter(|&word| n_dependents[word as usize] == 0));
        let mut at = 0;
        while at < side.order.len() {
            let head = side.heads[side.order[at] as usize];
            if head != NONE {
                n_dependents[head as usize] -= 1;
                if n_dependents[head as usize] == 0 {
                    side.order.push(head);
                }
            }
            at += 1;
        }
        match n_dependents.iter().position(|&count| count > 0) {
            None => Ok(side),
            Some(word) => Err(Error::parameter(format!(
                "the heads of {name} words run in a circle, above word {word}; expected trees"
            ))),
        }
    }
}

/// The meaning of a part, with words and edges by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphPart {
    /// A source word is mapped to a target word.
    Word(u32, u32),
    /// A source word is deleted.
    SourceWord(u32),
    /// A target word is deleted.
    TargetWord(u32),
    /// A source edge is mapped to a target edge.
    Edge(u32, u32),
    /// A source edge is deleted.
    SourceEdge(u32),
    /// A target edge is deleted.
    TargetEdge(u32),
}

impl Graph {
    /// Decodes the number of a part.
    pub fn part(&self, part: usize) -> GraphPart {
        let blocks = [
            (self.n_source() * self.n_target(), self.n_target()),
            (self.n_source(), 1),
            (self.n_target(), 1),
            (self.source.edges.len() * self.target.edges.len(), self.target.edges.len()),
            (self.source.edges.len(), 1),
        ];
        let mut at = part;
        for (block, (n_parts, columns)) in blocks.into_iter().enumerate() {
            if at < n_parts {
                let (row, column) = ((at / columns) as u32, (at % columns) as u32);
                return match block {
                    0 => GraphPart::Word(row, column),
                    1 => GraphPart::SourceWord(row),
                    2 => GraphPart::TargetWord(row),
                    3 => GraphPart::Edge(row, column),
                    _ => GraphPart::SourceEdge(row),
                };
            }
            at -= n_parts;
        }
        GraphPart::TargetEdge(at as u32)
    }

    /// Takes the head of each word, if it has one. Either side may be empty; a cycle is an error.
    pub fn new(source_heads: Vec<Option<u32>>, target_heads: Vec<Option<u32>>) -> Result<Self> {
        let (m, n) = (source_heads.len(), target_heads.len());
        let n_words = m.checked_add(1).zip(n.checked_add(1)).and_then(|(m, n)| m.checked_mul(n));
        if n_words.is_none_or(|n_words| n_words > u32::MAX as usize / 4) {
            return Err(Error::parameter(format!(
                "{m} x {n} words are too many to be mapped at once; cut the texts into sentences"
            )));
        }
        Ok(Self { source: Side::new("source", &source_heads)?, target: Side::new("target", &target_heads)? })
    }

    fn n_source(&self) -> usize {
        self.source.heads.len()
    }

    fn n_target(&self) -> usize {
        self.target.heads.len()
    }

    /// Head and dependent of every source edge, indexed by edge number.
    pub fn source_edges(&self) -> &[(u32, u32)] {
        &self.source.edges
    }

    /// Head and dependent of every target edge, indexed by edge number.
    pub fn target_edges(&self) -> &[(u32, u32)] {
        &self.target.edges
    }

    /// Returns the part that maps a source word to a target word.
    pub fn word(&self, source: usize, target: usize) -> usize {
        source * self.n_target() + target
    }

    /// Returns the part that deletes a source word.
    pub fn source_deletion(&self, word: usize) -> usize {
        self.n_source() * self.n_target() + word
    }

    /// Returns the part that deletes a target word.
    pub fn target_deletion(&self, word: usize) -> usize {
        self.source_deletion(self.n_source()) + word
    }

    /// Returns the part that maps a source edge to a target edge.
    pub fn edge(&self, source: usize, target: usize) -> usize {
        self.target_deletion(self.n_target()) + source * self.target.edges.len() + target
    }

    /// Returns the part that deletes a source edge.
    pub fn source_edge_deletion(&self, edge: usize) -> usize {
        self.edge(self.source.edges.len(), 0) + edge
    }

    /// Returns the part that deletes a target edge.
    pub fn target_edge_deletion(&self, edge: usize) -> usize {
        self.source_edge_deletion(self.source.edges.len()) + edge
    }

    /// Returns the parts of a word map (the target word of each source word, or [`NONE`]).
    fn parts(&self, map: &[u32]) -> Vec<u32> {
        let mut parts = Vec::new();
        let mut is_free = vec![true; self.n_target()];
        for (i, &j) in map.iter().enumerate() {
            if j == NONE {
                parts.push(self.source_deletion(i) as u32);
            } else {
                parts.push(self.word(i, j as usize) as u32);
                is_free[j as usize] = false;
            }
        }
        let free = (0..self.n_target()).filter(|&j| is_free[j]);
        parts.extend(free.map(|j| self.target_deletion(j) as u32));
        let mut is_free = vec![true; self.target.edges.len()];
        for (e, &(head, dependent)) in self.source.edges.iter().enumerate() {
            let (head, dependent) = (map[head as usize], map[dependent as usize]);
            if dependent != NONE && head != NONE && self.target.heads[dependent as usize] == head {
                let f = self.target.edge_of[dependent as usize] as usize;
                parts.push(self.edge(e, f) as u32);
                is_free[f] = false;
            } else {
                parts.push(self.source_edge_deletion(e) as u32);
            }
        }
        let free = (0..self.target.edges.len()).filter(|&f| is_free[f]);
        parts.extend(free.map(|f| self.target_edge_deletion(f) as u32));
        parts
    }

    /// Extracts the word map from a list of parts, as far as it is one-to-one; the other parts
    /// follow from it.
    fn map_of(&self, parts: &[u32]) -> Vec<u32> {
        let mut map = vec![NONE; self.n_source()];
        let mut is_free = vec![true; self.n_target()];
        let n_maps = self.n_source() * self.n_target();
        for part in parts.iter().map(|&part| part as usize).filter(|part| *part < n_maps) {
            let (i, j) = (part / self.n_target(), part % self.n_target());
            if map[i] == NONE && is_free[j] {
                map[i] = j as u32;
                is_free[j] = false;
            }
        }
        map
    }
}

impl Space for Graph {
    type Scratch = GraphSearch;

    fn n_parts(&self) -> usize {
        self.target_edge_deletion(self.target.edges.len())
    }

    fn best(&self, scores: &[f64], start: Option<&[u32]>, search: &mut GraphSearch) -> Result<Choice> {
        check_scores(scores, self.n_parts())?;
        let start = start.map(|parts| self.map_of(parts));
        let mut problem = Problem::new(self, scores);
        let map = search.solve(&mut problem, start);
        let parts = self.parts(map);
        if parts.iter().any(|&part| scores[part as usize] == f64::NEG_INFINITY) {
            return Err(if search.is_stopped() {
                Error::data(format!(
                    "no choice that is allowed was found within {} units of work; allow more of it, or forbid less",
                    search.work()
                ))
            } else {
                all_forbidden("a word or an edge")
            });
        }
        Choice::new(parts, scores)
    }

    fn program(&self) -> Program {
        self.declare()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_is_stopped_has_a_map_that_is_no_better_than_the_best() {
        let chain = |n: u32| (0..n).map(|word| word.checked_sub(1)).collect::<Vec<_>>();
        let graph = Graph::new(chain(12), chain(12)).unwrap();
        let (mut n_stopped, mut random) = (0, crate::rng::SplitMix::new(4));
        for _ in 0..20 {
            // Few distinct scores: very many maps of equal score.
            let scores: Vec<f64> = (0..graph.n_parts()).map(|_| random.below(4) as f64 - 1.5).collect();
            let mut long = GraphSearch::within(u64::MAX);
            let best = graph.best(&scores, None, &mut GraphSearch::default()).unwrap();
            assert_eq!(graph.best(&scores, None, &mut long).unwrap(), best);
            assert!(!long.is_stopped() && long.gap() == 0.0);
            for limit in [0, 1, 10, 50, 200, 1000, 4000] {
                let mut short = GraphSearch::within(limit);
                let found = graph.best(&scores, None, &mut short).unwrap();
                assert!(found.score <= best.score + 1e-9 && found.score.is_finite());
                assert!(found.score + short.gap() >= best.score - 1e-9, "{limit}: {} {}", short.gap(), best.score);
                assert!(short.work() <= limit);
                assert!(short.is_stopped() || found == best);
                assert_eq!(short.is_stopped(), short.gap() > 0.0);
                n_stopped += usize::from(short.is_stopped());
            }
        }
        assert!((40..140).contains(&n_stopped), "{n_stopped} of 140 searches were stopped");
    }

    /// Two chains of 80 identical words, with edge scores given by `edge`.
    fn check_equal_words(edge: impl Fn(usize, usize) -> f64, limit: u64) -> bool {
        let chain: Vec<_> = (0..80_u32).map(|word| word.checked_sub(1)).collect();
        let graph = Graph::new(chain.clone(), chain).unwrap();
        let mut scores = vec![0.0; graph.n_parts()];
        scores[..80 * 80].fill(1.0);
        for e in 0..79 {
            (0..79).for_each(|f| scores[graph.edge(e, f)] = edge(e, f));
        }
        let mut search = GraphSearch::within(limit);
        let found = graph.best(&scores, None, &mut search).unwrap();
        assert!(search.work() <= limit, "{} of {limit}", search.work());
        assert!(graph.program().check_choice(&found.active).is_ok());
        // Greedy: each word takes its best choice in turn. No search may be worse.
        let mut map: Vec<u32> = Vec::new();
        for i in 0..80 {
            let edge = |j: u32| if i > 0 && j > 0 && map[i - 1] == j - 1 { edge(i - 1, j as usize - 1) } else { 0.0 };
            let free = (0..80).filter(|j| !map.contains(j));
            let best = free.fold((NONE, f64::MIN), |best, j| if edge(j) > best.1 { (j, edge(j)) } else { best });
            map.push(best.0);
        }
        let greedy = Choice::new(graph.parts(&map), &scores).unwrap();
        assert!(found.score >= greedy.score - 1e-9, "{} {}", found.score, greedy.score);
        assert_eq!(search.is_stopped(), search.gap() > 0.0);
        // Upper bound: every word is mapped, and every source edge to its best target edge.
        let most: f64 = (0..79).map(|e| (0..79).map(|f| edge(e, f)).fold(0.0, f64::max)).sum();
        assert!(search.gap() <= 80.0 + most - found.score + 1e-9, "{}", search.gap());
        search.is_stopped()
    }

    #[test]
    fn a_search_among_equal_words_stops_within_its_limit() {
        let by_chance = |e: usize, f: usize| ((e * e * 7 + f * 31 + e * f * 5) % 11) as f64 * 0.1 - 0.3;
        for limit in [0, 300, 3000, 30_000, 200_000] {
            assert!(check_equal_words(by_chance, limit), "{limit}");
            check_equal_words(|_, _| 0.4, limit);
        }
        assert!(!check_equal_words(|_, _| 0.4, 200_000));
    }

    #[test]
    fn a_search_that_is_stopped_does_not_say_that_all_is_forbidden() {
        let graph = Graph::new(vec![None; 3], vec![None; 3]).unwrap();
        let mut scores = vec![0.0; graph.n_parts()];
        // Every word must be mapped, each to its own target; the first word could take any.
        scores[..9].copy_from_slice(&[
            3.0,
            2.0,
            2.0,
            1.0,
            f64::NEG_INFINITY,
            f64::NEG_INFINITY,
            1.0,
            1.0,
            f64::NEG_INFINITY,
        ]);
        (0..3).for_each(|word| scores[graph.source_deletion(word)] = f64::NEG_INFINITY);
        assert!(graph.best(&scores, None, &mut GraphSearch::default()).is_ok());
        let error = graph.best(&scores, None, &mut GraphSearch::within(0)).unwrap_err().to_string();
        assert!(error.contains("within 0 units of work"), "{error}");
    }

    #[test]
    fn every_part_is_what_its_number_says() {
        let check = |source: &[Option<u32>], target: &[Option<u32>]| {
            let graph = Graph::new(source.to_vec(), target.to_vec()).unwrap();
            let number = |part: GraphPart| match part {
                GraphPart::Word(i, j) => graph.word(i as usize, j as usize),
                GraphPart::SourceWord(i) => graph.source_deletion(i as usize),
                GraphPart::TargetWord(j) => graph.target_deletion(j as usize),
                GraphPart::Edge(e, f) => graph.edge(e as usize, f as usize),
                GraphPart::SourceEdge(e) => graph.source_edge_deletion(e as usize),
                GraphPart::TargetEdge(f) => graph.target_edge_deletion(f as usize),
            };
            let parts: Vec<GraphPart> = (0..graph.n_parts()).map(|part| graph.part(part)).collect();
            assert!(parts.iter().enumerate().all(|(at, part)| number(*part) == at), "{parts:?}");
            let (m, n) = (source.len() as u32, target.len() as u32);
            let (e, f) = (graph.source_edges().len() as u32, graph.target_edges().len() as u32);
            let is_within = |part: &GraphPart| match *part {
                GraphPart::Word(a, b) => a < m && b < n,
                GraphPart::SourceWord(a) => a < m,
                GraphPart::TargetWord(b) => b < n,
                GraphPart::Edge(a, b) => a < e && b < f,
                GraphPart::SourceEdge(a) => a < e,
                GraphPart::TargetEdge(b) => b < f,
            };
            assert!(parts.iter().all(is_within), "{parts:?}");
        };
        check(&[Some(1), None, Some(1)], &[None, Some(0)]);
        check(&[None], &[Some(2), Some(0), None, Some(0)]);
        check(&[], &[None, Some(0)]);
        check(&[Some(1), None], &[]);
        check(&[None, None], &[None]);
        check(&[], &[]);
    }
}
