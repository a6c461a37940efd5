//! Reads the XML of the Recognizing Textual Entailment challenges: `pair` elements with `t`, `h`,
//! an id, and a label called `value` (RTE-1) or `entailment` (RTE-2 to RTE-5).
//!
//! The files come from many sources, so any elements may surround the pairs, with or without an XML
//! declaration. The reader resists hostile files by supporting little. It skips a DOCTYPE, so no
//! entity can be declared, least of all one that expands without bound or reads other files. It
//! resolves only the five predefined entities and numeric references. No element may be longer than
//! `MAX_LINE`, and nesting depth is bounded (see `Feed`, which also counts lines).

use super::feed::Feed;
use super::format::FormatRow;
use super::lines::{LineReader, MAX_LINE, shorten};
use super::reader::Rows;
use super::{Example, Label};
use crate::{Error, Result};
use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use std::io::BufRead;

/// Maximum nesting depth. RTE files nest two elements around a text; markup inside a text may add a
/// few.
const MAX_DEPTH: usize = 64;

/// First bytes that can belong to no other format.
const BEGINNINGS: [&[u8]; 6] =
    [b"<?xml", b"<entailment-corpus", b"<devset", b"<testset", b"<pair", b"<!DOCTYPE entailment-corpus"];

pub(super) const FORMAT: FormatRow<Example> = FormatRow {
    endings: &[".xml"],
    is_certain: |start| BEGINNINGS.iter().any(|beginning| start.starts_with(beginning)),
    ..FormatRow::new("rte", "at least one <pair> with <t> and <h>", |name, input, _| {
        Ok(Box::new(RteReader::new(LineReader::new(name, input))))
    })
};

/// Streams the pairs of a file.
struct RteReader<R> {
    name: String,
    xml: Reader<Feed<R>>,
    buffer: Vec<u8>,
    depth: usize,
    n_pairs: u64,
}

/// A pair whose end tag has not been read.
#[derive(Debug, Default)]
struct Open {
    line: u64,
    id: Option<String>,
    label: Option<Label>,
    text: Option<String>,
    hypothesis: Option<String>,
    /// Which of the two texts is being read.
    inside: Option<Part>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Text,
    Hypothesis,
}

impl Part {
    fn of(tag: &str) -> Option<Self> {
        match tag {
            "t" => Some(Self::Text),
            "h" => Some(Self::Hypothesis),
            _ => None,
        }
    }

    fn tag(self) -> &'static str {
        match self {
            Self::Text => "t",
            Self::Hypothesis => "h",
        }
    }
}

impl Open {
    fn part(&mut self, part: Part) -> &mut Option<String> {
        match part {
            Part::Text => &mut self.text,
            Part::Hypothesis => &mut self.hypothesis,
        }
    }

    fn begin(&mut self, part: Part) -> Result<(), String> {
        if self.part(part).is_some() {
            return Err(format!("a second <{0}> in one pair, expected one <t> and one <h>", part.tag()));
        }
        *self.part(part) = Some(String::new());
        Ok(())
    }

    /// Appends to the current text. Text between the two is layout and dropped.
    fn push(&mut self, text: &str) -> Result<(), String> {
        let Some(part) = self.inside else { return Ok(()) };
        let so_far = self.part(part).get_or_insert_default();
        if so_far.len() + text.len() > MAX_LINE {
            return Err(format!("<{}> is longer than {MAX_LINE} bytes; is its end tag missing?", part.tag()));
        }
        so_far.push_str(text);
        Ok(())
    }

    fn close(self, row: u64) -> Result<Example, String> {
        let id = self.id.unwrap_or_else(|| row.to_string());
        let missing = |tag: &str| format!("pair \"{}\" has no <{tag}>, expected <t> and <h>", shorten(&id));
        let source = one_line(&self.text.ok_or_else(|| missing("t"))?);
        let target = one_line(&self.hypothesis.ok_or_else(|| missing("h"))?);
        Ok(Example { group: Some(fingerprint(&source)), id, source, target, label: self.label, analyses: None })
    }
}

