import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import type * as library from "ajv";

import { builtFile } from "../packages/built-file.ts";

const require = createRequire(import.meta.url);
/** The bundle of ajv. */
const validatorFile = fileURLToPath(builtFile("threads/validator.cjs"));

/** Loads the library at the first use: it is large, and most processes do not need it. */
export const loadValidator = (): typeof library => require(validatorFile) as typeof library;
