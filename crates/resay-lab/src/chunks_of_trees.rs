//! Chunks in the style of CoNLL-2000, read off dependency trees.
//!
//! Given: a sentence with universal tags, Penn tags, heads and relations. Returned: one label of
//! [`resay_text::CHUNK_LABELS`] per word.
//!
//! Every word either leads a chunk, joins the chunk of its head, or is in none. The words that lead
//! to the same leader are a group. A group that other words interrupt comes apart into pieces;
//! punctuation and conjunctions between its words do not interrupt it. This follows the conventions
//! of the shared task: a noun phrase ends with its head noun, a genitive "'s" begins the next one,
//! auxiliaries and "to" belong to the verb, and verbs in a row ("wants to go") are one chunk.
//!
//! While the rules were written, they were compared with the training part of CoNLL-2000, over trees
//! by our parser (F1 90.7 on 3,000 sentences), never with its test part.

use crate::treebank::Gold;
use resay_text::{CHUNKS, Upos, bio};

/// The chunk labels of a sentence.
pub(crate) fn chunks(gold: &Gold) -> Vec<u8> {
    let tree = Tree::new(gold);
    let joins: Vec<Option<usize>> = (0..tree.n_words()).map(|word| tree.joins(word)).collect();
    let leaders: Vec<usize> = (0..joins.len()).map(|word| leader(&joins, word)).collect();
    tree.labels(&joins, &tree.filled(&leaders))
}

/// The word at the end of the chain of joins. Damaged trees may have circles: the walk is bounded.
fn leader(joins: &[Option<usize>], word: usize) -> usize {
    let mut at = word;
    for _ in 0..joins.len() {
        match joins[at] {
            Some(next) => at = next,
            None => return at,
        }
    }
    word
}

/// A sentence with the children of every word.
struct Tree<'a> {
    gold: &'a Gold,
    children: Vec<Vec<usize>>,
}

impl<'a> Tree<'a> {
    fn new(gold: &'a Gold) -> Self {
        let mut children = vec![Vec::new(); gold.forms.len()];
        for (word, head) in gold.heads.iter().enumerate() {
            if let Some(list) = head.checked_sub(1).and_then(|head| children.get_mut(head)) {
                list.push(word);
            }
        }
        Self { gold, children }
    }

    fn n_words(&self) -> usize {
        self.gold.forms.len()
    }

    fn head(&self, word: usize) -> Option<usize> {
        self.gold.heads[word].checked_sub(1).filter(|&head| head < self.n_words())
    }

