import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { startServiceHere } from "../../packages/cli/src/serve/service-here.cases.ts";
import { runKillCampaign } from "./campaign.ts";
import { apiKey, ask, killAll, type ServiceChild, startService } from "./service.child.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "x-kill-"));
});
afterAll(async () => {
  await killAll();
  await rm(folder, { recursive: true, force: true });
});

test("S1 G41 kill -9 under load loses no acknowledged request, repeats no run and leaves no partial run", async () => {
  const own = join(folder, "campaign");
  mkdirSync(own);
  const found = await runKillCampaign({ folder: own, kills: 10, seed: 20_261_121, clients: 8, maxAcknowledged: 40 });
  expect(found.problems).toEqual([]);
  expect(Object.values(found.kills).every((count) => count > 0)).toBe(true);
  expect(found.changes.cutOff).toBeGreaterThan(0);
  expect(found.acknowledged).toBeGreaterThanOrEqual(2);
  expect(found.runs).toBeGreaterThanOrEqual(found.acknowledged);
});

interface Created {
  readonly data: {
    readonly id: string;
    readonly configured_props: { readonly http: { readonly endpoint_url: string } };
  };
}
interface Events {
  readonly data: readonly { readonly event: { readonly error?: { readonly code: string } } }[];
}

interface Executions {
  readonly data: readonly object[];
}

/** A loopback server for requests of components; the test decides when it answers. */
async function startUpstream(): Promise<{
  server: Server;
  url: string;
  asked: (path: string) => Promise<ServerResponse>;
}> {
  const waiting = new Map<string, PromiseWithResolvers<ServerResponse>>();
  const slot = (path: string): PromiseWithResolvers<ServerResponse> => {
    const known = waiting.get(path) ?? Promise.withResolvers<ServerResponse>();
    waiting.set(path, known);
    return known;
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    slot(path).resolve(response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    async asked(path) {
      const response = await slot(path).promise;
      waiting.delete(path);
      return response;
    },
  };
}

const fetching = (name: string, url: string): string => `export default {
  name: "${name}", version: "1", props: { http: "$.interface.http" },
  async run(event) { await fetch("${url}"); this.$emit(event.body.id); },
};`;

test("S24 a trigger whose run crashes the process three times is abandoned, and a neighbour in flight each time is not", async () => {
  const upstream = await startUpstream();
  const data = join(folder, "abandon");
  const start = (): Promise<ServiceChild> => startService(data, { args: ["--network", "allow-private"] });
  try {
    let service = await start();
    const ids: string[] = [];
    for (const name of ["killer", "neighbour"]) {
      const code = fetching(name, `${upstream.url}/${name}`);
      const { data: source } = await ask<Created>(service.url, "POST", "/sources", { component_code: code });
      ids.push(source.id);
      const hit = await fetch(service.url + new URL(source.configured_props.http.endpoint_url).pathname, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ id: `${name}-1` }),
      });
      expect(hit.status).toBe(200);
    }
    const [killer = "", neighbour = ""] = ids;
    // Both are in flight at two crashes; the third time the suspects run one at a time.
    for (const crash of [1, 2, 3]) {
      await upstream.asked("/killer");
      if (crash < 3) await upstream.asked("/neighbour");
      await service.kill();
      if (crash < 3) service = await start();
    }
    await using last = await startServiceHere(folder, { data, apiKey, network: { mode: "allow-private" } });
    const url = new URL(last.baseUrl).origin;
    (await upstream.asked("/neighbour")).end("{}");
    // A later run of the neighbour shows that its first run has ended; the inbox of the crashing source must be empty.
    const events = async (id: string, stream: string): Promise<Events["data"]> =>
      (await ask<Events>(url, "GET", `/sources/${id}/${stream}event_summaries?expand=event`)).data;
    const probe = ask(url, "POST", `/sources/${neighbour}/run`, { event: { body: { id: "probe" } } });
    (await upstream.asked("/neighbour")).end("{}");
    await probe;
    expect((await events(neighbour, "")).map(({ event }) => event)).toEqual(["probe", "neighbour-1"]);
    expect(await events(neighbour, "$errors/")).toEqual([]);
    expect((await events(killer, "$errors/")).map(({ event }) => event.error?.code)).toEqual(["trigger_abandoned"]);
    const failed = await ask<Executions>(url, "GET", `/sources/${killer}/executions?status=failed`);
    expect(failed.data).toMatchObject([{ trigger: "http", status: "error", error: { code: "trigger_abandoned" } }]);
    const again = ask(url, "POST", `/sources/${killer}/run`, { event: { body: { id: "again" } } });
    (await upstream.asked("/killer")).end("{}");
    await again;
    expect((await events(killer, "")).map(({ event }) => event)).toEqual(["again"]);
  } finally {
    upstream.server.closeAllConnections();
    upstream.server.close();
  }
});
