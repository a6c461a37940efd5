//! Forms of listed verbs, and the negation of simple clauses.

use super::lists::{self, has};
use super::sentence::Sentence;
use resay_learn::rng::SplitMix;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// Irregular verbs: base, past, participle.
const IRREGULAR: [[&str; 3]; 87] = [
    ["go", "went", "gone"],
    ["see", "saw", "seen"],
    ["buy", "bought", "bought"],
    ["give", "gave", "given"],
    ["make", "made", "made"],
    ["take", "took", "taken"],
    ["come", "came", "come"],
    ["get", "got", "gotten"],
    ["know", "knew", "known"],
    ["find", "found", "found"],
    ["leave", "left", "left"],
    ["eat", "ate", "eaten"],
    ["forget", "forgot", "forgotten"],
    ["feel", "felt", "felt"],
    ["lose", "lost", "lost"],
    ["meet", "met", "met"],
    ["sit", "sat", "sat"],
    ["fall", "fell", "fallen"],
    ["write", "wrote", "written"],
    ["run", "ran", "run"],
    ["become", "became", "become"],
    ["keep", "kept", "kept"],
    ["spend", "spent", "spent"],
    ["catch", "caught", "caught"],
    ["drink", "drank", "drunk"],
    ["begin", "began", "begun"],
    ["break", "broke", "broken"],
    ["speak", "spoke", "spoken"],
    ["send", "sent", "sent"],
    ["stand", "stood", "stood"],
    ["throw", "threw", "thrown"],
    ["sleep", "slept", "slept"],
    ["bring", "brought", "brought"],
    ["pay", "paid", "paid"],
    ["understand", "understood", "understood"],
    ["wake", "woke", "woken"],
    ["hold", "held", "held"],
    ["win", "won", "won"],
    ["hide", "hid", "hidden"],
    ["teach", "taught", "taught"],
    ["shoot", "shot", "shot"],
    ["grow", "grew", "grown"],
    ["steal", "stole", "stolen"],
    ["sell", "sold", "sold"],
    ["wear", "wore", "worn"],
    ["build", "built", "built"],
    ["drive", "drove", "driven"],
    ["sing", "sang", "sung"],
    ["shake", "shook", "shaken"],
    ["draw", "drew", "drawn"],
    ["choose", "chose", "chosen"],
    ["lend", "lent", "lent"],
    ["ride", "rode", "ridden"],
    ["swim", "swam", "swum"],
    ["fly", "flew", "flown"],
    ["bite", "bit", "bitten"],
    ["beat", "beat", "beaten"],
    ["fight", "fought", "fought"],
    ["hear", "heard", "heard"],
    ["tell", "told", "told"],
    ["do", "did", "done"],
    ["have", "had", "had"],
    ["read", "read", "read"],
    ["cut", "cut", "cut"],
    ["hit", "hit", "hit"],
    ["hurt", "hurt", "hurt"],
    ["shut", "shut", "shut"],
    ["put", "put", "put"],
    ["let", "let", "let"],
    ["think", "thought", "thought"],
    ["say", "said", "said"],
    ["lead", "led", "led"],
    ["forgive", "forgave", "forgiven"],
    ["mean", "meant", "meant"],
    ["learn", "learned", "learned"],
    ["burn", "burned", "burned"],
    ["sweep", "swept", "swept"],
    ["ring", "rang", "rung"],
    ["sink", "sank", "sunk"],
    ["tear", "tore", "torn"],
    ["freeze", "froze", "frozen"],
    ["blow", "blew", "blown"],
    ["dig", "dug", "dug"],
    ["feed", "fed", "fed"],
    ["rise", "rose", "risen"],
    ["stick", "stuck", "stuck"],
    ["bend", "bent", "bent"],
];

