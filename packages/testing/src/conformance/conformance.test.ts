import { expect, test } from "vitest";

import { componentText, failureOf, feedOptions, feedText, inboxText } from "../source.cases.ts";
import { conformance, ConformanceError, type ConformanceOptions } from "../vitest.ts";

/** The problems of the failed checks, by title. */
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

test("a correct poller passes; checks that do not apply are skipped", async () => {
  const results = await conformance({ code: feedText }, feedOptions);
  expect(results.filter(({ status }) => status === "passed").length).toBeGreaterThan(8);
  expect(results.find(({ status }) => status === "skipped")).toEqual({
    title: "unexpected requests are answered without an error",
    status: "skipped",
    text: "the component has no custom responses",
  });
});

test("a correct HTTP source passes with requests of the test", async () => {
  const results = await conformance({ code: inboxText }, { requests: [["POST /", { body: { id: 1 } }]] });
  expect(results.some(({ status }) => status === "failed")).toBe(false);
});

test("a run that throws fails the check, with the error", async () => {
  const found = await failing(`run() { this.$emit({ n: 1n }); }`);
  expect(found["it is deployed, runs and is deleted without an error"]).toMatch(
    /ComponentError \[run\] EmitSerialization/,
  );
});

test("checks that fail with the same problem are listed together, with source location and cause", async () => {
  const code = componentText(`dedupe: "unique", run() {
    throw new Error("no", { cause: new Error("because") });
  }`);
  const { message } = await failureOf(conformance({ code }));
  expect(message.split("\n")[0]).toMatch(/^Trial fails [5-9] of \d+ checks:$/);
  expect(message.match(/no\n {6}at run \(component\.js:2:\d+\)\n {4}Caused by: because/g)).toHaveLength(1);
});

test("events without a value, repeated ids and changing ids are reported", async () => {
  const poller = (run: string): string =>
    `dedupe: "unique", props: { timer: "$.interface.timer", db: "$.service.db" }, ${run}`;
  expect(await failing(`run() { this.$emit(); }`)).toEqual({
    "events have values": "1 event of 1 had no value: $emit(undefined) is stored as null",
  });
  expect(await failing(poller(`run() { for (const n of [1, 2]) this.$emit({ n }, { id: "same" }); }`))).toEqual({
    "events of a run have different ids":
      '1 event of one run repeated an id: id "same" was emitted before in the same run',
  });
  expect(
    await failing(
      poller(`run() { const n = this.db.get("n") ?? 0; this.db.set("n", n + 1); this.$emit({ a: 1 }, { id: n }); }`),
    ),
  ).toEqual({
    "the same upstream answers emit no event twice":
      '1 event came twice, such as {"a":1}: its id was "0", then "1"; the same event needs the same id',
  });
});

test("when a failed run emitted nothing, the error is shown", async () => {
  const found = await failing(
    `dedupe: "unique", props: { http: { type: "$.interface.http", customResponse: true } }, run({ body }) { this.$emit(1, { id: body.id }); }`,
  );
  expect(found["the same upstream answers emit no event twice"]).toMatch(
    /^it has emitted nothing here: run failed with DedupeIdRequiredError: \$emit needs an id /,
  );
  const silent = await failing(`dedupe: "unique", run() {}`);
  expect(silent["the same upstream answers emit no event twice"]).toBe(
    "it has emitted nothing here: give it routes, requests or events that make it emit",
  );
});

test("a poll with more ids than dedupe stores is reported", async () => {
  const found = await failing(
    `dedupe: "unique", props: { timer: "$.interface.timer" }, run() { for (let n = 0; n < 101; n++) this.$emit({ n }, { id: n }); }`,
  );
  expect(found["one run has no more ids than dedupe stores"]).toContain("more than 100 distinct ids");
});

test("a deactivate hook that does not undo activate is reported", async () => {
  const routes = { "POST https://a.test/hooks": { id: 1 }, "DELETE https://a.test/hooks/1": {} };
  const activate = `activate() { return fetch("https://a.test/hooks", { method: "POST" }); }`;
  const remove = `deactivate() { return fetch("https://a.test/hooks/1", { method: "DELETE" }); }`;
  const title = "deactivate undoes what activate set up";
  expect(await failing(`hooks: { ${activate}, ${remove} }, run() {}`, { routes })).toEqual({});
  expect(await failing(`hooks: { ${activate} }, run() {}`, { routes })).toEqual({
    [title]: "activate sends POST https://a.test/hooks, and there is no hook deactivate",
  });
  expect(await failing(`hooks: { ${activate}, deactivate() {} }, run() {}`, { routes })).toEqual({
    [title]: "activate sends POST https://a.test/hooks, and deactivate sends nothing that undoes it",
  });
});

test("a cursor in a variable is reported", async () => {
  const code = componentText(
    `props: { timer: "$.interface.timer" }, run() { seen += 1; if (seen < 3) this.$emit({ seen }); }`,
  );
  const error = await failureOf(conformance({ code: `let seen = 0; ${code}` }));
  expect(error.message).toContain(
    "a restart changes nothing\n    3 rounds in one process emit 1, 1, 0 events, with restarts between them 1, 1, 1",
  );
  expect(error.stack).toContain("conformance.test.ts");
});

test("failures on unexpected requests and secrets in events are reported", async () => {
  const http = `props: { http: { type: "$.interface.http", customResponse: true } }`;
  const found = await failing(`${http}, run({ body }) { this.http.respond({ status: body.ok ? 200 : 404 }); }`);
  expect(found["unexpected requests are answered without an error"]).toContain(
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

test("warnings of the runtime are reported", async () => {
  const found = await failing(`run() { this.$emit(1, { ts: "soon" }); }`);
  expect(found["the runtime logs no warnings"]).toContain("ts soon is not a time");
});

test("a missing route is an error of the test, not a failed check", async () => {
  const error = await failureOf(conformance({ code: feedText }, { ...feedOptions, routes: {} }));
  expect([error.name, error.message.split("\n")[0]]).toEqual([
    "UnroutedError",
    "No route answers GET https://api.example.test/items?board=main; the harness has no network.",
  ]);
});
