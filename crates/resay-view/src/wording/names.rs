//! Features of the names model, for display.

use resay::id::{NameFeature, NameView};
use resay::latent::names::whole_of_second;

/// `s : ש`, `e :` (deleted from the source), `: י`; `^` and `$` are the ends of a name. The
/// character that is mapped or deleted is in brackets if it has a neighbour. `字₂` is the second
/// part of a Chinese character, `ㄴ₃` a letter at the end of a Hangul syllable.
pub fn name_feature(feature: NameFeature) -> String {
    match feature {
        NameFeature::Constant => "constant".to_owned(),
        NameFeature::Map { source, target } => format!("{} : {}", view(source), view(target)).trim().to_owned(),
        NameFeature::DeleteSource(source) => format!("{} :", view(source)).trim().to_owned(),
        NameFeature::DeleteTarget(target) => format!(": {}", view(target)).trim().to_owned(),
    }
}

fn view(view: NameView) -> String {
    let itself = |character: Option<char>| symbol(character, "?");
    match view {
        NameView::Alone(character) => itself(character),
        NameView::After { before, character } => format!("{}[{}]", symbol(before, "^"), itself(character)),
        NameView::Before { character, behind } => format!("[{}]{}", itself(character), symbol(behind, "$")),
    }
}

/// The letters at the beginning of Hangul syllables, from U+1100, and at their end, from U+11A8, as
/// letters that stand alone. Those in between are in the same order in both forms.
const LEADS: &str = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";
const TAILS: &str = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ";

/// A symbol as people write it, or what stands for a missing one.
fn symbol(symbol: Option<char>, missing: &str) -> String {
    let Some(symbol) = symbol else { return missing.to_owned() };
    let from = |first: char| symbol as usize - first as usize;
    let (shown, part) = match symbol {
        '\u{1100}'..='\u{1112}' => (LEADS.chars().nth(from('\u{1100}')), ""),
        '\u{1161}'..='\u{1175}' => (('ㅏ'..='ㅣ').nth(from('\u{1161}')), ""),
        '\u{11a8}'..='\u{11c2}' => (TAILS.chars().nth(from('\u{11a8}')), "₃"),
        _ => match whole_of_second(symbol) {
            Some(whole) => (Some(whole), "₂"),
            None => (Some(symbol), ""),
        },
    };
    format!("{}{part}", shown.unwrap_or(symbol))
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay::latent::names::NameUnits;

    /// The symbols of a name, as shown.
    fn shown(name: &str) -> String {
        let symbols = name.chars().flat_map(|character| NameUnits::Parts.split(character));
        symbols.map(|character| symbol(Some(character), "?")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn parts_of_characters_can_be_read() {
        for (name, expected) in [
            ("가", "ㄱ ㅏ"),
            ("힣", "ㅎ ㅣ ㅎ₃"),
            ("한글", "ㅎ ㅏ ㄴ₃ ㄱ ㅡ ㄹ₃"),
            ("쌍값", "ㅆ ㅏ ㅇ₃ ㄱ ㅏ ㅄ₃"),
            ("왜", "ㅇ ㅙ"),
            ("一鿿", "一 一₂ 鿿 鿿₂"),
            ("aя", "a я"),
        ] {
            assert_eq!(shown(name), expected, "{name}");
        }
    }

    #[test]
    fn all_symbols_of_syllables_are_shown_apart() {
        let texts = |symbols: std::ops::RangeInclusive<char>| symbols.map(|one| symbol(Some(one), "?"));
        let letters = texts('\u{1100}'..='\u{1112}').chain(texts('\u{1161}'..='\u{1175}'));
        let all: Vec<String> = letters.chain(texts('\u{11a8}'..='\u{11c2}')).collect();
        let distinct: std::collections::BTreeSet<&String> = all.iter().collect();
        assert_eq!((all.len(), distinct.len()), (19 + 21 + 27, 19 + 21 + 27));
        assert!(all.iter().all(|text| text.starts_with(|first| ('ㄱ'..='ㅣ').contains(&first))), "{all:?}");
    }

    #[test]
    fn features_with_parts_can_be_read() {
        let second = NameUnits::Parts.split('字').nth(1);
        let source = NameView::Before { character: Some('z'), behind: None };
        let target = NameView::After { before: Some('字'), character: second };
        assert_eq!(name_feature(NameFeature::Map { source, target }), "[z]$ : 字[字₂]");
        assert_eq!(name_feature(NameFeature::DeleteTarget(NameView::Alone(second))), ": 字₂");
        let start = NameView::After { before: None, character: None };
        assert_eq!(name_feature(NameFeature::DeleteSource(start)), "^[?] :");
    }
}
