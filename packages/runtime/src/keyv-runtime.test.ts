import { join } from "node:path";

import { KeyvSqlite } from "@keyv/sqlite";
import { Keyv } from "keyv";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import {
  componentText,
  createGate,
  gatedProp,
  gatedValue,
  makeFolder,
  openTrial,
  removeFolders,
  runText,
  settleTurns,
  type Trial,
} from "./runtime.cases.ts";
import type { KeyvLike } from "../../store/src/keyv.ts";

const open: Trial[] = [];
async function opened(options: Parameters<typeof openTrial>[0]): Promise<Trial> {
  const trial = await openTrial(options);
  open.push(trial);
  return trial;
}
afterEach(async () => {
  for (const trial of open.splice(0)) await trial.runtime.close();
});
afterAll(removeFolders);

const counter = runText(
  `const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); this.$emit(n)`,
  `props: { db: "$.service.db" },`,
);

describe("createRuntime({ keyv })", () => {
  it("R065 keeps dbs in a Keyv over a Map, one entry for each source", async () => {
    const map = new Map<string, unknown>();
    const keyv = new Keyv({ store: map });
    const trial = await opened({ keyv });
    const one = await trial.deploy(counter);
    const two = await trial.deploy(counter);
    for (const { source } of [one, one, two]) await trial.runtime.invoke(source.id);
    expect(await trial.payloads(one.source.id)).toEqual([1, 2]);
    expect(await keyv.get(`db:${one.source.id}`)).toEqual({ n: "2" });
    expect(await keyv.get(`db:${two.source.id}`)).toEqual({ n: "1" });
    await trial.runtime.delete(two.source.id);
    expect(await keyv.get(`db:${two.source.id}`)).toBeUndefined();
  });

  it("R065 keeps dbs in @keyv/sqlite on a file of its own, over restarts", async () => {
    const folder = makeFolder();
    const uri = `sqlite://${join(folder, "keyv.sqlite")}`;
    const data = join(folder, "data");
    const connect = (): Keyv => new Keyv({ store: new KeyvSqlite({ uri }), throwOnErrors: true });
    const first = await openTrial({ data, keyv: connect() });
    const { source } = await first.deploy(counter);
    await first.runtime.invoke(source.id);
    await first.runtime.close();
    const second = await opened({ data, keyv: connect() });
    await second.runtime.invoke(source.id);
    expect(await second.payloads(source.id)).toEqual([1, 2]);
  });

  it("a failing Keyv never looks like a missing key: the run waits until the Keyv works again", async () => {
    const values = new Map<string, unknown>();
    let broken = false;
    const guard = <T>(work: () => T): Promise<T> =>
      broken ? Promise.reject(new Error("connection lost")) : Promise.resolve(work());
    const keyv: KeyvLike = {
      get: (key) => guard(() => values.get(key)),
      set: (key, value) => guard(() => values.set(key, value) && true),
      delete: (key) => guard(() => values.delete(key)),
    };
    const trial = await opened({ keyv });
    const { source } = await trial.deploy(counter);
    await trial.runtime.invoke(source.id);
    broken = true;
    await expect(trial.runtime.invoke(source.id)).rejects.toMatchObject({ code: "store_failed" });
    expect(await trial.payloads(source.id)).toEqual([1]);
    broken = false;
    await trial.advance(1_000);
    expect(await trial.payloads(source.id)).toEqual([1, 2]);
    expect(values.get(`db:${source.id}`)).toEqual({ n: "2" });
  });

  it("a Keyv that cannot be read fails runs and reads", async () => {
    const keyv: KeyvLike = {
      get: () => Promise.reject(new Error("locked")),
      set: () => Promise.resolve(true),
      delete: () => Promise.resolve(true),
    };
    const folder = makeFolder();
    const first = await openTrial({ data: folder });
    const { source } = await first.deploy(counter);
    await first.runtime.close();
    const trial = await opened({ data: folder, keyv });
    await expect(trial.runtime.invoke(source.id)).rejects.toMatchObject({ code: "store_failed" });
    const db = await trial.runtime.db(source.id);
    await expect(db.get("n")).rejects.toThrow("locked");
    expect(await trial.payloads(source.id)).toEqual([]);
  });

  it("3.3 a failed deploy leaves no entry", async () => {
    const keyv = new Keyv({ store: new Map() });
    const trial = await opened({ keyv });
    const code = componentText(
      `props: { db: "$.service.db" }, hooks: { deploy() { this.db.set("a", 1); throw new Error("no") } }, run() {},`,
    );
    await expect(trial.deploy(code)).rejects.toMatchObject({ code: "hook_failed" });
    const entries: unknown[] = [];
    for await (const entry of keyv.iterator?.() ?? []) entries.push(entry);
    expect(entries).toEqual([]);
  });
});

describe.each([
  ["the runtime's own store", (): object => ({})],
  ["a Keyv of the embedder", () => ({ keyv: new Keyv({ store: new Map() }) })],
])("db() over %s", (_what, options) => {
  const gate = createGate();
  let trial: Trial;
  beforeAll(async () => {
    trial = await openTrial({ ...options(), accounts: gate.accounts });
  });
  afterAll(() => trial.runtime.close());

  it("reads what runs wrote, and the next run sees what it writes", async () => {
    const { source } = await trial.deploy(counter);
    await trial.runtime.invoke(source.id);
    const db = await trial.runtime.db(source.id);
    expect(await db.get("n")).toBe(1);
    expect(await db.get("other")).toBeUndefined();
    await db.set("n", 41);
    await trial.runtime.invoke(source.id);
    expect(await trial.payloads(source.id)).toEqual([1, 42]);
    await db.delete("n");
    expect(await db.has("n")).toBe(false);
    await trial.runtime.invoke(source.id);
    expect(await db.get("n")).toBe(1);
    await db.clear();
    await trial.runtime.invoke(source.id);
    expect((await trial.payloads(source.id)).slice(2)).toEqual([1, 1]);
  });

  it("a write waits for the run under way and replaces its write", async () => {
    const { source } = await trial.deploy(
      runText(
        `this.$emit(this.db.get("n") ?? null); this.db.set("n", "run")`,
        `props: { db: "$.service.db", ${gatedProp} },`,
      ),
      gatedValue,
    );
    const db = await trial.runtime.db(source.id);
    gate.close();
    const run = trial.runtime.invoke(source.id);
    await settleTurns();
    const written = db.set("n", "outside");
    await settleTurns();
    gate.open();
    await Promise.all([run, written]);
    expect(await db.get("n")).toBe("outside");
    await trial.runtime.invoke(source.id);
    expect(await trial.payloads(source.id)).toEqual([null, "outside"]);
  });

  it("G51 refuses large values, and deleted sources", async () => {
    const { source } = await trial.deploy(counter);
    const db = await trial.runtime.db(source.id);
    await expect(db.set("n", "x".repeat(61_440))).rejects.toMatchObject({ code: "db_value_too_large" });
    await expect(db.set("k".repeat(513), 1)).rejects.toMatchObject({ code: "invalid_parameter" });
    await trial.runtime.delete(source.id);
    await expect(db.set("n", 1)).rejects.toMatchObject({ code: "not_found" });
    await expect(db.get("n")).rejects.toMatchObject({ code: "not_found" });
    await expect(trial.runtime.db(source.id)).rejects.toMatchObject({ code: "not_found" });
  });
});
