import { createRequire, stripTypeScriptTypes } from "node:module";

import type { AuthorFile, InstrumentedCode } from "@x/runtime";

/** Of `@vitest/istanbul-lib-instrument`, which vitest's provider brings: what ran outside the sandbox is counted alike. */
interface Instrumenter {
  instrumentSync(code: string, path: string, inputMap?: object): string;
  lastSourceMap(): object | undefined;
}
interface Library {
  createInstrumenter(options: object): Instrumenter;
}

/** The module's URL says where the provider is; the process that loads it has no other way to know. */
const provider = new URL(import.meta.url).searchParams.get("provider") ?? import.meta.url;
const { createInstrumenter } = createRequire(provider)("@vitest/istanbul-lib-instrument") as Library;

const options = {
  produceSourceMap: true,
  autoWrap: true,
  coverageVariable: "__coverage__",
  coverageGlobalScope: "globalThis",
  coverageGlobalScopeFunc: false,
  ignoreLines: true,
};
const mapComment = /\n\/\/# sourceMappingURL=data:application\/json;base64,([\w+/=]+)\s*$/;

interface Plain {
  readonly code: string;
  /** Absent: every position is that of the text. */
  readonly map?: object;
}

/** Types become blanks; what is more than types, such as an enum, moves the code and has a map. */
function withoutTypes({ text, path }: AuthorFile): Plain {
  try {
    return { code: stripTypeScriptTypes(text, { mode: "strip" }) };
  } catch {
    const moved = stripTypeScriptTypes(text, { mode: "transform", sourceMap: true, sourceUrl: path });
    const json = Buffer.from(mapComment.exec(moved)?.[1] ?? "", "base64").toString();
    return { code: moved.replace(mapComment, ""), map: { ...(JSON.parse(json) as object), sources: [path] } };
  }
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
