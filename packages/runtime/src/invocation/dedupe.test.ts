import { describe, expect, it } from "vitest";

import { dedupe, dedupeInSteps, dedupeState } from "./dedupe.ts";
import type { DedupeItem } from "./dedupe.ts";
import { sha256Hex } from "../../../model/src/process/sha256.ts";
import type { DedupeState, DedupeStrategy } from "../../../model/src/model.ts";

interface Item extends DedupeItem {
  readonly id?: string;
}

const options = { cacheSize: 100 };
const items = (...ids: (string | number)[]): Item[] => ids.map((id, index) => ({ id: String(id), at: 1_000 + index }));
const named = (prefix: string, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `${prefix}${from + index}`);
const ids = (list: readonly Item[]): (string | undefined)[] => list.map((item) => item.id);

/** Runs batches one after the other, as invocations do. */
function source(strategy: DedupeStrategy | undefined, first: readonly string[] = [], cacheSize = 100) {
  let states: { [channel: string]: DedupeState } = strategy && first.length > 0 ? { "": { strategy, ids: first } } : {};
  return {
    run(batch: readonly Item[]): (string | undefined)[] {
      const result = dedupe(strategy, states, batch, { cacheSize });
      states = { ...states, ...result.states };
      expect(result.kept.length + result.deduped.length).toBe(batch.length);
      return ids(result.kept);
    },
    state: (): readonly string[] => states[""]?.ids ?? [],
  };
}

describe("unique", () => {
  it("U1 emits each id once and compares ids as text", () => {
    const unique = source("unique");
    expect(unique.run(items("a", "b", "a", 1, "1"))).toEqual(["a", "b", "1"]);
    expect(unique.state()).toEqual(["a", "b", "1"]);
  });

  it("U2 and U3 forget first in, first out, and a hit does not refresh", () => {
    const unique = source("unique", named("x", 0, 100));
    expect(unique.run(items("x0", "x99", "new"))).toEqual(["new"]);
    expect(unique.state()).toHaveLength(100);
    expect(unique.state()[0]).toBe("x1");
    expect(unique.run(items("x0", "x1"))).toEqual(["x0", "x1"]);
    expect(unique.state()[0]).toBe("x3");
  });

  it("U4 and U5 emit every item of a list longer than the cache on each poll, and say so", () => {
    const list = items(...named("e", 0, 150));
    const unique = source("unique");
    expect(unique.run(list)).toHaveLength(150);
    expect(unique.state()).toEqual(named("e", 50, 150));
    expect(unique.run(list)).toHaveLength(150);
    expect(unique.state()).toEqual(named("e", 50, 150));
    expect(dedupe("unique", {}, list, options).windowExceeded).toEqual([""]);
    expect(dedupe("unique", {}, list.slice(0, 100), options).windowExceeded).toEqual([]);
  });

  it("G47 emits an id once per run even when the run itself pushed it out of the cache", () => {
    expect(source("unique", [], 2).run(items("a", "b", "c", "d", "a"))).toEqual(["a", "b", "c", "d"]);
  });

  it("G49 caches an id longer than 64 characters as its SHA-256", () => {
    const long = "x".repeat(65);
    const unique = source("unique");
    expect(unique.run(items(long, "y".repeat(64)))).toHaveLength(2);
    expect(unique.state()).toEqual([sha256Hex(long), "y".repeat(64)]);
    expect(unique.run(items(long))).toEqual([]);
  });

  it("shrinks to a smaller cache by dropping the oldest ids", () => {
    const unique = source("unique", ["a", "b", "c"], 2);
    expect(unique.run(items("a", "c"))).toEqual(["a"]);
    expect(unique.state()).toEqual(["c", "a"]);
  });

  it("does not change the state without new ids", () => {
    expect(dedupe("unique", { "": { strategy: "unique", ids: ["a"] } }, items("a"), options)).toMatchObject({
      kept: [],
      deduped: [{ reason: "duplicate" }],
      states: {},
    });
  });

  it("handles 100 000 emits under a cache of 50 000 without quadratic work", () => {
    const result = dedupe("unique", {}, items(...named("e", 0, 100_000)), { cacheSize: 50_000 });
    expect(result.kept).toHaveLength(100_000);
    expect(result.states[""]?.ids[0]).toBe("e50000");
  });

  it.each(["unique", "greatest", "last"] as const)(
    "lets others have the thread during 10 000 emits under %s",
    (strategy) => {
      const steps = dedupeInSteps(strategy, {}, items(...Array(10_000).keys()), { cacheSize: 100 });
      let turns = 0;
      while (steps.next().done !== true) turns += 1;
      expect(turns).toBeGreaterThan(50);
    },
  );
});

