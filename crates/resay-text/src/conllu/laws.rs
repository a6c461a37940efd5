//! Round-trip laws for every sentence and every file: what is written can be read back, and what is
//! read is written back unchanged.

use super::*;
use crate::{Head, Span, Tag, Upos, Word};
use proptest::prelude::*;

fn written<'a>(sentences: impl IntoIterator<Item = &'a ConlluSentence>) -> String {
    let mut out = String::new();
    sentences.into_iter().for_each(|sentence| write_conllu(sentence, None, &mut out));
    out
}

fn read(text: &str) -> Vec<ConlluSentence> {
    let sentences = ConlluReader::new("f", text.as_bytes()).map(|sentence| sentence.map(|(_, sentence)| sentence));
    sentences.collect::<crate::Result<_>>().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Any form: not empty, with no tab or line break inside and no space at either end.
fn form() -> impl Strategy<Value = String> {
    let edge = "[^\\s\\p{Z}\\p{Cc}]";
    (edge, prop::option::of(("[^\t\r\n]{0,4}", edge))).prop_map(|(first, rest)| match rest {
        None => first,
        Some((middle, last)) => format!("{first}{middle}{last}"),
    })
}

/// Any content of a column.
fn cell() -> impl Strategy<Value = Option<Box<str>>> {
    prop::option::of("[^\t\r\n_]{1,6}").prop_map(|cell| cell.map(Into::into))
}

fn tag() -> impl Strategy<Value = Option<Tag>> {
    cell().prop_map(|cell| cell.map(|tag| Tag::Owned(tag.into())))
}

fn bio() -> impl Strategy<Value = Option<Tag>> {
    let value = prop_oneof![Just("O".to_owned()), "[BI]-[^\t\r\n|]{1,4}"];
    prop::option::of(value).prop_map(|value| value.map(Tag::Owned))
}

/// Any keys of the last column other than ours, in any order.
fn misc() -> impl Strategy<Value = Option<Box<str>>> {
    let item = prop_oneof![
        "[^\t\r\n|_=]{1,3}=[^\t\r\n|]{0,3}",
        Just("Entity=(e1)".to_owned()),
        Just("Chunk=NP".to_owned()),
        Just("SpaceAfter=Yes".to_owned()),
        Just("TokenRange=0:1".to_owned()),
    ];
    prop::collection::vec(item, 0..3).prop_map(|items| (!items.is_empty()).then(|| items.join("|").into()))
}

/// A word, its extras, how the next word follows, and how far back (cyclically) its head is.
type Drawn = (String, (Word, WordExtras), (String, bool), Option<usize>);

fn drawn() -> impl Strategy<Value = Drawn> {
    let upos = prop::option::of(prop::sample::select(Upos::ALL.to_vec()));
    let layers = (cell(), upos, tag(), bio(), bio(), tag());
    let layers = layers.prop_map(|(lemma, upos, xpos, chunk, entity, relation)| {
        let span = Span { start: 0, end: 0 };
        Word { span, lemma, upos, xpos, chunk, entity, head: None, relation }
    });
    let extras = (prop::option::of("[a-z]{1,3}"), cell(), cell(), misc())
        .prop_map(|(upos, feats, deps, misc)| WordExtras { upos: upos.map(Into::into), feats, deps, misc });
    // Some kind of space, several, or none.
    let gap = prop_oneof![4 => Just(" "), 3 => Just(""), 1 => Just("  "), 1 => Just("\u{a0}\u{3000}")]
        .prop_map(str::to_owned);
    (form(), (layers, extras), (gap, any::<bool>()), prop::option::of(0usize..4))
}

/// Assembles a sentence from drawn words. `told` adds a comment with the text. `multiword` selects
/// two words, if they exist, that make up a token.
fn assemble(drawn: Vec<Drawn>, told: bool, multiword: Option<usize>, empty_after: Vec<usize>) -> ConlluSentence {
    let n_words = drawn.len();
    let mut sentence = ConlluSentence::default();
    let mut text = String::new();
    let multiword = multiword.filter(|first| first + 1 < n_words);
    let mut minor = 0;
    let mut empties = empty_after;
    empties.sort_unstable();
    let mut empty = |n_before: usize, lines: &mut Vec<ExtraLine>| {
        minor = 0;
        while empties.first() == Some(&n_before) {
            empties.remove(0);
            minor += 1;
            let kind = ExtraKind::Empty { minor };
            lines.push(ExtraLine { n_before: n_before as u32, kind, columns: "e\t_\t_\t_\t_\t_\t_\t0:x\tA=b".into() });
        }
    };
    let forms: Vec<String> = drawn.iter().map(|(form, ..)| form.clone()).collect();
    let mut glued_pair = String::new();
    for (idx, (form, (mut word, mut extras), (gap, _), back)) in drawn.into_iter().enumerate() {
        empty(idx, &mut sentence.extras.lines);
        let is_first = multiword == Some(idx);
        let gap = match gap.as_str() {
            _ if is_first => "",
            "" | " " => gap.as_str(),
            blanks if told => blanks,
            _ => " ",
        };
        let is_last = idx + 1 == n_words;
        let gap = if is_last { "" } else { gap };
        if is_first {
            glued_pair = format!("{}{}", forms[idx], forms[idx + 1]);
        }
        if multiword.is_some_and(|first| first + 1 == idx) {
            let misc = if gap.is_empty() { "SpaceAfter=No" } else { "_" };
            let columns = format!("{glued_pair}\t_\t_\t_\tTypo=Yes\t_\t_\t_\t{misc}").into();
            let kind = ExtraKind::Multiword { n_words: 2 };
            let n_before = idx as u32 - 1;
            let extra = ExtraLine { n_before, kind, columns };
            // Before the empty nodes between its words.
            let lines = &mut sentence.extras.lines;
            let place = lines.iter().position(|line| line.n_before >= idx as u32).unwrap_or(lines.len());
            lines.insert(place, extra);
        }
        let start = text.len() as u32;
        text.push_str(&form);
        word.span = Span { start, end: text.len() as u32 };
        text.push_str(gap);
        // Heads to the left only, so that there is no cycle.
        word.head = back.map(|back| match idx.checked_sub(back + 1) {
            Some(head) => Head::Word(head as u32),
            None => Head::Root,
        });
        if form == "_" {
            word.lemma = Some("_".into());
        }
        if word.upos.is_some() {
            extras.upos = None;
        }
        sentence.analysis.words.push(word);
        sentence.extras.words.push(extras);
    }
    empty(n_words, &mut sentence.extras.lines);
    if sentence.extras.words.iter().all(|word| *word == WordExtras::default()) {
        sentence.extras.words.clear();
    }
    sentence.comments.push("# generated".to_owned());
    if told {
        sentence.comments.push(format!("# text = {text}"));
    }
    sentence.analysis.text = text.into();
    sentence
}

fn sentence() -> impl Strategy<Value = ConlluSentence> {
    let words = prop::collection::vec(drawn(), 0..7);
    let empty_after = prop::collection::vec(0usize..3, 0..3);
    (words, any::<bool>(), prop::option::of(0usize..4), empty_after).prop_map(
        |(words, told, multiword, empty_after)| {
            let n_words = words.len();
            assemble(words, told, multiword, empty_after.into_iter().filter(|&after| after <= n_words).collect())
        },
    )
}

/// Fragments of files, so that tests reach past the first check.
fn fragments() -> impl Strategy<Value = Vec<u8>> {
    let fragment = prop::sample::select(vec![
        "1",
        "2",
        "3",
        "1-2",
        "2-3",
        "1.1",
        "0.1",
        "\t",
        "\t_",
        "\t_\t_",
        "_",
        "\n",
        "\n\n",
        "\r\n",
        "#",
        "# text = ",
        "a",
        "b\tb\tNOUN\tNN\t_\t0\troot\t_\t_\n",
        "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n",
        "2\tb\t_\t_\t_\t_\t1\t_\t_\t_\n",
        "1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n",
        "1.1\tb\t_\t_\t_\t_\t_\t_\t_\t_\n",
        "|",
        "SpaceAfter=No",
        "Chunk=B-x",
        "Entity=O",
        "=",
        "é",
        "\u{feff}",
        "\0",
    ]);
    prop::collection::vec(fragment, 0..30).prop_map(|parts| parts.concat().into_bytes())
}

/// Any result will do, as long as there is one; and what was read survives a round trip.
fn survives(input: &[u8]) {
    let sentences: Vec<ConlluSentence> =
        ConlluReader::new("f", input).map_while(|sentence| Some(sentence.ok()?.1)).collect();
    assert_eq!(read(&written(&sentences)), sentences, "{:?}", String::from_utf8_lossy(input));
}

proptest! {
    #[test]
    fn what_is_written_is_read(sentences in prop::collection::vec(sentence(), 0..4)) {
        let text = written(&sentences);
        prop_assert!(text.lines().all(|line| line.is_empty() || line.starts_with('#') || line.split('\t').count() == 10));
        prop_assert_eq!(read(&text), sentences);
    }

    #[test]
    fn any_bytes_are_survived(input in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&input);
    }

    #[test]
    fn almost_right_files_are_survived(input in fragments(), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        survives(&input);
        if !input.is_empty() {
            let mut broken = input.clone();
            broken[at.index(input.len())] = byte;
            survives(&broken);
        }
    }
}

#[test]
fn a_treebank_is_written_as_it_was_read() {
    let Some(folder) = resay_testing::corpus("a treebank read and written", "UD_English-EWT") else { return };
    for (part, n_sentences) in [("dev", 2001), ("train", 12544)] {
        let file = std::fs::read_to_string(folder.join(format!("en_ewt-ud-{part}.conllu"))).expect(part);
        let sentences = read(&file);
        assert_eq!(sentences.len(), n_sentences);
        assert!(written(&sentences) == file, "{part}: not the same bytes");
        // The comment is the text of every sentence: spans cut it at the words.
        let n_told = sentences.iter().filter(|s| s.comment("text") == Some(&s.analysis.text)).count();
        assert_eq!(n_told, n_sentences, "{part}");
    }
}
