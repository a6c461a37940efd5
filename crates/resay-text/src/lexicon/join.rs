//! The lexicon: all sources of word relations behind one query, the relations of one word to
//! another.
//!
//! A [`Lexicon`] is assembled from the available sources. Without any, it still compares spellings,
//! stems and annotation. The source of each relation type is given beside its name in
//! `relation.rs`. Types named in a user's files come from those files alone (see `own.rs`).

use super::class::most_frequent;
use super::edit::Spelling;
use super::own::OwnRelations;
use super::relation::{Relation, Relations};
use super::senses::{self, BY_WORDNET};
use super::tables::Tables;
use super::term::{Handle, Partners, Term, Text};
use super::vectors::WordVectors;
use super::wordnet::{Heights, LemmaId, Pos, WordNet};
use crate::{Analysis, Stemmer, StemmerKind, Upos};
use crate::{Error, Result};
use std::sync::Arc;

/// The cosine from which words count as similar. In the training parts of two hand-aligned corpora
/// (Edinburgh++ and MSR06), pairs of different content words are aligned in 10 % of the cases if
/// their cosine is between 0.65 and 0.7, 12 % up to 0.75, 19 % up to 0.8, 24 % above.
const SIMILAR_FROM: f32 = 0.7;

/// The maximum distance of hypernyms. They become less informative with every step up: three steps
/// above "poodle" is "animal", and at the top every noun is an "entity". The paper does not say how
/// far it went.
const HYPERNYM_DEPTH: u8 = 3;

/// Relations that need no source but the words.
const BY_ITSELF: [Relation; 6] =
    [Relation::Id, Relation::IdMinusTag, Relation::Lemma, Relation::Stem, Relation::Edit1, Relation::Ne];
/// Relations from the tables of pairs.
const BY_TABLES: [Relation; 3] = [Relation::Ppdb, Relation::Similar, Relation::Nickname];

type WordNetSimilarity = fn(&WordNet, LemmaId, Option<Pos>, LemmaId, Option<Pos>) -> Option<f64>;

/// Typed relations between words.
#[derive(Debug)]
pub struct Lexicon {
    wordnet: Option<Arc<WordNet>>,
    hypernym_depth: u8,
    tables: Option<Arc<Tables>>,
    vectors: Option<Arc<WordVectors>>,
    own: OwnRelations,
    stemmer: Stemmer,
    similar_from: f32,
}

impl Default for Lexicon {
    fn default() -> Self {
        Self::new()
    }
}

impl Lexicon {
    /// Creates a lexicon without sources: forms, lemmas, stems, edit distance and entities.
    pub fn new() -> Self {
        Self {
            wordnet: None,
            hypernym_depth: HYPERNYM_DEPTH,
            tables: None,
            vectors: None,
            own: OwnRelations::new(),
            stemmer: Stemmer::default(),
            similar_from: SIMILAR_FROM,
        }
    }

    /// Adds WordNet: synonyms, antonyms, hypernyms and so on.
    #[must_use]
    pub fn with_wordnet(self, wordnet: impl Into<Arc<WordNet>>) -> Self {
        Self { wordnet: Some(wordnet.into()), ..self }
    }

    /// Sets the maximum distance of hypernyms and hyponyms, in steps. The default is three.
    #[must_use]
    pub fn with_hypernym_depth(self, depth: u8) -> Self {
        Self { hypernym_depth: depth, ..self }
    }

    /// Adds tables of pairs: paraphrases, similar words, nicknames.
    #[must_use]
    pub fn with_tables(self, tables: impl Into<Arc<Tables>>) -> Self {
        Self { tables: Some(tables.into()), ..self }
    }

    /// Adds word vectors, for the cosine of any two words ([`Lexicon::cosine`]). They add no
    /// relation.
    #[must_use]
    pub fn with_vectors(self, vectors: impl Into<Arc<WordVectors>>) -> Self {
        Self { vectors: Some(vectors.into()), ..self }
    }

    /// Adds a user's own relations.
    #[must_use]
    pub fn with_own(self, own: OwnRelations) -> Self {
        Self { own, ..self }
    }

    /// Sets the stemmer. The default is Snowball English.
    #[must_use]
    pub fn with_stemmer(self, kind: StemmerKind) -> Self {
        Self { stemmer: Stemmer::new(kind), ..self }
    }

