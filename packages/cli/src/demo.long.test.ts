import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, onTestFinished, test, vi } from "vitest";

import { startHere } from "./run-here.cases.ts";
import { makeFolder, spawnX } from "./spawned.cases.ts";

test("the demo serves the examples, polls the configured registry and shows events as they arrive", async () => {
  await using folder = await makeFolder();
  const registry = createServer((_request, response) => {
    const versions = { "1.0.0": {}, "2.0.0": {} };
    response.end(
      JSON.stringify({ versions, time: { "1.0.0": "2030-01-01T00:00:00Z", "2.0.0": "2030-01-02T00:00:00Z" } }),
    );
  }).listen(0, "127.0.0.1");
  await once(registry, "listening");
  const { port } = registry.address() as AddressInfo;

  await using x = spawnX(["demo", "--port", "0", "--api-key", "key-of-the-demo"], {
    cwd: folder.path,
    env: { npm_config_registry: `http://127.0.0.1:${port}/` },
  });
  await x.printed(/^\d\d:\d\d:\d\d {2}cron-counter {2}Run 1 {2}\{"count":1,/m);
  await x.printed(/^\d\d:\d\d:\d\d {2}npm-releases {2}croner@2\.0\.0 {2}\{"name":"croner","version":"2\.0\.0",/m);
  const [, baseUrl = ""] = await x.printed(/Base URL +(\S+)$/m);
  const [, endpoint = ""] = await x.printed(/^ {2}curl -H 'content-type: application\/json' -d '\{.*\}' (\S+)$/m);
  const answer = await fetch(endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"message":"hello"}',
  });
  expect(answer.status).toBe(201);
  await x.printed(/http-inbox {4}hello {2}\{"id":/);
  const list = await fetch(`${baseUrl}/users/me/sources/`, { headers: { authorization: "Bearer key-of-the-demo" } });
  expect(await list.json()).toMatchObject({ page_info: { total_count: 3 } });

  x.child.kill("SIGINT");
  expect([await x.exit, x.err()]).toEqual([0, ""]);
  registry.closeAllConnections();
  registry.close();
});

test("without a registry that answers, one line says so and the rest works", async () => {
  await using folder = await makeFolder();
  // Port 1 of loopback: nobody listens.
  vi.stubEnv("npm_config_registry", "http://127.0.0.1:1/");
  onTestFinished(() => void vi.unstubAllEnvs());
  await using x = startHere(["demo", "--port", "0"], { cwd: folder.path });
  await x.printed(/npm-releases {2}! Cannot reach the npm registry: .*ECONNREFUSED.*$/m);
  await x.printed(/cron-counter {2}Run 1/);
  x.hear("SIGTERM");
  expect([await x.exit, x.err()]).toEqual([0, ""]);
});
