//! Bound and solution brought together: gains shared between two forests by subgradient steps, labels struck out by bounds,
//! and cases where that is not enough.
//!
//! Every gain is split in two. With one share of each, source words choose target words; with the other share, target words
//! choose source words. Each side alone is easy (`relax.rs`), the sum of both sides' best is an upper bound, and if both
//! choose the same, that is the best map (Lagrangian decomposition; Guignard and Kim 1987). Where they differ, a share moves
//! from the side that took a map (or an edge) to the side that did not. Steps are Polyak's (1969): by the distance between
//! bound and best solution over the square of the direction, shortened when nothing gets better for long. Directions keep a
//! part of the last one if the two are at odds (Camerini, Fratta and Maffioli 1975): without that, steps go to and fro
//! between equal choices, and words that stand twice in a sentence take hundreds of cases.
//!
//! For a map (i, j), the best of each side with (i, j) in it add up to a bound on all solutions that contain it; a map whose
//! bound is no better than the best solution is struck out. Cases: a map that only one side wants is made, or is not; depth
//! first, each from the shares of the case above. A case is closed when its bound is no more than the tolerance above the
//! best solution, so that equal solutions, of which repeated words give very many, are not looked for.

use super::NONE;
use super::improve::Incumbent;
use super::problem::Problem;
use super::relax::{Gains, Labels, Relaxation};

/// Steps that a case gets, however well they go.
const MAX_STEPS: usize = 1000;
/// Steps without a better bound after which steps get shorter.
const PATIENCE: usize = 60;
/// Shorter than this, against Polyak's step, and cases are told apart.
const SHORTEST: f64 = 0.2;
/// How much of the last direction is kept if the new one is straight against it.
const DEFLECTION: f64 = 2.0;
/// What is left of a direction that is less than this is forgotten.
const FADED: f64 = 1e-3;
/// How much a step counts in the averages that cases are told apart by.
const MEMORY: f64 = 0.03;
/// Labels are struck out this often, and whenever the bound gets much better.
const STRIKE_EVERY: usize = 4;
/// A solution is made as good as possible this often.
const IMPROVE_EVERY: usize = 16;

/// One case: what is still possible, and shares to begin with.
#[derive(Clone, Debug, Default)]
struct Case {
    rows: Labels,
    columns: Labels,
    row_gains: Gains,
    column_gains: Gains,
    bound: f64,
}

/// Where a step leads: few places have a value.
#[derive(Clone, Debug, Default)]
struct Direction {
    /// By rows and columns.
    values: Vec<f64>,
    /// Where they are not 0, each once; after a turn, some may have become 0.
    places: Vec<(u32, u32)>,
}

impl Direction {
    fn reset(&mut self, size: usize) {
        self.values.clear();
        self.values.resize(size, 0.0);
        self.places.clear();
    }

    /// The inner product with what is apart: 1 where rows took it, -1 where columns did.
    fn along(&self, apart: &[(usize, usize, bool)], n: usize) -> f64 {
        let value = |&(i, j, is_of_rows): &(usize, usize, bool)| {
            if is_of_rows { self.values[i * n + j] } else { -self.values[i * n + j] }
        };
        apart.iter().map(value).sum()
    }

    fn square(&self, n: usize) -> f64 {
        self.places.iter().map(|&(i, j)| self.values[i as usize * n + j as usize].powi(2)).sum()
    }

    /// Keeps a part of itself and adds what is apart.
    fn turn(&mut self, kept: f64, apart: &[(usize, usize, bool)], n: usize) {
        let values = &mut self.values;
        self.places.retain(|&(i, j)| {
            let value = &mut values[i as usize * n + j as usize];
            *value = if (*value * kept).abs() < FADED { 0.0 } else { *value * kept };
            *value != 0.0
        });
        for &(i, j, is_of_rows) in apart {
            let value = &mut self.values[i * n + j];
            if *value == 0.0 {
                self.places.push((i as u32, j as u32));
            }
            *value += if is_of_rows { 1.0 } else { -1.0 };
        }
    }
}