    /// Sets the cosine from which words count as similar. The default is 0.7; the bundled table has
    /// none below 0.65.
    #[must_use]
    pub fn with_similar_from(self, cosine: f32) -> Self {
        Self { similar_from: cosine, ..self }
    }

    /// Returns the relations whose source is available.
    pub fn available(&self) -> Relations {
        let wordnet = BY_WORDNET.into_iter().filter(|_| self.wordnet.is_some());
        let tables = BY_TABLES.into_iter().filter(|_| self.tables.is_some());
        let wordnet = wordnet.chain(Some(Relation::Synonym1).filter(|_| self.wordnet.is_some()));
        BY_ITSELF.into_iter().chain(wordnet).chain(tables).collect::<Relations>() | self.own.named()
    }

    /// Returns the relations named in the user's files.
    pub(super) fn own_types(&self) -> Relations {
        self.own.named()
    }

    /// Returns WordNet, if available.
    pub(super) fn wordnet(&self) -> Option<&WordNet> {
        self.wordnet.as_deref()
    }

    /// Returns the relation with this name, if it is available.
    pub fn relation(&self, name: &str) -> Result<Relation> {
        match self.own.relation(name) {
            Some(relation) if self.available().contains(relation) => Ok(relation),
            Some(_) => Err(Error::parameter(format!("no table of the relation '{name}' is loaded"))),
            None => {
                let known = self.show(self.available()).replace(':', ", ");
                Err(Error::parameter(format!("unknown relation '{name}', expected one of: {known}")))
            }
        }
    }

    /// Parses names joined by colons, as in kernel expressions.
    pub fn parse(&self, names: &str) -> Result<Relations> {
        names.split(':').map(|name| self.relation(name)).collect()
    }

    /// Returns the name of a relation, including the user's own.
    pub fn name(&self, relation: Relation) -> Option<&str> {
        self.own.name(relation)
    }

