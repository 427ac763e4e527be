import { createRequire } from "node:module";

import type * as library from "acorn";

const require = createRequire(import.meta.url);

/** The parser of JavaScript, loaded at its first use: most programs parse nothing. */
export const parser = (): typeof library => require("acorn") as typeof library;
