import { expect, test } from "vitest";

import { defaults } from "../../../model/src/limits.ts";
import { watchUncaught } from "../../../model/src/process/uncaught.cases.ts";
import { runBody, tryComponent } from "../sandbox.cases.ts";
import { createLocalSandbox } from "./local-sandbox.ts";

test("a sandbox whose engine does not start says so at the first use, not while it is warmed", async () => {
  using uncaught = watchUncaught();
  const sandbox = createLocalSandbox({
    limits: defaults,
    machines: () => Promise.reject(new RangeError("could not allocate memory")),
    images: { get: () => undefined, set: () => undefined },
    limitMs: (timeoutMs) => timeoutMs,
  });
  sandbox.warm();
  expect(await uncaught.found()).toEqual([]);
  const { outcome } = await tryComponent(sandbox, runBody(""));
  expect(outcome.error?.message).toContain("could not allocate memory");
  await sandbox.close();
});
