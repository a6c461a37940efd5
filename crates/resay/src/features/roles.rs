//! Who does what to whom: the roles of words that both sentences have, in the active or the
//! passive.

use super::{Correspondence, FeatureExtractor};
use crate::align::{Class, Level};
use crate::id::Feature;

/// The role of a word under its head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role<'a> {
    /// The one who acts.
    Agent,
    /// The one acted upon.
    Patient,
    /// The recipient.
    Receiver,
    /// Given by a preposition.
    By(&'a str),
    /// Given by the relation alone.
    Other(&'a str),
}

/// Returns the role of a word, and its head.
fn role<'a>(pair: &'a Correspondence<'_>, side: usize, word: usize) -> Option<(Role<'a>, usize)> {
    let head = pair.side(side)[word].head?;
    let relation = pair.relation(side, word);
    let preposition = || {
        let case = pair.dependents(side, word).iter().find(|&&other| pair.relation(side, other) == "case");
        case.map(|&case| pair.lower(side, case))
    };
    let is_passive = || {
        pair.dependents(side, head).iter().any(|&other| {
            let relation = pair.relation(side, other);
            relation == "aux:pass" || relation == "nsubj:pass"
        })
    };
    let role = match relation {
        "nsubj" | "csubj" if is_passive() => Role::Patient,
        "nsubj" | "csubj" => Role::Agent,
        "nsubj:pass" | "obj" => Role::Patient,
        "iobj" => Role::Receiver,
        "obl:agent" => Role::Agent,
        "obl" | "obl:arg" | "nmod" if preposition() == Some("by") && is_passive() => Role::Agent,
        "obl" | "obl:arg" | "nmod" => preposition().map_or(Role::Other("obl"), Role::By),
        "acl:relcl" | "acl" => return None,
        other => Role::Other(other),
    };
    Some((role, head))
}

pub(super) fn extract(out: &mut FeatureExtractor<'_>) {
    let pair = out.pair;
    let mut exchanged: Vec<(usize, usize)> = Vec::new();
    let (mut n_kept, mut n_moved) = (0_u32, 0_u32);
    for i in pair.content(0) {
        for j in (0..pair.n_words(1)).filter(|&j| pair.compared.level(i, j) >= Level::Lemma) {
            let (Some((one, head)), Some((other, other_head))) = (role(pair, 0, i), role(pair, 1, j)) else {
                continue;
            };
            let is_same_head =
                pair.compared.level(head, other_head) >= Level::Synonym || pair.partners(0, head).contains(&other_head);
            if !is_same_head {
                n_moved += 1;
                continue;
            }
            let is_core = |role: Role<'_>| matches!(role, Role::Agent | Role::Patient | Role::Receiver);
            if one == other {
                n_kept += 1;
            } else if is_core(one) && is_core(other) && !is_dative(one, other) {
                exchanged.push((i, j));
            }
        }
    }
    let feature = out.put(Feature::AgentAndPatientExchanged, exchanged.len() as f64);
    for (i, j) in exchanged {
        out.point(feature, &[i], &[j]);
    }
    let crossed = crossed(pair);
    let feature = out.put(Feature::PlacesExchanged, crossed.len() as f64);
    for (first, second) in crossed {
        out.point(feature, &[first.0, second.0], &[first.1, second.1]);
    }
    let turned = turned(pair);
    let feature = out.put(Feature::OrderReversed, turned.len() as f64);
    for (source, target) in turned {
        out.point(feature, &source, &target);
    }
    let n_roles = f64::from(n_kept + n_moved).max(1.0);
    out.put(Feature::OtherHeads, f64::from(n_moved) / n_roles);
    edges(out);
}

/// "gave her a book" and "gave a book to her": the recipient is not a patient, however the parser
/// labels two objects.
fn is_dative(one: Role<'_>, other: Role<'_>) -> bool {
    let is_object = |role: Role<'_>| matches!(role, Role::Patient | Role::Receiver);
    is_object(one) && is_object(other)
}

/// Returns pairs of words that swapped places: under aligned heads, each with the role of the
/// other.
#[allow(clippy::type_complexity, reason = "two words of either sentence")]
fn crossed(pair: &Correspondence<'_>) -> Vec<((usize, usize), (usize, usize))> {
    let shared = shared_nouns(pair);
    let mut found = Vec::new();
    for (at, &(a, to_a)) in shared.iter().enumerate() {
        for &(b, to_b) in &shared[at + 1..] {
            let roles = (role(pair, 0, a), role(pair, 0, b), role(pair, 1, to_a), role(pair, 1, to_b));
            let (
                Some((role_a, head_a)),
                Some((role_b, head_b)),
                Some((there_a, to_head_a)),
                Some((there_b, to_head_b)),
            ) = roles
            else {
                continue;
            };
            let fits = |head: usize, there: usize| {
                pair.compared.level(head, there) >= Level::Synonym || pair.partners(0, head).contains(&there)
            };
            let is_crossed =
                role_a == there_b && role_b == there_a && fits(head_a, to_head_b) && fits(head_b, to_head_a);
            let is_kept = role_a == there_a && role_b == there_b && fits(head_a, to_head_a) && fits(head_b, to_head_b);
            if is_crossed && !is_kept {
                found.push(((a, to_a), (b, to_b)));
            }
        }
    }
    found
}

