//! Plain English for ids of the library: the only place where features, base models, rules and
//! stages have names.

mod align;
pub mod features;
mod latent;
mod names;
mod overlap;
pub mod relation;
pub mod sentences;

pub use align::align_feature;
pub use latent::latent_feature;
pub use names::name_feature;
pub use overlap::overlap_measure;

use crate::text::{clean, quoted};
use resay::data::GroupedBy;
use resay::explain::What;
use resay::id::TextRelation;
use resay::model::{
    AdaptedFrom, FoldsAbout, Header, Judged, ModelKind, PairDetails, PairModel, Response, SureAbout, Undone,
};
use resay_learn::progress::Stage;
use resay_text::TextKind;

/// Describes a part of a decision in one line: control characters of texts and models become
/// spaces.
pub fn what(what: &What) -> String {
    clean(&match what {
        What::Score => "score".to_owned(),
        What::Bias => "bias".to_owned(),
        What::Range => "cut to the range of the labels".to_owned(),
        What::Kernel(kernel) => kernel.clone(),
        What::Rule(rule) => rule.to_string(),
        What::Group(group) => features::group(*group).to_owned(),
        What::Feature(feature) => features::feature(*feature),
        What::RelationFeature(feature) => relation::feature(*feature),
        What::EqualTexts => "the same after normalisation".to_owned(),
        What::Sentences => "all sentences together: the weakest counts most".to_owned(),
        What::WordsAlone => "words in common, and nothing else".to_owned(),
        What::BaseModel(base) => features::base_model(*base).to_owned(),
        What::BaseModelClass(base, class) => format!("{}, for {class}", features::base_model(*base)),
        What::AlignFeature(feature) => align_feature(*feature),
        What::LatentFeature(feature) => latent_feature(feature),
        What::NameFeature(feature) => name_feature(*feature),
        What::Variable(name) => format!("{name} = 1"),
        What::ProgramFeature(name) => name.clone(),
        What::Overlap(measure) => overlap_measure(*measure).to_owned(),
        What::AgainstUsual => features::AGAINST_USUAL.to_owned(),
        What::String(string) => quoted(string),
        What::Phrase { source, target } => {
            let [source, target] = [source, target].map(|side| side.as_deref().unwrap_or("(nothing)"));
            format!("{source} -> {target}")
        }
        What::Pair(id) => format!("like pair {id}"),
        What::Rest(n) => format!("{n} weaker"),
    })
}

/// The relation of two texts in one plain sentence, as sure as its probability.
pub fn headline(judged: &Judged) -> String {
    if judged.is_equal {
        return "Equivalent: the same after normalisation".to_owned();
    }
    let said = match judged.relation {
        TextRelation::Equivalent => "Equivalent: they say the same",
        TextRelation::Forward => "Forward: the target follows from the source, which says more",
        TextRelation::Backward => "Backward: the source follows from the target, which says more",
        TextRelation::Contradiction => "Contradiction: they cannot both be true",
        TextRelation::Neutral => "Neutral: neither follows from the other, and both may be true",
    };
    if judged.is_by_words() {
        return format!("{said} (a guess by the words alone)");
    }
    let probability = judged.probabilities[judged.relation as usize];
    let sure = match probability {
        p if p >= 0.8 => "",
        p if p >= 0.5 => " (probably)",
        _ => " (unsure)",
    };
    format!("{said}{sure}")
}

/// What is to be said of a text that is not English: `code`, `another language`.
pub fn text_kind(kind: TextKind) -> &'static str {
    match kind {
        TextKind::English => "English",
        TextKind::OtherLanguage => "another language",
        TextKind::Code => "code",
        TextKind::Names => "a list of names",
        TextKind::Symbols => "mere symbols",
    }
}

/// The warning about a text that is not English; none about English. `text` says which text it is.
pub fn warning(text: &str, kind: TextKind) -> Option<String> {
    let looks = text_kind(kind);
    (kind != TextKind::English)
        .then(|| format!("the {text} looks like {looks}, not like English: the answer goes by the words alone"))
}

/// A difference that was undone: its words, and how they are related.
pub fn undone(undone: &Undone) -> String {
    let words = match &undone.what {
        What::Phrase { source: Some(source), target: Some(target) } => format!("{source} -> {target}"),
        What::Phrase { source: Some(words), .. } | What::Phrase { target: Some(words), .. } => words.clone(),
        other => what(other),
    };
    format!("{words}: {}", relation::said(undone.feature))
}

