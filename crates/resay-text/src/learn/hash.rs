//! The hash of words and features. Files depend on it, so it is the same on every machine and in
//! every version.

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

/// Returns both halves of the full product, combined by xor.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Mixes a value into a hash.
#[inline]
pub fn mix(hash: u64, value: u64) -> u64 {
    fold(hash ^ value, FACTOR) ^ SEED
}

/// Hashes the bytes of a word.
#[inline]
pub fn bytes(word: &[u8]) -> u64 {
    let mut hash = mix(SEED, word.len() as u64);
    let mut chunks = word.chunks_exact(8);
    for chunk in &mut chunks {
        let mut eight = [0; 8];
        eight.copy_from_slice(chunk);
        hash = mix(hash, u64::from_le_bytes(eight));
    }
    let rest = chunks.remainder().iter().rev().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
    mix(hash, rest)
}

/// Hashes a word to 32 bits.
#[inline]
pub fn word(word: &str) -> u32 {
    (bytes(word.as_bytes()) >> 32) as u32
}

/// Hashes a feature: a template number and its values. Tables use the upper 32 bits as keys.
#[inline]
pub fn feature(template: u32, values: &[u32]) -> u32 {
    let mut hash = u64::from(template).wrapping_add(1).wrapping_mul(SEED);
    for pair in values.chunks(2) {
        let high = pair.get(1).map_or(0, |&value| u64::from(value) | 1 << 32);
        hash = mix(hash, u64::from(pair[0]) | high << 31 << 1);
    }
    (mix(hash, values.len() as u64) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_never_change() {
        // Bundled files contain these numbers: a change here means rebuilding all of them.
        let words = [word(""), word("a"), word("resay"), word("re-writing rule")];
        assert_eq!(words, [3506824468, 3082134499, 1544476606, 4240248504]);
        assert_eq!([feature(0, &[]), feature(3, &[1, 2, 3])], [1475284339, 788066689]);
    }

    #[test]
    fn features_with_other_values_or_templates_differ() {
        let mut seen: Vec<u32> = Vec::new();
        for template in 0..20 {
            for value in 0..20 {
                seen.push(feature(template, &[value]));
                seen.push(feature(template, &[value, 0]));
                seen.push(feature(template, &[0, value, 1]));
            }
        }
        let n = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), n);
    }
}
