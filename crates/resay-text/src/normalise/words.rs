//! Words that are written in several ways: short forms, abbreviations, hyphens, capitals that
//! matter, names that have an acronym.

/// Short forms of one meaning, and what they stand for.
#[rustfmt::skip]
const CLOSED: &[(&str, &str)] = &[
    ("'bout", "about"), ("'cause", "because"), ("'cuz", "because"), ("'em", "them"), ("'n", "and"),
    ("'round", "around"), ("'til", "until"), ("'till", "until"), ("'tis", "it is"), ("'twas", "it was"),
    ("'twill", "it will"), ("aint", "ain't"), ("approx", "approximately"), ("arent", "are not"),
    ("ass'n", "association"), ("assn", "association"), ("attn", "attention"), ("betcha", "bet you"),
    ("bldg", "building"), ("blvd", "boulevard"), ("btw", "by the way"), ("c'mon", "come on"), ("can't", "can not"),
    ("cannot", "can not"), ("coulda", "could have"), ("couldnt", "could not"), ("couldve", "could have"),
    ("coz", "because"), ("cpl", "corporal"), ("cuz", "because"), ("d'ya", "do you"), ("d'you", "do you"),
    ("dep't", "department"), ("dept", "department"), ("depts", "departments"), ("didnt", "did not"),
    ("doesnt", "does not"), ("dont", "do not"), ("dunno", "do not know"), ("e'er", "ever"), ("eg", "for example"),
    ("excl", "excluding"), ("fyi", "for your information"), ("gimme", "give me"), ("gonna", "going to"),
    ("goodby", "goodbye"), ("gotcha", "got you"), ("gotta", "got to"), ("gov't", "government"),
    ("govt", "government"), ("govts", "governments"), ("hadnt", "had not"), ("hafta", "have to"),
    ("hasnt", "has not"), ("havent", "have not"), ("hwy", "highway"), ("i'm", "i am"), ("ie", "that is"),
    ("im", "i am"), ("imo", "in my opinion"), ("incl", "including"), ("innit", "is not it"),
    ("int'l", "international"), ("intl", "international"), ("isnt", "is not"), ("ive", "i have"),
    ("kinda", "kind of"), ("lemme", "let me"), ("let's", "let us"), ("lieut", "lieutenant"), ("lotta", "lot of"),
    ("ltd", "limited"), ("ma'am", "madam"), ("mgmt", "management"), ("mgr", "manager"), ("mister", "mr"),
    ("more'n", "more than"), ("mustnt", "must not"), ("nat'l", "national"), ("natl", "national"),
    ("ne'er", "never"), ("oughta", "ought to"), ("outta", "out of"), ("pls", "please"), ("plz", "please"),
    ("ppl", "people"), ("sgt", "sergeant"), ("shan't", "shall not"), ("shoulda", "should have"),
    ("shouldnt", "should not"), ("shouldve", "should have"), ("sorta", "sort of"), ("theyre", "they are"),
    ("theyve", "they have"), ("thx", "thanks"), ("til", "until"), ("tryna", "trying to"), ("univ", "university"),
    ("usa", "US"), ("useta", "used to"), ("vs", "versus"), ("wanna", "want to"), ("wasnt", "was not"),
    ("werent", "were not"), ("whadya", "what do you"), ("whatcha", "what are you"), ("won't", "will not"),
    ("woulda", "would have"), ("wouldnt", "would not"), ("wouldve", "would have"), ("y'all", "you all"),
    ("yall", "you all"), ("youre", "you are"), ("youve", "you have"),
];

