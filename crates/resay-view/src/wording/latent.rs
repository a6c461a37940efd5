//! Features of latent alignments in English: their subject first, then what distinguishes them.

use resay::id::{
    Agreement, CoverMeasure, EntityMatch, LatentArgument, LatentFeature, LatentSide, LatentTemplate, Level, NamesCover,
    NegationMatch, NegationPlace, RelationMatch, WordClass, WordMatch,
};

/// `map, synonym, verb`; `left alone, noun, target`.
pub fn latent_feature(feature: &LatentFeature) -> String {
    let mut out = template(feature.template).to_owned();
    for argument in &feature.arguments {
        let shown = match argument {
            LatentArgument::None => continue,
            LatentArgument::Label(label) => label.as_deref().unwrap_or("other"),
            LatentArgument::From(start) => {
                out.push_str(&format!(", from {start:.1}"));
                continue;
            }
            LatentArgument::Level(level) => self::level(*level),
            LatentArgument::Class(class) => class.map_or("words of two classes", self::class),
            LatentArgument::Tag(tag) => tag.map_or("no tag", |tag| tag.name()),
            LatentArgument::Words(WordMatch::Other) => "other word",
            LatentArgument::Words(WordMatch::Same) => "same word",
            LatentArgument::Agreement(Agreement::Differ) => "differ",
            LatentArgument::Agreement(Agreement::Agree) => "agree",
            LatentArgument::Entities(EntityMatch::OneOnly) => "one only",
            LatentArgument::Entities(EntityMatch::TwoKinds) => "of two kinds",
            LatentArgument::Entities(EntityMatch::OneKind) => "of one kind",
            LatentArgument::Negation(NegationMatch::OneWord) => "of one word",
            LatentArgument::Negation(NegationMatch::Both) => "of both",
            LatentArgument::Side(LatentSide::Source) => "source",
            LatentArgument::Side(LatentSide::Target) => "target",
            LatentArgument::Side(LatentSide::Either) => "either side",
            LatentArgument::Relations(RelationMatch::Two) => "of two relations",
            LatentArgument::Relations(RelationMatch::One) => "of one relation",
            LatentArgument::Cover(CoverMeasure::SameWord) => "by the same word",
            LatentArgument::Cover(CoverMeasure::WordAlike) => "by a word alike",
            LatentArgument::Cover(CoverMeasure::OneSentence) => "in one sentence",
            LatentArgument::Cover(CoverMeasure::Window) => "within 30 words",
            LatentArgument::Names(NamesCover::Share) => "share",
            LatentArgument::Names(NamesCover::NotAll) => "not all",
            LatentArgument::Names(NamesCover::All) => "all",
            LatentArgument::Negated(NegationPlace::Nowhere) => "nowhere",
            LatentArgument::Negated(NegationPlace::TargetOnly) => "in the target only",
            LatentArgument::Negated(NegationPlace::SourceOnly) => "in the source only",
            LatentArgument::Negated(NegationPlace::Both) => "in both",
        };
        out.push_str(", ");
        out.push_str(shown);
    }
    out
}

fn template(template: LatentTemplate) -> &'static str {
    match template {
        LatentTemplate::Map | LatentTemplate::MapOfClass => "map",
        LatentTemplate::TagsAgree | LatentTemplate::Tags => "tags",
        LatentTemplate::Cosine | LatentTemplate::CosineBin => "cosine of vectors",
        LatentTemplate::NoVector => "no vector",
        LatentTemplate::WordNet | LatentTemplate::WordNetBin => "WordNet similarity",
        LatentTemplate::Spelling | LatentTemplate::SpellingBin => "edit similarity",
        LatentTemplate::Entities => "entities",
        LatentTemplate::Entity => "entity",
        LatentTemplate::Numbers => "numbers",
        LatentTemplate::Negation | LatentTemplate::Negated => "negation",
        LatentTemplate::Distance | LatentTemplate::DistanceBin => "places apart",
        LatentTemplate::Alone | LatentTemplate::AloneTag => "left alone",
        LatentTemplate::AloneEntity => "left alone, entity",
        LatentTemplate::AloneNumber => "left alone, number",
        LatentTemplate::AloneNegation => "left alone, negation",
        LatentTemplate::Edge | LatentTemplate::EdgeRelations => "edge",
        LatentTemplate::EdgeNodes => "edge, head",
        LatentTemplate::EdgeDependent => "edge, dependent",
        LatentTemplate::EdgeAlone => "edge left alone",
        LatentTemplate::Bias => "always",
        LatentTemplate::Covered => "content words covered",
        LatentTemplate::NamesCovered => "names and numbers covered",
        LatentTemplate::Length | LatentTemplate::LengthBin => "difference of lengths",
    }
}

/// The similarity level of two words.
pub(super) fn level(level: Level) -> &'static str {
    match level {
        Level::None => "none",
        Level::Spelling => "spelling",
        Level::Near => "near",
        Level::Synonym => "synonym",
        Level::Lemma => "lemma",
        Level::Same => "same",
    }
}

fn class(class: WordClass) -> &'static str {
    match class {
        WordClass::Function => "function word",
        WordClass::Mark => "mark",
        WordClass::Number => "number",
        WordClass::Name => "name",
        WordClass::Verb => "verb",
        WordClass::Modifier => "modifier",
        WordClass::Noun => "noun",
    }
}
