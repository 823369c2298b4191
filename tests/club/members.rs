//! Members whose addresses change, and seats whose reply tokens are made void.

use crate::rig::Club;
use postrider::club::{Intervention, Member};
use postrider::process::{self, MemberChange, MemberRefusal};
use postrider::rules::Seat;

fn change(club: &Club, who: &str, change: &MemberChange) -> Result<Member, MemberRefusal> {
    process::answered(process::change_member(&club.context(), who, change))
        .expect("the store works")
}

fn address(address: &str, first: bool) -> MemberChange {
    MemberChange::AddAddress { address: address.to_owned(), first }
}

#[test]
fn orders_come_from_any_address_and_letters_go_to_the_first() {
    let mut club = Club::paris("");
    let reply = club.reply("Ann", "build red G23, Troyes").replace("ann@", "ann@work.");
    club.arrives(&reply);
    assert_eq!(club.pass().0.quarantined, 1);
    change(&club, "ann@example.org", &address("Ann@Work.example.org", false)).expect("it is free");
    club.arrives(reply.replace("Message-ID: <", "Message-ID: <2"));
    let (report, letters) = club.pass();
    assert_eq!(report.carried_out, 1);
    assert_eq!(letters[0].to, "ann@example.org");
    let ann = change(&club, "1", &address("ann@work.example.org", true)).expect("hers");
    assert_eq!(ann.addresses, ["ann@work.example.org", "ann@example.org"]);
    let gone = MemberChange::RemoveAddress("ann@example.org".to_owned());
    change(&club, "1", &gone).expect("there is another");
    club.writes("Bob", "status");
    assert!(club.context().store.member_by_address("ann@example.org").expect("works").is_none());
}

#[test]
fn what_cannot_be_is_refused() {
    let club = Club::paris("");
    let bobs = change(&club, "1", &address("bob@example.org", false));
    assert!(matches!(bobs, Err(MemberRefusal::Taken { id: 2, .. })));
    assert!(matches!(
        change(&club, "9", &address("x@y.org", false)),
        Err(MemberRefusal::NoMember(_))
    ));
    let own = change(&club, "1", &address("games@example.org", false));
    assert!(matches!(own, Err(MemberRefusal::Own(_))));
    let last = change(&club, "1", &MemberChange::RemoveAddress("ann@example.org".to_owned()));
    assert!(matches!(last, Err(MemberRefusal::Last(_))));
    let nameless = change(&club, "1", &MemberChange::Rename("\u{7} ".to_owned()));
    assert_eq!(nameless, Err(MemberRefusal::NoName));
    let tongue = process::answered(process::set_member(&club.context(), "1", "language tlh"))
        .expect("the store works");
    assert!(matches!(tongue, Err(MemberRefusal::WrongSetting(_))));
    let nothing = process::answered(process::set_member(&club.context(), "1", "sing a song"))
        .expect("the store works");
    assert!(matches!(nothing, Err(MemberRefusal::NoSetting(_))));
    for name in ["bob", "B\u{43e}b", "The moderator", "seat 2", "Mod"] {
        let not_free = change(&club, "1", &MemberChange::Rename(name.to_owned()));
        assert_eq!(not_free, Err(MemberRefusal::NameNotFree(name.to_owned())));
    }
    let anyway = change(&club, "1", &MemberChange::RenameAnyway("bob".to_owned())).expect("so");
    assert_eq!(anyway.name, "bob");
    let renamed = change(&club, "1", &MemberChange::Rename("Annie".to_owned())).expect("a name");
    assert_eq!(renamed.name, "Annie");
}

#[test]
fn after_a_rotation_only_the_new_letter_can_be_replied_to() {
    let mut club = Club::paris("");
    let old = club.last_to("Ann").expect("a letter").clone();
    let rotate = |seat| {
        let what = Intervention::Rotate(Seat::new(seat));
        process::answered(process::moderate(&club.context(), 1, &what, "they were lost"))
            .expect("the store works")
    };
    assert!(rotate(1).is_ok());
    assert!(rotate(4).is_err());
    let (_, letters) = club.pass();
    assert_eq!(letters.len(), 1);
    assert!(letters[0].message_id.starts_with("g1.s1."));
    club.arrives(club.reply_to("Ann", &old, "build red G23, Troyes"));
    let (report, letters) = club.pass();
    assert_eq!(report.carried_out, 0);
    assert!(letters[0].says("is not valid (any more)"), "{}", letters[0].text());
    club.writes("Ann", "build red G23, Troyes");
    assert_eq!(club.pass().0.carried_out, 1);
}
