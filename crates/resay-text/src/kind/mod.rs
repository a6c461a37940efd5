//! What kind of text a text is: English, or something that a model of English cannot judge.
//!
//! The check is quick and deterministic. It counts letters of other scripts, signs of code, words
//! that the table of words knows, function words of English and of other languages, and names in
//! lists. Short and casual English must pass: a text counts as English unless several signs say
//! otherwise.
//!
//! ```
//! use resay_text::{TextKind, words::Words};
//!
//! let words = Words::default();
//! assert_eq!(TextKind::of("Полночь близится", &words), TextKind::OtherLanguage);
//! assert_eq!(TextKind::of("if (a == b) { return 0; }", &words), TextKind::Code);
//! assert_eq!(TextKind::of("Hi", &words), TextKind::English);
//! ```

mod code;
#[cfg(test)]
mod tests;

use crate::words::{GIVEN_NAME, LISTED_NAME, PERSON, Words};
use std::collections::BTreeSet;

/// What a text looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TextKind {
    /// English, or too short to say.
    #[default]
    English,
    /// Another language, or no language at all.
    OtherLanguage,
    /// Code, markup or data.
    Code,
    /// A list of names.
    Names,
    /// Mere symbols: neither letters nor digits, or hardly any.
    Symbols,
}

impl TextKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::English, Self::OtherLanguage, Self::Code, Self::Names, Self::Symbols];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::English => "english",
            Self::OtherLanguage => "other-language",
            Self::Code => "code",
            Self::Names => "names",
            Self::Symbols => "symbols",
        }
    }

    /// The kind of a text. A table without words knows only scripts, code and symbols.
    pub fn of(text: &str, words: &Words) -> Self {
        let counts = Counts::of(text);
        if counts.latin + counts.other == 0 {
            let is_mere = counts.digits == 0 && counts.marks > 0 || counts.marks > 4 + 2 * counts.digits;
            return if is_mere { Self::Symbols } else { Self::English };
        }
        if counts.other >= 2 && counts.other > counts.latin {
            return Self::OtherLanguage;
        }
        if code::is_code(text) {
            return Self::Code;
        }
        if counts.marks >= 8 && 2 * counts.marks > 3 * (counts.latin + counts.other + counts.digits) {
            return Self::Symbols;
        }
        if words.is_empty() {
            return Self::English;
        }
        match () {
            () if is_other_language(text, words) => Self::OtherLanguage,
            () if is_names(text, words) => Self::Names,
            () => Self::English,
        }
    }
}

/// How many characters there are of each kind. A run of one mark counts once.
#[derive(Default)]
struct Counts {
    latin: usize,
    other: usize,
    digits: usize,
    marks: usize,
}

impl Counts {
    fn of(text: &str) -> Self {
        let mut counts = Self::default();
        let mut last = ' ';
        for char in text.chars() {
            match char {
                _ if char.is_alphabetic() && is_latin(char) => counts.latin += 1,
                _ if char.is_alphabetic() => counts.other += 1,
                _ if char.is_numeric() => counts.digits += 1,
                _ if char.is_whitespace() || char == last || char.is_control() => {}
                _ => counts.marks += 1,
            }
            last = char;
        }
        counts
    }
}

/// Whether a letter is one of the Latin script, accents included.
fn is_latin(letter: char) -> bool {
    matches!(letter, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' | '\u{2c60}'..='\u{2c7f}' | '\u{fb00}'..='\u{fb06}')
}

/// The words of a text: runs of letters and digits, with apostrophes inside. A run with a digit in it
/// is left out.
fn words_of(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|char: char| !(char.is_alphanumeric() || matches!(char, '\'' | '’')));
    let words = words.map(|word| word.trim_matches(['\'', '’']));
    words.filter(|word| !word.is_empty() && word.chars().all(|char| !char.is_numeric()))
}

/// Frequent words of English that hardly occur in other languages.
const ENGLISH: &[&str] = &[
    "about", "after", "all", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "can't", "could",
    "did", "didn't", "do", "does", "doesn't", "don't", "every", "few", "for", "from", "get", "got", "had", "has",
    "have", "he", "her", "here", "his", "how", "i", "i'm", "if", "in", "into", "is", "isn't", "it", "it's", "its",
    "just", "like", "me", "more", "most", "must", "my", "nobody", "not", "now", "of", "off", "on", "one", "only", "or",
    "our", "out", "over", "please", "said", "she", "should", "so", "some", "than", "thanks", "that", "the", "their",
    "them", "then", "there", "they", "this", "to", "too", "up", "us", "was", "we", "were", "what", "when", "where",
    "which", "who", "why", "will", "with", "won't", "would", "yes", "you", "your",
];

