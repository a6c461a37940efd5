//! The table of steps: what each writes, what it reads, and its settings. A new file is one row
//! here.

use super::state::Digest;
use crate::files::Files;
use crate::models::{ALIGN, CONTRAST, ENTAILMENT, JUDGE_ENTAILMENT, JUDGE_PARAPHRASE, PARAPHRASE};
use crate::{
    chunker, entities, jackknife, judgement, lemma, parser, phrases, relations, tagger, vectors, word_table, wordnet,
    words,
};
use Source::{Corpus, Own};
use anyhow::{Context, Result, bail, ensure};
use std::fmt;

/// A source file, not built by any step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// In the folder of corpora.
    Corpus(&'static str),
    /// In the repository.
    Own(&'static str),
}

impl fmt::Display for Source {
    /// The name in the record.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Corpus(file) => f.write_str(file),
            Own(file) => write!(f, "./{file}"),
        }
    }
}

/// A step: it builds one file.
#[derive(Clone)]
pub(crate) struct Step {
    /// The name of the step.
    pub(crate) name: &'static str,
    /// Its output: in the folder of crates if it is bundled, else in the work folder.
    pub(crate) output: &'static str,
    /// Whether the file is bundled. Others are in the work folder and are built on demand.
    pub(crate) is_bundled: bool,
    /// The source files that it reads.
    pub(crate) sources: &'static [Source],
    /// The steps whose output it reads.
    pub(crate) needs: &'static [&'static str],
    /// All its settings, in a fixed order: options, notes, licence.
    pub(crate) settings: fn() -> String,
    /// Increment this when a code change affects the output; nothing else detects such a change.
    pub(crate) recipe: u32,
    /// Writes the whole file.
    pub(crate) make: fn(&Files<'_>) -> Result<()>,
}

impl Step {
    /// The hash of the settings, including the order of the source files.
    pub(crate) fn settings_digest(&self) -> Digest {
        let mut text = (self.settings)();
        self.sources.iter().for_each(|source| text += &format!("\n{source}"));
        Digest::of(text.as_bytes())
    }
}

/// The archive of WordNet.
const WORDNET: Source = Corpus(crate::wndb::ARCHIVE);
const GLOVE: Source = Corpus("glove/glove.100d.top100k.txt.gz");
const NICKNAMES: Source = Corpus("nicknames/names.csv");
const WIKIDATA: Source = Corpus("translit_en_he/wikidata/wd_hebrew");
const EWT_TRAIN: Source = Corpus("UD_English-EWT/en_ewt-ud-train.conllu");
const EWT: &[Source] =
    &[EWT_TRAIN, Corpus("UD_English-EWT/en_ewt-ud-dev.conllu"), Corpus("UD_English-EWT/en_ewt-ud-test.conllu")];
const MSRP: Source = Corpus("msrp/msr_paraphrase_train.txt");
const RTE: [Source; 5] = [
    Corpus("rte/rte1_dev.xml"),
    Corpus("rte/rte1_test.xml"),
    Corpus("rte/rte2_dev.xml"),
    Corpus("rte/rte2_test.xml"),
    Corpus("rte/rte3_dev.xml"),
];
/// What the judge is trained on.
const MIXTURE: &[Source] = &[
    Corpus("nli/snli_dev.tsv"),
    Corpus("nli/counterfactual_train.tsv"),
    Corpus("nli/conj_train.tsv"),
    Corpus("nli/breaking.tsv"),
    Corpus("nli/monotonicity.tsv"),
    Corpus("nli/help_and.tsv"),
    Corpus("nli/help_or.tsv"),
    Corpus("nli/negation_snli.tsv"),
    Corpus("nli/negation_mnli.tsv"),
    Corpus("paws_wiki/dev.tsv"),
    Corpus("tatoeba/pivoted.tsv"),
    Corpus("tatoeba/sentences.txt"),
    Corpus("stsb/sts-train.csv"),
    Corpus("stsb/sts-dev.csv"),
    Own(CONTRAST),
    Own("contrast/training/everyday.tsv"),
    Own("contrast/training/general.tsv"),
    Own("contrast/training/intents.tsv"),
    Own("contrast/training/legal.tsv"),
    Own("contrast/training/lexical.tsv"),
    Own("contrast/training/longer.tsv"),
    Own("contrast/training/modals.tsv"),
    Own("contrast/training/news.tsv"),
    Own("contrast/training/particles.tsv"),
    Own("contrast/training/questions.tsv"),
    Own("contrast/training/reports.tsv"),
    Own("contrast/training/rules.tsv"),
    Own("contrast/training/science.tsv"),
    Own("contrast/training/scope.tsv"),
    Own("contrast/training/short1.tsv"),
    Own("contrast/training/short2.tsv"),
    Own("contrast/training/structure.tsv"),
    Own("contrast/training/support.tsv"),
    Own("contrast/training/timing.tsv"),
    Own("contrast/training/tryout.tsv"),
    Own("contrast/training/words.tsv"),
    Own("contrast/training/work.tsv"),
];
/// The steps that the research judges depend on.
const EVERYTHING: &[&str] = &[
    "words",
    "tagger",
    "lemma",
    "chunker",
    "entities",
    "parser",
    "wordnet",
    "relations",
    "vectors",
    "word-table",
    "align",
];
/// The steps that the judge depends on.
const JUDGED: &[&str] = &[
    "words",
    "tagger",
    "lemma",
    "chunker",
    "entities",
    "parser",
    "wordnet",
    "relations",
    "vectors",
    "word-table",
    "phrases",
    "align",
];

