import { returnGlobals } from "./lent-globals.ts";

import { format, formatWithOptions, inspect, stripVTControlCharacters } from "node-inspect-extracted";

returnGlobals();

export { format, formatWithOptions, inspect, stripVTControlCharacters };
