//! One list of laws, checked for models of every kind: kernels with and without listed rules, both
//! learners.
//!
//! The slow reference works on readable output: it matches a model's rules word by word and adds up
//! their weights. A dual machine is retrained from the Gram matrix and its decisions are compared
//! with the model's.

use rayon::ThreadPoolBuilder;
use resay::data::Dataset;
use resay::explain::{Explanation, RewriteRule, Slot, What};
use resay::id::OverlapMeasure;
use resay::kernel::{BoundKernel, Expression};
use resay::model::{Decision, Explained, KernelModel, PairModel, ProgramModel, Pruning, Weight, pair_context};
use resay::pair::{Annotated, PairView};
use resay::resources::Resources;
use resay::train::latent::Staging;
use resay::train::{CostChoice, KernelLearner, Task, TrainOptions, train};
use resay_learn::progress::Progress;
use resay_learn::svm::dual;
use resay_text::{Annotator, Interner, Pair, Sentence, Units};
use std::collections::BTreeSet;

/// Every kind of model: kernel and learner. `pw` and `pair(...)` have no listed rules, so their
/// models store support pairs.
const TABLE: [(&str, KernelLearner); 18] = [
    ("kb(k=1..2)+pr", KernelLearner::Linear),
    ("kb(k=1..2)+pr", KernelLearner::Dual),
    ("kb(k=3,lambda=0.5)", KernelLearner::Linear),
    ("ps(k=1..2)", KernelLearner::Dual),
    ("sum(kb(k=1..3))+pr", KernelLearner::Linear),
    ("raw(kb(k=1,lambda=0.2))+ps(k=2)", KernelLearner::Linear),
    ("pr", KernelLearner::Dual),
    ("pw(k=2,lambda=0.7)", KernelLearner::Dual),
    ("pw(k=1)+kb(k=2)+pr", KernelLearner::Auto),
    ("kb(k=1..2)+idf", KernelLearner::Linear),
    ("idf+pr", KernelLearner::Dual),
    ("pw(k=1)+idf", KernelLearner::Dual),
    ("pair(spectrum(k=1..2))", KernelLearner::Dual),
    ("pair(fsm(min=2,weight=log))+pr", KernelLearner::Auto),
    ("pair(subsequence(k=1..2,lambda=0.5))+kb(k=1)", KernelLearner::Dual),
    ("pair(bow)+pair(ngram(k=2,min=2,weight=inverse))", KernelLearner::Dual),
    ("pair(chars(spectrum(k=2))+spectrum(k=1))+kb(k=1)", KernelLearner::Auto),
    ("raw(pair(stems(bow)))+pair(lower(fsm(min=3))+stems(subsequence(k=1..2,lambda=0.5)))", KernelLearner::Dual),
];

fn leans_on_pairs(kernel: &str) -> bool {
    kernel.contains("pw") || kernel.contains("pair(")
}

const KEEP_ALL: Pruning = Pruning { min_support: 1, max_rules: usize::MAX, examples: true };

/// Pairs outside the training set: similar, dissimilar, empty, and with repeated unknown words.
const NEW: [(&str, &str); 8] = [
    ("Anna bought the car in Oslo .", "In Oslo the automobile was purchased by Anna ."),
    ("Anna bought the car in Oslo .", "Boris sold the boat in Quito ."),
    ("Hugo mended the zeppelin in Oslo .", "The zeppelin was repaired by Hugo ."),
    ("The the the the .", "the THE the"),
    ("", ""),
    ("", "Anna bought the car ."),
    ("Anna", "Anna"),
    ("un\u{e9} pomme\u{2028}rouge", "\u{1f34e}"),
];

fn options(kernel: &str, learner: KernelLearner, pruning: Pruning) -> TrainOptions<'static> {
    TrainOptions {
        kernel: kernel.to_owned(),
        learner,
        pruning,
        units: Units::Words,
        costs: vec![1.0],
        choice: CostChoice::Folds(3),
        ..TrainOptions::new(Task::Paraphrase)
    }
}

fn trained(data: &Dataset, kernel: &str, learner: KernelLearner, pruning: Pruning) -> KernelModel {
    train(data, &options(kernel, learner, pruning), &Resources::bundled(), Progress::none()).expect(kernel)
}

fn texts(data: &Dataset) -> Vec<(&str, &str)> {
    let own = data.rows.iter().map(|example| (&*example.source, &*example.target));
    own.chain(NEW).collect()
}

