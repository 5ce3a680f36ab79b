// The names of the forms of a trace.

/**
 * A format of a trace:
 *
 * * `json-lines`: a {@link ScenarioEvent} in each line, then name, digest and failures in the last;
 * * `junit`: a report with the scenario's expectations as test cases;
 * * `mermaid`: a sequence diagram;
 * * `rust-test`, `typescript-test`: a test that repeats the run (the latter for Node's test runner).
 */
export type TraceFormat = 'json-lines' | 'junit' | 'mermaid' | 'rust-test' | 'typescript-test';
