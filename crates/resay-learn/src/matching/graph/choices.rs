//! The maps still possible in a case: for each word of either forest, a short list of labels with
//! this side's shares of their gains. Lists only shrink, and are compacted whenever they do, so
//! that the cost of a step depends on what is left.

use super::NONE;
use super::budget::{Budget, FOLLOW};
use super::problem::Problem;

/// The remaining maps, as labels of the words of one forest. A map is identified by its index in
/// the lists of its side.
#[derive(Clone, Debug, Default)]
pub(super) struct Choices {
    /// Start of each word's maps, and the end of the last.
    starts: Vec<u32>,
    /// The label of each map.
    pub(super) labels: Vec<u32>,
    /// The index of the same map on the other side.
    pub(super) twins: Vec<u32>,
    /// The map of the word's head to the label's head: the edge is mapped if both are. [`NONE`] if
    /// it was pruned.
    pub(super) parents: Vec<u32>,
    /// The map of the word's head to the same label, which excludes this one. [`NONE`] if it was
    /// pruned.
    pub(super) rivals: Vec<u32>,
    /// This side's share of the gain of each map, and of the edge to its parent.
    pub(super) gains: Vec<f64>,
    pub(super) edges: Vec<f64>,
    /// Whether a word may be deleted.
    pub(super) can_delete: Vec<bool>,
}

impl Choices {
    pub(super) fn of(&self, word: usize) -> std::ops::Range<usize> {
        self.starts[word] as usize..self.starts[word + 1] as usize
    }

    pub(super) fn n_words(&self) -> usize {
        self.can_delete.len()
    }

    /// Compacts the lists by the new indices on this side and on the other; [`NONE`] removes a map.
    fn pack(&mut self, places: &[u32], twin_places: &[u32]) {
        let mut kept = 0;
        for word in 0..self.n_words() {
            let range = self.of(word);
            self.starts[word] = kept as u32;
            for at in range.filter(|&at| places[at] != NONE) {
                let renumber = |place: u32| if place == NONE { NONE } else { places[place as usize] };
                self.labels[kept] = self.labels[at];
                self.twins[kept] = twin_places[self.twins[at] as usize];
                self.parents[kept] = renumber(self.parents[at]);
                self.rivals[kept] = renumber(self.rivals[at]);
                self.gains[kept] = self.gains[at];
                self.edges[kept] = self.edges[at];
                kept += 1;
            }
        }
        if let Some(last) = self.starts.last_mut() {
            *last = kept as u32;
        }
        self.labels.truncate(kept);
        self.twins.truncate(kept);
        self.parents.truncate(kept);
        self.rivals.truncate(kept);
        self.gains.truncate(kept);
        self.edges.truncate(kept);
    }
}

/// The lists of both sides.
#[derive(Clone, Debug, Default)]
pub(super) struct Pair {
    pub(super) rows: Choices,
    pub(super) columns: Choices,
}

impl Pair {
    /// Lists all maps that are not forbidden; shares are 0.
    pub(super) fn new(problem: &Problem) -> Self {
        let (m, n) = (problem.n_rows(), problem.n_columns());
        let mut row_places = vec![NONE; m * n];
        let mut column_places = vec![NONE; m * n];
        let list = |words: usize, labels: usize, at: &dyn Fn(usize, usize) -> usize, places: &mut [u32]| {
            let mut choices = Choices { can_delete: vec![true; words], starts: vec![0], ..Choices::default() };
            for word in 0..words {
                for label in (0..labels).filter(|&label| problem.gains[at(word, label)] > f64::NEG_INFINITY) {
                    places[at(word, label)] = choices.labels.len() as u32;
                    choices.labels.push(label as u32);
                }
                choices.starts.push(choices.labels.len() as u32);
            }
            choices
        };
        let mut rows = list(m, n, &|i, j| i * n + j, &mut row_places);
        let mut columns = list(n, m, &|j, i| i * n + j, &mut column_places);
        let n_maps = rows.labels.len();
        for side in [&mut rows, &mut columns] {
            side.gains.resize(n_maps, 0.0);
            side.edges.resize(n_maps, 0.0);
        }
        // For prices, the rows hold all edge gains.
        for i in 0..m {
            for at in rows.of(i) {
                rows.edges[at] = problem.edge_gains[i * n + rows.labels[at] as usize];
            }
        }
        for i in 0..m {
            for j in rows.of(i).map(|at| rows.labels[at] as usize) {
                let (head, label_head) = (problem.rows.heads[i], problem.columns.heads[j]);
                let place = |places: &[u32], i: u32, j: u32| {
                    if i == NONE || j == NONE { NONE } else { places[i as usize * n + j as usize] }
                };
                rows.twins.push(column_places[i * n + j]);
                rows.parents.push(place(&row_places, head, label_head));
                rows.rivals.push(place(&row_places, head, j as u32));
            }
        }
        for j in 0..n {
            for i in columns.of(j).map(|at| columns.labels[at] as usize) {
                let parent = rows.parents[row_places[i * n + j] as usize];
                let label_head = problem.columns.heads[j];
                columns.twins.push(row_places[i * n + j]);
                columns.parents.push(if parent == NONE { NONE } else { rows.twins[parent as usize] });
                columns.rivals.push(if label_head == NONE { NONE } else { column_places[i * n + label_head as usize] });
            }
        }
        Self { rows, columns }
    }

