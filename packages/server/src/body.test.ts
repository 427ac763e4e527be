import { expect, test } from "vitest";

import { readBody } from "./body.ts";

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

test("a body is read whole when it fits, to the byte", async () => {
  expect(Buffer.from(await readBody(post("12345"), 5)).toString()).toBe("12345");
  await expect(readBody(post("123456"), 5)).rejects.toMatchObject({ code: "payload_too_large" });
});

test("reading stops as soon as the limit is passed", async () => {
  const { stream, asked } = endless();
  await expect(readBody(post(stream), 1_000)).rejects.toMatchObject({ code: "payload_too_large" });
  expect(asked()).toBeLessThan(20);
});

test("a declared length over the limit is refused before anything is read", async () => {
  const { stream, asked } = endless();
  const before = asked();
  const refused = readBody(post(stream, { "content-length": "1001" }), 1_000);
  await expect(refused).rejects.toMatchObject({ code: "payload_too_large" });
  expect(asked()).toBeLessThanOrEqual(before + 1);
});

test("a length that lies is found out", async () => {
  const lying = readBody(post("x".repeat(50), { "content-length": "5" }), 10);
  await expect(lying).rejects.toMatchObject({ code: "payload_too_large" });
});

test("the look at a body comes before it is read, and not for an empty one", async () => {
  const refuse = (): never => {
    throw new RangeError("looked");
  };
  await expect(readBody(post("x"), 10, refuse)).rejects.toMatchObject({ cause: { message: "looked" } });
  expect(await readBody(post(undefined), 10, refuse)).toHaveLength(0);
  expect(await readBody(post("", { "content-length": "0" }), 10, refuse)).toHaveLength(0);
});

test("an upload that breaks off is the client's fault", async () => {
  const stream = new ReadableStream({
    start(controller) {
      controller.error(new Error("gone"));
    },
  });
  await expect(readBody(post(stream), 10)).rejects.toMatchObject({ code: "malformed_request" });
});
