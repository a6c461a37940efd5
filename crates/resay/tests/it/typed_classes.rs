//! `tesrk(..., psd=classes)` with the bundled tables: against the paper's Algorithm 1 with "same
//! class" for patterns and "any type" for links, against `kb`, and as a model with readable rules.

use resay::data::Dataset;
use resay::explain::{Slot, What};
use resay::kernel::typed::{Relate, typed_by_algorithm_1};
use resay::kernel::{BoundKernel, Expression};
use resay::model::{Explained, KernelModel, PairModel, Pruning, Weight};
use resay::resources::Resources;
use resay::train::{CostChoice, KernelLearner, Task, TrainOptions, train};
use resay_learn::progress::Progress;
use resay_learn::rng::SplitMix;
use resay_text::lexicon::wordnet::{LemmaId, Pos, SenseId, SynsetId, WordNet};
use resay_text::lexicon::{Classes, Lexicon, Relations, Term};
use resay_text::{Annotator, Interner, Pair, Units, Upos};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Words of which several share a class, some are linked but in different classes, and some are
/// unrelated.
const WORDS: [&str; 12] = [
    "buy",
    "purchase",
    "purchases",
    "acquire",
    "car",
    "automobile",
    "cars",
    "vehicle",
    "dog",
    "animal",
    "qwerty",
    "of",
];

/// Random pairs of sentences, as word numbers.
fn random_pairs(n: usize, seed: u64) -> Vec<[Vec<u32>; 2]> {
    let mut random = SplitMix::new(seed);
    let mut sentence = || -> Vec<u32> {
        let len = random.below(6);
        (0..len).map(|_| random.below(WORDS.len()) as u32).collect()
    };
    (0..n).map(|_| [sentence(), sentence()]).collect()
}

fn text(words: &[u32]) -> String {
    words.iter().map(|&word| WORDS[word as usize]).collect::<Vec<_>>().join(" ")
}

fn annotated(expression: &Expression, pairs: &[[Vec<u32>; 2]], symbols: &mut Interner) -> Vec<Pair> {
    let annotator = Annotator::new(Units::Tokens).with_classes(expression.classes());
    let mut sentence = |words: &[u32]| annotator.sentence(&text(words), symbols);
    pairs.iter().map(|[source, target]| Pair { source: sentence(source), target: sentence(target) }).collect()
}

struct Slow {
    lexicon: Arc<Lexicon>,
    terms: Vec<Term>,
    classes: Classes,
    variable: Relations,
}

impl Relate for Slow {
    fn pattern(&self, a: u32, b: u32) -> bool {
        let [a, b] = [a, b].map(|word| self.lexicon.class(&self.terms[word as usize], self.classes));
        a == b
    }

    fn variable(&self, a: u32, b: u32) -> u64 {
        let [a, b] = [a, b].map(|word| &self.terms[word as usize]);
        u64::from(!self.lexicon.relations_among(a, b, self.variable).is_empty())
    }
}

