//! A JUnit report: the scenario is a suite, each of its expectations a test case.

use std::fmt::Write as _;

use super::Run;
use crate::time::Time;
use crate::trace::Check;

pub(super) fn export(run: &Run) -> String {
    let nothing_expected =
        [Check { words: "runs to its end".to_owned(), failures: Vec::new(), is_exercised: true }];
    let checks = match run.checks.as_slice() {
        [] => &nothing_expected,
        checks => checks,
    };
    let failed = checks.iter().filter(|it| !it.failures.is_empty()).count();
    let suite = escaped(&run.name);
    let end = run.events.last().map_or(Time::ZERO, |event| event.time());
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{suite}\" tests=\"{}\" failures=\"{failed}\" errors=\"0\" time=\"{end}\">",
        checks.len()
    );
    let digest = run.digest;
    let _ = writeln!(
        xml,
        "    <properties>\n      <property name=\"digest\" value=\"{digest}\"/>\n    </properties>"
    );
    for check in checks {
        let name = escaped(&check.words);
        let _ = write!(xml, "    <testcase classname=\"{suite}\" name=\"{name}\" time=\"0\"");
        if check.failures.is_empty() {
            xml.push_str("/>\n");
            continue;
        }
        let message = escaped(&check.failures.join("; "));
        let _ = writeln!(xml, ">\n      <failure message=\"{message}\"/>\n    </testcase>");
    }
    xml.push_str("    <system-out>");
    for event in &run.events {
        let _ = writeln!(xml, "{} {}", event.time(), escaped(&event.words(&run.names)));
    }
    xml.push_str("</system-out>\n  </testsuite>\n</testsuites>\n");
    xml
}

/// For attributes and text alike; what XML cannot say at all becomes U+FFFD.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\t' | '\n' | '\r' => {
                let _ = write!(safe, "&#{};", u32::from(c));
            }
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}
