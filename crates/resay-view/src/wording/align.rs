//! Features of the phrase aligner in English. The part before the colon is the name of the feature
//! group, by which it can be switched on and off.

use super::latent::level;
use resay::id::{
    AlignFeature, Argument, ChunkKind, CoarseLevel, ContentPair, Elsewhere, Flank, Flanks, HeadMatch, Jump, LightWords,
    Likelihood, NameClue, NeighboursAlike, NoneOneMore, OrderKept, PhraseLength, PhraseWords, Repetition, Rival,
    StringMeasure, TagMatch, WhichSides, WordClassPair, WordKind, WordMatch, WordNetRelation,
};
use resay_text::Upos;

/// `bias: link content`; `phrases: 2 to 1`.
pub fn align_feature(feature: AlignFeature) -> String {
    use AlignFeature::*;
    match feature {
        Link(classes) => format!("bias: link {}", pair(classes)),
        AloneBest(of, best) => format!("bias: alone {} best {}", kind(of), level(best)),
        AloneTag(of) => format!("bias: alone {}", tag(of)),
        Same(classes) => format!("string: same {}", pair(classes)),
        SameCase(classes) => format!("string: same to the case {}", pair(classes)),
        Light(LightWords::Article) => "string: both a, an or one".to_owned(),
        Light(LightWords::Verb) => "string: both be, do or have".to_owned(),
        EditSimilarity(over, classes) => format!("string: edits over {} {}", share(over), pair(classes)),
        Spelled(of, classes) => format!("string: {} {}", measure(of), content(classes)),
        Joined => "string: phrases are one when joined".to_owned(),
        OneLemma(classes) => format!("lemma: one lemma {}", pair(classes)),
        OneStem(classes) => format!("lemma: one stem {}", pair(classes)),
        Tags(of, word, classes) => format!("pos: {} {} {}", tags(of), words(word), pair(classes)),
        SameFineTag(word, classes) => format!("pos: same fine tag {} {}", words(word), pair(classes)),
        TagPair(word, source, target) => format!("pos: {} {} {}", words(word), tag(source), tag(target)),
        Apart(word, classes) => format!("position: apart by {} {}", words(word), pair(classes)),
        FurtherApart(over, word, classes) => {
            format!("position: apart over {} {} {}", share(over), words(word), pair(classes))
        }
        BothFirst => "position: both first".to_owned(),
        BothLast => "position: both last".to_owned(),
        WordNet(relation, of) => format!("wordnet: {} {}", wordnet(relation), tags(of)),
        Paraphrase(of, classes) => format!("ppdb: paraphrase {} {}", tags(of), pair(classes)),
        HasVectors(of, classes) => format!("vectors: known {} {}", tags(of), pair(classes)),
        Cosine(of, classes) => format!("vectors: cosine {} {}", tags(of), pair(classes)),
        CosineStep(over, of, classes) => format!("vectors: over {} {} {}", share(over), tags(of), pair(classes)),
        NearerPartner(who, of, classes) => format!("vectors: {} {} {}", nearer(who), tags(of), pair(classes)),
        Name(of) => format!("names: {}", clue(of)),
        StartsAlone => "distortion: starts alone".to_owned(),
        StartsLinked => "distortion: starts linked".to_owned(),
        AloneAfterAlone => "distortion: alone after alone".to_owned(),
        LinkedAfterAlone => "distortion: linked after alone".to_owned(),
        AloneAfterLinked => "distortion: alone after linked".to_owned(),
        Step(Jump::Back) => format!("distortion: more than {} back", Jump::REACH),
        Step(Jump::By(step)) => format!("distortion: step of {step}"),
        Step(Jump::On) => format!("distortion: more than {} on", Jump::REACH),
        StepShare => "distortion: share of the sentence stepped over".to_owned(),
        Neighbours(which, of, classes) => format!("context: {} {} {}", neighbours(which), coarse(of), pair(classes)),
        AlikeNearby(of, classes) => format!("context: alike within three {} {}", coarse(of), pair(classes)),
        ShareAlikeNearby(of, classes) => format!("context: share alike within three {} {}", coarse(of), pair(classes)),
        NextContentAlike(side, of, classes) => {
            format!("context: next content word {} alike {} {}", flank(side), coarse(of), pair(classes))
        }
        Order(side, of, word, classes) => {
            format!("order: {} {} {} {}", flank(side), kept(of), words(word), pair(classes))
        }
        BetweenAnchors(word, classes) => {
            format!("order: between anchors on both sides {} {}", words(word), pair(classes))
        }
        Rivals(of, level, classes) => format!("rivals: {} {} {}", rival(of), coarse(level), pair(classes)),
        OnceInEach(classes) => format!("rivals: same word, once in each {}", pair(classes)),
        AloneSame(there, here) => format!("rivals: alone {} same over there {}", count(there), times(here)),
        Conjunction(of, sides, tagged, often, classes) => {
            let [of, sides, tagged] = [level(of), flanks(sides), tags(tagged)];
            format!("conjunctions: {of} {sides} {tagged} {} {}", times(often), pair(classes))
        }
        ChunkPair(source, target) => {
            let [source, target] = [source, target].map(|side| side.map_or("none", chunk));
            format!("chunks: {source} {target}")
        }
        ChunkShare(word, classes) => format!("chunks: share of chunks alike {} {}", words(word), pair(classes)),
        WholeChunks(which, of) => format!("chunks: {} {}", whole(which), phrase_words(of)),
        BothChunks(kind, of) => format!("chunks: both are {} {}", chunk(kind), phrase_words(of)),
        InsideChunk(which) => format!("chunks: inside one chunk {}", sides(which)),
        Heads(of, level, classes) => format!("heads: {} {} {}", heads(of), coarse(level), pair(classes)),
        Dependents(of, classes) => format!("heads: dependents alike {} {}", coarse(of), pair(classes)),
        PhraseLengths(source, target) => format!("phrases: {} to {}", length(source), length(target)),
        LeastAlike(of, source, target) => {
            format!("phrases: least alike {} {} to {}", level(of), length(source), length(target))
        }
        LeftOver(of, elsewhere) => format!("phrases: left over {} {}", kind(of), self::elsewhere(elsewhere)),
        OffDiagonal => "phrases: words alike off the diagonal".to_owned(),
        MarkInside => "phrases: mark inside".to_owned(),
        FirstLogit(of, classes) => format!("first-pass: log-odds {} {}", coarse(of), pair(classes)),
        FirstOver(over, classes) => format!("first-pass: over {} {}", share(over), pair(classes)),
        FirstDirections(forward, back, of) => {
            format!("first-pass: {} forward, {} back, {}", likely(forward), likely(back), coarse(of))
        }
        FirstRivals(a, b, of, classes) => {
            format!(
                "first-pass: source rival {}, target rival {}, {} {}",
                likely(a),
                likely(b),
                coarse(of),
                pair(classes)
            )
        }
        FirstNeighbours(a, b, of, classes) => {
            format!("first-pass: words before {}, after {}, {} {}", likely(a), likely(b), coarse(of), pair(classes))
        }
        FirstBeside(a, b, of, classes) => {
            let [a, b] = [likely(a), likely(b)];
            format!("first-pass: source {a} and target {b} beside, {} {}", coarse(of), pair(classes))
        }
        FirstOrder(side, of, word, classes) => {
            format!("first-pass: {} {} {} {}", flank(side), kept(of), words(word), pair(classes))
        }
        FirstContent(a, b, of, classes) => {
            let [a, b] = [likely(a), likely(b)];
            format!("first-pass: content words before {a}, after {b}, {} {}", coarse(of), pair(classes))
        }
        FirstAloneLogit(of) => format!("first-pass: log-odds alone {}", kind(of)),
        FirstAlone(over, of) => format!("first-pass: alone over {} {}", share(over), kind(of)),
        FirstAloneNeighbours(a, b, of) => {
            format!("first-pass: alone, word before {} alone, after {}, {}", likely(a), likely(b), kind(of))
        }
        FirstInside(over, source, target) => {
            format!("first-pass: links inside over {} {} to {}", share(over), length(source), length(target))
        }
        FirstOutside(of, source, target) => {
            format!("first-pass: better link outside {} {} to {}", likely(of), length(source), length(target))
        }
    }
}