/// Space for the search, and how long the last one took.
#[derive(Clone, Debug, Default)]
pub struct Search {
    rows: Relaxation,
    columns: Relaxation,
    incumbent: Incumbent,
    cases: Vec<Case>,
    /// The shares of rows and columns with the best bound of a case.
    best_gains: (Gains, Gains),
    /// Maps and edges that one side took and the other did not: where they stand, and whether rows took them.
    words_apart: Vec<(usize, usize, bool)>,
    edges_apart: Vec<(usize, usize, bool)>,
    words: Direction,
    edges: Direction,
    /// How often each map was chosen of late, row by row.
    averages: Vec<f64>,
    n_cases: u64,
    n_steps: u64,
}

impl Search {
    /// How many cases the last search looked at; 1 if nothing had to be told apart.
    pub fn n_cases(&self) -> u64 {
        self.n_cases
    }

    /// How many times the last search computed a bound.
    pub fn n_steps(&self) -> u64 {
        self.n_steps
    }

    /// The best map of source words to target words.
    pub(super) fn solve(&mut self, problem: &Problem, start: Option<Vec<u32>>) -> &[u32] {
        (self.n_cases, self.n_steps) = (0, 0);
        self.incumbent.reset(problem);
        if let Some(start) = start {
            self.incumbent.offer(problem, &start);
        }
        self.cases.clear();
        self.cases.push(root(problem));
        while let Some(case) = self.cases.pop() {
            if case.bound > self.floor(problem) {
                self.n_cases += 1;
                self.look_at(problem, case);
            }
        }
        &self.incumbent.map
    }

    /// What a solution must be above to matter.
    fn floor(&self, problem: &Problem) -> f64 {
        self.incumbent.gain + problem.tolerance
    }

    /// The bound of a case, with both sides' choices.
    fn bound(&mut self, problem: &Problem, case: &Case) -> f64 {
        self.n_steps += 1;
        let of_rows = self.rows.solve(&problem.rows, &case.rows, &case.row_gains);
        let of_columns = self.columns.solve(&problem.columns, &case.columns, &case.column_gains);
        of_rows + of_columns
    }

    /// Closes a case, or adds the two that it falls into.
    fn look_at(&mut self, problem: &Problem, mut case: Case) {
        let (mut length, mut since_better) = (1.0, 0);
        let mut best_bound = f64::INFINITY;
        for step in 0..MAX_STEPS {
            let bound = self.bound(problem, &case);
            if bound <= self.floor(problem) {
                return;
            }
            self.incumbent.repair(problem, &self.rows.map, step % IMPROVE_EVERY == 0);
            let gap = bound - self.incumbent.gain;
            if best_bound.min(bound) <= self.floor(problem) {
                return;
            }
            self.average(problem, step == 0);
            since_better += 1;
            if bound < best_bound {
                let is_much = best_bound - bound > 0.02 * gap;
                if is_much {
                    since_better = 0;
                }
                best_bound = bound;
                self.best_gains.0.clone_from(&case.row_gains);
                self.best_gains.1.clone_from(&case.column_gains);
                if (is_much || step % STRIKE_EVERY == 0) && !self.strike(problem, &mut case) {
                    return;
                }
            }
            if since_better >= PATIENCE {
                since_better = 0;
                length *= 0.5;
                if length < SHORTEST {
                    break;
                }
            }
            self.compare(problem);
            if self.words_apart.is_empty() {
                // Both sides choose the same, which is a proper map, and the best of this case.
                return;
            }
            let square = self.turn(problem, step == 0);
            self.step(problem, &mut case, length * gap / square);
        }
        std::mem::swap(&mut case.row_gains, &mut self.best_gains.0);
        std::mem::swap(&mut case.column_gains, &mut self.best_gains.1);
        self.branch(problem, case);
    }

    /// How often each map was chosen of late, by either side: near 0 or 1 if they are sure, between if they are torn.
    fn average(&mut self, problem: &Problem, is_first: bool) {
        let n = problem.n_columns();
        if is_first {
            self.averages.clear();
            self.averages.resize(problem.gains.len(), 0.0);
        }
        self.averages.iter_mut().for_each(|average| *average *= 1.0 - MEMORY);
        for (i, &j) in self.rows.map.iter().enumerate().filter(|(_, j)| **j != NONE) {
            self.averages[i * n + j as usize] += 0.5 * MEMORY;
        }
        for (j, &i) in self.columns.map.iter().enumerate().filter(|(_, i)| **i != NONE) {
            self.averages[i as usize * n + j] += 0.5 * MEMORY;
        }
    }

