//! Phrases synthesised from chunks, as Yao et al. (2013) made the phrasal corpora MSR06P and EDB++P
//! from word links.
//!
//! Annotators link "the old man" to "that old man" word by word, which says nothing about phrases.
//! If a source chunk and a target chunk are equally long and their words are linked one to one, in
//! order, and in no other way, the two chunks are taken to be linked as wholes, every word to every
//! word. Links are only ever added.
//!
//! The released code skips a chunk that ends with the last word of a sentence, which is a bug; here
//! it is a chunk like any other.

use resay_learn::eval::blocks::{Block, WordLink};
use resay_text::Analysis;
use std::collections::BTreeSet;
use std::ops::Range;

/// Returns the links, sorted, with those that the chunks add. Chunks are ranges of words, in any
/// order.
pub fn synthesise(links: &[WordLink], source_chunks: &[Range<usize>], target_chunks: &[Range<usize>]) -> Vec<WordLink> {
    let links: BTreeSet<WordLink> = links.iter().copied().collect();
    let mut filled = links.clone();
    for source in source_chunks.iter().filter(|chunk| chunk.len() >= 2) {
        for target in target_chunks.iter().filter(|chunk| chunk.len() == source.len()) {
            filled.extend(diagonal(&links, source, target).into_iter().flat_map(|block| block.links()));
        }
    }
    filled.into_iter().collect()
}

/// Returns the block of two equally long chunks if its links are exactly those of the diagonal.
fn diagonal(links: &BTreeSet<WordLink>, source: &Range<usize>, target: &Range<usize>) -> Option<Block> {
    let number = |word: usize| u32::try_from(word).ok();
    let (first, after) = (number(target.start)?, number(target.end)?);
    // Row i of the block has one link, in column i.
    for (row, column) in (number(source.start)?..number(source.end)?).zip(first..after) {
        let mut in_row = links.range((row, first)..(row, after));
        if in_row.next() != Some(&(row, column)) || in_row.next().is_some() {
            return None;
        }
    }
    let len = after.checked_sub(first)?;
    Some(Block { source: number(source.start)?, target: first, n_source: len, n_target: len })
}

