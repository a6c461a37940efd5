//! Builds `relations.resay`: paraphrases from PPDB, similar words by GloVe vectors, nicknames.
//!
//! Contents:
//!
//! - Words of letters, with hyphens, apostrophes and full stops after the first letter, and the
//!   signs in [`SIGNS`]. Numbers, dates, addresses and tokenisation artefacts are dropped; they are
//!   a fifth of PPDB's words and a tenth of its pairs.
//! - PPDB: both files, every pair in both directions. The pruned file already has all its pairs in
//!   both directions, the other most of them in one direction only, so direction carries no meaning
//!   in it. Inflections ("copy", "copied") are kept: PPDB lists them as pairs.
//! - Similar words: for every word the [`NEAREST`] others with the largest cosine, if it is at
//!   least [`LEAST_COSINE`]. A pair counts if either word is near the other. Function words are
//!   excluded: vectors say that "of" is like "the".
//! - Nicknames: as listed, in both directions, since either may occur in a text. Without transitive
//!   closure: two short forms of one name are a pair only if the list has it.

use crate::files::Files;
use crate::similar::{Vectors, neighbours};
use crate::{MADE_BY, settings_of};
use anyhow::{Context, Result, bail};
use resay_text::container::{Origin, Quality};
use resay_text::lexicon::{TablePairs, Tables};

pub(crate) const PPDB: [&str; 2] =
    ["ppdb/ppdb-1.0-eng-xxxl.pruned-20.lexical.pair.gz", "ppdb/ppdb-1.0-xxxl-lexical.extended.synonyms.uniquepairs"];
const GLOVE: &str = "glove/glove.100d.top100k.txt.gz";
const NICKNAMES: &str = "nicknames/names.csv";

/// Signs that count as words.
const SIGNS: &str = "$£€¥¢%&§";
/// Below this, pairs of content words are aligned as rarely as any two words that share a topic: 9
/// % between 0.6 and 0.65 in the training parts of two hand-aligned corpora, 24 % above 0.8.
const LEAST_COSINE: f64 = 0.65;
/// Frequent words have hundreds of neighbours above the threshold; the first few are the most
/// informative.
const NEAREST: usize = 15;

/// Function words, sorted.
const FUNCTION_WORDS: [&str; 145] = [
    "a", "about", "above", "across", "after", "again", "against", "all", "along", "also", "although", "am", "among",
    "an", "and", "any", "are", "around", "as", "at", "be", "because", "been", "before", "behind", "being", "below",
    "between", "both", "but", "by", "can", "could", "did", "do", "does", "doing", "down", "during", "each", "either",
    "even", "ever", "every", "few", "for", "from", "had", "has", "have", "having", "he", "her", "here", "hers", "him",
    "his", "how", "however", "i", "if", "in", "into", "is", "it", "its", "just", "may", "me", "might", "mine", "more",
    "most", "must", "my", "neither", "no", "nor", "not", "now", "of", "off", "on", "once", "only", "onto", "or",
    "other", "others", "our", "ours", "out", "over", "own", "per", "same", "shall", "she", "should", "since", "so",
    "some", "such", "than", "that", "the", "their", "theirs", "them", "then", "there", "these", "they", "this",
    "those", "though", "through", "to", "toward", "towards", "under", "until", "up", "upon", "us", "very", "was", "we",
    "were", "what", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "will", "with",
    "within", "without", "would", "you",
];

fn origin(quality: Vec<Quality>) -> Origin {
    Origin {
        resource: String::new(),
        data: "PPDB 1.0 (lexical pairs, XXXL), GloVe (100 dimensions, 100,000 most frequent words), nicknames"
            .to_owned(),
        licence: "PPDB: CC BY 3.0; GloVe: PDDL 1.0; nicknames: Apache-2.0".to_owned(),
        made: format!(
            "{MADE_BY} relations; similar: the {NEAREST} nearest of each word with a cosine of at least {LEAST_COSINE}"
        ),
        quality,
    }
}

/// All settings of the step.
pub(crate) fn settings() -> String {
    settings_of(&origin(Vec::new()), &format!("signs={SIGNS} function-words={}", FUNCTION_WORDS.join(",")))
}

