//! Reads tables of phrases.

use super::search::{Part, Phrase};
use super::{ClauseTruth, PhraseRelation, PhraseRelations, Phrases, Signature};
use crate::container::{Container, Origin};
use crate::{Error, Result, Style, tokenize_as};
use rustc_hash::FxHashMap;

/// A phrase that is equal to more others than this is too vague to derive relations by way of it.
const MAX_EQUALS: usize = 24;

/// The most words of a phrase.
const MAX_PARTS: usize = 12;

struct Reader {
    numbers: FxHashMap<Box<[Part]>, u32>,
    made: Phrases,
    /// Related phrases in the order of the lines.
    listed: Vec<(u32, PhraseRelation, u32)>,
    /// Whether the table is the user's own, whose phrases are cut into words as texts are.
    is_own: bool,
}

impl Phrases {
    /// Reads tables of relations and tables of classes, each as a name for messages and its text.
    pub fn read(relations: &[(&str, &str)], classes: &[(&str, &str)]) -> Result<Self> {
        Self::read_with(relations, classes, &[])
    }

    /// The same with a user's own tables of relations. Where one of them relates two phrases, the
    /// other tables do not; where two of them do, the last one holds.
    pub fn read_with(relations: &[(&str, &str)], classes: &[(&str, &str)], own: &[(&str, &str)]) -> Result<Self> {
        let mut reader =
            Reader { numbers: FxHashMap::default(), made: Self::default(), listed: Vec::new(), is_own: false };
        reader.tables(relations)?;
        let n_others = reader.listed.len();
        reader.is_own = true;
        reader.tables(own)?;
        reader.is_own = false;
        reader.prefer_own(n_others);
        let mut n_classes = 0;
        for (name, text) in classes {
            for (number, line) in lines(text) {
                reader.class(line, n_classes).map_err(|message| Error::line(name, number as u64, message))?;
                n_classes += 1;
            }
        }
        Ok(reader.finish())
    }
}

/// The name of the resource in its file.
const RESOURCE: &str = "phrases";

impl Phrases {
    /// Opens the file of a table that [`pack`] made.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self> {
        Self::from_bytes_with(name, bytes, &[])
    }

    /// Opens the file of a table and adds a user's own tables, as in [`Phrases::read_with`].
    pub fn from_bytes_with(name: &str, bytes: &[u8], own: &[(&str, &str)]) -> Result<Self> {
        let container = Container::resource(name, bytes, RESOURCE)?;
        let text = |section: &'static str| -> Result<String> {
            let text = String::from_utf8(container.section(name, section)?.to_vec());
            text.map_err(|_| Error::file(name, format!("section '{section}' is no text: the file is damaged")))
        };
        let (relations, classes) = (text("relations")?, text("classes")?);
        Self::read_with(&[(name, &relations)], &[(name, &classes)], own)
    }
}

/// Packs tables of relations and of classes into one file, without comments and empty lines.
pub fn pack(relations: &[&str], classes: &[&str], origin: Origin) -> Result<Vec<u8>> {
    let joined = |texts: &[&str]| {
        let lines = texts.iter().flat_map(|text| lines(text)).map(|(_, line)| line);
        lines.collect::<Vec<_>>().join("\n").into_bytes()
    };
    let mut container = Container::new(Origin { resource: RESOURCE.to_owned(), ..origin });
    container.push("relations", joined(relations));
    container.push("classes", joined(classes));
    container.pack()
}

/// The lines with their numbers, without empty ones and comments.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim_end()));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

impl Reader {
    fn tables(&mut self, tables: &[(&str, &str)]) -> Result<()> {
        for (name, text) in tables {
            for (number, line) in lines(text) {
                self.relation(line).map_err(|message| Error::line(name, number as u64, message))?;
            }
        }
        Ok(())
    }

    /// Drops what other lines say of two phrases that a line from `n_others` on relates.
    fn prefer_own(&mut self, n_others: usize) {
        let key = |&(a, _, b): &(u32, PhraseRelation, u32)| (a.min(b), a.max(b));
        let mut last: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        for (at, line) in self.listed.iter().enumerate().skip(n_others) {
            last.insert(key(line), at);
        }
        let mut at = 0;
        self.listed.retain(|line| {
            at += 1;
            last.get(&key(line)).is_none_or(|last| *last == at - 1)
        });
    }

