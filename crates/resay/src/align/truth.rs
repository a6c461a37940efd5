//! The aligner against its definition: lists every segmentation of small pairs and scores each
//! feature by feature, without tables and lattices; checks gradients against finite differences.

#![allow(clippy::unwrap_used, reason = "a test helper may fail the test")]

use super::compared::WordMatrix;
use super::crf::{Costs, TrainingPair, objective};
use super::features::{Catalogue, Stretch, View};
use super::first::FirstPass;
use super::settings::FIRST_PASS;
use super::table::{Direction, Row, Shapes, Table, second_row};
use super::{AlignExample, AlignScratch, AlignSettings, Aligner, Decode, fit};
use crate::explain::What;
use crate::id::{AlignFeature, Jump};
use crate::resources::Resources;
use resay_learn::eval::blocks::WordLink;
use resay_learn::progress::Progress;
use resay_learn::progress::testing::stops;
use resay_learn::rng::SplitMix;
use resay_text::lexicon::Lexicon;
use resay_text::{Analysis, EnglishScratch, Layers};

/// Annotates made-up sentences with all layers.
pub(super) fn corpus(texts: &[(&str, &str)]) -> Vec<(Analysis, Analysis)> {
    let english = Resources::bundled().english(Layers::ALL).unwrap();
    let annotate = |text: &str| {
        let mut analysis = Analysis::from_forms(text.split_whitespace());
        english.fill(&mut analysis, &mut EnglishScratch::default());
        analysis
    };
    texts.iter().map(|(source, target)| (annotate(source), annotate(target))).collect()
}

const SMALL: [(&str, &str); 6] = [
    ("the dog barked", "a dog barks"),
    ("John shouted loudly", "Jack cried"),
    ("UN approved it", "United Nations agreed"),
    ("web site opened", "the website"),
    ("rain", "heavy rain fell"),
    ("he paid 20 dollars", "20 dollars"),
];

fn settings(longest: usize) -> AlignSettings {
    AlignSettings { longest, ..AlignSettings::phrases() }
}

fn two_passes(longest: usize) -> AlignSettings {
    let mut settings = settings(longest);
    settings.features.push(FIRST_PASS.to_owned());
    settings
}

fn random_weights(n: usize, seed: u64) -> Vec<f64> {
    let mut random = SplitMix::new(seed);
    (0..n).map(|_| (random.below(2001) as f64 - 1000.0) / 1000.0).collect()
}

/// A segment of words on a span of others, or unaligned.
type Piece = (usize, usize, Option<(usize, usize)>);

/// Returns every way to cut `n` words into segments of at most `longest` words and put each on a
/// span of `m` words; unaligned words are segments by themselves.
fn segmentations(n: usize, m: usize, longest: usize) -> Vec<Vec<Piece>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for len in 1..=longest.min(n) {
        for rest in segmentations(n - len, m, longest) {
            let mut spans: Vec<Option<(usize, usize)>> = if len == 1 { vec![None] } else { Vec::new() };
            for width in 1..=longest.min(m) {
                spans.extend((0..=m - width).map(|start| Some((start, width))));
            }
            for span in spans {
                let mut longer = rest.clone();
                longer.push((n - len, len, span));
                all.push(longer);
            }
        }
    }
    all
}

