//! Tests of the program as users run it: with files, and judged by its output and exit status.

#[cfg(test)]
mod adapt;
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
mod kinds;
#[cfg(test)]
mod models;
#[cfg(test)]
mod names;
#[cfg(test)]
mod programs;
#[cfg(test)]
mod rank;
#[cfg(test)]
mod tables;
#[cfg(test)]
mod topics;
#[cfg(test)]
mod world;
