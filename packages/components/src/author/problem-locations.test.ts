import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { XError } from "../../../model/src/errors.ts";
import type { Runtime } from "../../../runtime/src/api/runtime-api.ts";
import { createRuntime } from "../../../runtime/src/runtime.ts";
import { writeFiles } from "../bundle.cases.ts";

let runtime: Runtime;
const folder = mkdtempSync(join(tmpdir(), "x-places-"));
beforeAll(async () => {
  runtime = await createRuntime({ engine: await testEngine() });
});
afterAll(async () => {
  await runtime.close();
  rmSync(folder, { recursive: true });
});

/** Code, path, file and line of each problem, and the message of all. */
async function refusal(name: string, files: { readonly [file: string]: string }): Promise<[string[], string]> {
  const root = writeFiles(folder, name, files);
  const [file = ""] = Object.keys(files);
  const error: unknown = await runtime
    .saveComponent({ file: join(root, file), root })
    .catch((thrown: unknown) => thrown);
  if (!XError.is(error)) throw error;
  const problems = (error.details.errors ?? []) as readonly { path: string; file?: string; line?: number }[];
  return [problems.map((each) => `${error.code} ${each.path} ${each.file}:${each.line}`), error.message];
}

test("a problem of the shape has the line of its member, or of the export where a member is missing", async () => {
  const [places, message] = await refusal("plain", {
    "feed.ts": `// A feed.
const kind: string = "sting";

export default {
  name: "Feed",
  props: {
    size: { type: "integer" },
    team: {
      type: kind,
    },
  },
  hooks: { deploy: 1 },
  run() {},
};`,
  });
  expect(places).toEqual([
    "invalid_component /version feed.ts:4",
    "invalid_component /hooks/deploy feed.ts:12",
    "invalid_component /props/team/type feed.ts:9",
  ]);
  expect(message).toMatch(/^Component Feed cannot be saved: feed\.ts:4:\d+: version is missing/);
});

test("a member from another file has its line there, through spreads and define functions", async () => {
  const [places] = await refusal("spread", {
    "feed.mjs": `import common from "./common.mjs";
const defineSource = (source) => source;
export default defineSource({
  ...common,
  props: { ...common.props, size: "integer" },
  version: "1",
  run() {},
});`,
    "common.mjs": `export default {
  name: 1,
  props: {
    team: { type: "sting" },
  },
};`,
  });
  expect(places).toEqual(["invalid_component /name common.mjs:2", "invalid_component /props/team/type common.mjs:4"]);
});

test("a CommonJS module, and one that does not export an object, have their line", async () => {
  const cjs = await refusal("cjs", { "feed.js": `const name = "Feed";\nmodule.exports = {\n  name,\n  run() {} };` });
  expect(cjs[0]).toEqual(["invalid_component /version feed.js:2"]);
  const five = await refusal("five", { "feed.js": `const five = 5;\n\nexport default five;` });
  expect(five[0]).toEqual(["invalid_component  feed.js:3"]);
});

test("a value created by a function has the line of the call", async () => {
  const [places] = await refusal("made", {
    "feed.mjs": `const make = (name) => ({ name, run() {} });\n\nexport default make("Feed");`,
  });
  expect(places).toEqual(["invalid_component /version feed.mjs:3"]);
});