    pub(super) fn n_maps(&self) -> usize {
        self.rows.labels.len()
    }
}

/// Working memory for pruning.
#[derive(Clone, Debug, Default)]
pub(super) struct Keeper {
    /// Whether each map is kept, by its index in the lists of rows.
    pub(super) keeps: Vec<bool>,
    /// The new indices of maps in the lists of rows and of columns, [`NONE`] for removed ones.
    pub(super) places: Vec<u32>,
    column_places: Vec<u32>,
}

impl Keeper {
    /// Marks all maps as kept.
    pub(super) fn reset(&mut self, pair: &Pair) {
        self.keeps.clear();
        self.keeps.resize(pair.n_maps(), true);
    }

    /// Propagates `keeps` and compacts the lists: a word that has one map left and may not be
    /// deleted takes it, and its label loses all others. Returns whether every word still has a
    /// choice. If work is refused, some propagation is skipped: the lists are then longer than
    /// necessary, but still correct.
    pub(super) fn settle(&mut self, pair: &mut Pair, budget: &mut Budget) -> bool {
        while budget.take(pair.n_maps(), FOLLOW) {
            let Some(is_less_left) = follow(&mut self.keeps, &pair.rows, &mut pair.columns, true) else { return false };
            let Some(is_less_right) = follow(&mut self.keeps, &pair.columns, &mut pair.rows, false) else {
                return false;
            };
            if !is_less_left && !is_less_right {
                break;
            }
        }
        number(&mut self.places, self.keeps.iter().copied());
        number(&mut self.column_places, pair.columns.twins.iter().map(|&twin| self.keeps[twin as usize]));
        pair.rows.pack(&self.places, &self.column_places);
        pair.columns.pack(&self.column_places, &self.places);
        true
    }
}

/// The new indices of kept items.
fn number(places: &mut Vec<u32>, keeps: impl Iterator<Item = bool>) {
    places.clear();
    let mut n_kept = 0;
    places.extend(keeps.map(|keep| {
        n_kept += u32::from(keep);
        if keep { n_kept - 1 } else { NONE }
    }));
}

/// For words that must take their only map: removes all other maps of its label and forbids
/// deleting the label. Returns `None` if a word has nothing left, else whether anything changed.
fn follow(keeps: &mut [bool], words: &Choices, labels: &mut Choices, are_rows: bool) -> Option<bool> {
    let mut is_less = false;
    let place = |choices: &Choices, at: usize, are_rows: bool| if are_rows { at } else { choices.twins[at] as usize };
    for word in (0..words.n_words()).filter(|&word| !words.can_delete[word]) {
        let mut kept = words.of(word).filter(|&at| keeps[place(words, at, are_rows)]);
        let only = kept.next()?;
        if kept.next().is_some() {
            continue;
        }
        let (label, only) = (words.labels[only] as usize, place(words, only, are_rows));
        is_less |= std::mem::replace(&mut labels.can_delete[label], false);
        for at in labels.of(label) {
            let at = place(labels, at, !are_rows);
            if at != only {
                is_less |= std::mem::replace(&mut keeps[at], false);
            }
        }
    }
    Some(is_less)
}
