//! The reference server and its in-process client.

use futures::FutureExt as _;
use futures::future::Either;
use js_sys::Array;
use js_sys::futures::future_to_promise;
use locket_sim::cluster::Cluster;
use locket_sim::protocol::error::LockError;
use locket_sim::protocol::message::{Request, Response};
use locket_sim::protocol::profile::Profile;
use locket_sim::protocol::resource::Resource;
use locket_sim::time::{Duration, Time};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::failure::ArgumentFailure;
use super::memory::grow_ahead;
use super::reply::Reply;
use super::table::{Columns, row_to_js, stats_to_js};
use super::text::read_profile;
use super::views::to_js;
use crate::transport::direct::{Called, DirectClient};
use crate::transport::in_process::{InProcessServer, MESSAGE_SIZE_MAX};

/// A reference server. Times are milliseconds since its clock's zero.
#[wasm_bindgen]
pub struct WasmServer {
    server: InProcessServer,
    profile: Profile,
}

#[wasm_bindgen]
impl WasmServer {
    /// A server with `processes` processes that start at `now_ms`; its profile as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(profile: &str, seed: f64, processes: usize, now_ms: f64) -> Result<Self, JsValue> {
        let profile = read_profile(profile)?;
        let server = InProcessServer::new(profile, seed as u64);
        server.advance_to(time(now_ms));
        server.with_cluster(|cluster, now| {
            cluster.restart(0, now, &mut ());
            for _ in 1..processes {
                cluster.add_process(now, &mut ());
            }
        });
        Ok(Self { server, profile })
    }

    /// When something happens next by itself.
    pub fn deadline(&self) -> Option<f64> {
        self.server.deadline().map(|deadline| deadline.as_ms() as f64)
    }

    /// How many TTLs or timers run.
    pub fn pending(&self) -> usize {
        self.server.with_cluster(|cluster, _| cluster.pending())
    }

    /// Lets everything happen that is due by `now_ms`.
    #[wasm_bindgen(js_name = advanceTo)]
    pub fn advance_to(&self, now_ms: f64) {
        self.server.advance_to(time(now_ms));
    }

    /// Sets how long answers take.
    #[wasm_bindgen(js_name = setLatency)]
    pub fn set_latency(&self, latency_ms: f64) {
        self.server.set_latency(duration(latency_ms));
    }

    /// Makes a call to a process: a reply, or a promise of one if the call waits for the database.
    /// `undefined` is a success at once without anything in it. A caller takes answers of up to
    /// `answer_size_max` bytes, by default as gRPC's clients do. Fields that a method lacks are not read.
    #[expect(clippy::too_many_arguments, reason = "plain arguments cross the border fastest")]
    pub fn ask(
        &self,
        process: usize,
        answer_size_max: Option<usize>,
        method: &str,
        has_resource: bool,
        key: String,
        owner: String,
        value: String,
        type_name: String,
        type_code: i32,
        ttl_in_seconds: i64,
        request_id: &str,
        timeout_ms: Option<f64>,
    ) -> JsValue {
        let type_code = type_code.into();
        let resource =
            |key| Resource { key, owner, value, type_name: type_name.clone(), type_code };
        let request = match method {
            "fetch" => Request::Fetch { key },
            "fetchAll" => Request::FetchAll { type_name, type_code },
            "lock" => {
                Request::Lock { resource: has_resource.then(|| resource(key)), ttl_in_seconds }
            }
            _ => Request::Release { resource: has_resource.then(|| resource(key)) },
        };
        let size_max = answer_size_max.unwrap_or(MESSAGE_SIZE_MAX);
        let client = DirectClient::new(self.server.clone(), process, size_max);
        let reply = match client.call(&request, request_id, timeout_ms.map(duration)) {
            Either::Left(called) => reply_to_js(called.into_inner()),
            Either::Right(called) => future_to_promise(called.map(reply_to_js).map(Ok)).into(),
        };
        grow_ahead();
        reply
    }

    /// The rows of the table, by key.
    pub fn table(&self) -> Array {
        let schema = self.profile.schema;
        self.server.with_cluster(|cluster, now| {
            cluster.table(now, &mut ()).rows().iter().map(|row| row_to_js(row, schema)).collect()
        })
    }

    /// Writes a whole row behind Locket's back.
    #[wasm_bindgen(js_name = putRow)]
    pub fn put_row(&self, row: &JsValue) -> Result<(), JsValue> {
        let row = Columns::row_from_js(row)?;
        grow_ahead();
        self.server
            .with_cluster(|cluster, now| cluster.put_row(row, now, &mut ()))
            .map_err(|error| self.operators_error("row", &error))
    }

    /// Sets columns of all rows behind Locket's back.
    #[wasm_bindgen(js_name = updateRows)]
    pub fn update_rows(&self, columns: &JsValue) -> Result<(), JsValue> {
        let columns = Columns::changes_from_js(columns)?;
        self.server
            .with_cluster(|cluster, now| cluster.edit_rows(|row| columns.set(row), now, &mut ()))
            .map_err(|error| self.operators_error("columns", &error))
    }

    /// Deletes a row behind Locket's back; says whether there was one.
    #[wasm_bindgen(js_name = deleteRow)]
    pub fn delete_row(&self, path: &str) -> bool {
        self.server.with_cluster(|cluster, now| cluster.delete_row(path, now, &mut ()))
    }

    /// Has the next Lock of a free key lose a race of two inserts against `owner`.
    #[wasm_bindgen(js_name = loseInsertRace)]
    pub fn lose_insert_race(&self, owner: String) {
        self.server.with_cluster(|cluster, _| cluster.lose_insert_race(owner));
    }

    /// Stalls the database for this time.
    #[wasm_bindgen(js_name = stallDatabase)]
    pub fn stall_database(&self, duration_ms: f64) {
        self.server.with_cluster(|cluster, now| {
            cluster.stall_database(duration(duration_ms), now, &mut ());
        });
    }

    /// The database goes down; says whether it ran.
    #[wasm_bindgen(js_name = stopDatabase)]
    pub fn stop_database(&self) -> bool {
        self.server.with_cluster(|cluster, now| cluster.stop_database(now, &mut ()))
    }

    /// The database is there again; says whether it was down.
    #[wasm_bindgen(js_name = startDatabase)]
    pub fn start_database(&self) -> bool {
        self.server.with_cluster(|cluster, now| cluster.start_database(now, &mut ()))
    }

    /// The answers to the next transactions of calls are lost.
    #[wasm_bindgen(js_name = loseReplies)]
    pub fn lose_answers(&self, count: u32) {
        self.server.with_cluster(|cluster, _| cluster.lose_answers(count));
    }

    /// Drops the table; says whether the database runs.
    #[wasm_bindgen(js_name = dropTable)]
    pub fn drop_table(&self) -> bool {
        self.server.with_cluster(|cluster, now| cluster.drop_table(now, &mut ()))
    }

    /// Counters.
    pub fn stats(&self) -> JsValue {
        self.server.with_cluster(|cluster, now| stats_to_js(&cluster.stats(now, &mut ())))
    }

    /// Stops and starts a process.
    pub fn restart(&self, process: usize) {
        self.server.with_cluster(|cluster, now| cluster.restart(process, now, &mut ()));
    }

    /// Starts a stopped process; says whether it was stopped.
    pub fn start(&self, process: usize) -> bool {
        self.server.with_cluster(|cluster, now| cluster.start(process, now, &mut ()))
    }

    /// Stops a process; says whether it ran.
    pub fn stop(&self, process: usize) -> bool {
        self.server.with_cluster(|cluster, _| cluster.stop(process))
    }
}

impl WasmServer {
    /// Why an operator's edit was refused, thrown.
    fn operators_error(&self, argument: &'static str, error: &LockError) -> JsValue {
        let is_down = |cluster: &mut Cluster, _: Time| cluster.is_database_down();
        let message = match self.server.with_cluster(is_down) {
            true => "the database is stopped; call startDatabase() first".to_owned(),
            false => error.message().to_owned(),
        };
        ArgumentFailure::throw(argument, message)
    }
}

impl Drop for WasmServer {
    /// Its clock stops, so calls that wait for the database would wait for ever.
    fn drop(&mut self) {
        self.server.close();
    }
}

fn reply_to_js(Called { result, after }: Called) -> JsValue {
    // Most calls are renewals that succeed at once: nothing to build for them.
    if after == Duration::ZERO && matches!(result, Ok(Response::Lock | Response::Release)) {
        return JsValue::UNDEFINED;
    }
    to_js(&Reply::of(result, after))
}

/// Saturates; the entry points pass safe integers only.
fn time(ms: f64) -> Time {
    Time::from_ms(ms as u64)
}

fn duration(ms: f64) -> Duration {
    Duration::from_ms(ms as u64)
}
