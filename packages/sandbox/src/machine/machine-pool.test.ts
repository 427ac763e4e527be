import { expect, test } from "vitest";

import { watchUncaught } from "../../../model/src/process/uncaught.cases.ts";
import { openEngine } from "./engine.ts";
import { createMachinePool } from "./machine-pool.ts";
import { createMachineLoader } from "./quickjs-machine.ts";

const memoryBytes = 64 * 1024 * 1024;

test("machines that were not needed since the last trim are dropped, the others stay", async () => {
  const { code, base } = await openEngine();
  const loader = await createMachineLoader(code);
  const pool = await createMachinePool(loader, { base, warmBytes: 0, memoryBytes, spares: 0 });
  const take = (): ReturnType<typeof pool.take> => pool.take("dc_1", pool.base, memoryBytes, false);
  const all = [await take(), await take(), await take()];
  for (const machine of all) pool.release("dc_1", machine, pool.base, false);
  pool.trim();
  const last = await take();
  expect(last).toBe(all[2]);
  pool.release("dc_1", last, pool.base, false);
  pool.trim();
  expect(await take()).toBe(last);
  expect(all).not.toContain(await take());
});

test("without memory for spare machines, the call that needs one fails, and nothing else", async () => {
  using uncaught = watchUncaught();
  const { code, base } = await openEngine();
  const loader = await createMachineLoader(code);
  const full = { ...loader, create: () => Promise.reject(new RangeError("could not allocate memory")) };
  const pool = await createMachinePool(full, { base, warmBytes: 0, memoryBytes, spares: 1 });
  expect(await uncaught.found()).toEqual([]);
  await expect(pool.take("dc_1", pool.base, memoryBytes, false)).rejects.toThrow("could not allocate memory");
});
