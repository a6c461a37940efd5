//! Clusters without chaining, from pairs that say the same.
//!
//! "Says the same" is not transitive: a is like b and b is like c, and after ten steps nothing is
//! left of a. Connected components would put both ends into one cluster. Here every cluster has a
//! head, and every member was judged to say the same as the head itself. In input order, an item
//! joins the earlier head that it was judged the same as, with the highest probability if there are
//! several, the first of ties; if there is none it becomes a head. Two invariants follow: every
//! item that is not a head was judged the same as its head, which precedes it, and no two heads
//! were judged the same. Thus keeping only the heads drops no line unless a kept line was judged to
//! say the same.

/// The cluster of an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusterPlace {
    /// The first item of its cluster.
    pub head: u32,
    /// The probability that the item and the head say the same; 1 for a head.
    pub probability: f64,
}

/// The clusters of `n` items, given the pairs that say the same, each once, with the earlier item
/// first.
pub fn places(n: usize, same: &[([u32; 2], f64)]) -> Vec<ClusterPlace> {
    let mut by_last: Vec<([u32; 2], f64)> = same.to_vec();
    by_last.sort_unstable_by_key(|([first, last], _)| (*last, *first));
    let mut pairs = by_last.into_iter().peekable();
    let mut places: Vec<ClusterPlace> = Vec::with_capacity(n);
    for item in 0..n as u32 {
        let mut place: Option<ClusterPlace> = None;
        while let Some(([first, _], probability)) = pairs.next_if(|([_, last], _)| *last == item) {
            let is_head = places.get(first as usize).is_some_and(|other| other.head == first);
            if is_head && place.is_none_or(|best| probability > best.probability) {
                place = Some(ClusterPlace { head: first, probability });
            }
        }
        places.push(place.unwrap_or(ClusterPlace { head: item, probability: 1.0 }));
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay_learn::rng::SplitMix;
    use std::collections::BTreeMap;

    fn check(n: usize, same: &[([u32; 2], f64)], expected: &[u32]) {
        let heads: Vec<u32> = places(n, same).iter().map(|place| place.head).collect();
        assert_eq!(heads, expected, "{same:?}");
    }

    #[test]
    fn chains_are_not_followed() {
        check(0, &[], &[]);
        check(3, &[], &[0, 1, 2]);
        check(3, &[([0, 1], 0.9), ([1, 2], 0.9)], &[0, 0, 2]);
        check(4, &[([0, 1], 0.9), ([1, 2], 0.9), ([2, 3], 0.9)], &[0, 0, 2, 2]);
        check(3, &[([0, 2], 0.6), ([1, 2], 0.7)], &[0, 1, 1]);
        check(3, &[([1, 2], 0.7), ([0, 2], 0.7)], &[0, 1, 0]);
    }

    /// The definition: compares each item with all items before it.
    fn slow(n: u32, same: &BTreeMap<[u32; 2], f64>) -> Vec<u32> {
        let mut heads: Vec<u32> = Vec::new();
        for item in 0..n {
            let before = (0..item).filter(|&other| heads[other as usize] == other);
            let known = before.filter_map(|other| Some((other, *same.get(&[other, item])?)));
            let best = known.fold(None, |best: Option<(u32, f64)>, new| match best {
                Some(best) if best.1 >= new.1 => Some(best),
                _ => Some(new),
            });
            heads.push(best.map_or(item, |(other, _)| other));
        }
        heads
    }

    #[test]
    fn random_graphs_give_what_the_definition_says() {
        for seed in 0..300 {
            let mut random = SplitMix::new(seed);
            let n = 1 + random.below(12) as u32;
            let density = random.unit();
            let mut same = BTreeMap::new();
            for last in 0..n {
                for first in 0..last {
                    if random.unit() < density {
                        // Few distinct values, so that there are ties.
                        same.insert([first, last], 0.5 + random.below(4) as f64 / 10.0);
                    }
                }
            }
            let mut list: Vec<([u32; 2], f64)> = same.iter().map(|(pair, p)| (*pair, *p)).collect();
            random.shuffle(&mut list);
            let found = places(n as usize, &list);
            assert_eq!(found.iter().map(|place| place.head).collect::<Vec<_>>(), slow(n, &same), "seed {seed}");
            for (item, place) in (0..n).zip(&found) {
                if place.head == item {
                    let heads = (0..item).filter(|&other| found[other as usize].head == other);
                    assert!(heads.into_iter().all(|other| !same.contains_key(&[other, item])), "two heads, one saying");
                } else {
                    assert_eq!(same.get(&[place.head, item]), Some(&place.probability));
                }
            }
        }
    }
}
