//! Who does what to whom: the participants of corresponding verbs, in the active or the passive, seen
//! from either side.

use super::edits::Edits;
use super::words::Side;
use crate::id::{EditKind, RoleMeasure, WordGroup};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Agent,
    Patient,
    Oblique,
}

struct Frame {
    is_passive: bool,
    participants: Vec<(Role, usize)>,
}

/// The participants of a verb or predicate.
fn frame(side: &Side<'_>, verb: usize) -> Frame {
    let mut is_passive = side.dependents[verb].iter().any(|&word| side.relation(word).ends_with(":pass"));
    let has_by = || {
        let is_by = |word: usize| side.with_relation(word, "case").any(|case| side.lower[case] == "by");
        side.with_relation(verb, "obl").any(is_by)
    };
    let has_be = || side.with_relation(verb, "aux").any(|word| matches!(side.lemma[word], "be" | "get"));
    let is_participle = side.tag(verb) == "VBN";
    is_passive |= is_participle && (has_be() || (side.relation(verb).starts_with("acl") && has_by()));
    let mut participants = Vec::new();
    for &word in &side.dependents[verb] {
        let relation = side.relation(word);
        let is_by = || side.with_relation(word, "case").any(|case| side.lower[case] == "by");
        let role = match relation {
            "nsubj" | "nsubj:pass" | "csubj" | "csubj:pass" if is_passive => Role::Patient,
            "nsubj" | "csubj" => Role::Agent,
            "nsubj:pass" | "obj" => Role::Patient,
            "obl:agent" => Role::Agent,
            "obl" | "obl:arg" if is_passive && is_by() && side.group[word] != WordGroup::Number => Role::Agent,
            "iobj" | "obl" | "obl:arg" | "nmod" | "nmod:poss" => Role::Oblique,
            "xcomp" | "ccomp" if side.group[word] == WordGroup::Noun => Role::Oblique,
            _ => continue,
        };
        participants.push((role, word));
    }
    // "the man who bit the dog": a relative clause has the noun above it as a participant.
    if side.relation(verb).starts_with("acl")
        && let Some(head) = side.head[verb]
        && !participants.iter().any(|(role, _)| *role == if is_passive { Role::Patient } else { Role::Agent })
    {
        participants.push((if is_passive || side.tag(verb) == "VBN" { Role::Patient } else { Role::Agent }, head));
    }
    Frame { is_passive, participants }
}

/// The person of a pronoun or possessive, by number.
fn person(word: &str) -> Option<u8> {
    Some(match word {
        "i" | "me" | "my" | "mine" | "myself" => 1,
        "you" | "your" | "yours" => 2,
        "he" | "him" | "his" => 3,
        "she" | "her" | "hers" => 4,
        "we" | "us" | "our" | "ours" => 6,
        "they" | "them" | "their" | "theirs" => 7,
        _ => return None,
    })
}

/// The person that a participant is or belongs to: of "our team" and "ours" the same.
fn owner(side: &Side<'_>, word: usize) -> Option<u8> {
    person(side.lower[word])
        .or_else(|| side.with_relation(word, "nmod:poss").find_map(|other| person(side.lower[other])))
}

/// The participant of the other side that a participant corresponds to: that of the same person if
/// both frames tell persons apart, else its own partner.
fn partner<'a>(sides: &[Side<'_>; 2], edits: &Edits, word: usize, frames: &'a [Frame; 2]) -> Option<&'a (Role, usize)> {
    let frame = &frames[1];
    let core = |side: usize| {
        let of = frames[side].participants.iter().map(move |(_, word)| owner(&sides[side], *word));
        of.collect::<Vec<Option<u8>>>()
    };
    let persons = [core(0), core(1)];
    let is_told = |persons: &[Option<u8>]| persons.len() > 1 && persons.iter().flatten().count() > 1;
    if is_told(&persons[0]) && is_told(&persons[1]) {
        let own = owner(&sides[0], word)?;
        return frame.participants.iter().find(|(_, other)| owner(&sides[1], *other) == Some(own));
    }
    let j = edits.edit(0, word).filter(|edit| !matches!(edit.kind, EditKind::Unrelated | EditKind::OtherName))?;
    frame.participants.iter().find(|(_, other)| j.words[1].contains(&(*other as u32)))
}

