//! A decision in words: the reasons for and against it, and what differs, with its spans.
//!
//! The explanation of an ensemble is a tree: groups of features at the top, then features, then the
//! words that a feature refers to. Words help a reader more than feature names, so they become
//! reasons of their own; the rest of their group is summed up. Parts are identified by their ids;
//! only the output is English.

use crate::text::clean;
use crate::wording::{self, features, relation};
use resay::explain::{Explanation, Place, What};
use resay::id::{Feature, FeatureGroup, RelationFeature};
use resay::model::Decision;
use resay_text::Span;

/// One reason for or against a decision, in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Reason {
    /// For display: "60 -> 80: different number".
    pub text: String,
    /// What the reason is: the strongest feature that refers to its words, or a whole group, base
    /// model or rule.
    pub what: What,
    /// Contribution to the score.
    pub value: f64,
    /// Where its words are; empty if it refers to no place.
    pub places: Vec<Place>,
}

impl Reason {
    /// Turns a whole part of an explanation into a reason.
    fn whole(part: &Explanation) -> Self {
        Self {
            text: wording::what(&part.what),
            what: part.what.clone(),
            value: part.value,
            places: part.places.clone(),
        }
    }
}

/// Returns what a part is, if it is a feature.
fn feature_of(part: &Explanation) -> Option<&What> {
    matches!(part.what, What::Feature(_) | What::RelationFeature(_)).then_some(&part.what)
}

/// A feature, as an answer describes the words that it refers to.
fn said(what: &What) -> String {
    match what {
        What::Feature(feature) => features::said(*feature),
        What::RelationFeature(feature) => relation::said(*feature),
        other => wording::what(other),
    }
}

/// The words that a feature refers to: "60 -> 80", or those of the one sentence that has them.
/// Words that are not adjacent are separated by commas.
fn words(evidence: &Explanation) -> String {
    let What::Phrase { source, target } = &evidence.what else { return wording::what(&evidence.what) };
    let side = |words: &Option<String>, spans: fn(&Place) -> &Vec<Span>| {
        let words = clean(words.as_deref()?);
        let spans = evidence.places.first().map_or(&[][..], |place| spans(place));
        let single: Vec<&str> = words.split_whitespace().collect();
        let is_apart = spans.windows(2).any(|two| two[0].end + 1 < two[1].start);
        Some(if is_apart && single.len() == spans.len() { single.join(", ") } else { words })
    };
    match (side(source, |place| &place.source), side(target, |place| &place.target)) {
        (Some(source), Some(target)) if source != target => format!("{source} -> {target}"),
        (Some(words), _) | (None, Some(words)) => words,
        (None, None) => wording::what(&evidence.what),
    }
}

/// Returns the reasons of a decision, strongest first: words that a feature refers to, with a
/// description; the other features of a group, and each base model, as a whole; single rules if
/// nothing is above them. Together with the bias they add up to the score.
pub fn reasons(explanation: &Explanation) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for group in explanation.parts.iter().filter(|group| group.what != What::Bias) {
        match group.what {
            What::Group(_) => reasons.extend(of_group(group)),
            What::BaseModel(_) => reasons.push(Reason::whole(group)),
            _ => reasons.extend(group.leaves().into_iter().map(Reason::whole)),
        }
    }
    let mut reasons = with_rules_told(reasons);
    // What is left of a group whose words are all listed is 0 up to rounding.
    reasons.retain(|reason| reason.value.abs() > 1e-12);
    reasons.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
    // Text length sets the starting point of a decision, like the bias, and says nothing about this
    // pair.
    reasons.sort_by_key(|reason| reason.what == What::Group(FeatureGroup::Length));
    reasons
}

/// Rules say what the same words meant in other pairs: where another reason says what the words are,
/// it speaks for both.
fn with_rules_told(reasons: Vec<Reason>) -> Vec<Reason> {
    let is_rule = |reason: &Reason| matches!(reason.what, What::RelationFeature(RelationFeature::Rules(_)));
    let (rules, mut told): (Vec<Reason>, Vec<Reason>) = reasons.into_iter().partition(is_rule);
    for rule in rules {
        match told.iter_mut().find(|reason| !reason.places.is_empty() && reason.places == rule.places) {
            Some(reason) => reason.value += rule.value,
            None => told.push(rule),
        }
    }
    told
}

