import { conformance, source } from "@x/testing/vitest";
import { expect, test } from "vitest";

const file = new URL("cron-counter.js", import.meta.url);

test("it counts its runs, once a minute", async () => {
  const counter = source(file, { now: "2030-01-01T12:00:30Z" });
  await counter.deploy();
  await counter.tick("3m");
  expect(counter).toHaveEmitted([
    { count: 1, scheduled: "2030-01-01T12:01:00.000Z" },
    { count: 2, scheduled: "2030-01-01T12:02:00.000Z" },
    { count: 3, scheduled: "2030-01-01T12:03:00.000Z" },
  ]);
  expect(counter.emits.at(-1)?.summary).toBe("Run 3");
});

test("it continues to count after a restart", async () => {
  const counter = source(file);
  await counter.deploy();
  await counter.tick("2m");
  await counter.restart();
  await counter.tick("1m");
  expect(counter).toHaveEmitted([{ count: 1 }, { count: 2 }, { count: 3 }]);
});

test("it conforms", () => conformance(file));
