import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";

import { type Execution, type Runtime, XError } from "@x/runtime";

import { mark, nodeMark, coverageMark, type Throwing, throwing } from "./throwing.ts";

/** What runs the components; expected locations may differ. */
export type Machine = "quickjs" | "node" | "coverage";

/** `file:line:column` relative to the root; undefined: the error has no location. */
export type Locations = Readonly<Record<Machine, string | undefined>>;

/** The files of a component that throws. */
export interface WrittenRow extends Throwing {
  /** Path of the entry, relative to the root. */
  readonly entry: string;
  readonly locations: Locations;
}

export interface WrittenTable extends Disposable {
  readonly root: string;
  readonly rows: readonly WrittenRow[];
}

const anyMark = /\/\*(?:HERE|NODE|COVERAGE)\*\//g;

/** The position of a mark in the text without marks, as `line:column`. */
function positionOf(text: string, wanted: string): string | undefined {
  const at = text.indexOf(wanted);
  if (at < 0) return undefined;
  const lines = text.slice(0, at).replaceAll(anyMark, "").split("\n");
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}

function locationsIn(path: string, text: string): Locations {
  const shown = (position: string | undefined): string | undefined => position && `${path}:${position}`;
  const here = positionOf(text, mark);
  const atNew = positionOf(text.replace(`new ${mark}`, `${nodeMark}new `), nodeMark);
  return { quickjs: shown(here), node: shown(atNew ?? here), coverage: shown(positionOf(text, coverageMark) ?? here) };
}

function writeRow(root: string, row: Throwing, index: number): WrittenRow {
  const folder = `row-${index}`;
  let locations: Locations = { quickjs: undefined, node: undefined, coverage: undefined };
  for (const [name, text] of Object.entries(row.files)) {
    const path = posix.join(folder, name);
    // Stacks name files of a package relative to its folder.
    if (text.includes(mark)) locations = locationsIn(path.replace(/^node_modules\//, ""), text);
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text.replaceAll(anyMark, ""));
  }
  return { ...row, locations, entry: posix.join(folder, Object.keys(row.files)[0] ?? "") };
}

/** Writes every component of the table into its own project. */
export function writeTable(): WrittenTable {
  const root = mkdtempSync(join(tmpdir(), "x-stack-lines-"));
  writeFileSync(join(root, "package.json"), '{ "type": "module" }\n');
  const rows = throwing.map((row, index) => writeRow(root, row, index));
  return { root, rows, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

/** `file:line:column` of a stack's first frame. */
export function firstLocation(stack: string): string | undefined {
  const frame = stack.split("\n").find((line) => /^\s+at /.test(line));
  return /(?:\(|at )([^()\s]+:\d+:\d+)\)?$/.exec(frame ?? "")?.[1];
}

/** The stack of the exception as the runtime reports it; for a run, the stack in its `$errors` record. */
export async function thrownStack(runtime: Runtime, root: string, { entry, way = "run" }: WrittenRow): Promise<string> {
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