/// Frequent words of other languages that are no words of English.
const FOREIGN: &[&str] = &[
    // German.
    "aber", "auch", "auf", "aus", "bei", "bin", "bist", "das", "dass", "dem", "der", "dich", "diese", "dieser", "dir",
    "doch", "durch", "ein", "eine", "einem", "einen", "einer", "eines", "es", "für", "gibt", "habe", "haben", "heute",
    "ich", "ihm", "ihr", "ihre", "immer", "ist", "jetzt", "kann", "kein", "keine", "können", "mein", "meine", "mich",
    "mir", "mit", "morgen", "muss", "nach", "nicht", "noch", "nur", "oder", "ohne", "schon", "sehr", "sein", "seine",
    "sich", "sie", "sind", "über", "und", "uns", "unter", "vom", "von", "vor", "warum", "wenn", "werden", "wie", "wir",
    "wird", "wo", "wurde", "zu", "zum", "zur", "zwei", "uhr", // French.
    "à", "au", "aux", "avec", "avez", "ce", "ces", "cette", "chez", "dans", "des", "deux", "du", "elle", "est", "et",
    "être", "il", "ils", "je", "jour", "la", "le", "les", "leur", "lui", "mais", "moi", "mon", "ne", "nos", "notre",
    "nous", "ont", "où", "oui", "par", "pas", "plus", "pour", "qu", "que", "qui", "sa", "sans", "ses", "sont", "sur",
    "tous", "tout", "très", "un", "une", "votre", "vous", // Spanish and Portuguese.
    "ahora", "al", "casa", "como", "con", "cuando", "de", "del", "desde", "dónde", "el", "ella", "ellos", "en", "eres",
    "está", "esta", "este", "estoy", "gracias", "hace", "hasta", "hay", "las", "lo", "los", "más", "mañana", "mi",
    "mucho", "muy", "nada", "nos", "para", "pero", "por", "porque", "qué", "quiero", "se", "ser", "sí", "sin", "sobre",
    "son", "su", "sus", "también", "tengo", "tiene", "todo", "todos", "tu", "una", "uno", "yo", "ao", "com", "da",
    "ela", "ele", "em", "eu", "foi", "isso", "mais", "meu", "muito", "na", "nao", "não", "nós", "obrigado", "onde",
    "os", "ou", "pela", "pelo", "quando", "quem", "são", "sem", "seu", "sua", "tem", "têm", "uma", "você",
    // Italian.
    "alla", "anche", "che", "chi", "ci", "cosa", "dei", "della", "delle", "di", "dopo", "dove", "è", "gli", "ha", "ho",
    "hanno", "mia", "molto", "nel", "nella", "non", "oggi", "ogni", "perché", "più", "prima", "quando", "quello",
    "questa", "questo", "sempre", "si", "siamo", "sono", "sta", "stato", "tutti", "tutto", "vuole",
    // Dutch.
    "aan", "als", "bent", "bij", "dat", "deze", "die", "dit", "een", "en", "geen", "goed", "haar", "had", "heb",
    "hebben", "heeft", "het", "hij", "hoe", "hun", "ik", "je", "jij", "kan", "kunnen", "maar", "meer", "met", "mijn",
    "moet", "naar", "niet", "nog", "nu", "om", "onze", "ook", "op", "over", "te", "uit", "van", "veel", "voor", "waar",
    "wat", "werd", "weer", "wil", "zal", "ze", "zich", "zij", "zijn", "zo", // Polish and Czech.
    "ale", "bardzo", "być", "był", "była", "co", "czy", "dla", "do", "dzisiaj", "go", "i", "ich", "jak", "jest",
    "jestem", "już", "kiedy", "która", "który", "ma", "mam", "mnie", "może", "na", "nie", "od", "po", "pod", "przez",
    "są", "się", "tak", "tego", "też", "to", "tylko", "ty", "w", "we", "wszystko", "z", "za", "że", "jsem", "je",
    "není", "jako", "který", "nebo", "jsou", "aby", "tato", "tento", "byl", "byla", "při", "když",
    // Swedish, Danish and Norwegian.
    "att", "av", "det", "den", "en", "ett", "från", "för", "han", "har", "hon", "inte", "jag", "kommer", "med", "men",
    "mig", "mycket", "och", "også", "ikke", "og", "på", "som", "till", "til", "vad", "var", "vi", "är", "jeg", "hvad",
    // Turkish, Finnish, Hungarian, Romanian, Indonesian.
    "bir", "bu", "çok", "değil", "için", "ile", "ne", "ve", "ja", "ei", "minä", "olen", "että", "mutta", "az", "egy",
    "és", "hogy", "nem", "van", "și", "este", "pentru", "sunt", "cu", "din", "yang", "dan", "saya", "tidak", "untuk",
    "dengan", "ini", "itu", "adalah",
];

