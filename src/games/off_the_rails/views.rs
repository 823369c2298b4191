//! What everyone may see, and what only one player may see.

use super::colour::Colour;
use super::definition::{BumperHeadOn, CartPoints, Cut, Drop, SoloChasmCard, SoloEnd};
use super::event::{Ending, Event};
use super::grid::{Square, Way};
use super::jewel::{Hoard, Jewel};
use super::mission::Mission;
use super::order::{CartId, Split};
use super::refuse;
use super::score::{self, Grade};
use super::state::{Era, Phase, Place, Player, State};
use super::{OffTheRails, draw, in_words, narrate, scene, suggest};
use crate::rules::{
    Arg, Charset, Message, PictureStyle, Row, Scene, Seat, Suggestion, Viewer, Views,
};
use serde::Serialize;

/// What everyone may see.
#[derive(Debug, Serialize)]
pub struct PublicView {
    /// What the board is.
    pub board: String,
    /// Whether one plays alone.
    pub solo: bool,
    /// The players in order of play.
    pub players: Vec<PlayerView>,
    pub carts: Vec<CartView>,
    /// Squares with more jewels than the board can show.
    pub crowded: Vec<SquareView>,
    /// What is in the bag.
    pub bag: Vec<KindView>,
    /// Jewels in the bag.
    pub bag_total: u32,
    /// Straights and corners in the supply.
    pub straights: u8,
    /// Junctions in the supply.
    pub junctions: u8,
    /// The missions that lie face up and are not claimed.
    pub missions: Vec<&'static str>,
    /// The chasm, by colour.
    pub chasm: Vec<ChasmView>,
    /// Chasm tokens that are left.
    pub tokens: u32,
    /// Which part of the game it is: `mining`, `last_round` or `abyss`.
    pub era: &'static str,
    /// Deposit cards that have been drawn.
    pub drawn: u8,
    /// Deposit cards of the whole deck, the Chasm card too.
    pub deck: u32,
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// Actions left in this turn.
    pub actions_left: u8,
    /// Actions in a turn.
    pub actions: u8,
    /// Why the game is over.
    pub ended: Option<Ending>,
    /// Solo: the grade reached.
    pub grade: Option<Grade>,
    /// Solo: what was brought to each side.
    pub sides: Vec<SideView>,
    /// What each kind is worth.
    pub values: Vec<KindView>,
    /// Jewels that a cart holds.
    pub hold: u8,
    /// Points for a cart.
    pub cart_points: u8,
    /// Points for a mission.
    pub mission_points: u8,
    /// Points for most rubies.
    pub ruby_points: u8,
    /// Speeds, lowest, highest and first.
    pub speed: (u8, u8, u8),
    /// Whether carts have bumpers.
    pub bumpers: bool,
    /// Whether head-on collisions act in full all the same.
    pub head_on_full: bool,
    /// Whether a die says where a mine collapses.
    pub abyss_die: bool,
    /// Whether the larger part of an odd number always falls.
    pub half_up: bool,
    /// Whether the rammed player is asked for the piles.
    pub interactive: bool,
    /// Whether carts that derailed last do not score.
    pub not_derailed: bool,
    /// Solo: whether the Chasm card among the first cards keeps all their tokens back.
    pub chasm_card_keeps_all: bool,
    /// Solo: whether the game ends with a turn after which no cart is on the board.
    pub ends_without_carts: bool,
    /// Solo: whether it is lost unless it is stopped in time.
    pub lost_unless_stopped: bool,
    /// Chasm tokens of each colour.
    pub tokens_each: u8,
}

#[derive(Debug, Serialize)]
pub struct PlayerView {
    pub seat: Seat,
    /// The side, as a word's key.
    pub side: &'static str,
    /// The pile, kind by kind: rocks first.
    pub pile: [u8; 5],
    /// The missions claimed, as words' keys.
    pub missions: Vec<&'static str>,
    /// The points that the player would have now.
    pub score: i64,
}

#[derive(Debug, Serialize)]
pub struct CartView {
    pub seat: Seat,
    /// The letters that stand for it on the board.
    pub code: String,
    /// Its word in orders.
    pub word: &'static str,
    /// Where it is: `supply`, `surface`, `track` or `gone`.
    pub place: &'static str,
    pub square: Option<Square>,
    /// Which way it faces, as a word's key.
    pub facing: Option<&'static str>,
    pub speed: u8,
    /// What it holds.
    pub hold: Vec<KindView>,
}

/// So many of a kind.
#[derive(Debug, Serialize)]
pub struct KindView {
    /// The kind, as a word's key.
    pub jewel: &'static str,
    /// The letter on the board.
    pub letter: char,
    /// How many, or how much.
    pub count: u8,
}

/// What lies on a square.
#[derive(Debug, Serialize)]
pub struct SquareView {
    pub square: Square,
    /// What lies there.
    pub jewels: Vec<KindView>,
}

