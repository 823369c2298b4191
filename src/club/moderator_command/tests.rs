//! Tests of the parser for the moderator's commands.

use super::*;
use crate::club::clock::{ClockRule, Length, NmrRule};

fn parse_intervention_line(line: &str) -> (u32, Intervention, String) {
    match ModeratorCommand::parse(line) {
        Ok(ModeratorCommand::Intervene { game, intervention: what, reason }) => {
            (game, what, reason)
        }
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn intervention_line_has_game_and_reason() {
    let why = || "I travel, and so does Bob.".to_owned();
    for line in [
        "pause 12 because I travel, and so does Bob.",
        "PAUSE game #12 Because: I travel, and so does Bob.",
        "pause #12, because I travel, and so does Bob.",
    ] {
        assert_eq!(parse_intervention_line(line), (12, Intervention::Pause, why()));
    }
    let of = |line: &str| parse_intervention_line(&format!("{line} because x")).1;
    assert_eq!(of("extend 12 by 3 days"), Intervention::Extend(Length::Days(3)));
    assert_eq!(of("Extend 12 12h"), Intervention::Extend(Length::Minutes(720)));
    assert_eq!(of("rewind 12 to 37"), Intervention::Rewind(37));
    assert_eq!(of("force 12 seat 2"), Intervention::Force(Seat::new(2)));
    let by = Substitute::Named("ann@example.org".to_owned());
    assert_eq!(
        of("replace 12 seat 2 by Ann@Example.org"),
        Intervention::Replace { seat: Seat::new(2), by }
    );
    let six_hours = ClockRule::Grace(Some(Length::Minutes(360)));
    assert_eq!(of("set 12 grace \"6 hours\""), Intervention::Set(vec![six_hours]));
    assert_eq!(of("set 12 bank none"), Intervention::Set(vec![ClockRule::Bank(None)]));
    assert_eq!(of("set 12 nmr forfeit"), Intervention::Set(vec![ClockRule::Nmr(NmrRule::Forfeit)]));
    let Intervention::Set(rules) = of("set 12 deadline Mon,Thu 20:00 Europe/Madrid") else {
        panic!("a deadline")
    };
    assert_eq!(rules[0].to_string(), "deadline Mon,Thu 20:00 Europe/Madrid");
}

#[test]
fn moderator_texts_keep_their_writing() {
    let read = |line: &str| ModeratorCommand::parse(line).expect(line);
    let text = |text: &str| text.to_owned();
    assert_eq!(
        read("announce 12 No letters on Sunday, because of the fair."),
        ModeratorCommand::Intervene {
            game: 12,
            intervention: Intervention::Announce,
            reason: text("No letters on Sunday, because of the fair."),
        }
    );
    let all = |said: &str| ModeratorCommand::AnnounceToAll(text(said));
    assert_eq!(read("announce all: 12 games begin"), all("12 games begin"));
    assert_eq!(read("Announce \"We are back\""), all("We are back"));
    assert_eq!(
        read("note game 12: Ann asked twice"),
        ModeratorCommand::Note { game: 12, text: text("Ann asked twice") }
    );
    let name = text("1767636000.M1P2.Host,S=7");
    assert_eq!(
        read("letters accept 1767636000.M1P2.Host,S=7:2,S for 12 seat 2 because it is hers"),
        ModeratorCommand::Quarantine(QuarantineCommand::Accept {
            name: name.clone(),
            seat: Some((12, Seat::new(2))),
            reason: text("it is hers"),
        })
    );
    assert_eq!(
        read("letters reject 1767636000.M1P2.Host,S=7"),
        ModeratorCommand::Quarantine(QuarantineCommand::Reject { name, reason: text("") })
    );
}

#[test]
fn token_rotation_lines_are_parsed() {
    let rotate = ModeratorCommand::RotateMember {
        who: "ann@example.org".to_owned(),
        reason: "it was read".to_owned(),
    };
    assert_eq!(
        ModeratorCommand::parse("rotate member Ann@Example.org because it was read"),
        Ok(rotate)
    );
    assert_eq!(ModeratorCommand::parse("New marks."), Ok(ModeratorCommand::NewReplyTokens));
}

#[test]
fn people_may_be_named_by_name() {
    let parse = |line| ModeratorCommand::parse(line).expect(line);
    let (who, reason) = ("Zed Smith".to_owned(), "x".to_owned());
    let rotate = ModeratorCommand::RotateMember { who: who.clone(), reason };
    assert_eq!(parse("rotate member Zed Smith because x"), rotate);
    for line in ["Letters from Zed Smith.", "letters from Zed Smith !"] {
        let who = who.clone();
        assert_eq!(parse(line), ModeratorCommand::MemberLetters { who }, "{line}");
    }
    for (written, by) in [
        ("by Zed Smith <Zed@x.org>", "Zed Smith <Zed@x.org>"),
        ("with \"Smith, Zed\" <zed@x.org>,", "\"Smith, Zed\" <zed@x.org>"),
        ("by Zed Smith,", "Zed Smith"),
        ("by Zed Smith <zed@x.org> ,", "Zed Smith <zed@x.org>"),
        ("by Zed Smith Zed@x.org", "Zed Smith <Zed@x.org>"),
        ("by \"Smith, Zed\" zed@x.org.", "Smith, Zed <zed@x.org>"),
        ("by \"Zed@x.org\"", "zed@x.org"),
    ] {
        let line = format!("replace 12 seat 2 {written} because x");
        let (seat, by) = (Seat::new(2), Substitute::Named(by.to_owned()));
        assert_eq!(parse_intervention_line(&line).1, Intervention::Replace { seat, by });
    }
}

#[test]
fn invitation_has_address_and_optional_name() {
    for (line, name) in [
        ("invite Zoe Miller <Zoe@Example.net>", "Zoe Miller"),
        ("Invite: \"Zoe Miller\" zoe@example.net.", "Zoe Miller"),
        ("invite zoe@example.net", ""),
        ("invite <zoe@example.net>", ""),
    ] {
        let (name, address) = (name.to_owned(), "zoe@example.net".to_owned());
        assert_eq!(
            ModeratorCommand::parse(line),
            Ok(ModeratorCommand::Invite { name, address }),
            "{line}"
        );
    }
    let key = |line: &str| ModeratorCommand::parse(line).expect_err(line).key;
    for line in ["invite", "invite Zoe", "invite zoe@x.org because she asked"] {
        assert_eq!(key(line), "moderator-wrong-form", "{line}");
    }
    assert_eq!(key("invite 12 zoe@example.net"), "moderator-unknown");
}

#[test]
fn faulty_moderator_lines_get_specific_errors() {
    let key = |line: &str| ModeratorCommand::parse(line).expect_err(line).key;
    for line in
        ["pause 12", "end 12 because", "rotate member 3", "letters accept x", "rotate 12 seat 2"]
    {
        assert_eq!(key(line), "moderator-no-reason", "{line}");
    }
    for line in ["pause because x", "force 12 because x", "log", "note hello", "rewind 12"] {
        assert_eq!(key(line), "moderator-wrong-form", "{line}");
    }
    assert_eq!(key("build red G23"), "moderator-unknown");
    assert_eq!(key(""), "moderator-unknown");
    assert_eq!(key("extend 12 by because x"), "moderator-no-length");
    assert_eq!(key("set 12 colour red because x"), "moderator-no-rule");
    assert_eq!(key("set 12 deadline soon because x"), "moderator-no-deadline");
    assert_eq!(key("force 12 seat 0 because x"), "moderator-wrong-form");
    assert_eq!(key("force 12 seat 300 because x"), "moderator-wrong-form");
}

#[test]
fn empty_announcement_or_note_is_refused() {
    let key = |line: &str| ModeratorCommand::parse(line).expect_err(line).key;
    for line in ["announce", "announce 12", "announce game 12:", "announce all:", "note 12:"] {
        assert_eq!(key(line), "moderator-wrong-form", "{line}");
    }
}
