//! The wording of a text without what never changes its meaning: case, punctuation, contractions.

/// What follows an apostrophe, and the word that it stands for.
const ENDINGS: [(&str, &str); 4] = [("m", "am"), ("re", "are"), ("ve", "have"), ("ll", "will")];

/// Words after which `'s` is read as `is`. After others it may be a genitive.
const BEFORE_IS: [&str; 15] = [
    "he",
    "she",
    "it",
    "that",
    "there",
    "here",
    "this",
    "what",
    "who",
    "where",
    "when",
    "how",
    "why",
    "everything",
    "something",
];

/// Lower-case words without punctuation, contractions expanded.
pub(super) fn words(text: &str) -> Vec<String> {
    let plain = text.to_lowercase().replace(['\u{2019}', '\u{2018}'], "'");
    let mut words = Vec::new();
    for token in plain.split(|letter: char| !letter.is_alphanumeric() && letter != '\'') {
        let token = token.trim_matches('\'');
        if !token.is_empty() {
            push(token, &mut words);
        }
    }
    words
}

/// The words of a text in one string: equal for texts that differ in nothing else.
pub(super) fn normal(text: &str) -> String {
    words(text).join(" ")
}

fn push(token: &str, words: &mut Vec<String>) {
    let mut push = |parts: [&str; 2]| words.extend(parts.map(str::to_owned));
    match token {
        "can't" | "cannot" => return push(["can", "not"]),
        "won't" => return push(["will", "not"]),
        "shan't" => return push(["shall", "not"]),
        "let's" => return push(["let", "us"]),
        _ => (),
    }
    if let Some(stem) = token.strip_suffix("n't") {
        return push([stem, "not"]);
    }
    if let Some((stem, ending)) = token.rsplit_once('\'') {
        if let Some((_, whole)) = ENDINGS.iter().find(|(short, _)| *short == ending) {
            return push([stem, whole]);
        }
        if ending == "s" && BEFORE_IS.contains(&stem) {
            return push([stem, "is"]);
        }
    }
    words.push(token.to_owned());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contractions_and_punctuation_do_not_count() {
        let check = |text: &str, expected: &str| assert_eq!(normal(text), expected, "{text}");
        check("\u{201c}I\u{2019}m late!\u{201d}", "i am late");
        check("He can't swim, can he?", "he can not swim can he");
        check("They won't, and we cannot.", "they will not and we can not");
        check("It's Ann's coat; let's go.", "it is ann's coat let us go");
        check("'Yes'", "yes");
        check("...", "");
    }
}
