//! WordNet's database files (`index.*`, `data.*`, `*.exc`, `index.sense`) as plain values, shared
//! by all steps that need them. Byte offsets become indices, hexadecimal counts become numbers, and
//! the guarantees of the format are checked: a dangling pointer stops the step. Glosses, verb
//! frames and lexicographer files are dropped.

use crate::files::Files;
use anyhow::{Context, Result, bail, ensure};
use rustc_hash::FxHashMap;
use std::str::{FromStr, SplitAsciiWhitespace};

/// The archive among the corpora.
pub(crate) const ARCHIVE: &str = "wordnet-3.0.tar.gz";

/// The parts of speech in the order of every `[_; 4]` here, as spelled in the file names.
pub(crate) const POS: [&str; 4] = ["noun", "verb", "adj", "adv"];

/// The whole database, by part of speech: noun, verb, adjective (including satellites), adverb.
pub(crate) struct Wndb {
    /// Base forms, in index order (sorted by bytes).
    pub(crate) lemmas: [Vec<Lemma>; 4],
    /// Irregular forms, sorted; if the file has a form twice, the last line wins.
    pub(crate) exceptions: [Vec<Exception>; 4],
    /// Synsets, in file order.
    pub(crate) synsets: [Vec<Synset>; 4],
}

/// A base form in one part of speech.
pub(crate) struct Lemma {
    /// Lower case, with `_` between words.
    pub(crate) word: String,
    /// Its senses, most frequent first.
    pub(crate) senses: Vec<Sense>,
}

/// One sense of a lemma.
#[derive(Clone, Copy)]
pub(crate) struct Sense {
    /// Index among the synsets of the same part of speech.
    pub(crate) synset: usize,
    /// Number of occurrences of the sense in the tagged texts.
    pub(crate) count: u32,
}

/// An irregular form.
pub(crate) struct Exception {
    /// The form.
    pub(crate) form: String,
    /// Its base forms; not all of them are lemmas.
    pub(crate) bases: Vec<String>,
}

/// A set of synonyms.
pub(crate) struct Synset {
    /// Its offset in the data file: the key used by other resources.
    pub(crate) offset: u32,
    /// The words as spelled, with case, without syntactic markers such as `(p)`.
    pub(crate) words: Vec<String>,
    /// Its pointers.
    pub(crate) pointers: Vec<Pointer>,
}

/// A pointer from a synset, or from one of its words, to another.
pub(crate) struct Pointer {
    /// The format's symbol: `@`, `~i`, `!`, ...
    pub(crate) symbol: String,
    /// The target's part of speech, as an index into [`POS`].
    pub(crate) pos: usize,
    /// The target, as an index into `Wndb::synsets[pos]`.
    pub(crate) synset: usize,
    /// For a pointer between words: indices into the words of the two synsets.
    pub(crate) words: Option<(usize, usize)>,
}

impl Wndb {
    /// Reads the archive among the corpora.
    pub(crate) fn read(files: &Files<'_>) -> Result<Self> {
        let file = |name: &str| files.archived(ARCHIVE, &format!("wordnet-3.0/{name}"));
        let texts = |prefix: &str, suffix: &str| -> Result<Vec<String>> {
            POS.iter().map(|pos| file(&format!("{prefix}{pos}{suffix}"))).collect()
        };
        Self::parse(&texts("index.", "")?, &texts("data.", "")?, &texts("", ".exc")?, &file("index.sense")?)
    }

    /// The same from the texts of the files, each slice in the order of [`POS`].
    fn parse(index: &[String], data: &[String], exceptions: &[String], senses: &str) -> Result<Self> {
        let mut found: Vec<Vec<RawSynset>> = Vec::new();
        for (pos, text) in POS.iter().zip(data) {
            let file = format!("data.{pos}");
            found.push(lines(text).map(|(number, line)| at(&file, number, synset(line))).collect::<Result<_>>()?);
        }
        let places: Vec<FxHashMap<u32, usize>> = found
            .iter()
            .map(|synsets| synsets.iter().enumerate().map(|(place, (synset, _))| (synset.offset, place)).collect())
            .collect();
        let counts = tag_counts(senses)?;
        let mut wndb = Self { lemmas: Default::default(), exceptions: Default::default(), synsets: Default::default() };
        for pos in 0..POS.len() {
            for (number, line) in lines(&index[pos]) {
                let lemma = lemma(line, pos, &places[pos], &counts);
                wndb.lemmas[pos].push(at(&format!("index.{}", POS[pos]), number, lemma)?);
            }
            wndb.exceptions[pos] = exceptions_of(&exceptions[pos]);
        }
        let n_words: Vec<Vec<usize>> =
            found.iter().map(|synsets| synsets.iter().map(|(synset, _)| synset.words.len()).collect()).collect();
        for (pos, synsets) in found.into_iter().enumerate() {
            for (mut synset, pointers) in synsets {
                let resolved = pointers.into_iter().map(|pointer| pointer.resolve(&synset.words, &places, &n_words));
                let resolved = resolved.collect::<Result<_>>();
                synset.pointers = resolved.with_context(|| format!("data.{}, {:08}", POS[pos], synset.offset))?;
                wndb.synsets[pos].push(synset);
            }
        }
        wndb.check()?;
        Ok(wndb)
    }

