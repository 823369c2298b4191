//! Where a club is kept: in its folder, or on a database server.

use serde::{Deserialize, Serialize};

/// Where what a club knows is kept; in its folder where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreSettings {
    /// A PostgreSQL server; the program must be built with the feature `postgres`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) postgres: Option<PostgresSettings>,
}

/// A database of a PostgreSQL server, and which of its clubs this one is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PostgresSettings {
    /// The file, of mode 600, that holds the database's URL.
    pub(crate) url_file: String,
    /// A file with root certificates as PEM, trusted besides those of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ca_file: Option<String>,
    /// What the club is called there: no other club in the database has the name.
    pub(crate) club: String,
}

impl StoreSettings {
    /// Whether the club lies in its folder.
    pub(crate) const fn is_in_folder(&self) -> bool {
        self.postgres.is_none()
    }
}
