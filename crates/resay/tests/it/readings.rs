//! Kernels over several units in one sum, against separate kernels over one unit each.
//!
//! The slow reference annotates the texts once per term, each time with one unit and symbols of its
//! own, and adds up the values of the terms by the formula of the sum.

use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use resay::data::{DocumentFormat, Documents};
use resay::explain::What;
use resay::kernel::strings::TextVectors;
use resay::kernel::{BoundKernel, Expression};
use resay::model::TopicModel;
use resay::resources::Resources;
use resay::train::topics::{Criterion, TopicOptions, search, train_topics};
use resay_learn::progress::Progress;
use resay_text::{Annotator, Interner, Pair, Sentence, Units};

/// Kernels with the units around them. Without units, those of the whole expression.
type Term = (&'static str, Option<Units>);

const SUMS: [&[Term]; 6] = [
    &[("spectrum(k=2)", None), ("spectrum(k=1)", Some(Units::Words))],
    &[("bow", Some(Units::Stems)), ("bow", Some(Units::Chars)), ("bow", None)],
    &[("ngram(k=2,min=1,weight=log)", Some(Units::Words)), ("ngram(k=2,min=2,weight=log)", Some(Units::Letters))],
    &[("fsm(min=2,weight=inverse)", Some(Units::Tokens)), ("fsm(min=2)", None), ("wildcard(k=2,m=1)", None)],
    &[("subsequence(k=2,lambda=0.5)", Some(Units::Words)), ("spectrum(k=3)", Some(Units::Lower))],
    // The same units by name and by default.
    &[("spectrum(k=1)", Some(Units::Lower)), ("spectrum(k=2)", None)],
];

/// The units of a whole expression.
const UNITS: [Units; 2] = [Units::Lower, Units::Words];

fn wrapped(&(kernel, units): &Term) -> String {
    units.map_or(kernel.to_owned(), |units| format!("{}({kernel})", units.name()))
}

fn annotator(expression: &Expression, units: Units) -> Annotator {
    Resources::bundled().annotator_for(units, expression.needs()).unwrap()
}

/// Returns the kernel values of all texts with the first `n` of them, the corpus.
fn values(kernel: &str, units: Units, texts: &[(String, String)], n: usize) -> Vec<Vec<f64>> {
    let expression: Expression = kernel.parse().unwrap();
    let (annotator, mut symbols) = (annotator(&expression, units), Interner::new());
    let mut pair = |(source, target): &(String, String)| Pair {
        source: annotator.sentence(source, &mut symbols),
        target: annotator.sentence(target, &mut symbols),
    };
    let pairs: Vec<Pair> = texts.iter().map(&mut pair).collect();
    let expression = expression.learn(&pairs[..n], Progress::none()).unwrap();
    let bound = BoundKernel::new(&expression, &pairs[..n], Progress::none()).unwrap();
    let row = |pair: &Pair| {
        let mut row = vec![f64::NAN; n];
        bound.row(pair, &mut row, Progress::none()).unwrap();
        row
    };
    for (i, pair) in pairs[..n].iter().enumerate() {
        let mut column = vec![f64::NAN; n];
        bound.column(i, &mut column, Progress::none()).unwrap();
        assert!(column.iter().zip(row(pair)).all(|(a, b)| close(*a, b)), "{kernel}");
    }
    pairs.iter().map(row).collect()
}

fn close(found: f64, expected: f64) -> bool {
    (found - expected).abs() <= 1e-11 * expected.abs().max(1.0)
}

/// Texts in which words are also characters, with case, punctuation and blanks.
fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["a", "b", "ab", "Ab", "a.", "running", "run", "\u{e9}", "", "a-b"]);
    prop::collection::vec(word, 0..7).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A sum over several units is the sum of its terms, each as if it were alone in its units:
    /// plain, each normalised, and normalised together; of single texts and of pairs.
    #[test]
    fn a_sum_is_the_sum_of_separate_kernels(texts in prop::collection::vec((text(), text()), 2..6), units in prop::sample::select(UNITS.to_vec())) {
        // The last text is not in the corpus.
        let n = texts.len() - 1;
        for terms in SUMS {
            for is_pair in [false, true] {
                let around = |kernel: &str| if is_pair { format!("pair({kernel})") } else { kernel.to_owned() };
                let alone = |scaling: &str, (kernel, own): &Term| {
                    values(&format!("{scaling}({})", around(kernel)), own.unwrap_or(units), &texts, n)
                };
                let expression = terms.iter().map(wrapped).map(|kernel| around(&kernel)).collect::<Vec<_>>().join("+");
                for scaling in ["raw", "sum"] {
                    let found = values(&format!("{scaling}({expression})"), units, &texts, n);
                    let separate: Vec<_> = terms.iter().map(|term| alone(scaling, term)).collect();
                    for (i, row) in found.iter().enumerate() {
                        for (j, value) in row.iter().enumerate() {
                            let expected = separate.iter().map(|term| term[i][j]).sum();
                            prop_assert!(close(*value, expected), "{scaling}({expression}): {value} {expected}");
                        }
                    }
                }
                let normalised = values(&expression, units, &texts, n);
                let parts = values(&format!("sum({expression})"), units, &texts, n);
                for i in 0..n {
                    for j in 0..n {
                        let length = (parts[i][i] * parts[j][j]).sqrt();
                        let expected = if length > 0.0 { parts[i][j] / length } else { 0.0 };
                        prop_assert!(close(normalised[i][j], expected), "{expression}: {} {expected}", normalised[i][j]);
                    }
                }
            }
        }
    }

    /// The vectors of a linear machine have the kernel's products, and threads change no bit.
    #[test]
    fn vectors_and_threads_agree_with_the_kernel(texts in prop::collection::vec(text(), 2..6)) {
        let expression: Expression = "spectrum(k=2)+words(bow(weight=tf))+raw(stems(ngram(k=1..2,min=2)))".parse().unwrap();
        let (annotator, mut symbols) = (annotator(&expression, Units::Chars), Interner::new());
        let sentences: Vec<Sentence> = texts.iter().map(|text| annotator.sentence(text, &mut symbols)).collect();
        let pairs: Vec<Pair> =
            sentences.iter().map(|text| Pair { source: text.clone(), target: text.clone() }).collect();
        let borrowed: Vec<&Sentence> = sentences.iter().collect();
        let seen: Vec<_> = [1, 2].into_iter().map(|n_threads| {
            ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap().install(|| {
                let bound = BoundKernel::new(&expression, &pairs, Progress::none()).unwrap();
                let gram = bound.square(Progress::none()).unwrap();
                let rows: Vec<Vec<u32>> =
                    (0..pairs.len()).map(|i| gram.row(i).iter().map(|value| value.to_bits()).collect()).collect();
                let vectors = TextVectors::new(&expression, &borrowed, Progress::none()).unwrap();
                (rows, vectors.learned(), borrowed.iter().map(|text| vectors.extract(text).unwrap()).collect::<Vec<_>>())
            })
        }).collect();
        prop_assert!(seen[0] == seen[1]);
        let (gram, _, vectors) = &seen[0];
        for (i, x) in vectors.iter().enumerate() {
            for (j, y) in vectors.iter().enumerate().filter(|(j, _)| *j != i) {
                let of = |column: u32| y.entries.iter().filter(move |(other, _)| *other == column).map(|(_, value)| *value);
                let product: f64 = x.entries.iter().map(|(column, value)| value * of(*column).sum::<f64>()).sum();
                let value = f64::from(f32::from_bits(gram[i][j]));
                prop_assert!((product - value).abs() < 1e-5, "{product} {value}");
            }
        }
    }
}

