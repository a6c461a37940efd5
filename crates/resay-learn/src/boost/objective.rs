//! Losses, as gradient and curvature in the scores of a row.

/// A loss over the head scores of rows.
pub trait Objective: Sync {
    /// Writes the first and the second derivative of the loss of a row in the score of each head.
    fn slopes(&self, row: usize, scores: &[f64], slopes: &mut [[f32; 2]]);
}

/// Several classes, of which a row's label names one or more: the row belongs to one of them, and
/// nobody says to which. The loss is −ln Σ_{k ∈ allowed} p_k with p the softmax of the scores plus
/// the row's offsets.
///
/// Offsets are constants that the trees need not learn, such as the logarithm of how frequent each
/// class is in the row's corpus.
#[derive(Clone, Debug)]
pub struct PartialLabels<'a> {
    /// The classes that each row may belong to, as a set of bits.
    pub allowed: &'a [u32],
    /// The weight of each row.
    pub weights: &'a [f32],
    /// The place of each row's offsets in `offsets`.
    pub offset_of: &'a [usize],
    /// Lists of offsets, one per class.
    pub offsets: &'a [Vec<f64>],
}

/// The least curvature of a head: a leaf of rows that are all certain keeps a finite value.
const LEAST_CURVATURE: f64 = 1e-4;

impl PartialLabels<'_> {
    /// Returns the loss of a row, and hands out its first derivative in the score of each head, with
    /// the probability of the head.
    pub(crate) fn loss(&self, row: usize, scores: &[f64], mut out: impl FnMut(usize, f64, f64)) -> f64 {
        let (allowed, weight) = (self.allowed[row], f64::from(self.weights[row]));
        let offsets = &self.offsets[self.offset_of[row]];
        let logit = |class: usize| scores[class] + offsets[class];
        let highest = (0..scores.len()).map(logit).fold(f64::NEG_INFINITY, f64::max);
        let (mut all, mut among) = (0.0, 0.0);
        for class in 0..scores.len() {
            let mass = (logit(class) - highest).exp();
            all += mass;
            among += if allowed >> class & 1 == 1 { mass } else { 0.0 };
        }
        among = among.max(f64::MIN_POSITIVE);
        for class in 0..scores.len() {
            let mass = (logit(class) - highest).exp();
            let own = if allowed >> class & 1 == 1 { mass / among } else { 0.0 };
            out(class, weight * (mass / all - own), mass / all);
        }
        -weight * (among / all).ln()
    }
}

impl Objective for PartialLabels<'_> {
    fn slopes(&self, row: usize, scores: &[f64], slopes: &mut [[f32; 2]]) {
        let weight = f64::from(self.weights[row]);
        self.loss(row, scores, |class, slope, p| {
            slopes[class] = [slope as f32, (weight * (p * (1.0 - p)).max(LEAST_CURVATURE)) as f32];
        });
    }
}

/// Numbers, by the squared error: half of (score − number)², weighted.
#[derive(Clone, Debug)]
pub struct SquaredError<'a> {
    /// The number of each row.
    pub numbers: &'a [f32],
    /// The weight of each row.
    pub weights: &'a [f32],
}

impl Objective for SquaredError<'_> {
    fn slopes(&self, row: usize, scores: &[f64], slopes: &mut [[f32; 2]]) {
        let weight = self.weights[row];
        slopes[0] = [weight * (scores[0] as f32 - self.numbers[row]), weight];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_against_differences() {
        let offsets = [vec![0.3, -0.2, 0.1], vec![0.0; 3]];
        let loss = |allowed: u32, offsets: &[f64], scores: &[f64]| {
            let masses: Vec<f64> = scores.iter().zip(offsets).map(|(score, offset)| (score + offset).exp()).collect();
            let among: f64 = (0..3).filter(|class| allowed >> class & 1 == 1).map(|class| masses[class]).sum();
            -(among / masses.iter().sum::<f64>()).ln()
        };
        for allowed in 1..8_u32 {
            for (place, of_row) in offsets.iter().enumerate() {
                let (allowed_of, offset_of) = ([allowed], [place]);
                let objective =
                    PartialLabels { allowed: &allowed_of, weights: &[1.0], offset_of: &offset_of, offsets: &offsets };
                let scores = [0.7, -1.1, 0.4];
                let mut slopes = [[0.0; 2]; 3];
                objective.slopes(0, &scores, &mut slopes);
                for head in 0..3 {
                    let moved = |by: f64| {
                        let mut scores = scores;
                        scores[head] += by;
                        let by_hand = loss(allowed, of_row, &scores);
                        assert!((objective.loss(0, &scores, |_, _, _| ()) - by_hand).abs() < 1e-12);
                        by_hand
                    };
                    let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                    assert!((difference - f64::from(slopes[head][0])).abs() < 1e-5, "{allowed} {head}");
                }
            }
        }
    }
}
