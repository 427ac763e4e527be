import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createRuntime, type Runtime } from "@x/runtime";
import { createApp, listen, type Listening } from "@x/server";
import { afterAll, beforeAll, expect, test } from "vitest";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { runHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";
import { parseCaptured } from "./captured.ts";

let folder: Awaited<ReturnType<typeof makeFolder>>;
let runtime: Runtime;
let server: Listening;
const key = "listen-test-key-01";
const code = `export default { name: "Inbox", version: "1", props: { http: { type: "$.interface.http", customResponse: true } },
  run({ method, path, query, headers, body, bodyRaw, body_b64 }) {
    this.$emit({ method, path, query, tag: headers["x-tag"], body, bodyRaw, body_b64 });
    this.http.respond({ status: path === "/bad" ? 422 : 200 });
  } };`;
const flat = `export default { name: "Flat", version: "1", run() {} };`;

beforeAll(async () => {
  folder = await makeFolder();
  // The URL of its endpoints is that of a tunnel, which this machine cannot reach.
  runtime = await createRuntime({
    engine: await testEngine(),
    apiKey: key,
    publicUrl: "https://one.tunnel.example.com",
  });
  await runtime.start();
  server = await listen(createApp(runtime));
  await runtime.deploy({ code });
  await runtime.deploy({ code, name: "Other" });
  await runtime.deploy({ code: flat });
});
afterAll(async () => {
  await server.close();
  await runtime.close();
  await folder[Symbol.asyncDispose]();
});

const x = (...args: string[]) =>
  runHere(["listen", ...args, "--to", server.url, "--api-key", key], { cwd: folder.path });
async function emitted(name: string): Promise<unknown[]> {
  const { items } = await runtime.sources({ limit: 10 });
  const id = items.find(({ source }) => source.name === name)?.source.id ?? "";
  await runtime.idle();
  const { items: events } = await runtime.storedEvents(id, "emits", { limit: 100 });
  await runtime.deleteEvents(id, "emits", {});
  return events.toReversed().map(({ payload }) => JSON.parse(payload) as unknown);
}

const har = {
  log: {
    entries: [
      {
        request: {
          method: "POST",
          url: "https://app.example.com/webhooks/shop?topic=order",
          headers: [
            { name: ":authority", value: "app.example.com" },
            { name: "Host", value: "app.example.com" },
            { name: "Content-Length", value: "7" },
            { name: "Content-Type", value: "application/json" },
            { name: "X-Tag", value: "har" },
          ],
          postData: { text: '{"n":1}' },
        },
      },
    ],
  },
};
const event = { method: "PUT", path: "/a", query: { q: ["1", "2"] }, headers: { "x-tag": "event" }, body: { n: 2 } };

test("requests of a HAR file, a list and lines are sent in order, below the endpoint of the source", async () => {
  await writeFile(join(folder.path, "a.har"), JSON.stringify(har));
  await writeFile(join(folder.path, "list.json"), JSON.stringify([event, { body: { n: 3 } }]));
  await writeFile(join(folder.path, "lines.ndjson"), `${JSON.stringify(event)}\n\n{"bodyRaw":"x"}\n`);
  const { code, out } = await x("inbox", "--from", "a.har");
  expect([code, out]).toEqual([0, expect.stringMatching(/^POST \/\?topic=order {2}200 {2}\d+ ms\n$/) as string]);
  expect(await emitted("inbox")).toEqual([
    { method: "POST", path: "/", query: { topic: "order" }, tag: "har", body: { n: 1 }, bodyRaw: '{"n":1}' },
  ]);
  await x("inbox", "--from", "list.json");
  expect(await emitted("inbox")).toMatchObject([
    { method: "PUT", path: "/a", query: { q: ["1", "2"] }, tag: "event", body: { n: 2 } },
    { method: "POST", path: "/", body: { n: 3 } },
  ]);
  const json = await x("inbox", "--from", "lines.ndjson", "--json");
  expect(JSON.parse(json.out)).toMatchObject([{ method: "PUT", target: "/a?q=1&q=2", status: 200 }, { status: 200 }]);
  expect(await emitted("inbox")).toMatchObject([{ body: { n: 2 } }, { bodyRaw: "x" }]);
});

test("the newest requests to a source of a service are sent to another source, byte for byte", async () => {
  const { items } = await runtime.sources({ limit: 10 });
  const source = items.find((view) => view.source.name === "inbox")?.source;
  const endpoint = server.url + new URL(source?.endpoints["http"] ?? "").pathname;
  for (const n of [1, 2, 3])
    await fetch(`${endpoint}/b?n=${n}`, {
      method: "POST",
      headers: { "x-tag": "live" },
      body: Uint8Array.of(n, 0, 255),
    });
  await emitted("inbox");
  const from = `${server.url}/v1/sources/${source?.id}`;
  const { code, out } = await x("other", "--from", from, "--limit", "2");
  expect([code, out.split("\n").map((line) => line.split("  ")[0])]).toEqual([0, ["POST /b?n=2", "POST /b?n=3", ""]]);
  expect(await emitted("Other")).toMatchObject(
    [2, 3].map((n) => ({
      path: "/b",
      query: { n: String(n) },
      tag: "live",
      body_b64: Buffer.of(n, 0, 255).toString("base64"),
    })),
  );
});

test("an answer of 400 or more is exit code 1; what cannot be sent is said", async () => {
  await writeFile(join(folder.path, "bad.json"), JSON.stringify({ method: "POST", path: "/bad" }));
  await writeFile(join(folder.path, "odd.json"), '[{"a":1}]');
  await writeFile(join(folder.path, "odd.txt"), '{"body":1}\nno');
  await writeFile(join(folder.path, "none.json"), "[]");
  expect(await x("inbox", "--from", "bad.json")).toMatchObject({
    code: 1,
    out: expect.stringContaining("422") as string,
  });
  for (const [args, exit, message] of [
    [["inbox"], 2, "--from FILE or --from URL"],
    [[], 2, "Which SOURCE?"],
    [["inbox", "other", "--from", "bad.json"], 2, "one too many"],
    [["nobody", "--from", "bad.json"], 2, "nobody"],
    [["flat", "--from", "bad.json"], 2, "flat has no HTTP interface"],
    [["inbox", "--from", "no.json"], 4, "no.json cannot be read"],
    [["inbox", "--from", "odd.json"], 2, "Entry 1 of odd.json is no request"],
    [["inbox", "--from", "odd.txt"], 2, "Line 2 of odd.txt is not JSON"],
    [["inbox", "--from", `${server.url}/nothing`], 4, "the answer is 404"],
  ] as const)
    expect([args, await x(...args)]).toMatchObject([
      args,
      { code: exit, err: expect.stringContaining(message) as string },
    ]);
  expect((await x("inbox", "--from", "none.json")).out).toBe("There are no requests.\n");
});

test("a run whose request was cut is refused", () => {
  const run = { request: { method: "POST", target: "/in/k", headers: [], body: "", body_truncated: true } };
  expect(() => parseCaptured(JSON.stringify(run), "run.json")).toThrow("too large to be stored whole");
});
