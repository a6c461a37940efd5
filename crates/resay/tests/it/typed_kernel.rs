//! `tesrk(...)` end to end: from text, relations and an expression to matrices, models and scores.

use proptest::prelude::*;
use resay::data::{Columns, Dataset};
use resay::kernel::typed::{Effort, Relate, typed_by_algorithm_1, typed_by_algorithm_2};
use resay::kernel::{BoundKernel, Expression};
use resay::model::{KernelModel, PairModel};
use resay::resources::Resources;
use resay::train::{KernelLearner, Task, TrainOptions, train};
use resay_learn::progress::Progress;
use resay_text::lexicon::{Lexicon, OwnRelations};
use resay_text::{Annotator, Interner, Pair, Units};
use std::sync::Arc;

fn lexicon(lines: &str) -> Arc<Lexicon> {
    let mut own = OwnRelations::new();
    own.read("own.tsv", lines.as_bytes()).unwrap();
    Arc::new(Lexicon::new().with_own(own))
}

fn parse(text: &str, lexicon: &Arc<Lexicon>) -> Expression {
    Expression::parse(text, &|| Ok(lexicon.clone())).unwrap()
}

/// Parses pairs of tokens, each written `a b | c d`.
fn pairs(lines: &[&str], symbols: &mut Interner) -> Vec<Pair> {
    let annotator = Annotator::new(Units::Tokens);
    let mut pair = |line: &&str| {
        let (source, target) = line.split_once('|').unwrap();
        Pair { source: annotator.sentence(source, symbols), target: annotator.sentence(target, symbols) }
    };
    lines.iter().map(&mut pair).collect()
}

fn row(expression: &Expression, columns: &[Pair], pair: &Pair) -> Vec<f64> {
    let mut out = vec![0.0; columns.len()];
    BoundKernel::new(expression, columns, Progress::none()).unwrap().row(pair, &mut out, Progress::none()).unwrap();
    out
}

#[test]
fn the_papers_example_matches_by_its_types() {
    // Figure 1: (heard * * -> * was *) matches the first pair; with types it also matches the
    // second.
    let lines = "p\theard\tcaught\np\tcaught\theard\np\twas\twas\nv\tMary\tMary\nv\tshouting\tshouting\nv\thim\tHe\n\
                 v\tsnoring\tsleeping\n";
    let mut symbols = Interner::new();
    let all = pairs(&["heard Mary shouting|Mary was shouting", "caught him snoring|He was sleeping"], &mut symbols);
    let value = |expression: &str| row(&parse(expression, &lexicon(lines)), &all[..1], &all[1])[0];
    assert_eq!(value("raw(tesrk(k=3,pattern=p,variable=v))"), 1.0);
    assert_eq!(value("raw(tesrk(k=3,pattern=p,variable=v,lambda=0.5))"), 0.0625);
    assert_eq!(value("raw(tesrk(k=3,pattern=id,variable=v))"), 0.0);
    assert_eq!(value("raw(tesrk(k=3,pattern=p,variable=id))"), 0.0);
}

#[test]
fn a_link_may_have_another_type_in_each_pair_if_any_will_do() {
    // As figure 1 of the paper has it: one link is the same word here, another type there.
    let lines = "p\theard\tcaught\np\tcaught\theard\np\twas\twas\nw\thim\tHe\nv\tsnoring\tsleeping\n";
    let mut symbols = Interner::new();
    let all = pairs(&["heard Mary shouting|Mary was shouting", "caught him snoring|He was sleeping"], &mut symbols);
    let value = |expression: &str| row(&parse(expression, &lexicon(lines)), &all[..1], &all[1])[0];
    assert_eq!(value("raw(tesrk(k=3,pattern=p,variable=id:v:w))"), 0.0);
    assert_eq!(value("raw(tesrk(k=3,pattern=p,variable=any(id:v:w)))"), 1.0);
    assert_eq!(value("raw(tesrk(k=3,pattern=p,variable=any(id:v)))"), 0.0);
}

/// Answers of the lexicon, word by word.
struct Asked<'a> {
    lexicon: &'a Lexicon,
    symbols: &'a Interner,
    pattern: &'a str,
    variable: &'a str,
}

impl Asked<'_> {
    fn bits(&self, a: u32, b: u32, types: &str) -> u64 {
        let [a, b] = [a, b].map(|word| self.lexicon.token(self.symbols.string(word).unwrap()));
        self.lexicon.relations_among(&a, &b, self.lexicon.parse(types).unwrap()).bits()
    }
}

