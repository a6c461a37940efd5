//! Lemmatisation: the dictionary form of a word, given its tags.
//!
//! The sources are tried in this order: entries learned from a treebank (a form with its tags:
//! "n't" is "not", "better" is "good" or "well"); for inflected tags WordNet's exceptions, then
//! WordNet's endings (morphy), each checked against the table of words; then a guess by spelling
//! for words in no dictionary. All other words are their own lemma, in lower case unless they are
//! names or mostly written with capitals.
//!
//! The table maps a 32-bit hash of form and tags to the lemma. The forms themselves are not stored.

use super::Upos;
use super::atoms::{Atom, CAPITAL, DIGIT, FOREIGN, MIXED, SHOUTED, UPPER};
use super::learn::hash;
use super::words::{ADJECTIVE, ADVERB, NOUN, VERB, Words};
use crate::Result;
use crate::container::{Container, Origin, SectionReader, put};

/// WordNet's endings and their replacements, for nouns, verbs and adjectives. There are none for
/// adverbs.
pub const ENDINGS: [&[(&str, &str)]; 3] = [
    &[
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ],
    &[("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")],
    &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
];
/// The flags of a base form in the table of words, per part of speech.
const BASES: [u8; 4] = [NOUN, VERB, ADJECTIVE, ADVERB | ADJECTIVE];

/// A key of the table: a learned form, as written or in lower case, with its tags; or a WordNet
/// exception for one of the four parts of speech.
#[derive(Clone, Copy, Debug)]
pub enum LemmaKey<'a> {
    /// A form as written (its key in the table of words), its universal tag and its Penn tag.
    Written(u32, Upos, &'a str),
    /// Likewise for a form in lower case.
    Lower(u32, Upos, &'a str),
    /// An irregular form in lower case, and its part of speech: noun, verb, adjective, adverb (0 to
    /// 3).
    Exception(u32, usize),
}

impl LemmaKey<'_> {
    fn hash(self) -> u32 {
        match self {
            Self::Written(form, upos, xpos) => hash::feature(0, &[form, upos as u32, hash::word(xpos)]),
            Self::Lower(form, upos, xpos) => hash::feature(1, &[form, upos as u32, hash::word(xpos)]),
            Self::Exception(form, pos) => hash::feature(2 + pos as u32, &[form]),
        }
    }
}

/// The lemmatiser.
#[derive(Clone, Debug, Default)]
pub struct Lemmatizer {
    /// Hashes of the keys, sorted, and where each lemma ends. It starts where its predecessor ends.
    hashes: Vec<u32>,
    ends: Vec<u32>,
    lemmas: String,
}

impl Lemmatizer {
    /// Creates a lemmatiser from keys and lemmas. Of equal keys, the first wins.
    pub fn new<'a>(entries: impl IntoIterator<Item = (LemmaKey<'a>, &'a str)>) -> Self {
        let mut all: Vec<(u32, &str)> = entries.into_iter().map(|(key, lemma)| (key.hash(), lemma)).collect();
        all.sort_by_key(|(hash, _)| *hash);
        all.dedup_by_key(|(hash, _)| *hash);
        let mut made = Self::default();
        for (hash, lemma) in all {
            made.hashes.push(hash);
            made.lemmas.push_str(lemma);
            made.ends.push(made.lemmas.len() as u32);
        }
        made
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    fn get(&self, key: LemmaKey<'_>) -> Option<&str> {
        let at = self.hashes.binary_search(&key.hash()).ok()?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.lemmas.get(start as usize..self.ends[at] as usize)
    }