describe("greatest", () => {
  it("G1, G2 and G3 compare with the value cached before the run, as exact integers", () => {
    const greatest = source("greatest");
    expect(greatest.run(items(5, 4, 3, 3))).toEqual(["5", "4", "3"]);
    expect(greatest.state()).toEqual(["5"]);
    expect(greatest.run(items(7, 5, 6, 4))).toEqual(["7", "6"]);
    expect(greatest.state()).toEqual(["7"]);
    expect(greatest.run(items("9007199254740993", "9007199254740992"))).toHaveLength(2);
    expect(greatest.state()).toEqual(["9007199254740993"]);
    expect(greatest.run(items("9007199254740992", "9007199254740994"))).toEqual(["9007199254740994"]);
  });

  it("G4 drops an id that is not a number and leaves the state unchanged", () => {
    for (const id of ["abc", "1e999", "\u00a05"]) {
      expect(dedupe("greatest", {}, items(id), options)).toMatchObject({
        kept: [],
        deduped: [{ reason: "invalid_id" }],
        states: {},
      });
    }
  });

  it("S55 compares ids without the white space around them", () => {
    const greatest = source("greatest");
    expect(greatest.run(items(" 5", "5 ", "\t5.0", "4\n"))).toEqual([" 5", "4\n"]);
    expect(greatest.run(items("5", " 6 ", "06"))).toEqual([" 6 "]);
    expect(greatest.run(items("6", "7"))).toEqual(["7"]);
  });

  it("G6 accepts zero as a value", () => {
    const greatest = source("greatest", ["0"]);
    expect(greatest.run(items(0))).toEqual([]);
    expect(greatest.state()).toEqual(["0"]);
  });

  it("compares decimals, exponents and negative numbers with integers", () => {
    const greatest = source("greatest");
    expect(greatest.run(items(-5, -4.5, "-4.50", -4, "5", "5.0", 1e21))).toEqual(["-5", "-4.5", "-4", "5", "1e+21"]);
    expect(greatest.state()).toEqual(["1e+21"]);
    expect(greatest.run(items("1000000000000000000000", "1000000000000000000001"))).toEqual(["1000000000000000000001"]);
  });
});

describe("last", () => {
  it("L1 to L5 emit only what follows the id emitted last", () => {
    const last = source("last");
    expect(last.run(items("a", "b", "c"))).toEqual(["a", "b", "c"]);
    expect(last.state()).toEqual(["c"]);
    expect(last.run(items("b", "c", "d", "e"))).toEqual(["d", "e"]);
    expect(last.state()).toEqual(["e"]);
    expect(last.run(items("e"))).toEqual([]);
    expect(last.state()).toEqual(["e"]);
    expect(last.run(items("x", "y"))).toEqual(["x", "y"]);
    expect(last.state()).toEqual(["y"]);
    expect(last.run([])).toEqual([]);
    expect(last.state()).toEqual(["y"]);
  });

  it("L6 sorts by ts before it cuts, and caches the id of the newest ts", () => {
    const last = source("last", ["c"]);
    expect(
      last.run([
        { id: "d", ts: 30, at: 1 },
        { id: "c", ts: 20, at: 2 },
        { id: "b", ts: 10, at: 3 },
      ]),
    ).toEqual(["d"]);
    expect(last.state()).toEqual(["d"]);
  });

  it("L7 cuts at the last occurrence", () => {
    const last = source("last", ["c"]);
    expect(last.run(items("c", "d", "c", "f"))).toEqual(["f"]);
    expect(last.state()).toEqual(["f"]);
  });
});

