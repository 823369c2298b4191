//! The store against a model in memory: whatever is committed is what is read, now and later.

use chrono::{DateTime, Utc};
use postrider::club::{Member, Seated};
use postrider::rules::Seat;
use postrider::store::{
    Batch, GameStore, LogLine, Outbox, Outgoing, Repository, SeenLetter, Store, journal,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// One change; numbers are small so that changes meet.
#[derive(Clone, Debug)]
enum Change {
    Line(u32, String),
    Member(u32, u8),
    Seat(u32, u8, u32),
    Seen(u8, i64),
    File(u8, String),
    Letter(Vec<u8>),
    Sent(u64),
    Postponed(u64, i64),
    Due(u32, Option<i64>),
    Answer(u8, i64),
}

fn change() -> impl Strategy<Value = Change> {
    let time = || -50_i64..50;
    prop_oneof![
        4 => (1..4_u32, "[a-zé]{0,9}").prop_map(|(game, line)| Change::Line(game, line)),
        1 => (1..4_u32, 0..4_u8).prop_map(|(id, home)| Change::Member(id, home)),
        2 => (1..4_u32, 1..4_u8, 1..4_u32).prop_map(|(g, seat, id)| Change::Seat(g, seat, id)),
        1 => (0..4_u8, time()).prop_map(|(digest, at)| Change::Seen(digest, at)),
        1 => (0..4_u8, "[a-z]{0,4}").prop_map(|(name, fate)| Change::File(name, fate)),
        2 => (any::<u8>(), 0..13_000_usize).prop_map(|(b, n)| Change::Letter(vec![b; n])),
        1 => (1..9_u64).prop_map(Change::Sent),
        1 => (1..9_u64, time()).prop_map(|(key, until)| Change::Postponed(key, until)),
        2 => (1..4_u32, proptest::option::of(time())).prop_map(|(g, due)| Change::Due(g, due)),
        1 => (0..3_u8, time()).prop_map(|(address, at)| Change::Answer(address, at)),
    ]
}

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(seconds, 0).unwrap()
}

/// What the store should hold.
#[derive(Default)]
struct Model {
    logs: BTreeMap<u32, Vec<String>>,
    members: BTreeMap<u32, Member>,
    seats: BTreeMap<(u32, u8), Seated>,
    seen: BTreeMap<u8, i64>,
    files: BTreeMap<u8, String>,
    outbox: BTreeMap<u64, (Vec<u8>, u32, i64)>,
    letters: u64,
    due: BTreeMap<u32, i64>,
    answers: Vec<(u8, i64)>,
}

impl Model {
    /// Does the changes, in the order in which a batch does them, and says them as a batch.
    fn batch(&mut self, mut changes: Vec<Change>) -> Batch {
        changes.sort_by_key(|change| match change {
            Change::Sent(_) => 1,
            Change::Postponed(..) => 2,
            _ => 0,
        });
        let mut batch = Batch::default();
        changes.into_iter().for_each(|change| self.change(change, &mut batch));
        batch
    }

    fn change(&mut self, change: Change, batch: &mut Batch) {
        match change {
            Change::Line(game, line) => {
                let log = self.logs.entry(game).or_default();
                batch.log_lines.push(LogLine { game, seq: log.len() as u32, line: line.clone() });
                log.push(line);
            }
            Change::Member(id, home) => {
                let addresses = vec![format!("{id}@x.org"), format!("{id}@{home}.org")];
                let name = format!("m{home}");
                let member =
                    Member { id, name, addresses, language: "en".into(), ..Member::default() };
                self.members.insert(id, member.clone());
                batch.members.push(member);
            }
            Change::Seat(game, seat, member) => {
                let seated = Seated { member, generation: 1, told: 2, ..Seated::default() };
                self.seats.insert((game, seat), seated.clone());
                batch.seats.push((game, Seat::new(seat), seated));
            }
            Change::Seen(digest, seconds) => {
                self.seen.insert(digest, seconds);
                let seen = SeenLetter { at: at(seconds), game: Some(1), seq: None };
                batch.seen_letters.push(([digest; 16], seen));
            }
            Change::File(name, fate) => {
                self.files.insert(name, fate.clone());
                batch.seen_files.push((name.to_string(), fate));
            }
            Change::Due(game, due) => {
                self.due.remove(&game);
                self.due.extend(due.map(|due| (game, due)));
                batch.due.push((game, due.map(at)));
            }
            Change::Answer(address, seconds) => {
                self.answers.push((address, seconds));
                batch.answers.push((address.to_string(), seconds));
            }
            letter => self.change_outbox(letter, batch),
        }
    }