/// Scores a segmentation by the ids of its features.
fn score(
    catalogue: &Catalogue,
    pair: &WordMatrix,
    first: Option<&FirstPass>,
    weights: &[f64],
    direction: Direction,
    n_spans: usize,
    pieces: &[Piece],
) -> f64 {
    let weight = |id: AlignFeature| weights[catalogue.features().iter().position(|known| *known == id).unwrap()];
    let second = |row: Row, list: &mut Vec<(u16, f32)>| {
        if let Some(first) = first {
            second_row(catalogue, pair, first, row, list);
        }
    };
    let words = |i: usize, j: usize, list: &mut Vec<(u16, f32)>| {
        catalogue.words(pair, i, j, list);
        second(Row::Words(i, j), list);
    };
    let mut sum = 0.0;
    let mut before: Option<Option<(usize, usize)>> = None;
    for &(start, len, span) in pieces {
        let mut list = Vec::new();
        match span {
            None => {
                catalogue.null(&View { pair, is_turned: direction == Direction::Backward }, start, &mut list);
                second(Row::Alone(direction, start), &mut list);
            }
            Some((on, width)) => {
                let ((source, n_source), (target, n_target)) = direction.turn((start, len), (on, width));
                let stretch = Stretch { source, n_source, target, n_target };
                if n_source == 1 && n_target == 1 {
                    words(source, target, &mut list);
                } else {
                    let mut members = Vec::new();
                    stretch.members(pair, &mut members);
                    members.iter().for_each(|&(i, j)| words(i, j, &mut list));
                    catalogue.phrase(pair, stretch, &members, &mut list);
                    second(Row::Phrase(stretch), &mut list);
                }
            }
        }
        sum += list.iter().map(|(id, value)| weights[*id as usize] * f64::from(*value)).sum::<f64>();
        sum += match (before, span) {
            (None, None) => weight(AlignFeature::StartsAlone),
            (None, Some(_)) => weight(AlignFeature::StartsLinked),
            (Some(None), None) => weight(AlignFeature::AloneAfterAlone),
            (Some(None), Some(_)) => weight(AlignFeature::LinkedAfterAlone),
            (Some(Some(_)), None) => weight(AlignFeature::AloneAfterLinked),
            (Some(Some((from, width))), Some((to, _))) => {
                let jump = to as i64 - (from + width - 1) as i64;
                let share = (jump - 1).abs() as f64 / n_spans as f64;
                weight(AlignFeature::Step(Jump::By(jump as i8))) + share * weight(AlignFeature::StepShare)
            }
        };
        before = Some(span);
    }
    sum
}

/// Returns what the first pass finds under these weights, from the list of all its segmentations.
fn first_pass(catalogue: &Catalogue, pair: &WordMatrix, weights: [&[f64]; 2]) -> FirstPass {
    let (n, m) = (pair.source.len(), pair.target.len());
    let mut directions = [vec![0.0; n * m], vec![0.0; n * m]];
    let mut alone = [vec![0.0; n], vec![0.0; m]];
    for direction in Direction::BOTH {
        let at = direction as usize;
        let (n_words, n_spans) = direction.turn(n, m);
        let all = segmentations(n_words, n_spans, 1);
        let of = |pieces: &Vec<Piece>| score(catalogue, pair, None, weights[at], direction, n_spans, pieces).exp();
        let total: f64 = all.iter().map(of).sum();
        for pieces in &all {
            let probability = of(pieces) / total;
            for &(word, _, span) in pieces {
                match span {
                    None => alone[at][word] += probability,
                    Some((on, _)) => {
                        let (i, j) = direction.turn(word, on);
                        directions[at][i * m + j] += probability;
                    }
                }
            }
        }
    }
    let short = |values: Vec<f64>| values.into_iter().map(|value| value as f32).collect();
    FirstPass::from_links(pair, directions.map(short), alone.map(short))
}

