import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { SourceView } from "../api/api.ts";
import { componentText, openTrial, type Trial } from "../runtime.cases.ts";

let trial: Trial;
beforeEach(async () => {
  trial = await openTrial();
});
afterEach(() => trial.runtime.close());

const deploy = (body: string, more = "", store = "shop"): Promise<SourceView> =>
  trial.deploy(
    componentText(`props: { store: { type: "data_store" }, http: "$.interface.http", db: "$.service.db" }, ${more}
      async run({ bodyRaw }) { const { store } = this; ${body} }`),
    { store },
  );

/** What a source emits for one request. */
async function emittedBy(view: SourceView, text = ""): Promise<unknown> {
  await trial.hit(view, { text });
  await trial.runtime.idle();
  return (await trial.payloads(view.source.id)).at(-1);
}

const errorsOf = async (view: SourceView): Promise<unknown[]> =>
  (await trial.payloads(view.source.id, "$errors")).map((record) => (record as { error: unknown }).error);

const stored = async (name = "shop"): Promise<object> =>
  Object.fromEntries((await trial.runtime.dataStoreEntries(name)).map(({ key, value }) => [key, value]));

/** Runs a body once, and returns what it emitted. */
const run = async (body: string, text?: string): Promise<unknown> => emittedBy(await deploy(body), text);

test("S62 what one source writes to a data store, another source of the user reads", async () => {
  const writer = await deploy(`await store.set("count", 3); await store.set(7, { name: "Ann" });`);
  await emittedBy(writer);
  const seen = await run(`this.$emit([await store.get("count"), await store.get("none"), await store.has("7"),
    await store.has("none"), await store.keys(), await store.entries(), await store.size()])`);
  const entries = [
    ["7", { name: "Ann" }],
    ["count", 3],
  ];
  expect(seen).toEqual([3, null, true, false, ["7", "count"], entries, 2]);
  expect(await errorsOf(writer)).toEqual([]);
});

test("S62 data stores with other names, and those of other users, are others", async () => {
  await emittedBy(await deploy(`await store.set("a", 1)`));
  expect(await emittedBy(await deploy(`this.$emit(await store.entries())`, "", "till"))).toEqual([]);
  const other = await trial.runtime.addUser({ username: "other" });
  const theirs = trial.runtime.as(other.id);
  expect(await theirs.dataStores()).toEqual([]);
  await theirs.writeDataStore("shop", [["a", "theirs"]]);
  expect(await stored()).toEqual({ a: 1 });
});

test("S62 a run sees its own writes, and changes nothing for others before it ends", async () => {
  const seen = await run(`
    await store.set("a", 1); await store.set("b", 2);
    const before = [await store.get("a"), await store.keys(), await store.size(), await store.delete("a"),
      await store.delete("a"), await store.has("a"), await store.entries()];
    await store.set("b", undefined);
    this.$emit([...before, await store.size()])`);
  expect(seen).toEqual([1, ["a", "b"], 2, true, false, false, [["b", 2]], 0]);
  expect(await stored()).toEqual({});
});

test("S62 a run that fails writes nothing, also where its emits and db writes stay", async () => {
  await trial.runtime.writeDataStore("shop", [["a", "before"]]);
  const view = await deploy(`await store.set("a", 1); this.db.set("a", 1); this.$emit(1); throw new Error("broken")`);
  expect(await emittedBy(view)).toBe(1);
  expect(await trial.runtime.dbEntries(view.source.id)).toMatchObject([{ key: "a", value: 1 }]);
  expect(await stored()).toEqual({ a: "before" });
});

test("S62 what a run writes without awaiting it is stored in the order of the calls", async () => {
  const view = await deploy(`for (let n = 0; n < 150; n += 1) store.set("n" + (n % 3), n); store.delete("n0");`);
  await emittedBy(view);
  expect(await stored()).toEqual({ n1: 148, n2: 149 });
  expect(await errorsOf(view)).toEqual([]);
});

