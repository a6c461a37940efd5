//! Trains a [`Parser`] on a treebank.
//!
//! Input: sentences with tags and gold trees. Two perceptrons are trained, one for actions and one
//! for relations.
//!
//! Actions: weights w of score(actions) = sum of w . features(state, action), such that the beam
//! finds the gold actions. After every sentence that the beam gets wrong, w moves towards the gold
//! actions and away from those found, up to the step where the found ones lead by the largest
//! margin (max-violation: Huang, Fayong and Guo, 2012). The gold actions are the canonical ones of
//! the tree, made projective. A greedy parser trained with the dynamic oracle was measured too; it
//! is one and a half points behind on the development part of the treebank.
//!
//! Relations: one word after another, given the gold tree and the relations predicted so far.

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

/// A sentence for training or evaluation.
#[derive(Clone, Debug)]
pub struct ParserExample {
    /// The words.
    pub atoms: Vec<Atom>,
    /// The tags predicted by the tagger that will be used, including its errors.
    pub tags: Vec<TagPair>,
    /// The gold heads.
    pub heads: Vec<Head>,
    /// The gold relations.
    pub relations: Vec<Tag>,
}

/// Training parameters.
#[derive(Clone, Debug)]
pub struct ParserOptions {
    /// Beam width in training.
    pub learn_width: usize,
    /// Beam width of the trained parser.
    pub width: usize,
    /// Maximum distance from the best state in the beam, in units of weights before quantisation.
    pub margin: f32,
    /// Number of epochs for actions.
    pub epochs: usize,
    /// Number of epochs for relations.
    pub label_epochs: usize,
    /// Number of features kept for actions, those with the largest weights.
    pub max_features: usize,
    /// Number of features kept for relations.
    pub max_label_features: usize,
    /// Weights of actions are quantised to 127 units up to this limit.
    pub limit: f32,
    /// The limit for weights of relations.
    pub label_limit: f32,
}

/// Accuracies over words, in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ParserFigures {
    /// Unlabelled attachment score: the head is correct.
    pub heads: f64,
    /// Labelled attachment score: head and relation are correct.
    pub labelled: f64,
    /// Head and relation are correct, ignoring the subtype of the relation (after the colon).
    pub universal: f64,
}

/// Parses sentences and compares them with their gold trees.
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

/// Trains a parser. `order(epoch, numbers)` permutes the sentences for an epoch; `progress`
/// receives messages. Sentences whose heads are not a tree, and those longer than what is parsed at
/// once, are skipped.
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
    let training_examples: Vec<TrainingExample> =
        examples.iter().filter_map(|example| TrainingExample::new(example, &relations)).collect();
    let mut numbers: Vec<usize> = (0..training_examples.len()).collect();

    let mut labels = LabelLearner::default();
    for epoch in 0..options.label_epochs {
        order(epoch, &mut numbers);
        let n_wrong: usize =
            numbers.iter().map(|&at| learn_labels(&mut labels, &training_examples[at], relations.len())).sum();
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
            search.line.clone_from(&training_examples[at].line);
            n_wrong += usize::from(learn_actions(
                &mut learner,
                &mut search,
                &training_examples[at].gold,
                options.learn_width.max(1),
            ));
        }
        parser.actions = ActionTable::new(&learner.means(options.max_features), options.limit);
        let found = measure(&parser, dev);
        let (heads, labelled) = (found.heads, found.labelled);
        progress(&format!("actions, epoch {}: {n_wrong} wrong; dev: {heads:.2} {labelled:.2}", epoch + 1));
    }
    parser
}

/// An example prepared for training.
struct TrainingExample {
    line: Line,
    gold: Gold,
    /// The gold heads, counted from 1, with the root as the word after the last.
    heads: Vec<u16>,
    relations: Vec<u8>,
}

impl TrainingExample {
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

/// Labels one tree and updates the weights on errors. Returns the number of errors.
fn learn_labels(learner: &mut LabelLearner, training_example: &TrainingExample, n_labels: usize) -> usize {
    let mut tree = Tree::default();
    let mut scores = vec![0; n_labels];
    let mut n_wrong = 0;
    tree.set(training_example.heads.iter().copied());
    tree.label(&training_example.line, &mut Vec::new(), |child, features| {
        let right = training_example.relations[child as usize - 1];
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

/// Parses the sentence in the search's line and updates the weights on an error. Returns whether
/// there was one.
fn learn_actions(learner: &mut ActionLearner, search: &mut Search, gold: &Gold, width: usize) -> bool {
    search.start(learner);
    let mut state = search.beam[0].state;
    let mut score = 0;
    let mut right = Vec::new();
    // The largest lead of the beam's best over the gold actions, after how many actions, and the
    // step of the history there.
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

/// Adds `by` to the weights of all features on a path, after its first `n_same` actions.
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
