//! A document with everything that the club knows about a member, for a request by that member.
//!
//! The document is built field by field. A stored type is taken apart without `..`, so a new field
//! of it does not compile until this module either shows it or leaves it out. It holds no reply
//! token, no address of another member, and nothing that only other players may know.

pub(crate) mod game_lists;
pub(crate) mod member_games;
pub(crate) mod member_mail;

use crate::club::campaign::{Rating, compute_ratings};
use crate::club::clock::{OwnTime, ReminderChoice};
use crate::club::{LetterStyle, Member, Punctuality, Reachability, ReachabilityStatus};
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::lobby::campaign_rounds::load_rated_games;
use crate::process::lobby::erasure;
use crate::process::request_error::RequestError;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::rules::{Message, Seat};
use crate::store::Repository;
use chrono::{DateTime, NaiveDate, Utc};
use game_lists::GameListing;
use member_games::HeldSeat;
use member_mail::MemberMail;
use serde::Serialize;
use std::collections::BTreeSet;

/// The format of the document.
const FORMAT: &str = "postrider-member/1";

/// Everything that the club knows about a member.
#[derive(Serialize)]
pub struct MemberExport {
    format: &'static str,
    club: String,
    exported_at: DateTime<Utc>,
    member: MemberRecord,
    /// The seats that the member has or had.
    seats: Vec<HeldSeat>,
    /// The lists of games on which the member is.
    lists: Vec<GameListing>,
    campaigns: Vec<CampaignSeat>,
    /// The rating after each rated game, oldest first.
    ratings: Vec<MemberRating>,
    /// When all reply tokens of the member were made void.
    reply_tokens_voided_at: Vec<DateTime<Utc>>,
    mail: MemberMail,
}

/// The reason why no document was made.
#[derive(Debug)]
pub enum MemberExportRefusal {
    /// There is no such member. The message lists members of a similar name.
    NoMember(Message),
    /// The member with this number and name is a computer player.
    ComputerPlayer { id: u32, name: String },
    /// This game of the member is still being played, and its secrets were not asked for.
    RunningGame(u32),
}

/// The stored row of a member, without counters of reply tokens.
#[derive(Serialize)]
struct MemberRecord {
    /// The number. 0 for a person who is only invited.
    number: u32,
    name: String,
    addresses: Vec<String>,
    language: String,
    zone: Option<String>,
    vacations: Vec<[NaiveDate; 2]>,
    /// `usual`, `off`, or the interval, such as `12 hours`.
    reminders: String,
    settings: LetterSettings,
    has_answered: bool,
    idle_letters: u32,
    invitations_left: Option<u8>,
    site_consents: u32,
    has_left: bool,
    mailbox: MailboxState,
    /// The punctuality in seats that others have taken over. [`HeldSeat`] has that of current ones.
    punctuality_in_past_seats: TurnCounts,
    address_changes: u32,
}

/// The member's wishes for letters and for the web site.
#[derive(Serialize)]
struct LetterSettings {
    ascii_boards: bool,
    html: bool,
    pictures: bool,
    colours: &'static str,
    calendar: bool,
    digest: bool,
    digest_at: String,
    narrow_text: bool,
    only_turns: bool,
    steady_subjects: bool,
    standings: bool,
    invitations: bool,
    named_on_site: bool,
}

/// The club's knowledge about the member's mailbox.
#[derive(Serialize)]
struct MailboxState {
    status: &'static str,
    bounce_reported_at: Option<DateTime<Utc>>,
    refused_at: Option<DateTime<Utc>>,
    undeliverable_since: Option<DateTime<Utc>>,
    bounces: u32,
    soft_bounces: u32,
    last_probe_at: Option<DateTime<Utc>>,
    last_probe_returned: Option<bool>,
    clock_stopped_since: Option<DateTime<Utc>>,
}

/// The number of turns in time and late, and of games that the member left.
#[derive(Serialize)]
struct TurnCounts {
    in_time: u32,
    late: u32,
    games_left: u32,
}

/// A seat in a game of a campaign.
#[derive(Serialize)]
struct CampaignSeat {
    campaign: String,
    round: u32,
    table: u32,
    game: u32,
    seat: Seat,
    /// The address under which the campaign lists the member.
    address: String,
}

/// The member's rating after a game.
#[derive(Serialize)]
struct MemberRating {
    game: u32,
    at: DateTime<Utc>,
    rating: f64,
    uncertainty: f64,
}

/// Returns everything that the club knows about the member with this number, address or name, or
/// about a non-member whom somebody has invited. Reads only. Without `secrets`, refuses if the
/// member has or had a seat in a game that is still being played.
///
/// # Errors
/// If the club cannot be read; a refusal as in [`MemberExportRefusal`].
pub fn export_member(
    context: &Context,
    who: &str,
    secrets: bool,
) -> Result<MemberExport, RequestError<MemberExportRefusal>> {
    let tx = &Transaction::begin(context);
    let Some(member) = erasure::find_person(tx, who)? else {
        return Err(RequestError::Refused(describe_missing_person(tx, who)?));
    };
    let seats = member_games::list_held_seats(tx, &member)?;
    if let Some(running) = seats.iter().find(|held| !secrets && !held.is_over) {
        return Err(RequestError::Refused(MemberExportRefusal::RunningGame(running.game)));
    }
    Ok(MemberExport {
        format: FORMAT,
        club: context.settings.name.clone(),
        exported_at: context.now,
        lists: game_lists::list_game_listings(tx, &member)?,
        campaigns: list_campaign_seats(tx, &member)?,
        ratings: list_ratings(context, member.id)?,
        reply_tokens_voided_at: game_lists::list_token_rotations(tx, &member)?,
        mail: member_mail::collect_mail(tx, &member)?,
        seats,
        member: MemberRecord::from_member(member),
    })
}

