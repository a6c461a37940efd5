//! What a user knows about alignments: constraints, one per line of a text file.
//!
//! ```text
//! must-link           WORD WORD [RELATION ...]     as many as possible of these links are made
//! must-not-link       WORD WORD [RELATION ...]     none of these is
//! at-most N           WORD WORD [RELATION ...]     no more than N of these are
//! only-if CONDITION   WORD WORD [RELATION ...]     each of these only if the condition holds
//! ```
//!
//! `docs/latent.md` lists words, relations and conditions. A constraint is about all pairs of words
//! that fit; for two sentences it becomes [`MapConstraints`] on the maps of their words.

use super::features::Labels;
use crate::align::{AlignWord, WordMatrix};
use crate::id::{Level, WordClass};
use crate::{Error, Result};
use resay_learn::matching::Graph;
use resay_learn::matching::graph::MapConstraints;
use resay_text::Upos;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::Path;

/// The most constraints of a file, and the most characters of one.
const MAX_CONSTRAINTS: usize = 100;
const MAX_LENGTH: usize = 2000;

/// Names in files, with what they stand for.
type Names<T> = &'static [(&'static str, T)];

/// A property of one word.
#[derive(Clone, Debug, PartialEq, Eq)]
enum WordTest {
    Any,
    Class(WordClass),
    Number,
    Entity,
    Negation,
    Tag(Upos),
    /// This form or lemma, in lower case.
    Word(String),
}

const WORDS: Names<WordTest> = &[
    ("any", WordTest::Any),
    ("noun", WordTest::Class(WordClass::Noun)),
    ("verb", WordTest::Class(WordClass::Verb)),
    ("modifier", WordTest::Class(WordClass::Modifier)),
    ("name", WordTest::Class(WordClass::Name)),
    ("function", WordTest::Class(WordClass::Function)),
    ("mark", WordTest::Class(WordClass::Mark)),
    ("number", WordTest::Number),
    ("entity", WordTest::Entity),
    ("negation", WordTest::Negation),
];

/// Alternatives, of which one or none must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WordPattern {
    is_negated: bool,
    tests: Vec<WordTest>,
}

/// How two words compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    SameForm,
    SameLemma,
    SameStem,
    SameTag,
    SameEntity,
    Synonym,
    Near,
}

const RELATIONS: Names<Relation> = &[
    ("same-form", Relation::SameForm),
    ("same-lemma", Relation::SameLemma),
    ("same-stem", Relation::SameStem),
    ("same-tag", Relation::SameTag),
    ("same-entity", Relation::SameEntity),
    ("synonym", Relation::Synonym),
    ("near", Relation::Near),
];

/// What must be linked for a link to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    Heads,
    EachHead,
    Neighbours,
}

const CONDITIONS: Names<Condition> = &[
    ("heads-linked", Condition::Heads),
    ("each-head-linked", Condition::EachHead),
    ("neighbours-linked", Condition::Neighbours),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Demand {
    MustLink,
    MustNotLink,
    AtMost(u32),
    OnlyIf(Condition),
}

/// One constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Constraint {
    /// As written, with single spaces.
    text: String,
    demand: Demand,
    words: [WordPattern; 2],
    /// Whether the first word is of the source; otherwise it may be of either sentence.
    is_directed: bool,
    /// Whether each relation must hold or must not.
    relations: Vec<(Relation, bool)>,
}

/// Constraints on the alignment of two sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct AlignmentConstraints(Vec<Constraint>);

impl AlignmentConstraints {
    /// Reads a file of constraints; `#` starts a comment.
    pub fn open(path: &Path) -> Result<Self> {
        let mut bytes = Vec::new();
        let most = (MAX_CONSTRAINTS * MAX_LENGTH * 8) as u64;
        let file = std::fs::File::open(path).map_err(|error| Error::read(path, error))?;
        file.take(most).read_to_end(&mut bytes).map_err(|error| Error::read(path, error))?;
        let name = path.display().to_string();
        let text = String::from_utf8(bytes)
            .map_err(|_| Error::file(&name, "not UTF-8, expected a text file with one constraint per line"))?;
        Self::parse(&name, &text)
    }

