import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { createEngine, createRuntime, type EngineOptions } from "@x/runtime";
import { source } from "@x/testing/vitest";
import { afterAll, beforeAll, expect, it } from "vitest";

import { spawnX } from "../../packages/cli/src/spawned.cases.ts";
import {
  firstLocation,
  type WrittenRow,
  type WrittenTable,
  writeTable,
  type Machine,
  thrownStack,
} from "./thrown-locations.ts";

let table: WrittenTable;
beforeAll(() => {
  table = writeTable();
});
afterAll(() => table[Symbol.dispose]());

type Found = Record<string, string | undefined>;

const expected = (rows: readonly WrittenRow[], machine: Machine): Found =>
  Object.fromEntries(rows.map(({ what, locations }) => [what, locations[machine]]));

/** The shown location of each row's error in a runtime with a data folder. */
async function locationsInRuntime(options: EngineOptions): Promise<Found> {
  const data = mkdtempSync(join(tmpdir(), "x-stack-data-"));
  await using engine = await createEngine({ workers: 1, ...options });
  await using runtime = await createRuntime({ engine, data });
  const found = await Promise.all(
    table.rows.map(async (row) => [row.what, firstLocation(await thrownStack(runtime, table.root, row))] as const),
  );
  rmSync(data, { recursive: true });
  return Object.fromEntries(found);
}

/** Resolves vitest's provider from a project. */
const provider = createRequire(new URL("../../packages/testing/package.json", import.meta.url)).resolve(
  "@vitest/coverage-istanbul",
);
const instrument = new URL("../../packages/testing/src/instrument.ts", import.meta.url);
instrument.searchParams.set("provider", pathToFileURL(provider).href);

it("in production, every error shows its source location", async () => {
  expect(await locationsInRuntime({})).toEqual(expected(table.rows, "quickjs"));
});

it("under coverage, every error shows the same source location", async () => {
  const counted = new Set<string>();
  const note = (counters: string): void => {
    for (const path of Object.keys(JSON.parse(counters) as object)) counted.add(path);
  };
  const found = await locationsInRuntime({ instrument: { module: instrument.href, counted: note } });
  expect(found).toEqual(expected(table.rows, "coverage"));
  // Every file was instrumented.
  const begun = table.rows.filter(({ way }) => way !== "load");
  expect(begun.map(({ entry }) => join(table.root, entry)).filter((path) => !counted.has(path))).toEqual([]);
  // Files of packages are not instrumented.
  expect([...counted].filter((path) => path.includes("node_modules"))).toEqual([]);
});

it("in Node's engine, every error shows its line", async () => {
  expect(await locationsInRuntime({ sandbox: "node" })).toEqual(expected(table.rows, "node"));
});

/** The first source location in the error of a step of the harness, relative to the project. */
async function locationInHarness(
  { entry, way = "run" }: WrittenRow,
  engine: "quickjs" | "node",
): Promise<string | undefined> {
  await using tested = source(pathToFileURL(join(table.root, entry)), { root: table.root, engine });
  const step = async (): Promise<unknown> => {
    if (way === "options") return tested.options("board");
    await tested.deploy();
    return tested.run({});
  };
  const error: unknown = await step().catch((thrown: unknown) => thrown);
  if (!(error instanceof Error)) return undefined;
  // A module that throws is refused with a message.
  const shown = way === "load" ? error.message : (error.stack ?? "");
  return /[^\s():]+:\d+:\d+/.exec(shown)?.[0].replace(`${table.root}/`, "");
}

/** The rows that the harness can run. */
const inHarness = (): readonly WrittenRow[] =>
  table.rows.filter(
    ({ way, locations }) => way !== "additionalProps" && way !== "workflow" && locations.quickjs !== undefined,
  );

it.each(["quickjs", "node"] as const)("in tests, every error shows its source location: %s", async (engine) => {
  const found = await Promise.all(
    inHarness().map(async (row) => [row.what, await locationInHarness(row, engine)] as const),
  );
  expect(Object.fromEntries(found)).toEqual(expected(inHarness(), engine));
});

interface Serving {
  readonly files: readonly { readonly file: string; readonly source?: string }[];
}
interface Reported {
  readonly error: { readonly stack?: string };
  /** The whole output for a broken component. */
  readonly text?: string;
}

/** The rows that x dev can run: it calls neither options nor additionalProps. */
const inDev = (): readonly WrittenRow[] =>
  table.rows.filter(
    ({ way, locations }) => way !== "options" && way !== "additionalProps" && locations.quickjs !== undefined,
  );

it("in x dev, every error shows its source location", async () => {
  const rows = inDev();
  const args = ["dev", "--port", "0", "--json", "--run", "--data", ".x", ...rows.map(({ entry }) => entry)];
  await using x = spawnX(args, { cwd: table.root });
  const read = async <T>(message: string, rest = ""): Promise<T> =>
    JSON.parse((await x.printed(new RegExp(`^\\{"message":"${message}",${rest}.*\\}$`, "m")))[0]) as T;
  const { files } = await read<Serving>("serving");

  const found: Found = {};
  for (const { what, entry } of rows) {
    const source = files.find(({ file }) => file === entry)?.source;
    const { error, text } = await (source === undefined
      ? read<Reported>("broken", `"file":"${entry}"`)
      : read<Reported>("error", `"source":"${source}"`));
    found[what] = /[^\s():]+:\d+:\d+/.exec(text ?? error.stack ?? "")?.[0];
  }
  expect(found).toEqual(expected(rows, "quickjs"));
});