/// Scores pairs one by one with one scorer.
fn scores(model: &KernelModel, texts: &[(&str, &str)]) -> Vec<f64> {
    let (mut scorer, context) = (model.scorer(), pair_context(model.resources()));
    let score = |(source, target): &(&str, &str)| {
        let [source, target] = [source, target].map(|text| Annotated::text_only(text));
        let view = PairView::new(&context, &source, &target);
        let mut found = scorer.score(std::slice::from_ref(&view), Progress::none());
        found.remove(0).unwrap().decision().unwrap().score
    };
    texts.iter().map(score).collect()
}

/// Returns the symbols of both sides and the explanation of the score.
fn explain(model: &dyn PairModel, source: &str, target: &str, top: usize) -> ([Sentence; 2], Explanation) {
    let Explained { prediction, explanation, symbols } = model.explain_one(source, target, top).unwrap();
    assert_eq!(prediction, model.predict_one(source, target).unwrap());
    (*symbols.expect("kernels compare symbols"), explanation)
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn each_model(law: impl Fn(&KernelModel, &Dataset, &str)) {
    let data = crate::pairs::dataset(48, 7);
    for (kernel, learner) in TABLE {
        law(&trained(&data, kernel, learner, KEEP_ALL), &data, &format!("{kernel} by {learner:?}"));
    }
}

#[test]
fn leaves_add_up_to_the_score() {
    each_model(|model, data, what| {
        for (source, target) in texts(data).into_iter().rev().take(20) {
            let score = scores(model, &[(source, target)])[0];
            let mut n_leaves_before = 0;
            for top in [0, 1, 3, usize::MAX] {
                let (pair, whole) = explain(model, source, target, top);
                let leaves = whole.leaves();
                let sum: f64 = leaves.iter().map(|leaf| leaf.value).sum();
                assert!((sum - score).abs() <= 1e-9, "{what}, top {top}: leaves {sum}, score {score}");
                parts_add_up(&whole, what);
                assert!(leaves.len() >= n_leaves_before, "{what}: more asked for, fewer shown");
                n_leaves_before = leaves.len();
                let has_rest = leaves.iter().any(|leaf| matches!(leaf.what, What::Rest(_)));
                assert!(!(has_rest && top == usize::MAX), "{what}: a rest although all were asked for");
                spans_are_in_the_text(&whole, &pair);
            }
        }
    });
}

fn parts_add_up(part: &Explanation, what: &str) {
    if !part.parts.is_empty() {
        let sum: f64 = part.parts.iter().map(|part| part.value).sum();
        assert!((sum - part.value).abs() <= 1e-9, "{what}: {:?} is {}, its parts {sum}", part.what, part.value);
        part.parts.iter().for_each(|part| parts_add_up(part, what));
    }
}

/// Every position of a rule points at the words it is about.
fn spans_are_in_the_text(whole: &Explanation, [source, target]: &[Sentence; 2]) {
    for leaf in whole.leaves() {
        let What::Rule(rule) = &leaf.what else { continue };
        assert!(!leaf.places.is_empty(), "a rule that spoke stands somewhere: {rule}");
        for place in &leaf.places {
            for (slots, spans, text) in
                [(&rule.source, &place.source, &source.text), (&rule.target, &place.target, &target.text)]
            {
                assert_eq!(slots.len(), spans.len());
                for (slot, span) in slots.iter().zip(spans) {
                    if let Slot::Word(word) = slot {
                        assert_eq!(&text[span.range()].to_lowercase(), word);
                    }
                }
            }
        }
    }
}

/// Returns the words of a sentence as the model's annotator produces them.
fn words(text: &str) -> Vec<String> {
    let mut symbols = Interner::new();
    let sentence = Annotator::new(Units::Words).sentence(text, &mut symbols);
    sentence.units.iter().map(|&unit| symbols.string(unit).unwrap().to_owned()).collect()
}

/// Counts the matches of a rule: every position in the source with every position in the target, if
/// linked wildcards agree.
fn n_matches(rule: &RewriteRule, source: &[String], target: &[String]) -> usize {
    let fits = |slots: &[Slot], window: &[String]| {
        slots.iter().zip(window).all(|(slot, word)| !matches!(slot, Slot::Word(expected) if expected != word))
    };
    let mut n_matches = 0;
    for s in source.windows(rule.source.len()).filter(|window| fits(&rule.source, window)) {
        for t in target.windows(rule.target.len()).filter(|window| fits(&rule.target, window)) {
            n_matches += usize::from(rule.links().iter().all(|&(a, b)| s[a - 1] == t[b - 1]));
        }
    }
    n_matches
}

/// Returns the fraction of source words found in the target, each weighted by ln(N / documents that
/// contain it), with at least one such document.
fn rare_words(data: &Dataset, source: &[String], target: &[String]) -> f64 {
    let sentences = data.rows.iter().flat_map(|example| [&example.source, &example.target]);
    let documents: BTreeSet<Vec<String>> = sentences.map(|text| words(text)).collect();
    let idf = |word: &String| {
        let n_holding = documents.iter().filter(|document| document.contains(word)).count();
        (documents.len() as f64 / n_holding.max(1) as f64).ln()
    };
    let source: BTreeSet<&String> = source.iter().collect();
    let common: f64 = source.iter().filter(|word| target.contains(word)).map(|word| idf(word)).sum();
    let all: f64 = source.iter().map(|word| idf(word)).sum();
    if all > 0.0 { common / all } else { 0.0 }
}

/// Computes the overlap measures.
fn measure(measure: OverlapMeasure, data: &Dataset, source: &[String], target: &[String]) -> f64 {
    let mut left = target.to_vec();
    let take = |word: &&String| left.iter().position(|other| other == *word).map(|at| left.swap_remove(at)).is_some();
    let n_common = source.iter().filter(take).count() as f64;
    let len = match measure {
        OverlapMeasure::Precision => target.len(),
        OverlapMeasure::Recall => source.len(),
        OverlapMeasure::RareWords => return rare_words(data, source, target),
    };
    n_common / len.max(1) as f64
}

fn lambda(kernel: &str) -> f64 {
    let after = kernel.split("lambda=").nth(1).map(|rest| rest.trim_end_matches(')'));
    after.map_or(1.0, |value| value.parse().unwrap())
}

/// Returns the kernel of a pair with itself under one unnormalised term.
fn self_value(term: &str, source: &str, target: &str) -> f64 {
    let (annotator, mut symbols) = (Annotator::new(Units::Words), Interner::new());
    let pair =
        Pair { source: annotator.sentence(source, &mut symbols), target: annotator.sentence(target, &mut symbols) };
    let mut value = [f64::NAN];
    let expression: Expression = format!("raw({term})").parse().unwrap();
    BoundKernel::new(&expression, &[pair], Progress::none()).unwrap().column(0, &mut value, Progress::none()).unwrap();
    value[0]
}

/// Computes bias + sum over rules of weight * value * scale of the rule's kernel, all by hand.
fn score_by_hand(model: &KernelModel, data: &Dataset, terms: &[String], source: &str, target: &str) -> f64 {
    let bias = explain(model, "", "", 0).1.parts[0].value;
    let inside = |term: &str| ["raw(", "sum("].iter().find_map(|name| term.strip_prefix(name)).map(|t| t.to_owned());
    let bare = |term: &str| inside(term).map_or(term.to_owned(), |inside| inside.replacen("))", ")", 1));
    let own: Vec<f64> = terms.iter().map(|term| self_value(&bare(term), source, target)).collect();
    let is_plain = |term: &String| term == "pr" || term == "idf";
    let is_whole = |term: &String| !is_plain(term) && inside(term).is_none();
    let n_live = terms.iter().zip(&own).filter(|(term, own)| is_whole(term) && **own > 0.0).count() as f64;
    let scale = |at: usize| match &terms[at] {
        term if is_plain(term) || term.starts_with("raw(") => 1.0,
        _ if own[at] == 0.0 => 0.0,
        term if term.starts_with("sum(") => 1.0 / own[at].sqrt(),
        _ => 1.0 / (own[at] * n_live).sqrt(),
    };
    let (source, target) = (words(source), words(target));
    let mut score = bias;
    for rule in model.weights(0) {
        let kernel = rule.kernel.expect("a rule of a kernel");
        let at = terms.iter().position(|term| *term == kernel).expect("a rule of the expression");
        let value = match &rule.what {
            What::Rule(rewrite) => {
                let links = lambda(&kernel).powi(rewrite.links().len() as i32);
                n_matches(rewrite, &source, &target) as f64 * links
            }
            What::Overlap(of) => measure(*of, data, &source, &target),
            other => unreachable!("{other:?} is no rule"),
        };
        score += rule.weight * value * scale(at);
    }
    score
}

#[test]
fn the_score_is_the_sum_of_the_listed_rules() {
    let data = crate::pairs::dataset(24, 3);
    for (kernel, learner) in TABLE.into_iter().filter(|(kernel, _)| !leans_on_pairs(kernel)) {
        let model = trained(&data, kernel, learner, KEEP_ALL);
        assert!(!model.weights(0).is_empty());
        let expression: Expression = kernel.parse().unwrap();
        let terms: Vec<String> = expression.terms().iter().map(|term| term.describe()).collect();
        for (source, target) in texts(&data).into_iter().rev().take(11) {
            let (found, expected) =
                (scores(&model, &[(source, target)])[0], score_by_hand(&model, &data, &terms, source, target));
            assert!((found - expected).abs() <= 1e-9, "{kernel}, {source:?}: {found}, by hand {expected}");
        }
    }
}

#[test]
fn a_rule_s_support_is_the_number_of_pairs_that_have_it() {
    let data = crate::pairs::dataset(24, 3);
    let model = trained(&data, "kb(k=2)", KernelLearner::Linear, KEEP_ALL);
    let sides: Vec<_> = data.rows.iter().map(|e| (words(&e.source), words(&e.target))).collect();
    for rule in model.weights(0) {
        let What::Rule(rewrite) = &rule.what else { continue };
        let has = |(source, target): &&(Vec<String>, Vec<String>)| n_matches(rewrite, source, target) > 0;
        assert_eq!(rule.support, Some(sides.iter().filter(has).count() as u32), "{rewrite}");
        if let Some(example) = &rule.example {
            let (source, target) = example.split_once(" -> ").unwrap();
            let stands =
                |(s, t): &(Vec<String>, Vec<String>)| s.join(" ").contains(source) && t.join(" ").contains(target);
            assert!(sides.iter().any(stands), "{example} stands in no pair");
        }
    }
}

#[test]
fn saving_and_loading_change_no_bit() {
    each_model(|model, data, what| {
        let bytes = model.to_bytes().unwrap();
        let again = KernelModel::from_bytes("m.resay", &bytes, &Resources::bundled()).unwrap();
        assert_eq!(bytes, again.to_bytes().unwrap(), "{what}: saved twice");
        assert_eq!(again.about(), model.about(), "{what}");
        assert_eq!(again.weights(0), model.weights(0), "{what}");
        let texts = texts(data);
        assert_eq!(bits(&scores(model, &texts)), bits(&scores(&again, &texts)), "{what}");
        let whole = |model: &KernelModel| explain(model, NEW[0].0, NEW[0].1, 5);
        assert_eq!(whole(model), whole(&again), "{what}");
    });
}

#[test]
fn a_saved_file_is_the_model() {
    let data = crate::pairs::dataset(12, 1);
    let model = trained(&data, "kb(k=1)", KernelLearner::Linear, KEEP_ALL);
    let path = std::env::temp_dir().join(format!("resay-model-laws-{}.resay", std::process::id()));
    model.save(&path).unwrap();
    let read = std::fs::read(&path).unwrap();
    let resources = Resources::bundled();
    let opened = KernelModel::open(&path, &resources).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(read, model.to_bytes().unwrap());
    assert_eq!(bits(&scores(&opened, &NEW)), bits(&scores(&model, &NEW)));
    let error = KernelModel::open(&path, &resources).map(|_| ()).unwrap_err();
    assert!(error.to_string().starts_with(&format!("cannot read {}", path.display())), "{error}");
}

#[test]
fn training_again_and_other_thread_counts_give_the_same_file() {
    let data = crate::pairs::dataset(48, 7);
    for (kernel, learner) in TABLE {
        let mut with_costs = options(kernel, learner, KEEP_ALL);
        with_costs.costs = vec![0.1, 1.0, 10.0];
        let with = |n_threads: usize| {
            let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| {
                let model = train(&data, &with_costs, &Resources::bundled(), Progress::none()).unwrap();
                (model.to_bytes().unwrap(), all(&model, &texts(&data)))
            })
        };
        let one = with(1);
        for n_threads in [1, 2, 3] {
            assert!(one == with(n_threads), "{kernel} by {learner:?}: another file with {n_threads} threads");
        }
    }
}

