//! A proxy between the workers and their server. It can disconnect, refuse or freeze all
//! connections, and lose the answer to a commit.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The query that ends a transaction, with the zero byte that ends it in the PostgreSQL protocol.
const COMMIT_MESSAGE: &[u8] = b"commit\0";
/// The time that the server gets to execute a commit before its connection is closed.
const COMMIT_TIME: Duration = Duration::from_millis(100);

/// A proxy to a PostgreSQL server on a Unix socket.
pub struct Proxy {
    home: TempDir,
    /// The server's URL, and the folder of its socket as the URL gives it.
    url: String,
    folder: String,
    state: Arc<ProxyState>,
}

#[derive(Default)]
struct ProxyState {
    /// The end of an outage. New connections are refused until then.
    away_until: Mutex<Option<Instant>>,
    /// Whether all data waits at the proxy.
    frozen: AtomicBool,
    /// Whether the proxy drops the answer to the next commit.
    loses_answer: AtomicBool,
    connections: Mutex<Vec<UnixStream>>,
}

impl Proxy {
    /// Starts a proxy to the server at `url`, whose `host` parameter is the folder of the server's
    /// socket.
    pub fn start(url: &str) -> Self {
        let given = |name: &str| {
            let (_, rest) = url.split_once(&format!("{name}="))?;
            Some(rest.split('&').next().unwrap_or(rest).to_owned())
        };
        let folder = given("host").expect("a socket's folder: ?host=/tmp");
        let port = given("port").unwrap_or_else(|| "5432".to_owned());
        let socket = format!(".s.PGSQL.{port}");
        let home = tempfile::tempdir().expect("a folder");
        let listener = UnixListener::bind(home.path().join(&socket)).expect("a socket");
        let (state, server) = (Arc::<ProxyState>::default(), PathBuf::from(&folder).join(&socket));
        let of_listener = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if !of_listener.is_away()
                    && let Ok(server) = UnixStream::connect(&server)
                {
                    of_listener.connect(&client, &server);
                }
            }
        });
        Self { home, url: url.to_owned(), folder, state }
    }

    /// Returns the URL at which clients reach the server through this proxy.
    pub fn proxy_url(&self) -> String {
        let home = self.home.path().display();
        self.url.replace(&format!("host={}", self.folder), &format!("host={home}"))
    }

    /// Closes all connections and refuses new ones for the given time.
    pub fn disconnect_for(&self, lasts: Duration) {
        *self.state.away_until.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Instant::now() + lasts);
        let mut lines = self.state.connections.lock().unwrap_or_else(PoisonError::into_inner);
        lines.drain(..).for_each(|line| drop(line.shutdown(Shutdown::Both)));
    }

    /// Freezes all connections, or lets them continue.
    pub fn set_frozen(&self, is: bool) {
        self.state.frozen.store(is, Ordering::Relaxed);
    }

    /// Makes the next commit succeed without an answer: its connection closes after the server has
    /// executed it. The client cannot know whether it has committed.
    pub fn lose_next_commit_answer(&self) {
        self.state.loses_answer.store(true, Ordering::Relaxed);
    }
}

impl ProxyState {
    fn is_away(&self) -> bool {
        let away = self.away_until.lock().unwrap_or_else(PoisonError::into_inner);
        away.is_some_and(|until| Instant::now() < until)
    }

    fn connect(self: &Arc<Self>, client: &UnixStream, server: &UnixStream) {
        let copy = |line: &UnixStream| line.try_clone().expect("a copy of a line");
        let mut lines = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        lines.extend([copy(client), copy(server)]);
        let is_mute = Arc::<AtomicBool>::default();
        let (state, mute) = (Arc::clone(self), Arc::clone(&is_mute));
        let (from, to) = (copy(client), copy(server));
        thread::spawn(move || {
            state.forward(
                &from,
                &to,
                |said| {
                    let is_commit =
                        said.windows(COMMIT_MESSAGE.len()).any(|part| part == COMMIT_MESSAGE);
                    if is_commit && state.loses_answer.swap(false, Ordering::Relaxed) {
                        mute.store(true, Ordering::Relaxed);
                    }
                    true
                },
                &mute,
            );
        });
        let (state, from, to) = (Arc::clone(self), copy(server), copy(client));
        thread::spawn(move || {
            state.forward(&from, &to, |_| !is_mute.load(Ordering::Relaxed), &AtomicBool::default());
        });
    }

    /// Copies data from one side of a connection to the other until either side closes. Drops data
    /// for which `should_forward` returns `false`. Closes the connection shortly after `closes` is
    /// set.
    fn forward(
        &self,
        mut from: &UnixStream,
        mut to: &UnixStream,
        should_forward: impl Fn(&[u8]) -> bool,
        closes: &AtomicBool,
    ) {
        let mut said = [0; 16 << 10];
        while let Ok(length) = from.read(&mut said) {
            while self.frozen.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(10));
            }
            let said = said.get(..length).unwrap_or_default();
            if said.is_empty() || should_forward(said) && to.write_all(said).is_err() {
                break;
            }
            if closes.load(Ordering::Relaxed) {
                thread::sleep(COMMIT_TIME);
                break;
            }
        }
        let _ = from.shutdown(Shutdown::Both);
        let _ = to.shutdown(Shutdown::Both);
    }
}