/// The reasons of one group of features: one for all features that refer to the same words, naming
/// each, strongest first, and one for the rest.
fn of_group(group: &Explanation) -> Vec<Reason> {
    let mut rest = Reason::whole(group);
    let mut told: Vec<(&Explanation, Vec<(f64, &What)>)> = Vec::new();
    for part in &group.parts {
        let Some(feature) = feature_of(part) else { continue };
        for evidence in &part.parts {
            rest.value -= evidence.value;
            match told.iter_mut().find(|(one, _)| one.what == evidence.what && one.places == evidence.places) {
                Some((_, features)) => features.push((evidence.value, feature)),
                None => told.push((evidence, vec![(evidence.value, feature)])),
            }
        }
    }
    let mut reasons = Vec::new();
    for (evidence, mut found) in told {
        found.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        let value = found.iter().map(|one| one.0).sum();
        // That two things are of one kind says less than which kind it is.
        let is_vague = |what: &What| matches!(what, What::Feature(id) if id.feature == Feature::SiblingsExchanged);
        if found.iter().any(|one| !is_vague(one.1)) {
            found.retain(|one| !is_vague(one.1));
        }
        let mut labels: Vec<String> = Vec::new();
        for label in found.iter().map(|one| said(one.1)) {
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
        let what = found.first().map_or_else(|| evidence.what.clone(), |one| one.1.clone());
        let text = format!("{}: {}", words(evidence), labels.join(", "));
        reasons.push(Reason { text, what, value, places: evidence.places.clone() });
    }
    reasons.push(rest);
    reasons
}

/// Returns at most `top` of the strongest reasons against: words that features refer to, or else
/// whole groups of features.
pub fn against(explanation: &Explanation, top: usize) -> Vec<Reason> {
    let reasons = reasons(explanation).into_iter().filter(|reason| reason.value < 0.0);
    let (mut pointed, vague): (Vec<Reason>, Vec<Reason>) = reasons.partition(|reason| !reason.places.is_empty());
    if pointed.is_empty() {
        pointed = vague;
    }
    // The same words in another group are not a new reason.
    let mut kept: Vec<Reason> = Vec::new();
    for reason in pointed {
        let is_known = |before: &Reason| before.text == reason.text || before.places == reason.places;
        if reason.places.is_empty() || !kept.iter().any(is_known) {
            kept.push(reason);
        }
    }
    kept.truncate(top);
    kept
}

/// Words of the two sentences that differ in some respect.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferingWords {
    /// The words: "60 -> 80".
    pub words: String,
    /// The feature in which they differ.
    pub feature: What,
    /// The feature in words: "different number".
    pub label: String,
    /// Contribution to the score, below 0.
    pub value: f64,
    /// Where they are in the first sentence.
    pub source: Vec<Span>,
    /// Where they are in the second sentence.
    pub target: Vec<Span>,
}

/// Returns the differences that are evidence against a paraphrase, strongest first. Each pair of
/// words is listed once, by its strongest feature.
pub fn differences(explanation: &Explanation) -> Vec<DifferingWords> {
    let mut found: Vec<DifferingWords> = Vec::new();
    for group in &explanation.parts {
        // Exchanged roles affect two words at once, so structural differences are joined.
        let is_joined = match group.what {
            What::Group(FeatureGroup::Structure) => true,
            What::Group(FeatureGroup::Mismatch) => false,
            _ => continue,
        };
        for part in &group.parts {
            let Some(feature) = feature_of(part) else { continue };
            let label = said(feature);
            for evidence in part.parts.iter().filter(|evidence| evidence.value < 0.0) {
                let Some(Place { source, target }) = evidence.places.first().cloned() else { continue };
                let (words, value) = (words(evidence), evidence.value);
                let is_one = |other: &&mut DifferingWords| is_joined && other.feature == *feature;
                match found.iter_mut().find(is_one) {
                    Some(one) => {
                        one.words.push_str(&format!(", {words}"));
                        one.value += value;
                        one.source.extend(source);
                        one.target.extend(target);
                    }
                    None => {
                        let feature = feature.clone();
                        found.push(DifferingWords { words, feature, label: label.clone(), value, source, target });
                    }
                }
            }
        }
    }
    found.sort_by(|a, b| a.value.total_cmp(&b.value));
    let mut named: Vec<DifferingWords> = Vec::new();
    for difference in found {
        let within = |own: &[Span], other: &[Span]| own.iter().all(|span| other.contains(span));
        if !named.iter().any(|n| within(&difference.source, &n.source) && within(&difference.target, &n.target)) {
            named.push(difference);
        }
    }
    named
}

