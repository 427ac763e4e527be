import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, it, type RunnerTask, vi } from "vitest";

import { type Difference, differences } from "./differences.ts";

/** Tests for every engine: the environment of components, the harness, the examples. */
const folders = ["packages/sandbox/src/guest", "packages/testing/src", "examples"] as const;
const hostWork = "tests long what the host does, which is the same for both";
const leftOut: { readonly [file: string]: string } = {
  "packages/sandbox/src/guest/modules/crypto.test.ts": hostWork,
  "packages/sandbox/src/guest/modules/crypto-cipher.test.ts": hostWork,
  "packages/sandbox/src/guest/modules/crypto-keys.test.ts": hostWork,
  "packages/sandbox/src/guest/modules/fs.test.ts": hostWork,
  "packages/sandbox/src/guest/modules/heavy-work.long.test.ts": "is about the sandbox's threads and its cap on memory",
  "packages/sandbox/src/guest/modules/system.test.ts": hostWork,
  "packages/sandbox/src/guest/modules/zlib.test.ts": hostWork,
  "packages/sandbox/src/guest/parts.test.ts": "is about images, of machines that it makes itself",
  "packages/sandbox/src/guest/third-party-licenses.test.ts": "runs no component",
  "packages/testing/src/conformance/conformance.test.ts": "is about the checks; the examples pass them on both",
  "packages/testing/src/coverage.long.test.ts": "runs both engines itself",
  "packages/testing/src/engine/debugger.test.ts": "is about Node's engine",
  "packages/testing/src/imported/imported.test.ts": "is about modules; the examples are imported on both",
  "packages/testing/src/imported/without-vitest.test.ts": "is about modules, in a process of its own",
  "examples/embedding/embedding.test.ts": "starts programs of its own, which no switch reaches",
  "examples/ticket-triage/ticket-triage.test.ts": "makes runtimes of its own, which no switch reaches",
};
/** Causes of differences between the engines: timers, the network, transferred data, limits, ends. */
const placed = ["console", "events", "fetch", "http-request", "options", "rejections", "semantics", "streams"];
const root = new URL("../../", import.meta.url);
const files = globSync(
  folders.map((folder) => `${folder}/**/*.test.ts`),
  { cwd: fileURLToPath(root), exclude: ["**/node_modules", "**/.tmp"] },
)
  .toSorted()
  .filter((path) => leftOut[path] === undefined);

const met = new Set<Difference>();

/** Tests with a known difference must fail; those that would end this process are left out. */
function mark(tasks: readonly RunnerTask[], file: string, above: readonly string[] = []): void {
  for (const task of tasks) {
    const names = [...above, task.name];
    if (task.type === "suite") mark(task.tasks, file, names);
    const known = differences.find((each) => each.file === file && each.test === names.join(" > "));
    if (known) met.add(known);
    if (known?.harms === true) task.mode = "skip";
    else if (known && task.type === "test") task.fails = true;
  }
}

const trials = [
  ...files.map((file) => ({ file, engine: "node", where: "in Node's engine" })),
  ...placed.map((name) => ({
    file: `packages/sandbox/src/guest/${name}.test.ts`,
    engine: "inline",
    where: "without threads",
  })),
  // The harness has none by default.
  { file: "packages/testing/src/source.test.ts", engine: "threads", where: "in threads" },
];

// The environment variable applies to every source and sandbox of these tests.
describe.each(trials)("$file, $where", async ({ file, engine }) => {
  // oxlint-disable-next-line no-empty-pattern -- vitest reads from the pattern which fixtures are needed
  beforeAll(({}, suite) => {
    vi.stubEnv("X_ENGINE", engine);
    if (engine === "node") mark(suite.tasks, file);
  });
  afterAll(() => {
    vi.unstubAllEnvs();
  });
  // A separate module instance, because the tests also run on the usual engine.
  await import(/* @vite-ignore */ `${fileURLToPath(new URL(file, root))}?engine=${engine}`);
});

it("every known difference names an existing test", () => {
  expect(differences.filter((known) => !met.has(known))).toEqual([]);
});
