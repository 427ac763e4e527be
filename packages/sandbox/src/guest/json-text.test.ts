import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../contract.ts";
import { openSandbox, runBody, tryComponent } from "../sandbox.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

const cases: { readonly [body: string]: readonly string[] } = {
  "this.$emit({ a: 1, list: [null, new Date(0)], url: new URL('https://a.test'), own: { toJSON: () => 1 } });": [],
  "class Item { id = 1; } this.$emit({ item: new Item(), none: Object.create(null), u: undefined });": [],
  "this.$emit({ page: { items: (async () => [])() } });": [
    "$emit: event.page.items is a Promise, which JSON cannot hold: await it first",
  ],
  "this.$emit(Promise.resolve(1));": ["$emit: event is a Promise, which JSON cannot hold: await it first"],
  "this.$emit({ list: [{ get() {} }], map: new Map(), set: new Set(), error: new TypeError('x') });": [
    "$emit: event.list[0].get is a function, which JSON cannot hold: call it, or leave it out",
    "$emit: event.map is a Map, which JSON cannot hold: use Object.fromEntries(map)",
    "$emit: event.set is a Set, which JSON cannot hold: use [...set]",
  ],
  "this.$emit({ answer: new Response('{}') });": [
    "$emit: event.answer is a Response, which JSON cannot hold: await response.json() first",
  ],
  "this.$emit({ many: Array.from({ length: 5000 }, (_, i) => i), error: new Error('x') });": [
    "$emit: event.error is an Error, which JSON cannot hold: give its message",
  ],
  "const error = Object.assign(new Error('x'), { toJSON: () => 'x' }); this.$emit({ error });": [],
  "Map.prototype.toJSON = function () { return [...this]; }; this.$emit({ map: new Map([[1, 2]]) });": [],
};

test.each(Object.entries(cases))(
  "a warning names the path of what JSON loses of a payload: %s",
  async (body, expected) => {
    const { logs, outcome } = await tryComponent(sandbox, runBody(body));
    expect(outcome.status).toBe("ok");
    expect(logs.map(({ msg }) => msg.split("\n")[0])).toEqual(expected);
    for (const { msg } of logs) expect(msg).toMatch(/\n\s+at run \(bundle\.js:\d+:\d+\)$/);
  },
);

test("values of the db are checked too, and the classes stay unchanged", async () => {
  const body = "this.db.set('a', { seen: new Set([1]) }); this.$emit(['toJSON' in new Set(), 'toJSON' in (() => 1)]);";
  const { logs, emits } = await tryComponent(sandbox, runBody(body, "props: { db: '$.service.db' },"));
  expect(logs.map(({ msg }) => msg.split("\n")[0])).toEqual([
    'db.set("a"): value.seen is a Set, which JSON cannot hold: use [...set]',
  ]);
  expect(emits.map(({ payload }) => payload)).toEqual(["[false,false]"]);
});

test("a getter is called once for each writing, so that what it counts is what arrives", async () => {
  const body = `let n = 0; const counting = { get n() { return ++n; } };
    this.$emit(counting); this.$emit({ list: [counting] }); this.db.set("n", counting); this.$emit(n);`;
  const { db, emits } = await tryComponent(sandbox, runBody(body, "props: { db: '$.service.db' },"));
  expect(emits.map(({ payload }) => payload)).toEqual(['{"n":1}', '{"list":[{"n":2}]}', "3"]);
  expect(db).toEqual([["n", '{"n":3}']]);
});

test.each([
  ["new Proxy({}, { ownKeys() { throw 3; } })", "3"],
  ["({ get a() { throw new Error('got'); } })", "got"],
  ["({ toJSON() { throw null; } })", "null"],
  ["({ toJSON() { throw Object.create(null); } })", "it threw while it was read"],
])("an event that throws while it is written is refused by its name: %s", async (value, reason) => {
  const body = `try { this.$emit(${value}); } catch (error) { this.$emit([error.name, error.message]); }`;
  const { emits } = await tryComponent(sandbox, runBody(body));
  expect(emits.map(({ payload }) => JSON.parse(payload) as unknown)).toEqual([
    ["EmitSerializationError", `event cannot be written as JSON: ${reason}`],
  ]);
});
