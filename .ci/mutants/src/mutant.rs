//! A mutant as cargo-mutants lists it.

use serde::Deserialize;

/// One change to the source.
#[derive(Debug, Clone, Deserialize)]
pub struct Mutant {
    /// Its number: its place in the list, from 1.
    #[serde(skip)]
    pub id: u32,
    /// Where it is and what it does, as cargo-mutants says it.
    pub name: String,
    /// The file that it changes, from the root of the package.
    pub file: String,
    /// What kind of change it is.
    pub genre: Genre,
    /// What stands there instead.
    pub replacement: String,
    /// Where what it changes stands.
    pub span: Span,
    /// The function that it is in.
    pub function: Option<Function>,
}

/// The kinds of change of cargo-mutants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum Genre {
    /// A function's body.
    FnValue,
    /// An operator between two expressions.
    BinaryOperator,
    /// An operator before an expression is left out.
    UnaryOperator,
    /// An arm of a match is left out.
    MatchArm,
    /// An arm's guard is true or false.
    MatchArmGuard,
    /// A field is left to the base of a struct expression.
    StructField,
}

/// What a mutant changes begins here.
#[derive(Debug, Clone, Deserialize)]
pub struct Span {
    /// The first character.
    pub start: Place,
}

/// A line and a column, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The character in it.
    pub column: usize,
}

/// What a mutant is in.
#[derive(Debug, Clone, Deserialize)]
pub struct Function {
    /// Its name, with the type that it belongs to.
    pub function_name: String,
}

/// What cargo-mutants listed, numbered.
pub fn parse_list(json: &str) -> anyhow::Result<Vec<Mutant>> {
    let mut mutants: Vec<Mutant> = serde_json::from_str(json)?;
    for (mutant, id) in mutants.iter_mut().zip(1..) {
        mutant.id = id;
    }
    Ok(mutants)
}
