import { expect, it, vi } from "vitest";

import { createEngine } from "../engine.ts";
import { createRuntime } from "../runtime.ts";
import { createMemoryNodes } from "./memory-nodes.cases.ts";
import { describeNodes } from "./nodes.cases.ts";

describeNodes("in memory", () => {
  const nodes = createMemoryNodes();
  return { open: async () => nodes.open(), dispose: async () => undefined };
});

it("a node takes sources of others when a thread of its sandbox is ready for them", async () => {
  await using engine = await createEngine({ workers: 1 });
  const store = createMemoryNodes().open();
  const { join } = store.cluster;
  const threads: number[] = [];
  vi.spyOn(store.cluster, "join").mockImplementation((handlers) => {
    threads.push(engine.sandbox.stats().threads);
    return join(handlers);
  });
  const runtime = await createRuntime({ store, secretKey: "0123456789abcdef".repeat(4), engine });
  await runtime.start();
  expect(threads).toEqual([1]);
  await runtime.close();
});