/// A word and a character that are spelt alike share no feature.
#[test]
fn words_and_characters_are_different_features() {
    let texts = ["a", "a b", "b c"].map(|text| (text.to_owned(), text.to_owned()));
    let one = values("raw(spectrum(k=1))", Units::Lower, &texts, 3);
    let both = values("raw(spectrum(k=1)+words(spectrum(k=1)))", Units::Lower, &texts, 3);
    // "a" with "a b": the character once, the word once.
    assert_eq!((one[0][1], both[0][1]), (1.0, 2.0));
    // "a b" with "b c": the characters "b" and " ", the word "b".
    assert_eq!((one[1][2], both[1][2]), (2.0, 3.0));
}

fn documents() -> Documents {
    let mut lines = String::new();
    for number in 0..24 {
        let (label, words) = [("sea", "The  ship sailed, a long way"), ("food", "A warm bread; we ate it")][number % 2];
        let other = ["today", "at noon", "in a hurry"][number % 3];
        lines.push_str(&format!("{{\"text\": \"{words} {other}.\", \"labels\": [\"{label}\"]}}\n"));
    }
    Documents::from_reader("corpus.jsonl", lines.as_bytes(), Some(DocumentFormat::Jsonl)).unwrap()
}

fn options(kernel: &str, units: Units) -> TopicOptions {
    TopicOptions { kernel: kernel.to_owned(), units, folds: 3, ..TopicOptions::default() }
}

fn train(kernel: &str, units: Units) -> TopicModel {
    train_topics(&documents(), &options(kernel, units), &Resources::bundled(), Progress::none()).unwrap()
}

