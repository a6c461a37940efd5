//! Every feature of a learned model has its words here and its code in files, and the one never
//! depends on the other. The golden lists pin both: a text that changes shows in review, and a code
//! that changes would break files.

#![allow(clippy::unwrap_used, reason = "a test helper may fail the test")]

use resay::align::{AlignSettings, Aligner, Fitted, LbfgsStop, feature_templates};
use resay::id::{AlignFeature, OverlapMeasure};
use resay::latent::names::{Alphabet, NameFeatures, NameMachine, Scale, Templates};
use resay::latent::sentences::{AlignmentConstraints, Catalogue, SentencePairs, Shape};
use resay::model::{
    AlignAbout, AlignModel, AnswerCalibration, Header, LatentAbout, LatentDetails, LatentTrained, ModelKind, Response,
    Versions,
};
use resay::resources::Resources;
use resay_learn::calibrate::Platt;
use resay_learn::progress::Progress;
use resay_text::container::{Container, SectionReader, put, put_str};
use resay_text::{EnglishScratch, Layers};
use resay_view::wording;
use std::collections::BTreeSet;

/// Rows of a golden list: what a file holds, and the words.
fn golden(list: &str) -> impl Iterator<Item = (&str, &str)> {
    list.lines().map(|line| line.split_once('\t').unwrap())
}

/// All features of the aligner.
fn all() -> AlignSettings {
    let features = feature_templates().map(|(name, _)| name.to_owned()).collect();
    AlignSettings { features, ..AlignSettings::phrases() }
}

#[test]
fn features_of_the_aligner_keep_their_codes_and_words() {
    let features = all().feature_ids().unwrap();
    let mut golden = golden(include_str!("golden/align.tsv"));
    for feature in &features {
        let (code, text) = golden.next().unwrap();
        assert_eq!((feature.code().to_string().as_str(), wording::align_feature(*feature).as_str()), (code, text));
        assert_eq!(AlignFeature::from_code(code.parse().unwrap()), Ok(*feature));
    }
    assert_eq!(golden.next(), None);
    let texts: BTreeSet<String> = features.iter().map(|feature| wording::align_feature(*feature)).collect();
    assert_eq!(texts.len(), features.len(), "two features of one name");
}

#[test]
fn features_of_latent_alignments_keep_their_codes_and_words() {
    let mut bytes = Vec::new();
    put(&mut bytes, 3);
    ["nsubj", "obj", "PER"].iter().for_each(|label| put_str(&mut bytes, label));
    let rows: Vec<(&str, &str)> = golden(include_str!("golden/latent.tsv")).collect();
    put(&mut bytes, rows.len() as u64);
    for (numbers, _) in &rows {
        numbers.split(' ').for_each(|number| put(&mut bytes, number.parse().unwrap()));
    }
    let catalogue = Catalogue::read(&mut SectionReader::new("m.resay", "features", &bytes)).unwrap();
    for (number, (code, text)) in (0..).zip(rows) {
        assert_eq!(wording::latent_feature(&catalogue.feature(number).unwrap()), text, "{code}");
    }
}

#[test]
fn features_of_names_keep_their_keys_and_words() {
    let alphabets = ["ab", "כס"].map(|text| Alphabet::new(text.chars()).unwrap());
    let mut features = NameFeatures::new(Templates::from_bits(0x7fff).unwrap());
    let rows: Vec<(&str, &str)> = golden(include_str!("golden/names.tsv")).collect();
    rows.iter().for_each(|(key, _)| _ = features.add(key.parse().unwrap()));
    let weights = vec![0.5; rows.len()];
    let machine = NameMachine::new(alphabets, features, Scale::One, weights, None).unwrap();
    for (number, (key, text)) in (0..).zip(rows) {
        assert_eq!(wording::name_feature(machine.feature(number).unwrap()), text, "{key}");
    }
}

