import { expect, test } from "vitest";

import { componentText, failureOf, feedOptions, feedText, inboxText } from "../source.cases.ts";
import { conformance, ConformanceError, type ConformanceOptions } from "../vitest.ts";

/** The titles of the checks that fail, with what they say. */
async function failing(members: string, options: ConformanceOptions = {}): Promise<{ [title: string]: string }> {
  try {
    await conformance({ code: componentText(members) }, options);
    return {};
  } catch (error) {
    if (!(error instanceof ConformanceError)) throw error;
    const failed = error.results.filter(({ status }) => status === "failed");
    return Object.fromEntries(failed.map(({ title, text = "" }) => [title, text]));
  }
}

test("a good poller passes, and what does not concern it is skipped", async () => {
  const results = await conformance({ code: feedText }, feedOptions);
  expect(results.filter(({ status }) => status === "passed").length).toBeGreaterThan(8);
  expect(results.find(({ status }) => status === "skipped")).toEqual({
    title: "strange requests are answered without a failure",
    status: "skipped",
    text: "the component answers no requests itself",
  });
});

test("a good HTTP source passes with the requests of its senders", async () => {
  const results = await conformance({ code: inboxText }, { requests: [["POST /", { body: { id: 1 } }]] });
  expect(results.some(({ status }) => status === "failed")).toBe(false);
});

test("a run that throws fails it, with what it threw", async () => {
  const found = await failing(`run() { this.$emit({ n: 1n }); }`);
  expect(found["it is deployed, runs and is deleted without an error"]).toMatch(
    /ComponentError \[run\] EmitSerialization/,
  );
});

test("checks that fail alike are told once, with the place and what caused it", async () => {
  const code = componentText(`dedupe: "unique", run() {
    throw new Error("no", { cause: new Error("because") });
  }`);
  const { message } = await failureOf(conformance({ code }));
  expect(message.split("\n")[0]).toMatch(/^Trial fails [5-9] of \d+ checks:$/);
  expect(message.match(/no\n {6}at run \(component\.js:2:\d+\)\n {4}Caused by: because/g)).toHaveLength(1);
});

test("events without a value, repeated ids and ids that change are found", async () => {
  const poller = (run: string): string =>
    `dedupe: "unique", props: { timer: "$.interface.timer", db: "$.service.db" }, ${run}`;
  expect(await failing(`run() { this.$emit(); }`)).toEqual({
    "$emit is given events that JSON can hold": "1 event of 1 had no value: $emit(undefined) is stored as null",
  });
  expect(await failing(poller(`run() { for (const n of [1, 2]) this.$emit({ n }, { id: "same" }); }`))).toEqual({
    "ids tell the events of a run apart":
      '1 event of one run repeated an id: id "same" was emitted before in the same run',
  });
  expect(
    await failing(
      poller(`run() { const n = this.db.get("n") ?? 0; this.db.set("n", n + 1); this.$emit({ a: 1 }, { id: n }); }`),
    ),
  ).toEqual({
    "the same again emits nothing again":
      '1 event came twice, such as {"a":1}: its id was "0", then "1"; the same event needs the same id',
  });
});

test("where nothing was emitted because runs failed, the failure is told", async () => {
  const found = await failing(
    `dedupe: "unique", props: { http: { type: "$.interface.http", customResponse: true } }, run({ body }) { this.$emit(1, { id: body.id }); }`,
  );
  expect(found["the same again emits nothing again"]).toMatch(
    /^it has emitted nothing here: run failed with DedupeIdRequiredError: \$emit needs an id /,
  );
  const silent = await failing(`dedupe: "unique", run() {}`);
  expect(silent["the same again emits nothing again"]).toBe(
    "it has emitted nothing here: give it routes, requests or events that make it emit",
  );
});

test("a poll with more ids than dedupe remembers is found", async () => {
  const found = await failing(
    `dedupe: "unique", props: { timer: "$.interface.timer" }, run() { for (let n = 0; n < 101; n++) this.$emit({ n }, { id: n }); }`,
  );
  expect(found["one run has no more ids than dedupe remembers"]).toContain("more than 100 distinct ids");
});

test("hooks that do not take back what they set up are found", async () => {
  const routes = { "POST https://a.test/hooks": { id: 1 }, "DELETE https://a.test/hooks/1": {} };
  const activate = `activate() { return fetch("https://a.test/hooks", { method: "POST" }); }`;
  const remove = `deactivate() { return fetch("https://a.test/hooks/1", { method: "DELETE" }); }`;
  const title = "what activate sets up, deactivate takes back";
  expect(await failing(`hooks: { ${activate}, ${remove} }, run() {}`, { routes })).toEqual({});
  expect(await failing(`hooks: { ${activate} }, run() {}`, { routes })).toEqual({
    [title]: "activate sends POST https://a.test/hooks, and there is no hook deactivate",
  });
  expect(await failing(`hooks: { ${activate}, deactivate() {} }, run() {}`, { routes })).toEqual({
    [title]: "activate sends POST https://a.test/hooks, and deactivate sends nothing that takes it back",
  });
});

test("a cursor in a variable is found", async () => {
  const code = componentText(
    `props: { timer: "$.interface.timer" }, run() { seen += 1; if (seen < 3) this.$emit({ seen }); }`,
  );
  const error = await failureOf(conformance({ code: `let seen = 0; ${code}` }));
  expect(error.message).toContain(
    "a restart changes nothing\n    3 rounds in one process bring 1, 1, 0 events, with restarts in between 1, 1, 1",
  );
  expect(error.stack).toContain("conformance.test.ts");
});

test("requests that make it fail, and secrets in events, are found", async () => {
  const http = `props: { http: { type: "$.interface.http", customResponse: true } }`;
  const found = await failing(`${http}, run({ body }) { this.http.respond({ status: body.ok ? 200 : 404 }); }`);
  expect(found["strange requests are answered without a failure"]).toContain(
    "GET / is answered 500: TypeError: Cannot read properties of undefined (reading 'ok')",
  );
  const leak = await failing(
    `props: { a: { type: "app", app: "a" } }, run() { this.$emit({ said: "by " + this.a.$auth.key }); }`,
    {
      accounts: { a: { key: "secret-key" } },
    },
  );
  expect(leak).toEqual({ "secrets stay out of events": "an event holds the value of a secret in its field said" });
});

test("what the runtime warns of is found", async () => {
  const found = await failing(`run() { this.$emit(1, { ts: "soon" }); }`);
  expect(found["the runtime finds nothing to warn of"]).toContain("ts soon is not a time");
});

test("a route that is missing is the test's fault, and said at once", async () => {
  const error = await failureOf(conformance({ code: feedText }, { ...feedOptions, routes: {} }));
  expect([error.name, error.message.split("\n")[0]]).toEqual([
    "UnroutedError",
    "No route answers GET https://api.example.test/items?board=main; nothing leaves the harness.",
  ]);
});
