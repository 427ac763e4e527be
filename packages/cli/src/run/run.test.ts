import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test } from "vitest";

import { exitCodeOf, exitCodeOfRuns } from "../exit-code.ts";
import { failureText } from "../terminal/failure.ts";
import { singleRun } from "./single-run.cases.ts";
import { resultJson, resultText } from "./result-text.ts";
import { runHere } from "../run-here.cases.ts";
import { makeFolder, runX } from "../spawned.cases.ts";

const components = {
  "good.js": `export default {
  name: "good", version: "1", dedupe: "unique",
  props: { who: { type: "string" }, list: { type: "integer[]", optional: true }, db: "$.service.db" },
  hooks: { deploy() { this.$emit({ hook: true }, { id: "hook" }); } },
  run(event) {
    console.log("hello", this.who);
    this.db.set("runs", (this.db.get("runs") ?? 0) + 1);
    this.$emit({ who: this.who, list: this.list, event }, { id: "same", summary: "Once" });
  },
};`,
  "components/acme/common/words.ts": `export const no = "\\u001b[31mno";`,
  "components/acme/sources/throws/throws.ts": `import { no } from "../../common/words.ts";
const fail = (value: number): never => {
  throw new RangeError(\`\${no} \${value}\`);
};
export default { name: "throws", version: "1", run() { this.$emit("before"); fail(3); } };`,
  "asks.js": `export default {
  name: "asks", version: "1", dedupe: "unique",
  props: { url: { type: "string" }, db: "$.service.db" },
  async run() {
    const items = await (await fetch(this.url)).json();
    for (const item of items) this.$emit(item, { id: item, summary: "Item " + item });
    if (this.db.get("page")) {
      this.db.delete("page");
      await fetch("http://127.0.0.1:1/closed");
    } else this.db.set("page", 1);
  },
};`,
  "shared.js": `export default {
  name: "shared", version: "1", props: { shop: { type: "data_store" } },
  async run() { await this.shop.set("runs", ((await this.shop.get("runs")) ?? 0) + 1); },
};`,
  "endless.js": `export default { name: "endless", version: "1", run() { for (;;); } };`,
  "bad.js": `export default {\n  name: "bad" version: "1" };`,
  "web.js": `export default {
  name: "web", version: "1", props: { http: { type: "$.interface.http", customResponse: true } },
  run(event) { this.http.respond({ status: 201, body: { method: event.method, raw: event.bodyRaw } }); },
};`,
};

test("a run is shown with its events, duplicates, db, logs and cost, and exits 0", async () => {
  await using folder = await makeFolder(components);
  const args = ["run", "good.js", "--props", "who=me", "list=[1,2]", "--event", '{"a":1}', "--times", "2", "--deploy"];
  const { code, out, err } = await runX(args, { cwd: folder.path });
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(
    /^hooks {2}deploy before the run\ndeploy\n {2}event {2}id hook {2}\{"hook":true\}\nrun 1 {2}ok {2}1 emitted {2}\(\d+ ms, CPU [\d.]+ ms/,
  );
  expect(out).toContain('  event  Once  {"who":"me","list":[1,2],"event":{"a":1}}\n  log    hello me\n');
  expect(out).toMatch(/^run 2 {2}ok {2}0 emitted, 1 dropped as duplicates/m);
  expect(out).toMatch(/^db\n {2}runs = 2\n$/m);
});

test("a run shows its requests, why events were dropped, what it wrote, and why it failed", async () => {
  await using folder = await makeFolder(components);
  const api = createServer((_request, response) => response.end("[7]")).listen(0, "127.0.0.1");
  await once(api, "listening");
  const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}/items`;
  const runtime = { network: { mode: "allow-private" } } as const;
  const shot = await singleRun(folder.path, "asks.js", { props: { url }, runtime, times: 2 });
  api.close();
  expect(exitCodeOfRuns(shot.runs)).toBe(1);
  const out = resultText(shot, folder.path);
  const [first = "", second = ""] = out.split(/^run 2 .*\n/m);
  expect(first).toContain(`  http   GET ${url} -> 200\n  event  Item 7  7\n  db     page = 1\n`);
  const refused = "Request to http://127.0.0.1:1/closed failed: connect ECONNREFUSED 127.0.0.1:1.";
  expect(second).toContain(`  http   GET http://127.0.0.1:1/closed -> failed: connect ECONNREFUSED 127.0.0.1:1.\n`);
  expect(second).toContain('  drop   Item 7  7  (id "7" was emitted in an earlier run)\n  db     page deleted\n');
  expect(second).toContain("TypeError: fetch failed\n    at run (asks.js:9:");
  expect(second).toContain(`  caused by: connect ECONNREFUSED 127.0.0.1:1\n    9 | `);
  const { runs } = JSON.parse(JSON.stringify(resultJson(shot, 1))) as { runs: object[] };
  expect(runs[1]).toMatchObject({
    calls: [
      { method: "GET", url, status: 200 },
      { method: "GET", url: "http://127.0.0.1:1/closed", error: refused },
    ],
    dropped: [{ event: 7, dedupe_id: "7", reason: "duplicate", because: 'id "7" was emitted in an earlier run' }],
    written: { page: null },
  });
});