    /// Parses the text of a file; `name` is for messages.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        let mut constraints = Vec::new();
        for (line, text) in (1..).zip(text.strip_prefix('\u{feff}').unwrap_or(text).lines()) {
            let fail = |message: String| Error::line(name, line, message);
            if let Some(constraint) = Constraint::parse(text).map_err(fail)? {
                if constraints.len() == MAX_CONSTRAINTS {
                    return Err(fail(format!("more than {MAX_CONSTRAINTS} constraints, leave some out")));
                }
                constraints.push(constraint);
            }
        }
        if constraints.is_empty() {
            return Err(Error::file(name, "no constraint, expected one per line, such as 'must-not-link noun verb'"));
        }
        Ok(Self(constraints))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The constraints as lines of a file.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|constraint| &constraint.text[..])
    }

    /// The constraints of two sentences.
    pub(super) fn of(&self, compared: &WordMatrix, labels: &[Labels; 2], graph: &Graph) -> MapConstraints {
        let mut found = MapConstraints::default();
        for constraint in &self.0 {
            constraint.add_to(&mut found, compared, labels, graph);
        }
        found
    }
}

impl TryFrom<Vec<String>> for AlignmentConstraints {
    type Error = String;

    fn try_from(lines: Vec<String>) -> std::result::Result<Self, String> {
        if lines.len() > MAX_CONSTRAINTS {
            return Err(format!("{} constraints, at most {MAX_CONSTRAINTS} are allowed", lines.len()));
        }
        let parse = |line: &String| Constraint::parse(line)?.ok_or_else(|| "an empty constraint".to_owned());
        lines.iter().map(parse).collect::<std::result::Result<Vec<_>, _>>().map(Self)
    }
}

impl From<AlignmentConstraints> for Vec<String> {
    fn from(constraints: AlignmentConstraints) -> Self {
        constraints.lines().map(str::to_owned).collect()
    }
}

/// What a name of a table stands for.
fn named<T: Clone>(names: Names<T>, name: &str) -> Option<T> {
    names.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
}

/// All names of a table.
fn list<T>(names: Names<T>) -> String {
    names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
}

impl WordPattern {
    fn parse(text: &str) -> std::result::Result<Self, String> {
        let (is_negated, alternatives) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        let test = |name: &str| {
            let quoted = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
            if let Some(word) = quoted.filter(|word| !word.is_empty()) {
                return Ok(WordTest::Word(word.to_lowercase()));
            }
            let tag = || Upos::ALL.into_iter().find(|tag| tag.name() == name).map(WordTest::Tag);
            named(WORDS, name).or_else(tag).ok_or_else(|| {
                format!(
                    "'{name}' is no kind of word, expected {}, a tag such as ADJ, or a word in double quotes",
                    list(WORDS)
                )
            })
        };
        let tests = alternatives.split('|').map(test).collect::<std::result::Result<Vec<_>, _>>()?;
        Ok(Self { is_negated, tests })
    }

    /// The words of a sentence that fit.
    fn fits(&self, side: usize, compared: &WordMatrix, labels: &Labels) -> Vec<bool> {
        let sentence = if side == 0 { &compared.source } else { &compared.target };
        let fits = |(idx, word): (usize, &AlignWord)| {
            let holds = |test: &WordTest| match test {
                WordTest::Any => true,
                WordTest::Class(class) => word.class() == *class,
                WordTest::Number => word.has_digit || word.class() == WordClass::Number,
                WordTest::Entity => labels.has_entity(idx),
                WordTest::Negation => labels.negations[idx],
                WordTest::Tag(tag) => Upos::ALL.get(word.tag) == Some(tag),
                WordTest::Word(listed) => {
                    let term = sentence.term(idx);
                    term.form() == listed || term.lemma() == listed
                }
            };
            self.tests.iter().any(holds) != self.is_negated
        };
        sentence.words.iter().enumerate().map(fits).collect()
    }
}

impl Relation {
    fn holds(self, compared: &WordMatrix, labels: &[Labels; 2], i: usize, j: usize) -> bool {
        let (a, b) = (&compared.source.words[i], &compared.target.words[j]);
        match self {
            Self::SameForm => a.lower == b.lower,
            Self::SameLemma => a.lower == b.lower || a.lemma == b.lemma,
            Self::SameStem => a.lower == b.lower || a.stem == b.stem,
            Self::SameTag => a.tag == b.tag,
            Self::SameEntity => labels[0].entity(i) != 0 && labels[0].entity(i) == labels[1].entity(j),
            Self::Synonym => compared.level(i, j) >= Level::Synonym,
            Self::Near => compared.level(i, j) >= Level::Near,
        }
    }
}

