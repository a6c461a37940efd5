//! Words before and behind a text that add nothing to what it says: "Actually, ...", "... Thanks!".

const BEFORE: [&str; 11] = [
    "actually,",
    "basically,",
    "by the way,",
    "frankly,",
    "honestly,",
    "i mean,",
    "of course,",
    "oh,",
    "to be honest,",
    "well,",
    "you know,",
];

/// With the mark before them, so that they are no part of the sentence.
const BEHIND: [&str; 9] = [
    ". thank you",
    "! thank you",
    ". thanks",
    "! thanks",
    "? thanks",
    "? thank you",
    ", by the way",
    ", to be honest",
    ", you know",
];

/// The fewest words that a text keeps.
const FEWEST: usize = 3;

/// A text without what adds nothing, and how many bytes stand before it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Core {
    pub(super) text: String,
    pub(super) start: usize,
}

/// The part of a text that says something; `None` if that is all of it.
pub(super) fn core(text: &str) -> Option<Core> {
    let mut core = Core { text: text.trim().to_owned(), start: text.len() - text.trim_start().len() };
    let mut is_cut = false;
    while let Some(shorter) = cut_before(&core).or_else(|| cut_behind(&core)) {
        if shorter.text.split_whitespace().count() < FEWEST {
            break;
        }
        (core, is_cut) = (shorter, true);
    }
    is_cut.then_some(core)
}

fn cut_before(core: &Core) -> Option<Core> {
    let begins = |filler: &&&str| core.text.get(..filler.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(filler));
    let filler = BEFORE.iter().find(begins)?;
    let rest = core.text.get(filler.len()..)?;
    let text = rest.trim_start();
    Some(Core { text: text.to_owned(), start: core.start + filler.len() + (rest.len() - text.len()) })
}

/// The mark at the end stays: a question is one without its filler, too.
fn cut_behind(core: &Core) -> Option<Core> {
    let part = core.text.trim_end_matches(['.', '!', '?']);
    let mark = &core.text[part.len()..];
    let ends = |filler: &&&str| {
        let at = part.len().checked_sub(filler.len());
        at.and_then(|at| part.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(filler))
    };
    let filler = BEHIND.iter().find(ends)?;
    let rest = &part[..part.len() - filler.len()];
    // Either the mark of the sentence before it, or that of its own sentence.
    let mark = if filler.starts_with(',') { mark } else { &filler[..1] };
    Some(Core { text: format!("{rest}{mark}"), start: core.start })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fillers_are_cut_and_nothing_else() {
        let rows = [
            ("Actually, the shop is closed.", "the shop is closed.", 10),
            ("Well, to be honest, I never liked it, you know.", "I never liked it.", 20),
            (" Please send me the file. Thanks! ", "Please send me the file.", 1),
            ("Can you send me the file? Thank you.", "Can you send me the file?", 0),
            ("The shop is closed, by the way", "The shop is closed", 0),
            ("Is the shop closed, by the way?", "Is the shop closed?", 0),
        ];
        for (text, expected, start) in rows {
            assert_eq!(core(text), Some(Core { text: expected.to_owned(), start }), "{text}");
        }
        for whole in ["He is well, actually.", "Well, no.", "Thanks!", "Öl, Wasser. Thanks", "", " It rained. "] {
            assert_eq!(core(whole), None, "{whole}");
        }
    }
}
