//! Tests features on pairs with known differences.

use super::{FeatureVector, Wanted, catalogue, extract};
use crate::Result;
use crate::align::{AlignSettings, Aligner};
use crate::explain::What;
use crate::id::{AlignFeature, Feature, FeatureId, Part};
use crate::latent::sentences::Shape;
use crate::pair::{Annotated, Needs, PairContext, PairView, TextAnnotator};
use crate::resources::Resources;
use resay_text::{EnglishScratch, Layers};
use std::sync::Arc;

/// An aligner that links only equal or nearly equal words, so that these tests do not depend on
/// training.
fn same_words(_: &Resources) -> Result<Arc<Aligner>> {
    let settings = AlignSettings { features: vec!["string".to_owned(), "lemma".to_owned()], ..AlignSettings::tokens() };
    let weight = |feature: &AlignFeature| match feature {
        AlignFeature::Same(_) | AlignFeature::SameCase(_) | AlignFeature::OneLemma(_) => 4.0,
        _ => 0.0,
    };
    let weights: Vec<f64> = settings.feature_ids()?.iter().map(weight).collect();
    Ok(Arc::new(Aligner::new(settings, weights.clone(), weights, 0.5)?))
}

pub(super) fn features(resources: &Resources, source: &str, target: &str, shape: Shape) -> FeatureVector {
    let annotator = TextAnnotator::new(resources, Needs::sentences(Layers::ALL)).unwrap();
    let texts: Vec<Annotated> = annotator.annotate(&[source, target], &mut EnglishScratch::default());
    let context = PairContext::new(resources, same_words);
    let view = PairView::new(&context, &texts[0], &texts[1]);
    extract(&view, &resources.english(Layers::ALL).unwrap(), shape, Wanted::Evidence).unwrap()
}

/// Returns what a feature points at, as `source -> target`.
pub(super) fn pointed(vector: &FeatureVector, shape: Shape, feature: Feature, part: Part) -> Vec<String> {
    let at = catalogue(shape).iter().position(|known| *known == FeatureId { feature, part }).unwrap();
    let shown = |what: &What| match what {
        What::Phrase { source, target } => {
            format!("{} -> {}", source.as_deref().unwrap_or(""), target.as_deref().unwrap_or(""))
        }
        other => panic!("{other:?}"),
    };
    vector.evidence.iter().filter(|evidence| evidence.feature == at).map(|evidence| shown(&evidence.what)).collect()
}

const CASES: [(&str, &str, Feature, &str); 17] = [
    ("The ticket costs 60 euros.", "The ticket costs 80 euros.", Feature::OtherNumber, "60 -> 80"),
    ("The ticket costs 1,000 euros.", "The ticket costs 1000 euros.", Feature::OtherNumber, ""),
    ("Three ducks swam.", "3 ducks swam.", Feature::OtherNumber, ""),
    ("Three ducks swam.", "Four ducks swam.", Feature::OtherNumber, "Three -> Four"),
    ("The trip took two days.", "The trip took two weeks.", Feature::OtherUnit, "days -> weeks"),
    ("Anna flew to Lima.", "Anna flew to Quito.", Feature::OtherName, "Lima -> Quito"),
    ("The UN sent food.", "The United Nations sent food.", Feature::OtherName, ""),
    ("The shop is open.", "The shop is not open.", Feature::NegationInOne, " -> not"),
    ("Nobody came.", "Nobody came.", Feature::NegationInOne, ""),
    ("All members agreed.", "Some members agreed.", Feature::OtherQuantity, "All -> Some"),
    ("Prices rose in May.", "Prices fell in May.", Feature::Opposites, "rose -> fell"),
    ("He left before lunch.", "He left after lunch.", Feature::Opposites, "before -> after"),
    ("She signed the letter.", "She may sign the letter.", Feature::FactAndPossibility, "signed -> sign"),
    ("They will repair the road.", "They repaired the road.", Feature::PastAndFuture, "repair -> repaired"),
    (
        "The judge thanked the clerk.",
        "The clerk thanked the judge.",
        Feature::AgentAndPatientExchanged,
        "judge -> judge|clerk -> clerk",
    ),
    ("The judge thanked the clerk.", "The clerk was thanked by the judge.", Feature::AgentAndPatientExchanged, ""),
    (
        "They drove from Rome to Bern.",
        "They drove from Bern to Rome.",
        Feature::OrderReversed,
        "Rome Bern -> Rome Bern",
    ),
];

#[test]
fn what_differs_is_found_and_pointed_at() {
    let resources = Resources::bundled();
    for (source, target, feature, expected) in CASES {
        let found = features(&resources, source, target, Shape::Both);
        let shown = pointed(&found, Shape::Both, feature, Part::Whole).join("|");
        assert_eq!(shown, expected, "{feature:?}: {source} / {target}");
        for evidence in &found.evidence {
            let ends =
                |text: &str, spans: &[resay_text::Span]| spans.iter().all(|span| text.get(span.range()).is_some());
            assert!(ends(source, &evidence.place.source) && ends(target, &evidence.place.target), "{evidence:?}");
        }
    }
}

#[test]
fn the_same_features_in_the_same_order_for_every_pair() {
    let resources = Resources::bundled();
    let long = "word ".repeat(60);
    for shape in [Shape::Both, Shape::Target] {
        let ids = catalogue(shape);
        let mut sorted = ids.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), ids.len(), "one feature twice");
        for (source, target) in [("", ""), ("Yes.", ""), ("", "No!"), (&long, "word"), ("1 2 3", "4 5 6"), ("...", "?")]
        {
            let found = features(&resources, source, target, shape);
            assert_eq!(found.values.len(), ids.len(), "{source:?} {target:?}");
            assert!(found.values.iter().all(|value| value.is_finite()), "{source:?} {target:?}: {found:?}");
            assert!(found.evidence.iter().all(|evidence| found.values[evidence.feature] > 0.0), "{found:?}");
        }
    }
}

#[test]
fn a_sentence_differs_from_itself_in_nothing() {
    let resources = Resources::bundled();
    for text in ["Anna sold 12 old boats in Lima, but not to Omar.", "He may leave before all others do."] {
        let found = features(&resources, text, text, Shape::Both);
        assert!(found.evidence.is_empty(), "{text}: {:?}", found.evidence);
        let at = catalogue(Shape::Both).iter().position(|id| id.feature == Feature::AllElseAlike).unwrap();
        assert!((found.values[at] - 1.0).abs() < 1e-12, "{text}");
    }
}

#[test]
fn what_only_the_target_has_is_told_from_what_only_the_source_has() {
    let resources = Resources::bundled();
    let of = |found: &FeatureVector, feature, part| pointed(found, Shape::Target, feature, part);
    let found = features(&resources, "Anna met Omar in Lima.", "Anna met Omar.", Shape::Target);
    assert_eq!(of(&found, Feature::NameInOne, Part::Source), ["Lima -> "]);
    assert!(of(&found, Feature::NameInOne, Part::Target).is_empty());
    let found = features(&resources, "Anna met Omar.", "Anna met Omar in Lima.", Shape::Target);
    assert_eq!(of(&found, Feature::NameInOne, Part::Target), [" -> Lima"]);
    assert_eq!(of(&found, Feature::ContentUnaligned, Part::Target), [" -> Lima"]);
}
