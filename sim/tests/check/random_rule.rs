//! Random rules of runners as JSON. The projection test of the library reads this file, too.

/// A rule in whole seconds; `below` draws a number.
pub(super) fn random_rule(below: &mut dyn FnMut(u64) -> u64) -> String {
    let mut rule = vec![format!(r#""retry": {}"#, wait(below))];
    if below(2) == 0 {
        rule.push(format!(r#""renew": {}"#, wait(below)));
    }
    if below(4) > 0 {
        let length = match below(3) {
            0 => r#""margin": "1s""#.to_owned(),
            _ => format!(r#""length": "{}s""#, 1 + below(6)),
        };
        let ends = ["by-timer", "by-timer", "at-an-attempt"][below(3) as usize];
        let from = moment(below);
        rule.push(format!(r#""lease": {{ "from": "{from}", {length}, "ends": "{ends}" }}"#));
    }
    for field in ["timeout", "firstTimeout", "acquireTimeout", "releaseTimeout", "fetchOwner"] {
        if below(2) == 0 {
            let time = ["1s", "2s", "4s", "ttl", "retry-interval", "unlimited"][below(6) as usize];
            rule.push(format!(r#""{field}": "{time}""#));
        }
    }
    if below(2) == 0 {
        rule.push(format!(r#""toleratedFailures": {}"#, below(3)));
    }
    rule.push(format!(r#""waitForReady": {}"#, below(2) == 0));
    for (field, policies) in [
        ("onCollision", ["count", "lose"]),
        ("onLoss", ["retry", "stop"]),
        ("onStop", ["abandon", "release"]),
    ] {
        rule.push(format!(r#""{field}": "{}""#, policies[below(2) as usize]));
    }
    format!("{{ {} }}", rule.join(", "))
}

fn wait(below: &mut dyn FnMut(u64) -> u64) -> String {
    let (time, from) = (below(4), moment(below));
    let (every, jitter) = (1 + time % 2, time / 2);
    format!(r#"{{ "every": "{every}s", "from": "{from}", "jitter": "{jitter}s" }}"#)
}

fn moment(below: &mut dyn FnMut(u64) -> u64) -> &'static str {
    ["reply", "request"][below(2) as usize]
}