test("S62 a write that is refused is logged, also when the run does not await it", async () => {
  await trial.runtime.writeDataStore(
    "shop",
    Array.from({ length: 10_000 }, (_, n) => [`n${n}`, n]),
  );
  const view = await deploy(`store.set("n1", "kept"); store.set("more", 1); store.set("n2", "kept");`);
  await emittedBy(view);
  expect(await stored()).toMatchObject({ n1: "kept", n2: "kept" });
  const refused = 'Data store "shop" may have at most 10000 keys, this write makes it 10001.';
  expect(await trial.payloads(view.source.id, "$logs")).toMatchObject([
    { k: "console.warn", msg: `A write to a data store was refused: ${refused}` },
  ]);
});

test("S62 a write after the end of a run is not stored, and is logged", async () => {
  const view = await deploy(
    `fetch("http://127.0.0.1:1/").catch(() => 0).then(() => store.set("late", 1)); setTimeout(() => store.set("later", 1), 5);`,
  );
  await emittedBy(view);
  expect(await stored()).toEqual({});
  const logs = await trial.payloads(view.source.id, "$logs");
  expect(JSON.stringify(logs)).toContain("work was not awaited");
});

test("S62 the deploy hook writes, the activate hook and the runs meanwhile read it, and all is stored at the end", async () => {
  const hooks = (more = ""): string => `hooks: {
    async deploy() { await this.store.set("a", 1); },
    async activate() { this.$emit([await this.store.get("a"), await this.store.delete("a")]); await this.store.set("b", 2); ${more} },
    async deactivate() { await this.store.set("gone", true); },
  },`;
  const view = await deploy("", hooks());
  expect(await trial.payloads(view.source.id)).toEqual([[1, true]]);
  expect(await stored()).toEqual({ b: 2 });
  await trial.runtime.delete(view.source.id);
  expect(await stored()).toEqual({ b: 2, gone: true });
  await trial.runtime.deleteDataStore("shop");
  await expect(deploy("", hooks(`throw new Error("broken")`))).rejects.toMatchObject({ code: "hook_failed" });
  expect(await stored()).toEqual({});
});

describe("S62 limits of data stores:", () => {
  const failure = async (body: string): Promise<unknown> => {
    const view = await deploy(body);
    await emittedBy(view);
    return (await errorsOf(view))[0];
  };

  test("a key", async () => {
    expect(await failure(`await store.set("k".repeat(513), 1)`)).toMatchObject({
      code: "DataStoreKeyTooLongError",
      msg: "A data store key must be at most 512 bytes, got 513",
    });
    expect(await failure(`await store.get("")`)).toMatchObject({
      msg: "A data store key must be a non-empty string or a number, got an empty string",
    });
    expect(await failure(`await store.get("\\ud800")`)).toMatchObject({ code: "TypeError" });
  });

  test("a value", async () => {
    expect(await failure(`await store.set("k", "x".repeat(61_439))`)).toMatchObject({
      code: "DataStoreValueTooLargeError",
      msg: 'The value of data store key "k" must be at most 61440 bytes of JSON, got 61441',
    });
    expect(await failure(`await store.set("k", () => 1)`)).toMatchObject({
      msg: 'The value of data store key "k" is a function, which JSON cannot hold',
    });
  });

  test("all of a store, with what other sources wrote and with deletes", async () => {
    const large = "x".repeat(60_000);
    await trial.runtime.writeDataStore("shop", [["a", large]]);
    const fill = `const large = "x".repeat(60_000); for (let n = 0; n < 16; n += 1) await store.set("n" + n, large);`;
    expect(await failure(`${fill} await store.set("b", large)`)).toMatchObject({
      code: "DataStoreTooLargeError",
      msg: 'Data store "shop" may have at most 1048576 bytes, this write makes it 1080076.',
    });
    expect(await stored()).toEqual({ a: large });
    expect(
      await run(`${fill} await store.delete("a"); await store.set("b", large); this.$emit(await store.size())`),
    ).toBe(17);
    const refused = trial.runtime.writeDataStore("shop", [["c", large]]);
    await expect(refused).rejects.toMatchObject({ code: "data_store_too_large" });
    await expect(trial.runtime.writeDataStore("a b", [])).rejects.toMatchObject({ code: "invalid_parameter" });
  });

  test("10,000 keys, whatever they hold", async () => {
    await trial.runtime.writeDataStore(
      "shop",
      Array.from({ length: 9_999 }, (_, n) => [`n${n}`, n]),
    );
    const body = `await store.set("n1", 1); await store.set("one", 1);`;
    expect(await failure(`${body} await store.set("more", 1)`)).toMatchObject({
      code: "DataStoreTooLargeError",
      msg: 'Data store "shop" may have at most 10000 keys, this write makes it 10001.',
    });
    expect(
      await run(`${body} await store.delete("one"); await store.set("other", 1); this.$emit(await store.size())`),
    ).toBe(10_000);
  });

  test("a run may catch the error and go on", async () => {
    const seen =
      await run(`let code; try { await store.set("k", "x".repeat(100_000)) } catch (error) { code = error.name }
      await store.set("k", code.length); this.$emit(code)`);
    expect(seen).toBe("DataStoreValueTooLargeError");
    expect(await stored()).toEqual({ k: "DataStoreValueTooLargeError".length });
  });
});

