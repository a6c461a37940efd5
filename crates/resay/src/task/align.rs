//! Learning to align: a file of aligned pairs to an aligner, and an aligner against a file of them.

use super::train::{Progress, Stage};
use crate::align::{AlignExample, Decode, Settings, chunks, fit, synthesise};
use crate::data::{AlignedPair, AlignedPairs};
use crate::eval::alignment::{Counts, Part};
use crate::eval::blocks::Link;
use crate::model::{AlignModel, AlignedText, lexicon_for};
use crate::text::{Analysis, EnglishScratch};
use crate::{Error, Result, bundled};
use rayon::prelude::*;

/// How to learn.
#[derive(Clone, Debug)]
pub struct AlignOptions {
    /// What the aligner looks at and how it learns.
    pub settings: Settings,
    /// Learn from possible links too, as if they were sure.
    pub possible: bool,
    /// Fill the blocks of chunks that are linked word by word, so that there are phrases to learn.
    pub synthesise: bool,
}

impl AlignOptions {
    /// Sure links as they are.
    pub fn new(settings: Settings) -> Self {
        Self { settings, possible: false, synthesise: false }
    }
}

/// The gold links of a pair, sorted.
pub fn gold(pair: &AlignedPair, possible: bool) -> Vec<Link> {
    let possible = if possible { &pair.possible[..] } else { &[] };
    let mut links: Vec<Link> = pair.sure.iter().chain(possible).map(|&link| link.into()).collect();
    links.sort_unstable();
    links
}

/// The two sentences of a pair, with no layer yet.
pub fn sentences(pair: &AlignedPair) -> [Analysis; 2] {
    [&pair.source, &pair.target].map(|words| Analysis::from_forms(words.iter().map(String::as_str)))
}

/// An error for links whose words are not known.
fn check_words(pairs: &AlignedPairs) -> Result<()> {
    match pairs.first_without_words() {
        Some(idx) => Err(pairs.error(idx, "links without words; expected a file that has the sentences as well")),
        None => Ok(()),
    }
}

/// Learns an aligner.
pub fn train_align(pairs: &AlignedPairs, options: &AlignOptions, progress: Progress<'_>) -> Result<AlignModel> {
    check_words(pairs)?;
    let mut layers = options.settings.layers()?;
    layers.chunks |= options.synthesise;
    progress(Stage::Annotate, 0, pairs.len());
    let (english, lexicon) = rayon::join(|| bundled::english(layers), || lexicon_for(&options.settings.features));
    let (english, lexicon) = (english?, lexicon?);
    let annotate = |scratch: &mut EnglishScratch, pair: &AlignedPair| {
        let mut both = sentences(pair);
        english.fill_all(&mut both, scratch);
        let mut links = gold(pair, options.possible);
        if options.synthesise {
            links = synthesise(&links, &chunks(&both[0]), &chunks(&both[1]));
        }
        (both, links)
    };
    let annotated: Vec<([Analysis; 2], Vec<Link>)> =
        pairs.pairs.par_iter().map_init(EnglishScratch::default, annotate).collect();
    progress(Stage::Features, 0, 1);
    let examples: Vec<AlignExample<'_>> =
        annotated.iter().map(|(both, links)| AlignExample { source: &both[0], target: &both[1], links }).collect();
    let n_links = examples.iter().map(|example| example.links.len()).sum();
    if n_links == 0 {
        return Err(Error::file(&pairs.name, "no pair has a link, expected some to learn from"));
    }
    let steps = |done, total| progress(Stage::Train, done, total);
    let (aligner, fitted) = fit(&examples, &lexicon, &options.settings, &steps)?;
    AlignModel::new(aligner, &fitted, &pairs.name, pairs.len(), n_links)
}

/// What an aligner says of aligned pairs, in order; their links are not looked at.
pub fn align_pairs(model: &AlignModel, pairs: &AlignedPairs, decode: Decode) -> Result<Vec<AlignedText>> {
    check_words(pairs)?;
    model.align_all(&pairs.pairs, sentences, decode)
}