    /// Returns the lemma of a word with its tags. `atom` belongs to the word; the lemma may be
    /// written to `scratch`.
    pub fn lemma<'a>(
        &'a self,
        words: &Words,
        form: &'a str,
        atom: &Atom,
        (upos, xpos): (Upos, &str),
        scratch: &'a mut String,
    ) -> &'a str {
        if let Some(lemma) = self.get(LemmaKey::Written(atom.form, upos, xpos)) {
            return lemma;
        }
        if let Some(lemma) = self.get(LemmaKey::Lower(atom.lower_key, upos, xpos)) {
            return lemma;
        }
        self.by_rule(words, form, atom, (upos, xpos), scratch)
    }

    /// Returns the lemma by WordNet's exceptions and the rules, ignoring learned entries.
    pub fn by_rule<'a>(
        &'a self,
        words: &Words,
        form: &'a str,
        atom: &Atom,
        (upos, xpos): (Upos, &str),
        scratch: &'a mut String,
    ) -> &'a str {
        let is_name = upos == Upos::Propn || matches!(xpos, "NNP" | "NNPS");
        let pos = match xpos {
            "NNS" | "NNPS" => 0,
            "VBD" | "VBN" | "VBG" | "VBZ" => 1,
            "JJR" | "JJS" => 2,
            "RBR" | "RBS" => 3,
            "CD" if form.contains(',') => {
                scratch.clear();
                scratch.extend(form.chars().filter(|&c| c != ','));
                let is_number = scratch.bytes().all(|c| c.is_ascii_digit() || c == b'.') && atom.is(DIGIT);
                return if is_number { scratch } else { form };
            }
            _ if is_name => {
                // In a sentence in capitals, a name keeps only its first one.
                if atom.is(SHOUTED) && atom.is(UPPER) && atom.lower_info.capital != 4 {
                    title(form, scratch);
                    return scratch;
                }
                return form;
            }
            _ => return plain(form, atom, scratch),
        };
        lower(form, atom, scratch);
        let exception = self.get(LemmaKey::Exception(atom.lower_key, pos));
        if exception.is_none() {
            uninflect(pos, words, scratch);
        }
        let keeps_case = is_name || keeps_capitals(atom);
        match exception {
            Some(base) if !keeps_case => base,
            Some(base) => {
                recase(base, form, scratch);
                scratch
            }
            None if keeps_case => {
                let base = std::mem::take(scratch);
                recase(&base, form, scratch);
                scratch
            }
            None => scratch,
        }
    }

    /// Serialises the lemmatiser.
    pub fn to_bytes(&self, origin: Origin) -> Result<Vec<u8>> {
        let mut table = Vec::new();
        put(&mut table, self.hashes.len() as u64);
        let (mut last_hash, mut last_end) = (0, 0);
        for &hash in &self.hashes {
            put(&mut table, u64::from(hash - last_hash));
            last_hash = hash;
        }
        for &end in &self.ends {
            put(&mut table, u64::from(end - last_end));
            last_end = end;
        }
        let mut container = Container::new(origin);
        container.push("table", table);
        container.push("lemmas", self.lemmas.clone().into_bytes());
        container.pack()
    }

    /// Reads a lemmatiser. `name` is used in error messages.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        let container = Container::resource(name, bytes, "lemma")?;
        let lemmas = container.section(name, "lemmas")?;
        let reader = SectionReader::new(name, "lemmas", lemmas);
        let lemmas = std::str::from_utf8(lemmas).or_else(|_| reader.fail("lemmas are not UTF-8"))?.to_owned();
        let mut reader = SectionReader::new(name, "table", container.section(name, "table")?);
        let n = reader.count(2)?;
        let (mut hashes, mut ends) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let mut last = 0_u64;
        for at in 0..n {
            let step = reader.number()?;
            last = last.saturating_add(step);
            if last > u64::from(u32::MAX) || (at > 0 && step == 0) {
                return reader.fail("keys are not in the order of their hashes");
            }
            hashes.push(last as u32);
        }
        let mut end = 0_u64;
        for _ in 0..n {
            end = end.saturating_add(reader.number()?);
            if end > lemmas.len() as u64 || !lemmas.is_char_boundary(end as usize) {
                return reader.fail("a lemma ends where there is none");
            }
            ends.push(end as u32);
        }
        reader.end()?;
        Ok(Self { hashes, ends, lemmas })
    }
}

/// Writes a word in lower case to `out`.
fn lower(form: &str, atom: &Atom, out: &mut String) {
    out.clear();
    if atom.is(FOREIGN) || !form.is_ascii() {
        out.extend(form.chars().flat_map(char::to_lowercase));
    } else {
        out.push_str(form);
        out.make_ascii_lowercase();
    }
}

/// Writes a word to `out` with its first letter unchanged and the rest in lower case.
fn title(form: &str, out: &mut String) {
    out.clear();
    let mut characters = form.chars();
    out.extend(characters.next());
    out.extend(characters.flat_map(char::to_lowercase));
}

/// Writes a lower-case base to `out` with the capitals of a form, as far as their letters agree.
fn recase(base: &str, form: &str, out: &mut String) {
    out.clear();
    let mut own = form.chars();
    for character in base.chars() {
        match own.next() {
            Some(written) if written == character || written.to_lowercase().eq([character]) => out.push(written),
            _ => {
                own = "".chars();
                out.push(character);
            }
        }
    }
}

