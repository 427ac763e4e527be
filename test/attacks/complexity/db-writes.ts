import { EffectGate, type EffectRules } from "../../../packages/sandbox/src/thread/effects.ts";
import { dedupeInSteps } from "../../../packages/runtime/src/invocation/dedupe.ts";
import { inSlices } from "../../../packages/model/src/process/slices.ts";
import { type LaneDbParts, readDbEntries } from "../../../packages/runtime/src/sources/source-db.ts";
import { searchItems } from "../../../packages/server/src/list-search.ts";
import type { ComplexInput } from "./complex-input.ts";

/** Rules with a db that is nearly full. */
const rulesFor = (dbBytes: number): EffectRules =>
  ({ effectBytesPerRun: 32 * 1024 * 1024, dbKeyBytes: 256, dbValueBytes: 60 * 1024, dbBytes }) as EffectRules;

const nameOf = (index: number): string => `key${index}`;

/** Writes of a run, as its thread counts them. */
export const dbWriteInputs: readonly ComplexInput[] = [
  {
    id: "db-writes-over-many-keys",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 100_000,
    prepare(size) {
      const keys = Array.from({ length: size / 2 }, (_, index) => nameOf(index));
      const db = Object.fromEntries(keys.map((key) => [key, "1"]));
      const gate = new EffectGate(rulesFor(10 * size), JSON.stringify({ db }));
      return () => {
        for (let index = 0; index < size; index++) gate.dbSet(nameOf(index % keys.length), "2");
      };
    },
  },
  {
    id: "db-of-small-values",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 50_000,
    prepare(size) {
      const db = new Map(Array.from({ length: size }, (_, n) => [((n * 7_919) % 200_003).toString(36), "1"]));
      const times = new Map(Array.from(db.keys(), (key) => [key, 1]));
      const store = { dbTimes: () => Promise.resolve(times) };
      const parts = { store, sourceCache: { get: () => Promise.resolve({ db }) } };
      return () => readDbEntries("dc_1", parts as unknown as LaneDbParts);
    },
  },
  {
    id: "search-of-many-keys",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 200_000,
    prepare(size) {
      const entries = Array.from({ length: size }, (_, n) => ({ key: n.toString(36) }));
      return () => searchItems(entries, { q: "no such key" }, ({ key }) => [key]);
    },
  },
  ...(["greatest", "unique", "last"] as const).map((strategy) => ({
    id: `dedupe-${strategy}-of-long-numbers`,
    class: "algorithmic complexity" as const,
    promise: "main-thread-free" as const,
    size: 16_000,
    prepare(size: number) {
      const emits = Array.from({ length: size }, (_, n) => ({ at: n, id: `${"9".repeat(994)}${100_000 + n}` }));
      return () => inSlices(dedupeInSteps(strategy, {}, emits, { cacheSize: 100 }));
    },
  })),
];
