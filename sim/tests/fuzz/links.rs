//! Links: what was changed on its way is refused, or is a moment like any other.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use locket_sim::simulation::Simulation;
use proptest::prelude::*;

use super::json::changed;
use super::round::fuzz;
use super::shipped::scenarios;
use super::simulations::leads_back;

const STEPS: u64 = 3_000;
const HEADERS: &[&str] = &[
    r#"{ "at": "7s", "count": 1, "digest": "08b089f816b45d87" }"#,
    r#"{ "acts": [{ "at": "1s", "count": 0, "act": { "do": "crash", "node": "bbs-0" } }], "at": "20s", "count": 0, "digest": "" }"#,
    r#"{ "acts": [{ "at": "1s", "count": 2, "call": { "client": "bbs-0", "method": "fetch", "key": "bbs" } }], "at": "2s", "count": 1, "digest": "0" }"#,
];

#[test]
fn links() {
    let headers = HEADERS.iter().map(ToString::to_string).collect();
    let slip = prop::option::weighted(0.2, (any::<usize>(), any::<char>()));
    let inputs = (changed(headers), changed(scenarios()), slip);
    let links = inputs.prop_map(|(header, scenario, slip)| {
        let mut link = format!("l1.{}", URL_SAFE_NO_PAD.encode(format!("{header}\n{scenario}")));
        if let Some((at, other)) = slip {
            link.truncate(at % link.len());
            link.push(other);
        }
        link
    });
    fuzz("links", 120, &links, |link| match Simulation::from_link_within(&link, STEPS) {
        Ok(simulation) => leads_back(&simulation),
        Err(error) if error.to_string().is_empty() => {
            Err("it is refused without a word".to_owned())
        }
        Err(_) => Ok(()),
    });
}
