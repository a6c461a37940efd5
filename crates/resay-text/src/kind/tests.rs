//! Texts of many kinds, and the sentences of the contrast pairs.

use super::*;
use crate::testing;
use std::sync::LazyLock;

static WORDS: LazyLock<Words> = LazyLock::new(|| Words::from_bytes("words", testing::bytes("words")).unwrap());

fn check(expected: TextKind, texts: &[&str]) {
    let is_other = |text: &&&str| TextKind::of(text, &WORDS) != expected;
    let wrong: Vec<String> =
        texts.iter().filter(is_other).map(|text| format!("{:?}: {text}", TextKind::of(text, &WORDS))).collect();
    assert!(wrong.is_empty(), "expected {expected:?} of {}:\n{}", texts.len(), wrong.join("\n"));
}

#[test]
fn english_of_many_kinds_passes() {
    check(
        TextKind::English,
        &[
            "Hi",
            "cat",
            "OK",
            "No.",
            "Thanks!",
            "42",
            "50 %",
            "12:30",
            "$5",
            "BYOB party at mine",
            "gonna be late soz",
            "lol no way!!!!!!!!!!!!!!!",
            "omg cant beleive u did taht",
            "thx m8, c u 2moro at teh pub",
            "pls send me teh reciept asap",
            "Wanna grab a coffee?",
            "brb, dog's barking",
            "Call foo() to start the server.",
            "Set max_connections to 50 before you restart the database.",
            "Click File -> Save as, then choose a folder.",
            "The function returns an error if x >= 5.",
            "Write to help@example.com or see https://example.com/help?id=3.",
            "Select a seat from the list.",
            "Import tax applies to all goods.",
            "Return the book by Monday; bring your card.",
            "Each person(s) named below must sign the form(s).",
            "Samsung Galaxy S24 Ultra 256 GB",
            "Harley Davidson Fat Boy",
            "Nike Air Max",
            "Canon EOS R6 Mark II body only",
            "Johnson & Johnson Baby Shampoo",
            "iPhone 15 Pro Max, black, unlocked",
            "Nintendo Switch OLED",
            "Coca-Cola",
            "New York",
            "Anna Schmidt",
            "Martin Luther King Junior",
            "President Obama Meets Chancellor Merkel",
            "Stocks Fall as Oil Prices Surge",
            "Man Bites Dog, Police Say",
            "Red, White and Blue",
            "Milk, Eggs, Butter, Flour",
            "Apples, pears and plums",
            "Monday, Tuesday and Friday",
            "Angela Merkel met Emmanuel Macron in Berlin.",
            "Jürgen Müller from Köln visited Łódź and Kraków with Agnieszka Wiśniewska.",
            "Xi Jinping visited Ulaanbaatar.",
            "Vladimir Putin and Recep Tayyip Erdoğan spoke in Sochi on Tuesday.",
            "Dr. Nguyen Thi Minh Khai lives in Ho Chi Minh City.",
            "They ordered tagliatelle al ragù and a bottle of Montepulciano d'Abruzzo.",
            "She whispered \"je ne sais quoi\" and left.",
            "He sang La donna è mobile at the end.",
            "The café's crème brûlée is très chic.",
            "Schadenfreude is a German word.",
            "Rio de Janeiro is warmer than São Paulo.",
            "We saw Das Boot and Der Untergang.",
            "Acetaminophen relieves hyperalgesia.",
            "Methicillin-resistant Staphylococcus aureus colonises the nares.",
            "The mitochondrial electron transport chain generates adenosine triphosphate.",
            "Plaintiff's motion for summary judgment is hereby denied.",
            "The temperature rose to −5 °C (23 °F).",
            "E = mc² says that mass is energy.",
            "α-synuclein accumulates in neurons.",
            "Do you want to go?",
            "To be or not to be",
            "Go on",
            "Come in!",
            "I do",
            "Is it me?",
            "He had a plan.",
            "Men die in war.",
            "Son, do not go on.",
            "In the van was a den.",
            "Ten men sat on the bed.",
            "Also, bring the paper.",
            "TO WHOM IT MAY CONCERN",
            "WANTED: DEAD OR ALIVE",
            "STOP!!! DO NOT ENTER!!!",
            "1. Wash your hands. 2. Dry them.",
            "- buy bread\n- call Mum\n- feed the cat",
            "Total: 3 x 5 = 15",
            "Q: Where is it? A: Here.",
            "Love it <3 :-)",
            "Rock 'n' roll",
            "It's 9 o'clock, y'all.",
            "O'Brien's dog didn't bark.",
            "The boss will see you now.",
            "Ma and Pa came over.",
            "A la carte menu available",
            "Per person, per day",
            "No dogs allowed",
            "Sale ends Sunday",
            "For sale: baby shoes, never worn.",
            "um, er, idk tbh",
            "usb-c hdmi vga adapter",
            "wot r u on abt m8",
            "nah soz mate cba",
            "Le Monde reported the story.",
            "The la-la land of El Dorado",
            "Paracetamol, ibuprofen and aspirin reduce fever.",
            "Tom and Jerry",
            "Anna, Ben and Clara went home.",
            "Anna told Ben, and Ben told Clara.",
            "Sorry for the delay, Anna",
            "Smith v. Jones",
            "Barcelona beat Juventus",
            "Manchester United 2, Arsenal 1",
            "IMF: global growth slows",
            "Dear Sir or Madam",
        ],
    );
}

