//! A Rust test that tells the same run again.

use super::source::{ascii_json, identifier, rust_quoted, rust_raw};
use super::{Origin, Run};

pub(super) fn export(run: &Run, origin: Origin<'_>) -> String {
    let name = identifier(&run.name);
    let (constant, text, tell) = match origin {
        Origin::Link(link) => (
            "LINK",
            rust_raw(link),
            "    let simulation = locket_sim::simulation::Simulation::from_link(LINK).expect(\"the link is right\");\n    \
                 let run = simulation.to_run();\n",
        ),
        Origin::Scenario(scenario) => (
            "SCENARIO",
            rust_raw(&ascii_json(scenario)),
            "    let run = locket_sim::scenario::run_text(SCENARIO).expect(\"the scenario is right\");\n",
        ),
    };
    let failures: Vec<String> = run.failures.iter().map(|it| rust_quoted(it)).collect();
    let (remark, failures) = match failures.as_slice() {
        [] => ("", "    assert_eq!(run.failures, Vec::<String>::new());\n".to_owned()),
        some => (
            "    // The failures at the time of this export. Make it an empty list once they are fixed.\n",
            format!(
                "    assert_eq!(run.failures, [\n        {},\n    ]);\n",
                some.join(",\n        ")
            ),
        ),
    };
    let (events, digest) = (run.events.len(), run.digest);
    format!(
        "{HEAD}fn {name}_tells_the_same_run() {{\n    const {constant}: &str = {text};\n\n{tell}\n{remark}{failures}    \
         assert_eq!(run.events.len(), {events});\n    \
         assert_eq!(run.digest.to_string(), \"{digest}\");\n}}\n"
    )
}

/// A test with a plain `#[test]` does not run under wasm-pack, which then reports no error.
const HEAD: &str = "// Needs the crates locket-sim and wasm-bindgen-test. Runs by cargo test and wasm-pack test.\n\
                    #[wasm_bindgen_test::wasm_bindgen_test(unsupported = test)]\n";