/// The chasm of one colour.
#[derive(Debug, Serialize)]
pub struct ChasmView {
    /// Which, as a word's key.
    pub colour: &'static str,
    /// Tokens left of it.
    pub left: u8,
    pub squares: Vec<Square>,
}

/// Solo: one side.
#[derive(Debug, Serialize)]
pub struct SideView {
    /// Which, as a word's key.
    pub side: &'static str,
    /// Its colour, as a word's key.
    pub colour: &'static str,
    /// The jewel that belongs there, as a word's key.
    pub home: &'static str,
    /// What was brought there.
    pub delivered: Vec<KindView>,
}

/// What only one player may see: what she wants done when it comes to it.
#[derive(Debug, Serialize)]
pub struct PrivateView {
    /// How her jewels are cut, as a word's key; none where she is asked or plays alone.
    pub split: Option<&'static str>,
    /// The missions that she claims first, as words' keys.
    pub claims: Vec<&'static str>,
    /// Where a token of each colour goes in this turn.
    pub chasm: Vec<(&'static str, Square)>,
    /// Whether she places a token without a cart on the board.
    pub places: bool,
}

impl Views for OffTheRails {
    type PublicView = PublicView;
    type PrivateView = PrivateView;

    fn public(state: &State) -> PublicView {
        let (board, numbers) = (&state.board, &state.numbers);
        let is_solo = numbers.is_solo();
        let speed = numbers.speed;
        PublicView {
            board: board.title.clone(),
            solo: is_solo,
            players: Seat::all(numbers.seats).map(|seat| player(state, seat)).collect(),
            carts: state.all_carts().map(|id| cart(state, id)).collect(),
            crowded: crowded(state),
            bag: kinds(state.bag),
            bag_total: state.bag.total(),
            straights: state.tiles.straight_or_corner,
            junctions: state.tiles.t_or_cross,
            missions: state.missions.iter().map(Mission::term).collect(),
            chasm: Colour::ALL.into_iter().map(|colour| chasm(state, colour)).collect(),
            tokens: state.tokens_left(),
            era: match state.era {
                Era::Mining => "mining",
                Era::LastRound(_) => "last_round",
                Era::Abyss => "abyss",
            },
            drawn: state.drawn,
            deck: if is_solo { 33 } else { 4 * u32::from(numbers.length) + 1 },
            turn: state.active(),
            actions_left: state.stint.actions,
            actions: numbers.actions,
            ended: if let Phase::Over(reason) = state.phase { Some(reason) } else { None },
            grade: is_solo.then(|| score::grade(state)),
            sides: if is_solo { sides(state) } else { Vec::new() },
            values: kinds(numbers.values),
            hold: numbers.hold,
            cart_points: numbers.cart_points,
            mission_points: numbers.mission_points,
            ruby_points: numbers.ruby_points,
            speed: (speed.least, speed.most, speed.start),
            bumpers: numbers.variant.bumpers,
            head_on_full: numbers.variant.bumper_head_on == BumperHeadOn::Full,
            abyss_die: numbers.variant.abyss_die,
            half_up: numbers.variant.drop == Drop::HalfUp,
            interactive: numbers.variant.cut == Cut::Interactive,
            not_derailed: numbers.variant.cart_points == CartPoints::NotDerailed,
            chasm_card_keeps_all: numbers.variant.solo_chasm_card == SoloChasmCard::Turn,
            ends_without_carts: numbers.variant.solo_end == SoloEnd::Left,
            lost_unless_stopped: numbers.variant.solo_end == SoloEnd::Loss,
            tokens_each: numbers.tokens,
        }
    }

    fn private(state: &State, seat: Seat) -> PrivateView {
        let player = state.player(seat).cloned().unwrap_or_default();
        let is_cut = !state.numbers.is_solo() && state.numbers.variant.cut == Cut::Standing;
        let wishes = Colour::ALL.into_iter().zip(player.chasm);
        let open = player.claims.iter().filter(|&&mission| state.missions.contains(mission));
        PrivateView {
            split: is_cut.then(|| Split::term(player.split)),
            claims: open.map(|mission| mission.term()).collect(),
            chasm: wishes.filter_map(|(colour, at)| Some((colour.term(), at?))).collect(),
            places: player.places,
        }
    }

    fn board(state: &State, recent: &[Event], charset: Charset) -> Vec<String> {
        draw::draw(state, recent, charset)
    }

    fn scene(state: &State, recent: &[Event], style: PictureStyle) -> Scene {
        scene::scene(state, recent, style)
    }

    fn in_words(state: &State, recent: &[Event]) -> Vec<Row> {
        in_words::in_words(state, recent)
    }

    fn private_in_words(state: &State, seat: Seat) -> Vec<Row> {
        in_words::private_in_words(state, seat)
    }

    fn suggestions(state: &State, seat: Seat) -> Vec<Suggestion> {
        suggest::suggestions(state, seat)
    }

    fn narrate(state: &State, events: &[Event], viewer: Viewer) -> Vec<Message> {
        narrate::narrate(state, events, viewer)
    }

