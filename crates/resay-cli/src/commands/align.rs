//! `resay align`: aligns the words and phrases of two sentences, or of a file of pairs, in order
//! and streaming.
//!
//! A file may hold plain pairs, which are tokenised here, or aligned pairs, whose tokens are kept
//! and whose links are ignored. If both are JSON, aligned pairs are recognised by their links.

use crate::args::{AlignArgs, AlignOutput, Common, WordUnits, pair_format};
use crate::failure::Usage;
use crate::output::Output;
use crate::progress::Progress as Bar;
use crate::render::picture::{self, Paint};
use crate::stream::{Faults, Row, stream};
use crate::{input, models};
use resay::align::Decode;
use resay::data::{AlignmentFormat, AlignmentReader, Example, FileFormat, open};
use resay::model::{AlignModel, AlignedText};
use resay::train::align::sentences;
use resay_learn::progress::Progress;
use resay_text::{Analysis, English, Span};
use resay_view::json;
use std::io::{BufRead, Cursor, Read};
use std::path::Path;

/// Maximum number of words per sentence. Time grows with the product of both lengths, and a longer
/// text can be split into sentences.
const MAX_WORDS: usize = 1000;
/// Minimum confidence of a link to be shaded in a matrix.
const FAINT: f64 = 0.05;
/// Maximum number of bytes read to find the first line.
const MAX_PEEK: u64 = 1 << 20;

/// Two tokenised sentences and the id of the pair.
struct Item {
    id: String,
    words: [Analysis; 2],
}

/// How every pair is processed.
struct Job<'a> {
    model: &'a AlignModel,
    decode: Decode,
    format: AlignOutput,
    paint: Paint,
    /// Whether pairs are named, and separated by blank lines if they take more than one line.
    is_file: bool,
}

pub(crate) fn run(common: &Common, args: &AlignArgs) -> anyhow::Result<()> {
    let decode = args.decode.choice()?;
    let mut out = Output::stdout();
    let format = match (args.format, common.json) {
        (None | Some(AlignOutput::Json), true) => AlignOutput::Json,
        (Some(format), false) => format,
        (Some(_), true) => {
            return Err(Usage("--json and another --format: expected one of them".to_owned()).into());
        }
        (None, false) if args.target.is_some() || out.is_terminal() => AlignOutput::Picture,
        (None, false) => AlignOutput::Pharaoh,
    };
    let paint = Paint { is_coloured: out.is_coloured() };
    if let Some(target) = &args.target {
        args.columns.refuse_as("is for a file, but two texts are given")?;
        if args.input_format.is_some() {
            return Err(Usage("--input-format is for a file, but two texts are given: leave it out".into()).into());
        }
        if [&args.file, target].iter().all(|text| Path::new(text).is_file()) {
            let (source, target) = (&args.file, target);
            let message = format!("{source} and {target} are files: give two texts, or one file of pairs");
            return Err(Usage(message).into());
        }
        let words = [&args.file, target].map(|text| split(text, args.units));
        check_length(&words[0], &words[1]).map_err(Usage)?;
        let model = aligner(common, args)?;
        let job = Job { model: &model, decode, format, paint, is_file: false };
        let item = Item { id: "1".to_owned(), words };
        for row in job.rows(&[(1, item)])? {
            if let Some(fault) = row.fault {
                return Err(Usage(fault).into());
            }
            out.line(&row.text)?;
        }
        return out.finish();
    }
    check_is_file(common, &args.file)?;
    let path = input::find(common, Path::new(&args.file));
    let (name, mut file) = open(&path)?;
    let progress = if out.is_terminal() { Bar::hidden() } else { Bar::bytes(common) };
    let mut peeked = Vec::new();
    let kind = match &args.input_format {
        Some(format) => Kind::named(format)?,
        None => {
            let first_line = peek(&mut file, &mut peeked).map_err(|error| resay::Error::read(&path, error))?;
            Kind::guess(&name, peeked.get(first_line..).unwrap_or_default())
        }
    };
    progress.set("aligning", 0, input::file_size(&path));
    let file = progress.reader(Cursor::new(peeked).chain(file));
    let model = aligner(common, args)?;
    let job = Job { model: &model, decode, format, paint, is_file: true };
    let rows = |block: &[(u64, Item)]| job.rows(block);
    let faults = Faults { name: &name, is_strict: args.strict };
    let n_bytes = |item: &Item| item.words.iter().map(|words| words.text.len()).sum();
    let streamed = match kind {
        Kind::Aligned(format) => {
            args.columns.refuse_as("is for pairs, but aligned pairs are read here")?;
            if args.units.is_some() {
                let message = "--units is for pairs, but words of aligned pairs are kept as they are: leave it out";
                return Err(Usage(message.to_owned()).into());
            }
            let mut items = AlignmentReader::new(&name, file, Some(format))?
                .map(|next| next.map(|(line, pair)| (line, Item { words: sentences(&pair), id: pair.id })));
            stream(&mut items, n_bytes, &mut out, faults, rows)?
        }
        Kind::Pairs(format) => {
            let item = |(line, example): (u64, Example)| {
                let words = [&example.source, &example.target].map(|text| split(text, args.units));
                (line, Item { id: example.id, words })
            };
            let pairs = input::pair_reader(common, &name, file, format, &args.columns.columns())?;
            stream(&mut pairs.map(|next| next.map(item)), n_bytes, &mut out, faults, rows)?
        }
        Kind::Links => {
            let message = "links without sentences, expected pairs to align; to learn from links, see resay train \
                           align --sentences FILE, to compare with them, resay eval --versus-links FILE";
            return Err(resay::Error::file(&name, message).into());
        }
    };
    out.finish()?;
    if streamed.n_items == 0 {
        let message = "no pairs: expected a table with columns source and target, JSON, or aligned pairs";
        return Err(resay::Error::file(&name, message).into());
    }
    streamed.check("aligned")
}