impl Relate for Asked<'_> {
    fn pattern(&self, a: u32, b: u32) -> bool {
        self.bits(a, b, self.pattern) != 0
    }

    fn variable(&self, a: u32, b: u32) -> u64 {
        match self.variable.strip_prefix("any(") {
            Some(types) => u64::from(self.bits(a, b, types.trim_end_matches(')')) != 0),
            None => self.bits(a, b, self.variable),
        }
    }
}

const WORDS: [&str; 7] = ["buy", "Buy", "buys", "sell", "sold", "car", "cars"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn expressions_are_algorithm_1(
        lines in prop::collection::vec((0..3_usize, 0..WORDS.len(), 0..WORDS.len()), 0..20),
        sentences in prop::collection::vec(prop::collection::vec(0..WORDS.len(), 0..6), 6),
        k in 1..4_usize,
        types in prop::sample::select(vec![["x:stem", "x:y"], ["id", "id"], ["y", "stem:z"], ["x:y:z", "edit1:x"], ["x:stem", "any(x:y)"], ["id:y", "any(id:stem:x:z)"]]),
    ) {
        let own: String = lines.iter().map(|(g, a, b)| format!("{}\t{}\t{}\n", ["x", "y", "z"][*g], WORDS[*a], WORDS[*b])).collect();
        let own = format!("x\tq\tq\ny\tq\tq\nz\tq\tq\n{own}");
        let lexicon = lexicon(&own);
        let mut symbols = Interner::new();
        let text = |at: usize| sentences[at].iter().map(|&word| WORDS[word]).collect::<Vec<_>>().join(" ");
        let texts: Vec<String> = (0..3).map(|at| format!("{}|{}", text(2 * at), text(2 * at + 1))).collect();
        let all = pairs(&texts.iter().map(String::as_str).collect::<Vec<_>>(), &mut symbols);
        let [pattern, variable] = types;
        let expression = parse(&format!("raw(tesrk(k={k},pattern={pattern},variable={variable}))"), &lexicon);
        let asked = Asked { lexicon: &lexicon, symbols: &symbols, pattern, variable };
        let sides = |pair: &Pair| (pair.source.units.clone(), pair.target.units.clone());
        let (first, columns) = (&all[2], &all[..2]);
        let found = row(&expression, columns, first);
        let query = sides(first);
        for (column, found) in columns.iter().zip(found) {
            let column = sides(column);
            let (one, other) = ((&query.0[..], &query.1[..]), (&column.0[..], &column.1[..]));
            prop_assert_eq!(found, typed_by_algorithm_1(&asked, k, 1.0, one, other));
            prop_assert_eq!(found, typed_by_algorithm_2(&asked, k, 1.0, one, other, &mut Effort::default()));
        }
        // With identity as the only relation, it equals the kernel without types.
        if types == ["id", "id"] {
            let plain = parse(&format!("raw(kb(k={k}))"), &lexicon);
            prop_assert_eq!(row(&expression, columns, first), row(&plain, columns, first));
        }
    }
}

#[test]
fn matrices_of_directed_relations_are_not_mirrored() {
    let lexicon = lexicon("p\ta\tb\np\ta\ta\np\tb\tb\n");
    let mut symbols = Interner::new();
    let all = pairs(&["a|a", "b|b"], &mut symbols);
    let bound =
        BoundKernel::new(&parse("raw(tesrk(k=1,pattern=p,variable=id))", &lexicon), &all, Progress::none()).unwrap();
    assert!(!bound.is_symmetric());
    let gram = bound.square(Progress::none()).unwrap();
    // *1 -> *1 in all four; the literal rule only if every a is matched by an a or a b.
    assert_eq!([gram.row(0), gram.row(1)], [[2.0, 2.0], [1.0, 2.0]]);
}