/// Decides all pairs in one batch.
fn all(model: &dyn PairModel, texts: &[(&str, &str)]) -> Vec<Decision> {
    let found = model.predict(texts, |pair| *pair, Progress::none()).unwrap();
    found.into_iter().map(|prediction| prediction.unwrap().decision().unwrap()).collect()
}

#[test]
fn many_at_once_are_one_by_one() {
    each_model(|model, data, what| {
        let texts = texts(data);
        let all = all(model, &texts);
        let found: Vec<f64> = all.iter().map(|decision| decision.score).collect();
        assert_eq!(bits(&found), bits(&scores(model, &texts)), "{what}");
        for ((source, target), decision) in texts.iter().zip(&all) {
            // A fresh scorer.
            let one = (model as &dyn PairModel).predict_one(source, target).unwrap();
            assert_eq!(one, (*decision).into(), "{what}");
            assert_eq!(decision.label, decision.score > 0.0);
            assert!((0.0..=1.0).contains(&decision.probability));
        }
        let mut sorted = all.clone();
        sorted.sort_by(|a, b| a.score.total_cmp(&b.score));
        assert!(sorted.windows(2).all(|two| two[0].probability <= two[1].probability), "{what}");
        assert!(self::all(model, &[]).is_empty());
    });
}

#[test]
fn pruning_keeps_what_it_says() {
    let data = crate::pairs::dataset(48, 7);
    for (kernel, learner) in [("kb(k=1..3)+pr", KernelLearner::Linear), ("kb(k=2)", KernelLearner::Dual)] {
        let whole = trained(&data, kernel, learner, KEEP_ALL);
        let all = whole.weights(0);
        let weight = |rule: &Weight| rule.weight.abs();
        assert!(all.windows(2).all(|two| weight(&two[0]) >= weight(&two[1])), "{kernel}: heaviest first");
        assert!(all.iter().all(|rule| rule.weight != 0.0), "{kernel}");
        // Rules whose weights cancel out are counted but not kept.
        let n_rules = whole.about().details.n_rules[0];
        assert!(n_rules >= all.len() && whole.about().details.n_rules[1] == all.len());
        for min_support in [2, 3, 5] {
            let model = trained(&data, kernel, learner, Pruning { min_support, max_rules: usize::MAX, examples: true });
            let kept: Vec<_> = all.iter().filter(|rule| rule.support >= Some(min_support)).cloned().collect();
            assert!(!kept.is_empty() && kept.len() < all.len());
            assert_eq!(model.weights(0), kept, "{kernel}, support {min_support}");
            assert_eq!(model.about().details.n_rules[1], kept.len());
        }
        // A limit on rules also drops rules found in only one pair.
        let all: Vec<_> = all.into_iter().filter(|rule| rule.support >= Some(2)).collect();
        for max_rules in [0, 1, 10, 100, all.len() - 1, all.len(), all.len() + 1] {
            let model = trained(&data, kernel, learner, Pruning { min_support: 1, max_rules, examples: true });
            let kept = model.weights(0);
            assert!(kept.len() <= max_rules, "{kernel}: {} of at most {max_rules}", kept.len());
            // The heaviest rules are kept. If a tie spans the limit, all tied rules are dropped.
            assert_eq!(kept[..], all[..kept.len()], "{kernel}, at most {max_rules}");
            if let (Some(next), Some(beyond)) = (all.get(kept.len()), all.get(max_rules)) {
                assert!((weight(next) - weight(beyond)).abs() <= 1e-6 * weight(next), "{kernel}: dropped too many");
            }
            assert_eq!(model.about().details.n_rules, [n_rules, kept.len()]);
        }
    }
}

