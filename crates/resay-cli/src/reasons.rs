//! A decision in words: what speaks for it and against it, as people say it, and what differs, with its places.
//!
//! A combined judge's explanation has a group of signs at its top, below it signs, and below these the words that a sign
//! points at. Words are worth more to a reader than names of signs: they stand by themselves, and the rest of their group
//! as a whole. Names of signs and groups are those of the model; [`plain`] has the few that are said otherwise to people,
//! and all others are shown as they are.

use crate::render;
use resay::explain::{Explanation, Place, What};
use resay::model::Decision;
use resay::signs::is_system;
use resay::text::Span;

/// Groups whose words differ between the sentences, rather than being common to them or missing from one.
const OF_DIFFERENCES: [&str; 2] = ["what differs", "who does what"];
/// The group whose differences belong together: whoever gives and whoever takes are exchanged at once.
const OF_ROLES: &str = "who does what";

/// What is said of words that differ if nothing better is known.
const VAGUE: &str = "another of the same kind";

/// The group of lengths.
const OF_LENGTHS: &str = "pairs of such lengths";

/// What a sign or group is called where people read it.
const PLAIN: [(&str, &str); 21] = [
    ("other numbers", "different number"),
    ("other names", "different name"),
    ("other quantities", "different quantity"),
    ("other words of time", "different time"),
    ("other units", "different unit"),
    ("numbers in one only", "number in one only"),
    ("names in one only", "name in one only"),
    ("quantities in one only", "quantity in one only"),
    ("words of time in one only", "word of time in one only"),
    ("units in one only", "unit in one only"),
    ("opposites", "opposite meaning"),
    ("words of one kind exchanged", VAGUE),
    ("content words alone", "said in one only"),
    ("who and whom exchanged", "who and whom are swapped"),
    ("places exchanged", "swapped places"),
    ("order turned around", "the other way round"),
    ("said to be so and to be possible", "fact in one, possibility in the other"),
    ("before and later", "past in one, future in the other"),
    ("past and present", "past in one, present in the other"),
    ("done and going on", "done in one, going on in the other"),
    ("all else alike", "all else is alike"),
];

/// The name of a sign or group in plain words. Which of the two sentences a sign counts for is seen in its words.
pub(crate) fn plain(name: &str) -> &str {
    let of_side = [", less", ", more", ", source", ", target"].iter().find_map(|side| name.strip_suffix(side));
    let bare = of_side.unwrap_or(name);
    let found = PLAIN.iter().find(|(sign, _)| *sign == bare).map(|(_, said)| *said);
    found.unwrap_or(name)
}

/// The words that a sign points at: "60 -> 80", or those of the one sentence that has them. Words that stand apart have
/// a comma between them.
fn words(evidence: &Explanation) -> String {
    let What::Phrase { source, target } = &evidence.what else { return render::what(&evidence.what) };
    let side = |words: &Option<String>, spans: fn(&Place) -> &Vec<Span>| {
        let words = render::clean(words.as_deref()?);
        let spans = evidence.places.first().map_or(&[][..], |place| spans(place));
        let single: Vec<&str> = words.split_whitespace().collect();
        let is_apart = spans.windows(2).any(|two| two[0].end + 1 < two[1].start);
        Some(if is_apart && single.len() == spans.len() { single.join(", ") } else { words })
    };
    match (side(source, |place| &place.source), side(target, |place| &place.target)) {
        (Some(source), Some(target)) if source != target => format!("{source} -> {target}"),
        (Some(words), _) | (None, Some(words)) => words,
        (None, None) => render::what(&evidence.what),
    }
}

