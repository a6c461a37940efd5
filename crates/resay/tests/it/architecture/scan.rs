//! Finds the paths that a Rust file uses from its plain text: no parser is among the dependencies,
//! and the grammar of paths is small enough. It first blanks comments and strings, then every item
//! after `#[cfg(test)]`. The rest is split into words, and every path that begins with `crate`,
//! `self`, `super` or `std` is followed to all its ends.

/// A use of a path: its line, and the path from the crate root or from `std`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    /// 1-based line number.
    pub(crate) line: usize,
    /// One name per segment; `*` for a glob, empty for the crate root itself.
    pub(crate) path: Vec<String>,
}

/// Blanks comments, strings and tests. Line numbers do not change.
pub(crate) fn code_only(source: &str) -> String {
    without_tests(&without_text(source))
}

/// Returns the names of modules in separate files that are compiled for tests only.
pub(crate) fn test_files(source: &str) -> Vec<String> {
    let code = without_text(source);
    let words = words(&code);
    let declarations = words.windows(10).filter(|window| {
        let texts: Vec<&str> = window.iter().map(|word| word.text).collect();
        texts[..8] == ["#", "[", "cfg", "(", "test", ")", "]", "mod"] && texts[9] == ";"
    });
    declarations.map(|window| window[8].text.to_owned()).collect()
}

/// Returns every path in `code` (the result of [`code_only`]) of the module `module`, followed to
/// all its ends.
pub(crate) fn uses(module: &[&str], code: &str) -> Vec<Use> {
    let words = words(code);
    let mut found = Vec::new();
    // Inline modules: the brace depth outside them, and their name.
    let (mut inside, mut depth): (Vec<(usize, &str)>, usize) = (Vec::new(), 0);
    let mut at = 0;
    while at < words.len() {
        match words[at].text {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                inside.pop_if(|(outside, _)| *outside == depth);
            }
            "mod" if words.get(at + 2).is_some_and(|word| word.text == "{") => inside.push((depth, words[at + 1].text)),
            "crate" | "self" | "super" | "std" if leads_on(&words, at) => {
                let own = module.iter().copied().chain(inside.iter().map(|(_, name)| *name));
                let mut path = match words[at].text {
                    "crate" => Vec::new(),
                    "self" => own.collect(),
                    "super" => without_last(own.collect()),
                    _ => vec!["std"],
                };
                at = follow(&words, at + 1, &mut path, &mut found);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Returns the lines on which a macro of these names is called.
pub(crate) fn macros<'a>(names: &[&'a str], code: &str) -> Vec<(usize, &'a str)> {
    let words = words(code);
    let calls = words.windows(2).filter(|window| window[1].text == "!");
    calls
        .filter_map(|call| names.iter().find(|name| **name == call[0].text).map(|name| (call[0].line, *name)))
        .collect()
}

/// Returns the lines that contain a keyword.
pub(crate) fn keyword_lines(keyword: &str, code: &str) -> Vec<usize> {
    words(code).iter().filter(|word| word.text == keyword).map(|word| word.line).collect()
}

/// A name, `::`, or any other single character.
#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    text: &'a str,
    line: usize,
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first == '_' || first.is_alphanumeric())
}

fn words(code: &str) -> Vec<Word<'_>> {
    let (mut words, mut line, mut rest) = (Vec::new(), 1, code);
    while let Some(first) = rest.chars().next() {
        let name_len = |text: &str| text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(text.len());
        let len = match first {
            _ if is_name(rest) => name_len(rest),
            // A lifetime is not a name: 'static is not the keyword.
            '\'' => 1 + name_len(&rest[1..]),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        if !first.is_whitespace() {
            words.push(Word { text: &rest[..len], line });
        }
        line += usize::from(first == '\n');
        rest = &rest[len..];
    }
    words
}

