//! The conditions for every answer, and a request that is sent twice.

use bytes::Bytes;
use futures::FutureExt as _;
use http::Request;
use locket_wasm::sim::protocol::profile::Profile;
use locket_wasm::transport::in_process::InProcessServer;
use locket_wasm::transport::raw_call::Answer;
use tonic::Status;

/// A server with a row, always the same one.
pub(super) fn server() -> InProcessServer {
    let server = InProcessServer::new(Profile::UPSTREAM, 1);
    let body = Bytes::from_static(b"\0\0\0\0\x0c\x0a\x08\x0a\x01k\x12\x01o\x28\x01\x10\x0f");
    let lock = Request::post("/models.Locket/Lock").header("content-type", "application/grpc");
    at_once(locket_wasm::transport::grpc::handle(&server, 0, lock.body(body).unwrap()));
    server
}

/// The answer of a server that waits for nothing.
pub(super) fn at_once(answer: impl Future<Output = Answer>) -> Answer {
    answer.now_or_never().expect("nothing waits")
}

/// Asks two equal servers, and gives the answer of both if there is nothing wrong with it.
pub(super) fn answer(ask: impl Fn(&InProcessServer) -> Answer) -> Result<Answer, String> {
    let servers = [server(), server()];
    let [first, second] = servers.each_ref().map(ask);
    if shown(&first) != shown(&second) {
        return Err(format!("two answers: {first:?}, {second:?}"));
    }
    let [rows, same] = servers
        .map(|server| server.with_cluster(|cluster, now| cluster.table(now, &mut ()).rows()));
    if rows != same {
        return Err(format!("two tables: {rows:?}, {same:?}"));
    }
    let text = String::from_utf8_lossy(first.response.body());
    let headers = format!("{:?}{:?}", first.response.headers(), first.trailers);
    match [&*text, &*headers].iter().any(|it| it.contains("bug in")) {
        true => Err(format!("the answer is that of a bug: {first:?}")),
        false => Ok(first),
    }
}

fn shown(answer: &Answer) -> String {
    format!("{answer:?}")
}

/// The status in headers, trailers or the trailer frame of gRPC-Web.
pub(super) fn status_of(answer: &Answer) -> Option<Status> {
    let in_headers = Status::from_header_map(answer.response.headers());
    in_headers.or_else(|| Status::from_header_map(&answer.trailers))
}