/// The steps that build the bundled files of the data crates.
pub(crate) const STEPS: &[Step] = &[
    Step {
        name: "wordnet",
        output: "resay-en-wordnet/data/wordnet.resay",
        is_bundled: true,
        sources: &[WORDNET, Corpus("wordnet-ic.tar.gz")],
        needs: &[],
        settings: wordnet::settings,
        recipe: 1,
        make: wordnet::make,
    },
    Step {
        name: "relations",
        output: "resay-en-words/data/relations.resay",
        is_bundled: true,
        sources: &[NICKNAMES, Corpus(relations::PPDB[0]), Corpus(relations::PPDB[1]), GLOVE],
        needs: &[],
        settings: relations::settings,
        recipe: 1,
        make: relations::make,
    },
    Step {
        name: "vectors",
        output: "resay-en-words/data/vectors.resay",
        is_bundled: true,
        sources: &[GLOVE],
        needs: &[],
        settings: vectors::settings,
        recipe: 1,
        make: vectors::make,
    },
    Step {
        name: "word-table",
        output: "resay-en-words/data/word-table.resay",
        is_bundled: true,
        sources: &[
            Corpus(word_table::VECTORS),
            Corpus(word_table::WORDS),
            Corpus(word_table::SYNONYMS),
            Corpus(word_table::ANTONYMS),
            Corpus(relations::PPDB[0]),
        ],
        needs: &["wordnet"],
        settings: word_table::settings,
        recipe: 1,
        make: |files| word_table::make(files, false),
    },
    Step {
        name: "words",
        output: "resay-en-words/data/words.resay",
        is_bundled: true,
        sources: &[Corpus("clusters/en_logprob_browncluster.tsv.gz"), GLOVE, WORDNET, NICKNAMES, WIKIDATA],
        needs: &[],
        settings: words::settings,
        recipe: 1,
        make: words::make,
    },
    Step {
        name: "tagger",
        output: "resay-en-syntax/data/tagger.resay",
        is_bundled: true,
        sources: EWT,
        needs: &["words"],
        settings: tagger::settings,
        recipe: 1,
        make: |files| tagger::make(files, true, false),
    },
    Step {
        name: "lemma",
        output: "resay-en-syntax/data/lemma.resay",
        is_bundled: true,
        sources: &[EWT[0], EWT[1], EWT[2], WORDNET],
        needs: &["words", "tagger"],
        settings: lemma::settings,
        recipe: 1,
        make: |files| lemma::make(files, true),
    },
    Step {
        name: "chunker",
        output: "resay-en-syntax/data/chunker.resay",
        is_bundled: true,
        sources: &[EWT[0], EWT[1], EWT[2], Corpus(chunker::CONLL)],
        needs: &["words", "tagger", "jackknife"],
        settings: chunker::settings,
        recipe: 2,
        make: |files| chunker::make(files, true),
    },
    Step {
        name: "jackknife",
        output: "jackknife.tsv",
        is_bundled: false,
        sources: &[EWT_TRAIN],
        needs: &["words"],
        settings: jackknife::settings,
        recipe: 1,
        make: jackknife::make,
    },
    Step {
        name: "entities",
        output: "resay-en-syntax/data/entities.resay",
        is_bundled: true,
        sources: &[
            Corpus("ner/uner_ewt/en_ewt-ud-train.commit0c7ce0d.iob2"),
            Corpus("ner/uner_ewt/en_ewt-ud-dev.iob2"),
            Corpus("ner/uner_ewt/en_ewt-ud-test.iob2"),
            Corpus("ner/wnut17/wnut17train.conll"),
            Corpus("ner/wnut17/emerging.dev.conll"),
            Corpus("ner/wnut17/emerging.test.annotated"),
            Corpus("ner/btc/a.conll"),
            Corpus("ner/btc/b.conll"),
            Corpus("ner/btc/e.conll"),
            Corpus("ner/btc/f.conll"),
            Corpus("ner/btc/g.conll"),
            Corpus("ner/btc/h.conll"),
            Corpus("ner/wikigold/wikigold.conll.txt"),
            EWT_TRAIN,
            WORDNET,
            NICKNAMES,
            WIKIDATA,
        ],
        needs: &["words", "tagger", "jackknife"],
        settings: entities::settings,
        recipe: 1,
        make: |files| entities::make(files, true),
    },
    Step {
        name: "parser",
        output: "resay-en-syntax/data/parser.resay",
        is_bundled: true,
        sources: EWT,
        needs: &["words", "tagger", "jackknife"],
        settings: parser::settings,
        recipe: 1,
        make: |files| parser::make(files, true),
    },
    Step {
        name: "align",
        output: "resay-en-syntax/data/align.resay",
        is_bundled: true,
        sources: &[Corpus("edinburgh/gold.train.sure.json")],
        needs: &["words", "tagger", "lemma", "chunker", "wordnet", "relations", "vectors"],
        settings: || ALIGN.settings(),
        recipe: 2,
        make: |files| ALIGN.make(files),
    },
    Step {
        name: "phrases",
        output: "resay-en-words/data/phrases.resay",
        is_bundled: true,
        sources: phrases::TABLES,
        needs: &[],
        settings: phrases::settings,
        recipe: 1,
        make: phrases::make,
    },
    Step {
        name: "judge",
        output: "resay-en-judge/data/judge.resay",
        is_bundled: true,
        sources: MIXTURE,
        needs: JUDGED,
        settings: judgement::settings,
        recipe: 2,
        make: judgement::make,
    },
    Step {
        name: "paraphrase",
        output: "resay-en-research/data/paraphrase.resay",
        is_bundled: true,
        sources: &[MSRP],
        needs: &[],
        settings: || PARAPHRASE.settings(),
        recipe: 1,
        make: |files| PARAPHRASE.make(files),
    },
    Step {
        name: "entailment",
        output: "resay-en-research/data/entailment.resay",
        is_bundled: true,
        sources: &RTE,
        needs: &[],
        settings: || ENTAILMENT.settings(),
        recipe: 1,
        make: |files| ENTAILMENT.make(files),
    },
    Step {
        name: "judge-paraphrase",
        output: "resay-en-research/data/judge-paraphrase.resay",
        is_bundled: true,
        sources: &[MSRP, Own(CONTRAST)],
        needs: EVERYTHING,
        settings: || JUDGE_PARAPHRASE.settings(),
        recipe: 1,
        make: |files| JUDGE_PARAPHRASE.make(files),
    },
    Step {
        name: "judge-entailment",
        output: "resay-en-research/data/judge-entailment.resay",
        is_bundled: true,
        sources: &[RTE[0], RTE[1], RTE[2], RTE[3], RTE[4], Own(CONTRAST)],
        needs: EVERYTHING,
        settings: || JUDGE_ENTAILMENT.settings(),
        recipe: 1,
        make: |files| JUDGE_ENTAILMENT.make(files),
    },
];

