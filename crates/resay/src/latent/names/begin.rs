//! Initial weights for character alignments: from a romanisation table if the scripts are known,
//! otherwise from the true pairs by expectation maximisation.

use super::alphabet::{Alphabet, EDGE, UNKNOWN};
use super::features::{NameFeatures, is_plain, plain_deletion, plain_map};
use crate::Result;
use resay_learn::progress::Progress;

/// Latin letters and their Hebrew counterparts.
const HEBREW: [(char, &str); 26] = [
    ('a', "אהע"),
    ('b', "ב"),
    ('c', "קסצכ"),
    ('d', "ד"),
    ('e', "אהעי"),
    ('f', "פף"),
    ('g', "ג"),
    ('h', "הח"),
    ('i', "יא"),
    ('j', "גי"),
    ('k', "קכך"),
    ('l', "ל"),
    ('m', "מם"),
    ('n', "נן"),
    ('o', "ואע"),
    ('p', "פף"),
    ('q', "ק"),
    ('r', "ר"),
    ('s', "סשזץ"),
    ('t', "טת"),
    ('u', "ואי"),
    ('v', "בו"),
    ('w', "ו"),
    ('x', "קס"),
    ('y', "י"),
    ('z', "זצץ"),
];

/// Whether most characters belong to the two scripts of the table.
pub(super) fn is_latin_to_hebrew(source: &Alphabet, target: &Alphabet) -> bool {
    let share = |alphabet: &Alphabet, belongs: fn(char) -> bool| {
        2 * alphabet.characters().iter().filter(|character| belongs(**character)).count() > alphabet.len()
    };
    share(source, |c| c.is_ascii_lowercase() || ('\u{df}'..='\u{24f}').contains(&c))
        && share(target, |c| ('\u{5d0}'..='\u{5ea}').contains(&c))
}

/// Inference weights from the romanisation table: 1 for every character pair in the table, else 0.
pub(super) fn romanisation(features: &NameFeatures, source: &Alphabet, target: &Alphabet) -> Vec<f64> {
    let mut weights = vec![0.0; features.keys().len()];
    for (latin, letters) in HEBREW {
        for hebrew in letters.chars() {
            let (a, b) = (source.number(latin), target.number(hebrew));
            if a != UNKNOWN
                && b != UNKNOWN
                && let Some(number) = features.number(plain_map(a, b))
            {
                weights[number as usize] = 1.0;
            }
        }
    }
    weights
}

/// Iterations of expectation maximisation.
const N_ROUNDS: usize = 10;

/// Inference weights from true pairs alone: the log probabilities of edits (an aligned character
/// pair, a deleted character) that maximise the likelihood of the pairs, summed over all edit
/// sequences. Uses expectation maximisation (Ristad and Yianilos 1998). An edit is identified by
/// its feature number, so only edits that occur have a probability.
pub(super) fn association(
    features: &NameFeatures,
    pairs: &[(&[u16], &[u16])],
    progress: Progress<'_>,
) -> Result<Vec<f64>> {
    let n_features = features.keys().len();
    let is_edit: Vec<bool> = features.keys().iter().map(|&key| is_plain(key)).collect();
    let n_edits = is_edit.iter().filter(|is_edit| **is_edit).count().max(1) as f64;
    let mut probabilities = vec![1.0 / n_edits; n_features];
    let mut lattice = Lattice::default();
    for _ in 0..N_ROUNDS {
        // Smoothing, so that no edit becomes impossible.
        let mut counts = vec![0.01 / n_edits; n_features];
        for (a, b) in pairs {
            progress.check()?;
            lattice.expect(features, a, b, &probabilities, &mut counts);
        }
        let total: f64 = counts.iter().zip(&is_edit).filter(|(_, is_edit)| **is_edit).map(|(count, _)| count).sum();
        probabilities = counts.iter().map(|count| count / total).collect();
    }
    Ok(probabilities.iter().zip(&is_edit).map(|(p, is_edit)| if *is_edit { p.ln() } else { 0.0 }).collect())
}

