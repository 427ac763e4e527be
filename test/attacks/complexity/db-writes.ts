import { EffectGate, type EffectRules } from "../../../packages/runtime/src/sandbox/thread/effects.ts";
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
];
