// The package's module, which page and Worker load as a file of its own: it compiles while it arrives.

import url from 'locket-wasm/locket.wasm?url';
import { init } from 'locket-wasm/slim';

/** Before this nothing of the package may be used. */
export const moduleLoaded = init(url);
