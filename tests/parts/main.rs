//! Tests of single parts of postrider, and of the style of its code. They are one binary, because
//! linking each test binary takes long.

mod bounces;
mod broken_files;
mod contract;
mod cost;
mod damage;
mod draw;
mod english;
mod forgotten;
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
mod store;
mod tidy;