/// Reads, compiles and writes the file.
#[allow(clippy::print_stdout, reason = "a tool for the command line")]
pub(crate) fn make(files: &Files<'_>) -> Result<()> {
    let mut pairs = TablePairs { nicknames: nicknames(&files.text(NICKNAMES)?)?, ..TablePairs::default() };
    for file in PPDB {
        let text = files.text(file)?;
        let kept = paraphrases(&text).with_context(|| file.to_owned())?;
        println!("{file}: {} of {} pairs kept", kept.len(), text.lines().count());
        pairs.ppdb.extend(kept);
    }
    pairs.similar = similar(&files.text(GLOVE)?).context(GLOVE)?;
    // Open the file once to count, then write it with the counts.
    let (n_words, n_pairs) = Tables::open("relations.resay", &pairs.pack(origin(Vec::new()))?)?.sizes();
    let counts =
        [("words", n_words), ("ppdb pairs", n_pairs[0]), ("similar pairs", n_pairs[1]), ("nicknames", n_pairs[2])];
    let quality = counts.map(|(measure, count)| Quality { measure: measure.to_owned(), value: count as f64 });
    let bytes = pairs.pack(origin(quality.to_vec()))?;
    let path = files.output();
    resay::data::write_whole(&path, |file| file.write_all(&bytes))?;
    println!("{}: {} bytes, {counts:?}", path.display(), bytes.len());
    Ok(())
}

/// Whether a word is kept.
fn is_kept(word: &str) -> bool {
    let mut letters = word.chars();
    let is_sign = |sign: char| SIGNS.contains(sign) && word.len() == sign.len_utf8();
    letters.next().is_some_and(|first| first.is_alphabetic() || is_sign(first))
        && letters.all(|letter| letter.is_alphabetic() || "-'’.".contains(letter))
}

/// Lines `word<TAB>word`.
fn paraphrases(text: &str) -> Result<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some((a, b)) = line.split_once('\t') else { bail!("line {}: no tab", number + 1) };
        let (a, b) = (a.to_lowercase(), b.to_lowercase());
        if is_kept(&a) && is_kept(&b) {
            pairs.push((a, b));
        }
    }
    Ok(pairs)
}

/// Lines `name,has_nickname,name` below a header.
fn nicknames(text: &str) -> Result<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    for (number, line) in text.lines().enumerate().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        let [name, "has_nickname", short] = columns[..] else { bail!("{NICKNAMES}: line {}: '{line}'", number + 1) };
        pairs.push((name.to_lowercase(), short.to_lowercase()));
    }
    Ok(pairs)
}

/// Parses lines `word number number ...`, most frequent word first, and returns those that are
/// kept.
fn read_vectors(text: &str) -> Result<(Vec<&str>, Vectors)> {
    let mut words = Vec::new();
    let mut vectors = Vectors { dimensions: 100, values: Vec::new() };
    for (number, line) in text.lines().enumerate() {
        let (word, values) = line.split_once(' ').unwrap_or((line, ""));
        if !is_kept(word) || FUNCTION_WORDS.binary_search(&word).is_ok() {
            continue;
        }
        words.push(word);
        for value in values.split(' ') {
            vectors.values.push(value.parse().with_context(|| format!("line {}: '{value}'", number + 1))?);
        }
        if vectors.values.len() != words.len() * vectors.dimensions {
            bail!("line {}: not {} numbers", number + 1, vectors.dimensions);
        }
    }
    Ok((words, vectors))
}

