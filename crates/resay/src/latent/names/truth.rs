//! Compares scores, rankings and initial alignments with their definitions.

use super::begin::association;
use super::problem::{best_map, look_up, part, vector};
use super::*;
use crate::explain::What;
use crate::latent::{LatentParams, LatentProblem, learn, two_stage};
use resay_learn::progress::Progress;
use resay_learn::progress::testing::stops;
use resay_learn::rng::SplitMix;

/// Made-up names: a spelling rule maps a source to a target and drops inner vowels.
fn target_of(source: &str) -> String {
    let last = source.chars().count() - 1;
    let letter = |(at, c): (usize, char)| match c {
        'a' | 'e' if at > 0 && at < last => None,
        'a' | 'e' => Some('א'),
        'b' => Some('ב'),
        'd' => Some('ד'),
        'g' => Some('ג'),
        'k' | 'c' => Some('ק'),
        'l' => Some('ל'),
        'm' => Some('מ'),
        'o' => Some('ו'),
        _ => Some('ר'),
    };
    source.chars().enumerate().filter_map(letter).collect()
}

fn pairs(n: usize, seed: u64) -> Vec<(String, String)> {
    let mut random = SplitMix::new(seed);
    let name = |random: &mut SplitMix| -> String {
        let letters: Vec<char> = "abdegkclmor".chars().collect();
        (0..3 + random.below(5)).map(|_| letters[random.below(letters.len())]).collect()
    };
    (0..n).map(|_| name(&mut random)).map(|source| (source.clone(), target_of(&source))).collect()
}

/// Machines with random weights, with jointly learned weights, and with two-stage weights.
fn machines() -> Vec<NameMachine> {
    let pairs = pairs(60, 1);
    let examples = Examples::new(&pairs, &NamesSettings::default(), Progress::none()).unwrap();
    let mut random = SplitMix::new(2);
    let weights: Vec<f64> = (0..examples.n_features()).map(|_| random.unit() * 2.0 - 1.1).collect();
    let begin = examples.begin(Begin::Association, Progress::none()).unwrap();
    let members: Vec<usize> = (0..examples.pairings().len()).collect();
    let params = LatentParams { lambda: 0.3, tolerance: 1e-3, ..LatentParams::default() };
    let first = two_stage(&examples.problem(), &members, &begin, &params, Progress::none()).unwrap();
    let learned =
        learn(&examples.problem(), &members, &first.weights, &params, Progress::none(), &mut |_| Ok(())).unwrap();
    vec![
        examples.machine(&weights, None).unwrap(),
        examples.machine(&learned.weights, None).unwrap(),
        examples.machine(&first.weights, Some(&begin)).unwrap(),
    ]
}

/// The best sum over all monotone alignments, by exhaustive search.
fn best_of_all(machine: &NameMachine, a: &[Views], b: &[Views]) -> f64 {
    let (features, weights) = (machine.features(), machine.weights());
    match (a.split_first(), b.split_first()) {
        (None, _) => b.iter().map(|b| features.deletion(1, b, weights)).sum(),
        (_, None) => a.iter().map(|a| features.deletion(0, a, weights)).sum(),
        (Some((first, rest_a)), Some((second, rest_b))) => [
            features.map(first, second, weights) + best_of_all(machine, rest_a, rest_b),
            features.deletion(0, first, weights) + best_of_all(machine, rest_a, b),
            features.deletion(1, second, weights) + best_of_all(machine, a, rest_b),
        ]
        .into_iter()
        .fold(f64::NEG_INFINITY, f64::max),
    }
}

#[test]
fn the_score_is_that_of_the_best_map() {
    let mut scratch = MachineScratch::default();
    for machine in &machines()[..2] {
        for (source, target) in [("bad", "בד"), ("code", "קרא"), ("", "ב"), ("moba", ""), ("", ""), ("xüd", "דבq")]
        {
            let (a, b) = (machine.views(0, source), machine.views(1, target));
            let truth = machine.bias() + machine.scale().of(a.len(), b.len()) * best_of_all(machine, &a, &b);
            let found = machine.score(&a, &b, &mut scratch).unwrap();
            assert!((truth - found).abs() < 1e-12, "{source} {target}: {found}, expected {truth}");
        }
    }
}

