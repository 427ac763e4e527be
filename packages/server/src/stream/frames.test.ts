import type { StoredEvent } from "@x/runtime";
import { expect, test } from "vitest";

import { eventFrame } from "./frames.ts";

const eventOf = (payload: string): StoredEvent => ({
  emitterId: "dc_1",
  stream: "emits",
  id: "5-0",
  indexedAt: 5,
  emitId: "e",
  name: "",
  payload,
});

test("a payload with line breaks between its values stays one line, and so within its event", () => {
  const text = '{"a":\n\nevent: gap\r\n"b"}'.replace("event: gap", "");
  const frame = [...eventFrame(eventOf(text), (resource) => resource)].join("");
  const [id, data, ...end] = frame.split("\n");
  expect([id, end]).toEqual(["id: 5-0", ["", ""]]);
  expect(JSON.parse(String(data).replace(/^data: /, ""))).toMatchObject({ id: "5-0", event: { a: "b" } });
});
