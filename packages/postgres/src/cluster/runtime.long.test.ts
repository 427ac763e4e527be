import { describe } from "vitest";

import type { NodeStore } from "../../../runtime/src/nodes/memory-nodes.cases.ts";
import { describeNodes } from "../../../runtime/src/nodes/nodes.cases.ts";
import { openPostgres } from "../postgres.ts";
import { dropSchema, missingServer, newSchema, runSql, serverUrl } from "../server.cases.ts";

const reason = await missingServer();

/** A store whose node can be killed: all at once it is dead for the others. */
async function openNode(schema: string): Promise<NodeStore> {
  const store = await openPostgres({ url: serverUrl, schema, nodes: "several" });
  const { cluster } = store;
  if (!cluster) throw new Error("the store has no cluster");
  const kill = async (): Promise<void> => {
    await runSql(`UPDATE "${schema}".node SET dead = true WHERE id = $1`, [cluster.nodeId]);
  };
  return { ...store, cluster, kill };
}

describe.skipIf(reason !== undefined)("runtimes", () => {
  describeNodes("on PostgreSQL", () => {
    const schema = newSchema();
    return { open: () => openNode(schema), dispose: () => dropSchema(schema) };
  });
});
