//! Converts the links of annotators to segments of the lattice, and back.
//!
//! A segmentation gives every source word one span or none, so not every set of links has one. As
//! in the paper, it is built from left to right. A word without links is NULL. Any other word
//! starts a block at its first link. The block grows by one source word and one target word in
//! turn, as long as every link of the new row or column exists and the shape allows phrases of that
//! length; a side that failed to grow once is done. The scan continues after the block, and links
//! of the block's words outside the block are lost. [`resay_learn::eval::blocks::first_blocks`] is
//! the same without a maximal length. With phrases of one word, every source word keeps its first
//! target.

use crate::{Error, Result};
use resay_learn::eval::blocks::WordLink;
use resay_learn::sequence::semi_markov::{LatticeShape, Segment};

/// Returns the segmentation of a set of links. Links may come in any order and more than once.
/// Fails if a link points outside the sentences.
pub(super) fn segments(links: &[WordLink], shape: &LatticeShape) -> Result<Vec<Segment>> {
    let links = sorted(links.to_vec());
    if let Some(&link) = links.iter().find(|link| !is_inside(link, shape)) {
        return Err(outside(link, shape));
    }
    let mut found = Vec::new();
    let mut rest = links.as_slice();
    let mut start = 0;
    while start < shape.n_source() {
        rest = &rest[rest.partition_point(|link| (link.0 as usize) < start)..];
        let (len, state) = match rest.first() {
            Some(&first) if first.0 as usize == start => {
                let (n_source, n_target) = grow(first, rest, shape);
                let state = shape.state(first.1 as usize, n_target).ok_or_else(|| outside(first, shape))?;
                (n_source, state)
            }
            _ => (1, 0),
        };
        start += len;
        found.push(Segment { end: start, len, state });
    }
    Ok(found)
}

/// Returns the links of segments, sorted: every word of a segment with every word of its span.
/// Segments that do not fit the shape have none.
pub(super) fn links(segments: &[Segment], shape: &LatticeShape) -> Vec<WordLink> {
    let mut links = Vec::new();
    for segment in segments {
        let is_segment = shape.cell(segment.end, segment.len, segment.state).is_some();
        let Some((start, len)) = shape.span(segment.state).filter(|_| is_segment) else { continue };
        for source in segment.end - segment.len..segment.end {
            links.extend((start..start + len).map(|target| (source as u32, target as u32)));
        }
    }
    sorted(links)
}

/// Returns the same links seen from the other side, sorted.
pub(super) fn transposed(links: &[WordLink]) -> Vec<WordLink> {
    sorted(links.iter().map(|&(source, target)| (target, source)).collect())
}

fn sorted(mut links: Vec<WordLink>) -> Vec<WordLink> {
    links.sort_unstable();
    links.dedup();
    links
}

fn is_inside(&(source, target): &WordLink, shape: &LatticeShape) -> bool {
    (source as usize) < shape.n_source() && (target as usize) < shape.n_target()
}

fn outside((source, target): WordLink, shape: &LatticeShape) -> Error {
    let (n_source, n_target) = (shape.n_source(), shape.n_target());
    Error::parameter(format!(
        "link {source}-{target} points at no word: the source has {n_source} words and the target {n_target}, and words \
        are counted from 0; correct the link or the sentences"
    ))
}

