import type { LoadedModule } from "./loaded-module.ts";

/** Of Vite's module runner, as `EvaluatedModules` of `vite/module-runner` describes it. */
interface EvaluatedModule {
  readonly id: string;
  readonly file: string;
  readonly exports?: unknown;
  /** What vitest's own mocks have in place of them. */
  readonly mockedExports?: unknown;
  /** Ids of the modules that it imports. */
  readonly imports?: Iterable<string>;
}

/** What vitest leaves in the processes of its tests. None of it is there elsewhere. */
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

/** False in a vitest whose insides are others than those that are read here; true outside of vitest. */
export function isVitestKnown(): boolean {
  const { __vitest_worker__: worker, __vitest_mocker__: mocker } = vitest;
  // Processes that a test starts have the variable too, and neither.
  if (worker === undefined && mocker === undefined) return true;
  // Tests may have a realm of their own, with another Map.
  const modules = worker?.evaluatedModules?.idToModuleMap;
  return typeof modules?.values === "function" && typeof mocker?.getDependencyMock === "function";
}

/** The modules that vitest has evaluated for the tests of this process, the latest first; none elsewhere. */
export function* vitestModules(): Generator<LoadedModule> {
  for (const module of [...evaluated().values()].toReversed()) {
    const file = module.file.startsWith(mockPrefix) ? module.file.slice(mockPrefix.length) : module.file;
    const isMock = module.id.startsWith(mockPrefix);
    for (const exports of [module.exports, module.mockedExports])
      if (typeof exports === "object" && exports !== null) yield { file, exports, isMock };
  }
}

/** The first module that `vi.mock` replaces among those that a file imports, and those that these import. */
export function findMockedImport(file: string): string | undefined {
  const modules = evaluated();
  const ids = new Set([...modules.values()].filter((module) => module.file === file).map(({ id }) => id));
  for (const id of ids) {
    if (isMocked(id)) return id;
    for (const imported of modules.get(id)?.imports ?? []) ids.add(imported);
  }
  return undefined;
}

function isMocked(id: string): boolean {
  try {
    return Boolean(vitest.__vitest_mocker__?.getDependencyMock?.(id));
  } catch {
    return false;
  }
}
