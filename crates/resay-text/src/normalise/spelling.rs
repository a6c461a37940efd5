//! Spelling variants: British forms become American ones, by tables and by a few rules with lists of
//! the words that they touch or spare.

use super::table::{find, is_in};
use std::borrow::Cow;

/// Words with a spelling of their own, and the American one.
#[rustfmt::skip]
const IRREGULAR: &[(&str, &str)] = &[
    ("acknowledgement", "acknowledgment"), ("acknowledgements", "acknowledgments"), ("adviser", "advisor"),
    ("advisers", "advisors"), ("aeroplane", "airplane"), ("aeroplanes", "airplanes"), ("afterwards", "afterward"),
    ("ageing", "aging"), ("alright", "all right"), ("altho", "although"), ("aluminium", "aluminum"),
    ("amidst", "amid"), ("amongst", "among"), ("analyse", "analyze"), ("analysed", "analyzed"),
    ("analyser", "analyzer"), ("analysers", "analyzers"), ("analysing", "analyzing"), ("appal", "appall"),
    ("artefact", "artifact"), ("artefacts", "artifacts"), ("backwards", "backward"), ("benefitted", "benefited"),
    ("benefitting", "benefiting"), ("breathalyse", "breathalyze"), ("burnt", "burned"), ("caesarean", "cesarean"),
    ("caesarian", "cesarean"), ("café", "cafe"), ("cafés", "cafes"), ("cancelation", "cancellation"),
    ("carburettor", "carburetor"), ("carburettors", "carburetors"), ("catalyse", "catalyze"),
    ("catalysed", "catalyzed"), ("catalysing", "catalyzing"), ("cheque", "check"), ("chequebook", "checkbook"),
    ("cheques", "checks"), ("chilli", "chili"), ("chillies", "chilies"), ("cigarets", "cigarettes"),
    ("cliché", "cliche"), ("clichés", "cliches"), ("colour", "color"), ("connexion", "connection"),
    ("cosier", "cozier"), ("cosy", "cozy"), ("counsellor", "counselor"), ("counsellors", "counselors"),
    ("defence", "defense"), ("defenceless", "defenseless"), ("defences", "defenses"), ("dependant", "dependent"),
    ("dependants", "dependents"), ("disc", "disk"), ("discs", "disks"), ("distil", "distill"),
    ("doughnut", "donut"), ("doughnuts", "donuts"), ("downwards", "downward"), ("draught", "draft"),
    ("draughts", "drafts"), ("draughty", "drafty"), ("dreamt", "dreamed"), ("déjà", "deja"), ("enquire", "inquire"),
    ("enquired", "inquired"), ("enquiries", "inquiries"), ("enquiring", "inquiring"), ("enquiry", "inquiry"),
    ("enrol", "enroll"), ("enrolment", "enrollment"), ("enrols", "enrolls"), ("entrée", "entree"),
    ("façade", "facade"), ("façades", "facades"), ("fiancé", "fiance"), ("fiancée", "fiancee"),
    ("focussed", "focused"), ("focusses", "focuses"), ("focussing", "focusing"), ("forwards", "forward"),
    ("fulfil", "fulfill"), ("fulfilment", "fulfillment"), ("fulfils", "fulfills"), ("furore", "furor"),
    ("gaol", "jail"), ("gaols", "jails"), ("gramme", "gram"), ("grammes", "grams"), ("grey", "gray"),
    ("greyer", "grayer"), ("greyish", "grayish"), ("greys", "grays"), ("hiccough", "hiccup"),
    ("hiccoughs", "hiccups"), ("instalment", "installment"), ("instalments", "installments"), ("instil", "instill"),
    ("jewellery", "jewelry"), ("judgement", "judgment"), ("judgements", "judgments"), ("kerb", "curb"),
    ("kerbs", "curbs"), ("kilogramme", "kilogram"), ("kilogrammes", "kilograms"), ("leant", "leaned"),
    ("leapt", "leaped"), ("learnt", "learned"), ("licence", "license"), ("licences", "licenses"),
    ("liquorice", "licorice"), ("manoeuvrable", "maneuverable"), ("manoeuvre", "maneuver"),
    ("manoeuvred", "maneuvered"), ("manoeuvres", "maneuvers"), ("manoeuvring", "maneuvering"), ("maths", "math"),
    ("misspelt", "misspelled"), ("mollusc", "mollusk"), ("molluscs", "mollusks"), ("mould", "mold"),
    ("moulded", "molded"), ("moulding", "molding"), ("moulds", "molds"), ("mouldy", "moldy"), ("moult", "molt"),
    ("moustache", "mustache"), ("moustaches", "mustaches"), ("mum", "mom"), ("mums", "moms"), ("naïve", "naive"),
    ("naïvety", "naivete"), ("naïveté", "naivete"), ("nite", "night"), ("offence", "offense"),
    ("offences", "offenses"), ("okay", "ok"), ("okey", "ok"), ("omelette", "omelet"), ("omelettes", "omelets"),
    ("paralyse", "paralyze"), ("paralysed", "paralyzed"), ("paralysing", "paralyzing"), ("pedlar", "peddler"),
    ("pedlars", "peddlers"), ("phoney", "phony"), ("plough", "plow"), ("ploughed", "plowed"),
    ("ploughing", "plowing"), ("ploughs", "plows"), ("practise", "practice"), ("practised", "practiced"),
    ("practises", "practices"), ("practising", "practicing"), ("pretence", "pretense"), ("programme", "program"),
    ("programmes", "programs"), ("pyjama", "pajama"), ("pyjamas", "pajamas"), ("racquet", "racket"),
    ("racquets", "rackets"), ("sceptic", "skeptic"), ("sceptical", "skeptical"), ("scepticism", "skepticism"),
    ("sceptics", "skeptics"), ("señor", "senor"), ("skilful", "skillful"), ("skilfully", "skillfully"),
    ("soirée", "soiree"), ("specialities", "specialties"), ("speciality", "specialty"), ("spelt", "spelled"),
    ("spoilt", "spoiled"), ("sulphate", "sulfate"), ("sulphide", "sulfide"), ("sulphur", "sulfur"),
    ("sulphuric", "sulfuric"), ("tho", "though"), ("thru", "through"), ("tonite", "tonight"), ("towards", "toward"),
    ("tyre", "tire"), ("tyres", "tires"), ("upwards", "upward"), ("vigour", "vigor"), ("waggon", "wagon"),
    ("whilst", "while"), ("wilful", "willful"), ("wilfully", "willfully"), ("woollen", "woolen"),
    ("worshipped", "worshiped"), ("worshipper", "worshiper"), ("worshippers", "worshipers"),
    ("worshipping", "worshiping"), ("yoghourt", "yogurt"), ("yoghurt", "yogurt"), ("yoghurts", "yogurts"),
];

