//! The position, and how events change it. All rules are in `decide`.

use super::board::{Board, GameNumbers};
use super::colour::{ByColour, Colour};
use super::cutoff;
use super::definition::Start;
use super::hex::{Hex, HexId, HexSet};
use crate::rules::Seat;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One step of a player. A line of a letter may contain several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Takes a locomotive from its storing board and places it.
    Place { colour: Colour, hex: Hex },
    /// Ends the current build, although more locomotives could be placed.
    Stop,
    /// Returns one share and takes one or two of another company.
    Trade {
        /// The company whose share returns to its storing board.
        give: Colour,
        /// The company whose shares are taken.
        take: Colour,
        /// The number of shares that are taken.
        count: u8,
    },
}

/// An event of the game's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// The first locomotive of each colour was placed on a start hex.
    Started { starts: ByColour<Hex> },
    /// A player drew shares from the bag. Only this player sees which.
    Dealt {
        seat: Seat,
        /// The number of shares that the player drew of each colour.
        shares: ByColour<u8>,
    },
    /// The start player was drawn.
    First { seat: Seat },
    /// A player placed a locomotive, which is one step of a build.
    Placed { seat: Seat, colour: Colour, hex: Hex },
    /// A player traded shares. Everyone learns the colours and the count.
    Traded {
        seat: Seat,
        /// The company whose share returned to its storing board.
        give: Colour,
        take: Colour,
        count: u8,
    },
    /// The next player's turn began.
    Turn { seat: Seat },
    /// The game ended.
    Ended { reason: Ending },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// "A locomotive has been placed in Marseille."
    Marseille,
    /// "There are locomotives on only one of the storing boards."
    BoardsEmpty,
    /// Too many trades without a build (our ruling; off by default).
    Stalled,
}

/// The stage of the game: before the deal, in play, or over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The shares have not been dealt yet.
    Unopened,
    Turn(Seat),
    Over(Ending),
}

/// A build that has begun and not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Build {
    pub colour: Colour,
    pub placed: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Portfolio {
    pub shares: ByColour<u8>,
    /// The shares that the player was dealt. The others do not know them.
    pub dealt: ByColour<u8>,
    /// The minimum number of shares of each colour that the player must have been dealt. Everyone
    /// can conclude it from the announced trades.
    pub proven: ByColour<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub board: Arc<Board>,
    /// The numbers that depend on the number of players and on the options.
    pub numbers: GameNumbers,
    pub phase: Phase,
    /// The build that has begun and not ended.
    pub build: Option<Build>,
    /// The hexes that hold a locomotive of each colour.
    pub locomotives: ByColour<HexSet>,
    /// The number of locomotives on each storing board.
    pub supply: ByColour<u8>,
    /// The value track: the points that one share of each company is worth.
    pub values: ByColour<u16>,
    pub portfolios: Vec<Portfolio>,
    pub trades_in_row: u32,
    /// The number of turns that each seat has begun, in order of play.
    pub turns: Vec<u32>,
    /// For each colour without a city, the hexes of one known path to an empty city. The cut-off
    /// rule uses it, so that most placements need no search.
    pub lifelines: ByColour<HexSet>,
}

impl State {
    pub fn new(board: Arc<Board>, numbers: GameNumbers) -> Self {
        Self {
            board,
            numbers,
            phase: Phase::Unopened,
            build: None,
            locomotives: ByColour::default(),
            supply: ByColour::from_fn(|_| numbers.locomotives),
            values: ByColour::default(),
            portfolios: vec![Portfolio::default(); usize::from(numbers.seats)],
            trades_in_row: 0,
            turns: vec![0; usize::from(numbers.seats)],
            lifelines: ByColour::default(),
        }
    }

    /// Returns the seat whose turn it is. Returns `None` before the deal and after the end.
    pub const fn active_seat(&self) -> Option<Seat> {
        if let Phase::Turn(seat) = self.phase { Some(seat) } else { None }
    }

    pub fn count_nonempty_storing_boards(&self) -> usize {
        self.supply.iter().filter(|&(_, &count)| count > 0).count()
    }

    /// Returns the start of a colour, or `None` before the deal.
    pub fn start_of(&self, colour: Colour) -> Option<&Start> {
        let stands =
            |hex| self.board.hex_id(hex).is_some_and(|id| self.locomotives[colour].contains(id));
        self.board.map.starts.iter().find(|start| stands(start.hex))
    }

    /// Returns the shares of a seat. They are all 0 if there is no such seat.
    pub fn shares_of(&self, seat: Seat) -> ByColour<u8> {
        self.portfolios.get(seat.index()).map_or_else(ByColour::default, |held| held.shares)
    }

