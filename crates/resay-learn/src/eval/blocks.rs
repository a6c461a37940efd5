//! Links between two sentences as blocks: rectangles of links that are all there, so that a phrase linked to a phrase is
//! one thing and not many links.
//!
//! Given a set of links. The first link that is in no block yet, by source and then by target, becomes a block, which
//! grows by a word of the source and a word of the target in turn, as long as every link of the new row or column is
//! there; a side that could not grow once is done. This is greedy: blocks are neither the fewest nor the largest.
//!
//! [`blocks`] goes on until every link is in exactly one block. [`first_blocks`] is how Yao et al. (2013) segment: from
//! left to right, one block a source word, from its first link, and what links the words of a block have outside of it
//! are lost. Their published sizes of alignments come from the latter.

/// A link: a word of the source and a word of the target, both counted from 0.
pub type WordLink = (u32, u32);

/// A stretch of the source linked to a stretch of the target, every word to every word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block {
    /// Where it begins in the source.
    pub source: u32,
    /// Where it begins in the target.
    pub target: u32,
    /// How many words of the source, at least 1.
    pub n_source: u32,
    /// How many words of the target, at least 1.
    pub n_target: u32,
}

impl Block {
    /// Whether it is one word linked to one word.
    pub fn is_token(&self) -> bool {
        self.n_source == 1 && self.n_target == 1
    }

    /// Its links, sorted.
    pub fn links(&self) -> impl Iterator<Item = WordLink> + use<> {
        let Self { source, target, n_source, n_target } = *self;
        (0..n_source).flat_map(move |row| {
            (0..n_target).map(move |column| (source.saturating_add(row), target.saturating_add(column)))
        })
    }
}

/// Blocks that hold every link exactly once, sorted. Links may come in any order; one that comes twice is one.
pub fn blocks(links: &[WordLink]) -> Vec<Block> {
    let links = sorted(links);
    let mut is_taken = vec![false; links.len()];
    let mut found = Vec::new();
    for idx in 0..links.len() {
        if is_taken[idx] {
            continue;
        }
        let place = |link: WordLink| links.binary_search(&link).ok().filter(|&place| !is_taken[place]);
        let block = grow(links[idx], |link| place(link).is_some());
        let places: Vec<usize> = block.links().filter_map(place).collect();
        places.into_iter().for_each(|place| is_taken[place] = true);
        found.push(block);
    }
    found
}

/// At most one block a source word, sorted; some links may be in none. See the head of the file.
pub fn first_blocks(links: &[WordLink]) -> Vec<Block> {
    let links = sorted(links);
    let mut found: Vec<Block> = Vec::new();
    for &link in &links {
        // Blocks come from left to right, so only the last can hold this word.
        let is_covered = found.last().is_some_and(|last| link.0 - last.source < last.n_source);
        if !is_covered {
            found.push(grow(link, |link| links.binary_search(&link).is_ok()));
        }
    }
    found
}

fn sorted(links: &[WordLink]) -> Vec<WordLink> {
    let mut links = links.to_vec();
    links.sort_unstable();
    links.dedup();
    links
}

/// The block that a link grows to.
fn grow((source, target): WordLink, is_there: impl Fn(WordLink) -> bool) -> Block {
    let (mut n_source, mut n_target) = (1, 1);
    let (mut source_grows, mut target_grows) = (true, true);
    while source_grows || target_grows {
        // The row below, then the column to the right; behind the last number there is none.
        let row = source.checked_add(n_source).filter(|_| source_grows);
        source_grows = row.is_some_and(|row| (0..n_target).all(|column| is_there((row, target + column))));
        n_source += u32::from(source_grows);
        let column = target.checked_add(n_target).filter(|_| target_grows);
        target_grows = column.is_some_and(|column| (0..n_source).all(|row| is_there((source + row, column))));
        n_target += u32::from(target_grows);
    }
    Block { source, target, n_source, n_target }
}

#[cfg(test)]
pub(super) mod testing {
    use super::WordLink;

