//! Ranking and decision figures of one label. The scores are sorted once; every figure then takes
//! one pass over them, under any document weights. This makes resampling cheap: a document drawn
//! twice has weight 2. To swap two systems on some documents, both systems' scores are in one list,
//! and each pass gives weight to the scores of one side.

use crate::eval::metrics::Confusion;

/// Figures of one label. Undefined figures are `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelFigures {
    /// Number of documents with the label.
    pub n_true: usize,
    /// Mean, over the true documents, of the precision at their rank; `None` without a true
    /// document.
    pub average_precision: Option<f64>,
    /// Precision among the top `n_true`, where it equals recall; `None` without a true document.
    pub break_even: Option<f64>,
    /// The same mean over the true documents that were accepted; `None` if none was.
    pub accepted_average_precision: Option<f64>,
    /// Decision counts, with precision, recall and F1.
    pub confusion: Confusion,
}

/// The break-even point of precision and recall: precision among as many top documents as there are
/// true ones. Ties are broken pessimistically: wrong documents come first. `None` without a true
/// document.
pub fn break_even(scores: &[f64], labels: &[bool]) -> Option<f64> {
    Ranking::new(scores, labels, 0.0).figures(|_, _| 1).break_even
}

/// Mean of the precisions at each true document that was accepted (`score > threshold`). Documents
/// that were not accepted do not count, so this measures how clean the result is, not how complete.
/// Documents with equal scores are accepted together. `None` if no true document was accepted.
pub fn average_precision_of_accepted(scores: &[f64], labels: &[bool], threshold: f64) -> Option<f64> {
    Ranking::new(scores, labels, threshold).figures(|_, _| 1).accepted_average_precision
}

/// The documents of one label, best first, scored by one system or by two.
#[derive(Debug)]
pub(super) struct Ranking {
    places: Vec<Place>,
}

/// The score of one document by one system.
#[derive(Clone, Copy, Debug)]
struct Place {
    document: usize,
    is_second: bool,
    is_true: bool,
    is_accepted: bool,
    /// Whether the next place has a lower score.
    ends_run: bool,
}

impl Ranking {
    /// Sorts one system's scores; if lengths differ, the common prefix is used.
    pub(super) fn new(scores: &[f64], labels: &[bool], threshold: f64) -> Self {
        Self::of_two(scores, &[], labels, threshold)
    }

    /// Sorts the scores of two systems into one list.
    pub(super) fn of_two(first: &[f64], second: &[f64], labels: &[bool], threshold: f64) -> Self {
        let of_system = |scores: &[f64], is_second: bool| {
            let place = |(document, (score, is_true)): (usize, (&f64, &bool))| {
                let is_accepted = *score > threshold;
                // Adding 0 turns −0 into 0, so that equal scores have equal bits.
                (score + 0.0, Place { document, is_second, is_true: *is_true, is_accepted, ends_run: false })
            };
            scores.iter().zip(labels).enumerate().map(place).collect::<Vec<_>>()
        };
        let mut places = [of_system(first, false), of_system(second, true)].concat();
        places.sort_by(|left, right| right.0.total_cmp(&left.0));
        for idx in 0..places.len() {
            let next = places.get(idx + 1).map(|place| place.0);
            places[idx].1.ends_run = next.is_none_or(|next| next.total_cmp(&places[idx].0).is_ne());
        }
        Self { places: places.into_iter().map(|(_, place)| place).collect() }
    }

