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
use super::search::Search;
use super::state::{Action, Stacks};
use super::weights::ActionTable;
use super::{MAX_PIECE, MAX_WIDTH, ParseScratch, Parser, TagPair};

/// A sentence to learn from, or to be measured on.
#[derive(Clone, Debug)]
pub struct Example {
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
pub struct Options {
    /// States in the beam while learning.
    pub learn_width: usize,
    /// States in the beam of the finished parser.
    pub width: usize,
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
pub struct Measured {
    /// With the right head.
    pub heads: f64,
    /// With the right head and the right relation.
    pub labelled: f64,
    /// With the right head and the right relation but for its subtype (what follows a colon).
    pub universal: f64,
}

/// Parses sentences and compares with their trees.
pub fn measure(parser: &Parser, examples: &[Example]) -> Measured {
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
    Measured { heads, labelled, universal }
}

/// A feature's weights while they are learned.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    weights: Scores,
    /// The sum of `weights` over all times before `since`.
    sums: [i64; 2],
    since: u32,
}

/// Weights by hash: open addressing, doubled when half full.
#[derive(Debug)]
struct Learner {
    shift: u32,
    /// Hash and number of the row plus one.
    slots: Vec<(u32, u32)>,
    rows: Vec<Row>,
    time: u32,
}

impl Learner {
    fn new() -> Self {
        Self { shift: 32 - 20, slots: vec![(0, 0); 1 << 20], rows: Vec::new(), time: 0 }
    }

