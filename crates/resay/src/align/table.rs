//! All features of a sentence pair, one row per word pair, unaligned word and phrase.
//!
//! The score of a phrase is the sum of the scores of its word pairs and of its own row. So the
//! features of words are extracted and weighted once, however many phrases contain them. The same
//! rows serve both directions, from source to target and back, each with its own weights. Training
//! keeps the rows in a [`Table`]; aligning weights them on the fly.

use super::compared::WordMatrix;
use super::features::{Catalogue, Stretch, View};
use super::first::FirstPass;
use crate::{Error, Result};
use resay_learn::sequence::semi_markov::LatticeShape;

/// The direction of a segmentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Segments of the source on spans of the target.
    Forward,
    /// Segments of the target on spans of the source.
    Backward,
}

impl Direction {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Forward, Self::Backward];

    /// Maps (source, target) to (segment side, span side).
    pub(super) fn turn<T>(self, source: T, target: T) -> (T, T) {
        match self {
            Self::Forward => (source, target),
            Self::Backward => (target, source),
        }
    }
}

/// The subject of a row.
#[derive(Clone, Copy, Debug)]
pub(super) enum Row {
    /// A source word and a target word.
    Words(usize, usize),
    /// An unaligned word in this direction.
    Alone(Direction, usize),
    /// A phrase.
    Phrase(Stretch),
}

/// The shapes of a pair's two lattices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shapes {
    pub(super) n_source: usize,
    pub(super) n_target: usize,
    pub(super) longest: usize,
    forward: LatticeShape,
    backward: LatticeShape,
}

impl Shapes {
    /// Creates shapes with phrases of at most `longest` words on either side; each unaligned word
    /// is a segment by itself.
    pub(super) fn new(n_source: usize, n_target: usize, longest: usize) -> Result<Self> {
        let shape = |n, m| LatticeShape::new(n, m, longest, longest).and_then(|shape| shape.with_max_null(1));
        let too_long =
            |error: Error| Error::data(format!("sentences of {n_source} and {n_target} words are too long: {error}"));
        let forward = shape(n_source, n_target).map_err(too_long)?;
        let backward = shape(n_target, n_source).map_err(too_long)?;
        Ok(Self { n_source, n_target, longest, forward, backward })
    }

    pub(super) fn of(&self, direction: Direction) -> LatticeShape {
        match direction {
            Direction::Forward => self.forward,
            Direction::Backward => self.backward,
        }
    }

    /// Returns the lattice cell of a phrase or word pair.
    pub(super) fn cell(&self, direction: Direction, stretch: Stretch) -> Option<usize> {
        let (at, on) = direction.turn((stretch.source, stretch.n_source), (stretch.target, stretch.n_target));
        let shape = self.of(direction);
        shape.cell(at.0 + at.1, at.1, shape.state(on.0, on.1)?)
    }

    /// Returns the lattice cell of an unaligned word.
    pub(super) fn alone(&self, direction: Direction, word: usize) -> Option<usize> {
        self.of(direction).cell(word + 1, 1, 0)
    }

    /// Visits every phrase of more than one word on a side, in the order of the forward lattice.
    fn each_phrase(&self, mut each: impl FnMut(Stretch)) {
        for end in 1..=self.n_source {
            for n_source in 1..=self.longest.min(end) {
                for n_target in 1..=self.longest.min(self.n_target) {
                    if n_source == 1 && n_target == 1 {
                        continue;
                    }
                    for target in 0..=self.n_target - n_target {
                        each(Stretch { source: end - n_source, n_source, target, n_target });
                    }
                }
            }
        }
    }
}

/// Calls `each` with every row, its features and, for a phrase, its word pairs: words first, then
/// phrases.
pub(super) fn visit(
    catalogue: &Catalogue,
    pair: &WordMatrix,
    first: Option<&FirstPass>,
    shapes: &Shapes,
    mut each: impl FnMut(Row, &[(u16, f32)], &[(usize, usize)]),
) {
    let mut list = Vec::new();
    visit_words(catalogue, pair, shapes, |row, features| {
        list.clear();
        list.extend(features);
        if let Some(first) = first {
            second_row(catalogue, pair, first, row, &mut list);
        }
        each(row, &list, &[]);
    });
    let every = |_: Stretch, _: &[(usize, usize)]| true;
    visit_phrases(catalogue, pair, first, shapes, every, |stretch, features, members| {
        each(Row::Phrase(stretch), features, members);
    });
}