    /// Returns the hexes with at least one locomotive, and those with two.
    pub fn occupied_hexes(&self) -> (HexSet, HexSet) {
        self.locomotives.iter().fold(Default::default(), |(one, two), (_, &hexes)| {
            (one.or(hexes), two.or(one.and(hexes)))
        })
    }

    /// Returns the hexes that no locomotive can enter any more: starts, cities with one locomotive,
    /// and rural hexes with two.
    pub fn full_hexes(&self) -> HexSet {
        let (one, two) = self.occupied_hexes();
        self.board.start_hexes.or(two).or(one.and(self.board.city_hexes))
    }

    /// Returns the hexes that have room for a locomotive of this colour, whether or not it can
    /// reach them.
    pub fn hexes_open_to(&self, colour: Colour) -> HexSet {
        self.board.land.minus(self.full_hexes()).minus(self.locomotives[colour])
    }

    pub fn has_city(&self, colour: Colour) -> bool {
        !self.locomotives[colour].and(self.board.city_hexes).is_empty()
    }

    /// Applies an event. It never fails and checks no rule.
    pub fn apply(&mut self, event: &Event) {
        match *event {
            Event::Started { starts } => self.place_start_locomotives(&starts),
            Event::Dealt { seat, shares } => self.deal_shares(seat, &shares),
            Event::First { seat } => self.begin_turn(seat),
            Event::Placed { colour, hex, .. } => self.place_locomotive(colour, hex),
            Event::Traded { seat, give, take, count } => self.trade_shares(seat, give, take, count),
            Event::Turn { seat } => {
                self.build = None;
                self.begin_turn(seat);
            }
            Event::Ended { reason } => {
                self.build = None;
                self.phase = Phase::Over(reason);
            }
        }
    }

    fn begin_turn(&mut self, seat: Seat) {
        self.phase = Phase::Turn(seat);
        if let Some(turns) = self.turns.get_mut(seat.index()) {
            *turns = turns.saturating_add(1);
        }
    }

    pub fn turns_begun(&self, seat: Seat) -> u32 {
        self.turns.get(seat.index()).copied().unwrap_or_default()
    }

    fn place_start_locomotives(&mut self, starts: &ByColour<Hex>) {
        for (colour, &hex) in starts.iter() {
            self.locomotives[colour] = self.board.hex_id(hex).into_iter().collect();
        }
        for colour in Colour::ALL {
            self.lifelines[colour] =
                cutoff::shortest_path_to_free_city(self, colour).unwrap_or_default();
        }
    }

    fn deal_shares(&mut self, seat: Seat, shares: &ByColour<u8>) {
        let Some(portfolio) = self.portfolios.get_mut(seat.index()) else { return };
        portfolio.dealt = *shares;
        portfolio.shares = *shares;
        for (colour, &count) in shares.iter() {
            self.supply[colour] = self.supply[colour].saturating_sub(count);
        }
    }

    fn place_locomotive(&mut self, colour: Colour, hex: Hex) {
        let Some(id) = self.board.hex_id(hex) else { return };
        self.locomotives[colour].insert(id);
        self.supply[colour] = self.supply[colour].saturating_sub(1);
        let points = u16::from(self.board.hex_points(id));
        self.values[colour] = self.values[colour].saturating_add(points);
        self.trades_in_row = 0;
        let placed = self.build.filter(|build| build.colour == colour).map_or(0, |b| b.placed);
        self.build = Some(Build { colour, placed: placed.saturating_add(1) });
        self.update_known_paths(id);
    }

    /// Searches for a new path only for colours whose known path contains the hex that was just
    /// taken.
    fn update_known_paths(&mut self, hit: HexId) {
        for colour in Colour::ALL {
            if self.has_city(colour) {
                self.lifelines[colour] = HexSet::EMPTY;
            } else if self.lifelines[colour].contains(hit) {
                self.lifelines[colour] =
                    cutoff::shortest_path_to_free_city(self, colour).unwrap_or_default();
            }
        }
    }

    fn trade_shares(&mut self, seat: Seat, give: Colour, take: Colour, count: u8) {
        self.trades_in_row = self.trades_in_row.saturating_add(1);
        let Some(portfolio) = self.portfolios.get_mut(seat.index()) else { return };
        let Portfolio { shares, dealt, proven } = portfolio;
        shares[give] = shares[give].saturating_sub(1);
        // Shares given beyond those taken since the deal must have been dealt.
        proven[give] = proven[give].max(dealt[give].saturating_sub(shares[give]));
        shares[take] = shares[take].saturating_add(count);
        self.supply[give] = self.supply[give].saturating_add(1);
        self.supply[take] = self.supply[take].saturating_sub(count);
    }
}
