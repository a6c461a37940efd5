//! `resay annotate` on ordinary and on hostile input.

use crate::world::World;

fn with_notes(test: &str) -> World {
    let world = World::new(test);
    world.write("notes.txt", "It rained all day. We stayed at home.\n");
    world
}

#[test]
fn annotated_text_is_taken_as_it_is() {
    let world = with_notes("annotate");
    let table = world.ok(&["annotate", "notes.txt"]);
    assert_eq!(table.matches("# sent_id = ").count(), 2, "{table}");
    assert!(table.lines().filter(|line| line.contains('\t')).all(|line| line.split('\t').count() == 10), "{table}");
    world.write("notes.conllu", &table);
    assert_eq!(world.ok(&["annotate", "notes.conllu"]), table);
    assert_eq!(world.ok(&["annotate", "--threads", "2", "notes.txt"]), table);
    world.write("own.conllu", "1\tTime\t_\tX\tMINE\t_\t_\t_\t_\tKeep=Me\n2\tflies\tFLY\t_\t_\t_\t_\t_\t_\t_\n\n");
    let own = world.ok(&["annotate", "own.conllu"]);
    assert!(own.contains("\tX\tMINE\t") && own.contains("Keep=Me") && own.contains("\tFLY\t"), "{own}");
}

#[test]
fn layers_and_json() {
    let world = with_notes("annotate-json");
    let lines = world.json(&["annotate", "--layers", "lemmas", "notes.txt"]);
    assert_eq!(lines.len(), 2);
    let words = lines[0]["words"].as_array().unwrap();
    let lemmas: Vec<&str> = words.iter().map(|word| word["lemma"].as_str().unwrap()).collect();
    assert_eq!(lemmas, ["it", "rain", "all", "day", "."]);
    assert!(words.iter().all(|word| word.get("upos").is_none() && word.get("head").is_none()));
    let output = world.run(&["annotate", "--layers", "colours", "notes.txt"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn hostile_files_are_annotated_or_refused() {
    let world = World::new("annotate-hostile");
    let check = |content: &[u8], format: &str, expected: Option<&str>| {
        world.write("in", content);
        let output = world.run(&["annotate", "--layers", "tags", "--format", format, "in"]);
        let said = String::from_utf8_lossy(&output.stderr);
        match expected {
            None => assert!(output.status.success() && said.is_empty(), "{format}: {said}"),
            Some(expected) => assert!(output.status.code() == Some(2) && said.contains(expected), "{format}: {said}"),
        }
    };
    check(b"", "text", None);
    check(b"\n \n", "text", None);
    check(&vec![b'a'; 5 << 20], "text", None);
    check(
        "\u{1f600}\u{1f469}\u{200d}\u{1f467} \u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{202e}\u{645}\u{631}\u{62d}".as_bytes(),
        "text",
        None,
    );
    check(b"fine\n\xff\xfe\x00", "text", Some("in:2: bytes that are not UTF-8"));
    check(&vec![b'a'; 5 << 20], "lines", Some("in:1: "));
    check(b"1\tone\n\n", "conllu", Some("in:1: 2 columns, expected 10"));
    check(b"\x00\x01\x02", "conllu", Some("in:1: "));
}