    /// Checks that index and data list the same words in the same synsets, and that the index is
    /// sorted.
    fn check(&self) -> Result<()> {
        for (pos, name) in POS.iter().enumerate() {
            let mut indexed = vec![0; self.synsets[pos].len()];
            for lemma in &self.lemmas[pos] {
                for sense in &lemma.senses {
                    let words = &self.synsets[pos][sense.synset].words;
                    ensure!(
                        words.iter().any(|word| word.to_ascii_lowercase() == lemma.word),
                        "index.{name}: '{}' is not in its synset",
                        lemma.word
                    );
                    indexed[sense.synset] += 1;
                }
            }
            for (synset, n_indexed) in self.synsets[pos].iter().zip(indexed) {
                let mut words: Vec<String> = synset.words.iter().map(|word| word.to_ascii_lowercase()).collect();
                words.sort();
                words.dedup();
                let n_words = words.len();
                ensure!(n_words == n_indexed, "data.{name}, {:08}: a word is in no index", synset.offset);
            }
            let is_sorted = self.lemmas[pos].windows(2).all(|pair| pair[0].word < pair[1].word);
            ensure!(is_sorted, "index.{name} is not sorted");
        }
        Ok(())
    }
}

/// The part of speech of a pointer or an index line.
fn pos_of(letter: &str) -> Result<usize> {
    Ok(match letter {
        "n" => 0,
        "v" => 1,
        "a" | "s" => 2,
        "r" => 3,
        _ => bail!("part of speech '{letter}', expected n, v, a, s or r"),
    })
}

/// Lines with their 1-based numbers, without the licence header.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with("  ") && !line.is_empty())
}

/// Adds file and line to an error.
fn at<T>(file: &str, line: usize, result: Result<T>) -> Result<T> {
    result.with_context(|| format!("{file}:{line}"))
}

/// The next field.
fn next<'a>(fields: &mut SplitAsciiWhitespace<'a>) -> Result<&'a str> {
    fields.next().context("the line ends too early")
}

/// The next field as a number.
fn number<T: FromStr>(fields: &mut SplitAsciiWhitespace<'_>) -> Result<T> {
    let field = next(fields)?;
    field.parse().ok().with_context(|| format!("'{field}', expected a number"))
}

/// Parses a hexadecimal number.
fn hexadecimal(digits: &str) -> Result<usize> {
    usize::from_str_radix(digits, 16).with_context(|| format!("'{digits}', expected hexadecimal digits"))
}

/// A pointer before offsets are resolved to indices.
struct RawPointer {
    symbol: String,
    pos: usize,
    offset: u32,
    source: usize,
    target: usize,
}

type RawSynset = (Synset, Vec<RawPointer>);

impl RawPointer {
    fn resolve(self, words: &[String], places: &[FxHashMap<u32, usize>], n_words: &[Vec<usize>]) -> Result<Pointer> {
        let Self { symbol, pos, offset, source, target } = self;
        let &synset = places[pos].get(&offset).with_context(|| format!("'{symbol}' leads to no synset"))?;
        let words = match (source, target) {
            (0, 0) => None,
            (source, target) if (1..=words.len()).contains(&source) && (1..=n_words[pos][synset]).contains(&target) => {
                Some((source - 1, target - 1))
            }
            _ => bail!("'{symbol}' leads from word {source} to word {target}, which are not there"),
        };
        Ok(Pointer { symbol, pos, synset, words })
    }
}

