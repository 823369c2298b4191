//! The options of a game and their values. The default options give the names, and the refusal of a
//! wrong value gives the permitted ones.

use super::GameExpectations;
use crate::rules::{Dice, Game, Seed, yaml};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Each option with every value that is to be played.
pub struct OptionValues(BTreeMap<String, Vec<Value>>);

impl OptionValues {
    pub fn collect<G: Game>(expectations: &GameExpectations<G>) -> Self {
        let default = serde_json::to_value(G::Options::default()).expect("options have a form");
        let default: Map<String, Value> = serde_json::from_value(default).expect("a map of them");
        let values = |(name, usual): (String, Value)| {
            let mut values = vec![usual.clone()];
            let given = expectations.values.iter().find(|(given, _)| *given == name);
            match (&usual, given) {
                (_, Some((_, given))) => values.extend(given.iter().map(|word| parse_value(word))),
                (Value::Bool(usual), None) => values.push(json!(!usual)),
                (_, None) => {
                    values.extend(values_in_refusal::<G>(&name).into_iter().map(Value::from));
                }
            }
            values.dedup();
            assert!(values.len() > 1, "{}: list the values of {name} in GameExpectations", G::ID);
            (name, values)
        };
        let known: Vec<String> = default.keys().cloned().collect();
        for (name, _) in expectations.values {
            assert!(known.iter().any(|known| known == name), "{}: no option {name}", G::ID);
        }
        Self(default.into_iter().map(values).collect())
    }

    /// Returns option sets, as JSON, that together contain every value of every option. Values that
    /// this seat count does not allow are left out. Adds each chosen value to `played`.
    pub fn combine<G: Game>(&self, seats: u8, played: &mut Vec<(String, Value)>) -> Vec<String> {
        let mut dice = Dice::new(&Seed::from_number(seats.into()), 0);
        let mut possible: Vec<(&String, Vec<&Value>)> = Vec::new();
        for (name, values) in &self.0 {
            let opens = |value: &&Value| can_open::<G>(seats, &json!({ name.as_str(): value }));
            let mut values: Vec<&Value> = values.iter().filter(opens).collect();
            dice.shuffle(&mut values);
            possible.push((name, values));
        }
        let sets = possible.iter().map(|(_, values)| values.len()).max().unwrap_or_default();
        let set = |nth: usize| {
            let chosen = possible.iter().filter(|(_, values)| !values.is_empty());
            let chosen = chosen.map(|(name, values)| (*name, values[nth % values.len()]));
            let chosen: BTreeMap<&String, &Value> = chosen.collect();
            played.extend(chosen.iter().map(|(name, value)| ((*name).clone(), (*value).clone())));
            json!(chosen).to_string()
        };
        (0..sets).map(set).collect()
    }

    /// Asserts that every value of every option was played with some seat count.
    pub fn assert_all_played<G: Game>(&self, played: &[(String, Value)]) {
        for (name, values) in &self.0 {
            let is_missing =
                |value: &&Value| !played.iter().any(|(other, had)| other == name && had == *value);
            let missing: Vec<&Value> = values.iter().filter(is_missing).collect();
            assert!(missing.is_empty(), "{}: {name} is never {missing:?}", G::ID);
        }
    }
}

/// Parses a number, `true` or `false`, or otherwise takes the word itself.
fn parse_value(word: &str) -> Value {
    serde_json::from_str(word).unwrap_or_else(|_| json!(word))
}

/// Returns the values that the refusal of a wrong value names.
fn values_in_refusal<G: Game>(name: &str) -> Vec<String> {
    let wrong = serde_json::from_value::<G::Options>(json!({ name: "no such value" }));
    let refusal = wrong.err().map(|error| error.to_string()).unwrap_or_default();
    let known = refusal.split_once(", expected").map_or("", |(_, known)| known);
    known.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn can_open<G: Game>(seats: u8, options: &Value) -> bool {
    let definition: G::Definition = yaml::parse(G::DEFINITION).expect("the shipped definition");
    let options = serde_json::from_value(options.clone());
    options.is_ok_and(|options| G::initial_state(&definition, &options, seats).is_ok())
}