/// Whether a word that is not a name keeps its capitals: it is mostly written with capitals, and
/// its sentence is not all in capitals.
fn keeps_capitals(atom: &Atom) -> bool {
    !atom.is(SHOUTED) && atom.is(CAPITAL | MIXED) && atom.lower_info.capital >= 3
}

/// Returns the lemma of an uninflected word.
fn plain<'a>(form: &'a str, atom: &Atom, scratch: &'a mut String) -> &'a str {
    if (!atom.is(CAPITAL | MIXED | UPPER | FOREIGN) && form.is_ascii()) || keeps_capitals(atom) {
        return form;
    }
    lower(form, atom, scratch);
    scratch
}

/// Replaces an inflected word by its base, if one is found.
fn uninflect(pos: usize, words: &Words, word: &mut String) {
    let info = |word: &str| words.get(Words::key(word)).unwrap_or_default();
    let is_base = |word: &str| info(word).pos & BASES[pos] != 0;
    // No candidate is longer than the word, so this never reallocates.
    let mut base = String::with_capacity(word.len() + 1);
    // Adverbs form comparatives and superlatives like adjectives.
    for (ending, replaced) in ENDINGS[pos.min(2)] {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() > 1) {
            base.clear();
            base.push_str(stem);
            base.push_str(replaced);
            if is_base(&base) {
                std::mem::swap(word, &mut base);
                return;
            }
        }
    }
    if is_base(word) {
        return;
    }
    let suffixes: &[&str] = match pos {
        0 => &["s"],
        1 => &["s", "ed", "ing"],
        _ => &["er", "est"],
    };
    let Some(suffix) = suffixes.iter().find(|suffix| word.ends_with(**suffix)) else { return };
    let n_stem = word.len() - suffix.len();
    if n_stem < 2 || (pos != 0 && !word[..n_stem].bytes().any(|c| b"aeiouy".contains(&c))) {
        return;
    }
    if *suffix == "s" {
        let stem = &word[..n_stem];
        if word.ends_with("ies") && word.len() > 4 {
            word.truncate(word.len() - 3);
            word.push('y');
        } else if ["sse", "she", "che", "xe", "zze"].iter().any(|end| stem.ends_with(end)) {
            word.truncate(word.len() - 2);
        } else if !["s", "u", "i"].iter().any(|end| stem.ends_with(end)) {
            word.truncate(n_stem);
        }
        return;
    }
    // Candidates: the stem, the stem without its doubled consonant, with an e, with y for i. A
    // known base form wins, then the most frequent candidate.
    let bytes = word.as_bytes();
    let last = bytes[n_stem - 1];
    let is_doubled = n_stem > 2 && last == bytes[n_stem - 2] && last.is_ascii_alphabetic() && !b"aeiou".contains(&last);
    let mut best = (0, 0, 0);
    for (rank, (cut, added)) in
        [(0, ""), (usize::from(is_doubled), ""), (0, "e"), (usize::from(last == b'i'), "y")].into_iter().enumerate()
    {
        if (rank == 1 || rank == 3) && cut == 0 {
            continue;
        }
        base.clear();
        base.push_str(&word[..n_stem - cut]);
        base.push_str(added);
        let known = info(&base);
        let is_base = u8::from(known.pos & BASES[pos] != 0);
        best = best.max((is_base, known.frequency, 4 - rank));
    }
    match best {
        // No candidate is known. Adjectives and adverbs stay; for verbs the spelling decides.
        (0, 0, _) if pos == 1 => {
            let stem = &word[..n_stem];
            let wants_e =
                ["at", "iz", "is", "v", "c", "dg", "u", "bl", "gl", "tl"].iter().any(|end| stem.ends_with(end));
            let is_undoubled = is_doubled && !b"lsz".contains(&last);
            word.truncate(n_stem - usize::from(is_undoubled));
            if wants_e {
                word.push('e');
            }
        }
        (0, ..) if pos != 1 => {}
        (_, _, 4) => word.truncate(n_stem),
        (_, _, 3) => word.truncate(n_stem - 1),
        (_, _, 2) => {
            word.truncate(n_stem);
            word.push('e');
        }
        _ => {
            word.truncate(n_stem - 1);
            word.push('y');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atoms::atoms;
    use crate::words::WordInfo;
    use proptest::prelude::*;

    const KNOWN: [(&str, u8); 20] = [
        ("bus", NOUN),
        ("wolf", NOUN),
        ("box", NOUN),
        ("fireman", NOUN),
        ("city", NOUN),
        ("state", NOUN | VERB),
        ("tree", NOUN),
        ("glasses", NOUN),
        ("stop", NOUN | VERB),
        ("bake", VERB),
        ("walk", NOUN | VERB),
        ("try", NOUN | VERB),
        ("watch", NOUN | VERB),
        ("see", VERB),
        ("fine", ADJECTIVE),
        ("tall", ADJECTIVE),
        ("happy", ADJECTIVE),
        ("fast", ADVERB | ADJECTIVE),
        ("sing", VERB),
        ("as", ADVERB),
    ];

    fn words() -> Words {
        let info = |pos| WordInfo { pos, frequency: 5, capital: 1, ..WordInfo::default() };
        let mut rows: Vec<(u32, WordInfo)> = KNOWN.iter().map(|&(word, pos)| (Words::key(word), info(pos))).collect();
        rows.push((Words::key("google"), WordInfo { frequency: 9, capital: 3, ..WordInfo::default() }));
        for word in ["tv", "tvs"] {
            rows.push((Words::key(word), WordInfo { frequency: 9, capital: 4, ..WordInfo::default() }));
        }
        rows.sort_unstable_by_key(|(hash, _)| *hash);
        Words::new(&rows)
    }

    fn lemmatizer() -> Lemmatizer {
        let key = Words::key;
        Lemmatizer::new([
            (LemmaKey::Lower(key("n't"), Upos::Part, "RB"), "not"),
            (LemmaKey::Lower(key("better"), Upos::Adj, "JJR"), "good"),
            (LemmaKey::Lower(key("better"), Upos::Adv, "RBR"), "well"),
            (LemmaKey::Lower(key("us"), Upos::Pron, "PRP"), "we"),
            (LemmaKey::Written(key("PM"), Upos::Noun, "NN"), "p.m."),
            (LemmaKey::Exception(key("went"), 1), "go"),
            (LemmaKey::Exception(key("mice"), 0), "mouse"),
        ])
    }

    fn lemma(form: &str, upos: Upos, xpos: &str) -> String {
        let mut found = Vec::new();
        atoms([form].into_iter(), &words(), &mut found);
        lemmatizer().lemma(&words(), form, &found[0], (upos, xpos), &mut String::new()).to_owned()
    }

    #[test]
    fn lemmas_by_example() {
        use Upos::{Adj, Adv, Noun, Num, Part, Pron, Propn, Punct, Verb};
        let check = |form: &str, upos: Upos, xpos: &str, expected: &str| {
            assert_eq!(lemma(form, upos, xpos), expected, "{form} {xpos}");
        };
        // Learned.
        check("n't", Part, "RB", "not");
        check("N'T", Part, "RB", "not");
        check("Better", Adj, "JJR", "good");
        check("better", Adv, "RBR", "well");
        check("US", Pron, "PRP", "we");
        check("US", Propn, "NNP", "US");
        check("PM", Noun, "NN", "p.m.");
        check("pm", Noun, "NN", "pm");
        // WordNet's exceptions and endings.
        check("went", Verb, "VBD", "go");
        check("Mice", Noun, "NNS", "mouse");
        check("buses", Noun, "NNS", "bus");
        check("wolves", Noun, "NNS", "wolf");
        check("boxes", Noun, "NNS", "box");
        check("firemen", Noun, "NNS", "fireman");
        check("cities", Noun, "NNS", "city");
        check("States", Propn, "NNPS", "State");
        check("baked", Verb, "VBD", "bake");
        check("walking", Verb, "VBG", "walk");
        check("tries", Verb, "VBZ", "try");
        check("watches", Verb, "VBZ", "watch");
        check("stopped", Verb, "VBN", "stop");
        check("sing", Verb, "VBG", "sing");
        check("finer", Adj, "JJR", "fine");
        check("tallest", Adj, "JJS", "tall");
        check("happier", Adj, "JJR", "happy");
        check("faster", Adv, "RBR", "fast");
        // In no dictionary.
        check("wugs", Noun, "NNS", "wug");
        check("zizzes", Noun, "NNS", "zizz");
        check("wuggies", Noun, "NNS", "wuggy");
        check("googled", Verb, "VBD", "google");
        check("glibbing", Verb, "VBG", "glib");
        check("frobnicated", Verb, "VBN", "frobnicate");
        check("wuggest", Adj, "JJS", "wuggest");
        check("glasses", Noun, "NNS", "glasses");
        check("s", Noun, "NNS", "s");
        // Case, numbers, punctuation.
        check("Tree", Noun, "NN", "tree");
        check("TV", Noun, "NN", "TV");
        check("TVs", Noun, "NNS", "TV");
        check("iPhones", Propn, "NNPS", "iPhone");
        check("Ünder", Adv, "RB", "ünder");
        check("1,200.50", Num, "CD", "1200.50");
        check("1,b", Num, "CD", "1,b");
        check(",", Num, "CD", ",");
        check("...", Punct, ":", "...");
    }

    /// Morphy as documented: tries each ending in turn; the first result in the dictionary wins.
    fn morphy(form: &str, pos: usize) -> Option<String> {
        let endings: [&str; 4] = [
            "s> ses>s ves>f xes>x zes>z ches>ch shes>sh men>man ies>y",
            "s> ies>y es>e es> ed>e ed> ing>e ing>",
            "er> est> er>e est>e",
            "er> est> er>e est>e",
        ];
        let known = |word: &str| KNOWN.iter().any(|(known, bits)| *known == word && bits & BASES[pos] != 0);
        for rule in endings[pos].split(' ') {
            let (ending, replaced) = rule.split_once('>').unwrap();
            let base = form.strip_suffix(ending).map(|stem| format!("{stem}{replaced}"));
            if let Some(base) = base.filter(|base| base.len() - replaced.len() > 1 && known(base)) {
                return Some(base);
            }
        }
        None
    }

    proptest! {
        #[test]
        fn where_morphy_has_an_answer_it_is_ours(
            at in 0_usize..KNOWN.len(),
            cut in 0_usize..3,
            ending in "s|es|ies|ves|men|ed|ing|er|est|ches|shes|",
            pos in 0_usize..4,
        ) {
            let base = KNOWN[at].0;
            let form = format!("{}{ending}", &base[..base.len() - cut.min(base.len())]);
            if let Some(expected) = morphy(&form, pos) {
                let (upos, xpos) = [(Upos::Noun, "NNS"), (Upos::Verb, "VBZ"), (Upos::Adj, "JJR"), (Upos::Adv, "RBR")][pos];
                prop_assert_eq!(lemma(&form, upos, xpos), expected);
            }
        }

        #[test]
        fn any_word_with_any_tags_has_a_lemma(form in ".{1,12}|[A-Za-z]{0,6}(s|es|ies|ed|ing|ier|est)", tag in 0_usize..50, upos in 0_usize..17) {
            let xpos = crate::PENN_TAGS[tag];
            prop_assert!(!lemma(&form, Upos::ALL[upos], xpos).is_empty());
        }

        #[test]
        fn a_base_is_its_own_lemma(at in 0_usize..KNOWN.len()) {
            let (word, bits) = KNOWN[at];
            for (bit, upos, xpos) in [(NOUN, Upos::Noun, "NN"), (VERB, Upos::Verb, "VB"), (VERB, Upos::Verb, "VBP"),
                (ADJECTIVE, Upos::Adj, "JJ"), (ADVERB, Upos::Adv, "RB")]
            {
                if bits & bit != 0 {
                    prop_assert_eq!(lemma(word, upos, xpos), word);
                }
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(at in 0_usize..4000, value in any::<u8>()) {
            let mut file = file();
            let at = at % file.len();
            file[at] = value;
            if let Ok(read) = Lemmatizer::from_bytes("lemma.resay", &file) {
                read.get(LemmaKey::Exception(Words::key("went"), 1));
            }
        }
    }

    fn file() -> Vec<u8> {
        let origin = Origin {
            resource: "lemma".to_owned(),
            data: String::new(),
            licence: String::new(),
            made: String::new(),
            quality: Vec::new(),
        };
        lemmatizer().to_bytes(origin).unwrap()
    }

    #[test]
    fn lemmas_come_back_from_a_file() {
        let read = Lemmatizer::from_bytes("lemma.resay", &file()).unwrap();
        assert_eq!((read.hashes, read.ends, read.lemmas), {
            let made = lemmatizer();
            (made.hashes, made.ends, made.lemmas)
        });
        assert!(Lemmatizer::from_bytes("lemma.resay", &file()[..60]).is_err());
    }
}
