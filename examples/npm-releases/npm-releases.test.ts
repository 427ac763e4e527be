import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

import { createRuntime, manualClock, type Runtime } from "@x/runtime";
import { expect, test } from "vitest";

const file = fileURLToPath(new URL("npm-releases.ts", import.meta.url));
const quarterHour = 15 * 60 * 1_000;
const startMs = Date.UTC(2030, 5, 1);

/** A registry on loopback. Packages map versions to days of January 2030; a name without an entry is 404. */
async function startRegistry(packages: Map<string, Record<string, number>>) {
  const requests: { path: string; etag: string | undefined; status: number }[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const days = packages.get(decodeURIComponent(path.slice(1)));
    const etag = `"${JSON.stringify(days)?.length}"`;
    const status = days === undefined ? 404 : request.headers["if-none-match"] === etag ? 304 : 200;
    requests.push({ path, etag: request.headers["if-none-match"], status });
    const times = Object.entries(days ?? {}).map(([version, day]) => [version, new Date(Date.UTC(2030, 0, day))]);
    const versions = Object.fromEntries(times.map(([version]) => [version, {}]));
    const time = {
      created: new Date(0),
      modified: new Date(1),
      ...Object.fromEntries(times),
      "0.0.0-gone": new Date(2),
    };
    response.writeHead(status, { etag }).end(status === 200 ? JSON.stringify({ versions, time }) : undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function events(runtime: Runtime, sourceId: string) {
  const { items } = await runtime.storedEvents(sourceId, "emits", { limit: 100 });
  return items.toReversed().map(({ dedupeId, ts, summary }) => ({ id: dedupeId, ts, summary }));
}

const ids = async (runtime: Runtime, sourceId: string): Promise<unknown[]> =>
  (await events(runtime, sourceId)).map(({ id }) => id);

test("the first run emits the latest few, later runs only what is new, asking with the etag", async () => {
  const packages = new Map<string, Record<string, number>>([
    ["one", { "1.0.0": 1, "1.1.0": 2, "1.2.0": 3 }],
    ["@scope/two", { "2.0.0": 4 }],
  ]);
  const registry = await startRegistry(packages);
  const clock = manualClock(startMs);
  await using runtime = await createRuntime({ clock, network: { mode: "allow-private" } });
  await runtime.start();
  const props = { registry: registry.url, packages: ["one", "@scope/two", "none"], latest: 2 };
  const { source } = await runtime.deploy({ file, props });
  const poll = async (): Promise<void> => {
    clock.advance(quarterHour);
    await runtime.idle();
  };

  await poll();
  expect(await events(runtime, source.id)).toEqual([
    { id: "one@1.1.0", ts: Date.UTC(2030, 0, 2), summary: "one@1.1.0" },
    { id: "one@1.2.0", ts: Date.UTC(2030, 0, 3), summary: "one@1.2.0" },
    { id: "@scope/two@2.0.0", ts: Date.UTC(2030, 0, 4), summary: "@scope/two@2.0.0" },
  ]);

  await poll();
  expect(registry.requests.slice(-3).map(({ path, status }) => [path, status])).toEqual([
    ["/one", 304],
    ["/@scope%2Ftwo", 304],
    ["/none", 404],
  ]);

  packages.set("one", { "1.0.0": 1, "1.1.0": 2, "1.2.0": 3, "1.3.0": 5 });
  await poll();
  expect(await ids(runtime, source.id)).toEqual(["one@1.1.0", "one@1.2.0", "@scope/two@2.0.0", "one@1.3.0"]);
  await registry.close();
});

test("a registry that cannot be reached is one line that says so, and the next run goes on", async () => {
  const gone = await startRegistry(new Map());
  await gone.close();
  await using runtime = await createRuntime({ network: { mode: "allow-private" } });
  const { source } = await runtime.deploy({ file, props: { registry: gone.url, packages: ["one"] } });
  const failed = await runtime.invoke(source.id);
  expect(failed.error?.message).toMatch(/^Cannot reach the npm registry: Request to http:.*ECONNREFUSED.*$/);

  const registry = await startRegistry(new Map([["one", { "1.0.0": 1 }]]));
  await runtime.update(source.id, { props: { registry: registry.url } });
  expect((await runtime.invoke(source.id)).emitted).toHaveLength(1);
  await registry.close();
});
