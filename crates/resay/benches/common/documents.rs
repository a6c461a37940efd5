//! Documents of our own making, as symbols.

use resay_learn::rng::SplitMix;

/// Documents of about 800 letters: words by Zipf's law, made of syllables.
pub(crate) fn generated(n_documents: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut random = SplitMix::new(seed);
    let syllables: Vec<Vec<u32>> =
        (0..120).map(|_| (0..2 + random.below(2)).map(|_| 1 + random.below(26) as u32).collect()).collect();
    let words: Vec<Vec<u32>> = (0..20_000)
        .map(|_| (0..1 + random.below(3)).flat_map(|_| syllables[random.below(syllables.len())].clone()).collect())
        .collect();
    let document = |_| {
        let mut text = Vec::with_capacity(820);
        while text.len() < 800 {
            // The rank of a word: uniform in its logarithm.
            let rank = (words.len() as f64).powf(random.unit()) as usize - 1;
            text.extend(&words[rank.min(words.len() - 1)]);
            text.push(0);
        }
        text
    };
    (0..n_documents).map(document).collect()
}
