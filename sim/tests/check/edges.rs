//! The page about the edges of each runner says what the searches say.

// The program that writes the page is an example.
#[allow(dead_code, reason = "only its rows are asked here")]
#[path = "../../examples/edges.rs"]
mod page;

/// Rows that take longer run only when the page is written.
const STATES_MAX: usize = 130_000;

#[test]
fn the_page_about_the_edges_of_each_runner_is_up_to_date() {
    let text = include_str!("../../../docs/reference/edges.md");
    assert!(text.starts_with(page::HEAD), "write it again");
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
            assert_eq!(row.line(), line);
            asked += 1;
        }
    }
    assert!(asked > 1, "{asked}");
}
