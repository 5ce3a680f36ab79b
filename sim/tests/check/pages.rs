//! The pages about production settings and about the edges of each runner say what searches say.

// The programs that write the pages are examples.
#[allow(dead_code, reason = "only its rows are asked here")]
#[path = "../../examples/edges.rs"]
mod edges;
#[allow(dead_code, reason = "only its rows are asked here")]
#[path = "../../examples/production.rs"]
mod production;

const EDGES: &str = include_str!("../../../docs/reference/edges.md");
const SETTINGS: &str = include_str!("../../../docs/reference/settings.md");

/// How many rows of a page are as they are made now. A row ends with its number of states; those with
/// as many as `states_max` run only when the page is written.
fn up_to_date<Row>(
    page: &str,
    rows: &[Row],
    states_max: usize,
    start: impl Fn(&Row) -> String,
    made: impl Fn(&Row) -> String,
) -> usize {
    let is_made = |row: &&Row| {
        let start = start(row);
        let line = page.lines().find(|line| line.starts_with(&start));
        let line = line.unwrap_or_else(|| panic!("the page has no row {start}"));
        let states = line.trim_end_matches(" |").rsplit(' ').next();
        let states: Option<usize> = states.and_then(|it| it.parse().ok());
        let is_small = states.expect("a number of states") < states_max;
        if is_small {
            assert_eq!(made(row), line);
        }
        is_small
    };
    rows.iter().filter(is_made).count()
}

#[test]
fn no_row_of_the_pages_is_unknown_where_clocks_are_exact() {
    for line in [EDGES, SETTINGS].into_iter().flat_map(str::lines) {
        let is_known = !line.contains("| ? |") && !line.to_lowercase().contains("unknown");
        assert!(is_known || line.contains("drift") || line.starts_with("* "), "{line}");
    }
}

#[test]
fn the_pages_about_edges_and_production_settings_are_up_to_date() {
    assert!(EDGES.starts_with(edges::HEAD), "write it again");
    let start = edges::Row::line_start;
    let asked = up_to_date(EDGES, &edges::rows(), 130_000, start, edges::Row::line);
    assert!(asked > 1, "{asked}");

    let (rows, start) = (production::rows(), production::Row::line_start);
    let asked = up_to_date(SETTINGS, &rows, 60_000, start, |row| row.line(&row.answer()));
    assert!(asked > 20, "{asked}");

    assert!(SETTINGS.starts_with(production::HEAD) && SETTINGS.contains(production::MARGINS));
    let line = production::margins_line(6);
    assert!(SETTINGS.contains(&line), "{line}");
}
