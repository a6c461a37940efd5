//! Reads the corpora whose pairs people labelled, and says what each label leaves possible.

use super::table::Table;
use super::{ANY, BACKWARD, CONTRADICTION, EQUIVALENT, FORWARD, MixturePair, NEUTRAL, NOT_EQUIVALENT, SEED};
use anyhow::{Context, Result, bail, ensure};
use resay_learn::rng::SplitMix;
use std::path::Path;

/// A table of entailment: its name in the mixture, its file, and how many pairs are drawn from it
/// (0: all).
const ENTAILMENT: [(&str, &str, usize); 9] = [
    ("snli", "nli/snli_dev.tsv", 0),
    ("counterfactual", "nli/counterfactual_train.tsv", 0),
    ("conjunctions", "nli/conj_train.tsv", 6000),
    ("breaking", "nli/breaking.tsv", 3000),
    ("monotonicity", "nli/monotonicity.tsv", 0),
    ("help", "nli/help_and.tsv", 1500),
    ("help", "nli/help_or.tsv", 0),
    ("negation-snli", "nli/negation_snli.tsv", 0),
    ("negation-mnli", "nli/negation_mnli.tsv", 0),
];

/// Tables of similarity. Their news pairs of MSRpar are from a corpus that is not free.
const SIMILARITY: [&str; 2] = ["stsb/sts-train.csv", "stsb/sts-dev.csv"];

pub(super) fn read(data: &Path) -> Result<Vec<MixturePair>> {
    let mut pairs = Vec::new();
    for (stream, (corpus, file, n_drawn)) in (100..).zip(ENTAILMENT) {
        let read = entailment(corpus, &Table::open(data.join(file))?)?;
        pairs.extend(drawn(read, n_drawn, &mut SplitMix::stream(SEED, stream)));
    }
    pairs.extend(paws(&Table::open(data.join("paws_wiki/dev.tsv"))?)?);
    pairs.extend(tatoeba(&Table::open(data.join("tatoeba/pivoted.tsv"))?)?);
    for file in SIMILARITY {
        pairs.extend(similarity(&Table::open(data.join(file))?)?);
    }
    Ok(pairs)
}

/// Plain sentences, one per line.
pub(super) fn sentences(data: &Path) -> Result<Vec<String>> {
    let text = crate::files::text(&data.join("tatoeba/sentences.txt"))?;
    Ok(text.lines().map(|line| line.trim().to_owned()).collect())
}

/// So many of the pairs, drawn at random and in their order; all of them if it is 0.
fn drawn(pairs: Vec<MixturePair>, n_drawn: usize, random: &mut SplitMix) -> Vec<MixturePair> {
    if n_drawn == 0 || n_drawn >= pairs.len() {
        return pairs;
    }
    let mut chosen: Vec<usize> = (0..pairs.len()).collect();
    random.shuffle(&mut chosen);
    let mut is_chosen = vec![false; pairs.len()];
    chosen[..n_drawn].iter().for_each(|&index| is_chosen[index] = true);
    pairs.into_iter().zip(is_chosen).filter_map(|(pair, is_chosen)| is_chosen.then_some(pair)).collect()
}

/// Three-way entailment. It says nothing about the reverse direction: what follows may be
/// equivalent, and what does not follow may say more.
fn entailment(corpus: &'static str, table: &Table) -> Result<Vec<MixturePair>> {
    let mut pairs = Vec::new();
    for row in table.rows(1) {
        let [source, target, label] = row.first()?;
        let allowed = match label {
            "entailment" => EQUIVALENT | FORWARD,
            "neutral" => BACKWARD | NEUTRAL,
            "contradiction" => CONTRADICTION,
            _ => bail!("{row}: the label is '{label}' instead of entailment, neutral or contradiction"),
        };
        let pair = MixturePair::new(corpus, [source, target], allowed, 1.0);
        pairs.push(MixturePair { phenomenon: row.get(3).unwrap_or_default().to_owned(), ..pair });
    }
    Ok(pairs)
}

fn paws(table: &Table) -> Result<Vec<MixturePair>> {
    let mut pairs = Vec::new();
    for row in table.rows(0) {
        let [_, source, target, label] = row.exactly()?;
        let allowed = match label {
            "1" => EQUIVALENT,
            "0" => NOT_EQUIVALENT,
            _ => bail!("{row}: the label is '{label}' instead of 0 or 1"),
        };
        pairs.push(MixturePair::new("paws", [source, target], allowed, 1.0));
    }
    Ok(pairs)
}

/// Sentences with a common translation. One language alone is weaker evidence, since it may merge
/// what English tells apart; pairs whose pronouns differ are known to be merged so.
fn tatoeba(table: &Table) -> Result<Vec<MixturePair>> {
    let mut pairs = Vec::new();
    for row in table.rows(1) {
        let [source, target, _, n_pivots, flag] = row.exactly()?;
        let texts = [source, target];
        pairs.push(match flag {
            "" => MixturePair::new("tatoeba", texts, EQUIVALENT, if n_pivots == "1" { 0.35 } else { 0.7 }),
            "pronoun" => MixturePair::new("tatoeba-pronoun", texts, CONTRADICTION | NEUTRAL, 0.5),
            _ => bail!("{row}: the flag is '{flag}' instead of 'pronoun' or nothing"),
        });
    }
    Ok(pairs)
}