    /// A word, its head, and so on. Damaged trees may have circles: the walk is bounded.
    fn upwards(&self, word: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(word), |&at| self.head(at)).take(self.n_words())
    }

    fn relation(&self, word: usize) -> &'a str {
        &self.gold.relations[word]
    }

    fn tag(&self, word: usize) -> &'a str {
        &self.gold.xpos[word]
    }

    fn upos(&self, word: usize) -> Upos {
        self.gold.upos[word]
    }

    fn form(&self, word: usize) -> String {
        self.gold.forms[word].to_lowercase()
    }

    /// The first child with a relation.
    fn child(&self, word: usize, relation: &str) -> Option<usize> {
        self.children[word].iter().copied().find(|&child| self.relation(child) == relation)
    }

    fn is_to(&self, word: usize) -> bool {
        self.tag(word) == "TO" && self.relation(word) != "case"
    }

    /// Whether a word has a genitive "'s".
    fn has_genitive(&self, word: usize) -> bool {
        self.children[word].iter().any(|&child| self.tag(child) == "POS")
    }

    fn is_nominal(&self, word: usize) -> bool {
        let has =
            |relation: &str| self.children[word].iter().any(|&child| child < word && self.relation(child) == relation);
        match self.upos(word) {
            Upos::Noun | Upos::Propn | Upos::Pron | Upos::Num | Upos::X => self.relation(word) != "advmod",
            Upos::Sym => !matches!(self.relation(word), "punct" | "case" | "cc" | "discourse"),
            Upos::Det => !matches!(self.relation(word), "advmod" | "cc" | "cc:preconj"),
            Upos::Adj => {
                let is_argument = matches!(self.relation(word), "nsubj" | "obj" | "iobj" | "nsubj:pass" | "compound");
                let is_oblique = matches!(self.relation(word), "nmod" | "obl") && has("case");
                is_argument || is_oblique || has("det") || has("nmod:poss") || self.has_part(word)
            }
            _ => false,
        }
    }

    /// "Many of them".
    fn has_part(&self, word: usize) -> bool {
        let is_of = |child: usize| self.child(child, "case").is_some_and(|case| self.form(case) == "of");
        self.relation(word) != "amod" && self.child(word, "nmod").is_some_and(is_of)
    }

    /// The first word of a clause's verb group that is not an auxiliary: the copula if it has one.
    fn verb(&self, word: usize) -> Option<usize> {
        match self.child(word, "cop") {
            Some(copula) => Some(copula),
            None => matches!(self.upos(word), Upos::Verb | Upos::Aux).then_some(word),
        }
    }

    /// The chunk that a word leads, or is alone.
    fn kind(&self, word: usize) -> Option<&'static str> {
        let relation = self.relation(word);
        let is_long = self.child(word, "fixed").is_some();
        match relation {
            _ if self.tag(word) == "POS" => return Some("NP"),
            "punct" => return None,
            "cc:preconj" if self.upos(word) == Upos::Det => return Some("NP"),
            "fixed" if self.upos(word) == Upos::Adp => return Some("PP"),
            "cc" | "cc:preconj" => return is_long.then_some("CONJP"),
            "compound:prt" => return Some("PRT"),
            "mark" if self.is_to(word) => return Some("VP"),
            "mark" => return Some(self.mark(word)),
            _ if matches!(self.form(word).as_str(), "least" | "most")
                && self.child(word, "case") == word.checked_sub(1)
                && word > 0 =>
            {
                return Some("ADVP");
            }
            "case" if self.upos(word) == Upos::Sym || self.upos(word) == Upos::Punct => return None,
            "case" => return Some("PP"),
            _ => {}
        }
        if self.tag(word) == "LS" {
            return Some("LST");
        }
        if self.tag(word) == "WRB" {
            return Some("ADVP");
        }
        match self.upos(word) {
            _ if self.is_nominal(word) => Some("NP"),
            Upos::Verb | Upos::Aux => Some("VP"),
            Upos::Adv if self.is_link(word) => None,
            Upos::Adv if self.form(word) == "else" => Some("ADJP"),
            Upos::Adj if relation == "advmod" => Some("ADVP"),
            Upos::Adj => Some("ADJP"),
            Upos::Intj => Some("INTJ"),
            Upos::Adp if self.tag(word) == "RP" => Some("PRT"),
            // A preposition without its noun: "what it is for".
            Upos::Adp if self.tag(word) == "IN" => Some("PP"),
            Upos::Adp | Upos::Adv | Upos::Noun => Some("ADVP"),
            Upos::Sconj => Some("SBAR"),
            _ => None,
        }
    }

    /// "So" before a clause with a subject.
    fn is_link(&self, word: usize) -> bool {
        let is_subject = |&child: &usize| child > word && self.relation(child).starts_with("nsubj");
        self.form(word) == "so" && self.head(word).is_some_and(|head| self.children[head].iter().any(is_subject))
    }

    /// Whether a form of "be" stands before its subject: "is there".
    fn is_before_subject(&self, word: usize) -> bool {
        let clause = if self.relation(word) == "cop" { self.head(word) } else { Some(word) };
        let is_subject =
            |child: usize| matches!(self.relation(child), "expl" | "nsubj") && self.upos(child) == Upos::Pron;
        let next = word + 1;
        matches!(self.form(word).as_str(), "is" | "are" | "was" | "were")
            && clause.is_some_and(|clause| self.children[clause].contains(&next) && is_subject(next))
    }

    /// What introduces a clause: a preposition before a gerund, else a conjunction.
    fn mark(&self, word: usize) -> &'static str {
        let Some(head) = self.head(word) else { return "SBAR" };
        let is_gerund = self.verb(head).is_some_and(|verb| self.tag(verb) == "VBG")
            && !self.children[head].iter().any(|&child| self.relation(child).starts_with("nsubj"));
        if is_gerund && !is_conjunction(&self.form(word)) { "PP" } else { "SBAR" }
    }

    /// The word whose chunk a word joins, if it does not lead one.
    fn joins(&self, word: usize) -> Option<usize> {
        let head = self.head(word)?;
        let relation = self.relation(word);
        if self.tag(word) == "POS" {
            // The genitive belongs to what is owned.
            let owned = self.upwards(head).find(|&at| at > word);
            return owned.filter(|&owned| self.is_nominal(owned));
        }
        match relation {
            "punct" => return None,
            "fixed" | "goeswith" => {
                let first = self.form(head);
                let is_apart = relation == "fixed" && self.relation(head) == "case" && is_apart(&first);
                return (!is_apart).then_some(head);
            }
            "advmod" if self.form(word) == "even" => {
                // "Even if".
                let next = word + 1;
                if self.children[head].contains(&next) && self.relation(next) == "mark" {
                    return Some(next);
                }
            }
            _ => {}
        }
        self.joins_noun(word, head, relation)
            .or_else(|| self.joins_verb(word, head, relation))
            .or_else(|| self.joins_modifier(word, head, relation))
    }

    /// Whether a word, or one that it depends on, stands before the noun that it modifies. All that
    /// depends on such a word is in the noun phrase.
    fn is_in_noun(&self, word: usize) -> bool {
        for at in self.upwards(word) {
            if self.has_genitive(at) {
                return false;
            }
            let Some(head) = self.head(at) else { return false };
            let is_modifier = matches!(
                self.relation(at),
                "det" | "det:predet" | "amod" | "nummod" | "compound" | "nmod:poss" | "nmod:desc" | "flat"
            );
            if at < head && is_modifier && self.is_nominal(head) {
                return true;
            }
        }
        false
    }

    fn joins_noun(&self, word: usize, head: usize, relation: &str) -> Option<usize> {
        if self.is_in_noun(word) {
            return Some(head);
        }
        if self.has_genitive(word) || !self.is_nominal(head) {
            return None;
        }
        let is_number = matches!(self.upos(head), Upos::Num | Upos::Sym);
        let is_left = word < head;
        let does = match relation {
            "flat" | "compound" | "nummod" => true,
            "nmod:unmarked" => self.is_date(word, head),
            "nmod" => {
                is_number
                    && self.upos(word) == self.upos(head)
                    && (self.upos(word) == Upos::Num || self.form(word) == self.form(head))
                    && self.child(head, "case").is_none()
                    && self.child(word, "case").is_some_and(|case| self.is_range(case))
            }
            "case" => {
                let is_superlative = matches!(self.form(head).as_str(), "least" | "most");
                is_superlative && word + 1 == head
                    || self.is_range(word) && self.relation(head) == "nmod" && self.joins(head).is_some()
            }
            "advmod" if is_left => {
                is_number && !matches!(self.form(word).as_str(), "up" | "down" | "off")
                    || is_before_nouns(&self.form(word))
                    || self.upos(head) == Upos::Det
            }
            "amod" if !is_left => is_number,
            "conj" => self.is_flat_list(head),
            "cc:preconj" => self.upos(word) == Upos::Det && self.is_flat_list(head),
            _ => false,
        };
        does.then_some(head)
    }

    /// Whether a preposition stands between the ends of a range.
    fn is_range(&self, word: usize) -> bool {
        self.upos(word) == Upos::Sym || self.form(word) == "to"
    }

    /// "May 3" and "3 May": the day leads. A year after it depends on either.
    fn is_date(&self, word: usize, head: usize) -> bool {
        let is_month = |word: usize| self.upos(word) == Upos::Propn;
        let is_number = |word: usize| self.upos(word) == Upos::Num;
        is_number(word) && (is_month(head) || is_number(head)) || is_month(word) && is_number(head)
    }

    /// Whether nouns are listed without words of their own: "apples , pears and plums".
    fn is_flat_list(&self, first: usize) -> bool {
        let conjuncts: Vec<usize> =
            self.children[first].iter().copied().filter(|&child| self.relation(child) == "conj").collect();
        let has_word = conjuncts.iter().any(|&word| self.child(word, "cc").is_some());
        has_word
            && self.upos(first) != Upos::Sym
            && conjuncts.into_iter().all(|word| {
                self.is_nominal(word)
                    && self.upos(word) == self.upos(first)
                    && self.children[word]
                        .iter()
                        .all(|&child| child > word || matches!(self.relation(child), "punct" | "cc"))
            })
    }

    fn joins_verb(&self, word: usize, head: usize, relation: &str) -> Option<usize> {
        let copula = self.child(head, "cop");
        let verb = match copula {
            Some(copula) if word < copula => copula,
            _ if matches!(self.upos(head), Upos::Verb | Upos::Aux) => head,
            Some(copula) => copula,
            None => return self.joins_chain(word, head, relation),
        };
        match relation {
            "aux" | "aux:pass" => (word < verb).then_some(verb),
            "mark" if self.is_to(word) => (word < verb).then_some(verb),
            "advmod" => {
                let is_helper = |&&child: &&usize| {
                    child < word
                        && (self.relation(child).starts_with("aux")
                            || self.is_to(child) && self.relation(child) == "mark")
                };
                let is_after_helper = self.children[head].iter().filter(is_helper).count() > 0;
                let is_inner = is_after_helper
                    || self.has_no_subject(head)
                        && copula.is_none()
                        && self.tag(word).starts_with("RB")
                        && self.form(word) != "not";
                (is_inner && word < verb).then_some(verb)
            }
            _ => self.joins_chain(word, head, relation),
        }
    }

    /// Whether a verb shares its subject with an earlier one or modifies a noun.
    fn has_no_subject(&self, word: usize) -> bool {
        let has = |relation: &str| self.children[word].iter().any(|&child| self.relation(child).starts_with(relation));
        let is_gerund = self.child(word, "mark").is_some_and(|mark| self.mark(mark) == "PP");
        !has("nsubj") && (matches!(self.relation(word), "conj" | "acl") || is_gerund)
    }

    /// Verbs in a row: "wants to go", "bought and sold".
    fn joins_chain(&self, word: usize, head: usize, relation: &str) -> Option<usize> {
        if relation == "cop" {
            // The copula leads, unless its clause completes a verb.
            let above = self.head(head).filter(|_| self.relation(head) == "xcomp")?;
            let is_first = word < head;
            return self.verb(above).filter(|&verb| is_first && verb == above && verb < word);
        }
        let is_verb = self.upos(head) == Upos::Verb && self.upos(word) == Upos::Verb;
        match relation {
            "ccomp" if self.tag(word) != "VBG" => None,
            "xcomp" | "ccomp" if self.child(word, "cop").is_none() => (is_verb && head < word).then_some(head),
            "conj" => (is_verb && word == head + 2 && self.tag(word) == self.tag(head)).then_some(head),
            _ => None,
        }
    }

    /// Adverbs before adjectives and adverbs, and lists of them.
    fn joins_modifier(&self, word: usize, head: usize, relation: &str) -> Option<usize> {
        let is_adverb = matches!(self.upos(head), Upos::Adv | Upos::Adp);
        let is_adjective = self.upos(head) == Upos::Adj;
        if !is_adverb && !is_adjective || self.relation(head) == "case" {
            return None;
        }
        let form = self.form(word);
        let does = match relation {
            "advmod" if form == "enough" => word > head,
            "advmod" => {
                let is_of_clause = self.child(head, "cop").is_some() && is_of_clauses(&form);
                word < head && !is_of_clause && self.tag(word) != "WRB" || word < head && form == "how"
            }
            "conj" => word == head + 2 && self.upos(word) == self.upos(head),
            _ => false,
        };
        does.then_some(head)
    }

    /// The group of every word, and `None` for words in no chunk. What stands between two words of a
    /// group and neither leads nor is in another chunk is in the group, too.
    fn filled(&self, leaders: &[usize]) -> Vec<Option<usize>> {
        let is_bare = |word: usize| {
            leaders[word] == word
                && !leaders.iter().enumerate().any(|(other, &of)| other != word && of == word)
                && (matches!(self.relation(word), "punct" | "cc")
                    || self.kind(word).is_none() && self.upos(word) == Upos::Sym)
        };
        let mut groups: Vec<Option<usize>> =
            leaders.iter().enumerate().map(|(word, &of)| (!is_bare(word)).then_some(of)).collect();
        let mut before: Option<usize> = None;
        for at in 0..groups.len() {
            if groups[at].is_none() {
                continue;
            }
            if let Some(start) = before.filter(|&start| groups[start] == groups[at]) {
                let group = groups[at];
                groups[start..at].fill(group);
            }
            before = Some(at);
        }
        groups
    }

    /// The labels of groups. The piece of a group without its leader is named after its own top.
    fn labels(&self, joins: &[Option<usize>], groups: &[Option<usize>]) -> Vec<u8> {
        let mut labels = vec![bio::OUTSIDE; groups.len()];
        let mut start = 0;
        while start < groups.len() {
            let Some(of) = groups[start] else {
                start += 1;
                continue;
            };
            let end = (start..groups.len()).find(|&at| groups[at] != Some(of)).unwrap_or(groups.len());
            let piece = start..end;
            let is_top = |&word: &usize| word == of || joins[word].is_some_and(|next| !piece.contains(&next));
            let top = piece.clone().rev().find(is_top).unwrap_or(of);
            let is_helper = |word: usize| matches!(self.relation(word), "aux" | "aux:pass" | "advmod");
            let is_inverted = piece.clone().all(is_helper) && self.upos(top) == Upos::Aux
                || piece.len() == 1 && self.is_before_subject(top);
            let kind = if is_inverted { None } else { self.kind(top) };
            if let Some(kind) = kind.and_then(|kind| CHUNKS.iter().position(|name| *name == kind)) {
                labels[start] = bio::begin(kind as u8);
                labels[start + 1..end].fill(bio::inside(kind as u8));
            }
            start = end;
        }
        labels
    }
}

