import { attempt } from "../attempt.ts";

/** A module that this process has evaluated. */
export interface LoadedModule {
  /** Path of its file. */
  readonly file: string;
  /** Reading an export may throw: one that a mock lacks, one that is not initialized yet. */
  readonly exports: object;
  /** True when a test replaced the file's exports by these. */
  readonly isMock: boolean;
}

/** The module and the name of an export. */
export interface FoundExport {
  readonly module: LoadedModule;
  readonly name: string;
}

const readExport = (exports: object, name: string): unknown => attempt(() => Reflect.get(exports, name) as unknown);
const namesOf = (exports: object): readonly string[] => attempt(() => Object.keys(exports)) ?? [];

/**
 * The first module that exports this very object: as its default, else under another name. A file's own exports take
 * precedence over those of a mock.
 */
export function findExport(modules: Iterable<LoadedModule>, given: object): FoundExport | undefined {
  let second: FoundExport | undefined;
  for (const module of modules) {
    const isDefault = readExport(module.exports, "default") === given;
    if (isDefault && !module.isMock) return { module, name: "default" };
    const name = isDefault
      ? "default"
      : namesOf(module.exports).find((each) => readExport(module.exports, each) === given);
    if (name !== undefined && (second === undefined || isDefault)) second = { module, name };
  }
  return second;
}
