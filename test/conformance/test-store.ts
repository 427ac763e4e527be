import type { RuntimeOptions } from "@x/runtime";

import { openPostgres } from "../../packages/postgres/src/postgres.ts";
import { dropSchema, newSchema, serverUrl } from "../../packages/postgres/src/server.cases.ts";

/** Where a service of the suite keeps its data. */
export interface TestStore {
  readonly options: Pick<RuntimeOptions, "store" | "secretKey">;
  /** Removes the data of a service that has ended. */
  remove(): Promise<void>;
}

const inMemory: TestStore = { options: {}, remove: () => Promise.resolve() };

/** In memory; with `X_TEST_STORE=postgres`, in a schema of its own, unless the test says where. */
export async function openTestStore({ data, memory, store }: RuntimeOptions): Promise<TestStore> {
  if (process.env["X_TEST_STORE"] !== "postgres" || data !== undefined || memory || store) return inMemory;
  const schema = newSchema();
  return {
    options: { store: await openPostgres({ url: serverUrl, schema }), secretKey: "0123456789abcdef".repeat(4) },
    remove: () => dropSchema(schema),
  };
}