/// Verbs that form the past with `ed`.
const REGULAR: [&str; 128] = [
    "want",
    "ask",
    "like",
    "love",
    "try",
    "look",
    "turn",
    "call",
    "decide",
    "stay",
    "start",
    "walk",
    "arrive",
    "open",
    "show",
    "live",
    "help",
    "wait",
    "promise",
    "need",
    "stop",
    "talk",
    "watch",
    "work",
    "pick",
    "study",
    "play",
    "order",
    "visit",
    "explain",
    "laugh",
    "refuse",
    "miss",
    "kiss",
    "pull",
    "move",
    "cry",
    "notice",
    "return",
    "finish",
    "admit",
    "jump",
    "marry",
    "kill",
    "reach",
    "change",
    "receive",
    "enjoy",
    "agree",
    "pass",
    "recognize",
    "enter",
    "answer",
    "drop",
    "follow",
    "wash",
    "graduate",
    "smile",
    "close",
    "listen",
    "push",
    "check",
    "offer",
    "pour",
    "accept",
    "thank",
    "hire",
    "save",
    "wipe",
    "point",
    "raise",
    "lock",
    "climb",
    "kick",
    "clean",
    "cross",
    "nod",
    "admire",
    "introduce",
    "warn",
    "invite",
    "paint",
    "borrow",
    "bake",
    "hug",
    "arrest",
    "attack",
    "bother",
    "trust",
    "punch",
    "criticize",
    "interrupt",
    "praise",
    "scold",
    "blame",
    "insult",
    "surprise",
    "rescue",
    "chase",
    "interview",
    "murder",
    "defeat",
    "betray",
    "fire",
    "hate",
    "cook",
    "join",
    "fail",
    "apologize",
    "complain",
    "dance",
    "die",
    "disappear",
    "faint",
    "lie",
    "shout",
    "sign",
    "wink",
    "travel",
    "use",
    "cancel",
    "carry",
    "repair",
    "fix",
    "remember",
    "solve",
    "believe",
    "deliver",
];

/// A listed verb in its forms.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Verb {
    pub(super) base: &'static str,
    pub(super) past: String,
    pub(super) participle: String,
}

fn regular_past(base: &str) -> String {
    let doubles = has(&["stop", "admit", "drop", "nod", "hug"], base);
    match base.as_bytes() {
        [.., b'e'] => format!("{base}d"),
        [.., before, b'y'] if !b"aeiou".contains(before) => format!("{}ied", &base[..base.len() - 1]),
        [.., last] if doubles => format!("{base}{}ed", char::from(*last)),
        _ => format!("{base}ed"),
    }
}

/// The form after `he` or `she`.
pub(super) fn third_person(base: &str) -> String {
    match base.as_bytes() {
        b"have" => "has".to_owned(),
        [.., before, b'y'] if !b"aeiou".contains(before) => format!("{}ies", &base[..base.len() - 1]),
        [.., b's' | b'x' | b'o'] | [.., b'c' | b's', b'h'] => format!("{base}es"),
        _ => format!("{base}s"),
    }
}

fn listed(base: &'static str) -> Verb {
    match IRREGULAR.iter().find(|verb| verb[0] == base) {
        Some([_, past, participle]) => Verb { base, past: (*past).to_owned(), participle: (*participle).to_owned() },
        None => Verb { base, past: regular_past(base), participle: regular_past(base) },
    }
}

fn bases() -> impl Iterator<Item = &'static str> {
    IRREGULAR.iter().map(|verb| verb[0]).chain(REGULAR)
}

/// The listed verbs by each of their forms.
struct Forms {
    base: FxHashMap<&'static str, Verb>,
    past: FxHashMap<String, Verb>,
    participle: FxHashMap<String, Verb>,
    third_person: FxHashMap<String, Verb>,
}

/// All listed verbs, made once.
fn forms() -> &'static Forms {
    static FORMS: OnceLock<Forms> = OnceLock::new();
    FORMS.get_or_init(|| {
        let verbs = || bases().map(listed);
        Forms {
            base: verbs().map(|verb| (verb.base, verb)).collect(),
            past: verbs().map(|verb| (verb.past.clone(), verb)).collect(),
            participle: verbs().map(|verb| (verb.participle.clone(), verb)).collect(),
            third_person: verbs().map(|verb| (third_person(verb.base), verb)).collect(),
        }
    })
}

