//! What of a trained machine is kept: rules that enough pairs have, and of those the heaviest.

/// What to keep of a trained machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pruning {
    /// Rules that fewer training pairs have are dropped.
    pub min_support: u32,
    /// At most this many rules are kept, the heaviest; where this is a limit, rules of one pair alone are dropped too.
    pub max_rules: usize,
    /// Whether linked rules keep what their wildcards stood for in a training pair. A model to be given away may better
    /// do without: together with the rule that is up to k words of a training text.
    pub examples: bool,
}

impl Pruning {
    /// Whether nothing is dropped.
    pub fn keeps_all(&self) -> bool {
        self.min_support <= 1 && self.max_rules == usize::MAX
    }

    /// Rules that fewer pairs have are dropped.
    pub(super) fn least_support(&self) -> u32 {
        if self.max_rules == usize::MAX { self.min_support } else { self.min_support.max(2) }
    }

    /// Only weights above this, in absolute value, are kept, given those with support enough.
    pub(super) fn threshold(&self, weights: Vec<f64>) -> f64 {
        threshold(self.max_rules, weights)
    }

    /// Sets the weights of dropped rules to 0.
    pub(crate) fn apply(&self, weights: &mut [f64], support: &[u32]) {
        let least = self.least_support();
        weights.iter_mut().zip(support).filter(|(_, support)| **support < least).for_each(|(weight, _)| *weight = 0.0);
        keep_heaviest(weights, self.max_rules);
    }
}

/// What the weights must be above, in absolute value, for at most `most` to be left.
fn threshold(most: usize, mut weights: Vec<f64>) -> f64 {
    if weights.len() <= most {
        return 0.0;
    }
    weights.sort_unstable_by(|a, b| b.abs().total_cmp(&a.abs()));
    weights[most].abs()
}

/// Sets all but the `most` heaviest weights to 0; of equals at the limit, none is kept.
pub(crate) fn keep_heaviest(weights: &mut [f64], most: usize) {
    let threshold = threshold(most, weights.iter().copied().filter(|weight| *weight != 0.0).collect());
    weights.iter_mut().filter(|weight| weight.abs() <= threshold).for_each(|weight| *weight = 0.0);
}
