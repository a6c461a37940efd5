//! Confidence intervals of the summary figures: percentile bootstrap over documents, and
//! approximate randomisation for two systems on the same documents. A document is drawn or swapped
//! with all its labels at once, since they are not independent.
//!
//! Draws and results equal those of [`crate::eval::significance`]. But here every label is
//! sorted once and a resample is a vector of document weights, so that no resample has to be built
//! and sorted.

use super::label::Ranking;
use super::{TopicFigure, TopicSummary, check_shape};
use crate::Result;
use crate::eval::significance::{self, Comparison, Interval, ResampleOptions, Units};
use rayon::prelude::*;

/// One number per figure, in the order of `TopicFigure::ALL`; NaN if undefined.
type Figures = [f64; TopicFigure::ALL.len()];

/// Returns every summary figure with its bootstrap interval, in the order of `TopicFigure::ALL`;
/// `None` if the figure is undefined on the data or on every resample. `scores` and `truth` are
/// `[label][document]`, as for `topic_figures`.
pub fn topic_intervals(
    scores: &[Vec<f64>],
    truth: &[Vec<bool>],
    threshold: f64,
    options: &ResampleOptions,
) -> Result<Vec<(TopicFigure, Option<Interval>)>> {
    let units = Units::new(check_shape(scores, truth)?, None)?;
    significance::check(options)?;
    let system = System::new(scores, truth, threshold);
    let resampled = resamples(&units, options, |weights| system.figures(weights));
    let value = system.figures(&vec![1; system.n_documents]);
    Ok(gather(|figure| percentiles(&value, &resampled, figure, options)))
}

/// Compares two systems on the same documents by every summary figure: both values, the interval of
/// the difference, and the paired test; `None` if a figure is undefined for one of them.
pub fn topic_comparisons(
    first: &[Vec<f64>],
    second: &[Vec<f64>],
    truth: &[Vec<bool>],
    threshold: f64,
    options: &ResampleOptions,
) -> Result<Vec<(TopicFigure, Option<Comparison>)>> {
    let n_documents = check_shape(first, truth)?;
    check_shape(second, truth)?;
    let units = Units::new(n_documents, None)?;
    significance::check(options)?;
    let systems = [first, second].map(|scores| System::new(scores, truth, threshold));
    let [of_first, of_second] = systems.each_ref().map(|system| system.figures(&vec![1; n_documents]));
    let observed = minus(&of_first, &of_second);
    let resampled = resamples(&units, options, |weights| {
        let [left, right] = systems.each_ref().map(|system| system.figures(weights));
        minus(&left, &right)
    });
    let both: Vec<Ranking> = (0..truth.len())
        .map(|label| Ranking::of_two(&first[label], &second[label], &truth[label], threshold))
        .collect();
    let swap = |trial: u64| {
        let mut is_swapped = vec![false; n_documents];
        units.swaps(options, trial).into_iter().for_each(|document| is_swapped[document] = true);
        // The left side has the second system's score of a document where the two were swapped.
        let side = |is_left: bool| {
            figures(&both, |document, is_second| usize::from((is_swapped[document] == is_second) == is_left))
        };
        minus(&side(true), &side(false))
    };
    let swapped: Vec<Figures> = (0..options.n_resamples as u64).into_par_iter().map(swap).collect();
    Ok(gather(|figure| {
        let difference = percentiles(&observed, &resampled, figure, options)?;
        let is_hit = |swapped: &&Figures| significance::is_hit(swapped[figure].abs(), observed[figure].abs());
        let p_value = significance::p_value(swapped.iter().filter(is_hit).count(), options);
        Some(Comparison { first: of_first[figure], second: of_second[figure], difference, p_value })
    }))
}

/// The scores of a system, sorted per label.
struct System {
    labels: Vec<Ranking>,
    n_documents: usize,
}

impl System {
    fn new(scores: &[Vec<f64>], truth: &[Vec<bool>], threshold: f64) -> Self {
        let labels = scores.iter().zip(truth).map(|(scores, truth)| Ranking::new(scores, truth, threshold)).collect();
        Self { labels, n_documents: truth.first().map_or(0, Vec::len) }
    }

    /// Computes the figures with `weights[document]` copies of each document.
    fn figures(&self, weights: &[usize]) -> Figures {
        figures(&self.labels, |document, _| weights[document])
    }
}

fn figures(labels: &[Ranking], weight: impl Fn(usize, bool) -> usize) -> Figures {
    let labels: Vec<_> = labels.iter().map(|label| label.figures(&weight)).collect();
    let summary = TopicSummary::of(&labels);
    TopicFigure::ALL.map(|figure| figure.of(&summary).unwrap_or(f64::NAN))
}

fn minus(left: &Figures, right: &Figures) -> Figures {
    std::array::from_fn(|figure| left[figure] - right[figure])
}

/// The figures of every resample, in order. `figures` receives the number of times each document
/// was drawn.
fn resamples(units: &Units, options: &ResampleOptions, figures: impl Fn(&[usize]) -> Figures + Sync) -> Vec<Figures> {
    let resample = |number: u64| {
        let (rows, _) = units.draw(options, number);
        let mut weights = vec![0; rows.len()];
        rows.into_iter().for_each(|row| weights[row] += 1);
        figures(&weights)
    };
    (0..options.n_resamples as u64).into_par_iter().map(resample).collect()
}

