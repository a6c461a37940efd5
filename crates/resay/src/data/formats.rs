//! Lists the supported formats, one row each: pairs, documents, aligned pairs, and text to
//! annotate.

use super::format::{FileFormat, FormatRow, formats};
use super::reader::Record;
use super::{AlignedPair, Columns, Document, Example, TextPiece};
use super::{alignment_json, csv, heilman_smith, jsonl, jsonl_documents, line_documents, msr06, msrp, pharaoh};
use super::{reuters, rte, texts, trecqa, tsv};
use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;

formats! {
    /// A file format for labelled pairs.
    Format of Example, options Columns, reads "pairs", rows "rows", otherwise Tsv;
    /// Tab-separated columns with a header row; quotes are literal.
    Tsv: tsv::FORMAT,
    /// Comma-separated columns with a header row, quoted as in RFC 4180.
    Csv: csv::FORMAT,
    /// One JSON object per line.
    Jsonl: jsonl::FORMAT,
    /// The MSR Paraphrase Corpus.
    Msrp: msrp::FORMAT,
    /// The XML of the Recognizing Textual Entailment challenges, 1 to 5.
    Rte: rte::FORMAT,
    /// Questions with annotated candidate sentences: the TREC data set for answer sentence
    /// selection.
    Trecqa: trecqa::FORMAT,
    /// The annotated pairs of Heilman and Smith (2010).
    HeilmanSmith: heilman_smith::FORMAT,
}

formats! {
    /// A file format for documents.
    DocumentFormat of Document, options (), reads "documents", rows "documents", otherwise Lines;
    /// One JSON object per line with `text`, `labels` and `id`.
    Jsonl: jsonl_documents::FORMAT,
    /// One document per line, without labels.
    Lines: line_documents::FORMAT,
    /// The SGML of Reuters-21578.
    Reuters: reuters::FORMAT,
}

formats! {
    /// A file format for aligned pairs.
    AlignmentFormat of AlignedPair, options (), reads "alignments", rows "pairs", otherwise Pharaoh;
    /// JSON objects, in an array or one after another, with `source`, `target` and `sureAlign`.
    /// Edinburgh++ is in this format.
    Json: alignment_json::FORMAT,
    /// Three lines per pair, as in the alignments of RTE-2 by Microsoft Research (2006).
    Msr06: msr06::FORMAT,
    /// One pair per line, links only: `0-0 1-2`.
    Pharaoh: pharaoh::FORMAT,
}

