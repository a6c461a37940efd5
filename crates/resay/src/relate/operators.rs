//! Words that change how a whole clause is meant: negation, modality, quantifiers, hedges, tense,
//! questions, conditions.

use super::words::Side;
use crate::id::{Operator, WordGroup};
use resay_text::phrases::{ClauseTruth, Phrases};

/// Words that negate what they belong to.
const NEGATING: [&str; 22] = [
    "not", "n't", "n’t", "nt", "never", "no", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without",
    "hardly", "barely", "scarcely", "rarely", "seldom", "cannot", "no-one", "noone", "lack",
];

pub(super) fn is_negating(side: &Side<'_>, word: usize) -> bool {
    NEGATING.contains(&side.lower[word])
        // "no one"; "No, thanks" answers and does not negate.
        && !(side.lower[word] == "no" && side.relation(word) == "discourse")
}

/// The word whose subtree a negating word governs.
fn governed(side: &Side<'_>, word: usize) -> usize {
    let Some(head) = side.head[word] else { return word };
    let above = |noun: usize| {
        let is_argument =
            ["nsubj", "obj", "obl", "iobj", "expl", "attr"].iter().any(|start| side.relation(noun).starts_with(start));
        if is_argument { side.head[noun].unwrap_or(noun) } else { noun }
    };
    match side.lower[word] {
        "no" | "neither" => above(head),
        "none" | "nobody" | "nothing" | "no-one" | "noone" => above(word),
        _ => head,
    }
}

/// For each word, under how many negations it is. Verbs such as "fail to" negate the clause below
/// them, and "forget to" does so unless it is negated itself.
pub(super) fn negations(side: &Side<'_>, phrases: &Phrases) -> Vec<u8> {
    let mut counts = vec![0_u8; side.len()];
    for word in 0..side.len() {
        if is_negating(side, word) {
            let top = governed(side, word);
            for (other, count) in counts.iter_mut().enumerate() {
                // Clauses beside it are not negated: "He did not come, but she did".
                *count += u8::from(other != word && side.is_under(other, top) && !is_cut(side, other, top));
            }
        }
    }
    for found in &side.phrases {
        let Some(signature) = phrases.signature(found.phrase) else { continue };
        let Some(verb) = found.words.first().map(|word| *word as usize) else { continue };
        if signature.affirmed != ClauseTruth::False {
            continue;
        }
        let clauses = side.dependents[verb].iter().copied();
        for clause in clauses.filter(|&other| matches!(side.relation(other), "xcomp" | "ccomp")) {
            for (other, count) in counts.iter_mut().enumerate() {
                *count += u8::from(side.is_under(other, clause));
            }
        }
    }
    counts
}

/// Whether a clause of its own lies between a word and the one above it.
fn is_cut(side: &Side<'_>, word: usize, above: usize) -> bool {
    let mut at = word;
    for _ in 0..side.len() {
        if at == above {
            return false;
        }
        if matches!(side.relation(at), "conj" | "parataxis" | "advcl") {
            return true;
        }
        match side.head[at] {
            Some(head) => at = head,
            None => return false,
        }
    }
    false
}

