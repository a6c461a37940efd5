//! Natural logic (MacCartney and Manning 2009): every edit has one of seven relations, projected through
//! the negations and quantifiers that it stands under; joined, they say how the texts are related.
//!
//! The relations are those of two sets, and `join` is what follows about x and z from x R y and
//! y S z. Where several relations are possible, the join is `Independent`, which says nothing.

use super::edits::Edits;
use super::words::Side;
use crate::id::{EditKind, LogicRelation, PolarityMeasure, TextRelation, WordGroup};

use LogicRelation::{Alternation, Cover, Equal, Forward, Independent, Negation, Reverse};

impl LogicRelation {
    /// What follows about x and z from x `self` y and y `next` z.
    pub fn join(self, next: Self) -> Self {
        match (self, next) {
            (Equal, other) | (other, Equal) => other,
            (Forward, Forward) | (Negation, Cover) | (Alternation, Negation | Cover) => Forward,
            (Reverse, Reverse) | (Negation, Alternation) | (Cover, Negation | Alternation) => Reverse,
            (Negation, Negation) => Equal,
            (Forward, Negation | Alternation) | (Negation | Alternation, Reverse) => Alternation,
            (Reverse, Negation | Cover) | (Negation | Cover, Forward) => Cover,
            _ => Independent,
        }
    }

    /// The relation of what stands under a negation.
    fn negated(self) -> Self {
        match self {
            Forward => Reverse,
            Reverse => Forward,
            Alternation => Cover,
            Cover => Alternation,
            same => same,
        }
    }

    /// The relation of what stands in another place that turns implications around: "all ...", "if ...".
    fn in_restriction(self) -> Self {
        match self {
            Forward => Reverse,
            Reverse => Forward,
            Negation | Cover => Alternation,
            Alternation => Independent,
            same => same,
        }
    }

    /// What it says about two texts.
    pub fn relation(self) -> TextRelation {
        match self {
            Equal => TextRelation::Equivalent,
            Forward => TextRelation::Forward,
            Reverse => TextRelation::Backward,
            Negation | Alternation => TextRelation::Contradiction,
            Cover | Independent => TextRelation::Neutral,
        }
    }
}

/// What natural logic finds.
#[derive(Debug)]
pub(super) struct Logic {
    /// The joined relation where whatever is unknown is independent, and where it is taken as equal
    /// or as a detail.
    pub(super) joined: [LogicRelation; 2],
    pub(super) polarity: [f32; 8],
}

/// How the roles of the participants bear on it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RolesFound {
    pub(super) n_swapped: f32,
    pub(super) n_kept_under_converse: f32,
    pub(super) n_swapped_under_converse: f32,
}

