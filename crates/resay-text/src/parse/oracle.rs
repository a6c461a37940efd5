//! The cost of an action: the number of gold arcs that can no longer be built after it.
//!
//! This is the dynamic oracle of Goldberg and Nivre (2013) for arc-hybrid: an arc is reachable as
//! long as its child has no head and the path to it is not blocked, and in this system all arcs
//! that are reachable one by one are reachable together. There is one addition: because only the
//! last word on the stack may become the root's child, the root's arc is lost as soon as its word
//! lies on top of another.

use super::super::Head;
use super::state::{Action, Stacks, State};

/// A gold tree, made projective.
#[derive(Clone, Debug)]
pub(super) struct Gold {
    /// The head of each word, counted from 1; the root is the word after the last. Entry 0 is
    /// unused.
    heads: Vec<u16>,
    /// The children of each word, in ascending order.
    children: Vec<Vec<u16>>,
}

impl Gold {
    /// Creates a gold tree. `None` if the heads are not a tree with one root, or there are more
    /// words than a state can hold.
    pub(super) fn new(heads: &[Head]) -> Option<Self> {
        let n_words = heads.len();
        let root = u16::try_from(n_words + 1).ok().filter(|root| *root < u16::MAX)?;
        let mut gold = vec![0; n_words + 2];
        for (word, head) in heads.iter().enumerate() {
            gold[word + 1] = match head {
                Head::Root => root,
                Head::Word(head) if (*head as usize) < n_words => *head as u16 + 1,
                Head::Word(_) => return None,
            };
        }
        if !is_tree(&gold, root) {
            return None;
        }
        lift(&mut gold, root);
        let mut children = vec![Vec::new(); n_words + 2];
        for word in 1..=n_words {
            children[gold[word] as usize].push(word as u16);
        }
        Some(Self { heads: gold, children })
    }

    /// Returns the number of words.
    pub(super) fn len(&self) -> usize {
        self.heads.len() - 2
    }

    /// Returns the number of gold arcs lost by an allowed action.
    pub(super) fn cost(&self, stacks: &Stacks, state: State, action: Action) -> u32 {
        let view = stacks.view(state);
        let (s0, s1, next) = (view.s0.word, view.s1.word, view.n0.word);
        let root = self.heads.len() as u16 - 1;
        let waiting = |word: u16| self.children[word as usize].iter().rev().take_while(|&&child| child >= next).count();
        match action {
            Action::Left => {
                let head = self.heads[s0 as usize];
                let is_lost = head != next && if head == root { s1 == 0 } else { head > next || head == s1 };
                u32::from(is_lost) + waiting(s0) as u32
            }
            Action::Right => {
                let head = self.heads[s0 as usize];
                u32::from(head >= next && head != root) + waiting(s0) as u32
            }
            Action::Shift => {
                let head = self.heads[next as usize];
                let on_stack = |word: u16| stacks.words(state).any(|other| other == word);
                let is_lost = if head == root { s0 != 0 } else { head < next && head != s0 && on_stack(head) };
                let children = &self.children[next as usize];
                let lost = children.iter().take_while(|&&child| child < next).filter(|&&child| on_stack(child)).count();
                u32::from(is_lost) + lost as u32
            }
        }
    }

    /// Returns the action that leads to the gold tree, from a state on a path to it. Arcs are
    /// preferred to Shift.
    pub(super) fn best(&self, stacks: &Stacks, state: State) -> Action {
        let view = stacks.view(state);
        let costs_nothing = |action: Action| view.allows(action, self.len()) && self.cost(stacks, state, action) == 0;
        [Action::Left, Action::Right].into_iter().find(|&action| costs_nothing(action)).unwrap_or(Action::Shift)
    }
}

/// Whether every word leads to the root, and exactly one word directly.
fn is_tree(heads: &[u16], root: u16) -> bool {
    if heads.iter().filter(|head| **head == root).count() != 1 {
        return false;
    }
    (1..root).all(|word| {
        let (mut at, mut n_steps) = (word, 0);
        while at != root && n_steps <= root {
            at = heads[at as usize];
            n_steps += 1;
        }
        at == root
    })
}