    fn relation(&mut self, line: &str) -> std::result::Result<(), String> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [left, relation, right] = columns[..] else {
            return Err(format!("{} columns, expected 3 with tabs between: phrase, relation, phrase", columns.len()));
        };
        let left = self.phrase(left)?;
        if relation == "signature" {
            self.made.signatures.insert(left, signature(right)?);
            return Ok(());
        }
        let found = PhraseRelation::ALL.into_iter().find(|known| known.name() == relation);
        let Some(relation) = found else {
            let known = PhraseRelation::ALL.map(PhraseRelation::name).join(", ");
            return Err(format!("unknown relation '{relation}', expected one of: {known}, signature"));
        };
        let right = self.phrase(right)?;
        if left != right {
            self.listed.push((left, relation, right));
        }
        Ok(())
    }

    fn class(&mut self, line: &str, class: u32) -> std::result::Result<(), String> {
        let Some((_, members)) = line.split_once('\t') else {
            return Err("expected the name of a class, a tab, and its members with commas between".to_owned());
        };
        for member in members.split(',').map(str::trim).filter(|member| !member.is_empty()) {
            let phrase = self.phrase(member)? as usize;
            if self.made.classes[phrase].last() != Some(&class) {
                self.made.classes[phrase].push(class);
            }
        }
        Ok(())
    }

    /// The number of a phrase, new or known.
    fn phrase(&mut self, text: &str) -> std::result::Result<u32, String> {
        let part = |word: &str| match word {
            "one's" => Part::Possessive,
            "oneself" => Part::Reflexive,
            "..." => Part::Gap,
            word => Part::Word(word.to_lowercase().into()),
        };
        let words = text.split_whitespace().flat_map(split_apostrophe);
        let mut parts: Vec<Part> = match self.is_own {
            false => words.map(part).collect(),
            true => words.flat_map(tokens).map(part).collect(),
        };
        let is_article = |part: &Part| matches!(part, Part::Word(word) if matches!(&**word, "a" | "an" | "the"));
        // "a few" is not "few", but "make a decision" is found as "make decision".
        let mut at = 0;
        parts.retain(|part| {
            at += 1;
            at == 1 || !is_article(part)
        });
        // A gap at either end, or a possessive at the start, finds nothing more.
        while matches!(parts.last(), Some(Part::Gap)) {
            parts.pop();
        }
        let n_open = parts.iter().take_while(|part| !matches!(part, Part::Word(_))).count();
        parts.drain(..n_open);
        if parts.len() > MAX_PARTS {
            return Err(format!("a phrase of {} words, expected at most {MAX_PARTS}", parts.len()));
        }
        let Some(Part::Word(first)) = parts.first() else {
            return Err(format!("the phrase '{text}' has no word in it"));
        };
        debug_assert!(!first.is_empty());
        self.number(parts).ok_or_else(|| format!("the phrase '{text}' has no word in it"))
    }

    /// The number of a phrase of these parts, new or known; `None` if it does not begin with a word.
    fn number(&mut self, parts: Vec<Part>) -> Option<u32> {
        let Some(Part::Word(first)) = parts.first() else { return None };
        let first = first.clone();
        let parts: Box<[Part]> = parts.into();
        if let Some(&known) = self.numbers.get(&parts) {
            return Some(known);
        }
        let number = self.made.phrases.len() as u32;
        self.numbers.insert(parts.clone(), number);
        self.made.starts.entry(first).or_default().push(number);
        self.made.phrases.push(Phrase { parts });
        self.made.classes.push(Vec::new());
        Some(number)
    }

    fn finish(mut self) -> Phrases {
        let mut equals: Vec<Vec<u32>> = vec![Vec::new(); self.made.phrases.len()];
        let mut add = |made: &mut Phrases, a: u32, relation: PhraseRelation, b: u32, is_derived: bool| {
            made.relations.entry((a, b)).or_default().add(PhraseRelations::of(relation, is_derived));
            made.relations.entry((b, a)).or_default().add(PhraseRelations::of(relation.reversed(), is_derived));
        };
        for &(a, relation, b) in &self.listed {
            add(&mut self.made, a, relation, b, false);
            if relation == PhraseRelation::Equal {
                equals[a as usize].push(b);
                equals[b as usize].push(a);
            }
        }
        self.converse_heads(&mut add);
        for &(a, relation, b) in &self.listed {
            for (from, to) in [(a, b), (b, a)] {
                let relation = if from == a { relation } else { relation.reversed() };
                if equals[from as usize].len() > MAX_EQUALS {
                    continue;
                }
                for &other in &equals[from as usize] {
                    if other != to && !self.made.relations.contains_key(&(other, to)) {
                        add(&mut self.made, other, relation, to, true);
                    }
                }
            }
        }
        let phrases = &self.made.phrases;
        #[allow(clippy::iter_over_hash_type, reason = "each list is sorted by itself")]
        for starts in self.made.starts.values_mut() {
            starts.sort_by_key(|&phrase| (usize::MAX - phrases[phrase as usize].parts.len(), phrase));
        }
        self.made
    }
}

