//! Real sentences for `dedupe`, where a folder of corpora has them.

use resay::data::{Columns, Dataset, DocumentReader, Format};
use resay_text::English;

/// Sentences of the paraphrase corpus, two by two as they stand there, then of Reuters, `n` in all;
/// and how many are the former.
pub(crate) fn read(n: usize) -> Option<(Vec<String>, usize)> {
    let folder = resay_testing::corpora();
    let mut texts = Vec::new();
    for name in ["msrp/msr_paraphrase_train.txt", "msrp/msr_paraphrase_test.txt"] {
        let path = folder.join(name);
        if !path.exists() {
            println!("no {}: generated sentences instead", path.display());
            return None;
        }
        let pairs = Dataset::read(&path, Some(Format::Msrp), &Columns::default()).unwrap();
        texts.extend(pairs.rows.into_iter().flat_map(|pair| [pair.source, pair.target]));
    }
    texts.truncate(n);
    let n_paired = texts.len();
    for file in 0..22 {
        let path = folder.join(format!("reuters21578/reut2-{file:03}.sgm"));
        let Ok((name, input)) = resay::data::open(&path) else {
            println!("no {}: generated sentences instead", path.display());
            return None;
        };
        for document in DocumentReader::new(&name, input, None).unwrap() {
            let text = document.unwrap().1.text;
            for (_, analysis) in English::cut(&text) {
                let sentence = analysis.text.split_whitespace().collect::<Vec<_>>().join(" ");
                if texts.len() < n && is_prose(&sentence) {
                    texts.push(sentence);
                }
            }
        }
        if texts.len() >= n {
            break;
        }
    }
    Some((texts, n_paired))
}

/// Whether it is a sentence, and no headline or row of a table: 8 to 40 words, an end, and few
/// capitals and digits.
fn is_prose(sentence: &str) -> bool {
    let n_words = sentence.split(' ').count();
    let n_small = sentence.chars().filter(|c| c.is_lowercase()).count();
    let n_other = sentence.chars().filter(|c| !c.is_whitespace()).count() - n_small;
    let ends = sentence.trim_end_matches('"').ends_with(['.', '?', '!']);
    (8..=40).contains(&n_words) && ends && n_other * 4 < n_small
}