#[test]
fn other_languages_are_noticed() {
    check(
        TextKind::OtherLanguage,
        &[
            "Ich habe heute keine Zeit.",
            "Der Zug kommt um acht Uhr an.",
            "Wir haben gestern ein neues Auto gekauft.",
            "Das Wetter ist heute sehr schön.",
            "Bitte senden Sie mir die Rechnung per Post.",
            "Die Katze schläft auf dem Sofa.",
            "Je ne sais pas où il est.",
            "Le train part à huit heures.",
            "Nous avons acheté une nouvelle voiture hier.",
            "Il fait très beau aujourd'hui.",
            "Elle travaille dans un hôpital à Lyon.",
            "Le chat dort sur le canapé.",
            "No sé dónde está mi hermano.",
            "El tren sale a las ocho de la mañana.",
            "Ayer compramos un coche nuevo.",
            "Hoy hace muy buen tiempo.",
            "Ella trabaja en un hospital de Madrid.",
            "El gato duerme en el sofá.",
            "Non so dove sia mio fratello.",
            "Il treno parte alle otto.",
            "Ieri abbiamo comprato una macchina nuova.",
            "Oggi il tempo è molto bello.",
            "Lei lavora in un ospedale a Roma.",
            "Il gatto dorme sul divano.",
            "Ik heb vandaag geen tijd.",
            "De trein vertrekt om acht uur.",
            "Wij hebben gisteren een nieuwe auto gekocht.",
            "Het weer is vandaag erg mooi.",
            "Zij werkt in een ziekenhuis in Utrecht.",
            "De kat slaapt op de bank.",
            "Nie mam dzisiaj czasu.",
            "Pociąg odjeżdża o ósmej rano.",
            "Wczoraj kupiliśmy nowy samochód.",
            "Dzisiaj jest bardzo ładna pogoda.",
            "Ona pracuje w szpitalu w Krakowie.",
            "Kot śpi na kanapie.",
            "O trem sai às oito horas da manhã.",
            "Eu não tenho tempo hoje.",
            "Jag har inte tid idag.",
            "Tåget går klockan åtta på morgonen.",
            "Bugün hiç zamanım yok.",
            "Minulla ei ole aikaa tänään.",
            "今天天气很好。",
            "我没有时间。",
            "今日は時間がありません。",
            "오늘은 시간이 없어요.",
            "У меня сегодня нет времени.",
            "Поезд отправляется в восемь часов.",
            "Δεν έχω χρόνο σήμερα.",
            "ليس لدي وقت اليوم.",
            "אין לי זמן היום.",
            "मेरे पास आज समय नहीं है।",
            "asdf qwerq zxcvb hjklq wrtzp",
        ],
    );
}

