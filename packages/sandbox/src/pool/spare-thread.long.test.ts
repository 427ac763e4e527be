import { expect, test } from "vitest";

import { openOwnSandbox, runBody, tryComponent } from "../sandbox.cases.ts";

const rounds = 8;

test("pairs of longer calls use the spare thread, and start no thread for each pair", async () => {
  let started = 0;
  const count = (): void => void (started += 1);
  process.on("worker", count);
  const sandbox = openOwnSandbox();
  const busy = runBody("for (let n = 0, sum = 0; n < 3e6; n++) sum += n; this.$emit(1);");
  const call = (source: string): Promise<unknown> => tryComponent(sandbox, busy, { source });
  await call("dc_1");
  for (let round = 0; round < rounds; round += 1) await Promise.all([call("dc_1"), call("dc_2")]);
  await sandbox.close();
  process.off("worker", count);
  expect(started).toBeLessThanOrEqual(3);
});
