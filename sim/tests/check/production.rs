//! The page about production settings says what a search says.

// The program that writes the page is an example.
#[allow(dead_code, reason = "only its rows are asked here")]
#[path = "../../examples/production.rs"]
mod page;

/// Rows that take longer run only when the page is written.
const STATES_MAX: usize = 60_000;

#[test]
fn the_page_about_production_settings_is_up_to_date() {
    let text = include_str!("../../../docs/reference/settings.md");
    let mut asked = 0;
    for row in page::rows() {
        let start = row.line_start();
        let line = text.lines().find(|line| line.starts_with(&start));
        let line = line.unwrap_or_else(|| panic!("the page has no row {start}"));
        let states = line.trim_end_matches(" |").rsplit(' ').next();
        let states: usize = states
            .and_then(|it| it.parse().ok())
            .expect("a number of states");
        if states < STATES_MAX {
            assert_eq!(row.line(&row.answer()), line);
            asked += 1;
        }
    }
    assert!(asked > 20, "{asked}");
}