test("S54 a run warns of ids beyond 2^53; --exact-integers keeps those of answers apart", async () => {
  await using folder = await makeFolder(components);
  const items = "[1234567890123456789,1234567890123456790]";
  const api = createServer((_request, response) => response.end(items)).listen(0, "127.0.0.1");
  await once(api, "listening");
  const args = ["run", "asks.js", "--network", "allow-private", "--props"];
  const url = `url=http://127.0.0.1:${(api.address() as AddressInfo).port}/`;
  const { out } = await runHere([...args, url], { cwd: folder.path });
  expect(out).toContain("1 emitted, 1 dropped");
  expect(out).toContain("  warn   $emit: id 1234567890123456800 is a number beyond 2^53");
  const exact = await runHere([...args, url, "--exact-integers"], { cwd: folder.path });
  api.close();
  expect(exact.out).toContain(" 2 emitted ");
  expect(exact.out).toContain('Item 1234567890123456789  "1234567890123456789"');
  expect(exact.out).not.toContain("warn");
});

test("accounts come from a file, by app; those that no prop takes are refused", async () => {
  await using folder = await makeFolder({
    "secret.js": `const acme = { type: "app", app: "acme", methods: { token() { return this.$auth.token; } } };
export default { name: "secret", version: "1", props: { acme }, run() { this.$emit(this.acme.token().length); } };`,
    "accounts.json": '{"acme": {"token": "t-123"}}',
    "strange.json": '{"acme": {}, "other": {}}',
    "folder.json": JSON.stringify(Object.fromEntries(["acme", "a", "b", "c", "d", "e"].map((app) => [app, {}]))),
    "list.json": '{"acme": "t-123"}',
    "torn.json": '{"acme": {"token": t-123}}',
    "line.json": '{"acme": {"token": "t-123"}\n',
  });
  const run = (...more: string[]) => runHere(["run", "secret.js", ...more], { cwd: folder.path });
  expect(await run("--accounts", "accounts.json")).toMatchObject({
    code: 0,
    out: expect.stringContaining("event  5") as string,
  });
  // A file may have the accounts of a whole folder.
  expect(await run("--accounts", "strange.json")).toMatchObject({
    code: 1,
    err: expect.stringContaining('--accounts has "other", but secret has the apps acme') as string,
  });
  expect((await run("--accounts", "folder.json")).err).toContain('has "a", "b", "c" and 2 more, but secret has');
  expect(await run("--accounts", "list.json")).toMatchObject({ code: 2 });
  expect(await run("--accounts", "none.json")).toMatchObject({ code: 2 });
  // The message about a file that cannot be read shows nothing of its content.
  const { code, err } = await run("--accounts", "torn.json");
  expect([code, err]).toEqual([2, expect.stringMatching(/torn\.json: it is not JSON.*\n/)]);
  expect(err).not.toContain("t-123");
  expect(await run("--accounts", "line.json")).toMatchObject({
    err: expect.stringContaining("line.json: it is not JSON (line 2 column 1)\n") as string,
  });
});

