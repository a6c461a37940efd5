//! The scoring function of an ensemble: a sum over inputs and over pairs of inputs.
//!
//! An input of value v is transformed to u = clamp((v - mean) / spread, -3, 3) - usual, so that an
//! input at its usual value contributes nothing, and no single input can outweigh all others. The
//! score is
//!
//! ```text
//! bias + sum over inputs i of u_i (linear_i + sum over inputs j of products_ij u_j)
//! ```
//!
//! with symmetric products: the effect of an input depends on the other inputs. A missing name
//! means little if half of the words differ, and much if nothing else does. The summand of input i
//! is its contribution, so contributions add up to the score.

use crate::{Error, Result};
use resay_text::container::{SectionReader, put};

/// The clipping bound of standardised inputs, in spreads.
const FARTHEST: f64 = 3.0;

/// The standardisation of one input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) mean: f64,
    /// One over the standard deviation; 0 for a constant input.
    pub(crate) per_spread: f64,
    /// The standardised value at which the input contributes nothing.
    pub(crate) usual: f64,
}

impl Scale {
    /// Fits the scale to these values; `says_nothing` is the neutral value, the mean if it is
    /// `None`.
    pub(crate) fn of(values: impl Iterator<Item = f64> + Clone, says_nothing: Option<f64>) -> Self {
        let n = values.clone().count().max(1) as f64;
        let mean = values.clone().sum::<f64>() / n;
        let square = values.map(|value| (value - mean).powi(2)).sum::<f64>() / n;
        let per_spread = if square > 1e-12 { 1.0 / square.sqrt() } else { 0.0 };
        let mut scale = Self { mean, per_spread, usual: 0.0 };
        scale.usual = says_nothing.map_or(0.0, |value| scale.even(value));
        scale
    }

    /// The standardised value, clipped.
    pub(crate) fn even(&self, value: f64) -> f64 {
        ((value - self.mean) * self.per_spread).clamp(-FARTHEST, FARTHEST)
    }

    fn seen(&self, value: f64) -> f64 {
        self.even(value) - self.usual
    }
}

/// Weights of inputs and of pairs of inputs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct QuadraticScorer {
    scales: Vec<Scale>,
    linear: Vec<f64>,
    /// `products[i * n_inputs + j]`, symmetric.
    products: Vec<f64>,
    bias: f64,
}

impl QuadraticScorer {
    /// Builds a scorer from weights of standardised inputs: score = bias + linear · z + z products
    /// z, where z is [`Scale::even`] of every input. Moves the usual values into the bias.
    pub(crate) fn new(scales: Vec<Scale>, linear: &[f64], products: Vec<f64>, bias: f64) -> Self {
        let n = scales.len();
        // Rounded as in the file.
        let products: Vec<f64> = products.into_iter().map(|product| f64::from(product as f32)).collect();
        let of_usual = |i: usize| (0..n).map(|j| products[i * n + j] * scales[j].usual).sum::<f64>();
        let moved = (0..n).map(|i| linear[i] + 2.0 * of_usual(i)).collect();
        let constant: f64 = (0..n).map(|i| scales[i].usual * (linear[i] + of_usual(i))).sum();
        Self { linear: moved, bias: bias + constant, scales, products }
    }

    pub(crate) fn len(&self) -> usize {
        self.scales.len()
    }

    pub(crate) fn bias(&self) -> f64 {
        self.bias
    }

    /// The contribution of each input; with the bias they add up to the score.
    pub(crate) fn counts(&self, values: &[f64]) -> Vec<f64> {
        let seen = self.seen(values);
        let count = |(i, row): (usize, &[f64])| {
            // Most inputs are counts of 0.
            if seen[i] == 0.0 {
                return 0.0;
            }
            let others: f64 = row.iter().zip(&seen).map(|(product, other)| product * other).sum();
            seen[i] * (self.linear[i] + others)
        };
        self.products.chunks_exact(self.len().max(1)).enumerate().map(count).collect()
    }

    pub(crate) fn score(&self, values: &[f64]) -> f64 {
        self.bias + self.counts(values).iter().sum::<f64>()
    }

    /// The effect of one spread of each input, with all other inputs at their usual values.
    pub(crate) fn linear(&self) -> &[f64] {
        &self.linear
    }

    /// The transformed inputs that the linear weights multiply.
    pub(crate) fn seen(&self, values: &[f64]) -> Vec<f64> {
        self.scales.iter().zip(values).map(|(scale, value)| scale.seen(*value)).collect()
    }

    /// Changes the score to `scale` times the score, plus `linear` times the transformed inputs,
    /// plus `bias`. A scale of 1 keeps the products bit for bit.
    pub(crate) fn change(&mut self, scale: f64, linear: &[f64], bias: f64) {
        if scale != 1.0 {
            self.linear.iter_mut().for_each(|weight| *weight *= scale);
            // Rounded as in the file.
            self.products.iter_mut().for_each(|product| *product = f64::from((*product * scale) as f32));
            self.bias *= scale;
        }
        self.linear.iter_mut().zip(linear).for_each(|(weight, more)| *weight += more);
        self.bias += bias;
    }

