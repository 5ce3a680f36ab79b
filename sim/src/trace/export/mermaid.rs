//! A sequence diagram in Mermaid's language.

use std::fmt::Write as _;

use super::{ById, Run, world_event};
use crate::trace::{answers, asks};
use crate::world::event::What;

pub(super) fn export(run: &Run) -> String {
    let by_id = ById::new(run);
    let mut text = String::from("sequenceDiagram\n");
    for (node, name) in run.names.iter() {
        let name = if name.is_empty() { "(no name)" } else { name };
        let _ = writeln!(text, "  participant n{} as {}", node.0, escaped(name));
    }
    let last = run.names.len().saturating_sub(1);
    for event in &run.events {
        let time = event.time();
        let words = || escaped(&format!("{time} {}", event.words(&run.names)));
        let Some(world) = world_event(event) else {
            let _ = writeln!(text, "  Note over n0,n{last}: {}", words());
            continue;
        };
        let here = world.node.0;
        // An arrow goes from who sends to who receives, and carries what is sent: a request where
        // it is handled, an answer where it arrives.
        let _ = match (&world.what, by_id.cause_elsewhere(world)) {
            (What::MessageLost { to, .. }, _) => {
                writeln!(text, "  n{here}-xn{}: {}", to.0, words())
            }
            (What::Handled { client, request, .. }, _) => {
                let asked = format!("{time} {} {}", run.names.of(*client), asks(request));
                writeln!(text, "  n{}->>n{here}: {}", client.0, escaped(&asked))
            }
            (What::Answered { request, result }, Some(cause)) => {
                let answered = escaped(&format!("{time} {}", answers(request, result)));
                writeln!(text, "  n{}->>n{here}: {answered}", cause.node.0)
            }
            (_, _) => writeln!(text, "  Note over n{here}: {}", words()),
        };
    }
    text
}

/// Mermaid reads `#60;` as the character of that number; no other character is special in it.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => safe.push_str("<br/>"),
            '#' | ';' | '<' | '>' | '&' | '"' | '%' | ':' | '{' | '}' | '\\' => {
                let _ = write!(safe, "#{};", u32::from(c));
            }
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}
