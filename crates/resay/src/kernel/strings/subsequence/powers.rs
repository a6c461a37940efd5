//! Powers of a decay factor, each accurate to one or two units in the last place.
//!
//! Repeated multiplication accumulates as many roundings as the exponent, and the `pow` of the
//! system differs between platforms. The tables are built once, in double-double arithmetic, exact
//! to about 106 bits.

/// lambda^0, lambda^1, ...: two tables, and repeated squaring beyond both.
#[derive(Clone, Debug)]
pub(super) struct Powers {
    /// `ones[n]` = lambda^n.
    ones: Vec<f64>,
    /// `steps[n]` = lambda^(n STEP).
    steps: Vec<f64>,
    /// `beyond[b]` = lambda^(STEP^2 2^b).
    beyond: Vec<f64>,
}

const STEP: usize = 256;

/// Multiplies two double-double numbers (high + low).
fn product(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    let high = a.0 * b.0;
    let low = a.0.mul_add(b.0, -high) + (a.0 * b.1 + a.1 * b.0);
    let sum = high + low;
    (sum, low - (sum - high))
}

/// base^0 .. base^(STEP - 1), and base^STEP.
fn table(base: (f64, f64)) -> (Vec<f64>, (f64, f64)) {
    let mut power = (1.0, 0.0);
    let mut all = Vec::with_capacity(STEP);
    for _ in 0..STEP {
        all.push(power.0);
        power = product(power, base);
    }
    (all, power)
}

impl Powers {
    /// Builds the tables for a lambda in (0, 1].
    pub(super) fn new(lambda: f64) -> Self {
        let (ones, step) = table((lambda, 0.0));
        let (steps, mut square) = table(step);
        let mut beyond = Vec::new();
        for _ in 0..u64::BITS - 16 {
            beyond.push(square.0);
            square = product(square, square);
        }
        Self { ones, steps, beyond }
    }

    /// lambda^n.
    #[inline]
    pub(super) fn at(&self, n: u64) -> f64 {
        let power = self.ones[n as usize % STEP] * self.steps[(n as usize / STEP) % STEP];
        let mut rest = n >> 16;
        if rest == 0 {
            return power;
        }
        let mut power = power;
        for square in &self.beyond {
            if rest & 1 == 1 {
                power *= square;
            }
            rest >>= 1;
        }
        power
    }

    /// lambda^n for n below [`Self::window`].
    #[inline]
    pub(super) fn small(&self, n: u32) -> f64 {
        self.ones[n as usize % STEP]
    }

    /// Returns how many powers from lambda^0 on are at least 2^-256; at least 1 and at most 256.
    /// Numbers may be divided by two of them and stay far from overflow.
    pub(super) fn window(&self) -> u32 {
        let least = f64::from_bits((1023 - 256) << 52);
        self.ones.iter().take_while(|&&power| power >= least).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_as_exact_as_they_can_be() {
        for lambda in [1.0, 0.999_99, 0.9, 0.5, 0.3, 0.01, 1e-5] {
            let powers = Powers::new(lambda);
            for n in [0_u64, 1, 2, 255, 256, 257, 1000, 65_535, 65_536, 200_000] {
                let expected = (lambda.ln() * n as f64).exp();
                let found = powers.at(n);
                // The logarithm is rounded, so the expected value is off by n times that error.
                let tolerance = 4e-16 * (1.0 + lambda.ln().abs() * n as f64) * expected + f64::MIN_POSITIVE;
                assert!((found - expected).abs() <= tolerance, "{lambda}^{n}: {found:e} for {expected:e}");
            }
        }
        // Powers of two are exact, down to the smallest positive number.
        let halves = Powers::new(0.5);
        let mut expected = 1.0_f64;
        for n in 0..=1075 {
            assert_eq!(halves.at(n).to_bits(), expected.to_bits(), "2^-{n}");
            expected /= 2.0;
        }
        assert_eq!(halves.at(u64::MAX), 0.0);
        assert_eq!(Powers::new(1.0).at(u64::MAX), 1.0);
    }

    #[test]
    fn windows_hold_what_can_be_divided_by() {
        for (lambda, expected) in [(1.0, 256), (0.9, 256), (0.5, 256), (0.25, 129), (0.01, 39), (1e-300, 1)] {
            assert_eq!(Powers::new(lambda).window(), expected, "{lambda}");
        }
    }
}