fn aligner(common: &Common, args: &AlignArgs) -> anyhow::Result<AlignModel> {
    Ok(models::aligner(models::open(common, args.model.as_deref(), "align")?, "align")?.model)
}

impl Job<'_> {
    /// Returns one row per pair, possibly of many lines; an empty one for a pair that cannot be
    /// aligned.
    fn rows(&self, block: &[(u64, Item)]) -> anyhow::Result<Vec<Row>> {
        let is_short = |(_, item): &&(u64, Item)| check_length(&item.words[0], &item.words[1]).is_ok();
        let short: Vec<&Item> = block.iter().filter(is_short).map(|(_, item)| item).collect();
        let align = |decode| self.model.align_all(&short, |item| item.words.clone(), decode, Progress::none());
        let aligned = align(self.decode)?;
        // A matrix also shows links below the threshold, whatever the decoding method.
        let faint = match self.format {
            AlignOutput::Matrix => align(Decode::Confident(Some(FAINT)))?,
            _ => Vec::new(),
        };
        let mut faint = faint.into_iter();
        let mut aligned = aligned.into_iter();
        let mut rows = Vec::with_capacity(block.len());
        for (_, item) in block {
            let (found, faint) = match check_length(&item.words[0], &item.words[1]) {
                Ok(()) => (aligned.next().map(|found| found.map_err(|error| error.to_string())), faint.next()),
                Err(message) => (Some(Err(message)), None),
            };
            rows.push(match found {
                Some(Ok(found)) => {
                    let faint = faint.and_then(Result::ok);
                    Row::good(self.row(item, &found, faint.as_ref())?)
                }
                Some(Err(fault)) => Row { text: self.failed(item, &fault)?, fault: Some(fault) },
                None => Row::good(String::new()),
            });
        }
        Ok(rows)
    }

    /// Formats the row of a pair that could not be aligned.
    fn failed(&self, item: &Item, fault: &str) -> anyhow::Result<String> {
        Ok(match self.format {
            AlignOutput::Json | AlignOutput::Aligned => serde_json::to_string(&json::Failed::of(&item.id, fault))?,
            _ => String::new(),
        })
    }

    fn row(&self, item: &Item, aligned: &AlignedText, faint: Option<&AlignedText>) -> anyhow::Result<String> {
        let lines = match self.format {
            AlignOutput::Pharaoh => {
                let links = aligned.alignment.pairs();
                let links: Vec<String> = links.iter().map(|(source, target)| format!("{source}-{target}")).collect();
                return Ok(links.join(" "));
            }
            AlignOutput::Json => return Ok(serde_json::to_string(&json::Aligned::of(&item.id, aligned))?),
            AlignOutput::Aligned => return Ok(json::aligned_pair(&item.id, aligned)?),
            AlignOutput::Picture => picture::picture(aligned, self.paint),
            AlignOutput::Matrix => picture::matrix(aligned, faint.unwrap_or(aligned), self.paint),
        };
        let mut text = lines.join("\n");
        if self.is_file {
            text = format!("{}\n{text}\n", self.paint.head(&format!("pair {}", item.id)));
        }
        Ok(text)
    }
}

/// Returns an error for texts that are too long to be one sentence.
pub(super) fn check_length(source: &Analysis, target: &Analysis) -> Result<(), String> {
    let (n_source, n_target) = (source.words.len(), target.words.len());
    if n_source.max(n_target) <= MAX_WORDS {
        return Ok(());
    }
    Err(format!("{n_source} and {n_target} words, expected at most {MAX_WORDS} per side: cut the texts into sentences"))
}

/// Tokenises a text.
fn split(text: &str, units: Option<WordUnits>) -> Analysis {
    match units.unwrap_or(WordUnits::Words) {
        WordUnits::Words => English::whole(text),
        WordUnits::Tokens => {
            let mut at = 0;
            let spans = text.split_whitespace().map(|word| {
                // Only blanks lie between words, so the first match is the right one.
                let start = at + text.get(at..).and_then(|rest| rest.find(word)).unwrap_or(0);
                at = start + word.len();
                Span { start: start as u32, end: at as u32 }
            });
            Analysis::bare(text, spans)
        }
    }
}

