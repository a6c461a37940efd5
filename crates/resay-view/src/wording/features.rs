//! Features, groups and base models of an ensemble in English: for developers, and as part of an
//! answer.

use resay::id::{BaseModel, Feature, FeatureGroup, FeatureId, Part};

/// The name of a feature group.
pub fn group(group: FeatureGroup) -> &'static str {
    match group {
        FeatureGroup::Overlap => "words in common",
        FeatureGroup::Alignment => "alignment",
        FeatureGroup::Unaligned => "what only one says",
        FeatureGroup::Mismatch => "what differs",
        FeatureGroup::Structure => "who does what",
        FeatureGroup::Rules => "the same words in other pairs",
        FeatureGroup::Length => "sentence length",
        FeatureGroup::Answer => "what is asked for",
    }
}

/// The name of a base model.
pub fn base_model(base: BaseModel) -> &'static str {
    match base {
        BaseModel::Rules => "re-writing rules",
        BaseModel::TypedRules => "typed rules",
        BaseModel::Latent => "latent alignment",
    }
}

/// A base model's score relative to the usual one.
pub const AGAINST_USUAL: &str = "against what is usual";

fn bare(feature: Feature) -> &'static str {
    match feature {
        Feature::WordsShared => "words shared",
        Feature::WordPairsShared => "words shared, 2 in a row",
        Feature::WordTriplesShared => "words shared, 3 in a row",
        Feature::WordQuadruplesShared => "words shared, 4 in a row",
        Feature::StemsShared => "stems shared",
        Feature::StemPairsShared => "stems shared, 2 in a row",
        Feature::StemTriplesShared => "stems shared, 3 in a row",
        Feature::StemQuadruplesShared => "stems shared, 4 in a row",
        Feature::RunsGeometricMean => "runs of words shared, geometric mean",
        Feature::ContentShared => "content words shared",
        Feature::WordsInOrder => "words in one order",
        Feature::LongestRun => "the longest run shared",
        Feature::LettersShared => "letters shared",
        Feature::RareShared => "words shared, by how rare",
        Feature::RarestUnshared => "the rarest word that is not shared",
        Feature::NearestContent => "content words, by the nearest",
        Feature::WordEdits => "words to change",
        Feature::Words => "words",
        Feature::RelativeLengthDifference => "difference of lengths, a part of the longer",
        Feature::LengthDifference => "difference of lengths",
        Feature::AlignmentGain => "gain of the aligner per word",
        Feature::ProbablyUnaligned => "content words probably unaligned",
        Feature::ContentUnaligned => "content words unaligned",
        Feature::NumbersUnaligned => "numbers unaligned",
        Feature::NumbersAligned => "numbers shared",
        Feature::NamesUnaligned => "names unaligned",
        Feature::NamesAligned => "names shared",
        Feature::VerbsUnaligned => "verbs unaligned",
        Feature::VerbsAligned => "verbs shared",
        Feature::ModifiersUnaligned => "modifiers unaligned",
        Feature::ModifiersAligned => "modifiers shared",
        Feature::NounsUnaligned => "nouns unaligned",
        Feature::NounsAligned => "nouns shared",
        Feature::Substitutions => "words for other words",
        Feature::RelatedSubstitutions => "words for related words",
        Feature::SubstitutionSimilarity => "words for other words, by how alike",
        Feature::StepsBack => "steps back",
        Feature::StretchesElsewhere => "stretches in other places",
        Feature::AlignedInRow => "words in a row",
        Feature::OtherNumber => "other numbers",
        Feature::NumberInOne => "numbers in one only",
        Feature::OtherName => "other names",
        Feature::NameInOne => "names in one only",
        Feature::NegationInOne => "negation in one only",
        Feature::OtherQuantity => "other quantities",
        Feature::QuantityInOne => "quantities in one only",
        Feature::OtherTime => "other words of time",
        Feature::TimeInOne => "words of time in one only",
        Feature::OtherUnit => "other units",
        Feature::UnitInOne => "units in one only",
        Feature::SiblingsExchanged => "words of one kind exchanged",
        Feature::Opposites => "opposites",
        Feature::UnrelatedExchanged => "words exchanged for unrelated ones",
        Feature::FactAndPossibility => "said to be so and to be possible",
        Feature::PastAndFuture => "before and later",
        Feature::PastAndPresent => "past and present",
        Feature::DoneAndOngoing => "done and going on",
        Feature::AgentAndPatientExchanged => "who and whom exchanged",
        Feature::PlacesExchanged => "places exchanged",
        Feature::OrderReversed => "order turned around",
        Feature::OtherHeads => "words under other heads",
        Feature::EdgesKept => "edges kept",
        Feature::RootsAligned => "main words correspond",
        Feature::RootsSame => "main words are the same",
        Feature::AllElseAlike => "all else alike",
        Feature::AnswerKind => "of the kind that is asked for",
        Feature::NoAnswerKind => "nothing of the kind that is asked for",
        Feature::AnswerNearQuestion => "what is asked for near words of the question",
        Feature::TextSimilarity => "likeness of all content words together",
        Feature::UnalignedTextSimilarity => "likeness of unaligned words together",
        Feature::MeaningCovered => "content words, by the likeness of the nearest and how rare",
        Feature::LeastCovered => "likeness of the nearest word to the loneliest",
        Feature::UnalignedNearest => "likeness of the nearest word to an unaligned one",
    }
}

/// A feature, as in lists of weights.
pub fn feature(id: FeatureId) -> String {
    let name = bare(id.feature);
    match id.part {
        Part::Whole => name.to_owned(),
        Part::Less => format!("{name}, less"),
        Part::More => format!("{name}, more"),
        Part::Target => format!("{name}, target"),
        Part::Source => format!("{name}, source"),
    }
}

/// The description of differing words if nothing more specific is known.
pub const VAGUE: &str = "another of the same kind";

/// A feature, as an answer describes the words that it refers to. The words show to which of the
/// two sentences it belongs.
pub fn said(id: FeatureId) -> String {
    let plain = match id.feature {
        Feature::OtherNumber => "different number",
        Feature::OtherName => "different name",
        Feature::OtherQuantity => "different quantity",
        Feature::OtherTime => "different time",
        Feature::OtherUnit => "different unit",
        Feature::NumberInOne => "number in one only",
        Feature::NameInOne => "name in one only",
        Feature::QuantityInOne => "quantity in one only",
        Feature::TimeInOne => "word of time in one only",
        Feature::UnitInOne => "unit in one only",
        Feature::Opposites => "opposite meaning",
        Feature::SiblingsExchanged => VAGUE,
        Feature::ContentUnaligned => "said in one only",
        Feature::AgentAndPatientExchanged => "who and whom are swapped",
        Feature::PlacesExchanged => "swapped places",
        Feature::OrderReversed => "the other way round",
        Feature::FactAndPossibility => "fact in one, possibility in the other",
        Feature::PastAndFuture => "past in one, future in the other",
        Feature::PastAndPresent => "past in one, present in the other",
        Feature::DoneAndOngoing => "done in one, going on in the other",
        Feature::AllElseAlike => "all else is alike",
        Feature::UnalignedNearest => "similar meaning",
        _ => return feature(id),
    };
    plain.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_features_have_one_name() {
        let names: BTreeSet<&str> = Feature::ALL.iter().map(|feature| bare(*feature)).collect();
        assert_eq!(names.len(), Feature::ALL.len());
        let groups: BTreeSet<&str> = FeatureGroup::ALL.iter().map(|one| group(*one)).collect();
        assert_eq!(groups.len(), FeatureGroup::ALL.len());
    }
}
