//! The story of a demo: the letters that arrive on each day.

/// The letters that arrive before one evening's pass.
pub(super) struct Day {
    pub(super) arrivals: &'static [Arrival],
    /// The player whose new letter the demo shows.
    pub(super) featured: &'static str,
}

/// A letter that arrives.
pub(super) struct Arrival {
    /// The sender and the mail program, as the demo describes them.
    pub(super) sender: &'static str,
    /// The letter, with placeholders for the headers and text of the letter that it answers.
    pub(super) template: &'static str,
    /// The player whose last letter about the game it answers. Empty for a stranger.
    pub(super) player: &'static str,
    /// How often the letter is delivered.
    pub(super) copies: usize,
}

/// The days after the first, on which the game is founded.
pub(super) const DAYS: &[Day] = &[
    Day {
        arrivals: &[
            Arrival {
                sender: "Ann, on her phone, which quotes the whole letter below",
                template: include_str!("phone.eml"),
                player: "ann",
                copies: 1,
            },
            Arrival {
                sender: "Carmen, in Thunderbird; she would like letters in Spanish",
                template: include_str!("language.eml"),
                player: "carmen",
                copies: 1,
            },
            Arrival {
                sender: "Eve, who is no member",
                template: include_str!("stranger.eml"),
                player: "",
                copies: 1,
            },
            Arrival {
                sender: "Bob's mail server, because Bob is away",
                template: include_str!("vacation.eml"),
                player: "bob",
                copies: 1,
            },
        ],
        featured: "bob",
    },
    Day {
        arrivals: &[Arrival {
            sender: "Bob, in Gmail, as HTML; his letter arrives twice and counts once",
            template: include_str!("gmail.eml"),
            player: "bob",
            copies: 2,
        }],
        featured: "carmen",
    },
    Day {
        arrivals: &[Arrival {
            sender: "Carmen, in Outlook, which quotes without any mark; nobody may build there",
            template: include_str!("outlook.eml"),
            player: "carmen",
            copies: 1,
        }],
        featured: "carmen",
    },
    Day {
        arrivals: &[Arrival {
            sender: "Carmen, on her phone; she taps a button in that letter and sends",
            template: include_str!("button.eml"),
            player: "carmen",
            copies: 1,
        }],
        featured: "ann",
    },
];