/// Returns the numbers of source and target words of the block that starts at a link, among sorted
/// links.
fn grow((source, target): WordLink, links: &[WordLink], shape: &LatticeShape) -> (usize, usize) {
    let is_there =
        |row: usize, column: usize| links.binary_search(&(source + row as u32, target + column as u32)).is_ok();
    let (mut n_source, mut n_target) = (1, 1);
    let (mut source_grows, mut target_grows) = (true, true);
    while source_grows || target_grows {
        // The row below, then the column to the right.
        source_grows &= n_source < shape.max_source() && (0..n_target).all(|column| is_there(n_source, column));
        n_source += usize::from(source_grows);
        target_grows &= n_target < shape.max_target() && (0..n_source).all(|row| is_there(row, n_target));
        n_target += usize::from(target_grows);
    }
    (n_source, n_target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{AlignedPair, AlignedPairs};
    use resay_learn::eval::blocks::{Block, first_blocks};
    use resay_learn::rng::SplitMix;
    use resay_learn::sequence::semi_markov::{Scores, Transitions};

    /// Draws links as a picture: one line of text per source word, `x` for a link.
    fn picture(rows: &[&str]) -> Vec<WordLink> {
        let cells = |row: &str| row.bytes().collect::<Vec<u8>>();
        let of_row = |(source, row): (u32, &&str)| {
            (0..)
                .zip(cells(row))
                .filter(|cell| cell.1 == b'x')
                .map(move |(target, _)| (source, target))
                .collect::<Vec<_>>()
        };
        (0..).zip(rows).flat_map(of_row).collect()
    }

    #[test]
    fn pictures() {
        // Segments as source words > target words.
        let check = |rows: &[&str], max: (usize, usize), expected: &str| {
            let n_target = rows.first().map_or(0, |row| row.len());
            let shape = LatticeShape::new(rows.len(), n_target, max.0, max.1).unwrap();
            let show = |segment: &Segment| {
                let source = segment.end - segment.len..segment.end;
                match shape.span(segment.state) {
                    None => format!("{source:?}"),
                    Some((start, len)) => format!("{source:?}>{:?}", start..start + len),
                }
            };
            let found: Vec<String> = segments(&picture(rows), &shape).unwrap().iter().map(show).collect();
            assert_eq!(found.join(" "), expected, "{rows:?} {max:?}");
        };
        check(&[], (3, 3), "");
        check(&["", ""], (3, 3), "0..1 1..2");
        check(&["...", "..."], (3, 3), "0..1 1..2");
        check(&["x.", ".x"], (3, 3), "0..1>0..1 1..2>1..2");
        check(&["xx", "xx"], (3, 3), "0..2>0..2");
        check(&["xx", "xx"], (1, 1), "0..1>0..1 1..2>0..1");
        check(&["xx", "xx"], (1, 2), "0..1>0..2 1..2>0..2");
        check(&["xx", "xx"], (2, 1), "0..2>0..1");
        check(&["x", "x", "x", "x"], (3, 3), "0..3>0..1 3..4>0..1");
        check(&["xxxx"], (3, 3), "0..1>0..3");
        check(&[".x.x"], (3, 3), "0..1>1..2");
        // The source grows first; the other link of the corner is lost.
        check(&["xx", "x."], (3, 3), "0..2>0..1");
        check(&["..x", ".x.", "..."], (3, 3), "0..1>2..3 1..2>1..2 2..3");
        // The source has reached its maximal length, the target grows on.
        check(&["xxx", "xxx", "xxx"], (2, 3), "0..2>0..3 2..3>0..3");
    }

    #[test]
    fn links_beyond_the_sentences_are_refused() {
        let shape = LatticeShape::new(2, 3, 3, 3).unwrap();
        let check = |link: WordLink| {
            let error = segments(&[(0, 0), link], &shape).unwrap_err().to_string();
            let expected =
                format!("link {}-{} points at no word: the source has 2 words and the target 3", link.0, link.1);
            assert!(error.starts_with(&expected), "{error}");
        };
        check((2, 0));
        check((0, 3));
        check((u32::MAX, u32::MAX));
        assert!(segments(&[(0, 0)], &LatticeShape::new(0, 0, 1, 1).unwrap()).is_err());
    }

    #[test]
    fn what_is_no_segment_has_no_links() {
        let shape = LatticeShape::new(2, 2, 1, 1).unwrap();
        let segments = [(1, 1, 2), (2, 2, 1), (0, 1, 1), (3, 1, 1), (2, 1, 9), (2, 1, 1), (2, 1, 1)];
        let segments = segments.map(|(end, len, state)| Segment { end, len, state });
        assert_eq!(links(&segments, &shape), [(0, 1), (1, 0)]);
    }

    fn random_links(random: &mut SplitMix, n_source: usize, n_target: usize) -> Vec<WordLink> {
        let n_links = random.below(n_source * n_target * 2);
        (0..n_links).map(|_| (random.below(n_source) as u32, random.below(n_target) as u32)).collect()
    }

    #[test]
    fn segments_cover_the_source_and_add_no_link() {
        let mut n_phrases = 0;
        for seed in 0..500 {
            let mut random = SplitMix::new(seed);
            let (n_source, n_target) = (1 + random.below(7), 1 + random.below(7));
            let shape = LatticeShape::new(n_source, n_target, 1 + random.below(4), 1 + random.below(4)).unwrap();
            let gold = random_links(&mut random, n_source, n_target);
            let found = segments(&gold, &shape).unwrap();
            n_phrases += found.iter().filter(|segment| segment.len > 1).count();

            let transitions = Transitions { jumps: vec![0.0; shape.n_jumps()], ..Transitions::default() };
            let emissions = vec![1.0; shape.n_cells()];
            let score = Scores::new(shape, &emissions, &transitions).unwrap().score_of(&found).unwrap();
            assert_eq!(score, found.len() as f64, "seed {seed}");

            let back = links(&found, &shape);
            assert!(back.is_sorted() && back.iter().all(|link| gold.contains(link)), "seed {seed}");
            // Every word with links keeps one; with phrases of one word, its first.
            let words = |links: &[WordLink]| {
                let mut words: Vec<u32> = links.iter().map(|link| link.0).collect();
                words.sort_unstable();
                words.dedup();
                words
            };
            assert_eq!(words(&back), words(&gold), "seed {seed}");
            assert_eq!(segments(&back, &shape).unwrap(), found, "seed {seed}: once more changes nothing");

            let of_words = LatticeShape::new(n_source, n_target, 1, 1).unwrap();
            let firsts: Vec<WordLink> = words(&gold)
                .into_iter()
                .filter_map(|word| gold.iter().filter(|link| link.0 == word).min().copied())
                .collect();
            assert_eq!(links(&segments(&gold, &of_words).unwrap(), &of_words), firsts, "seed {seed}");

            let unbounded = LatticeShape::new(n_source, n_target, n_source, n_target).unwrap();
            let blocks = sorted(first_blocks(&gold).iter().flat_map(Block::links).collect());
            assert_eq!(links(&segments(&gold, &unbounded).unwrap(), &unbounded), blocks, "seed {seed}");
            assert_eq!(transposed(&transposed(&gold)), sorted(gold), "seed {seed}");
        }
        assert!(n_phrases > 200, "{n_phrases}");
    }

    /// Consecutive blocks on both sides, some of them empty, those of the target shuffled: no link
    /// is lost.
    #[test]
    fn blocks_that_do_not_meet_come_back_whole() {
        let mut n_links = 0;
        for seed in 0..300 {
            let mut random = SplitMix::new(seed);
            let sizes: Vec<(u32, u32, bool)> = (0..1 + random.below(5))
                .map(|_| (1 + random.below(3) as u32, 1 + random.below(3) as u32, random.below(4) > 0))
                .collect();
            let mut order: Vec<usize> = (0..sizes.len()).collect();
            random.shuffle(&mut order);
            let mut gold = Vec::new();
            let mut source = 0;
            for (at, &(n_source, n_target, is_linked)) in sizes.iter().enumerate() {
                let before = order.iter().take_while(|&&other| other != at);
                let target = before.map(|&other| sizes[other].1).sum();
                gold.extend(Block { source, target, n_source, n_target }.links().filter(|_| is_linked));
                source += n_source;
            }
            let n_target: u32 = sizes.iter().map(|size| size.1).sum();
            let shape = LatticeShape::new(source as usize, n_target as usize, 3, 3).unwrap();
            assert_eq!(links(&segments(&gold, &shape).unwrap(), &shape), gold, "seed {seed}");
            n_links += gold.len();
        }
        assert!(n_links > 1000, "{n_links}");
    }

    #[test]
    fn corpora_have_the_published_sizes() {
        // The shares of blocks 1x1, 1x2, 2x2 and 3x3, in either direction, in per cent: Table 2 of
        // the paper.
        let check = |file: &str, n_blocks: usize, n_tokens: usize, shares: [f64; 4]| {
            let Some(path) = resay_testing::corpus("blocks of aligned pairs", file) else { return };
            let pairs = AlignedPairs::read(&path, None).expect(file).rows;
            let of_pair = |pair: &AlignedPair| {
                first_blocks(&pair.sure.iter().map(|&link| WordLink::from(link)).collect::<Vec<_>>())
            };
            let found: Vec<Block> = pairs.iter().flat_map(of_pair).collect();
            let n_found_tokens = found.iter().filter(|block| block.is_token()).count();
            assert_eq!((found.len(), n_found_tokens), (n_blocks, n_tokens), "{file}");
            for ((small, large), share) in [(1, 1), (1, 2), (2, 2), (3, 3)].into_iter().zip(shares) {
                let is_size = |b: &&Block| b.n_source.min(b.n_target) == small && b.n_source.max(b.n_target) == large;
                let n = found.iter().filter(is_size).count();
                assert_eq!((1000.0 * n as f64 / n_blocks as f64).round() / 10.0, share, "{file} {small}x{large}");
            }
        };
        let edinburgh = "edinburgh/synthetic-phrases/gold.synthetic-phrases.train.sure.json";
        check("msr06/synthetic-phrases/RTE2_dev_M.synthetic-phrases.json", 5036, 4494, [89.2, 1.9, 5.7, 1.9]);
        check(edinburgh, 9963, 8162, [81.9, 3.5, 8.3, 3.0]);
    }
}
