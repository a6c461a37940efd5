//! Tests of the lattice against enumeration of all segmentations, and against finite differences.

use super::*;
use proptest::prelude::*;

/// A small lattice with scores.
#[derive(Clone, Debug)]
struct Small {
    shape: LatticeShape,
    emissions: Vec<f64>,
    transitions: Transitions,
}

impl Small {
    fn new(sizes: [usize; 5], mut score: impl FnMut() -> f64) -> Self {
        let [n_source, n_target, max_source, max_target, max_null] = sizes;
        let shape =
            LatticeShape::new(n_source, n_target, max_source, max_target).unwrap().with_max_null(max_null).unwrap();
        let emissions = (0..shape.n_cells()).map(|_| score()).collect();
        let transitions = Transitions {
            start_null: score(),
            start_aligned: score(),
            null_null: score(),
            null_aligned: score(),
            aligned_null: score(),
            jumps: (0..shape.n_jumps()).map(|_| score()).collect(),
        };
        Self { shape, emissions, transitions }
    }

    fn scores(&self) -> Scores<'_> {
        Scores::new(self.shape, &self.emissions, &self.transitions).unwrap()
    }

    /// Every segmentation.
    fn all(&self) -> Vec<Vec<Segment>> {
        fn extend(shape: LatticeShape, path: &mut Vec<Segment>, all: &mut Vec<Vec<Segment>>) {
            let covered = path.last().map_or(0, |segment| segment.end);
            if covered == shape.n_source() {
                return all.push(path.clone());
            }
            for end in covered + 1..=shape.n_source() {
                for state in 0..shape.n_states() {
                    let segment = Segment { end, len: end - covered, state };
                    if shape.cell(end, segment.len, state).is_some() {
                        path.push(segment);
                        extend(shape, path, all);
                        path.pop();
                    }
                }
            }
        }
        let mut all = Vec::new();
        extend(self.shape, &mut Vec::new(), &mut all);
        all
    }

    /// The sort key for ties: see [`Lattice::best`].
    fn rank(&self, segments: &[Segment]) -> Vec<(usize, usize, usize)> {
        let one = |segment: &Segment| match self.shape.span(segment.state) {
            None => (0, segment.len, 0),
            Some((start, len)) => (start + len, segment.len, len),
        };
        segments.iter().rev().map(one).collect()
    }

    /// All parameters of the log-sum in one list.
    fn parameters(&mut self) -> Vec<&mut f64> {
        flat(&mut self.emissions, &mut self.transitions)
    }
}

fn flat<'a>(cells: &'a mut [f64], transitions: &'a mut Transitions) -> Vec<&'a mut f64> {
    let Transitions { start_null, start_aligned, null_null, null_aligned, aligned_null, jumps } = transitions;
    let five = [start_null, start_aligned, null_null, null_aligned, aligned_null];
    cells.iter_mut().chain(five).chain(jumps).collect()
}

fn is_close(found: f64, expected: f64) -> bool {
    found == expected || (found - expected).abs() <= 1e-11 * (1.0 + expected.abs())
}

