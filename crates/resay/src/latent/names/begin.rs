//! Which character stands for which, before anything is learned: a romanisation table where the scripts are known, else
//! what the true pairs alone say.

use super::alphabet::{Alphabet, EDGE, UNKNOWN};
use super::features::{Features, Views, plain_deletion, plain_map};

/// Latin letters and the Hebrew letters that stand for them.
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

/// Whether most characters are of the two scripts that the table knows.
pub fn is_latin_to_hebrew(source: &Alphabet, target: &Alphabet) -> bool {
    let share = |alphabet: &Alphabet, belongs: fn(char) -> bool| {
        2 * alphabet.characters().iter().filter(|character| belongs(**character)).count() > alphabet.len()
    };
    share(source, |c| c.is_ascii_lowercase() || ('\u{df}'..='\u{24f}').contains(&c))
        && share(target, |c| ('\u{5d0}'..='\u{5ea}').contains(&c))
}

/// Weights for inference by the romanisation table: every map that it has weighs 1, nothing else weighs anything.
pub fn romanisation(features: &Features, source: &Alphabet, target: &Alphabet) -> Vec<f64> {
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
    // What is left over is mapped rather than left out, but never at the cost of what the table has.
    weights
}

/// Probabilities of an edit: `maps[a][b]`, leaving out a character of the source, of the target.
struct Edits {
    n_target: usize,
    maps: Vec<f64>,
    deletions: [Vec<f64>; 2],
}

impl Edits {
    fn new(n_source: usize, n_target: usize, value: f64) -> Self {
        let maps = vec![value; (n_source + 1) * (n_target + 1)];
        Self { n_target, maps, deletions: [vec![value; n_source + 1], vec![value; n_target + 1]] }
    }

    fn map(&self, a: u16, b: u16) -> f64 {
        self.maps[usize::from(a) * (self.n_target + 1) + usize::from(b)]
    }
}

/// Rounds of expectation and maximisation.
const N_ROUNDS: usize = 10;

/// Weights for inference from true pairs alone: the logarithms of the probabilities of edits (a map of two characters, a
/// character left out) under which the pairs, as sequences of edits in all ways, are most likely; expectation maximisation
/// (Ristad and Yianilos 1998).
///
/// `forward[i][j]`: the probability of all ways to write the first i and the first j characters; `backward[i][j]`: of the
/// others.
pub fn association(
    features: &Features,
    alphabets: [&Alphabet; 2],
    pairs: &[(&[u16], &[u16])],
) -> Vec<f64> {
    let (n_source, n_target) = (alphabets[0].len(), alphabets[1].len());
    let n_edits = ((n_source + 1) * (n_target + 1)) as f64;
    let mut edits = Edits::new(n_source, n_target, 1.0 / n_edits);
    let known = |name: &[u16]| !name.is_empty() && name.iter().all(|&c| c != UNKNOWN && c != EDGE);
    for _ in 0..N_ROUNDS {
        // A little of everything, so that nothing becomes impossible.
        let mut counts = Edits::new(n_source, n_target, 0.01 / n_edits);
        for (a, b) in pairs.iter().filter(|(a, b)| known(a) && known(b)) {
            expect(a, b, &edits, &mut counts);
        }
        let total: f64 = counts.maps.iter().chain(counts.deletions.iter().flatten()).sum();
        let all = counts.maps.iter_mut().chain(counts.deletions.iter_mut().flatten());
        all.for_each(|count| *count /= total);
        edits = counts;
    }
    let mut weights = vec![0.0; features.keys().len()];
    let mut set = |key, probability: f64| {
        if let Some(number) = features.number(key) {
            weights[number as usize] = probability.ln();
        }
    };
    for a in 1..=n_source as u16 {
        (1..=n_target as u16).for_each(|b| set(plain_map(a, b), edits.map(a, b)));
        set(plain_deletion(0, a), edits.deletions[0][usize::from(a)]);
    }
    (1..=n_target as u16).for_each(|b| set(plain_deletion(1, b), edits.deletions[1][usize::from(b)]));
    weights
}

/// Adds the expected edits of one pair.
fn expect(a: &[u16], b: &[u16], edits: &Edits, counts: &mut Edits) {
    let width = b.len() + 1;
    let size = (a.len() + 1) * width;
    let delete = |side: usize, c: u16| edits.deletions[side][usize::from(c)];
    // Probabilities of long names are tiny: each is multiplied by this for every character that it covers.
    let raise = (edits.maps.len() as f64).sqrt();
    let mut forward = vec![0.0; size];
    let mut backward = vec![0.0; size];
    forward[0] = 1.0;
    backward[size - 1] = 1.0;
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            let mut sum = forward[i * width + j];
            if i > 0 {
                sum += raise * forward[(i - 1) * width + j] * delete(0, a[i - 1]);
            }
            if j > 0 {
                sum += raise * forward[i * width + j - 1] * delete(1, b[j - 1]);
            }
            if i > 0 && j > 0 {
                sum += raise * raise * forward[(i - 1) * width + j - 1] * edits.map(a[i - 1], b[j - 1]);
            }
            forward[i * width + j] = sum;
        }
    }
    for i in (0..=a.len()).rev() {
        for j in (0..=b.len()).rev() {
            let mut sum = backward[i * width + j];
            if i < a.len() {
                sum += raise * backward[(i + 1) * width + j] * delete(0, a[i]);
            }
            if j < b.len() {
                sum += raise * backward[i * width + j + 1] * delete(1, b[j]);
            }
            if i < a.len() && j < b.len() {
                sum += raise * raise * backward[(i + 1) * width + j + 1] * edits.map(a[i], b[j]);
            }
            backward[i * width + j] = sum;
        }
    }
    let whole = forward[size - 1];
    // A pair that is too long for its probability to be a number says nothing.
    if !(whole.is_finite() && whole > f64::MIN_POSITIVE) {
        return;
    }
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            let here = forward[i * width + j] / whole;
            if i < a.len() {
                let after = backward[(i + 1) * width + j];
                counts.deletions[0][usize::from(a[i])] += raise * here * delete(0, a[i]) * after;
            }
            if j < b.len() {
                let after = backward[i * width + j + 1];
                counts.deletions[1][usize::from(b[j])] += raise * here * delete(1, b[j]) * after;
            }
            if i < a.len() && j < b.len() {
                let after = backward[(i + 1) * width + j + 1];
                let place = usize::from(a[i]) * (edits.n_target + 1) + usize::from(b[j]);
                counts.maps[place] += raise * raise * here * edits.maps[place] * after;
            }
        }
    }
}

/// The views of a name's characters.
pub fn views(alphabet: &Alphabet, name: &str) -> Vec<Views> {
    alphabet.spell(name).iter().map(Views::new).collect()
}
