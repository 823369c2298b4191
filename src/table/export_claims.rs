//! What an exported game says of its own end, held against what its records lead to.

use super::{Finding, Table};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// What stands in an export beside the founding and the records, which the chain covers.
#[derive(Debug, Deserialize)]
pub struct ExportClaims {
    standings: Option<Value>,
    over: Option<bool>,
    head: Option<String>,
    /// What the club calls the game.
    name: Option<Value>,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

/// Something in an export that no check covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UncheckedPart {
    /// What is no part of an export.
    UnknownFields(Vec<String>),
    /// What the parts of the scores are called.
    ScoreNames,
    /// What its club calls the game.
    GameName,
}

impl ExportClaims {
    /// Reads what a document claims.
    ///
    /// # Errors
    /// When it is no JSON, or not of this form.
    pub fn parse(document: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(document)
    }

    /// What does not hold by the records of this table, and what nothing is known of.
    pub fn verify_against(&self, table: &Table) -> (Vec<Finding>, Vec<UncheckedPart>) {
        let (mut findings, mut uncovered) = (Vec::new(), Vec::new());
        let own = serde_json::to_value(table.rankings()).unwrap_or_default();
        match &self.standings {
            Some(claimed) if *claimed == own => {}
            Some(claimed) if strip_score_names(claimed) == strip_score_names(&own) => {
                uncovered.push(UncheckedPart::ScoreNames);
            }
            _ => findings.push(Finding::Standings),
        }
        let end = (Some(table.head_hash().to_string()), Some(table.is_over()));
        if (&self.head, self.over) != (&end.0, end.1) {
            findings.push(Finding::End(table.head()));
        }
        uncovered.extend(self.name.is_some().then_some(UncheckedPart::GameName));
        let founding = serde_json::to_value(table.founding()).unwrap_or_default();
        let is_covered = |field: &String| field == "records" || founding.get(field).is_some();
        let fields = self.rest.keys().filter(|field| !is_covered(field));
        let fields: Vec<String> = fields.cloned().collect();
        if !fields.is_empty() {
            uncovered.push(UncheckedPart::UnknownFields(fields));
        }
        (findings, uncovered)
    }
}

/// Standings with their numbers alone.
fn strip_score_names(standings: &Value) -> Value {
    match standings {
        Value::Array(list) => list.iter().map(strip_score_names).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(name, _)| *name != "item");
            fields.map(|(name, value)| (name.clone(), strip_score_names(value))).collect()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Authority;
    use crate::table::tests::new_table;
    use chrono::DateTime;
    use serde_json::json;

    #[test]
    fn export_claims_are_checked_against_records() {
        let table = new_table(7)
            .end_game(Authority::Moderator, "", DateTime::UNIX_EPOCH)
            .expect("it goes on");
        let check = |change: &dyn Fn(&mut Value)| {
            let mut document = serde_json::to_value(table.export()).expect("JSON");
            change(&mut document);
            ExportClaims::parse(&document.to_string()).expect("claims").verify_against(&table)
        };
        let gone = |field: &'static str| {
            check(&|all| drop(all.as_object_mut().expect("an object").remove(field)))
        };
        let none = || (vec![], vec![]);
        assert_eq!(check(&|_| {}), none());
        let item = "/standings/0/breakdown/0/item";
        assert_eq!(
            check(&|all| *all.pointer_mut(item).expect("a part") = json!("other")),
            (vec![], vec![UncheckedPart::ScoreNames])
        );
        let wrong = (vec![Finding::Standings], vec![]);
        assert_eq!(check(&|all| all["standings"][0]["score"] = json!(-1)), wrong);
        assert_eq!(gone("standings"), wrong);
        let wrong = (vec![Finding::End(2)], vec![]);
        assert_eq!(check(&|all| all["over"] = json!(false)), wrong);
        assert_eq!(check(&|all| all["head"] = json!("0")), wrong);
        assert_eq!(gone("over"), wrong);
        assert_eq!(gone("head"), wrong);
        assert_eq!(
            check(&|all| all["name"] = json!("North")),
            (vec![], vec![UncheckedPart::GameName])
        );
        let fields = UncheckedPart::UnknownFields(vec!["more".to_owned()]);
        assert_eq!(check(&|all| all["more"] = json!(1)), (vec![], vec![fields]));
    }
}
