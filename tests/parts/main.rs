//! Tests of single parts of postrider, and of the style of its code. They are one binary, because
//! linking each test binary takes long.

mod bounces;
mod broken_files;
#[path = "../common/mod.rs"]
mod common;
mod contract;
mod cost;
mod damage;
mod draw;
mod english;
mod forgotten;
mod forms;
mod high_card;
mod in_words;
mod languages;
mod letters;
mod moments;
mod nasty;
mod pictures;
mod plain_english;
mod plans;
mod printed;
mod replies;
mod sealed_bids;
mod store;
mod tidy;
mod worlds;