    /// Computes the figures with `weight(document, is_second)` as the weight of each score.
    pub(super) fn figures(&self, weight: impl Fn(usize, bool) -> usize) -> LabelFigures {
        let weight = |place: &Place| weight(place.document, place.is_second);
        let n_true: usize = self.places.iter().filter(|place| place.is_true).map(weight).sum();
        let (mut run_true, mut run_false) = (0, 0);
        // Counts above the current run.
        let (mut n_true_seen, mut n_seen) = (0, 0);
        let (mut precisions, mut accepted_precisions, mut n_hits) = (0.0, 0.0, 0);
        let mut confusion = Confusion::default();
        for place in &self.places {
            *(if place.is_true { &mut run_true } else { &mut run_false }) += weight(place);
            if !place.ends_run {
                continue;
            }
            // This many of the top `n_true` places are left for this run; its wrong documents take
            // theirs first.
            n_hits += n_true.saturating_sub(n_seen).saturating_sub(run_false).min(run_true);
            n_true_seen += run_true;
            n_seen += run_true + run_false;
            // Each true document of the run has the precision at the end of the run.
            let gained = if run_true == 0 { 0.0 } else { run_true as f64 * (n_true_seen as f64 / n_seen as f64) };
            precisions += gained;
            if place.is_accepted {
                accepted_precisions += gained;
                confusion.true_positive += run_true;
                confusion.false_positive += run_false;
            } else {
                confusion.false_negative += run_true;
                confusion.true_negative += run_false;
            }
            (run_true, run_false) = (0, 0);
        }
        let mean = |sum: f64, n: usize| (n > 0).then(|| sum / n as f64);
        LabelFigures {
            n_true,
            average_precision: mean(precisions, n_true),
            break_even: mean(n_hits as f64, n_true),
            accepted_average_precision: mean(accepted_precisions, confusion.true_positive),
            confusion,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::metrics::average_precision;
    use crate::rng::SplitMix;

    /// Labels and scores of few distinct values (many ties).
    fn random_case(seed: u64, most: usize) -> (Vec<f64>, Vec<bool>) {
        let mut random = SplitMix::new(seed);
        let n = 1 + random.below(most);
        let scores = (0..n).map(|_| random.below(5) as f64 - 2.0).collect();
        let labels = (0..n).map(|_| random.below(3) == 0).collect();
        (scores, labels)
    }

    fn close(left: Option<f64>, right: Option<f64>) -> bool {
        match (left, right) {
            (Some(left), Some(right)) => (left - right).abs() < 1e-12,
            (None, None) => true,
            _ => false,
        }
    }

    /// All orders of the labels that are sorted by decreasing score.
    fn orders(rest: &[(f64, bool)]) -> Vec<Vec<bool>> {
        if rest.is_empty() {
            return vec![Vec::new()];
        }
        let best = rest.iter().map(|place| place.0).fold(f64::NEG_INFINITY, f64::max);
        let mut all = Vec::new();
        for at in (0..rest.len()).filter(|&at| rest[at].0 == best) {
            let mut others = rest.to_vec();
            let (_, is_true) = others.remove(at);
            all.extend(orders(&others).into_iter().map(|tail| [vec![is_true], tail].concat()));
        }
        all
    }

    #[test]
    fn break_even_is_that_of_the_worst_order() {
        let mut n_between = 0;
        for seed in 0..300 {
            let (scores, labels) = random_case(seed, 7);
            let n_true = labels.iter().filter(|label| **label).count();
            let rows: Vec<(f64, bool)> = scores.iter().copied().zip(labels.iter().copied()).collect();
            let hits = |order: &Vec<bool>| order[..n_true].iter().filter(|label| **label).count();
            let worst = orders(&rows).iter().map(hits).min().unwrap();
            let expected = (n_true > 0).then(|| worst as f64 / n_true as f64);
            n_between += usize::from(expected.is_some_and(|share| share > 0.0 && share < 1.0));
            assert_eq!(break_even(&scores, &labels), expected, "seed {seed}");
        }
        assert!(n_between > 30, "{n_between}");
    }

    #[test]
    fn accepted_precision_is_the_mean_over_thresholds() {
        let mut n_defined = 0;
        for seed in 0..300 {
            let (scores, labels) = random_case(seed, 25);
            for threshold in [-5.0, -0.5, 0.0, 1.0, 5.0] {
                let at = |threshold: f64| {
                    let taken = (0..scores.len()).filter(|&row| scores[row] >= threshold);
                    let (right, wrong): (Vec<usize>, Vec<usize>) = taken.partition(|&row| labels[row]);
                    right.len() as f64 / (right.len() + wrong.len()) as f64
                };
                let rows = (0..scores.len()).filter(|&row| labels[row] && scores[row] > threshold);
                let precisions: Vec<f64> = rows.map(|row| at(scores[row])).collect();
                let expected =
                    (!precisions.is_empty()).then(|| precisions.iter().sum::<f64>() / precisions.len() as f64);
                n_defined += usize::from(expected.is_some());
                let found = average_precision_of_accepted(&scores, &labels, threshold);
                assert!(close(found, expected), "seed {seed}: {found:?} {expected:?}");
            }
        }
        assert!(n_defined > 500, "{n_defined}");
    }

    #[test]
    fn the_rest_is_what_the_plain_measures_say() {
        for seed in 0..300 {
            let (scores, labels) = random_case(seed, 25);
            let figures = Ranking::new(&scores, &labels, 0.5).figures(|_, _| 1);
            assert!(close(figures.average_precision, average_precision(&scores, &labels)), "seed {seed}");
            assert_eq!(figures.confusion, Confusion::at(&scores, &labels, 0.5), "seed {seed}");
            assert_eq!(figures.n_true, labels.iter().filter(|label| **label).count());
            let everything = average_precision_of_accepted(&scores, &labels, f64::NEG_INFINITY);
            assert!(close(everything, figures.average_precision), "seed {seed}");
        }
    }

    #[test]
    fn a_weight_is_a_number_of_copies() {
        for seed in 0..300 {
            let (scores, labels) = random_case(seed, 12);
            let (other, _) = random_case(seed + 1000, 12);
            let other: Vec<f64> = (0..scores.len()).map(|row| other[row % other.len()]).collect();
            let mut random = SplitMix::new(seed);
            let weights: Vec<[usize; 2]> = scores.iter().map(|_| [random.below(4), random.below(3)]).collect();
            let rows = || (0..scores.len()).flat_map(|row| [(row, 0), (row, 1)]);
            let copies: Vec<(usize, usize)> =
                rows().flat_map(|(row, system)| vec![(row, system); weights[row][system]]).collect();
            let copied_scores: Vec<f64> = copies.iter().map(|&(row, system)| [&scores, &other][system][row]).collect();
            let copied_labels: Vec<bool> = copies.iter().map(|&(row, _)| labels[row]).collect();
            let expected = Ranking::new(&copied_scores, &copied_labels, 0.0).figures(|_, _| 1);
            let ranking = Ranking::of_two(&scores, &other, &labels, 0.0);
            let found = ranking.figures(|row, is_second| weights[row][usize::from(is_second)]);
            assert_eq!(found, expected, "seed {seed}");
        }
    }

    #[test]
    fn by_hand() {
        let check = |scores: &[f64], labels: &[u8], break_even_at: Option<f64>, accepted: Option<f64>| {
            let labels: Vec<bool> = labels.iter().map(|label| *label == 1).collect();
            let found = (break_even(scores, &labels), average_precision_of_accepted(scores, &labels, 0.0));
            assert_eq!(found, (break_even_at, accepted), "{scores:?}");
        };
        check(&[3.0, 2.0, 1.0, -1.0], &[1, 0, 1, 1], Some(2.0 / 3.0), Some((1.0 + 2.0 / 3.0) / 2.0));
        check(&[1.0, 1.0], &[1, 0], Some(0.0), Some(0.5));
        check(&[1.0, 1.0, 1.0], &[1, 0, 1], Some(0.5), Some(2.0 / 3.0));
        check(&[0.0, -0.0], &[1, 0], Some(0.0), None);
        check(&[1.0, -1.0], &[0, 1], Some(0.0), None);
        check(&[1.0], &[0], None, None);
        check(&[], &[], None, None);
    }

    #[test]
    fn nothing_panics_on_numbers_that_are_none_and_order_changes_nothing() {
        let scores = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -f64::NAN, 0.0, -0.0];
        let labels = [true, false, true, false, true, false];
        let found = Ranking::new(&scores, &labels, 0.0).figures(|_, _| 1);
        assert!(found.average_precision.is_some_and(f64::is_finite));
        assert_eq!(found.confusion, Confusion::at(&scores, &labels, 0.0));
        for seed in 0..20 {
            let mut order: Vec<usize> = (0..scores.len()).collect();
            SplitMix::new(seed).shuffle(&mut order);
            let (s, l): (Vec<f64>, Vec<bool>) = order.iter().map(|&row| (scores[row], labels[row])).unzip();
            assert_eq!(Ranking::new(&s, &l, 0.0).figures(|_, _| 1), found);
        }
    }
}