#[test]
fn values_are_those_of_algorithm_1_over_classes() {
    let lexicon = Resources::bundled().lexicon().unwrap();
    let open = || Ok(lexicon.clone());
    let pairs = random_pairs(24, 3);
    let mut n_above_literal = 0;
    for (k, pattern, variable, lambda) in [
        (1, "stem:synonym", "stem:synonym:hypernym", 0.5),
        (2, "stem:synonym", "id:synonym:hyponym:similar", 1.0),
        (3, "lemma", "stem:synonym", 0.7),
        (2, "id", "id:ppdb", 1.0),
    ] {
        let kernel = |around: &str, psd: &str| {
            format!("{around}(tesrk(k={k},pattern={pattern},variable={variable},lambda={lambda},psd={psd}))")
        };
        let expression = Expression::parse(&kernel("raw", "classes"), &open).unwrap();
        let slow = Slow {
            terms: WORDS.iter().map(|word| lexicon.token(word)).collect(),
            classes: lexicon.classes(lexicon.parse(pattern).unwrap()).unwrap(),
            variable: lexicon.parse(variable).unwrap(),
            lexicon: lexicon.clone(),
        };
        let columns = annotated(&expression, &pairs, &mut Interner::new());
        let bound = BoundKernel::new(&expression, &columns, Progress::none()).unwrap();
        let mut by_row = vec![0.0; pairs.len()];
        let mut gram = Vec::new();
        for (i, [source, target]) in pairs.iter().enumerate() {
            let mut row = vec![0.0; pairs.len()];
            bound.column(i, &mut row, Progress::none()).unwrap();
            bound.row(&columns[i], &mut by_row, Progress::none()).unwrap();
            assert_eq!(row, by_row);
            for ([other_source, other_target], found) in pairs.iter().zip(&row) {
                let (first, second) = ((&source[..], &target[..]), (&other_source[..], &other_target[..]));
                let expected = typed_by_algorithm_1(&slow, k, lambda, first, second);
                assert!((found - expected).abs() <= 1e-9 * expected.max(1.0), "{found}, expected {expected}");
                n_above_literal += usize::from(expected > 0.0 && (source, target) != (other_source, other_target));
            }
            gram.push(row);
        }
        let least = eigenvalues(gram.clone()).into_iter().fold(f64::MAX, f64::min);
        let scale = (0..gram.len()).map(|i| gram[i][i]).fold(1.0, f64::max);
        assert!(least >= -1e-9 * scale, "{pattern}, {variable}: an eigenvalue {least}");
    }
    assert!(n_above_literal > 200, "only {n_above_literal} values say anything");
}

/// Returns the eigenvalues of a symmetric matrix by Jacobi rotations.
fn eigenvalues(mut matrix: Vec<Vec<f64>>) -> Vec<f64> {
    let n = matrix.len();
    for _ in 0..60 {
        for p in 0..n {
            for q in p + 1..n {
                if matrix[p][q] == 0.0 {
                    continue;
                }
                // Tangent of the angle that zeroes the entry (p, q).
                let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
                let tan = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let cos = (tan * tan + 1.0).sqrt().recip();
                let sin = tan * cos;
                for row in &mut matrix {
                    (row[p], row[q]) = (cos * row[p] - sin * row[q], sin * row[p] + cos * row[q]);
                }
                let (above, below) = matrix.split_at_mut(q);
                for (a, b) in above[p].iter_mut().zip(&mut below[0]) {
                    (*a, *b) = (cos * *a - sin * *b, sin * *a + cos * *b);
                }
            }
        }
    }
    (0..n).map(|i| matrix[i][i]).collect()
}

#[test]
fn eigenvalues_are_found() {
    let check = |matrix: &[&[f64]], expected: &[f64]| {
        let mut found = eigenvalues(matrix.iter().map(|row| row.to_vec()).collect());
        found.sort_by(f64::total_cmp);
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}, expected {expected:?}");
    };
    check(&[&[2.0, 1.0], &[1.0, 2.0]], &[1.0, 3.0]);
    check(&[&[0.0, 1.0, 0.0], &[1.0, 0.0, 0.0], &[0.0, 0.0, 5.0]], &[-1.0, 1.0, 5.0]);
}

#[test]
fn with_identity_alone_it_is_kb() {
    let pairs = random_pairs(24, 5);
    for k in 1..4 {
        let typed: Expression = format!("tesrk(k={k},pattern=id,variable=id,lambda=0.5,psd=classes)").parse().unwrap();
        let plain: Expression = format!("kb(k={k},lambda=0.5)").parse().unwrap();
        let columns = annotated(&typed, &pairs, &mut Interner::new());
        let [typed, plain] =
            [typed, plain].map(|expression| BoundKernel::new(&expression, &columns, Progress::none()).unwrap());
        let (mut found, mut expected) = (vec![0.0; pairs.len()], vec![0.0; pairs.len()]);
        for i in 0..pairs.len() {
            typed.column(i, &mut found, Progress::none()).unwrap();
            plain.column(i, &mut expected, Progress::none()).unwrap();
            assert!(
                found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12),
                "{found:?}, expected {expected:?}"
            );
        }
    }
}

