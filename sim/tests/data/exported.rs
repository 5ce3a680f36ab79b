// Needs the crates locket-sim and wasm-bindgen-test. Runs by cargo test and wasm-pack test.
#[wasm_bindgen_test::wasm_bindgen_test(unsupported = test)]
fn first_look_tells_the_same_run() {
    const SCENARIO: &str = r#"{"name":"first look","description":"Two clients want one lock, and one cell announces its presence. All use production's settings: a TTL of 15 s and an attempt every 5 s.","profile":"upstream","seed":1,"until":"50s","clients":[{"name":"bbs-0","kind":"lock","key":"bbs","ttl":"15s"},{"name":"bbs-1","kind":"lock","key":"bbs","ttl":"15s"},{"name":"cell-1","kind":"presence","key":"cell-1","value":"{\"zone\":\"z1\"}","ttl":"15s"}],"actions":[{"at":"0s","do":"note","text":"bbs-0 takes the lock and renews it every 5 s"},{"at":"0s","node":"bbs-0","do":"lock","every":"5s","until":"10s"},{"at":"1s","do":"note","text":"cell-1 announces its presence the same way"},{"at":"1s","node":"cell-1","do":"lock","every":"5s","until":"11s"},{"at":"2s","do":"note","text":"bbs-1 wants the same lock: every attempt collides while bbs-0 renews"},{"at":"2s","node":"bbs-1","do":"lock","every":"5s","until":"37s"},{"at":"15s","do":"note","text":"bbs-0 and cell-1 miss their renewals from here on"},{"at":"25s","do":"note","text":"15 s after its last renewal the lock expires; bbs-1's next attempt takes it"},{"at":"28s","do":"note","text":"cell-1 has no presence any more"},{"at":"28s","node":"cell-1","do":"fetch"},{"at":"33s","do":"note","text":"cell-1 comes back with a new row"},{"at":"33s","node":"cell-1","do":"lock","every":"5s","until":"43s"},{"at":"35s","do":"note","text":"bbs-0 comes back too, but bbs-1 holds the lock"},{"at":"35s","node":"bbs-0","do":"lock"},{"at":"38s","do":"note","text":"bbs-1 releases the lock: bbs-0 does not wait for the TTL"},{"at":"38s","node":"bbs-1","do":"release"},{"at":"40s","node":"bbs-0","do":"lock","every":"5s","until":"45s"}]}"#;

    let run = locket_sim::scenario::run_text(SCENARIO).expect("the scenario is right");

    assert_eq!(run.failures, Vec::<String>::new());
    assert_eq!(run.events.len(), 94);
    assert_eq!(run.digest.to_string(), "08b089f816b45d87");
}

// Needs the crates locket-sim and wasm-bindgen-test. Runs by cargo test and wasm-pack test.
#[wasm_bindgen_test::wasm_bindgen_test(unsupported = test)]
fn a_b_c_d_x_end_tells_the_same_run() {
    const SCENARIO: &str = r##"{"name":"a \"b\" <c> & d;\n#\\ `${x}` end\u2028 \u202e \u00e9","profile":"upstream","until":"30s","clients":[{"name":"x y\"#;<&>\n","key":"k\"<","retryInterval":"5s","runner":"upstream"},{"name":"x\ty\"#;<&>\n","key":"k\"<","retryInterval":"5s","runner":"upstream","startAt":"1s"},{"name":"","key":"{\""}],"actions":[{"at":"3s","do":"note","text":"]]> --> \u0000 \u001b \"# */ r#\""},{"at":"4s","do":"crash","node":"x y\"#;<&>\n"},{"at":"5s","do":"lock","node":""}],"expect":[{"at":"5s","key":"k\"<","owner":"client \" <at> all"},{"event":"starts"},{"noEvent":"crashes"}]}"##;

    let run = locket_sim::scenario::run_text(SCENARIO).expect("the scenario is right");

    // The failures at the time of this export. Make it an empty list once they are fixed.
    assert_eq!(run.failures, [
        "at 5.000 s: expected \'k\"<\' to be held by \'client \" <at> all\', but \'x y\"#;<&>\n\' holds it",
        "expected no event that contains \"crashes\", but one does",
    ]);
    assert_eq!(run.events.len(), 46);
    assert_eq!(run.digest.to_string(), "fd1de762f5c4a6cd");
}

