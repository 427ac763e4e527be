import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type ExecutionBody, type Service, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

type Item = string | number | readonly [id: string | number, ts: number];

/** A source of one strategy; `poll` emits the items and tells the ids that went through. */
async function sourceWith(dedupe: string): Promise<{
  id: string;
  poll: (...items: Item[]) => Promise<unknown[]>;
  run: (...items: Item[]) => Promise<ExecutionBody>;
}> {
  const { id } = await service.deploy(
    component({
      more: `dedupe: "${dedupe}",`,
      run: "for (const [id, ts] of event.items) this.$emit(id, { id, ...(ts !== null && { ts }), summary: String(id) })",
    }),
  );
  const run = (...items: Item[]): Promise<ExecutionBody> =>
    service.run(id, { items: items.map((item) => (typeof item === "object" ? [...item] : [item, null])) });
  return {
    id,
    run,
    poll: async (...items) => (await run(...items)).emitted.map((emit) => emit.summary),
  };
}
const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `x${from + index}`);

test('R125 G47 U1 unique keeps each id once, and 1 is the same as "1"', async () => {
  const { poll } = await sourceWith("unique");
  expect(await poll("a", "b", "a", 1, "1")).toEqual(["a", "b", "1"]);
  expect(await poll("b", "c", 1)).toEqual(["c"]);
});

test("R125 R141 U2 U3 the cache holds 100 ids, first in, first out, and a hit does not refresh", async () => {
  const { poll } = await sourceWith("unique");
  expect(await poll(...range(0, 100))).toHaveLength(100);
  expect(await poll("x0", "x99", "new")).toEqual(["new"]);
  expect(await poll("x0", "x1")).toEqual(["x0", "x1"]);
  expect(await poll("x4")).toEqual([]);
});

test("R125 U4 U5 more than 100 ids at a time come again and again", async () => {
  const { poll } = await sourceWith("unique");
  expect(await poll(...range(0, 150))).toHaveLength(150);
  expect(await poll(...range(0, 150))).toHaveLength(150);
});

test("R126 G46 G1 G2 greatest compares with the id cached before the run", async () => {
  const { poll } = await sourceWith("greatest");
  expect(await poll(5, 4, 3, 3)).toEqual(["5", "4", "3"]);
  expect(await poll(7, 5, 6, 4)).toEqual(["7", "6"]);
  expect(await poll(7, 6)).toEqual([]);
});

test("R126 G3 greatest is exact beyond 2^53", async () => {
  const { poll } = await sourceWith("greatest");
  await poll(7);
  expect(await poll("9007199254740993", "9007199254740992")).toHaveLength(2);
  expect(await poll("9007199254740993", "9007199254740992")).toEqual([]);
  expect(await poll("9007199254740994")).toEqual(["9007199254740994"]);
});

test("R126 G4 greatest refuses an id that is not a number at the emit", async () => {
  const { poll, run } = await sourceWith("greatest");
  await poll(5);
  expect((await run("abc")).error?.name).toBe("DedupeIdNotNumericError");
  expect(await poll(5, 6)).toEqual(["6"]);
});

test("R126 G6 zero is a value", async () => {
  const { poll } = await sourceWith("greatest");
  expect(await poll(0)).toEqual(["0"]);
  expect(await poll(0)).toEqual([]);
});

test("R127 G48 L1 to L5 last emits what comes after the cached id, or everything", async () => {
  const { poll } = await sourceWith("last");
  expect(await poll("a", "b", "c")).toEqual(["a", "b", "c"]);
  expect(await poll("b", "c", "d", "e")).toEqual(["d", "e"]);
  expect(await poll("e")).toEqual([]);
  expect(await poll("x", "y")).toEqual(["x", "y"]);
  expect(await poll()).toEqual([]);
  expect(await poll("y", "z")).toEqual(["z"]);
});

test("R128 L6 with ts, last caches the id of the newest", async () => {
  const { poll } = await sourceWith("last");
  await poll("c");
  expect(await poll(["d", 30], ["c", 20], ["b", 10])).toEqual(["d"]);
  expect(await poll(["e", 40], ["d", 30])).toEqual(["e"]);
});

test("R127 G48 L7 last cuts at the last occurrence", async () => {
  const { poll } = await sourceWith("last");
  await poll("c");
  expect(await poll("c", "d", "c", "f")).toEqual(["f"]);
});

test("R125 the answer of a run counts what dedupe dropped", async () => {
  const { run } = await sourceWith("unique");
  await run("a", "b");
  expect(await run("a", "b", "c", "c")).toMatchObject({ deduped: 3, emitted: [{ summary: "c" }] });
});

test("G49 ids longer than 64 characters are told apart", async () => {
  const { poll } = await sourceWith("unique");
  const long = "l".repeat(200);
  expect(await poll(`${long}1`, `${long}2`, `${long}1`)).toHaveLength(2);
  expect(await poll(`${long}1`, `${long}2`, `${long}3`)).toHaveLength(1);
});

test("G56 emits of the deploy hook count for dedupe", async () => {
  const { id } = await service.deploy(
    component({
      more: 'dedupe: "unique", hooks: { deploy() { this.$emit("h", { id: "a" }) } },',
      run: 'this.$emit("r", { id: "a" }); this.$emit("r", { id: "b" })',
    }),
  );
  await service.run(id);
  expect((await service.events(id)).map((row) => [row.event, row.metadata["id"]])).toEqual([
    ["h", "a"],
    ["r", "b"],
  ]);
});

test("R125 deleting events does not make dedupe forget", async () => {
  const { id, poll } = await sourceWith("unique");
  await poll("a");
  await service.call("DELETE", `/sources/${id}/events`);
  await service.runtime.idle();
  expect(await poll("a", "b")).toEqual(["b"]);
});

test("R125 S11 each channel has a dedupe state of its own", async () => {
  const { id } = await service.deploy(
    component({
      more: 'dedupe: "unique",',
      run: 'this.$emit(1, { id: "a" }); this.$emit(2, { id: "a", name: "side" }); this.$emit(3, { id: "a", name: "side" })',
    }),
  );
  await service.run(id);
  expect(await service.emitted(id)).toEqual([1, 2]);
});

test("T1 T2 without dedupe everything passes, put in order of ts", async () => {
  const { id } = await service.deploy(component({ run: "for (const [e, ts] of event.items) this.$emit(e, { ts })" }));
  const items = ["b", "a", "a2"].map((name, index) => [name, [2, 1, 1][index] ?? 0]);
  await service.run(id, { items });
  expect(await service.emitted(id)).toEqual(["a", "a2", "b"]);
});