/// What a judge's decision is made of, strongest first: words that a sign points at, with what they are; all other signs
/// of a group, and each of the systems within, as a whole; single rules, where nothing stands above them. Together with the
/// bias they add up to the score.
pub(crate) fn reasons(explanation: &Explanation) -> Vec<Explanation> {
    let mut reasons = Vec::new();
    for group in explanation.parts.iter().filter(|group| group.what != What::Bias) {
        let What::Measure(name) = &group.what else {
            reasons.extend(group.leaves().into_iter().cloned());
            continue;
        };
        let mut rest = Explanation { what: What::Measure(plain(name).to_owned()), parts: Vec::new(), ..group.clone() };
        let signs = if is_system(&group.what) { &[][..] } else { &group.parts };
        // Words that several signs point at are one reason, which has a name of each: the strongest first.
        let mut told: Vec<(&Explanation, Vec<(f64, String)>)> = Vec::new();
        for sign in signs {
            let name = render::what(&sign.what);
            for evidence in &sign.parts {
                rest.value -= evidence.value;
                let said = (evidence.value, plain(&name).to_owned());
                match told.iter_mut().find(|(one, _)| one.what == evidence.what && one.places == evidence.places) {
                    Some((_, labels)) => labels.push(said),
                    None => told.push((evidence, vec![said])),
                }
            }
        }
        for (evidence, mut labels) in told {
            labels.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
            let value = labels.iter().map(|label| label.0).sum();
            // That two things are of one kind says less than which kind that is.
            if labels.iter().any(|label| label.1 != VAGUE) {
                labels.retain(|label| label.1 != VAGUE);
            }
            let labels = labels.into_iter().map(|label| label.1).collect::<Vec<_>>().join(", ");
            let what = What::Measure(format!("{}: {labels}", words(evidence)));
            reasons.push(Explanation { what, value, ..evidence.clone() });
        }
        reasons.push(rest);
    }
    // What is left of a group whose words were all told is nothing, up to rounding.
    reasons.retain(|reason| reason.value.abs() > 1e-12);
    Explanation::strongest_first(&mut reasons);
    // How long texts are says where a decision starts from, like the bias, and nothing about these two.
    reasons.sort_by_key(|reason| matches!(&reason.what, What::Measure(name) if name == OF_LENGTHS));
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
    // The same words in another group are no new reason.
    let mut kept: Vec<Explanation> = Vec::new();
    for reason in pointed {
        let is_known = |before: &Explanation| before.what == reason.what || before.places == reason.places;
        if reason.places.is_empty() || !kept.iter().any(is_known) {
            kept.push(reason);
        }
    }
    kept.truncate(top);
    kept
}

/// Words of the two sentences that differ in something, and in what.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Difference {
    /// The words: "60 -> 80".
    pub(crate) words: String,
    /// In what: "different number".
    pub(crate) label: String,
    /// What it adds to the score: less than 0.
    pub(crate) value: f64,
    pub(crate) source: Vec<Span>,
    pub(crate) target: Vec<Span>,
}

/// What differs and speaks against the two saying the same, strongest first. The same words are named once, by what is
/// strongest about them.
pub(crate) fn differences(explanation: &Explanation) -> Vec<Difference> {
    let mut found: Vec<Difference> = Vec::new();
    for group in &explanation.parts {
        let name = match &group.what {
            What::Measure(name) if OF_DIFFERENCES.contains(&name.as_str()) => name,
            _ => continue,
        };
        for sign in &group.parts {
            let label = plain(&render::what(&sign.what)).to_owned();
            for evidence in sign.parts.iter().filter(|evidence| evidence.value < 0.0) {
                let Some(Place { source, target }) = evidence.places.first().cloned() else { continue };
                let (words, value) = (words(evidence), evidence.value);
                let is_one = |other: &&mut Difference| name == OF_ROLES && other.label == label;
                match found.iter_mut().find(is_one) {
                    Some(one) => {
                        one.words.push_str(&format!(", {words}"));
                        one.value += value;
                        one.source.extend(source);
                        one.target.extend(target);
                    }
                    None => found.push(Difference { words, label: label.clone(), value, source, target }),
                }
            }
        }
    }
    found.sort_by(|a, b| a.value.total_cmp(&b.value));
    let mut named: Vec<Difference> = Vec::new();
    for difference in found {
        let within = |own: &[Span], other: &[Span]| own.iter().all(|span| other.contains(span));
        if !named.iter().any(|n| within(&difference.source, &n.source) && within(&difference.target, &n.target)) {
            named.push(difference);
        }
    }
    named
}