    /// Where the two sides' choices differ. If they agree on words, they do on edges.
    fn compare(&mut self, problem: &Problem) {
        self.words_apart.clear();
        self.edges_apart.clear();
        let (of_rows, of_columns) = (&self.rows.map, &self.columns.map);
        for (i, &j) in of_rows.iter().enumerate().filter(|(_, j)| **j != NONE) {
            let is_shared = of_columns[j as usize] == i as u32;
            if !is_shared {
                self.words_apart.push((i, j as usize, true));
            }
            let (head, label_head) = (problem.rows.heads[i], problem.columns.heads[j as usize]);
            if problem.has_edge(of_rows, i, j) && !(is_shared && of_columns[label_head as usize] == head) {
                self.edges_apart.push((i, j as usize, true));
            }
        }
        for (j, &i) in of_columns.iter().enumerate().filter(|(_, i)| **i != NONE) {
            let is_shared = of_rows[i as usize] == j as u32;
            if !is_shared {
                self.words_apart.push((i as usize, j, false));
            }
            let (head, label_head) = (problem.rows.heads[i as usize], problem.columns.heads[j]);
            if head != NONE
                && label_head != NONE
                && of_columns[label_head as usize] == head
                && !(is_shared && of_rows[head as usize] == label_head)
            {
                self.edges_apart.push((i as usize, j, false));
            }
        }
    }

    /// Turns to the next direction: where sides differ, and a part of the last direction if the two are at odds. Returns
    /// the square of its length.
    fn turn(&mut self, problem: &Problem, is_first: bool) -> f64 {
        if is_first {
            self.words.reset(problem.gains.len());
            self.edges.reset(problem.gains.len());
        }
        let n = problem.n_columns();
        let along = self.words.along(&self.words_apart, n) + self.edges.along(&self.edges_apart, n);
        let square = self.words.square(n) + self.edges.square(n);
        let kept = if along < 0.0 { (-DEFLECTION * along / square).min(1.0) } else { 0.0 };
        self.words.turn(kept, &self.words_apart, n);
        self.edges.turn(kept, &self.edges_apart, n);
        self.words.square(n) + self.edges.square(n)
    }

    /// Moves shares from the side that took a map or an edge to the side that did not.
    fn step(&self, problem: &Problem, case: &mut Case, by: f64) {
        let (m, n) = (problem.n_rows(), problem.n_columns());
        for &(i, j) in &self.words.places {
            let (i, j) = (i as usize, j as usize);
            let part = by * self.words.values[i * n + j];
            case.row_gains.words[i * n + j] -= part;
            case.column_gains.words[j * m + i] += part;
        }
        for &(i, j) in &self.edges.places {
            let (i, j) = (i as usize, j as usize);
            let part = by * self.edges.values[i * n + j];
            case.row_gains.edges[i * n + j] -= part;
            case.column_gains.edges[j * m + i] += part;
        }
    }

    /// Strikes out all that cannot be in a better solution. Returns whether anything is left.
    fn strike(&mut self, problem: &Problem, case: &mut Case) -> bool {
        let floor = self.floor(problem);
        self.rows.walk_down(&problem.rows, &case.rows, &case.row_gains.edges);
        self.columns.walk_down(&problem.columns, &case.columns, &case.column_gains.edges);
        let (m, n) = (problem.n_rows(), problem.n_columns());
        let (rows, columns) = (&self.rows, &self.columns);
        let mut is_less = false;
        for i in 0..m {
            let without = rows.best_with(i, n, n + 1) + columns.bound;
            if case.rows.can_delete[i] && without <= floor {
                case.rows.can_delete[i] = false;
                is_less = true;
            }
        }
        for j in 0..n {
            let without = columns.best_with(j, m, m + 1) + rows.bound;
            if case.columns.can_delete[j] && without <= floor {
                case.columns.can_delete[j] = false;
                is_less = true;
            }
        }
        let with = |i: usize, j: usize| rows.best_with(i, j, n + 1) + columns.best_with(j, i, m + 1);
        is_less |= case.rows.retain(|i, j| with(i, j as usize) > floor);
        if !is_less {
            return true;
        }
        case.columns.retain(|j, i| with(i as usize, j) > floor);
        settle(case)
    }

