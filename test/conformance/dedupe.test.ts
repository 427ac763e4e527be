import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type ExecutionBody, type Service, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

type Item = string | number | readonly [id: string | number, ts: number];

/** A source of one strategy; `poll` emits the items and returns the emitted ids. */
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

test('R125 unique emits an id that is not cached and caches it; 1 equals "1" (vector U1)', async () => {
  const { poll } = await sourceWith("unique");
  expect(await poll("a", "b", 1)).toEqual(["a", "b", "1"]);
  expect(await poll("b", "c", "1", 1)).toEqual(["c"]);
  expect(await poll("a", "b", "c")).toEqual([]);
});

test("G47 an id that is repeated within one run is emitted once", async () => {
  const { poll } = await sourceWith("unique");
  expect(await poll("a", "b", "a", 1, "1", "a")).toEqual(["a", "b", "1"]);
  // Also when the run itself has evicted it from the cache.
  expect(await poll(...range(0, 101), "x0")).toHaveLength(101);
});

test("R125 the cache is first in, first out, and a hit does not refresh (vectors U2, U3)", async () => {
  const { poll } = await sourceWith("unique");
  expect(await poll(...range(0, 100))).toHaveLength(100);
  expect(await poll("x0", "x99", "new")).toEqual(["new"]);
  expect(await poll("x0", "x1")).toEqual(["x0", "x1"]);
  expect(await poll("x4")).toEqual([]);
});

test("R141 the cache of unique holds 100 ids", async () => {
  const { poll } = await sourceWith("unique");
  await poll(...range(0, 100));
  expect(await poll("x0", "x99")).toEqual([]);
  expect(await poll("x100")).toEqual(["x100"]);
  expect(await poll("x1", "x0")).toEqual(["x0"]);
});

test("R125 more than 100 repeated ids are all emitted again (vectors U4, U5)", async () => {
  const { poll } = await sourceWith("unique");
  expect(await poll(...range(0, 150))).toHaveLength(150);
  expect(await poll(...range(0, 150))).toHaveLength(150);
});

test("R126 greatest emits larger ids only, and caches the largest (vectors G1, G2)", async () => {
  const { poll } = await sourceWith("greatest");
  expect(await poll(5)).toEqual(["5"]);
  expect(await poll(4, 5)).toEqual([]);
  expect(await poll(7)).toEqual(["7"]);
  expect(await poll(6, 7, 8.5)).toEqual(["8.5"]);
  expect(await poll(8)).toEqual([]);
});

test("G46 within a run every id is compared with the previous cached one, and equal ids are emitted once", async () => {
  const { poll } = await sourceWith("greatest");
  expect(await poll(5, 4, 3, 3)).toEqual(["5", "4", "3"]);
  expect(await poll(7, 5, 6, 4)).toEqual(["7", "6"]);
  expect(await poll(7, 6)).toEqual([]);
});

test("R126 greatest is exact beyond 2^53 (vector G3)", async () => {
  const { poll } = await sourceWith("greatest");
  await poll(7);
  expect(await poll("9007199254740993", "9007199254740992")).toHaveLength(2);
  expect(await poll("9007199254740993", "9007199254740992")).toEqual([]);
  expect(await poll("9007199254740994")).toEqual(["9007199254740994"]);
});

test("R126 greatest refuses an id that is not a number, at the emit (vector G4)", async () => {
  const { poll, run } = await sourceWith("greatest");
  await poll(5);
  expect((await run("abc")).error?.name).toBe("DedupeIdNotNumericError");
  expect(await poll(5, 6)).toEqual(["6"]);
});

test("S55 greatest compares ids without the white space around them", async () => {
  const { poll } = await sourceWith("greatest");
  expect(await poll(" 5", "5\n", "\t4.5 ")).toEqual([" 5", "\t4.5 "]);
  expect(await poll(5, "05", " 6\r\n")).toEqual([" 6\r\n"]);
  expect(await poll("6", "1e0000000001", 7)).toEqual(["1e0000000001", "7"]);
});

test.each(["1e999", "-1e999", `1e${"9".repeat(400)}`, "\u00a05", "5\u2003", "5 5", "9".repeat(1_001), " "])(
  "S55 greatest refuses at the emit what it cannot compare: %j",
  async (id) => {
    const { poll, run } = await sourceWith("greatest");
    expect(await poll(5)).toEqual(["5"]);
    const { error, emitted, deduped } = await run(6, id);
    expect([error?.name, emitted.length, deduped]).toEqual(["DedupeIdNotNumericError", 1, 0]);
  },
);

test("R126 zero is a value (vector G6)", async () => {
  const { poll } = await sourceWith("greatest");
  expect(await poll(0)).toEqual(["0"]);
  expect(await poll(0)).toEqual([]);
});

test("R127 last emits the events after the cached id, or all (vectors L1, L2, L4)", async () => {
  const { poll } = await sourceWith("last");
  expect(await poll("a", "b", "c")).toEqual(["a", "b", "c"]);
  expect(await poll("b", "c", "d", "e")).toEqual(["d", "e"]);
  expect(await poll("x", "y")).toEqual(["x", "y"]);
  expect(await poll("y", "z")).toEqual(["z"]);
});

test("G48 nothing after the cached id means no event, and an empty run keeps the cache (vectors L3, L5)", async () => {
  const { poll } = await sourceWith("last");
  expect(await poll("e")).toEqual(["e"]);
  expect(await poll("e")).toEqual([]);
  expect(await poll()).toEqual([]);
  expect(await poll("e", "f")).toEqual(["f"]);
});

