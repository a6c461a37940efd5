//! Standard output. Write errors are kept apart from all others, since a closed pipe is not a
//! failure.

use crate::failure::OutputRefused;
use crate::render;
use anstream::{AutoStream, ColorChoice};
use anstyle::Style;
use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

/// Buffered standard output that knows whether it may use colour.
pub(crate) struct Output {
    inner: BufWriter<Stdout>,
    is_coloured: bool,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        let stdout = io::stdout();
        let is_coloured = AutoStream::choice(&stdout) != ColorChoice::Never;
        Self { inner: BufWriter::with_capacity(1 << 16, stdout), is_coloured }
    }

    pub(crate) fn is_terminal(&self) -> bool {
        self.inner.get_ref().is_terminal()
    }

    pub(crate) fn is_coloured(&self) -> bool {
        self.is_coloured
    }

    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.inner.write_all(bytes).map_err(|error| OutputRefused(error).into())
    }

    pub(crate) fn write_str(&mut self, text: &str) -> anyhow::Result<()> {
        self.write_bytes(text.as_bytes())
    }

    /// Writes a line of text.
    pub(crate) fn line(&mut self, text: &str) -> anyhow::Result<()> {
        self.write_str(text)?;
        self.write_str("\n")
    }

    /// Writes a line of JSON.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> anyhow::Result<()> {
        self.line(&serde_json::to_string(value)?)
    }

    /// Writes fields as `name  text`, with the text wrapped beside its name.
    pub(crate) fn fields(&mut self, fields: &[(&str, &str)]) -> anyhow::Result<()> {
        fields.iter().flat_map(|(name, text)| render::field(name, text)).try_for_each(|line| self.line(&line))
    }

    /// Writes a table with a bold head.
    pub(crate) fn table(&mut self, align: &str, rows: &[Vec<String>]) -> anyhow::Result<()> {
        self.styled_table(align, rows, |_| Style::new())
    }

    /// Writes a table with a bold head, and styles for the other rows, which are numbered from 0.
    pub(crate) fn styled_table(
        &mut self,
        align: &str,
        rows: &[Vec<String>],
        style: impl Fn(usize) -> Style,
    ) -> anyhow::Result<()> {
        for (at, line) in render::table(align, rows).into_iter().enumerate() {
            let style = at.checked_sub(1).map_or(Style::new().bold(), &style);
            self.line(&self.styled(style, &line))?;
        }
        Ok(())
    }

    /// Styles a text, if standard output shows styles.
    pub(crate) fn styled(&self, style: Style, text: &str) -> String {
        if self.is_coloured { format!("{style}{text}{style:#}") } else { text.to_owned() }
    }

    /// Flushes the buffer.
    pub(crate) fn flush(&mut self) -> anyhow::Result<()> {
        self.inner.flush().map_err(|error| OutputRefused(error).into())
    }

    /// Flushes the buffer. Must be called at the end of every command.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        self.flush()
    }
}