/// Abbreviations before a point, and what they stand for.
#[rustfmt::skip]
const POINTED: &[(&str, &str)] = &[
    ("adj", "adjective"), ("adm", "admiral"), ("al", "al"), ("approx", "approximately"), ("apt", "apartment"),
    ("assn", "association"), ("asst", "assistant"), ("attn", "attention"), ("ave", "avenue"), ("avg", "average"),
    ("bldg", "building"), ("blvd", "boulevard"), ("bros", "brothers"), ("ca", "approximately"), ("capt", "captain"),
    ("cf", "compare"), ("ch", "chapter"), ("cmdr", "commander"), ("co", "company"), ("col", "colonel"),
    ("corp", "corporation"), ("cpl", "corporal"), ("dept", "department"), ("dr", "doctor"), ("eds", "editors"),
    ("eg", "for example"), ("esp", "especially"), ("est", "established"), ("etc", "etc"), ("excl", "excluding"),
    ("ext", "extension"), ("fig", "figure"), ("figs", "figures"), ("gov", "governor"), ("govt", "government"),
    ("hon", "honorable"), ("hwy", "highway"), ("ie", "that is"), ("inc", "incorporated"), ("incl", "including"),
    ("intl", "international"), ("jr", "junior"), ("lieut", "lieutenant"), ("lt", "lieutenant"), ("ltd", "limited"),
    ("maj", "major"), ("max", "maximum"), ("messrs", "messrs"), ("mfg", "manufacturing"), ("mgr", "manager"),
    ("min", "minimum"), ("misc", "miscellaneous"), ("mr", "mr"), ("mrs", "mrs"), ("ms", "ms"), ("mt", "mount"),
    ("natl", "national"), ("no", "number"), ("nos", "numbers"), ("pg", "page"), ("pp", "pages"),
    ("pres", "president"), ("prof", "professor"), ("qtr", "quarter"), ("rep", "representative"),
    ("rev", "reverend"), ("sen", "senator"), ("sgt", "sergeant"), ("sr", "senior"), ("st", "saint"),
    ("supt", "superintendent"), ("tel", "telephone"), ("univ", "university"), ("viz", "namely"), ("vol", "volume"),
    ("vols", "volumes"), ("vs", "versus"),
];

/// Words that are also written with a hyphen, and without it.
#[rustfmt::skip]
const HYPHENED: &[(&str, &str)] = &[
    ("air-port", "airport"), ("base-ball", "baseball"), ("basket-ball", "basketball"), ("birth-day", "birthday"),
    ("birth-days", "birthdays"), ("child-care", "childcare"), ("co-ordinate", "coordinate"),
    ("data-base", "database"), ("data-bases", "databases"), ("day-care", "daycare"), ("desk-top", "desktop"),
    ("e-book", "ebook"), ("e-books", "ebooks"), ("e-commerce", "ecommerce"), ("e-mail", "email"),
    ("e-mailed", "emailed"), ("e-mails", "emails"), ("foot-ball", "football"), ("god-father", "godfather"),
    ("good-bye", "goodbye"), ("grand-daughter", "granddaughter"), ("grand-father", "grandfather"),
    ("grand-mother", "grandmother"), ("grand-son", "grandson"), ("hand-made", "handmade"),
    ("head-ache", "headache"), ("health-care", "healthcare"), ("home-made", "homemade"), ("key-board", "keyboard"),
    ("key-word", "keyword"), ("key-words", "keywords"), ("land-mark", "landmark"), ("lap-top", "laptop"),
    ("life-style", "lifestyle"), ("life-time", "lifetime"), ("news-paper", "newspaper"),
    ("news-papers", "newspapers"), ("night-time", "nighttime"), ("non-stop", "nonstop"), ("note-book", "notebook"),
    ("off-line", "offline"), ("on-line", "online"), ("pass-word", "password"), ("pass-words", "passwords"),
    ("smart-phone", "smartphone"), ("smart-phones", "smartphones"), ("t-shirt", "tshirt"), ("t-shirts", "tshirts"),
    ("text-book", "textbook"), ("to-day", "today"), ("to-morrow", "tomorrow"), ("to-night", "tonight"),
    ("tooth-ache", "toothache"), ("user-name", "username"), ("user-names", "usernames"), ("web-page", "webpage"),
    ("web-pages", "webpages"), ("web-site", "website"), ("web-sites", "websites"), ("week-end", "weekend"),
    ("week-ends", "weekends"), ("wi-fi", "wifi"), ("work-force", "workforce"), ("work-place", "workplace"),
];