test("a denied request to this machine is printed with the flag that allows it", async () => {
  await using folder = await makeFolder(components);
  const { out } = await runHere(["run", "asks.js", "--props", "url=http://127.0.0.1:1/items"], { cwd: folder.path });
  expect(out).toContain("loopback addresses are denied. (--network allow-private opens them)\n");
});

test("as JSON everything is one document; without --deploy the deploy hook emits nothing", async () => {
  await using folder = await makeFolder(components);
  const shot = await singleRun(folder.path, "good.js", { props: { who: "me" } });
  expect(resultJson(shot, 0)).toMatchObject({
    component: { name: "good", version: "1" },
    deploy: { emitted: [] },
    runs: [{ status: "ok", deduped: 0, emitted: [{ dedupe_id: "same", summary: "Once", event: { who: "me" } }] }],
    db: { runs: 1 },
    exit_code: 0,
  });
});

test("a component of a tree that throws exits 1, with the author's line and what was emitted before", async () => {
  await using folder = await makeFolder(components);
  const { code, out } = await runHere(["run", "components/acme/sources/throws/throws.ts"], { cwd: folder.path });
  expect(code).toBe(1);
  expect(out).toContain('event  "before"');
  expect(out).toContain(
    "error[component_threw]: RangeError: \\x1b[31mno 3\n    at fail (acme/sources/throws/throws.ts:3:",
  );
  expect(out).toContain("    3 |   throw new RangeError(");
});

test("S62 data stores begin empty, keep what runs write, and are shown at the end", async () => {
  await using folder = await makeFolder(components);
  const args = ["run", "shared.js", "--props", "shop=customers", "--times", "2"];
  const { code, out } = await runHere(args, { cwd: folder.path });
  expect([code, out]).toEqual([0, expect.stringContaining("data store customers\n  runs = 2")]);
  expect(out).toMatch(/^run 2 .*\n {2}store {2}customers {2}runs = 2$/m);
  const json = await runHere([...args, "--json"], { cwd: folder.path });
  expect(JSON.parse(json.out)).toMatchObject({
    runs: [{ data_stores: { customers: { runs: 1 } } }, { data_stores: { customers: { runs: 2 } } }],
    data_stores: { customers: { runs: 2 } },
    db: {},
  });
});

test("a component that hits a limit exits 3", async () => {
  await using folder = await makeFolder(components);
  const { code, out } = await runHere(["run", "endless.js", "--run-timeout", "200ms"], { cwd: folder.path });
  expect(code).toBe(3);
  expect(out).toContain("error[sandbox_timeout]");
  expect(out).toContain("allow more time with --run-timeout");
});

test("a component that cannot be read is the component's fault, shown with its line", async () => {
  await using folder = await makeFolder(components);
  const error: unknown = await singleRun(folder.path, "bad.js").catch((reason: unknown) => reason);
  expect(exitCodeOf(error)).toBe(1);
  expect(failureText(error)).toMatch(
    /^error\[bundle_failed\]: .*\n {2}bad\.js:2:15: .*\n {4}2 \| {3}name: "bad" version: "1" \};\n {6}\| +\^/,
  );
});

test("props that do not fit exit 2, each with its path; with --json as a document", async () => {
  await using folder = await makeFolder(components);
  const args = ["run", "good.js", "--props", "list=x", "whom=me"];
  const { code, out, err } = await runHere([...args, "--json"], { cwd: folder.path });
  expect([code, err]).toEqual([2, ""]);
  // One line, as every command tells a failure.
  expect(out).toMatch(/^[^\n]+\n$/);
  const { error, exit_code } = JSON.parse(out) as {
    error: { details: { errors: { path: string }[] } };
    exit_code: number;
  };
  expect(error.details.errors.map(({ path }) => path).toSorted()).toEqual([
    "/props/list/0",
    "/props/who",
    "/props/whom",
  ]);
  expect(exit_code).toBe(2);
});