#[test]
fn measures_of_overlap() {
    let check = |measure, expected: &str| assert_eq!(wording::overlap_measure(measure), expected);
    check(OverlapMeasure::Precision, "precision: share of the target's words that the source has");
    check(OverlapMeasure::Recall, "recall: share of the source's words that the target has");
    check(OverlapMeasure::RareWords, "rare words: share of the source's words, weighed by rarity, that the target has");
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

/// A renamed label leaves old models readable: none is in the file.
#[test]
fn no_words_of_features_are_in_a_model_that_aligns() {
    let n_features = all().feature_ids().unwrap().len();
    let aligner = Aligner::new(all(), vec![0.5; n_features], vec![-0.25; n_features], 0.5).unwrap();
    // The first of two passes has weights of its own.
    let n_first = aligner.first_weights().count();
    let aligner = aligner.with_first(vec![0.75; n_first], vec![-1.0; n_first]).unwrap();
    let fitted = Fitted { n_steps: 1, tried: Vec::new(), n_held_back: 0, stops: [LbfgsStop::Converged; 2] };
    let model = AlignModel::new(aligner, &fitted, "pairs.json", (1, 1), &Resources::bundled()).unwrap();
    let bytes = model.to_bytes().unwrap();
    let container = Container::<AlignAbout>::unpack("m.resay", &bytes).unwrap();
    assert_eq!(container.n_sections(), 2);
    let sections = ["weights", "first"].map(|name| container.section("m.resay", name).unwrap());
    let texts: Vec<String> = model.aligner().weights().map(|(feature, _)| wording::align_feature(feature)).collect();
    assert_eq!(texts.len(), n_features);
    let words: BTreeSet<&str> = texts.iter().flat_map(|text| text.split(' ')).filter(|word| word.len() > 3).collect();
    assert!(words.len() > 50, "{words:?}");
    for text in texts.iter().map(String::as_str).chain(words) {
        assert!(sections.iter().all(|section| !holds(section, text)), "{text}");
    }
    let again = AlignModel::from_bytes("m.resay", &bytes, &Resources::bundled()).unwrap();
    assert!(again.aligner().weights().eq(model.aligner().weights()));
    assert!(n_first > 0 && again.aligner().first_weights().eq(model.aligner().first_weights()));
}

#[test]
fn no_words_of_features_are_in_a_model_over_latent_alignments() {
    let resources = Resources::bundled();
    let english = resources.english(Layers { chunks: false, ..Layers::ALL }).unwrap();
    let lexicon = resources.lexicon_with_vectors().unwrap();
    let text = |text: &str| english.text(text, &mut EnglishScratch::default());
    let pairs = [
        [text("Anna sold 12 old boats in Lima."), text("In Lima, 13 boats were not bought by Anna.")],
        [text("The cat chased a small dog."), text("A small dog chased the animal!")],
    ];
    for shape in [Shape::Both, Shape::Target] {
        let described = SentencePairs::new(&pairs, vec![true; 2], &lexicon, shape, Progress::none()).unwrap();
        let catalogue = described.catalogue().clone();
        let texts: Vec<String> = (0..catalogue.len() as u32)
            .map(|number| wording::latent_feature(&catalogue.feature(number).unwrap()))
            .collect();
        assert!(texts.len() > 40, "{texts:?}");
        let header = Header {
            kind: ModelKind::Latent,
            task: "paraphrase".to_owned(),
            response: Response::Binary { labels: ["0".to_owned(), "1".to_owned()] },
            learner: "latent".to_owned(),
            data: "pairs.tsv".to_owned(),
            n_examples: 2,
            counts: vec![0, 2],
            cost: Some(0.01),
            search: Vec::new(),
            measure: "accuracy".to_owned(),
            held_out: Some(0.5),
            folds: None,
            merged: Vec::new(),
            sure: None,
            from: None,
            stop: "converged".to_owned(),
            versions: Versions::default(),
            licence: String::new(),
            note: String::new(),
        };
        let details = LatentDetails {
            shape,
            n_features: catalogue.len(),
            objectives: Vec::new(),
            gap: 0.0,
            constraints: AlignmentConstraints::default(),
        };
        let about = LatentAbout { header, details };
        let weights = vec![vec![0.5; catalogue.len()]];
        let calibration = AnswerCalibration::Binary(Platt { slope: 1.0, intercept: 0.0 });
        let bytes = LatentTrained { about, catalogue, weights, inference: None, calibration }.to_bytes().unwrap();
        let container = Container::<LatentAbout>::unpack("m.resay", &bytes).unwrap();
        assert_eq!(container.n_sections(), 3);
        for name in ["head", "features", "weights"] {
            let section = container.section("m.resay", name).unwrap();
            assert!(!texts.iter().any(|text| holds(section, text)), "{name}");
        }
        let again = LatentTrained::from_bytes("m.resay", &bytes).unwrap();
        let read = (0..).zip(&texts).all(|(number, text)| {
            again.catalogue.feature(number).is_some_and(|feature| wording::latent_feature(&feature) == *text)
        });
        assert!(read);
    }
}
