//! Renders the pages of a club's web site. They are for everybody, so they are built from public
//! data only while a game is in play.
//!
//! A page names only members who agreed. All others appear as the number of their seat.

use super::library::{Language, Library};
use super::page::Page;
use super::position_rows::{self, LocalizedRow};
use super::site_campaigns::{CampaignEntry, CampaignLink};
use super::site_feeds::{FEED_ENTRIES_MAX, FEED_FILE, FeedEntry};
use super::site_pictures::{GamePictures, ShownPicture};
use super::site_players::SeatLabel;
use super::{markdown, record_text};
use crate::club::{PublishedMember, PublishedSeat};
use crate::rules::{GameRegistry, Message, SCENE_WIDTH, Seat, Turn, UnreadableData, Viewer};
use crate::table::{Cause, Outline, Record, Table};
use chrono::{DateTime, Utc};
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The number of games that one page of the list shows.
const GAMES_PER_PAGE: usize = 200;

/// The name of the file with the record of a game, beside the game's page.
const RECORD_FILE: &str = "record.json";

/// The style sheet of the program.
pub(crate) const SITE_STYLE: &str = include_str!("site.css");

/// The script of the game pages, which steps through the records.
pub(crate) const SITE_SCRIPT: &str = include_str!("site.js");

/// The settings and texts that all pages of a site share.
pub(crate) struct Site<'a> {
    pub library: &'a Library,
    /// The tag of the club's language.
    pub language: &'a str,
    /// The club's name.
    pub club: &'a str,
    /// The club's address if strangers may join by letter.
    pub address: Option<&'a str>,
    /// Whether the boards and rules of games with their own definition are shown.
    pub own_boards: bool,
    /// The address of the site, with a slash at its end. Without it, there are no feeds.
    pub url: Option<&'a str>,
}

/// A game that has begun, as the list of games shows it.
#[derive(Serialize)]
pub(crate) struct GameEntry {
    pub number: u32,
    pub outline: Outline,
    /// The published names of each seat.
    pub seats: Vec<PublishedSeat>,
    /// The result of a game that is over, if its log was read.
    #[serde(skip)]
    pub result: Option<GameResult>,
}

/// The result of a game that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GameResult {
    /// The rank and score of each seat.
    pub places: Vec<(u32, i64)>,
    /// Whether the game counts for ratings. A game in which a bot has moved does not.
    pub is_rated: bool,
}

/// A game that waits for players.
#[derive(Serialize)]
pub(crate) struct FormingEntry {
    pub number: u32,
    pub kind: String,
    pub seats: u8,
    /// The number of players who have joined. Their names are not published.
    pub joined: usize,
    pub until: DateTime<Utc>,
}

/// The files about a game.
pub(crate) struct GamePages {
    /// The paths and texts of the files, in an order in which no link leads to a missing file. The
    /// game's pictures and, if the game is over, its public record as JSON are among them if its
    /// board may be shown.
    pub files: Vec<(String, String)>,
    pub result: Option<GameResult>,
}

/// A line of the list of games.
#[derive(Serialize)]
pub(super) struct ListLine {
    pub number: u32,
    pub kind: String,
    pub players: Vec<SeatLabel>,
    pub said: String,
    /// The rank of the player whose page shows the line. Empty on other pages.
    pub place: String,
    pub day: String,
}

/// A record on the page of a game.
#[derive(Serialize)]
struct RecordEntry {
    seq: u32,
    at: String,
    day: String,
    /// The orders in the game's spelling. Empty while the game is in play.
    orders: Vec<String>,
    says: Vec<String>,
    picture: Option<ShownPicture>,
    /// The parts of the board that look different after the record, in words. The first record has
    /// all of them. Empty if the board may not be shown.
    board: String,
    is_taken_back: bool,
}