/// Checks best, log-sum and expectations against enumeration, in a lattice that was used before.
fn check(small: &Small, lattice: &mut Lattice) {
    let scores = small.scores();
    let all = small.all();
    let each: Vec<f64> = all.iter().map(|segments| scores.score_of(segments).unwrap()).collect();
    let most = each.iter().copied().fold(f64::NEG_INFINITY, f64::max);

    let (score, segments) = lattice.best(scores);
    assert_eq!(score, most, "{small:?}");
    assert_eq!(scores.score_of(&segments).unwrap(), score, "{segments:?} {small:?}");

    let shift = if most == f64::NEG_INFINITY { 0.0 } else { most };
    let weights: Vec<f64> = each.iter().map(|score| (score - shift).exp()).collect();
    let total: f64 = weights.iter().sum();
    let log_sum = lattice.log_sum(scores);
    assert!(is_close(log_sum, shift + total.ln()), "{log_sum} {} {small:?}", shift + total.ln());

    // Previous content is overwritten.
    let (mut cells, mut expected) =
        (vec![7.0], Transitions { null_null: 7.0, jumps: vec![7.0], ..Transitions::default() });
    assert_eq!(lattice.expectations(scores, &mut cells, &mut expected), log_sum);
    assert_eq!((cells.len(), expected.jumps.len()), (small.shape.n_cells(), small.shape.n_jumps()));
    let mut truth = Small { emissions: vec![0.0; cells.len()], ..small.clone() };
    truth.transitions = Transitions { jumps: vec![0.0; expected.jumps.len()], ..Transitions::default() };
    if most > f64::NEG_INFINITY {
        for (segments, weight) in all.iter().zip(&weights) {
            let mut before = None;
            for segment in segments {
                let share = weight / total;
                let to = small.shape.span(segment.state);
                truth.emissions[small.shape.cell(segment.end, segment.len, segment.state).unwrap()] += share;
                let counted = &mut truth.transitions;
                *match (before, to) {
                    (None, None) => &mut counted.start_null,
                    (None, Some(_)) => &mut counted.start_aligned,
                    (Some(None), None) => &mut counted.null_null,
                    (Some(None), Some(_)) => &mut counted.null_aligned,
                    (Some(Some(_)), None) => &mut counted.aligned_null,
                    (Some(Some((start, len))), Some((next, _))) => {
                        &mut counted.jumps[small.shape.jump(start + len - 1, next).unwrap()]
                    }
                } += share;
                before = Some(to);
            }
        }
    }
    for (at, (found, truth)) in flat(&mut cells, &mut expected).into_iter().zip(truth.parameters()).enumerate() {
        assert!((*found - *truth).abs() < 1e-10, "expectation {at}: {found} {truth} {small:?}");
    }
}

