//! `resay man`: prints one manual page for the whole program. The program's own page comes first,
//! followed by one section per command, made from the page that the command would have by itself.

use crate::args::Cli;
use crate::output::Output;
use clap::{Command, CommandFactory};
use clap_mangen::Man;

pub(crate) fn run() -> anyhow::Result<()> {
    let mut cli = Cli::command();
    cli.build();
    let mut page = Vec::new();
    Man::new(cli.clone()).render(&mut page)?;
    let mut page = String::from_utf8(page)?.replace(".SH EXTRA\n", ".SH EXAMPLES\n");
    for command in cli.get_subcommands().filter(|command| command.get_name() != "help") {
        // The commands have no pages of their own to refer to.
        page = page.replace(&format!("resay\\-{}(1)", command.get_name()), &format!("resay {}", command.get_name()));
        page.push_str(&section(command)?);
        for task in command.get_subcommands() {
            page.push_str(&section(task)?);
        }
    }
    let mut out = Output::stdout();
    out.write_str(&page)?;
    out.finish()
}

/// Returns a command's page one level down: its title becomes a section, its sections become
/// subsections. Common options are left to the program's own page.
fn section(command: &Command) -> anyhow::Result<String> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    man.render_extra_section(&mut page)?;
    let page = String::from_utf8(page)?.replace(".SH EXTRA\n", ".SH EXAMPLES\n");
    let sections = page.split(".SH ").skip(1).filter(|section| !section.starts_with("\"COMMON OPTIONS\""));
    let sections: String = sections.map(|section| format!(".SS {section}")).collect();
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_uppercase();
    Ok(format!(".SH \"{name}\"\n{sections}"))
}
