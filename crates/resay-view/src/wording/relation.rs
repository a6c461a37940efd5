//! What a joint judgement sees of a pair, in English.

use super::features;
use resay::id::{
    AloneMeasure, Detail, EditKind, LogicRelation, Operator, OrderMeasure, PolarityMeasure, RelationFeature,
    RoleMeasure, ScopeMeasure, SizeMeasure, TextSide, WordGroup,
};

/// The name of a feature, as in lists of weights.
pub fn feature(feature: RelationFeature) -> String {
    match feature {
        RelationFeature::Content(kind) => edit(kind).to_owned(),
        RelationFeature::Function(kind) => format!("{}, function words", edit(kind)),
        RelationFeature::Grouped(of, kind) => format!("{}, {}", edit(kind), group(of)),
        RelationFeature::Size(measure) => size(measure).to_owned(),
        RelationFeature::Alone(side, of) => format!("{} in the {} only", group(of), text(side)),
        RelationFeature::Detail(side, kind) => format!("{} in the {} only", detail(kind), text(side)),
        RelationFeature::AloneMeasure(side, measure) => format!("{}, {}", alone(measure), text(side)),
        RelationFeature::Operator(side, of) => format!("{}, {}", operator(of), text(side)),
        RelationFeature::OperatorDiffers(of) => format!("{}, more in the target", operator(of)),
        RelationFeature::Order(measure) => order(measure).to_owned(),
        RelationFeature::Scope(measure) => scope(measure).to_owned(),
        RelationFeature::Role(measure) => role(measure).to_owned(),
        RelationFeature::Polarity(measure) => polarity(measure).to_owned(),
        RelationFeature::Logic { is_lenient, relation } => {
            format!("natural logic{}: {}", if is_lenient { ", freely" } else { "" }, logic(relation))
        }
        RelationFeature::Feature(id) => features::feature(id),
        RelationFeature::Rules(relation) => format!("rules for {}", relation.name()),
    }
}

/// A feature, as an answer describes the words that it refers to.
pub fn said(of: RelationFeature) -> String {
    match of {
        RelationFeature::Content(kind) | RelationFeature::Function(kind) => edit(kind).to_owned(),
        RelationFeature::Alone(_, WordGroup::Filler) => "adds nothing".to_owned(),
        RelationFeature::Alone(..) => "said in one only".to_owned(),
        RelationFeature::Order(OrderMeasure::InvertedNouns) => "in the other order".to_owned(),
        RelationFeature::Role(RoleMeasure::Swapped) => "who and whom are swapped".to_owned(),
        RelationFeature::Rules(_) => "as in other pairs".to_owned(),
        other => feature(other),
    }
}

fn text(side: TextSide) -> &'static str {
    match side {
        TextSide::Source => "source",
        TextSide::Target => "target",
    }
}

fn edit(kind: EditKind) -> &'static str {
    match kind {
        EditKind::Same => "the same word",
        EditKind::Inflected => "another form of the word",
        EditKind::Normalised => "the same, written otherwise",
        EditKind::Equal => "means the same",
        EditKind::EqualByWay => "means about the same",
        EditKind::Synonym => "synonym",
        EditKind::RareSynonym => "synonym in rarer senses",
        EditKind::Denied => "one denies the other by its prefix",
        EditKind::Derived => "derived word",
        EditKind::Paraphrase => "often a paraphrase",
        EditKind::Nickname => "short name",
        EditKind::Misspelt => "one letter differs",
        EditKind::General => "said more generally",
        EditKind::Specific => "said more specifically",
        EditKind::Hypernym => "a more general word",
        EditKind::Hyponym => "a more specific word",
        EditKind::Opposite => "opposite meaning",
        EditKind::Antonym => "antonym",
        EditKind::Alternative => "excludes the other",
        EditKind::Converse => "seen from the other side",
        EditKind::NumberImplies => "a narrower number",
        EditKind::NumberImplied => "a wider number",
        EditKind::NumberDiffers => "different number",
        EditKind::NumberOverlaps => "another range of numbers",
        EditKind::OtherName => "different name",
        EditKind::Similar => "similar meaning",
        EditKind::Unrelated => "another word in the same place",
    }
}

