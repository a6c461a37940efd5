//! Ablation of features: each group left out in turn, and each group alone beside identical words,
//! in cross-validation on the training parts. Test parts are not read.

use super::super::{Row, TRIED};
use super::{CORPORA, read};
use resay::Result;
use resay::align::{AlignSettings, Decode, feature_templates};
use resay::data::AlignedPairs;
use resay::resources::Resources;
use resay::train::align::{AlignOptions, align_counts, align_pairs, train_align};
use resay_learn::eval::alignment::{AlignmentFigure, LinkSubset};
use resay_learn::eval::blocks::WordLink;
use resay_learn::progress::{Progress, Stage};
use std::path::Path;

const N_FOLDS: usize = 2;
/// More steps change little, and there are many systems.
const MAX_STEPS: usize = 60;
/// Without these there is nothing to train on.
const ALWAYS: [&str; 2] = ["bias", "string"];

/// F1 in cross-validation.
fn held_out(
    pairs: &AlignedPairs,
    settings: &AlignSettings,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<[f64; 3]> {
    let mut found: Vec<Vec<WordLink>> = vec![Vec::new(); pairs.len()];
    for fold in 0..N_FOLDS {
        let (inside, outside) = pairs.split_by(|idx| idx % N_FOLDS == fold);
        let model = train_align(&outside, &AlignOptions::new(settings.clone()), resources, progress)?;
        let aligned = align_pairs(&model, &inside, Decode::Confident(None), progress)?;
        for (at, aligned) in aligned.iter().enumerate() {
            found[at * N_FOLDS + fold] = aligned.alignment.pairs();
        }
    }
    let counts = align_counts(pairs, &found, LinkSubset::All, false);
    Ok([AlignmentFigure::Precision, AlignmentFigure::Recall, AlignmentFigure::F1]
        .map(|figure| 100.0 * figure.of(&counts)))
}

/// Returns rows for all features, for all but one group, and for one group beside bias and
/// spelling: the token model on MSR06 and Edinburgh++.
pub(crate) fn ablate(folder: &Path, resources: &Resources, progress: Progress<'_>) -> Result<Vec<Row>> {
    let all = AlignSettings {
        features: feature_templates()
            .map(|(name, _)| name.to_owned())
            .filter(|name| !matches!(name.as_str(), "phrases" | "first-pass"))
            .collect(),
        max_steps: MAX_STEPS,
        ..AlignSettings::tokens()
    };
    let names: Vec<String> = all.features.iter().filter(|name| !ALWAYS.contains(&name.as_str())).cloned().collect();
    let mut systems = vec![("all features".to_owned(), all.features.clone())];
    systems.push(("only bias, string".to_owned(), ALWAYS.map(str::to_owned).to_vec()));
    systems.push(("the token model as it comes".to_owned(), AlignSettings::tokens().features));
    for name in &names {
        let kept = all.features.iter().filter(|kept| *kept != name).cloned().collect();
        systems.push((format!("all but {name}"), kept));
    }
    for name in &names {
        let few = ALWAYS.iter().map(|&always| always.to_owned()).chain([name.clone()]).collect();
        systems.push((format!("only bias, string, {name}"), few));
    }
    let total = 2 * systems.len();
    let mut rows = Vec::new();
    for corpus in [&CORPORA[0], &CORPORA[2]] {
        let pairs = read(folder, corpus.train)?;
        let mut whole = None;
        for (system, features) in &systems {
            let what = format!("{}: {system}", corpus.name);
            progress.report_on(Stage::Measure, &what, rows.len() / 3, total)?;
            let settings = AlignSettings { features: features.clone(), ..all.clone() };
            let figures = held_out(&pairs, &settings, resources, progress.quiet())?;
            let whole = *whole.get_or_insert(figures[2]);
            for (metric, value) in ["precision", "recall", "F1"].into_iter().zip(figures) {
                let note = if metric == "F1" { format!("{:+.2} against all", value - whole) } else { String::new() };
                rows.push(Row {
                    dataset: corpus.name,
                    system: system.clone(),
                    protocol: TRIED,
                    cost: 0.0,
                    metric,
                    value,
                    held_out: None,
                    paper: None,
                    note,
                });
            }
        }
    }
    Ok(rows)
}
