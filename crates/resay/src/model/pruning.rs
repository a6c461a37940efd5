//! Pruning of trained machines: keeps rules with enough support, and of those the heaviest.

/// Which rules of a trained machine to keep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pruning {
    /// The minimum number of training pairs that contain a rule.
    pub min_support: u32,
    /// The maximum number of rules, the heaviest being kept. With a limit, rules with a support of
    /// one are dropped too.
    pub max_rules: usize,
    /// Whether linked rules keep the words that their wildcards matched in a training pair. A model
    /// for publication may do without: together with the rule they reveal up to k words of a
    /// training text.
    pub examples: bool,
}

impl Pruning {
    /// Whether all rules are kept.
    pub fn keeps_all(&self) -> bool {
        self.min_support <= 1 && self.max_rules == usize::MAX
    }

    /// The effective minimum support.
    pub(super) fn least_support(&self) -> u32 {
        if self.max_rules == usize::MAX { self.min_support } else { self.min_support.max(2) }
    }

    /// The absolute weight that a rule must exceed, given the weights of rules with enough support.
    pub(super) fn threshold(&self, weights: Vec<f64>) -> f64 {
        threshold(self.max_rules, weights)
    }

    /// Sets the weights of dropped rules to 0 in all heads. A rule is as heavy as in the head where
    /// it is heaviest.
    pub(crate) fn apply(&self, heads: &mut [Vec<f64>], support: &[u32]) {
        let least = self.least_support();
        let heaviest = |rule: usize| heads.iter().fold(0.0_f64, |most, head| head[rule].abs().max(most));
        let mut weights: Vec<f64> =
            (0..support.len()).map(|rule| if support[rule] < least { 0.0 } else { heaviest(rule) }).collect();
        keep_heaviest(&mut weights, self.max_rules);
        for (rule, _) in weights.iter().enumerate().filter(|(_, weight)| **weight == 0.0) {
            heads.iter_mut().for_each(|head| head[rule] = 0.0);
        }
    }
}

/// The absolute weight to exceed, so that at most `most` weights remain.
fn threshold(most: usize, mut weights: Vec<f64>) -> f64 {
    if weights.len() <= most {
        return 0.0;
    }
    weights.sort_unstable_by(|a, b| b.abs().total_cmp(&a.abs()));
    weights[most].abs()
}

/// Sets all but the `most` heaviest weights to 0; ties at the limit are all dropped.
pub(crate) fn keep_heaviest(weights: &mut [f64], most: usize) {
    let threshold = threshold(most, weights.iter().copied().filter(|weight| *weight != 0.0).collect());
    weights.iter_mut().filter(|weight| weight.abs() <= threshold).for_each(|weight| *weight = 0.0);
}
