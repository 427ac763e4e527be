import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";

import { createGate, gatedProp, gatedValue, openTrial, makeFolder, removeFolders, runText } from "../runtime.cases.ts";

afterEach(removeFolders);

it("counts runs by trigger and outcome, emits and drops, phases and commits", async () => {
  const { runtime, deploy } = await openTrial({ data: makeFolder() });
  const code = runText(
    `for (const id of event) this.$emit(id, { id }); if (event.length === 1) throw new Error("one");`,
    `dedupe: "unique",`,
  );
  const { source } = await deploy(code);
  await runtime.invoke(source.id, { event: [1, 2] });
  await runtime.invoke(source.id, { event: [2, 3, 3] });
  await runtime.invoke(source.id, { event: [4] });
  const stats = await runtime.stats();
  await runtime.close();
  expect(stats.invocations.MANUAL).toEqual({ ok: 2, error: 1, timeout: 0, out_of_memory: 0 });
  expect(stats.invocations.TIMER.ok).toBe(0);
  expect(stats).toMatchObject({
    emitted: 4,
    dropped: { duplicate: 1, repeated_in_run: 1, not_greater: 0 },
    changes: { create: 1, update: 0 },
    queue: { waiting: 0, running: 0, bytes: 0 },
    deliveries: { attempts: { delivered: 0, retried: 0, dead: 0 }, pending: 0, oldestMs: 0 },
  });
  for (const phase of Object.values(stats.phases)) expect(phase.count).toBe(3);
  expect(stats.phases.sandbox.sum).toBeGreaterThan(0);
  expect(stats.computeMs).toBeGreaterThan(0);
  expect(stats.commits.done).toBeGreaterThanOrEqual(6);
  expect(stats.commits.batches.sum).toBe(stats.commits.done);
  expect(stats.sandbox.calls).toBeGreaterThanOrEqual(3);
});

it("counts waiting and running triggers", async () => {
  const gate = createGate();
  const { runtime, deploy } = await openTrial({ accounts: gate.accounts });
  const { source } = await deploy(runText("", `props: { ${gatedProp} },`), gatedValue);
  gate.close();
  const started = Array.from({ length: 3 }, () => runtime.invoke(source.id, { wait: false }));
  await Promise.all(started);
  await new Promise(setImmediate);
  const { waiting, running, bytes } = (await runtime.stats()).queue;
  gate.open();
  await runtime.idle();
  const after = (await runtime.stats()).queue;
  await runtime.close();
  expect([waiting, running]).toEqual([2, 1]);
  expect(bytes).toBeGreaterThan(3 * 2_048);
  expect(after).toEqual({ waiting: 0, running: 0, bytes: 0 });
});

it("counts deliveries by outcome, and has the age of the oldest pending one", async () => {
  const server = createServer((_, response) => response.writeHead(500).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { runtime, deploy, advance, clock } = await openTrial({ deliverySchedule: [0, 60_000] });
  const { source } = await deploy(runText("this.$emit(1);"));
  const webhook = await runtime.createWebhook({ url });
  await runtime.subscribe({ emitterId: source.id, listenerId: webhook.id });
  await runtime.invoke(source.id);
  await runtime.idle();
  clock.jump(5_000);
  const { deliveries } = await runtime.stats();
  await advance(120_000);
  const later = (await runtime.stats()).deliveries;
  await runtime.close();
  server.close();
  expect(deliveries).toMatchObject({ attempts: { delivered: 0, retried: 1, dead: 0 }, pending: 1, oldestMs: 5_000 });
  expect(later).toMatchObject({ attempts: { delivered: 0, retried: 1, dead: 1 }, pending: 0, oldestMs: 0 });
  expect(later.attemptMs.count).toBe(2);
});

it("counts threads that a component takes with it, and evaluations of modules", async () => {
  const { runtime, deploy } = await openTrial({ workers: 1, limits: { runTimeoutMs: 300 } });
  const code = `if (event.endless) "a".repeat(2e6).indexOf("a".repeat(1e6) + "b");`;
  const { source } = await deploy(runText(code));
  for (const n of [1, 2, 3]) await runtime.invoke(source.id, { event: { n } });
  const before = (await runtime.stats()).sandbox;
  const { status } = await runtime.invoke(source.id, { event: { endless: true } });
  const after = (await runtime.stats()).sandbox;
  await runtime.close();
  expect(before.calls).toBe(3);
  expect(before.imageMisses).toBeLessThanOrEqual(1);
  expect(before.threadStarts).toBeGreaterThanOrEqual(1);
  expect([before.threadKills, status, after.threadKills]).toEqual([0, "timeout", 1]);
});