describe("order and channels", () => {
  it("T1 sorts by ts, or by the time of the call without one", () => {
    const at = 1_000;
    const batch: Item[] = [
      { id: "n", at },
      { id: "old", ts: 10, at },
      { id: "date", ts: 5, at },
      { id: "iso", ts: 20, at },
      { id: "nan", ts: Number.NaN, at },
    ];
    expect(ids(dedupe(undefined, {}, batch, options).kept)).toEqual(["date", "old", "iso", "n", "nan"]);
  });

  it("T2 keeps the order of calls for equal ts", () => {
    const batch = [1, 2, 3].map((id) => ({ id: String(id), ts: 7, at: 9 - id }));
    expect(dedupe(undefined, {}, batch, options).kept).toEqual(batch);
  });

  it("keeps one state per channel, also for names of object members", () => {
    const batch: Item[] = ["", "__proto__", "constructor", "a"].map((name) => ({ id: "1", at: 1, name }));
    const first = dedupe("unique", {}, batch, options);
    expect(first.kept).toHaveLength(4);
    expect(Object.keys(first.states)).toEqual(["", "__proto__", "constructor", "a"]);
    expect(dedupe("unique", first.states, batch, options).kept).toEqual([]);
  });

  it("starts with an empty state when the strategy of the component changed", () => {
    const states: { [channel: string]: DedupeState } = { "": { strategy: "unique", ids: ["9", "1"] } };
    const result = dedupe("greatest", states, items(1), options);
    expect(ids(result.kept)).toEqual(["1"]);
    expect(result.states).toEqual({ "": { strategy: "greatest", ids: ["1"] } });
  });

  it("G50 drops an event without an id", () => {
    const result = dedupe("unique", {}, [{ at: 1 }, { id: "a", at: 2 }], options);
    expect(result.kept).toEqual([{ id: "a", at: 2 }]);
    expect(result.deduped[0]?.reason).toBe("invalid_id");
  });
});

describe("compared with a naive implementation", () => {
  /** A small generator of repeatable numbers below `limit`. */
  const generator = (seed: number) => {
    let state = seed;
    return (limit: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
  };

  const naive: { readonly [strategy in DedupeStrategy]: (cache: string[], batch: string[], size: number) => string[] } =
    {
      unique(cache, batch, size) {
        return batch.filter((id, index) => {
          if (batch.indexOf(id) < index || cache.includes(id)) return false;
          cache.push(id);
          if (cache.length > size) cache.shift();
          return true;
        });
      },
      greatest(cache, batch) {
        const before = cache[0] === undefined ? Number.NEGATIVE_INFINITY : Number(cache[0]);
        const kept = batch.filter((id, index) => Number(id) > before && batch.indexOf(id) === index);
        if (kept.length > 0) cache.splice(0, 1, String(Math.max(...kept.map(Number))));
        return kept;
      },
      last(cache, batch) {
        const kept = cache[0] === undefined ? batch : batch.slice(batch.lastIndexOf(cache[0]) + 1);
        if (batch.length > 0) cache.splice(0, 1, batch[batch.length - 1] ?? "");
        return kept;
      },
    };

  for (const strategy of ["unique", "greatest", "last"] as const) {
    it(`agrees for ${strategy} over 500 random histories`, () => {
      const next = generator(20_261_120);
      for (let round = 0; round < 500; round++) {
        const size = 1 + next(6);
        const subject = source(strategy, [], size);
        const cache: string[] = [];
        const seen: unknown[] = [];
        const expected: unknown[] = [];
        for (let run = 0; run < 4; run++) {
          const batch = Array.from({ length: next(9) }, (_, at): Item => {
            const id = String(next(12) - (strategy === "greatest" ? 3 : 0));
            return next(3) === 0 ? { id, at: 100 + at, ts: 95 + next(20) } : { id, at: 100 + at };
          });
          const sorted = batch
            .map((item, index) => ({ item, index, key: item.ts ?? item.at }))
            .toSorted((a, b) => a.key - b.key || a.index - b.index)
            .map(({ item }) => item.id ?? "");
          seen.push(subject.run(batch), subject.state());
          expected.push(naive[strategy](cache, sorted, size), [...cache]);
        }
        expect(seen).toEqual(expected);
      }
    });
  }
});

describe("what is shown and remembered", () => {
  const long = "x".repeat(100);

  it.each([
    ["unique", ["a", "b", "c"], ["b", "c"]],
    ["greatest", ["1", "2", "3"], ["3"]],
    ["last", ["a", "b"], ["b"]],
    ["unique", [long], [sha256Hex(long)]],
    ["last", [long], [sha256Hex(long)]],
  ] as const)("%s of %j remembers %j in a cache of two", (strategy, given, expected) => {
    expect(dedupeState(strategy, given, 2)).toEqual({ strategy, ids: expected });
  });
});
