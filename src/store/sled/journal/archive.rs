//! What a store in its folder says of a club, line by line, as things are now.
//!
//! Knows nothing of where the lines go.

use crate::store::journal::{Archive, ClubLine, TakeLine};
use crate::store::sled::game_row::Field;
use crate::store::{Repository, Store, StoreError};

impl Archive for Store {
    fn each_line(&self, take: TakeLine<'_>) -> Result<(), StoreError> {
        self.each_line_of_now(take)?;
        for (game, minute) in self.all_minutes()? {
            take(ClubLine::ActivityEntry { game, minute })?;
        }
        for (letter, seen) in self.all_seen_letters()? {
            take(ClubLine::seen(&letter, &seen))?;
        }
        Ok(())
    }
}

impl Store {
    /// Gives a line for each thing in which a later line wins to `put`.
    pub(super) fn each_line_of_now(&self, put: TakeLine<'_>) -> Result<(), StoreError> {
        self.members()?.into_iter().try_for_each(|member| put(ClubLine::Member(member)))?;
        let generation = Some(self.moderator()?).filter(|generation| *generation > 0);
        generation.map_or(Ok(()), |generation| put(ClubLine::Moderator { generation }))?;
        self.each_seat(|game, seat, seated| put(ClubLine::Seat { game, seat, seated }))?;
        let games = &mut self.all_campaign_games()?.into_iter();
        games.try_for_each(|game| put(ClubLine::CampaignGame(game)))?;
        self.each_field(Field::Clock, |game, clock| put(ClubLine::Clock { game, clock }))?;
        self.each_field(Field::Room, |game, room| put(ClubLine::GameRoom { game, room }))
    }
}
