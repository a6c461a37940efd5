//! Signs of pairs whose differences are known.

use super::{Noticed, Observer, ObserverScratch, Wanted, catalogue};
use crate::align::{Aligner, Settings};
use crate::bundled;
use crate::explain::What;
use crate::latent::sentences::Shape;
use crate::text::Layers;
use std::sync::Arc;

/// Links words that are the same, or nearly so, and nothing else: what signs see must not hang on what was learned.
pub(super) fn observer() -> Observer {
    let settings = Settings { features: vec!["string".to_owned(), "lemma".to_owned()], ..Settings::tokens() };
    let names = settings.feature_names().unwrap();
    let weight = |name: &String| if name.contains(": same") || name.contains("one lemma") { 4.0 } else { 0.0 };
    let weights: Vec<f64> = names.iter().map(weight).collect();
    let aligner = Aligner::new(settings, weights.clone(), weights, 0.5).unwrap();
    let (english, lexicon) = (bundled::english(Layers::ALL).unwrap(), bundled::lexicon_with_vectors().unwrap());
    Observer::new(Arc::new(english), Arc::new(lexicon), aligner)
}

pub(super) fn notice(observer: &Observer, source: &str, target: &str, shape: Shape) -> Noticed {
    let mut scratch = ObserverScratch::default();
    let pair = observer.annotate(&[source, target], &mut scratch);
    observer.observe([&pair[0], &pair[1]], shape, Wanted::Evidence, &mut scratch).unwrap().noticed
}

/// What the signs of a name point at, as `source -> target`.
pub(super) fn pointed(noticed: &Noticed, shape: Shape, name: &str) -> Vec<String> {
    let at = catalogue(shape).iter().position(|sign| sign.name == name).unwrap_or_else(|| panic!("no sign {name}"));
    let shown = |what: &What| match what {
        What::Phrase { source, target } => {
            format!("{} -> {}", source.as_deref().unwrap_or(""), target.as_deref().unwrap_or(""))
        }
        other => panic!("{other:?}"),
    };
    noticed.evidence.iter().filter(|evidence| evidence.sign == at).map(|evidence| shown(&evidence.what)).collect()
}

const CASES: [(&str, &str, &str, &str); 17] = [
    ("The ticket costs 60 euros.", "The ticket costs 80 euros.", "other numbers", "60 -> 80"),
    ("The ticket costs 1,000 euros.", "The ticket costs 1000 euros.", "other numbers", ""),
    ("Three ducks swam.", "3 ducks swam.", "other numbers", ""),
    ("Three ducks swam.", "Four ducks swam.", "other numbers", "Three -> Four"),
    ("The trip took two days.", "The trip took two weeks.", "other units", "days -> weeks"),
    ("Anna flew to Lima.", "Anna flew to Quito.", "other names", "Lima -> Quito"),
    ("The UN sent food.", "The United Nations sent food.", "other names", ""),
    ("The shop is open.", "The shop is not open.", "negation in one only", " -> not"),
    ("Nobody came.", "Nobody came.", "negation in one only", ""),
    ("All members agreed.", "Some members agreed.", "other quantities", "All -> Some"),
    ("Prices rose in May.", "Prices fell in May.", "opposites", "rose -> fell"),
    ("He left before lunch.", "He left after lunch.", "opposites", "before -> after"),
    ("She signed the letter.", "She may sign the letter.", "said to be so and to be possible", "signed -> sign"),
    ("They will repair the road.", "They repaired the road.", "before and later", "repair -> repaired"),
    (
        "The judge thanked the clerk.",
        "The clerk thanked the judge.",
        "who and whom exchanged",
        "judge -> judge|clerk -> clerk",
    ),
    ("The judge thanked the clerk.", "The clerk was thanked by the judge.", "who and whom exchanged", ""),
    ("They drove from Rome to Bern.", "They drove from Bern to Rome.", "order turned around", "Rome Bern -> Rome Bern"),
];

#[test]
fn what_differs_is_found_and_pointed_at() {
    let observer = observer();
    for (source, target, name, expected) in CASES {
        let noticed = notice(&observer, source, target, Shape::Both);
        assert_eq!(pointed(&noticed, Shape::Both, name).join("|"), expected, "{name}: {source} / {target}");
        for evidence in &noticed.evidence {
            let ends =
                |text: &str, spans: &[crate::text::Span]| spans.iter().all(|span| text.get(span.range()).is_some());
            assert!(ends(source, &evidence.place.source) && ends(target, &evidence.place.target), "{evidence:?}");
        }
    }
}

#[test]
fn the_same_signs_in_the_same_order_for_every_pair() {
    let observer = observer();
    let long = "word ".repeat(60);
    for shape in [Shape::Both, Shape::Target] {
        let names: Vec<String> = catalogue(shape).into_iter().map(|sign| sign.name).collect();
        let mut sorted = names.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), names.len(), "two signs of one name");
        for (source, target) in [("", ""), ("Yes.", ""), ("", "No!"), (&long, "word"), ("1 2 3", "4 5 6"), ("...", "?")]
        {
            let noticed = notice(&observer, source, target, shape);
            assert_eq!(noticed.values.len(), names.len(), "{source:?} {target:?}");
            assert!(noticed.values.iter().all(|value| value.is_finite()), "{source:?} {target:?}: {noticed:?}");
            assert!(noticed.evidence.iter().all(|evidence| noticed.values[evidence.sign] > 0.0), "{noticed:?}");
        }
    }
}

#[test]
fn a_sentence_differs_from_itself_in_nothing() {
    let observer = observer();
    for text in ["Anna sold 12 old boats in Lima, but not to Omar.", "He may leave before all others do."] {
        let noticed = notice(&observer, text, text, Shape::Both);
        assert!(noticed.evidence.is_empty(), "{text}: {:?}", noticed.evidence);
        let at = catalogue(Shape::Both).iter().position(|sign| sign.name == "all else alike").unwrap();
        assert!((noticed.values[at] - 1.0).abs() < 1e-12, "{text}");
    }
}

#[test]
fn what_only_the_target_has_is_told_from_what_only_the_source_has() {
    let observer = observer();
    let noticed = notice(&observer, "Anna met Omar in Lima.", "Anna met Omar.", Shape::Target);
    assert_eq!(pointed(&noticed, Shape::Target, "names in one only, source"), ["Lima -> "]);
    assert!(pointed(&noticed, Shape::Target, "names in one only, target").is_empty());
    let noticed = notice(&observer, "Anna met Omar.", "Anna met Omar in Lima.", Shape::Target);
    assert_eq!(pointed(&noticed, Shape::Target, "names in one only, target"), [" -> Lima"]);
    assert_eq!(pointed(&noticed, Shape::Target, "content words alone, target"), [" -> Lima"]);
}