/// Parses a line of `data.*`: offset, file, type, words with their ids, pointers; the rest is
/// ignored.
fn synset(line: &str) -> Result<RawSynset> {
    let mut fields = line.split_ascii_whitespace();
    let offset = number(&mut fields)?;
    next(&mut fields)?;
    next(&mut fields)?;
    let n_words = hexadecimal(next(&mut fields)?)?;
    let mut words = Vec::with_capacity(n_words);
    for _ in 0..n_words {
        let word = next(&mut fields)?;
        // Adjectives may carry their syntactic position: `galore(ip)`.
        let marker = word.find('(').filter(|_| word.ends_with(')'));
        words.push(word[..marker.unwrap_or(word.len())].to_owned());
        next(&mut fields)?;
    }
    let n_pointers: usize = number(&mut fields)?;
    let mut pointers = Vec::with_capacity(n_pointers);
    for _ in 0..n_pointers {
        let symbol = next(&mut fields)?.to_owned();
        let offset = number(&mut fields)?;
        let pos = pos_of(next(&mut fields)?)?;
        let ends = next(&mut fields)?;
        let (source, target) = ends.split_at_checked(2).with_context(|| format!("'{ends}', expected four digits"))?;
        pointers.push(RawPointer { symbol, pos, offset, source: hexadecimal(source)?, target: hexadecimal(target)? });
    }
    Ok((Synset { offset, words, pointers: Vec::new() }, pointers))
}

/// Tag counts by lemma, part of speech and offset.
type TagCounts<'a> = FxHashMap<(&'a str, usize, u32), u32>;

/// Parses `index.sense`: key, offset, sense number, tag count. Counts of spellings that differ only
/// in case belong to one lemma.
fn tag_counts(text: &str) -> Result<TagCounts<'_>> {
    let mut counts = FxHashMap::default();
    for (line_number, line) in lines(text) {
        let entry = || -> Result<_> {
            let mut fields = line.split_ascii_whitespace();
            let (lemma, rest) = next(&mut fields)?.split_once('%').context("a sense key without '%'")?;
            let pos = match rest.as_bytes().first() {
                Some(b'1') => 0,
                Some(b'2') => 1,
                Some(b'3' | b'5') => 2,
                Some(b'4') => 3,
                _ => bail!("sense key '{rest}', expected a type from 1 to 5"),
            };
            let offset = number(&mut fields)?;
            next(&mut fields)?;
            Ok(((lemma, pos, offset), number::<u32>(&mut fields)?))
        };
        let (key, count) = at("index.sense", line_number, entry())?;
        *counts.entry(key).or_insert(0) += count;
    }
    Ok(counts)
}

/// Parses a line of `index.*`: lemma, part of speech, number of synsets, pointer symbols, two more
/// counts, offsets.
fn lemma(line: &str, pos: usize, places: &FxHashMap<u32, usize>, counts: &TagCounts<'_>) -> Result<Lemma> {
    let mut fields = line.split_ascii_whitespace();
    let word = next(&mut fields)?;
    ensure!(pos_of(next(&mut fields)?)? == pos, "'{word}' is another part of speech");
    let n_synsets: usize = number(&mut fields)?;
    let n_symbols: usize = number(&mut fields)?;
    for _ in 0..n_symbols + 2 {
        next(&mut fields)?;
    }
    let mut senses = Vec::with_capacity(n_synsets);
    for _ in 0..n_synsets {
        let offset: u32 = number(&mut fields)?;
        let &synset = places.get(&offset).with_context(|| format!("'{word}': no synset at {offset:08}"))?;
        let &count = counts.get(&(word, pos, offset)).with_context(|| format!("'{word}' is not in index.sense"))?;
        senses.push(Sense { synset, count });
    }
    Ok(Lemma { word: word.to_owned(), senses })
}

