//! Closed lists of words that the generators share.

pub(super) fn has(list: &[&str], word: &str) -> bool {
    list.contains(&word)
}

pub(super) const MEN: [&str; 16] = [
    "Tom", "John", "Daniel", "Peter", "Omar", "Luis", "David", "Kenji", "Paul", "Ivan", "Ahmed", "Frank", "George",
    "Ravi", "Oscar", "Liam",
];
pub(super) const WOMEN: [&str; 16] = [
    "Mary", "Alice", "Emma", "Anna", "Fatima", "Laura", "Kate", "Yuki", "Susan", "Olga", "Grace", "Nina", "Carmen",
    "Priya", "Helen", "Ruth",
];
const OTHER_NAMES: [&str; 24] = [
    "Boston",
    "French",
    "English",
    "Japan",
    "Japanese",
    "Australia",
    "Tokyo",
    "Christmas",
    "America",
    "Chinese",
    "London",
    "Europe",
    "China",
    "Germany",
    "France",
    "German",
    "Paris",
    "Italy",
    "Canada",
    "Spanish",
    "Chicago",
    "Mexico",
    "Rome",
    "Africa",
];

pub(super) fn is_person(word: &str) -> bool {
    has(&MEN, word) || has(&WOMEN, word)
}

pub(super) fn is_name(word: &str) -> bool {
    is_person(word) || has(&OTHER_NAMES, word)
}

/// Pronouns that are subjects.
pub(super) const SUBJECTS: [&str; 7] = ["I", "you", "he", "she", "it", "we", "they"];
/// The same as objects.
pub(super) const OBJECTS: [&str; 7] = ["me", "you", "him", "her", "it", "us", "them"];

/// Words that begin a noun phrase.
pub(super) const DETERMINERS: [&str; 14] =
    ["the", "a", "an", "my", "your", "his", "her", "its", "our", "their", "this", "that", "these", "those"];

/// Determiners that say of which thing one speaks.
pub(super) const DEFINITE: [&str; 13] =
    ["the", "my", "your", "his", "her", "its", "our", "their", "this", "that", "these", "those", "both"];

const INDEFINITE: [&str; 14] = [
    "everyone",
    "everybody",
    "someone",
    "somebody",
    "nobody",
    "everything",
    "something",
    "nothing",
    "people",
    "there",
    "all",
    "some",
    "most",
    "many",
];

const OTHER_STARTERS: [&str; 50] = [
    "what",
    "how",
    "why",
    "where",
    "when",
    "who",
    "which",
    "whose",
    "do",
    "does",
    "did",
    "don't",
    "didn't",
    "is",
    "are",
    "was",
    "were",
    "can",
    "could",
    "will",
    "would",
    "may",
    "should",
    "have",
    "has",
    "please",
    "let",
    "if",
    "no",
    "one",
    "in",
    "at",
    "on",
    "after",
    "before",
    "every",
    "each",
    "both",
    "today",
    "yesterday",
    "tomorrow",
    "last",
    "next",
    "tonight",
    "now",
    "few",
    "several",
    "two",
    "three",
    "because",
];

/// Whether a word in lower case begins sentences, and has a capital only then.
pub(super) fn starts_sentences(word: &str) -> bool {
    starts_statements(word) || has(&OTHER_STARTERS, word) || has(&IMPERATIVES, word)
}

/// Whether it begins the subject of a sentence.
pub(super) fn starts_statements(word: &str) -> bool {
    word == "i" || has(&SUBJECTS, word) || has(&DETERMINERS, word) || has(&INDEFINITE, word)
}

/// Verbs that begin requests.
pub(super) const IMPERATIVES: [&str; 34] = [
    "open", "close", "shut", "give", "tell", "show", "come", "go", "wait", "stop", "take", "bring", "call", "turn",
    "put", "keep", "ask", "help", "read", "write", "wash", "clean", "sit", "stand", "stay", "leave", "speak", "listen",
    "look", "try", "send", "answer", "follow", "fill",
];

pub(super) const NEGATIONS: [&str; 18] = [
    "not", "no", "never", "nobody", "nothing", "none", "neither", "nor", "nowhere", "cannot", "hardly", "scarcely",
    "barely", "seldom", "rarely", "without", "few", "little",
];

