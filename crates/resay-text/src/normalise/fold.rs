//! Folds characters: what a character is to the scanner, whatever form the user typed it in.

/// What a character is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Folded {
    /// White space or a control character.
    Space,
    /// Invisible, and to be passed over even within a word.
    Nothing,
    /// A letter, not yet in lower case.
    Letter(char),
    /// Several letters in one sign, in lower case.
    Letters(&'static str),
    /// A mark that joins the letter before it.
    Mark(char),
    /// A decimal digit.
    Digit(char),
    /// A fraction in one sign.
    Fraction(&'static str),
    /// An apostrophe or single quote.
    Apostrophe,
    /// A hyphen or minus.
    Hyphen,
    /// A dash: shorter ones join ranges, longer ones part clauses.
    Dash(char),
    /// Punctuation.
    Stop(char),
    /// A sign with a meaning.
    Sign(char),
}

use Folded::{Apostrophe, Dash, Digit, Fraction, Hyphen, Letter, Letters, Mark, Nothing, Sign, Space, Stop};

/// Returns what `character` is.
#[inline]
pub(super) fn fold(character: char) -> Folded {
    match character {
        'a'..='z' | 'A'..='Z' | '_' => Letter(character),
        '0'..='9' => Digit(character),
        '\0'..=' ' | '\u{7f}' => Space,
        '\'' | '`' => Apostrophe,
        '-' => Hyphen,
        '"' | ',' | ';' | ':' | '.' | '!' | '?' | '(' | ')' | '[' | ']' | '{' | '}' => Stop(character),
        '\u{21}'..='\u{7e}' => Sign(character),
        _ => fold_wide(character),
    }
}

/// Returns what a character beyond ASCII is.
fn fold_wide(character: char) -> Folded {
    match character {
        '\u{ad}' | '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' => Nothing,
        '\u{fe00}'..='\u{fe0f}' | '\u{feff}' => Nothing,
        '\u{80}'..='\u{9f}' | '\u{200b}' => Space,
        '‘' | '’' | '‛' | '′' | '\u{2bc}' | '´' => Apostrophe,
        '“' | '”' | '„' | '‟' | '‚' | '«' | '»' | '‹' | '›' | '″' => Stop('"'),
        '\u{2010}' | '\u{2011}' | '\u{2212}' | '\u{fe63}' => Hyphen,
        '\u{2012}' | '\u{2013}' => Dash('\u{2013}'),
        '\u{2014}' | '\u{2015}' => Dash('\u{2014}'),
        '…' => Stop('.'),
        '¿' | '¡' | '·' | '•' | '、' | '。' | '‧' => Stop(';'),
        '⁄' | '∕' => Sign('/'),
        'ﬀ' => Letters("ff"),
        'ﬁ' => Letters("fi"),
        'ﬂ' => Letters("fl"),
        'ﬃ' => Letters("ffi"),
        'ﬄ' => Letters("ffl"),
        'ﬅ' | 'ﬆ' => Letters("st"),
        'ĳ' | 'Ĳ' => Letters("ij"),
        '½' => Fraction("1/2"),
        '⅓' => Fraction("1/3"),
        '⅔' => Fraction("2/3"),
        '¼' => Fraction("1/4"),
        '¾' => Fraction("3/4"),
        '⅕' => Fraction("1/5"),
        '⅖' => Fraction("2/5"),
        '⅗' => Fraction("3/5"),
        '⅘' => Fraction("4/5"),
        '⅙' => Fraction("1/6"),
        '⅚' => Fraction("5/6"),
        '⅛' => Fraction("1/8"),
        '⅜' => Fraction("3/8"),
        '⅝' => Fraction("5/8"),
        '⅞' => Fraction("7/8"),
        'µ' => Letter('μ'),
        'ς' => Letter('σ'),
        '\u{ff01}'..='\u{ff5e}' => match char::from_u32(u32::from(character) - 0xfee0) {
            Some(narrow) => fold(narrow),
            None => Sign(character),
        },
        '\u{300}'..='\u{36f}' => Mark(character),
        _ if character.is_whitespace() => Space,
        _ if character.is_alphanumeric() || character == '℃' || character == '℉' => Letter(character),
        '\u{2000}'..='\u{206f}' if character != '‰' => Stop(';'),
        _ => Sign(character),
    }
}

/// Letters with each mark: the bare letters, the mark, the same letters with it.
const MARKED: &[(&str, char, &str)] = &[
    ("aeinou", '\u{300}', "àèìǹòù"),
    ("aceilnorsuyz", '\u{301}', "áćéíĺńóŕśúýź"),
    ("aceghijosuwy", '\u{302}', "âĉêĝĥîĵôŝûŵŷ"),
    ("anoiu", '\u{303}', "ãñõĩũ"),
    ("aeiouy", '\u{304}', "āēīōūȳ"),
    ("agu", '\u{306}', "ăğŭ"),
    ("cegz", '\u{307}', "ċėġż"),
    ("aeiouy", '\u{308}', "äëïöüÿ"),
    ("au", '\u{30a}', "åů"),
    ("ou", '\u{30b}', "őű"),
    ("cdenrstz", '\u{30c}', "čďěňřšťž"),
    ("cst", '\u{327}', "çşţ"),
    ("aeiu", '\u{328}', "ąęįų"),
];

/// Returns a lower-case letter and a mark as one letter, if it is common in names.
pub(super) fn compose(letter: char, mark: char) -> Option<char> {
    let (bare, _, marked) = MARKED.iter().find(|(_, known, _)| *known == mark)?;
    let place = bare.chars().position(|known| known == letter)?;
    marked.chars().nth(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_and_what_they_are() {
        for (character, expected) in [
            ('x', Letter('x')),
            ('É', Letter('É')),
            ('\u{a0}', Space),
            ('\u{3000}', Space),
            ('７', Digit('7')),
            ('Ａ', Letter('A')),
            ('％', Sign('%')),
            ('？', Stop('?')),
            ('\u{ad}', Nothing),
            ('’', Apostrophe),
            ('\u{2011}', Hyphen),
            ('€', Sign('€')),
            ('😀', Sign('😀')),
            ('漢', Letter('漢')),
        ] {
            assert_eq!(fold(character), expected, "{character:?}");
        }
    }

    #[test]
    fn marks_join_letters() {
        assert_eq!(compose('e', '\u{301}'), Some('é'));
        assert_eq!(compose('c', '\u{327}'), Some('ç'));
        assert_eq!(compose('q', '\u{301}'), None);
        for (bare, mark, marked) in MARKED {
            assert_eq!(bare.chars().count(), marked.chars().count(), "{mark:?}");
        }
    }
}
