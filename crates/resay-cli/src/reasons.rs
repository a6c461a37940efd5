//! What a judge's decision is made of, in words.

use crate::render;
use resay::explain::{Explanation, What};
use resay::signs::is_system;

/// What a judge's decision is made of, as people say it: words that a sign points at, with what they are; all other signs
/// of a group, and each of the systems within, as a whole.
pub(crate) fn reasons(explanation: &Explanation) -> Vec<Explanation> {
    let mut reasons = Vec::new();
    for group in explanation.parts.iter().filter(|group| group.what != What::Bias) {
        let mut rest = Explanation { parts: Vec::new(), ..group.clone() };
        for sign in group.parts.iter().filter(|_| !is_system(&group.what)) {
            let name = render::what(&sign.what);
            for evidence in &sign.parts {
                let what = What::Measure(format!("{}: {name}", render::what(&evidence.what)));
                reasons.push(Explanation { what, ..evidence.clone() });
                rest.value -= evidence.value;
            }
        }
        reasons.push(rest);
    }
    Explanation::strongest_first(&mut reasons);
    reasons
}

/// The strongest reasons against, at most `top`: words that signs point at, or else whole groups of signs.
pub(crate) fn against(explanation: &Explanation, top: usize) -> Vec<Explanation> {
    let reasons = reasons(explanation).into_iter().filter(|reason| reason.value < 0.0);
    let (mut pointed, vague): (Vec<Explanation>, Vec<Explanation>) =
        reasons.partition(|reason| !reason.places.is_empty());
    if pointed.is_empty() {
        pointed = vague;
    }
    // The same words by another name are no new reason. Which of two counts a sign is says nothing to people.
    let mut kept: Vec<Explanation> = Vec::new();
    for mut reason in pointed {
        if let What::Measure(name) = &mut reason.what {
            *name = [", less", ", more"]
                .iter()
                .fold(&**name, |name, end| name.strip_suffix(end).unwrap_or(name))
                .to_owned();
        }
        let is_known = |before: &Explanation| before.what == reason.what || before.places == reason.places;
        if reason.places.is_empty() || !kept.iter().any(is_known) {
            kept.push(reason);
        }
    }
    kept.truncate(top);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay::explain::Place;
    use resay::text::Span;

    #[test]
    fn words_come_before_groups() {
        let leaf = |name: &str, value: f64| Explanation::leaf(What::Measure(name.to_owned()), value);
        let sign = |value: f64| {
            let what = What::Phrase { source: Some("60".to_owned()), target: Some("80".to_owned()) };
            let span = vec![Span { start: 0, end: 2 }];
            let places = vec![Place { source: span.clone(), target: span }];
            let evidence = Explanation { places, ..Explanation::leaf(what, value) };
            Explanation { parts: vec![evidence], ..leaf("other numbers", value) }
        };
        let check = |signs: Vec<Explanation>, top: usize, expected: &[&str]| {
            let differs = Explanation { parts: signs, ..leaf("what differs", -1.0) };
            let parts = vec![differs, leaf("length", -2.0), leaf("words in common", 3.0)];
            let root = Explanation { parts, ..Explanation::leaf(What::Score, 0.0) };
            let found: Vec<String> = against(&root, top).iter().map(|reason| render::what(&reason.what)).collect();
            assert_eq!(found, expected);
        };
        check(vec![sign(-0.5)], 3, &["60 -> 80: other numbers"]);
        check(vec![sign(-0.5), sign(-0.1)], 3, &["60 -> 80: other numbers"]);
        check(vec![sign(0.5)], 3, &["length", "what differs"]);
    }
}
