import { expect, test } from "vitest";

import { createOutputLimit } from "./output-limit.ts";
import { nextTurn } from "./tasks.ts";

test("of many messages of one kind at once the first are printed, and the number of the others; other kinds are not limited", async () => {
  const told: string[] = [];
  const print = createOutputLimit((message) => told.push(message.message === "note" ? message.text : message.message));
  const of = { source: "dc_1", name: "loop" };
  for (let i = 0; i < 50; i++) print({ message: "event", ...of, id: `1-${i}`, event: i });
  print({ message: "error", ...of, error: { name: "Error", msg: "no", stack: "" } });
  await nextTurn();
  expect(told).toEqual([
    ...Array.from({ length: 20 }, () => "event"),
    "error",
    "loop: … and 30 more of kind event; --json prints all",
  ]);
  print({ message: "event", ...of, id: "2-0", event: 1 });
  expect(told.at(-1)).toBe("event");
});