#[test]
fn best_scores_and_confidences_are_those_of_the_whole_list() {
    let lexicon = Resources::bundled().lexicon().unwrap();
    for (number, (source, target)) in corpus(&SMALL).iter().enumerate() {
        for (longest, has_two) in [(1, false), (2, false), (3, false), (1, true), (2, true)] {
            let settings = if has_two { two_passes(longest) } else { settings(longest) };
            let catalogue = Catalogue::new(&settings.features).unwrap();
            let weights = [11, 12].map(|seed| random_weights(catalogue.features().len(), seed + number as u64));
            let mut aligner = Aligner::new(settings, weights[0].clone(), weights[1].clone(), 0.4).unwrap();
            let pair = WordMatrix::new(source, target, &lexicon);
            let (n, m) = (source.words.len(), target.words.len());
            let mut first = None;
            if let Some(n_first) = catalogue.second() {
                let weights = [21, 22].map(|seed| random_weights(n_first, seed + number as u64));
                first = Some(first_pass(&catalogue, &pair, [&weights[0], &weights[1]]));
                let [forward, backward] = weights;
                aligner = aligner.with_first(forward, backward).unwrap();
            }
            let mut links = vec![0.0; n * m];
            let mut alone = [vec![0.0; n], vec![0.0; m]];
            let mut normalised = 0.0;
            let mut gains = [0.0; 2];
            for direction in Direction::BOTH {
                let (n_words, n_spans) = direction.turn(n, m);
                let all = segmentations(n_words, n_spans, longest);
                let of = |pieces: &Vec<Piece>| {
                    score(&catalogue, &pair, first.as_ref(), &weights[direction as usize], direction, n_spans, pieces)
                };
                let scores: Vec<f64> = all.iter().map(of).collect();
                let total: f64 = scores.iter().map(|score| score.exp()).sum();
                let (best, highest) =
                    scores.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).map(|(at, s)| (at, *s)).unwrap();
                normalised += 0.5 * highest / all[best].len() as f64;
                let none = all.iter().position(|pieces| pieces.iter().all(|piece| piece.2.is_none())).unwrap();
                gains[direction as usize] = (highest - scores[none]) / n_words as f64;
                let found = aligner
                    .align(&lexicon, source, target, Decode::Best(direction), &mut AlignScratch::default())
                    .unwrap();
                let mut expected: Vec<WordLink> = Vec::new();
                for &(start, len, span) in &all[best] {
                    let Some((on, width)) = span else { continue };
                    for word in start..start + len {
                        expected.extend((on..on + width).map(|on| {
                            let (i, j) = direction.turn(word, on);
                            (i as u32, j as u32)
                        }));
                    }
                }
                expected.sort_unstable();
                assert_eq!(found.pairs(), expected, "pair {number}, longest {longest}, {direction:?}");
                for (pieces, score) in all.iter().zip(&scores) {
                    let probability = score.exp() / total;
                    for &(start, len, span) in pieces {
                        let Some((on, width)) = span else {
                            alone[direction as usize][start] += probability;
                            continue;
                        };
                        for word in start..start + len {
                            for on in on..on + width {
                                let (i, j) = direction.turn(word, on);
                                links[i * m + j] += 0.5 * probability;
                            }
                        }
                    }
                }
            }
            // The lowest threshold gives every link, with its confidence.
            let decode = Decode::Confident(Some(f64::MIN_POSITIVE));
            let found = aligner.align(&lexicon, source, target, decode, &mut AlignScratch::default()).unwrap();
            assert_eq!(found.links.len(), n * m);
            for link in &found.links {
                let expected = links[link.source as usize * m + link.target as usize];
                assert!((link.confidence - expected).abs() < 1e-9, "{link:?}, expected {expected}");
            }
            for (found, expected) in [(&found.source_alone, &alone[0]), (&found.target_alone, &alone[1])] {
                assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?} {expected:?}");
            }
            assert!((found.score() - normalised).abs() < 1e-9);
            assert!(found.gains.iter().zip(gains).all(|(a, b)| (a - b).abs() < 1e-9), "{:?} {gains:?}", found.gains);
        }
    }
}

#[test]
fn gradients_are_those_of_differences() {
    let lexicon = Resources::bundled().lexicon().unwrap();
    let pairs = corpus(&SMALL);
    let gold: [&[WordLink]; 6] = [
        &[(1, 1), (2, 2)],
        &[(0, 0), (1, 1), (2, 1)],
        &[(0, 0), (0, 1), (1, 2)],
        &[(0, 1), (1, 1)],
        &[(0, 1)],
        &[(2, 0), (3, 1), (3, 0), (2, 1)],
    ];
    let catalogue = Catalogue::new(&two_passes(2).features).unwrap();
    let of_first = [31, 32].map(|seed| random_weights(catalogue.second().unwrap(), seed));
    let training_pairs: Vec<TrainingPair> = pairs
        .iter()
        .zip(gold)
        .map(|((source, target), links)| {
            let shapes = Shapes::new(source.words.len(), target.words.len(), 2).unwrap();
            let pair = WordMatrix::new(source, target, &lexicon);
            let first = first_pass(&catalogue, &pair, [&of_first[0], &of_first[1]]);
            TrainingPair::new(Table::new(&catalogue, &pair, Some(&first), shapes), links).unwrap()
        })
        .collect();
    let training_pairs: Vec<&TrainingPair> = training_pairs.iter().collect();
    let costs = Costs { missed: 1.5, extra: 0.75, wrong: 0.5 };
    for direction in Direction::BOTH {
        let mut weights = random_weights(catalogue.features().len(), 5);
        let value = |weights: &[f64], gradient: &mut [f64]| {
            objective(&catalogue, &training_pairs, direction, costs, 0.3, weights, gradient, Progress::none()).unwrap()
        };
        let mut gradient = vec![0.0; weights.len()];
        value(&weights, &mut gradient);
        let mut n_moving = 0;
        for feature in 0..weights.len() {
            let (there, step) = (weights[feature], 1e-5);
            let mut unused = vec![0.0; weights.len()];
            weights[feature] = there + step;
            let above = value(&weights, &mut unused);
            weights[feature] = there - step;
            let below = value(&weights, &mut unused);
            weights[feature] = there;
            let slope = (above - below) / (2.0 * step);
            let id = catalogue.features()[feature];
            assert!((gradient[feature] - slope).abs() < 1e-5, "{id:?}: {} and {slope}", gradient[feature]);
            n_moving += usize::from((gradient[feature] - 0.3 * there).abs() > 1e-6);
        }
        assert!(n_moving > 200, "only {n_moving} features of {} moved", weights.len());
    }
}

