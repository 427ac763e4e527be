import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Runtime } from "@x/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";

import { registerWorkflows } from "../../packages/cli/src/serve/deploy-files.ts";
import { startServiceHere } from "../../packages/cli/src/serve/service-here.cases.ts";
import { apiKey, ask, killAll, startService } from "./service.child.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "x-workflow-kill-"));
});
afterAll(async () => {
  await killAll();
  await rm(folder, { recursive: true, force: true });
});

const workflow = (url: string): string => `export default {
  id: "p_killed", name: "Killed", trigger: { type: "http" },
  steps: [
    { name: "count", props: { db: "$.service.db" }, run({ $ }) {
      const n = (this.db.get("n") ?? 0) + 1;
      this.db.set("n", n);
      $.send.emit({ before: n });
      return n;
    } },
    { name: "wait", run: () => fetch("${url}").then(() => undefined) },
    { name: "tell", run({ steps, $ }) { $.send.emit({ after: steps.count.$return_value }) } },
  ],
};`;

test("S1 kill -9 during a workflow: the run has no effect, and happens after the restart", async () => {
  let asked = Promise.withResolvers<ServerResponse>();
  const upstream = createServer((_request, response) => asked.resolve(response));
  await new Promise<void>((resolve) => {
    upstream.listen(0, "127.0.0.1", resolve);
  });
  try {
    const file = join(folder, "killed.js");
    await writeFile(file, workflow(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`));
    const args = ["--network", "allow-private", "--workflow", file];
    const first = await startService(join(folder, "data"), { args });
    const list = await ask<{ data: { endpoint_url: string }[] }>(first.url, "GET", "/users/me/workflows");
    const path = new URL(list.data[0]?.endpoint_url ?? "").pathname;
    expect((await fetch(first.url + path, { method: "POST" })).status).toBe(200);
    await asked.promise;
    await first.kill();

    asked = Promise.withResolvers<ServerResponse>();
    // An unregistered workflow does not run, and its triggers stay.
    const options = { apiKey, network: { mode: "allow-private" } } as const;
    const without = await startServiceHere(folder, options);
    const urlWithout = new URL(without.baseUrl).origin;
    const events = async (url: string): Promise<unknown[]> => {
      const read = await ask<{ data: { event: unknown }[] }>(url, "GET", "/workflows/p_killed/event_summaries");
      return read.data.map(({ event }) => event);
    };
    expect(await events(urlWithout)).toEqual([]);
    expect((await fetch(urlWithout + path, { method: "POST" })).status).toBe(404);
    await without.close();

    const prepare = async (runtime: Runtime): Promise<void> => void (await registerWorkflows(runtime, [file]));
    await using again = await startServiceHere(folder, { ...options, prepare });
    const url = new URL(again.baseUrl).origin;
    (await asked.promise).end("{}");
    // A later run shows that the first has ended.
    asked = Promise.withResolvers<ServerResponse>();
    expect((await fetch(url + path, { method: "POST" })).status).toBe(200);
    const second = await asked.promise;
    expect(await events(url)).toEqual([{ raw_event: { after: 1 } }, { raw_event: { before: 1 } }]);
    second.end("{}");
  } finally {
    upstream.closeAllConnections();
    upstream.close();
  }
});
