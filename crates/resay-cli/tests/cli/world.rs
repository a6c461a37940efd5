//! A folder with small files, in which the program is run.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A separate folder for each test, removed afterwards.
pub(crate) struct World {
    pub(crate) folder: PathBuf,
}

impl World {
    /// Creates a folder with `pairs.tsv` and `more.tsv`.
    pub(crate) fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("resay-cli-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let world = Self { folder };
        world.write("pairs.tsv", pairs(60, 1));
        world.write("more.tsv", pairs(40, 2));
        world
    }

    /// Creates a folder that also has `my.resay`, trained on `pairs.tsv`.
    pub(crate) fn trained(test: &str) -> Self {
        let world = Self::new(test);
        world.ok(&["train", "paraphrase", "--folds", "3", "--costs", "0.1..1", "pairs.tsv", "-o", "my.resay"]);
        world
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.folder.join(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Returns the names of all files.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_resay"));
        command.args(args).current_dir(&self.folder).stdin(Stdio::null()).env_remove("RESAY_DATA");
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Returns standard output of a run that must succeed and print nothing on standard error.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{args:?}: {:?} {said}", output.status.code());
        String::from_utf8(output.stdout).unwrap()
    }

    /// Returns standard output as JSON lines.
    pub(crate) fn json(&self, args: &[&str]) -> Vec<serde_json::Value> {
        let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
        self.ok(&args).lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

const WHO: [&str; 6] = ["Anna", "the baker", "my brother", "a tall nurse", "the new mayor", "Omar"];
const DID: [&str; 4] = ["sold", "painted", "repaired", "lost"];
const WHAT: [&str; 6] = ["boat", "red bicycle", "piano", "garden gate", "old radio", "kite"];
const WHEN: [&str; 4] = ["on Monday", "last week", "in spring", "before noon"];

/// Pairs with id, source, target and label: positive pairs turn active into passive, negative pairs
/// change the agent or the object.
pub(crate) fn pairs(n: usize, seed: u64) -> String {
    let mut state = seed;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut table = "id\tsource\ttarget\tlabel\n".to_owned();
    for row in 0..n {
        let (who, did, what, when) = (below(6), below(4), below(6), below(4));
        let is_true = row % 2 == 0;
        let (other_who, other_did) = if is_true { (who, did) } else { (who + 1 + below(5), did + 1 + below(3)) };
        let (who, other_who) = (WHO[who], WHO[other_who % 6]);
        let (did, other_did) = (DID[did], DID[other_did % 4]);
        let (what, when, label) = (WHAT[what], WHEN[when], u8::from(is_true));
        table.push_str(&format!(
            "p{row}\t{who} {did} the {what} {when}.\tThe {what} was {other_did} by {other_who} {when}.\t{label}\n"
        ));
    }
    table
}

/// Questions as groups q0, q1, ..., each with three candidates: one that answers it (in the
/// passive), one about the same thing, and one about another. The rows of all questions are
/// interleaved.
pub(crate) fn questions(n: usize) -> String {
    let mut table = "id\tgroup\tsource\ttarget\tlabel\n".to_owned();
    for candidate in 0..3 {
        for q in 0..n {
            let (did, what, who) = (DID[q % 4], WHAT[(q / 2) % 6], WHO[q % 6]);
            let target = match (candidate + q) % 3 {
                0 => format!("The {what} was {did} by {who}."),
                1 => format!("The {what} is here again."),
                _ => format!("{who} stayed at home {}.", WHEN[q % 4]),
            };
            let label = u8::from((candidate + q) % 3 == 0);
            table.push_str(&format!("q{q}c{candidate}\tq{q}\tWho {did} the {what}?\t{target}\t{label}\n"));
        }
    }
    table
}

const COOKED: [&str; 5] = ["soup", "bread", "an omelette", "lentils", "apple pie"];
const SAILED: [&str; 5] = ["the harbour", "the island", "the lighthouse", "the open sea", "the old pier"];

/// Documents d0, d1, ... as JSON lines: every third about food, every third about the sea, the rest
/// about both or neither, by turns.
pub(crate) fn documents(n: usize, seed: u64) -> String {
    let mut state = seed;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    let mut lines = String::new();
    for number in 0..n {
        let (who, when) = (WHO[below(6)], WHEN[below(4)]);
        let food = format!("{who} cooked {} in the kitchen {when}.", COOKED[below(5)]);
        let sea = format!("{who} sailed to {} with the tide {when}.", SAILED[below(5)]);
        let (text, labels) = match number % 6 {
            0 | 3 => (food, r#"["food"]"#),
            1 | 4 => (sea, r#"["sea"]"#),
            2 => (format!("{food} {sea}"), r#"["food","sea"]"#),
            _ => (format!("{who} lost the {} {when}.", WHAT[below(6)]), "[]"),
        };
        lines.push_str(&format!("{{\"id\":\"d{number}\",\"text\":\"{text}\",\"labels\":{labels}}}\n"));
    }
    lines
}

/// Aligned pairs a0, a1, ... as JSON objects, one per line: who did what when, in the active voice
/// and, from time to time, in other words or another order.
pub(crate) fn aligned(n: usize, seed: u64) -> String {
    let mut state = seed;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    const NAMES: [&str; 6] = ["Anna", "Omar", "Carla", "Peter", "Ruth", "Igor"];
    const VERBS: [[&str; 2]; 4] =
        [["bought", "purchased"], ["mended", "repaired"], ["began", "started"], ["ended", "finished"]];
    const THINGS: [[&str; 2]; 4] = [["car", "automobile"], ["work", "job"], ["house", "home"], ["trip", "journey"]];
    const DAYS: [&str; 4] = ["Monday", "Tuesday", "Friday", "Sunday"];
    let mut lines = String::new();
    for number in 0..n {
        let (name, day, other_verb, other_thing) = (NAMES[below(6)], DAYS[below(4)], below(2), below(2));
        let (verb, thing) = (VERBS[below(4)], THINGS[below(4)]);
        let source = format!("{name} {} the {} on {day} .", verb[0], thing[0]);
        let (verb, thing) = (verb[other_verb], thing[other_thing]);
        let (target, links) = match number % 3 {
            0 => (format!("{name} {verb} the {thing} ."), "0-0 1-1 2-2 3-3 6-4"),
            1 => (format!("{name} {verb} the {thing} on {day} ."), "0-0 1-1 2-2 3-3 4-4 5-5 6-6"),
            _ => (format!("On {day} {name} {verb} the {thing} ."), "0-2 1-3 2-4 3-5 4-0 5-1 6-6"),
        };
        lines.push_str(&format!(
            "{{\"id\":\"a{number}\",\"source\":\"{source}\",\"target\":\"{target}\",\"sureAlign\":\"{links}\",\
             \"possibleAlign\":\"\"}}\n"
        ));
    }
    lines
}

/// Returns the links only, one line per pair.
pub(crate) fn links_of(aligned: &str) -> String {
    let line = |line: &str| {
        let pair: serde_json::Value = serde_json::from_str(line).unwrap();
        format!("{}\n", pair["sureAlign"].as_str().unwrap())
    };
    aligned.lines().map(line).collect()
}

/// Returns the sentences only, as a table.
pub(crate) fn sentences_of(aligned: &str) -> String {
    let row = |line: &str| {
        let pair: serde_json::Value = serde_json::from_str(line).unwrap();
        format!("{}\t{}\n", pair["source"].as_str().unwrap(), pair["target"].as_str().unwrap())
    };
    "source\ttarget\n".to_owned() + &aligned.lines().map(row).collect::<String>()
}

/// True pairs of names, one per line, transliterated by a rule: letters map one to one, `e` is
/// dropped, and every name gets a leading aleph.
pub(crate) fn names(n: usize, seed: u64) -> String {
    let mut state = seed;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    const LETTERS: [(char, &str); 8] =
        [('a', "א"), ('b', "ב"), ('d', "ד"), ('e', ""), ('g', "ג"), ('l', "ל"), ('m', "מ"), ('r', "ר")];
    let mut lines = String::new();
    for _ in 0..n {
        let picked: Vec<(char, &str)> = (0..4 + below(4)).map(|_| LETTERS[below(8)]).collect();
        let source: String = picked.iter().map(|letter| letter.0).collect();
        let target: String = picked.iter().map(|letter| letter.1).collect();
        lines.push_str(&format!("{source}\tא{target}\n"));
    }
    lines
}

/// Programmes 1, 2, ... as JSON lines: one of two items is chosen, and in every other line one of
/// them is good.
pub(crate) fn programs(n: usize) -> String {
    let line = |number: usize| {
        let is_good = number.is_multiple_of(2);
        let quality = if is_good { "good" } else { "bad" };
        format!(
            "{{\"label\": {is_good}, \"variables\": {{\"a\": {{\"{quality}\": 1}}, \"b\": {{\"bad\": 1}}}}, \
             \"constraints\": [\"a + b = 1\"]}}\n"
        )
    };
    (0..n).map(line).collect()
}

/// What somebody did: another sentence for each number below 576.
fn event(number: usize) -> [&'static str; 4] {
    let number = number * 7 % 576;
    [WHO[number % 6], DID[number / 6 % 4], WHAT[number / 24 % 6], WHEN[number / 144]]
}

/// Pairs that share no sentence, with the three labels of entailment by turns.
pub(crate) fn three_way(n: usize) -> String {
    let row = |row: usize| {
        let [who, did, what, when] = event(row);
        let (target, label) = match row % 3 {
            0 => (format!("The {what} was {did} by {who} {when}."), "entailment"),
            1 => (format!("{who} {did} the {what} for a friend {when}."), "neutral"),
            _ => (format!("Nobody {did} the {what} of {who} {when}."), "contradiction"),
        };
        format!("e{row}\t{who} {did} the {what} {when}.\t{target}\t{label}\n")
    };
    (0..n).map(row).fold("id\tsource\ttarget\tlabel\n".to_owned(), |table, row| table + &row)
}

/// Pairs that share no sentence, with one of these labels each, from the least similar to the most.
fn scale(n: usize, labels: &[&str]) -> String {
    let row = |row: usize| {
        let [who, did, what, when] = event(row);
        let level = row % labels.len();
        let target = match 4 * level / (labels.len() - 1) {
            0 => format!("Number {row} is a prime, said the teacher of mathematics."),
            1 => format!("Whatever happened {when}, number {row} was late."),
            2 => format!("The number {row} of the {what} is {when}."),
            3 => format!("The {what} number {row} was {did} {when}."),
            _ => format!("The {what} was {did} by {who} {when}."),
        };
        format!("s{row}\t{who} {did} the {what} {when}.\t{target}\t{}\n", labels[level])
    };
    (0..n).map(row).fold("id\tsource\ttarget\tlabel\n".to_owned(), |table, row| table + &row)
}

/// Pairs with a number from 0 to 5: how similar they are.
pub(crate) fn similar(n: usize) -> String {
    scale(n, &["0", "1.2", "2.5", "3.8", "5"])
}

/// Pairs with a level of similarity: low, middle or high.
pub(crate) fn levels(n: usize) -> String {
    scale(n, &["low", "middle", "high"])
}