/// Lifts crossing arcs to the head's head until none is left (Nivre and Nilsson, 2005), the
/// shortest first.
fn lift(heads: &mut [u16], root: u16) {
    loop {
        let crossing = (1..root).filter(|&word| heads[word as usize] != root && !is_covered(heads, root, word));
        let Some(word) = crossing.min_by_key(|&word| (heads[word as usize].abs_diff(word), word)) else { return };
        heads[word as usize] = heads[heads[word as usize] as usize];
    }
}

/// Whether the head of a word is an ancestor of all words between the two.
fn is_covered(heads: &[u16], root: u16, word: u16) -> bool {
    let head = heads[word as usize];
    (word.min(head) + 1..word.max(head)).all(|between| {
        let mut at = between;
        while at != head && at != root {
            at = heads[at as usize];
        }
        at == head
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enumerates the trees with one root over `n_words` words, projective or not.
    fn trees(n_words: usize) -> Vec<Vec<Head>> {
        let n_choices = n_words + 1;
        (0..n_choices.pow(n_words as u32))
            .map(|mut code| {
                let mut heads = Vec::new();
                for _ in 0..n_words {
                    let head = code % n_choices;
                    heads.push(if head == n_words { Head::Root } else { Head::Word(head as u32) });
                    code /= n_choices;
                }
                heads
            })
            .filter(|heads| Gold::new(heads).is_some())
            .collect()
    }

    fn is_projective(heads: &[Head]) -> bool {
        let gold = Gold::new(heads).unwrap();
        let root = heads.len() as u16 + 1;
        heads.iter().enumerate().all(|(word, head)| {
            gold.heads[word + 1]
                == match head {
                    Head::Root => root,
                    Head::Word(head) => *head as u16 + 1,
                }
        })
    }

    /// Returns the minimum number of gold arcs missed on any path from a state, by exhaustive
    /// search. Checks the oracle's cost of every action on the way.
    fn least_missed(gold: &Gold, stacks: &mut Stacks, state: State) -> u32 {
        let view = stacks.view(state);
        let mut missed = Vec::new();
        for action in Action::ALL.into_iter().filter(|&action| view.allows(action, gold.len())) {
            let is_wrong = view.arc(action).is_some_and(|(child, head)| gold.heads[child as usize] != head);
            let after = stacks.after(state, action);
            missed.push((action, u32::from(is_wrong) + least_missed(gold, stacks, after)));
        }
        let Some(least) = missed.iter().map(|(_, missed)| *missed).min() else { return 0 };
        for (action, missed) in missed {
            assert_eq!(gold.cost(stacks, state, action), missed - least, "{action:?} in {view:?} for {:?}", gold.heads);
        }
        least
    }

    #[test]
    fn costs_are_what_trying_everything_finds() {
        for n_words in 1..=5 {
            for heads in trees(n_words).into_iter().filter(|heads| is_projective(heads)) {
                let mut stacks = Stacks::default();
                let state = stacks.start();
                assert_eq!(least_missed(&Gold::new(&heads).unwrap(), &mut stacks, state), 0, "{heads:?}");
            }
        }
    }

    #[test]
    fn the_best_actions_build_the_tree() {
        for n_words in 1..=5 {
            for heads in trees(n_words) {
                let gold = Gold::new(&heads).unwrap();
                let mut stacks = Stacks::default();
                let mut state = stacks.start();
                for _ in 0..2 * n_words {
                    let (view, action) = (stacks.view(state), gold.best(&stacks, state));
                    assert!(view.allows(action, n_words));
                    if let Some((child, head)) = view.arc(action) {
                        assert_eq!(gold.heads[child as usize], head);
                    }
                    state = stacks.after(state, action);
                }
            }
        }
    }

    #[test]
    fn crossing_arcs_are_lifted_and_no_others() {
        let check = |heads: &[usize], expected: &[u16]| {
            let tree: Vec<Head> =
                heads.iter().map(|&h| if h == 0 { Head::Root } else { Head::Word(h as u32 - 1) }).collect();
            assert_eq!(&Gold::new(&tree).unwrap().heads[1..=heads.len()], expected);
        };
        check(&[2, 0, 2], &[2, 4, 2]);
        // 4 depends on 1 across the root 2: it is lifted to 2.
        check(&[2, 0, 2, 1], &[2, 5, 2, 2]);
        assert!(Gold::new(&[Head::Word(1), Head::Word(0)]).is_none());
        assert!(Gold::new(&[Head::Root, Head::Root]).is_none());
        assert!(Gold::new(&[Head::Root, Head::Word(7)]).is_none());
    }
}
