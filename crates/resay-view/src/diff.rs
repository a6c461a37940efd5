//! The differences between two texts, as all views present them: the content and its wording.

use crate::reasons::{Reason, against};
use resay::diff::{DiffDocument, Difference, DifferenceKind, Passage};

/// The message for two files with equal bytes.
pub const SAME: &str = "The files are the same, byte for byte.";

/// Two documents and their differences.
#[derive(Clone, Copy, Debug)]
pub struct DiffView<'a> {
    /// The names given by the user.
    pub names: [&'a str; 2],
    /// Their sentences.
    pub documents: [&'a DiffDocument; 2],
    /// The differences for every sentence, in order.
    pub differences: &'a [Difference],
    /// Maximum number of reasons to show.
    pub top: usize,
}

impl DiffView<'_> {
    /// Returns the reasons why the meaning of a pair changed.
    pub fn reasons(&self, difference: &Difference) -> Vec<Reason> {
        let explanation = difference.explanation.as_deref();
        explanation.map_or_else(Vec::new, |explanation| against(explanation, self.top))
    }

    /// Counts the differences of a kind.
    pub fn count(&self, kind: DifferenceKind) -> usize {
        self.differences.iter().filter(|difference| difference.kind == kind).count()
    }

    /// Returns a message if there is nothing to show.
    pub fn nothing(&self) -> Option<&'static str> {
        self.differences
            .iter()
            .all(|difference| difference.kind == DifferenceKind::Same)
            .then_some("The sentences are the same; only blanks, line breaks or blank lines differ.")
    }
}

/// Where a difference is: "line 4", or "line 4 -> 6" if the sentence is on another line of the
/// second text.
pub fn place(difference: &Difference) -> String {
    let lines = [&difference.source, &difference.target].map(|side| side.as_ref().map(|passage| passage.line));
    match lines {
        [Some(source), Some(target)] if source == target => format!("line {source}"),
        [Some(source), Some(target)] => format!("line {source} -> {target}"),
        [Some(line), None] | [None, Some(line)] => format!("line {line}"),
        [None, None] => String::new(),
    }
}

/// Describes what happened.
pub fn headline(difference: &Difference) -> String {
    let n = |side: &Option<Passage>| side.as_ref().map_or(0, |passage| passage.sentences.len());
    let parts = match (n(&difference.source), n(&difference.target)) {
        (1, 2) => ", one sentence became two",
        (2, 1) => ", two sentences became one",
        _ => "",
    };
    let name = if difference.kind == DifferenceKind::Changed { "changed in meaning" } else { difference.kind.name() };
    let moved = if difference.is_moved && difference.kind != DifferenceKind::Moved { " and moved" } else { "" };
    format!("{name}{moved}{parts}")
}

/// Why a pair that differs was not scored.
pub fn unjudged(kind: DifferenceKind) -> Option<&'static str> {
    match kind {
        DifferenceKind::Reworded => Some("only capitals or marks differ"),
        DifferenceKind::Changed => Some("too long to be judged"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay_text::Span;

    #[test]
    fn differences_are_named_and_placed() {
        let passage = |line: u32, n: usize| Passage { sentences: 0..n, span: Span { start: 0, end: 1 }, line };
        let check = |kind, is_moved, source: Option<(u32, usize)>, target: Option<(u32, usize)>, expected: &str| {
            let [source, target] = [source, target].map(|side| side.map(|(line, n)| passage(line, n)));
            let (probability, phrases, explanation) = (None, Vec::new(), None);
            let found = Difference { kind, is_moved, source, target, probability, phrases, explanation };
            assert_eq!(format!("{}, {}", headline(&found), place(&found)), expected);
        };
        check(DifferenceKind::Changed, false, Some((4, 1)), Some((4, 1)), "changed in meaning, line 4");
        check(DifferenceKind::Changed, true, Some((4, 1)), Some((6, 1)), "changed in meaning and moved, line 4 -> 6");
        check(DifferenceKind::Moved, true, Some((4, 1)), Some((6, 1)), "moved, line 4 -> 6");
        check(DifferenceKind::Reworded, false, Some((1, 1)), Some((1, 2)), "reworded, one sentence became two, line 1");
        check(
            DifferenceKind::Reworded,
            false,
            Some((1, 2)),
            Some((1, 1)),
            "reworded, two sentences became one, line 1",
        );
        check(DifferenceKind::Added, false, None, Some((9, 1)), "added, line 9");
    }
}
