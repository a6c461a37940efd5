//! A small WordNet of our own, for tests.

use super::{LemmaId, PointerKind, Pos, Source, SourceSynset, SourceWord, WordNet};
use crate::container::Origin;

pub(super) fn origin() -> Origin {
    Origin {
        resource: "wordnet".to_owned(),
        data: "made up".to_owned(),
        licence: String::new(),
        made: String::new(),
        quality: Vec::new(),
    }
}

/// Nouns: things are animals (beasts) and wings; animals are birds and flies; a bird has wings, and
/// is a raven or, by name, Polly. Verbs: to travel may be to fly, which may be to flutter (to fly);
/// flying entails flapping, and flapping causes flying. Black and dark is sooty, dark is not
/// bright; blackly comes from black.
pub(super) fn source() -> Source {
    let lemmas: Vec<String> = [
        "animal",
        "beast",
        "bird",
        "black",
        "blackly",
        "bright",
        "dark",
        "flap",
        "flutter",
        "fly",
        "polly",
        "raven",
        "sooty",
        "thing",
        "to_and_fro",
        "travel",
        "wing",
    ]
    .map(str::to_owned)
    .to_vec();
    let number = |word: &str| lemmas.iter().position(|lemma| lemma == word).unwrap() as u32;
    let synset = |pos: Pos, words: &[(&str, u8, u16)], depths: Option<(u8, u8)>, mass: f32| SourceSynset {
        pos,
        words: words.iter().map(|&(word, sense, count)| SourceWord { lemma: number(word), sense, count }).collect(),
        depths,
        mass,
    };
    let synsets = vec![
        synset(Pos::Noun, &[("animal", 0, 4), ("beast", 0, 1)], Some((1, 1)), 30.0),
        synset(Pos::Noun, &[("bird", 0, 9)], Some((2, 2)), 20.0),
        synset(Pos::Noun, &[("thing", 0, 90)], Some((0, 0)), 100.0),
        synset(Pos::Verb, &[("fly", 1, 8)], Some((1, 1)), 9.0),
        synset(Pos::Verb, &[("travel", 0, 20)], Some((0, 0)), 50.0),
        synset(Pos::Noun, &[("fly", 0, 1)], None, 2.0),
        synset(Pos::Noun, &[("polly", 0, 0)], None, 1.0),
        synset(Pos::Noun, &[("raven", 0, 2)], None, 5.0),
        synset(Pos::Noun, &[("wing", 0, 3)], None, 7.0),
        synset(Pos::Verb, &[("flap", 0, 1), ("wing", 0, 0)], None, 2.0),
        synset(Pos::Verb, &[("flutter", 0, 1), ("fly", 0, 2)], None, 1.0),
        synset(Pos::Adjective, &[("black", 0, 6), ("dark", 0, 3)], None, 0.0),
        synset(Pos::Adjective, &[("bright", 0, 5)], None, 0.0),
        synset(Pos::Adjective, &[("sooty", 0, 1)], None, 0.0),
        synset(Pos::Adverb, &[("blackly", 0, 0)], None, 0.0),
        synset(Pos::Adverb, &[("to_and_fro", 0, 0)], None, 0.0),
    ];
    let mut pointers = Vec::new();
    let mut point = |kind: PointerKind, source: u32, target: u32| {
        pointers.push((kind, source, target));
        pointers.extend(kind.mirror().map(|mirror| (mirror, target, source)));
    };
    point(PointerKind::Hypernym, 0, 2);
    point(PointerKind::Hypernym, 1, 0);
    point(PointerKind::Hypernym, 5, 0);
    point(PointerKind::InstanceHypernym, 6, 1);
    point(PointerKind::Hypernym, 7, 1);
    point(PointerKind::Hypernym, 8, 2);
    point(PointerKind::PartHolonym, 8, 1);
    point(PointerKind::Hypernym, 3, 4);
    point(PointerKind::Hypernym, 10, 3);
    point(PointerKind::Cause, 9, 3);
    point(PointerKind::Entailment, 3, 9);
    point(PointerKind::Similar, 13, 11);
    let mut word_pointers = Vec::new();
    let mut point = |kind: PointerKind, source: (&str, u32), target: (&str, u32)| {
        let (source, target) = ((number(source.0), source.1), (number(target.0), target.1));
        word_pointers.push((kind, source, target));
        word_pointers.extend(kind.mirror().map(|mirror| (mirror, target, source)));
    };
    point(PointerKind::Antonym, ("dark", 11), ("bright", 12));
    point(PointerKind::Derivation, ("wing", 8), ("wing", 9));
    point(PointerKind::Derivation, ("fly", 3), ("flap", 9));
    point(PointerKind::Pertainym, ("blackly", 14), ("black", 11));
    Source {
        synsets,
        pointers: pointers.into_iter().collect(),
        word_pointers: word_pointers.into_iter().collect(),
        total_masses: [100.0, 60.0],
        exceptions: [
            vec![("flies".to_owned(), vec![number("fly")]), ("ravenes".to_owned(), vec![])],
            vec![("flew".to_owned(), vec![number("fly")])],
            vec![],
            vec![],
        ],
        lemmas,
    }
}

pub(in crate::lexicon) fn wordnet() -> WordNet {
    WordNet::open("toy.resay", &source().pack(origin()).unwrap()).unwrap()
}

/// Runs every query about two lemmas, in all parts of speech and to several depths: on the toy, and
/// on the toy with a cycle of hypernyms (a thing is a bird).
pub(super) fn each_question(mut ask: impl FnMut(&WordNet, [LemmaId; 2], [Option<Pos>; 2], u8)) {
    let mut with_circle = source();
    with_circle.pointers.extend([(PointerKind::Hypernym, 2, 1), (PointerKind::Hyponym, 1, 2)]);
    for source in [source(), with_circle] {
        let wordnet = WordNet::open("toy.resay", &source.pack(origin()).unwrap()).unwrap();
        let lemmas = || (0..wordnet.n_lemmas() as u32).map(LemmaId);
        let parts = || Pos::ALL.into_iter().map(Some).chain([None]);
        for (a, b) in lemmas().flat_map(|a| lemmas().map(move |b| (a, b))) {
            for (a_pos, b_pos) in parts().flat_map(|a_pos| parts().map(move |b_pos| (a_pos, b_pos))) {
                [0, 1, 2, 3, u8::MAX].into_iter().for_each(|depth| ask(&wordnet, [a, b], [a_pos, b_pos], depth));
            }
        }
    }
}
