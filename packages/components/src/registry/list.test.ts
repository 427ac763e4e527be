import { expect, test } from "vitest";

import { XError } from "../../../model/src/errors.ts";
import { seemingKey } from "../props/declared-key.ts";
import { watchUncaught } from "../../../model/src/process/uncaught.cases.ts";
import { createListRegistry } from "./list.ts";
import { recordLog, keyed } from "./registry.cases.ts";

test("R081 a list answers an unknown and a refused key while it is read, and waits for one that a module declares", async () => {
  const held = Promise.withResolvers<void>();
  const registry = createListRegistry(
    ["refused", "slow", "last"].map((key) => ({ code: keyed(key) })),
    {
      store: { registryFiles: () => Promise.resolve([]), commit: () => Promise.resolve() },
      async save(input) {
        const key = await seemingKey(input);
        if (key === "slow") await held.promise;
        throw new XError("bundle_failed", [String(key), "no"]);
      },
      declare: () => Promise.resolve([]),
      seemingKey,
      renew: () => undefined,
      retryMs: 1_000,
      logger: recordLog(),
    },
  );
  const asked = (key: string): Promise<unknown> =>
    registry.find(key).catch((error: unknown) => (XError.is(error) ? error.details["reason"] : error));
  expect(await asked("refused")).toBe("refused");
  expect(await asked("nobody-has-it")).toBe("registry_is_read");
  held.resolve();
  expect(await asked("last")).toBe("refused");
  await registry.items();
  expect(await asked("nobody-has-it")).toBeUndefined();
  await registry.close();
});

test("a list that cannot be read is empty, and says so in the log", async () => {
  using uncaught = watchUncaught();
  const logger = recordLog();
  const registry = createListRegistry([{ code: keyed("one") }], {
    store: { registryFiles: () => Promise.resolve([]), commit: () => Promise.resolve() },
    save: () => Promise.reject(new Error("not reached")),
    declare: () => Promise.resolve([]),
    seemingKey: () => Promise.reject(new Error("planned")),
    renew: () => undefined,
    retryMs: 1_000,
    logger,
  });
  await logger.waitFor("the registry could not be read");
  expect(await uncaught.found()).toEqual([]);
  expect(await registry.items()).toEqual([]);
  await registry.close();
});