/// Words in "-ise" that have no "-ize". Those in "-wise" follow by rule.
#[rustfmt::skip]
const KEPT_ISE: &[&str] = &[
    "advertise", "advise", "anise", "appraise", "apprise", "arise", "bourgeoise", "braise", "bruise", "cerise",
    "chaise", "chastise", "chemise", "circumcise", "comprise", "compromise", "concise", "counterpoise", "cruise",
    "demise", "denise", "despise", "devise", "dise", "disenfranchise", "disguise", "elise", "eloise", "enfranchise",
    "enterprise", "equipoise", "excise", "exercise", "expertise", "fraise", "franchise", "frise", "galise", "guise",
    "hollandaise", "imprecise", "improvise", "incise", "liaise", "louise", "malaise", "marquise", "marseillaise",
    "mayonnaise", "merchandise", "misadvise", "moise", "moonrise", "mortise", "noise", "overexercise", "paradise",
    "pise", "poise", "polonaise", "porpoise", "praise", "precise", "premise", "prise", "promise", "raise", "remise",
    "reprise", "reraise", "rerise", "revise", "rise", "sunrise", "supervise", "surmise", "surprise", "televise",
    "tortoise", "treatise", "turquoise", "uprise", "valise", "vise",
];

/// Words in "-our" that Americans write with "-or".
#[rustfmt::skip]
const OUR: &[&str] = &[
    "arbour", "ardour", "armour", "behaviour", "candour", "clamour", "colour", "demeanour", "endeavour", "favour",
    "fervour", "flavour", "harbour", "honour", "humour", "labour", "misdemeanour", "neighbour", "odour", "parlour",
    "rancour", "rigour", "rumour", "saviour", "savour", "splendour", "succour", "tumour", "valour", "vapour",
    "vigour",
];

/// What may follow them.
#[rustfmt::skip]
const OUR_ENDINGS: &[&str] = &[
    "able", "ably", "al", "ally", "ation", "ed", "er", "ers", "ful", "fully", "hood", "hoods", "ing", "ings", "ism",
    "ist", "ists", "ite", "ites", "less", "ly", "s", "some", "way", "ways", "y",
];

