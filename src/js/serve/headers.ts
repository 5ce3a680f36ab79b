// The names of the headers by which a server names itself, which conform reads.

// No metadata of the client begins like this.
/** The header of each answer that names the profile: `documented`, `upstream on mysql`, or `custom`. */
export const PROFILE_HEADER = 'locket-wasm-profile';
/** The header of each answer that names the clock: `real` or `virtual`. */
export const CLOCK_HEADER = 'locket-wasm-clock';
