//! Trains an aligner on aligned pairs, and evaluates an aligner against gold alignments.

use crate::align::{AlignExample, AlignSettings, Decode, chunks, fit, synthesise};
use crate::data::{AlignedPair, AlignedPairs};
use crate::model::{AlignModel, AlignedText, lexicon_for};
use crate::resources::Resources;
use crate::{Error, Result};
use rayon::prelude::*;
use resay_learn::eval::alignment::{Counts, LinkSubset};
use resay_learn::eval::blocks::WordLink;
use resay_learn::progress::{Progress, Stage};
use resay_text::{Analysis, EnglishScratch};

/// Training options.
#[derive(Clone, Debug)]
pub struct AlignOptions {
    /// The features of the aligner and its training parameters.
    pub settings: AlignSettings,
    /// Also train on possible links, treated as sure.
    pub possible: bool,
    /// Complete the blocks of chunks that are linked word by word, so that there are phrases to
    /// learn.
    pub synthesise: bool,
}

impl AlignOptions {
    /// Trains on sure links only, without completed blocks.
    pub fn new(settings: AlignSettings) -> Self {
        Self { settings, possible: false, synthesise: false }
    }
}

/// Returns the gold links of a pair, sorted.
pub fn gold(pair: &AlignedPair, possible: bool) -> Vec<WordLink> {
    let possible = if possible { &pair.possible[..] } else { &[] };
    let mut links: Vec<WordLink> = pair.sure.iter().chain(possible).map(|&link| link.into()).collect();
    links.sort_unstable();
    links
}

/// Returns the two sentences of a pair, without annotation layers.
pub fn sentences(pair: &AlignedPair) -> [Analysis; 2] {
    [&pair.source, &pair.target].map(|words| Analysis::from_forms(words.iter().map(String::as_str)))
}

/// Returns an error if a pair has links but no words.
fn check_words(pairs: &AlignedPairs) -> Result<()> {
    match pairs.first_without_words() {
        Some(idx) => Err(pairs.error(idx, "links without words; expected a file that has the sentences as well")),
        None => Ok(()),
    }
}

