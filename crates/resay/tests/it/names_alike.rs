//! Which first names people have changes nothing: names exchanged alike in both texts leave the
//! judgement of the bundled judge as it is, to the bit.

use resay::explain::What;
use resay::model::{Judged, JudgementModel, PairModel, pair_context};
use resay::pair::PairView;
use resay::resources::Resources;
use resay_learn::progress::Progress;
use resay_learn::rng::SplitMix;
use resay_text::first_names::{FirstNames, Gender};
use resay_text::lexicon::{Lexicon, Relation};
use resay_text::{English, Upos};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// No two are short for each other, and none is a word.
const FEMALE: [&str; 24] = [
    "Maria",
    "Zeynep",
    "Aoife",
    "Priya",
    "Yuki",
    "Ingrid",
    "Eva",
    "Ana",
    "Fatima",
    "Chiara",
    "Svetlana",
    "Susan",
    "Ngozi",
    "Beatriz",
    "Greta",
    "Lea",
    "Zoë",
    "Małgorzata",
    "Jane",
    "Mei",
    "Olga",
    "Noor",
    "Emma",
    "Solveig",
];
const MALE: [&str; 24] = [
    "Ahmed", "Wei", "Malik", "Igor", "Sven", "Rahul", "Piotr", "Giovanni", "Kwame", "Hiroshi", "José", "Michael",
    "Tim", "Boris", "Omar", "Luc", "Jürgen", "Kevin", "Sergei", "Diego", "Ivo", "Thabo", "Ludwig", "Peter",
];
const BOTH: [&str; 6] = ["Robin", "Kim", "Alex", "Taylor", "Kelly", "Casey"];

/// All pairs of the contrast suite and some of those for training.
fn pairs(step: usize) -> Vec<(String, String)> {
    let contrast = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrast");
    let mut files: Vec<_> =
        std::fs::read_dir(contrast.join("training")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut pairs = Vec::new();
    let mut read = |file: &Path, column: usize, step: usize| {
        let text = std::fs::read_to_string(file).unwrap();
        let lines = text.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<String>>());
        pairs.extend(lines.step_by(step).map(|line| (line[column].clone(), line[column + 1].clone())));
    };
    read(&contrast.join("suite.tsv"), 3, 1);
    files.iter().for_each(|file| read(file, 2, step));
    pairs
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// Whether a name is part of the name of something else: "St Anna's".
fn is_called_after(text: &str) -> bool {
    [" St ", " St. ", " Saint ", " San ", " Santa "].iter().any(|saint| text.contains(saint))
}

/// The first names of both texts that are nothing else, with their genders.
fn names_of<'a>(names: &FirstNames, texts: [&'a str; 2]) -> BTreeMap<&'a str, Gender> {
    let known = |word: &'a str| {
        let known = names.get(&word.to_lowercase()).filter(|known| !known.is_word)?;
        let is_name =
            word.chars().next().is_some_and(char::is_uppercase) && word.chars().skip(1).all(char::is_lowercase);
        is_name.then_some((word, known.gender))
    };
    texts.into_iter().flat_map(words).filter_map(known).collect()
}

/// Which of these names are short for others of them: other names would not be.
fn short_forms<'a>(lexicon: &Lexicon, names: impl IntoIterator<Item = &'a str>) -> Vec<(String, String)> {
    let terms: Vec<_> = names.into_iter().map(|name| lexicon.word(name, None, Some(Upos::Propn))).collect();
    let mut found = Vec::new();
    for (at, a) in terms.iter().enumerate() {
        let short = terms[at + 1..].iter().filter(|b| lexicon.relations(a, b).contains(Relation::Nickname));
        found.extend(short.map(|b| (a.form().to_owned(), b.form().to_owned())));
    }
    found
}

/// Other names for those of a pair, one for each.
fn exchange(random: &mut SplitMix, own: &BTreeMap<&str, Gender>, texts: [&str; 2]) -> BTreeMap<String, &'static str> {
    let taken: BTreeSet<String> = texts.into_iter().flat_map(words).map(str::to_lowercase).collect();
    let mut new = BTreeMap::new();
    for (name, gender) in own {
        let pool: &[&'static str] = match gender {
            Gender::Female => &FEMALE,
            Gender::Male => &MALE,
            Gender::Both => &BOTH,
        };
        // The names of the pair may change places, too.
        let is_free = |other: &&&str| {
            !new.values().any(|given| *given == **other)
                && (!taken.contains(&other.to_lowercase()) || own.get(**other) == Some(gender))
        };
        let free: Vec<&&str> = pool.iter().filter(is_free).collect();
        new.insert((*name).to_owned(), *free[random.below(free.len())]);
    }
    new
}

fn exchanged(text: &str, new: &BTreeMap<String, &'static str>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(char::is_alphanumeric) {
        let len = rest[start..].find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len() - start);
        let word = &rest[start..start + len];
        out.push_str(&rest[..start]);
        out.push_str(new.get(word).copied().unwrap_or(word));
        rest = &rest[start + len..];
    }
    out + rest
}

fn judge_all(judge: &JudgementModel, pairs: &[(String, String)]) -> Vec<Judged> {
    let texts: Vec<&str> = pairs.iter().flat_map(|(source, target)| [&**source, &**target]).collect();
    let annotated = judge.annotate_texts(&texts, Progress::none()).unwrap();
    let context = pair_context(judge.resources());
    let judged = |pair: &[resay::pair::Annotated]| judge.judge(&PairView::new(&context, &pair[0], &pair[1])).unwrap();
    annotated.chunks(2).map(judged).collect()
}