#[test]
fn explanations_add_up_to_the_best_score() {
    let lexicon = Resources::bundled().lexicon().unwrap();
    let n_features = two_passes(3).feature_ids().unwrap().len();
    let n_first = two_passes(3).n_first_features().unwrap();
    let aligner = Aligner::new(two_passes(3), random_weights(n_features, 1), random_weights(n_features, 2), 0.5)
        .and_then(|aligner| aligner.with_first(random_weights(n_first, 3), random_weights(n_first, 4)))
        .unwrap();
    let mut n_phrases = 0;
    for (source, target) in &corpus(&SMALL) {
        let explanation = aligner.explain(&lexicon, source, target).unwrap();
        let leaves: f64 = explanation.leaves().iter().map(|leaf| leaf.value).sum();
        assert!((leaves - explanation.value).abs() < 1e-9, "{leaves} {}", explanation.value);
        let forward = aligner
            .align(&lexicon, source, target, Decode::Best(Direction::Forward), &mut AlignScratch::default())
            .unwrap();
        let mut words = Vec::new();
        for part in &explanation.parts {
            let What::Phrase { source: Some(of_source), target: of_target } = &part.what else {
                panic!("not a phrase: {part:?}")
            };
            words.push(of_source.as_str());
            let place = &part.places[0];
            let slice = |analysis: &Analysis, at: usize| {
                let span = [&place.source, &place.target][at].first().copied();
                span.map(|span| analysis.text[span.range()].to_owned())
            };
            assert_eq!(slice(source, 0).as_ref(), Some(of_source));
            assert_eq!(slice(target, 1), *of_target);
            n_phrases += usize::from(of_source.contains(' ') || of_target.as_ref().is_some_and(|t| t.contains(' ')));
        }
        assert_eq!(words.join(" "), &*source.text, "every word of the source once, in order");
        let n_linked = explanation.parts.iter().filter(|part| !part.places[0].target.is_empty()).count();
        assert_eq!(n_linked == 0, forward.links.is_empty());
    }
    assert!(n_phrases > 3, "{n_phrases}");
}

/// Pairs from a small grammar, with their links: a subject and a verb, which may be paraphrased,
/// and an ending that only one side has.
fn made_up(n: usize) -> (Vec<(Analysis, Analysis)>, Vec<Vec<WordLink>>) {
    let mut random = SplitMix::new(3);
    let (mut texts, mut links) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let mut pick = |words: &[&'static str]| words[random.below(words.len())];
        let subject = pick(&["the dog", "a farmer", "the old king", "my sister"]);
        let (verb, other) =
            pick(&["bought/purchased", "saw/saw", "killed/murdered", "sold/sold"]).split_once('/').unwrap();
        let object = pick(&["a car", "the house", "two horses", "some bread"]);
        let ending = pick(&["", " yesterday", " in the town"]);
        let source = format!("{subject} {verb} {object}{ending}");
        let target = format!("{subject} {other} {object}");
        let n_words = target.split(' ').count() as u32;
        links.push((0..n_words).map(|word| (word, word)).collect());
        texts.push((source, target));
    }
    let texts: Vec<(&str, &str)> = texts.iter().map(|(source, target)| (source.as_str(), target.as_str())).collect();
    (corpus(&texts), links)
}

