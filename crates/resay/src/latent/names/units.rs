//! What a name is compared by. One Hangul syllable or one Chinese character stands for several
//! letters, so both are split into symbols that can each align to one letter.
//!
//! A Hangul syllable becomes its letters by Unicode arithmetic. They stay conjoining letters, so a
//! leading and a trailing letter are different symbols. There is no such arithmetic for Chinese: a
//! character becomes itself and a second symbol for the rest of its sound, which is a private-use
//! character computed from it.

/// The units of a names model. Models from before units were recorded compare whole characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NameUnits {
    /// Whole characters.
    Characters,
    /// Letters of Hangul syllables, and two parts of Chinese characters.
    #[default]
    Parts,
}

impl NameUnits {
    /// All units with their codes in model files.
    pub const CODES: [(u8, Self); 2] = [(0, Self::Characters), (1, Self::Parts)];

    /// The code in model files.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The symbols of a lower-cased character: one to three.
    pub fn split(self, character: char) -> impl Iterator<Item = char> {
        let symbols = match (self, character) {
            (Self::Parts, '가'..='힣') => syllable(character),
            (Self::Parts, FIRST_HAN..=LAST_HAN) => [Some(character), second(character), None],
            _ => [Some(character), None, None],
        };
        symbols.into_iter().flatten()
    }
}

const FIRST_HAN: char = '\u{4e00}';
const LAST_HAN: char = '\u{9fff}';

/// The symbol of the second part of U+4E00; the others follow in order.
const SECOND: u32 = 0xf_0000;

/// The leading, middle and trailing letter of a Hangul syllable.
fn syllable(character: char) -> [Option<char>; 3] {
    let number = character as u32 - '가' as u32;
    let tail = number % 28;
    [
        char::from_u32(0x1100 + number / (28 * 21)),
        char::from_u32(0x1161 + number / 28 % 21),
        char::from_u32(0x11a7 + tail).filter(|_| tail > 0),
    ]
}

fn second(character: char) -> Option<char> {
    char::from_u32(SECOND + (character as u32 - FIRST_HAN as u32))
}

/// The Chinese character whose second part this symbol is, if it is one.
pub fn whole_of_second(symbol: char) -> Option<char> {
    let number = (symbol as u32).checked_sub(SECOND)?;
    char::from_u32(FIRST_HAN as u32 + number).filter(|whole| *whole <= LAST_HAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(name: &str) -> String {
        name.chars().flat_map(|character| NameUnits::Parts.split(character)).collect()
    }

    #[test]
    fn every_syllable_is_split_into_letters_that_compose_it() {
        // All syllables lie in the order of lead, vowel and tail; counting needs no arithmetic.
        let mut syllables = '가'..='힣';
        for lead in '\u{1100}'..='\u{1112}' {
            for vowel in '\u{1161}'..='\u{1175}' {
                for tail in std::iter::once(None).chain(('\u{11a8}'..='\u{11c2}').map(Some)) {
                    let expected: String = [Some(lead), Some(vowel), tail].into_iter().flatten().collect();
                    assert_eq!(split(&syllables.next().unwrap().to_string()), expected);
                }
            }
        }
        assert_eq!(syllables.next(), None);
        assert_eq!(split("한"), "\u{1112}\u{1161}\u{11ab}");
        assert_eq!(split("a가b"), "a\u{1100}\u{1161}b");
    }

    #[test]
    fn chinese_characters_have_a_second_part_that_leads_back() {
        let symbols: Vec<char> = split("a中б").chars().collect();
        assert_eq!((symbols[0], symbols[1], symbols[3], symbols.len()), ('a', '中', 'б', 4));
        for character in FIRST_HAN..=LAST_HAN {
            let parts: Vec<char> = NameUnits::Parts.split(character).collect();
            assert_eq!((parts[0], whole_of_second(parts[1]), parts.len()), (character, Some(character), 2));
        }
        assert!(['a', '中', '\u{f5200}', '\u{10ffff}'].iter().all(|other| whole_of_second(*other).is_none()));
    }

    #[test]
    fn whole_characters_remain_whole() {
        assert!("aא한中".chars().all(|character| NameUnits::Characters.split(character).eq([character])));
        assert!(NameUnits::CODES.iter().all(|(code, units)| units.code() == *code));
    }
}