    pub(crate) fn pack(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(&mut bytes, self.len() as u64);
        for (scale, linear) in self.scales.iter().zip(&self.linear) {
            for value in [scale.mean, scale.per_spread, scale.usual, *linear] {
                bytes.extend(value.to_le_bytes());
            }
        }
        bytes.extend(self.bias.to_le_bytes());
        for i in 0..self.len() {
            for j in 0..=i {
                bytes.extend((self.products[i * self.len() + j] as f32).to_le_bytes());
            }
        }
        bytes
    }

    /// Reads what [`QuadraticScorer::pack`] wrote for `n_inputs` inputs.
    pub(crate) fn unpack(reader: &mut SectionReader<'_>, n_inputs: usize) -> Result<Self> {
        let n = reader.count(32)?;
        if n != n_inputs {
            return Err(Error::data(format!("weights of {n} inputs, expected {n_inputs}")));
        }
        let (mut scales, mut linear) = (Vec::with_capacity(n), Vec::with_capacity(n));
        for _ in 0..n {
            scales.push(Scale { mean: reader.real()?, per_spread: reader.real()?, usual: reader.real()? });
            linear.push(reader.real()?);
        }
        let bias = reader.real()?;
        let mut products = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let product = f64::from(reader.short_real()?);
                (products[i * n + j], products[j * n + i]) = (product, product);
            }
        }
        Ok(Self { scales, linear, products, bias })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay_learn::rng::SplitMix;

    fn random(n: usize, seed: u64) -> (QuadraticScorer, Vec<f64>, Vec<f64>, f64, Vec<Scale>) {
        let mut random = SplitMix::new(seed);
        let mut number = || random.below(2001) as f64 / 1000.0 - 1.0;
        let scales: Vec<Scale> = (0..n)
            .map(|i| Scale {
                mean: number(),
                per_spread: if i == 1 { 0.0 } else { 0.1 + number().abs() },
                usual: if i % 2 == 0 { 0.0 } else { number() },
            })
            .collect();
        let linear: Vec<f64> = (0..n).map(|_| number()).collect();
        let mut products = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let product = f64::from(number() as f32);
                (products[i * n + j], products[j * n + i]) = (product, product);
            }
        }
        let weighing = QuadraticScorer::new(scales.clone(), &linear, products.clone(), 0.3);
        (weighing, linear, products, 0.3, scales)
    }

    #[test]
    fn counts_and_bias_are_the_polynomial() {
        for seed in 0..50 {
            let n = 1 + (seed % 6) as usize;
            let (weighing, linear, products, bias, scales) = random(n, seed);
            let values: Vec<f64> = (0..n).map(|i| i as f64 / 2.0 - 0.7).collect();
            let z: Vec<f64> = (0..n).map(|i| scales[i].even(values[i])).collect();
            let mut expected = bias;
            for i in 0..n {
                expected += linear[i] * z[i];
                for j in 0..n {
                    expected += products[i * n + j] * z[i] * z[j];
                }
            }
            let found = weighing.score(&values);
            assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} {expected}");
            let sum = weighing.bias() + weighing.counts(&values).iter().sum::<f64>();
            assert!((sum - found).abs() < 1e-9);
        }
    }

    #[test]
    fn what_is_usual_counts_nothing() {
        let (weighing, ..) = random(5, 3);
        let usual: Vec<f64> =
            weighing.scales.iter().map(|scale| scale.mean + scale.usual / scale.per_spread.max(1e-9)).collect();
        let counts = weighing.counts(&usual);
        let expected = [0, 2, 3, 4];
        assert!(expected.iter().all(|&i| counts[i].abs() < 1e-9), "{counts:?}");
    }

    #[test]
    fn scales_follow_values() {
        let scale = Scale::of([1.0, 3.0].into_iter(), Some(0.0));
        assert_eq!((scale.mean, scale.per_spread, scale.usual), (2.0, 1.0, -2.0));
        assert_eq!((scale.even(100.0), scale.even(-100.0)), (3.0, -3.0));
        assert_eq!(Scale::of([2.0, 2.0].into_iter(), None).even(7.0), 0.0);
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        for n in [0, 1, 4] {
            let (weighing, ..) = random(n, 7);
            let bytes = weighing.pack();
            let mut reader = SectionReader::new("x", "weights", &bytes);
            assert_eq!(QuadraticScorer::unpack(&mut reader, n).unwrap(), weighing);
            reader.end().unwrap();
            assert!(QuadraticScorer::unpack(&mut SectionReader::new("x", "weights", &bytes), n + 1).is_err());
            assert!(
                QuadraticScorer::unpack(&mut SectionReader::new("x", "weights", &bytes[..bytes.len() - 1]), n).is_err()
            );
        }
    }
}
