import type { RuntimeOptions } from "@x/runtime";

import { openPostgres } from "../../packages/postgres/src/postgres.ts";
import { dropSchema, newSchema, runSql, serverUrl } from "../../packages/postgres/src/server.cases.ts";

/** Where a service of the suite keeps its data. */
export interface TestStore {
  /** The options of each of its nodes. */
  readonly nodes: readonly Pick<RuntimeOptions, "store" | "secretKey">[];
  /** Names the triggers that wait, and whether their nodes have seen them; empty for none, or for a single node. */
  waiting(): Promise<string>;
  /** Removes the data of a service that has ended. */
  remove(): Promise<void>;
}

const none = { waiting: () => Promise.resolve("") };
const inMemory: TestStore = { ...none, nodes: [{}], remove: () => Promise.resolve() };
const secretKey = "0123456789abcdef".repeat(4);

/**
 * In memory; with `X_TEST_STORE=postgres` in a schema of its own, with `X_TEST_STORE=cluster` there with two nodes; unless the
 * test says where.
 */
export async function openTestStore({ data, memory, store }: RuntimeOptions): Promise<TestStore> {
  const wanted = process.env["X_TEST_STORE"];
  if ((wanted !== "postgres" && wanted !== "cluster") || data !== undefined || memory || store) return inMemory;
  const schema = newSchema();
  const remove = (): Promise<void> => dropSchema(schema);
  if (wanted === "postgres") {
    const store = await openPostgres({ url: serverUrl, schema });
    return { ...none, nodes: [{ store, secretKey }], remove };
  }
  const given = { url: serverUrl, schema, nodes: "several" } as const;
  const stores = [await openPostgres(given), await openPostgres(given)];
  return {
    nodes: stores.map((store) => ({ store, secretKey })),
    async waiting() {
      const rows = await runSql(`SELECT id, unseen FROM "${schema}".inbox ORDER BY id`);
      return rows.map(({ id, unseen }) => `${String(id)} ${unseen === true ? "unseen" : "seen"}`).join(", ");
    },
    remove,
  };
}
