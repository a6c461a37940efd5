//! Groups of texts that a corpus links. They stay in one fold: who has seen a text knows something
//! about every text that it was paired with.

use super::wording::normal;
use rustc_hash::FxHashMap;

/// Disjoint sets of texts, by their wording.
#[derive(Default)]
pub(super) struct Groups {
    numbers: FxHashMap<String, usize>,
    names: Vec<String>,
    parents: Vec<usize>,
}

impl Groups {
    /// Puts two texts, and all that is linked to either, into one group.
    pub(super) fn join(&mut self, [source, target]: [&str; 2]) {
        let (a, b) = (self.root(source), self.root(target));
        // The earlier text names the group, whatever the order of the links.
        self.parents[a.max(b)] = a.min(b);
    }

    /// Whether links lead from one text to the other.
    pub(super) fn are_joined(&mut self, source: &str, target: &str) -> bool {
        self.root(source) == self.root(target)
    }

    /// The name of the group: the wording of its first text.
    pub(super) fn name(&mut self, text: &str) -> String {
        let root = self.root(text);
        self.names[root].clone()
    }

    fn root(&mut self, text: &str) -> usize {
        let words = normal(text);
        let mut number = match self.numbers.get(&words) {
            Some(&number) => number,
            None => {
                let number = self.names.len();
                self.numbers.insert(words.clone(), number);
                self.names.push(words);
                self.parents.push(number);
                number
            }
        };
        while self.parents[number] != number {
            self.parents[number] = self.parents[self.parents[number]];
            number = self.parents[number];
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_join_over_any_route() {
        let mut groups = Groups::default();
        groups.join(["It is late.", "The hour is late."]);
        groups.join(["We left.", "We went away."]);
        assert!(!groups.are_joined("It's late", "We left"));
        assert_eq!(groups.name("The hour is late!"), "it is late");
        assert_eq!(groups.name("Nobody came."), "nobody came");
        groups.join(["The hour is late", "we went away"]);
        assert!(groups.are_joined("It's late", "We left"));
        assert_eq!(groups.name("We left."), "it is late");
    }
}
