import { join } from "node:path";

import { realRootOf, type SourceSet } from "./source-set.ts";

/** One of the author's files, as the bundler has read it. */
export interface AuthorFile {
  /** Where it is, by real path. */
  readonly path: string;
  readonly text: string;
  readonly language: "js" | "ts";
}

/** What is bundled in place of a file, in the same language; the source map leads back to the file and nowhere else. */
export interface InstrumentedCode {
  readonly code: string;
  readonly map: object;
}

/** The default export of the module that `createEngine({ instrument })` names; undefined: the file is bundled as it is. */
export type Instrument = (file: AuthorFile) => InstrumentedCode | undefined;

/** With a source map that names the file as the bundle does. */
function withMap({ code, map }: InstrumentedCode, name: string): string {
  const json = JSON.stringify({ ...map, sources: [name], sourcesContent: undefined });
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(json).toString("base64")}`;
}

/** The files of a component with the code that stands for them. `module` is a file URL. */
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
      if ("refused" in source || source.language === "json") return source;
      const made = instrument({ path: join(folder, name), text: source.text, language: source.language });
      return made ? { ...source, code: withMap(made, name) } : source;
    },
  };
}
