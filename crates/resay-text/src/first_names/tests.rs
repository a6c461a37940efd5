use super::*;
use crate::{English, EnglishScratch, testing};

fn names() -> FirstNames {
    FirstNames::bundled()
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let masked = names().mask(text).map_or(text.to_owned(), |masked| masked.text);
    assert_eq!(masked, expected, "{text}");
}

#[test]
fn names_become_canonical_ones_by_order_of_appearance() {
    check("Eva texted Malik.", "Susan texted Michael.");
    check("Malik texted Eva, and Eva called Zeynep.", "Michael texted Susan, and Susan called Jennifer.");
    check("Alex left.", "Alexis left.");
    check("It rained.", "It rained.");
    check("", "");
}

#[test]
fn marks_around_a_name_stay() {
    check("Anna's car is Tom’s.", "Susan's car is Michael’s.");
    check("“Anna,” said ('Tom'), \"Wei!\"", "“Susan,” said ('Michael'), \"Robert!\"");
    check("Anna B. Smith met J. Tom.", "Susan B. Smith met J. Michael.");
    check("James' house; Anna: yes. Anna/Tom", "Michael' house; Susan: yes. Susan/Robert");
}

#[test]
fn hyphens_join_names_into_one() {
    check("Anna-Maria met Jean-Luc and Carl-Erik.", "Susan met Alexis and Michael.");
    check("An Anna-led team, Anna-like.", "An Anna-led team, Anna-like.");
    check("Their Anna-led team.", "Their Susan-led team.");
    check("Blu-Ray and X-Ray", "Blu-Ray and X-Ray");
    check("Anna-Schmidt and Anna - Tom", "Anna-Schmidt and Anna - Michael");
}

#[test]
fn capitals_are_kept_where_all_is_in_capitals() {
    check("ANNA CALLED TOM'S WIFE.", "SUSAN CALLED MICHAEL'S WIFE.");
    check("ANNA called Tom.", "ANNA called Michael.");
    check("WILL YOU MARK IT?", "WILL YOU MARK IT?");
}

#[test]
fn words_are_not_names_unless_their_position_says_so() {
    for text in [
        "Will you come?",
        "May I?",
        "Mark the date.",
        "a rose",
        "A Rose for Emilyx.",
        "They read the Will.",
        "Rose petals fell. Grace matters. Hope fades. Bill us. \"Mark it.\"",
        "Don't go. In April it rains.",
        "my Will and this Mark",
        "San Diego, St. Louis, Lake Maria",
        "mail @anna or anna@tom.com, O'Brian, Anna2, www.Anna.com, _Tom_",
    ] {
        let masked = names().mask(text);
        assert!(masked.is_none_or(|masked| masked.uses.is_empty() && masked.text == text), "{text}");
    }
    check("I asked Will about it.", "I asked Michael about it.");
    check("Will has left. Mark's car broke.", "Michael has left. Robert's car broke.");
    check("Anna and Rose met Jack, Will and Bob.", "Susan and Jennifer met Michael, Robert and Steven.");
    check("Dear Grace, hi Mark!", "Dear Susan, hi Michael!");
}

#[test]
fn canonical_names_that_stand_in_the_text_anyway_are_not_given_out() {
    let masked = names().mask("the Susan met Anna and susan").unwrap();
    assert_eq!(masked.text, "the Susan met Jennifer and susan");
    assert_eq!(&*masked.kept, &[Box::from("susan")]);
}

#[test]
fn letters_outside_ascii_are_letters() {
    check("Zoë küsste José.", "Susan küsste Michael.");
    check("Jose\u{301} 你好 Anna", "Jose\u{301} 你好 Susan");
    check("🎉Anna🎉 İbrahim", "🎉Susan🎉 Michael");
    check("ŁUKASZ", "MICHAEL");
    check("Łukasz—Ángel…", "Michael—Robert…");
}

#[test]
fn the_list_is_well_formed() {
    let names = names();
    assert!(names.known.len() > 3000, "{}", names.known.len());
    let n_listed = LIST.lines().filter(|line| !line.starts_with(['#', '['])).flat_map(str::split_whitespace).count();
    assert_eq!(names.known.len(), n_listed, "a name stands in one section only");
    // As many people as a text is likely to have.
    for gender in [Gender::Female, Gender::Male, Gender::Both] {
        let mut forms = CanonicalNames::without(&[]);
        let given: Vec<NameForm> = (0..14).map(|_| forms.next(gender, "x")).collect();
        assert!(given.iter().all(|form| *form != NameForm::AsWritten));
        assert_eq!(forms.next(gender, "x"), NameForm::AsWritten);
    }
}

#[test]
fn what_is_found_in_the_masked_text_is_restored() {
    let english: English = testing::english();
    let mut scratch = EnglishScratch::default();
    for text in [
        "Eva texted Malik. Then Bartholomew left Zoë's house!",
        "ANNA CALLED TOM'S WIFE.",
        "Anna’s brother Tom, 12, e-mailed Wei.",
        "Wei",
    ] {
        let masked = names().mask(text).unwrap();
        let found = english.text(&masked.text, &mut scratch);
        let restored = masked.restore(text, &found);
        assert_eq!(&*restored.text, text);
        let bare = English::cut(text).into_iter().flat_map(|(start, sentence)| {
            let forms: Vec<String> = (0..sentence.words.len()).map(|at| sentence.form(at).to_owned()).collect();
            forms.into_iter().map(move |form| (start, form))
        });
        let forms: Vec<String> = (0..restored.words.len()).map(|at| restored.form(at).to_owned()).collect();
        assert_eq!(forms, bare.map(|(_, form)| form).collect::<Vec<_>>());
        for (old, new) in found.words.iter().zip(&restored.words) {
            assert_eq!((old.upos, &old.xpos, old.head), (new.upos, &new.xpos, new.head));
        }
        for one in &masked.uses {
            let word = restored.words.iter().find(|word| word.span == one.original);
            let lemma = word.and_then(|word| word.lemma.as_deref()).unwrap_or_default();
            assert_eq!(lemma.to_lowercase(), text[one.original.range()].to_lowercase());
        }
        // Its own forms change nothing.
        let forms: Vec<NameForm> = masked.names.iter().map(|name| name.form).collect();
        assert_eq!(masked.rename(text, &found, &forms), found);
        let as_written = vec![NameForm::AsWritten; forms.len()];
        let renamed = masked.rename(text, &found, &as_written);
        assert_eq!(&*renamed.text, text);
        assert!(renamed.words.iter().zip(&restored.words).all(|(a, b)| a.span == b.span));
    }
}