/// Returns the chunks of a sentence, from left to right, as ranges of words. A word that continues
/// a chunk of another kind than the previous word starts a new one, because external files write it
/// so. Words without a chunk, or without that layer, are in none.
pub fn chunks(analysis: &Analysis) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open = None;
    for (at, word) in analysis.words.iter().enumerate() {
        let (begins, kind) = match word.chunk.as_deref().and_then(|tag| tag.split_once('-')) {
            Some(("B", kind)) => (true, Some(kind)),
            Some(("I", kind)) => (open != Some(kind), Some(kind)),
            _ => (false, None),
        };
        match found.last_mut() {
            Some(chunk) if kind.is_some() && !begins => chunk.end = at + 1,
            _ if kind.is_some() => found.push(at..at + 1),
            _ => {}
        }
        open = kind;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::AlignedPairs;
    use crate::resources::Resources;
    use resay_learn::eval::alignment::Counts;
    use resay_text::{EnglishScratch, Layers};

    fn ranges(ends: &[(usize, usize)]) -> Vec<Range<usize>> {
        ends.iter().map(|&(start, end)| start..end).collect()
    }

    #[test]
    fn tags_become_ranges() {
        let check = |tags: &str, expected: &[(usize, usize)]| {
            let mut analysis = Analysis::from_forms(tags.split(' '));
            for (word, tag) in analysis.words.iter_mut().zip(tags.split(' ')) {
                word.chunk = (tag != "_").then(|| tag.to_owned().into());
            }
            assert_eq!(chunks(&analysis), ranges(expected), "{tags}");
        };
        check("O O", &[]);
        check("_ _", &[]);
        check("B-NP I-NP O B-VP", &[(0, 2), (3, 4)]);
        check("B-NP B-NP I-NP I-NP", &[(0, 1), (1, 4)]);
        check("I-NP I-NP O I-NP", &[(0, 2), (3, 4)]);
        check("B-NP I-VP I-VP _ I-VP", &[(0, 1), (1, 3), (4, 5)]);
        check("B- I- X-NP B", &[(0, 2)]);
        assert_eq!(chunks(&Analysis::default()), []);
    }

    #[test]
    fn chunks_on_a_diagonal_are_filled() {
        // One line of text per source word: `x` is a link, `+` an added one.
        let check = |rows: &[&str], source: &[(usize, usize)], target: &[(usize, usize)]| {
            let picture = |kinds: &[u8]| -> Vec<WordLink> {
                let rows = (0..).zip(rows);
                let cells = rows
                    .flat_map(|(source, row)| (0..).zip(row.bytes()).map(move |(target, cell)| (source, target, cell)));
                cells.filter(|cell| kinds.contains(&cell.2)).map(|(source, target, _)| (source, target)).collect()
            };
            let mut links = picture(b"x");
            links.reverse();
            assert_eq!(synthesise(&links, &ranges(source), &ranges(target)), picture(b"x+"), "{rows:?}");
        };
        check(&[], &[], &[]);
        check(&["x+", "+x"], &[(0, 2)], &[(0, 2)]);
        check(&["x.", ".x"], &[(0, 2)], &[]);
        check(&["x.", ".x"], &[(0, 1), (1, 2)], &[(0, 1), (1, 2)]);
        // Not the diagonal: a link missing, a link too many, reversed, shifted by one.
        check(&["x..", ".x.", "..."], &[(0, 3)], &[(0, 3)]);
        check(&["xx", ".x"], &[(0, 2)], &[(0, 2)]);
        check(&[".x", "x."], &[(0, 2)], &[(0, 2)]);
        check(&[".x.", "..x"], &[(0, 2)], &[(0, 2)]);
        // Unequal lengths.
        check(&["x..", ".x."], &[(0, 2)], &[(0, 3)]);
        // Links outside the block do not matter, and stay.
        check(&["..x", "x+.", "+xx", "x.."], &[(1, 3)], &[(0, 2)]);
        // Two crossing chunks; the last ones end with the sentence.
        check(&["..x+", "..+x", "x+..", "+x.."], &[(0, 2), (2, 4)], &[(0, 2), (2, 4)]);
        // Ranges outside the sentence.
        let strange = [(2, 0), (0, usize::MAX), (7, 9)];
        check(&["x.", ".x"], &strange, &strange);
    }

    /// The published phrases were made with another chunker, and from a file that had lost some
    /// word links. The test compares the links our chunks add with those added there. Measured:
    /// precision 0.561, recall 0.868.
    #[test]
    fn our_chunks_make_about_the_published_phrases() {
        let corpus = |file: &str| resay_testing::corpus("phrases from chunks", file);
        let Some(words) = corpus("msr06/converted/RTE2_dev_M.align.txt") else { return };
        let Some(phrases) = corpus("msr06/synthetic-phrases/RTE2_dev_M.synthetic-phrases.json") else { return };
        let (words, phrases) = (AlignedPairs::read(&words, None).unwrap(), AlignedPairs::read(&phrases, None).unwrap());
        assert_eq!(words.len(), phrases.len());
        let english = Resources::bundled().english(Layers { chunks: true, ..Layers::NONE }).unwrap();
        let mut scratch = EnglishScratch::default();
        let (mut found, mut published) = (Vec::new(), Vec::new());
        for (at, (of_words, of_phrases)) in words.rows.iter().zip(&phrases.rows).enumerate() {
            assert_eq!((&of_words.source, &of_words.target), (&of_phrases.source, &of_phrases.target), "pair {at}");
            let mut chunks_of = |forms: &[String]| {
                let mut analysis = Analysis::from_forms(forms.iter().map(String::as_str));
                english.fill(&mut analysis, &mut scratch);
                chunks(&analysis)
            };
            let (source, target) = (chunks_of(&of_words.source), chunks_of(&of_words.target));
            let gold: Vec<WordLink> = of_words.sure.iter().map(|&link| link.into()).collect();
            let theirs: Vec<WordLink> = of_phrases.sure.iter().map(|&link| link.into()).collect();
            let is_new = |link: &WordLink| !gold.contains(link);
            found.extend(synthesise(&gold, &source, &target).into_iter().filter(is_new).map(|link| (at, link)));
            published.extend(theirs.into_iter().filter(is_new).map(|link| (at, link)));
        }
        let counts = Counts::of(&found, &published);
        assert!(counts.precision() > 0.5 && counts.recall() > 0.8, "{counts:?}");
    }
}
