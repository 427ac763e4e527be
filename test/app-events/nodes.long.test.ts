import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { createRuntime, manualClock, type Runtime, type SourceView } from "@x/runtime";

import { openPostgres } from "../../packages/postgres/src/postgres.ts";
import { dropSchema, missingServer, newSchema, serverUrl } from "../../packages/postgres/src/server.cases.ts";
import {
  appRequest,
  connected,
  listenerText,
  slackMessage,
  vector,
  vectorMs,
} from "../../packages/runtime/src/app-events/app-trial.cases.ts";

/** Three nodes on one database. */
describe.skipIf((await missingServer()) !== undefined)("app events of three nodes", () => {
  const schema = newSchema();
  const clock = manualClock(vectorMs);
  let nodes: Runtime[];
  let url: string;
  const views: SourceView[] = [];

  beforeAll(async () => {
    nodes = await Promise.all(
      [1, 2, 3].map(async () => {
        const store = await openPostgres({ url: serverUrl, schema, nodes: "several" });
        const runtime = await createRuntime({
          store,
          clock,
          secretKey: "0123456789abcdef".repeat(4),
          publicUrl: "https://x.example",
        });
        await runtime.start();
        return runtime;
      }),
    );
    const [one] = nodes as [Runtime];
    url = (await one.putAppEndpoint({ app: "slack", secret: "slack-secret" })).endpointUrl;
    const account = await connected(one, "slack", { team_id: "T1", oauth_uid: "U1" });
    for (let n = 0; n < 12; n += 1)
      views.push(
        await one.deploy({ code: listenerText("slack", "static: []"), props: { app: account }, name: `l${n}` }),
      );
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await dropSchema(schema);
  });

  const counts = async (): Promise<number[]> => {
    const [one] = nodes as [Runtime];
    await one.idle();
    return Promise.all(
      views.map(async ({ source }) => (await one.storedEvents(source.id, "emits", { limit: 100 })).totalCount),
    );
  };

  test("A12 any node answers, and the owners of the sources run them", async () => {
    for (const [index, node] of nodes.entries()) {
      const answer = await node.request(url, appRequest(slackMessage({ channel: "C1", text: String(index) })));
      expect(answer.status).toBe(200);
    }
    expect(new Set(await counts())).toEqual(new Set([3]));
  });

  test("F3 an id that comes to all nodes at once runs once", async () => {
    const before = await counts();
    const statuses = await Promise.all(
      nodes.map(async (node) => (await node.request(url, appRequest(vector("V1")))).status),
    );
    expect(statuses).toEqual([200, 200, 200]);
    expect(await counts()).toEqual(before.map((count) => count + 1));
    const { recent } = await (nodes[1] as Runtime).appEndpoint("slack");
    expect(
      recent
        .filter(({ eventId }) => eventId === "Ev1")
        .map(({ outcome }) => outcome)
        .toSorted(),
    ).toEqual(["delivered", "duplicate", "duplicate"]);
  });

  test("A15 every node shows what another one has refused", async () => {
    const [one, two] = nodes as [Runtime, Runtime];
    const answer = await one.request(url, appRequest(vector("V1"), { body: Buffer.from("{}") }));
    expect(answer.status).toBe(401);
    const { recent } = await two.appEndpoint("slack");
    expect(recent.filter(({ outcome }) => outcome === "rejected")).toHaveLength(1);
  });
});
