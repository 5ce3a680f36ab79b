//! The page about the edges of each runner says what the searches say.

// The program that writes the page is an example.
#[allow(dead_code, reason = "only its rows are asked here")]
#[path = "../../examples/edges.rs"]
mod page;

use super::rig::up_to_date;

/// Rows that take longer run only when the page is written.
const STATES_MAX: usize = 130_000;

#[test]
fn the_page_about_the_edges_of_each_runner_is_up_to_date() {
    let text = include_str!("../../../docs/reference/edges.md");
    assert!(text.starts_with(page::HEAD), "write it again");
    let rows = page::rows();
    let asked = up_to_date(text, &rows, STATES_MAX, page::Row::line_start, |row| row.line());
    assert!(asked > 1, "{asked}");
}
