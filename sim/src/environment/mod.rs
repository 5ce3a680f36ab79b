//! Names and rules of two routers: the [world](crate::world), which plays one order of what may
//! happen, and the [checker](crate::check), which tries every order.

pub(crate) mod acts;
pub(crate) mod canonical;
pub(crate) mod happening;
pub(crate) mod rules;
