//! The page about production settings says what a search says.

// The program that writes the page is an example.
#[allow(dead_code, reason = "only its rows are asked here")]
#[path = "../../examples/production.rs"]
mod page;

use super::rig::up_to_date;

/// Rows that take longer run only when the page is written.
const STATES_MAX: usize = 60_000;

#[test]
fn the_page_about_production_settings_is_up_to_date() {
    let text = include_str!("../../../docs/reference/settings.md");
    let rows = page::rows();
    let asked =
        up_to_date(text, &rows, STATES_MAX, page::Row::line_start, |row| row.line(&row.answer()));
    assert!(asked > 20, "{asked}");
}