/// Calls `each` with the rows of word pairs and unaligned words, and their features.
pub(super) fn visit_words(
    catalogue: &Catalogue,
    pair: &WordMatrix,
    shapes: &Shapes,
    mut each: impl FnMut(Row, &[(u16, f32)]),
) {
    let mut list = Vec::new();
    for i in 0..shapes.n_source {
        for j in 0..shapes.n_target {
            list.clear();
            catalogue.words(pair, i, j, &mut list);
            each(Row::Words(i, j), &list);
        }
    }
    for direction in Direction::BOTH {
        let view = View { pair, is_turned: direction == Direction::Backward };
        for word in 0..view.side().len() {
            list.clear();
            catalogue.null(&view, word, &mut list);
            each(Row::Alone(direction, word), &list);
        }
    }
}

/// Adds what the second pass has beyond the features of [`visit_words`].
pub(super) fn second_row(
    catalogue: &Catalogue,
    pair: &WordMatrix,
    first: &FirstPass,
    row: Row,
    list: &mut Vec<(u16, f32)>,
) {
    match row {
        Row::Words(i, j) => catalogue.second_words(pair, first, i, j, list),
        Row::Alone(direction, word) => {
            let view = View { pair, is_turned: direction == Direction::Backward };
            catalogue.second_null(&view, first, word, list);
        }
        Row::Phrase(stretch) => catalogue.second_phrase(first, stretch, list),
    }
}

/// Calls `each` with every wanted phrase, its own features and its word pairs.
pub(super) fn visit_phrases(
    catalogue: &Catalogue,
    pair: &WordMatrix,
    first: Option<&FirstPass>,
    shapes: &Shapes,
    wanted: impl Fn(Stretch, &[(usize, usize)]) -> bool,
    mut each: impl FnMut(Stretch, &[(u16, f32)], &[(usize, usize)]),
) {
    let (mut list, mut members) = (Vec::new(), Vec::new());
    shapes.each_phrase(|stretch| {
        stretch.members(pair, &mut members);
        if wanted(stretch, &members) {
            list.clear();
            catalogue.phrase(pair, stretch, &members, &mut list);
            if let Some(first) = first {
                second_row(catalogue, pair, first, Row::Phrase(stretch), &mut list);
            }
            each(stretch, &list, &members);
        }
    });
}

/// The stored rows of a pair: features as two parallel lists, with the end of each row.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) shapes: Shapes,
    ids: Vec<u16>,
    values: Vec<f32>,
    ends: Vec<u32>,
    phrases: Vec<Stretch>,
    /// The rows of the word pairs of phrases, and the end of each phrase's list.
    members: Vec<u32>,
    member_ends: Vec<u32>,
}

impl Table {
    pub(super) fn new(catalogue: &Catalogue, pair: &WordMatrix, first: Option<&FirstPass>, shapes: Shapes) -> Self {
        let mut table = Self {
            shapes,
            ids: Vec::new(),
            values: Vec::new(),
            ends: Vec::new(),
            phrases: Vec::new(),
            members: Vec::new(),
            member_ends: Vec::new(),
        };
        visit(catalogue, pair, first, &shapes, |row, features, members| {
            table.ids.extend(features.iter().map(|(id, _)| *id));
            table.values.extend(features.iter().map(|(_, value)| *value));
            table.ends.push(table.ids.len() as u32);
            if let Row::Phrase(stretch) = row {
                table.phrases.push(stretch);
                table.members.extend(members.iter().map(|(i, j)| (i * shapes.n_target + j) as u32));
                table.member_ends.push(table.members.len() as u32);
            }
        });
        table.ids.shrink_to_fit();
        table.values.shrink_to_fit();
        table
    }