fn group(group: WordGroup) -> &'static str {
    match group {
        WordGroup::Verb => "verbs",
        WordGroup::Noun => "nouns",
        WordGroup::Name => "names",
        WordGroup::Number => "numbers",
        WordGroup::Adjective => "adjectives",
        WordGroup::Adverb => "adverbs",
        WordGroup::Pronoun => "pronouns",
        WordGroup::Preposition => "prepositions",
        WordGroup::Determiner => "determiners",
        WordGroup::Auxiliary => "auxiliary verbs",
        WordGroup::Other => "small words",
        WordGroup::Filler => "fillers",
        WordGroup::Mark => "punctuation marks",
    }
}

fn detail(kind: Detail) -> &'static str {
    match kind {
        Detail::Modifier => "modifiers",
        Detail::Adverb => "adverbs of a shared word",
        Detail::Phrase => "phrases with a preposition",
        Detail::Clause => "clauses",
        Detail::Participant => "subjects and objects",
        Detail::Joined => "words joined by a conjunction",
    }
}

fn alone(measure: AloneMeasure) -> &'static str {
    match measure {
        AloneMeasure::Rarity => "what one text says only, by how rare",
        AloneMeasure::Share => "what one text says only, as a share",
        AloneMeasure::Root => "main predicate of one text only",
    }
}

fn size(measure: SizeMeasure) -> &'static str {
    match measure {
        SizeMeasure::LargestEdit => "largest difference of words",
        SizeMeasure::SumOfEdits => "sum of differences of words",
        SizeMeasure::MeanEdit => "mean difference of words",
        SizeMeasure::LeastSimilar => "least similar words",
        SizeMeasure::ContentSource => "content words, source",
        SizeMeasure::ContentTarget => "content words, target",
        SizeMeasure::WordsSource => "number of words, source",
        SizeMeasure::WordsTarget => "number of words, target",
        SizeMeasure::SameNormalised => "the same after normalisation",
        SizeMeasure::LeastSimilarSynonyms => "least similar synonyms",
    }
}

fn operator(operator: Operator) -> &'static str {
    match operator {
        Operator::Negation => "negation",
        Operator::Required => "must",
        Operator::Advised => "should",
        Operator::Possible => "can or may",
        Operator::Hedged => "hedges",
        Operator::All => "all",
        Operator::Some => "some",
        Operator::Many => "many",
        Operator::Few => "few",
        Operator::Only => "only",
        Operator::AtLeast => "at least",
        Operator::AtMost => "at most",
        Operator::Condition => "conditions",
        Operator::Cause => "causes",
        Operator::Before => "before",
        Operator::After => "after",
        Operator::Question => "question",
        Operator::Asked => "question word",
        Operator::Future => "future",
        Operator::Past => "past",
        Operator::Former => "no longer",
        Operator::Still => "still or already",
        Operator::Starting => "starting",
        Operator::Stopping => "stopping",
        Operator::Said => "somebody says so",
        Operator::Intended => "intention",
        Operator::First => "I or we",
        Operator::Second => "you",
        Operator::And => "and",
        Operator::Or => "or",
        Operator::Compared => "comparison",
        Operator::Toward => "up, on, in",
        Operator::Away => "down, off, out",
        Operator::Command => "command",
        Operator::Forbidden => "must not",
        Operator::Exempt => "need not",
        Operator::NotAll => "not all",
        Operator::None => "none",
    }
}

fn order(measure: OrderMeasure) -> &'static str {
    match measure {
        OrderMeasure::Inverted => "words in the other order",
        OrderMeasure::InvertedNeighbours => "neighbours in the other order",
        OrderMeasure::InvertedNames => "names in the other order",
        OrderMeasure::InvertedNouns => "nouns in the other order",
        OrderMeasure::KeptLeft => "words with the same word before",
        OrderMeasure::KeptRight => "words with the same word behind",
        OrderMeasure::KeptContentLeft => "content words with the same one before",
        OrderMeasure::PairsKeptSource => "pairs of neighbours kept, source",
        OrderMeasure::PairsKeptTarget => "pairs of neighbours kept, target",
        OrderMeasure::SameStart => "the same start",
        OrderMeasure::SameEnd => "the same end",
        OrderMeasure::Moved => "longest stretch that moved",
        OrderMeasure::OtherObject => "phrases under another word",
        OrderMeasure::OtherHead => "modifiers of another word",
        OrderMeasure::OtherVerb => "participants of another verb",
        OrderMeasure::InvertedInList => "in the other order within a list",
        OrderMeasure::InvertedApart => "nouns in the other order, not in a list",
    }
}

