import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from "node:zlib";

import { expect, test } from "vitest";

import { never } from "./loopback.cases.ts";
import { readBody } from "./read-body.ts";
import { CutOff } from "./sent.ts";

const mb = 1024 * 1024;
const zeros = gzipSync(Buffer.alloc(60 * mb));
const nothing = (): undefined => undefined;

async function* chunks(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  for (const part of parts) yield await Promise.resolve(part);
}

const rules = { codings: ["gzip"], limit: 64 * mb, hold: nothing, signal: never };

test("a body is decoded while it is read, with all codings and chunk sizes", async () => {
  const text = "é".repeat(100_000);
  const bytes = Buffer.from(text);
  const encoded: readonly (readonly [string[], Uint8Array])[] = [
    [[], bytes],
    [["gzip"], gzipSync(bytes)],
    [["br"], brotliCompressSync(bytes)],
    [["zstd"], zstdCompressSync(bytes)],
    [["deflate", "gzip"], deflateRawSync(gzipSync(bytes))],
  ];
  for (const [codings, body] of encoded) {
    const parts = [body.subarray(0, 1), body.subarray(1, 40), body.subarray(40)];
    const read = await readBody(chunks(...parts), { ...rules, codings });
    expect(Buffer.from(read ?? []).toString()).toBe(text);
    expect(await readBody(chunks(), { ...rules, codings })).toEqual(new Uint8Array(0));
  }
});

test("decoding waits for room, and ends with its run", async () => {
  let held = 0;
  const ending = new AbortController();
  const waiting = Promise.withResolvers<void>();
  const reading = readBody(chunks(zeros), {
    ...rules,
    signal: ending.signal,
    hold(bytes) {
      held += bytes;
      if (held < mb) return undefined;
      waiting.resolve();
      return new Promise(() => undefined);
    },
  });
  await waiting.promise;
  expect(held).toBeLessThan(2 * mb);
  ending.abort(new Error("over"));
  await expect(reading).rejects.toThrow("over");
  expect(held).toBeLessThan(2 * mb);
});

test("a body beyond the limit, before or after decoding, is undefined; a broken one rejects with the part that arrived", async () => {
  expect(await readBody(chunks(zeros), { ...rules, limit: mb })).toBeUndefined();
  expect(await readBody(chunks(zeros), { ...rules, codings: [], limit: 1_000 })).toBeUndefined();
  async function* breaking(part: Uint8Array): AsyncGenerator<Uint8Array, void> {
    yield await Promise.resolve(part);
    throw new Error("reset");
  }
  const cut: unknown = await readBody(breaking(Buffer.from("abc")), { ...rules, codings: [] }).catch(
    (error: unknown) => error,
  );
  expect(cut).toBeInstanceOf(CutOff);
  expect(Buffer.from((cut as CutOff).body).toString()).toBe("abc");
  await expect(readBody(breaking(zeros.subarray(0, 100)), rules)).rejects.toBeInstanceOf(CutOff);
  await expect(readBody(chunks(Buffer.from("abc")), rules)).rejects.toThrow("incorrect header check");
});
