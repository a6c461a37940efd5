//! How long names take: learning from 250 pairs, and 1,000 names each ranked against 100,000
//! candidates.
//!
//! `cargo bench -p resay-lab --bench names`: over made-up names; with `RESAY_DATA` naming the
//! folder of the corpora, English and Hebrew names of Wikidata, filled up to 100,000 candidates
//! with names put together from halves of them.

#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs, reason = "a benchmark prints, and may fail")]

use resay::data::Names;
use resay::model::NameCandidates;
use resay::resources::Resources;
use resay::train::names::{NamesOptions, train_names};
use resay_learn::progress::Progress;
use resay_learn::rng::SplitMix;
use std::path::Path;
use std::time::Instant;

const N_QUERIES: usize = 1_000;
const N_CANDIDATES: usize = 100_000;

/// Names of two to four syllables, written in Hebrew letters without most vowels.
fn made_up(n_pairs: usize) -> Names {
    let syllables = [
        ("ba", "ב"),
        ("den", "דנ"),
        ("fi", "פי"),
        ("gor", "גור"),
        ("hul", "הול"),
        ("ja", "יא"),
        ("kem", "קמ"),
        ("lo", "לו"),
        ("mi", "מי"),
        ("nus", "נוס"),
        ("pa", "פ"),
        ("rel", "רל"),
        ("si", "סי"),
        ("tor", "טור"),
        ("wen", "וונ"),
        ("zo", "זו"),
    ];
    let mut random = SplitMix::new(1);
    let mut lines = String::new();
    for _ in 0..n_pairs {
        let picked: Vec<_> = (0..2 + random.below(3)).map(|_| syllables[random.below(syllables.len())]).collect();
        let side = |of: fn(&(&'static str, &'static str)) -> &'static str| picked.iter().map(of).collect::<String>();
        lines += &format!("{}\t{}\n", side(|pair| pair.0), side(|pair| pair.1));
    }
    Names::from_reader("made up", lines.as_bytes()).unwrap()
}

/// Names up to the number that is wanted, from halves of those that are there.
fn fill_up(mut names: Vec<String>, n_names: usize) -> Vec<String> {
    let mut random = SplitMix::new(2);
    let n_given = names.len();
    while names.len() < n_names {
        let (first, second) = (&names[random.below(n_given)], &names[random.below(n_given)]);
        let half = |name: &str| name.chars().count() / 2;
        let joined = first.chars().take(half(first)).chain(second.chars().skip(half(second))).collect();
        names.push(joined);
    }
    names
}

fn main() {
    let folder = std::env::var("RESAY_DATA").ok();
    let read = |file: &str| {
        let path = Path::new(folder.as_ref()?).join("translit_en_he/wikidata").join(file);
        path.exists().then(|| Names::read(&path).unwrap())
    };
    let train = read("wd_hebrew_64").unwrap_or_else(|| {
        println!("no names in RESAY_DATA: made-up ones instead");
        made_up(6_000)
    });
    let small = train.subset(&(0..250).collect::<Vec<_>>());
    let resources = Resources::bundled();
    let start = Instant::now();
    train_names(&small, &NamesOptions::default(), &resources, Progress::none(), &mut |_| Ok(())).unwrap();
    println!("learning from 250 pairs, 5 costs on 5 folds: {:.2} s", start.elapsed().as_secs_f64());

    let options = NamesOptions { costs: vec![1.0], ..NamesOptions::default() };
    let larger = train.subset(&(0..4_000).collect::<Vec<_>>());
    let start = Instant::now();
    let model = train_names(&larger, &options, &resources, Progress::none(), &mut |_| Ok(())).unwrap();
    println!("learning from 4,000 pairs, one cost on 5 folds: {:.2} s", start.elapsed().as_secs_f64());

    let names = fill_up(train.rows.iter().map(|pair| pair.1.clone()).collect(), N_CANDIDATES);
    let start = Instant::now();
    let candidates = NameCandidates::new(&model, names);
    println!("preparing {N_CANDIDATES} candidates: {:.2} s", start.elapsed().as_secs_f64());
    let rest = train.rows.iter().skip(4_000).map(|pair| pair.0.clone());
    let queries: Vec<String> = rest.take(N_QUERIES).collect();
    for top in [1, 10] {
        let start = Instant::now();
        let best = model.rank_all(&queries, &candidates, top, Progress::none()).unwrap();
        let n_scored: usize = best.iter().map(|best| best.n_scored).sum();
        println!(
            "{} names, the best {top} of {N_CANDIDATES}: {:.2} s; scored in full {:.2} %",
            queries.len(),
            start.elapsed().as_secs_f64(),
            100.0 * n_scored as f64 / (queries.len() * N_CANDIDATES) as f64
        );
    }
}
