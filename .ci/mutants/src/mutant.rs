//! A mutant in the format of cargo-mutants.

use serde::Deserialize;

/// One change to the source.
#[derive(Debug, Clone, Deserialize)]
pub struct Mutant {
    /// The mutant's position in the list, from 1.
    #[serde(skip)]
    pub id: u32,
    /// The place and the change, in the words of cargo-mutants.
    pub name: String,
    /// The file that it changes, relative to the root of the package.
    pub file: String,
    pub genre: Genre,
    /// The source text that replaces the original.
    pub replacement: String,
    /// The place of the original text.
    pub span: Span,
    /// The function that contains it.
    pub function: Option<Function>,
}

/// The kinds of changes that cargo-mutants lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum Genre {
    /// A function returns a fixed value.
    FnValue,
    /// A binary operator is replaced.
    BinaryOperator,
    /// A unary operator is deleted.
    UnaryOperator,
    /// An arm of a match is deleted.
    MatchArm,
    /// The guard of a match arm is replaced by `true` or `false`.
    MatchArmGuard,
    /// A field of a struct expression is deleted, so its value comes from the base expression.
    StructField,
}

/// The place of the text that a mutant changes.
#[derive(Debug, Clone, Deserialize)]
pub struct Span {
    /// The place of the first character.
    pub start: Place,
}

/// A line and a column, both from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub struct Place {
    pub line: usize,
    /// The number of the character in the line.
    pub column: usize,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Function {
    /// The name, with the type that it belongs to.
    pub function_name: String,
}

/// Parses the list of cargo-mutants and numbers the mutants.
pub fn parse_list(json: &str) -> anyhow::Result<Vec<Mutant>> {
    let mut mutants: Vec<Mutant> = serde_json::from_str(json)?;
    for (mutant, id) in mutants.iter_mut().zip(1..) {
        mutant.id = id;
    }
    Ok(mutants)
}