test("an event with a method is a request, and the component may respond", async () => {
  await using folder = await makeFolder(components);
  const { runs } = await singleRun(folder.path, "web.js", { event: { method: "PUT", body: { a: 1 } } });
  expect(runs[0]?.response).toMatchObject({ status: 201, body: '{"method":"PUT","raw":"{\\"a\\":1}"}' });
});

test("an action and a workflow run, and what they left is shown", async () => {
  await using folder = await makeFolder({
    "act.mjs": `export default { type: "action", name: "Act", version: "1", props: { who: { type: "string" } },
  run({ steps, $ }) { $.export("$summary", "Hi " + this.who); $.send.emit(1); return steps.trigger.event; } };`,
    "flow.mjs": `export default { name: "Flow", trigger: { type: "http", customResponse: true }, steps: [
  { name: "words", run: ({ steps }) => steps.trigger.event.body.split(" ") },
  { name: "report", run({ steps, $ }) { $.export("n", steps.words.$return_value.length); $.respond({ status: 201 }); } }] };`,
  });
  const act = await runHere(["run", "act.mjs", "--props", "who=you", "--event", '{"a":1}'], { cwd: folder.path });
  expect(act.out).toContain('  event  1\n  export  $summary = "Hi you"\n  returned  {"a":1}');
  const event = '{"method":"POST","body":"hello world"}';
  const flow = await runHere(["run", "flow.mjs", "--event", event], { cwd: folder.path });
  expect(flow.out).toContain(
    '  response  201\n  step words  returned  ["hello","world"]\n  step report  export  n = 2',
  );
  const stray = await runHere(["run", "flow.mjs", "--props", "a=1"], { cwd: folder.path });
  expect([stray.code, stray.err]).toEqual([2, expect.stringContaining("--props a has no effect")]);
});

test("a hook that fails is shown with its requests, its logs before it, and what it lacks; what a hook emits, with its flag", async () => {
  await using folder = await makeFolder({
    "fails.js": `export default { name: "F", version: "1", props: { acme: { type: "app", app: "acme", optional: true } },
  hooks: { async deploy() { console.log("begins"); await fetch("http://127.0.0.1:1/a").catch(() => 0); throw new Error("no"); } }, run() {} };`,
    "emits.js": `export default { name: "E", version: "1", hooks: { deploy() { this.$emit(1); } }, run() {} };`,
  });
  const { err } = await runHere(["run", "fails.js"], { cwd: folder.path });
  expect(err).toMatch(
    /^ {2}http {3}GET http:\/\/127\.0\.0\.1:1\/a -> .*\n {2}log {4}\[hook\.deploy\] {2}begins\nerror\[hook_failed/,
  );
  const dropped = "events of the deploy hook are dropped; --deploy keeps them";
  expect((await runHere(["run", "emits.js"], { cwd: folder.path })).out).toContain(dropped);
  expect((await runHere(["run", "emits.js", "--deploy"], { cwd: folder.path })).out).not.toContain(dropped);
});

test("of a loop that emits only the begin is shown, and how much there was", async () => {
  await using folder = await makeFolder({
    "loop.js": `export default { name: "L", version: "1", run() { for (let i = 0; i < 90; i++) this.$emit(i); } };`,
  });
  const shot = await singleRun(folder.path, "loop.js");
  const lines = resultText(shot, folder.path).split("\n");
  expect(lines).toHaveLength(52);
  expect(lines.at(-1)).toContain("… and 40 more events; --json has them");
  expect(JSON.stringify(resultJson(shot, 0))).toContain('"event":89');
});
