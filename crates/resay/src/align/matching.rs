//! Matching of the sentences of two documents, given the weights of some pairs.
//!
//! Problem: given a sparse table of entries (source, target, weight), each pair at most once and
//! with positive weight, find a set of entries in which every source and every target occurs at
//! most once. Most sentences keep their order, so the first part of the set is the heaviest chain:
//! entries that increase in both source and target, with the maximum total weight, exactly. The
//! rest has moved: entries that may move are added greedily, heaviest first, as long as both their
//! sides are free.
//!
//! The chain needs no table of n x m cells: entries are visited by increasing source, and a Fenwick
//! tree over the targets keeps the best sum of a chain that ends at or before each target. This
//! takes O(K log m) for K entries.

/// Two sentences and the weight of matching them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The sentence of the first document, from 0.
    pub source: usize,
    /// The sentence of the second document, from 0.
    pub target: usize,
    /// The gain of matching them; above 0.
    pub weight: f64,
    /// Whether they may be matched out of order.
    pub may_move: bool,
}

/// The heaviest chain of entries that increase in both documents, as entry numbers in order. Among
/// equally heavy chains, takes the first found when entries are visited by source, then by
/// decreasing target.
pub fn heaviest_chain(entries: &[Entry]) -> Vec<usize> {
    let n_targets = entries.iter().map(|entry| entry.target + 1).max().unwrap_or(0);
    let mut order: Vec<usize> = (0..entries.len()).collect();
    // Decreasing targets within one source, so that no two of them can be in one chain.
    order.sort_by(|&a, &b| {
        let key = |at: usize| (entries[at].source, std::cmp::Reverse(entries[at].target));
        key(a).cmp(&key(b)).then(a.cmp(&b))
    });
    // tree[t]: the heaviest chain that ends within the Fenwick range of t, as its sum and its last
    // entry.
    let mut tree: Vec<(f64, Option<usize>)> = vec![(0.0, None); n_targets + 1];
    let mut before: Vec<Option<usize>> = vec![None; entries.len()];
    let mut best: (f64, Option<usize>) = (0.0, None);
    for at in order {
        let entry = entries[at];
        let mut ahead: (f64, Option<usize>) = (0.0, None);
        // Chains that end before this target: 1-based positions 1..=target.
        let mut place = entry.target;
        while place > 0 {
            if tree[place].0 > ahead.0 {
                ahead = tree[place];
            }
            place &= place - 1;
        }
        before[at] = ahead.1;
        let sum = ahead.0 + entry.weight;
        if sum > best.0 {
            best = (sum, Some(at));
        }
        let mut place = entry.target + 1;
        while place <= n_targets {
            if sum > tree[place].0 {
                tree[place] = (sum, Some(at));
            }
            place += place & place.wrapping_neg();
        }
    }
    let mut chain = Vec::new();
    let mut last = best.1;
    while let Some(at) = last {
        chain.push(at);
        last = before[at];
    }
    chain.reverse();
    chain
}