/// Words that mean something else in capitals: "US", "AIDS".
#[rustfmt::skip]
const CAPITALS: &[&str] = &[
    "ace", "act", "aids", "arm", "care", "cat", "cop", "cops", "core", "dare", "era", "fed", "gap", "hub", "ids",
    "it", "led", "map", "pac", "pal", "pet", "pin", "ram", "rap", "rip", "sad", "salt", "sap", "sat", "sec", "spa",
    "tan", "us", "wasp", "who",
];

/// Words that are a name if they are capitalised inside a sentence.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "amazon", "amber", "apple", "art", "baker", "bath", "bill", "bush", "chase", "china", "cliff", "cook",
    "crystal", "cube", "dale", "dawn", "dean", "discover", "dove", "drew", "faith", "ford", "fox", "frank", "gap",
    "grace", "grant", "hope", "hunter", "iris", "ivy", "jack", "japan", "java", "job", "joy", "king", "lily",
    "lima", "mark", "mars", "mercury", "meta", "nice", "olive", "oracle", "orange", "pat", "pearl", "polish",
    "python", "ray", "reading", "rice", "rich", "rob", "robin", "rose", "ruby", "rust", "sharp", "shell", "slack",
    "square", "stone", "stripe", "sue", "swift", "target", "tide", "turkey", "uber", "violet", "visa", "will",
    "windows", "word", "zoom",
];

/// Names and phrases that have an acronym: the first word, the rest, and the acronym.
#[rustfmt::skip]
const PHRASES: &[(&str, &[&str], &str)] = &[
    ("artificial", &["intelligence"], "ai"),
    ("as", &["soon", "as", "possible"], "asap"),
    ("british", &["broadcasting", "corporation"], "bbc"),
    ("central", &["intelligence", "agency"], "cia"),
    ("chief", &["executive", "officer"], "ceo"),
    ("chief", &["financial", "officer"], "cfo"),
    ("deoxyribonucleic", &["acid"], "dna"),
    ("do", &["it", "yourself"], "diy"),
    ("et", &["cetera"], "etc"),
    ("european", &["central", "bank"], "ecb"),
    ("european", &["union"], "eu"),
    ("federal", &["bureau", "of", "investigation"], "fbi"),
    ("frequently", &["asked", "questions"], "faqs"),
    ("global", &["positioning", "system"], "gps"),
    ("gross", &["domestic", "product"], "gdp"),
    ("gross", &["national", "product"], "gnp"),
    ("human", &["immunodeficiency", "virus"], "hiv"),
    ("human", &["resources"], "hr"),
    ("information", &["technology"], "IT"),
    ("intelligence", &["quotient"], "iq"),
    ("international", &["monetary", "fund"], "imf"),
    ("international", &["olympic", "committee"], "ioc"),
    ("international", &["space", "station"], "iss"),
    ("national", &["aeronautics", "and", "space", "administration"], "nasa"),
    ("national", &["health", "service"], "nhs"),
    ("new", &["york", "city"], "nyc"),
    ("non", &["governmental", "organization"], "ngo"),
    ("nongovernmental", &["organization"], "ngo"),
    ("north", &["atlantic", "treaty", "organization"], "nato"),
    ("personal", &["computer"], "pc"),
    ("public", &["relations"], "pr"),
    ("television", &[], "tv"),
    ("televisions", &[], "tvs"),
    ("unidentified", &["flying", "object"], "ufo"),
    ("united", &["arab", "emirates"], "uae"),
    ("united", &["kingdom"], "uk"),
    ("united", &["nations"], "un"),
    ("united", &["states", "of", "america"], "US"),
    ("united", &["states"], "US"),
    ("value", &["added", "tax"], "vat"),
    ("world", &["health", "organization"], "WHO"),
    ("world", &["trade", "organization"], "wto"),
];

/// Prefixes that are no words of their own: "co-operate" is "cooperate".
const PREFIXES: &[&str] =
    &["anti", "co", "hyper", "inter", "micro", "mono", "multi", "non", "poly", "pre", "pseudo", "semi", "ultra", "un"];

use super::table::{find, is_in};

/// Returns what a short form stands for, if it always does.
pub(super) fn long_form(word: &str) -> Option<&'static str> {
    find(CLOSED, word)
}