impl Site<'_> {
    pub(super) fn words(&self) -> &Language {
        self.library.language(self.language)
    }

    /// Returns the path of the folder of a game within the site, with a slash at the end.
    pub(crate) fn game_folder(number: u32) -> String {
        format!("game/{number}/")
    }

    /// Returns the paths of the files about a game besides its pictures: its page, its feed, and
    /// its record once it is over.
    pub(crate) fn game_file_paths(number: u32) -> [String; 3] {
        ["index.html", FEED_FILE, RECORD_FILE].map(|file| Self::game_folder(number) + file)
    }

    /// Returns the paths of the pages of the list and of the club's feed, for this number of games.
    pub(crate) fn list_file_paths(games: usize) -> Vec<String> {
        let mut paths = Self::list_page_paths(games);
        paths.push(FEED_FILE.to_owned());
        paths
    }

    /// Returns the paths of the pages of the list, for this number of games.
    fn list_page_paths(games: usize) -> Vec<String> {
        let count = games.div_ceil(GAMES_PER_PAGE).max(1);
        let path = |page: usize| match page {
            1 => "index.html".to_owned(),
            page => format!("index-{page}.html"),
        };
        (1..=count).map(path).collect()
    }

    /// Returns a hash of everything besides the club's data that pages depend on.
    pub(crate) fn texts_hash(&self) -> String {
        let address = self.address.unwrap_or_default();
        let files = self.words().files_hash();
        let Site { club, own_boards, url, .. } = self;
        let url = url.unwrap_or_default();
        format!("{} {files} {own_boards} {url} {address} {club}", env!("CARGO_PKG_VERSION"))
    }

    /// Renders the list of games: those that wait for players, running and finished ones. The first
    /// page also lists the campaigns. Each page is returned with its path, and the club's feed
    /// first.
    pub(crate) fn render_list_pages(
        &self,
        games: &[GameEntry],
        forming: &[FormingEntry],
        campaigns: &[CampaignEntry],
    ) -> Vec<(String, String)> {
        let mut games: Vec<&GameEntry> = games.iter().collect();
        games.sort_unstable_by_key(|game| (game.outline.is_over(), std::cmp::Reverse(game.number)));
        let feed = self.render_games_feed("", self.club, &games);
        let paths = Self::list_page_paths(games.len());
        let parts: Vec<&[&GameEntry]> = match games.is_empty() {
            true => vec![&[]],
            false => games.chunks(GAMES_PER_PAGE).collect(),
        };
        let page = |(index, (path, part)): (usize, (&String, &&[&GameEntry]))| {
            let lines = |over: bool| -> Vec<ListLine> {
                let part = part.iter().filter(|game| game.outline.is_over() == over);
                part.map(|game| self.list_line(game, self.seat_labels(&game.seats))).collect()
            };
            let open: Vec<String> = match index {
                0 => forming.iter().map(|game| self.describe_forming_game(game)).collect(),
                _ => Vec::new(),
            };
            let links: Vec<CampaignLink> = match index {
                0 => campaigns.iter().map(CampaignEntry::link).collect(),
                _ => Vec::new(),
            };
            let how = self.address.map(|address| {
                self.words().localize(&Message::new("site-join").with("address", address))
            });
            let context = context! {
                club => self.club, title => self.club, root => root_path(0), open => open,
                running => Serde(lines(false)), finished => Serde(lines(true)),
                how => how, pages => &paths, page => path, campaigns => Serde(links),
                feed => self.feed_link(),
            };
            (path.clone(), self.words().render_template("site/list.html", &context))
        };
        feed.into_iter().chain(paths.iter().zip(&parts).enumerate().map(page)).collect()
    }

    /// Returns the line of a game. `players` are the names by seat that the page uses.
    pub(super) fn list_line(&self, game: &GameEntry, players: Vec<SeatLabel>) -> ListLine {
        let words = self.words();
        let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
        let say = |message: &Message| words.localize_for_observer(message, &names);
        let said = match &game.outline.turn {
            Turn::Awaiting(seats) => {
                say(&Message::new("turn-others").with("awaited", seats.clone()))
            }
            Turn::Over => {
                let winners = game.outline.winners.clone();
                let over = Message::new("turn-over").with("you-alone", "no");
                say(&over.with("count", winners.len()).with("winners", winners))
            }
        };
        ListLine {
            number: game.number,
            kind: words.game_name(&game.outline.game),
            players,
            said,
            place: String::new(),
            day: format_day(game.outline.at),
        }
    }

    fn describe_forming_game(&self, game: &FormingEntry) -> String {
        let words = self.words();
        let entry = Message::new("site-forming")
            .with("number", game.number)
            .with("kind", words.game_name(&game.kind))
            .with("joined", game.joined)
            .with("seats", game.seats)
            .with("until", format_day(game.until));
        words.localize(&entry)
    }

    /// Returns the name of each seat: the published one, or the number of the seat.
    pub(super) fn names<'s>(
        &self,
        seats: &'s [PublishedSeat],
        player: impl Fn(&'s PublishedSeat) -> Option<&'s PublishedMember>,
    ) -> Vec<String> {
        let label =
            |number: u32| self.words().localize(&Message::new("site-seat").with("number", number));
        let name = |(number, seat)| match player(seat) {
            Some(player) => player.name.clone(),
            None => label(number),
        };
        (1..).zip(seats).map(name).collect()
    }

    /// Renders the page of a game, and its record if it is over.
    ///
    /// # Errors
    /// If the log holds an event that this program's rules cannot read.
    pub(crate) fn render_game(
        &self,
        table: &Table,
        seats: &[PublishedSeat],
    ) -> Result<GamePages, UnreadableData> {
        let table = table.public_copy()?;
        // The record contains the definition.
        let shows_board = self.own_boards || has_shipped_definition(self.library.games(), &table);
        let mut pictures = shows_board.then(|| GamePictures::new(table.founding().number));
        let records = self.record_entries(&table, seats, pictures.as_mut())?;
        let feed = self.render_game_feed(&table, &records);
        let page = self.render_game_page(&table, seats, pictures.as_mut(), records)?;
        let is_offered = table.is_over() && shows_board;
        let record = is_offered.then(|| serde_json::to_string(&table.export_public_copy()));
        let [page_path, _, record_path] = Self::game_file_paths(table.founding().number);
        let record = record.and_then(Result::ok).map(|record| (record_path, record));
        let mut files = pictures.map_or_else(Vec::new, |drawn| drawn.files);
        files.extend(record.into_iter().chain(feed).chain([(page_path, page)]));
        Ok(GamePages { files, result: game_result(&table) })
    }

    pub(super) fn game_title(&self, number: u32, kind: &str) -> String {
        self.words().localize(&Message::new("site-game").with("number", number).with("kind", kind))
    }

    /// Renders the feed of a game: its last records, the newest first.
    fn render_game_feed(&self, table: &Table, records: &[RecordEntry]) -> Option<(String, String)> {
        self.url?;
        let (number, kind) = (table.founding().number, &table.founding().game);
        let title = self.game_title(number, &self.words().game_name(kind));
        let entry = |(record, shown): (&Arc<Record>, &RecordEntry)| {
            let title = shown.says.first().cloned().unwrap_or_else(|| title.clone());
            FeedEntry::new((number, record.seq), record.at, title, shown.says.join("\n"))
        };
        let newest = table.records().iter().zip(records).rev().take(FEED_ENTRIES_MAX);
        let entries: Vec<FeedEntry> = newest.map(entry).collect();
        self.render_feed(&Self::game_folder(number), &title, &entries)
    }

    /// Renders the page of a game, and draws its pictures if the board may be shown.
    fn render_game_page(
        &self,
        table: &Table,
        seats: &[PublishedSeat],
        mut pictures: Option<&mut GamePictures>,
        records: Vec<RecordEntry>,
    ) -> Result<String, UnreadableData> {
        let shows_board = pictures.is_some();
        let words = self.words();
        let founding = table.founding();
        let names = self.names(seats, PublishedSeat::current_player);
        let say = |message: &Message| words.localize_for_observer(message, &names);
        let all = |messages: Vec<Message>| messages.iter().map(say).collect::<Vec<_>>();
        let plot = pictures.as_mut().map(|drawn| drawn.draw_plot(table, words, &names));
        let mut page = Page::new(table, &names);
        let board = if shows_board {
            position_rows::localize_rows(&page.position_rows(0)?, say)
        } else {
            Vec::<LocalizedRow>::new()
        };
        let is_over = table.is_over();
        let rules = (is_over && shows_board)
            .then(|| markdown::parse(&page.render_game_template(words, "rules.txt", Seat::new(1))));
        let proof = record_text::seed_message(table);
        let title = self.game_title(founding.number, &words.game_name(&founding.game));
        let context = context! {
            club => self.club, root => root_path(2), title => title, feed => self.feed_link(),
            turn => say(&record_text::turn_or_winner_message(table, None)),
            players => Serde(self.seat_labels(seats)), plot => Serde(plot.transpose()?.flatten()),
            picture_width => SCENE_WIDTH,
            backdrop => Serde(pictures.and_then(|drawn| drawn.backdrop.clone())),
            records => Serde(records), board => Serde(board), shows_board => shows_board,
            results => all(record_text::standings_messages(table)),
            revealed => all(record_text::revealed_messages(table)),
            rules => Serde(rules.unwrap_or_default()),
            proof => all(proof.into_iter().collect()),
        };
        Ok(words.render_template("site/game.html", &context))
    }

    fn record_entries(
        &self,
        table: &Table,
        seats: &[PublishedSeat],
        mut pictures: Option<&mut GamePictures>,
    ) -> Result<Vec<RecordEntry>, UnreadableData> {
        let words = self.words();
        let taken_back: BTreeSet<u32> = table.records_taken_back().into_iter().collect();
        let (mut entries, mut rows_before) = (Vec::new(), Vec::new());
        table.for_each_position(|record, _, after| {
            let names = self.names(seats, |seat| seat.player_at(record.at));
            let say = |message: &Message| words.localize_for_observer(message, &names);
            let told = record_text::cause_and_event_messages(after, record, Viewer::Public)?;
            let (mut picture, mut board) = (None, String::new());
            if let Some(pictures) = &mut pictures {
                picture = Some(pictures.draw_record(record, after, &say)?);
                let rows = after.game().describe_position(&record.events)?;
                let rows = position_rows::shorten_beside_picture(rows);
                let rows = position_rows::localize_rows(&rows, say);
                let changed = position_rows::select_changed_rows(&rows, &rows_before);
                board = position_rows::to_running_text(&changed);
                rows_before = rows;
            }
            entries.push(RecordEntry {
                seq: record.seq,
                at: record.at.to_rfc3339(),
                day: format_day(record.at),
                orders: if table.is_over() { self.orders(table, record) } else { Vec::new() },
                says: told.iter().map(without_reason).map(|message| say(&message)).collect(),
                picture,
                board,
                is_taken_back: taken_back.contains(&record.seq),
            });
            Ok(())
        })?;
        Ok(entries)
    }

    /// Returns the orders of a record of a public copy, in the words of the site's language.
    fn orders(&self, table: &Table, record: &Record) -> Vec<String> {
        let kind = &table.founding().game;
        let (_, lines) = record.cause.seat_and_lines().unzip();
        let lines = lines.unwrap_or_default().iter();
        lines.map(|line| self.words().localize_order(kind, line)).collect()
    }
}