/// Returns at most `n` of the strongest leaves that are rules, measures, strings or pairs.
pub fn strongest(explanation: &Explanation, n: usize) -> Vec<&Explanation> {
    let mut leaves = explanation.leaves();
    let is_sum = |what: &What| {
        matches!(
            what,
            What::Score
                | What::Bias
                | What::Kernel(_)
                | What::Group(_)
                | What::Phrase { .. }
                | What::Variable(_)
                | What::Rest(_)
        )
    };
    leaves.retain(|leaf| !is_sum(&leaf.what) && leaf.value != 0.0);
    // Stable: ties keep the order of the kernels.
    leaves.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
    leaves.truncate(n);
    leaves
}

/// Keeps the `top` strongest parts, which come first, and sums up the rest.
pub fn sum_up(part: &mut Explanation, top: usize) {
    if part.parts.len() <= top {
        return;
    }
    let weaker = part.parts.split_off(top);
    let sum = weaker.iter().map(|part| part.value).sum();
    part.parts.push(Explanation::leaf(What::Rest(weaker.len()), sum));
}

/// The answer to one question about two sentences: the decision and its reasons.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The question: "say the same".
    pub question: &'static str,
    /// The decision.
    pub decision: Decision,
    /// The explanation of the decision, as given by the model.
    pub explanation: Explanation,
    /// Reasons for and against, strongest first.
    pub reasons: Vec<Reason>,
}

impl Answer {
    /// Takes a decision, and turns its explanation into reasons.
    pub fn new(question: &'static str, decision: Decision, explanation: Explanation) -> Self {
        let reasons = reasons(&explanation);
        Self { question, decision, explanation, reasons }
    }

    /// Returns at most `top` of the strongest reasons of one sign.
    pub fn strongest(&self, speaks_for: bool, top: usize) -> Vec<&Reason> {
        self.reasons.iter().filter(|part| (part.value > 0.0) == speaks_for).take(top).collect()
    }