/// Returns whether `words[at]` is the first segment of a path, or all of one in a `use`
/// (`use crate as x`, which hides the rest).
fn leads_on(words: &[Word<'_>], at: usize) -> bool {
    let next = words.get(at + 1).map_or("", |word| word.text);
    next == "::" || (next == "as" && words[at].text != "self")
}

fn without_last(mut path: Vec<&str>) -> Vec<&str> {
    path.pop();
    path
}

/// Follows a path from after a segment. Adds its ends to `found` and returns the position after it.
fn follow<'a>(words: &[Word<'a>], mut at: usize, path: &mut Vec<&'a str>, found: &mut Vec<Use>) -> usize {
    let line = words[at - 1].line;
    let end = |line, path: &[&str]| Use { line, path: path.iter().map(|&step| step.to_owned()).collect() };
    while words.get(at).is_some_and(|word| word.text == "::") {
        let Some(step) = words.get(at + 1) else { break };
        match step.text {
            "{" => return follow_group(words, at + 2, path, found),
            "*" => {
                path.push("*");
                at += 2;
                break;
            }
            "super" => drop(path.pop()),
            "self" => {}
            name if is_name(name) => path.push(name),
            // Generic arguments: the path ends here, and they are scanned separately.
            _ => break,
        }
        at += 2;
    }
    found.push(end(line, path));
    at
}

/// Follows the branches of `{a::b, c, self}`, each from `path`.
fn follow_group<'a>(words: &[Word<'a>], mut at: usize, path: &[&'a str], found: &mut Vec<Use>) -> usize {
    while let Some(word) = words.get(at) {
        let mut branch = path.to_vec();
        match word.text {
            "}" => return at + 1,
            "*" => {
                branch.push("*");
                at = follow(words, at + 1, &mut branch, found);
            }
            "as" => at += 2,
            "self" => at = follow(words, at + 1, &mut branch, found),
            "super" => at = follow(words, at + 1, &mut without_last(branch), found),
            name if is_name(name) => {
                branch.push(name);
                at = follow(words, at + 1, &mut branch, found);
            }
            _ => at += 1,
        }
    }
    at
}

