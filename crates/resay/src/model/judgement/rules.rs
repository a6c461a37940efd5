//! Weights of rules: how much a rule speaks for each relation.

use super::N_RELATIONS;
use crate::{Error, Result};

/// Rules by number, with one weight per relation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RuleWeights {
    /// The rules, ascending.
    keys: Vec<u32>,
    /// Weights in units of `unit`.
    weights: Vec<[i8; N_RELATIONS]>,
    unit: f32,
}

impl RuleWeights {
    /// Rounds weights to a byte each. Rules whose weights all round to zero are left out.
    pub(crate) fn new(rules: impl Iterator<Item = (u32, [f64; N_RELATIONS])> + Clone) -> Self {
        let largest =
            rules.clone().flat_map(|(_, weights)| weights).fold(0.0_f64, |most, weight| most.max(weight.abs()));
        let unit = (largest / f64::from(i8::MAX)) as f32;
        let mut made = Self { unit, ..Self::default() };
        let rounded = rules.map(|(key, weights)| (key, weights.map(|weight| (weight / f64::from(unit)).round() as i8)));
        let mut known: Vec<(u32, [i8; N_RELATIONS])> =
            rounded.filter(|(_, weights)| *weights != [0; N_RELATIONS]).collect();
        known.sort_unstable_by_key(|(key, _)| *key);
        (made.keys, made.weights) = known.into_iter().unzip();
        made
    }

    /// Weights from a file. Keys must rise.
    pub(super) fn from_parts(keys: Vec<u32>, weights: Vec<[i8; N_RELATIONS]>, unit: f32) -> Result<Self> {
        let is_rising = keys.windows(2).all(|pair| pair[0] < pair[1]);
        if !is_rising || keys.len() != weights.len() || !unit.is_finite() || unit < 0.0 {
            return Err(Error::data("rules that are not in order"));
        }
        Ok(Self { keys, weights, unit })
    }

    pub(super) fn parts(&self) -> (&[u32], &[[i8; N_RELATIONS]], f32) {
        (&self.keys, &self.weights, self.unit)
    }

    /// The number of rules.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// How much a rule speaks for each relation; nothing if it is unknown.
    pub(super) fn of(&self, key: u32) -> Option<[f64; N_RELATIONS]> {
        let at = self.keys.binary_search(&key).ok()?;
        Some(self.weights[at].map(|weight| f64::from(weight) * f64::from(self.unit)))
    }

    /// The sums over rules.
    pub(crate) fn scores(&self, rules: &[u32]) -> [f32; N_RELATIONS] {
        let mut sums = [0_i32; N_RELATIONS];
        let mut keys = &*self.keys;
        let mut weights = &*self.weights;
        for rule in rules {
            // Both lists rise: what lies before this rule is not looked at again.
            let at = keys.partition_point(|key| key < rule);
            (keys, weights) = (&keys[at..], &weights[at..]);
            if keys.first() == Some(rule) {
                sums.iter_mut().zip(weights[0]).for_each(|(sum, weight)| *sum += i32::from(weight));
            }
        }
        sums.map(|sum| sum as f32 * self.unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_the_sums_of_known_rules() {
        let rules = [(9, [1.27, 0.0, 0.0, -0.5, 0.0]), (4, [0.1, 0.2, 0.0, 0.0, 0.0]), (7, [0.001; 5])];
        let weights = RuleWeights::new(rules.into_iter());
        assert_eq!((weights.len(), weights.of(7)), (2, None));
        let close = |found: [f32; 5], expected: [f32; 5]| {
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-5)
        };
        assert!(close(weights.scores(&[1, 4, 5, 9, 20]), [1.37, 0.2, 0.0, -0.5, 0.0]));
        assert!(close(weights.scores(&[]), [0.0; 5]));
        let (keys, own, unit) = weights.parts();
        assert_eq!(RuleWeights::from_parts(keys.to_vec(), own.to_vec(), unit).unwrap(), weights);
        assert!(RuleWeights::from_parts(vec![4, 4], vec![[0; 5]; 2], 1.0).is_err());
        assert!(RuleWeights::from_parts(vec![4], vec![[0; 5]], f32::NAN).is_err());
    }
}