    /// Whether the answer is yes.
    pub fn is_yes(&self) -> bool {
        self.decision.label
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay::id::{BaseModel, FeatureId, Part};

    fn node(what: What, value: f64, parts: Vec<Explanation>) -> Explanation {
        Explanation { parts, ..Explanation::leaf(what, value) }
    }

    fn feature(feature: Feature, part: Part, value: f64, parts: Vec<Explanation>) -> Explanation {
        node(What::Feature(FeatureId { feature, part }), value, parts)
    }

    fn group(group: FeatureGroup, value: f64, parts: Vec<Explanation>) -> Explanation {
        node(What::Group(group), value, parts)
    }

    fn evidence(source: Option<&str>, target: Option<&str>, value: f64, at: [u32; 2]) -> Explanation {
        let span = |side: Option<&str>, at: u32| side.map(|words| Span { start: at, end: at + words.len() as u32 });
        let place = Place {
            source: span(source, at[0]).into_iter().collect(),
            target: span(target, at[1]).into_iter().collect(),
        };
        let what = What::Phrase { source: source.map(str::to_owned), target: target.map(str::to_owned) };
        Explanation { places: vec![place], ..Explanation::leaf(what, value) }
    }

    fn judged() -> Explanation {
        use Part::{More, Whole};
        let numbers = vec![evidence(Some("60"), Some("80"), -0.5, [4, 6])];
        let kinds = vec![evidence(Some("60"), Some("80"), -0.1, [4, 6])];
        let negation = vec![evidence(None, Some("not"), -0.3, [0, 9])];
        let differs = vec![
            feature(Feature::OtherNumber, Whole, -0.5, numbers),
            feature(Feature::SiblingsExchanged, Whole, -0.1, kinds),
            feature(Feature::NegationInOne, Whole, -0.3, negation),
        ];
        let swaps =
            vec![evidence(Some("Ann"), Some("Ann"), -0.2, [0, 12]), evidence(Some("Bo"), Some("Bo"), -0.2, [9, 0])];
        let roles = vec![
            feature(Feature::AgentAndPatientExchanged, Whole, -0.4, swaps),
            feature(Feature::EdgesKept, More, 0.28, vec![]),
        ];
        let alone = feature(Feature::ContentUnaligned, More, -0.25, vec![evidence(Some("old"), None, -0.25, [2, 0])]);
        let rules = vec![evidence(Some("a"), Some("b"), 0.75, [0, 0])];
        let parts = vec![
            group(FeatureGroup::Mismatch, -0.9, differs),
            group(FeatureGroup::Structure, -0.12, roles),
            group(FeatureGroup::Unaligned, -0.25, vec![alone]),
            node(What::BaseModel(BaseModel::Rules), 0.75, rules),
            Explanation::leaf(What::Bias, 1.0),
        ];
        node(What::Score, 0.48, parts)
    }

    #[test]
    fn words_come_before_groups() {
        let check = |value: f64, expected: &[&str]| {
            let numbers = vec![evidence(Some("60"), Some("80"), value, [4, 6])];
            let parts = vec![
                group(FeatureGroup::Mismatch, -1.0, vec![feature(Feature::OtherNumber, Part::Whole, value, numbers)]),
                group(FeatureGroup::Alignment, -2.0, vec![]),
                group(FeatureGroup::Overlap, 3.0, vec![]),
            ];
            let found: Vec<String> =
                against(&node(What::Score, 0.0, parts), 3).into_iter().map(|reason| reason.text).collect();
            assert_eq!(found, expected);
        };
        check(-0.5, &["60 -> 80: different number"]);
        check(0.5, &["alignment", "what differs"]);
    }

    #[test]
    fn reasons_are_in_words_and_add_up() {
        let explanation = judged();
        let found = reasons(&explanation);
        let told: Vec<String> = found.iter().map(|reason| format!("{:+.2} {}", reason.value, reason.text)).collect();
        assert_eq!(
            told,
            [
                "+0.75 re-writing rules",
                "-0.60 60 -> 80: different number",
                "-0.30 not: negation in one only",
                "+0.28 who does what",
                "-0.25 old: said in one only",
                "-0.20 Ann: who and whom are swapped",
                "-0.20 Bo: who and whom are swapped",
            ]
        );
        let sum = 1.0 + found.iter().map(|part| part.value).sum::<f64>();
        assert!((sum - explanation.value).abs() < 1e-9, "{sum}");
    }

    #[test]
    fn rules_stand_by_themselves() {
        let kernel = Explanation {
            parts: vec![Explanation::leaf(What::String("b".into()), -0.5), Explanation::leaf(What::Rest(3), 0.25)],
            ..Explanation::leaf(What::Kernel("kb".into()), -0.25)
        };
        let root = Explanation { parts: vec![kernel], ..Explanation::leaf(What::Score, -0.25) };
        assert_eq!(reasons(&root).iter().map(|part| part.value).collect::<Vec<_>>(), [-0.5, 0.25]);
        assert!(differences(&root).is_empty());
    }

    #[test]
    fn what_differs_is_named_once_and_roles_together() {
        let found = differences(&judged());
        let told: Vec<String> = found.iter().map(|one| format!("{}: {}", one.words, one.label)).collect();
        assert_eq!(
            told,
            ["60 -> 80: different number", "Ann, Bo: who and whom are swapped", "not: negation in one only"]
        );
        assert_eq!((found[1].source.len(), found[1].target.len()), (2, 2));
    }

    #[test]
    fn the_strongest_leaves_are_rules_not_sums() {
        let leaf = |what, value| Explanation::leaf(what, value);
        let parts = vec![
            leaf(What::Bias, 9.0),
            leaf(What::String("a".into()), 1.0),
            leaf(What::String("b".into()), -2.0),
            leaf(What::Rest(4), 5.0),
            leaf(What::String("c".into()), 0.0),
        ];
        let root = Explanation { parts, ..leaf(What::Score, 13.0) };
        assert_eq!(strongest(&root, 9).iter().map(|leaf| leaf.value).collect::<Vec<_>>(), [-2.0, 1.0]);
        assert_eq!(strongest(&root, 1).len(), 1);
    }

    #[test]
    fn weaker_features_are_summed_up() {
        let check = |top: usize, expected: &[f64]| {
            let leaf = |value| Explanation::leaf(What::String(String::new()), value);
            let parts = vec![leaf(4.0), leaf(-2.0), leaf(1.0)];
            let mut part = Explanation { parts, ..Explanation::leaf(What::Score, 3.0) };
            sum_up(&mut part, top);
            assert_eq!(part.parts.iter().map(|part| part.value).collect::<Vec<_>>(), expected);
        };
        check(9, &[4.0, -2.0, 1.0]);
        check(3, &[4.0, -2.0, 1.0]);
        check(1, &[4.0, -1.0]);
        check(0, &[3.0]);
    }
}
