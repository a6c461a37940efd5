//! Where a rule matches in a pair: to highlight its words and to show what its wildcards matched.

use super::Item;
use resay_text::Pair;

/// One match: the first positions of the rule in the source and in the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matched {
    /// First token in the source.
    pub source: usize,
    /// First token in the target.
    pub target: usize,
}

/// A pair as the rules of some kernel see it.
pub(super) trait Seen<'a>: Copy + 'a {
    /// The symbols that patterns are compared with: of the source, of the target.
    fn symbols(&self) -> [&'a [u32]; 2];

    /// Returns whether these positions may be a pair of linked wildcards.
    fn is_linked(&self, source: usize, target: usize) -> bool;
}

impl<'a> Seen<'a> for &'a Pair {
    fn symbols(&self) -> [&'a [u32]; 2] {
        [&self.source.units, &self.target.units]
    }

    fn is_linked(&self, source: usize, target: usize) -> bool {
        self.source.units[source] == self.target.units[target]
    }
}

/// Returns every match of a rule in the units of a pair, in order.
pub fn matches<'a>(source: &'a [Item], target: &'a [Item], pair: &'a Pair) -> impl Iterator<Item = Matched> + 'a {
    matches_in(source, target, pair)
}

/// Returns every match of a rule in a pair as its kernel sees it, in order.
pub(super) fn matches_in<'a>(
    source: &'a [Item],
    target: &'a [Item],
    pair: impl Seen<'a>,
) -> impl Iterator<Item = Matched> + 'a {
    let links: Vec<(usize, usize)> = source
        .iter()
        .enumerate()
        .filter(|(_, item)| item.as_linked().is_some())
        .filter_map(|(at, item)| Some((at, target.iter().position(|other| other == item)?)))
        .collect();
    let [source_symbols, target_symbols] = pair.symbols();
    let targets: Vec<usize> = literal_matches(target, target_symbols).collect();
    literal_matches(source, source_symbols).flat_map(move |i| {
        let links = links.clone();
        let agree = move |&j: &usize| links.iter().all(|(a, b)| pair.is_linked(i + a, j + b));
        targets.clone().into_iter().filter(agree).map(move |j| Matched { source: i, target: j })
    })
}

/// Returns where the literal symbols of a pattern match. An empty pattern matches nowhere.
fn literal_matches<'a>(pattern: &'a [Item], units: &'a [u32]) -> impl Iterator<Item = usize> + 'a {
    let fits =
        |window: &[u32]| pattern.iter().zip(window).all(|(item, &unit)| item.as_symbol().is_none_or(|s| s == unit));
    let windows = units.windows(pattern.len().max(1)).enumerate();
    windows.filter(move |(_, window)| !pattern.is_empty() && fits(window)).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay_text::Sentence;

    #[test]
    fn linked_wildcards_must_stand_for_the_same_symbol() {
        let sentence = |units: &[u32]| Sentence::of_units(units.to_vec());
        let pair = Pair { source: sentence(&[1, 5, 1, 6]), target: sentence(&[5, 2, 6, 2]) };
        let (source, target) = ([Item::symbol(1), Item::linked(0)], [Item::linked(0), Item::symbol(2)]);
        let found: Vec<(usize, usize)> = matches(&source, &target, &pair).map(|m| (m.source, m.target)).collect();
        assert_eq!(found, [(0, 0), (2, 2)]);
        assert_eq!(matches(&[], &[], &pair).count(), 0);
        assert_eq!(matches(&[Item::symbol(1)], &[Item::symbol(2)], &pair).count(), 4);
        assert_eq!(matches(&[Item::ANY; 5], &[Item::ANY], &pair).count(), 0);
    }
}
