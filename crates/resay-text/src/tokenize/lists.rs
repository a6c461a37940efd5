//! Word lists that the rules need: abbreviations, contractions without an apostrophe, prefixes that
//! keep their hyphen. All lists are lower-case and sorted (checked by a test), so that a lookup is
//! a binary search without allocation.

/// When an abbreviation keeps its full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// Everywhere.
    Always,
    /// If it is capitalised: "Co." is a company, "co." may be anything.
    Capital,
    /// If it is capitalised and more text follows: "Sat. 5 May", but "There he Sat."
    Inside,
    /// If a number follows: "No. 5", "p. 12".
    Number,
}

use Keep::{Always, Capital, Inside, Number};

/// Abbreviations without their full stop.
#[rustfmt::skip]
const ABBREVIATIONS: &[(&str, Keep)] = &[
    ("adj", Always), ("adm", Capital), ("al", Inside), ("approx", Always), ("apr", Capital), ("apt", Number),
    ("assn", Always), ("asst", Always), ("attn", Always), ("aug", Capital), ("ave", Capital), ("bldg", Always),
    ("blvd", Always), ("brig", Capital), ("bros", Capital), ("ca", Number), ("capt", Always), ("cf", Always),
    ("ch", Number), ("cmdr", Always), ("co", Capital), ("col", Capital), ("comdr", Always), ("conn", Capital),
    ("corp", Always), ("cpl", Always), ("dec", Capital), ("dept", Always), ("dist", Always), ("dr", Always),
    ("ed", Number), ("eds", Always), ("eg", Always), ("esp", Always), ("esq", Always), ("est", Number),
    ("etc", Always), ("ext", Number), ("feb", Always), ("fig", Number), ("figs", Number), ("fla", Capital),
    ("fri", Inside), ("ft", Always), ("gen", Capital), ("gov", Capital), ("govt", Always), ("hon", Capital),
    ("hwy", Always), ("ie", Always), ("inc", Always), ("intl", Always), ("jan", Inside), ("jr", Always),
    ("jul", Capital), ("jun", Capital), ("lieut", Always), ("lt", Always), ("ltd", Always), ("ma", Inside),
    ("maj", Capital), ("mar", Inside), ("messrs", Always), ("mfg", Always), ("mgr", Always), ("mlle", Always),
    ("mme", Always), ("mon", Inside), ("mr", Always), ("mrs", Always), ("ms", Always), ("msgr", Always),
    ("mt", Capital), ("no", Number), ("nos", Number), ("nov", Always), ("oct", Always), ("op", Number),
    ("oz", Always), ("p", Number), ("para", Number), ("ph", Capital), ("pp", Number), ("pres", Capital),
    ("prof", Always), ("pvt", Always), ("reg", Number), ("rep", Capital), ("reps", Capital), ("rev", Capital),
    ("sat", Inside), ("sec", Number), ("sen", Capital), ("sens", Capital), ("sept", Always), ("sgt", Always),
    ("sq", Always), ("sr", Always), ("st", Capital), ("ste", Number), ("sun", Inside), ("supt", Always),
    ("tel", Number), ("thu", Inside), ("thur", Capital), ("thurs", Capital), ("treas", Capital), ("tue", Inside),
    ("tues", Capital), ("univ", Always), ("viz", Always), ("vol", Number), ("vols", Number), ("vs", Always),
    ("wed", Inside),
];

/// Two words written as one, with the length of the first, in every style.
const JOINED: &[(&str, usize)] = &[("cannot", 3), ("gimme", 3), ("gonna", 3), ("gotta", 3), ("lemme", 3), ("wanna", 3)];

/// Likewise, contractions without their apostrophe in web text.
#[rustfmt::skip]
const JOINED_WEB: &[(&str, usize)] = &[
    ("aint", 2), ("arent", 3), ("cant", 2), ("couldnt", 5), ("didnt", 3), ("doesnt", 4), ("dont", 2), ("hadnt", 3),
    ("hasnt", 3), ("havent", 4), ("hes", 2), ("im", 1), ("isnt", 2), ("ive", 1), ("lets", 3), ("outta", 3),
    ("shouldnt", 6), ("thats", 4), ("theres", 5), ("theyre", 4), ("wasnt", 3), ("whats", 4), ("wont", 2),
    ("wouldnt", 5), ("youre", 3),
];

/// Prefixes that web text does not split at their hyphen.
#[rustfmt::skip]
const PREFIXES: &[&str] = &[
    "anti", "co", "counter", "cross", "e", "ex", "inter", "intra", "mid", "mis", "multi", "neo", "non", "over",
    "post", "pre", "pro", "pseudo", "psycho", "re", "semi", "socio", "sub", "ultra", "un",
];