impl Constraint {
    /// Parses a line; `None` if it is empty.
    fn parse(line: &str) -> std::result::Result<Option<Self>, String> {
        if line.len() > MAX_LENGTH {
            return Err(format!("a constraint of {} bytes, at most {MAX_LENGTH} are allowed", line.len()));
        }
        let items: Vec<&str> = line.split_whitespace().take_while(|item| !item.starts_with('#')).collect();
        let Some((&kind, mut rest)) = items.split_first() else { return Ok(None) };
        let mut next = |what: &str| match rest.split_first() {
            Some((&item, others)) => {
                rest = others;
                Ok(item)
            }
            None => Err(format!("{kind} ends too early, expected {what}")),
        };
        let demand = match kind {
            "must-link" => Demand::MustLink,
            "must-not-link" => Demand::MustNotLink,
            "at-most" => {
                let number = next("a number of links")?;
                let number = number.parse::<u32>().map_err(|_| {
                    format!("'{number}' is no number of links, expected an integer such as 3, then two kinds of words")
                })?;
                Demand::AtMost(number)
            }
            "only-if" => {
                let name = next("a condition")?;
                let condition = named(CONDITIONS, name)
                    .ok_or_else(|| format!("'{name}' is no condition, expected {}", list(CONDITIONS)))?;
                Demand::OnlyIf(condition)
            }
            other => {
                return Err(format!(
                    "'{other}' is no constraint, expected must-link, must-not-link, at-most or only-if"
                ));
            }
        };
        let first = WordPattern::parse(next("two kinds of words")?)?;
        let mut second = next("a second kind of words")?;
        let is_directed = second == "->";
        if is_directed {
            second = next("the words of the target after ->")?;
        }
        let words = [first, WordPattern::parse(second)?];
        let relation = |item: &&str| {
            let (name, holds) = item.strip_prefix('!').map_or((*item, true), |name| (name, false));
            let relation = named(RELATIONS, name)
                .ok_or_else(|| format!("'{name}' is no relation of two words, expected {}", list(RELATIONS)))?;
            Ok((relation, holds))
        };
        let relations = rest.iter().map(relation).collect::<std::result::Result<Vec<_>, String>>()?;
        Ok(Some(Self { text: items.join(" "), demand, words, is_directed, relations }))
    }