pub(super) fn find(sides: &[Side<'_>; 2], edits: &Edits, roles: RolesFound) -> Logic {
    let mut polarity = [0.0_f32; 8];
    let mut joined = [Equal; 2];
    let mut is_turned = false;
    let mut n_opposites = 0;
    let add = |joined: &mut [LogicRelation; 2], relations: [LogicRelation; 2]| {
        for (joined, relation) in joined.iter_mut().zip(relations) {
            *joined = joined.join(relation);
        }
    };
    for edit in &edits.edits {
        let (i, j) = (edit.words[0][0] as usize, edit.words[1][0] as usize);
        let counts = [sides[0].negations[i], sides[1].negations[j]];
        let is_once = (counts[0] + counts[1]) % 2 == 1;
        let is_predicate =
            sides[0].group[i] == WordGroup::Verb || sides[0].head[i].is_none() || sides[1].head[j].is_none();
        if edit.kind.is_opposite() {
            n_opposites += 1;
        }
        if !sides[0].is_content(i) && !sides[1].is_content(j) && !edit.kind.is_opposite() {
            if let Some(relation) = quantified(edit.kind) {
                add(&mut joined, [relation; 2]);
            }
            continue;
        }
        let mut count = |measure: PolarityMeasure| polarity[measure as usize] += 1.0;
        match (edit.kind.is_opposite(), is_once) {
            (true, true) => {
                count(PolarityMeasure::OppositeNegatedOnce);
                if is_predicate {
                    count(PolarityMeasure::PredicateCancelled);
                }
            }
            (true, false) => {
                count(PolarityMeasure::OppositeAlike);
                if is_predicate {
                    count(PolarityMeasure::PredicateOpposed);
                }
            }
            (false, true) if edit.kind.is_equal() => {
                count(PolarityMeasure::EqualNegatedOnce);
                if is_predicate {
                    count(PolarityMeasure::PredicateNegatedOnce);
                }
            }
            _ => {}
        }
        if is_once && is_predicate {
            is_turned = true;
        }
        let relations = relations(edit.kind, edit.cosine);
        let project = |relation: LogicRelation| {
            let relation = if counts[0] % 2 == 1 { relation.negated() } else { relation };
            if is_restricted(&sides[0], i) { relation.in_restriction() } else { relation }
        };
        add(&mut joined, relations.map(project));
    }
    for (side, here) in sides.iter().enumerate() {
        for word in 0..here.len() {
            if edits.of[side][word].is_some() || !here.is_content(word) {
                continue;
            }
            let is_detail = here.head[word].is_some_and(|head| edits.of[side][head].is_some())
                && ["amod", "advmod", "nmod", "obl", "acl", "advcl", "compound", "nummod", "appos"]
                    .iter()
                    .any(|start| here.relation(word).starts_with(start));
            let dropped = if side == 0 { Forward } else { Reverse };
            let dropped = if here.negations[word] % 2 == 1 { dropped.negated() } else { dropped };
            let dropped = if is_restricted(here, word) { dropped.in_restriction() } else { dropped };
            add(&mut joined, [Independent, if is_detail { dropped } else { Independent }]);
        }
    }
    if is_turned {
        add(&mut joined, [Negation; 2]);
    }
    if roles.n_swapped > 0.0 || (roles.n_kept_under_converse > roles.n_swapped_under_converse) {
        add(&mut joined, [Alternation; 2]);
    }
    let n_negating = [0, 1].map(|side: usize| {
        (0..sides[side].len()).filter(|&word| super::operators::is_negating(&sides[side], word)).count()
    });
    let odd = (n_negating[0] + n_negating[1] + n_opposites) % 2;
    polarity[PolarityMeasure::Odd as usize] = odd as f32;
    polarity[PolarityMeasure::OddNegations as usize] = ((n_negating[0] + n_negating[1]) % 2) as f32;
    Logic { joined, polarity }
}

/// The relations of an edit: strictly, and if what is similar counts as equal.
fn relations(kind: EditKind, cosine: f32) -> [LogicRelation; 2] {
    match kind {
        kind if kind.is_equal() => [Equal; 2],
        EditKind::Paraphrase => [Independent, Equal],
        EditKind::General | EditKind::Hypernym | EditKind::NumberImplies => [Forward; 2],
        EditKind::Specific | EditKind::Hyponym | EditKind::NumberImplied => [Reverse; 2],
        EditKind::Opposite | EditKind::Antonym | EditKind::Denied => [Negation; 2],
        EditKind::Alternative | EditKind::NumberDiffers => [Alternation; 2],
        EditKind::OtherName => [Alternation; 2],
        // The exchange of participants is looked at separately.
        EditKind::Converse => [Equal; 2],
        EditKind::Similar if cosine > 0.6 => [Independent, Equal],
        _ => [Independent; 2],
    }
}

/// The relation of two function words that the table of phrases knows.
fn quantified(kind: EditKind) -> Option<LogicRelation> {
    match kind {
        EditKind::General => Some(Forward),
        EditKind::Specific => Some(Reverse),
        EditKind::Opposite => Some(Negation),
        EditKind::Alternative => Some(Alternation),
        _ => None,
    }
}

/// Whether a word stands where implications turn around: under "all", "every", "each", "if", "without".
fn is_restricted(side: &Side<'_>, word: usize) -> bool {
    let mut at = word;
    for _ in 0..side.len() {
        let is_universal =
            side.with_relation(at, "det").any(|det| matches!(side.lower[det], "all" | "every" | "each" | "any"));
        let is_condition = side.with_relation(at, "mark").any(|mark| matches!(side.lower[mark], "if" | "unless"));
        let is_without = side.with_relation(at, "case").any(|case| side.lower[case] == "without");
        if is_condition || is_without || (is_universal && at != word) {
            return true;
        }
        match side.head[at] {
            Some(head) => at = head,
            None => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relation of two sets of a universe of `n` things, as bit masks.
    fn between(a: u32, b: u32, everything: u32) -> LogicRelation {
        let (is_disjoint, is_all) = (a & b == 0, a | b == everything);
        match () {
            () if a == b => Equal,
            () if a & b == a => Forward,
            () if a & b == b => Reverse,
            () if is_disjoint && is_all => Negation,
            () if is_disjoint => Alternation,
            () if is_all => Cover,
            () => Independent,
        }
    }

    /// The table against all triples of sets in a universe of five things.
    #[test]
    fn joins_are_what_holds_of_all_sets() {
        let everything = (1_u32 << 5) - 1;
        let sets = || 1..everything;
        let mut possible = vec![vec![Vec::new(); 7]; 7];
        for x in sets() {
            for y in sets() {
                let first = between(x, y, everything);
                for z in sets() {
                    let (second, joined) = (between(y, z, everything), between(x, z, everything));
                    let known: &mut Vec<LogicRelation> = &mut possible[first as usize][second as usize];
                    if !known.contains(&joined) {
                        known.push(joined);
                    }
                }
            }
        }
        for first in LogicRelation::ALL {
            for second in LogicRelation::ALL {
                let found = &possible[first as usize][second as usize];
                let expected = if found.len() == 1 { found[0] } else { Independent };
                assert_eq!(first.join(second), expected, "{first:?} {second:?}: {found:?}");
            }
        }
    }

    #[test]
    fn negation_turns_relations_around_as_complements_do() {
        let everything = (1_u32 << 4) - 1;
        for x in 1..everything {
            for y in 1..everything {
                let negated = between(everything & !x, everything & !y, everything);
                assert_eq!(between(x, y, everything).negated(), negated);
            }
        }
    }
}
