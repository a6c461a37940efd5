//! Texts of several sentences: which sentence decides, and how each pair is related.

use super::clean;
use resay::id::TextRelation;
use resay::model::{Judged, SentencePair};
use resay_text::Span;

/// The longest quotation of a sentence.
const MOST: usize = 120;

/// The first line about texts that were judged by their sentences: the sentence that decides; nothing
/// about texts that were judged as a whole.
pub fn decider(judged: &Judged, texts: [&str; 2]) -> Option<String> {
    if judged.sentences.is_empty() {
        return None;
    }
    let Some(pair) = judged.sentences.iter().find(|pair| pair.decides) else {
        return Some("The same, sentence by sentence".to_owned());
    };
    let [source, target] = quoted(pair, texts);
    let same = if judged.relation == TextRelation::Equivalent { "The same" } else { "Not the same" };
    Some(match (source, target) {
        (Some(source), Some(target)) => format!("{same}: {source} became {target}"),
        (Some(source), None) => format!("{same}: only the source says {source}"),
        (None, Some(target)) => format!("{same}: only the target says {target}"),
        (None, None) => same.to_owned(),
    })
}

/// A pair of sentences: `"It rained." -> "It poured."`, or the sentence that only one text has.
pub fn sentence_pair(pair: &SentencePair, texts: [&str; 2]) -> String {
    let moved = if pair.is_moved { " (moved)" } else { "" };
    match quoted(pair, texts) {
        [Some(source), Some(target)] if source == target => format!("{source}{moved}"),
        [Some(source), Some(target)] => format!("{source} -> {target}{moved}"),
        [Some(source), None] => format!("only in the source: {source}"),
        [None, target] => format!("only in the target: {}", target.unwrap_or_default()),
    }
}

fn quoted(pair: &SentencePair, texts: [&str; 2]) -> [Option<String>; 2] {
    let quote = |text: &str, span: Option<Span>| {
        let words = clean(text.get(span?.range())?);
        let short = match words.char_indices().nth(MOST) {
            Some((end, _)) => format!("{} ...", words[..end].trim_end()),
            None => words,
        };
        Some(format!("\"{short}\""))
    };
    [quote(texts[0], pair.source), quote(texts[1], pair.target)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use resay_text::TextKind;

    #[test]
    fn the_deciding_sentence_is_named() {
        let texts = ["Hello. We pay 60 euros.", "Hello. We pay 80 euros. Bye."];
        let pair = |source: Option<[u32; 2]>, target: Option<[u32; 2]>, decides: bool| SentencePair {
            source: source.map(|[start, end]| Span { start, end }),
            target: target.map(|[start, end]| Span { start, end }),
            relation: TextRelation::Contradiction,
            probabilities: [0.1, 0.0, 0.0, 0.9, 0.0],
            is_moved: false,
            decides,
        };
        let mut judged = Judged {
            relation: TextRelation::Contradiction,
            probabilities: [0.1, 0.0, 0.0, 0.9, 0.0],
            similarity: 4.0,
            is_equal: false,
            kinds: [TextKind::English; 2],
            sentences: Vec::new(),
        };
        assert_eq!(decider(&judged, texts), None);
        judged.sentences = vec![pair(Some([0, 6]), Some([0, 6]), false), pair(Some([7, 23]), Some([7, 23]), true)];
        let expected = "Not the same: \"We pay 60 euros.\" became \"We pay 80 euros.\"";
        assert_eq!(decider(&judged, texts).as_deref(), Some(expected));
        assert_eq!(sentence_pair(&judged.sentences[0], texts), "\"Hello.\"");
        judged.sentences[1] = pair(None, Some([24, 28]), true);
        assert_eq!(decider(&judged, texts).as_deref(), Some("Not the same: only the target says \"Bye.\""));
        assert_eq!(sentence_pair(&judged.sentences[1], texts), "only in the target: \"Bye.\"");
    }
}
