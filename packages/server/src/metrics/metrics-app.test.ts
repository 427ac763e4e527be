import { createRuntime, type Runtime } from "@x/runtime";
import { afterAll, beforeAll, expect, test } from "vitest";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { createApp } from "../app.ts";
import { listen } from "../../../http/src/node.ts";
import { createMetricsApp } from "./metrics-app.ts";

let runtime: Runtime;
beforeAll(async () => {
  runtime = await createRuntime({ engine: await testEngine() });
});
afterAll(() => runtime.close());

const code = (name: string): string =>
  `export default { name: "${name}", version: "1", dedupe: "unique", run({ id }) { this.$emit(id, { id, summary: id, name: id }); } }`;

async function scrape(): Promise<string> {
  const { user } = await runtime.user();
  const headers = { authorization: `Bearer ${user.apiKey}` };
  return (await createApp(runtime).fetch(new Request("http://x.test/metrics", { headers }))).text();
}

const valueOf = (text: string, series: string): number =>
  Number(
    text
      .split("\n")
      .find((line) => line.startsWith(`${series} `))
      ?.split(" ")
      .at(-1),
  );

test("the first user reads the metrics at the service; for others and without a key there are none", async () => {
  const { user } = await runtime.user();
  const other = await runtime.addUser({ username: "other" });
  const app = createApp(runtime);
  const get = async (key?: string, method = "GET"): Promise<number> => {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return (await app.fetch(new Request("http://x.test/metrics", { method, headers }))).status;
  };
  expect(await get(user.apiKey)).toBe(200);
  expect(await get(user.apiKey, "HEAD")).toBe(200);
  expect(await get(user.apiKey, "POST")).toBe(405);
  expect(await get(other.apiKey)).toBe(404);
  expect([await get(), await get("wrong")]).toEqual([401, 401]);
});

test("a port of its own answers the metrics without a key, and nothing else", async () => {
  await using server = await listen(createMetricsApp(runtime));
  const response = await fetch(`${server.url}/metrics`);
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await response.text()).toContain("\nx_queue_bytes 0\n");
  expect((await fetch(`${server.url}/v1/users/me`)).status).toBe(404);
  expect((await fetch(`${server.url}/metrics`, { method: "DELETE" })).status).toBe(405);
});

test("a name of a stranger that leads to the port gets no metrics, unless names are given", async () => {
  const statusOf = async (app: ReturnType<typeof createMetricsApp>, host: string): Promise<number> =>
    (await app.answer(new Request("http://x.test/metrics", { headers: { host } }))).status;
  const app = createMetricsApp(runtime);
  const hosts = ["127.0.0.1:9464", "localhost", "[::1]:9464", "10.0.0.7", "evil.example", "evil.example:9464", ""];
  expect(await Promise.all(hosts.map((host) => statusOf(app, host)))).toEqual([200, 200, 200, 200, 403, 403, 403]);
  expect(await statusOf(createMetricsApp(runtime, { hosts: ["metrics.internal"] }), "metrics.internal:1")).toBe(200);
  expect(await statusOf(createMetricsApp(runtime, { hosts: "any" }), "evil.example")).toBe(200);
});

test("the numbers follow what happens, and no text of any user or component is in them", async () => {
  const before = await scrape();
  const second = await runtime.addUser({ username: "secret-user", email: "secret@example.test" });
  const acting = runtime.as(second.id);
  const { source } = await acting.deploy({ code: code("SecretName"), name: "secret-slug" });
  for (const id of ["secret-id", "secret-id"]) await acting.invoke(source.id, { event: { id } });
  await acting.invoke(source.id, { event: null });
  const after = await scrape();
  const added = (series: string): number => valueOf(after, series) - valueOf(before, series);
  expect(added('x_invocations_total{trigger="manual",outcome="ok"}')).toBe(2);
  expect(added('x_invocations_total{trigger="manual",outcome="error"}')).toBe(1);
  expect(added("x_emits_total")).toBe(1);
  expect(added('x_emits_dropped_total{reason="duplicate"}')).toBe(1);
  expect(added('x_source_changes_total{change="create"}')).toBe(1);
  expect(added('x_invocation_phase_seconds_count{phase="commit"}')).toBe(3);
  expect(added('x_commits_total{outcome="ok"}')).toBeGreaterThan(3);
  for (const text of [/secret/i, second.id, source.id]) expect(after).not.toMatch(text);
  // The series do not depend on what happened.
  const series = (text: string): string[] => text.split("\n").map((line) => line.replace(/ [^ ]*$/, ""));
  expect(series(after)).toEqual(series(before));
});

test("process metrics have plausible values", async () => {
  await scrape();
  const text = await scrape();
  expect(valueOf(text, "process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  expect(valueOf(text, "process_cpu_user_seconds_total")).toBeGreaterThan(0);
  expect(valueOf(text, "process_start_time_seconds")).toBeGreaterThan(1_600_000_000);
  for (const name of ["mean", "p50", "p99", "max"])
    expect(valueOf(text, `nodejs_eventloop_lag_${name}_seconds`)).toBeGreaterThanOrEqual(0);
});

test("a closed runtime has no metrics", async () => {
  const closed = await createRuntime({ engine: await testEngine() });
  const app = createMetricsApp(closed);
  await closed.close();
  expect((await app.fetch(new Request("http://x.test/metrics", { headers: { host: "localhost" } }))).status).toBe(503);
});
