//! Connections to a PostgreSQL server: by a local socket, or by TLS with a verified certificate.

use super::sql_session::{Session, server_error};
use crate::store::StoreError;
use crate::tls;
use postgres::config::{Host, SslMode};
use postgres::{Config, NoTls};
use std::net::IpAddr;
use std::time::Duration;
use tokio_postgres_rustls::MakeRustlsConnect;

/// The time limit for opening a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The settings of every session. They limit how long a statement runs, waits for a lock, or leaves
/// a transaction idle. `force_generic_plan` makes the server plan each statement once: planning
/// took most of the time of a letter.
const SESSION_SETTINGS: &str = "set statement_timeout = '30s'; set lock_timeout = '10s';
    set idle_in_transaction_session_timeout = '60s'; set client_min_messages = warning;
    set time zone 'UTC'; set plan_cache_mode = force_generic_plan";

/// Returns `true` if the server is only reached by a local socket. An address in `hostaddr` is used
/// instead of the host.
fn is_unix_socket(config: &Config) -> bool {
    let is_socket = |host: &Host| matches!(host, Host::Unix(_));
    config.get_hostaddrs().is_empty() && config.get_hosts().iter().all(is_socket)
}

/// Returns `true` if the data sent to the server never leaves this machine.
fn is_local(config: &Config) -> bool {
    let is_loopback =
        |name: &str| name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    let is_here = |host: &Host| match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => name == "localhost" || is_loopback(name),
    };
    let addresses = config.get_hostaddrs();
    addresses.iter().all(IpAddr::is_loopback)
        && (!addresses.is_empty() || config.get_hosts().iter().all(is_here))
}

/// The address of a PostgreSQL server, with the user and the password for it.
pub struct Server {
    config: Config,
    /// Root certificates in PEM that are trusted in addition to the machine's.
    ca: Option<Vec<u8>>,
}

impl Server {
    /// Parses a URL such as `postgres://club@db.example.org/clubs` or
    /// `postgres:///clubs?host=/run/postgresql`. `ca` holds root certificates in PEM that are
    /// trusted in addition to the machine's.
    ///
    /// # Errors
    /// [`StoreError::Server`] if the URL is not valid, or would send data unencrypted over a
    /// network.
    pub fn from_url(url: &str, ca: Option<Vec<u8>>) -> Result<Self, StoreError> {
        let mut config: Config = url.trim().parse().map_err(|error| server_error(&error))?;
        config.connect_timeout(CONNECT_TIMEOUT).tcp_user_timeout(CONNECT_TIMEOUT);
        if config.get_application_name().is_none() {
            config.application_name("postrider");
        }
        match config.get_ssl_mode() {
            SslMode::Disable if !is_local(&config) => {
                let what = "sslmode=disable would send the club's data and password over the \
                            network in plain text: remove it from the URL";
                return Err(StoreError::Server(what.to_owned()));
            }
            // With `prefer`, an attacker in the network could claim that the server has no TLS, and
            // get the data unencrypted.
            SslMode::Prefer if !is_unix_socket(&config) => {
                config.ssl_mode(SslMode::Require);
            }
            _ => {}
        }
        Ok(Self { config, ca })
    }

    /// Opens a connection to the server with the session settings.
    pub(super) fn connect(&self) -> Result<Session, StoreError> {
        let client = match self.config.get_ssl_mode() {
            SslMode::Require => {
                let trusted = tls::client_config(self.ca.as_deref());
                let trusted = trusted.map_err(|error| StoreError::Server(error.to_string()))?;
                self.config.connect(MakeRustlsConnect::new(trusted))
            }
            _ => self.config.connect(NoTls),
        };
        let mut session = Session::new(client.map_err(|error| server_error(&error))?);
        session.execute_batch(SESSION_SETTINGS)?;
        Ok(session)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ssl_mode(url: &str) -> Option<SslMode> {
        Server::from_url(url, None).ok().map(|server| server.config.get_ssl_mode())
    }

    #[test]
    fn plain_text_url_is_refused_unless_local() {
        for url in [
            "postgres://a@db.example.org/clubs?sslmode=disable",
            "postgres://a@10.0.0.1/clubs?sslmode=disable",
            "postgres://a@localhost,db.example.org/clubs?sslmode=disable",
            "host=localhost hostaddr=10.0.0.1 sslmode=disable",
            "user=a hostaddr=10.0.0.1 sslmode=disable",
        ] {
            assert_eq!(ssl_mode(url), None, "{url}");
        }
        for url in ["postgres://a@db.example.org/clubs", "user=a hostaddr=10.0.0.1"] {
            assert_eq!(ssl_mode(url), Some(SslMode::Require), "{url}");
        }
        for url in [
            "postgres://a@localhost/clubs?sslmode=disable",
            "postgres://a@127.0.0.1/clubs?sslmode=disable",
            "postgres://a@[::1]/clubs?sslmode=disable",
            "postgres:///clubs?host=/run/postgresql&sslmode=disable",
        ] {
            assert_eq!(ssl_mode(url), Some(SslMode::Disable), "{url}");
        }
        assert_eq!(ssl_mode("postgres:///clubs?host=/run/postgresql"), Some(SslMode::Prefer));
    }
}
