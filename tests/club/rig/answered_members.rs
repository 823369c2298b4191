//! Members who count as having answered the club before.

use super::Club;
use postrider::club::{LetterStyle, Member};
use postrider::process::Context;
use postrider::store::Batch;

impl Club {
    pub fn mark_all_answered(&self) {
        mark_members_answered(&self.open_context(), None);
    }

    /// Like [`Club::mark_all_answered`]. First adds a member with this name if the address is
    /// unknown.
    pub fn ensure_answered_member(&self, name: &str, address: &str) {
        mark_members_answered(&self.open_context(), Some((name, address)));
    }
}

/// Notes that every member has answered the club before. Adds the member `more`, a name and an
/// address, if the address is unknown.
pub fn mark_members_answered(context: &Context, more: Option<(&str, &str)>) {
    let mut members = context.store.members().expect("they are read");
    if let Some((name, address)) = more
        && context.store.member_by_address(address).expect("it is read").is_none()
    {
        members.push(Member {
            id: context.store.next_member_number().expect("it is read"),
            name: name.to_owned(),
            addresses: vec![address.to_owned()],
            language: "en".to_owned(),
            ascii: true,
            letters: LetterStyle { only_turns: true, ..LetterStyle::default() },
            ..Member::default()
        });
    }
    members.iter_mut().for_each(|member| member.has_answered = true);
    context
        .store
        .write_without_conflict_check(&Batch { members, ..Batch::default() })
        .expect("written");
}