/// Says how many examples there were of each label, or which numbers.
pub fn counts(header: &Header) -> String {
    let is_counted = header.counts.iter().any(|n| *n > 0) || header.n_examples == 0;
    match &header.response {
        _ if header.kind == ModelKind::Judgement && !is_counted => {
            "labels of several kinds, which leave some relations open".to_owned()
        }
        Response::Binary { labels: [no, yes] } => {
            let positive = header.n_positive();
            format!("{positive} of label {yes}, {} of label {no}", header.n_examples - positive)
        }
        Response::Real { low, high } => format!("numbers from {low} to {high}"),
        response => {
            let counts = response.labels().iter().zip(&header.counts).map(|(label, n)| format!("{n} of {label}"));
            counts.collect::<Vec<_>>().join(", ")
        }
    }
}

/// Describes the folds that a cost was chosen on.
pub fn folds(folds: &FoldsAbout) -> String {
    let FoldsAbout { n_folds, n_groups, by, n_used } = folds;
    let n_folds = n_used.map_or_else(|| n_folds.to_string(), |n_used| format!("{n_used} of {n_folds}"));
    match by {
        GroupedBy::Column => format!("{n_folds}, over {n_groups} groups of the group column"),
        GroupedBy::Sentences => format!("{n_folds}, over {n_groups} groups of pairs that share no sentence"),
        _ => format!(
            "{n_folds}; pairs that share a sentence may be in different ones, because they leave too few groups"
        ),
    }
}

/// Describes the model that another one was adapted from.
pub fn adapted_from(from: &AdaptedFrom) -> String {
    let AdaptedFrom { name, data, n_examples, licence, .. } = from;
    let licence = if licence.is_empty() { String::new() } else { format!("; {licence}") };
    format!("{name}, trained on {n_examples} pairs of {data}{licence}")
}

/// Describes from which probability on a model is sure of a label.
pub fn sure(sure: &SureAbout, labels: &[String]) -> String {
    let of_label = |(label, threshold): (&String, &Option<f64>)| match threshold {
        Some(threshold) => format!("{label} from {threshold:.3}"),
        None => format!("{label} never"),
    };
    let each: Vec<String> = labels.iter().zip(&sure.thresholds).map(of_label).collect();
    let (precision, coverage) = (100.0 * sure.precision, 100.0 * sure.coverage);
    format!("{}; of held-out pairs {coverage:.1} %, at a precision of {precision} %", each.join(", "))
}

/// Describes what a model consists of: a caption and its value.
pub fn made_of(model: &dyn PairModel) -> (&'static str, String) {
    let learner = &model.header().learner;
    match model.details() {
        PairDetails::Kernel(details) => ("kernel", details.kernel.clone()),
        PairDetails::Latent(details) => {
            ("learner", format!("{learner}, {} features of latent alignments", details.n_features))
        }
        PairDetails::Ensemble(details) => ("learner", format!("{learner}, {} features", details.n_features)),
        PairDetails::Names(details) => {
            ("learner", format!("{learner}, {} features of character maps", details.n_features[1]))
        }
        PairDetails::Judgement(details) => ("learner", format!("{learner}, {} inputs", details.n_inputs)),
        PairDetails::AdaptedJudgement(details) => {
            ("learner", format!("{learner}, {} inputs and a correction", details.n_inputs))
        }
        _ => ("learner", learner.clone()),
    }
}

/// Describes a stage of long work, for progress bars.
pub fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Annotate => "reading words",
        Stage::Features => "making features",
        Stage::Search => "choosing the cost",
        Stage::Train => "training",
        Stage::Candidates => "looking for candidates",
        Stage::Score => "judging",
        Stage::Explain => "explaining",
        Stage::Measure => "measuring",
        // A stage that this version has no words for yet.
        _ => "working",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_decision_read_as_one_line() {
        let phrase = |source: Option<&str>, target: Option<&str>| What::Phrase {
            source: source.map(str::to_owned),
            target: target.map(str::to_owned),
        };
        for (part, expected) in [
            (What::Score, "score"),
            (What::Kernel("a\tb\u{1b}".into()), "a b "),
            (What::String(" oil".into()), "\" oil\""),
            (phrase(Some("60"), Some("80")), "60 -> 80"),
            (phrase(None, Some("not")), "(nothing) -> not"),
            (What::Pair("7".into()), "like pair 7"),
            (What::Variable("pear-plum".into()), "pear-plum = 1"),
            (What::ProgramFeature("same\nfruit".into()), "same fruit"),
            (What::Rest(3), "3 weaker"),
        ] {
            assert_eq!(what(&part), expected);
        }
    }

    #[test]
    fn every_stage_has_words_of_its_own() {
        let all = [
            Stage::Annotate,
            Stage::Features,
            Stage::Search,
            Stage::Train,
            Stage::Candidates,
            Stage::Score,
            Stage::Explain,
            Stage::Measure,
        ];
        let mut words: Vec<&str> = all.into_iter().map(stage).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), all.len());
        assert!(!words.contains(&"working"));
    }
}
