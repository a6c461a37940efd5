//! Whether the other text contains the kind of answer a question asks for: a person for "who", a
//! number for "how many". If neither text is a question, these features are zero.

use super::{Correspondence, FeatureExtractor};
use crate::id::Feature;

/// The kind of answer a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Person,
    Place,
    Time,
    Number,
    Name,
}

/// Question nouns and adjectives with the kind of answer they ask for: "what year", "which
/// country", "how many".
const ASKED: [(&[&str], Asked); 4] = [
    (&["year", "date", "day", "month", "time", "century", "decade"], Asked::Time),
    (&["country", "city", "state", "place", "town", "location", "river", "nationality", "continent"], Asked::Place),
    (
        &["many", "much", "old", "long", "far", "tall", "large", "high", "big", "population", "number", "age"],
        Asked::Number,
    ),
    (&["name", "company", "person", "president", "team", "book", "organization", "group", "who"], Asked::Name),
];

/// Returns what a text asks for, if it is a question that a name, a number or a time can answer.
fn asked(pair: &Correspondence<'_>, side: usize) -> Option<Asked> {
    let n = pair.n_words(side);
    let is_question = n > 0 && pair.lower(side, n - 1) == "?";
    let first = (0..n).filter(|_| is_question).find(|&word| {
        matches!(pair.lower(side, word), "who" | "whom" | "whose" | "where" | "when" | "what" | "which" | "how")
    })?;
    match pair.lower(side, first) {
        "who" | "whom" | "whose" => Some(Asked::Person),
        "where" => Some(Asked::Place),
        "when" => Some(Asked::Time),
        _ => {
            let mut words = (first + 1..n.min(first + 5)).map(|word| pair.lemma(side, word));
            words.find_map(|word| ASKED.iter().find(|(known, _)| known.contains(&word)).map(|(_, asked)| *asked))
        }
    }
}

/// Returns whether a word is of the kind asked for.
fn answers(pair: &Correspondence<'_>, side: usize, word: usize, asked: Asked) -> bool {
    let entity = pair.entity(side, word);
    match asked {
        Asked::Person => entity == Some("PER"),
        Asked::Place => entity == Some("LOC"),
        Asked::Time => entity == Some("DATE") || entity == Some("TIME"),
        Asked::Number => pair.tag(side, word) == "CD",
        Asked::Name => matches!(entity, Some("PER" | "LOC" | "ORG")),
    }
}

pub(super) fn extract(out: &mut FeatureExtractor<'_>) {
    let pair = out.pair;
    let question = [0, 1].into_iter().find_map(|side| Some((side, asked(pair, side)?)));
    let mut found = Vec::new();
    if let Some((side, asked)) = question {
        let other = 1 - side;
        let new = (0..pair.n_words(other)).filter(|&word| !pair.is_shared(other, word));
        found = new.filter(|&word| answers(pair, other, word, asked)).map(|word| (other, word)).collect();
    }
    let is_asked = f64::from(u8::from(question.is_some()));
    let feature = out.put(Feature::AnswerKind, f64::from(u8::from(!found.is_empty())));
    for &(side, word) in &found {
        if side == 0 { out.point(feature, &[word], &[]) } else { out.point(feature, &[], &[word]) }
    }
    out.put(Feature::NoAnswerKind, if found.is_empty() { is_asked } else { 0.0 });
    // Answer words close to words of the question suggest that they belong together.
    let near = found.iter().map(|&(side, word)| {
        let around = word.saturating_sub(6)..(word + 7).min(pair.n_words(side));
        around.filter(|&near| pair.is_shared(side, near)).map(|near| pair.rarity(side, near)).sum::<f64>()
    });
    out.put(Feature::AnswerNearQuestion, near.fold(0.0, f64::max));
}

#[cfg(test)]
mod tests {
    use crate::features::truth::{features, pointed};
    use crate::id::{Feature, Part};
    use crate::latent::sentences::Shape;
    use crate::resources::Resources;

    #[test]
    fn what_is_asked_for_is_found() {
        let resources = Resources::bundled();
        let check = |question: &str, text: &str, expected: &str| {
            let found = features(&resources, question, text, Shape::Both);
            let found = pointed(&found, Shape::Both, Feature::AnswerKind, Part::Whole).join("|");
            assert_eq!(found, expected, "{question} / {text}");
        };
        check("How many boats did Anna sell?", "Anna sold 12 boats in Lima.", " -> 12");
        check("Where did Anna sell her boat?", "Anna sold her boat in London.", " -> London");
        check("Where did Anna sell her boat?", "Anna sold her boat.", "");
        check("Anna sold a boat.", "Anna sold 12 boats in Lima.", "");
        check("In what year was the bridge opened?", "The bridge was opened in May 1931.", " -> May| -> 1931");
    }
}
