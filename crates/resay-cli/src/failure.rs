//! Errors by cause: exit statuses and messages.

use std::fmt;
use std::io;

/// The user asked for something invalid.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// A check did not hold. The result is already printed and nothing failed; the exit status is 1.
#[derive(Debug)]
pub(crate) struct Found;

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the check found something")
    }
}

impl std::error::Error for Found {}

/// Writing to standard output failed.
#[derive(Debug)]
pub(crate) struct OutputRefused(pub(crate) io::Error);

impl fmt::Display for OutputRefused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write standard output: {}", self.0)
    }
}

impl std::error::Error for OutputRefused {}

/// Exit status and message after an error.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) status: u8,
    pub(crate) message: Option<String>,
}

/// Returns whether the reader of standard output closed the pipe.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<OutputRefused>().is_some_and(|refused| refused.0.kind() == io::ErrorKind::BrokenPipe)
}

impl Failure {
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        if is_closed_pipe(error) {
            return Self { status: 0, message: None };
        }
        if error.is::<Found>() {
            return Self { status: 1, message: None };
        }
        let is_usage = error.is::<Usage>() || error.downcast_ref::<resay::Error>().is_some_and(resay::Error::is_usage);
        // Keep the message on one line, whatever a file name contains.
        let message = error.to_string().replace(|character: char| character.is_control(), " ");
        Self { status: if is_usage { 2 } else { 3 }, message: Some(message) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses() {
        let check = |error: anyhow::Error, status: u8, message: Option<&str>| {
            assert_eq!(Failure::of(&error), Failure { status, message: message.map(str::to_owned) });
        };
        check(Usage("no".to_owned()).into(), 2, Some("no"));
        check(resay::Error::line("a\nb", 3, "no").into(), 2, Some("a b:3: no"));
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        let said = format!("cannot write x: {}", full());
        check(resay::Error::write("x".as_ref(), full()).into(), 3, Some(&said));
        let said = format!("cannot write standard output: {}", full());
        check(OutputRefused(full()).into(), 3, Some(&said));
        check(OutputRefused(io::ErrorKind::BrokenPipe.into()).into(), 0, None);
        check(Found.into(), 1, None);
        check(anyhow::anyhow!("odd"), 3, Some("odd"));
    }
}
