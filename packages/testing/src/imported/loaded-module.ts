/** A module that this process has evaluated. */
export interface LoadedModule {
  /** Path of its file. */
  readonly file: string;
  /** What it exports. Reading may throw: what a mock does not have, what is not there yet. */
  readonly exports: object;
  /** Whether a test put this in place of what the file exports. */
  readonly isMock: boolean;
}

/** Where an object was exported. */
export interface FoundExport {
  readonly module: LoadedModule;
  readonly name: string;
}

function readExport(exports: object, name: string): unknown {
  try {
    return Reflect.get(exports, name);
  } catch {
    return undefined;
  }
}

function namesOf(exports: object): readonly string[] {
  try {
    return Object.keys(exports);
  } catch {
    return [];
  }
}

/**
 * The module that exports this very object: as its default, else under some name. The first one counts; what a file
 * exports counts before what a mock of it does.
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