/// The threshold of a share; its number is in per cent.
fn share(over: impl Argument) -> String {
    (f64::from(over.number()) / 100.0).to_string()
}

fn likely(of: Likelihood) -> &'static str {
    match of {
        Likelihood::Unlikely => "unlikely",
        Likelihood::Possible => "possible",
        Likelihood::Likely => "likely",
    }
}

fn pair(classes: WordClassPair) -> &'static str {
    match classes {
        WordClassPair::Content => "content",
        WordClassPair::Function => "function",
        WordClassPair::Mark => "mark",
        WordClassPair::Mixed => "mixed",
    }
}

fn content(classes: ContentPair) -> &'static str {
    match classes {
        ContentPair::Content => "content",
        ContentPair::Other => "other",
    }
}

fn kind(kind: WordKind) -> &'static str {
    match kind {
        WordKind::Content => "content",
        WordKind::Function => "function",
        WordKind::Mark => "mark",
    }
}

fn coarse(level: CoarseLevel) -> &'static str {
    match level {
        CoarseLevel::Other => "other word",
        CoarseLevel::Alike => "alike",
        CoarseLevel::Same => "same word",
    }
}

fn words(words: WordMatch) -> &'static str {
    match words {
        WordMatch::Other => "other word",
        WordMatch::Same => "same word",
    }
}

