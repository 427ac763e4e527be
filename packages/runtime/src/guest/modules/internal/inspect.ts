import { returnGlobals } from "../../node/lent-globals.ts";

import { format, formatWithOptions, inspect, stripVTControlCharacters } from "node-inspect-extracted";

returnGlobals();

/** The showing of values, for `node:util` alone: components have no built-in of this name. */
export default { format, formatWithOptions, inspect, stripVTControlCharacters };