/// Words in "-re" that Americans write with "-er". Those in "-metre" and "-litre" follow by rule.
#[rustfmt::skip]
const RE: &[&str] = &[
    "accoutre", "amphitheatre", "calibre", "centre", "epicentre", "fibre", "goitre", "litre", "lustre", "meagre",
    "metre", "mitre", "ochre", "philtre", "reconnoitre", "sabre", "sceptre", "sombre", "spectre", "theatre",
];

/// Verbs whose final "l" the British double.
#[rustfmt::skip]
const DOUBLED: &[&str] = &[
    "backpedal", "barrel", "bejewel", "bevel", "bushel", "cancel", "carol", "channel", "chisel", "counsel", "devil",
    "dial", "dishevel", "duel", "enamel", "equal", "fuel", "funnel", "gravel", "grovel", "hovel", "initial",
    "jewel", "kennel", "label", "level", "libel", "marvel", "medal", "model", "panel", "parcel", "pedal", "pencil",
    "pistol", "quarrel", "relabel", "remodel", "revel", "rival", "shovel", "shrivel", "signal", "snivel", "spiral",
    "stencil", "swivel", "total", "towel", "trammel", "travel", "trial", "tunnel", "unravel", "victual", "yodel",
];

/// The beginnings of words with "ae" or "oe".
#[rustfmt::skip]
const STEMS: &[(&str, &str)] = &[
    ("aetiolog", "etiolog"), ("amoeb", "ameb"), ("anaem", "anem"), ("anaesth", "anesth"),
    ("archeolog", "archaeolog"), ("diarrhoea", "diarrhea"), ("encyclopaed", "encycloped"),
    ("esthetic", "aesthetic"), ("faec", "fec"), ("foet", "fet"), ("gynaecolog", "gynecolog"), ("haemo", "hemo"),
    ("haemorrh", "hemorrh"), ("homoeopath", "homeopath"), ("hypoglycaem", "hypoglycem"), ("leukaem", "leukem"),
    ("mediaeval", "medieval"), ("oedema", "edema"), ("oesophag", "esophag"), ("oestrogen", "estrogen"),
    ("orthopaed", "orthoped"), ("paediatr", "pediatr"), ("paedophil", "pedophil"), ("palaeo", "paleo"),
    ("septicaem", "septicem"), ("toxaem", "toxem"),
];

/// Endings of verbs in "-ise" and what stands for them; the verb itself ends in "ise".
const ISE: &[(&str, &str)] = &[
    ("isations", "izations"),
    ("isation", "ization"),
    ("ising", "izing"),
    ("ised", "ized"),
    ("ises", "izes"),
    ("iser", "izer"),
    ("isers", "izers"),
    ("ise", "ize"),
];

/// Returns the American spelling of a lower-case word, or the word itself.
pub(super) fn american(word: &str) -> Cow<'_, str> {
    if word.len() < 4 {
        return Cow::Borrowed(find(IRREGULAR, word).unwrap_or(word));
    }
    if let Some(known) = find(IRREGULAR, word) {
        return Cow::Borrowed(known);
    }
    // Two letters tell which rule may apply; few words have any.
    let (mut has_is, mut has_our, mut has_ll, mut has_re, mut has_ae) = (false, false, false, false, false);
    for pair in word.as_bytes().windows(2) {
        match pair {
            b"is" => has_is = true,
            b"ou" | b"og" => has_our = true,
            b"ll" => has_ll = true,
            b"re" | b"ri" => has_re = true,
            b"ae" | b"oe" | b"eo" => has_ae = true,
            [0xc3 | 0xc5, _] => has_ae = true,
            _ => {}
        }
    }
    has_ae |= word.starts_with("esth");
    let mut found = None;
    if has_is {
        found = ise(word).map(|other| ae(&other).unwrap_or(other));
    }
    if has_our && found.is_none() {
        found = our(word).or_else(|| ogue(word));
    }
    if has_ll && found.is_none() {
        found = doubled(word);
    }
    if has_re && found.is_none() {
        found = re(word);
    }
    if has_ae && found.is_none() {
        found = ae(word);
    }
    if let Some(found) = found {
        return Cow::Owned(found);
    }
    Cow::Borrowed(word)
}

/// "organise" is "organize", but "exercise" stays.
fn ise(word: &str) -> Option<String> {
    let (ending, american) = ISE.iter().find(|(ending, _)| word.ends_with(ending))?;
    let stem = word.strip_suffix(ending)?;
    if stem.len() < 3 || !stem.is_ascii() {
        return None;
    }
    if !ending.starts_with("isation") {
        // The stem before "ise", without what may stand before the listed verb.
        let is_kept = stem.ends_with('w') || {
            let verb = format!("{stem}ise");
            ["", "re", "un", "over", "dis", "mis"]
                .iter()
                .any(|prefix| verb.strip_prefix(prefix).is_some_and(|verb| is_in(KEPT_ISE, verb)))
        };
        if is_kept {
            return None;
        }
    }
    Some(format!("{stem}{american}"))
}

