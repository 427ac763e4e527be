import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { makeFolder, openTrial, removeFolders, type Trial } from "../../../runtime/src/runtime.cases.ts";
import type { Sandbox } from "../contract.ts";
import { openSandbox, runBody, tryComponent } from "../sandbox.cases.ts";

let sandbox: Sandbox;
let trial: Trial;
beforeAll(async () => {
  [sandbox, trial] = await Promise.all([openSandbox(), openTrial()]);
});
afterAll(async () => {
  await Promise.all([sandbox.close(), trial.runtime.close()]);
  removeFolders();
});

const prefix = "A promise was rejected and nobody handled it: ";
const sleep = "await new Promise((done) => setTimeout(done, 1));";

/** The first lines of the logs of a run. */
async function firstLines(body: string, status: string = "ok"): Promise<string[]> {
  const { logs, outcome } = await tryComponent(sandbox, body.includes("module.exports") ? body : runBody(body));
  expect(outcome.status).toBe(status);
  expect(logs.every(({ level }) => level === "error")).toBe(true);
  return logs.map(({ msg }) => msg.split("\n")[0] ?? "");
}

const unhandled: { readonly [what: string]: string } = {
  "a promise made rejected": `Promise.reject(new Error("lost"));`,
  "a function that is not awaited": `(async () => { throw new Error("lost"); })();`,
  "a function that is not awaited, after an await": `(async () => { await null; throw new Error("lost"); })();`,
  "a function that is not awaited, after one that is": `const wait = async () => { await null; }; (async () => { await wait(); throw new Error("lost"); })();`,
  "a function that is not awaited, after a sleep": `(async () => { ${sleep} throw new Error("lost"); })(); ${sleep} ${sleep}`,
  "a timer's callback": `setTimeout(async () => { throw new Error("lost"); }, 1); ${sleep} ${sleep}`,
  "the end of a chain": `Promise.reject(new Error("lost")).then(() => 1).finally(() => 2);`,
  "a promise that becomes another": `new Promise((done) => done(Promise.reject(new Error("lost"))));`,
  "what throws while it makes a promise": `new Promise(() => { throw new Error("lost"); });`,
  "a function that is not awaited, after a thenable": `const wait = { then(done) { done(); } }; (async () => { await wait; throw new Error("lost"); })();`,
  "a generator": `(async function* () { throw new Error("lost"); })().next();`,
  "a class of promises": `class Own extends Promise {} Own.reject(new Error("lost"));`,
  "a run that changes what maps have": `Map.prototype.set = Map.prototype.delete = WeakMap.prototype.get = () => { throw 1; }; Promise.reject(new Error("lost"));`,
};

test.each(Object.entries(unhandled))("an unhandled rejection is an error in the logs: %s", async (_what, body) => {
  expect(await firstLines(body)).toEqual([`${prefix}Error: lost`]);
});

const handled: { readonly [what: string]: string } = {
  "at once": `Promise.reject(new Error("met")).catch(() => {});`,
  "by an await": `try { await (async () => { throw new Error("met"); })(); } catch {}`,
  "some jobs later": `const lost = Promise.reject(new Error("met")); await null; await null; lost.catch(() => {});`,
  "after a sleep": `const lost = Promise.reject(new Error("met")); ${sleep} await lost.catch(() => {});`,
  "after a sleep, by an await": `const lost = (async () => { await null; throw new Error("met"); })(); ${sleep} try { await lost; } catch {}`,
  "by all of many": `const fail = async () => { throw new Error("met"); }; await Promise.all([fail(), fail(), fail()]).catch(() => {});`,
  "by what settles all": `const fail = async () => { await null; throw new Error("met"); }; await Promise.allSettled([fail(), fail()]);`,
  "by a race that another wins": `await Promise.race([1, Promise.reject(new Error("met"))]);`,
  "by a loop over a generator": `const all = (async function* () { throw new Error("met"); })(); try { for await (const each of all); } catch {}`,
  "by the sender of a request that fails": `await fetch("http://a.example/").catch(() => {});`,
  "by a job after the run": `const lost = Promise.reject(new Error("met")); Promise.resolve().then(() => {}).then(() => lost).catch(() => {});`,
};

test.each(Object.entries(handled))("a handled rejection is not logged: %s", async (_what, body) => {
  expect(await firstLines(body)).toEqual([]);
});

test("reasons of any kind are logged, also those whose members throw", async () => {
  const thrower = `{ get message() { throw 1; }, get stack() { throw 2; }, toString() { return "odd"; } }`;
  const reasons = ["5", "undefined", "null", `"text"`, `Symbol("s")`, `new TypeError("t")`, thrower];
  expect(await firstLines(reasons.map((reason) => `Promise.reject(${reason});`).join(" "))).toEqual(
    [
      "Error: 5",
      "Error: undefined",
      "Error: null",
      "Error: text",
      "Error: Symbol(s)",
      "TypeError: t",
      "Object: odd",
    ].map((line) => prefix + line),
  );
});

test("rejections are logged when a run fails or never ends", async () => {
  expect(await firstLines(`Promise.reject(new Error("lost")); throw new Error("main");`, "error")).toHaveLength(1);
  expect(await firstLines(`await new Promise(async () => { throw new Error("lost"); });`, "error")).toHaveLength(1);
});

test("rejections during the evaluation of a module are logged by each of its calls", async () => {
  const code = `Promise.reject(new Error("lost")); ${runBody("")}`;
  expect(await firstLines(code)).toEqual([`${prefix}Error: lost`]);
  expect(await firstLines(code)).toEqual([`${prefix}Error: lost`]);
});

test("rejections count towards the limit on log records of a run", async () => {
  const wave = `for (let each = 0; each < 3000; each++) Promise.reject(new Array(100)); ${sleep}`;
  const { logs, outcome } = await tryComponent(sandbox, runBody(wave.repeat(3)));
  expect(outcome.status).toBe("ok");
  expect(logs.length).toBeLessThanOrEqual(1_100);
});

test("rejections name the author's line, in hooks and runs", async () => {
  const file = join(makeFolder(), "main.mjs");
  const lines = [
    "export default {",
    '  name: "Lost", version: "1.0.0", props: { timer: "$.interface.timer" },',
    "  methods: {",
    "    async save() {",
    '      throw new Error("not saved");',
    "    },",
    "  },",
    "  hooks: { activate() { this.save(); } },",
    "  run() { this.save(); },",
    "};",
  ];
  writeFileSync(file, lines.join("\n"));
  const { source } = await trial.runtime.deploy({ file });
  expect((await trial.runtime.invoke(source.id)).status).toBe("ok");
  const records = (await trial.payloads(source.id, "$logs")) as { k: string; msg?: string }[];
  const found = records.filter(({ k }) => k === "console.error").map(({ msg = "" }) => msg);
  // Engines count columns from different ends of a call.
  expect(found.map((msg) => msg.replaceAll(/:\d+(?=\)?(\n|$))/g, "").split("\n"))).toEqual([
    [`${prefix}Error: not saved`, "    at save (main.mjs:5)", "    at activate (main.mjs:8)"],
    [`${prefix}Error: not saved`, "    at save (main.mjs:5)", "    at run (main.mjs:9)"],
  ]);
});