/// What adds a relation to a table.
type Add<'a> = &'a mut dyn FnMut(&mut Phrases, u32, PhraseRelation, u32, bool);

impl Reader {
    /// `sell to` and `buy from` are converses, and so are "sell" and "buy" where the one sold to is an
    /// object: "sold Mary a car".
    fn converse_heads(&mut self, add: Add<'_>) {
        for at in 0..self.listed.len() {
            let (a, relation, b) = self.listed[at];
            if relation != PhraseRelation::Converse {
                continue;
            }
            let head = |phrase: u32| self.made.phrases[phrase as usize].parts[..1].to_vec();
            let heads = [head(a), head(b)].map(|head| self.number(head));
            if let [Some(first), Some(second)] = heads
                && first != second
            {
                for (one, other) in [(first, second), (first, b), (a, second)] {
                    if one != other && !is_light(&self.made, one) && !is_light(&self.made, other) {
                        add(&mut self.made, one, PhraseRelation::Converse, other, true);
                    }
                }
            }
        }
    }
}

/// Verbs that mean nothing by themselves: "be above" and "be below" make no converse of "be".
fn is_light(made: &Phrases, phrase: u32) -> bool {
    const LIGHT: [&str; 14] =
        ["be", "have", "get", "take", "give", "make", "go", "come", "do", "put", "more", "less", "in", "on"];
    match &*made.phrases[phrase as usize].parts {
        [Part::Word(word)] => LIGHT.contains(&&**word),
        _ => false,
    }
}

/// "buyer's" is two words in an annotated text.
fn split_apostrophe(word: &str) -> Vec<&str> {
    match word.strip_suffix("'s") {
        Some(stem) if !stem.is_empty() && word != "one's" => vec![stem, "'s"],
        _ => vec![word],
    }
}

/// A word as texts are cut: "p/o" may be three words.
fn tokens(word: &str) -> Vec<&str> {
    match word {
        "one's" | "oneself" | "..." | "'s" => vec![word],
        _ => tokenize_as(word, Style::Web).map(|token| &word[token.span.range()]).collect(),
    }
}

fn signature(text: &str) -> std::result::Result<Signature, String> {
    let truth = |sign: &str| match sign {
        "+" => Some(ClauseTruth::True),
        "-" => Some(ClauseTruth::False),
        "o" => Some(ClauseTruth::Open),
        _ => None,
    };
    let found = text
        .split_once('/')
        .and_then(|(affirmed, negated)| Some(Signature { affirmed: truth(affirmed)?, negated: truth(negated)? }));
    found.ok_or_else(|| format!("the signature '{text}', expected two of +, - and o with a slash between, such as +/-"))
}

#[cfg(test)]
mod tests {
    use super::super::PhraseWord;
    use super::*;

    fn find(phrases: &Phrases, text: &str) -> Vec<(u32, Vec<u32>)> {
        let words: Vec<PhraseWord<'_>> = text.split(' ').map(|word| PhraseWord { lower: word, lemma: word }).collect();
        phrases.find(&words).into_iter().map(|found| (found.phrase, found.words)).collect()
    }