    /// Adds what it says about two sentences.
    fn add_to(&self, found: &mut MapConstraints, compared: &WordMatrix, labels: &[Labels; 2], graph: &Graph) {
        let [first, second] =
            [0, 1].map(|word| [0, 1].map(|side| self.words[word].fits(side, compared, &labels[side])));
        let (m, n) = (compared.source.len(), compared.target.len());
        let fits = |i: usize, j: usize| {
            let words = first[0][i] && second[1][j] || !self.is_directed && second[0][i] && first[1][j];
            words && self.relations.iter().all(|(relation, holds)| relation.holds(compared, labels, i, j) == *holds)
        };
        let cells = (0..m).flat_map(|i| (0..n).map(move |j| (i, j)));
        let cells: Vec<(usize, usize)> = cells.filter(|&(i, j)| fits(i, j)).collect();
        let part = |(i, j): (usize, usize)| graph.word(i, j) as u32;
        let parts = || cells.iter().map(|&cell| part(cell));
        match self.demand {
            Demand::MustLink => found.wanted.extend(parts()),
            Demand::MustNotLink => found.forbidden.extend(parts()),
            Demand::AtMost(0) => found.forbidden.extend(parts()),
            // One-to-one links never exceed the shorter sentence.
            Demand::AtMost(most) if most as usize >= m.min(n) => {}
            Demand::AtMost(most) => found.at_most.push((parts().collect(), most)),
            Demand::OnlyIf(Condition::Heads) => found.with_edge.extend(parts()),
            Demand::OnlyIf(Condition::Neighbours) => {
                for &(i, j) in &cells {
                    let before = i.checked_sub(1).zip(j.checked_sub(1));
                    let after = (i + 1 < m && j + 1 < n).then_some((i + 1, j + 1));
                    found.supported.push((vec![part((i, j))], before.into_iter().chain(after).map(part).collect()));
                }
            }
            Demand::OnlyIf(Condition::EachHead) => {
                // A word has at most one link, so those of one word share a constraint.
                for &(head, i) in graph.source_edges() {
                    let (head, i) = (head as usize, i as usize);
                    let own: Vec<u32> = cells.iter().filter(|cell| cell.0 == i).map(|&cell| part(cell)).collect();
                    found.supported.push((own, (0..n).map(|j| part((head, j))).collect()));
                }
                for &(head, j) in graph.target_edges() {
                    let (head, j) = (head as usize, j as usize);
                    let own: Vec<u32> = cells.iter().filter(|cell| cell.1 == j).map(|&cell| part(cell)).collect();
                    found.supported.push((own, (0..m).map(|i| part((i, head))).collect()));
                }
                found.supported.retain(|(own, _)| !own.is_empty());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{SentencePairs, SentenceScratch, Setup, Shape, describe_compared};
    use super::*;
    use crate::resources::Resources;
    use resay_learn::matching::graph::GraphPart;
    use resay_learn::progress::Progress;
    use resay_learn::rng::SplitMix;
    use resay_text::{EnglishScratch, Layers};

    /// The links of the best alignments of a pair under random weights, one set per seed.
    fn links(source: &str, target: &str, constraints: &str) -> Vec<Vec<(String, String)>> {
        let resources = Resources::bundled();
        let english = resources.english(Layers { chunks: false, ..Layers::ALL }).unwrap();
        let lexicon = resources.lexicon_with_vectors().unwrap();
        let pair = [source, target].map(|text| english.text(text, &mut EnglishScratch::default()));
        let constraints = if constraints.is_empty() {
            AlignmentConstraints::default()
        } else {
            AlignmentConstraints::parse("c.rules", constraints).unwrap()
        };
        let known =
            SentencePairs::new(std::slice::from_ref(&pair), vec![true], &lexicon, Shape::Both, Progress::none())
                .unwrap();
        let words = WordMatrix::new(&pair[0], &pair[1], &lexicon);
        let setup = Setup { shape: Shape::Both, constraints: &constraints };
        let parts = describe_compared([&pair[0], &pair[1]], &words, &lexicon, setup, known.catalogue()).unwrap();
        let of_seed = |seed: u64| {
            let mut random = SplitMix::new(seed);
            let weights: Vec<f64> = (0..known.catalogue().len()).map(|_| random.unit() * 2.0 - 1.2).collect();
            let mut scratch = SentenceScratch::default();
            let choice = parts.best(&weights, None, &mut scratch).unwrap();
            assert!(!scratch.search().is_stopped());
            let link = |part: &u32| match parts.graph().part(*part as usize) {
                GraphPart::Word(i, j) => {
                    Some((pair[0].form(i as usize).to_owned(), pair[1].form(j as usize).to_owned()))
                }
                _ => None,
            };
            choice.active.iter().filter_map(link).collect()
        };
        (0..24).map(of_seed).collect()
    }

    const PAIR: (&str, &str) =
        ("Anna never sold 12 boats and 7 oars in Lima.", "In Lima, 7 oars and 12 ships were not bought by Anna.");

    /// Checks every best alignment, and that without the constraint some fail.
    fn check(faults: &mut Vec<String>, constraints: &str, holds: impl Fn(&[(&str, &str)]) -> bool) {
        let found = |constraints: &str| {
            let all = links(PAIR.0, PAIR.1, constraints);
            let met = |links: &&Vec<(String, String)>| {
                let links: Vec<(&str, &str)> = links.iter().map(|(a, b)| (&a[..], &b[..])).collect();
                holds(&links)
            };
            (all.iter().filter(met).count(), all.len())
        };
        let (n_met, n) = found(constraints);
        if n_met < n {
            faults.push(format!("{constraints}: met by {n_met} of {n}, {:?}", links(PAIR.0, PAIR.1, constraints)));
        }
        if found("").0 == n {
            faults.push(format!("{constraints} never matters"));
        }
    }

    #[test]
    fn alignments_meet_what_is_demanded() {
        let mut faults = Vec::new();
        let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
        check(&mut faults, "must-link number number same-form", |links| {
            links.contains(&("12", "12")) && links.contains(&("7", "7"))
        });
        check(&mut faults, "must-link negation negation", |links| links.contains(&("never", "not")));
        check(&mut faults, "must-link \"boat\" -> \"ship\"", |links| links.contains(&("boats", "ships")));
        check(&mut faults, "must-not-link number !number", |links| {
            links.iter().all(|(a, b)| is_number(a) == is_number(b))
        });
        check(&mut faults, "must-not-link any any !same-form", |links| {
            links.iter().all(|(a, b)| a.eq_ignore_ascii_case(b))
        });
        check(&mut faults, "at-most 2 any any", |links| links.len() <= 2);
        check(&mut faults, "at-most 1 any any !same-form", |links| {
            links.iter().filter(|(a, b)| !a.eq_ignore_ascii_case(b)).count() <= 1
        });
        check(&mut faults, "at-most 0 mark|function any", |links| links.iter().all(|(a, _)| *a != "." && *a != "and"));
        check(&mut faults, "only-if heads-linked \"12\"|\"7\" any", |links| {
            links.iter().all(|(a, b)| match (*a, *b) {
                ("12", "12") => links.contains(&("boats", "ships")),
                ("7", "7") => links.contains(&("oars", "oars")),
                ("12", "7") => links.contains(&("boats", "oars")),
                ("7", "12") => links.contains(&("oars", "ships")),
                _ => true,
            })
        });
        check(&mut faults, "only-if each-head-linked number number", |links| {
            let is_linked = |word: &str| links.iter().any(|link| link.0 == word);
            links.iter().all(|(a, b)| match *a {
                "12" if is_number(b) => is_linked("boats"),
                "7" if is_number(b) => is_linked("oars"),
                _ => true,
            })
        });
        check(&mut faults, "only-if neighbours-linked any any", |links| {
            // No word occurs twice, so that places are told by forms.
            let words = |text: &str| {
                let spaced = text.replace(',', " ,").replace('.', " .");
                spaced.split(' ').map(str::to_owned).collect::<Vec<_>>()
            };
            let (source, target) = (words(PAIR.0), words(PAIR.1));
            let place = |words: &[String], word: &str| words.iter().position(|of| of == word).unwrap();
            let places: Vec<_> = links.iter().map(|(a, b)| (place(&source, a), place(&target, b))).collect();
            places
                .iter()
                .all(|&(i, j)| places.contains(&(i + 1, j + 1)) || i > 0 && j > 0 && places.contains(&(i - 1, j - 1)))
        });
        // All that can be met together is.
        check(&mut faults, "must-link number number same-form\nat-most 1 any any # and no more", |links| {
            matches!(links, [("12", "12")] | [("7", "7")])
        });
        assert!(faults.is_empty(), "{faults:#?}");
    }

    #[test]
    fn lines_are_kept_as_they_are_written() {
        let text = "# ours\n\n  must-link   number number\tsame-form  # always\r\nat-most 3 any any !near\n";
        let constraints = AlignmentConstraints::parse("c.rules", text).unwrap();
        assert_eq!(
            constraints.lines().collect::<Vec<_>>(),
            ["must-link number number same-form", "at-most 3 any any !near"]
        );
        let json = serde_json::to_string(&constraints).unwrap();
        assert_eq!(serde_json::from_str::<AlignmentConstraints>(&json).unwrap(), constraints);
        assert!(serde_json::from_str::<AlignmentConstraints>("[\"must-link\"]").is_err());
        assert!(serde_json::from_str::<AlignmentConstraints>("[\"\"]").is_err());
        let many = serde_json::to_string(&vec!["must-link any any"; 101]).unwrap();
        assert!(serde_json::from_str::<AlignmentConstraints>(&many).is_err());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let check = |text: &str, expected: &str| {
            let error = AlignmentConstraints::parse("c.rules", text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}, expected {expected}");
        };
        check("", "c.rules: no constraint, expected one per line, such as 'must-not-link noun verb'");
        check("\n# x\n", "c.rules: no constraint");
        check(
            "\nlink noun verb",
            "c.rules:2: 'link' is no constraint, expected must-link, must-not-link, at-most or only-if",
        );
        check("must-link noun", "c.rules:1: must-link ends too early, expected a second kind of words");
        check("must-link", "c.rules:1: must-link ends too early, expected two kinds of words");
        check("must-link noun ->", "c.rules:1: must-link ends too early, expected the words of the target after ->");
        check("must-link nouns verb", "c.rules:1: 'nouns' is no kind of word, expected any, noun, verb, ");
        check("must-link noun|\"\" verb", "c.rules:1: '\"\"' is no kind of word");
        check("must-link noun verb equal", "c.rules:1: 'equal' is no relation of two words, expected same-form, ");
        check("at-most -1 any any", "c.rules:1: '-1' is no number of links, expected an integer such as 3");
        check("at-most", "c.rules:1: at-most ends too early, expected a number of links");
        check("only-if linked any any", "c.rules:1: 'linked' is no condition, expected heads-linked, each-head-linked");
        check(&"must-link any any\n".repeat(101), "c.rules:101: more than 100 constraints, leave some out");
        check(
            &format!("must-link any any{}", " near".repeat(500)),
            "c.rules:1: a constraint of 2517 bytes, at most 2000",
        );
    }
}