impl<R: BufRead> RteReader<R> {
    fn new(lines: LineReader<R>) -> Self {
        let name = lines.name().to_owned();
        let xml = Reader::from_reader(Feed::new(lines));
        Self { name, xml, buffer: Vec::new(), depth: 0, n_pairs: 0 }
    }
}

impl<R: BufRead + Send> Rows<Example> for RteReader<R> {
    fn next_row(&mut self) -> Result<Option<(u64, Example)>> {
        let mut open: Option<Open> = None;
        loop {
            self.buffer.clear();
            let line = self.xml.get_mut().begin_element();
            let name = &self.name;
            let fault = |message: String| Error::line(name, line, message);
            let event = match self.xml.read_event_into(&mut self.buffer) {
                Ok(event) => event,
                Err(error) => {
                    // The feed's error is closer to the cause than the parser's.
                    let known = self.xml.get_mut().take_fault();
                    return Err(known.unwrap_or_else(|| fault(format!("not XML: {error}"))));
                }
            };
            match event {
                Event::Start(tag) => {
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        return Err(fault(format!("elements are nested deeper than {MAX_DEPTH}, expected <pair>")));
                    }
                    start(&tag, line, &mut open).map_err(fault)?;
                }
                Event::Empty(tag) => {
                    if tag.name().as_ref() == "pair" {
                        return Err(fault("an empty <pair/>, expected <t> and <h> in it".to_owned()));
                    }
                    if let (Some(pair), Some(part)) = (open.as_mut(), Part::of(tag.name().as_ref()))
                        && pair.inside.is_none()
                    {
                        pair.begin(part).map_err(fault)?;
                    }
                }
                Event::End(tag) => {
                    self.depth = self.depth.saturating_sub(1);
                    let tag = tag.name();
                    if let Some(pair) = open.as_mut()
                        && pair.inside.is_some()
                        && pair.inside == Part::of(tag.as_ref())
                    {
                        pair.inside = None;
                    }
                    if tag.as_ref() == "pair"
                        && let Some(pair) = open.take()
                    {
                        self.n_pairs += 1;
                        let line = pair.line;
                        let example = pair.close(self.n_pairs).map_err(|message| Error::line(name, line, message))?;
                        return Ok(Some((line, example)));
                    }
                }
                Event::Text(text) => {
                    if let Some(pair) = open.as_mut() {
                        pair.push(&text).map_err(fault)?;
                    }
                }
                Event::CData(text) => {
                    if let Some(pair) = open.as_mut() {
                        pair.push(&text).map_err(fault)?;
                    }
                }
                Event::GeneralRef(reference) => {
                    let resolved = match reference.resolve_char_ref() {
                        Ok(Some(character)) => Some(character.to_string()),
                        Ok(None) => resolve_predefined_entity(&reference).map(str::to_owned),
                        Err(_) => None,
                    };
                    let resolved = resolved.ok_or_else(|| {
                        let found = shorten(&reference);
                        fault(format!("unknown entity &{found};, expected &amp; &lt; &gt; &quot; &apos; or a number"))
                    })?;
                    if let Some(pair) = open.as_mut() {
                        pair.push(&resolved).map_err(fault)?;
                    }
                }
                Event::Eof => {
                    return match open {
                        Some(pair) => Err(Error::line(name, pair.line, "the file ends within this <pair>")),
                        None if self.depth > 0 => {
                            Err(fault("the file ends within an element; is it cut off?".to_owned()))
                        }
                        None => Ok(None),
                    };
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
    }
}

fn start(tag: &BytesStart<'_>, line: u64, open: &mut Option<Open>) -> Result<(), String> {
    let name = tag.name();
    match (name.as_ref(), open) {
        ("pair", Some(_)) => Err("a <pair> within a pair; is an end tag </pair> missing?".to_owned()),
        ("pair", open @ None) => {
            let pair = Open { line, ..Open::default() };
            *open = Some(with_attributes(tag, pair)?);
            Ok(())
        }
        (name, Some(pair)) if pair.inside.is_none() => {
            if let Some(part) = Part::of(name) {
                pair.begin(part)?;
                pair.inside = Some(part);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn with_attributes(tag: &BytesStart<'_>, mut pair: Open) -> Result<Open, String> {
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| format!("an attribute of <pair> cannot be read: {error}"))?;
        let value = attribute
            .normalized_value(XmlVersion::Implicit1_0)
            .map_err(|error| format!("an attribute of <pair> cannot be read: {error}"))?;
        match attribute.key.as_ref() {
            "id" => pair.id = Some(value.trim().to_owned()).filter(|id| !id.is_empty()),
            "value" | "entailment" => pair.label = Label::new(&value),
            _ => {}
        }
    }
    Ok(pair)
}

/// Joins words with single blanks: line breaks in XML are layout.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Pairs with the same text form one group, named by a hash of the text (FNV-1a, 64 bits). The same
/// text has the same name in every file, so the challenges can be joined, and streaming needs no
/// memory of earlier pairs.
pub(super) fn fingerprint(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("t{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;
    use crate::data::Format;

    /// Checks rows without the group, which is a hash.
    fn check(input: &str, expected: &[&str]) {
        let examples = testing::read::<Example>(Some(Format::Rte), input.as_bytes(), 4096).expect(input);
        let grouped = |(line, example): &(u64, Example)| {
            let group = fingerprint(&example.source);
            let label = example.label.as_ref().map_or("~", |label| label.as_str());
            format!("{line}|{}|{group}|{}|{}|{label}", example.id, example.source, example.target)
        };
        let shown: Vec<String> = examples.iter().map(grouped).collect();
        let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
        testing::check(Format::Rte, input, &shown);
        let without_group: Vec<String> = examples
            .into_iter()
            .map(|(line, example)| (line, Example { group: None, ..example }))
            .map(|row| testing::show_all(&[row]).concat())
            .collect();
        assert_eq!(without_group, expected, "{input}");
    }

    fn check_error(input: &str, expected: &str) {
        testing::check_error(Format::Rte, input, expected);
    }

    #[test]
    fn pairs() {
        let first = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n<!DOCTYPE entailment-corpus SYSTEM \"rte.dtd\">\r\n";
        check(
            &format!(
                "\u{feff}{first}<entailment-corpus>\r\n<pair id=\"8\" value=\"TRUE\" task=\"IR\">\r\n\t<t>It rained\r\n  all day.</t>\r\n<h>It was wet.</h>\r\n</pair>\r\n</entailment-corpus>\r\n"
            ),
            &["4|8|~|It rained all day.|It was wet.|TRUE"],
        );
        check(
            "<devset>\n<pair id='1' entailment='UNKNOWN'><t> a </t><h>b</h></pair><pair id='2' entailment='YES'>\n<h>d</h><t>c</t></pair>\n</devset>",
            &["2|1|~|a|b|UNKNOWN", "2|2|~|c|d|YES"],
        );
        // Several root elements, no label, no id, elements around and within the texts.
        check("<pair><t>a</t><h>b</h></pair>\n<pair\n id='x'\n><t>c</t><h/></pair>", &["1|1|~|a|b|~", "2|x|~|c||~"]);
        check("<a><pair><note>n<t2>x</t2></note><t>a <b>b</b> c</t><h>d<t>e</t></h></pair></a>", &["1|1|~|a b c|de|~"]);
        check(
            "<pair id='&lt;1&#x41;'><t>R&amp;D &quot;&#163;5&quot; &apos;&lt;&gt;</t><h><![CDATA[a < b & c]]><!-- no --></h></pair>",
            &["1|<1A|~|R&D \"£5\" '<>|a < b & c|~"],
        );
        check("", &[]);
        check("no markup at all", &[]);
    }

    #[test]
    fn the_same_text_is_the_same_group_in_every_file() {
        let group = |input: &str| {
            let rows = testing::read::<Example>(Some(Format::Rte), input.as_bytes(), 4096).expect(input);
            rows.into_iter().map(|(_, example)| example.group.expect("a group")).collect::<Vec<_>>()
        };
        let one = group("<pair><t>The sun\n rose.</t><h>a</h></pair><pair><t>The sun set.</t><h>a</h></pair>");
        let two = group("<pair id='9'><t>The sun rose.</t><h>b</h></pair>");
        assert_eq!(one[0], two[0]);
        assert_ne!(one[0], one[1]);
        // Published FNV-1a test vector.
        assert_eq!(fingerprint("foobar"), "t85944171f73967e8");
    }

    #[test]
    fn faults() {
        check_error("<c>\n<pair id='7'><t>a</t>\n</pair></c>", "pairs:2: pair \"7\" has no <h>, expected <t> and <h>");
        check_error("<pair><h>a</h></pair>", "pairs:1: pair \"1\" has no <t>, expected <t> and <h>");
        check_error("<c>\n<pair/></c>", "pairs:2: an empty <pair/>, expected <t> and <h> in it");
        check_error(
            "<pair>\n<t>a</t>\n<t>b</t><h>c</h></pair>",
            "pairs:3: a second <t> in one pair, expected one <t> and one <h>",
        );
        check_error("<c>\n<pair><t>a</t>", "pairs:2: the file ends within this <pair>");
        check_error("<c>\n<pair><t>a</t><h>b</h></pair>\n", "pairs:3: the file ends within an element; is it cut off?");
        check_error("<pair>\n<pair>", "pairs:2: a <pair> within a pair; is an end tag </pair> missing?");
        check_error(
            "<pair><t>a\n&nbsp;</t></pair>",
            "pairs:2: unknown entity &nbsp;, expected &amp; &lt; &gt; &quot; &apos; or a number",
        );
        check_error(
            "<pair><t>&#xD800;</t></pair>",
            "pairs:1: unknown entity &#xD800;, expected &amp; &lt; &gt; &quot; &apos; or a number",
        );
        check_error(
            "<!DOCTYPE c [<!ENTITY x \"y\"><!ENTITY z SYSTEM \"/etc/hostname\">]>\n<pair><t>&z;</t></pair>",
            "pairs:2: unknown entity &z;, expected &amp; &lt; &gt; &quot; &apos; or a number",
        );
        check_error(&"<a>".repeat(65), "pairs:1: elements are nested deeper than 64, expected <pair>");
        check_error(
            "<pair>\n<t>a</h></pair>",
            "pairs:2: not XML: ill-formed document: expected `</t>`, but `</h>` was found",
        );
        check_error("<pair>\n<t", "pairs:2: not XML: syntax error: tag not closed: `>` not found before end of input");
        testing::check_error(
            Format::Rte,
            b"<pair>\n<t>caf\xe9</t></pair>",
            "pairs:2: byte 7 (0xe9) is not UTF-8; convert to UTF-8 (for example iconv -f latin1 -t utf-8)",
        );
    }

    #[test]
    fn no_element_outgrows_the_memory() {
        let lines = "word\n".repeat(MAX_LINE / 5 + 2);
        let longer = "an element is longer than 1048576 bytes; is its end tag missing?";
        check_error(&format!("<pair><t>{lines}</t></pair>"), &format!("pairs:1: {longer}"));
        check_error(&format!("\n<!--{lines}--><pair/>"), &format!("pairs:2: {longer}"));
        // In fragments, each of which is short enough.
        let pieces = "word&amp;\n".repeat(MAX_LINE / 6 + 1);
        check_error(
            &format!("<pair>\n<t>{pieces}</t></pair>"),
            "pairs:174764: <t> is longer than 1048576 bytes; is its end tag missing?",
        );
    }
}
