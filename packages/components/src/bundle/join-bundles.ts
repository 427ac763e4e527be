import { createBudget, type Steps } from "@x/model";
import type { Bundled } from "../contract.ts";
import { isAsyncBundle } from "./async-opening.ts";
import { withoutInlineMap } from "./map-comment.ts";
import { stepsOfMap } from "./map-steps.ts";
import { sourceMaps } from "./source-maps.ts";

/** The bundle of a step's action. */
export interface BundlePart {
  readonly name: string;
  readonly bundle: string;
  readonly sourceMap: string;
}

type Joined = Pick<Bundled, "bundle" | "sourceMap">;
type Mapping = readonly (readonly number[])[];

/** Steps for all maps together: they are read, copied and written. Parts beyond have no positions. */
const maxSteps = 4_000_000;
const emptyMap = { version: 3, sources: [], names: [], mappings: "" } as const;

const countLines = (text: string): number => text.split("\n").length;

/**
 * One module whose export is a workflow with the parts as the actions of its steps, in order. Each part stays a module of
 * its own; its sources are named `<step>/<source>` in the map.
 */
export function* joinBundles(parts: readonly BundlePart[]): Steps<Joined> {
  const { decodedMappings, encodedMappings, TraceMap } = sourceMaps();
  const lines: string[] = [];
  const sources: string[] = [];
  const sourcesContent: (string | null)[] = [];
  const names: string[] = [];
  const mappings: Mapping[] = [];
  let line = 0;
  const budget = createBudget(maxSteps);
  const write = (text: string): void => {
    lines.push(text);
    line += countLines(text);
  };

  const isAsync = parts.some(({ bundle }) => isAsyncBundle(bundle));
  const [begin, end] = isAsync ? ["await (async () => {", "await (() => {"] : ["(() => {", ""];
  if (isAsync) write("return (async () => {");
  write("const actions = [];");
  for (const part of parts) {
    write(`actions.push(${begin} const module = { exports: {} }; const exports = module.exports; ${end}`);
    const map = new TraceMap(budget.take(stepsOfMap(part.sourceMap)) ? part.sourceMap : { ...emptyMap });
    // Indices count over all parts, and lines over the whole text.
    const firstSource = sources.length;
    const firstName = names.length;
    for (const [index, own] of decodedMappings(map).entries()) {
      mappings[line + index] = own.map(([column, source, ...rest]) => {
        if (source === undefined) return [column];
        const [originLine = 0, originColumn = 0, name] = rest as number[];
        return [
          column,
          firstSource + source,
          originLine,
          originColumn,
          ...(name === undefined ? [] : [firstName + name]),
        ];
      });
    }
    for (const [index, source] of map.sources.entries()) {
      sources.push(`${part.name}/${source ?? ""}`);
      sourcesContent.push(map.sourcesContent?.[index] ?? null);
    }
    // Not spread: a bundle may have more names than a call has arguments.
    for (const name of map.names) names.push(name);
    write(withoutInlineMap(part.bundle));
    yield;
    if (isAsync) write("})();");
    write("return (typeof module.exports === 'object' && module.exports?.default) || module.exports; })());");
  }
  const steps = parts.map(({ name }, index) => `{ name: ${JSON.stringify(name)}, action: actions[${index}] }`);
  write(`module.exports = { steps: [${steps.join(", ")}] };`);
  if (isAsync) write("})();");

  const decoded = Array.from({ length: line }, (_, index) => mappings[index] ?? []);
  const joined = new TraceMap({ version: 3, sources, names, mappings: decoded });
  return {
    bundle: lines.join("\n"),
    sourceMap: JSON.stringify({ version: 3, sources, sourcesContent, names, mappings: encodedMappings(joined) }),
  };
}
