import { expect, onTestFinished, test } from "vitest";

import { watchUncaught } from "../../../model/src/process/uncaught.cases.ts";
import { createNamespace } from "../namespace.ts";
import { dropSchema, missingServer, newSchema, runSql, serverUrl } from "../server.cases.ts";
import { eventually, openNode } from "./node.cases.ts";

const reason = await missingServer();

test.skipIf(reason !== undefined)("notifications of other programs on a node's channel change nothing", async () => {
  using uncaught = watchUncaught();
  const schema = newSchema();
  onTestFinished(() => dropSchema(schema));
  const node = await openNode({ url: serverUrl, schema });
  const { channel } = createNamespace(schema);
  for (const payload of ["", "hello", "null", '{"f":"n_1","m":5}', '{"f":"n_1","e":[1]}'])
    await runSql("SELECT pg_notify($1, $2)", [channel, payload]);
  // It arrives after them.
  await runSql("SELECT pg_notify($1, $2)", [channel, '{"f":"n_1","e":true}']);
  await eventually(() => expect(node.emitted).toContain(undefined));
  expect(await uncaught.found()).toEqual([]);
  await node.close();
});
