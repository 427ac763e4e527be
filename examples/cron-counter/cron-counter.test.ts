import { fileURLToPath } from "node:url";

import { createRuntime, manualClock } from "@x/runtime";
import { expect, test } from "vitest";

const file = fileURLToPath(new URL("cron-counter.js", import.meta.url));

test("it counts on from run to run, once a minute", async () => {
  const clock = manualClock(Date.UTC(2030, 0, 1, 12, 0, 30));
  await using runtime = await createRuntime({ clock });
  await runtime.start();
  const { source } = await runtime.deploy({ file });

  for (let minute = 0; minute < 3; minute++) {
    clock.advance(60_000);
    await runtime.idle();
  }

  const { items } = await runtime.storedEvents(source.id, "emits", { limit: 10 });
  expect(items.map(({ payload }) => JSON.parse(payload) as unknown)).toEqual([
    { count: 3, scheduled: "2030-01-01T12:03:00.000Z" },
    { count: 2, scheduled: "2030-01-01T12:02:00.000Z" },
    { count: 1, scheduled: "2030-01-01T12:01:00.000Z" },
  ]);
  expect(items[0]?.summary).toBe("Run 3");
});
