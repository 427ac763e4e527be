import { join } from "node:path";

import { realRootOf, type SourceSet } from "./source-set.ts";

/** A file of the author. */
export interface AuthorFile {
  /** Real path. */
  readonly path: string;
  readonly text: string;
  readonly language: "js" | "ts";
}

/** Code to bundle instead of a file, in the same language. The source map has the file as its only source. */
export interface InstrumentedCode {
  readonly code: string;
  readonly map: object;
}

/** The default export of the module that `createEngine({ instrument })` names; undefined: the file is bundled unchanged. */
export type Instrument = (file: AuthorFile) => InstrumentedCode | undefined;

/** Appends a source map with the file name that the bundle uses. */
function withMap({ code, map }: InstrumentedCode, name: string): string {
  const json = JSON.stringify({ ...map, sources: [name], sourcesContent: undefined });
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(json).toString("base64")}`;
}

/** The instrumented files of a component. `module` is a file URL. */
export async function instrumentedSource(
  sources: SourceSet,
  { module, file, root }: { module: string; file: string; root: string | undefined },
): Promise<SourceSet> {
  const { default: instrument } = (await import(module)) as { default: Instrument };
  const folder = realRootOf({ file, root });
  return {
    ...sources,
    read(name) {
      const source = sources.read(name);
      if ("refused" in source || (source.language !== "js" && source.language !== "ts")) return source;
      const made = instrument({ path: join(folder, name), text: source.text, language: source.language });
      return made ? { ...source, code: withMap(made, name) } : source;
    },
  };
}