    fn range(ends: &[u32], at: usize) -> std::ops::Range<usize> {
        let start = if at == 0 { 0 } else { ends[at - 1] as usize };
        start..ends[at] as usize
    }

    fn n_words(&self) -> usize {
        self.shapes.n_source * self.shapes.n_target
    }

    /// Returns the row of an unaligned word.
    fn alone_row(&self, direction: Direction, word: usize) -> usize {
        match direction {
            Direction::Forward => self.n_words() + word,
            Direction::Backward => self.n_words() + self.shapes.n_source + word,
        }
    }

    fn dot(&self, row: usize, weights: &[f64]) -> f64 {
        let range = Self::range(&self.ends, row);
        let terms = self.ids[range.clone()].iter().zip(&self.values[range]);
        terms.map(|(id, value)| weights[*id as usize] * f64::from(*value)).sum()
    }

    /// Computes the emissions of a lattice. `words` is a buffer for the scores of words.
    pub(super) fn emissions(&self, direction: Direction, weights: &[f64], words: &mut Vec<f64>, out: &mut Vec<f64>) {
        let shape = self.shapes.of(direction);
        out.clear();
        out.resize(shape.n_cells(), 0.0);
        words.clear();
        words.extend((0..self.n_words()).map(|row| self.dot(row, weights)));
        self.each_cell(direction, |cell, row| {
            out[cell] = match row {
                Cell::Words(row) => words[row],
                Cell::Alone(row) => self.dot(row, weights),
                Cell::Phrase(row, members) => {
                    members.iter().map(|member| words[*member as usize]).sum::<f64>() + self.dot(row, weights)
                }
            };
        });
    }

    /// Adds the expectation of every feature to `gradient`; `cells` holds the expected cell counts
    /// minus those of the gold.
    pub(super) fn add_features(&self, direction: Direction, cells: &[f64], words: &mut Vec<f64>, gradient: &mut [f64]) {
        words.clear();
        words.resize(self.n_words(), 0.0);
        let mut add = |row: usize, factor: f64| {
            let range = Self::range(&self.ends, row);
            for (id, value) in self.ids[range.clone()].iter().zip(&self.values[range]) {
                gradient[*id as usize] += factor * f64::from(*value);
            }
        };
        self.each_cell(direction, |cell, row| {
            let factor = cells[cell];
            if factor.abs() < 1e-12 {
                return;
            }
            match row {
                Cell::Words(row) => words[row] += factor,
                Cell::Alone(row) => add(row, factor),
                Cell::Phrase(row, members) => {
                    members.iter().for_each(|member| words[*member as usize] += factor);
                    add(row, factor);
                }
            }
        });
        for (row, factor) in words.iter().enumerate() {
            if factor.abs() >= 1e-12 {
                add(row, *factor);
            }
        }
    }

    fn each_cell(&self, direction: Direction, mut each: impl FnMut(usize, Cell)) {
        let Shapes { n_source, n_target, .. } = self.shapes;
        for i in 0..n_source {
            for j in 0..n_target {
                let words = Stretch { source: i, n_source: 1, target: j, n_target: 1 };
                if let Some(cell) = self.shapes.cell(direction, words) {
                    each(cell, Cell::Words(i * n_target + j));
                }
            }
        }
        for word in 0..direction.turn(n_source, n_target).0 {
            if let Some(cell) = self.shapes.alone(direction, word) {
                each(cell, Cell::Alone(self.alone_row(direction, word)));
            }
        }
        let first = self.n_words() + n_source + n_target;
        for (number, stretch) in self.phrases.iter().enumerate() {
            if let Some(cell) = self.shapes.cell(direction, *stretch) {
                let members = &self.members[Self::range(&self.member_ends, number)];
                each(cell, Cell::Phrase(first + number, members));
            }
        }
    }
}

/// A lattice cell, by its row.
enum Cell<'a> {
    Words(usize),
    Alone(usize),
    Phrase(usize, &'a [u32]),
}