/// Parses lines of `*.exc`: a form and its base forms.
fn exceptions_of(text: &str) -> Vec<Exception> {
    let mut exceptions: Vec<Exception> = Vec::new();
    for line in text.lines() {
        let mut fields = line.split_ascii_whitespace().map(str::to_owned);
        if let Some(form) = fields.next() {
            exceptions.push(Exception { form, bases: fields.collect() });
        }
    }
    // The sort is stable, so the last of equal forms is the last in the file; NLTK's reader keeps
    // that one too.
    exceptions.sort_by(|a, b| a.form.cmp(&b.form));
    exceptions.dedup_by(|later, earlier| {
        let is_same = later.form == earlier.form;
        if is_same {
            std::mem::swap(later, earlier);
        }
        is_same
    });
    exceptions
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(texts: [&str; 4]) -> Vec<String> {
        texts.map(str::to_owned).to_vec()
    }

    /// A small database: a bird, a raven below it, to fly, and black(p) with a satellite.
    fn parse(change: impl Fn(&mut Vec<String>, &mut Vec<String>)) -> Result<Wndb> {
        let mut index = owned([
            "  1 licence\nbird n 1 1 ~ 1 1 00000010  \ncorvus n 1 0 1 0 00000020  \nraven n 1 1 @ 1 0 00000020  \n",
            "fly v 1 1 + 1 1 00000010  \n",
            "black a 1 1 & 1 1 00000010  \nsooty a 1 1 & 1 0 00000020  \n",
            "",
        ]);
        let mut data = owned([
            "  1 licence\n00000010 05 n 01 bird 0 002 ~ 00000020 n 0000 + 00000010 v 0101 | a gloss  \n\
             00000020 05 n 02 raven 0 Corvus 0 001 @ 00000010 n 0000 | a gloss with 1 number  \n",
            "00000010 38 v 01 fly 0 001 + 00000010 n 0101 01 + 02 00 | a gloss  \n",
            "00000010 00 a 01 black(p) 0 001 & 00000020 a 0000 | a gloss  \n\
             00000020 00 s 01 sooty 0 001 & 00000010 a 0000 | a gloss  \n",
            "",
        ]);
        change(&mut index, &mut data);
        let exceptions = owned(["wives wife\nravenes raven\nravenes raven crow\n", "flew fly\n", "", ""]);
        let senses = "bird%1:05:00:: 00000010 1 7\nblack%3:00:00:: 00000010 1 3\ncorvus%1:05:00:: 00000020 1 0\n\
            fly%2:38:00:: 00000010 1 5\nraven%1:05:00:: 00000020 1 0\nsooty%5:00:00:black:00 00000020 1 1\n";
        Wndb::parse(&index, &data, &exceptions, senses)
    }

    #[test]
    fn files_become_values() {
        let wndb = parse(|_, _| {}).unwrap();
        let words: Vec<&str> = wndb.lemmas[0].iter().map(|lemma| lemma.word.as_str()).collect();
        assert_eq!(words, ["bird", "corvus", "raven"]);
        assert_eq!(
            wndb.lemmas[0][0].senses.iter().map(|sense| (sense.synset, sense.count)).collect::<Vec<_>>(),
            [(0, 7)]
        );
        let raven = &wndb.synsets[0][1];
        assert_eq!((raven.offset, &raven.words[..]), (20, &["raven".to_owned(), "Corvus".to_owned()][..]));
        let pointer = &raven.pointers[0];
        assert_eq!((&*pointer.symbol, pointer.pos, pointer.synset, pointer.words), ("@", 0, 0, None));
        let derived = &wndb.synsets[0][0].pointers[1];
        assert_eq!((&*derived.symbol, derived.pos, derived.synset, derived.words), ("+", 1, 0, Some((0, 0))));
        assert_eq!(wndb.synsets[2][0].words, ["black"]);
        assert_eq!(wndb.lemmas[2][1].senses[0].count, 1);
    }

    #[test]
    fn the_last_line_of_a_form_stands() {
        let wndb = parse(|_, _| {}).unwrap();
        let found: Vec<_> = wndb.exceptions[0].iter().map(|entry| (&*entry.form, entry.bases.join(" "))).collect();
        assert_eq!(found, [("ravenes", "raven crow".to_owned()), ("wives", "wife".to_owned())]);
    }

    #[test]
    fn what_does_not_hold_together_is_refused() {
        let check = |change: &dyn Fn(&mut Vec<String>, &mut Vec<String>), expected: &str| {
            let error = parse(|index, data| change(index, data)).err().map(|error| format!("{error:#}"));
            assert_eq!(error.as_deref(), Some(expected));
        };
        check(
            &|_, data| data[0] = data[0].replace("@ 00000010", "@ 00000011"),
            "data.noun, 00000020: '@' leads to no synset",
        );
        check(
            &|_, data| data[1] = data[1].replace("0101 01", "0109 01"),
            "data.verb, 00000010: '+' leads from word 1 to word 9, which are not there",
        );
        check(&|_, data| data[1] = "00000010 38 v 01 fly\n".to_owned(), "data.verb:1: the line ends too early");
        check(
            &|index, _| index[1] = "fly v 1 0 1 0 00000011\n".to_owned(),
            "index.verb:1: 'fly': no synset at 00000011",
        );
        check(&|index, _| index[2] = index[2].replace("sooty", "black"), "index.adj:2: 'black' is not in index.sense");
        check(&|index, _| index[1].clear(), "data.verb, 00000010: a word is in no index");
    }
}
