//! Order: corresponding words that follow each other in both texts, or do not.

use super::edits::Edits;
use super::words::Side;
use crate::id::{EditKind, WordGroup};

/// Whether "and", "or" or a comma stands between two words, and no verb.
fn is_joined(side: &Side<'_>, first: usize, second: usize) -> bool {
    let between = first + 1..second;
    let joins = |word: usize| matches!(side.lower[word], "and" | "or" | "," | "nor" | "&");
    between.clone().any(joins)
        && !between.clone().any(|word| side.group[word] == WordGroup::Verb || side.lower[word] == "than")
}

/// All measures, in the order of [`OrderMeasure::ALL`], with the words that are inverted.
pub(super) fn measure(sides: &[Side<'_>; 2], edits: &Edits) -> ([f32; 17], Vec<[(usize, usize); 2]>) {
    let [source, target] = sides;
    // Corresponding single content words, by source.
    let mut matched: Vec<(usize, usize)> = Vec::new();
    for edit in &edits.edits {
        let (i, j) = (edit.words[0][0] as usize, edit.words[1][0] as usize);
        if source.is_content(i) && target.is_content(j) && edit.kind != EditKind::Unrelated {
            matched.push((i, j));
        }
    }
    matched.sort_unstable();
    let mut inverted = Vec::new();
    let (mut n_pairs, mut n_names, mut n_nouns) = (0_u32, 0_u32, 0_u32);
    let (mut n_in_list, mut n_apart) = (0_u32, 0_u32);
    for (at, &(i, j)) in matched.iter().enumerate() {
        for &(k, l) in &matched[at + 1..] {
            n_pairs += 1;
            if l < j {
                let is_name = |word: usize| matches!(source.group[word], WordGroup::Name | WordGroup::Number);
                let is_noun = |word: usize| is_name(word) || source.group[word] == WordGroup::Noun;
                if is_joined(source, i, k) && is_joined(target, l, j) {
                    n_in_list += 1;
                } else {
                    n_apart += u32::from(is_noun(i) && is_noun(k));
                }
                n_names += u32::from(is_name(i) && is_name(k));
                n_nouns += u32::from(is_noun(i) && is_noun(k));
                if is_noun(i) && is_noun(k) {
                    inverted.push([(i, j), (k, l)]);
                }
            }
        }
    }
    let n_inverted =
        matched.iter().enumerate().map(|(at, &(_, j))| matched[at + 1..].iter().filter(|next| next.1 < j).count());
    let n_inverted: usize = n_inverted.sum();
    let n_back = matched.windows(2).filter(|pair| pair[1].1 < pair[0].1).count();
    let share = |n: usize, of: usize| if of == 0 { 0.0 } else { n as f32 / of as f32 };
    let kept = |by: isize| {
        let is_kept = |&&(i, j): &&(usize, usize)| {
            let near = |side: &Side<'_>, word: usize| word.checked_add_signed(by).filter(|word| *word < side.len());
            match (near(source, i), near(target, j)) {
                (Some(a), Some(b)) => edits.partner(0, a) == Some(b),
                (None, None) => true,
                _ => false,
            }
        };
        share(matched.iter().filter(is_kept).count(), matched.len())
    };
    let kept_content = matched.windows(2).filter(|pair| {
        let between = pair[0].1.min(pair[1].1) + 1..pair[0].1.max(pair[1].1);
        pair[1].1 > pair[0].1 && !between.clone().any(|word| target.is_content(word))
    });
    let kept_content = share(kept_content.count(), matched.len().saturating_sub(1));
    let pairs_kept = |side: usize| {
        let n = sides[side].len().saturating_sub(1);
        let is_kept = |word: &usize| {
            edits.partner(side, *word).zip(edits.partner(side, word + 1)).is_some_and(|(a, b)| b == a + 1)
        };
        share((0..n).filter(is_kept).count(), n)
    };
    let same = |from_end: bool| {
        let n = source.len().min(target.len());
        let at = |side: &Side<'_>, nth: usize| if from_end { side.len() - 1 - nth } else { nth };
        (0..n).take_while(|&nth| edits.partner(0, at(source, nth)) == Some(at(target, nth))).count() as f32
    };
    let other_head = |relations: &[&str]| {
        let mut n = 0;
        for &(i, j) in &matched {
            let (Some(a), Some(b)) = (source.head[i], target.head[j]) else { continue };
            let is_meant = relations.iter().any(|start| source.relation(i).starts_with(start));
            n += u32::from(is_meant && edits.partner(0, a) != Some(b) && edits.of[0][a].is_some());
        }
        n as f32
    };
    let mut longest = 0;
    let mut run = 0;
    for pair in matched.windows(2) {
        run = if pair[1].1 < pair[0].1 {
            1
        } else if run > 0 {
            run + 1
        } else {
            0
        };
        longest = longest.max(run);
    }
    let values = [
        share(n_inverted, n_pairs as usize),
        share(n_back, matched.len().saturating_sub(1)),
        n_names as f32,
        n_nouns as f32,
        kept(-1),
        kept(1),
        kept_content,
        pairs_kept(0),
        pairs_kept(1),
        same(false),
        same(true),
        share(longest, matched.len()),
        other_head(&["obl", "nmod"]),
        other_head(&["amod", "compound", "nummod", "advmod", "acl"]),
        other_head(&["nsubj", "obj", "iobj"]),
        n_in_list as f32,
        n_apart as f32,
    ];
    (values, inverted)
}