/// Returns the result of a game. `None` while it is in play.
fn game_result(table: &Table) -> Option<GameResult> {
    if !table.is_over() {
        return None;
    }
    let mut rankings = table.rankings();
    rankings.sort_by_key(|ranking| ranking.seat);
    let has_bot = |record: &Arc<Record>| matches!(record.cause, Cause::Bot { .. });
    Some(GameResult {
        places: rankings.iter().map(|ranking| (ranking.rank, ranking.score)).collect(),
        is_rated: !table.records().iter().any(has_bot),
    })
}

/// Returns the message about a record with a sentence that gives no reason. A moderator writes the
/// reason for the players, and that of a vote names the players who agreed.
fn without_reason(message: &Message) -> Message {
    match message.key {
        "rewound" => Message { key: "site-rewound", ..message.clone() },
        "ended-by-moderator" => Message { key: "site-ended", ..message.clone() },
        _ => message.clone(),
    }
}

/// Whether the game uses the definition that ships with this program. A definition from an older
/// version counts as the club's own.
fn has_shipped_definition(games: GameRegistry, table: &Table) -> bool {
    let founding = table.founding();
    let shipped = games.find_kind(&founding.game).and_then(|kind| {
        let text = kind.shipped_definition();
        kind.validate_and_convert_to_json(text, &BTreeMap::new(), founding.seats).ok()
    });
    shipped.is_some_and(|(definition, _)| definition.get() == founding.definition.get())
}

/// Returns the path from a page to the root of the site. `depth` is the number of folders above the
/// page. Templates need not escape it.
pub(super) fn root_path(depth: usize) -> Value {
    Value::from_safe_string("../".repeat(depth))
}

/// Returns a day in UTC, in the form that every language reads.
fn format_day(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d").to_string()
}