impl Operator {
    /// The words that show it; empty where it takes more than words.
    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Required => &[
                "must",
                "need",
                "required",
                "obliged",
                "mandatory",
                "compulsory",
                "necessary",
                "obligatory",
                "shall",
                "forced",
            ],
            Self::Advised => &["should", "ought", "recommended", "advisable", "better", "advised"],
            Self::Possible => &[
                "can",
                "may",
                "might",
                "could",
                "allowed",
                "permitted",
                "able",
                "possible",
                "possibly",
                "perhaps",
                "maybe",
                "allow",
                "permit",
                "optional",
                "free",
                "entitled",
            ],
            Self::Hedged => &[
                "probably",
                "likely",
                "reportedly",
                "allegedly",
                "apparently",
                "seem",
                "seems",
                "seemed",
                "appear",
                "appears",
                "appeared",
                "supposedly",
                "alleged",
                "might",
                "may",
                "perhaps",
                "maybe",
                "possibly",
                "think",
                "believe",
                "suspect",
                "presumably",
                "guess",
                "could",
                "rumoured",
                "rumored",
            ],
            Self::All => &[
                "all",
                "every",
                "each",
                "everyone",
                "everybody",
                "everything",
                "always",
                "everywhere",
                "whole",
                "entire",
                "both",
                "any",
                "anyone",
                "anybody",
                "completely",
                "fully",
                "entirely",
            ],
            Self::Some => &[
                "some",
                "several",
                "someone",
                "somebody",
                "something",
                "sometimes",
                "somewhere",
                "occasionally",
                "certain",
                "partly",
                "partially",
                "part",
            ],
            Self::Many => &[
                "most",
                "many",
                "much",
                "often",
                "usually",
                "mostly",
                "lots",
                "plenty",
                "majority",
                "frequently",
                "generally",
            ],
            Self::Few => {
                &["few", "little", "rarely", "seldom", "hardly", "barely", "scarcely", "minority", "fewer", "less"]
            }
            Self::Only => &[
                "only",
                "except",
                "excluding",
                "solely",
                "exclusively",
                "apart",
                "besides",
                "other",
                "alone",
                "save",
                "but",
            ],
            Self::AtLeast => &["least", "minimum", "over", "above", "exceeds", "exceeding", "exceed", "more"],
            Self::AtMost => &["most", "maximum", "under", "below", "less", "fewer", "within", "limit", "up"],
            Self::Condition => {
                &["if", "unless", "provided", "providing", "whenever", "otherwise", "case", "when", "whether"]
            }
            Self::Cause => {
                &["because", "since", "therefore", "so", "thus", "due", "cause", "caused", "as", "hence", "thanks"]
            }
            Self::Before => &["before", "until", "till", "prior", "by", "ago", "earlier"],
            Self::After => &["after", "since", "afterwards", "later", "following", "then", "once"],
            Self::Future => &["will", "'ll", "’ll", "wo", "shall", "going", "gonna", "tomorrow"],
            Self::Former => &["used", "former", "formerly", "ex", "previously", "longer", "anymore", "once"],
            Self::Still => &["still", "already", "yet", "again", "anymore", "longer"],
            Self::Starting => &["start", "begin", "open", "launch", "commence", "begun", "started", "began"],
            Self::Stopping => {
                &["stop", "end", "finish", "quit", "close", "cease", "stopped", "ended", "finished", "closed"]
            }
            Self::Said => &[
                "say",
                "said",
                "says",
                "claim",
                "claimed",
                "claims",
                "tell",
                "told",
                "report",
                "reported",
                "according",
                "deny",
                "denied",
                "announce",
                "announced",
                "state",
                "stated",
                "admit",
                "admitted",
                "argue",
                "argued",
                "suggest",
                "suggested",
            ],
            Self::Intended => &[
                "try",
                "tried",
                "want",
                "wanted",
                "plan",
                "planned",
                "hope",
                "hoped",
                "offer",
                "offered",
                "promise",
                "promised",
                "intend",
                "attempt",
                "attempted",
                "agree",
                "agreed",
                "decide",
                "ask",
                "asked",
                "refuse",
                "refused",
                "threaten",
            ],
            Self::First => &["i", "we", "me", "us", "my", "our", "mine", "ours"],
            Self::Second => &["you", "your", "yours"],
            Self::And => &["and", "both", "&"],
            Self::Or => &["or", "either"],
            Self::Compared => &["than", "more", "less", "as", "fewer"],
            Self::Toward => {
                &["up", "on", "in", "into", "inside", "above", "to", "onto", "forward", "left", "north", "east"]
            }
            Self::Away => {
                &["down", "off", "out", "from", "outside", "below", "under", "back", "right", "south", "west", "away"]
            }
            Self::Negation
            | Self::Question
            | Self::Asked
            | Self::Past
            | Self::Command
            | Self::Forbidden
            | Self::Exempt
            | Self::NotAll
            | Self::None => &[],
        }
    }

    /// How much of it a text has.
    pub(super) fn count(self, side: &Side<'_>) -> f32 {
        let n = match self {
            Self::Negation => (0..side.len()).filter(|&word| is_negating(side, word)).count(),
            Self::Question => usize::from(side.lower.contains(&"?")),
            Self::Asked => asked(side),
            Self::Past => {
                let is_past =
                    |word: usize| side.tag(word) == "VBD" || (side.tag(word) == "VBN" && side.head[word].is_none());
                (0..side.len()).filter(|&word| is_past(word)).count()
            }
            Self::Command => {
                let is_command = |root: usize| {
                    side.tag(root) == "VB"
                        && side.group[root] == WordGroup::Verb
                        && side.with_relation(root, "nsubj").next().is_none()
                        && side.with_relation(root, "aux").next().is_none()
                };
                side.roots().filter(|&root| is_command(root)).count()
            }
            Self::Forbidden => {
                let words = ["forbidden", "forbid", "prohibited", "prohibit", "banned", "ban", "disallowed"];
                side.lower.iter().zip(&side.lemma).filter(|(a, b)| words.contains(a) || words.contains(b)).count()
                    + negated(
                        side,
                        &["can", "ca", "could", "may", "must", "allowed", "permitted", "able", "allow", "permit"],
                    )
                    + usize::from(side.lower.contains(&"cannot"))
            }
            Self::Exempt => {
                let words = ["optional", "voluntary", "exempt", "needn't", "unnecessary"];
                side.lower.iter().filter(|word| words.contains(word)).count()
                    + negated(
                        side,
                        &["need", "have", "required", "obliged", "necessary", "mandatory", "compulsory", "require"],
                    )
            }
            Self::NotAll => {
                let words =
                    ["all", "every", "each", "everyone", "everybody", "everything", "always", "everywhere", "both"];
                (1..side.len())
                    .filter(|&at| {
                        words.contains(&side.lower[at]) && matches!(side.lower[at - 1], "not" | "n't" | "hardly")
                    })
                    .count()
            }
            Self::None => {
                let words = ["no", "none", "nobody", "nothing", "nowhere", "never", "neither"];
                side.lower.iter().filter(|word| words.contains(word)).count()
                    + negated(side, &["any", "anyone", "anybody", "anything", "anywhere", "ever", "either"])
            }
            _ => {
                let words = self.words();
                side.lower.iter().filter(|word| words.contains(word)).count()
            }
        };
        n as f32
    }
}

/// How many of these words stand behind a negation, at most two words away, or below one.
fn negated(side: &Side<'_>, words: &[&str]) -> usize {
    let is_negated = |at: usize| {
        let behind = (at.saturating_sub(3)..at).any(|word| is_negating(side, word));
        // "may not", "must not", "need not".
        let before = side.lower.get(at + 1).is_some_and(|next| matches!(*next, "not" | "n't" | "n’t"));
        behind || before
    };
    (0..side.len()).filter(|&at| words.contains(&side.lower[at]) && is_negated(at)).count()
}

/// The first question word, by number; 0 for none.
fn asked(side: &Side<'_>) -> usize {
    const ASKING: [&str; 9] = ["how", "what", "when", "where", "who", "why", "which", "whose", "whom"];
    let first = side.lower.iter().find_map(|word| ASKING.iter().position(|asking| asking == word));
    first.map_or(0, |at| at + 1)
}
