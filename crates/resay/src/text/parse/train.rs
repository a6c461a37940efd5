//! Learns a [`Parser`] from trees: a structured perceptron for actions, another for relations, both averaged.
use super::super::atoms::Atom;
use super::super::learn::Table;
use super::super::{Head, Tag};
use super::features::Line;
use super::labels::{self, Tree};
use super::oracle::Gold;
use super::search::Search;
use super::state::{Action, Stacks, View};
use super::weights::{ActionTable, Scores, Weights};
use super::{ParseScratch, Parser, TagPair};
use rustc_hash::FxHashMap;

/// A sentence to learn from or to be measured on.
#[derive(Clone, Debug)]
pub struct Example {
    /// Its words.
    pub atoms: Vec<Atom>,
    /// Their tags, as the tagger that will be used gives them.
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
    /// How often all sentences are gone through for the actions.
    pub epochs: usize,
    /// The same for the relations.
    pub label_epochs: usize,
    /// Features kept for actions.
    pub max_features: usize,
    /// Features kept for labels.
    pub max_label_features: usize,
    /// Weights limit.
    pub limit: f32,
}

/// Shares in percent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measured {
    /// Words with the right head.
    pub heads: f64,
    /// Words with the right head and relation.
    pub labelled: f64,
    /// The same by universal relations alone.
    pub universal: f64,
}

/// Measures.
pub fn measure(parser: &Parser, examples: &[Example]) -> Measured {
    let (mut scratch, mut out) = (ParseScratch::default(), Vec::new());
    let (mut n, mut right) = (0, [0; 3]);
    for example in examples {
        parser.parse(&example.atoms, &example.tags, &mut scratch, &mut out);
        for (word, (head, relation)) in out.iter().enumerate() {
            let (found, expected) = (&*parser.relations()[*relation as usize], &*example.relations[word]);
            let universal = |relation: &str| relation.split(':').next().unwrap_or_default().to_owned();
            let is_right = *head == example.heads[word];
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

    // Relations.
    let mut learner = LabelLearner::default();
    let mut numbers: Vec<usize> = (0..examples.len()).collect();
    let mut tree = Tree::default();
    let mut features = Vec::new();
    let mut scores = vec![0; relations.len()];
    let number = |relation: &Tag| relations.binary_search(relation).unwrap_or(0) as u8;
    for epoch in 0..options.label_epochs {
        order(epoch, &mut numbers);
        let (mut n, mut wrong) = (0, 0);
        for &at in &numbers {
            let example = &examples[at];
            let root = example.heads.len() as u16 + 1;
            tree.set(example.heads.iter().map(|head| match head {
                Head::Root => root,
                Head::Word(head) => *head as u16 + 1,
            }));
            tree.label(&lines[at], &mut features, |child, features| {
                learner.time += 1;
                let right = number(&example.relations[child as usize - 1]);
                learner.scores(features, &mut scores);
                let found = labels::highest(&scores);
                n += 1;
                if found != right {
                    wrong += 1;
                    learner.update(features, right, 1);
                    learner.update(features, found, -1);
                }
                found
            });
        }
        progress(&format!("labels {epoch}: {:.2} wrong, {} rows", 100.0 * wrong as f64 / n as f64, learner.rows.len()));
    }
    let table = Table::new(relations.len(), &learner.averages(options.max_label_features));
    drop(learner);

    let mut learner = Learner::new();
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
        let (mut n, mut n_right) = (0, 0);
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
    }
    parser
}
