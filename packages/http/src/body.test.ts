import { expect, test } from "vitest";

import { type BodyRules, readBody } from "./body.ts";
import { createByteBudget } from "./budget/byte-budget.ts";

const post = (body: ReadableStream | string | undefined, headers: Record<string, string> = {}): Request =>
  new Request("http://localhost/", { method: "POST", headers, ...(body !== undefined && { body }), duplex: "half" });

/** A stream without an end that counts how often it was asked. */
function endless(): { stream: ReadableStream<Uint8Array>; asked: () => number } {
  let asked = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      asked += 1;
      controller.enqueue(new Uint8Array(100));
    },
  });
  return { stream, asked: () => asked };
}

test("a body up to the limit is read completely", async () => {
  expect(Buffer.from(await readBody(post("12345"), { limit: 5 })).toString()).toBe("12345");
  await expect(readBody(post("123456"), { limit: 5 })).rejects.toMatchObject({ code: "payload_too_large" });
});

test("reading stops as soon as the limit is passed", async () => {
  const { stream, asked } = endless();
  await expect(readBody(post(stream), { limit: 1_000 })).rejects.toMatchObject({ code: "payload_too_large" });
  expect(asked()).toBeLessThan(20);
});

/** A body in chunks of some bytes. */
const inChunks = (count: number, bytes: number): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (let index = 0; index < count; index++) controller.enqueue(new Uint8Array(bytes));
      controller.close();
    },
  });

test("a body in many chunks is refused only when they are tiny, too", async () => {
  const read = async (count: number, bytes: number) =>
    (await readBody(post(inChunks(count, bytes)), { limit: 200_000 })).length;
  expect(await read(4_000, 1)).toBe(4_000);
  expect(await read(10_000, 16)).toBe(160_000);
  await expect(read(4_096, 1)).rejects.toMatchObject({ code: "body_fragmented" });
  await expect(read(10_000, 15)).rejects.toMatchObject({ code: "body_fragmented" });
});

test("a declared length over the limit is refused before anything is read", async () => {
  const { stream, asked } = endless();
  const before = asked();
  const refused = readBody(post(stream, { "content-length": "1001" }), { limit: 1_000 });
  await expect(refused).rejects.toMatchObject({ code: "payload_too_large" });
  expect(asked()).toBeLessThanOrEqual(before + 1);
});

test("a wrong content-length is detected", async () => {
  const lying = readBody(post("x".repeat(50), { "content-length": "5" }), { limit: 10 });
  await expect(lying).rejects.toMatchObject({ code: "payload_too_large" });
});

test("onFirst is called before a body is read, and not for an empty one", async () => {
  const refuse = (): never => {
    throw new RangeError("looked");
  };
  const rules = { limit: 10, onFirst: refuse };
  await expect(readBody(post("x"), rules)).rejects.toMatchObject({ cause: { message: "looked" } });
  expect(await readBody(post(undefined), rules)).toHaveLength(0);
  expect(await readBody(post("", { "content-length": "0" }), rules)).toHaveLength(0);
});

/** A body of this many bytes that then says nothing more. */
const stuck = (bytes: number): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(bytes)) });

test("incomplete bodies have a budget; one without progress is evicted", async () => {
  let now = 0;
  const limits = { bytes: 100, bytesPerHolder: 50, patienceMs: 10 };
  const budget = createByteBudget(limits, () => now);
  const rules = (holder: string): BodyRules => ({ limit: 1_000, open: () => budget.open(holder) });
  const slow = readBody(post(stuck(40)), rules("a")).catch((error: unknown) => error);
  await expect.poll(() => budget.bytes).toBe(40);
  await expect(readBody(post(stuck(11)), rules("a"))).rejects.toMatchObject({ code: "overloaded" });
  now = 10;
  const other = post(new Blob(["x".repeat(45)]).stream());
  expect(await readBody(other, rules("a"))).toHaveLength(45);
  expect(await slow).toMatchObject({ code: "overloaded" });
  expect(budget.bytes).toBe(0);
});

test("an incomplete upload is an error of the client", async () => {
  const stream = new ReadableStream({
    start(controller) {
      controller.error(new Error("gone"));
    },
  });
  await expect(readBody(post(stream), { limit: 10 })).rejects.toMatchObject({ code: "malformed_request" });
});
