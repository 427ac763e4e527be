import { removeTemporaryGlobals } from "../../node/temporary-globals.ts";

import { format, formatWithOptions, inspect, stripVTControlCharacters } from "node-inspect-extracted";

removeTemporaryGlobals();

/** Node's `inspect`, for `node:util` only: components cannot import this name. */
export default { format, formatWithOptions, inspect, stripVTControlCharacters };
