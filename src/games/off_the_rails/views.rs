//! The data of a position for letters: what all may see, and what only one player may see.

use super::colour::Colour;
use super::definition::{
    BumperHeadOnRule, CartPointsRule, CutRule, DropRule, SoloChasmCardRule, SoloEndRule,
};
use super::event::Event;
use super::grid::{Direction, Square};
use super::jewel::{Jewel, JewelCounts};
use super::mission::Mission;
use super::narrate::mission_names;
use super::order::{CartId, Split};
use super::refuse;
use super::score;
use super::state::{Era, Phase, Place, Player, State};
use super::{OffTheRails, draw, narrate, position_text, scene, suggest};
use crate::rules::{
    Charset, Message, PictureStyle, PositionRow, Scene, Seat, Suggestion, Viewer, Views,
};
use serde_json::{Value, json};

impl Views for OffTheRails {
    fn public_data(state: &State) -> Value {
        let (board, numbers) = (&state.board, &state.numbers);
        let (variant, speed, is_solo) = (&numbers.options, numbers.speed, numbers.is_solo());
        json!({
            "board": board.title,
            "solo": is_solo,
            "players": Seat::all(numbers.seats).map(|s| player_view(state, s)).collect::<Vec<_>>(),
            "carts": state.all_carts().map(|id| cart_view(state, id)).collect::<Vec<_>>(),
            "crowded": list_crowded_squares(state),
            "bag": kind_views(state.bag),
            "bag_total": state.bag.total(),
            "straights": state.tiles.straight_or_corner,
            "junctions": state.tiles.t_or_cross,
            "missions": state.missions.iter().map(Mission::term).collect::<Vec<_>>(),
            "chasm": Colour::ALL.map(|colour| json!({
                "colour": colour.term(),
                "left": state.tokens[colour.index()],
                "squares": state.sunk[colour.index()].iter().collect::<Vec<_>>(),
            })),
            "tokens": state.chasm_tokens_left(),
            "era": match state.era {
                Era::Mining => "mining",
                Era::LastRound(_) => "last_round",
                Era::Abyss => "abyss",
            },
            "drawn": state.drawn,
            "deck": if is_solo { 33 } else { 4 * u32::from(numbers.cards_per_colour) + 1 },
            "turn": state.active_seat(),
            "actions_left": state.turn_progress.actions_left,
            "actions": numbers.actions,
            "ended": if let Phase::Over(reason) = state.phase { Some(reason) } else { None },
            "grade": is_solo.then(|| score::solo_grade(state)),
            "sides": if is_solo { list_sides(state) } else { Vec::new() },
            "values": kind_views(numbers.values),
            "hold": numbers.hold,
            "cart_points": numbers.cart_points,
            "mission_points": numbers.mission_points,
            "ruby_points": numbers.ruby_points,
            "speed": [speed.least, speed.most, speed.start],
            "bumpers": variant.bumpers,
            "head_on_full": variant.bumper_head_on == BumperHeadOnRule::Full,
            "abyss_die": variant.abyss_die,
            "half_up": variant.drop == DropRule::HalfUp,
            "interactive": variant.cut == CutRule::Interactive,
            "not_derailed": variant.cart_points == CartPointsRule::NotDerailed,
            "chasm_card_keeps_all": variant.solo_chasm_card == SoloChasmCardRule::Turn,
            "ends_without_carts": variant.solo_end == SoloEndRule::Left,
            "lost_unless_stopped": variant.solo_end == SoloEndRule::Loss,
            "tokens_each": numbers.tokens,
        })
    }

    /// Returns the player's standing orders.
    fn private_data(state: &State, seat: Seat) -> Value {
        let player = state.player(seat).cloned().unwrap_or_default();
        let is_cut = !state.numbers.is_solo() && state.numbers.options.cut == CutRule::Standing;
        let wishes = Colour::ALL.into_iter().zip(player.token_wishes);
        let wishes = wishes.filter_map(|(colour, at)| Some((colour.term(), at?)));
        let open = player.claim_ranking.iter().filter(|&&mission| state.missions.contains(mission));
        json!({
            "split": is_cut.then(|| Split::term(player.split)),
            "claims": open.map(|mission| mission.term()).collect::<Vec<_>>(),
            "chasm": wishes.collect::<Vec<_>>(),
            "places": player.wants_token,
        })
    }

    fn draw_board_text(state: &State, recent: &[Event], charset: Charset) -> Vec<String> {
        draw::draw_board(state, recent, charset)
    }

    fn draw_board_picture(state: &State, recent: &[Event], style: PictureStyle) -> Scene {
        scene::draw_scene(state, recent, style)
    }

    fn describe_position(state: &State, recent: &[Event]) -> Vec<PositionRow> {
        position_text::describe_position(state, recent)
    }

    fn describe_private_position(state: &State, seat: Seat) -> Vec<PositionRow> {
        position_text::describe_private_position(state, seat)
    }

    fn suggest_lines(state: &State, seat: Seat) -> Vec<Suggestion> {
        suggest::suggest_lines(state, seat)
    }

    fn are_narrated_together(one: &Event, next: &Event) -> bool {
        narrate::is_move_step(one) && narrate::is_move_step(next)
    }

