import type { ExecutionDetail, ExecutionSummary } from "@x/client";
import { afterAll, beforeAll, expect, test } from "vitest";

import { runHere, startHere } from "../run-here.cases.ts";
import { startServiceHere } from "../serve/service-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";
import { accountLines } from "./run-account.ts";
import { durationText } from "./shown-run.ts";

const files = {
  "steps.mjs": `export default {
  name: "Steps", version: "1", dedupe: "unique",
  props: { db: "$.service.db", shared: { type: "data_store", default: "numbers" } },
  async run(event) {
    console.log("got", event.n); await this.shared.set("last", event.n);
    this.db.set("last", event.n);
    await fetch("http://127.0.0.1:1/closed").catch(() => undefined);
    this.$emit({ n: event.n }, { id: event.n, summary: "Number " + event.n });
    if (event.n === 3) throw new TypeError("three");
  },
};`,
};

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Awaited<ReturnType<typeof startServiceHere>>;
const ids: string[] = [];
const commandLine = (...args: readonly string[]): string[] => [
  "runs",
  "--url",
  service.baseUrl,
  "--api-key",
  "k",
  ...args,
];
const x = (...args: readonly string[]): ReturnType<typeof runHere> =>
  runHere(commandLine(...args), { cwd: folder.path });

beforeAll(async () => {
  folder = await makeFolder(files);
  service = await startServiceHere(folder.path, { apiKey: "k" });
  const { source } = await service.runtime.deploy({ code: files["steps.mjs"], name: "steps" });
  for (const n of [1, 1, 3]) {
    const { executionId } = await service.runtime.invoke(source.id, { event: { n } });
    ids.push(executionId);
  }
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test("runs are listed oldest first, of one source or of all, and by status", async () => {
  const all = await x("ls");
  expect([all.code, all.err]).toEqual([0, ""]);
  const [first, second, third] = all.out.trimEnd().split("\n");
  expect(first).toMatch(/^\S+ \S+ {2}\w{27} {2}steps {2}manual {2}[\d.]+ m?s +ok +1 emitted {2}Number 1$/);
  expect(second).toMatch(/ok +1 dropped$/);
  expect(third).toMatch(/error +1 emitted {2}TypeError: three$/);
  const failed = JSON.parse((await x("ls", "steps", "--status", "failed", "--json")).out) as ExecutionSummary[];
  expect(failed.map(({ execution_id: id }) => id)).toEqual([ids[2]]);
  expect((await x("ls", "steps", "--limit", "1")).out).toContain(`${ids[2]}  manual`);
});

test("a run becomes a test", async () => {
  const { code, out, err } = await x("test", ids[2] ?? "", "--component", "./here.mjs");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain('import component from "./here.mjs";');
  expect(out).toContain('await expect(subject.run(event)).rejects.toThrow("three");');
  expect((await x("show", ids[2] ?? "", "--component", "./here.mjs")).code).toBe(2);
});

test("a run is shown with all that it received and did", async () => {
  const failed = await x("show", ids[2] ?? "");
  expect(failed.code).toBe(0);
  expect(failed.out).toMatch(/^\w{27} {2}steps {2}run by manual {2}error\n {2}\S+ \S+ {2}queued \d/);
  for (const part of [
    /\nEvent\n {2}\{"n":3\}\n/,
    /\nRequests\n +\+[\d.]+ m?s {2}GET http:\/\/127\.0\.0\.1:1\/closed {2}.*0 B sent\n/,
    /\nLogs\n {2}log {4}got 3\n/,
    /\nEmitted\n {2}\+ \d+-\d+ {2}Number 3 {2}\{"n":3\}\n/,
    /\nDb\n {2}last: 1 -> 3\n/,
    /\nError\n {2}TypeError: three\n {2}component\.js:9:\d+\n/,
    /\n {2}> {2}9 \| {5}if \(event\.n === 3\) throw new TypeError\("three"\);\n/,
  ])
    expect(failed.out).toMatch(part);
  const dropped = await x("show", ids[1] ?? "");
  expect(failed.out).not.toContain("Data stores");
  expect(dropped.out).toContain("\nData stores\n  numbers  last: 1 -> 1\n");
  expect((await x("show", ids[0] ?? "")).out).toContain("\nData stores\n  numbers  last: (absent) -> 1\n");
  expect(dropped.out).toMatch(/\nDropped\n {2}- Number 1 {2}\{"n":1\}\n {6}\S/);
  expect(JSON.parse((await x("show", ids[1] ?? "", "--json")).out)).toMatchObject({ execution_id: ids[1] });
});

test("a run is replayed with its event or another one, and its failure is the exit code", async () => {
  const failed = await x("replay", ids[2] ?? "");
  expect(failed.code).toBe(1);
  expect(failed.out).toContain(`  repeats ${ids[2]}\n`);
  const edited = await x("replay", ids[2] ?? "", "--event", '{"n":5}', "--json");
  expect([edited.code, JSON.parse(edited.out)]).toMatchObject([0, { status: "ok" }]);
  const queued = await x("replay", ids[0] ?? "", "--no-wait");
  expect(queued.out).toMatch(/^\w{27} {2}queued\n$/);
  await service.runtime.idle();
});

test("runs are followed as they end", async () => {
  const tail = startHere(commandLine("tail", "steps", "--limit", "1"));
  await tail.printed(/manual/);
  const { items } = await service.runtime.storedExecutions(undefined, { limit: 1 });
  await service.runtime.replay(ids[0] ?? "", { event: { n: 9 } });
  await tail.printed(/manual \(replay\) {2}[\d.]+ m?s {2}ok {2}1 emitted {2}Number 9/);
  tail.hear("SIGINT");
  expect(await tail.exit).toBe(0);
  expect(tail.out().split("\n")[0]).toContain(items[0]?.id);
});

test("the run of a request is shown with the request as it was received", async () => {
  const code = `export default { name: "Hook", version: "1", props: { http: "$.interface.http" }, run() {} };`;
  const { source } = await service.runtime.deploy({ code });
  const url = `${source.endpoints["http"]}/a%20b?q=%31`;
  await fetch(url, { method: "PUT", headers: { "X-Signature": "s" }, body: "{}" });
  await service.runtime.idle();
  const { items } = await service.runtime.storedExecutions(source.id, { limit: 1 });
  const { out } = await x("show", items[0]?.id ?? "");
  const [, target = ""] = /^https?:\/\/[^/]+(.*)$/.exec(url) ?? [];
  expect(out).toContain(`\nReceived\n  PUT ${target} HTTP/1.1\n  host: 127.0.0.1:`);
  expect(out).toMatch(/\n {2}X-Signature: s\n/i);
});

test("flags of another subcommand, an unknown run and an unknown status are refused", async () => {
  expect((await x("ls", "--event", "1")).err).toContain("--event is a flag of x runs replay");
  expect((await x("show", ids[0] ?? "", "--limit", "1")).err).toContain("--limit is a flag of x runs ls");
  expect((await x("ls", "--status", "bad")).code).toBe(2);
  expect((await x("show", "0".repeat(27))).err).toContain("No execution has the id or key");
});

test("text of a component cannot control the terminal or look like a line of x", () => {
  const evil = "\u001b[2J\nError\n  fake";
  const run: ExecutionDetail = {
    execution_id: "e",
    source_id: "dc_1",
    entry: "run",
    trigger: "http",
    status: "error",
    replay_of: null,
    cause: null,
    queued_at: 0,
    started_at: 0,
    ended_at: 0,
    duration_ms: 1,
    phases: { queued_ms: 0, sandbox_ms: 1, commit_ms: null },
    compute_ms: 1,
    memory_bytes: 0,
    emitted_count: 1,
    deduped: 0,
    log_count: 1,
    call_count: 1,
    db_change_count: 1,
    data_store_change_count: 1,
    summary: evil,
    event: evil,
    event_bytes: 1,
    request: { method: evil, target: evil, http_version: evil, headers: [[evil, evil]] },
    emitted: [{ id: "1-0", name: evil, summary: evil, payload: evil, payload_bytes: 1, listeners: [] }],
    dropped: [{ name: evil, summary: evil, payload: evil, payload_bytes: 1, reason: "duplicate", dedupe_id: evil }],
    logs: [{ k: "console.log", ts: 0, msg: evil, data: [], execution_id: "e" }],
    steps: [{ name: evil, started_ms: 1 }],
    calls: [
      {
        method: evil,
        url: evil,
        status: null,
        error: evil,
        started_ms: 1,
        duration_ms: null,
        request_bytes: 0,
        response_bytes: null,
        request_headers: {},
        response_headers: {},
      },
    ],
    db: [{ key: evil, before: evil, after: evil }],
    data_stores: [{ name: evil, key: evil, before: evil, after: evil }],
    response: { headers: {}, status: 200, body: evil, body_bytes: 1 },
    error: {
      code: "component_threw",
      name: evil,
      message: evil,
      stack: `E\n    at ${evil} (a.js:1:1)`,
      hint: evil,
      frame: evil,
    },
  };
  const lines = accountLines(run, evil);
  expect(lines.filter((line) => line.includes("\u001b") || line.includes("\n"))).toEqual([]);
  expect(lines.filter((line) => line === "Error")).toHaveLength(1);
});

test("durations are short", () => {
  expect([0, 3.24, 480.4, 9_999, 12_500].map(durationText)).toEqual(["0 ms", "3.2 ms", "480 ms", "9999 ms", "12.5 s"]);
});