fn scope(measure: ScopeMeasure) -> &'static str {
    match measure {
        ScopeMeasure::FocusMoved => "\"only\" or the like belongs to another word",
        ScopeMeasure::NegationMoved => "the negation belongs to another word",
        ScopeMeasure::QuantifierMoved => "the quantifier belongs to another word",
        ScopeMeasure::MarkerMoved => "\"if\", \"when\" or the like belongs to another clause",
        ScopeMeasure::JoinMoved => "\"and\" or \"or\" joins another word",
        ScopeMeasure::OtherPreposition => "another preposition",
        ScopeMeasure::OtherPrepositionOfNumber => "a number with another preposition",
        ScopeMeasure::PrepositionInOne => "a preposition in one only",
        ScopeMeasure::InvertedPredicates => "predicates in the other order",
        ScopeMeasure::InvertedSequence => "events in the other order",
        ScopeMeasure::OtherContentHead => "belongs to another word",
        ScopeMeasure::OtherModal => "another modal verb",
        ScopeMeasure::NegatedInOne => "negated in one only",
    }
}

fn role(measure: RoleMeasure) -> &'static str {
    match measure {
        RoleMeasure::Kept => "roles kept",
        RoleMeasure::Swapped => "roles swapped",
        RoleMeasure::KeptUnderConverse => "roles kept under a converse",
        RoleMeasure::SwappedUnderConverse => "roles swapped under a converse",
        RoleMeasure::Replaced => "participants replaced",
        RoleMeasure::Missing => "participants of one text only",
        RoleMeasure::OtherVoice => "active in one, passive in the other",
        RoleMeasure::Roots => "main predicates correspond",
        RoleMeasure::RootEdit => "how main predicates correspond",
        RoleMeasure::SubjectEdit => "how subjects correspond",
        RoleMeasure::ObjectEdit => "how objects correspond",
        RoleMeasure::ComparisonTurned => "sides of a comparison exchanged",
        RoleMeasure::ClausesTurned => "clauses exchanged",
        RoleMeasure::ClausesTurnedWithConverse => "clauses exchanged with a converse",
        RoleMeasure::ClausesUnderOther => "clauses joined otherwise",
        RoleMeasure::SidesExchanged => "on the other sides of the predicate",
        RoleMeasure::SidesExchangedInPassive => "on the other sides of the predicate, in the passive",
        RoleMeasure::SidesKept => "on the same sides of the predicate",
    }
}

fn polarity(measure: PolarityMeasure) -> &'static str {
    match measure {
        PolarityMeasure::EqualNegatedOnce => "the same, negated once",
        PolarityMeasure::OppositeNegatedOnce => "opposite, negated once",
        PolarityMeasure::OppositeAlike => "opposite, negated alike",
        PolarityMeasure::PredicateNegatedOnce => "the same predicate, negated once",
        PolarityMeasure::PredicateCancelled => "opposite predicates, negated once",
        PolarityMeasure::PredicateOpposed => "opposite predicates, negated alike",
        PolarityMeasure::Odd => "negations and opposites are odd",
        PolarityMeasure::OddNegations => "negations are odd",
    }
}

fn logic(relation: LogicRelation) -> &'static str {
    match relation {
        LogicRelation::Equal => "equal",
        LogicRelation::Forward => "follows",
        LogicRelation::Reverse => "follows the other way",
        LogicRelation::Negation => "negation",
        LogicRelation::Alternation => "excludes",
        LogicRelation::Cover => "covers",
        LogicRelation::Independent => "nothing",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_clues_have_one_name() {
        let all = resay::relate::catalogue();
        let names: BTreeSet<String> = all.iter().map(|one| feature(*one)).collect();
        let mut named: Vec<String> = all.iter().map(|one| feature(*one)).collect();
        named.sort();
        let twice: Vec<&String> = named.windows(2).filter(|two| two[0] == two[1]).map(|two| &two[0]).collect();
        assert_eq!(names.len(), all.len(), "{twice:?}");
    }
}
