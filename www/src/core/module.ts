// The package's modules, each loaded as a file of its own: it compiles while it arrives. The page has the simulator, and the
// messages if it looks at a Locket; its Worker has the checker as well.

import messages from 'locket-wasm/messages.wasm?url';
import simulator from 'locket-wasm/simulator.wasm?url';
import { init } from 'locket-wasm';

/** Before this no simulation may be made. */
export const moduleLoaded = init(simulator);

/** Before this no Locket may be called. Most visitors call none. */
export const messagesLoaded = (): Promise<void> => init(simulator, messages);