/// A single argument is a file: one sentence alone cannot be aligned.
fn check_is_file(common: &Common, file: &str) -> anyhow::Result<()> {
    let is_sentence = file.split_whitespace().nth(1).is_some();
    if is_sentence && !input::find(common, Path::new(file)).exists() {
        let message = "is no file: give two texts, SOURCE and TARGET (each in quotes), or a file of pairs";
        return Err(Usage(format!("'{file}' {message}")).into());
    }
    Ok(())
}

/// The contents of a file.
#[derive(Debug, PartialEq)]
enum Kind {
    /// Pairs in this format, or a guessed one.
    Pairs(Option<resay::data::Format>),
    /// Pairs with links.
    Aligned(AlignmentFormat),
    /// Links only.
    Links,
}

impl Kind {
    fn named(name: &str) -> anyhow::Result<Self> {
        match name.parse::<AlignmentFormat>() {
            Ok(AlignmentFormat::Pharaoh) => Ok(Self::Links),
            Ok(format) => Ok(Self::Aligned(format)),
            Err(_) => Ok(Self::Pairs(pair_format(Some(name))?)),
        }
    }

    /// Guesses from the first non-blank line.
    fn guess(name: &str, first_line: &[u8]) -> Self {
        let start = first_line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first_line).trim_ascii();
        match AlignmentFormat::guess(name, first_line) {
            // A table may have a first column whose name begins the same way.
            AlignmentFormat::Msr06 if !start.is_empty() && !start.contains(&b'\t') => {
                Self::Aligned(AlignmentFormat::Msr06)
            }
            AlignmentFormat::Json if start.starts_with(b"[") => Self::Aligned(AlignmentFormat::Json),
            AlignmentFormat::Json if start.starts_with(b"{") => {
                let has_links = start.windows(11).any(|window| window == b"\"sureAlign\"");
                // Pairs have one object per line; an object that continues is an aligned pair.
                let is_whole = start.ends_with(b"}");
                if has_links || !is_whole { Self::Aligned(AlignmentFormat::Json) } else { Self::Pairs(None) }
            }
            AlignmentFormat::Pharaoh if is_links(start) => Self::Links,
            _ => Self::Pairs(None),
        }
    }
}

/// Returns whether a line holds links such as `0-0 1-2`.
fn is_links(line: &[u8]) -> bool {
    let is_number = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    let is_link = |word: &[u8]| {
        let mut ends = word.split(|byte| *byte == b'-');
        let both = [ends.next(), ends.next()];
        ends.next().is_none() && both.iter().all(|end| end.is_some_and(is_number))
    };
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some() && words.all(is_link)
}

/// Reads up to the end of the first non-blank line and no further, because the input may be
/// interactive. Returns where that line starts.
fn peek(input: &mut impl BufRead, peeked: &mut Vec<u8>) -> std::io::Result<usize> {
    loop {
        let start = peeked.len();
        let n_read = input.by_ref().take(MAX_PEEK.saturating_sub(start as u64)).read_until(b'\n', peeked)?;
        if n_read == 0 || !peeked.get(start..).unwrap_or_default().trim_ascii().is_empty() {
            return Ok(start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_their_first_line() {
        let check = |name: &str, first_line: &str, expected: Kind| {
            assert_eq!(Kind::guess(name, first_line.as_bytes()), expected, "{name} {first_line:?}");
        };
        let (json, msr06) = (AlignmentFormat::Json, AlignmentFormat::Msr06);
        check("a.tsv", "source\ttarget\n", Kind::Pairs(None));
        check("a.tsv", "#id\tsource\ttarget\n", Kind::Pairs(None));
        check("-", "# sentence pair 1\r\n", Kind::Aligned(msr06));
        check("-", "\u{feff}[\n", Kind::Aligned(json));
        check("a.json", "{\n", Kind::Aligned(json));
        check("-", "{\"source\":\"a\",\"target\":\"b\"}\n", Kind::Pairs(None));
        check("a.json", "{\"source\":\"a\",\"target\":\"b\"}\n", Kind::Pairs(None));
        check("a.jsonl", "{\"source\":\"a\",\"target\":\"b\",\"sureAlign\":\"0-0\"}\n", Kind::Aligned(json));
        check("a.tsv", "0-0 1-12\n", Kind::Links);
        check("-", "", Kind::Pairs(None));
        check("a.align.txt", "", Kind::Pairs(None));
        check("-", "Quality\t#1 ID\t#2 ID\n", Kind::Pairs(None));
        assert!(!is_links(b"0-0-1") && !is_links(b"0-") && !is_links(b"a-0") && !is_links(b"1990"));
    }

    #[test]
    fn tokens_keep_their_places() {
        let words = split(" It's  né. ", Some(WordUnits::Tokens));
        let found: Vec<(&str, u32)> =
            words.words.iter().enumerate().map(|(at, word)| (words.form(at), word.span.start)).collect();
        assert_eq!(found, [("It's", 1), ("né.", 7)]);
        assert_eq!(split("It's.", None).words.len(), 3);
    }
}
