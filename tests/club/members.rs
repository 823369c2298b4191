//! Changes of a member's names and addresses, and reply tokens that a rotation makes invalid.

use crate::rig::Club;
use postrider::club::{Intervention, Member};
use postrider::process::{self, MemberChange, MemberRefusal};
use postrider::rules::Seat;

fn change_member(club: &Club, who: &str, change: &MemberChange) -> Result<Member, MemberRefusal> {
    process::split_refusal(process::change_member(&club.open_context(), who, change))
        .expect("the store works")
}

fn new_address_change(address: &str, first: bool) -> MemberChange {
    MemberChange::AddAddress { address: address.to_owned(), first }
}

#[test]
fn orders_accepted_from_any_address_letters_to_first() {
    let mut club = Club::with_paris_game("");
    let reply = club.compose_reply("Ann", "build red G23, Troyes").replace("ann@", "ann@work.");
    club.deliver(&reply);
    assert_eq!(club.run_pass().0.quarantined, 1);
    change_member(&club, "ann@example.org", &new_address_change("Ann@Work.example.org", false))
        .expect("it is free");
    club.deliver(reply.replace("Message-ID: <", "Message-ID: <2"));
    let (report, letters) = club.run_pass();
    assert_eq!(report.carried_out, 1);
    assert_eq!(letters[0].to, "ann@example.org");
    let ann =
        change_member(&club, "1", &new_address_change("ann@work.example.org", true)).expect("hers");
    assert_eq!(ann.addresses, ["ann@work.example.org", "ann@example.org"]);
    let gone = MemberChange::RemoveAddress("ann@example.org".to_owned());
    change_member(&club, "1", &gone).expect("there is another");
    club.send_reply("Bob", "status");
    assert!(
        club.open_context().store.member_by_address("ann@example.org").expect("works").is_none()
    );
}

#[test]
fn invalid_member_changes_are_refused() {
    let club = Club::with_paris_game("");
    let taken_address = change_member(&club, "1", &new_address_change("bob@example.org", false));
    assert!(matches!(taken_address, Err(MemberRefusal::Taken { id: 2, .. })));
    assert!(matches!(
        change_member(&club, "9", &new_address_change("x@y.org", false)),
        Err(MemberRefusal::NoMember(_))
    ));
    let club_address = change_member(&club, "1", &new_address_change("games@example.org", false));
    assert!(matches!(club_address, Err(MemberRefusal::ClubAddress(_))));
    let last_address =
        change_member(&club, "1", &MemberChange::RemoveAddress("ann@example.org".to_owned()));
    assert!(matches!(last_address, Err(MemberRefusal::LastAddress(_))));
    let nameless = change_member(&club, "1", &MemberChange::Rename("\u{7} ".to_owned()));
    assert_eq!(nameless, Err(MemberRefusal::NoName));
    let unknown_language = process::split_refusal(process::change_member_setting(
        &club.open_context(),
        "1",
        "language tlh",
    ))
    .expect("the store works");
    assert!(matches!(unknown_language, Err(MemberRefusal::WrongSetting(_))));
    let unknown_setting = process::split_refusal(process::change_member_setting(
        &club.open_context(),
        "1",
        "sing a song",
    ))
    .expect("the store works");
    assert!(matches!(unknown_setting, Err(MemberRefusal::NoSetting(_))));
    for name in ["bob", "B\u{43e}b", "The moderator", "seat 2", "Mod"] {
        let not_free = change_member(&club, "1", &MemberChange::Rename(name.to_owned()));
        assert_eq!(not_free, Err(MemberRefusal::NameNotFree(name.to_owned())));
    }
    let anyway =
        change_member(&club, "1", &MemberChange::RenameAnyway("bob".to_owned())).expect("so");
    assert_eq!(anyway.name, "bob");
    let renamed =
        change_member(&club, "1", &MemberChange::Rename("Annie".to_owned())).expect("a name");
    assert_eq!(renamed.name, "Annie");
}

#[test]
fn rotation_voids_old_reply_token() {
    let mut club = Club::with_paris_game("");
    let old = club.last_letter_to("Ann").expect("a letter").clone();
    let rotate = |seat| {
        let what = Intervention::Rotate(Seat::new(seat));
        process::split_refusal(process::moderate_game(
            &club.open_context(),
            1,
            &what,
            "they were lost",
        ))
        .expect("the store works")
    };
    assert!(rotate(1).is_ok());
    assert!(rotate(4).is_err());
    let (_, letters) = club.run_pass();
    assert_eq!(letters.len(), 1);
    assert!(letters[0].message_id.starts_with("g1.s1."));
    club.deliver(club.compose_reply_to("Ann", &old, "build red G23, Troyes"));
    let (report, letters) = club.run_pass();
    assert_eq!(report.carried_out, 0);
    assert!(letters[0].contains("isn't valid, or no longer is"), "{}", letters[0].body_text());
    club.send_reply("Ann", "build red G23, Troyes");
    assert_eq!(club.run_pass().0.carried_out, 1);
}