/// The places of a string are those of its own symbols: whole words or single characters.
#[test]
fn strings_are_shown_where_their_units_are() {
    let model = train("chars(spectrum(k=1))+words(spectrum(k=1..2))+lemmas(bow)", Units::Tokens);
    let text = "A ship, a  Warm ship sailed.";
    let mut n_seen = [0; 4];
    for topic in 0..2 {
        let score = model.decide(text).unwrap()[topic].score;
        let (sentence, tree) = model.explain(text, topic, usize::MAX).unwrap();
        assert!((tree.leaves().iter().map(|leaf| leaf.value).sum::<f64>() - score).abs() < 1e-9);
        for (term, part) in tree.parts[1..].iter().enumerate() {
            let What::Kernel(kernel) = &part.what else { panic!("{part:?}") };
            assert_eq!(kernel.split('(').next(), Some(["chars", "words", "words", "lemmas"][term]));
            for leaf in &part.parts {
                let What::String(string) = &leaf.what else { panic!("{leaf:?}") };
                for span in leaf.places.iter().flat_map(|place| &place.source) {
                    let found = &sentence.text[span.range()];
                    let edges = [
                        sentence.text[..span.start as usize].chars().last(),
                        sentence.text[span.end as usize..].chars().next(),
                    ];
                    let is_word = edges.iter().all(|edge| edge.is_none_or(|edge| !edge.is_alphanumeric()));
                    let plain = found.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
                    assert!(
                        match term {
                            0 => found.chars().count() == 1 && (found == string || string == " "),
                            1 => is_word && plain == *string || found == "," || found == ".",
                            2 =>
                                string.split(' ').count() == 2
                                    && plain.replace([',', '.'], "").contains(string.replace([',', '.'], "").trim()),
                            _ => is_word || found == "," || found == ".",
                        },
                        "{kernel}: {string:?} at {found:?}"
                    );
                    n_seen[term] += 1;
                }
                assert!(!leaf.places.is_empty(), "{kernel}: {string:?}");
            }
        }
    }
    assert!(n_seen.iter().all(|n| *n > 0), "{n_seen:?}");
    let strings = model.strings(0, usize::MAX, |_| true);
    let by_units = |units| strings.iter().filter(move |found| found.units == Some(units)).map(|found| &*found.string);
    assert!(by_units(Units::Chars).all(|string| string.chars().count() == 1));
    assert!(by_units(Units::Words).any(|string| string == "the ship"));
    assert!(by_units(Units::Lemmas).any(|string| string == "eat" || string == "sail"));
}

/// Where every kernel has its units, the model's units mean nothing.
#[test]
fn own_units_need_no_others() {
    let kernel = "words(fsm(min=2))+chars(ngram(k=3,min=2))";
    let [one, other] = [Units::Lower, Units::Stems].map(|units| train(kernel, units));
    let text = "A ship with bread.";
    assert_eq!(one.decide(text).unwrap(), other.decide(text).unwrap());
    let again = TopicModel::from_bytes("again", &one.to_bytes().unwrap(), &Resources::bundled()).unwrap();
    assert_eq!(again.decide(text).unwrap(), one.decide(text).unwrap());
    let tried = |kernel: &str, criterion| {
        let options = options(kernel, Units::Lower);
        search(&documents(), &options, criterion, &Resources::bundled(), Progress::none()).unwrap().tried
    };
    assert_eq!(tried(kernel, Criterion::Folds).len(), 6, "one per min");
    assert_eq!(tried("ngram(k=3)+words(bow)", Criterion::Folds).len(), 12, "one per min and unit");
    // The criterion counts the symbols that the automaton generates.
    let plain = train_bits("fsm", Units::Words);
    assert_eq!(tried("words(fsm)", Criterion::Bic).iter().map(|one| one.value).collect::<Vec<_>>(), plain);
}

fn train_bits(kernel: &str, units: Units) -> Vec<f64> {
    let found =
        search(&documents(), &options(kernel, units), Criterion::Bic, &Resources::bundled(), Progress::none()).unwrap();
    found.tried.iter().map(|one| one.value).collect()
}

#[test]
fn sentences_without_a_reading_are_refused() {
    let expression: Expression = "bow+words(bow)".parse().unwrap();
    let sentence = Annotator::new(Units::Chars).sentence("a b", &mut Interner::new());
    let refused = TextVectors::new(&expression, &[&sentence], Progress::none()).unwrap_err().to_string();
    assert_eq!(refused, "a sentence without words, expected an annotator that was told what the kernel needs");
    let pair = Pair { source: sentence.clone(), target: sentence };
    assert!(BoundKernel::new(&expression, &[pair], Progress::none()).is_err());
}
