//! Penn-style tokenisation with byte spans, for arbitrary strings.
//!
//! A form is always exactly the text at its span: quotes are not rewritten, and contractions are
//! split, not expanded, so that any statement about a token can be shown in the user's own text.
//! Spans ascend, never overlap, lie on character boundaries, and together cover every
//! non-whitespace character once.
//!
//! The scanner reads bytes from left to right. The first byte of a token decides which module reads
//! on: [`word`] for letters and digits, [`address`] for URLs and e-mail addresses, [`symbol`] for
//! the rest. Each of them either consumes what it has read or looks a bounded number of bytes
//! ahead, so the time is linear for hostile input too, and nothing is allocated.
//!
//! Choices where conventions differ:
//! - Runs such as "!!!", "?!", "..", "...", "---" and "***" are one token, as in the English Web
//!   Treebank.
//! - Han, Hiragana and Katakana give one token per character; runs of other scripts without spaces
//!   stay whole.
//! - Combining marks stay with the previous character, whatever it is; a mark after whitespace
//!   starts a token.
//! - A zero-width space is not whitespace in Unicode, so it is a token.
//! - The full stop after a single initial at the very end of a text belongs to the sentence:
//!   "vitamin C|.".

mod address;
mod class;
#[cfg(test)]
mod laws;
mod lists;
mod number;
mod source;
mod symbol;
#[cfg(test)]
mod treebank;
mod word;

use super::Span;
use source::{Cut, Source};

/// A token: its span and its form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// Position in the text.
    pub span: Span,
    form: &'a str,
}

impl<'a> Token<'a> {
    /// Returns the token's form: the text at its span.
    pub fn form(&self) -> &'a str {
        self.form
    }
}

/// The tokenisation conventions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// The Penn Treebank: "3-year-old", "and/or", "1/2", "5pm" and "-5" are one token.
    #[default]
    Penn,
    /// The English Web Treebank of Universal Dependencies: splits at hyphens and slashes (but not
    /// in "e-mail", "w/o", telephone numbers and dates), splits units off their number, and "dont"
    /// is "do|nt".
    Web,
}

/// Splits a text into tokens in Penn style. Never fails. Spans are `u32`: if a text is longer than
/// `u32::MAX` bytes, only the part below that limit is tokenised.
pub fn tokenize(text: &str) -> impl Iterator<Item = Token<'_>> {
    tokenize_as(text, Style::Penn)
}

/// Like [`tokenize`], in the given style.
pub fn tokenize_as(text: &str, style: Style) -> impl Iterator<Item = Token<'_>> {
    let mut len = text.len().min(u32::MAX as usize);
    while !text.is_char_boundary(len) {
        len -= 1;
    }
    let text = &text[..len];
    let at_sign = text.find('@').unwrap_or(len);
    Tokens { source: Source { text, web: style == Style::Web }, position: 0, forced: 0, at_sign }
}

/// The iterator behind [`tokenize`].
#[derive(Clone, Debug)]
struct Tokens<'a> {
    source: Source<'a>,
    /// Everything before this offset has been tokenised.
    position: usize,
    /// The end of the token that starts at `position` if it is already known, else 0.
    forced: usize,
    /// The first '@' at or after the last offset that was searched from, or the text's length.
    at_sign: usize,
}

