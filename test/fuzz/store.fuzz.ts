import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openSqliteStore } from "../../packages/store/src/sqlite/sqlite.ts";
import { defineTarget, type Fuzzer } from "./fuzzer.ts";
import { createModel, type StoreStep, storeSteps, takeSteps, type Tried } from "./store-steps.ts";

/** A store in a folder. A crash leaves what the folder held at that moment. */
async function openTried(root: string): Promise<Tried & AsyncDisposable> {
  let folder = join(root, "0");
  let store = await openSqliteStore({ folder });
  let copies = 0;
  return {
    store: () => store,
    async reopen() {
      await store.close();
      store = await openSqliteStore({ folder });
    },
    async crash() {
      const left = join(root, String(++copies));
      await cp(folder, left, { recursive: true, filter: (path) => !/shm$|lock/.test(path) });
      await store.close();
      folder = left;
      store = await openSqliteStore({ folder });
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
}

export const storeFuzzer: Fuzzer = {
  name: "store",
  about: "the store in SQLite answers as the one in memory after every commit, also after crashes",
  runs: 60,
  open: async () =>
    defineTarget<readonly StoreStep[]>({
      arbitrary: storeSteps,
      async property(steps) {
        const root = await mkdtemp(join(tmpdir(), "x-fuzz-"));
        try {
          await using tried = await openTried(root);
          await takeSteps(steps, createModel(), tried);
        } finally {
          await rm(root, { recursive: true, force: true });
        }
      },
    }),
};
