// The names of the forms of a trace.

/**
 * A format of a trace: `json-lines`; `chrome` for Perfetto and Chrome's tracing; `mermaid`, a
 * sequence diagram; `shiviz`, a log with vector clocks; `junit`, a report with the scenario's
 * expectations as test cases; and tests that repeat the run, `rust-test` and `typescript-test` (for
 * Node's test runner).
 */
export type TraceFormat =
  | 'chrome'
  | 'json-lines'
  | 'junit'
  | 'mermaid'
  | 'rust-test'
  | 'shiviz'
  | 'typescript-test';