// Needs the crates locket-sim and wasm-bindgen-test. Runs by cargo test and wasm-pack test.
#[wasm_bindgen_test::wasm_bindgen_test(unsupported = test)]
fn a_link_tells_the_same_run() {
    const LINK: &str = r#"l1.eyJhY3RzIjpbeyJhdCI6IjEycyIsImNvdW50Ijo1LCJhY3QiOnsiYXQiOiIxMnMiLCJkbyI6ImRlbGV0ZS1yb3ciLCJrZXkiOiJiYnMifX1dLCJhdCI6IjEycyIsImNvdW50Ijo2LCJkaWdlc3QiOiIxZjkxOGNiOTRlMWNjODhjIn0KeyJuYW1lIjoiYSBsaW5rIiwiZGVzY3JpcHRpb24iOiJUd28gY2xpZW50cyB3YW50IG9uZSBsb2NrLCBhbmQgb25lIGNlbGwgYW5ub3VuY2VzIGl0cyBwcmVzZW5jZS4gQWxsIHVzZSBwcm9kdWN0aW9uJ3Mgc2V0dGluZ3M6IGEgVFRMIG9mIDE1IHMgYW5kIGFuIGF0dGVtcHQgZXZlcnkgNSBzLiIsInByb2ZpbGUiOiJ1cHN0cmVhbSIsInNlZWQiOjEsInVudGlsIjoiNTBzIiwiY2xpZW50cyI6W3sibmFtZSI6ImJicy0wIiwia2luZCI6ImxvY2siLCJrZXkiOiJiYnMiLCJ0dGwiOiIxNXMifSx7Im5hbWUiOiJiYnMtMSIsImtpbmQiOiJsb2NrIiwia2V5IjoiYmJzIiwidHRsIjoiMTVzIn0seyJuYW1lIjoiY2VsbC0xIiwia2luZCI6InByZXNlbmNlIiwia2V5IjoiY2VsbC0xIiwidmFsdWUiOiJ7XCJ6b25lXCI6XCJ6MVwifSIsInR0bCI6IjE1cyJ9XSwiYWN0aW9ucyI6W3siYXQiOiIwcyIsImRvIjoibm90ZSIsInRleHQiOiJiYnMtMCB0YWtlcyB0aGUgbG9jayBhbmQgcmVuZXdzIGl0IGV2ZXJ5IDUgcyJ9LHsiYXQiOiIwcyIsIm5vZGUiOiJiYnMtMCIsImRvIjoibG9jayIsImV2ZXJ5IjoiNXMiLCJ1bnRpbCI6IjEwcyJ9LHsiYXQiOiIxcyIsImRvIjoibm90ZSIsInRleHQiOiJjZWxsLTEgYW5ub3VuY2VzIGl0cyBwcmVzZW5jZSB0aGUgc2FtZSB3YXkifSx7ImF0IjoiMXMiLCJub2RlIjoiY2VsbC0xIiwiZG8iOiJsb2NrIiwiZXZlcnkiOiI1cyIsInVudGlsIjoiMTFzIn0seyJhdCI6IjJzIiwiZG8iOiJub3RlIiwidGV4dCI6ImJicy0xIHdhbnRzIHRoZSBzYW1lIGxvY2s6IGV2ZXJ5IGF0dGVtcHQgY29sbGlkZXMgd2hpbGUgYmJzLTAgcmVuZXdzIn0seyJhdCI6IjJzIiwibm9kZSI6ImJicy0xIiwiZG8iOiJsb2NrIiwiZXZlcnkiOiI1cyIsInVudGlsIjoiMzdzIn0seyJhdCI6IjE1cyIsImRvIjoibm90ZSIsInRleHQiOiJiYnMtMCBhbmQgY2VsbC0xIG1pc3MgdGhlaXIgcmVuZXdhbHMgZnJvbSBoZXJlIG9uIn0seyJhdCI6IjI1cyIsImRvIjoibm90ZSIsInRleHQiOiIxNSBzIGFmdGVyIGl0cyBsYXN0IHJlbmV3YWwgdGhlIGxvY2sgZXhwaXJlczsgYmJzLTEncyBuZXh0IGF0dGVtcHQgdGFrZXMgaXQifSx7ImF0IjoiMjhzIiwiZG8iOiJub3RlIiwidGV4dCI6ImNlbGwtMSBoYXMgbm8gcHJlc2VuY2UgYW55IG1vcmUifSx7ImF0IjoiMjhzIiwibm9kZSI6ImNlbGwtMSIsImRvIjoiZmV0Y2gifSx7ImF0IjoiMzNzIiwiZG8iOiJub3RlIiwidGV4dCI6ImNlbGwtMSBjb21lcyBiYWNrIHdpdGggYSBuZXcgcm93In0seyJhdCI6IjMzcyIsIm5vZGUiOiJjZWxsLTEiLCJkbyI6ImxvY2siLCJldmVyeSI6IjVzIiwidW50aWwiOiI0M3MifSx7ImF0IjoiMzVzIiwiZG8iOiJub3RlIiwidGV4dCI6ImJicy0wIGNvbWVzIGJhY2sgdG9vLCBidXQgYmJzLTEgaG9sZHMgdGhlIGxvY2sifSx7ImF0IjoiMzVzIiwibm9kZSI6ImJicy0wIiwiZG8iOiJsb2NrIn0seyJhdCI6IjM4cyIsImRvIjoibm90ZSIsInRleHQiOiJiYnMtMSByZWxlYXNlcyB0aGUgbG9jazogYmJzLTAgZG9lcyBub3Qgd2FpdCBmb3IgdGhlIFRUTCJ9LHsiYXQiOiIzOHMiLCJub2RlIjoiYmJzLTEiLCJkbyI6InJlbGVhc2UifSx7ImF0IjoiNDBzIiwibm9kZSI6ImJicy0wIiwiZG8iOiJsb2NrIiwiZXZlcnkiOiI1cyIsInVudGlsIjoiNDVzIn1dfQ"#;

    let simulation = locket_sim::simulation::Simulation::from_link(LINK).expect("the link is right");
    let run = simulation.to_run();

    assert_eq!(run.failures, Vec::<String>::new());
    assert_eq!(run.events.len(), 37);
    assert_eq!(run.digest.to_string(), "1f918cb94e1cc88c");
}
