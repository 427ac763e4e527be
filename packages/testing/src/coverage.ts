import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

import type { Instrumentation } from "@x/runtime";

import { identityMap, wordGrid } from "./identity-map.ts";

/** Of one file, in the form of Istanbul; the rest of it says where its parts are. */
interface FileCoverage {
  readonly hash?: string;
  readonly inputSourceMap?: object;
  readonly s: Record<string, number>;
  readonly f: Record<string, number>;
  readonly b: Record<string, number[]>;
}
type Coverage = Record<string, FileCoverage>;

/** What vitest leaves in the processes of its tests. */
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
 * Files that a test also imports are counted by vitest under their own path, in the positions of what vite made of them.
 * Both find together where vitest maps positions back to the author's file.
 */
const keyOf = (path: string): string => `${path}?sandbox`;

function add(target: Record<string, number>, hits: Readonly<Record<string, number>>): void {
  for (const [key, count] of Object.entries(hits)) target[key] = (target[key] ?? 0) + count;
}

function addFile(all: Coverage, path: string, counted: FileCoverage): void {
  const key = keyOf(path);
  const known = all[key];
  if (!known || known.hash !== counted.hash) {
    // JavaScript is instrumented as it is, and vitest maps what it has made of the same file.
    const inputSourceMap = counted.inputSourceMap ?? identityMap(path, wordGrid(readFileSync(path, "utf8")));
    all[key] = { ...counted, path: key, inputSourceMap } as FileCoverage;
    return;
  }
  add(known.s, counted.s);
  add(known.f, counted.f);
  for (const [branch, ways] of Object.entries(counted.b))
    known.b[branch] = ways.map((count, way) => count + (known.b[branch]?.[way] ?? 0));
}

/** How components count what runs of them; undefined unless vitest measures coverage with Istanbul. */
export function findInstrumentation(): Instrumentation | undefined {
  const config = vitest.__vitest_worker__?.config;
  if (!config?.coverage?.enabled) return undefined;
  if (config.coverage.provider !== "istanbul") {
    process.emitWarning(
      `Components are not in this coverage: the provider must be istanbul, got ${config.coverage.provider}.`,
    );
    return undefined;
  }
  const provider = createRequire(join(config.root, "package.json")).resolve("@vitest/coverage-istanbul");
  const module = new URL(import.meta.url.endsWith(".ts") ? "./instrument.ts" : "./instrument.js", import.meta.url);
  module.searchParams.set("provider", pathToFileURL(provider).href);
  return {
    module: module.href,
    /** Adds what code in the sandbox has counted to what vitest collects. */
    counted(counters) {
      const all = (vitest.__VITEST_COVERAGE__ ??= {});
      for (const [path, counted] of Object.entries(JSON.parse(counters) as Coverage)) addFile(all, path, counted);
    },
  };
}
