//! postrider: board games by e-mail, at the players' own pace.
//!
//! A cron job runs one *pass*: it reads the letters that came in, checks who wrote them, turns
//! their lines into orders, lets the rules judge the orders, appends what happened to that game's
//! log, and posts every player a letter with the board and a private portfolio. This header is the
//! architecture document; players, moderators and developers have a page each under `docs/`.
//!
//! # The house
//!
//! | layer | duty | may not know |
//! |---|---|---|
//! | [`rules`] | the contract of every game, in four parts; dice; `DynGame` | anything else |
//! | [`games`] | one folder a game, and the registry | mail, names of people, time, storage |
//! | [`table`] | one game: log, fold, submit, rewind, verify | mail, names, storage, clocks |
//! | [`mail`] | bytes to letters, their senders; letters to bytes; transports | games, members |
//! | [`club`] | settings, members, clocks, talk, votes, lobby, seasons | a letter's form, storage |
//! | [`picture`] | scenes into PNG and SVG | games, letters, readers |
//! | [`render`] | what happened, into words: one letter a reader | mail's forms, storage |
//! | [`store`] | logs, outbox, what was seen, what is due; the journal | what any of it means |
//! | [`process`] | one pass; only here mail, table, render and store meet | the command line |
//! | [`cli`] | subcommands: arguments in, lines out | any decision |
//! | [`disk`] | every change to the file system, one function each | everything else |
//! | `tls` | whom lines to mail servers and databases trust | everything else |
//!
//! Arrows point down only: `main` > `cli` > `process` > (`render`, `store`) > `picture`, `club` >
//! `table` > `games` > `rules`, and `mail` > `rules`. `process` and `cli` name `mail`; `club` names
//! only [`mail::settings`]. The compiler does not check this inside one package, so
//! `tests/parts/tidy.rs` does.
//!
//! # The way of a letter
//!
//! ```text
//! raw bytes in a Maildir (they stay there until all is durable)
//!  -> mail::letter    bytes -> Letter
//!  -> mail::admit     reply token + sender -> a seat of a game | stranger | quarantine
//!  -> mail::reply     body -> the lines that the person wrote
//!  -> club::lexicon   a line that is nothing in English, put into it word by word
//!  -> club::Line      each line, once, by the table of words: a question, a vote, a setting, the
//!                     lobby; what is left may be an order
//!  -> process::inbound  lines -> words between people | effects, upon a savepoint of the
//!                     transaction
//!  -> table::submit   orders -> a new record | a refusal that says what is legal
//!  -> store::commit   ONE transaction: records, seen letters, what is owed to whom, what is due;
//!                     fsync
//!  -> process::outbound  the queue: which letters wait for a digest, and which become one;
//!                     composition: the reader and the address as they are now
//!  -> render          what is owed, up to a record -> words
//!  -> process::delivery  which letters leave first, and how many a day
//!  -> mail::transport bytes -> mail server; marked sent only after they were accepted
//! ```
//!
//! A letter is all or nothing, but for what it has disclosed: where chance, or what others hold,
//! has shown, a wrong line is left out with what follows it, or its refusal would tell what a
//! letter that was not carried out would have brought. Whatever cannot be processed is kept in
//! quarantine with its reason.
//!
//! Inside [`process`] the same holds for its rooms, also by method calls: its header has the map.
//!
//! # What holds everywhere
//!
//! - **A game's state is the fold of its events** and is never stored. `decide` holds every rule,
//!   `apply` none. Chance is drawn in `decide` and stands in the events. Undo is a record,
//!   whether the moderator, the players together or who has ordered wants it. What lists say of a
//!   game (whose turn it is, since when, who came first) is noted beside its log, so that none is
//!   folded for it ([`table::Outline`]); nothing is decided on that, and it is not believed unless
//!   it is of the log's last record.
//! - **Legality has one source**: what `legal` lists is what `decide` accepts.
//! - **Views are built field by field**, never stripped. What a viewer cannot know changes no byte
//!   of what is mailed to him.
//! - **Asking discloses nothing.** A preview is judged in a world dealt anew by dice that come from
//!   what its writer sees, so not a byte of it rests on anything else, and it is told only up to
//!   the first event that owns to disclose something ([`rules::HiddenInfo::discloses`]), so that
//!   nothing of it is invented. Such worlds are those that the viewer's own history allows, each as
//!   likely as it is.
//! - **What is said and done around a game** (press, votes, interventions, new players) stands in
//!   its minutes beside the log: who counts records does not learn who talks to whom. There is one
//!   list of interventions ([`club::Intervention`]), whoever asks for one; it is kept as data.
//!   Who takes a seat over sees what the seat saw, and nothing that was told to his
//!   predecessor alone.
//! - **Nothing speaks for an address but a letter to it.** Members, newcomers, strangers in an open
//!   club and the moderator act by answering letters that carry a sealed reply action. Nothing is
//!   stored for it but the numbers that are sealed in: raising one makes void all that was sealed
//!   with it before. Consent is a word by itself, and counts once.
//! - **Nobody is written to against their will.** A letter that a member causes to go to a
//!   non-member is limited by week, month and club, and a refusal ends it for good. Whether it left
//!   changes no byte of what the member is told (`process::lobby::unasked`).
//! - **A report that a letter came back is evidence and no more.** Anybody who has seen a letter
//!   can invent one. A probe that nobody else has seen decides ([`club::Reachability`]).
//! - **A mark stands in the reply address and in links**, never in what is read: a text that is
//!   shown, said or kept is looked through for it, and where a mark alone proves who writes, links
//!   carry none. A link opens a letter; nothing is done before somebody sends that.
//! - **Plans are no records.** What a seat wants done later is kept beside the log, so that nobody
//!   can count it; what a plan carries out is a record like any other. Conditions belong to the
//!   game, queueing to the table.
//! - **One transaction is the only unit of work** and the only way to the store: reads see what was
//!   already decided in it, a letter is judged upon a savepoint, and one that fails half-way leaves
//!   nothing of itself ([`process::Transaction`]).
//! - **Nothing is decided on what is no longer so.** A transaction notes the revision of every row
//!   that it reads; a commit is refused when one has moved, and what was decided is decided anew,
//!   in its place. What any store has to promise stands in [`store::GameStore`]'s module; tests
//!   hold it of every store there is.
//! - **What is told is data until it leaves.** A commit says who is owed what, up to which record
//!   and until when; it is worded as it leaves, for who sits there then. What has waited for days
//!   is one letter a game, and a letter that cannot be worded stops nothing but itself.
//! - **Few letters tell all.** Whenever a game waits for somebody he knows what the others know.
//!   What may wait for a digest waits in the outbox, what may wait for the next letter with the
//!   seat.
//! - **Nothing is acknowledged before it is durable.** sled's own `flush` does not sync: see
//!   `src/store/sled/workarounds/mod.rs`. A pass can be killed after any step and run again.
//! - **One store or another, the same letters.** A club on a server ([`store`]'s `postgres`) keeps
//!   the promise of one in its folder, but for the journal, which it has only when it is asked for.
//! - **Locks are for speed, keys and revisions for truth.** Several workers share such a club
//!   ([`store::SharedStore`]): letters are claimed lane by lane, a lane being a game; those that leave
//!   are leased, the next in line, with all else that goes to the same addresses. Whoever loses his
//!   lock and goes on is refused where he commits.
//! - **A club moves from one store to another whole**, by what the one knows and not by its
//!   journal: in the moment in which that is noted in the store that is left, which is never
//!   written again ([`store::Migration`]).
//! - **A club comes back from its journal** as it was: what happened, which letters were read, what
//!   waits to be posted. What a restore does not know it tells once more, and asks nobody twice.
//! - **Nothing goes on from what was lost.** How far the store was written is noted beside it, and
//!   the journal is never ahead of it: a store that is behind either is not written to any more.
//! - **What was announced holds.** A deadline is kept as it was told, in the same commit as the
//!   letters that tell it; the arithmetic of deadlines is pure ([`club::clock`]). Letters are read
//!   before deadlines bite, and an outage of ours costs nobody time.
//! - **Nothing is waited for without end**, and one letter's fault is that letter's: what cannot be
//!   read or fetched is left where it is, told of once, and tried again ([`mail::fetch`]).
//! - **What only a person can mend is told at once, then daily**, and again when it has changed;
//!   it ends a pass with a code of its own, and 75 is for what passes by itself ([`mail::PermanentFault`]).
//! - **The core reads no clock** and does no input or output, so it cannot fail on either.
//! - **No sentence stands in the core.** It yields keys and arguments; words live in `templates/`.
//! - Errors are of three kinds: answer the person, try again later, quarantine and tell the
//!   moderator.
//!
//! # What is deliberately absent
//!
//! No server of our own, no accounts or passwords, no async runtime, no snapshot of a position, no
//! default method that holds a rule, no error type for the whole program, no macro of our own.
//!
//! # A new game
//!
//! A folder under `games/` that implements the four parts of [`rules::Game`], each where its work
//! is done; a definition `games/<id>.yaml`, one line in [`games::GAMES`], its words in
//! `templates/en/`, a playthrough, and games that were read order by order. `examples/high_card` is
//! one to copy, `docs/developers.md` goes through the steps. `tests/parts/contract.rs` then tests
//! it, and `tests/parts/forgotten.rs` names what is forgotten.

pub mod cli;
pub mod club;
#[cfg(test)]
#[path = "../tests/common/mod.rs"]
mod common;
pub mod disk;
pub mod games;
pub mod mail;
pub mod picture;
pub mod process;
pub mod render;
pub mod rules;
pub mod store;
pub mod table;
mod tls;
