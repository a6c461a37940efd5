//! Signs of code, markup and data.

/// Operators and brackets that prose does not have.
const OPERATORS: &[&str] = &[
    "==", "!=", "=>", "&&", "||", "::", "+=", "-=", "*=", "++", "/*", "*/", "/>", "();", ");", "){", ") {", "${",
    "{\"", "\":", "\": ", "[]", "](", "#include", "#define", "\\n", "<-", ">>>", "};", "];", "<!--", "<?", "?>",
    "@media",
];

/// Keywords that begin a line of code together with one of the other signs.
const STARTS: &[&str] = &[
    "def ",
    "class ",
    "return ",
    "import ",
    "from ",
    "for ",
    "while ",
    "if ",
    "elif ",
    "else:",
    "try:",
    "except",
    "fn ",
    "let ",
    "const ",
    "var ",
    "int ",
    "void ",
    "char ",
    "float ",
    "double ",
    "public ",
    "private ",
    "static ",
    "function ",
    "struct ",
    "using ",
    "package ",
    "func ",
    "pub ",
    "export ",
    "print(",
];

/// Programs that begin a line of a shell.
const SHELL: &[&str] = &["sudo ", "git ", "npm ", "pip ", "echo ", "cargo ", "docker ", "curl ", "cd ", "ls ", "grep "];

/// Keywords of SQL, as they are usually written.
const SQL: &[&str] = &[
    "SELECT", "FROM", "WHERE", "INSERT", "INTO", "VALUES", "UPDATE", "DELETE", "CREATE", "TABLE", "JOIN", "GROUP BY",
    "ORDER BY", "ALTER", "DROP", "LIMIT", "COUNT(",
];

/// Whether the text has many signs of code for its words.
pub(super) fn is_code(text: &str) -> bool {
    let n_words = text.split_whitespace().filter(|token| is_plain(token)).count();
    let n = n_signs(text);
    n >= 2 && 2 * n > n_words
}

/// Whether a token is a word with at most a mark behind it.
fn is_plain(token: &str) -> bool {
    let token =
        token.trim_start_matches(['"', '“', '(', '\'']).trim_end_matches(['.', ',', ':', '!', '?', '"', '”', ')']);
    let is_long = token.len() > 1 || matches!(token, "a" | "A" | "I");
    is_long
        && token.starts_with(char::is_alphabetic)
        && token.chars().all(|char| char.is_alphabetic() || matches!(char, '\'' | '’' | '-'))
}

fn n_signs(text: &str) -> usize {
    let mut n = 0;
    for operator in OPERATORS {
        n += text.matches(operator).count();
    }
    n += text.matches(['{', '}']).count();
    n += text.split_whitespace().map(of_token).sum::<usize>();
    n += tags(text);
    n += sql(text);
    for line in text.lines().map(str::trim) {
        n += usize::from(line.ends_with([';', '{']));
        let is_start = STARTS.iter().any(|start| line.starts_with(start));
        let has_sign = line.ends_with([';', '{', ')']) || line.contains(['=', '(', '_']) || is_block(line);
        n += usize::from(is_start && has_sign) + usize::from(is_start && is_block(line));
        n += 3 * usize::from(is_import(line));
        let is_shell = SHELL.iter().any(|start| line.starts_with(start));
        n += 2 * usize::from(is_shell && [" -", "&&", " | "].iter().any(|sign| line.contains(sign)));
    }
    let trimmed = text.trim();
    n += 2 * usize::from(trimmed.starts_with('[') && trimmed.ends_with(']') && trimmed.contains(['"', '{']));
    n
}

/// `def area(r):`, `for x in items:`; a sentence that introduces a list has more words.
fn is_block(line: &str) -> bool {
    line.ends_with(':') && line.split_whitespace().count() <= 6
}

/// `import numpy as np`, `from os import path`, `using namespace std;`.
fn is_import(line: &str) -> bool {
    let words: Vec<&str> = line.trim_end_matches(';').split(' ').collect();
    match words[..] {
        ["import", name] => name.chars().all(|char| char.is_lowercase() || matches!(char, '.' | '_')),
        ["import", _, "as", _] | ["from", _, "import", ..] | ["using", "namespace", _] => true,
        _ => false,
    }
}

/// Signs within a token: a call, a name with underscores or inner capitals behind a dot, an option, a
/// path, a lone equals sign.
fn of_token(token: &str) -> usize {
    if token.contains("://") || token.contains('@') && token.contains('.') {
        return 0;
    }
    if matches!(token, "=" | "<" | ">" | "<=" | ">=" | "->" | "%" | "*") {
        return usize::from(token != "%" && token != "*");
    }
    let bytes = token.as_bytes();
    let is_word = |at: usize| bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let mut n = 0;
    for at in 1..bytes.len() {
        match bytes[at] {
            // "item(s)" is English.
            b'(' if is_word(at - 1) && !matches!(&token[at..].get(..3), Some("(s)" | "(es" | "(e)")) => n += 1,
            b'_' if is_word(at - 1) && is_word(at + 1) => n += 1,
            b'.' if bytes[at - 1].is_ascii_lowercase() && token[at + 1..].contains('(') => n += 1,
            b'[' if is_word(at - 1) && token[at..].contains(']') => n += 1,
            b'=' if is_word(at - 1) && (is_word(at + 1) || bytes.get(at + 1) == Some(&b'"')) => n += 1,
            _ => {}
        }
    }
    let is_option = bytes.first() == Some(&b'-')
        && bytes.get(1).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'-')
        && bytes.get(2).is_none_or(u8::is_ascii_alphanumeric)
        && bytes.len() > 1
        && token != "--";
    let is_path = (token.starts_with('/') || token.starts_with("./") || token.starts_with("~/"))
        && bytes.get(1).is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'/')
        && bytes.len() > 3;
    n + usize::from(is_option) + usize::from(is_path)
}

/// Tags of HTML and XML: `<p>`, `</div>`, `<a href=...>`; each counts twice.
fn tags(text: &str) -> usize {
    let mut n = 0;
    for (at, _) in text.match_indices('<') {
        let inner = &text[at + 1..];
        let name = inner.strip_prefix(['/', '!']).unwrap_or(inner);
        let is_named = name.starts_with(|char: char| char.is_ascii_alphabetic());
        let end = inner.find('>');
        n += 2 * usize::from(is_named && end.is_some_and(|end| end < 200 && !inner[..end].contains(['<', '\n'])));
    }
    n
}

/// Two or more keywords of SQL in capitals beside words in lower case, or a query in lower case.
fn sql(text: &str) -> usize {
    let has = |keyword: &str| text.match_indices(keyword).any(|(at, _)| !text[..at].ends_with(char::is_alphanumeric));
    let n = SQL.iter().filter(|keyword| has(keyword)).count();
    let has_lower = text.contains(char::is_lowercase) || text.contains(['*', ';', '=']);
    let is_query =
        |start: &str, then: &str| text.starts_with(start) && text.contains(then) && text.contains([';', '=', '*']);
    let is_lower = is_query("select ", " from ")
        || is_query("insert into ", " values")
        || is_query("update ", " set ")
        || is_query("delete from ", " where ");
    match n {
        2.. if has_lower => n + 2,
        _ => 4 * usize::from(is_lower),
    }
}
