//! Where a rule matches: for pointing at its words, and for showing what its wildcards stood for.

use super::Item;
use crate::text::Pair;

/// One match: the rule's first places in the source and in the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Matched {
    /// First token in the source.
    pub source: usize,
    /// First token in the target.
    pub target: usize,
}

/// Every match of a rule in a pair, in order.
pub fn matches<'a>(source: &'a [Item], target: &'a [Item], pair: &'a Pair) -> impl Iterator<Item = Matched> + 'a {
    let links: Vec<(usize, usize)> = source
        .iter()
        .enumerate()
        .filter(|(_, item)| item.as_linked().is_some())
        .filter_map(|(at, item)| Some((at, target.iter().position(|other| other == item)?)))
        .collect();
    let targets: Vec<usize> = literal_matches(target, &pair.target.units).collect();
    literal_matches(source, &pair.source.units).flat_map(move |i| {
        let links = links.clone();
        let agree = move |&j: &usize| links.iter().all(|(a, b)| pair.source.units[i + a] == pair.target.units[j + b]);
        targets.clone().into_iter().filter(agree).map(move |j| Matched { source: i, target: j })
    })
}

/// Where the literal symbols of a pattern stand; a pattern without places is nowhere.
fn literal_matches<'a>(pattern: &'a [Item], units: &'a [u32]) -> impl Iterator<Item = usize> + 'a {
    let fits =
        |window: &[u32]| pattern.iter().zip(window).all(|(item, &unit)| item.as_symbol().is_none_or(|s| s == unit));
    let windows = units.windows(pattern.len().max(1)).enumerate();
    windows.filter(move |(_, window)| !pattern.is_empty() && fits(window)).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Sentence;

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
