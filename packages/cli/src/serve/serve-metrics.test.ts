import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";

import { runHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";
import { startServiceHere } from "./service-here.cases.ts";

const loopback = "127.0.0.1";

test("a metrics port answers without a key, until the service ends", async () => {
  await using folder = await makeFolder();
  const service = await startServiceHere(folder.path, { metrics: { host: loopback, port: 0 } });
  const url = service.metricsUrl ?? "";
  expect(await (await fetch(url)).text()).toContain("\nx_sandbox_threads ");
  await service.close();
  await expect(fetch(url)).rejects.toThrow("fetch failed");
});

test("without the flag there is no such port", async () => {
  await using folder = await makeFolder();
  await using service = await startServiceHere(folder.path);
  expect(service.metricsUrl).toBeUndefined();
});

test("a metrics port that is taken ends the start with exit code 4 and the name of its flag", async () => {
  await using folder = await makeFolder();
  const taken = createServer().listen(0, loopback);
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as AddressInfo;
  const { code, err } = await runHere(["serve", "--port", "0", "--metrics-port", String(port)], { cwd: folder.path });
  taken.close();
  expect([code, err]).toEqual([4, expect.stringContaining("--metrics-port")]);
});
