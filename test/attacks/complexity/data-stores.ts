import { CallDataStores } from "../../../packages/runtime/src/data-stores/call-data-stores.ts";
import { defaults } from "../../../packages/model/src/limits.ts";
import { createMemoryStore } from "../../../packages/store/src/memory/memory.ts";
import type { ComplexInput } from "./complex-input.ts";

/** A data store with as many small keys as one may have. */
export const dataStoreInputs: readonly ComplexInput[] = [
  {
    id: "data-store-of-small-values",
    class: "algorithmic complexity",
    promise: "main-thread-free",
    size: 10_000,
    async prepare(size) {
      const store = createMemoryStore();
      const keys = Array.from({ length: size }, (_, n) => ((n * 7_919) % 200_003).toString(36));
      await store.commit(
        keys.map((key) => ({ op: "data_store.set", userId: "u_1", name: "shop", key, value: "1", at: 1 }) as const),
      );
      const call = new CallDataStores({ store, userId: "u_1", limits: defaults });
      return async () => {
        await call.answer({ name: "shop", op: "set", key: keys[0] ?? "", value: "2" });
        for (const op of ["keys", "entries", "size"] as const)
          await call.answer({ name: "shop", op, key: "", value: "" });
      };
    },
  },
];