/// Returns the preposition before a noun, if any, with no noun, verb or punctuation mark between.
fn after<'a>(pair: &'a Correspondence<'_>, side: usize, noun: usize) -> Option<&'a str> {
    for word in (noun.saturating_sub(4)..noun).rev() {
        match pair.tag(side, word) {
            "IN" | "TO" => return Some(pair.lower(side, word)),
            tag if tag.starts_with("NN") || tag.starts_with("VB") || pair.side(side)[word].class() == Class::Mark => {
                return None;
            }
            _ => {}
        }
    }
    None
}

/// Returns whether a verb looks passive by the words around it alone: a form of "be" shortly
/// before, "by" shortly after.
fn looks_passive(pair: &Correspondence<'_>, side: usize, word: usize) -> bool {
    let is_be = |at: usize| matches!(pair.lemma(side, at), "be" | "get");
    let before = (word.saturating_sub(3)..word).any(is_be);
    let behind = (word + 1..pair.n_words(side).min(word + 5)).any(|at| pair.lower(side, at) == "by");
    before && behind
}

/// Returns nouns that swapped places although the words around them did not, whatever the parse: "A
/// beat B" and "B beat A", "from A to B" and "from B to A", "A thanked B" and "A was thanked by B".
fn turned(pair: &Correspondence<'_>) -> Vec<([usize; 2], [usize; 2])> {
    let shared = shared_nouns(pair);
    // Other words with exactly one match in the target: the words that the nouns are arranged
    // around.
    let middles: Vec<(usize, usize)> = (0..pair.n_words(0))
        .filter(|&i| !matches!(pair.side(0)[i].class(), Class::Mark | Class::Name))
        .filter_map(|i| {
            let mut there = (0..pair.n_words(1)).filter(|&j| pair.compared.level(i, j) >= Level::Lemma);
            let j = there.next()?;
            let is_once = there.next().is_none()
                && (0..pair.n_words(0)).filter(|&other| pair.compared.level(other, j) >= Level::Lemma).count() == 1;
            (is_once && pair.side(0)[i].class() > Class::Mark).then_some((i, j))
        })
        .collect();
    let mut found = Vec::new();
    for (at, &(a, to_a)) in shared.iter().enumerate() {
        for &(b, to_b) in &shared[at + 1..] {
            let places = [after(pair, 0, a), after(pair, 0, b), after(pair, 1, to_a), after(pair, 1, to_b)];
            let by_preposition = places[0] != places[1] && places[0] == places[3] && places[1] == places[2];
            let is_plain = |role: Option<&str>| role.is_none() || role == Some("by");
            let is_around = |&(v, to_v): &(usize, usize)| {
                let is_between = a < v && v < b && ![a, b].contains(&v);
                let passive = looks_passive(pair, 0, v) != looks_passive(pair, 1, to_v);
                let crosses = to_b < to_v && to_v < to_a;
                let stays = to_a < to_v && to_v < to_b;
                is_between && ((crosses && !passive) || (stays && passive))
            };
            let by_order = places.iter().all(|place| is_plain(*place)) && middles.iter().any(is_around);
            if by_preposition || by_order {
                found.push(([a, b], [to_a, to_b]));
            }
        }
    }
    found
}

/// Returns the nouns, names and numbers of the source with exactly one match in the target.
fn shared_nouns(pair: &Correspondence<'_>) -> Vec<(usize, usize)> {
    let is_noun = |class: Class| matches!(class, Class::Name | Class::Noun | Class::Number);
    let only = |i: usize| {
        let mut there = (0..pair.n_words(1)).filter(|&j| pair.compared.level(i, j) >= Level::Lemma);
        let first = there.next()?;
        there.next().is_none().then_some((i, first))
    };
    pair.content(0).filter(|&i| is_noun(pair.side(0)[i].class())).filter_map(only).collect()
}

/// Dependency edges that both trees share, and whether their roots match.
fn edges(out: &mut FeatureExtractor<'_>) {
    let pair = out.pair;
    let mut n_kept = 0.0;
    for i in 0..pair.n_words(0) {
        let Some(head) = pair.side(0)[i].head else { continue };
        let is_kept = pair
            .partners(0, i)
            .iter()
            .any(|&j| pair.side(1)[j].head.is_some_and(|other| pair.partners(0, head).contains(&other)));
        n_kept += f64::from(u8::from(is_kept));
    }
    let n_edges = |side: usize| (pair.n_words(side).max(2) - 1) as f64;
    out.both(Feature::EdgesKept, n_kept / n_edges(0), n_kept / n_edges(1));
    let roots = |side: usize| (0..pair.n_words(side)).filter(move |&word| pair.side(side)[word].head.is_none());
    let is_linked = roots(0).any(|i| roots(1).any(|j| pair.partners(0, i).contains(&j)));
    let is_same = roots(0).any(|i| roots(1).any(|j| pair.compared.level(i, j) >= Level::Lemma));
    out.put(Feature::RootsAligned, f64::from(u8::from(is_linked)));
    out.put(Feature::RootsSame, f64::from(u8::from(is_same)));
}
