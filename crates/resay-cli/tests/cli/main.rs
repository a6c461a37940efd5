//! The program as its users meet it: run, with files, and judged by what it prints and how it ends.

#[cfg(test)]
mod align;
#[cfg(test)]
mod annotate;
#[cfg(test)]
mod answers;
#[cfg(test)]
mod commands;
#[cfg(test)]
mod compare;
#[cfg(test)]
mod dedupe;
#[cfg(test)]
mod diff;
#[cfg(test)]
#[cfg(unix)]
mod docs;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod files;
#[cfg(test)]
mod help;
#[cfg(test)]
mod hidden;
#[cfg(test)]
mod html;
#[cfg(test)]
mod models;
#[cfg(test)]
mod names;
#[cfg(test)]
mod rank;
#[cfg(test)]
mod tables;
#[cfg(test)]
mod topics;
#[cfg(test)]
mod world;
