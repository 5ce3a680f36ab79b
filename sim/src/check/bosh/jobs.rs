//! The table of facts about Cloud Foundry's jobs and of the shipped Locket, by release.
//!
//! A row names the version from which on it holds, the day of that version, and its source in the
//! public history of the components. Days are those of tags or, from October 2024 on, those on
//! which cf-deployment or kind-deployment took the version. Two kinds of versions have a row of
//! an unknown fact. The runner of the first kind had no deadline for an attempt, and no runner here
//! is like it. The second kind lies between the last version that lacks a change and the first that
//! is known to have it.
//!
//! * Locket's runner: an attempt had no deadline until 2017-04-21 (locket 5d50f3c), the TTL as its
//!   deadline until 2025-10-27, and has the retry interval since (ebb2197, 8f3817b).
//! * The retry interval of most jobs was 1 s from 2017-02-15 on (413e0a2), and is 5 s since August
//!   2026 (diego-release pull request 1183, routing-api 74052f9, tps 63abcd5).
//! * `locks.locket.enabled` and `cell_registrations.locket.enabled` decide only from diego 2.0.0
//!   to 2.70.0; later programs do not read them.
//! * `lock_ttl` of rep is a property since pull request 1180 of July 2026. That spec was not at
//!   hand, so its name is assumed: beside `locket.api_location`, or one level above.

use super::facts::BoshOff::{IfFalse, IfTrue, UnlessGiven, UnlessTrue};
use super::facts::{BoshFacts, BoshJob, BoshRow, BoshState};
use super::rows::{facts, known, later, row};
use crate::scenario::{ClientKind, RunnerKind};

/// The jobs that keep something in Locket, by name.
pub static BOSH_JOBS: [BoshJob; 10] = [
    job("auctioneer", DIEGO, &AUCTIONEER),
    job("bbs", DIEGO, &BBS),
    job("cc_deployment_updater", "capi", &CC_DEPLOYMENT_UPDATER),
    job("policy-server-asg-syncer", "cf-networking", &ASG_SYNCER),
    presence("rep"),
    presence("rep_windows"),
    job("route_emitter", DIEGO, &ROUTE_EMITTER),
    job("route_emitter_windows", DIEGO, &ROUTE_EMITTER),
    BoshJob { unread: &["routing_api.lock_ttl"], ..job("routing-api", "routing", &ROUTING_API) },
    job("tps", "capi", &TPS),
];

/// The release of most jobs, and of Locket itself.
pub(super) const DIEGO: &str = "diego";

static AUCTIONEER: [BoshRow; 8] = [
    row([1, 8, 0], "2017-02-22", "auctioneer cmd/auctioneer/main.go a0d23b5", NO_DEADLINE),
    known([1, 14, 1], "2017-04-25", DEADLINE, {
        let given = OLD.off(UnlessGiven, "diego.auctioneer.locket.api_location");
        given.with_consul("diego.auctioneer.skip_consul_lock")
    }),
    known([2, 0, 0], "2018-02-23", "diego-release jobs/auctioneer/spec 245f32d", {
        OLD.off(IfFalse, LOCKS).with_consul("diego.auctioneer.skip_consul_lock")
    }),
    known([2, 71, 0], "2022-12-15", "auctioneer cmd/auctioneer/main.go 7b69d26", OLD),
    known([2, 75, 0], "2023-04-28", PINGS, OLD.with_pings(AUCTIONEER_PINGS)),
    later([2, 123, 0], "2025-11-18", RETRY_DEADLINE, NEW.with_pings(AUCTIONEER_PINGS)),
    row([2, 144, 0], "2026-07-31", RETRY_5S, RETRY_UNKNOWN),
    later([2, 146, 0], "2026-08-20", RETRY_5S, NEW_5S.with_pings(AUCTIONEER_PINGS)),
];

