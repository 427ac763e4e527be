import { createRequire } from "node:module";

import type { AuthorFile, InstrumentedCode } from "@x/runtime";

/** Of `@vitest/istanbul-lib-instrument`, which vitest's provider brings: what ran outside the sandbox is counted alike. */
interface Instrumenter {
  instrumentSync(code: string, path: string, inputMap?: object): string;
  lastSourceMap(): object | undefined;
}
interface Library {
  createInstrumenter(options: object): Instrumenter;
}

/** What vite compiles TypeScript with. */
interface Rolldown {
  transformSync(
    path: string,
    text: string,
    options: object,
  ): { readonly code: string; readonly map?: object; readonly errors: readonly unknown[] };
}

/** The module's URL says where the provider is; the process that loads it has no other way to know. */
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
interface Plain {
  readonly code: string;
  /** Absent: every position is that of the text. */
  readonly map?: object;
}

/** As vite does it: a file that runs outside the sandbox too has the same parts in the same places in both. */
function withoutTypes({ text, path }: AuthorFile): Plain {
  const { transformSync } = createRequire(library)("rolldown/utils") as Rolldown;
  const { code, map, errors } = transformSync(path, text, { sourcemap: true });
  if (errors.length > 0) throw errors[0];
  return { code, map: { ...map, sources: [path] } };
}

/** Code that counts what of it runs. What cannot be read is left to the bundler, which says why. */
export default function instrument(file: AuthorFile): InstrumentedCode | undefined {
  for (const esModules of [true, false]) {
    try {
      const { code, map } = file.language === "ts" ? withoutTypes(file) : { code: file.text };
      const instrumenter = createInstrumenter({ ...options, esModules });
      return { code: instrumenter.instrumentSync(code, file.path, map), map: { ...instrumenter.lastSourceMap() } };
    } catch {
      // Code that only a script may have is tried as one.
    }
  }
  return undefined;
}
