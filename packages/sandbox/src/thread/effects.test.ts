import { expect, test } from "vitest";

import { EffectGate, type EffectRules } from "./effects.ts";

const rulesFor = (dbBytes: number): EffectRules =>
  ({ effectBytesPerRun: 1_000_000, dbKeyBytes: 256, dbValueBytes: 1_000, dbBytes }) as EffectRules;

test("a write is refused exactly when the db would be too large with it, whatever was written before", () => {
  let state = 3;
  const chance = (below: number): number => (state = (state * 48_271) % 2_147_483_647) % below;
  const value = (): string => JSON.stringify("é".repeat(chance(30)));
  const most = 900;
  let refusals = 0;
  for (let round = 0; round < 20; round++) {
    let db = new Map(Array.from({ length: chance(20) }, (_, index) => [`k${index}`, value()]));
    const gate = new EffectGate(rulesFor(most), JSON.stringify({ db: Object.fromEntries(db) }));
    for (let write = 0; write < 300; write++) {
      const key = `k${chance(40)}`;
      const given = chance(8) === 0 ? undefined : value();
      const next = new Map(db);
      if (given === undefined) next.delete(key);
      else next.set(key, given);
      const size = [...next].reduce((sum, [name, text]) => sum + Buffer.byteLength(name + text), 0);
      const refusal = gate.dbSet(key, given);
      expect(refusal?.match(/this write makes it (\d+)/)?.[1]).toBe(size > most ? String(size) : undefined);
      if (refusal === undefined) db = next;
      else refusals += 1;
    }
  }
  expect(refusals).toBeGreaterThan(500);
  expect(refusals).toBeLessThan(5_500);
});
