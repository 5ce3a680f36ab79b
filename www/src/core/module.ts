// The package's modules, each loaded as a file of its own: it compiles while it arrives. The page has the simulator, its
// Worker the checker as well.

import simulator from 'locket-wasm/simulator.wasm?url';
import { init } from 'locket-wasm';

/** Before this no simulation may be made. */
export const moduleLoaded = init(simulator);