/// The matched entries, by number, and whether each is out of order; sorted by source.
pub fn matching(entries: &[Entry]) -> Vec<(usize, bool)> {
    let chain = heaviest_chain(entries);
    let n = |side: fn(&Entry) -> usize| entries.iter().map(|entry| side(entry) + 1).max().unwrap_or(0);
    let mut taken = [vec![false; n(|entry| entry.source)], vec![false; n(|entry| entry.target)]];
    let mut matched: Vec<(usize, bool)> = Vec::with_capacity(chain.len());
    for at in chain {
        taken[0][entries[at].source] = true;
        taken[1][entries[at].target] = true;
        matched.push((at, false));
    }
    let is_free =
        |taken: &[Vec<bool>; 2], entry: &Entry| entry.may_move && !taken[0][entry.source] && !taken[1][entry.target];
    let mut left: Vec<usize> = (0..entries.len()).filter(|&at| is_free(&taken, &entries[at])).collect();
    // Among equally heavy entries those that moved least, then by position.
    left.sort_by(|&a, &b| {
        let place = |at: usize| {
            let entry = &entries[at];
            (entry.source.abs_diff(entry.target), entry.source, entry.target)
        };
        entries[b].weight.total_cmp(&entries[a].weight).then_with(|| place(a).cmp(&place(b)))
    });
    for at in left {
        if is_free(&taken, &entries[at]) {
            taken[0][entries[at].source] = true;
            taken[1][entries[at].target] = true;
            matched.push((at, true));
        }
    }
    matched.sort_by_key(|&(at, _)| entries[at].source);
    matched
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay_learn::rng::SplitMix;

    fn entry(source: usize, target: usize, weight: f64) -> Entry {
        Entry { source, target, weight, may_move: true }
    }

    /// The maximum sum over all chains, by exhaustive search.
    fn slow(entries: &[Entry]) -> f64 {
        let rises = |set: &[&Entry]| {
            let is_below = |a: &Entry, b: &Entry| a.source < b.source && a.target < b.target;
            (0..set.len()).all(|a| (0..a).all(|b| is_below(set[a], set[b]) || is_below(set[b], set[a])))
        };
        let mut best = 0.0;
        for chosen in 0_u32..1 << entries.len() {
            let set: Vec<&Entry> =
                (0..entries.len()).filter(|at| chosen >> at & 1 == 1).map(|at| &entries[at]).collect();
            if rises(&set) {
                best = set.iter().map(|entry| entry.weight).sum::<f64>().max(best);
            }
        }
        best
    }

    #[test]
    fn the_chain_is_the_heaviest_of_all() {
        let mut random = SplitMix::new(7);
        for _ in 0..300 {
            let (n, m) = (1 + random.below(5), 1 + random.below(5));
            let mut entries = Vec::new();
            for source in 0..n {
                for target in 0..m {
                    if random.below(2) == 0 && entries.len() < 10 {
                        // Few distinct weights, so that there are ties.
                        entries.push(entry(source, target, 0.25 * (1 + random.below(4)) as f64));
                    }
                }
            }
            random.shuffle(&mut entries);
            let chain = heaviest_chain(&entries);
            let sum: f64 = chain.iter().map(|&at| entries[at].weight).sum();
            assert!((sum - slow(&entries)).abs() < 1e-9, "{entries:?}: {chain:?}");
            let rises = |two: &[usize]| {
                let (a, b) = (entries[two[0]], entries[two[1]]);
                a.source < b.source && a.target < b.target
            };
            assert!(chain.windows(2).all(rises), "{entries:?}: {chain:?}");
        }
    }

    #[test]
    fn what_is_left_over_was_moved() {
        let check = |entries: &[Entry], expected: &[(usize, usize, bool)]| {
            let found: Vec<(usize, usize, bool)> = matching(entries)
                .into_iter()
                .map(|(at, moved)| (entries[at].source, entries[at].target, moved))
                .collect();
            assert_eq!(found, expected, "{entries:?}");
        };
        check(&[], &[]);
        check(&[entry(0, 0, 1.0), entry(1, 1, 1.0)], &[(0, 0, false), (1, 1, false)]);
        // The last sentence moved to the front.
        check(&[entry(0, 1, 1.0), entry(1, 2, 1.0), entry(2, 0, 1.0)], &[(0, 1, false), (1, 2, false), (2, 0, true)]);
        let fixed = Entry { may_move: false, ..entry(2, 0, 1.0) };
        check(&[entry(0, 1, 1.0), entry(1, 2, 1.0), fixed], &[(0, 1, false), (1, 2, false)]);
        // A target is matched once; the nearer of two equal sentences moves.
        check(
            &[entry(0, 3, 2.0), entry(1, 0, 1.0), entry(2, 0, 1.0), entry(3, 4, 2.0)],
            &[(0, 3, false), (1, 0, true), (3, 4, false)],
        );
    }

    #[test]
    fn every_sentence_stands_once_and_the_order_of_entries_is_nothing() {
        let mut random = SplitMix::new(11);
        for _ in 0..200 {
            let mut entries: Vec<Entry> = Vec::new();
            for _ in 0..12 {
                let new = entry(random.below(6), random.below(6), 1.0 + random.unit());
                if entries.iter().all(|old| (old.source, old.target) != (new.source, new.target)) {
                    entries.push(new);
                }
            }
            let found = |entries: &[Entry]| -> Vec<(usize, usize, bool)> {
                let pairs = matching(entries).into_iter();
                pairs.map(|(at, moved)| (entries[at].source, entries[at].target, moved)).collect()
            };
            let first = found(&entries);
            for side in [|pair: &(usize, usize, bool)| pair.0, |pair: &(usize, usize, bool)| pair.1] {
                let mut places: Vec<usize> = first.iter().map(side).collect();
                places.sort_unstable();
                assert!(places.windows(2).all(|two| two[0] < two[1]), "{first:?}");
            }
            random.shuffle(&mut entries);
            assert_eq!(found(&entries), first);
        }
    }
}
