import { expect, test } from "vitest";

import { checkAppEvent } from "./app-event.ts";

const listening = (...names: readonly string[]): [{ names: readonly string[] }] => [{ names }];

test("A18 the name of an event must be one that the component listens to", () => {
  expect(() => checkAppEvent(listening("C1", "message"), "C1")).not.toThrow();
  expect(() => checkAppEvent(listening(), "anything")).not.toThrow();
  expect(() => checkAppEvent(listening("C1", "message"), "C2")).toThrow(
    "does not listen to C2; its events are C1, message",
  );
  expect(() => checkAppEvent([], "C1")).toThrow("needs a prop of type $.interface.apphook");
});