#[test]
fn features_of_the_best_map_add_up_to_the_score() {
    let all = pairs(40, 3);
    let examples = Examples::new(&all, &NamesSettings::default(), Progress::none()).unwrap();
    let mut random = SplitMix::new(4);
    let weights: Vec<f64> = (0..examples.n_features()).map(|_| random.unit() - 0.5).collect();
    let machine = examples.machine(&weights, None).unwrap();
    let problem = examples.problem();
    let (mut scratch, mut machine_scratch) = (NameScratch::default(), MachineScratch::default());
    for example in 0..problem.n_examples() {
        let best = problem.best(example, &weights, None, &mut scratch).unwrap();
        let features = problem.features(example, &best.active);
        assert!(features.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let sum: f64 = features.iter().map(|(number, value)| value * weights[*number as usize]).sum();
        let (source, target, is_true) = examples.pairing(example, &all);
        assert_eq!(is_true, problem.is_positive(example));
        let (a, b) = (machine.views(0, source), machine.views(1, target));
        let score = machine.score(&a, &b, &mut machine_scratch).unwrap();
        assert!((sum - score).abs() < 1e-12, "{source} {target}");
    }
}

#[test]
fn what_is_looked_up_once_is_what_is_looked_up_each_time() {
    let examples = Examples::new(&pairs(40, 3), &NamesSettings::default(), Progress::none()).unwrap();
    let mut random = SplitMix::new(4);
    let weights: Vec<f64> = (0..examples.n_features()).map(|_| random.unit() - 0.5).collect();
    let plain = examples.problem();
    // With room for all pairings, and for some of them only.
    for (most, least_kept) in [(usize::MAX, plain.n_examples()), (1_000, 1)] {
        let looked_up = examples.clone().looked_up_to(most, Progress::none()).unwrap();
        let fast = looked_up.problem();
        let is_some = (least_kept..=plain.n_examples()).contains(&fast.numbers.len());
        assert!(is_some && (most == usize::MAX || fast.numbers.len() < plain.n_examples()), "{most}");
        let mut scratch = NameScratch::default();
        for example in 0..plain.n_examples() {
            // Equal to the last bit.
            let [expected, found] = [&plain, &fast].map(|problem| problem.best(example, &weights, None, &mut scratch));
            let (expected, found) = (expected.unwrap(), found.unwrap());
            assert_eq!(found, expected);
            assert_eq!(fast.features(example, &found.active), plain.features(example, &expected.active));
        }
    }
}

#[test]
fn ranking_is_scoring_all() {
    let names: Vec<String> = pairs(500, 5).into_iter().map(|pair| pair.1).chain(["".into(), "שלום".into()]).collect();
    let mut n_scored = 0;
    for (number, machine) in machines().iter().enumerate() {
        let prepared = PreparedNames::new(machine, &names);
        let mut scratch = RankScratch::default();
        for (query, _) in
            pairs(20, 6).into_iter().chain([(String::new(), String::new()), ("Über".into(), String::new())])
        {
            let source = machine.views(0, &query);
            let mut all: Vec<RankedName> = (0..names.len())
                .map(|candidate| {
                    let target = machine.views(1, &names[candidate]);
                    RankedName {
                        candidate,
                        score: machine.score(&source, &target, &mut MachineScratch::default()).unwrap(),
                    }
                })
                .collect();
            all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.candidate.cmp(&b.candidate)));
            for top in [0, 1, 7, 1000] {
                let best = prepared.rank(machine, &query, top, &mut scratch).unwrap();
                // Equal to the last bit.
                assert_eq!(best.found, all[..top.min(all.len())], "{query}, {top}");
                if number == 1 && top == 1 {
                    n_scored += best.n_scored;
                }
            }
        }
        let many = prepared.rank_all(machine, &["bad", "lom"], 3, Progress::none()).unwrap();
        assert_eq!(many[1], prepared.rank(machine, "lom", 3, &mut scratch).unwrap());
    }
    assert!(n_scored < 22 * names.len() / 2, "{n_scored} were scored: bounds are of no use");
}

