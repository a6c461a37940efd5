//! Sentences made from templates for `dedupe`: most have nothing to do with each other, some say
//! the same in other words, and some look alike but speak of another number, name or day, and must
//! stay apart.

use resay_learn::rng::SplitMix;

const WHO: [[&str; 2]; 12] = [
    ["the council", "the city council"],
    ["the ministry", "the ministry"],
    ["the company", "the firm"],
    ["a nurse", "a nurse"],
    ["the mayor", "the mayor"],
    ["police", "the police"],
    ["doctors", "physicians"],
    ["the union", "the union"],
    ["two engineers", "two engineers"],
    ["the club", "the club"],
    ["the bank", "the bank"],
    ["the airline", "the carrier"],
];
const DID: [[&str; 2]; 12] = [
    ["bought", "purchased"],
    ["began to repair", "started to repair"],
    ["closed", "shut"],
    ["sold", "sold"],
    ["rejected", "turned down"],
    ["finished", "completed"],
    ["hid", "concealed"],
    ["announced", "made public"],
    ["destroyed", "ruined"],
    ["delayed", "postponed"],
    ["improved", "made better"],
    ["examined", "looked at"],
];
const ENDS: [&str; 24] = [
    "bridge",
    "harbour",
    "school",
    "ferry",
    "tower",
    "library",
    "theatre",
    "garden",
    "station",
    "factory",
    "market",
    "museum",
    "hospital",
    "stadium",
    "tunnel",
    "road",
    "mill",
    "chapel",
    "warehouse",
    "hotel",
    "farm",
    "canal",
    "airport",
    "dam",
];
const FIRST: [&str; 16] =
    ["ar", "ben", "cor", "dal", "el", "fen", "gor", "hal", "ist", "jun", "kel", "lor", "mar", "nor", "os", "pel"];
const MIDDLE: [&str; 16] = ["a", "e", "i", "o", "u", "an", "en", "in", "on", "un", "ar", "er", "ir", "or", "ur", "ai"];
const LAST: [&str; 16] = [
    "ton", "ville", "ham", "by", "stad", "wick", "ford", "burg", "mouth", "field", "dale", "worth", "bury", "ness",
    "gate", "haven",
];
const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const WHY: [[&str; 2]; 6] = [
    ["because it was too expensive", "because it cost too much"],
    ["although many people protested", "although a lot of people protested"],
    ["after months of debate", "following months of debate"],
    ["to save money", "in order to save money"],
    ["for safety reasons", "for reasons of safety"],
    ["despite the rain", "in spite of the rain"],
];

/// What a sentence is about.
#[derive(Clone, Copy)]
struct Saying {
    who: usize,
    did: usize,
    what: usize,
    town: [usize; 3],
    day: usize,
    million: usize,
    why: usize,
}

impl Saying {
    fn draw(random: &mut SplitMix) -> Self {
        Self {
            who: random.below(WHO.len()),
            did: random.below(DID.len()),
            what: random.below(ENDS.len()),
            town: [random.below(16), random.below(16), random.below(16)],
            day: random.below(7),
            million: 2 + random.below(900),
            why: random.below(WHY.len()),
        }
    }

    /// As a sentence: one of four orders, and one of two words wherever there are two.
    fn say(&self, random: &mut SplitMix) -> String {
        let who = WHO[self.who][random.below(2)];
        let did = DID[self.did][random.below(2)];
        let why = WHY[self.why][random.below(2)];
        let [first, middle, last] = self.town;
        let town = format!("{}{}{}", FIRST[first], MIDDLE[middle], LAST[last]);
        let town = format!("{}{}", town[..1].to_uppercase(), &town[1..]);
        let (what, day, million) = (ENDS[self.what], DAYS[self.day], self.million);
        let said = match random.below(4) {
            0 => format!("{who} {did} the {what} in {town} on {day} for {million} million euros {why}."),
            1 => format!("on {day}, {who} {did} the {what} in {town} for {million} million euros {why}."),
            2 => format!("{why}, {who} {did} the {what} in {town} on {day} for {million} million euros."),
            _ => format!("on {day} {who} {did} the {town} {what} for {million} million euros {why}."),
        };
        format!("{}{}", said[..1].to_uppercase(), &said[1..])
    }

    /// The same with another number, day or town.
    fn altered(&self, random: &mut SplitMix) -> Self {
        match random.below(3) {
            0 => Self { million: self.million + 1 + random.below(50), ..*self },
            1 => Self { day: (self.day + 1 + random.below(6)) % 7, ..*self },
            _ => Self { town: [(self.town[0] + 1 + random.below(15)) % 16, self.town[1], self.town[2]], ..*self },
        }
    }
}

/// `n` sentences, a tenth of which come two by two in front: most of these say the same, every
/// fifth pair does not. And how many those are.
pub(crate) fn make(n: usize, seed: u64) -> (Vec<String>, usize) {
    let mut random = SplitMix::new(seed);
    let mut texts = Vec::new();
    for pair in 0..n / 20 {
        let saying = Saying::draw(&mut random);
        let other = if pair % 5 == 4 { saying.altered(&mut random) } else { saying };
        texts.extend([saying.say(&mut random), other.say(&mut random)]);
    }
    let n_paired = texts.len();
    while texts.len() < n {
        texts.push(Saying::draw(&mut random).say(&mut random));
    }
    (texts, n_paired)
}