    fn change_outbox(&mut self, change: Change, batch: &mut Batch) {
        match change {
            Change::Letter(bytes) => {
                self.letters += 1;
                self.outbox.insert(self.letters, (bytes.clone(), 0, i64::MIN));
                let recipient = "r".to_owned();
                batch.outgoing.push(Outgoing {
                    message_id: "id".into(),
                    recipient,
                    bytes,
                    part: None,
                    label: None,
                });
            }
            Change::Sent(key) => {
                self.outbox.remove(&key);
                batch.sent.push(key);
            }
            Change::Postponed(key, until) => {
                if let Some((_, attempts, not_before)) = self.outbox.get_mut(&key) {
                    (*attempts, *not_before) = (*attempts + 1, until);
                }
                batch.postponed.push((key, at(until)));
            }
            _ => {}
        }
    }

    fn agrees(&self, store: &Store) {
        assert!(store.games().unwrap().iter().eq(self.logs.keys()));
        for game in 0..5 {
            assert_eq!(store.log(game).unwrap(), *self.logs.get(&game).unwrap_or(&Vec::new()));
            let seats = self.seats.iter().filter(|((at, _), _)| *at == game);
            assert!(store.seats(game).unwrap().iter().eq(seats.map(|(_, seated)| seated)));
            assert_eq!(store.due_at(game).unwrap(), self.due.get(&game).copied().map(at));
        }
        for id in 0..5 {
            let member = self.members.get(&id);
            assert_eq!(store.member(id).unwrap().as_ref(), member);
            for home in 0..4 {
                let address = format!("{id}@{home}.org");
                let has = member.filter(|member| member.addresses.contains(&address));
                assert_eq!(store.member_by_address(&address).unwrap().as_ref(), has);
            }
            let seats = self.seats.iter().filter(|(_, seated)| seated.member == id);
            let seats = seats.map(|((game, seat), _)| (*game, Seat::new(*seat)));
            assert!(store.seats_of(id).unwrap().into_iter().eq(seats));
        }
        self.agrees_on_time(store);
    }

    fn agrees_on_time(&self, store: &Store) {
        for key in 0..5_u8 {
            let seen = store.seen_letter(&[key; 16]).unwrap().map(|seen| seen.at);
            assert_eq!(seen, self.seen.get(&key).copied().map(at));
            assert_eq!(store.seen_file(&key.to_string()).unwrap(), self.files.get(&key).cloned());
            let of = |since: i64| {
                let mut times: Vec<i64> = self
                    .answers
                    .iter()
                    .filter(|(a, _)| *a == key)
                    .map(|(_, at)| *at)
                    .filter(|at| *at >= since)
                    .collect();
                times.sort_unstable();
                times
            };
            for since in [-60, 0, 7] {
                assert_eq!(store.answers_since(&key.to_string(), since).unwrap(), of(since));
            }
        }
        for now in [-51, 0, 50] {
            let mut due: Vec<_> = self
                .due
                .iter()
                .map(|(game, at)| (*at, *game))
                .filter(|(at, _)| *at <= now)
                .collect();
            due.sort_unstable();
            assert!(store.due(at(now)).unwrap().into_iter().eq(due.into_iter().map(|(_, g)| g)));
            let queued = store.outbox(at(now), usize::MAX).unwrap();
            let queued = queued.into_iter().map(|q| (q.key, q.letter.bytes, q.attempts));
            let ready = self.outbox.iter().filter(|(_, (_, _, not_before))| *not_before <= now);
            assert!(queued.eq(ready.map(|(key, (bytes, tried, _))| (*key, bytes.clone(), *tried))));
        }
        assert_eq!(store.outbox_length().unwrap(), self.outbox.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_is_committed_is_what_is_read(batches in vec(vec(change(), 0..12), 1..12)) {
        let folder = tempfile::tempdir().unwrap();
        let open = || Store::open(&folder.path().join("store")).unwrap();
        let (mut store, mut model) = (open(), Model::default());
        let papers = folder.path().join("journal");
        for (at, changes) in batches.into_iter().enumerate() {
            store.commit(&model.batch(changes)).unwrap();
            if at % 3 == 1 {
                store.write_journal(&papers).unwrap();
                drop(store);
                store = open();
            }
            model.agrees(&store);
        }
        store.write_journal(&papers).unwrap();
        if papers.exists() {
            let restored = journal::read(&papers).unwrap();
            prop_assert!(restored.games.into_iter().eq(model.logs));
            prop_assert!(restored.members.into_iter().eq(model.members.into_values()));
            let seats = restored.seats.into_iter();
            prop_assert!(seats.map(|(g, s, seated)| ((g, s.number()), seated)).eq(model.seats));
        }
    }
}