fn learn(pairs: &[(Analysis, Analysis)], links: &[Vec<WordLink>], lexicon: &Lexicon, longest: usize) -> Aligner {
    let examples: Vec<AlignExample<'_>> =
        pairs.iter().zip(links).map(|((source, target), links)| AlignExample { source, target, links }).collect();
    let settings = AlignSettings { max_steps: 20, ..two_passes(longest) };
    fit(&examples, lexicon, &settings, Progress::none()).unwrap().0
}

#[test]
fn a_small_grammar_is_learned_whatever_the_number_of_threads() {
    let lexicon = Resources::bundled().lexicon().unwrap();
    let (pairs, links) = made_up(60);
    let in_threads = |n: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| learn(&pairs, &links, &lexicon, 2))
    };
    let (one, three) = (in_threads(1), in_threads(3));
    assert!(one.has_first() && one.first_weights().eq(three.first_weights()));
    assert!(one.weights().eq(three.weights()) && one.threshold().to_bits() == three.threshold().to_bits());
    let unseen = corpus(&[("my brother purchased two cars on Monday", "my brother bought two cars")]);
    let (source, target) = &unseen[0];
    let found = one.align(&lexicon, source, target, Decode::Confident(None), &mut AlignScratch::default()).unwrap();
    assert_eq!(found.pairs(), [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]);
    assert!(found.source_alone[6] > 0.5 && found.source_alone[0] < 0.5, "{:?}", found.source_alone);
}

#[test]
fn empty_sides_have_nothing_to_link() {
    let lexicon = Resources::bundled().lexicon().unwrap();
    let n_features = settings(3).feature_ids().unwrap().len();
    let aligner = Aligner::new(settings(3), vec![0.5; n_features], vec![0.5; n_features], 0.5).unwrap();
    let words = &corpus(&[("one two", "")])[0];
    for (source, target) in [(&words.0, &words.1), (&words.1, &words.0), (&words.1, &words.1)] {
        let found =
            aligner.align(&lexicon, source, target, Decode::Confident(None), &mut AlignScratch::default()).unwrap();
        assert!(found.links.is_empty() && found.phrases.is_empty() && found.score() == 0.0);
        assert_eq!((found.source_alone.len(), found.target_alone.len()), (source.words.len(), target.words.len()));
        assert!(found.source_alone.iter().chain(&found.target_alone).all(|alone| *alone == 1.0));
        assert_eq!(aligner.explain(&lexicon, source, target).unwrap().value, 0.0);
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let check = |settings: AlignSettings, threshold: f64, expected: &str| {
        let n = AlignSettings::tokens().feature_ids().unwrap().len();
        let error = Aligner::new(settings, vec![0.0; n], vec![0.0; n], threshold).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let tokens = AlignSettings::tokens;
    check(AlignSettings { longest: 0, ..tokens() }, 0.5, "phrases of at most 0 words");
    check(AlignSettings { longest: 99, ..tokens() }, 0.5, "phrases of at most 99 words");
    check(AlignSettings { max_steps: 0, ..tokens() }, 0.5, "0 steps");
    check(AlignSettings { l2: -1.0, ..tokens() }, 0.5, "l2 is -1");
    check(
        AlignSettings { costs: Costs { missed: f64::NAN, extra: 1.0, wrong: 1.0 }, ..tokens() },
        0.5,
        "missed is NaN",
    );
    check(AlignSettings { features: vec!["nonsense".to_owned()], ..tokens() }, 0.5, "no features are named 'nonsense'");
    check(AlignSettings { features: vec!["bias".to_owned()], ..tokens() }, 0.5, "one per feature");
    let n = tokens().feature_ids().unwrap().len();
    let one_pass = Aligner::new(tokens(), vec![0.0; n], vec![0.0; n], 0.5).unwrap();
    let error = one_pass.with_first(vec![0.0; n], vec![0.0; n]).unwrap_err().to_string();
    assert!(error.contains("no feature uses it"), "{error}");
    check(tokens(), 0.0, "the threshold is 0");
    check(tokens(), f64::NAN, "the threshold is NaN");
}

#[test]
fn learning_can_be_stopped() {
    let (pairs, links) = made_up(300);
    let examples: Vec<AlignExample<'_>> =
        pairs.iter().zip(&links).map(|((source, target), links)| AlignExample { source, target, links }).collect();
    let lexicon = Resources::bundled().lexicon_with_vectors().unwrap();
    stops(|progress| fit(&examples, &lexicon, &AlignSettings::phrases(), progress));
}
