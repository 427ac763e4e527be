import { existsSync } from "node:fs";

import type { OnResolveResult } from "esbuild";

import { builtFile } from "../process/built-file.ts";

const folder = builtFile("builtins/");

/** Have components a built-in of this name, given without `node:`? */
const hasBuiltin = (name: string): boolean => /^\w+(?:\/\w+)*$/.test(name) && existsSync(new URL(`${name}.js`, folder));

/** A built-in stays outside of the bundle, for the guest to answer; undefined when components have none of that name. */
export const resolveBuiltin = (name: string): OnResolveResult | undefined =>
  hasBuiltin(name) ? { path: `node:${name}`, external: true, sideEffects: false } : undefined;
