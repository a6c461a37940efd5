//! The plots of `resay eval`: reliability, and risk by coverage.

use crate::args::{Common, OutputFile, PlotArgs};
use crate::failure::Usage;
use anyhow::Context;
use resay_learn::eval::calibration::Calibration;
use resay_learn::eval::risk::RiskCurve;
use resay_view::svg;

/// Rejects options that would print more than one kind of output.
pub(super) fn check_printed(common: &Common, args: &PlotArgs) -> anyhow::Result<()> {
    let outputs = [&args.reliability, &args.risk].into_iter().flatten();
    if outputs.filter(|output| output.is_stdout()).count() + usize::from(common.json) > 1 {
        let message = "only one of --reliability -, --risk - and --json can be printed: give the others a file";
        return Err(Usage(message.to_owned()).into());
    }
    Ok(())
}

/// Writes the plots that were asked for. Returns the one that is printed instead of the measures.
pub(super) fn write(
    args: &PlotArgs,
    about: &str,
    calibration: Option<&Calibration>,
    risk: Option<&RiskCurve>,
) -> anyhow::Result<Option<String>> {
    let mut printed = None;
    let mut place = |output: &OutputFile, plot: Option<String>| -> anyhow::Result<()> {
        let plot = plot.context("no probability to plot")?;
        if output.is_stdout() {
            printed = Some(plot);
        } else {
            output.write(|file| file.write_all(plot.as_bytes()))?;
        }
        Ok(())
    };
    if let Some(output) = &args.reliability {
        place(output, calibration.map(|found| svg::reliability(found, about)))?;
    }
    if let Some(output) = &args.risk {
        place(output, risk.map(|found| svg::risk_coverage(found, about)))?;
    }
    Ok(printed)
}