/// Words after which a sentence may not be plain fact.
pub(super) const UNREAL: [&str; 60] = [
    "if",
    "whether",
    "unless",
    "or",
    "either",
    "can",
    "could",
    "may",
    "might",
    "must",
    "should",
    "would",
    "ought",
    "want",
    "wants",
    "wanted",
    "hope",
    "hopes",
    "hoped",
    "wish",
    "wishes",
    "wished",
    "need",
    "needs",
    "needed",
    "think",
    "thinks",
    "thought",
    "believe",
    "believes",
    "believed",
    "guess",
    "suppose",
    "supposed",
    "seem",
    "seems",
    "seemed",
    "probably",
    "perhaps",
    "maybe",
    "possibly",
    "almost",
    "nearly",
    "plan",
    "plans",
    "planned",
    "likely",
    "doubt",
    "doubts",
    "pretended",
    "imagine",
    "say",
    "says",
    "said",
    "looks",
    "looked",
    "refused",
    "suspect",
    "suggested",
    "better",
];

/// Words that introduce or announce another clause.
pub(super) const SUBORDINATORS: [&str; 60] = [
    "that", "what", "who", "whom", "whose", "which", "where", "when", "why", "how", "if", "whether", "because",
    "since", "while", "until", "till", "before", "after", "although", "though", "unless", "as", "than", "but", "and",
    "or", "so", "once", "whenever", "wherever", "whatever", "know", "knows", "knew", "think", "thinks", "thought",
    "say", "says", "said", "tell", "told", "hope", "hopes", "wish", "wished", "heard", "believe", "believes",
    "believed", "asked", "promised", "guess", "sure", "afraid", "glad", "see", "saw", "found",
];

/// Words that a negation would have scope over.
pub(super) const SCOPED: [&str; 58] = [
    "all",
    "some",
    "every",
    "each",
    "both",
    "many",
    "most",
    "several",
    "any",
    "always",
    "often",
    "sometimes",
    "usually",
    "already",
    "still",
    "too",
    "also",
    "only",
    "even",
    "just",
    "nearly",
    "ever",
    "again",
    "else",
    "quite",
    "rather",
    "so",
    "such",
    "someone",
    "somebody",
    "something",
    "everyone",
    "everybody",
    "everything",
    "somewhere",
    "anyone",
    "anything",
    "least",
    "pretty",
    "yet",
    "anymore",
    "one",
    "much",
    "as",
    "more",
    "really",
    "actually",
    "certainly",
    "definitely",
    "fairly",
    "indeed",
    "soon",
    "now",
    "once",
    "there",
    "better",
    "just",
    "exactly",
];

/// Words for people and animals that act.
pub(super) const BEINGS: [&str; 46] = [
    "man",
    "woman",
    "boy",
    "girl",
    "child",
    "dog",
    "cat",
    "teacher",
    "doctor",
    "mother",
    "father",
    "brother",
    "sister",
    "friend",
    "son",
    "daughter",
    "wife",
    "husband",
    "boss",
    "nurse",
    "policeman",
    "soldier",
    "thief",
    "driver",
    "student",
    "king",
    "queen",
    "lawyer",
    "neighbor",
    "neighbour",
    "uncle",
    "aunt",
    "cousin",
    "baby",
    "lion",
    "bear",
    "horse",
    "manager",
    "grandmother",
    "grandfather",
    "girlfriend",
    "boyfriend",
    "waiter",
    "coach",
    "principal",
    "tiger",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_twice_in_a_list() {
        let lists: [&[&str]; 8] =
            [&MEN, &WOMEN, &DETERMINERS, &INDEFINITE, &OTHER_STARTERS, &IMPERATIVES, &NEGATIONS, &BEINGS];
        for list in lists {
            for (at, word) in list.iter().enumerate() {
                assert!(!list[..at].contains(word), "{word}");
            }
        }
        assert!(is_name("Anna") && is_name("Boston") && !is_person("Boston"));
        assert!(starts_sentences("open") && !starts_statements("open") && starts_statements("the"));
    }
}
