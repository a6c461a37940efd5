//! Learns a [`Parser`] from trees.
//!
//! Given sentences with tags and their trees, two perceptrons: one for actions, one for relations.
//!
//! Actions: weights w of score(actions) = sum of w . features(state, action), such that the beam finds the right actions.
//! After every sentence that the beam gets wrong, w moves towards the right actions and away from those found, up to the
//! step where the found ones are furthest ahead (max-violation: Huang, Fayong and Guo, 2012). The right actions are the
//! canonical ones of the tree, made projective. A greedy parser learned with the dynamic oracle was measured too; it is
//! one and a half points behind on the treebank's dev part.
//!
//! Relations: one word after another, given the true tree and the relations found so far.

use super::super::atoms::Atom;
use super::super::{Head, Tag};
use super::averaged::{ActionLearner, LabelLearner};
use super::features::Line;
use super::labels::Tree;
use super::oracle::Gold;
use super::rows::{LabelTable, highest};
use super::search::{Beam, Search};
use super::state::{Action, Stacks};
use super::weights::ActionTable;
use super::{MAX_PIECE, MAX_WIDTH, ParseScratch, Parser, TagPair};

/// A sentence to learn from, or to be measured on.
#[derive(Clone, Debug)]
pub struct ParserExample {
    /// Its words.
    pub atoms: Vec<Atom>,
    /// Their tags, as the tagger gives them that will be used: with its faults.
    pub tags: Vec<TagPair>,
    /// The true heads.
    pub heads: Vec<Head>,
    /// The true relations.
    pub relations: Vec<Tag>,
}

/// Settings.
#[derive(Clone, Debug)]
pub struct ParserOptions {
    /// States in the beam while learning.
    pub learn_width: usize,
    /// States in the beam of the finished parser.
    pub width: usize,
    /// How far behind the best they may be, in weights.
    pub margin: f32,
    /// How often all sentences are gone through for actions.
    pub epochs: usize,
    /// How often for relations.
    pub label_epochs: usize,
    /// How many features are kept for actions, the heaviest.
    pub max_features: usize,
    /// How many for relations.
    pub max_label_features: usize,
    /// Weights of actions are kept in 127 steps up to this.
    pub limit: f32,
    /// Weights of relations.
    pub label_limit: f32,
}

/// Shares of words, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ParserFigures {
    /// With the right head.
    pub heads: f64,
    /// With the right head and the right relation.
    pub labelled: f64,
    /// With the right head and the right relation but for its subtype (what follows a colon).
    pub universal: f64,
}

/// Parses sentences and compares with their trees.
pub fn measure(parser: &Parser, examples: &[ParserExample]) -> ParserFigures {
    let (mut scratch, mut out) = (ParseScratch::default(), Vec::new());
    let (mut n, mut right) = (0, [0; 3]);
    let universal = |relation: &str| relation.split(':').next().map(str::to_owned);
    for example in examples {
        parser.parse(&example.atoms, &example.tags, &mut scratch, &mut out);
        for ((head, relation), (true_head, expected)) in out.iter().zip(example.heads.iter().zip(&example.relations)) {
            let found = &parser.relations()[*relation as usize];
            let is_right = head == true_head;
            n += 1;
            right[0] += usize::from(is_right);
            right[1] += usize::from(is_right && found == expected);
            right[2] += usize::from(is_right && universal(found) == universal(expected));
        }
    }
    let [heads, labelled, universal] = right.map(|right| 100.0 * right as f64 / n.max(1) as f64);
    ParserFigures { heads, labelled, universal }
}

/// Learns a parser. `order(epoch, numbers)` puts the sentences into the epoch's order; `progress` is told in words.
/// Sentences whose heads are no tree, and those longer than what is parsed at once, are left out.
pub fn train(
    examples: &[ParserExample],
    dev: &[ParserExample],
    options: &ParserOptions,
    mut order: impl FnMut(usize, &mut [usize]),
    mut progress: impl FnMut(&str),
) -> Parser {
    let mut relations: Vec<Tag> = examples.iter().flat_map(|example| example.relations.iter().cloned()).collect();
    relations.sort_unstable();
    relations.dedup();
    relations.truncate(255);
    let lessons: Vec<Lesson> = examples.iter().filter_map(|example| Lesson::new(example, &relations)).collect();
    let mut numbers: Vec<usize> = (0..lessons.len()).collect();

    let mut labels = LabelLearner::default();
    for epoch in 0..options.label_epochs {
        order(epoch, &mut numbers);
        let n_wrong: usize = numbers.iter().map(|&at| learn_labels(&mut labels, &lessons[at], relations.len())).sum();
        progress(&format!("relations, epoch {}: {n_wrong} wrong", epoch + 1));
    }
    let labels = LabelTable::new(relations.len(), &labels.means(options.max_label_features), options.label_limit);
    let margin = (options.margin / options.limit * 127.0).round() as i32;
    let beam = Beam { width: options.width.clamp(1, MAX_WIDTH), margin };
    let mut parser = Parser { actions: ActionTable::new(&[], 1.0), labels, relations, beam };

    let mut learner = ActionLearner::new();
    let mut search = Search::default();
    for epoch in 0..options.epochs {
        order(epoch, &mut numbers);
        let mut n_wrong = 0;
        for &at in &numbers {
            search.line.clone_from(&lessons[at].line);
            n_wrong +=
                usize::from(learn_actions(&mut learner, &mut search, &lessons[at].gold, options.learn_width.max(1)));
        }
        parser.actions = ActionTable::new(&learner.means(options.max_features), options.limit);
        let found = measure(&parser, dev);
        let (heads, labelled) = (found.heads, found.labelled);
        progress(&format!("actions, epoch {}: {n_wrong} wrong; dev: {heads:.2} {labelled:.2}", epoch + 1));
    }
    parser
}