/// Lattices of at most 5 x 4 tokens; the list of scores is long enough for all of them.
fn small(score: impl Strategy<Value = f64> + Clone + 'static) -> impl Strategy<Value = Small> {
    let sizes = (0_usize..=5, 0_usize..=4, 1_usize..=3, 1_usize..=3, 1_usize..=3);
    (sizes, prop::collection::vec(score, 170)).prop_map(|((m, n, ls, lt, null), values)| {
        let mut values = values.into_iter();
        Small::new([m, n, ls, lt, null], || values.next().unwrap())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn common_scores(first in small(-3.0..3.0), second in small(-3.0..3.0)) {
        let mut lattice = Lattice::new();
        check(&first, &mut lattice);
        check(&second, &mut lattice);
    }

    /// Very large, very small and forbidden scores in one lattice.
    #[test]
    fn scores_of_any_size(small in small(prop_oneof![2 => -3.0..3.0, 2 => -1e4..1e4, 1 => Just(f64::NEG_INFINITY)])) {
        check(&small, &mut Lattice::new());
    }

    /// Scores of 0 or 1: many ties, and every sum is exact.
    #[test]
    fn equals_are_chosen_by_rule(small in small((0_u8..2).prop_map(f64::from))) {
        let scores = small.scores();
        let all = small.all();
        let most = all.iter().map(|segments| scores.score_of(segments).unwrap()).fold(f64::NEG_INFINITY, f64::max);
        let equal = all.into_iter().filter(|segments| scores.score_of(segments).unwrap() == most);
        let first = equal.min_by_key(|segments| small.rank(segments)).unwrap();
        prop_assert_eq!(Lattice::new().best(scores), (most, first));
    }

    /// Expectations are the gradient: compared with central differences of the log-sum in every
    /// score.
    #[test]
    fn expectations_are_differences(mut small in small(-2.0..2.0)) {
        let mut lattice = Lattice::new();
        let (mut cells, mut expected) = (Vec::new(), Transitions::default());
        lattice.expectations(small.scores(), &mut cells, &mut expected);
        let step = 1e-4;
        for (at, found) in flat(&mut cells, &mut expected).into_iter().enumerate() {
            *small.parameters()[at] += step;
            let above = lattice.log_sum(small.scores());
            *small.parameters()[at] -= 2.0 * step;
            let below = lattice.log_sum(small.scores());
            *small.parameters()[at] += step;
            let difference = (above - below) / (2.0 * step);
            prop_assert!((*found - difference).abs() < 1e-6, "expectation {}: {} {}", at, found, difference);
        }
    }
}

#[test]
fn nothing_to_align() {
    let check_empty = |m, n, best: f64, log_sum: f64| {
        let small = Small::new([m, n, 2, 2, 1], || 1.0);
        assert_eq!(Lattice::new().best(small.scores()).0, best);
        assert!(is_close(Lattice::new().log_sum(small.scores()), log_sum));
        check(&small, &mut Lattice::new());
    };
    check_empty(0, 0, 0.0, 0.0);
    check_empty(0, 3, 0.0, 0.0);
    // All NULL, one token each: four emissions and four transitions.
    check_empty(4, 0, 8.0, 8.0);
}

#[test]
fn all_is_forbidden() {
    let small = Small::new([3, 2, 2, 2, 2], || f64::NEG_INFINITY);
    check(&small, &mut Lattice::new());
    // There is still a segmentation, as good as any other.
    let (_, segments) = Lattice::new().best(small.scores());
    assert_eq!(segments.last().map(|segment| segment.end), Some(3));
}

#[test]
fn nothing_fails_on_what_is_not_a_number() {
    for bad in [f64::NAN, f64::INFINITY] {
        let mut at = 0;
        let small = Small::new([4, 3, 2, 2, 2], || {
            at += 1;
            if at % 3 == 0 { bad } else { 0.5 }
        });
        let mut lattice = Lattice::new();
        let (_, segments) = lattice.best(small.scores());
        assert!(small.scores().score_of(&segments).is_ok());
        lattice.expectations(small.scores(), &mut Vec::new(), &mut Transitions::default());
    }
}

/// Long sentences with scores between -1e4 and 1e4: the results are finite and the expectations add
/// up. Every token is in exactly one segment, and every segment has one incoming transition.
#[test]
fn long_sentences_and_large_scores() {
    let mut state = 1_u64;
    let mut score = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 40) as f64 / (1_u64 << 24) as f64 * 2.0 - 1.0) * 1e4
    };
    for sizes in [[800, 30, 3, 3, 3], [40, 300, 2, 3, 1]] {
        let small = Small::new(sizes, &mut score);
        let mut lattice = Lattice::new();
        let (best, segments) = lattice.best(small.scores());
        assert_eq!(small.scores().score_of(&segments).unwrap(), best);
        let (mut cells, mut expected) = (Vec::new(), Transitions::default());
        let log_sum = lattice.expectations(small.scores(), &mut cells, &mut expected);
        assert!(log_sum.is_finite() && log_sum >= best && log_sum < best + 100.0, "{best} {log_sum}");
        let mut covered = vec![0.0; sizes[0]];
        for end in 1..=sizes[0] {
            for len in 1..=end.min(small.shape.max_source()) {
                let sum: f64 = cells[small.shape.row(end, len).unwrap()].iter().sum();
                covered[end - len..end].iter_mut().for_each(|covered| *covered += sum);
            }
        }
        assert!(covered.iter().all(|covered| (covered - 1.0).abs() < 1e-6), "{covered:?}");
        let n_segments: f64 = cells.iter().sum();
        let n_steps: f64 = flat(&mut [], &mut expected).into_iter().map(|step| *step).sum();
        assert!((n_segments - n_steps).abs() < 1e-6 * n_segments, "{n_segments} {n_steps}");
    }
}