#[test]
fn a_model_with_own_relations_comes_back_from_its_file() {
    let mut text = "source\ttarget\tlabel\n".to_owned();
    for (number, colour) in ["red", "blue", "green", "white", "black", "brown"].iter().enumerate() {
        text += &format!("ship {number} got the {colour} box\tthe {colour} parcel came to ship {number}\tyes\n");
        text += &format!("ship {number} got the {colour} box\tnobody saw ship {number} today\tno\n");
    }
    let dataset = Dataset::from_reader("p.tsv", text.as_bytes(), None, &Columns::default()).unwrap();
    let mut relations = OwnRelations::new();
    relations.read("own.tsv", "cargo\tbox\tparcel\ncargo\tbox\tbox\ncargo\tparcel\tparcel\n".as_bytes()).unwrap();
    let resources = Resources::bundled();
    for units in [Units::Stems, Units::Tokens] {
        let options = TrainOptions {
            kernel: "tesrk(k=1..2,pattern=stem:synonym:cargo,variable=stem:cargo:ne)+pr".to_owned(),
            units,
            learner: KernelLearner::Dual,
            costs: vec![1.0],
            choice: resay::train::CostChoice::Folds(2),
            relations: relations.clone(),
            ..TrainOptions::new(Task::Paraphrase)
        };
        let model = train(&dataset, &options, &resources, Progress::none()).unwrap();
        let bytes = model.to_bytes().unwrap();
        let back = KernelModel::from_bytes("m.resay", &bytes, &resources).unwrap();
        assert_eq!(back.to_bytes().unwrap(), bytes);
        for (source, target) in
            [("A box for Anna", "Anna has the parcel"), ("", "x"), ("ship 1 got it", "ship 1 got it")]
        {
            let [one, other]: [&dyn PairModel; 2] = [&model, &back];
            let score = one.predict_one(source, target).unwrap();
            assert_eq!(other.predict_one(source, target).unwrap(), score);
            let explained = other.explain_one(source, target, 3).unwrap();
            assert_eq!(explained.prediction, score);
            assert!((explained.explanation.value - score.decision().unwrap().score).abs() < 1e-9);
        }
    }
}

#[test]
fn wrong_types_have_a_message() {
    let check = |expression: &str, expected: &str| {
        let error = Expression::parse(expression, &|| Ok(lexicon("drug\ta\tb\n"))).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    };
    check("tesrk(k=1)", "kernel tesrk: no pattern, expected types of words such as pattern=stem:synonym1");
    check("tesrk(k=1,pattern=drug)", "kernel tesrk: no variable, expected types");
    check("tesrk(k=1,pattern=drugs,variable=id)", "kernel tesrk: unknown relation 'drugs', expected one of: id, ");
    check("tesrk(k=1,pattern=synonym,variable=id)", "kernel tesrk: no table of the relation 'synonym' is loaded");
    check("tesrk(k=1,pattern=id,variable=id,lambda=0)", "kernel tesrk: lambda=0, expected a number above 0");
    let shown = parse("tesrk(2,stem,stem:id)", &lexicon("")).to_string();
    assert_eq!(shown, "tesrk(k=2,pattern=stem,variable=id:stem,lambda=1)");
}

#[test]
fn circles_and_a_million_lines_are_taken() {
    let mut lines = "near\ta\tb\nnear\tb\tc\nnear\tc\ta\n".to_owned();
    for number in 0..1_000_000 {
        lines += &format!("near\tw{number}\tw{}\n", (number * 7) % 1_000_003);
    }
    let lexicon = lexicon(&lines);
    let mut symbols = Interner::new();
    let all = pairs(&["a w1|b w7", "b w7|c w49", "c w49|a w343"], &mut symbols);
    let expression = parse("raw(tesrk(k=2,pattern=near,variable=near))", &lexicon);
    // Each source is near the next source, and each target is near the next target; the words of
    // each pair are near each other.
    assert_eq!(row(&expression, &all, &all[0]), [1.0, 4.0, 1.0]);
}

#[test]
fn words_without_a_sentence_are_no_trouble() {
    let own = OwnRelations::new();
    let open = || Resources::bundled().lexicon_with(&own);
    let expression = Expression::parse("tesrk(k=1..3,pattern=stem:synonym,variable=synonym:ne)+pr", &open).unwrap();
    let annotator = Resources::bundled().annotator(Units::Stems, expression.layers()).unwrap();
    let mut symbols = Interner::new();
    let texts = ["", "   ", "\u{202e}abc 👩‍👩‍👧 .", "The cars were bought", "!!!!!!"];
    let mut all = Vec::new();
    for source in texts {
        for target in texts {
            let mut sentence = |text| annotator.sentence(text, &mut symbols);
            all.push(Pair { source: sentence(source), target: sentence(target) });
        }
    }
    let bound = BoundKernel::new(&expression, &all, Progress::none()).unwrap();
    let mut out = vec![0.0; all.len()];
    for (at, pair) in all.iter().enumerate() {
        bound.row(pair, &mut out, Progress::none()).unwrap();
        let new = out.clone();
        bound.column(at, &mut out, Progress::none()).unwrap();
        assert!(out.iter().chain(&new).all(|value| value.is_finite()));
        assert_eq!(out, new);
    }
}