/// Degrees of similarity from 0 to 5. Only the ends of the scale say something about relations.
fn similarity(table: &Table) -> Result<Vec<MixturePair>> {
    let mut pairs = Vec::new();
    for row in table.rows(0) {
        let [_, origin, _, _, degree, source, target] = row.first()?;
        if origin == "MSRpar" {
            continue;
        }
        let value: f32 = degree.parse().ok().with_context(|| format!("{row}: '{degree}' is not a number"))?;
        ensure!((0.0..=5.0).contains(&value), "{row}: the similarity {degree} is not between 0 and 5");
        let allowed = match value {
            4.5.. => EQUIVALENT | FORWARD | BACKWARD,
            3.5.. => ANY,
            ..=1.0 => CONTRADICTION | NEUTRAL,
            _ => NOT_EQUIVALENT,
        };
        let pair = MixturePair::new("sts", [source, target], allowed, 0.5);
        pairs.push(MixturePair { similarity: Some(value / 5.0), ..pair });
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a table from memory, by way of a file.
    fn table(name: &str, text: &str) -> Table {
        let path = std::env::temp_dir().join(format!("resay-corpora-{}-{name}.tsv", std::process::id()));
        std::fs::write(&path, text).unwrap();
        let table = Table::open(path.clone()).unwrap();
        std::fs::remove_file(path).unwrap();
        table
    }

    fn shown(pairs: &[MixturePair]) -> Vec<(&str, &str, u8, f32)> {
        pairs.iter().map(|pair| (pair.source.as_str(), pair.phenomenon.as_str(), pair.allowed, pair.weight)).collect()
    }

    #[test]
    fn labels_leave_possible_what_they_do_not_fix() {
        let text = "source\ttarget\tlabel\tcategory\nA dog ran.\tIt moved.\tentailment\tverbs\nHe sat.\tHe sat down.\tneutral\n\
                    It is on.\tIt is off.\tcontradiction\n";
        let pairs = entailment("snli", &table("entailment", text)).unwrap();
        let expected = [
            ("A dog ran.", "verbs", EQUIVALENT | FORWARD, 1.0),
            ("He sat.", "", BACKWARD | NEUTRAL, 1.0),
            ("It is on.", "", CONTRADICTION, 1.0),
        ];
        assert_eq!(shown(&pairs), expected);
        let pairs = paws(&table("paws", "1\tHe came .\tHe came .\t1\n2\tA b .\tB a .\t0\n")).unwrap();
        assert_eq!(shown(&pairs), [("He came .", "", EQUIVALENT, 1.0), ("A b .", "", NOT_EQUIVALENT, 1.0)]);
        let text = "source\ttarget\tpivots\tn_pivots\tflag\nHi!\tHello!\tfin\t1\t\nBye!\tSee you!\tfin,pol\t2\t\n\
                    He left.\tShe left.\tfin\t1\tpronoun\n";
        let pairs = tatoeba(&table("tatoeba", text)).unwrap();
        let expected = [
            ("Hi!", "", EQUIVALENT, 0.35),
            ("Bye!", "", EQUIVALENT, 0.7),
            ("He left.", "", CONTRADICTION | NEUTRAL, 0.5),
        ];
        assert_eq!(shown(&pairs), expected);
        let line = |origin: &str, degree: f32| format!("news\t{origin}\t2012\t1\t{degree}\tIt rains.\tIt pours.\n");
        let text: String = [4.5, 4.0, 2.0, 1.0].map(|degree| line("headlines", degree)).concat() + &line("MSRpar", 5.0);
        let pairs = similarity(&table("similarity", &text)).unwrap();
        let expected = [EQUIVALENT | FORWARD | BACKWARD, ANY, NOT_EQUIVALENT, CONTRADICTION | NEUTRAL];
        assert_eq!(pairs.iter().map(|pair| pair.allowed).collect::<Vec<_>>(), expected);
        assert_eq!(pairs[1].similarity, Some(0.8));
    }

    #[test]
    fn draws_keep_the_order() {
        let pairs: Vec<MixturePair> =
            ["a", "b", "c", "d", "e"].map(|text| MixturePair::new("snli", [text; 2], 1, 1.0)).into();
        let names = |pairs: Vec<MixturePair>| pairs.into_iter().map(|pair| pair.source).collect::<String>();
        let drawn = |n| names(drawn(pairs.clone(), n, &mut SplitMix::new(1)));
        assert_eq!((drawn(0).as_str(), drawn(9).as_str()), ("abcde", "abcde"));
        let three = drawn(3);
        assert_eq!(three.len(), 3);
        assert!(three.as_bytes().is_sorted());
    }
}
