//! Generates labelled pairs from templates to train small models on. A positive pair swaps words
//! for synonyms and moves phrases; a negative pair changes the person, the thing or the action.

use resay::data::{Columns, Dataset, Format};
use resay_learn::rng::SplitMix;

const PEOPLE: [&str; 8] = ["Anna", "Boris", "Clara", "Dmitri", "Elena", "Farid", "Greta", "Hugo"];
const PLACES: [&str; 6] = ["Lisbon", "Oslo", "Vienna", "Kyoto", "Quito", "Tunis"];
/// Each row holds words with the same meaning.
const THINGS: [[&str; 2]; 6] = [
    ["car", "automobile"],
    ["house", "home"],
    ["shop", "store"],
    ["boat", "ship"],
    ["picture", "painting"],
    ["letter", "note"],
];
const DEEDS: [[&str; 2]; 6] = [
    ["bought", "purchased"],
    ["sold", "traded"],
    ["found", "discovered"],
    ["broke", "damaged"],
    ["hid", "concealed"],
    ["mended", "repaired"],
];

/// Generates `n` pairs, half of them positive; the same seed gives the same pairs.
pub(crate) fn dataset(n: usize, seed: u64) -> Dataset {
    let mut random = SplitMix::new(seed);
    let mut tsv = "label\tid\tsource\ttarget\n".to_owned();
    for id in 1..=n {
        let said_again = id % 2 == 1;
        let (person, place) = (random.below(PEOPLE.len()), random.below(PLACES.len()));
        let (thing, deed) = (random.below(THINGS.len()), random.below(DEEDS.len()));
        let mut other = (person, thing, deed);
        if !said_again {
            match random.below(3) {
                0 => other.0 = (person + 1 + random.below(PEOPLE.len() - 1)) % PEOPLE.len(),
                1 => other.1 = (thing + 1 + random.below(THINGS.len() - 1)) % THINGS.len(),
                _ => other.2 = (deed + 1 + random.below(DEEDS.len() - 1)) % DEEDS.len(),
            }
        }
        let source = format!("{} {} the {} in {} .", PEOPLE[person], DEEDS[deed][0], THINGS[thing][0], PLACES[place]);
        let (subject, verb) = (PEOPLE[other.0], DEEDS[other.2][random.below(2)]);
        let (object, place) = (THINGS[other.1][random.below(2)], PLACES[place]);
        let target = match random.below(3) {
            0 => format!("In {place} the {object} was {verb} by {subject} ."),
            1 => format!("{subject} {verb} the {object} there in {place} ."),
            _ => format!("The {object} in {place} was {verb} by {subject} ."),
        };
        tsv.push_str(&format!("{}\tp{id}\t{source}\t{target}\n", u8::from(said_again)));
    }
    Dataset::from_reader("pairs.tsv", tsv.as_bytes(), Some(Format::Tsv), &Columns::default()).expect("rows are sound")
}