#[test]
fn pairs_without_classes_are_refused() {
    let expression: Expression = "tesrk(k=1,pattern=id,variable=id,psd=classes)".parse().unwrap();
    let sentence = || Annotator::new(Units::Tokens).sentence("a b", &mut Interner::new());
    let error = BoundKernel::new(&expression, &[Pair { source: sentence(), target: sentence() }], Progress::none())
        .err()
        .unwrap()
        .to_string();
    assert!(error.starts_with("a sentence without classes of its words"), "{error}");
}

/// Every synset that is some word's class has a unique name.
#[test]
fn synsets_have_names_of_their_own() {
    let resources = Resources::bundled();
    let wordnet = WordNet::open("wordnet.resay", &resources.bytes("wordnet").unwrap()).unwrap();
    let words: Vec<String> =
        (0..wordnet.n_lemmas() as u32).map(|lemma| wordnet.word(LemmaId(lemma)).to_owned()).collect();
    let lexicon = resources.lexicon().unwrap();
    let classes = lexicon.classes(lexicon.parse("synonym").unwrap()).unwrap();
    let mut names: BTreeMap<String, SynsetId> = BTreeMap::new();
    for word in &words {
        let lemma = wordnet.lemma(word).unwrap();
        for (tag, pos) in
            [(Upos::Noun, Pos::Noun), (Upos::Verb, Pos::Verb), (Upos::Adj, Pos::Adjective), (Upos::Adv, Pos::Adverb)]
        {
            let senses = wordnet.senses(lemma, Some(pos));
            // The most frequent sense; on ties, the first.
            let order = |sense: &SenseId| (Reverse(wordnet.tag_count(*sense)), *sense);
            let Some(sense) = senses.min_by_key(order) else { continue };
            let synset = wordnet.synset_of(sense).unwrap();
            let name = lexicon.class(&lexicon.word(word, Some(word), Some(tag)), classes);
            assert!(name.starts_with('[') && name.ends_with(']'), "{word}: {name}");
            let known = *names.entry(name.clone()).or_insert(synset);
            assert_eq!(known, synset, "{name}");
        }
    }
    assert!(names.len() > 80_000, "{}", names.len());
}

const KERNEL: &str = "tesrk(k=1..3,pattern=stem:synonym,variable=stem:synonym:hypernym,psd=classes)";

fn trained(data: &Dataset, kernel: &str, learner: KernelLearner) -> KernelModel {
    let options = TrainOptions {
        kernel: kernel.to_owned(),
        learner,
        pruning: Pruning { min_support: 1, max_rules: usize::MAX, examples: true },
        costs: vec![1.0],
        choice: CostChoice::Folds(3),
        ..TrainOptions::new(Task::Paraphrase)
    };
    train(data, &options, &Resources::bundled(), Progress::none()).expect(kernel)
}

/// Pairs outside the training set.
const NEW: [(&str, &str); 6] = [
    ("Anna bought the car in Oslo .", "In Oslo the automobile was purchased by Anna ."),
    ("Anna bought the car in Oslo .", "Boris sold the boat in Quito ."),
    ("Hugo mended the zeppelin .", "The zeppelins were repaired by Hugo , who purchases autos ."),
    ("", ""),
    ("", "Anna bought the car ."),
    ("un\u{e9} pomme\u{2028}rouge", "\u{1f34e} [buy|purchase]"),
];

