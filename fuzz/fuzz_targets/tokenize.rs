#![no_main]
//! Any text: tokens stand in order, do not overlap, and hold every character that is not blank exactly once.

use resay_text::tokenize;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut at = 0;
    for piece in tokenize(text) {
        let range = piece.span.range();
        assert!(range.start < range.end && at <= range.start, "{range:?} after {at}");
        assert!(text[at..range.start].chars().all(char::is_whitespace), "lost before {range:?}");
        assert_eq!(piece.form(), &text[range.clone()]);
        at = range.end;
    }
    assert!(text[at..].chars().all(char::is_whitespace), "lost after {at}");
});
