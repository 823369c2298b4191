//! Checks the parts of an export that the hash chain does not cover, such as its rankings.

use super::{Finding, Table};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// The fields of an export outside the founding and the records. The hash chain does not cover
/// them.
#[derive(Debug, Deserialize)]
pub struct ExportClaims {
    standings: Option<Value>,
    over: Option<bool>,
    head: Option<String>,
    /// The club's name for the game.
    name: Option<Value>,
    /// Whether private parts were left out.
    #[serde(default)]
    public: bool,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

/// A part of an export that cannot be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UncheckedPart {
    /// Fields that do not belong to an export.
    UnknownFields(Vec<String>),
    /// The names of the parts of the scores.
    ScoreNames,
    /// The club's name for the game.
    GameName,
    /// The hash chain that the letters of the game show.
    LetterChain,
}

impl ExportClaims {
    /// Reads the unprotected fields of a document.
    ///
    /// # Errors
    /// The document is not JSON, or not in this format.
    pub fn parse(document: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(document)
    }

    /// Compares the fields with the records of the table. Returns the faults and the parts that
    /// cannot be checked.
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
        let end = (Some(table.last_record_hash().to_string()), Some(table.is_over()));
        if (&self.head, self.over) != (&end.0, end.1) {
            findings.push(Finding::End(table.last_record_number()));
        }
        uncovered.extend(self.name.is_some().then_some(UncheckedPart::GameName));
        uncovered.extend(self.public.then_some(UncheckedPart::LetterChain));
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

/// Removes the names of score parts from rankings, so that only the numbers are compared.
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
        assert_eq!(
            check(&|all| all["public"] = json!(true)),
            (vec![], vec![UncheckedPart::LetterChain])
        );
        let fields = UncheckedPart::UnknownFields(vec!["more".to_owned()]);
        assert_eq!(check(&|all| all["more"] = json!(1)), (vec![], vec![fields]));
    }
}