pub(super) fn by_past(word: &str) -> Option<&'static Verb> {
    forms().past.get(word)
}

pub(super) fn by_participle(word: &str) -> Option<&'static Verb> {
    forms().participle.get(word)
}

pub(super) fn by_base(word: &str) -> Option<&'static Verb> {
    forms().base.get(word)
}

/// By the form after `he`.
pub(super) fn by_third_person(word: &str) -> Option<&'static Verb> {
    forms().third_person.get(word)
}

/// Auxiliaries that take a negation, with the short form.
pub(super) const AUXILIARIES: [[&str; 2]; 12] = [
    ["is", "isn't"],
    ["are", "aren't"],
    ["was", "wasn't"],
    ["were", "weren't"],
    ["will", "won't"],
    ["can", "can't"],
    ["could", "couldn't"],
    ["should", "shouldn't"],
    ["would", "wouldn't"],
    ["has", "hasn't"],
    ["have", "haven't"],
    ["had", "hadn't"],
];

/// The short form of a negated auxiliary.
pub(super) fn shortened(auxiliary: &str) -> Option<&'static str> {
    AUXILIARIES.iter().find(|[long, _]| *long == auxiliary).map(|[_, short]| *short)
}

pub(super) fn is_auxiliary(word: &str) -> bool {
    word == "am" || shortened(word).is_some()
}

pub(super) fn is_be(word: &str) -> bool {
    has(&["am", "is", "are", "was", "were"], word)
}

/// Where the verb of a simple clause is: after a pronoun, a name, two joined names, or a determiner
/// and one or two words.
pub(super) fn verb_place(sentence: &Sentence) -> Option<usize> {
    let word = |at: usize| sentence.word(at);
    let is_verb =
        |at: usize| is_auxiliary(word(at)) || by_past(word(at)).is_some() || has(&["must", "may", "might"], word(at));
    let first = word(0);
    if has(&lists::SUBJECTS, first) || has(&["everyone", "everybody", "someone", "somebody"], first) {
        return (is_verb(1) || by_third_person(word(1)).is_some() || by_base(word(1)).is_some()).then_some(1);
    }
    if lists::is_name(first) {
        if word(1) == "and" && lists::is_name(word(2)) {
            return is_verb(3).then_some(3);
        }
        return (is_verb(1) || by_third_person(word(1)).is_some()).then_some(1);
    }
    let is_plain = |at: usize| word(at).chars().all(|letter| letter.is_ascii_lowercase()) && !is_verb(at);
    if has(&lists::DETERMINERS, first) && is_plain(1) && !has(&SUBJECT_STOPS, word(1)) {
        if is_verb(2) {
            return Some(2);
        }
        if is_plain(2) && !has(&SUBJECT_STOPS, word(2)) && is_verb(3) {
            return Some(3);
        }
    }
    None
}

/// Words that do not end a subject.
const SUBJECT_STOPS: [&str; 16] =
    ["of", "in", "on", "at", "to", "for", "with", "from", "who", "that", "which", "day", "time", "by", "about", "you"];

/// Contractions at the start of a sentence, written out: `he's` is `he is` unless a participle
/// follows.
pub(super) fn expanded(sentence: &Sentence) -> Option<Sentence> {
    let (head, ending) = sentence.word(0).split_once('\'')?;
    if !has(&lists::SUBJECTS, head) && !has(&["that", "there"], head) {
        return None;
    }
    let next = sentence.word(1);
    let may_be_has = next.ends_with("ed") || by_participle(next).is_some() || has(&["been", "got", "always"], next);
    let long = match ending {
        "m" => "am",
        "re" => "are",
        "ll" => "will",
        "ve" => "have",
        "s" if !may_be_has => "is",
        _ => return None,
    };
    let mut expanded = sentence.clone();
    expanded.words.splice(0..1, [head.to_owned(), long.to_owned()]);
    Some(expanded)
}