/// An example ready to be learned from.
struct Lesson {
    line: Line,
    gold: Gold,
    /// The true heads, counted from 1, the root as the word after the last.
    heads: Vec<u16>,
    relations: Vec<u8>,
}

impl Lesson {
    fn new(example: &ParserExample, relations: &[Tag]) -> Option<Self> {
        let n_words = example.heads.len();
        if n_words > MAX_PIECE || [example.atoms.len(), example.tags.len(), example.relations.len()] != [n_words; 3] {
            return None;
        }
        let gold = Gold::new(&example.heads)?;
        let mut line = Line::default();
        line.set(&example.atoms, &example.tags);
        let head = |head: &Head| match head {
            Head::Root => n_words as u16 + 1,
            Head::Word(head) => *head as u16 + 1,
        };
        let number = |relation: &Tag| relations.binary_search(relation).unwrap_or(0) as u8;
        Some(Self {
            line,
            gold,
            heads: example.heads.iter().map(head).collect(),
            relations: example.relations.iter().map(number).collect(),
        })
    }
}

/// Labels one tree, and learns where it was wrong; how often that was.
fn learn_labels(learner: &mut LabelLearner, lesson: &Lesson, n_labels: usize) -> usize {
    let mut tree = Tree::default();
    let mut scores = vec![0; n_labels];
    let mut n_wrong = 0;
    tree.set(lesson.heads.iter().copied());
    tree.label(&lesson.line, &mut Vec::new(), |child, features| {
        let right = lesson.relations[child as usize - 1];
        learner.sum(features, &mut scores);
        let found = highest(&scores);
        if found != right {
            n_wrong += 1;
            learner.update(features, right, 1);
            learner.update(features, found, -1);
        }
        learner.tick();
        found
    });
    n_wrong
}

/// Parses the sentence in the search's line, and learns if it was wrong; whether it was.
fn learn_actions(learner: &mut ActionLearner, search: &mut Search, gold: &Gold, width: usize) -> bool {
    search.start(learner);
    let mut state = search.beam[0].state;
    let mut score = 0;
    let mut right = Vec::new();
    // How far the beam's best is ahead of the right actions, where that is most, and its way to there.
    let mut worst: Option<(i32, usize, u32)> = None;
    for _ in 0..2 * gold.len() {
        let action = gold.best(&search.stacks, state);
        score += search.score(learner, state, action);
        state = search.stacks.after(state, action);
        right.push(action);
        search.step(learner, Beam::full(width));
        let best = search.beam[0];
        let ahead = best.score - score;
        let is_right = || search.way(best.last).eq(right.iter().rev().copied());
        if ahead >= worst.map_or(0, |worst| worst.0) && (ahead > 0 || !is_right()) {
            worst = Some((ahead, right.len(), best.last));
        }
    }
    let is_wrong = !search.way(search.beam[0].last).eq(right.iter().rev().copied());
    if let (true, Some((_, n_steps, last))) = (is_wrong, worst) {
        let mut found: Vec<Action> = search.way(last).collect();
        found.reverse();
        right.truncate(n_steps);
        let n_same = right.iter().zip(&found).take_while(|(right, found)| right == found).count();
        follow(learner, search, &right, n_same, 1);
        follow(learner, search, &found, n_same, -1);
    }
    learner.tick();
    is_wrong
}

/// Adds to the weights of all features on a way, after its first `n_same` actions.
fn follow(learner: &mut ActionLearner, search: &Search, way: &[Action], n_same: usize, by: i32) {
    let mut stacks = Stacks::default();
    let mut state = stacks.start();
    let mut features = Vec::new();
    for (at, &action) in way.iter().enumerate() {
        if at >= n_same && action != Action::Shift {
            search.line.all(&stacks.view(state), &mut features);
            learner.update(&features, action, by);
        }
        state = stacks.after(state, action);
    }
}