    /// Formats a set as names joined by colons; `none` for the empty set.
    pub fn show(&self, relations: Relations) -> String {
        let names: Vec<&str> = relations.iter().filter_map(|relation| self.name(relation)).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(":") }
    }

    /// Looks up a word. Without a lemma, uses the first base form found by WordNet's rules, else
    /// the form.
    ///
    /// Tables of pairs are searched for the lower-cased form. A user's files are searched for the
    /// form as written, then for the form in lower case, then for the lemma.
    pub fn word(&self, form: &str, lemma: Option<&str>, tag: Option<Upos>) -> Term {
        let lower = form.to_lowercase();
        let given = lemma.map(str::to_lowercase);
        let wordnet = self
            .wordnet
            .as_deref()
            .and_then(|wordnet| Some((wordnet, senses::entry(wordnet, &lower, given.as_deref(), tag)?)));
        let base = || wordnet.map_or(lower.clone(), |(wordnet, entry)| wordnet.word(entry.lemma).to_owned());
        let lemma = given.unwrap_or_else(base);
        let is_name = tag == Some(Upos::Propn) || form.chars().next().is_some_and(char::is_uppercase);
        let table = self.tables.as_deref().and_then(|tables| Some((tables, tables.words.find(&lower)?)));
        let mut partners = Partners::default();
        if let Some((tables, word)) = table {
            for graph in [&tables.ppdb, &tables.similar, &tables.nicknames] {
                graph.partners(word).for_each(|partner| partners.insert(partner));
            }
        }
        Term {
            stem: Text::new(&self.stemmer.stem(&lower)),
            spelling: Spelling::new(&lower),
            wordnet: wordnet.map(|(_, entry)| entry),
            reach: wordnet.map(|(wordnet, entry)| Box::new(wordnet.reach(entry.lemma, entry.pos, self.hypernym_depth))),
            main: wordnet.and_then(|(wordnet, entry)| most_frequent(wordnet, entry)),
            table: table.map(|(_, word)| word),
            vector: self.vectors.as_ref().and_then(|vectors| vectors.row(&lower)),
            own: self.own.find([form, &lower, &lemma]),
            form: Text::new(&lower),
            lemma: Text::new(&lemma),
            entity: None,
            tag,
            is_name,
            partners,
        }
    }

    /// Looks up an unnormalised token: forms are equal only if they are identical, including case.
    pub fn token(&self, form: &str) -> Term {
        Term { form: Text::new(form), ..self.word(form, None, None) }
    }

    /// Looks up all words of a sentence, with their annotation.
    pub fn words(&self, sentence: &Analysis) -> Vec<Term> {
        let word = |(idx, word): (usize, &crate::Word)| {
            self.word(sentence.form(idx), word.lemma.as_deref(), word.upos).with_entity(word.entity.as_deref())
        };
        sentence.words.iter().enumerate().map(word).collect()
    }

    /// Returns all relations from `a` to `b`.
    pub fn relations(&self, a: &Term, b: &Term) -> Relations {
        self.relations_among(a, b, Relations::EVERY)
    }

    /// Returns the wanted relations that hold from `a` to `b`. Sources of other relations are not
    /// searched.
    pub fn relations_among(&self, a: &Term, b: &Term, wanted: Relations) -> Relations {
        let own = match (a.own, b.own) {
            (Some(a), Some(b)) => self.own.between(a, b),
            _ => Relations::NONE,
        };
        // A relation named in a user's files comes from those alone.
        let ours = wanted - self.own.named();
        let found = a.by_itself(b) | self.by_tables(a, b, ours) | self.by_wordnet(a, b, ours);
        (found & ours) | (own & wanted)
    }

    fn by_wordnet(&self, a: &Term, b: &Term, wanted: Relations) -> Relations {
        if let (Some(reach), Some(other)) = (&a.reach, &b.reach)
            && !reach.may_relate(other)
        {
            return Relations::NONE;
        }
        let main = Relations::when(a.main.is_some() && a.main == b.main, Relation::Synonym1);
        let (Some(wordnet), Some(a), Some(b)) = (&self.wordnet, a.wordnet, b.wordnet) else { return Relations::NONE };
        if !wanted.intersects(BY_WORDNET.into_iter().collect()) {
            return if a.lemma == b.lemma { Relations::NONE } else { main };
        }
        let goes_up = wanted.contains(Relation::Hypernym) || wanted.contains(Relation::Hyponym);
        let depth = if goes_up { self.hypernym_depth } else { 0 };
        let found = senses::relations(wordnet.relations(a.lemma, a.pos, b.lemma, b.pos, depth));
        // A word is not its own synonym: repetition is kept apart from paraphrase.
        if a.lemma == b.lemma { found - Relations::of(Relation::Synonym) } else { found | main }
    }

    fn by_tables(&self, a: &Term, b: &Term, wanted: Relations) -> Relations {
        let (Some(tables), Some(a_word), Some(b_word)) = (&self.tables, a.table, b.table) else {
            return Relations::NONE;
        };
        if !a.partners.may_have(b_word) || !wanted.intersects(BY_TABLES.into_iter().collect()) {
            return Relations::NONE;
        }
        let is_similar = tables.cosine(a_word, b_word).is_some_and(|cosine| cosine >= self.similar_from);
        let is_nickname = a.is_name && b.is_name && tables.nicknames.contains(a_word, b_word);
        Relations::when(tables.ppdb.contains(a_word, b_word), Relation::Ppdb)
            | Relations::when(is_similar, Relation::Similar)
            | Relations::when(is_nickname, Relation::Nickname)
    }

    /// Returns the cosine of the words' vectors, to about 0.002: 1 for equal forms, `None` if
    /// neither word is among the other's nearest neighbours.
    pub fn similarity(&self, a: &Term, b: &Term) -> Option<f32> {
        if a.form == b.form {
            return Some(1.0);
        }
        self.tables.as_ref()?.cosine(a.table?, b.table?)
    }

    /// Returns the cosine of any two words' vectors. `None` if a word has no vector, or the lexicon
    /// has none.
    pub fn cosine(&self, a: &Term, b: &Term) -> Option<f32> {
        Some(self.vectors.as_ref()?.cosine(a.vector?, b.vector?))
    }

    /// Returns the path similarity of two words in WordNet: 1 / (1 + distance of their nearest
    /// senses).
    pub fn path_similarity(&self, a: &Term, b: &Term) -> Option<f64> {
        self.in_wordnet(a, b, WordNet::path_similarity)
    }

    /// Returns the Wu-Palmer similarity of two words in WordNet.
    pub fn wu_palmer_similarity(&self, a: &Term, b: &Term) -> Option<f64> {
        self.in_wordnet(a, b, WordNet::wu_palmer_similarity)
    }

    /// Returns the positions of a word's senses in the hierarchy, for
    /// [`Lexicon::wu_palmer_between`]. `None` if WordNet does not have the word.
    pub fn heights(&self, term: &Term) -> Option<Heights> {
        let entry = term.wordnet?;
        Some(self.wordnet.as_ref()?.heights(entry.lemma, entry.pos))
    }

    /// Returns the [`Lexicon::wu_palmer_similarity`] of two words, given their
    /// [`Lexicon::heights`].
    pub fn wu_palmer_between(&self, a: Option<&Heights>, b: Option<&Heights>) -> Option<f64> {
        self.wordnet.as_ref()?.wu_palmer_between(a?, b?)
    }

    /// Returns the Lin similarity of two words in WordNet.
    pub fn lin_similarity(&self, a: &Term, b: &Term) -> Option<f64> {
        self.in_wordnet(a, b, WordNet::lin_similarity)
    }

    fn in_wordnet(&self, a: &Term, b: &Term, similarity: WordNetSimilarity) -> Option<f64> {
        let (wordnet, a, b) = (self.wordnet.as_deref()?, a.wordnet?, b.wordnet?);
        similarity(wordnet, a.lemma, a.pos, b.lemma, b.pos)
    }

    /// Lists all words to which WordNet, tables and files relate `term` in a wanted way, in
    /// alphabetical order, each with all wanted relations. Relations that cannot be listed (same
    /// stem, one letter apart, ...) are not included.
    pub fn related(&self, term: &Term, wanted: Relations) -> Vec<(&str, Relations)> {
        self.listed(term, wanted, false)
    }

    /// Lists all words that are related to `term`: the inverse of [`Lexicon::related`].
    pub fn relating(&self, term: &Term, wanted: Relations) -> Vec<(&str, Relations)> {
        self.listed(term, wanted, true)
    }

    /// Returns keys that find every word to which `term` has a wanted relation, among their
    /// [`Lexicon::handles`]. They may find others too.
    pub(super) fn asks(&self, term: &Term, wanted: Relations) -> Vec<u64> {
        let mut keys = term.keys(wanted);
        if let (Some(tables), Some(word)) = (&self.tables, term.table) {
            for (graph, how) in tables.graphs() {
                if wanted.contains(how) {
                    keys.extend(graph.partners(word).map(Handle::Table).map(Handle::key));
                }
            }
        }
        if let (Some(wordnet), Some(entry)) = (&self.wordnet, term.wordnet) {
            let lemmas = senses::lemmas(wordnet, entry, self.hypernym_depth, wanted, false);
            keys.extend(lemmas.into_iter().map(|(lemma, _)| Handle::WordNet(lemma).key()));
        }
        if let Some(word) = term.own {
            keys.extend(self.own.partners(word).map(Handle::Own).map(Handle::key));
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Returns the keys by which related words find this one.
    pub(super) fn handles(&self, term: &Term, wanted: Relations) -> Vec<u64> {
        let mut keys = term.keys(wanted);
        keys.extend(term.table.map(|word| Handle::Table(word).key()));
        keys.extend(term.wordnet.map(|entry| Handle::WordNet(entry.lemma).key()));
        keys.extend(term.own.map(|word| Handle::Own(word).key()));
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    fn listed(&self, term: &Term, wanted: Relations, is_backward: bool) -> Vec<(&str, Relations)> {
        let mut found: Vec<(&str, Relations)> = Vec::new();
        if let (Some(tables), Some(word)) = (&self.tables, term.table) {
            let similar = tables.similar.partners(word);
            let near =
                similar.filter(|&other| tables.cosine(word, other).is_some_and(|cosine| cosine >= self.similar_from));
            let nicknames = tables.nicknames.partners(word).filter(|_| term.is_name);
            let ppdb = tables.ppdb.partners(word).map(|other| (other, Relation::Ppdb));
            let all = ppdb.chain(near.map(|other| (other, Relation::Similar)));
            let all = all.chain(nicknames.map(|other| (other, Relation::Nickname)));
            let ours = wanted - self.own.named();
            found.extend(all.map(|(other, how)| (tables.words.word(other), Relations::of(how) & ours)));
        }
        if let (Some(wordnet), Some(entry)) = (&self.wordnet, term.wordnet) {
            let ours = wanted - self.own.named();
            let words = senses::listed(wordnet, entry, self.hypernym_depth, ours, is_backward);
            found.extend(words.into_iter().map(|(other, how)| (other, Relations::of(how))));
        }
        let own = term.own.into_iter().flat_map(|word| self.own.related(word, is_backward));
        found.extend(own.map(|(other, how)| (other, how & wanted)));
        found.retain(|(_, how)| !how.is_empty());
        found.sort_unstable_by_key(|(other, _)| *other);
        found.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 |= next.1;
            }
            is_same
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::tables::TablePairs;
    use super::super::tables::tests::{origin, strings};
    use super::super::vectors::tests::plane;
    use super::*;
    use proptest::prelude::*;

    fn tables() -> Tables {
        let pairs = TablePairs {
            ppdb: strings(&[("buy", "purchase"), ("bought", "purchased"), ("huge", "vast")]),
            similar: vec![("huge".into(), "vast".into(), 0.81), ("cat".into(), "dog".into(), 0.65)],
            nicknames: strings(&[("catherine", "kate"), ("william", "bill")]),
        };
        Tables::open("r.resay", &pairs.pack(origin()).unwrap()).unwrap()
    }

    fn own(file: &str) -> OwnRelations {
        let mut own = OwnRelations::new();
        own.read("own.tsv", file.as_bytes()).unwrap();
        own
    }

    #[test]
    fn every_source_is_asked() {
        let lexicon = Lexicon::new().with_tables(tables()).with_own(own("drug\taspirin\tASA\n"));
        let check = |a: &str, b: &str, expected: &str| {
            let [a, b] = [a, b].map(|form| lexicon.word(form, None, None));
            assert_eq!(lexicon.show(lexicon.relations(&a, &b)), expected, "{a:?} {b:?}");
        };
        check("Cat", "cat", "id:idminustag:lemma:stem");
        check("walks", "walked", "stem");
        check("purchase", "Buy", "ppdb");
        check("purchases", "buy", "none");
        check("huge", "vast", "ppdb:similar");
        check("cat", "dog", "none");
        check("Kate", "Catherine", "nickname");
        check("Kate", "catherine", "none");
        check("will", "bill", "edit1");
        check("labour", "labor", "edit1");
        check("Aspirin", "ASA", "drug");
        check("aspirin", "asa", "none");
        check("ASA", "aspirin", "none");
        check("", "", "id:idminustag:lemma:stem");
    }

    #[test]
    fn annotation_counts() {
        let lexicon = Lexicon::new().with_tables(tables()).with_own(own("t\tbuy\tsell\n"));
        let check = |a: &Term, b: &Term, expected: &str| {
            assert_eq!(lexicon.show(lexicon.relations(a, b)), expected, "{a:?} {b:?}");
        };
        let word = |form, lemma, tag| lexicon.word(form, Some(lemma), Some(tag));
        check(&word("saw", "see", Upos::Verb), &word("saw", "saw", Upos::Noun), "idminustag:stem");
        check(&word("saw", "see", Upos::Verb), &word("SAW", "see", Upos::Verb), "id:idminustag:lemma:stem");
        check(&word("bought", "buy", Upos::Verb), &word("Buys", "Buy", Upos::Verb), "lemma");
        check(&word("bought", "buy", Upos::Verb), &word("sold", "sell", Upos::Verb), "t");
        check(&word("bill", "bill", Upos::Propn), &word("william", "william", Upos::Propn), "nickname");
        let entity = |form, entity| word(form, form, Upos::Propn).with_entity(Some(entity));
        check(&entity("Rome", "B-LOC"), &entity("Peru", "I-LOC"), "ne");
        check(&entity("Rome", "LOC"), &entity("Ford", "B-ORG"), "none");
        check(&entity("lake", "O"), &entity("hill", "O"), "none");
    }

    #[test]
    fn a_sentence_is_looked_up_with_its_annotation() {
        let mut sentence = Analysis::from_forms(["Kate", "bought"]);
        sentence.words[0].entity = Some("B-PER".into());
        sentence.words[1].lemma = Some("buy".into());
        sentence.words[1].upos = Some(Upos::Verb);
        let terms = Lexicon::new().words(&sentence);
        assert_eq!((terms[0].form(), terms[0].entity(), terms[0].tag()), ("kate", Some("PER"), None));
        assert_eq!((terms[1].lemma(), terms[1].stem(), terms[1].tag()), ("buy", "bought", Some(Upos::Verb)));
    }

    #[test]
    fn a_type_that_a_file_names_is_the_files_alone() {
        let lexicon = Lexicon::new().with_tables(tables()).with_own(own("ppdb\tcat\tdog\nstem\tsee\tsaw\n"));
        let check = |a: &str, b: &str, expected: &str| {
            let [a, b] = [a, b].map(|form| lexicon.word(form, None, None));
            assert_eq!(lexicon.show(lexicon.relations(&a, &b)), expected, "{a:?} {b:?}");
        };
        check("buy", "purchase", "none");
        check("cat", "dog", "ppdb");
        check("dog", "cat", "none");
        check("see", "saw", "stem");
        check("see", "see", "id:idminustag:lemma");
    }

    #[test]
    fn names_of_types_are_checked() {
        let plain = Lexicon::new();
        let lexicon = Lexicon::new().with_tables(tables()).with_own(own("drug\ta\tb\n"));
        assert_eq!(lexicon.show(lexicon.parse("drug:stem:lvhsn").unwrap()), "stem:edit1:drug");
        let check = |lexicon: &Lexicon, names: &str, expected: &str| {
            assert_eq!(lexicon.parse(names).unwrap_err().to_string(), expected);
        };
        check(&plain, "stem:ppdb", "no table of the relation 'ppdb' is loaded");
        check(&plain, "drug", "unknown relation 'drug', expected one of: id, idminustag, lemma, stem, edit1, ne");
        check(
            &lexicon,
            "stem:",
            "unknown relation '', expected one of: id, idminustag, lemma, stem, ppdb, similar, nickname, edit1, ne, drug",
        );
    }

    #[test]
    fn cosines_are_kept() {
        let lexicon = Lexicon::new().with_tables(tables()).with_similar_from(0.6);
        let check = |a: &str, b: &str, expected: Option<f32>| {
            let [a, b] = [a, b].map(|form| lexicon.word(form, None, None));
            let found = lexicon.similarity(&a, &b);
            assert_eq!(found.map(|found| (found * 100.0).round()), expected.map(|cosine| cosine * 100.0));
            let is_similar = lexicon.relations(&a, &b).contains(Relation::Similar);
            assert_eq!(is_similar, found.is_some_and(|found| found < 1.0));
        };
        check("Dog", "cat", Some(0.65));
        check("vast", "huge", Some(0.81));
        check("vast", "cat", None);
        check("unheard-of", "unheard-of", Some(1.0));
    }

    #[test]
    fn vectors_compare_any_two_words() {
        let vectors = || plane(&[("cat", [1.0, 0.0]), ("dog", [0.6, 0.8]), ("vast", [0.0, 2.0])]);
        let lexicon = Lexicon::new().with_tables(tables()).with_vectors(vectors());
        let plain = Lexicon::new().with_tables(tables());
        let check = |a: &str, b: &str, expected: Option<f32>| {
            let terms = [a, b].map(|form| lexicon.word(form, None, None));
            let found = lexicon.cosine(&terms[0], &terms[1]);
            assert_eq!(found.is_some(), expected.is_some());
            assert!(found.zip(expected).is_none_or(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {expected:?}");
            // Vectors do not affect relations.
            let others = [a, b].map(|form| plain.word(form, None, None));
            assert_eq!(plain.cosine(&others[0], &others[1]), None);
            assert_eq!(lexicon.relations(&terms[0], &terms[1]), plain.relations(&others[0], &others[1]));
            assert_eq!(lexicon.similarity(&terms[0], &terms[1]), plain.similarity(&others[0], &others[1]));
        };
        check("Cat", "dog", Some(0.6));
        check("cat", "vast", Some(0.0));
        check("vast", "Dog", Some(0.8));
        check("cat", "cat", Some(1.0));
        check("cat", "huge", None);
        check("unheard-of", "unheard-of", None);
    }

    #[test]
    fn the_bundled_tables_know_plain_words() {
        let tables = Tables::open("relations", crate::testing::bytes("relations")).unwrap();
        assert_eq!(tables.origin().resource, "relations");
        let lexicon = Lexicon::new().with_tables(tables);
        let check = |a: &str, b: &str, expected: &str| {
            let [a, b] = [a, b].map(|form| lexicon.word(form, None, None));
            assert_eq!(lexicon.show(lexicon.relations(&a, &b)), expected, "{} {}", a.form(), b.form());
            assert_eq!(lexicon.relations(&a, &b), lexicon.relations(&b, &a));
        };
        check("bought", "purchased", "ppdb:similar");
        check("Bill", "William", "nickname");
        check("Uganda", "Kenya", "similar");
        check("of", "the", "none");
        check("1998", "1999", "none");
        check("dollars", "$", "ppdb:similar");
    }

    proptest! {
        /// Words listed as related are those that querying every known word finds.
        #[test]
        fn related_words_are_those_that_the_query_finds(
            ppdb in prop::collection::vec(("[ab]{1,2}", "[ab]{1,2}"), 0..8),
            similar in prop::collection::vec(("[ab]{1,2}", "[ab]{1,2}", 0.6_f32..1.0), 0..8),
            nicknames in prop::collection::vec(("[ab]{1,2}", "[ab]{1,2}"), 0..4),
            lines in prop::collection::vec(("r|s|ppdb", "[abc]{1,2}", "[abc]{1,2}"), 0..10),
            form in "[abcA]{1,2}",
        ) {
            let file: String = lines.iter().map(|(kind, a, b)| format!("{kind}\t{a}\t{b}\n")).collect();
            let pairs = TablePairs { ppdb: ppdb.clone(), similar: similar.clone(), nicknames };
            let tables = Tables::open("r", &pairs.pack(origin()).unwrap()).unwrap();
            let lexicon = Lexicon::new().with_tables(tables).with_own(own(&file));
            let wanted = ["ppdb", "similar", "nickname", "r", "s"];
            let wanted: Relations = wanted.iter().filter_map(|name| lexicon.relation(name).ok()).collect();
            let term = lexicon.word(&form, None, Some(Upos::Propn));
            let mut words: Vec<String> = Vec::new();
            for first in ["a", "b", "c"] {
                words.push(first.to_owned());
                words.extend(["a", "b", "c"].map(|second| format!("{first}{second}")));
            }
            let ask = |is_backward: bool| {
                let ways = words.iter().map(|word| {
                    let other = lexicon.word(word, None, Some(Upos::Propn));
                    let (from, to) = if is_backward { (&other, &term) } else { (&term, &other) };
                    (word.as_str(), lexicon.relations_among(from, to, wanted))
                });
                ways.filter(|(_, how)| !how.is_empty()).collect::<Vec<_>>()
            };
            prop_assert_eq!(lexicon.related(&term, wanted), ask(false));
            prop_assert_eq!(lexicon.relating(&term, wanted), ask(true));
            // The query agrees with the lists themselves.
            for word in &words {
                let other = lexicon.word(word, None, None);
                let found = lexicon.relations(&term, &other);
                let holds = |list: &[(String, String)]| {
                    list.iter().any(|(a, b)| a != b && [(a, b), (b, a)].iter().any(|(a, b)| **a == term.form() && *b == word))
                };
                if !lines.iter().any(|line| line.0 == "ppdb") {
                    prop_assert_eq!(found.contains(Relation::Ppdb), holds(&ppdb));
                }
                let near = similar.iter().filter(|pair| (pair.2 * 255.0).round() / 255.0 >= SIMILAR_FROM);
                let near: Vec<(String, String)> = near.map(|(a, b, _)| (a.clone(), b.clone())).collect();
                prop_assert_eq!(found.contains(Relation::Similar), holds(&near));
            }
        }
    }
}
