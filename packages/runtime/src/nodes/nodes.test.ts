import { createMemoryNodes } from "./memory-nodes.cases.ts";
import { describeNodes } from "./nodes.cases.ts";

describeNodes("in memory", () => {
  const nodes = createMemoryNodes();
  return { open: async () => nodes.open(), dispose: async () => undefined };
});