#[test]
fn code_is_noticed() {
    check(
        TextKind::Code,
        &[
            "def area(r):\n    return 3.14 * r ** 2",
            "for x in items:\n    print(x)",
            "import numpy as np",
            "from os import path",
            "if a == b:\n    return None",
            "class Dog(Animal):\n    def __init__(self, name):\n        self.name = name",
            "print('hello')\nprint('world')",
            "x = [i for i in range(10) if i % 2 == 0]",
            "with open('a.txt') as f:\n    data = f.read()",
            "#include <stdio.h>",
            "int main(void) { return 0; }",
            "for (int i = 0; i < n; i++) { sum += a[i]; }",
            "printf(\"Hello, world!\\n\");",
            "char *p = malloc(n * sizeof(char));",
            "if (x != NULL && x->next == y) free(x);",
            "struct point { int x; int y; };",
            "const f = (x) => x * 2;",
            "let total = items.map(i => i.price).reduce((a, b) => a + b, 0);",
            "function add(a, b) { return a + b; }",
            "fn main() { println!(\"hi\"); }",
            "let v: Vec<u32> = (0..10).collect();",
            "public static void main(String[] args) {",
            "SELECT name, age FROM users WHERE age > 30;",
            "SELECT * FROM orders",
            "INSERT INTO users (name, age) VALUES ('Anna', 30);",
            "UPDATE users SET name = 'Ben' WHERE id = 3;",
            "DELETE FROM orders WHERE total < 5",
            "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);",
            "select name from users where id = 3;",
            "{\"name\": \"Anna\", \"age\": 30}",
            "[{\"id\": 1}, {\"id\": 2}]",
            "{\"a\": [1, 2, 3], \"b\": null}",
            "[\"red\", \"green\", \"blue\"]",
            "<p>This is a paragraph.</p>",
            "<div class=\"box\"><h1>Title</h1></div>",
            "<a href=\"https://example.com\">Click here</a>",
            "<ul>\n  <li>One</li>\n  <li>Two</li>\n</ul>",
            "<?xml version=\"1.0\"?><note><to>Anna</to></note>",
            "body { color: red; margin: 0; }",
            "git commit -m \"fix\" && git push --force",
            "sudo apt-get install -y nginx && systemctl start nginx",
            "ls -la /tmp/foo | grep -v bar",
        ],
    );
}

#[test]
fn lists_of_names_and_symbols_are_noticed() {
    check(
        TextKind::Names,
        &[
            "Anna Smith, John Doe, Peter Müller",
            "Alice, Bob, Carol",
            "Anna Kowalska; Jan Nowak; Piotr Wiśniewski",
            "James Miller\nSusan Clark\nRobert Jones\nLinda Davis",
            "Ludwig van Beethoven, Johann Sebastian Bach, Wolfgang Amadeus Mozart",
            "Emma, Olivia, Noah and Liam",
            "David Michael Sarah Jennifer Robert",
            "J. Smith, K. Miller, P. Jones",
            "Paris, London, Berlin, Madrid",
            "María García, José Martínez, Juan López",
            "Thomas, Maria, Stefan, Julia",
            "Angela Merkel, Emmanuel Macron, Boris Johnson, Giuseppe Conte",
        ],
    );
    check(
        TextKind::Symbols,
        &["!!!", "???", "...", ":-)", "---", "👍", "🎉🎉🎉", "* * *", "=====", "@#$%&*", "→ ← ↑ ↓", "-/-/-/-a(-)(%)#@"],
    );
}

/// Fewer than 2 of 1,000 sentences of our own pairs are taken for anything but English.
#[test]
fn our_own_sentences_are_english() {
    let contrast = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrast");
    let mut files: Vec<std::path::PathBuf> =
        contrast.join("training").read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.push(contrast.join("suite.tsv"));
    files.sort();
    let (mut n, mut flagged) = (0, Vec::new());
    for file in files.into_iter().filter(|file| file.extension().is_some_and(|extension| extension == "tsv")) {
        let is_suite = file.ends_with("suite.tsv");
        let text = std::fs::read_to_string(&file).unwrap();
        for line in text.lines().skip(usize::from(is_suite)).filter(|line| !line.starts_with('#')) {
            for text in line.split('\t').skip(if is_suite { 3 } else { 2 }).take(2) {
                n += 1;
                let kind = TextKind::of(text, &WORDS);
                if kind != TextKind::English {
                    flagged.push(format!("{kind:?}: {text}"));
                }
            }
        }
    }
    assert!(n > 20_000 && 1000 * flagged.len() < 2 * n, "{} of {n}:\n{}", flagged.len(), flagged.join("\n"));
}
