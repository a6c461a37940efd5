//! Properties of the annotation of any text: word spans lie on character boundaries, every layer is
//! complete, given annotation is kept, and the bundled annotators work as named.

use proptest::prelude::*;
use resay::resources::Resources;
use resay_text::{Analysis, English, EnglishScratch, Head, Layers, Upos};
use std::sync::Arc;

fn english() -> Arc<English> {
    Resources::bundled().english(Layers::ALL).unwrap()
}

/// Asserts these properties.
fn check(text: &str, analysis: &Analysis) {
    let mut end = 0;
    let (mut chunk, mut entity) = ("O", "O");
    let mut n_roots = 0;
    for (idx, word) in analysis.words.iter().enumerate() {
        assert!(word.span.start >= end && word.span.end > word.span.start, "{text:?}");
        end = word.span.end;
        let form = analysis.text.get(word.span.range());
        assert!(form.is_some_and(|form| !form.is_empty()), "{text:?}");
        assert!(word.lemma.as_ref().is_some_and(|lemma| !lemma.is_empty()), "{text:?}: {form:?} has no lemma");
        assert!(word.upos.is_some() && word.xpos.is_some() && word.relation.is_some());
        for (before, now) in [(&mut chunk, &word.chunk), (&mut entity, &word.entity)] {
            let now = now.as_deref().unwrap();
            if let Some(kind) = now.strip_prefix("I-") {
                assert_eq!(before.get(2..), Some(kind), "{text:?}: {now} after {before}");
            }
            *before = match now {
                "O" => "O",
                // Label names are static strings.
                other => resay_text::CHUNK_LABELS
                    .iter()
                    .chain(&resay_text::ENTITY_LABELS)
                    .find(|label| **label == other)
                    .unwrap(),
            };
        }
        // Every word leads to the root in fewer steps than there are words.
        let (mut at, mut n_steps) = (idx, 0);
        while let Some(Head::Word(head)) = analysis.words[at].head {
            at = head as usize;
            n_steps += 1;
            assert!(n_steps <= analysis.words.len(), "{text:?}: a circle");
        }
        assert_eq!(analysis.words[at].head, Some(Head::Root));
        n_roots += usize::from(word.head == Some(Head::Root));
    }
    assert_eq!(n_roots, usize::from(!analysis.words.is_empty()), "{text:?}");
}

fn check_all(english: &English, text: &str, scratch: &mut EnglishScratch) {
    let mut place = 0;
    for (start, analysis) in english.sentences(text, scratch) {
        assert!(start >= place && text.is_char_boundary(start));
        assert_eq!(text.get(start..start + analysis.text.len()), Some(&*analysis.text));
        place = start + analysis.text.len();
        check(text, &analysis);
    }
    check(text, &english.sentence(text, scratch));
}

#[test]
fn any_text_is_annotated() {
    let english = english();
    let mut scratch = EnglishScratch::default();
    let words = "(?s)([a-zA-Z]{1,8}|[0-9.,%$-]{1,5}|\\PC{1,3}|[.!?\"')(]|[א-ת]{2,5}|😀|👩‍👧|é́) ?";
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(300));
    let texts = prop_oneof![".{0,60}", prop::collection::vec(words, 0..30).prop_map(|words| words.concat())];
    runner
        .run(&texts, |text| {
            check_all(&english, &text, &mut EnglishScratch::default());
            Ok(())
        })
        .unwrap();
    for text in ["", " ", "\n\n", "\u{0}", "\u{200b}", ".", "…", "(((((((((", "a\u{301}\u{301}", "\u{202e}abc"] {
        check_all(&english, text, &mut scratch);
    }
}

#[test]
fn long_texts_are_annotated() {
    let english = english();
    let mut scratch = EnglishScratch::default();
    check_all(&english, &"a".repeat(5 << 20), &mut scratch);
    check_all(&english, &"word ".repeat(4000), &mut scratch);
    check_all(&english, &"\u{1f600}".repeat(4000), &mut scratch);
    check_all(&english, &"((((".repeat(2000), &mut scratch);
}