/// Returns the refusal for a person who is not found: a computer player, or nobody.
fn describe_missing_person(tx: &Transaction<'_>, who: &str) -> ClubResult<MemberExportRefusal> {
    let who = who.trim();
    let is_meant =
        |bot: &Member| who.parse() == Ok(bot.id) || bot.name.to_lowercase() == who.to_lowercase();
    let bot = tx.members()?.into_iter().find(|member| member.bot.is_some() && is_meant(member));
    Ok(match bot {
        Some(Member { id, name, .. }) => MemberExportRefusal::ComputerPlayer { id, name },
        None => MemberExportRefusal::NoMember(reader::describe_unknown_member_in_tx(tx, who)?),
    })
}

fn list_campaign_seats(tx: &Transaction<'_>, member: &Member) -> ClubResult<Vec<CampaignSeat>> {
    let rooms = tx.game_infos()?.into_iter();
    let campaigns: BTreeSet<String> =
        rooms.filter_map(|(_, room)| Some(room.campaign?.name)).collect();
    let mut seats = Vec::new();
    for campaign in campaigns {
        for table in tx.campaign_games(&campaign)? {
            for (seat, address) in Seat::all(u8::MAX).zip(table.players) {
                if member.addresses.contains(&address) {
                    let (campaign, round) = (campaign.clone(), table.round);
                    let (table, game) = (table.table, table.game);
                    seats.push(CampaignSeat { campaign, round, table, game, seat, address });
                }
            }
        }
    }
    Ok(seats)
}

fn list_ratings(context: &Context, member: u32) -> Result<Vec<MemberRating>, ClubError> {
    let (games, _unreadable) = load_rated_games(context)?;
    let history = compute_ratings(&games).remove(&member).unwrap_or_default();
    let rating =
        |Rating { game, at, rating, uncertainty }| MemberRating { game, at, rating, uncertainty };
    Ok(history.into_iter().map(rating).collect())
}

impl MemberRecord {
    fn from_member(member: Member) -> Self {
        let Member {
            id,
            name,
            addresses,
            bot: _,
            language,
            ascii,
            reachability,
            has_answered,
            idle_letters,
            token_generation: _,
            address_changes,
            invitations_left,
            time: OwnTime { zone, vacations, reminders },
            past_punctuality,
            letters,
            site_consents,
            departed,
        } = member;
        Self {
            number: id,
            name,
            addresses,
            language,
            zone: zone.map(|zone| zone.to_string()),
            vacations: vacations.iter().map(|vacation| [vacation.from, vacation.to]).collect(),
            reminders: match reminders {
                ReminderChoice::Every(interval) => interval.to_string(),
                choice => choice.keyword().to_owned(),
            },
            settings: LetterSettings::from_style(ascii, letters),
            has_answered,
            idle_letters,
            invitations_left,
            site_consents,
            has_left: departed.is_some(),
            mailbox: MailboxState::from_reachability(reachability),
            punctuality_in_past_seats: past_punctuality.into(),
            address_changes,
        }
    }
}

impl LetterSettings {
    fn from_style(ascii_boards: bool, style: LetterStyle) -> Self {
        let LetterStyle {
            html,
            picture: pictures,
            colours,
            calendar,
            digest,
            digest_at,
            narrow_text,
            only_turns,
            steady_subjects,
            standings,
            invitations,
            named_on_site,
        } = style;
        Self {
            ascii_boards,
            html,
            pictures,
            colours: colours.keyword(),
            calendar,
            digest,
            digest_at: digest_at.to_string(),
            narrow_text,
            only_turns,
            steady_subjects,
            standings,
            invitations,
            named_on_site,
        }
    }
}

impl MailboxState {
    fn from_reachability(reachability: Reachability) -> Self {
        let Reachability { status, soft_reports, probe, clock_stopped_since } = reachability;
        let (word, reported, refused, since, bounces) = match status {
            ReachabilityStatus::Reached => ("reached", None, None, None, 0),
            ReachabilityStatus::Suspected { reported, refused } => {
                ("suspected", reported, refused, None, 0)
            }
            ReachabilityStatus::Undeliverable { since, returns } => {
                ("undeliverable", None, None, Some(since), returns)
            }
        };
        Self {
            status: word,
            bounce_reported_at: reported,
            refused_at: refused,
            undeliverable_since: since,
            bounces,
            soft_bounces: soft_reports,
            last_probe_at: probe.map(|probe| probe.sent),
            last_probe_returned: probe.map(|probe| probe.returned),
            clock_stopped_since,
        }
    }
}

impl From<Punctuality> for TurnCounts {
    fn from(Punctuality { in_time, late, games_left }: Punctuality) -> Self {
        Self { in_time, late, games_left }
    }
}
