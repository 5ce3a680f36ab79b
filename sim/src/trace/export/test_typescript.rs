//! A test for Node's test runner, in TypeScript, that tells the same run again.

use super::source::{ascii_json, quoted};
use super::{Origin, Run};

pub(super) fn export(run: &Run, origin: Origin<'_>) -> String {
    let (import, tell, failures_of) = match origin {
        Origin::Link(link) => (
            "Simulation",
            format!("  const run = Simulation.fromLink({});\n", quoted(link)),
            "run.failures()",
        ),
        Origin::Scenario(scenario) => (
            "runScenario",
            format!("  const run = runScenario({});\n", ascii_json(scenario)),
            "run.failures",
        ),
    };
    let digest_of = match origin {
        Origin::Link(_) => "run.digest()",
        Origin::Scenario(_) => "run.digest",
    };
    let failures: Vec<String> = run.failures.iter().map(|it| quoted(it)).collect();
    let (remark, failures) = match failures.as_slice() {
        [] => ("", "[]".to_owned()),
        some => (
            "  // The failures at the time of this export. Make it an empty list once they are fixed.\n",
            format!("[\n    {},\n  ]", some.join(",\n    ")),
        ),
    };
    let (name, digest) = (quoted(&run.name), run.digest);
    format!(
        "import assert from 'node:assert/strict';\nimport {{ test }} from 'node:test';\n\nimport {{ {import} }} from \
         'locket-wasm';\n\ntest({name}, () => {{\n{tell}{remark}  assert.deepEqual({failures_of}, {failures});\n  \
         assert.equal({digest_of}, '{digest}');\n}});\n"
    )
}