#[test]
fn explanations_add_up_and_point_at_their_bytes() {
    for machine in machines() {
        for (source, target) in [("Bad", "בד"), (" code ", "קראד"), ("", ""), ("bxéd", "בד")] {
            let mut scratch = MachineScratch::default();
            let whole = machine.explain(source, target, &mut scratch).unwrap();
            let score = machine.score(&machine.views(0, source), &machine.views(1, target), &mut scratch).unwrap();
            assert_eq!(whole.value, score);
            // A part whose features are all unknown has no children, and is itself a leaf of value
            // 0.
            let sum: f64 = whole.leaves().iter().map(|leaf| leaf.value).sum();
            assert!((sum - score).abs() < 1e-12, "{source} {target}: {sum}, expected {score}");
            for part in &whole.parts {
                let What::Phrase { source: shown, target: other } = &part.what else { continue };
                let place = &part.places[0];
                let at = |text: &str, span: &resay_text::Span| text[span.start as usize..span.end as usize].to_owned();
                assert_eq!(place.source.iter().map(|span| at(source, span)).next(), *shown);
                assert_eq!(place.target.iter().map(|span| at(target, span)).next(), *other);
            }
        }
    }
}

#[test]
fn a_rule_of_writing_is_learned() {
    let test = pairs(60, 7);
    for (machine, least) in machines().iter().zip([0.0, 0.95, 0.8]) {
        let names: Vec<&str> = test.iter().map(|(_, target)| &**target).collect();
        let best = PreparedNames::new(machine, &names)
            .rank_all(machine, &test.iter().map(|(source, _)| source.clone()).collect::<Vec<_>>(), 1, Progress::none())
            .unwrap();
        let right =
            best.iter().zip(&test).filter(|(best, (_, target))| names[best.found[0].candidate] == target).count();
        assert!(right as f64 / 60.0 >= least, "{right} of 60, expected {least}");
    }
}

/// Expectation maximisation recovers the letter pairs of the spelling rule.
#[test]
fn association_finds_the_letters_of_the_rule() {
    let pairs = pairs(200, 8);
    let examples = Examples::new(&pairs, &NamesSettings::default(), Progress::none()).unwrap();
    let begin = examples.begin(Begin::Association, Progress::none()).unwrap();
    let machine = examples.machine(&begin, None).unwrap();
    let (a, b) = (machine.views(0, "bagdo"), machine.views(1, "בגדו"));
    let parts = machine.parts(&a, &b, &mut MachineScratch::default()).unwrap();
    let shown: Vec<NamePart> = parts.into_iter().map(|(part, _)| part).collect();
    assert_eq!(
        shown,
        [NamePart::Map(0, 0), NamePart::Map(2, 1), NamePart::Map(3, 2), NamePart::Map(4, 3), NamePart::Source(1)]
    );
    // The probabilities of all edits sum to 1.
    let total: f64 = begin.iter().filter(|weight| **weight != 0.0).map(|weight| weight.exp()).sum();
    assert!((total - 1.0).abs() < 1e-9, "{total}");
}

#[test]
fn one_pair_alone_is_written_in_all_ways() {
    // The edit sequences from "a" to "b" are one map, or two deletions in either order. Every edit
    // starts at 1/3, so the map has 3/5 of the probability (1/3 against 2/9). Its share grows with
    // every iteration towards 1.
    let mut features = NameFeatures::new(Templates::default());
    let alphabets = [Alphabet::new(['a']).unwrap(), Alphabet::new(['b']).unwrap()];
    let views = |side: usize, name: &str| alphabets[side].spell(name).iter().map(Views::new).collect::<Vec<_>>();
    features.learn(&views(0, "a"), &views(1, "b"));
    let weights = association(&features, &[(&[1], &[1])], Progress::none()).unwrap();
    let best = best_map(&features, &views(0, "a"), &views(1, "b"), &weights, &mut NameScratch::default()).unwrap();
    assert_eq!(best.active, [0]);
    assert!(best.score > 0.99_f64.ln(), "{}", best.score.exp());
    assert_eq!(
        (part(0, 1, 1), part(1, 1, 1), part(2, 1, 1)),
        (NamePart::Map(0, 0), NamePart::Source(0), NamePart::Target(0))
    );
    let mut numbers = Vec::new();
    look_up(&features, &views(0, "a"), &views(1, "b"), &[1, 2], &mut numbers);
    assert_eq!(vector(numbers, 0.5).len(), 7);
}