/// Pairs of words of which one is near the other.
fn similar(text: &str) -> Result<Vec<(String, String, f32)>> {
    let (words, vectors) = read_vectors(text)?;
    let near = neighbours(&vectors, LEAST_COSINE, NEAREST);
    let pairs = near.iter().zip(&words).flat_map(|(near, word)| {
        near.iter().map(|&(other, cosine)| ((*word).to_owned(), words[other as usize].to_owned(), cosine as f32))
    });
    Ok(pairs.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::text;
    use resay_text::Upos;
    use resay_text::lexicon::{Lexicon, Relation, Relations};
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn words_that_are_kept() {
        let check = |word: &str, expected: bool| assert_eq!(is_kept(word), expected, "{word}");
        for word in ["buy", "café", "e-mail", "o'clock", "mr.", "u.s.", "$", "€"] {
            check(word, true);
        }
        for word in ["", "-", "'s", "1999", "3d", "d3", "a/b", "$$", "x_y", "www.a.org/b", "that "] {
            check(word, false);
        }
        assert!(FUNCTION_WORDS.is_sorted());
    }

    #[test]
    fn lines_become_pairs() {
        assert_eq!(paraphrases("Buy\tpurchase\n12\ttwelve\n").unwrap(), [("buy".into(), "purchase".into())]);
        assert!(paraphrases("buy purchase\n").is_err());
        let names = nicknames("name1,relationship,name2\nmargaret,has_nickname,peggy\n").unwrap();
        assert_eq!(names, [("margaret".into(), "peggy".into())]);
        assert!(nicknames("name1,relationship,name2\nmargaret,peggy\n").is_err());
    }

    #[test]
    fn vectors_become_pairs() {
        let line = |word: &str, first: f32, second: f32| format!("{word} {first} {second}{}\n", " 0".repeat(98));
        let text =
            [line("cat", 1.0, 0.0), line("the", 1.0, 0.0), line("dog", 1.0, 1.0), line("law", 0.0, 1.0)].concat();
        let pairs = similar(&text).unwrap();
        let expected = [("cat", "dog"), ("dog", "cat"), ("dog", "law"), ("law", "dog")];
        assert_eq!(pairs, expected.map(|(a, b)| (a.to_owned(), b.to_owned(), std::f32::consts::FRAC_1_SQRT_2)));
        assert!(similar("cat 1 2\n").is_err());
        assert!(similar("cat x\n").is_err());
    }

    /// The bundled file against plain maps of the corpora; similar words for every five-thousandth
    /// word.
    #[test]
    fn the_bundled_file_is_what_the_corpora_say() {
        if resay_testing::corpus("relations.resay against its corpora", GLOVE).is_none() {
            return;
        }
        let data = resay_testing::corpora();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../resay-en-words/data/relations.resay");
        let tables = Tables::open(path, &std::fs::read(path).unwrap()).unwrap();
        let lexicon = Lexicon::new().with_tables(tables).with_similar_from(0.0);
        let check = |word: &str, relation: Relation, expected: &BTreeSet<String>| {
            let found = lexicon.related(&lexicon.word(word, None, Some(Upos::Propn)), Relations::of(relation));
            assert!(
                found.iter().map(|(other, _)| *other).eq(expected),
                "{relation} of {word}: {found:?}, not {expected:?}"
            );
        };
        let ppdb = PPDB.iter().flat_map(|file| paraphrases(&text(&data.join(file)).unwrap()).unwrap()).collect();
        let names = nicknames(&text(&data.join(NICKNAMES)).unwrap()).unwrap();
        for (relation, pairs) in [(Relation::Ppdb, ppdb), (Relation::Nickname, names)] {
            let mut partners: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for (a, b) in pairs.into_iter().filter(|(a, b): &(String, String)| a != b) {
                partners.entry(a.clone()).or_default().insert(b.clone());
                partners.entry(b).or_default().insert(a);
            }
            assert!(partners.len() > 1000);
            partners.iter().for_each(|(word, partners)| check(word, relation, partners));
        }
        let glove = text(&data.join(GLOVE)).unwrap();
        let (words, vectors) = read_vectors(&glove).unwrap();
        for word in (0..words.len()).step_by(5000) {
            // Among the nearest of the word, or the reverse: the former suffices to find most.
            let listed = neighbours_of(&vectors, word);
            let term = lexicon.word(words[word], None, None);
            for &(other, cosine) in &listed {
                let found = lexicon.similarity(&term, &lexicon.word(words[other as usize], None, None));
                assert!(
                    found.is_some_and(|found| (f64::from(found) - cosine).abs() < 0.0021),
                    "{} {found:?}",
                    words[word]
                );
            }
            let all: BTreeSet<String> = lexicon
                .related(&term, Relations::of(Relation::Similar))
                .into_iter()
                .map(|(other, _)| other.to_owned())
                .collect();
            assert!(all.len() >= listed.len());
            for other in all {
                let other = words.iter().position(|known| *known == other).unwrap();
                let is_listed = listed.iter().any(|&(near, _)| near as usize == other);
                assert!(
                    is_listed || neighbours_of(&vectors, other).iter().any(|&(near, _)| near as usize == word),
                    "{} and {}",
                    words[word],
                    words[other]
                );
            }
        }
    }

    /// The nearest neighbours of one word by exhaustive search.
    fn neighbours_of(vectors: &Vectors, word: usize) -> Vec<(u32, f64)> {
        let row = |word: usize| vectors.values[word * vectors.dimensions..][..vectors.dimensions].iter();
        let dot = |a, b| row(a).zip(row(b)).fold(0.0, |sum, (&x, &y)| sum + f64::from(x) * f64::from(y));
        let length = dot(word, word).sqrt();
        let n_words = vectors.values.len() / vectors.dimensions;
        let others = (0..n_words).filter(|&other| other != word);
        let cosines = others.map(|other| (other as u32, dot(word, other) / (length * dot(other, other).sqrt())));
        let mut near: Vec<(u32, f64)> = cosines.filter(|&(_, cosine)| cosine >= LEAST_COSINE).collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        near.truncate(NEAREST);
        near
    }
}
