//! Pages of `resay compare --html`: parsed as XML, summed up and, if a browser is available,
//! rendered.

use crate::world::World;
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const NUMBER: [&str; 2] =
    ["The ticket to Leeds costs 60 euros, the driver said.", "A ticket to Leeds costs 80 euros, said the driver."];
const MOVED: [&str; 2] = [
    "On Monday the city council gave up its plan to close the old library.",
    "The council abandoned its plan to shut the old library on Monday.",
];
const HOSTILE: [&str; 2] =
    ["</svg></main><script>alert('x')</script> & \"quoted\" \u{1b}[31m \u{202e}text.", "<img src=x onerror=alert(1)>"];

/// An element with its attributes and its direct text.
#[derive(Debug, Default)]
struct Element {
    name: String,
    class: String,
    attributes: Vec<(String, String)>,
    text: String,
}

impl Element {
    fn number(&self, attribute: &str) -> f64 {
        let found = self.attributes.iter().find(|(name, _)| name == attribute);
        found.unwrap_or_else(|| panic!("{attribute} of {self:?}")).1.parse().unwrap()
    }
}

/// Returns all elements in order. Fails if the page is not well-formed.
fn elements(page: &str) -> Vec<Element> {
    let mut reader = Reader::from_str(page);
    reader.config_mut().check_end_names = true;
    let mut all: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    loop {
        match reader.read_event().unwrap_or_else(|error| panic!("{error} at {}", reader.error_position())) {
            Event::Start(start) => {
                open.push(all.len());
                all.push(element(&start));
            }
            Event::Empty(start) => all.push(element(&start)),
            Event::End(_) => assert!(open.pop().is_some()),
            Event::Text(text) => {
                let text: &str = &text;
                assert!(!text.contains('&'), "references are events of their own");
                if let Some(at) = open.last() {
                    all[*at].text.push_str(text);
                }
            }
            Event::GeneralRef(name) => {
                let name: &str = &name;
                let character = match name {
                    "amp" => "&",
                    "lt" => "<",
                    "gt" => ">",
                    "quot" => "\"",
                    "#39" => "'",
                    other => panic!("&{other}; is no reference that XML knows"),
                };
                if let Some(at) = open.last() {
                    all[*at].text.push_str(character);
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    assert!(open.is_empty(), "every element is closed");
    all
}

fn element(start: &quick_xml::events::BytesStart<'_>) -> Element {
    let text = |text: &str| text.to_owned();
    let attributes = start.attributes().map(|attribute| attribute.unwrap());
    let attributes: Vec<(String, String)> =
        attributes.map(|attribute| (text(attribute.key.as_ref()), text(&attribute.value))).collect();
    let class = attributes.iter().find(|(name, _)| name == "class").map_or(String::new(), |(_, class)| class.clone());
    Element { name: text(start.name().as_ref()), class, attributes, text: String::new() }
}

fn page(world: &World, [source, target]: [&str; 2]) -> String {
    world.ok(&["compare", "--quiet", source, target, "--html", "-"])
}

#[test]
fn pages_are_well_formed_and_ask_for_nothing() {
    let world = World::new("html-form");
    let long = (0..90).map(|number| format!("thing{number}")).collect::<Vec<_>>().join(" ");
    for pair in [NUMBER, MOVED, HOSTILE, ["שלום לכולם", "日本語 café"], [&long, "thing4"]] {
        let page = page(&world, pair);
        let all = elements(page.trim_start_matches("<!DOCTYPE html>\n"));
        assert!(
            all.iter().all(|element| !matches!(&*element.name, "script" | "img" | "iframe" | "object")),
            "{pair:?}"
        );
        let is_harmless = |(name, value): &(String, String)| {
            let is_link = matches!(&name[..], "href" | "src" | "xlink:href");
            !name.starts_with("on") && (!is_link || value == "data:,")
        };
        assert!(all.iter().flat_map(|element| &element.attributes).all(is_harmless), "{pair:?}");
        let without_namespaces = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        assert!(!without_namespaces.contains("http://") && !without_namespaces.contains("https://"));
        assert!(!page.contains(['\u{1b}', '\u{202e}']) && !page.contains("NaN"));
        for name in ["title", "desc", "h1", "svg"] {
            assert!(all.iter().any(|element| element.name == name), "{pair:?}: {name}");
        }
    }
}

#[test]
fn steps_add_up_to_the_score_that_is_printed() {
    let world = World::new("html-sums");
    for pair in [NUMBER, MOVED, ["Two.", "One."]] {
        let found = world.json(&["compare", pair[0], pair[1]]).remove(0);
        let mut tables: Vec<Vec<f64>> = Vec::new();
        for element in elements(page(&world, pair).trim_start_matches("<!DOCTYPE html>\n")) {
            match (&*element.name, &*element.class) {
                ("table", "waterfall") => tables.push(Vec::new()),
                // The full explanation follows the charts and has a class of its own.
                ("table", _) => break,
                ("td", "value") => {
                    let value = element.text.replace('\u{2212}', "-").parse().unwrap();
                    tables.last_mut().unwrap().push(value);
                }
                _ => {}
            }
        }
        assert_eq!(tables.len(), 4);
        for (values, answer) in tables.iter().zip(["same", "entails", "entailed", "contradicts"]) {
            let (score, steps) = values.split_last().unwrap();
            assert!((steps.iter().sum::<f64>() - score).abs() < 1e-9, "{answer}: {values:?}");
            assert!((score - found[answer]["score"].as_f64().unwrap()).abs() <= 0.0005, "{answer}: {score}");
        }
    }
}

#[test]
fn the_drawing_has_every_word_in_its_place() {
    let world = World::new("html-words");
    let pages = [page(&world, NUMBER), world.ok(&["compare", "--svg", "-", NUMBER[0], NUMBER[1]])];
    for drawing in pages {
        let all = elements(drawing.trim_start_matches("<!DOCTYPE html>\n"));
        let shown: String = all.iter().filter(|e| e.class.ends_with(" word")).map(|e| e.text.clone()).collect();
        let blanks_gone = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(blanks_gone(&shown), blanks_gone(&NUMBER.concat()));
        let differing: Vec<&str> =
            all.iter().filter(|e| e.class == "differs word").map(|element| element.text.as_str()).collect();
        assert!(differing.contains(&"60") && differing.contains(&"80"), "{differing:?}");
        assert!(all.iter().any(|e| e.class == "pill-text" && e.text == "different number"));
        // Boxes of a row do not overlap, and all lie within the drawing.
        let svg = all.iter().find(|element| element.class == "resay-picture").unwrap();
        let mut boxes: Vec<(f64, f64, f64)> = all
            .iter()
            .filter(|element| element.name == "rect" && element.class.ends_with(" box"))
            .map(|element| (element.number("y"), element.number("x"), element.number("width")))
            .collect();
        assert!(boxes.iter().all(|(y, x, width)| *y > 0.0 && *x > 0.0 && x + width < svg.number("width") + 40.0));
        boxes.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert!(boxes.windows(2).all(|two| two[0].0 != two[1].0 || two[0].1 + two[0].2 <= two[1].1 + 0.2), "{boxes:?}");
    }
}

#[test]
fn what_is_said_once_slices_back_to_its_words() {
    let world = World::new("html-once");
    let found = world.json(&["compare", MOVED[0], MOVED[1]]).remove(0);
    for (side, text) in ["source", "target"].into_iter().zip(MOVED) {
        for said in found["only"][side].as_array().unwrap() {
            let at = |end: &str| said[end].as_u64().unwrap() as usize;
            assert_eq!(said["text"], Value::from(&text[at("start")..at("end")]));
        }
    }
    assert!(found["only"]["source"].to_string().contains("city"), "{}", found["only"]);
}

#[test]
fn files_are_written_and_the_text_is_still_printed() {
    let world = World::new("html-files");
    let [source, target] = NUMBER;
    let plain = world.ok(&["compare", source, target]);
    assert_eq!(world.ok(&["compare", source, target, "--html", "page.html", "--svg", "picture.svg"]), plain);
    assert_eq!(String::from_utf8(world.read("page.html")).unwrap(), page(&world, NUMBER));
    assert!(String::from_utf8(world.read("picture.svg")).unwrap().starts_with("<svg "));
    assert_eq!(
        world.ok(&["compare", source, target, "--html", "page.html", "--quiet"]),
        plain,
        "quiet hides no result"
    );
    assert_eq!(world.json(&["compare", source, target, "--html", "page.html"]).len(), 1);
    // The page is replaced as a whole, and no other file is left behind.
    let files = world.files();
    assert!(
        files.iter().all(|name| ["more.tsv", "page.html", "pairs.tsv", "picture.svg"].contains(&&name[..])),
        "{files:?}"
    );
}

#[test]
fn the_verdict_comes_first_and_words_stand_for_signs() {
    let world = World::new("html-text");
    let text = world.ok(&["compare", NUMBER[0], NUMBER[1]]);
    assert!(text.starts_with("Contradiction: "), "{text}");
    let places: Vec<usize> =
        ["\nsource    The ticket", "!!", "60 euros -> 80 euros: different number", "\nsaid in only one of them\n"]
            .map(|part| text.find(part).unwrap_or_else(|| panic!("{part}\n{text}")))
            .to_vec();
    assert!(places.is_sorted(), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn what_cannot_be_written_is_said_before_any_work() {
    let world = World::new("html-faults");
    for (args, expected) in [
        (&["--html", "no-such-folder/page.html"][..], "cannot write no-such-folder/page.html"),
        (&["--svg", "no-such-folder/x.svg"], "cannot write no-such-folder/x.svg"),
        (&["--html", "-", "--svg", "-"], "only one of --html -, --svg - and --json"),
        (&["--html", "-", "--json"], "only one of --html -, --svg - and --json"),
        (&["--html", "x", "--svg", "x"], "--html x and --svg x name the same file"),
    ] {
        let output = world.run(&[&["compare", "a", "b"], args].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains(expected) && said.lines().count() == 1, "{args:?}: {said}");
        assert!(output.stdout.is_empty() && !world.files().contains(&"x".to_owned()));
    }
}

/// Returns a Chromium found on the path.
fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name))).find(|file| file.is_file())
}

/// Runs the browser on a page with a separate profile. Returns whether it succeeded within a
/// minute.
fn browse(world: &World, browser: &Path, page: &str, extra: &[&str]) -> bool {
    let profile = world.folder.join("profile");
    let mut command = Command::new(browser);
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-sync",
        "--no-first-run",
        "--hide-scrollbars",
        "--force-device-scale-factor=1",
    ]);
    command.arg(format!("--user-data-dir={}", profile.display())).args(extra);
    command.arg(format!("file://{}", world.folder.join(page).display()));
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    for _ in 0..600 {
        if let Some(status) = child.try_wait().unwrap() {
            return status.success();
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}

#[test]
fn a_browser_shows_the_page_and_asks_the_network_for_nothing() {
    let Some(browser) = browser() else {
        resay_testing::skip("pages in a browser", "no chromium or google-chrome on the path");
        return;
    };
    let world = World::new("html-browser");
    world.ok(&["compare", NUMBER[0], NUMBER[1], "--quiet", "--html", "page.html"]);
    world.write("blank.html", "<!DOCTYPE html><title>blank</title>");
    world.write("asking.html", "<!DOCTYPE html><title>asking</title><img src=\"http://nobody.invalid/a.png\">");
    let in_folder = |name: &str| world.folder.join(name).display().to_string();
    // The page `asking` makes a request, which shows that requests are detected.
    for (page, n_expected) in [("page", 0), ("blank", 0), ("asking", 1)] {
        let shot = format!("--screenshot={}", in_folder(&format!("{page}.png")));
        let log = format!("--log-net-log={}", in_folder("net.json"));
        let args = ["--window-size=900,700", &shot, &log];
        if !browse(&world, &browser, &format!("{page}.html"), &args) || !world.files().contains(&format!("{page}.png"))
        {
            resay_testing::skip("pages in a browser", format!("{} does not run here", browser.display()));
            return;
        }
        // Requests of a page are logged with its site; the browser's own requests are not.
        let log = String::from_utf8_lossy(&world.read("net.json")).into_owned();
        let is_asked = |line: &&str| line.contains("{site=file://") && line.contains("\"url\":\"http");
        let asked: Vec<&str> = log.lines().filter(is_asked).collect();
        assert!(log.contains("\"events\"") && asked.len().min(1) == n_expected, "{page}: {asked:?}");
    }
    // PNG compresses: a blank page of this size is a few thousand bytes.
    let (shown, blank) = (world.read("page.png").len(), world.read("blank.png").len());
    assert!(shown > 20_000 && shown > 4 * blank, "{shown} bytes against {blank} of a blank page");
}

#[test]
fn the_picture_of_the_readme_is_such_a_drawing() {
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/picture.svg");
    let picture = std::fs::read_to_string(picture).unwrap();
    let all = elements(&picture);
    assert!(picture.len() < 200_000 && all[0].class == "resay-picture");
    assert!(all.iter().any(|element| element.class == "paper"), "it can be read on any ground");
    assert!(all.iter().any(|element| element.class == "pill-text" && element.text == "different number"));
}