impl Tokens<'_> {
    /// Moves `position` past whitespace.
    fn skip_blanks(&mut self) {
        loop {
            match self.source.bytes().get(self.position) {
                Some(b' ' | 9..=13) => self.position += 1,
                Some(0x80..) => match self.source.char(self.position) {
                    Some(character) if character.is_whitespace() => self.position += character.len_utf8(),
                    _ => return,
                },
                _ => return,
            }
        }
    }

    /// Returns where the token at `position` ends.
    fn cut(&mut self) -> Cut {
        let start = self.position;
        if self.source.word_len(start) == 0 {
            return symbol::scan(&self.source, start);
        }
        if self.at_sign < start {
            let rest = self.source.text.get(start..).unwrap_or("");
            self.at_sign = rest.find('@').map_or(self.source.text.len(), |offset| start + offset);
        }
        if let Some(end) = address::email_end(&self.source, start, self.at_sign) {
            return Cut::at(end);
        }
        let cut = word::scan(&self.source, start);
        // U+02BC is a letter by category and an apostrophe by use: if it is not inside a word, it
        // is a symbol.
        if cut.end > start { cut } else { symbol::scan(&self.source, start) }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let cut = if self.forced > self.position {
            Cut::at(self.forced)
        } else {
            self.skip_blanks();
            if self.position >= self.source.text.len() {
                return None;
            }
            self.cut()
        };
        let start = self.position;
        debug_assert!(cut.end > start, "a token of no characters at {start} of {:?}", self.source.text);
        // Every token has at least one character, whatever the scanners return: a text of n bytes
        // has at most n tokens.
        let first_len = self.source.char(start).map_or(1, char::len_utf8);
        let token_end = cut.end.max(start + first_len);
        // A scanner may leave marks behind that extend the token's last character.
        let end = token_end + self.source.marks_len(token_end);
        self.position = end;
        self.forced = cut.next_end;
        let form = self.source.text.get(start..end)?;
        Some(Token { span: Span { start: start as u32, end: end as u32 }, form })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the forms, joined by a bar.
    fn forms(text: &str, style: Style) -> String {
        tokenize_as(text, style).map(|piece| piece.form().to_owned()).collect::<Vec<_>>().join("|")
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(forms(text, Style::Penn), expected, "{text:?} as Penn");
    }

    fn check_web(text: &str, expected: &str) {
        assert_eq!(forms(text, Style::Web), expected, "{text:?} as Web");
    }

    fn check_both(text: &str, expected: &str) {
        check(text, expected);
        check_web(text, expected);
    }

    #[test]
    fn blanks() {
        check_both("", "");
        check_both(" \t\n\u{A0}\u{3000}", "");
        check_both("two  words", "two|words");
        check_both("\u{2003}wide\u{A0}blank ", "wide|blank");
    }

    #[test]
    fn contractions() {
        check_both("He said, \"I can't!\"", "He|said|,|\"|I|ca|n't|!|\"");
        check_both("don't", "do|n't");
        check_both("DON'T", "DO|N'T");
        check_both("won’t stop", "wo|n’t|stop");
        check_both("cannot", "can|not");
        check_both("Cannot you?", "Can|not|you|?");
        check_both("I'm", "I|'m");
        check_both("we'll", "we|'ll");
        check_both("they've", "they|'ve");
        check_both("he'd", "he|'d");
        check_both("it's", "it|'s");
        check_both("It’s", "It|’s");
        check_both("you're", "you|'re");
        check_both("couldn't've", "could|n't|'ve");
        check_both("n't", "n't");
        check_both("gonna", "gon|na");
        check_both("'tis late", "'t|is|late");
        check_both("she`s", "she|`s");
        check("dont", "dont");
        check_web("I dont, im not", "I|do|nt|,|i|m|not");
    }

    #[test]
    fn possessives_and_other_apostrophes() {
        check_both("John's", "John|'s");
        check_both("the dogs' bowls", "the|dogs|'|bowls");
        check_both("the dogs’ bowls", "the|dogs|’|bowls");
        check_both("the U.S.'s role", "the|U.S.|'s|role");
        check_both("O'Neill's", "O'Neill|'s");
        check_both("five o'clock", "five|o'clock");
        check_both("the '90s and '68", "the|'90s|and|'68");
        check_both("get 'em", "get|'em");
        check_both("rock 'n' roll", "rock|'n'|roll");
        check_both("the letter 's' here", "the|letter|'|s|'|here");
        check_both("5'10", "5|'|10");
        check_both("the 1980's", "the|1980|'s");
        check_both("the dogs\u{2BC} house", "the|dogs|\u{2BC}|house");
        check_both("\u{2BC}", "\u{2BC}");
        check_both("it\u{2BC}s don\u{2BC}t O\u{2BC}Neill", "it|\u{2BC}s|do|n\u{2BC}t|O\u{2BC}Neill");
    }

    #[test]
    fn money_numbers_and_dates() {
        check_both("$2.5", "$|2.5");
        check_both("US$ 2.5", "US$|2.5");
        check_both("US$2.5", "US$|2.5");
        check_both("£3 or €4,50", "£|3|or|€|4,50");
        check_both("1,000.50", "1,000.50");
        check_both("50%", "50|%");
        check_both("at 10:30.", "at|10:30|.");
        check_both("on 10/12/2003,", "on|10/12/2003|,");
        check_both("one, 2, 3", "one|,|2|,|3");
        check_both(".5 and $.75", ".5|and|$|.75");
        check_both("In 2003. Then", "In|2003|.|Then");
        check_both("the 5th, the 1990s", "the|5th|,|the|1990s");
        check_both("call +44 20", "call|+44|20");
        check_both("555-123-4567", "555-123-4567");
        check("1/2 cup", "1/2|cup");
        check_web("1/2 cup", "1|/|2|cup");
        check_both("since 9/11", "since|9/11");
        check("-5 or (-0.5)", "-5|or|(|-0.5|)");
        check_web("-5", "-|5");
        check("5pm, $2.5m", "5pm|,|$|2.5m");
        check_web("5pm, $2.5m", "5|pm|,|$|2.5|m");
        check("10-12", "10-12");
        check_web("10-12", "10|-|12");
    }

    #[test]
    fn abbreviations_and_points() {
        check_both("Mr. Smith left.", "Mr.|Smith|left|.");
        check_both("in Sept. or Dec. last", "in|Sept.|or|Dec.|last");
        check_both("e.g. this, i.e. that", "e.g.|this|,|i.e.|that");
        check_both("at 5 a.m. today", "at|5|a.m.|today");
        check_both("the U.S. army", "the|U.S.|army");
        check("in the U.S.", "in|the|U.S.");
        check_web("in the U.S.", "in|the|U.S|.");
        check("the U.S.-led force", "the|U.S.-led|force");
        check_both("J. R. Smith", "J.|R.|Smith");
        check_both("É. Dupont", "É.|Dupont");
        check_both("So do I. They", "So|do|I|.|They");
        check_both("vitamin C.", "vitamin|C|.");
        check_both("No. 5, but no. Five", "No.|5|,|but|no|.|Five");
        check_both("She sat. He stood.", "She|sat|.|He|stood|.");
        check_both("Acme Co. of Ohio", "Acme|Co.|of|Ohio");
        check_both("a Ph.D. thesis", "a|Ph.D.|thesis");
        check_both("the end.Next one", "the|end|.|Next|one");
        check_both("see notes.txt.", "see|notes.txt|.");
    }

    #[test]
    fn hyphens_dashes_and_slashes() {
        check("a 3-year-old", "a|3-year-old");
        check_web("a 3-year-old", "a|3|-|year|-|old");
        check("mountain-walled", "mountain-walled");
        check_both("an e-mail", "an|e-mail");
        check_both("yes -- no", "yes|--|no");
        check_both("yes--no", "yes|--|no");
        check_both("yes–no — maybe", "yes|–|no|—|maybe");
        check_both("this - that", "this|-|that");
        check("pre- and post-war", "pre-|and|post-war");
        check("and/or", "and/or");
        check_web("and/or", "and|/|or");
        check_both("w/o sugar", "w/o|sugar");
        check_both("a -> b ===> c", "a|->|b|===>|c");
    }

    #[test]
    fn runs_quotes_and_brackets() {
        check_both("Well... no", "Well|...|no");
        check_both("Well… no", "Well|…|no");
        check_both("What?! No!!!", "What|?!|No|!!!");
        check_both("So...?", "So|...|?");
        check_both("a; b, c: d", "a|;|b|,|c|:|d");
        check_both("“Yes,” ‘no’ «oui»", "“|Yes|,|”|‘|no|’|«|oui|»");
        check_both("``Yes''", "``|Yes|''");
        check_both("'quoted'", "'|quoted|'");
        check_both("([{x}])", "(|[|{|x|}|]|)");
        check_both("word(s)", "word|(|s|)");
        check_both("*** stars ***", "***|stars|***");
        check_both("AT&T & R&D", "AT&T|&|R&D");
        check_both("C++, C# and F", "C++|,|C#|and|F");
        check_both("snake_case _x_", "snake_case|_|x|_");
    }

    #[test]
    fn addresses_mentions_and_tags() {
        check_both("see http://example.org/a?b=c-d.", "see|http://example.org/a?b=c-d|.");
        check_both("(https://example.org/x_(y))", "(|https://example.org/x_(y)|)");
        check_both("www.example.org, too", "www.example.org|,|too");
        check_both("example.org/path.", "example.org/path|.");
        check_both("<mailto:ann@example.org>", "<|mailto:ann@example.org|>");
        check_both("ann.b-c+d@mail.example.org!", "ann.b-c+d@mail.example.org|!");
        check_both("x a@b.org y c@d.org", "x|a@b.org|y|c@d.org");
        check_both("@ann_b: hi", "@ann_b|:|hi");
        check_both("#topic1 but #1", "#topic1|but|#|1");
        check_both("5 @ 3", "5|@|3");
        check_both("http:// nothing", "http|:|/|/|nothing");
    }

    #[test]
    fn emoticons_and_emoji() {
        check_both("nice :-) really", "nice|:-)|really");
        check_both("nice :) :D ;-) <3", "nice|:)|:D|;-)|<3");
        check_both("oh:( no :)))", "oh|:(|no|:)))");
        check_both("note: (see)", "note|:|(|see|)");
        check_both("👍🏽!", "👍🏽|!");
        check_both("👩‍👩‍👧 hi", "👩‍👩‍👧|hi");
        check_both("🇫🇷🇩🇪", "🇫🇷|🇩🇪");
        check_both("a❤️b", "a|❤️|b");
        check_both("1️⃣", "1️⃣");
    }

    #[test]
    fn other_scripts_and_marks() {
        check_both("Žluťoučký kůň", "Žluťoučký|kůň");
        check_both("cafe\u{301}s", "cafe\u{301}s");
        check_both("a.\u{301} b", "a|.\u{301}|b");
        check_both("\u{301}a", "\u{301}|a");
        check_both("#cafe\u{301}s", "#cafe\u{301}s");
        check_both("Done.\u{200E} Next", "Done|.\u{200E}|Next");
        check_both("שָׁלוֹם, עולם", "שָׁלוֹם|,|עולם");
        check_both("हिन्दी।", "हिन्दी|।");
        check_both("漢字とkana。", "漢|字|と|kana|。");
        check_both("한국어 말", "한국어|말");
        check_both("か\u{3099}", "か\u{3099}");
        check_both("co\u{AD}op", "co\u{AD}op");
    }

    #[test]
    fn spans_count_bytes() {
        let spans: Vec<_> = tokenize("é don’t").map(|piece| (piece.span.start, piece.span.end)).collect();
        assert_eq!(spans, [(0, 2), (3, 5), (5, 10)]);
    }
}
