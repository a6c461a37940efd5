//! The first pass: what a token model of the same words thinks of every link. The second pass reads
//! its probabilities as features, so that a link can depend on links anywhere in the pair, which no
//! single lattice sees.
//!
//! In training, the probabilities of a pair come from a model that was trained without the pair
//! (see [`super::fit`]); otherwise the second pass would learn to trust them too much.

use super::compared::WordMatrix;
use super::features::Stretch;
use super::table::{Direction, Shapes};
use crate::id::{Likelihood, WordKind};

/// Link probabilities of a pair under the first pass.
#[derive(Clone, Debug, Default)]
pub(super) struct FirstPass {
    n_target: usize,
    /// One row per source word, forward and backward.
    directions: [Vec<f32>; 2],
    /// The mean of both directions.
    links: Vec<f32>,
    /// The probability of each source and each target word to be unaligned, in the direction that
    /// segments its sentence.
    alone: [Vec<f32>; 2],
    /// The two best links of each source and each target word.
    best: [Vec<[f32; 2]>; 2],
    /// The likeliest link of each source word, if it is likely.
    anchors: Vec<(usize, usize)>,
    /// The nearest content words before and after each word, for both sides.
    content: [Vec<[Option<usize>; 2]>; 2],
}

/// Returns the class of a probability.
pub(super) fn likelihood(probability: f32) -> Likelihood {
    match probability {
        p if p >= 0.5 => Likelihood::Likely,
        p if p >= 0.15 => Likelihood::Possible,
        _ => Likelihood::Unlikely,
    }
}

impl FirstPass {
    /// Creates it from the expected cell counts of the token model's lattices.
    pub(super) fn new(pair: &WordMatrix, shapes: &Shapes, cells: [&[f64]; 2]) -> Self {
        let (n_source, n_target) = (shapes.n_source, shapes.n_target);
        let of_direction = |direction: Direction| {
            let cells = cells[direction as usize];
            let mut links = Vec::with_capacity(n_source * n_target);
            for source in 0..n_source {
                for target in 0..n_target {
                    let words = Stretch { source, n_source: 1, target, n_target: 1 };
                    links.push(shapes.cell(direction, words).map_or(0.0, |cell| cells[cell].clamp(0.0, 1.0) as f32));
                }
            }
            links
        };
        let directions = Direction::BOTH.map(of_direction);
        let alone = Direction::BOTH.map(|direction| {
            let n_words = direction.turn(n_source, n_target).0;
            let of = |word| {
                shapes.alone(direction, word).map_or(0.0, |cell| cells[direction as usize][cell].clamp(0.0, 1.0) as f32)
            };
            (0..n_words).map(of).collect()
        });
        Self::from_links(pair, directions, alone)
    }

    /// Creates it from the probabilities of links, forward and backward, one row per source word,
    /// and those of source and target words to be unaligned.
    pub(super) fn from_links(pair: &WordMatrix, directions: [Vec<f32>; 2], alone: [Vec<f32>; 2]) -> Self {
        let (n_source, n_target) = (pair.source.len(), pair.target.len());
        let links: Vec<f32> = directions[0].iter().zip(&directions[1]).map(|(a, b)| 0.5 * (a + b)).collect();
        let (mut of_source, mut of_target) = (vec![[0.0; 2]; n_source], vec![[0.0; 2]; n_target]);
        let mut anchors = Vec::new();
        for (i, row) in links.chunks(n_target.max(1)).enumerate() {
            let mut anchor = (0.5, None);
            for (j, &link) in row.iter().enumerate() {
                for best in [&mut of_source[i], &mut of_target[j]] {
                    if link > best[0] {
                        *best = [link, best[0]];
                    } else if link > best[1] {
                        best[1] = link;
                    }
                }
                if link > anchor.0 {
                    anchor = (link, Some(j));
                }
            }
            anchors.extend(anchor.1.map(|j| (i, j)));
        }
        let content = [&pair.source, &pair.target].map(|side| {
            let is_content = |word: usize| side.words[word].kind == WordKind::Content;
            let mut content = vec![[None; 2]; side.len()];
            let mut last = None;
            for (word, content) in content.iter_mut().enumerate() {
                content[0] = last;
                last = Some(word).filter(|&word| is_content(word)).or(last);
            }
            last = None;
            for (word, content) in content.iter_mut().enumerate().rev() {
                content[1] = last;
                last = Some(word).filter(|&word| is_content(word)).or(last);
            }
            content
        });
        let best = [of_source, of_target];
        Self { n_target, directions, links, alone, best, anchors, content }
    }

    /// Returns the mean probability of a link.
    pub(super) fn link(&self, source: usize, target: usize) -> f32 {
        self.links[source * self.n_target + target]
    }

    /// Like [`Self::link`]; 0 outside the sentences.
    pub(super) fn link_at(&self, source: Option<usize>, target: Option<usize>) -> f32 {
        let (Some(source), Some(target)) = (source, target) else { return 0.0 };
        if target >= self.n_target { 0.0 } else { *self.links.get(source * self.n_target + target).unwrap_or(&0.0) }
    }

    /// Returns the probabilities of a link from source to target, and back.
    pub(super) fn both(&self, source: usize, target: usize) -> [f32; 2] {
        let at = source * self.n_target + target;
        [self.directions[0][at], self.directions[1][at]]
    }

    /// Returns the best other link of the source word, and of the target word.
    pub(super) fn rivals(&self, source: usize, target: usize) -> [f32; 2] {
        let own = self.link(source, target);
        [self.best[0][source], self.best[1][target]].map(|[best, second]| if own >= best { second } else { best })
    }

    /// Returns the best links of the source word and of the target word.
    pub(super) fn best(&self, side: usize, word: usize) -> f32 {
        self.best[side][word][0]
    }

    /// Returns the probability of a word to be unaligned; 1 outside the sentence.
    pub(super) fn alone(&self, side: usize, word: Option<usize>) -> f32 {
        word.and_then(|word| self.alone[side].get(word)).copied().unwrap_or(1.0)
    }

    /// Returns the nearest likely links before and after a source word.
    pub(super) fn around(&self, source: usize) -> [Option<(usize, usize)>; 2] {
        let before = self.anchors.partition_point(|(i, _)| *i < source);
        let after = self.anchors.partition_point(|(i, _)| *i <= source);
        [before.checked_sub(1).map(|at| self.anchors[at]), self.anchors.get(after).copied()]
    }

    /// Returns the links of the next content words before the two words, and after them.
    pub(super) fn content(&self, source: usize, target: usize) -> [f32; 2] {
        let (a, b) = (self.content[0][source], self.content[1][target]);
        [0, 1].map(|at| self.link_at(a[at], b[at]))
    }
}
