import type { RuntimeOptions } from "@x/runtime";

import { openPostgres } from "../../packages/postgres/src/postgres.ts";
import { dropSchema, newSchema, serverUrl } from "../../packages/postgres/src/server.cases.ts";

/** Where a service of the suite keeps its data. */
export interface TestStore {
  /** The options of each of its nodes. */
  readonly nodes: readonly Pick<RuntimeOptions, "store" | "secretKey">[];
  /** Removes the data of a service that has ended. */
  remove(): Promise<void>;
}

const inMemory: TestStore = { nodes: [{}], remove: () => Promise.resolve() };
const secretKey = "0123456789abcdef".repeat(4);

/**
 * In memory; with `X_TEST_STORE=postgres` in a schema of its own, with `X_TEST_STORE=cluster` there with two nodes; unless the
 * test says where.
 */
export async function openTestStore({ data, memory, store }: RuntimeOptions): Promise<TestStore> {
  const wanted = process.env["X_TEST_STORE"];
  if ((wanted !== "postgres" && wanted !== "cluster") || data !== undefined || memory || store) return inMemory;
  const schema = newSchema();
  const stores =
    wanted === "postgres"
      ? [await openPostgres({ url: serverUrl, schema })]
      : [
          await openPostgres({ url: serverUrl, schema, nodes: "several" }),
          await openPostgres({ url: serverUrl, schema, nodes: "several" }),
        ];
  return { nodes: stores.map((each) => ({ store: each, secretKey })), remove: () => dropSchema(schema) };
}
