//! `resay annotate`: prints every word with lemma, tags, chunk, entity and head, as CoNLL-U or JSON
//! Lines. Text is read in blocks, annotated in parallel and written in order.

use crate::args::{AnnotateArgs, Common};
use crate::input;
use crate::output::Output;
use crate::progress::Progress;
use rayon::prelude::*;
use resay::data::{ConlluSentence, TextPiece, TextReader, open, write_conllu};
use resay_text::{Analysis, English, EnglishScratch, Layers};
use resay_view::json;

/// Maximum bytes of text per block.
const BLOCK_BYTES: usize = 1 << 20;
/// Maximum pieces of text per block.
const BLOCK_PIECES: usize = 4096;

/// Number of pieces that one thread annotates at a time.
const CHUNK_PIECES: usize = 64;

pub(crate) fn run(common: &Common, args: &AnnotateArgs) -> anyhow::Result<()> {
    let layers = args.layers.iter().try_fold(Layers::NONE, |layers, name| layers.with(name)).unwrap_or(Layers::ALL);
    let path = input::find(common, &args.file);
    let (name, file) = open(&path)?;
    let english = common.resources.english(layers)?;
    let mut out = Output::stdout();
    let progress = if out.is_terminal() { Progress::hidden() } else { Progress::bytes(common) };
    progress.set("annotating", 0, input::file_size(&path));
    let mut pieces =
        TextReader::new(&name, progress.reader(file), args.format)?.map(|next| next.map(|(_, piece)| piece));
    let (mut n_sentences, mut fault) = (0, None);
    let mut rows = String::new();
    while fault.is_none() {
        let block;
        (block, fault) = next_block(&mut pieces);
        if block.is_empty() {
            break;
        }
        let annotated: Vec<Vec<ConlluSentence>> = block
            .into_par_iter()
            .chunks(CHUNK_PIECES)
            .map_init(EnglishScratch::default, |scratch, pieces| {
                let mut sentences: Vec<ConlluSentence> = pieces.into_iter().flat_map(cut).collect();
                english.fill_all(&mut sentences, scratch);
                sentences
            })
            .collect();
        for mut sentence in annotated.into_iter().flatten() {
            n_sentences += 1;
            if common.json {
                out.json(&json::AnnotatedSentence::of(n_sentences, &sentence.analysis))?;
                continue;
            }
            if sentence.comments.is_empty() {
                sentence = ConlluSentence {
                    extras: sentence.extras,
                    ..ConlluSentence::new(sentence.analysis, Some(&n_sentences.to_string()))
                };
            }
            rows.clear();
            write_conllu(&sentence, None, &mut rows);
            out.write_str(&rows)?;
        }
    }
    out.finish()?;
    fault.map_or(Ok(()), |fault| Err(fault.into()))
}

/// Reads the next block of pieces, empty at the end, and the error that stopped reading, if any.
fn next_block(pieces: &mut impl Iterator<Item = resay::Result<TextPiece>>) -> (Vec<TextPiece>, Option<resay::Error>) {
    let (mut block, mut n_bytes) = (Vec::new(), 0);
    while n_bytes < BLOCK_BYTES && block.len() < BLOCK_PIECES {
        match pieces.next() {
            Some(Ok(piece)) => {
                n_bytes += piece.size();
                block.push(piece);
            }
            Some(Err(fault)) => return (block, Some(fault)),
            None => break,
        }
    }
    (block, None)
}

/// Splits a piece into sentences, with the annotation layers it came with.
fn cut(piece: TextPiece) -> Vec<ConlluSentence> {
    let bare = |analysis: Analysis| ConlluSentence { analysis, ..ConlluSentence::default() };
    match piece {
        TextPiece::Paragraph(text) => English::cut(&text).into_iter().map(|(_, analysis)| bare(analysis)).collect(),
        TextPiece::Sentence(text) => vec![bare(English::whole(&text))],
        TextPiece::Words(sentence) => vec![*sentence],
    }
}
