//! The line to a PostgreSQL server: a socket of this machine, or TLS to a server whose certificate
//! is verified.

use super::session::{Session, refused};
use crate::store::StoreError;
use crate::tls;
use postgres::config::{Host, SslMode};
use postgres::{Config, NoTls};
use std::time::Duration;
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long a server may take to answer at all.
const CONNECT_MAX: Duration = Duration::from_secs(10);
/// What every session asks of the server: nothing takes longer, and nobody waits longer for a lock.
/// And how a statement is done is thought of once: it was most of what a letter took.
const SETTINGS: &str = "set statement_timeout = '30s'; set lock_timeout = '10s';
    set idle_in_transaction_session_timeout = '60s'; set client_min_messages = warning;
    set time zone 'UTC'; set plan_cache_mode = force_generic_plan";

/// Where a server is, and who we are there.
pub struct Server {
    config: Config,
    /// Root certificates as PEM that are trusted besides those of the machine.
    ca: Option<Vec<u8>>,
}

impl Server {
    /// The server of a URL such as `postgres://club@db.example.org/clubs`, or
    /// `postgres:///clubs?host=/run/postgresql`. `ca` holds root certificates as PEM that are
    /// trusted besides those of the machine.
    ///
    /// # Errors
    /// [`StoreError::Server`] when it is none.
    pub fn at(url: &str, ca: Option<Vec<u8>>) -> Result<Self, StoreError> {
        let mut config: Config = url.trim().parse().map_err(|error| refused(&error))?;
        config.connect_timeout(CONNECT_MAX).tcp_user_timeout(CONNECT_MAX);
        if config.get_application_name().is_none() {
            config.application_name("postrider");
        }
        let is_here = |host: &Host| matches!(host, Host::Unix(_));
        let hosts = config.get_hosts();
        if !hosts.iter().all(is_here) && config.get_ssl_mode() == SslMode::Prefer {
            // Who listens could say that there is no TLS.
            config.ssl_mode(SslMode::Require);
        }
        Ok(Self { config, ca })
    }

    /// Opens a line.
    pub(super) fn connect(&self) -> Result<Session, StoreError> {
        let client = match self.config.get_ssl_mode() {
            SslMode::Require => {
                let trusted = tls::client(self.ca.as_deref());
                let trusted = trusted.map_err(|error| StoreError::Server(error.to_string()))?;
                self.config.connect(MakeRustlsConnect::new(trusted))
            }
            _ => self.config.connect(NoTls),
        };
        let mut session = Session::new(client.map_err(|error| refused(&error))?);
        session.execute_all(SETTINGS)?;
        Ok(session)
    }
}
