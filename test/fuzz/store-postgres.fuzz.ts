import type { Store } from "../../packages/store/src/contract.ts";
import { type CutProxy, startCutProxy } from "../../packages/postgres/src/cut-proxy.cases.ts";
import { openPostgres } from "../../packages/postgres/src/postgres.ts";
import {
  dropSchema,
  emptySchema,
  missingServer,
  newSchema,
  serverUrl,
} from "../../packages/postgres/src/server.cases.ts";
import { defineTarget, type Fuzzer } from "./fuzzer.ts";
import { createModel, type StoreStep, storeSteps, takeSteps, type Tried } from "./store-steps.ts";

/** A store whose connections go through a proxy. A crash cuts them for good. */
async function openTried(schema: string): Promise<Tried & AsyncDisposable> {
  const left: Promise<void>[] = [];
  let proxy: CutProxy;
  let store: Store;
  const open = async (): Promise<void> => {
    proxy = await startCutProxy({ host: "127.0.0.1", port: 5432 });
    const url = new URL(serverUrl);
    url.port = String(proxy.port);
    store = await openPostgres({ url: url.href, schema });
  };
  const end = async (): Promise<void> => {
    await store.close();
    await proxy.close();
  };
  await open();
  return {
    store: () => store,
    async reopen() {
      await end();
      await open();
    },
    async crash() {
      await proxy.close();
      const lost = store;
      await open();
      left.push(lost.close());
    },
    async [Symbol.asyncDispose]() {
      await end();
      await Promise.all(left);
    },
  };
}

export const storePostgresFuzzer: Fuzzer = {
  name: "store-postgres",
  about: "the store in PostgreSQL answers as the one in memory after every commit, also after crashes",
  runs: 12,
  async open() {
    const reason = await missingServer();
    if (reason !== undefined) return `no PostgreSQL answers (${reason})`;
    const schema = newSchema();
    return defineTarget<readonly StoreStep[]>({
      arbitrary: storeSteps,
      async property(steps) {
        try {
          await using tried = await openTried(schema);
          await takeSteps(steps, createModel(), tried);
        } finally {
          await emptySchema(schema);
        }
      },
      close: () => dropSchema(schema),
    });
  },
};