/// Trains an aligner.
pub fn train_align(
    pairs: &AlignedPairs,
    options: &AlignOptions,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<AlignModel> {
    resources.threads().run(|| learn_align(pairs, options, resources, progress))?
}

fn learn_align(
    pairs: &AlignedPairs,
    options: &AlignOptions,
    resources: &Resources,
    progress: Progress<'_>,
) -> Result<AlignModel> {
    check_words(pairs)?;
    let mut layers = options.settings.layers()?;
    layers.chunks |= options.synthesise;
    progress.report(Stage::Annotate, 0, pairs.len())?;
    let english = resources.english(layers)?;
    let lexicon = lexicon_for(&options.settings.features, resources)?;
    let annotate = |scratch: &mut EnglishScratch, pair: &AlignedPair| {
        progress.check()?;
        let mut both = sentences(pair);
        english.fill_all(&mut both, scratch);
        let mut links = gold(pair, options.possible);
        if options.synthesise {
            links = synthesise(&links, &chunks(&both[0]), &chunks(&both[1]));
        }
        Ok((both, links))
    };
    let annotated: Vec<([Analysis; 2], Vec<WordLink>)> =
        pairs.rows.par_iter().map_init(EnglishScratch::default, annotate).collect::<Result<_>>()?;
    progress.report(Stage::Features, 0, 1)?;
    let examples: Vec<AlignExample<'_>> =
        annotated.iter().map(|(both, links)| AlignExample { source: &both[0], target: &both[1], links }).collect();
    let n_links = examples.iter().map(|example| example.links.len()).sum();
    if n_links == 0 {
        return Err(Error::file(&pairs.name, "no pair has a link, expected some to learn from"));
    }
    let (aligner, fitted) = fit(&examples, &lexicon, &options.settings, progress)?;
    AlignModel::new(aligner, &fitted, &pairs.name, (pairs.len(), n_links), resources)
}

/// Predicts the links of each pair, in order. The gold links are not used.
pub fn align_pairs(
    model: &AlignModel,
    pairs: &AlignedPairs,
    decode: Decode,
    progress: Progress<'_>,
) -> Result<Vec<AlignedText>> {
    check_words(pairs)?;
    let aligned = model.align_all(&pairs.rows, sentences, decode, progress)?.into_iter().enumerate();
    aligned.map(|(idx, result)| result.map_err(|error| pairs.error(idx, error.to_string()))).collect()
}

/// Compares predicted with gold links and returns the counts per pair, restricted to one subset of
/// links.
pub fn align_counts(pairs: &AlignedPairs, found: &[Vec<WordLink>], part: LinkSubset, possible: bool) -> Vec<Counts> {
    let of_pair = |(pair, found): (&AlignedPair, &Vec<WordLink>)| {
        part.count(found, &gold(pair, possible), |link| pair.is_identical(link.into()))
    };
    pairs.rows.iter().zip(found).map(of_pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{AlignFeature, WordClassPair};
    use crate::model::{AlignAbout, AnyModel, ModelKind};
    use resay_text::container::{Container, put};

    /// Sixty pairs in which identical words are linked, some also by a possible link.
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
        AlignOptions::new(AlignSettings { features, max_steps: 15, ..AlignSettings::tokens() })
    }

    #[test]
    fn what_is_learned_is_found_again_after_it_was_saved() {
        let pairs = pairs();
        let resources = Resources::bundled();
        let mut model = train_align(&pairs, &options(), &resources, Progress::none()).unwrap();
        model.header_mut().note = "made up".to_owned();
        let about = model.about().clone();
        let AlignAbout { header, details } = &about;
        let counts = (header.n_examples, details.n_links, details.n_held_back);
        assert_eq!((counts, header.data.as_str(), header.note.as_str()), ((60, 180, 12), "pairs.json", "made up"));
        assert!(header.held_out.is_some_and(|f1| f1 > 0.9), "{about:?}");
        let bytes = model.to_bytes().unwrap();
        let again = AlignModel::from_bytes("m.resay", &bytes, &resources).unwrap();
        assert_eq!(again.to_bytes().unwrap(), bytes);
        assert_eq!(*again.about(), about);
        let found = align_pairs(&again, &pairs, Decode::Confident(None), Progress::none()).unwrap();
        let before = align_pairs(&model, &pairs, Decode::Confident(None), Progress::none()).unwrap();
        assert!(found.iter().zip(&before).all(|(a, b)| a.alignment == b.alignment));
        let one = again.align("the horse ate fish today", "a horse eats fish", Decode::Confident(None)).unwrap();
        assert_eq!(one.alignment, found[2].alignment);
        let links: Vec<Vec<WordLink>> = found.iter().map(|found| found.alignment.pairs()).collect();
        let counts = align_counts(&pairs, &links, LinkSubset::All, false);
        assert!(counts.iter().filter(|counts| counts.is_exact()).count() >= 55, "{counts:?}");
        let path = std::env::temp_dir().join(format!("resay-align-{}.resay", std::process::id()));
        model.save(&path).unwrap();
        let opened = AnyModel::open(&path, &resources);
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(opened, Ok(AnyModel::Align(_))));
    }

    #[test]
    fn damaged_models_are_refused() {
        let resources = Resources::bundled();
        let model = train_align(&pairs(), &options(), &resources, Progress::none()).unwrap();
        let bytes = model.to_bytes().unwrap();
        for cut in [10, bytes.len() / 2, bytes.len() - 1] {
            assert!(AlignModel::from_bytes("m.resay", &bytes[..cut], &resources).is_err(), "{cut}");
        }
        let check = |change: &dyn Fn(&mut AlignAbout), weights: Vec<u8>, expected: &str| {
            let mut about = model.about().clone();
            change(&mut about);
            let mut container = Container::new(about);
            container.push("weights", weights);
            let bytes = container.pack().unwrap();
            let error = AlignModel::from_bytes("m.resay", &bytes, &resources).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        let features =
            |features: &'static str| move |about: &mut AlignAbout| about.details.features = vec![features.to_owned()];
        check(&features("magic"), vec![0], "no features are named 'magic'");
        check(&|about| about.details.threshold = 7.0, vec![0], "threshold is 7");
        check(&|about| about.details.longest = 0, vec![0], "phrases of at most 0");
        let other = "a model that sorts documents (task align), expected a model that aligns";
        check(&|about| about.header.kind = ModelKind::Topics, vec![0], other);
        let same = |_: &mut AlignAbout| {};
        check(&same, vec![200], "m.resay");
        let one = |code: u64, weight: f32| {
            let mut bytes = vec![1];
            put(&mut bytes, code);
            bytes.extend([weight, 0.0].iter().flat_map(|weight| weight.to_le_bytes()));
            bytes
        };
        check(&same, one(0x63, 0.0), "no feature has the code 0x63");
        // An old file format stored feature names. The length of the first name is not a valid
        // feature code.
        let mut named = vec![1, 18];
        named.extend(b"bias: link content");
        named.extend([0; 8]);
        check(&same, named, "no feature has the code 0x12");
        let marks = AlignFeature::MarkInside.code();
        let expected = "the feature of code 0xa4 is switched off or in the wrong place";
        check(&features("bias"), one(marks, 0.5), expected);
        let link = AlignFeature::Link(WordClassPair::Content).code();
        check(&same, one(link, f32::INFINITY), "weights");
    }

    #[test]
    fn what_cannot_be_learned_from_is_refused() {
        let check = |lines: &str, expected: &str| {
            let pairs = AlignedPairs::from_reader("p", lines.as_bytes(), None).unwrap();
            let trained = train_align(&pairs, &options(), &Resources::bundled(), Progress::none());
            let error = trained.unwrap_err().to_string();
            assert!(error.contains(expected), "{error}, expected {expected}");
        };
        check("0-0 1-1\n\n0-0\n", "p:1: links without words");
        check("{\"source\": \"a\", \"target\": \"b\", \"sureAlign\": \"\"}", "no pair has a link");
    }

    #[test]
    fn possible_links_count_if_they_are_asked_for() {
        let pairs = pairs();
        assert_eq!(gold(&pairs.rows[0], false), [(1, 1), (2, 2), (3, 3)]);
        assert_eq!(gold(&pairs.rows[0], true), [(0, 0), (1, 1), (2, 2), (3, 3)]);
        let found = vec![vec![(0, 0), (1, 1)]; 60];
        let right = |possible| align_counts(&pairs, &found, LinkSubset::All, possible)[0];
        assert_eq!((right(false).precision(), right(true).precision()), (0.5, 1.0));
        let (third, rest) = pairs.split_by(|idx| idx % 3 == 0);
        assert_eq!((third.len(), rest.len()), (20, 40));
        assert_eq!(rest.error(2, "x").to_string(), "pairs.json:5: x");
    }
}