test("S62 keys that are names of members of objects are keys like others", async () => {
  const seen = await run(`for (const key of ["__proto__", "constructor", "toString"]) await store.set(key, key.length);
    this.$emit([await store.entries(), await store.has("valueOf"), ({}).polluted ?? null])`);
  const entries = [
    ["__proto__", 9],
    ["constructor", 11],
    ["toString", 8],
  ];
  expect(seen).toEqual([entries, false, null]);
  expect((await trial.runtime.dataStoreEntries("shop")).map(({ key }) => key)).toEqual(entries.map(([key]) => key));
});

test("S62 the name of a data store is checked, and an optional one that is not configured is undefined", async () => {
  const problem = (store: string): Promise<SourceView> => deploy("", "", store);
  for (const name of ["", "a b", "../x", "a".repeat(65), "\u00fc"])
    await expect(problem(name)).rejects.toMatchObject({
      code: "invalid_props",
      message: expect.stringContaining("the name of a data store: 1 to 64 letters") as string,
    });
  const code = componentText(`props: { store: { type: "data_store", optional: true }, http: "$.interface.http" },
    run() { this.$emit(typeof this.store) }`);
  expect(await emittedBy(await trial.deploy(code))).toBe("undefined");
  const wrong = componentText(`props: { store: { type: "data_store", default: "a b" } }, run() {}`);
  await expect(trial.deploy(wrong)).rejects.toMatchObject({ code: "invalid_component" });
});

test("S62 options read data stores, and cannot write to them", async () => {
  await trial.runtime.writeDataStore("shop", [["a", "first"]]);
  const code =
    componentText(`props: { store: { type: "data_store", default: "shop" }, choice: { type: "string", optional: true,
      async options() { try { await this.store.set("b", 1) } catch (error) { return [await this.store.get("a"), error.message] } } } },
    run() {}`);
  const { id } = await trial.runtime.saveComponent({ code });
  const answer = await trial.runtime.configure({ id, propName: "choice", configuredProps: {} });
  expect(answer).toMatchObject({
    options: [
      { value: "first" },
      { value: "set of a data store is not available in options: it can only be read there" },
    ],
  });
});

test("S62 deleting a source leaves the data store, and the last write of a key stays", async () => {
  const [one, two] = [await deploy(`await store.set("k", bodyRaw)`), await deploy(`await store.set("k", bodyRaw)`)];
  await emittedBy(one, "one");
  await emittedBy(two, "two");
  await trial.runtime.delete(one.source.id);
  await trial.runtime.delete(two.source.id);
  expect(await trial.runtime.dataStoreEntries("shop")).toEqual([
    { key: "k", value: "two", updatedAt: trial.clock.now() },
  ]);
  expect(await trial.runtime.dataStores()).toMatchObject([{ name: "shop", keys: 1, bytes: 6 }]);
});
