import { storeConformance } from "../conformance/conformance.cases.ts";
import { createMemoryStore } from "./memory.ts";

storeConformance("memory", async () => {
  const store = createMemoryStore();
  return { store, dispose: () => store.close() };
});