/// A word that WordNet does not have counts as known from this frequency class on. Rarer ones are
/// often names and words of other languages.
const KNOWN: u8 = 4;

/// Whether nobody would call the lower-case word English.
fn is_unknown(lower: &str, words: &Words) -> bool {
    words.get(Words::key(lower)).is_none_or(|info| info.pos == 0 && info.frequency < KNOWN)
}

/// Whether the words are not those of English. Function words count once each.
fn is_other_language(text: &str, words: &Words) -> bool {
    let (mut n, mut n_lower, mut n_unknown) = (0, 0, 0);
    let (mut english, mut foreign): (BTreeSet<String>, BTreeSet<String>) = Default::default();
    for word in words_of(text) {
        let lower = word.to_lowercase().replace('’', "'");
        n += 1;
        let is_capitalised = n > 1 && word.chars().next().is_some_and(char::is_uppercase);
        let is_name = is_capitalised && word.chars().any(char::is_lowercase);
        n_lower += usize::from(!is_name);
        // "to", "do" and "i" are Polish, too, "had" is Dutch: not against English.
        if ENGLISH.contains(&lower.as_str()) {
            english.insert(lower);
        } else if FOREIGN.contains(&lower.as_str()) {
            foreign.insert(lower);
        } else if !is_name && !lower.contains('\'') && lower.chars().count() > 2 {
            n_unknown += usize::from(is_unknown(&lower, words));
        }
    }
    let (n_english, n_foreign) = (english.len(), foreign.len());
    let n_against = n_foreign + n_unknown;
    if n < 3 || n_against < 2 {
        return false;
    }
    let is_foreign = n_foreign >= 2 && n_foreign > 2 * n_english && 5 * n_against >= 2 * n;
    let is_mixed = n_foreign >= 1 && n_against >= 3 && n_against > 2 * n_english && 2 * n_against >= n_lower;
    let is_unknown = n_lower >= 4 && 10 * n_unknown >= 7 * n_lower && 8 * n_english <= n;
    is_foreign || is_mixed || is_unknown
}

/// What may stand in a name without a capital.
const PARTICLES: &[&str] =
    &["al", "bin", "da", "de", "del", "den", "der", "di", "dos", "du", "el", "la", "le", "van", "von"];

/// Names of days and months: lists of them are about something.
const CALENDAR: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// How often a word is capitalised that hardly occurs otherwise ([`capital`](crate::words::WordInfo::capital)).
const USUALLY: u8 = 3;

/// Whether the text is a list of names, and says nothing about them.
fn is_names(text: &str, words: &Words) -> bool {
    if text.chars().any(char::is_numeric) || text.contains(['?', '!', ':', '%']) {
        return false;
    }
    let is_between = |char: char| matches!(char, ',' | ';' | '\n' | '|' | '/' | '&' | '•');
    let joined = text.trim().trim_end_matches('.').replace(" and ", ",");
    let items: Vec<Vec<&str>> = joined
        .split(is_between)
        .map(|item| words_of(item).collect())
        .filter(|item: &Vec<&str>| !item.is_empty())
        .collect();
    let n_words: usize = items.iter().map(Vec::len).sum();
    if items.iter().any(|item| item.len() > 4) && items.len() > 1 {
        return false;
    }
    let (mut n_names, mut n_people) = (0, 0);
    for (at, word) in items.iter().flat_map(|item| item.iter().enumerate()) {
        let is_capitalised = word.chars().next().is_some_and(char::is_uppercase);
        let lower = word.to_lowercase();
        if !is_capitalised {
            if PARTICLES.contains(&lower.as_str()) {
                n_names += 1;
                n_people += 1;
                continue;
            }
            return false;
        }
        if ENGLISH.contains(&lower.as_str()) {
            return false;
        }
        let info = words.get(Words::key(&lower)).unwrap_or_default();
        let is_initial = word.chars().count() == 1;
        let is_usual = info.capital >= USUALLY && info.names != 0 || is_initial || is_unknown(&lower, words);
        let is_surname = at > 0 && info.names & (PERSON | LISTED_NAME) != 0;
        n_names += usize::from((is_usual || is_surname) && !CALENDAR.contains(&lower.as_str()));
        n_people += usize::from(is_usual && (info.names & (GIVEN_NAME | PERSON) != 0 || is_initial));
    }
    match items.len() {
        0 => false,
        // Without commas: names of people, and of more than one.
        1 | 2 => n_words >= 5 && n_people == n_words,
        _ => 5 * n_names >= 4 * n_words,
    }
}