/// One question about two sentences: what was decided, and why.
pub(crate) struct Answer {
    pub(crate) question: &'static str,
    pub(crate) decision: Decision,
    pub(crate) explanation: Explanation,
    /// What speaks for and against, strongest first.
    pub(crate) reasons: Vec<Explanation>,
}

impl Answer {
    pub(crate) fn new(question: &'static str, decision: Decision, explanation: Explanation) -> Self {
        let reasons = reasons(&explanation);
        Self { question, decision, explanation, reasons }
    }

    /// The strongest reasons of one sign.
    pub(crate) fn strongest(&self, speaks_for: bool, top: usize) -> Vec<&Explanation> {
        self.reasons.iter().filter(|part| (part.value > 0.0) == speaks_for).take(top).collect()
    }

    /// The verdict by the probability: a score just above 0 may still be less likely right than wrong.
    pub(crate) fn is_yes(&self) -> bool {
        self.decision.probability >= 0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(name: &str, value: f64, parts: Vec<Explanation>) -> Explanation {
        Explanation { parts, ..Explanation::leaf(What::Measure(name.to_owned()), value) }
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
        let numbers = measure("other numbers", -0.5, vec![evidence(Some("60"), Some("80"), -0.5, [4, 6])]);
        let kinds = measure("words of one kind exchanged", -0.1, vec![evidence(Some("60"), Some("80"), -0.1, [4, 6])]);
        let negation = measure("negation in one only", -0.3, vec![evidence(None, Some("not"), -0.3, [0, 9])]);
        let differs = measure("what differs", -0.9, vec![numbers, kinds, negation]);
        let swaps =
            vec![evidence(Some("Ann"), Some("Ann"), -0.2, [0, 12]), evidence(Some("Bo"), Some("Bo"), -0.2, [9, 0])];
        let roles = measure(
            "who does what",
            -0.12,
            vec![measure("who and whom exchanged", -0.4, swaps), measure("edges kept, more", 0.28, vec![])],
        );
        let alone = measure("content words alone, more", -0.25, vec![evidence(Some("old"), None, -0.25, [2, 0])]);
        let only = measure("what only one says", -0.25, vec![alone]);
        let rules = measure("re-writing rules", 0.75, vec![evidence(Some("a"), Some("b"), 0.75, [0, 0])]);
        let parts = vec![differs, roles, only, rules, Explanation::leaf(What::Bias, 1.0)];
        Explanation { parts, ..Explanation::leaf(What::Score, 0.48) }
    }

    #[test]
    fn words_come_before_groups() {
        let check = |numbers: Vec<f64>, expected: &[&str]| {
            let signs = numbers
                .into_iter()
                .map(|value| measure("other numbers", value, vec![evidence(Some("60"), Some("80"), value, [4, 6])]));
            let differs = measure("what differs", -1.0, signs.collect());
            let parts = vec![differs, measure("length", -2.0, vec![]), measure("words in common", 3.0, vec![])];
            let root = Explanation { parts, ..Explanation::leaf(What::Score, 0.0) };
            let found: Vec<String> = against(&root, 3).iter().map(|reason| render::what(&reason.what)).collect();
            assert_eq!(found, expected);
        };
        check(vec![-0.5], &["60 -> 80: different number"]);
        check(vec![0.5], &["length", "what differs"]);
    }

    #[test]
    fn reasons_are_in_words_and_add_up() {
        let explanation = judged();
        let found = reasons(&explanation);
        let told: Vec<String> =
            found.iter().map(|part| format!("{:+.2} {}", part.value, render::what(&part.what))).collect();
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
    fn unknown_names_are_shown_as_they_are() {
        for (name, expected) in [
            ("content words alone, less", "said in one only"),
            ("content words alone, target", "said in one only"),
            ("gain of the aligner a word, less", "gain of the aligner a word, less"),
            ("a sign of tomorrow", "a sign of tomorrow"),
        ] {
            assert_eq!(plain(name), expected);
        }
    }
}
