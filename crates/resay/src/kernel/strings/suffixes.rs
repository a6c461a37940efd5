//! Suffix arrays, and the longest common prefixes of neighbouring suffixes.
//!
//! Problem: given a text over 0..n_symbols, sort its suffixes. Algorithm: induced sorting (Nong,
//! Zhang and Chan 2009), in linear time and memory whatever repeats the text has. A suffix is of
//! type S if it is smaller than the next suffix, else of type L; a leftmost S suffix (LMS) is an S
//! suffix whose left neighbour is L. Once the LMS suffixes are in order, one pass from the left
//! puts all L suffixes in place and one from the right all S suffixes. The LMS suffixes themselves
//! are sorted by the same two passes over the substrings up to the next LMS suffix. Each substring
//! is numbered by its rank, and if numbers repeat, the text of numbers, at most half as long, is
//! sorted recursively.

use super::check_at;
use crate::Result;
use resay_learn::progress::Progress;

/// A slot that no suffix occupies yet.
const EMPTY: u32 = u32::MAX;

/// A symbol of a text. Texts with few symbols use one byte per symbol and fit the caches four times
/// as well.
pub(super) trait Letter: Copy + Ord + Into<u32> {}

impl Letter for u8 {}
impl Letter for u32 {}

fn idx(letter: impl Letter) -> usize {
    letter.into() as usize
}

/// Returns the start positions of all suffixes of `text`, smallest first; symbols are below
/// `n_symbols`. The end of the text is smaller than any symbol.
pub(super) fn suffix_array<T: Letter>(text: &[T], n_symbols: usize, progress: Progress<'_>) -> Result<Vec<u32>> {
    match text.len() {
        0 => return Ok(Vec::new()),
        1 => return Ok(vec![0]),
        _ => {}
    }
    let sorter = Sorter::new(text, n_symbols, progress)?;
    let mut order = vec![EMPTY; text.len()];
    let firsts: Vec<u32> = (1..text.len()).filter(|&at| sorter.is_first(at)).map(|at| at as u32).collect();
    sorter.induce(&firsts, &mut order, progress)?;
    if firsts.len() > 1 {
        // Number the LMS substrings in order, equal substrings alike.
        let mut names = vec![EMPTY; text.len()];
        let end_of = |at: usize| (at + 1..text.len()).find(|&next| sorter.is_first(next)).unwrap_or(text.len());
        let (mut n_names, mut last): (u32, Option<(usize, usize)>) = (0, None);
        for (number, &at) in order.iter().filter(|&&at| at > 0 && sorter.is_first(at as usize)).enumerate() {
            check_at(number, progress)?;
            let (start, end) = (at as usize, end_of(at as usize));
            // A substring includes the symbol after it, and the end of the text equals no other
            // symbol.
            let whole = |(start, end): (usize, usize)| (end < text.len()).then(|| &text[start..=end]);
            let is_same = last.is_some_and(|last| whole(last).is_some() && whole(last) == whole((start, end)));
            n_names += u32::from(!is_same);
            names[start] = n_names - 1;
            last = Some((start, end));
        }
        let sorted: Vec<u32> = if (n_names as usize) < firsts.len() {
            let shorter: Vec<u32> = firsts.iter().map(|&at| names[at as usize]).collect();
            drop(names);
            let order = suffix_array(&shorter, n_names as usize, progress)?;
            order.into_iter().map(|number| firsts[number as usize]).collect()
        } else {
            order.iter().copied().filter(|&at| at > 0 && sorter.is_first(at as usize)).collect()
        };
        sorter.induce(&sorted, &mut order, progress)?;
    }
    Ok(order)
}

struct Sorter<'a, T> {
    text: &'a [T],
    /// Whether a suffix is smaller than the next one, 64 per word.
    is_small: Vec<u64>,
    /// Where the L suffixes that begin with a symbol start, and where its S suffixes start.
    large_starts: Vec<u32>,
    small_starts: Vec<u32>,
}

impl<'a, T: Letter> Sorter<'a, T> {
    fn new(text: &'a [T], n_symbols: usize, progress: Progress<'_>) -> Result<Self> {
        let mut is_small = vec![0_u64; text.len().div_ceil(64)];
        let (mut large_starts, mut small_starts) = (vec![0_u32; n_symbols + 1], vec![0_u32; n_symbols + 1]);
        let mut small = false; // The last suffix is larger than the end of the text.
        for at in (0..text.len()).rev() {
            check_at(at, progress)?;
            if at + 1 < text.len() && text[at] != text[at + 1] {
                small = text[at] < text[at + 1];
            }
            if small {
                is_small[at / 64] |= 1 << (at % 64);
                small_starts[idx(text[at]) + 1] += 1;
            } else {
                large_starts[idx(text[at]) + 1] += 1;
            }
        }
        // Per symbol, first the L suffixes, then the S suffixes.
        let mut start = 0;
        for symbol in 0..n_symbols {
            let (n_large, n_small) = (large_starts[symbol + 1], small_starts[symbol + 1]);
            large_starts[symbol] = start;
            small_starts[symbol] = start + n_large;
            start += n_large + n_small;
        }
        (large_starts[n_symbols], small_starts[n_symbols]) = (start, start);
        Ok(Self { text, is_small, large_starts, small_starts })
    }

    fn is_small(&self, at: usize) -> bool {
        self.is_small[at / 64] >> (at % 64) & 1 == 1
    }