/// "colourful" is "colorful", but "four" stays.
fn our(word: &str) -> Option<String> {
    let at = word.find("our")?;
    let (stem, ending) = (word.get(..at + 3)?, word.get(at + 3..)?);
    if !ending.is_empty() && !is_in(OUR_ENDINGS, ending) {
        return None;
    }
    let is_known = ["", "dis", "un", "re", "multi", "mis", "en", "out"]
        .iter()
        .any(|prefix| stem.strip_prefix(prefix).is_some_and(|stem| is_in(OUR, stem)));
    is_known.then(|| format!("{}or{ending}", word.get(..at).unwrap_or_default()))
}

/// "catalogue" is "catalog", but "rogue" stays.
fn ogue(word: &str) -> Option<String> {
    let singular = word.strip_suffix('s').unwrap_or(word);
    let stem = singular.strip_suffix("ogue")?;
    let is_known = stem.ends_with('l') || stem.ends_with("ag");
    let has_s = singular.len() < word.len();
    is_known.then(|| format!("{stem}og{}", if has_s { "s" } else { "" }))
}

/// "travelled" is "traveled".
fn doubled(word: &str) -> Option<String> {
    let endings = ["led", "ling", "ler", "lers", "lings"];
    endings.iter().find_map(|ending| {
        let stem = word.strip_suffix(ending)?;
        is_in(DOUBLED, stem).then(|| format!("{stem}{}", ending.get(1..).unwrap_or_default()))
    })
}

/// "centre" is "center", but "here" stays.
fn re(word: &str) -> Option<String> {
    let (stem, ending) = [("re", "er"), ("res", "ers"), ("red", "ered"), ("ring", "ering")]
        .iter()
        .find_map(|(british, american)| Some((word.strip_suffix(british)?, *american)))?;
    let base = format!("{stem}re");
    let is_measure = base.ends_with("metre") || base.ends_with("litre");
    (is_measure || is_in(RE, &base)).then(|| format!("{stem}{ending}"))
}

/// "anaemia" is "anemia".
fn ae(word: &str) -> Option<String> {
    let plain = word.replace('æ', "ae").replace('œ', "oe");
    let known = STEMS.iter().find_map(|(stem, american)| {
        let at = plain.find(stem)?;
        let is_start = at == 0 || matches!(plain.get(..at), Some("an" | "un" | "bio" | "poly" | "non"));
        is_start.then(|| format!("{}{american}{}", plain.get(..at).unwrap_or_default(), &plain[at + stem.len()..]))
    });
    known.or_else(|| (plain != word).then_some(plain))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normalise::table::check_sorted;

    #[test]
    fn tables_are_sorted() {
        for table in [IRREGULAR, STEMS] {
            check_sorted(&table.iter().map(|row| row.0).collect::<Vec<_>>());
        }
        for table in [KEPT_ISE, OUR, OUR_ENDINGS, RE, DOUBLED] {
            check_sorted(table);
        }
    }

    #[test]
    fn british_words_become_american() {
        for row in "organise organize, organisations organizations, realised realized, colour color, \
            neighbourhood neighborhood, discoloured discolored, centre center, kilometres kilometers, centred centered, \
            travelled traveled, modelling modeling, catalogue catalog, dialogues dialogs, anaemia anemia, fœtus fetus, \
            encyclopædia encyclopedia, anaesthetised anesthetized, grey gray, defence defense, favourite favorite, \
            analysed analyzed, honourable honorable, labelled labeled, theatre theater, æon aeon"
            .split(',')
        {
            let (british, expected) = row.trim().split_once(' ').expect("two words");
            assert_eq!(american(british), expected);
        }
    }

    #[test]
    fn other_words_stay() {
        for word in
            "exercise exercised surprise surprising promised wise otherwise four hour tour flour your our here there \
            more were fire called filling rolled spelled rogue vogue poetry does shoe israel michael prise raised \
            advisor devised advertiser contour sour pouring compelled rebelled controlled seller bring red re are \
            analyses four-star misread exercises disguised merchandise tired"
                .split_whitespace()
        {
            assert_eq!(american(word), word);
        }
    }

    #[test]
    fn american_words_are_final() {
        for (_, word) in IRREGULAR {
            assert!(word.contains(' ') || american(word) == *word, "{word}");
        }
    }
}