/// The lattice of all edit sequences of one pair.
#[derive(Default)]
struct Lattice {
    /// `maps[i * b.len() + j]`, `deletions[side][i]`: feature numbers of the edits.
    maps: Vec<usize>,
    deletions: [Vec<usize>; 2],
    /// `forward[i][j]`: the total probability of all edit sequences for the first i and the first j
    /// characters; `backward[i][j]`: for the remaining characters.
    forward: Vec<f64>,
    backward: Vec<f64>,
}

impl Lattice {
    /// Looks up the feature numbers of the edits; false if one is missing.
    fn number(&mut self, features: &NameFeatures, a: &[u16], b: &[u16]) -> bool {
        let number = |key| features.number(key).map(|number| number as usize);
        self.maps.clear();
        self.deletions.iter_mut().for_each(Vec::clear);
        let maps = a.iter().flat_map(|&a| b.iter().map(move |&b| plain_map(a, b)));
        self.maps.extend(maps.filter_map(number));
        for (side, name) in [a, b].into_iter().enumerate() {
            self.deletions[side].extend(name.iter().filter_map(|&c| number(plain_deletion(side, c))));
        }
        self.maps.len() == a.len() * b.len() && self.deletions[0].len() == a.len() && self.deletions[1].len() == b.len()
    }

    /// Adds the expected edit counts of one pair.
    fn expect(&mut self, features: &NameFeatures, a: &[u16], b: &[u16], probabilities: &[f64], counts: &mut [f64]) {
        let is_known = |name: &[u16]| name.iter().all(|&c| c != UNKNOWN && c != EDGE);
        if !is_known(a) || !is_known(b) || !self.number(features, a, b) {
            return;
        }
        let Self { maps, deletions: [of_a, of_b], forward, backward } = self;
        let width = b.len() + 1;
        let size = (a.len() + 1) * width;
        // Probabilities of long names are tiny, so each is scaled by this factor per character.
        let raise = (counts.len() as f64).sqrt();
        let map = |i: usize, j: usize| raise * raise * probabilities[maps[i * b.len() + j]];
        let delete_a = |i: usize| raise * probabilities[of_a[i]];
        let delete_b = |j: usize| raise * probabilities[of_b[j]];
        for table in [&mut *forward, &mut *backward] {
            table.clear();
            table.resize(size, 0.0);
        }
        forward[0] = 1.0;
        backward[size - 1] = 1.0;
        for i in 0..=a.len() {
            for j in 0..=b.len() {
                let mut sum = forward[i * width + j];
                if i > 0 {
                    sum += forward[(i - 1) * width + j] * delete_a(i - 1);
                }
                if j > 0 {
                    sum += forward[i * width + j - 1] * delete_b(j - 1);
                }
                if i > 0 && j > 0 {
                    sum += forward[(i - 1) * width + j - 1] * map(i - 1, j - 1);
                }
                forward[i * width + j] = sum;
            }
        }
        let whole = forward[size - 1];
        // Skip a pair so long that its probability overflows or underflows.
        if !(whole.is_finite() && whole > f64::MIN_POSITIVE) {
            return;
        }
        for i in (0..=a.len()).rev() {
            for j in (0..=b.len()).rev() {
                let here = forward[i * width + j] / whole;
                let mut sum = backward[i * width + j];
                let mut edit = |number: usize, probability: f64, after: f64| {
                    sum += probability * after;
                    counts[number] += here * probability * after;
                };
                if i < a.len() {
                    edit(of_a[i], delete_a(i), backward[(i + 1) * width + j]);
                }
                if j < b.len() {
                    edit(of_b[j], delete_b(j), backward[i * width + j + 1]);
                }
                if i < a.len() && j < b.len() {
                    edit(maps[i * b.len() + j], map(i, j), backward[(i + 1) * width + j + 1]);
                }
                backward[i * width + j] = sum;
            }
        }
    }
}