    #[inline]
    fn find(&self, feature: u32) -> Result<usize, usize> {
        let mut place = (feature >> self.shift) as usize;
        loop {
            let (hash, row) = self.slots[place];
            if row == 0 {
                return Err(place);
            }
            if hash == feature {
                return Ok(row as usize - 1);
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
    }

    fn update(&mut self, feature: u32, by: Scores) {
        let row = match self.find(feature) {
            Ok(row) => row,
            Err(place) => {
                self.rows.push(Row::default());
                self.slots[place] = (feature, self.rows.len() as u32);
                let row = self.rows.len() - 1;
                if self.rows.len() * 2 > self.slots.len() && self.shift > 1 {
                    self.grow();
                }
                row
            }
        };
        let time = self.time;
        let row = &mut self.rows[row];
        for side in 0..2 {
            row.sums[side] += i64::from(row.weights[side]) * i64::from(time - row.since);
            row.weights[side] += by[side];
        }
        row.since = time;
    }

    fn grow(&mut self) {
        let mut old: Vec<(u32, u32)> = std::mem::take(&mut self.slots).into_iter().filter(|slot| slot.1 != 0).collect();
        old.sort_unstable();
        self.shift -= 1;
        self.slots = vec![(0, 0); 1 << (32 - self.shift)];
        for slot in old {
            if let Err(place) = self.find(slot.0) {
                self.slots[place] = slot;
            }
        }
    }

    /// The averages, by rising hash, of the heaviest `max_features`.
    fn averages(&self, max_features: usize) -> Vec<(u32, [f32; 2])> {
        let mut all: Vec<(u32, [f32; 2])> = Vec::new();
        for &(hash, row) in self.slots.iter().filter(|slot| slot.1 != 0) {
            let row = self.rows[row as usize - 1];
            let mean = |side: usize| {
                let sum = row.sums[side] + i64::from(row.weights[side]) * i64::from(self.time - row.since);
                (sum as f64 / f64::from(self.time.max(1))) as f32
            };
            all.push((hash, [mean(0), mean(1)]));
        }
        let size = |weights: &[f32; 2]| weights.iter().fold(0_f32, |most, weight| most.max(weight.abs()));
        all.sort_unstable_by(|a, b| size(&b.1).total_cmp(&size(&a.1)).then(a.0.cmp(&b.0)));
        all.truncate(max_features);
        all.sort_unstable_by_key(|feature| feature.0);
        all
    }
}

impl Weights for Learner {
    fn sum(&self, features: &[u32], scores: &mut Scores) {
        for &feature in features {
            if let Ok(row) = self.find(feature) {
                let weights = self.rows[row].weights;
                (0..2).for_each(|side| scores[side] += weights[side]);
            }
        }
    }
}

fn speaks_for(action: Action, sign: i32) -> Scores {
    match action {
        Action::Shift => [0, 0],
        Action::Left => [sign, 0],
        Action::Right => [0, sign],
    }
}

fn learn_greedy(learner: &mut Learner, search: &mut Search, gold: &Gold) -> bool {
    search.start(learner);
    let mut state = search.beam[0].state;
    let mut right = true;
    let mut features = Vec::new();
    for _ in 0..2 * gold.len() {
        learner.time += 1;
        let view = search.stacks.view(state);
        search.line.all(&view, &mut features);
        let mut sc = [0; 2];
        learner.sum(&features, &mut sc);
        let scores = [0, sc[0], sc[1]];
        let mut best: Option<Action> = None;
        let mut good: Option<Action> = None;
        for action in Action::ALL {
            if view.allows(action, gold.len()) {
                if best.is_none_or(|b| scores[action as usize] > scores[b as usize]) {
                    best = Some(action)
                }
                if gold.cost(&search.stacks, state, action) == 0
                    && good.is_none_or(|b| scores[action as usize] > scores[b as usize])
                {
                    good = Some(action)
                }
            }
        }
        let (best, good) = (best.unwrap(), good.unwrap());
        if best != good && gold.cost(&search.stacks, state, best) > 0 {
            right = false;
            let local = |a: Action, s: i32| match a {
                Action::Shift => [-s, -s],
                Action::Left => [s, 0],
                Action::Right => [0, s],
            };
            let (a, b) = (local(good, 1), local(best, -1));
            for &f in &features {
                learner.update(f, [a[0] + b[0], a[1] + b[1]])
            }
        }
        state = search.stacks.after(state, best);
    }
    right
}

/// One sentence: the beam runs until its end; where the best state is furthest ahead of the right one, weights move.
fn learn_actions(
    learner: &mut Learner,
    search: &mut Search,
    gold: &Gold,
    width: usize,
    changes: &mut Vec<(u32, Scores)>,
) -> bool {
    learner.time += 1;
    search.start(learner);
    let mut right_state = search.beam[0].state;
    let mut right_score = 0;
    let mut right = Vec::new();
    let mut worst: Option<(i32, usize, u32)> = None;
    let mut is_right_in = true;
    for at in 0..2 * gold.len() {
        let action = gold.best(&search.stacks, right_state);
        right_score += search.score(learner, right_state, action);
        right_state = search.stacks.after(right_state, action);
        right.push(action);
        search.step(learner, width);
        let best = search.beam[0];
        let ahead = best.score - right_score;
        let same = ahead == 0 && search.way(best.last).eq(right.iter().rev().copied());
        if !same && worst.is_none_or(|(most, ..)| ahead >= most) {
            worst = Some((ahead, at + 1, best.last));
        }
        let _ = is_right_in;
        is_right_in =
            search.beam.iter().any(|e| e.score == right_score && search.way(e.last).eq(right.iter().rev().copied()));
        if !is_right_in && width == 7 {
            worst = Some((ahead, at + 1, best.last));
            break;
        }
    }
    let best = search.beam[0];
    if search.way(best.last).eq(right.iter().rev().copied()) {
        return true;
    }
    let Some((ahead, n, last)) = worst else { return true };
    if ahead < 0 {
        return true;
    }
    let mut wrong: Vec<Action> = search.way(last).collect();
    wrong.reverse();
    let same = wrong.iter().zip(&right[..n]).take_while(|(a, b)| a == b).count();
    changes.clear();
    let mut features = Vec::new();
    for (way, sign) in [(&right[..n], 1), (&wrong[..], -1)] {
        let mut stacks = Stacks::default();
        let mut state = stacks.start();
        for (at, &action) in way.iter().enumerate() {
            if at >= same {
                let view: View = stacks.view(state);
                search.line.all(&view, &mut features);
                for &feature in &features {
                    learner.update(feature, speaks_for(action, sign));
                }
            }
            state = stacks.after(state, action);
        }
    }
    false
}

/// Sparse rows of labels.
#[derive(Debug, Default)]
struct LabelLearner {
    numbers: FxHashMap<u32, u32>,
    rows: Vec<Vec<(u8, i32, i64, u32)>>,
    time: u32,
}

impl LabelLearner {
    fn scores(&self, features: &[u32], scores: &mut [i32]) {
        scores.fill(0);
        for feature in features {
            if let Some(&row) = self.numbers.get(feature) {
                for &(label, weight, ..) in &self.rows[row as usize] {
                    scores[label as usize] += weight;
                }
            }
        }
    }

    fn update(&mut self, features: &[u32], label: u8, by: i32) {
        for &feature in features {
            let n = self.rows.len() as u32;
            let row = *self.numbers.entry(feature).or_insert(n);
            if row == n {
                self.rows.push(Vec::new());
            }
            let row = &mut self.rows[row as usize];
            match row.iter_mut().find(|entry| entry.0 == label) {
                Some((_, weight, sum, since)) => {
                    *sum += i64::from(*weight) * i64::from(self.time - *since);
                    *weight += by;
                    *since = self.time;
                }
                None => row.push((label, by, 0, self.time)),
            }
        }
    }

    fn averages(&self, max_features: usize) -> Vec<(u32, Vec<(u8, f32)>)> {
        let mut numbers: Vec<(u32, u32)> = Vec::new();
        #[allow(clippy::iter_over_hash_type)]
        for (&h, &r) in &self.numbers {
            numbers.push((h, r));
        }
        numbers.sort_unstable();
        let mut all: Vec<(u32, Vec<(u8, f32)>)> = numbers
            .into_iter()
            .map(|(hash, row)| {
                let mut row: Vec<(u8, f32)> = self.rows[row as usize]
                    .iter()
                    .map(|&(label, weight, sum, since)| {
                        let sum = sum + i64::from(weight) * i64::from(self.time - since);
                        (label, (sum as f64 / f64::from(self.time.max(1))) as f32)
                    })
                    .collect();
                row.sort_unstable_by_key(|entry| entry.0);
                (hash, row)
            })
            .collect();
        let size = |row: &[(u8, f32)]| row.iter().map(|entry| entry.1.abs()).fold(0.0, f32::max);
        all.sort_by(|a, b| size(&b.1).total_cmp(&size(&a.1)).then(a.0.cmp(&b.0)));
        all.truncate(max_features);
        all.sort_unstable_by_key(|feature| feature.0);
        all
    }
}

/// Learns a parser.
/// Learns a parser. `order(epoch, numbers)` puts the sentences into the epoch's order; `progress` is told in words.
/// Sentences whose heads are no tree, and those longer than what is parsed at once, are left out.
pub fn train(
    examples: &[Example],
    dev: &[Example],
    options: &Options,
    mut order: impl FnMut(usize, &mut [usize]),
    mut progress: impl FnMut(&str),
) -> Parser {
    let mut relations: Vec<Tag> = examples.iter().flat_map(|example| example.relations.iter().cloned()).collect();
    relations.sort_unstable();
    relations.dedup();
    let lines: Vec<Line> = examples
        .iter()
        .map(|example| {
            let mut line = Line::default();
            line.set(&example.atoms, &example.tags);
            line
        })
        .collect();
    let golds: Vec<Option<Gold>> = examples.iter().map(|example| Gold::new(&example.heads)).collect();
    relations.truncate(255);
    let lessons: Vec<Lesson> = examples.iter().filter_map(|example| Lesson::new(example, &relations)).collect();
    let mut numbers: Vec<usize> = (0..lessons.len()).collect();

    let mut labels = LabelLearner::default();
    for epoch in 0..options.label_epochs {
        order(epoch, &mut numbers);
        let n_wrong: usize =
            numbers.iter().map(|&at| learn_labels(&mut labels, &lessons[at], relations.len())).sum();
        progress(&format!("relations, epoch {}: {n_wrong} wrong", epoch + 1));
    }
    let labels = LabelTable::new(relations.len(), &labels.means(options.max_label_features), options.label_limit);
    let width = options.width.clamp(1, MAX_WIDTH);
    let mut parser = Parser { actions: ActionTable::new(&[], 1.0), labels, relations, width };

    let mut learner = ActionLearner::new();
    let mut search = Search::default();
    let mut changes = Vec::new();
    let mut parser = Parser {
        actions: ActionTable::new(&[], 1.0),
        labels: table,
        relations: relations.clone(),
        width: options.width,
    };
    for epoch in 0..options.epochs {
        order(epoch, &mut numbers);
        let mut n_wrong = 0;
        for &at in &numbers {
            let Some(gold) = &golds[at] else { continue };
            std::mem::swap(&mut search.line, &mut lines[at].clone());
            n += 1;
            n_right += usize::from(if options.learn_width == 0 {
                learn_greedy(&mut learner, &mut search, gold)
            } else {
                learn_actions(&mut learner, &mut search, gold, options.learn_width, &mut changes)
            });
        }
        parser.actions = ActionTable::new(&learner.averages(options.max_features), options.limit);
        let m = measure(&parser, dev);
        progress(&format!(
            "epoch {epoch}: {n_right} of {n} right, {} rows; dev UAS {:.2} LAS {:.2} universal {:.2}",
            learner.rows.len(),
            m.heads,
            m.labelled,
            m.universal
        ));
            search.line.clone_from(&lessons[at].line);
            n_wrong += usize::from(learn_actions(&mut learner, &mut search, &lessons[at].gold, options.learn_width.max(1)));
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
    fn new(example: &Example, relations: &[Tag]) -> Option<Self> {
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
        search.step(learner, width);
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