#[test]
fn wrong_pairs_are_wrong_and_drawn_once() {
    let truth = [(0, 0), (1, 1), (2, 2), (0, 1)];
    let drawn = negatives::draw(&truth, 1.0, 100, 1, Progress::none()).unwrap();
    let wrong: Vec<(u32, u32)> = drawn[4..].iter().map(|pairing| (pairing.source, pairing.target)).collect();
    let mut sorted = wrong.clone();
    sorted.sort_unstable();
    // Four of the nine pairings are true.
    assert_eq!(sorted, [(0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]);
    assert_eq!(drawn, negatives::draw(&truth, 1.0, 100, 1, Progress::none()).unwrap());
    assert_ne!(drawn, negatives::draw(&truth, 1.0, 100, 2, Progress::none()).unwrap());
    let many: Vec<(u32, u32)> = (0..250).map(|number| (number, number)).collect();
    assert_eq!(negatives::draw(&many, 0.1, 10_000, 1, Progress::none()).unwrap().len(), 250 + 6225);
    assert_eq!(negatives::draw(&many, 0.1, 750, 1, Progress::none()).unwrap().len(), 250 + 750);
}

#[test]
fn the_table_is_for_its_scripts_only() {
    let hebrew = Examples::new(&pairs(20, 9), &NamesSettings::default(), Progress::none()).unwrap();
    let weights = hebrew.begin(Begin::Romanisation, Progress::none()).unwrap();
    assert!(weights.iter().all(|weight| *weight == 0.0 || *weight == 1.0) && weights.contains(&1.0));
    let greek = [("alpha", "αλφα"), ("beta", "βητα"), ("gamma", "γαμμα")];
    let greek =
        Examples::new(&greek, &NamesSettings { share: 1.0, ..NamesSettings::default() }, Progress::none()).unwrap();
    assert!(
        greek.begin(Begin::Romanisation, Progress::none()).unwrap_err().to_string().contains("begin by association")
    );
    assert!(greek.begin(Begin::Association, Progress::none()).is_ok());
    let maps_only = NamesSettings { templates: Templates::from_bits(1).unwrap(), ..NamesSettings::default() };
    let maps_only = Examples::new(&pairs(20, 9), &maps_only, Progress::none()).unwrap();
    assert!(
        maps_only
            .begin(Begin::Association, Progress::none())
            .unwrap_err()
            .to_string()
            .contains("left out on both sides")
    );
    assert!(maps_only.begin(Begin::Romanisation, Progress::none()).is_ok());
    assert!(
        Examples::new(&[("a", "b")], &NamesSettings::default(), Progress::none())
            .unwrap_err()
            .to_string()
            .contains("no wrong pair")
    );
}

#[test]
fn making_examples_ready_can_be_stopped() {
    let many: Vec<(u32, u32)> = (0..4000).map(|number| (number, number)).collect();
    stops(|progress| negatives::draw(&many, 1.0, usize::MAX, 1, progress));
    let pairs = pairs(4000, 10);
    let settings = NamesSettings { most: usize::MAX, limit: usize::MAX, share: 1.0, ..NamesSettings::default() };
    stops(|progress| Examples::new(&pairs, &settings, progress));
    let examples = Examples::new(&pairs, &NamesSettings::default(), Progress::none()).unwrap();
    stops(|progress| examples.begin(Begin::Association, progress));
    stops(|progress| examples.clone().looked_up(progress));
}
