import { existsSync } from "node:fs";

import type { OnResolveResult } from "esbuild";

import { builtFile } from "./packages/built-file.ts";

const folder = builtFile("builtins/");

/** True when components have a built-in of this name, without `node:`. */
const hasBuiltin = (name: string): boolean => /^\w+(?:\/\w+)*$/.test(name) && existsSync(new URL(`${name}.js`, folder));

/** Resolves a built-in as external, because the guest provides it; undefined when components do not have it. */
export const resolveBuiltin = (name: string): OnResolveResult | undefined =>
  hasBuiltin(name) ? { path: `node:${name}`, external: true, sideEffects: false } : undefined;