#[test]
fn models_of_classes_are_saved_read_and_explained() {
    let data = crate::pairs::dataset(48, 7);
    let kernels = [
        (KERNEL.to_owned(), KernelLearner::Linear, true),
        (format!("{KERNEL}+kb(k=1..2)+pr"), KernelLearner::Dual, true),
        // Not all rules can be listed: the model stores support pairs, whose classes are recomputed
        // when it is opened.
        (format!("{KERNEL}+pw(k=1)"), KernelLearner::Auto, false),
    ];
    for (kernel, learner, has_rules) in kernels {
        let model = trained(&data, &kernel, learner);
        let bytes = model.to_bytes().unwrap();
        let again = KernelModel::from_bytes("again.resay", &bytes, &Resources::bundled()).unwrap();
        assert_eq!(again.to_bytes().unwrap(), bytes, "{kernel}");
        assert_eq!(again.weights(0), model.weights(0), "{kernel}");
        let [first, again]: [&dyn PairModel; 2] = [&model, &again];
        let own = data.rows.iter().map(|example| (&*example.source, &*example.target));
        for (source, target) in own.take(6).chain(NEW) {
            let [score, score_again] =
                [first, again].map(|model| model.predict_one(source, target).unwrap().decision().unwrap().score);
            assert_eq!(score_again.to_bits(), score.to_bits());
            let explained = again.explain_one(source, target, usize::MAX).unwrap();
            let Explained { explanation: whole, symbols: Some(pair), .. } = explained else { unreachable!() };
            let sum: f64 = whole.leaves().iter().map(|leaf| leaf.value).sum();
            assert!((sum - score).abs() <= 1e-9, "{kernel}: leaves {sum}, score {score}");
            for leaf in whole.leaves() {
                let What::Rule(rule) = &leaf.what else { continue };
                assert!(!leaf.places.is_empty(), "{rule} stands nowhere in {source:?}, {target:?}");
                for place in &leaf.places {
                    assert!(place.source.iter().all(|span| span.end as usize <= pair[0].text.len()));
                    assert_eq!((place.source.len(), place.target.len()), (rule.source.len(), rule.target.len()));
                }
            }
        }
        let shown: Vec<String> = model.weights(0).iter().map(|rule| format!("{:?}", rule.what)).collect();
        assert_eq!(shown.iter().any(|rule| rule.contains("[buy|purchase]")), has_rules, "{kernel}");
    }
}

#[test]
fn a_rule_of_a_class_stands_where_its_words_do() {
    let model = trained(&crate::pairs::dataset(48, 7), KERNEL, KernelLearner::Linear);
    let (source, target) = ("Boris bought the car in Oslo .", "The automobile in Oslo was purchased by Boris .");
    let explained = (&model as &dyn PairModel).explain_one(source, target, usize::MAX).unwrap();
    let whole = explained.explanation;
    let class = [Slot::Word("[buy|purchase]".to_owned())];
    // The purchase itself, in words of the same class on both sides.
    let leaves = whole.leaves();
    let bought = leaves.iter().find(|leaf| match &leaf.what {
        What::Rule(rule) => rule.source == class && rule.target == class,
        _ => false,
    });
    let place = &bought.expect("the rule was learned").places[0];
    assert_eq!((&source[place.source[0].range()], &target[place.target[0].range()]), ("bought", "purchased"));
    // An example of linked wildcards has the words of both sides, which may differ.
    let is_linked = |rule: &Weight| rule.example.as_deref() == Some("the shop in -> the store in");
    assert!(model.weights(0).iter().any(is_linked));
}

#[test]
fn a_user_s_own_types_link_but_make_no_classes() {
    let mut own = resay_text::lexicon::OwnRelations::new();
    own.read("own.tsv", "deal\tbought\tpurchased\n".as_bytes()).unwrap();
    let check = |kernel: &str, expected: &str| {
        let found = Expression::parse(kernel, &|| Resources::bundled().lexicon_with(&own));
        assert_eq!(found.map_or_else(|error| error.to_string(), |found| found.to_string()), expected);
    };
    check(
        "tesrk(k=1,pattern=synonym,variable=deal,psd=classes)",
        "tesrk(k=1,pattern=synonym,variable=deal,lambda=1,psd=classes)",
    );
    check(
        "tesrk(k=1,pattern=deal,variable=deal,psd=classes)",
        "kernel tesrk: psd=classes: deal makes no classes of words, expected some of: id, idminustag, lemma, stem, \
         synonym, ne, synonym1",
    );
}
