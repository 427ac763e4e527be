import { expect, test } from "vitest";

import { addTrigger, exampleTrigger } from "../conformance/examples.cases.ts";
import { storeConformance } from "../conformance/conformance.cases.ts";
import { createMemory, createMemoryStore } from "./memory.ts";

storeConformance("memory", async () => {
  const store = createMemoryStore();
  return { store, dispose: () => store.close() };
});

test("a start that failed, and so used nothing, keeps the marks of a crash", async () => {
  const memory = createMemory();
  await memory.open().commit([addTrigger(exampleTrigger("t_1"), true)]);
  await memory.open().close();
  expect(await memory.open().recoverTriggers()).toMatchObject([{ id: "t_1", crashes: 1 }]);
});