static BBS: [BoshRow; 8] = [
    row([1, 6, 2], "2017-02-06", "diego-release jobs/bbs/spec 390d5ad", NO_DEADLINE),
    known([1, 14, 1], "2017-04-25", DEADLINE, {
        let given = OLD.off(UnlessGiven, "diego.bbs.locket.api_location");
        given.with_consul("diego.bbs.skip_consul_lock")
    }),
    known([2, 0, 0], "2018-02-23", "diego-release jobs/bbs/spec 245f32d", {
        OLD.off(IfFalse, LOCKS).with_consul("diego.bbs.skip_consul_lock")
    }),
    known([2, 71, 0], "2022-12-15", "bbs cmd/bbs/main.go c0a3fff", OLD),
    known([2, 75, 0], "2023-04-28", PINGS, OLD.with_pings(BBS_PINGS)),
    later(
        [2, 123, 0],
        "2025-11-18",
        "bbs cmd/bbs/main.go d022742, diego-release pull request 1065",
        NEW.retrying(2, &[]).with_pings(BBS_PINGS),
    ),
    row([2, 144, 0], "2026-07-31", RETRY_5S, RETRY_UNKNOWN),
    later([2, 146, 0], "2026-08-20", RETRY_5S, NEW_5S.with_pings(BBS_PINGS)),
];

static REP: [BoshRow; 7] = [
    row([1, 10, 0], "2017-03-09", "rep cmd/rep/main.go 24856f2", NO_DEADLINE),
    known([1, 14, 1], "2017-04-25", DEADLINE, {
        OLD_5S.off(UnlessGiven, "diego.rep.locket.api_location")
    }),
    known(
        [2, 0, 0],
        "2018-02-23",
        "diego-release jobs/rep/spec 245f32d",
        OLD_5S.off(IfFalse, "cell_registrations.locket.enabled"),
    ),
    known([2, 71, 0], "2022-12-15", "rep cmd/rep/main.go ff647de", OLD_5S),
    known([2, 75, 0], "2023-04-28", PINGS, OLD_5S.with_pings(REP_PINGS)),
    later([2, 123, 0], "2025-11-18", RETRY_DEADLINE, NEW_5S.with_pings(REP_PINGS)),
    later([2, 144, 0], "2026-07-30", "diego-release pull request 1180", {
        let ttl = &["diego.rep.locket.lock_ttl", "diego.rep.lock_ttl"];
        NEW_5S.leased(ttl).with_pings(REP_PINGS)
    }),
];

static ROUTE_EMITTER: [BoshRow; 6] = [
    known(
        [1, 34, 0],
        "2018-01-29",
        "diego-release jobs/route_emitter/spec 8460a7c",
        OLD.off(IfTrue, LOCAL_MODE).off(UnlessTrue, LOCKS),
    ),
    known(
        [2, 0, 0],
        "2018-02-23",
        "diego-release jobs/route_emitter/spec 245f32d",
        OLD.off(IfTrue, LOCAL_MODE).off(IfFalse, LOCKS),
    ),
    known(
        [2, 119, 0],
        "2025-09-05",
        "route-emitter cmd/route-emitter/main.go deed0a2",
        OLD.off(IfTrue, LOCAL_MODE),
    ),
    later([2, 123, 0], "2025-11-18", RETRY_DEADLINE, NEW.off(IfTrue, LOCAL_MODE)),
    row([2, 144, 0], "2026-07-31", RETRY_5S, RETRY_UNKNOWN),
    later([2, 146, 0], "2026-08-20", RETRY_5S, NEW_5S.off(IfTrue, LOCAL_MODE)),
];

static ROUTING_API: [BoshRow; 7] = [
    row([0, 150, 0], "2017-04-13", "routing-api cmd/routing-api/main.go a9e236b", NO_DEADLINE),
    known([0, 157, 0], "2017-06-06", "routing-release src/code.cloudfoundry.org/locket 0.157.0", {
        let given = OLD.off(UnlessGiven, "routing_api.locket.api_location");
        given.with_consul("routing_api.skip_consul_lock")
    }),
    known([0, 189, 0], "2019-07-18", "routing-release jobs/routing-api/spec 7f46456", OLD),
    row(
        [0, 352, 0],
        "2025-11-04",
        "routing-release src/code.cloudfoundry.org/go.mod",
        RUNNER_UNKNOWN,
    ),
    known([0, 368, 0], "2026-03-09", "routing-release src/code.cloudfoundry.org/go.mod", NEW),
    row([0, 388, 0], "2026-08-04", "routing-api cmd/routing-api/main.go 74052f9", RETRY_UNKNOWN),
    later(
        [0, 391, 0],
        "2026-08-20",
        "routing-api cmd/routing-api/main.go 74052f9",
        NEW.retrying(5, &["routing_api.lock_retry_interval"]),
    ),
];

