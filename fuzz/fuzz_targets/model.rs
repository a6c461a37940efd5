#![no_main]
//! Any bytes as a model's file: an answer or an error, and what opens can be asked everything.
//!
//! Checksums would keep the fuzzer out of everything that lies behind them. So the input is read
//! twice: as a file, and as the plain parts of one (see `packed`), which are packed with right
//! lengths and checksums first.

use miniz_oxide::deflate::compress_to_vec_zlib;
use resay::model::{KernelModel, PairModel};
use resay::resources::Resources;

/// Opens, and asks everything that a model can be asked.
fn ask(bytes: &[u8]) {
    let resources = Resources::bundled();
    let Ok(model) = KernelModel::from_bytes("m.resay", bytes, &resources) else { return };
    let (source, target) = ("Anna bought the car in Oslo .", "In Oslo the automobile was bought by Anna .");
    let score = |model: &dyn PairModel| model.predict_one(source, target).ok();
    let asked: &dyn PairModel = &model;
    if let Ok(explained) = asked.explain_one(source, target, 3) {
        assert!(!explained.explanation.leaves().is_empty());
    }
    let _ = asked.weights();
    if let Ok(again) = model.to_bytes() {
        let again = KernelModel::from_bytes("m.resay", &again, &resources).expect("what was saved opens");
        assert_eq!(format!("{:?}", score(&model)), format!("{:?}", score(&again)));
    }
}

/// A file from plain parts: the first line is the kernel, and every line after it a section's name,
/// a blank, the number of its bytes; the bytes follow the line.
fn packed(mut input: &[u8]) -> Option<Vec<u8>> {
    let line = |input: &mut &[u8]| -> Option<String> {
        let end = input.iter().position(|byte| *byte == b'\n')?;
        let (line, rest) = input.split_at(end);
        *input = &rest[1..];
        String::from_utf8(line.to_vec()).ok()
    };
    let kernel = line(&mut input)?;
    let (mut sections, mut entries) = (Vec::new(), Vec::new());
    while let Some(head) = line(&mut input) {
        let (name, len) = head.split_once(' ')?;
        let (content, rest) = input.split_at_checked(len.parse().ok()?)?;
        input = rest;
        let packed = compress_to_vec_zlib(content, 1);
        entries.push(serde_json::json!({
            "name": name, "packed": packed.len(), "unpacked": content.len(), "checksum": crc32fast::hash(&packed)
        }));
        sections.extend(packed);
    }
    let about = serde_json::json!({
        "kind": "kernel", "task": "pair", "response": {"kind": "binary", "labels": ["0", "1"]}, "learner": "linear", "data": "",
        "n_examples": 0, "counts": [0, 0], "cost": 1.0, "search": [], "measure": "", "held_out": 0.5, "stop": "",
        "versions": {"resay": "", "header": 2, "tokeniser": 1}, "licence": "", "note": "",
        "kernel": kernel, "units": "words", "n_rules": [0, 0]
    });
    let header = serde_json::to_vec(&serde_json::json!({ "about": about, "sections": entries })).ok()?;
    let mut file = b"\x89RESAY\r\n\x01\0\0\0".to_vec();
    file.extend((header.len() as u32).to_le_bytes());
    file.extend(crc32fast::hash(&header).to_le_bytes());
    file.extend(header);
    file.extend(sections);
    Some(file)
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    ask(input);
    if let Some(file) = packed(input) {
        ask(&file);
    }
});
