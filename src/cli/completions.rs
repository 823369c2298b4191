//! `postrider completions` and `postrider man`: made from the same definition as the command line.

use super::{Cli, Exit, Failure};
use clap::CommandFactory;
use std::io::Write;

/// Print the shell's completion script.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The shell that completes: bash, zsh, fish ...
    shell: clap_complete::Shell,
}

/// Print the manual page.
#[derive(clap::Args, Debug)]
pub struct ManArgs {}

pub(super) fn run(args: &Args, out: &mut dyn Write) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "postrider", &mut script);
    out.write_all(&script)?;
    Ok(Exit::Done)
}

pub(super) fn man(_: &ManArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    clap_mangen::Man::new(Cli::command()).render(out)?;
    Ok(Exit::Done)
}
