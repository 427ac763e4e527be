import { expect, test } from "vitest";

import { watchUncaught } from "../../model/src/process/uncaught.cases.ts";
import { discard, streamAnswer } from "./answer.ts";

const failed = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ start: (controller) => controller.error(new Error("The stream was not read in time")) });

function locked(): ReadableStream<Uint8Array> {
  const stream = new ReadableStream<Uint8Array>();
  stream.getReader();
  return stream;
}

test.each([
  ["has failed", failed],
  ["is being read", locked],
  ["waits", () => new ReadableStream<Uint8Array>()],
])("an answer that is not sent, and whose stream %s, is dropped without a word", async (_, make) => {
  using uncaught = watchUncaught();
  discard(streamAnswer("text/plain", make()));
  expect(await uncaught.found()).toEqual([]);
});
