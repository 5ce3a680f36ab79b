//! Questions as texts: a search, a map, advice, each as far as a few states lead.

use locket_sim::check::{
    Adviser, MapQuestion, Question, QuestionError, Reductions, Search, SettingsMap,
};

use super::json::changed;
use super::round::fuzz;

const STATES_MAX: usize = 300;
const QUESTIONS: &[&str] = &[
    r#"{ "runner": "upstream", "ttl": "5s", "retryInterval": "2s", "latency": "1s", "faults": { "pause": { "length": "3s", "count": 1 } }, "property": { "is": "one-owner" } }"#,
    r#"{ "runner": "safe", "ttl": "4s", "retryInterval": "1s", "margin": "1s", "profile": "upstream", "faults": { "lostMessage": 1, "crash": 1, "rowDeletion": 1 } }"#,
    r#"{ "runner": "diego-bbs@2.102.0", "clients": [{}, { "runner": "routing-routing-api@0.385.0" }] }"#,
    r#"{ "kind": "presence", "ttl": "5s", "clients": [{}], "faults": { "lostReply": 1 }, "property": { "is": "presence-gap", "allow": "2s" } }"#,
    r#"{ "clients": [{ "ttl": "3s" }, { "runner": "safe", "ratePpm": 1000 }], "processes": 2, "polls": true, "grid": "500ms", "faults": { "failover": 1 } }"#,
    r#"{ "ttl": "3s", "retryInterval": "1s", "faults": { "locketCrash": { "length": "1s", "count": 1 }, "restart": 1, "stop": 1 }, "property": { "is": "no-client-acts", "allow": "9s" } }"#,
    r#"{ "scenario": "{\"name\":\"x\",\"clients\":[{\"name\":\"a\",\"key\":\"k\",\"retryInterval\":\"2s\"},{\"name\":\"b\",\"key\":\"k\",\"retryInterval\":\"2s\"}]}" }"#,
];
const MAPS: &[&str] = &[
    r#"{ "question": { "runner": "safe", "latency": "1s" }, "ttls": ["3s", "5s"], "retries": ["1s", "2s"], "axis": "pause" }"#,
    r#"{ "question": { "runner": "upstream" }, "ttls": ["4s"], "retries": ["1s"], "axis": "latency", "maxSteps": 3 }"#,
    r#"{ "question": { "latency": "1s" }, "ttls": ["5s"], "retries": ["1s"], "axis": "lostMessage", "maxSteps": 2 }"#,
    r#"{ "question": { "runner": "safe", "latency": "1s" }, "ttls": ["5s"], "retries": ["1s"], "axis": "latency", "maxSteps": 2 }"#,
];

#[test]
fn question_texts() {
    fuzz("question_texts", 60, &changed(texts(QUESTIONS)), |text| {
        let question = match Question::from_json(&text) {
            Err(error) => return has_words(&error),
            Ok(question) => question,
        };
        let mut search = Search::new(question, Reductions::default(), STATES_MAX)
            .map_err(|error| format!("a question that was taken is refused: {error}"))?;
        search.run(u64::MAX);
        let answer = search.answer().map_err(|error| error.to_string())?;
        let _shown = answer.view();
        Ok(())
    });
}

#[test]
fn advice_texts() {
    fuzz("advice_texts", 20, &changed(texts(QUESTIONS)), |text| {
        let question = match Question::from_json(&text) {
            Err(error) => return has_words(&error),
            Ok(question) => question,
        };
        match Adviser::new(question, STATES_MAX) {
            Err(error) => has_words(&error),
            Ok(mut adviser) => {
                adviser.run(3_000);
                let _shown = adviser.advice().view();
                Ok(())
            }
        }
    });
}

#[test]
fn map_texts() {
    fuzz("map_texts", 60, &changed(texts(MAPS)), |text| {
        let map = MapQuestion::from_json(&text, STATES_MAX).and_then(SettingsMap::new);
        match map {
            Err(error) => has_words(&error),
            Ok(mut map) => {
                map.run(3_000);
                let _shown = map.view();
                Ok(())
            }
        }
    });
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

fn has_words(error: &QuestionError) -> Result<(), String> {
    match error.message.is_empty() {
        true => Err(format!("it is refused without a word: {error:?}")),
        false => Ok(()),
    }
}
