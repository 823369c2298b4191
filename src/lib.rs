//! postrider runs board games by e-mail: a play-by-email turn processor.
//!
//! A cron job runs one *pass*. The pass reads the letters that have arrived, identifies their
//! senders, turns their lines into orders, lets the rules judge the orders, appends the results to
//! the log of each game, and mails each player the board and a private portfolio.
//!
//! This page is the architecture. `docs/developers.md` has the glossary, the tests, and the steps
//! for adding a game or a command. Each module's header describes its own part.
//!
//! # Layers
//!
//! | layer | contains | knows nothing about |
//! |---|---|---|
//! | [`rules`] | the traits that a game implements; dice, seats, messages | everything else |
//! | [`games`] | the games, one folder each, and their list | mail, people, time, storage |
//! | [`table`] | one game being played: its log, orders, undo | mail, people, clocks, storage |
//! | [`mail`] | letters from and to bytes, senders, transports | games, members |
//! | [`club`] | settings, members, clocks, talk, votes, campaigns | bytes of letters, storage |
//! | [`picture`] | boards as PNG and SVG | games, letters |
//! | [`render`] | messages into text and HTML in the reader's language | mail, storage |
//! | [`store`] | logs, outbox, due times, journal; sled or PostgreSQL | the meaning of its rows |
//! | [`process`] | the pass, where all other layers meet | the command line |
//! | [`cli`] | the subcommands: arguments in, lines out | decisions |
//! | [`Program`] | the games and the machine, for `main` | everything else |
//! | `testing` | tests for games, behind a feature | nothing: it may use all |
//! | [`disk`], `tls` | changes to the file system; trusted certificates | everything else |
//!
//! A layer uses only lower ones: `Program` > `cli` > `process` > `render`, `store` > `picture`,
//! `club` > `table` > `games` > `rules`. `mail` uses `rules`, and `club` uses [`mail::settings`]
//! and `mail::address` only. `tests/parts/tidy.rs` checks this, also for the folders inside
//! [`process`].
//!
//! # The path of a letter
//!
//! ```text
//! bytes in the inbox, a Maildir         they stay there until everything is durable
//!  -> mail::letter                      bytes -> Letter
//!  -> mail::admission                   reply token, sender -> seat, member, stranger, quarantine
//!  -> mail::reply                       body -> the lines that the sender wrote
//!  -> club::lexicon                     lines in other languages -> English, word by word; intents
//!  -> club::command_table               each line -> a club command, or perhaps an order
//!  -> process::inbound                  commands and orders -> their effects, in a savepoint
//!  -> table                             orders -> a record, or a refusal that names legal orders
//!  -> store                             one commit of records, letters, outbox, due times; fsync
//!  -> process::outbound                 queued letters: which wait for a digest, which are merged
//!  -> render                            the payload as data -> words, for the current reader
//!  -> process::delivery                 letters by priority, within the quotas
//!  -> mail::transport                   bytes -> mail server; sent once the server accepted them
//! ```
//!
//! A letter takes effect as a whole or not at all, with one exception. If an earlier line of the
//! letter has disclosed something, that line stands, and only the wrong line and those after it are
//! left out. Otherwise a player could look at hidden cards and then make the letter fail.
//!
//! # Invariants
//!
//! 1. **The state of a game is the fold of its events.** `decide` holds all rules and draws chance
//!    into the events; `apply` only applies them. An undo is a record too.
//! 2. **Legality has one source.** The orders that a game lists are those that it accepts.
//! 3. **Views are built field by field.** A fact that a viewer cannot know changes no byte of any
//!    letter, preview, refusal or hint for that viewer ([`rules::HiddenInfo`]).
//! 4. **A pass commits in one transaction.** It can be killed after any step and run again
//!    ([`process::Transaction`]).
//! 5. **A commit fails if a row that it read has changed.** The letter is then judged again, so
//!    several workers can share a club ([`store::GameStore`]).
//! 6. **Nothing is confirmed before it is durable.** A store that has lost data, or is behind its
//!    journal, is not written to until the moderator has restored it.
//! 7. **Only a reply token proves the sender.** Tokens are in reply addresses and links, and are
//!    removed from every text that is shown, quoted or stored ([`mail::ReplyToken`]).
//! 8. **Letters are stored as data and worded when they leave**, for the person who has the seat at
//!    that time. So the letters of several days can become one.
//! 9. **A deadline that was announced is kept.** Letters are read before deadlines are applied, and
//!    an outage of the club costs no player time ([`club::clock`]).
//! 10. **One faulty letter, game or reader stops no other.** An error is answered, retried, or
//!     quarantined and reported to the moderator.
//! 11. **Nobody joins or adds an address without a yes.** It is on the first line of a reply with
//!     the question's token: alone, or with polite words if the letter says nothing else ("Yes
//!     please!"). A doubt below it ("if Bob joins") is asked about. A letter that a program wrote
//!     never agrees. The words are data by language.
//!
//! The core ([`rules`], [`games`], [`table`], [`club`]) does no input or output, reads no clock and
//! contains no sentence of a letter. Sentences are in `templates/`.
//!
//! # For authors of games
//!
//! A crate of its own can add a game: see [`Program`], and `testing` for its tests. It uses the
//! modules that this documentation shows. The others are public for the tests of this crate only.
//!
//! # Deliberately absent
//!
//! postrider has no server of its own, no accounts or passwords, no async runtime, no stored game
//! positions, no macros of its own, and no error type for the whole program.

pub mod cli;
#[doc(hidden)]
pub mod club;
#[doc(hidden)]
pub mod disk;
pub mod games;
#[doc(hidden)]
pub mod mail;
pub mod picture;
#[doc(hidden)]
pub mod process;
mod program;
pub mod render;
pub mod rules;
#[doc(hidden)]
pub mod store;
pub mod table;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tls;

pub use program::Program;
