import { constants, PerformanceObserver } from "node:perf_hooks";

import { expect, test } from "vitest";

import { answerIntl } from "../thread/intl-ops.ts";
import { answerZlib } from "../libraries/libraries.ts";
import { createNativeGarbage } from "./native-garbage.ts";

const megabyte = 1024 * 1024;
const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("garbage is collected beyond a limit: that of dropped machines after the turn, that of host functions immediately", async () => {
  let collections = 0;
  const waiting = createNativeGarbage(() => (collections += 1));
  waiting.left(20 * megabyte);
  expect(collections).toBe(0);
  waiting.left(4 * megabyte);
  expect(collections).toBe(1);
  waiting.left(16 * megabyte);
  waiting.dropped(8 * megabyte);
  expect(collections).toBe(1);
  await nextTurn();
  expect(collections).toBe(2);
  waiting.left(23 * megabyte);
  expect(collections).toBe(2);
});

interface Collected {
  readonly detail?: { readonly flags?: number };
}

/** The number of forced collections during synchronous work. */
async function collectionsDuring(work: () => void): Promise<number> {
  let found = 0;
  const note = (entries: readonly object[]): void => {
    const forced = (entries as readonly Collected[]).filter(
      ({ detail }) => ((detail?.flags ?? 0) & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0,
    );
    found += forced.length;
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  work();
  await nextTurn();
  await nextTurn();
  note(observer.takeRecords());
  observer.disconnect();
  return found;
}

function format(locale: string): void {
  expect(answerIntl(`["DateTimeFormat",["${locale}"],{"dateStyle":"full"},"format"]\n[["n","0"]]`)).toContain("1970");
}

const repeat = (times: number, work: (index: number) => void) => () => {
  for (let index = 0; index < times; index += 1) work(index);
};

test("many formatters are collected meanwhile; one formatter is reused", async () => {
  expect(await collectionsDuring(repeat(1_000, () => format("en-x-same")))).toBe(0);
  expect(await collectionsDuring(repeat(1_000, (index) => format(`en-x-a${index}`)))).toBeGreaterThanOrEqual(2);
});

const ask = (name: string, given: object, data: Uint8Array, dictionary = new Uint8Array(0)): string | Uint8Array =>
  answerZlib(JSON.stringify([name, given, [data.length, dictionary.length]]), Buffer.concat([data, dictionary]));
const plain = { options: {}, hasDictionary: false };

test("garbage of compression and of unused streams is collected meanwhile", async () => {
  const data = new Uint8Array(megabyte);
  expect(await collectionsDuring(repeat(30, () => ask("gzip", plain, data)))).toBeGreaterThanOrEqual(1);
  const check = (): unknown => ask("checkOptions", { ...plain, format: "gzip" }, data.subarray(0, 0));
  expect(await collectionsDuring(repeat(1_000, check))).toBeGreaterThanOrEqual(2);
});

test("much invalid compressed data in one turn of the event loop is refused", async () => {
  const data = new Uint8Array(8 * megabyte);
  const tries = Array.from({ length: 12 }, () => String(ask("gunzip", plain, data)));
  expect(tries[0]).toContain("Z_DATA_ERROR");
  expect(tries.at(-1)).toContain("ERR_OUT_OF_RANGE");
  expect(tries.at(-1)).toContain("Decompressing so much invalid data exceeds the limit of the sandbox for one call");
  await nextTurn();
  expect(String(ask("gunzip", plain, data))).toContain("Z_DATA_ERROR");
});
