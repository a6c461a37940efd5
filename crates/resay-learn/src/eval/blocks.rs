//! Groups the links between two sentences into blocks: full rectangles of links, so that a phrase
//! linked to a phrase counts as one item instead of many links.
//!
//! The first link that is in no block yet, by source and then by target, starts a block. The block
//! grows alternately by one source word and one target word, as long as every link of the new row
//! or column exists; a side that fails to grow once is finished. This is greedy: the blocks are
//! neither the fewest nor the largest possible.
//!
//! [`blocks`] continues until every link is in exactly one block. [`first_blocks`] follows Yao et
//! al. (2013): from left to right, one block per source word, grown from its first link; links of
//! these words outside the block are lost. Their published block sizes come from the latter.

/// A link: source word and target word, 0-based.
pub type WordLink = (u32, u32);

/// A span of the source linked to a span of the target, every word to every word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block {
    /// First source word.
    pub source: u32,
    /// First target word.
    pub target: u32,
    /// Number of source words, at least 1.
    pub n_source: u32,
    /// Number of target words, at least 1.
    pub n_target: u32,
}

impl Block {
    /// Whether the block links one word to one word.
    pub fn is_token(&self) -> bool {
        self.n_source == 1 && self.n_target == 1
    }

    /// Returns the links of the block, sorted.
    pub fn links(&self) -> impl Iterator<Item = WordLink> + use<> {
        let Self { source, target, n_source, n_target } = *self;
        (0..n_source).flat_map(move |row| {
            (0..n_target).map(move |column| (source.saturating_add(row), target.saturating_add(column)))
        })
    }
}

/// Returns sorted blocks that cover every link exactly once. Links may be unsorted and contain
/// duplicates.
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

/// Returns at most one block per source word, sorted; some links may be in none. See the module
/// documentation.
pub fn first_blocks(links: &[WordLink]) -> Vec<Block> {
    let links = sorted(links);
    let mut found: Vec<Block> = Vec::new();
    for &link in &links {
        // Blocks are built from left to right, so only the last one can contain this word.
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

/// Grows a block from a link.
fn grow((source, target): WordLink, is_there: impl Fn(WordLink) -> bool) -> Block {
    let (mut n_source, mut n_target) = (1, 1);
    let (mut source_grows, mut target_grows) = (true, true);
    while source_grows || target_grows {
        // The row below, then the column to the right; `u32::MAX` has no successor.
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

    /// Links drawn as a picture: one line of text per source word, `x` for a link.
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
        // The source grows first, so the corner becomes a column; the rest is another block, or
        // lost.
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

    /// The same by a matrix of cells, trying each size in turn.
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
