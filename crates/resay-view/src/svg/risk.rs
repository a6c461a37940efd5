//! The plot of the risk-coverage curve.

use super::plot::{Plot, Texts};
use resay_learn::eval::risk::RiskCurve;

/// Number of points that can be told apart.
const MOST_POINTS: usize = 400;

/// Draws the error rate of the surest decisions against their share. `about` says what was
/// measured: the model and the data.
pub fn risk_coverage(curve: &RiskCurve, about: &str) -> String {
    let points = curve.thinned(MOST_POINTS);
    let greatest = points.iter().map(|point| point.risk).fold(0.0, f64::max);
    let top = [0.05, 0.1, 0.25, 0.5].into_iter().find(|top| greatest <= *top).unwrap_or(1.0);
    let overall = points.last().map_or(0.0, |point| point.risk);
    let summary = format!("area under the curve {:.4}; error rate of all decisions {overall:.4}", curve.area);
    let mut plot = Plot::new(
        &Texts {
            title: "Risk and coverage",
            about,
            summary: &summary,
            described: &summary,
            axes: ["coverage: share of decisions, the surest first", "error rate"],
        },
        top,
    );
    let places: Vec<[f64; 2]> = points.iter().map(|point| [plot.x(point.coverage), plot.y(point.risk)]).collect();
    plot.curve(places.iter().copied());
    if let Some(last) = places.last() {
        plot.point(*last);
    }
    plot.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay_learn::eval::risk::risk_curve;

    #[test]
    fn the_scale_fits_the_curve() {
        for (is_right, top) in [([true; 4], "0.05"), ([true, true, true, false], "0.25"), ([false; 4], "1.00")] {
            let curve = risk_curve(&[0.9, 0.8, 0.7, 0.6], &is_right).expect("examples");
            let drawn = risk_coverage(&curve, "a & b");
            assert!(drawn.contains(&format!(">{top}</text>")), "{drawn}");
            assert!(drawn.contains(&format!("area under the curve {:.4}", curve.area)) && drawn.contains("a &amp; b"));
            assert!(!drawn.contains("NaN") && !drawn.contains("<script"));
        }
    }
}