    fn revealed(state: &State, seat: Seat) -> Vec<Message> {
        let Some(player) = state.player(seat).filter(|_| !state.numbers.is_solo()) else {
            return Vec::new();
        };
        let terms = |missions: Vec<Mission>| {
            Arg::List(missions.iter().map(|mission| Arg::Term(mission.term())).collect())
        };
        let said = |key: &'static str| Message::new(key).with("who", seat);
        let cut = state.numbers.variant.cut == Cut::Standing;
        let cut = cut
            .then(|| said("or-revealed-split").with("split", Arg::Term(Split::term(player.split))));
        let claims = (!player.claims.is_empty())
            .then(|| said("or-revealed-claims").with("missions", terms(player.claims.clone())));
        let missions = player.missions.iter().collect::<Vec<_>>();
        let brought = kinds(player.pile()).into_iter().map(|kind| {
            let word = Message::new("or-revealed-kind").with("count", kind.count);
            word.with("jewel", Arg::Term(kind.jewel))
        });
        let brought: Vec<Message> = brought.collect();
        let has = said("or-revealed")
            .with("count", missions.len())
            .with("missions", terms(missions))
            .with("jewels", brought.len())
            .with("pile", brought);
        std::iter::once(has).chain(cut).chain(claims).collect()
    }

    fn choices(state: &State, seat: Seat) -> Vec<Message> {
        narrate::choices(state, seat)
    }

    /// How much of the game is likely to lie behind: by the deposit cards until the collapse, and
    /// then by the chasm tokens.
    fn progress(state: &State) -> u8 {
        match state.phase {
            Phase::Unopened => return 0,
            Phase::Over(_) => return 100,
            Phase::Turn(_) => {}
        }
        let numbers = &state.numbers;
        let all = u32::from(numbers.tokens) * if numbers.is_solo() { 1 } else { 4 };
        let sunk = all.saturating_sub(state.tokens_left());
        let cards = u32::from(4 * numbers.length.saturating_sub(2) + 2);
        let share = |part: u32, whole: u32, of: u32| part.min(whole) * of / whole.max(1);
        let hundredths = match state.era {
            _ if numbers.is_solo() => share(sunk, all, 100),
            Era::Mining | Era::LastRound(_) => share(state.drawn.into(), cards, MINING),
            Era::Abyss => MINING + share(sunk, all, 100 - MINING),
        };
        u8::try_from(hundredths.min(99)).unwrap_or(99)
    }
}

pub(super) fn kinds(hoard: Hoard) -> Vec<KindView> {
    let view = |(jewel, count): (Jewel, u8)| KindView {
        jewel: jewel.term(),
        letter: jewel.letter(),
        count,
    };
    hoard.kinds().rev().map(view).collect()
}

fn player(state: &State, seat: Seat) -> PlayerView {
    let player = state.player(seat);
    let pile = player.map_or(Hoard::NONE, Player::pile);
    let standing = score::standings(state).into_iter().find(|standing| standing.seat == seat);
    let missions = player.map(|player| player.missions).unwrap_or_default();
    PlayerView {
        seat,
        side: state.sides.get(seat.index()).map_or("", |side| side.term()),
        pile: Jewel::ALL.map(|jewel| pile[jewel]),
        missions: missions.iter().map(Mission::term).collect(),
        score: standing.map_or(0, |standing| standing.score),
    }
}

fn cart(state: &State, id: CartId) -> CartView {
    let cart = state.cart(id);
    let (place, square) = match cart.place {
        Place::Supply => ("supply", None),
        Place::Surface(berth) => ("surface", state.board.gate(berth)),
        Place::Track(square) => ("track", Some(square)),
        Place::Gone => ("gone", None),
    };
    CartView {
        seat: state.owner(id),
        code: draw::cart_code(state, id).into_iter().collect(),
        word: refuse::cart_word(state, id),
        place,
        square,
        facing: cart.is_on_board().then(|| cart.facing.term()),
        speed: cart.speed,
        hold: kinds(cart.hold),
    }
}

fn crowded(state: &State) -> Vec<SquareView> {
    let is_crowded = |&at: &Square| state.ground[at].total() > draw::JEWELS_DRAWN;
    let view = |at| SquareView { square: at, jewels: kinds(state.ground[at]) };
    state.board.squares.iter().filter(is_crowded).map(view).collect()
}

fn chasm(state: &State, colour: Colour) -> ChasmView {
    ChasmView {
        colour: colour.term(),
        left: state.tokens[colour.index()],
        squares: state.sunk[colour.index()].iter().collect(),
    }
}

fn sides(state: &State) -> Vec<SideView> {
    let delivered = state.players.first().map_or([Hoard::NONE; 4], |player| player.delivered);
    let side = |way: Way| SideView {
        side: way.term(),
        colour: state.board.side_colours[way.index()].term(),
        home: state.board.homes[way.index()].term(),
        delivered: kinds(delivered[way.index()]),
    };
    Way::ALL.map(side).into()
}

/// How much of a usual game is over when the mines collapse, in hundredths.
const MINING: u32 = 75;
