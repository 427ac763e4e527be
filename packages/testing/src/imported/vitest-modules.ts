import { createRequire } from "node:module";

import { attempt } from "../attempt.ts";
import type { LoadedModule } from "./loaded-module.ts";

/** A module of Vite's module runner: see `EvaluatedModules` of `vite/module-runner`. */
interface EvaluatedModule {
  readonly id: string;
  readonly file: string;
  readonly exports?: unknown;
  /** The exports of vitest's automatic mock. */
  readonly mockedExports?: unknown;
  /** Ids of the modules that it imports. */
  readonly imports?: Iterable<string>;
}

/** Globals that vitest sets in the processes of its tests. */
interface VitestGlobals {
  readonly __vitest_worker__?: {
    readonly evaluatedModules?: { readonly idToModuleMap?: ReadonlyMap<string, EvaluatedModule> };
  };
  readonly __vitest_mocker__?: { getDependencyMock?(id: string): unknown };
}
const vitest = globalThis as VitestGlobals;
const mockPrefix = "mock:";

const evaluated = (): ReadonlyMap<string, EvaluatedModule> =>
  vitest.__vitest_worker__?.evaluatedModules?.idToModuleMap ?? new Map<string, EvaluatedModule>();

/** False in a vitest without the internals that this file reads; true outside of vitest. */
export function isVitestKnown(): boolean {
  const { __vitest_worker__: worker, __vitest_mocker__: mocker } = vitest;
  if (worker === undefined && mocker === undefined) return true;
  // Not `instanceof Map`: tests may run in a realm with another Map.
  const modules = worker?.evaluatedModules?.idToModuleMap;
  return typeof modules?.values === "function" && typeof mocker?.getDependencyMock === "function";
}

/** The modules that vitest has evaluated in this process, latest first; none outside of vitest. */
export function* vitestModules(): Generator<LoadedModule> {
  for (const module of [...evaluated().values()].toReversed()) {
    const file = module.file.startsWith(mockPrefix) ? module.file.slice(mockPrefix.length) : module.file;
    const isMock = module.id.startsWith(mockPrefix);
    for (const exports of [module.exports, module.mockedExports])
      if (typeof exports === "object" && exports !== null) yield { file, exports, isMock };
  }
}

/** The first mocked module among the direct and indirect imports of a file. */
export function findMockedImport(file: string): string | undefined {
  const modules = evaluated();
  const ids = new Set([...modules.values()].filter((module) => module.file === file).map(({ id }) => id));
  for (const id of ids) {
    if (isMocked(id)) return id;
    for (const imported of modules.get(id)?.imports ?? []) ids.add(imported);
  }
  return undefined;
}

const isMocked = (id: string): boolean => Boolean(attempt(() => vitest.__vitest_mocker__?.getDependencyMock?.(id)));

/** The only major version whose internals this file knows. */
const knownMajor = 5;

function findVersion(): string {
  const read = (): unknown => createRequire(import.meta.url)("vitest/package.json");
  const { version } = (attempt(read) ?? {}) as { readonly version?: unknown };
  return typeof version === "string" ? version : "of this project";
}

/** The message when `isVitestKnown` is false. `advice` is the code that works all the same. */
export const unknownVitestText = (advice: string): string =>
  `Imported components and mocks are looked up in the internals of vitest ${knownMajor}, which vitest ${findVersion()} does not have: use vitest ${knownMajor}, or name the component's file: ${advice}.`;