/// Steps in topological order.
pub(crate) struct Graph {
    steps: Vec<Step>,
}

impl Graph {
    /// Sorts steps topologically; the order is stable.
    pub(crate) fn new(mut left: Vec<Step>) -> Result<Self> {
        for (at, step) in left.iter().enumerate() {
            let is_twin = |other: &Step| other.name == step.name || other.output == step.output;
            ensure!(!left[..at].iter().any(is_twin), "two steps are named {} or write {}", step.name, step.output);
            for need in step.needs {
                let is_there = left.iter().any(|other| other.name == *need);
                ensure!(is_there, "step {} needs '{need}', but no step is named so", step.name);
            }
        }
        let mut steps: Vec<Step> = Vec::new();
        while !left.is_empty() {
            let is_next = |step: &Step| step.needs.iter().all(|need| steps.iter().any(|done| done.name == *need));
            let Some(next) = left.iter().position(is_next) else {
                let names: Vec<&str> = left.iter().map(|step| step.name).collect();
                bail!("steps that need each other in a circle, or need such: {}", names.join(", "));
            };
            steps.push(left.remove(next));
        }
        Ok(Self { steps })
    }

    /// The graph of the bundled files.
    pub(crate) fn bundled() -> Result<Self> {
        Self::new(STEPS.to_vec()).context("make/graph.rs")
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    pub(crate) fn index(&self, name: &str) -> Result<usize> {
        self.steps.iter().position(|step| step.name == name).with_context(|| {
            let names: Vec<&str> = self.steps.iter().map(|step| step.name).collect();
            format!("no step is named '{name}', expected one of: {}", names.join(", "))
        })
    }

    pub(crate) fn find(&self, name: &str) -> Result<&Step> {
        self.index(name).map(|at| &self.steps[at])
    }

    /// Which steps are named, or needed by those; all if none is named.
    pub(crate) fn with_needs(&self, names: &[String]) -> Result<Vec<bool>> {
        let mut is_in = vec![names.is_empty(); self.steps.len()];
        for name in names {
            is_in[self.index(name)?] = true;
        }
        for (at, step) in self.steps.iter().enumerate().rev() {
            for need in step.needs {
                let is_needed = is_in[at];
                is_in[self.index(need)?] |= is_needed;
            }
        }
        Ok(is_in)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(name: &'static str, needs: &'static [&'static str]) -> Step {
        let (settings, is_bundled) = (String::new, true);
        Step { name, output: name, is_bundled, sources: &[], needs, settings, recipe: 1, make: |_| Ok(()) }
    }

    #[test]
    fn each_step_comes_after_what_it_needs() {
        let check = |steps: Vec<Step>, expected: &str| {
            let found = match Graph::new(steps) {
                Ok(graph) => graph.steps().iter().map(|step| step.name).collect::<Vec<_>>().join(" "),
                Err(error) => error.to_string(),
            };
            assert!(found.contains(expected), "{found}, expected {expected}");
        };
        check(vec![], "");
        check(vec![step("c", &["b"]), step("b", &["a"]), step("d", &[]), step("a", &[])], "d a b c");
        check(vec![step("a", &["b"]), step("b", &["a"]), step("c", &[])], "in a circle, or need such: a, b");
        check(vec![step("a", &["a"])], "in a circle");
        check(vec![step("a", &["z"])], "step a needs 'z', but no step is named so");
        check(vec![step("a", &[]), step("a", &[])], "two steps are named a");
    }

    #[test]
    fn names_bring_what_they_need() {
        let graph = Graph::new(vec![step("a", &[]), step("b", &["a"]), step("c", &["b"]), step("d", &["a"])]).unwrap();
        let check = |names: &[&str], expected: &[bool]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(graph.with_needs(&names).unwrap(), expected, "{names:?}");
        };
        check(&[], &[true; 4]);
        check(&["c"], &[true, true, true, false]);
        check(&["a"], &[true, false, false, false]);
        check(&["d", "b"], &[true, true, false, true]);
        let error = graph.with_needs(&["x".to_owned()]).unwrap_err().to_string();
        assert_eq!(error, "no step is named 'x', expected one of: a, b, c, d");
    }

    #[test]
    fn every_bundled_file_has_one_row() {
        let graph = Graph::bundled().unwrap();
        assert_eq!(graph.steps().len(), STEPS.len());
        let mut made: Vec<&str> = STEPS.iter().filter(|step| step.is_bundled).map(|step| step.name).collect();
        let resources = resay::resources::Resources::bundled();
        let mut inside: Vec<&str> = resources.names().collect();
        made.sort_unstable();
        inside.sort_unstable();
        assert_eq!(made, inside);
        for step in STEPS.iter().filter(|step| step.is_bundled) {
            assert!(step.output.ends_with(&format!("/data/{}.resay", step.name)), "{}", step.output);
            assert!(!(step.settings)().is_empty());
        }
    }
}