    fn narrate_group(state: &State, events: &[Event], viewer: Viewer) -> Vec<Message> {
        narrate::narrate_group(state, events, viewer)
    }

    fn describe_revealed_secrets(state: &State, seat: Seat) -> Vec<Message> {
        let Some(player) = state.player(seat).filter(|_| !state.numbers.is_solo()) else {
            return Vec::new();
        };
        let said = |key: &'static str| Message::new(key).with("who", seat);
        let is_cut = state.numbers.options.cut == CutRule::Standing;
        let cut =
            is_cut.then(|| said("or-revealed-split").with_term("split", Split::term(player.split)));
        let claims = (!player.claim_ranking.is_empty()).then(|| {
            said("or-revealed-claims").with("missions", mission_names(player.claim_ranking.clone()))
        });
        let brought = player.delivered_jewels().kinds().rev().map(|(jewel, count)| {
            Message::new("or-revealed-kind").with("count", count).with_term("jewel", jewel.term())
        });
        let brought: Vec<Message> = brought.collect();
        let has = said("or-revealed")
            .with("count", player.missions.len())
            .with("missions", mission_names(player.missions.iter()))
            .with("jewels", brought.len())
            .with("pile", brought);
        std::iter::once(has).chain(cut).chain(claims).collect()
    }

    fn describe_choices(state: &State, seat: Seat) -> Vec<Message> {
        narrate::describe_choices(state, seat)
    }

    /// Counts the deposit cards drawn until the collapse, and then the chasm tokens placed. The
    /// first part makes up `MINING_PERCENT` of the game.
    fn estimate_progress(state: &State) -> (usize, usize) {
        let numbers = &state.numbers;
        let all = u32::from(numbers.tokens) * if numbers.is_solo() { 1 } else { 4 };
        let sunk = all.saturating_sub(state.chasm_tokens_left());
        let cards = u32::from(4 * numbers.cards_per_colour.saturating_sub(2) + 2);
        let share = |part: u32, whole: u32, of: u32| part.min(whole) * of / whole.max(1);
        let hundredths = match state.era {
            _ if numbers.is_solo() => share(sunk, all, 100),
            Era::Mining | Era::LastRound(_) => share(state.drawn.into(), cards, MINING_PERCENT),
            Era::Abyss => MINING_PERCENT + share(sunk, all, 100 - MINING_PERCENT),
        };
        (hundredths as usize, 100)
    }
}

pub(super) fn kind_views(hoard: JewelCounts) -> Vec<Value> {
    let view = |(jewel, count): (Jewel, u8)| {
        let (jewel, letter) = (jewel.term(), jewel.letter());
        json!({ "jewel": jewel, "letter": letter, "count": count })
    };
    hoard.kinds().rev().map(view).collect()
}

fn player_view(state: &State, seat: Seat) -> Value {
    let player = state.player(seat);
    let pile = player.map_or(JewelCounts::NONE, Player::delivered_jewels);
    let missions = player.map(|player| player.missions).unwrap_or_default();
    json!({
        "seat": seat,
        "side": state.sides.get(seat.index()).map_or("", |side| side.term()),
        "pile": Jewel::ALL.map(|jewel| pile[jewel]),
        "missions": missions.iter().map(Mission::term).collect::<Vec<_>>(),
        "score": current_points(state, seat),
    })
}

/// Returns the points that the seat would have if the game ended now.
pub(super) fn current_points(state: &State, seat: Seat) -> i64 {
    let standing = score::rankings(state).into_iter().find(|standing| standing.seat == seat);
    standing.map_or(0, |standing| standing.score)
}

fn cart_view(state: &State, id: CartId) -> Value {
    let cart = state.cart(id);
    let (place, square) = match cart.place {
        Place::Supply => ("supply", None),
        Place::Surface(berth) => ("surface", state.board.entry_square(berth)),
        Place::Track(square) => ("track", Some(square)),
        Place::Gone => ("gone", None),
    };
    json!({
        "seat": state.owner(id),
        "code": draw::cart_code(state, id).into_iter().collect::<String>(),
        "word": refuse::cart_order_word(state, id),
        "place": place,
        "square": square,
        "facing": cart.is_on_board().then(|| cart.facing.term()),
        "speed": cart.speed,
        "hold": kind_views(cart.hold),
    })
}

/// Returns the squares with more jewels than the drawn board has room for.
fn list_crowded_squares(state: &State) -> Vec<Value> {
    let is_crowded = |&at: &Square| state.ground[at].total() > draw::JEWELS_DRAWN_MAX;
    let view = |at| json!({ "square": at, "jewels": kind_views(state.ground[at]) });
    state.board.squares.iter().filter(is_crowded).map(view).collect()
}

/// Returns the jewels that were delivered over each side in the solo game.
fn list_sides(state: &State) -> Vec<Value> {
    let delivered = state.players.first().map_or([JewelCounts::NONE; 4], |player| player.delivered);
    let side = |way: Direction| {
        json!({
            "side": way.term(),
            "colour": state.board.side_colours[way.index()].term(),
            "home": state.board.home_jewels[way.index()].term(),
            "delivered": kind_views(delivered[way.index()]),
        })
    };
    Direction::ALL.map(side).into()
}

/// The estimated progress of a game when the mines collapse, in percent.
const MINING_PERCENT: u32 = 75;
