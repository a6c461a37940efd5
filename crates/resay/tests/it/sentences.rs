//! Long texts: the verdict by sentences.

use resay::id::TextRelation;
use resay::model::{JudgementModel, PairModel, pair_context};
use resay::pair::PairView;
use resay::resources::Resources;
use resay_learn::progress::Progress;
use std::path::Path;
use std::sync::LazyLock;

static JUDGE: LazyLock<JudgementModel> = LazyLock::new(|| JudgementModel::bundled(&Resources::bundled()).unwrap());

#[test]
#[ignore = "a measurement"]
fn both_ways_of_judging_are_measured() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrast/training");
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut pairs: Vec<(String, String, String)> = Vec::new();
    for file in files {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let columns: Vec<&str> = line.split('\t').collect();
            if columns.len() >= 5 {
                pairs.push((columns[2].to_owned(), columns[3].to_owned(), columns[4].to_owned()));
            }
        }
    }
    let n_sentences = |text: &str| resay_text::English::cut(text).len();
    let several: Vec<_> = pairs.iter().filter(|(a, b, _)| n_sentences(a).max(n_sentences(b)) >= 2).cloned().collect();
    measure("several sentences", &several);
    for (low, high) in [(2, 2), (3, 3), (4, 99)] {
        let some: Vec<_> = several
            .iter()
            .filter(|(a, b, _)| (low..=high).contains(&n_sentences(a).max(n_sentences(b))) && n_sentences(a).min(n_sentences(b)) >= 2)
            .cloned()
            .collect();
        measure(&format!("both at least 2, the longer {low} to {high}"), &some);
    }
    // Joined pairs: equivalent ones, and one of another relation among them.
    let single: Vec<_> = pairs.iter().filter(|(a, b, _)| n_sentences(a) == 1 && n_sentences(b) == 1).cloned().collect();
    let equal: Vec<_> = single.iter().filter(|(_, _, r)| r == "equivalent").cloned().collect();
    let other: Vec<_> = single.iter().filter(|(_, _, r)| r != "equivalent").cloned().collect();
    let mut seed = 1_u64;
    let mut next = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    for k in [2, 3, 4, 6, 10] {
        let mut made = Vec::new();
        for number in 0..120 {
            let mut parts: Vec<_> = (0..k).map(|_| equal[next(equal.len())].clone()).collect();
            let mut relation = "equivalent".to_owned();
            if number % 2 == 1 {
                let at = next(k);
                parts[at] = other[next(other.len())].clone();
                relation = parts[at].2.clone();
            }
            let end = |text: &str| {
                let text = text.trim();
                if text.ends_with(['.', '!', '?', '"']) { text.to_owned() } else { format!("{text}.") }
            };
            let join = |of: fn(&(String, String, String)) -> &String| parts.iter().map(|part| end(of(part))).collect::<Vec<_>>().join(" ");
            made.push((join(|part| &part.0), join(|part| &part.1), relation));
        }
        measure(&format!("{k} joined"), &made);
    }
}

fn measure(name: &str, pairs: &[(String, String, String)]) {
    let context = pair_context(JUDGE.resources());
    let mut right = [[0; 2]; 3];
    for (source, target, gold) in pairs {
        let texts = JUDGE.annotate_texts(&[source, target], Progress::none()).unwrap();
        let [by_sentence, whole] = JUDGE.judge_both_ways(&PairView::new(&context, &texts[0], &texts[1])).unwrap();
        let mut mean = [0.0; 5];
        for at in 0..5 {
            mean[at] = (by_sentence.probabilities[at].max(1e-3) * whole.probabilities[at].max(1e-3)).sqrt();
        }
        let best = (0..5).fold(0, |best, at| if mean[at] > mean[best] { at } else { best });
        for (count, found) in right.iter_mut().zip([by_sentence.relation, whole.relation, TextRelation::ALL[best]]) {
            count[0] += usize::from((found.name() == "equivalent") == (gold == "equivalent"));
            count[1] += usize::from(found.name() == gold);
        }
    }
    let n = pairs.len().max(1) as f64;
    let share = |count: [usize; 2]| format!("{:.1} {:.1}", 100.0 * count[0] as f64 / n, 100.0 * count[1] as f64 / n);
    println!("{name}: {} pairs; sentences {}, whole {}, mean {}", pairs.len(), share(right[0]), share(right[1]), share(right[2]));
}