/// Returns what an abbreviation before a point stands for.
pub(super) fn before_point(word: &str) -> Option<&'static str> {
    if word.len() > 6 { None } else { find(POINTED, word) }
}

/// Returns two words joined by a hyphen as one, if they are also written so.
pub(super) fn without_hyphen(first: &str, second: &str) -> Option<String> {
    if first.len() > 6 {
        return None;
    }
    let is_prefix = is_in(PREFIXES, first) && second.len() > 2;
    // "re-elect" is "reelect", but "re-cover" is not "recover".
    let is_again = first == "re" && (second.starts_with('e') || matches!(second, "open" | "opened" | "use" | "used"));
    let both = || format!("{first}{second}");
    if is_prefix && second.bytes().all(|byte| byte.is_ascii_alphabetic()) || is_again {
        return Some(both());
    }
    find(HYPHENED, &format!("{first}-{second}")).map(str::to_owned)
}

/// Whether a word means something else in capitals.
pub(super) fn is_other_in_capitals(word: &str) -> bool {
    word.len() <= 5 && is_in(CAPITALS, word)
}

/// Whether a word is a name if it is capitalised inside a sentence.
pub(super) fn is_name_if_capital(word: &str) -> bool {
    is_in(NAMES, word)
}

/// Returns the acronym for the phrase that begins with `first`, and the number of its further
/// words. `word` returns the n-th word after the first.
pub(super) fn acronym<'a>(first: &str, word: impl Fn(usize) -> Option<&'a str>) -> Option<(&'static str, usize)> {
    let start = PHRASES.partition_point(|row| row.0 < first);
    let rows = PHRASES.get(start..)?.iter().take_while(|row| row.0 == first);
    for (_, rest, short) in rows {
        if rest.iter().enumerate().all(|(at, known)| word(at) == Some(*known)) {
            return Some((short, rest.len()));
        }
    }
    None
}

/// Words that carry no content: what follows a measure if no counted noun does.
#[rustfmt::skip]
const FUNCTION: &[&str] = &[
    "a", "about", "after", "ago", "all", "am", "an", "and", "are", "as", "at", "away", "be", "because", "been",
    "before", "but", "by", "can", "could", "did", "do", "does", "down", "during", "each", "every", "for", "from",
    "had", "has", "have", "he", "her", "here", "his", "i", "if", "in", "into", "is", "it", "its", "later", "longer", "may",
    "might", "must", "my", "next", "not", "now", "of", "off", "on", "onto", "or", "our", "out", "over", "per",
    "she", "should", "since", "so", "than", "that", "the", "their", "them", "then", "there", "they", "this", "to",
    "today", "together", "tomorrow", "too", "under", "until", "up", "was", "we", "were", "when", "where", "which",
    "while", "who", "will", "with", "within", "without", "would", "yesterday", "you", "your",
];

/// Whether a word is on the list of function words.
pub(super) fn is_function(word: &str) -> bool {
    word.len() <= 9 && is_in(FUNCTION, word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalise::table::check_sorted;

    #[test]
    fn tables_are_sorted() {
        for table in [CLOSED, POINTED, HYPHENED] {
            check_sorted(&table.iter().map(|row| row.0).collect::<Vec<_>>());
        }
        for list in [CAPITALS, NAMES, PREFIXES, FUNCTION] {
            check_sorted(list);
        }
        assert!(PHRASES.is_sorted_by_key(|row| row.0));
    }

    #[test]
    fn phrases_have_acronyms() {
        let words = ["states", "of", "america"];
        assert_eq!(acronym("united", |at| words.get(at).copied()), Some(("US", 3)));
        assert_eq!(acronym("united", |at| words.get(..1)?.get(at).copied()), Some(("US", 1)));
        assert_eq!(acronym("united", |_| None), None);
    }

    #[test]
    fn hyphens_between_prefix_and_word() {
        assert_eq!(without_hyphen("co", "operate").as_deref(), Some("cooperate"));
        assert_eq!(without_hyphen("e", "mail").as_deref(), Some("email"));
        assert_eq!(without_hyphen("re", "cover"), None);
        assert_eq!(without_hyphen("well", "known"), None);
    }
}
