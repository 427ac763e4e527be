import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";

import { type Execution, type Runtime, XError } from "@x/runtime";

import { mark, nodeMark, coverageMark, type Throwing, throwing } from "./throwing.ts";

/** What runs the components; each has its places. */
export type Machine = "quickjs" | "node" | "coverage";

/** `file:line:column` from the root; undefined: what is thrown has no place. */
export type Places = Readonly<Record<Machine, string | undefined>>;

/** A component that throws, in its files. */
export interface Laid extends Throwing {
  /** Path of the entry, from the root. */
  readonly entry: string;
  readonly places: Places;
}

export interface LaidTable extends Disposable {
  readonly root: string;
  readonly rows: readonly Laid[];
}

const anyMark = /\/\*(?:HERE|NODE|COVERAGE)\*\//g;

/** Where a mark is in a text without any, as `line:column`. */
function placeOf(text: string, wanted: string): string | undefined {
  const at = text.indexOf(wanted);
  if (at < 0) return undefined;
  const lines = text.slice(0, at).replaceAll(anyMark, "").split("\n");
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}

function placesIn(path: string, text: string): Places {
  const shown = (place: string | undefined): string | undefined => place && `${path}:${place}`;
  const here = placeOf(text, mark);
  const atNew = placeOf(text.replace(`new ${mark}`, `${nodeMark}new `), nodeMark);
  return { quickjs: shown(here), node: shown(atNew ?? here), coverage: shown(placeOf(text, coverageMark) ?? here) };
}

function lay(root: string, row: Throwing, index: number): Laid {
  const folder = `row-${index}`;
  let places: Places = { quickjs: undefined, node: undefined, coverage: undefined };
  for (const [name, text] of Object.entries(row.files)) {
    const path = posix.join(folder, name);
    // Stacks name a package's files from its folder.
    if (text.includes(mark)) places = placesIn(path.replace(/^node_modules\//, ""), text);
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text.replaceAll(anyMark, ""));
  }
  return { ...row, places, entry: posix.join(folder, Object.keys(row.files)[0] ?? "") };
}

/** Writes every component of the table into a project of its own. */
export function layTable(): LaidTable {
  const root = mkdtempSync(join(tmpdir(), "x-stack-lines-"));
  writeFileSync(join(root, "package.json"), '{ "type": "module" }\n');
  const rows = throwing.map((row, index) => lay(root, row, index));
  return { root, rows, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

/** `file:line:column` of a stack's first frame. */
export function firstPlace(stack: string): string | undefined {
  const frame = stack.split("\n").find((line) => /^\s+at /.test(line));
  return /(?:\(|at )([^()\s]+:\d+:\d+)\)?$/.exec(frame ?? "")?.[1];
}

/** The stack of what the component throws, as the runtime tells it: of a run, as its `$errors` stream holds it. */
export async function thrownStack(runtime: Runtime, root: string, { entry, way = "run" }: Laid): Promise<string> {
  const input = { file: join(root, entry), root };
  const stackOf = (error: unknown): string => (XError.is(error) ? String(error.details?.["stack"]) : String(error));
  if (way === "deploy" || way === "load") return runtime.deploy(input).then(() => "It did not throw", stackOf);
  if (way === "options") {
    const { id } = await runtime.saveComponent(input);
    return (await runtime.configure({ id, propName: "board" })).errors[0]?.stack ?? "";
  }
  if (way === "additionalProps") {
    const { id } = await runtime.saveComponent(input);
    return (await runtime.dynamicProps({ id })).errors[0]?.stack ?? "";
  }
  const { id } = way === "workflow" ? await runtime.workflow(input) : (await runtime.deploy(input)).source;
  const execution: Execution = await runtime.invoke(id, { event: {} });
  const [stored] = (await runtime.storedEvents(id, "$errors", { limit: 1 })).items;
  const record = JSON.parse(stored?.payload ?? "{}") as { error?: { stack?: string } };
  return record.error?.stack ?? `No record of ${execution.status}`;
}
