import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import { createEngine } from "../engine.ts";
import type { EngineOptions } from "../api/options.ts";
import { makeFolder, removeFolders } from "../runtime.cases.ts";
import { createRuntime } from "../runtime.ts";

afterAll(removeFolders);

/** Failures far from the author's code; the mark is in the line that must be shown. */
interface Failing {
  readonly what: string;
  readonly head?: string;
  readonly run: string;
}

const mark = "/*HERE*/";
const packages = {
  // Waits before it sends, and throws an error of its own, as clients of HTTP do.
  "node_modules/client/package.json": `{ "name": "client", "version": "1.0.0", "main": "index.js" }`,
  "node_modules/client/index.js": `class ClientError extends Error {}
exports.get = async (url) => {
  await null;
  try { return await fetch(url); } catch (cause) { throw new ClientError("the request failed", { cause }); }
};
exports.getNow = (url) => fetch(url).then(() => {}, (cause) => { throw new ClientError("the request failed", { cause }); });`,
  "node_modules/retrying/package.json": `{ "name": "retrying", "version": "1.0.0", "main": "index.js" }`,
  "node_modules/retrying/index.js": `const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
exports.retry = async (work) => {
  for (let left = 3; ; left--) {
    try { return await work(); } catch (error) { if (left === 0) throw new Error("given up: " + error.message); }
    await sleep(1);
  }
};
exports.late = (ms) => new Promise((_, reject) => setTimeout(() => reject(new Error("too late")), ms));`,
};

const failing: readonly Failing[] = [
  { what: "fetch", run: `await ${mark}fetch("http://api.example/");` },
  { what: "fetch after an await", run: `await null;\nawait ${mark}fetch("http://api.example/");` },
  {
    what: "a package that sends at once",
    head: `import { getNow } from "client";`,
    run: `await ${mark}getNow("http://api.example/");`,
  },
  {
    what: "one of two calls of it",
    head: `import { getNow } from "client";`,
    run: `if (!event) await getNow("http://b.example/");\nawait ${mark}getNow("http://api.example/");`,
  },
  {
    what: "a package that waits before it sends",
    head: `import client from "client";`,
    run: `await ${mark}client.get("http://api.example/");`,
  },
  {
    what: "a package that tries again",
    head: `import { retry } from "retrying";`,
    run: `await ${mark}retry(() => fetch("http://api.example/"));`,
  },
  { what: "a package whose timer fires", head: `import { late } from "retrying";`, run: `await ${mark}late(5);` },
  {
    what: "the body of an answer",
    run: `await (await ${mark}fetch("http://api.example/html")).json();`,
  },
  {
    what: "a request of http",
    head: `import http from "node:http";`,
    run: `await new Promise((done, reject) => http.${mark}get("http://api.example/", done).on("error", reject));`,
  },
];

function write({ head = "", run }: Failing): { file: string; line: string } {
  const text = `${head}\nexport default {\n  name: "Site", version: "1",\n  async run(event) {\n${run}\n  },\n};\n`;
  const folder = makeFolder();
  for (const [path, content] of Object.entries({ ...packages, "main.mjs": text.replace(mark, "") })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return { file: join(folder, "main.mjs"), line: `main.mjs:${text.slice(0, text.indexOf(mark)).split("\n").length}:` };
}

const engines: readonly (readonly [string, EngineOptions])[] = [
  ["with threads", { workers: 1 }],
  ["without threads", { workers: 0 }],
  ["in Node", { sandbox: "node" }],
];

describe.each(engines)("failures of host functions show the author's line, %s", (_engine, options) => {
  const body = new TextEncoder().encode("<html>");
  const opening = createEngine(options).then((engine) =>
    createRuntime({
      engine,
      network: {
        exchange: ({ url }) =>
          url.endsWith("html")
            ? Promise.resolve({ status: 200, statusText: "OK", headers: [], body })
            : Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })),
      },
    }),
  );
  afterAll(async () => (await opening).close());

  it.each(failing.map((each) => [each.what, each] as const))("%s", async (_what, each) => {
    const { file, line } = write(each);
    const runtime = await opening;
    const { source } = await runtime.deploy({ file });
    const { status, error } = await runtime.invoke(source.id);
    expect(status).toBe("error");
    expect(error?.stack).toContain(line);
    expect(error?.stack).not.toMatch(/prelude|bundle\.js|native/);
  });

  it("logs show no frame of the runtime", async () => {
    const runtime = await opening;
    const body = `try { await (await fetch("http://api.example/html")).json(); } catch (error) { console.error(error); }`;
    const code = `export default { name: "Log", version: "1", async run() {\n${body}\n} };`;
    const { source } = await runtime.deploy({ code });
    const { logs } = await runtime.invoke(source.id);
    expect(logs).toHaveLength(1);
    expect(logs[0]?.msg).toContain("SyntaxError");
    expect(JSON.stringify(logs)).not.toMatch(/prelude|bundle\.js|native/);
  });
});

it("the author's own frame is shown once", async () => {
  const engine = await createEngine({ workers: 0 });
  await using runtime = await createRuntime({ engine, network: { mode: "none" } });
  const code = `export default { name: "Once", version: "1", async run() {\nawait fetch("http://api.example/");\n} };`;
  const { source } = await runtime.deploy({ code });
  const { error } = await runtime.invoke(source.id);
  expect(error?.stack.match(/component\.js:2:/g)).toHaveLength(1);
  await engine.close();
});