    /// Links drawn as a picture: a line of text a source word, `x` for a link.
    pub(in super::super) fn picture(rows: &[&str]) -> Vec<WordLink> {
        let of_row = |(row, text): (u32, &&str)| {
            (0..)
                .zip(text.bytes())
                .filter(|(_, byte)| *byte == b'x')
                .map(|(column, _)| (row, column))
                .collect::<Vec<_>>()
        };
        (0..).zip(rows).flat_map(of_row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::testing::picture;
    use super::*;
    use crate::rng::SplitMix;
    use std::collections::BTreeSet;

    fn show(blocks: &[Block]) -> String {
        let show = |b: &Block| format!("{}-{}:{}x{}", b.source, b.target, b.n_source, b.n_target);
        blocks.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pictures() {
        let check = |rows: &[&str], all: &str, first: &str| {
            let links = picture(rows);
            assert_eq!(
                (show(&blocks(&links)).as_str(), show(&first_blocks(&links)).as_str()),
                (all, first),
                "{rows:?}"
            );
        };
        check(&[], "", "");
        check(&["x.", ".x"], "0-0:1x1 1-1:1x1", "0-0:1x1 1-1:1x1");
        check(&["xx", "xx", ".."], "0-0:2x2", "0-0:2x2");
        check(&["xxx"], "0-0:1x3", "0-0:1x3");
        check(&["x", "x", "x", "x"], "0-0:4x1", "0-0:4x1");
        // The source grows first, so the corner becomes a column and the rest is a block of its own, or lost.
        check(&["xx", "x."], "0-0:2x1 0-1:1x1", "0-0:2x1");
        check(&["x.x", ".x."], "0-0:1x1 0-2:1x1 1-1:1x1", "0-0:1x1 1-1:1x1");
        // A block does not take links of another.
        check(&["x..", "xxx", "xxx"], "0-0:3x1 1-1:2x2", "0-0:3x1");
        check(&[".x", "xx"], "0-1:2x1 1-0:1x1", "0-1:2x1");
        check(&["xx.", ".xx", "..."], "0-0:1x2 1-1:1x2", "0-0:1x2 1-1:1x2");
    }

    #[test]
    fn the_last_numbers_have_no_neighbours() {
        let last = u32::MAX;
        let links = [(last, last), (last - 1, last), (last, last), (last, 0)];
        assert_eq!(show(&blocks(&links)), "4294967294-4294967295:2x1 4294967295-0:1x1");
        assert_eq!(show(&first_blocks(&links)), "4294967294-4294967295:2x1");
    }

    /// The same by a matrix of cells, each size tried in turn.
    fn slow(links: &[WordLink], n: u32, is_paper: bool) -> Vec<Block> {
        let all: BTreeSet<WordLink> = links.iter().copied().collect();
        let mut left = all.clone();
        let mut found = Vec::new();
        while let Some(&(source, target)) = left.first() {
            let there = if is_paper { &all } else { &left };
            let is_full = |rows: u32, columns: u32| {
                (0..rows).all(|row| (0..columns).all(|column| there.contains(&(source + row, target + column))))
            };
            let (mut rows, mut columns) = (1, 1);
            for _ in 0..n {
                rows += u32::from(is_full(rows + 1, columns));
                columns += u32::from(is_full(rows, columns + 1));
            }
            found.push(Block { source, target, n_source: rows, n_target: columns });
            let is_inside =
                |link: &WordLink| link.0 < source + rows && (is_paper || (target..target + columns).contains(&link.1));
            left.retain(|link| !is_inside(link));
        }
        found
    }

    #[test]
    fn random_links_against_the_matrix() {
        let mut n_phrases = 0;
        for seed in 0..500 {
            let mut random = SplitMix::new(seed);
            let (n, n_links) = (2 + random.below(6), random.below(40));
            let mut draw = || random.below(n) as u32;
            let links: Vec<WordLink> = (0..n_links).map(|_| (draw(), draw())).collect();
            let found = blocks(&links);
            n_phrases += found.iter().filter(|block| !block.is_token()).count();
            assert_eq!(show(&found), show(&slow(&links, n as u32, false)), "seed {seed}");
            assert_eq!(show(&first_blocks(&links)), show(&slow(&links, n as u32, true)), "seed {seed}");
            let mut covered: Vec<WordLink> = found.iter().flat_map(Block::links).collect();
            covered.sort_unstable();
            assert_eq!(covered, sorted(&links), "seed {seed}: every link once");
        }
        assert!(n_phrases > 500);
    }
}
