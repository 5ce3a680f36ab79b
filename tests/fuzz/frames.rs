//! gRPC and gRPC-Web bodies: frames that are cut, too long, several, and their base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;

use super::messages::{framed, message};

/// A body; what is text is not always base64.
pub(super) fn body() -> impl Strategy<Value = Vec<u8>> {
    let frame = prop_oneof![
        8 => message(1).prop_map(|message| framed(&message)),
        2 => (any::<u8>(), any::<u32>(), message(1)).prop_map(|(flags, length, message)| {
            [&[flags], &length.to_be_bytes()[..], &message].concat()
        }),
        1 => prop::collection::vec(any::<u8>(), 0..12),
    ];
    let frames = prop::collection::vec((frame, any::<bool>()), 0..4);
    let cut = prop::option::weighted(0.2, any::<usize>());
    (frames, 0_u8..4, cut).prop_map(|(frames, form, cut)| {
        let mut body: Vec<u8> = match form {
            0 => frames.iter().map(|(frame, _)| STANDARD.encode(frame)).collect::<String>().into(),
            1 => STANDARD
                .encode(frames.into_iter().map(|it| it.0).collect::<Vec<_>>().concat())
                .into(),
            _ => frames.into_iter().map(|it| it.0).collect::<Vec<_>>().concat(),
        };
        if let Some(at) = cut {
            body.truncate(at % (body.len() + 1));
        }
        body
    })
}
