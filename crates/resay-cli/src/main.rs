//! The command line of Resay.

fn main() {}
