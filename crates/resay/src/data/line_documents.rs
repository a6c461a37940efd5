//! Reads documents one per line, without labels. An empty line is a document too, so output rows
//! match input rows.

use super::Document;
use super::format::FormatRow;
use super::lines::LineReader;

pub(super) const FORMAT: FormatRow<Document> = FormatRow::new("lines", "at least one line", |name, input, ()| {
    let mut lines = LineReader::of_documents(name, input);
    Ok(Box::new(move || {
        if !lines.advance()? {
            return Ok(None);
        }
        let (number, text) = (lines.number(), lines.line().to_owned());
        let id = number.to_string();
        Ok(Some((number, Document { id, text, labels: Vec::new(), is_labelled: false, split: None })))
    }))
});

#[cfg(test)]
mod tests {
    use crate::data::{DocumentFormat, testing};

    #[test]
    fn a_line_is_a_document() {
        let check = |input: &str, expected: &[&str]| testing::check(DocumentFormat::Lines, input, expected);
        check("It rains.\n\n \r\nIt snows.", &["1|1|?|It rains.", "2|2|?|", "3|3|?| ", "4|4|?|It snows."]);
        check("\n", &["1|1|?|"]);
        check("", &[]);
        testing::check_error(
            DocumentFormat::Lines,
            b"a\n\xff\n",
            "docs:2: byte 1 (0xff) is not UTF-8; convert to UTF-8 (for example iconv -f latin1 -t utf-8)",
        );
    }
}