/// Links that were found against those of the file, for one part of them, pair by pair.
pub fn align_counts(pairs: &AlignedPairs, found: &[Vec<Link>], part: Part, possible: bool) -> Vec<Counts> {
    let of_pair = |(pair, found): (&AlignedPair, &Vec<Link>)| {
        part.count(found, &gold(pair, possible), |link| pair.is_identical(link.into()))
    };
    pairs.pairs.iter().zip(found).map(of_pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::AnyModel;
    use crate::pack::Container;

    /// Sixty pairs in which the same words are linked, some also by a possible link.
    fn pairs() -> AlignedPairs {
        let mut lines = String::new();
        for (at, animal) in ["dog", "cat", "horse", "cow", "bird", "mouse"].iter().cycle().take(60).enumerate() {
            let food = ["bread", "hay", "fish", "grass"][at % 4];
            let line = format!(
                "{{\"source\": \"the {animal} ate {food} today\", \"target\": \"a {animal} eats {food}\", \
                 \"sureAlign\": \"1-1 2-2 3-3\", \"possibleAlign\": \"0-0\"}}\n"
            );
            lines += &line;
        }
        AlignedPairs::from_reader("pairs.json", lines.as_bytes(), None).unwrap()
    }

    fn options() -> AlignOptions {
        let features = ["bias", "string", "lemma", "distortion"].map(str::to_owned).to_vec();
        AlignOptions::new(Settings { features, max_steps: 15, ..Settings::tokens() })
    }

    #[test]
    fn what_is_learned_is_found_again_after_it_was_saved() {
        let pairs = pairs();
        let mut model = train_align(&pairs, &options(), &|_, _, _| {}).unwrap();
        model.set_note("made up");
        let about = model.about().clone();
        assert_eq!((about.n_pairs, about.n_links, about.n_held_back, about.data.as_str()), (60, 180, 12, "pairs.json"));
        assert!(about.held_out.is_some_and(|f1| f1 > 0.9), "{about:?}");
        let bytes = model.to_bytes().unwrap();
        let again = AlignModel::from_bytes("m.resay", &bytes).unwrap();
        assert_eq!(again.to_bytes().unwrap(), bytes);
        assert_eq!(*again.about(), about);
        let found = align_pairs(&again, &pairs, Decode::Confident(None)).unwrap();
        let before = align_pairs(&model, &pairs, Decode::Confident(None)).unwrap();
        assert!(found.iter().zip(&before).all(|(a, b)| a.alignment == b.alignment));
        let one = again.align("the horse ate fish today", "a horse eats fish", Decode::Confident(None)).unwrap();
        assert_eq!(one.alignment, found[2].alignment);
        let links: Vec<Vec<Link>> = found.iter().map(|found| found.alignment.pairs()).collect();
        let counts = align_counts(&pairs, &links, Part::All, false);
        assert!(counts.iter().filter(|counts| counts.is_exact()).count() >= 55, "{counts:?}");
        let path = std::env::temp_dir().join(format!("resay-align-{}.resay", std::process::id()));
        model.save(&path).unwrap();
        let opened = crate::model::open(&path);
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(opened, Ok(AnyModel::Align(_))));
    }

    #[test]
    fn damaged_models_are_refused() {
        let model = train_align(&pairs(), &options(), &|_, _, _| {}).unwrap();
        let bytes = model.to_bytes().unwrap();
        for cut in [10, bytes.len() / 2, bytes.len() - 1] {
            assert!(AlignModel::from_bytes("m.resay", &bytes[..cut]).is_err(), "{cut}");
        }
        let check = |about: crate::model::AlignAbout, weights: Vec<u8>, expected: &str| {
            let mut container = Container::new(about);
            container.push("weights", weights);
            let bytes = container.pack().unwrap();
            let error = AlignModel::from_bytes("m.resay", &bytes).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        let about = model.about().clone();
        let features = vec!["magic".to_owned()];
        check(crate::model::AlignAbout { features, ..about.clone() }, vec![0], "no features are named 'magic'");
        check(crate::model::AlignAbout { threshold: 7.0, ..about.clone() }, vec![0], "threshold is 7");
        check(crate::model::AlignAbout { longest: 0, ..about.clone() }, vec![0], "phrases of at most 0");
        check(
            crate::model::AlignAbout { task: "topics".to_owned(), ..about.clone() },
            vec![0],
            "a model of task topics",
        );
        check(about.clone(), vec![200], "m.resay");
        let mut unknown = vec![1, 4];
        unknown.extend(b"what");
        unknown.extend([0; 8]);
        check(about.clone(), unknown, "no feature is named 'what'");
        let mut infinite = vec![1, 18];
        infinite.extend(b"bias: link content");
        infinite.extend(f32::INFINITY.to_le_bytes());
        infinite.extend([0; 4]);
        check(about, infinite, "");
    }

    #[test]
    fn what_cannot_be_learned_from_is_refused() {
        let check = |lines: &str, expected: &str| {
            let pairs = AlignedPairs::from_reader("p", lines.as_bytes(), None).unwrap();
            let error = train_align(&pairs, &options(), &|_, _, _| {}).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        check("0-0 1-1\n\n0-0\n", "p:1: links without words");
        check("{\"source\": \"a\", \"target\": \"b\", \"sureAlign\": \"\"}", "no pair has a link");
    }

    #[test]
    fn possible_links_count_if_they_are_asked_for() {
        let pairs = pairs();
        assert_eq!(gold(&pairs.pairs[0], false), [(1, 1), (2, 2), (3, 3)]);
        assert_eq!(gold(&pairs.pairs[0], true), [(0, 0), (1, 1), (2, 2), (3, 3)]);
        let found = vec![vec![(0, 0), (1, 1)]; 60];
        let right = |possible| align_counts(&pairs, &found, Part::All, possible)[0];
        assert_eq!((right(false).precision(), right(true).precision()), (0.5, 1.0));
        let (third, rest) = pairs.split_by(|idx| idx % 3 == 0);
        assert_eq!((third.len(), rest.len()), (20, 40));
        assert_eq!(rest.error(2, "x").to_string(), "pairs.json:5: x");
    }
}
