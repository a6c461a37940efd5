//! Draws pairs of unrelated texts: the source of one pair and the target of another of the same
//! corpus, so that style and length tell nothing.

use super::groups::Groups;
use super::wording::words;
use super::{MixturePair, NEUTRAL};
use resay_learn::rng::SplitMix;

const N_PAIRS: usize = 3000;
const WEIGHT: f32 = 0.7;
const CORPORA: [&str; 6] = ["snli", "paws", "tatoeba", "mined-near", "own", "own-relations"];

/// The largest share of common words at which two texts count as unrelated.
const MAX_OVERLAP: f64 = 0.25;

pub(super) fn draw(pairs: &[MixturePair], groups: &mut Groups, random: &mut SplitMix) -> Vec<MixturePair> {
    let known: Vec<&MixturePair> = pairs.iter().filter(|pair| CORPORA.contains(&pair.corpus)).collect();
    let mut strangers = Vec::new();
    // Some draws are refused, and a small corpus may refuse them all.
    for _ in 0..2 * N_PAIRS.min(known.len() * known.len()) {
        if strangers.len() == N_PAIRS {
            break;
        }
        let first = known[random.below(known.len())];
        let same = |pair: &&&MixturePair| pair.corpus == first.corpus;
        let Some(second) = (0..40).map(|_| &known[random.below(known.len())]).find(same) else { continue };
        let (source, target) = (&first.source, &second.target);
        if !groups.are_joined(source, target) && overlap(source, target) <= MAX_OVERLAP {
            let mut pair = MixturePair::new("strangers", [source, target], NEUTRAL, WEIGHT);
            pair.phenomenon = first.corpus.to_owned();
            strangers.push(pair);
        }
    }
    strangers
}

/// The share of the words of two texts that both have.
fn overlap(source: &str, target: &str) -> f64 {
    let [a, b] = [source, target].map(|text| {
        let mut words = words(text);
        words.sort_unstable();
        words.dedup();
        words
    });
    let n_common = a.iter().filter(|word| b.binary_search(word).is_ok()).count();
    n_common as f64 / (a.len() + b.len() - n_common).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_come_from_one_corpus_and_no_link_joins_them() {
        let pair = |corpus, texts| MixturePair::new(corpus, texts, 1, 1.0);
        let pairs = [
            pair("snli", ["A man runs.", "Someone moves."]),
            pair("snli", ["Two dogs bark.", "There is noise outside."]),
            pair("snli", ["Someone moves.", "The sun rose over old roofs."]),
            pair("paws", ["Ann lent Ben money .", "Ben borrowed money from Ann ."]),
            pair("sts", ["Rain fell.", "It was wet."]),
        ];
        let mut groups = Groups::default();
        pairs.iter().for_each(|pair| groups.join(pair.texts()));
        let strangers = draw(&pairs, &mut groups, &mut SplitMix::new(1));
        assert!(strangers.len() > 10, "{}", strangers.len());
        for pair in &strangers {
            assert!(!groups.are_joined(&pair.source, &pair.target), "{pair:?}");
            assert_eq!((pair.allowed, pair.phenomenon.as_str()), (NEUTRAL, "snli"));
        }
        assert!((overlap("It is late.", "It's early!") - 0.5).abs() < 1e-9);
    }
}
