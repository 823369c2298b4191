//! Renders the page of each member who agreed to be named: their games, the results, and a rating.
//!
//! All of it follows from what the site shows elsewhere. Unnamed players count as new ones in each
//! game, so no rating shows that two of their seats belong to one member.

use super::site_feeds::FEED_FILE;
use super::site_pages::{GameEntry, ListLine, Site, root_path};
use crate::club::campaign::{RatedGame, Rating, compute_ratings};
use crate::club::{PublishedMember, PublishedSeat};
use crate::rules::Message;
use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A player's name, with the address of their page if they have one.
#[derive(Serialize)]
pub(super) struct SeatLabel {
    pub name: String,
    pub page: Option<String>,
}

/// The ID that ratings use for a player. Unnamed players have one for each game and seat.
type RatedPlayers<'a> = BTreeMap<&'a PublishedMember, u32>;

impl Site<'_> {
    /// Returns the names of the current players by seat.
    pub(super) fn seat_labels(&self, seats: &[PublishedSeat]) -> Vec<SeatLabel> {
        let names = self.names(seats, PublishedSeat::current_player);
        let page = |seat: &PublishedSeat| Some(player_page_path(&seat.current_player()?.page));
        names
            .into_iter()
            .zip(seats)
            .map(|(name, seat)| SeatLabel { name, page: page(seat) })
            .collect()
    }

    /// Returns the paths of the pages and feeds of all members who are named in these seats.
    pub(crate) fn player_file_paths<'s>(
        seats: impl IntoIterator<Item = &'s PublishedSeat>,
    ) -> Vec<String> {
        let players = seats.into_iter().flat_map(PublishedSeat::named_players);
        let files = |player: &PublishedMember| {
            let folder = player_folder(&player.page);
            ["index.html", FEED_FILE].map(|file| format!("{folder}{file}"))
        };
        players.flat_map(files).collect()
    }

    /// Renders the feed and the page of each member who is named in a game. Each file is returned
    /// with its path. `broken` are the seats of games that no list shows. Their pages may be kept
    /// and then still link to the players.
    pub(crate) fn render_player_pages<'s>(
        &self,
        games: &'s [GameEntry],
        broken: impl IntoIterator<Item = &'s PublishedSeat>,
    ) -> Vec<(String, String)> {
        let mut players: BTreeMap<&PublishedMember, Vec<&GameEntry>> = BTreeMap::new();
        for player in broken.into_iter().flat_map(PublishedSeat::named_players) {
            players.entry(player).or_default();
        }
        for game in games {
            for player in game.seats.iter().flat_map(PublishedSeat::named_players) {
                let own = players.entry(player).or_default();
                // A player may have held several seats.
                if own.last().is_none_or(|last| last.number != game.number) {
                    own.push(game);
                }
            }
        }
        let numbers: RatedPlayers<'_> = players.keys().copied().zip(0..).collect();
        let ratings = compute_ratings(&rated_games(games, &numbers));
        let mut pages = Vec::with_capacity(players.len());
        for (player, mut own) in players {
            own.sort_unstable_by_key(|game| (game.outline.is_over(), Reverse(game.number)));
            let history = numbers.get(player).and_then(|number| ratings.get(number));
            let page = self.render_player_page(player, &own, history.map(Vec::as_slice));
            pages.extend(self.render_games_feed(&player_folder(&player.page), &player.name, &own));
            pages.push((player_page_path(&player.page), page));
        }
        pages
    }

    fn render_player_page(
        &self,
        player: &PublishedMember,
        games: &[&GameEntry],
        ratings: Option<&[Rating]>,
    ) -> String {
        let lines = |over: bool| -> Vec<ListLine> {
            let games = games.iter().filter(|game| game.outline.is_over() == over);
            let line = |game: &&GameEntry| {
                let place = self.describe_place(player, game);
                ListLine { place, ..self.list_line(game, self.seat_labels(&game.seats)) }
            };
            games.map(line).collect()
        };
        let rating = ratings.and_then(|history| {
            let last = history.last()?;
            let rating = Message::new("site-rating")
                .with("rating", format!("{:.1}", last.rating))
                .with("least", format!("{:.1}", last.lower_bound()))
                .with("count", history.len());
            Some(self.words().localize(&rating))
        });
        let context = context! {
            club => self.club, title => &player.name, root => root_path(2), rating => rating,
            feed => self.feed_link(),
            running => Serde(lines(false)), finished => Serde(lines(true)),
        };
        self.words().render_template("site/player.html", &context)
    }

    /// Returns the rank of a player who has held one seat from the beginning to the end.
    fn describe_place(&self, player: &PublishedMember, game: &GameEntry) -> String {
        let own = game.seats.iter().position(|seat| seat.current_player() == Some(player));
        let place = own.filter(|index| game.seats.get(*index).is_some_and(|s| s.has_one_player()));
        let Some((result, (rank, _))) =
            game.result.as_ref().and_then(|result| Some((result, result.places.get(place?)?)))
        else {
            return String::new();
        };
        let place = Message::new("site-place").with("rank", *rank);
        self.words().localize(&place.with("seats", result.places.len()))
    }
}

/// Returns the path of a player's page within the site.
pub(super) fn player_page_path(page: &str) -> String {
    player_folder(page) + "index.html"
}

fn player_folder(page: &str) -> String {
    format!("player/{page}/")
}

/// Returns the finished games that count for ratings. Seats that changed hands are left out.
fn rated_games(games: &[GameEntry], numbers: &RatedPlayers<'_>) -> Vec<RatedGame> {
    let mut unnamed = u32::MAX;
    let mut rated = Vec::new();
    for game in games {
        let Some(result) = game.result.as_ref().filter(|result| result.is_rated) else { continue };
        let mut ranks = Vec::with_capacity(result.places.len());
        for (seat, (rank, _)) in game.seats.iter().zip(&result.places) {
            let named = seat.current_player().and_then(|player| numbers.get(player).copied());
            unnamed -= u32::from(named.is_none());
            if seat.has_one_player() {
                ranks.push((named.unwrap_or(unnamed), *rank));
            }
        }
        rated.push(RatedGame { game: game.number, at: game.outline.at, ranks });
    }
    rated
}