static TPS: [BoshRow; 5] = [
    row([1, 27, 0], "2017-04-28", "tps cmd/tps-watcher/main.go f1b3bf2", NO_DEADLINE),
    known([1, 41, 0], "2017-09-01", "capi-release src/code.cloudfoundry.org/locket 1.41.0", {
        let given = OLD.off(UnlessGiven, "capi.tps.watcher.locket.api_location");
        given.with_consul("capi.tps.watcher.skip_consul_lock")
    }),
    known([1, 85, 0], "2019-08-07", "capi-release jobs/tps/spec 282d4c7", OLD),
    known([1, 221, 0], "2025-11-18", "tps go.mod 011204d", NEW),
    later([1, 242, 0], "2026-08-10", "tps cmd/tps-watcher/main.go 63abcd5", NEW_5S),
];

static CC_DEPLOYMENT_UPDATER: [BoshRow; 1] = [known(
    [1, 63, 0],
    "2018-07-31",
    "cloud_controller_ng lib/locket/lock_runner.rb e3d9d33",
    facts(RunnerKind::CloudController, 1),
)];

static ASG_SYNCER: [BoshRow; 3] = [
    known(
        [3, 0, 0],
        "2022-02-23",
        "cf-networking-release jobs/policy-server-asg-syncer/spec 02e774e",
        OLD_5S.off(IfTrue, "disable"),
    ),
    row(
        [3, 87, 0],
        "2025-11-03",
        "cf-networking-release src/code.cloudfoundry.org/go.mod",
        RUNNER_UNKNOWN,
    ),
    known(
        [3, 88, 0],
        "2025-11-17",
        "cf-networking-release src/code.cloudfoundry.org/go.mod",
        NEW_5S.off(IfTrue, "disable"),
    ),
];

const LOCKS: &str = "locks.locket.enabled";
const LOCAL_MODE: &str = "diego.route_emitter.local_mode";

const AUCTIONEER_PINGS: [&str; 2] = [
    "diego.auctioneer.locket.client_keepalive_time",
    "diego.auctioneer.locket.client_keepalive_timeout",
];
const BBS_PINGS: [&str; 2] =
    ["diego.bbs.locket.client_keepalive_time", "diego.bbs.locket.client_keepalive_timeout"];
const REP_PINGS: [&str; 2] =
    ["diego.rep.locket.client_keepalive_time", "diego.rep.locket.client_keepalive_timeout"];

const DEADLINE: &str = "locket lock/lock.go 5d50f3c";
const PINGS: &str = "locket locket_client.go 1f63346";
const RETRY_DEADLINE: &str = "locket lock/lock.go 8f3817b";
const RETRY_5S: &str = "diego-release pull request 1183";

const OLD: BoshFacts = facts(RunnerKind::UpstreamBefore202510, 1);
const OLD_5S: BoshFacts = facts(RunnerKind::UpstreamBefore202510, 5);
const NEW: BoshFacts = facts(RunnerKind::Upstream, 1);
const NEW_5S: BoshFacts = facts(RunnerKind::Upstream, 5);

const NO_DEADLINE: BoshState =
    BoshState::Unknown("its runner has no deadline for an attempt, and no runner here is like it");
const RETRY_UNKNOWN: BoshState =
    BoshState::Unknown("its retry interval became 5 s in this version or a later one");
const RUNNER_UNKNOWN: BoshState = BoshState::Unknown(
    "its runner is the one before or after Locket's change of 2025-10-27, and it is not known which",
);

const fn job(name: &'static str, release: &'static str, rows: &'static [BoshRow]) -> BoshJob {
    BoshJob { name, release, kind: ClientKind::Lock, rows, unread: &[] }
}

const fn presence(name: &'static str) -> BoshJob {
    BoshJob { kind: ClientKind::Presence, ..job(name, DIEGO, &REP) }
}

impl BoshJob {
    /// The job of this name, if it is in the table.
    pub fn named(name: &str) -> Option<&'static Self> {
        BOSH_JOBS.iter().find(|job| job.name == name)
    }
}