fn tags(tags: TagMatch) -> &'static str {
    match tags {
        TagMatch::Other => "other tag",
        TagMatch::Same => "same tag",
    }
}

fn tag(tag: Option<Upos>) -> &'static str {
    tag.map_or("untagged", Upos::name)
}

fn measure(measure: StringMeasure) -> &'static str {
    match measure {
        StringMeasure::JaroWinkler => "jaro_winkler",
        StringMeasure::Dice => "dice",
        StringMeasure::Hamming => "hamming",
        StringMeasure::Jaccard => "jaccard",
        StringMeasure::Levenshtein => "levenshtein",
        StringMeasure::Trigrams => "trigrams",
        StringMeasure::Fourgrams => "fourgrams",
        StringMeasure::Prefix => "prefix",
        StringMeasure::Suffix => "suffix",
    }
}

fn wordnet(relation: WordNetRelation) -> &'static str {
    match relation {
        WordNetRelation::Synonym => "synonym",
        WordNetRelation::Antonym => "antonym",
        WordNetRelation::Hypernym => "hypernym",
        WordNetRelation::Hyponym => "hyponym",
        WordNetRelation::Entailment => "entailment",
        WordNetRelation::Cause => "cause",
        WordNetRelation::Holonym => "holonym",
        WordNetRelation::Meronym => "meronym",
        WordNetRelation::SimilarTo => "similar_to",
        WordNetRelation::Derivation => "derivation",
        WordNetRelation::FirstSynonym => "synonym1",
    }
}

fn nearer(who: WhichSides) -> &'static str {
    match who {
        WhichSides::Neither => "nearest of both",
        WhichSides::Source => "source has nearer",
        WhichSides::Target => "target has nearer",
        WhichSides::Both => "both have nearer",
    }
}

fn whole(which: WhichSides) -> &'static str {
    match which {
        WhichSides::Neither => "no chunk",
        WhichSides::Source => "source is a chunk",
        WhichSides::Target => "target is a chunk",
        WhichSides::Both => "both are chunks",
    }
}

fn sides(which: WhichSides) -> &'static str {
    match which {
        WhichSides::Neither => "neither",
        WhichSides::Source => "source",
        WhichSides::Target => "target",
        WhichSides::Both => "both",
    }
}