/// Units that web text splits off their number ("5pm" is "5 pm"); ordinals and decades ("5th",
/// "1990s") stay whole.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "am", "b", "bn", "c", "cm", "days", "f", "ft", "hh", "hr", "hrs", "hz", "in", "k", "kb", "kg", "km", "lb",
    "lbs", "m", "mb", "mg", "min", "mins", "minutes", "ml", "mm", "mph", "p", "percent", "pm", "sqft", "t", "watt",
    "x", "yr", "yrs",
];

/// Words that start with an apostrophe.
const ELIDED: &[&str] = &["bout", "cause", "em", "n", "nuff", "round", "til", "till"];

/// No listed word is longer.
const LONGEST: usize = 8;

/// Calls `find` with `word` in lower case, if it is short and ASCII.
fn lower<T>(word: &[u8], find: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
    let mut buffer = [0u8; LONGEST];
    let buffer = buffer.get_mut(..word.len())?;
    buffer.copy_from_slice(word);
    buffer.make_ascii_lowercase();
    find(buffer)
}

fn among(list: &[&str], word: &[u8]) -> bool {
    lower(word, |word| list.binary_search_by(|known| known.as_bytes().cmp(word)).ok()).is_some()
}

fn value<T: Copy>(list: &[(&str, T)], word: &[u8]) -> Option<T> {
    lower(word, |word| list.binary_search_by(|(known, _)| known.as_bytes().cmp(word)).ok())
        .and_then(|idx| list.get(idx))
        .map(|entry| entry.1)
}

/// Returns when `word` keeps the full stop that follows it; `None` if it is not an abbreviation.
pub(super) fn abbreviation(word: &[u8]) -> Option<Keep> {
    value(ABBREVIATIONS, word)
}

/// Returns where to split a word that is two. `web` also splits contractions without their
/// apostrophe.
#[inline]
pub(super) fn joined(word: &[u8], web: bool) -> Option<usize> {
    // Nearly every word gets here, so length and last letter are checked first.
    let last = word.last()? | 0x20;
    match (word.len(), last) {
        (5 | 6, b'a' | b'e' | b't') => value(JOINED, word).or_else(|| if web { value(JOINED_WEB, word) } else { None }),
        (2..=LONGEST, b'a' | b'm' | b'e' | b's' | b't') if web => value(JOINED_WEB, word),
        _ => None,
    }
}

/// Whether `word` is a prefix that keeps its hyphen in web text.
pub(super) fn prefix(word: &[u8]) -> bool {
    among(PREFIXES, word)
}

/// Whether `word` is a unit that web text splits off its number.
pub(super) fn unit(word: &[u8]) -> bool {
    among(UNITS, word)
}

/// Whether `word` is one that starts with an apostrophe.
pub(super) fn elided(word: &[u8]) -> bool {
    among(ELIDED, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_lower_case_and_short() {
        let check = |words: Vec<&str>| {
            assert!(words.windows(2).all(|pair| pair[0] < pair[1]), "{words:?}");
            assert!(words.iter().all(|word| word.len() <= LONGEST && word.bytes().all(|b| b.is_ascii_lowercase())));
        };
        check(ABBREVIATIONS.iter().map(|entry| entry.0).collect());
        check(JOINED.iter().map(|entry| entry.0).collect());
        check(JOINED_WEB.iter().map(|entry| entry.0).collect());
        check(PREFIXES.to_vec());
        check(UNITS.to_vec());
        check(ELIDED.to_vec());
    }

    #[test]
    fn the_shape_test_lets_every_joined_word_through() {
        for (word, cut) in JOINED {
            assert_eq!(joined(word.as_bytes(), false), Some(*cut), "{word}");
        }
        for (word, cut) in JOINED_WEB {
            assert_eq!(joined(word.to_uppercase().as_bytes(), true), Some(*cut), "{word}");
            assert_eq!(joined(word.as_bytes(), false), None, "{word}");
        }
    }

    #[test]
    fn lookups_by_example() {
        assert_eq!(abbreviation(b"Mr"), Some(Always));
        assert_eq!(abbreviation(b"No"), Some(Number));
        assert_eq!(abbreviation(b"Mister"), None);
        assert_eq!(abbreviation(b"verylongword"), None);
        assert_eq!((prefix(b"Non"), prefix(b"year")), (true, false));
        assert_eq!((unit(b"PM"), unit(b"th")), (true, false));
        assert_eq!((elided(b"em"), elided(b"me")), (true, false));
    }
}
