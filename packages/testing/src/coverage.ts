import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

import type { Instrumentation } from "@x/runtime";

import { identityMap, wordGrid } from "./identity-map.ts";

/** Istanbul's coverage of a file: the counters, without the maps of locations. */
interface FileCoverage {
  readonly hash?: string;
  readonly inputSourceMap?: object;
  readonly s: Record<string, number>;
  readonly f: Record<string, number>;
  readonly b: Record<string, number[]>;
}
type Coverage = Record<string, FileCoverage>;

/** Globals that vitest sets in the processes of its tests. */
interface VitestGlobals {
  __VITEST_COVERAGE__?: Coverage;
  readonly __vitest_worker__?: {
    readonly config?: {
      readonly root: string;
      readonly coverage?: { readonly enabled?: boolean; readonly provider?: string };
    };
  };
}
const vitest = globalThis as VitestGlobals;

/**
 * Vitest counts files that a test imports under their own path, by positions in vite's output. The key must differ until
 * vitest maps positions back to the author's file, and merges both.
 */
const keyOf = (path: string): string => `${path}?sandbox`;

function add(target: Record<string, number>, hits: Readonly<Record<string, number>>): void {
  for (const [key, count] of Object.entries(hits)) target[key] = (target[key] ?? 0) + count;
}

function addFile(all: Coverage, path: string, counted: FileCoverage): void {
  const key = keyOf(path);
  const known = all[key];
  if (!known || known.hash !== counted.hash) {
    // Vitest expects a source map; JavaScript is instrumented as written, so positions are mapped to themselves.
    const inputSourceMap = counted.inputSourceMap ?? identityMap(path, wordGrid(readFileSync(path, "utf8")));
    all[key] = { ...counted, path: key, inputSourceMap } as FileCoverage;
    return;
  }
  add(known.s, counted.s);
  add(known.f, counted.f);
  for (const [branch, ways] of Object.entries(counted.b))
    known.b[branch] = ways.map((count, way) => count + (known.b[branch]?.[way] ?? 0));
}

/** The instrumentation of components; undefined unless vitest measures coverage with Istanbul. */
export function findInstrumentation(): Instrumentation | undefined {
  const config = vitest.__vitest_worker__?.config;
  if (!config?.coverage?.enabled) return undefined;
  if (config.coverage.provider !== "istanbul") {
    process.emitWarning(
      `Coverage does not include components: the provider must be istanbul, got ${config.coverage.provider}.`,
    );
    return undefined;
  }
  const provider = createRequire(join(config.root, "package.json")).resolve("@vitest/coverage-istanbul");
  const module = new URL(import.meta.url.endsWith(".ts") ? "./instrument.ts" : "./instrument.js", import.meta.url);
  module.searchParams.set("provider", pathToFileURL(provider).href);
  return {
    module: module.href,
    /** Adds the counters of the sandbox to those of vitest. */
    counted(counters) {
      const all = (vitest.__VITEST_COVERAGE__ ??= {});
      for (const [path, counted] of Object.entries(JSON.parse(counters) as Coverage)) addFile(all, path, counted);
    },
  };
}
