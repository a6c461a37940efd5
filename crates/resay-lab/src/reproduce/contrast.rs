//! The bundled paraphrase judge on the contrast suite: hand-written pairs that differ in one
//! respect each.

use super::{Measured, Row, Scored};
use resay::Result;
use resay::data::{Columns, Dataset};
use resay::model::{Decision, Ensemble, PairModel};
use resay::resources::Resources;
use resay_learn::progress::{Progress, Stage};
use std::path::Path;

const BUNDLED: &str = "as bundled";

/// The pairs of the contrast suite, with the phenomenon in a column of its own.
const SUITE: &str = include_str!("../../../../contrast/suite.tsv");

/// Accuracy over all pairs and by phenomenon; needs no corpus.
pub(super) fn measure(_folder: &Path, _seed: u64, resources: &Resources, progress: Progress<'_>) -> Result<Measured> {
    progress.report_on(Stage::Measure, "contrast suite", 0, 1)?;
    let mut measured = Measured::default();
    let columns = Columns { group: "phenomenon".to_owned(), ..Columns::default() };
    let suite = Dataset::from_reader("contrast/suite.tsv", SUITE.as_bytes(), None, &columns)?;
    let model = Ensemble::bundled("judge", resources)?;
    let judge: &dyn PairModel = &model;
    let truth = suite.labels_binary()?;
    let found = judge.predict(&suite.rows, |pair| (&pair.source, &pair.target), progress.quiet())?;
    let decisions: Vec<Decision> = found.into_iter().map(|found| found?.decision()).collect::<Result<_>>()?;
    // As in `compare`: by the probability.
    let right: Vec<bool> =
        decisions.iter().zip(&truth).map(|(decision, truth)| (decision.probability >= 0.5) == *truth).collect();
    let mut phenomena: Vec<(String, usize, usize)> = vec![("combined, all pairs".to_owned(), 0, 0)];
    for (example, is_right) in suite.rows.iter().zip(&right) {
        let name = format!("combined, {}", example.group.as_deref().unwrap_or("other"));
        if !phenomena.iter().any(|(known, ..)| *known == name) {
            phenomena.push((name.clone(), 0, 0));
        }
        for (known, n_right, n) in &mut phenomena {
            if known.ends_with("all pairs") || *known == name {
                *n += 1;
                *n_right += usize::from(*is_right);
            }
        }
    }
    for (system, n_right, n) in phenomena {
        measured.rows.push(Row {
            dataset: "contrast suite",
            system,
            protocol: BUNDLED,
            cost: model.about().header.cost.unwrap_or(0.0),
            metric: "accuracy",
            value: 100.0 * n_right as f64 / n.max(1) as f64,
            held_out: None,
            paper: None,
            note: format!("{n} pairs"),
        });
    }
    let each = suite.rows.iter().zip(&truth).zip(&decisions);
    measured.scores.extend(each.map(|((example, label), decision)| Scored {
        dataset: "contrast suite",
        system: "combined".to_owned(),
        id: example.id.clone(),
        label: *label,
        score: decision.score,
    }));
    Ok(measured)
}
