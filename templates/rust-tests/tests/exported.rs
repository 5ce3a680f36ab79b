// Needs the crates locket-sim and wasm-bindgen-test. Runs by cargo test and wasm-pack test.
#[wasm_bindgen_test::wasm_bindgen_test(unsupported = test)]
fn first_look_tells_the_same_run() {
    const SCENARIO: &str = r#"{"name":"first look","description":"Two clients want one lock, and one cell announces its presence. All use production's settings: a TTL of 15 s and an attempt every 5 s.","profile":"upstream","seed":1,"until":"50s","clients":[{"name":"bbs-0","kind":"lock","key":"bbs","ttl":"15s"},{"name":"bbs-1","kind":"lock","key":"bbs","ttl":"15s"},{"name":"cell-1","kind":"presence","key":"cell-1","value":"{\"zone\":\"z1\"}","ttl":"15s"}],"actions":[{"at":"0s","do":"note","text":"bbs-0 takes the lock and renews it every 5 s"},{"at":"0s","node":"bbs-0","do":"lock","every":"5s","until":"10s"},{"at":"1s","do":"note","text":"cell-1 announces its presence the same way"},{"at":"1s","node":"cell-1","do":"lock","every":"5s","until":"11s"},{"at":"2s","do":"note","text":"bbs-1 wants the same lock: every attempt collides while bbs-0 renews"},{"at":"2s","node":"bbs-1","do":"lock","every":"5s","until":"37s"},{"at":"15s","do":"note","text":"bbs-0 and cell-1 miss their renewals from here on"},{"at":"25s","do":"note","text":"15 s after its last renewal the lock expires; bbs-1's next attempt takes it"},{"at":"28s","do":"note","text":"cell-1 has no presence any more"},{"at":"28s","node":"cell-1","do":"fetch"},{"at":"33s","do":"note","text":"cell-1 comes back with a new row"},{"at":"33s","node":"cell-1","do":"lock","every":"5s","until":"43s"},{"at":"35s","do":"note","text":"bbs-0 comes back too, but bbs-1 holds the lock"},{"at":"35s","node":"bbs-0","do":"lock"},{"at":"38s","do":"note","text":"bbs-1 releases the lock: bbs-0 does not wait for the TTL"},{"at":"38s","node":"bbs-1","do":"release"},{"at":"40s","node":"bbs-0","do":"lock","every":"5s","until":"45s"}]}"#;

    let run = locket_sim::scenario::run_text(SCENARIO).expect("the scenario is right");

    assert_eq!(run.failures, Vec::<String>::new());
    assert_eq!(run.events.len(), 94);
    assert_eq!(run.digest.to_string(), "08b089f816b45d87");
}
