import { createRequire } from "node:module";
import { runInThisContext } from "node:vm";

import { testBundler } from "../../../components/src/bundle.cases.ts";
import type { Sandbox } from "../contract.ts";
import { runBody, type Trial, tryComponent } from "../sandbox.cases.ts";
import { withoutWarnings } from "./node-warnings.cases.ts";

/** A snippet whose result in the sandbox differs from Node's on purpose. */
export interface Difference {
  readonly snippet: string;
  readonly guest: unknown;
  readonly reason: string;
}

/** Converts a result to JSON that distinguishes values which plain JSON does not. */
const show = `(value, seen = []) => {
  const inner = (item) => shown(item, seen);
  const shown = (value, seen) => {
    if (value === undefined) return "(undefined)";
    if (typeof value === "bigint") return "(bigint " + value + ")";
    if (typeof value === "number" && !Number.isFinite(value)) return "(" + value + ")";
    if (Object.is(value, -0)) return "(-0)";
    if (typeof value === "function") return "(function)";
    if (typeof value === "symbol") return "(symbol)";
    if (typeof value !== "object" || value === null) return value;
    if (seen.includes(value)) return "(cycle)";
    seen = [...seen, value];
    if (value instanceof Date) return "(Date " + (isNaN(value) ? "invalid" : value.toISOString()) + ")";
    if (value instanceof RegExp) return "(RegExp " + value + ")";
    if (value instanceof Error) return "(" + value.name + ")";
    if (value instanceof ArrayBuffer) return { ArrayBuffer: [...new Uint8Array(value)] };
    if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return { [value.constructor.name.replace("Buffer", "Uint8Array")]: [...value].map((item) => shown(item, seen)) };
    if (value instanceof Map) return { Map: [...value].map((pair) => shown(pair, seen)) };
    if (value instanceof Set) return { Set: [...value].map((item) => shown(item, seen)) };
    if (Array.isArray(value)) return Array.from(value, (item) => shown(item, seen));
    if (value instanceof Boolean || value instanceof Number || value instanceof String) return { boxed: value.valueOf() };
    return Object.fromEntries(Object.keys(value).map((key) => [key, shown(value[key], seen)]));
  };
  return shown(value, seen);
}`;

const program = (snippets: readonly string[]): string => `
  const show = ${show};
  const results = [];
  for (const run of [${snippets.map((snippet) => `async () => { ${/\breturn |^const /.test(snippet) ? snippet : `return (${snippet})`} }`).join(",\n")}]) {
    try { results.push(show(await run())); } catch (error) { results.push("throws " + (error && error.name)); }
  }
  return results;`;

const named = (snippets: readonly string[], results: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(snippets.map((snippet, index) => [snippet, results[index]]));

/** The results of snippets in Node; a snippet is an expression, or statements with a `return`. */
async function inNode(snippets: readonly string[]): Promise<Record<string, unknown>> {
  const run = runInThisContext(`(async (require) => {${program(snippets)}\n})`) as (
    require: NodeJS.Require,
  ) => Promise<unknown[]>;
  const results = await withoutWarnings(() => run(createRequire(import.meta.url)));
  return named(snippets, JSON.parse(JSON.stringify(results)) as unknown[]);
}

/** Bundles CommonJS with its imports; the bundler ends with the tests' process. */
export async function bundled(code: string): Promise<string> {
  return (await testBundler.bundle({ code })).bundle;
}

/** The results of snippets in the sandbox; a snippet can require Node's built-ins. */
async function inGuest(sandbox: Sandbox, snippets: readonly string[], trial: Trial): Promise<Record<string, unknown>> {
  const code = runBody(`this.$emit(await (async () => {${program(snippets)}\n})())`);
  const { emits, outcome } = await tryComponent(sandbox, /\brequire\(/.test(code) ? await bundled(code) : code, trial);
  if (outcome.error) throw new Error(`${outcome.error.message}\n${outcome.error.stack}`);
  return named(snippets, JSON.parse(emits[0]?.payload ?? "[]") as unknown[]);
}

/** The results of all snippets on both sides, without the intended differences; `stale` lists those that are equal now. */
export async function compare(
  sandbox: Sandbox,
  snippets: readonly string[],
  differences: readonly Difference[] = [],
  trial: Trial = {},
): Promise<{ guest: Record<string, unknown>; node: Record<string, unknown>; stale: string[] }> {
  const all = [...snippets, ...differences.map(({ snippet }) => snippet)];
  const [guest, node] = [await inGuest(sandbox, all, trial), await inNode(all)];
  const stale: string[] = [];
  for (const difference of differences) {
    const { snippet } = difference;
    if (JSON.stringify(node[snippet]) === JSON.stringify(difference.guest)) stale.push(snippet);
    node[snippet] = difference.guest;
  }
  return { guest, node, stale };
}