    /// Returns whether the suffix is LMS: of type S with a left neighbour of type L.
    fn is_first(&self, at: usize) -> bool {
        self.is_small(at) && !self.is_small(at - 1)
    }

    /// Fills `order` from the LMS suffixes in their order.
    fn induce(&self, firsts: &[u32], order: &mut [u32], progress: Progress<'_>) -> Result<()> {
        let text = self.text;
        order.fill(EMPTY);
        let mut next = self.small_starts.clone();
        for (number, &at) in firsts.iter().enumerate() {
            check_at(number, progress)?;
            let place = &mut next[idx(text[at as usize])];
            order[*place as usize] = at;
            *place += 1;
        }
        // From the left: the suffix before each one, if of type L, is the next of its symbol's L
        // suffixes.
        next.copy_from_slice(&self.large_starts);
        let mut put = |at: usize, order: &mut [u32]| {
            let place = &mut next[idx(text[at])];
            order[*place as usize] = at as u32;
            *place += 1;
        };
        put(text.len() - 1, order);
        for rank in 0..order.len() {
            check_at(rank, progress)?;
            let at = order[rank];
            if at != EMPTY && at > 0 && !self.is_small(at as usize - 1) {
                put(at as usize - 1, order);
            }
        }
        // From the right: the suffix before each one, if of type S, is the last of its symbol's S
        // suffixes.
        next[..self.large_starts.len() - 1].copy_from_slice(&self.large_starts[1..]);
        for rank in (0..order.len()).rev() {
            check_at(rank, progress)?;
            let at = order[rank];
            if at != EMPTY && at > 0 && self.is_small(at as usize - 1) {
                let place = &mut next[idx(text[at as usize - 1])];
                *place -= 1;
                order[*place as usize] = at - 1;
            }
        }
        Ok(())
    }
}

/// `ranks[order[i]] = i`.
pub(super) fn ranks(order: &[u32], progress: Progress<'_>) -> Result<Vec<u32>> {
    let mut ranks = vec![0; order.len()];
    for (&at, rank) in order.iter().zip(0..) {
        check_at(rank as usize, progress)?;
        ranks[at as usize] = rank;
    }
    Ok(ranks)
}

/// Returns the longest common prefixes: `shared[i]` is the number of leading symbols that the
/// suffixes `order[i - 1]` and `order[i]` share, up to the first symbol below `n_ends`, which
/// equals no other; `shared[0]` is 0. Linear: the suffix one further on shares at most one symbol
/// less with its own neighbour (Kasai et al. 2001).
pub(super) fn shared_beginnings<T: Letter>(
    text: &[T],
    order: &[u32],
    ranks: &[u32],
    n_ends: u32,
    progress: Progress<'_>,
) -> Result<Vec<u32>> {
    let mut shared = vec![0; order.len()];
    let mut len = 0_usize;
    for (at, rank) in ranks.iter().enumerate() {
        check_at(at, progress)?;
        let rank = *rank as usize;
        if rank == 0 {
            len = 0;
            continue;
        }
        let before = order[rank - 1] as usize;
        let same = |len: usize| match (text.get(at + len), text.get(before + len)) {
            (Some(symbol), Some(other)) => symbol == other && (*symbol).into() >= n_ends,
            _ => false,
        };
        while same(len) {
            len += 1;
        }
        shared[rank] = len as u32;
        len = len.saturating_sub(1);
    }
    Ok(shared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn slowly(text: &[u32]) -> Vec<u32> {
        let mut order: Vec<u32> = (0..text.len() as u32).collect();
        order.sort_by(|&a, &b| text[a as usize..].cmp(&text[b as usize..]));
        order
    }

    fn check(text: &[u32]) {
        let n_symbols = text.iter().max().map_or(0, |most| *most as usize + 1);
        let order = suffix_array(text, n_symbols, Progress::none()).unwrap();
        assert_eq!(order, slowly(text), "{text:?}");
        let bytes: Vec<u8> = text.iter().map(|symbol| *symbol as u8).collect();
        assert_eq!(suffix_array(&bytes, n_symbols, Progress::none()).unwrap(), order);
        let ranks = ranks(&order, Progress::none()).unwrap();
        for n_ends in 0..3 {
            let shared = shared_beginnings(text, &order, &ranks, n_ends, Progress::none()).unwrap();
            assert_eq!(shared_beginnings(&bytes, &order, &ranks, n_ends, Progress::none()).unwrap(), shared);
            for idx in 1..order.len() {
                let (a, b) = (&text[order[idx - 1] as usize..], &text[order[idx] as usize..]);
                let same = a.iter().zip(b).take_while(|(a, b)| a == b && **a >= n_ends).count();
                assert_eq!(shared[idx] as usize, same, "{text:?} at {idx}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn suffixes_are_in_order(text in (1_u32..5).prop_flat_map(|most| prop::collection::vec(0..most, 0..40))) {
            check(&text);
        }
    }

    #[test]
    fn repeats() {
        check(&[]);
        check(&[3]);
        check(&[0; 300]);
        check(&[1, 0].repeat(150));
        check(&[2, 1, 2, 0, 1].repeat(60));
        // A Fibonacci word, which is highly repetitive.
        let (mut a, mut b) = (vec![0], vec![0, 1]);
        for _ in 0..10 {
            (a, b) = (b.clone(), [b, a].concat());
        }
        check(&b);
    }
}