fn clue(clue: NameClue) -> &'static str {
    match clue {
        NameClue::Nickname => "nickname",
        NameClue::OneLetterApart => "one letter apart, both with capitals",
        NameClue::SpelledAlike => "spelled alike, both with capitals",
        NameClue::OtherNumber => "other number",
        NameClue::OneNumber => "one is a number",
        NameClue::OneCapital => "only one with a capital, other word",
        NameClue::BothCapitals => "both with capitals, other word",
        NameClue::Initials => "initials",
    }
}

fn neighbours(which: NeighboursAlike) -> &'static str {
    match which {
        NeighboursAlike::Left => "left alike",
        NeighboursAlike::Right => "right alike",
        NeighboursAlike::Both => "both sides alike",
        NeighboursAlike::Neither => "neither side alike",
        NeighboursAlike::SecondLeft => "second left alike",
        NeighboursAlike::SecondRight => "second right alike",
        NeighboursAlike::LeftSameContent => "left same content word",
        NeighboursAlike::RightSameContent => "right same content word",
    }
}

fn flank(flank: Flank) -> &'static str {
    match flank {
        Flank::Left => "left",
        Flank::Right => "right",
    }
}

fn flanks(flanks: Flanks) -> &'static str {
    match flanks {
        Flanks::Neither => "no side",
        Flanks::Left => "left",
        Flanks::Right => "right",
        Flanks::Both => "both sides",
    }
}

fn kept(kept: OrderKept) -> &'static str {
    match kept {
        OrderKept::Kept => "kept",
        OrderKept::SameDistance => "kept at one distance",
        OrderKept::WithinTwo => "kept within two",
        OrderKept::Broken => "broken",
        OrderKept::BrokenFar => "broken by far",
        OrderKept::NoAnchor => "no anchor",
    }
}

fn rival(rival: Rival) -> &'static str {
    match rival {
        Rival::None => "best of both",
        Rival::Source => "source has better",
        Rival::Target => "target has better",
        Rival::Both => "both have better",
        Rival::NearestOfEquals => "nearest of equals",
    }
}

fn count(count: NoneOneMore) -> &'static str {
    match count {
        NoneOneMore::None => "0",
        NoneOneMore::One => "1",
        NoneOneMore::More => "more",
    }
}

fn times(times: Repetition) -> &'static str {
    match times {
        Repetition::Once => "once",
        Repetition::Often => "often",
    }
}

fn chunk(kind: ChunkKind) -> &'static str {
    match kind {
        ChunkKind::Np => "NP",
        ChunkKind::Vp => "VP",
        ChunkKind::Pp => "PP",
        ChunkKind::Advp => "ADVP",
        ChunkKind::Adjp => "ADJP",
        ChunkKind::Sbar => "SBAR",
        ChunkKind::Other => "other",
    }
}

fn phrase_words(words: PhraseWords) -> &'static str {
    match words {
        PhraseWords::SomeOther => "some others",
        PhraseWords::AllAlike => "all alike",
        PhraseWords::AllSame => "all the same",
    }
}

fn heads(heads: HeadMatch) -> &'static str {
    match heads {
        HeadMatch::Alike => "heads alike",
        HeadMatch::AlikeByOneRelation => "heads alike by one relation",
        HeadMatch::NotAlike => "heads not alike",
        HeadMatch::BothRoots => "both roots",
        HeadMatch::OneRoot => "one root",
        HeadMatch::OneRelation => "one relation",
        HeadMatch::Crossed => "head of one is alike to a dependent of the other",
    }
}

fn length(length: PhraseLength) -> &'static str {
    match length {
        PhraseLength::One => "1",
        PhraseLength::Two => "2",
        PhraseLength::More => "3 or more",
    }
}

fn elsewhere(elsewhere: Elsewhere) -> &'static str {
    match elsewhere {
        Elsewhere::Same => "same elsewhere",
        Elsewhere::Nowhere => "alone",
    }
}
