import { createMappingWriter, readMappings } from "./mapping-text.ts";

/** The name in a bundle of its modules that were minified alone. */
export const separateModules = "x_separateModules";

/** A module that was minified alone. */
export interface SeparateModule {
  /** Also in the source map. */
  readonly name: string;
  /** Statements with `exports`, `module` and `require`. */
  readonly code: string;
  /** The mappings of `code` to the module's text, whose first line is the second here. */
  readonly mappings: string;
  /** Number of lines of the module. */
  readonly lines: number;
}

interface SourceMap {
  readonly sources: string[];
  readonly sourcesContent?: (string | null)[];
  readonly mappings: string;
}

/**
 * A bundle with its modules that were minified alone in front of it. The rest is in a function: esbuild, which has not seen
 * what these modules use, gives its own variables any short name, also `Set` and `Map`.
 */
export function joinModules(
  bundle: string,
  sourceMap: string,
  given: readonly SeparateModule[],
): { bundle: string; sourceMap: string } {
  if (given.length === 0) return { bundle, sourceMap };
  // esbuild loads modules in any order.
  const modules = given.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const map = JSON.parse(sourceMap) as SourceMap;
  const texts: string[] = [];
  const mappings = createMappingWriter();
  const write = (text: string): void => {
    texts.push(text);
    mappings.lineEnd();
  };
  const separate = new Set<number>();
  write(`var ${separateModules} = {`);
  for (const { name, code, mappings: own, lines } of modules) {
    const known = map.sources.indexOf(name);
    const source = known >= 0 ? known : map.sources.push(name) - 1;
    if (known < 0) map.sourcesContent?.push(null);
    separate.add(source);
    write(`${JSON.stringify(name)}: function (exports, module, require) {`);
    readMappings(
      own,
      (column, _source, line, originColumn) => {
        // What is around the module has no origin.
        const isOwn = line >= 1 && line <= lines;
        mappings.segment(column, isOwn ? source : -1, line - 1, originColumn, -1);
      },
      mappings.lineEnd,
    );
    // esbuild leaves out lines without an origin at the end.
    for (let line = countOf(own, ";"); line < countOf(code, "\n"); line += 1) mappings.lineEnd();
    write(code);
    write("},");
  }
  write("};");
  write("(function () {");
  readMappings(
    map.mappings,
    (column, source, line, originColumn, name) => {
      // Frames of a stub are not the author's.
      if (separate.has(source)) mappings.segment(column, -1, 0, 0, -1);
      else mappings.segment(column, source, line, originColumn, name);
    },
    mappings.lineEnd,
  );
  texts.push(bundle, "}).call(this);");
  return { bundle: texts.join("\n"), sourceMap: JSON.stringify({ ...map, mappings: mappings.text() }) };
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;