test("R128 with ts, last caches the id of the newest (vector L6)", async () => {
  const { poll } = await sourceWith("last");
  await poll("c");
  expect(await poll(["d", 30], ["c", 20], ["b", 10])).toEqual(["d"]);
  expect(await poll(["e", 40], ["d", 30])).toEqual(["e"]);
});

test("G48 last cuts at the last occurrence (vector L7)", async () => {
  const { poll } = await sourceWith("last");
  await poll("c");
  expect(await poll("c", "d", "c", "f")).toEqual(["f"]);
});

test("R125 the answer of a run counts what dedupe dropped", async () => {
  const { run } = await sourceWith("unique");
  await run("a", "b");
  expect(await run("a", "b", "c", "c")).toMatchObject({ deduped: 3, emitted: [{ summary: "c" }] });
});

const emitting = component({ more: 'dedupe: "unique",', run: "this.$emit(1, event.meta)" });

test("R123 the id of an emit is a string or a number", async () => {
  const { id } = await service.deploy(emitting);
  for (const meta of [{ id: "a" }, { id: 5 }, { id: 0 }]) {
    expect((await service.run(id, { meta })).status, JSON.stringify(meta)).toBe("ok");
  }
  for (const given of [true, {}, ["a"]]) {
    expect((await service.run(id, { meta: { id: given } })).status, JSON.stringify(given)).toBe("error");
  }
  expect((await service.events(id)).map((row) => row.metadata["id"])).toEqual(["a", "5", "0"]);
});

test("S35 an id that cannot distinguish events makes the emit throw, and the next event is emitted", async () => {
  const ids = ["NaN", "-Infinity", "null", "undefined", '""', "Date.parse(undefined)"];
  for (const dedupe of ["unique", "greatest", "last"]) {
    const { id } = await service.deploy(
      component({
        more: `dedupe: "${dedupe}",`,
        run: `const said = [];
          for (const id of [${ids.join()}]) try { this.$emit(1, { id }) } catch (error) { said.push(error.name + ": " + error.message) }
          this.$emit(said, { id: event.n })`,
      }),
    );
    const words = (got: string): string =>
      `DedupeIdRequiredError: $emit needs an id (a text that is not empty, or a finite number) because the component has dedupe "${dedupe}": this.$emit(event, { id })${got}`;
    const expected = [", got NaN", ", got -Infinity", ", got null", "", ', got ""', ", got NaN"].map(words);
    await service.run(id, { n: 1 });
    await service.run(id, { n: 2 });
    expect(await service.emitted(id), dedupe).toEqual([expected, expected]);
  }
});

test("G50 an emit without an id throws at the call, but only under a strategy", async () => {
  for (const dedupe of ["unique", "greatest", "last"]) {
    const { id } = await service.deploy(
      component({
        more: `dedupe: "${dedupe}",`,
        run: `this.$emit("kept", { id: 1 }); try { this.$emit("lost", event.meta) } catch (error) { this.$emit(error.name, { id: 2 }) }`,
      }),
    );
    await service.run(id, { meta: { summary: "x" } });
    expect(await service.emitted(id), dedupe).toEqual(["kept", "DedupeIdRequiredError"]);
  }
  const { id } = await service.deploy(emitting);
  for (const meta of [{}, { id: null }, undefined]) {
    const { status, error } = await service.run(id, meta === undefined ? {} : { meta });
    expect([status, error?.name], JSON.stringify(meta)).toEqual(["error", "DedupeIdRequiredError"]);
  }
  const { id: free } = await service.deploy(component({ run: "this.$emit(1, {})" }));
  expect((await service.run(free)).status).toBe("ok");
});

test("G49 ids longer than 64 characters are distinguished", async () => {
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

test("R125 deleting events does not clear the cache of dedupe", async () => {
  const { id, poll } = await sourceWith("unique");
  await poll("a");
  await service.call("DELETE", `/sources/${id}/events`);
  await service.runtime.idle();
  expect(await poll("a", "b")).toEqual(["b"]);
});

test("S11 each channel has its own dedupe state", async () => {
  const { id } = await service.deploy(
    component({
      more: 'dedupe: "unique",',
      run: 'this.$emit(1, { id: "a" }); this.$emit(2, { id: "a", name: "side" }); this.$emit(3, { id: "a", name: "side" })',
    }),
  );
  await service.run(id);
  expect(await service.emitted(id)).toEqual([1, 2]);
});

test("S31 an emit named default uses the dedupe state of the default stream", async () => {
  const { id } = await service.deploy(
    component({
      more: 'dedupe: "unique",',
      run: 'this.$emit(1, { id: "a" }); this.$emit(2, { id: "a", name: "default" }); this.$emit(3, { id: "b", name: "default" })',
    }),
  );
  await service.run(id);
  expect((await service.events(id)).map((row) => [row.event, row.metadata["name"]])).toEqual([
    [1, ""],
    [3, ""],
  ]);
});

test("R124 without dedupe all events pass, in order of ts, equal ones in order of their emits (vectors T1, T2)", async () => {
  const { id } = await service.deploy(component({ run: "for (const [e, ts] of event.items) this.$emit(e, { ts })" }));
  const items = ["b", "a", "a2"].map((name, index) => [name, [2, 1, 1][index] ?? 0]);
  await service.run(id, { items });
  expect(await service.emitted(id)).toEqual(["a", "a2", "b"]);
});