formats! {
    /// A file format for text to annotate.
    TextFormat of TextPiece, options (), reads "text", rows "text", otherwise Text;
    /// Running text with blank lines between paragraphs.
    Text: texts::TEXT,
    /// One sentence per line.
    Lines: texts::LINES,
    /// One sentence per line, with blanks between tokens.
    Tokens: texts::TOKENS,
    /// CoNLL-U. Existing annotation is kept.
    Conllu: texts::CONLLU,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<F: FileFormat>(file_name: &str, first_line: &str, expected: F) {
        assert_eq!(F::guess(file_name, first_line.as_bytes()), expected, "{file_name} {first_line:?}");
    }

    #[test]
    fn guesses_of_pairs() {
        check("a.txt", "\u{feff}Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n", Format::Msrp);
        check("a.tsv", "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String", Format::Msrp);
        check("-", "<?xml version=\"1.0\"?>", Format::Rte);
        check("-", "<entailment-corpus challenge=\"1\">", Format::Rte);
        check("-", "\u{feff}  <devset>", Format::Rte);
        check("-", "<testset>", Format::Rte);
        check("-", "<pair id=\"1\">", Format::Rte);
        check("-", "<!DOCTYPE entailment-corpus SYSTEM \"rte.dtd\">", Format::Rte);
        check("a.xml", "<QApairs id='1'>", Format::Trecqa);
        check("a.xml", "<other>", Format::Rte);
        check("a.tsv", "1\ta\tX\tR\t0\tO\tfalse\t1\tb\tX\tR\t0\tO\tfalse\t1\r\n", Format::HeilmanSmith);
        check("-", "1\ta\tb", Format::Tsv);
        check("-", " {\"source\": \"a\"}", Format::Jsonl);
        check("a.jsonl", "source\ttarget", Format::Jsonl);
        check("A.JSONL", "", Format::Jsonl);
        check("-", "[", Format::Jsonl);
        check("a.tsv", "{\tsource\ttarget", Format::Tsv);
        check("-", "source\ttarget", Format::Tsv);
        check("-", "", Format::Tsv);
        check("a.CSV", "a\tb", Format::Csv);
        check("a.tsv", "source,target", Format::Tsv);
        check("-", "\u{feff}id,source,target\r\n", Format::Csv);
        check("a.txt", "\"Premise\",\"Hypothesis\"", Format::Csv);
        check("-", "source,target\tlabel", Format::Tsv);
        check("-", "source,text2", Format::Tsv);
        check("-", "It is a source, a target, or a label.", Format::Tsv);
    }

    #[test]
    fn guesses_of_documents() {
        check("-", "<!DOCTYPE lewis SYSTEM \"lewis.dtd\">", DocumentFormat::Reuters);
        check("a.txt", " <REUTERS TOPICS=\"YES\" NEWID=\"1\">\r\n", DocumentFormat::Reuters);
        check("a.SGM", "", DocumentFormat::Reuters);
        check("-", "<REUTERSX", DocumentFormat::Lines);
        check("-", "\u{feff}{ \"text\": \"a\"}", DocumentFormat::Jsonl);
        check("a.txt", "{\"text\": \"a\"}", DocumentFormat::Jsonl);
        check("a.jsonl", "", DocumentFormat::Jsonl);
        check("a.json", "[", DocumentFormat::Jsonl);
        check("a.txt", "{see below} It rains.", DocumentFormat::Lines);
        check("-", "[1] It rains.", DocumentFormat::Lines);
        check("-", "", DocumentFormat::Lines);
    }

    #[test]
    fn guesses_of_alignments() {
        check("-", "# sentence pair 1\r\n", AlignmentFormat::Msr06);
        check("a.json", "\u{feff}\u{feff}# sentence pair 1\n", AlignmentFormat::Msr06);
        check("a.align.txt", "", AlignmentFormat::Msr06);
        check("-", "\u{feff}[\n", AlignmentFormat::Json);
        check("a.txt", " {\"source\": \"a\"", AlignmentFormat::Json);
        check("a.JSON", "", AlignmentFormat::Json);
        check("a.json", "0-0 1-1\n", AlignmentFormat::Pharaoh);
        check("a.align.txt", "0-0", AlignmentFormat::Pharaoh);
        check("a.txt", "0-0 x", AlignmentFormat::Pharaoh);
        check("-", "", AlignmentFormat::Pharaoh);
    }

    #[test]
    fn guesses_of_texts() {
        check("dev.conllu", "", TextFormat::Conllu);
        check("notes.txt", "1\tA\t_", TextFormat::Text);
        check("-", "", TextFormat::Text);
    }

    #[test]
    fn names() {
        fn check<F: FileFormat + fmt::Display + FromStr<Err = Error>>(unknown: &str, expected: &str) {
            for format in F::ALL {
                assert_eq!(format.to_string().parse::<F>().expect("a name"), *format);
            }
            assert_eq!(unknown.parse::<F>().expect_err(expected).to_string(), expected);
        }
        check::<Format>(
            "pharaoh",
            "format \"pharaoh\" is not read for pairs; expected one of tsv, csv, jsonl, msrp, rte, trecqa, heilman-smith",
        );
        check::<DocumentFormat>(
            "tsv",
            "format \"tsv\" is not read for documents; expected one of jsonl, lines, reuters",
        );
        check::<AlignmentFormat>(
            "tsv",
            "format \"tsv\" is not read for alignments; expected one of json, msr06, pharaoh",
        );
        check::<TextFormat>("pdf", "format \"pdf\" is not read for text; expected one of text, lines, tokens, conllu");
        assert_eq!("edinburgh".parse::<AlignmentFormat>().expect("a second name"), AlignmentFormat::Json);
    }
}
