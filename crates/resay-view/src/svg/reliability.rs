//! The reliability plot: observed shares by predicted probability.

use super::plot::{Plot, Texts};
use resay_learn::eval::calibration::Calibration;

/// Draws observed shares with their intervals against mean probabilities. `about` says what was
/// measured: the model and the data.
pub fn reliability(found: &Calibration, about: &str) -> String {
    let shown: Vec<_> = found.bins.iter().filter_map(|bin| Some((bin, bin.mean_probability?, bin.share?))).collect();
    let in_words: Vec<String> = shown
        .iter()
        .map(|(bin, mean, share)| format!("mean probability {mean:.2}, share {:.2}, rows {}", share.value, bin.n))
        .collect();
    let mut plot = Plot::new(
        &Texts {
            title: "Reliability",
            about,
            summary: &format!("expected calibration error {:.4}; bars: exact 95 % intervals", found.error),
            described: &in_words.join(". "),
            axes: ["mean predicted probability of yes", "observed share of yes"],
        },
        1.0,
    );
    plot.line("diagonal", [plot.x(0.0), plot.y(0.0)], [plot.x(1.0), plot.y(1.0)]);
    for (_, mean, share) in shown {
        const CAP: f64 = 5.0;
        let [x, low, high] = [plot.x(mean), plot.y(share.low), plot.y(share.high)];
        plot.line("whisker", [x, low], [x, high]);
        for y in [low, high] {
            plot.line("whisker", [x - CAP, y], [x + CAP, y]);
        }
        plot.point([x, plot.y(share.value)]);
    }
    plot.row_below("rows", found.bins.iter().map(|bin| (0.5 * (bin.from + bin.to), bin.n.to_string())));
    plot.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay_learn::eval::calibration::calibration;

    #[test]
    fn every_bin_with_rows_has_a_point_and_every_bin_a_number() {
        let found = calibration(&[0.05, 0.07, 0.55, 0.95], &[false, true, true, true], 10, 0.95).expect("examples");
        let drawn = reliability(&found, "<model> on data");
        let count = |what: &str| drawn.matches(what).count();
        assert_eq!((count("class=\"point\""), count("class=\"whisker\""), count("class=\"diagonal\"")), (3, 9, 1));
        assert!(drawn.contains(&format!("expected calibration error {:.4}", found.error)));
        assert!(drawn.contains("&lt;model&gt; on data") && !drawn.contains("<script") && !drawn.contains("NaN"));
        assert_eq!(count(">0</text>"), 7, "empty bins");
        assert!(
            drawn.contains("<title id=\"resay-title\">Reliability: ") && drawn.contains("prefers-color-scheme: dark")
        );
    }
}