    /// Two cases: a row has a column, or it has it not.
    fn branch(&mut self, problem: &Problem, mut case: Case) {
        case.bound = self.bound(problem, &case);
        if case.bound <= self.floor(problem) {
            return;
        }
        // The map that sides are most torn about. If there is none, they agree.
        let n = problem.n_columns();
        let mut most_torn = None;
        let mut most = 0.0;
        for i in 0..problem.n_rows() {
            let is_fixed = !case.rows.can_delete[i] && case.rows.of(i).len() == 1;
            for &j in case.rows.of(i).iter().filter(|_| !is_fixed) {
                let average = self.averages[i * n + j as usize];
                let torn = average.min(1.0 - average);
                if torn > most || most_torn.is_none() {
                    (most, most_torn) = (torn, Some((i, j as usize)));
                }
            }
        }
        let Some((row, column)) = most_torn else {
            self.incumbent.repair(problem, &self.rows.map, false);
            return;
        };
        let mut without = case.clone();
        without.rows.retain(|i, j| (i, j as usize) != (row, column));
        without.columns.retain(|j, i| (i as usize, j) != (row, column));
        if settle(&mut without) {
            self.cases.push(without);
        }
        case.rows.retain(|i, j| (i == row) == (j as usize == column));
        case.columns.retain(|j, i| (i as usize == row) == (j == column));
        case.rows.can_delete[row] = false;
        case.columns.can_delete[column] = false;
        if settle(&mut case) {
            self.cases.push(case);
        }
    }
}

/// Everything is possible, and every gain is split evenly.
fn root(problem: &Problem) -> Case {
    let (m, n) = (problem.n_rows(), problem.n_columns());
    // With fewer words on one side, few of them want the same, and next to nothing is left for the other side to say.
    let of_rows = if 4 * m <= 3 * n {
        1.0
    } else if 4 * n <= 3 * m {
        0.0
    } else {
        0.5
    };
    let share = |values: &[f64], part: f64| {
        values.iter().map(|value| if *value > f64::NEG_INFINITY { value * part } else { *value }).collect::<Vec<f64>>()
    };
    let turned = |values: &[f64]| (0..m * n).map(|at| values[at % m * n + at / m]).collect::<Vec<f64>>();
    let row_gains = Gains { words: share(&problem.gains, of_rows), edges: share(&problem.edge_gains, of_rows) };
    let column_gains = Gains {
        words: turned(&share(&problem.gains, 1.0 - of_rows)),
        edges: turned(&share(&problem.edge_gains, 1.0 - of_rows)),
    };
    Case {
        rows: Labels::all(&problem.rows, &row_gains.words),
        columns: Labels::all(&problem.columns, &column_gains.words),
        row_gains,
        column_gains,
        bound: f64::INFINITY,
    }
}

/// Follows from what is left: a word with one label that may not be deleted has it, and no other word has. Returns whether
/// every word still has a label.
fn settle(case: &mut Case) -> bool {
    loop {
        let Some(is_less_left) = follow(&case.rows, &mut case.columns) else { return false };
        let Some(is_less_right) = follow(&case.columns, &mut case.rows) else { return false };
        if !is_less_left && !is_less_right {
            return true;
        }
    }
}

/// Words that must have their only label: the label must have them, and no other word may have it. None if that cannot be.
fn follow(words: &Labels, labels: &mut Labels) -> Option<bool> {
    let mut is_less = false;
    let mut owners = vec![NONE; labels.can_delete.len()];
    for word in (0..words.can_delete.len()).filter(|&word| !words.can_delete[word]) {
        match *words.of(word) {
            [] => return None,
            [label] => {
                if owners[label as usize] != NONE {
                    return None;
                }
                owners[label as usize] = word as u32;
                is_less |= std::mem::replace(&mut labels.can_delete[label as usize], false);
            }
            _ => {}
        }
    }
    // A word that the other side has struck out is struck out here.
    let is_allowed = |label: usize, word: u32| {
        (owners[label] == NONE || owners[label] == word) && words.of(word as usize).contains(&(label as u32))
    };
    Some(labels.retain(is_allowed) || is_less)
}
