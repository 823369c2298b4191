//! Renders the Atom feeds of the web site: for the club, for each game and for each named player.
//!
//! They hold only data that the pages show. Times are those of records, so an unchanged club has
//! unchanged feeds.

use super::site_pages::{GameEntry, ListLine, Site};
use chrono::{DateTime, SecondsFormat, Utc};
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;
use std::cmp::Reverse;

/// The name of the file of a feed, beside the page that it belongs to.
pub(super) const FEED_FILE: &str = "feed.xml";
/// The number of entries in a feed.
pub(super) const FEED_ENTRIES_MAX: usize = 30;

/// An entry of a feed: a record of a game.
#[derive(Serialize)]
pub(super) struct FeedEntry {
    /// The address of the record within the site, such as `game/12/index.html#34`. It never
    /// changes, so it is the ID too.
    path: String,
    title: String,
    at: String,
    text: String,
}

impl FeedEntry {
    pub(super) fn new(
        (game, seq): (u32, u32),
        at: DateTime<Utc>,
        title: String,
        text: String,
    ) -> Self {
        let at = at.to_rfc3339_opts(SecondsFormat::Secs, true);
        Self { path: format!("game/{game}/index.html#{seq}"), title, at, text }
    }
}

impl Site<'_> {
    /// Returns the name of the feed beside a page. `None` if the address of the site is not known.
    pub(super) fn feed_link(&self) -> Option<&'static str> {
        self.url.map(|_| FEED_FILE)
    }

    /// Renders a feed with its path. `folder` is that of the page which it belongs to, with a slash
    /// at its end, or empty. The newest entry comes first. `None` if the site has no address.
    pub(super) fn render_feed(
        &self,
        folder: &str,
        title: &str,
        entries: &[FeedEntry],
    ) -> Option<(String, String)> {
        let url = Value::from_safe_string(self.url?.to_owned());
        let never = || DateTime::UNIX_EPOCH.to_rfc3339_opts(SecondsFormat::Secs, true);
        let updated = entries.iter().map(|entry| entry.at.clone()).max().unwrap_or_else(never);
        let folder_value = Value::from_safe_string(folder.to_owned());
        let context = context! {
            url => url, folder => folder_value, file => FEED_FILE, club => self.club,
            title => title, updated => updated, entries => Serde(entries),
        };
        let path = format!("{folder}{FEED_FILE}");
        Some((path, self.words().render_template("site/feed.html", &context)))
    }

    /// Renders the feed of these games: the last record of those that moved last.
    pub(super) fn render_games_feed(
        &self,
        folder: &str,
        title: &str,
        games: &[&GameEntry],
    ) -> Option<(String, String)> {
        self.url?;
        let mut games = games.to_vec();
        games.sort_unstable_by_key(|game| Reverse((game.outline.at, game.number)));
        let entry = |game: &&GameEntry| {
            let ListLine { kind, players, said, .. } =
                self.list_line(game, self.seat_labels(&game.seats));
            let names: Vec<String> = players.into_iter().map(|player| player.name).collect();
            let title = self.game_title(game.number, &kind);
            let text = format!("{}\n{said}", names.join(", "));
            FeedEntry::new((game.number, game.outline.head), game.outline.at, title, text)
        };
        let entries: Vec<FeedEntry> = games.iter().take(FEED_ENTRIES_MAX).map(entry).collect();
        self.render_feed(folder, title, &entries)
    }
}
