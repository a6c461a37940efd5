//! A Bloom filter that rejects most unrelated pairs of lemmas. Nearly all pairs are unrelated, and
//! finding that out sense by sense, up the hierarchy, would take longer than all other queries
//! about them.

use super::{LemmaId, PointerKind, Pos, SenseId, SynsetId, WordNet, ancestors, last_of, unpacked};

/// The lemmas that share a synset with a lemma or are reached by pointers that lead up, sideways or
/// from word to word: one bit per lemma id modulo 1024. Pointers that lead down are covered from
/// the other side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    lemma: LemmaId,
    bits: [u64; 16],
}

impl Reach {
    fn insert(&mut self, lemma: LemmaId) {
        self.bits[(lemma.0 >> 6 & 15) as usize] |= 1 << (lemma.0 & 63);
    }

    fn may_have(&self, lemma: LemmaId) -> bool {
        self.bits[(lemma.0 >> 6 & 15) as usize] >> (lemma.0 & 63) & 1 == 1
    }

    /// Whether the two lemmas may be related, in either direction.
    pub(crate) fn may_relate(&self, other: &Self) -> bool {
        self.may_have(other.lemma) || other.may_have(self.lemma)
    }
}

impl WordNet {
    /// Builds the filter of a lemma, in one part of speech or any, with hypernyms up to `depth`
    /// steps above it.
    pub(crate) fn reach(&self, lemma: LemmaId, pos: Option<Pos>, depth: u8) -> Reach {
        let mut reach = Reach { lemma, bits: [0; 16] };
        // A lemma without senses reaches itself, too.
        reach.insert(lemma);
        let (row, next) = self.rows(lemma);
        let mut members = |synset: u32| self.members(SynsetId(synset)).for_each(|lemma| reach.insert(lemma));
        let last_hypernym = last_of(PointerKind::InstanceHypernym);
        for &synset in self.in_pos(row.sense, next.sense, pos).1 {
            members(synset);
            for &pointer in self.ups.row(synset as usize) {
                let target = unpacked(pointer).1;
                members(target);
                let above = self.ancestors.of(target).iter().map(|&ancestor| ancestors::unpack(ancestor));
                let above = above.take_while(|&(_, distance)| distance < u32::from(depth));
                above.filter(|_| pointer <= last_hypernym).for_each(|(ancestor, _)| members(ancestor));
            }
        }
        let lexical = &self.lexical[row.lexical as usize..next.lexical as usize];
        let targets = lexical.iter().map(|pointer| SenseId(unpacked(pointer.kind_and_target).1));
        targets.filter_map(|sense| self.lemma_of(sense)).for_each(|lemma| reach.insert(lemma));
        reach
    }
}

#[cfg(test)]
mod tests {
    use super::super::toy;
    use super::*;
    use crate::testing;
    use resay_learn::rng::SplitMix;

    fn check(wordnet: &WordNet, [a, b]: [LemmaId; 2], [a_pos, b_pos]: [Option<Pos>; 2], depth: u8) -> bool {
        let [of_a, of_b] = [(a, a_pos), (b, b_pos)].map(|(lemma, pos)| wordnet.reach(lemma, pos, depth));
        let found = wordnet.relations(a, a_pos, b, b_pos, depth);
        let words = (wordnet.word(a), a_pos, wordnet.word(b), b_pos, depth);
        assert!(of_a.may_relate(&of_b) || found.is_empty(), "{words:?}: {found:?}");
        of_a.may_relate(&of_b)
    }

    #[test]
    fn what_is_related_is_never_denied() {
        toy::each_question(|wordnet, lemmas, parts, depth| _ = check(wordnet, lemmas, parts, depth));
    }

    #[test]
    fn most_of_what_is_not_related_is_denied() {
        let wordnet = &*testing::wordnet();
        let mut random = SplitMix::new(5);
        let n = wordnet.n_lemmas();
        let (mut n_maybe, mut n_checked) = (0, 0);
        for _ in 0..20_000 {
            let a = LemmaId(random.below(n) as u32);
            // Also checks neighbours in meaning, which are mostly related and are not counted.
            let near = wordnet.synsets(a, None).flat_map(|synset| wordnet.pointers(synset)).map(|(_, synset)| synset);
            let near: Vec<LemmaId> = near.take(20).flat_map(|synset| wordnet.members(synset)).collect();
            near.into_iter().for_each(|b| _ = check(wordnet, [a, b], [None; 2], 3));
            n_maybe += usize::from(check(wordnet, [a, LemmaId(random.below(n) as u32)], [None; 2], 3));
            n_checked += 1;
        }
        assert!(n_maybe * 10 < n_checked, "{n_maybe} of {n_checked}");
    }
}