#[test]
fn what_is_given_is_kept() {
    let english = english();
    let mut scratch = EnglishScratch::default();
    let mut analysis = Analysis::from_forms(["Time", "flies"]);
    analysis.words[1].upos = Some(Upos::Noun);
    analysis.words[1].xpos = Some("MINE".into());
    analysis.words[1].lemma = Some("FLY".into());
    analysis.words[0].chunk = Some("B-XP".into());
    analysis.words[0].head = Some(Head::Root);
    english.fill(&mut analysis, &mut scratch);
    let [time, flies] = &analysis.words[..] else { unreachable!() };
    assert_eq!(
        (flies.upos, flies.xpos.as_deref(), flies.lemma.as_deref()),
        (Some(Upos::Noun), Some("MINE"), Some("FLY"))
    );
    assert_eq!((time.upos, time.lemma.as_deref()), (Some(Upos::Noun), Some("time")));
    assert_eq!((time.chunk.as_deref(), flies.chunk.as_deref()), (Some("B-XP"), None), "chunks hang together");
    assert_eq!((time.head, flies.head), (Some(Head::Root), None), "heads hang together");
    assert!(time.entity.is_some() && flies.entity.is_some());
    let before = analysis.clone();
    english.fill(&mut analysis, &mut scratch);
    assert_eq!(analysis, before, "filling again changes nothing");
}

#[test]
fn only_what_is_asked_for_is_made() {
    let mut scratch = EnglishScratch::default();
    let lemmas = Resources::bundled().english(Layers { lemmas: true, ..Layers::NONE }).unwrap();
    let sentence = lemmas.sentence("The mice were running.", &mut scratch);
    let found: Vec<&str> = sentence.words.iter().map(|word| word.lemma.as_deref().unwrap()).collect();
    assert_eq!(found, ["the", "mouse", "be", "run", "."]);
    assert!(sentence.words.iter().all(|word| word.upos.is_none() && word.xpos.is_none() && word.head.is_none()));
    let none = Resources::bundled().english(Layers::NONE).unwrap();
    assert!(none.sentence("Two words", &mut scratch).words.iter().all(|word| word.lemma.is_none()));
}

#[test]
fn a_plain_sentence_comes_out_right() {
    let english = english();
    let text = "Anna Lee sold the old house in Oslo to her brother for $2 million on Monday.";
    let sentence = english.sentence(text, &mut EnglishScratch::default());
    let layer = |of: fn(&resay_text::Word) -> String| -> String {
        sentence.words.iter().map(of).collect::<Vec<String>>().join(" ")
    };
    assert_eq!(layer(|word| name_of(&word.xpos)), "NNP NNP VBD DT JJ NN IN NNP IN PRP$ NN IN $ CD CD IN NNP .");
    assert_eq!(
        layer(|word| name_of(&word.entity)),
        "B-PER I-PER O O O O O B-LOC O O O O B-MONEY I-MONEY I-MONEY O B-DATE O"
    );
    assert_eq!(name_of(&sentence.words[3].chunk), "B-NP");
    let sentence = english.sentence("She sold the old house.", &mut EnglishScratch::default());
    let heads: Vec<(String, Option<Head>)> =
        sentence.words.iter().map(|word| (name_of(&word.relation), word.head)).collect();
    let expected = [("nsubj", 1), ("root", 9), ("det", 4), ("amod", 4), ("obj", 1), ("punct", 1)]
        .map(|(name, head)| (name.to_owned(), Some(if head == 9 { Head::Root } else { Head::Word(head) })));
    assert_eq!(heads, expected);
}

fn name_of(tag: &Option<resay_text::Tag>) -> String {
    tag.as_deref().unwrap_or("-").to_owned()
}