fn percentiles(value: &Figures, resampled: &[Figures], figure: usize, options: &ResampleOptions) -> Option<Interval> {
    let figures = resampled.iter().map(|figures| figures[figure]).collect();
    significance::percentiles(value[figure], figures, options).filter(|interval| interval.value.is_finite())
}

fn gather<T>(of: impl Fn(usize) -> Option<T>) -> Vec<(TopicFigure, Option<T>)> {
    TopicFigure::ALL.into_iter().enumerate().map(|(idx, figure)| (figure, of(idx))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::random_case;
    use super::super::topic_figures;
    use super::*;
    use crate::eval::significance::{Sample, bootstrap, compare};

    fn options(n_resamples: usize) -> ResampleOptions {
        ResampleOptions { n_resamples, ..ResampleOptions::default() }
    }

    /// Transposes `[label][document]` to `[document][label]`, or back.
    fn turn<T: Copy>(rows: &[Vec<T>]) -> Vec<Vec<T>> {
        (0..rows[0].len()).map(|column| rows.iter().map(|row| row[column]).collect()).collect()
    }

    /// A figure of a sample, by building the sample and sorting it again.
    fn slowly(figure: TopicFigure, truth: &[Vec<bool>]) -> impl Fn(&Sample<'_>, &[Vec<f64>]) -> f64 + Sync {
        let by_document = turn(truth);
        move |sample, scores| {
            let truth: Vec<Vec<bool>> = sample.rows.iter().map(|&row| by_document[row].clone()).collect();
            let figures = topic_figures(&turn(scores), &turn(&truth), 0.0).unwrap();
            figure.of(&figures.summary).unwrap_or(f64::NAN)
        }
    }

    fn close(left: &Interval, right: &Interval) -> bool {
        let gaps = [left.value - right.value, left.low - right.low, left.high - right.high];
        gaps.iter().all(|gap| gap.abs() < 1e-12)
    }

    #[test]
    fn intervals_are_those_of_the_plain_bootstrap() {
        let (scores, truth) = random_case(1, 3, 40, 0.3);
        for (figure, found) in topic_intervals(&scores, &truth, 0.0, &options(200)).unwrap() {
            let slow = bootstrap(&turn(&scores), None, &options(200), &slowly(figure, &truth)).unwrap();
            let found = found.unwrap();
            assert!(close(&found, &slow), "{figure:?}: {found:?} {slow:?}");
            assert!(found.low < found.value && found.value < found.high, "{figure:?}: {found:?}");
        }
    }

    #[test]
    fn comparisons_are_those_of_the_plain_test() {
        let ((first, truth), (second, _)) = (random_case(1, 3, 40, 0.4), random_case(2, 3, 40, 0.3));
        let mut n_between = 0;
        for (figure, found) in topic_comparisons(&first, &second, &truth, 0.0, &options(200)).unwrap() {
            let slow = compare(&turn(&first), &turn(&second), None, &options(200), &slowly(figure, &truth)).unwrap();
            let found = found.unwrap();
            assert!(close(&found.difference, &slow.difference), "{figure:?}: {found:?} {slow:?}");
            assert_eq!(found.p_value, slow.p_value, "{figure:?}");
            assert!((found.first - slow.first).abs() < 1e-12 && (found.second - slow.second).abs() < 1e-12);
            n_between += usize::from(found.p_value > 0.01 && found.p_value < 1.0);
        }
        assert!(n_between > 2);
    }

    #[test]
    fn the_better_is_told_from_the_worse_and_nothing_from_itself() {
        let ((good, truth), (bad, _)) = (random_case(1, 4, 300, 0.5), random_case(2, 4, 300, 0.1));
        for (figure, found) in topic_comparisons(&good, &bad, &truth, 0.0, &options(500)).unwrap() {
            let found = found.unwrap();
            assert!(found.p_value < 0.01 && found.difference.low > 0.0, "{figure:?}: {found:?}");
        }
        for (figure, found) in topic_comparisons(&good, &good, &truth, 0.0, &options(100)).unwrap() {
            let found = found.unwrap();
            assert_eq!((found.p_value, found.difference.low, found.difference.high), (1.0, 0.0, 0.0), "{figure:?}");
        }
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        let ((first, truth), (second, _)) = (random_case(1, 3, 60, 0.4), random_case(2, 3, 60, 0.3));
        let with = |n_threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            let options = ResampleOptions { seed, ..options(100) };
            pool.install(|| topic_comparisons(&first, &second, &truth, 0.0, &options).unwrap())
        };
        assert_eq!(with(1, 1), with(2, 1));
        assert_ne!(with(1, 1), with(1, 2));
    }

    #[test]
    fn what_cannot_be_measured() {
        let nobody = [vec![false; 3]];
        let intervals = topic_intervals(&[vec![-1.0; 3]], &nobody, 0.0, &options(10)).unwrap();
        let defined: Vec<TopicFigure> =
            intervals.into_iter().filter(|(_, found)| found.is_some()).map(|(figure, _)| figure).collect();
        assert_eq!(defined, [TopicFigure::MicroF1]);
        let some = [vec![true, false]];
        assert!(topic_intervals(&[vec![]], &[vec![]], 0.0, &options(10)).is_err());
        assert!(topic_intervals(&[vec![0.0; 2]], &some, 0.0, &options(0)).is_err());
        assert!(topic_comparisons(&[vec![0.0; 2]], &[vec![0.0]], &some, 0.0, &options(10)).is_err());
    }
}
