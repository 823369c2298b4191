//! Trick of the Rails: a trick-taking game whose tricks build five railways and hand out shares of
//! them.
//!
//! The leftmost card of the trick lane decides what a trick is played for. In a stock round, played
//! cards become shares. In an operating round, they extend the railways.
//!
//! | module | contents |
//! |---|---|
//! | `definition`, `edition` | the cards and lanes as data, and the checked data of one game |
//! | `card`, `company`, `railway` | cards and sets of cards, the five companies, and their railways |
//! | `state` | the position and the events that change it |
//! | `decide`, `refuse` | the rules of a trick, and the reasons for refusals |
//! | `names`, `orders`, `examples` | from a line of a letter to an order, and examples of lines |
//! | `plan`, `plan_lines`, `trick_prospects` | orders that are written in advance |
//! | `draw`, `scene`, `in_words`, `narrate`, `views` | the game as text board, picture, words, news and template data |
//! | `suggest`, `hidden` | orders that are worth suggesting; hidden information and the audit |

mod card;
mod company;
mod decide;
mod definition;
mod draw;
mod edition;
mod examples;
mod hidden;
mod in_words;
mod names;
mod narrate;
mod orders;
mod plan;
mod plan_lines;
mod railway;
mod refuse;
mod scene;
mod state;
mod suggest;
#[cfg(test)]
mod tests;
mod trick_prospects;
mod views;

pub use card::Card;
pub use company::Company;
pub use plan::Plan;

/// The game Trick of the Rails for 3 to 5 players.
pub struct TrickOfTheRails;