    #[test]
    fn phrases_are_found_with_gaps_articles_and_possessives() {
        let table = "turn ... down\tequal\treject\nlose one's job\tequal\tbe fired\nmake decision\tequal\tdecide\n\
                     enjoy oneself\tequal\thave fun\n";
        let phrases = Phrases::read(&[("t", table)], &[]).unwrap();
        let check = |text: &str, expected: &[(u32, &[u32])]| {
            let expected: Vec<(u32, Vec<u32>)> =
                expected.iter().map(|(phrase, words)| (*phrase, words.to_vec())).collect();
            assert_eq!(find(&phrases, text), expected, "{text}");
        };
        check("they turn the offer down", &[(0, &[1, 4])]);
        check("they turn down", &[]);
        check("they turn . down", &[]);
        check("turn one two three four five six down", &[]);
        check("she lose her job", &[(2, &[1, 3])]);
        check("lose the cook 's job", &[(2, &[0, 4])]);
        check("make a decision", &[(4, &[0, 2])]);
        check("we enjoy ourselves", &[(6, &[1, 2])]);
    }

    #[test]
    fn relations_are_reversed_derived_and_classes_exclude_each_other() {
        let table = "sprint\tforward\trun\nresign\tequal\tstep down\nstep down\topposite\tstay on\n";
        let phrases = Phrases::read(&[("t", table)], &[("c", "day\tmonday, tuesday\n")]).unwrap();
        let number = |text: &str| find(&phrases, text)[0].0;
        let between = |a: &str, b: &str| phrases.between(number(a), number(b));
        assert!(between("sprint", "run").is_listed(PhraseRelation::Forward));
        assert!(between("run", "sprint").is_listed(PhraseRelation::Backward));
        assert!(between("resign", "stay on").has(PhraseRelation::Opposite));
        assert!(!between("resign", "stay on").is_listed(PhraseRelation::Opposite));
        assert!(between("monday", "tuesday").has(PhraseRelation::Alternative));
        assert!(between("monday", "run").is_empty() && between("monday", "monday").is_empty());
    }

    #[test]
    fn own_relations_hold_before_others() {
        let table = "gold plan\tequal\tsilver plan\ncar\tequal\tauto\nauto\tforward\tvehicle\n";
        let own = "silver plan\talternative\tgold plan\nP/O\tequal\tpurchase order\ncar\topposite\tauto\ncar\tforward\tauto\n";
        let phrases = Phrases::read_with(&[("t", table)], &[], &[("own.tsv", own)]).unwrap();
        let number = |text: &str| find(&phrases, text)[0].0;
        let between = |a: &str, b: &str| phrases.between(number(a), number(b));
        let plans = between("gold plan", "silver plan");
        assert!(plans.is_listed(PhraseRelation::Alternative) && !plans.has(PhraseRelation::Equal));
        let cars = between("car", "auto");
        assert!(cars.is_listed(PhraseRelation::Forward) && !cars.has(PhraseRelation::Opposite));
        assert!(!cars.has(PhraseRelation::Equal) && between("car", "vehicle").is_empty());
        let cut: Vec<&str> = tokenize_as("p/o", Style::Web).map(|token| &"p/o"[token.span.range()]).collect();
        assert!(between(&cut.join(" "), "purchase order").is_listed(PhraseRelation::Equal));
        let error = Phrases::read_with(&[], &[], &[("own.tsv", "a\tequal\tb\na\tequals\tb\n")]).unwrap_err();
        assert!(error.to_string().starts_with("own.tsv:2: unknown relation 'equals'"), "{error}");
    }

    #[test]
    fn faults_say_where_and_what() {
        let check = |line: &str, expected: &str| {
            let error = Phrases::read(&[("own.tsv", line)], &[]).unwrap_err().to_string();
            assert!(error.starts_with("own.tsv:1: ") && error.contains(expected), "{error}");
        };
        check("a b", "1 columns, expected 3");
        check("a\tsame\tb", "unknown relation 'same', expected one of: equal");
        check("a\tsignature\tx", "expected two of +, - and o");
        check("... one's\tequal\tb", "has no word in it");
        assert!(Phrases::read(&[], &[("c", "no tab")]).unwrap_err().to_string().contains("the name of a class"));
    }
}
