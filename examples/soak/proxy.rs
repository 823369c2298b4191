//! What stands between workers and their server: lines can be cut, refused and frozen, and the
//! answer to a commit be lost.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What a worker's line ends a transaction with.
const COMMIT_MESSAGE: &[u8] = b"commit\0";
/// So long a server has to do what it was told before its line is cut.
const COMMIT_TIME: Duration = Duration::from_millis(100);

/// A proxy to a server.
pub struct Proxy {
    home: TempDir,
    /// The server's URL, and its folder in that.
    url: String,
    folder: String,
    state: Arc<ProxyState>,
}

#[derive(Default)]
struct ProxyState {
    /// Until when nobody is let through.
    away_until: Mutex<Option<Instant>>,
    /// Whether whatever is said waits.
    frozen: AtomicBool,
    /// Whether the answer to the next commit is lost.
    loses_answer: AtomicBool,
    connections: Mutex<Vec<UnixStream>>,
}

impl Proxy {
    /// A proxy to the server of this URL, which names the folder of its socket.
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

    /// The URL of the server by this proxy.
    pub fn proxy_url(&self) -> String {
        let home = self.home.path().display();
        self.url.replace(&format!("host={}", self.folder), &format!("host={home}"))
    }

    /// Lets nobody through for a while, and cuts all lines.
    pub fn disconnect_for(&self, lasts: Duration) {
        *self.state.away_until.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Instant::now() + lasts);
        let mut lines = self.state.connections.lock().unwrap_or_else(PoisonError::into_inner);
        lines.drain(..).for_each(|line| drop(line.shutdown(Shutdown::Both)));
    }

    /// Whether what is said on any line waits.
    pub fn set_frozen(&self, is: bool) {
        self.state.frozen.store(is, Ordering::Relaxed);
    }

    /// Cuts the line by which somebody commits next, once it is done.
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

    /// Gives on what is said as long as there is anything; `hears` says whether to.
    fn forward(
        &self,
        mut from: &UnixStream,
        mut to: &UnixStream,
        hears: impl Fn(&[u8]) -> bool,
        ends: &AtomicBool,
    ) {
        let mut said = [0; 16 << 10];
        while let Ok(length) = from.read(&mut said) {
            while self.frozen.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(10));
            }
            let said = said.get(..length).unwrap_or_default();
            if said.is_empty() || hears(said) && to.write_all(said).is_err() {
                break;
            }
            if ends.load(Ordering::Relaxed) {
                thread::sleep(COMMIT_TIME);
                break;
            }
        }
        let _ = from.shutdown(Shutdown::Both);
        let _ = to.shutdown(Shutdown::Both);
    }
}
