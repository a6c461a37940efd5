//! Renders measures with their intervals, and the differences between two models, as tables.

use super::{figure, interval};
use crate::output::Output;
use resay_view::{json, text};

/// Prints measures with their intervals.
pub(crate) fn show_figures(out: &mut Output, figures: &[json::MeasureInterval]) -> anyhow::Result<()> {
    let mut rows = vec![["measure", "value", "95 % interval"].map(str::to_owned).to_vec()];
    let row = |f: &json::MeasureInterval| vec![f.measure.to_owned(), figure(f.value), interval(f.low, f.high)];
    rows.extend(figures.iter().map(row));
    out.table("<><", &rows)
}

/// Prints the measures of two models.
pub(crate) fn show_differences<'a>(
    out: &mut Output,
    differences: impl IntoIterator<Item = &'a json::MeasureDifference>,
) -> anyhow::Result<()> {
    let heads = ["measure", "model", "versus", "difference", "95 % interval", "p"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    rows.extend(differences.into_iter().map(|d| {
        let [first, second, p] = [d.first, d.second, d.p].map(figure);
        let difference = d.difference.map_or_else(|| "undefined".to_owned(), text::signed);
        vec![d.measure.to_owned(), first, second, difference, interval(d.low, d.high), p]
    }));
    out.table("<>>>>>", &rows)
}
