//! exp(x) for x <= 0, without calls or branches, so that the compiler vectorises it: exponentials
//! dominate the cost of sums over a lattice. It also gives the same bits on every machine.

/// Below this, exp is treated as 0 (it is less than 4e-308).
const LOWEST: f64 = -708.0;
/// Adding this to a number below 2^51 rounds it to an integer, which ends up in the low bits.
const ROUND: f64 = 6_755_399_441_055_744.0;
/// ln 2 in two parts. The first has so few digits that its products with integers are exact.
const LN_2_HIGH: f64 = 0.693_147_180_369_123_8;
const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
/// `SERIES[n] = 1 / (n + 2)!`. The truncation error is below 4e-18 for arguments up to ln(2) / 2.
const SERIES: [f64; 12] = [
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
];

/// exp(x) for x <= 0, accurate to two units in the last place; 0 for NaN.
///
/// x = k ln 2 + r with integer k and |r| <= ln(2) / 2; exp x = 2^k exp r, where k is added to the
/// exponent bits.
#[inline(always)]
pub(super) fn exp(x: f64) -> f64 {
    let inside = if x > LOWEST { x } else { LOWEST };
    let rounded = inside * std::f64::consts::LOG2_E + ROUND;
    let k = rounded - ROUND;
    let r = (inside - k * LN_2_HIGH) - k * LN_2_LOW;
    // Combine neighbours first, then pairs of them (Estrin 1960): this halves the chain of
    // dependent operations.
    let r2 = r * r;
    let r4 = r2 * r2;
    let two = |n: usize| SERIES[n] + SERIES[n + 1] * r;
    let four = |n: usize| two(n) + two(n + 2) * r2;
    let series = four(0) + (four(4) + four(8) * r4) * r4;
    let exp_r = 1.0 + (r + r2 * series);
    let value = f64::from_bits(exp_r.to_bits().wrapping_add(rounded.to_bits() << 52));
    if x > LOWEST { value } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_standard_library_has_it() {
        let mut worst = 0.0_f64;
        for at in 0..200_000 {
            let x = -f64::from(at) * 0.003_54;
            let (found, expected) = (exp(x), x.exp());
            let error = if x > LOWEST { (found - expected).abs() / expected } else { found };
            worst = worst.max(error);
        }
        assert!(worst <= 2.0 * f64::EPSILON, "{worst:e}");
    }

    #[test]
    fn ends_of_the_range() {
        let check = |x: f64, expected: f64| assert_eq!(exp(x), expected, "{x}");
        check(0.0, 1.0);
        check(-0.0, 1.0);
        check(-1e-300, 1.0);
        check(-709.0, 0.0);
        check(-1e300, 0.0);
        check(f64::NEG_INFINITY, 0.0);
        check(f64::NAN, 0.0);
        assert!(exp(-707.99) > 0.0 && exp(-707.99).is_normal());
    }
}