#[test]
fn both_learners_agree_on_what_they_learned_from() {
    let data = crate::pairs::dataset(120, 5);
    let texts: Vec<(&str, &str)> = data.rows.iter().map(|e| (&*e.source, &*e.target)).collect();
    for kernel in ["kb(k=1..2)+pr", "kb(k=1..4)", "ps(k=1..2)+pr", "sum(kb(k=1..3))"] {
        let with = |learner| scores(&trained(&data, kernel, learner, KEEP_ALL), &texts);
        // The linear learner regularises the bias and the dual learner does not: scores differ, but
        // decisions hardly do.
        let (linear, dual) = (with(KernelLearner::Linear), with(KernelLearner::Dual));
        let n_agree = linear.iter().zip(&dual).filter(|(a, b)| (**a > 0.0) == (**b > 0.0)).count();
        assert!(n_agree * 100 >= 95 * texts.len(), "{kernel}: {n_agree} of {}", texts.len());
        let n_right = linear.iter().zip(&data.labels_binary().unwrap()).filter(|(a, b)| (**a > 0.0) == **b).count();
        assert!(n_right * 100 >= 85 * texts.len(), "{kernel}: {n_right} right of {}", texts.len());
    }
}

#[test]
fn a_dual_model_is_its_machine() {
    let data = crate::pairs::dataset(48, 7);
    let labels = data.labels_binary().unwrap();
    for (kernel, learner) in TABLE.into_iter().filter(|(_, learner)| *learner != KernelLearner::Linear) {
        let model = trained(&data, kernel, learner, KEEP_ALL);
        assert_eq!(model.weights(0).is_empty(), leans_on_pairs(kernel), "{kernel}");
        let expression: Expression = kernel.parse().unwrap();
        let annotator = Resources::bundled().annotator_for(Units::Words, expression.needs()).unwrap();
        let mut symbols = Interner::new();
        let mut pair = |(source, target): (&str, &str)| Pair {
            source: annotator.sentence(source, &mut symbols),
            target: annotator.sentence(target, &mut symbols),
        };
        let all: Vec<Pair> = texts(&data).into_iter().map(&mut pair).collect();
        let bound = BoundKernel::new(&expression, &all[..data.len()], Progress::none()).unwrap();
        let gram = bound.square(Progress::none()).unwrap();
        let members: Vec<usize> = (0..data.len()).collect();
        let params = dual::DualParams { cost: 1.0, ..dual::DualParams::default() }.check().unwrap();
        let machine = dual::fit(
            &dual::DualProblem::new(&gram, &labels, Progress::none()).unwrap(),
            &members,
            &params,
            None,
            Progress::none(),
        )
        .unwrap();
        for (pair, found) in all.iter().zip(scores(&model, &texts(&data))) {
            let mut row = vec![0.0; data.len()];
            bound.row(pair, &mut row, Progress::none()).unwrap();
            let sum: f64 = row.iter().zip(&machine.coefficients).map(|(value, c)| value * c).sum();
            let expected = sum + machine.bias;
            assert!((found - expected).abs() <= 1e-5, "{kernel}: model {found}, machine {expected}");
        }
    }
}