/// Conjunctions that may stand before a gerund.
fn is_conjunction(form: &str) -> bool {
    matches!(form, "while" | "when" | "if" | "though" | "although" | "because" | "whether" | "unless" | "once" | "that")
}

/// First words of fixed prepositions whose parts are chunks of their own: "according to".
fn is_apart(form: &str) -> bool {
    matches!(form, "according" | "out" | "due" | "as" | "up" | "prior")
}

/// Adverbs that belong to the noun phrase that follows.
fn is_before_nouns(form: &str) -> bool {
    matches!(
        form,
        "only"
            | "just"
            | "about"
            | "almost"
            | "nearly"
            | "approximately"
            | "roughly"
            | "around"
            | "over"
            | "not"
            | "quite"
            | "early"
            | "late"
            | "earlier"
            | "later"
    )
}

/// Adverbs of a clause, though they stand before its adjective.
fn is_of_clauses(form: &str) -> bool {
    matches!(
        form,
        "also"
            | "still"
            | "now"
            | "always"
            | "never"
            | "already"
            | "probably"
            | "usually"
            | "often"
            | "not"
            | "n't"
            | "just"
            | "currently"
            | "actually"
            | "certainly"
            | "perhaps"
            | "maybe"
            | "sometimes"
            | "soon"
            | "then"
            | "therefore"
            | "clearly"
            | "generally"
            | "normally"
            | "obviously"
            | "definitely"
            | "here"
            | "there"
            | "only"
            | "yet"
            | "no"
            | "ever"
            | "apparently"
            | "simply"
            | "possibly"
            | "likely"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sentence of words `form/tag/Penn tag/head/relation`.
    fn read(sentence: &str) -> Gold {
        let mut gold = Gold::default();
        for word in sentence.split_whitespace() {
            let [form, upos, xpos, head, relation] = word.split('/').collect::<Vec<_>>()[..] else { panic!("{word}") };
            gold.forms.push(form.to_owned());
            gold.upos.push(upos.parse().unwrap());
            gold.xpos.push(xpos.to_owned());
            gold.heads.push(head.parse().unwrap());
            gold.relations.push(relation.to_owned());
        }
        gold
    }

    /// The words with brackets around chunks.
    fn bracketed(gold: &Gold) -> String {
        let labels = chunks(gold);
        assert!(bio::is_well_formed(&labels, CHUNKS.len()), "{labels:?}");
        let mut out: Vec<String> = gold.forms.clone();
        for (start, end, kind) in bio::stretches(&labels) {
            out[start] = format!("[{} {}", CHUNKS[usize::from(kind)], out[start]);
            out[end - 1] += "]";
        }
        out.join(" ")
    }

    fn check(sentence: &str, expected: &str) {
        assert_eq!(bracketed(&read(sentence)), expected);
    }

    #[test]
    fn a_noun_phrase_ends_with_its_noun() {
        check(
            "The/DET/DT/4/det very/ADV/RB/3/advmod old/ADJ/JJ/4/amod boat/NOUN/NN/8/nsubj of/ADP/IN/7/case \
             my/PRON/PRP$/7/nmod:poss aunt/NOUN/NN/4/nmod leaks/VERB/VBZ/0/root ./PUNCT/./8/punct",
            "[NP The very old boat] [PP of] [NP my aunt] [VP leaks] .",
        );
        check(
            "Anna/PROPN/NNP/3/nmod:poss 's/PART/POS/1/case boat/NOUN/NN/4/nsubj sank/VERB/VBD/0/root \
             on/ADP/IN/7/case May/PROPN/NNP/7/nmod:unmarked 3/NUM/CD/4/obl",
            "[NP Anna] [NP 's boat] [VP sank] [PP on] [NP May 3]",
        );
        check(
            "more/ADJ/JJR/3/advmod than/ADP/IN/1/fixed ten/NUM/CD/4/nummod ships/NOUN/NNS/0/root",
            "[NP more than ten ships]",
        );
    }

    #[test]
    fn bare_nouns_in_a_list_are_one_phrase() {
        check(
            "plums/NOUN/NNS/0/root ,/PUNCT/,/3/punct pears/NOUN/NNS/1/conj and/CCONJ/CC/5/cc figs/NOUN/NNS/1/conj",
            "[NP plums , pears and figs]",
        );
        check(
            "plums/NOUN/NNS/0/root and/CCONJ/CC/4/cc two/NUM/CD/4/nummod figs/NOUN/NNS/1/conj",
            "[NP plums] and [NP two figs]",
        );
    }

    #[test]
    fn verbs_in_a_row_are_one_group() {
        check(
            "She/PRON/PRP/5/nsubj has/AUX/VBZ/5/aux n't/PART/RB/5/advmod ever/ADV/RB/5/advmod wanted/VERB/VBN/0/root \
             to/PART/TO/7/mark sail/VERB/VB/5/xcomp there/ADV/RB/7/advmod",
            "[NP She] [VP has n't ever wanted to sail] [ADVP there]",
        );
        check(
            "Did/AUX/VBD/3/aux she/PRON/PRP/3/nsubj give/VERB/VB/0/root it/PRON/PRP/3/obj up/ADP/RP/3/compound:prt",
            "Did [NP she] [VP give] [NP it] [PRT up]",
        );
        check(
            "He/PRON/PRP/3/nsubj rarely/ADV/RB/3/advmod asks/VERB/VBZ/0/root us/PRON/PRP/3/obj to/PART/TO/6/mark \
             sail/VERB/VB/3/xcomp",
            "[NP He] [ADVP rarely] [VP asks] [NP us] [VP to sail]",
        );
    }

    #[test]
    fn a_copula_is_the_verb_of_its_clause() {
        check(
            "It/PRON/PRP/5/nsubj will/AUX/MD/5/aux be/AUX/VB/5/cop too/ADV/RB/5/advmod late/ADJ/JJ/0/root",
            "[NP It] [VP will be] [ADJP too late]",
        );
        check(
            "It/PRON/PRP/5/nsubj is/AUX/VBZ/5/cop n't/PART/RB/5/advmod also/ADV/RB/5/advmod late/ADJ/JJ/0/root",
            "[NP It] [VP is] n't [ADVP also] [ADJP late]",
        );
        check("Is/VERB/VBZ/0/root there/PRON/EX/1/expl tea/NOUN/NN/1/nsubj", "Is [NP there] [NP tea]");
        check(
            "It/PRON/PRP/2/nsubj seems/VERB/VBZ/0/root to/PART/TO/5/mark be/AUX/VB/5/cop late/ADJ/JJ/2/xcomp",
            "[NP It] [VP seems to be] [ADJP late]",
        );
    }

    #[test]
    fn clauses_have_conjunctions_and_gerunds_prepositions() {
        check(
            "Stay/VERB/VB/0/root even/ADV/RB/5/advmod if/SCONJ/IN/5/mark it/PRON/PRP/5/nsubj rains/VERB/VBZ/1/advcl",
            "[VP Stay] [SBAR even if] [NP it] [VP rains]",
        );
        check(
            "Eat/VERB/VB/0/root before/SCONJ/IN/3/mark leaving/VERB/VBG/1/advcl because/ADP/IN/6/case of/ADP/IN/4/fixed \
             rain/NOUN/NN/1/obl",
            "[VP Eat] [PP before] [VP leaving] [PP because of] [NP rain]",
        );
        check(
            "soup/NOUN/NN/0/root as/ADV/RB/5/cc well/ADV/RB/2/fixed as/ADP/IN/2/fixed bread/NOUN/NN/1/conj",
            "[NP soup] [CONJP as well as] [NP bread]",
        );
    }

    #[test]
    fn a_damaged_tree_has_chunks_too() {
        check("a/DET/DT/2/det b/DET/DT/1/det c/NOUN/NN/9/nsubj", "[NP a] [NP b] [NP c]");
        check("b/NOUN/NN/1/compound", "[NP b]");
        check("", "");
    }
}
