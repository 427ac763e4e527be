import { createRequire } from "node:module";

import type { AuthorFile, InstrumentedCode } from "@x/runtime";

/** Of `@vitest/istanbul-lib-instrument`, a dependency of vitest's provider: both sides use the same instrumentation. */
interface Instrumenter {
  instrumentSync(code: string, path: string, inputMap?: object): string;
  lastSourceMap(): object | undefined;
}
interface Library {
  createInstrumenter(options: object): Instrumenter;
}

/** Vite's TypeScript compiler. */
interface Rolldown {
  transformSync(
    path: string,
    text: string,
    options: object,
  ): { readonly code: string; readonly map?: object; readonly errors: readonly unknown[] };
}

/** A parameter of this module's URL: the process that loads the module gets nothing else. */
const provider = new URL(import.meta.url).searchParams.get("provider") ?? import.meta.url;
const library = createRequire(provider).resolve("@vitest/istanbul-lib-instrument");
const { createInstrumenter } = createRequire(provider)(library) as Library;

const options = {
  produceSourceMap: true,
  autoWrap: true,
  coverageVariable: "__coverage__",
  coverageGlobalScope: "globalThis",
  coverageGlobalScopeFunc: false,
  ignoreLines: true,
};

/** Compiled by vite's compiler, so that a file that also runs outside the sandbox has the same positions in both. */
function withoutTypes({ text, path }: AuthorFile): { code: string; map: object } {
  const { transformSync } = createRequire(library)("rolldown/utils") as Rolldown;
  const { code, map, errors } = transformSync(path, text, { sourcemap: true });
  if (errors.length > 0) throw errors[0];
  return { code, map: { ...map, sources: [path] } };
}

/** The instrumented code. Undefined for code that does not parse: the bundler reports that. */
export default function instrument(file: AuthorFile): InstrumentedCode | undefined {
  for (const esModules of [true, false]) {
    try {
      const { code, map } = file.language === "ts" ? withoutTypes(file) : { code: file.text, map: undefined };
      const instrumenter = createInstrumenter({ ...options, esModules });
      return { code: instrumenter.instrumentSync(code, file.path, map), map: { ...instrumenter.lastSourceMap() } };
    } catch {
      // It may be a script, not a module.
    }
  }
  return undefined;
}