/// All measures, in the order of [`RoleMeasure::ALL`], with the words whose roles are exchanged.
pub(super) fn measure(sides: &[Side<'_>; 2], edits: &Edits) -> ([f32; 18], Vec<(usize, usize)>) {
    let [source, target] = sides;
    let mut values = [0.0_f32; 18];
    let mut exchanged = Vec::new();
    let mut add = |measure: RoleMeasure, by: f32| values[measure as usize] += by;
    for edit in &edits.edits {
        let is_predicate = |side: &Side<'_>, word: usize| {
            side.group[word] == WordGroup::Verb
                || side.with_relation(word, "cop").next().is_some()
                || side.head[word].is_none()
        };
        let pair = edit.words[0].iter().find_map(|&i| {
            let i = i as usize;
            let j = edit.words[1].iter().map(|&j| j as usize).find(|&j| is_predicate(target, j))?;
            is_predicate(source, i).then_some((i, j))
        });
        let Some((i, j)) = pair else { continue };
        let frames = [frame(source, i), frame(target, j)];
        let is_converse = edit.kind == EditKind::Converse;
        if frames[0].is_passive != frames[1].is_passive {
            add(RoleMeasure::OtherVoice, 1.0);
        }
        for &(role, word) in &frames[0].participants {
            let Some(&(other_role, other)) = partner(sides, edits, word, &frames) else {
                let is_core = role != Role::Oblique;
                if is_core && frames[1].participants.iter().any(|(known, _)| *known == role) {
                    add(RoleMeasure::Replaced, 1.0);
                } else {
                    add(RoleMeasure::Missing, 1.0);
                }
                continue;
            };
            let is_kept = role == other_role;
            let is_core = role != Role::Oblique || other_role != Role::Oblique;
            match (is_kept, is_converse) {
                (true, false) => add(RoleMeasure::Kept, 1.0),
                (true, true) if is_core => add(RoleMeasure::KeptUnderConverse, 1.0),
                (false, false) if is_core => {
                    add(RoleMeasure::Swapped, 1.0);
                    exchanged.push((word, other));
                }
                (false, true) => add(RoleMeasure::SwappedUnderConverse, 1.0),
                _ => {}
            }
        }
    }
    let roots = [source, target].map(|side| side.roots().find(|&root| side.group[root] != WordGroup::Mark));
    let number = |word: Option<usize>| match word {
        None => 31.0,
        Some(word) => edits.kind(0, word).map_or(30.0, |kind| f32::from(kind as u8)),
    };
    if let [Some(a), Some(b)] = roots {
        let meets = edits.edit(0, a).is_some_and(|edit| edit.words[1].contains(&(b as u32)));
        add(RoleMeasure::Roots, f32::from(u8::from(meets)));
        add(RoleMeasure::RootEdit, if meets { number(Some(a)) } else { 30.0 });
        let of = |side: &Side<'_>, root: usize, role: Role| {
            frame(side, root).participants.iter().find(|(known, _)| *known == role).map(|(_, word)| *word)
        };
        for (measure, role) in [(RoleMeasure::SubjectEdit, Role::Agent), (RoleMeasure::ObjectEdit, Role::Patient)] {
            let words = [of(source, a, role), of(target, b, role)];
            let value = match words {
                [Some(i), Some(j)] if edits.edit(0, i).is_some_and(|edit| edit.words[1].contains(&(j as u32))) => {
                    number(Some(i))
                }
                [Some(_), Some(_)] => 30.0,
                [None, None] => 32.0,
                _ => 31.0,
            };
            add(measure, value);
        }
    }
    let turned = [source, target].map(|side| side.lower.contains(&"than"));
    if turned == [true, true] {
        // What stands before "than" here stands behind it there.
        let at = [source, target].map(|side| side.lower.iter().position(|word| *word == "than").unwrap_or_default());
        let n = edits.edits.iter().filter(|edit| {
            let (i, j) = (edit.words[0][0] as usize, edit.words[1][0] as usize);
            let is_thing = matches!(source.group[i], WordGroup::Noun | WordGroup::Name | WordGroup::Pronoun);
            is_thing && (i < at[0]) != (j < at[1])
        });
        add(RoleMeasure::ComparisonTurned, n.count() as f32);
    }
    for (measure, words) in sides_of_predicates(sides, edits) {
        values[measure as usize] += 1.0;
        if measure == RoleMeasure::SidesExchanged {
            exchanged.extend(words);
        }
    }
    for (measure, n) in clauses(sides, edits) {
        values[measure as usize] += n;
    }
    (values, exchanged)
}