/// Models over declared programmes obey the same laws, with structure and decision trained jointly
/// and with the decision only.
#[test]
fn models_over_programmes_keep_the_laws() {
    let (data, resources) = (crate::programs::evenings(), Resources::bundled());
    for staging in [Staging::Joint, Staging::TwoStage] {
        let model = crate::programs::model(staging, &resources);
        let bytes = model.to_bytes().unwrap();
        let again = ProgramModel::from_bytes("m.resay", &bytes, &resources).unwrap();
        assert_eq!((again.about(), again.weights()), (model.about(), model.weights()), "{staging:?}");
        assert_eq!(again.to_bytes().unwrap(), bytes, "{staging:?}: saved twice");
        let all = |model: &ProgramModel| -> Vec<Decision> {
            let found = model.predict(&data.examples, |example| example, Progress::none()).unwrap();
            found.into_iter().map(|decision| decision.unwrap()).collect()
        };
        let many = all(&model);
        assert_eq!(all(&again), many, "{staging:?}: saved and opened");
        for (example, decision) in data.examples.iter().zip(&many) {
            assert_eq!(model.predict_one(example).unwrap(), *decision, "{staging:?}: one by one");
            assert_eq!(decision.label, decision.score > 0.0);
            let explained = model.explain(example).unwrap();
            assert_eq!(explained.prediction, (*decision).into(), "{staging:?}");
            let tree = explained.explanation;
            let sum: f64 = tree.leaves().iter().map(|leaf| leaf.value).sum();
            assert!((sum - decision.score).abs() <= 1e-9, "{staging:?}: leaves {sum}, score {}", decision.score);
            parts_add_up(&tree, "programmes");
            // The tree contains the people at the posts, whatever they contribute, and the
            // assignment satisfies the constraints.
            let chosen = tree.parts.iter().filter(|part| matches!(part.what, What::Variable(_))).count();
            assert_eq!(chosen, 2, "{staging:?}: {tree:?}");
        }
        for n_threads in [1, 2, 3] {
            let pool = ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            let (bytes_then, many_then) = pool.install(|| {
                let model = crate::programs::model(staging, &resources);
                (model.to_bytes().unwrap(), all(&model))
            });
            assert!(bytes_then == bytes && many_then == many, "{staging:?}: another model with {n_threads} threads");
        }
    }
}
