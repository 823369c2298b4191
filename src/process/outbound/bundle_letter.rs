//! One letter about several games.

use super::composition::{AddressedLetter, ThreadHeaders};
use super::game_wording::{GameWording, ReplyRoute, SeatWording, WordingJob};
use super::pending::SeatUpdate;
use crate::mail::UnsubscribeKind;
use crate::process::context::{ClubError, Context};
use crate::render::{Bundle, BundledGame, OFFERS_MAX};
use chrono::{DateTime, Utc};

/// The maximum number of pictures in one letter. Some mail systems refuse letters with more.
const PICTURES_MAX: usize = 3;

impl AddressedLetter<'_> {
    /// Composes one letter about several games. A plain reply goes to the first game.
    pub(super) fn compose_bundle(
        &self,
        context: &Context,
        games: &[Vec<(&SeatUpdate, GameWording)>],
    ) -> Result<Vec<u8>, ClubError> {
        let settings = &context.settings;
        let reply_routes: Vec<(ReplyRoute, Option<String>)> =
            games.iter().filter_map(|game| game_reply_route(context, game)).collect();
        let shown = games.iter().zip(&reply_routes);
        let shown = shown.map(|(game, (way, link))| BundledGame {
            title: game.last().map(|(_, said)| &*said.title).unwrap_or_default(),
            subject: game.last().map(|(_, said)| &*said.rendered.subject).unwrap_or_default(),
            waits: game.last().is_some_and(|(_, said)| said.awaits_reader),
            reply: way.address_or_subject_tag(),
            link: link.as_deref(),
            texts: game.iter().map(|(_, said)| &*said.rendered.text).collect(),
            htmls: game.iter().filter_map(|(_, said)| said.rendered.html.as_deref()).collect(),
            picture: None,
        });
        let shown: Vec<BundledGame<'_>> = shown.collect();
        let newest = || games.iter().filter_map(|game| game.last());
        let waiting = newest().filter(|(_, said)| said.awaits_reader);
        let mut rendered = context.library.render_bundle(&Bundle {
            club: &settings.name,
            reader: &self.to,
            token_in_subject: !settings.plus_addressing,
            written_and_due: (
                self.written_at,
                waiting.filter_map(|(telling, _)| telling.due).min(),
            ),
            games: &shown,
        });
        if rendered.html.is_some() {
            let said = games.iter().flatten().flat_map(|(_, said)| &said.rendered.pictures);
            rendered.pictures = said.cloned().collect();
        }
        let thread = ThreadHeaders {
            reply_route: reply_routes.into_iter().next().map(|(way, _)| way),
            unsubscribe: self.unsubscribe_link(context, UnsubscribeKind::Digests),
            // One calendar entry for each current deadline.
            calendars: newest().filter_map(|(_, said)| said.calendar.clone()).collect(),
            ..ThreadHeaders::default()
        };
        self.compose_bytes(context, &rendered, &thread)
    }
}

/// Groups the updates by seat of a game, in the order of each game's first update.
pub(super) fn group_by_game(
    updates: &[SeatUpdate],
    wordings: Vec<GameWording>,
) -> Vec<Vec<(&SeatUpdate, GameWording)>> {
    let mut games: Vec<Vec<(&SeatUpdate, GameWording)>> = Vec::new();
    for (update, wording) in updates.iter().zip(wordings) {
        let same = |game: &&mut Vec<(&SeatUpdate, GameWording)>| {
            game.first().is_some_and(|(other, _)| other.is_same_seat(update))
        };
        match games.iter_mut().find(same) {
            Some(game) => game.push((update, wording)),
            None => games.push(vec![(update, wording)]),
        }
    }
    games
}

/// Returns the reply route for one game of a bundle, and a link to it if links may carry tokens.
/// Uses the game's newest update, because the reader answers the position that it shows.
fn game_reply_route(
    context: &Context,
    game: &[(&SeatUpdate, GameWording)],
) -> Option<(ReplyRoute, Option<String>)> {
    let (_, newest) = game.last()?;
    let token = newest.token.as_ref()?;
    let link =
        ReplyRoute::for_links(context, token).and_then(|way| way.answer_link(&newest.title, ""));
    Some((ReplyRoute::for_token(context, token), link))
}

/// Returns the jobs of a letter about several games. The games that wait for the reader share the
/// offered lines equally, and the others get none. Only the newest updates of the [`PICTURES_MAX`]
/// games with the earliest deadlines show pictures.
pub(super) fn wording_jobs_of_bundle(
    updates: &[SeatUpdate],
    written_at: DateTime<Utc>,
) -> Vec<WordingJob<'_>> {
    let waiting = updates.iter().filter(|update| update.is_turn).count();
    let share = OFFERS_MAX.checked_div(waiting).unwrap_or(0);
    let is_newest = |(at, update): &(usize, &SeatUpdate)| {
        !updates.iter().skip(at + 1).any(|later| later.is_same_seat(update))
    };
    let mut urgent: Vec<(usize, &SeatUpdate)> =
        updates.iter().enumerate().filter(is_newest).collect();
    urgent.sort_by_key(|(_, update)| update.due.map_or(i64::MAX, |due| due.timestamp()));
    urgent.truncate(PICTURES_MAX);
    let wordings = updates.iter().enumerate().map(|(at, update)| SeatWording {
        update,
        is_bundled: true,
        offers_max: if update.is_turn { share } else { 0 },
        has_picture: urgent.iter().any(|(shown, _)| *shown == at),
    });
    wordings.map(|wording| WordingJob::from_seat_wording(wording, written_at)).collect()
}
