import { Keyv } from "keyv";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import {
  componentText,
  createGate,
  gatedProp,
  gatedValue,
  openTrial,
  runText,
  settleTurns,
  startMs,
  type Trial,
} from "../runtime.cases.ts";

const gate = createGate();
let trial: Trial;
beforeAll(async () => {
  trial = await openTrial({ accounts: gate.accounts });
});
afterEach(() => gate.open());
afterAll(() => trial.runtime.close());

const keeper = runText(
  `for (const [key, value] of Object.entries(event)) this.db.set(key, value)`,
  `props: { db: "$.service.db" },`,
);

describe("dbEntries()", () => {
  it("S13 shows the db sorted by key, with the time of each value", async () => {
    const { source } = await trial.deploy(keeper);
    await trial.runtime.invoke(source.id, { event: { b: [1], a: null } });
    await trial.advance(1_500);
    await (await trial.runtime.db(source.id)).set("B", { n: 1 });
    expect(await trial.runtime.dbEntries(source.id)).toEqual([
      { key: "B", value: { n: 1 }, updatedAt: startMs + 1_500 },
      { key: "a", value: null, updatedAt: startMs },
      { key: "b", value: [1], updatedAt: startMs },
    ]);
    await expect(trial.runtime.dbEntries("dc_none")).rejects.toMatchObject({ code: "not_found" });
  });

  it("S13 has no times when an external Keyv stores the values", async () => {
    const own = await openTrial({ keyv: new Keyv() });
    const { source } = await own.deploy(keeper);
    await own.runtime.invoke(source.id, { event: { a: 1 } });
    expect(await own.runtime.dbEntries(source.id)).toEqual([{ key: "a", value: 1, updatedAt: null }]);
    await own.runtime.close();
  });
});

describe("resetDedupe()", () => {
  it("4.3 waits for the run under way, and clears the ids of every channel", async () => {
    const code = componentText(
      `dedupe: "unique", props: { ${gatedProp} },
       run() { this.$emit(1, { id: 1 }); this.$emit(1, { id: 1, name: "side" }) },`,
    );
    const { source } = await trial.deploy(code, gatedValue);
    gate.close();
    const running = trial.runtime.invoke(source.id);
    await settleTurns();
    const reset = trial.runtime.resetDedupe(source.id);
    await settleTurns();
    const after = trial.runtime.invoke(source.id);
    gate.open();
    await Promise.all([running, reset]);
    expect((await after).emitted).toHaveLength(2);
    expect((await trial.runtime.invoke(source.id)).deduped).toBe(2);
    await expect(trial.runtime.resetDedupe("dc_none")).rejects.toMatchObject({ code: "not_found" });
  });
});
