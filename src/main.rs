//! The program with the games that ship.

use postrider::Program;
use std::process::ExitCode;

fn main() -> ExitCode {
    Program::new().run()
}