fn bits(judged: &Judged) -> [u64; 6] {
    let [a, b, c, d, e] = judged.probabilities.map(f64::to_bits);
    [a, b, c, d, e, judged.similarity.to_bits()]
}

#[test]
fn exchanging_names_alike_changes_nothing() {
    const TIMES: usize = 3;
    let judge = JudgementModel::bundled(&Resources::bundled()).unwrap();
    let names = FirstNames::bundled();
    for (gender, pool) in [(Gender::Female, &FEMALE[..]), (Gender::Male, &MALE), (Gender::Both, &BOTH)] {
        for name in pool {
            let known = names.get(&name.to_lowercase()).unwrap();
            assert!(known.gender == gender && !known.is_word, "{name}");
        }
    }
    let lexicon = judge.resources().lexicon().unwrap();
    assert_eq!(short_forms(&lexicon, FEMALE.iter().chain(&MALE).chain(&BOTH).copied()), []);
    let mut random = SplitMix::new(20);
    let mut named: Vec<(String, String)> = pairs(4);
    let n_all = named.len();
    named.retain(|(source, target)| {
        let is_other = is_called_after(source) || is_called_after(target);
        let own = names_of(&names, [source, target]);
        // Sentences of longer texts are found by how rare their words are, names included.
        let is_one = [source, target].iter().all(|text| English::cut(text).len() == 1);
        !is_other && is_one && !own.is_empty() && short_forms(&lexicon, own.into_keys()).is_empty()
    });
    let before = judge_all(&judge, &named);
    let (mut n_verdicts, mut n_numbers) = (0, 0);
    let mut wrong = Vec::new();
    for _ in 0..TIMES {
        let renamed: Vec<(String, String)> = named
            .iter()
            .map(|(source, target)| {
                let new = exchange(&mut random, &names_of(&names, [source, target]), [source, target]);
                (exchanged(source, &new), exchanged(target, &new))
            })
            .collect();
        for ((pair, before), after) in renamed.iter().zip(&before).zip(judge_all(&judge, &renamed)) {
            n_verdicts += usize::from(before.relation != after.relation);
            if bits(before) != bits(&after) {
                n_numbers += 1;
                wrong.push(pair.clone());
            }
        }
    }
    let n_named = named.len();
    println!("{n_named} of {n_all} pairs have a name; {TIMES} times exchanged:");
    println!("{n_verdicts} verdicts and {n_numbers} probabilities differ");
    assert!(n_named > 300, "{n_named}");
    assert!(wrong.is_empty(), "{} of {}: {:?}", wrong.len(), TIMES * n_named, &wrong[..wrong.len().min(20)]);
}

fn judged(judge: &JudgementModel, pairs: &[[&str; 2]]) -> Vec<Judged> {
    let pairs: Vec<(String, String)> = pairs.iter().map(|[a, b]| ((*a).to_owned(), (*b).to_owned())).collect();
    judge_all(judge, &pairs)
}

#[test]
fn short_forms_of_names_are_told_from_other_names() {
    let judge = JudgementModel::bundled(&Resources::bundled()).unwrap();
    let found = judged(
        &judge,
        &[
            ["Bob left early.", "Robert left early."],
            ["Mike left early.", "Michael left early."],
            ["Michael left early.", "Mike left early."],
            ["Kwame left early.", "Michael left early."],
        ],
    );
    assert_eq!(bits(&found[0]), bits(&found[1]));
    assert_eq!(bits(&found[0])[0], bits(&found[2])[0]);
    assert!(found[0].probabilities[0] > found[3].probabilities[0] + 0.2, "{found:?}");
}

/// One text is the other with its names exchanged: neither follows from the other any more than the
/// other way round.
#[test]
fn texts_that_only_exchange_names_are_the_same_from_either_side() {
    let judge = JudgementModel::bundled(&Resources::bundled()).unwrap();
    let pairs = [
        ["Eva texted Ana.", "Ana texted Eva."],
        ["Wei called Ahmed.", "Wei called Malik."],
        ["Tom met Luc, then Wei.", "Luc met Wei, then Tom."],
        ["Tom met Luc.", "Luc met Wei."],
    ];
    for (pair, found) in pairs.iter().zip(judged(&judge, &pairs)) {
        let [_, forward, backward, ..] = found.probabilities;
        let turned = &judged(&judge, &[[pair[1], pair[0]]])[0];
        assert_eq!(turned.probabilities.map(f64::to_bits)[1..3], [backward.to_bits(), forward.to_bits()], "{pair:?}");
    }
    let [_, forward, backward, ..] = judged(&judge, &pairs)[0].probabilities;
    assert_eq!(forward.to_bits(), backward.to_bits());
}

#[test]
fn explanations_show_the_names_of_the_texts() {
    let judge = JudgementModel::bundled(&Resources::bundled()).unwrap();
    let model: &dyn PairModel = &judge;
    let [source, target] = ["Zeynep's brother sold the car to Wei.", "Wei bought Aoife's car."];
    let explained = model.explain_one(source, target, usize::MAX).unwrap();
    let mut n_places = 0;
    for leaf in explained.explanation.leaves() {
        let What::Phrase { source: a, target: b } = &leaf.what else { continue };
        for place in &leaf.places {
            for (text, words, spans) in [(source, a, &place.source), (target, b, &place.target)] {
                let shown: Vec<&str> = spans.iter().map(|span| &text[span.range()]).collect();
                assert_eq!(words.clone().unwrap_or_default(), shown.join(" "));
                n_places += shown.len();
            }
        }
    }
    assert!(n_places > 5, "{n_places}");
}
