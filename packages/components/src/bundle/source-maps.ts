import { createRequire } from "node:module";

import type * as library from "@jridgewell/trace-mapping";

const require = createRequire(import.meta.url);

/** The reader of source maps, loaded at its first use: most programs meet no error that has a position. */
export const sourceMaps = (): typeof library => require("@jridgewell/trace-mapping") as typeof library;
