import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, test } from "vitest";

const packages = fileURLToPath(new URL("../packages/", import.meta.url));

/** A program that is asked to run x, with the versions that it has. */
interface Platform {
  readonly title: string;
  readonly command: readonly string[];
}

/** This Node, which passes for another one or for another program. */
const disguised = (title: string, versions: object): Platform => {
  const code = `Object.defineProperty(process, "versions", { value: { ...process.versions, ...${JSON.stringify(versions)} } })`;
  return { title, command: [process.execPath, "--import", `data:text/javascript,${encodeURIComponent(code)}`] };
};

/** Real programs, as `npm run test:packed` gives them: `Node 20.20.2=/path/of/node`, or `Deno 2.9.6=/path/of/deno run -A`. */
const real = (process.env["X_TEST_PLATFORMS"]?.split(delimiter) ?? []).map((line): Platform => {
  const [title = "", command = ""] = line.split("=");
  return { title, command: command.split(" ") };
});

const platforms = [
  disguised("Node 20.20.2", { node: "20.20.2" }),
  disguised("Node 24.1.0", { node: "24.1.0" }),
  disguised("Bun 1.4.5", { bun: "1.4.5" }),
  disguised("Deno 2.9.6", { deno: "2.9.6" }),
  ...real,
];

/** The file of an entry, as it is published. */
function entryOf(name: string, path: string): string {
  const manifest = JSON.parse(readFileSync(`${packages}${name}/package.json`, "utf8")) as {
    publishConfig: { exports: { readonly [path: string]: { readonly default: string } } };
  };
  return `file://${packages}${name}/${manifest.publishConfig.exports[path]?.default ?? ""}`;
}

const needing = [
  ["runtime", "."],
  ["sandbox", "."],
  ["server", "."],
  ["postgres", "."],
  ["testing", "."],
  ["testing", "./vitest"],
] as const;
const everywhere = [
  ["types", "."],
  ["client", "."],
] as const;

test.each(platforms)("on $title each package says in one sentence what it needs", async ({ title, command }) => {
  const [file = "", ...args] = command;
  const run = (...rest: string[]): Promise<{ stdout: string; stderr: string }> =>
    promisify(execFile)(file, [...args, ...rest]);
  const name = fileURLToPath(new URL("platform-imports.cjs", import.meta.url));
  const entries = [...needing, ...everywhere].map(([each, path]) => entryOf(each, path));
  const { stdout } = await run(name, ...entries);
  const sentence = `x needs Node 22.22.2 or later (22), 24.15.0 or later (24), or 26.0.0 and later; this is ${title}; install one from https://nodejs.org`;
  expect(JSON.parse(stdout)).toEqual([...needing.map(() => sentence), ...everywhere.map(() => "")]);
  const ended = await run(`${packages}cli/dist/main.js`, "run", "a.js").catch((error: unknown) => error);
  expect(ended).toMatchObject({ code: 4, stdout: "", stderr: `error: ${sentence}\n` });
});
