//! Names of the events among nodes, which two routers share: the [world](crate::world), which
//! plays one order of it, and the [checker](crate::check), which tries every order.

pub(crate) mod happening;
