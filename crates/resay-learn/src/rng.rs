//! A small seeded generator (SplitMix64, Steele et al. 2014). Every shuffle and resample is
//! reproducible on any machine and in any year, whereas the streams of a general-purpose crate may
//! change with its version.

/// SplitMix64: 64 bits of state; every seed gives a good stream.
#[derive(Clone, Debug)]
pub struct SplitMix {
    state: u64,
}

impl SplitMix {
    /// Starts the stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Starts stream `number` of many independent streams of one seed: resample 17 is the same
    /// whichever thread draws it.
    pub fn stream(seed: u64, number: u64) -> Self {
        let mut outer = Self::new(seed ^ number.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        Self::new(outer.next_u64())
    }

    /// Returns 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// Returns a number in `0..limit` (0 if `limit` is 0). Uses the high half of a product: the
    /// bias is below `limit / 2^64`.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next_u64()) * limit as u128) >> 64) as usize
    }

    /// Returns a number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Shuffles in place (Fisher-Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_published_stream() {
        // First outputs of the reference implementation for seed 1234567.
        let mut random = SplitMix::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
        assert_eq!(random.next_u64(), 9_817_491_932_198_370_423);
    }

    #[test]
    fn below_stays_below_and_reaches_everything() {
        let mut random = SplitMix::new(7);
        let mut seen = [0usize; 5];
        for _ in 0..5_000 {
            seen[random.below(5)] += 1;
        }
        assert!(seen.iter().all(|&count| (850..1150).contains(&count)), "{seen:?}");
        assert_eq!(random.below(0), 0);
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn a_shuffle_is_a_permutation_and_streams_differ() {
        let mut items: Vec<usize> = (0..100).collect();
        SplitMix::new(3).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
        assert_ne!(SplitMix::stream(1, 0).next_u64(), SplitMix::stream(1, 1).next_u64());
        assert!((0..1000).all(|n| (0.0..1.0).contains(&SplitMix::stream(1, n).unit())));
    }
}