/// Which words stand before and behind the same predicate: what holds even where the parser errs.
fn sides_of_predicates(sides: &[Side<'_>; 2], edits: &Edits) -> Vec<(RoleMeasure, [(usize, usize); 2])> {
    let [source, target] = sides;
    let is_thing = |side: &Side<'_>, word: usize| {
        matches!(side.group[word], WordGroup::Noun | WordGroup::Name | WordGroup::Number)
    };
    let single = |edit: &super::edits::Edit| (edit.words[0][0] as usize, edit.words[1][0] as usize);
    let things: Vec<(usize, usize)> = edits
        .edits
        .iter()
        .filter(|edit| edit.kind.is_equal())
        .map(single)
        .filter(|(i, j)| is_thing(source, *i) && is_thing(target, *j))
        .collect();
    let is_predicate =
        |(i, j): (usize, usize)| source.group[i] == WordGroup::Verb || target.group[j] == WordGroup::Verb;
    let predicates = edits
        .edits
        .iter()
        .filter(|edit| (edit.kind.is_equal() || edit.kind == EditKind::Converse) && is_predicate(single(edit)));
    let is_by = |side: &Side<'_>, word: usize| (word.saturating_sub(3)..word).any(|before| side.lower[before] == "by");
    let mut out = Vec::new();
    for edit in predicates {
        let (v, w) = single(edit);
        // The nearest thing on either side of the source's predicate.
        let before = things.iter().filter(|(i, _)| *i < v).max();
        let behind = things.iter().filter(|(i, _)| *i > v).min();
        let (Some(&(i, j)), Some(&(k, l))) = (before, behind) else { continue };
        // A converse turns the sides around as a passive does.
        let is_passive = (is_by(source, i) || is_by(source, k)) != (is_by(target, j) || is_by(target, l));
        let is_turned = is_passive || edit.kind == EditKind::Converse;
        let measure = match (j < w, l < w, is_turned) {
            (false, true, false) => RoleMeasure::SidesExchanged,
            (false, true, true) => RoleMeasure::SidesExchangedInPassive,
            (true, false, true) if !is_passive => RoleMeasure::SidesExchanged,
            (true, false, false) => RoleMeasure::SidesKept,
            _ => continue,
        };
        out.push((measure, [(i, j), (k, l)]));
    }
    out
}

/// Clauses joined by "before", "because" and the like, and what became of their order.
fn clauses(sides: &[Side<'_>; 2], edits: &Edits) -> Vec<(RoleMeasure, f32)> {
    // The word that joins, the main verb and the verb below it.
    let joined = [0, 1].map(|side: usize| {
        let here = &sides[side];
        let mut found: Vec<(&str, usize, usize)> = Vec::new();
        for word in 0..here.len() {
            if !matches!(here.relation(word), "mark" | "advmod" | "case") {
                continue;
            }
            let joins = matches!(
                here.lower[word],
                "before"
                    | "after"
                    | "because"
                    | "if"
                    | "unless"
                    | "until"
                    | "when"
                    | "while"
                    | "since"
                    | "though"
                    | "although"
                    | "so"
            );
            if let Some(below) = here.head[word].filter(|_| joins)
                && let Some(above) = here.head[below]
            {
                found.push((here.lower[word], above, below));
            }
        }
        found
    });
    const CONVERSE: [(&str, &str); 3] = [("before", "after"), ("because", "so"), ("until", "since")];
    let mut out = Vec::new();
    let meets = |i: usize, j: usize| edits.edit(0, i).is_some_and(|edit| edit.words[1].contains(&(j as u32)));
    for &(word, above, below) in &joined[0] {
        for &(other, other_above, other_below) in &joined[1] {
            let is_converse = CONVERSE.iter().any(|&(a, b)| (a == word && b == other) || (b == word && a == other));
            let is_turned = meets(above, other_below) || meets(below, other_above);
            let is_kept = meets(above, other_above) || meets(below, other_below);
            match (is_turned && !is_kept, word == other, is_converse) {
                (true, true, _) => out.push((RoleMeasure::ClausesTurned, 1.0)),
                (true, _, true) => out.push((RoleMeasure::ClausesTurnedWithConverse, 1.0)),
                (false, false, _) if is_kept => out.push((RoleMeasure::ClausesUnderOther, 1.0)),
                _ => {}
            }
        }
    }
    out
}
