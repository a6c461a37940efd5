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
    pub(crate) fn threshold(&self, mut weights: Vec<f64>) -> f64 {
        if weights.len() <= self.max_rules {
            return 0.0;
        }
        weights.sort_unstable_by(|a, b| b.abs().total_cmp(&a.abs()));
        weights[self.max_rules].abs()
    }

    /// Sets the weights of dropped rules to 0.
    pub(crate) fn apply(&self, weights: &mut [f64], support: &[u32]) {
        let least = self.least_support();
        weights.iter_mut().zip(support).filter(|(_, support)| **support < least).for_each(|(weight, _)| *weight = 0.0);
        let threshold = self.threshold(weights.iter().copied().filter(|weight| *weight != 0.0).collect());
        weights.iter_mut().filter(|weight| weight.abs() <= threshold).for_each(|weight| *weight = 0.0);
    }
}
