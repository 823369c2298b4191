//! Tests of positions in words and of suggestions: all sentences have words and arguments, and the
//! text is short enough for a letter.

use postrider::games::GAMES;
use postrider::render::{Language, Library};
use postrider::rules::{Dice, DynGame, EventText, Message, PositionRow, Seat, Seed, Turn};

/// The largest permitted text of a position, in bytes. A letter has at most 20 KB of text and HTML,
/// and contains a position at most twice.
const BYTES_MAX: usize = 6_000;
/// One in this many positions is checked. No seat count divides this number, so the checks are
/// spread over all seats.
const STRIDE: usize = 7;

#[test]
fn positions_in_words_are_complete_and_short() {
    let library = Library::embedded().expect("its words are whole");
    for kind in GAMES {
        let options = Default::default();
        for seats in kind.allowed_seat_counts() {
            let (definition, options) = kind
                .validate_and_convert_to_json(kind.shipped_definition(), &options, seats)
                .expect("as it ships");
            let mut game = kind.new_game(&definition, &options, seats).expect("it opens");
            for tag in library.language_tags() {
                let speaker = Speaker { language: library.language(tag), seats };
                speaker.check_game(&mut *game);
            }
        }
    }
}

/// Words the positions of a game in one language.
struct Speaker<'a> {
    language: &'a Language,
    seats: u8,
}

impl Speaker<'_> {
    /// Plays a whole random game, and checks one in [`STRIDE`] positions.
    fn check_game(&self, game: &mut dyn DynGame) {
        let (mut dice, mut chooser) =
            (Dice::new(&Seed::from_number(7), 0), Dice::new(&Seed::from_number(8), 0));
        let mut recent = game.setup(&mut dice);
        let mut step = 0;
        while let Turn::Awaiting(seats) = game.turn() {
            if step % STRIDE == 0 {
                self.check_position(game, &recent);
            }
            let seat = *chooser.pick(&seats).expect("somebody is awaited");
            let played = game.play_random_line(seat, &mut chooser, &mut dice);
            recent = played.expect("something is legal").1;
            step += 1;
        }
        self.check_position(game, &recent);
    }

    fn check_position(&self, game: &dyn DynGame, recent: &[EventText]) {
        let rows = game.describe_position(recent).expect("its own events");
        let public: String = rows.iter().map(|row| self.say_row(row)).collect();
        for seat in Seat::all(self.seats) {
            let rows = game.describe_private_position(seat);
            let private: String = rows.iter().map(|row| self.say_row(row)).collect();
            let bytes = public.len() + private.len();
            assert!(bytes <= BYTES_MAX, "{bytes} bytes:\n{public}{private}");
            for suggestion in game.suggest_lines(seat) {
                self.localize(&suggestion.group);
            }
        }
    }

    fn say_row(&self, row: &PositionRow) -> String {
        let label =
            row.label.as_ref().map_or_else(String::new, |label| format!("{} ", label.letters));
        let name = row.name.as_ref().map_or_else(String::new, |name| self.localize(name) + ": ");
        let texts: Vec<String> = row.sentences.iter().map(|said| self.localize(said)).collect();
        let brief = row.beside_picture.iter().map(|said| self.localize(said));
        assert!(brief.count() + texts.len() > 0, "{row:?} says nothing");
        format!("{label}{name}{}\n", texts.join(" "))
    }

    fn localize(&self, message: &Message) -> String {
        let names: Vec<String> = (1..=self.seats).map(|seat| format!("Player {seat}")).collect();
        let said = self.language.localize_for_observer(message, &names);
        let is_key = |text: &str| {
            let key = text.split(']').next().unwrap_or_default();
            key.contains('-') && key.bytes().all(|b| b == b'-' || b.is_ascii_lowercase())
        };
        assert!(!said.split('[').skip(1).any(is_key), "{said}: {message:?}");
        assert!(!said.trim().is_empty(), "{message:?}");
        said
    }
}