/// The sentence with its verb negated, as words; `None` if one cannot be sure that it then says the
/// opposite.
pub(super) fn negated(sentence: &Sentence, random: &mut SplitMix) -> Option<Vec<String>> {
    let long = expanded(sentence);
    let is_short = long.is_some();
    let sentence = long.as_ref().unwrap_or(sentence);
    if !sentence.is_statement() || sentence.is_negative() || !sentence.is_simple() || sentence.has_any(&lists::SCOPED) {
        return None;
    }
    let at = verb_place(sentence)?;
    let (verb, next) = (sentence.word(at), sentence.word(at + 1));
    if next.is_empty() || has(&["used", "ought", "let"], verb) || has(&["a", "an"], sentence.word(0)) {
        return None;
    }
    let is_perfect = has(&["been", "become", "already"], next) || next.ends_with("ed") || by_participle(next).is_some();
    let is_main = has(&["has", "have", "had"], verb) && (!is_perfect || next == "had");
    if is_auxiliary(verb) && !is_main {
        let short = if is_short && random.below(2) == 0 { None } else { shortened(verb) };
        return Some(match (verb, short) {
            ("can", None) => sentence.words_replaced(at..at + 1, &["cannot"]),
            (_, Some(short)) if random.below(2) == 0 => sentence.words_replaced(at..at + 1, &[short]),
            ("can", _) => sentence.words_replaced(at..at + 1, &["cannot"]),
            _ => sentence.words_replaced(at..at + 1, &[verb, "not"]),
        });
    }
    let subject = sentence.word(0);
    let (base, support) = match by_past(verb) {
        // `read`, `put` and others may be present or past.
        Some(known) if known.base == verb && !has(&["he", "she", "it"], subject) => return None,
        Some(known) => (known.base, ["did", "didn't"]),
        None => match (by_third_person(verb), by_base(verb)) {
            (Some(known), _) => (known.base, ["does", "doesn't"]),
            (_, Some(known)) if has(&["I", "you", "we", "they"], subject) => (known.base, ["do", "don't"]),
            _ => return None,
        },
    };
    let [long, short] = support;
    let new: &[&str] = if random.below(3) == 0 { &[long, "not", base] } else { &[short, base] };
    Some(sentence.words_replaced(at..at + 1, new))
}

#[cfg(test)]
mod tests {
    use super::super::sentence::render;
    use super::*;

    #[test]
    fn forms_follow_the_rules() {
        let check = |base: &str, past: &str, third: &str| {
            let verb = by_base(base).unwrap();
            assert_eq!((verb.past.as_str(), third_person(base).as_str()), (past, third));
            assert_eq!(by_third_person(third), Some(verb));
        };
        check("carry", "carried", "carries");
        check("stop", "stopped", "stops");
        check("hire", "hired", "hires");
        check("watch", "watched", "watches");
        check("go", "went", "goes");
        check("enjoy", "enjoyed", "enjoys");
        assert!(bases().all(|base| bases().filter(|other| *other == base).count() == 1));
    }

    #[test]
    fn only_simple_clauses_are_negated() {
        let check = |text: &str, expected: &[&str]| {
            let sentence = Sentence::parse(text).unwrap();
            for seed in 0..20 {
                let found = negated(&sentence, &mut SplitMix::new(seed)).map(|words| render(&words, '.'));
                assert!(
                    found.as_deref().map_or(expected.is_empty(), |text| expected.contains(&text)),
                    "{text}: {found:?}"
                );
            }
        };
        check("The old dog is asleep.", &["The old dog is not asleep.", "The old dog isn't asleep."]);
        check("Anna bought a hat.", &["Anna didn't buy a hat.", "Anna did not buy a hat."]);
        check("He goes to school.", &["He doesn't go to school.", "He does not go to school."]);
        check("They have a boat.", &["They don't have a boat.", "They do not have a boat."]);
        check("They have painted the boat.", &["They haven't painted the boat.", "They have not painted the boat."]);
        check("I'm at home.", &["I am not at home."]);
        check("All the dogs are asleep.", &[]);
        check("He never smiled again.", &[]);
        check("Anna said that he was ill.", &[]);
        check("You read a book.", &[]);
    }
}
