//! The campaigns on the club's web site. A campaign's file says who plays in it, and how its points
//! are counted; the results are those that the site shows.

use super::site_source::publish_member;
use crate::club::PublishedMember;
use crate::club::campaign::{Campaign, CampaignGameResult, GameOutcome};
use crate::process::context::ClubResult;
use crate::process::lobby::campaign_rounds::{CampaignStatus, load_campaign_games};
use crate::process::transaction::Transaction;
use crate::render::{CampaignEntry, GameEntry, campaign_page_path};
use crate::rules::{Ranking, Seat};
use crate::store::{CampaignGame, Repository};
use std::collections::BTreeSet;

/// A campaign with its games, before their results are known.
pub(crate) struct SiteCampaign {
    /// A keyed hash of the other fields. The manifest of the site is published, and a plain hash of
    /// the file's names and addresses could be guessed.
    pub state: String,
    campaign: Campaign,
    persons: Vec<Option<PublishedMember>>,
    games: Vec<CampaignGame>,
    played: Vec<CampaignGameResult>,
}

/// Loads the campaigns that the site shows: those that have begun and whose games are all
/// published. `published` are the numbers of the published games.
pub(super) fn load_site_campaigns(
    tx: &Transaction<'_>,
    campaigns: Vec<Campaign>,
    published: &BTreeSet<u32>,
) -> ClubResult<Vec<SiteCampaign>> {
    let mut shown = Vec::new();
    for campaign in campaigns {
        let (games, played) = load_campaign_games(tx, &campaign)?;
        if games.is_empty() || !games.iter().all(|kept| published.contains(&kept.game)) {
            continue;
        }
        let everyone = campaign.entrants_and_replacements();
        let mut persons = Vec::with_capacity(everyone.len());
        for (_, entrant) in everyone {
            let member = tx.member_by_address(&entrant.address)?;
            persons.push(member.and_then(|member| publish_member(tx.context, &member)));
        }
        let state = format!("site-campaign {campaign:?} {persons:?} {played:?}");
        let state = tx.context.secret.id_tag(&state);
        shown.push(SiteCampaign { state, campaign, persons, games, played });
    }
    Ok(shown)
}

impl SiteCampaign {
    /// Returns the path of the campaign's page within the site.
    pub(crate) fn page_path(&self) -> String {
        campaign_page_path(&self.campaign.name)
    }

    /// Computes the standings from the results of these games.
    pub(crate) fn into_entry(self, games: &[GameEntry]) -> CampaignEntry {
        let Self { campaign, persons, games: kept, mut played, .. } = self;
        for game in &mut played {
            let entry = games.binary_search_by_key(&game.game, |entry| entry.number);
            let entry = entry.ok().and_then(|index| games.get(index));
            if let Some(result) = entry.and_then(|entry| entry.result.as_ref()) {
                let seats = Seat::all(u8::MAX).zip(&result.places);
                let ranking = |(seat, (rank, score)): (Seat, &(u32, i64))| Ranking {
                    seat,
                    rank: *rank,
                    score: *score,
                    breakdown: Vec::new(),
                };
                game.outcome = GameOutcome::Over(seats.map(ranking).collect());
            }
        }
        let status = CampaignStatus::from_results(&campaign, kept, played);
        let CampaignStatus { played, rows, .. } = status;
        CampaignEntry { name: campaign.name, persons, played, rows }
    }
}