/// Blanks comments and the contents of string and character literals.
fn without_text(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let at = |place: usize| chars.get(place).copied().unwrap_or('\0');
    let mut out = String::with_capacity(source.len());
    let mut place = 0;
    while place < chars.len() {
        let begins_word = place == 0 || !(at(place - 1) == '_' || at(place - 1).is_alphanumeric());
        let after_r = if at(place) == 'r' { place + 1 } else { place + 2 };
        let n_hashes = (after_r..).take_while(|&i| at(i) == '#').count();
        let is_raw = begins_word
            && (at(place) == 'r' || ((at(place) == 'b' || at(place) == 'c') && at(place + 1) == 'r'))
            && at(after_r + n_hashes) == '"';
        let end = match (at(place), at(place + 1)) {
            ('/', '/') => (place..chars.len()).find(|&i| at(i) == '\n').unwrap_or(chars.len()),
            ('/', '*') => block_comment_end(&chars, place),
            _ if is_raw => {
                let closes = |&i: &usize| at(i) == '"' && (1..=n_hashes).all(|hash| at(i + hash) == '#');
                (after_r + n_hashes + 1..chars.len()).find(closes).map_or(chars.len(), |i| i + 1 + n_hashes)
            }
            ('"', _) => quoted_end(&chars, place, '"'),
            // A character literal, not a lifetime: one character, or a backslash, before the
            // closing quote.
            ('\'', '\\') => quoted_end(&chars, place, '\''),
            ('\'', _) if at(place + 2) == '\'' => place + 3,
            _ => place,
        };
        if end == place {
            out.push(at(place));
            place += 1;
        } else {
            out.extend(chars[place..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            place = end;
        }
    }
    out
}

fn block_comment_end(chars: &[char], start: usize) -> usize {
    let (mut depth, mut place) = (0_usize, start);
    while place < chars.len() {
        match (chars[place], chars.get(place + 1)) {
            ('/', Some('*')) => (depth, place) = (depth + 1, place + 2),
            ('*', Some('/')) if depth == 1 => return place + 2,
            ('*', Some('/')) => (depth, place) = (depth - 1, place + 2),
            _ => place += 1,
        }
    }
    chars.len()
}

fn quoted_end(chars: &[char], start: usize, quote: char) -> usize {
    let mut place = start + 1;
    while place < chars.len() && chars[place] != quote {
        place += if chars[place] == '\\' { 2 } else { 1 };
    }
    chars.len().min(place + 1)
}

/// Blanks every item after `#[cfg(test)]`, up to its semicolon or the end of its braces.
fn without_tests(code: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let (mut out, mut rest) = (String::with_capacity(code.len()), code);
    while let Some(start) = rest.find(MARK) {
        let (before, item) = rest.split_at(start);
        out.push_str(before);
        let mut depth = 0_usize;
        let ends = |c: char| {
            match c {
                '{' | '[' | '(' => depth += 1,
                '}' | ']' | ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && (c == ';' || c == '}')
        };
        let behind = MARK.len();
        let end = item[behind..].find(ends).map_or(item.len(), |last| behind + last + 1);
        out.extend(item[..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
        rest = &item[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let found = uses(&["svm", "linear"], &code_only(source));
        let shown: Vec<String> = found.iter().map(|u| format!("{} {}", u.line, u.path.join("::"))).collect();
        assert_eq!(shown, expected, "{source}");
    }

    #[test]
    fn paths_are_followed_to_all_their_ends() {
        check("use crate::text::Pair;", &["1 text::Pair"]);
        check("\nuse crate::kernel::{Gram, Rows};", &["2 kernel::Gram", "2 kernel::Rows"]);
        check("use crate::{text::{Span, Pair as P}, Error};", &["1 text::Span", "1 text::Pair", "1 Error"]);
        check("use crate::{\n  data,\n  eval::random::SplitMix,\n};", &["2 data", "3 eval::random::SplitMix"]);
        check("use crate::kernel::{self, Gram as G};", &["1 kernel", "1 kernel::Gram"]);
        check("use crate::text::*; use crate::*;", &["1 text::*", "1 *"]);
        check("use crate as all;", &["1 "]);
        check("fn f() -> crate::Result<crate::text::Pair> {}", &["1 Result", "1 text::Pair"]);
        check(
            "let x = crate::kernel::BoundKernel::<crate::text::Pair>::new();",
            &["1 kernel::BoundKernel", "1 text::Pair"],
        );
        check("pub(crate) fn f() {} pub(in crate::svm) fn g() {}", &["1 svm"]);
    }

    #[test]
    fn super_and_self_lead_where_they_lead() {
        check("use super::Stop;", &["1 svm::Stop"]);
        check("use super::super::text::Pair;", &["1 text::Pair"]);
        check("use super::{super::data::Dataset, dual};", &["1 data::Dataset", "1 svm::dual"]);
        check("use self::inner::A; self.super_thing();", &["1 svm::linear::inner::A"]);
        check(
            "mod inner { use super::A; use super::super::super::text; } use super::B;",
            &["1 svm::linear::A", "1 text", "1 svm::B"],
        );
    }

    #[test]
    fn the_environment_is_found_however_it_is_written() {
        check(
            "std::env::var(x); use std::{env, fs}; use ::std::env as e;",
            &["1 std::env::var", "1 std::env", "1 std::fs", "1 std::env"],
        );
        check("use std as s;", &["1 std"]);
    }

    #[test]
    fn comments_strings_and_tests_use_nothing() {
        check("// crate::text\n/// [`crate::text`]\n/* crate::a /* crate::b */ crate::c */ use crate::d;", &["3 d"]);
        check("f(\"crate::text \\\" crate::a\", r#\"crate::b \" \"#, b\"crate::c\", '\"', '\\'', crate::d);", &["1 d"]);
        check("fn f<'a>(x: &'a str) { crate::a::b() }", &["1 a::b"]);
        check("#[cfg(test)]\nmod tests { use crate::a; fn f() { crate::b() } }\nuse crate::c;", &["3 c"]);
        check("#[cfg(test)]\nuse crate::{a, b};\nuse crate::c;", &["3 c"]);
        check("#[cfg(test)]\n#[derive(Debug)]\nstruct A { a: crate::a::A }\nuse crate::c;", &["4 c"]);
        check("#[cfg(test)]\nfn f(x: [u8; 2]) -> crate::a::A { x }\nuse crate::c;", &["3 c"]);
    }

    #[test]
    fn modules_for_tests_are_known_by_their_declaration() {
        assert_eq!(test_files("mod a;\n#[cfg(test)]\nmod laws;\n#[cfg(test)]\nmod tests {}\n"), ["laws"]);
    }

    #[test]
    fn macros_and_keywords_are_words() {
        let code = code_only("// print!\nprintln!(\"dbg!\"); let print = 1; x != y;\n  dbg!(x); my_print!();\n");
        assert_eq!(macros(&["print", "println", "dbg"], &code), [(2, "println"), (3, "dbg")]);
        let code = code_only("fn f(x: &'static str) {}\nstatic A: u8 = 1; // static\n");
        assert_eq!(keyword_lines("static", &code), [2]);
    }
}
