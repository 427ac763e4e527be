import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { checkFile } from "../faults/older-folder.ts";
import { apiKey, ask } from "../faults/service.child.ts";
import { deleteSources, repeat, send } from "./client.ts";
import type { FloodTarget } from "./contract.ts";
import { type HeldService, startHeldService } from "./held-service.ts";
import { type Neighbours, startNeighbours } from "./neighbours.ts";

export interface FloodOptions {
  readonly data: string;
  readonly flood: string;
  /** Part of the flood's counts, from 0 to 1. */
  readonly share: number;
  readonly neighbours: number;
  /** Each neighbour gets one request in this time, on average. */
  readonly paceMs: number;
  /** Measured without a flood; before that, a warm-up of the same time. */
  readonly calmMs: number;
  readonly floodMs: number;
  /**
   * From the end of the flood to a measurement of memory, and again from the end of its sources: what was acknowledged runs on
   * for hours, in as many threads as its user may have.
   */
  readonly restMs: number;
  /** From the beginning of a second flood to SIGKILL. */
  readonly worstMs: number;
  /** `--run-timeout` of `x serve`. */
  readonly runTimeout: string;
  /** Other floods take the processors meanwhile: how long work holds the main thread says nothing. */
  readonly mayHold?: boolean;
}

/** Results of one phase of a campaign. */
export interface Phase {
  readonly answersPerSecond: number;
  /** Durations of the answers of neighbours, of `GET /users/me` and of `/healthz`. */
  readonly neighbourMs: readonly number[];
  readonly probeMs: readonly number[];
  /** CPU time of turns of the main thread's event loop. */
  readonly holdMs: readonly number[];
  readonly peakBytes: number;
  /** Probes that were not answered 200. */
  readonly failedProbes: number;
}

export interface FloodReport {
  readonly calm: Phase;
  readonly flooded: Phase;
  readonly startBytes: number;
  /** After a rest, while acknowledged runs of the flood go on. */
  readonly backlogBytes: number;
  /** After another rest without the sources of the flood. */
  readonly restedBytes: number;
  readonly restartMs: number;
  readonly restartBytes: number;
  readonly exitCode: number | null;
  /** Violated guarantees that do not depend on the speed of the machine. */
  readonly problems: readonly string[];
}

/** Starts a flooding process; resolves with a function that ends it. */
async function startFlooder(name: string, target: FloodTarget): Promise<() => Promise<void>> {
  const child = fork(fileURLToPath(new URL("flooder.ts", import.meta.url)), [], {
    execArgv: ["--conditions=@x/source"],
  });
  const gone = once(child, "exit");
  child.send({ name, target });
  await Promise.race([
    once(child, "message"),
    gone.then(([code]) => Promise.reject(new Error(`The flood ended with ${String(code)}`))),
  ]);
  return async () => {
    if (child.connected) child.send("stop");
    const limit = setTimeout(() => child.kill("SIGKILL"), 1_000);
    await gone;
    clearTimeout(limit);
  };
}

async function observe(service: HeldService, neighbours: Neighbours, ms: number): Promise<Phase> {
  const probeMs: number[] = [];
  let failedProbes = 0;
  const answered = Promise.withResolvers<void>();
  const target = { url: service.url, apiKey };
  service.takeHolds();
  service.takePeak();
  neighbours.takeTimes();
  const before = neighbours.answered;
  const began = performance.now();
  const stopProbing = repeat(1, async (turn) => {
    const next = pause(50);
    const at = performance.now();
    const path = turn % 2 === 0 ? `${target.url}/healthz` : `${target.url}/v1/users/me`;
    const response = await fetch(path, { headers: { authorization: `Bearer ${apiKey}` } }).catch(() => undefined);
    await response?.text();
    if (response?.status === 200) {
      probeMs.push(performance.now() - at);
      answered.resolve();
    } else failedProbes += 1;
    await next;
  });
  // On a busy machine the first answer may take longer.
  await Promise.all([pause(ms), answered.promise]);
  await stopProbing();
  const seconds = (performance.now() - began) / 1000;
  return {
    answersPerSecond: (neighbours.answered - before) / seconds,
    neighbourMs: neighbours.takeTimes(),
    probeMs,
    holdMs: service.takeHolds(),
    peakBytes: service.takePeak(),
    failedProbes,
  };
}

const argsFor = (runTimeout: string): string[] => [
  "--network",
  "allow-private",
  "--memory",
  "64mb",
  "--run-timeout",
  runTimeout,
];

/** Floods a service with neighbours, lets it rest, kills it during a second flood, and starts it again. */
export async function runFlood(options: FloodOptions): Promise<FloodReport> {
  const { data, flood, calmMs, floodMs, restMs, worstMs } = options;
  const problems: string[] = [];
  const args = argsFor(options.runTimeout);
  let service = await startHeldService(data, args, options.mayHold ?? false);
  const neighbours = await startNeighbours({ url: service.url, apiKey }, options.neighbours, options.paceMs);
  const { data: own } = await ask<{ data: { api_key: string } }>(service.url, "POST", "/users", { username: flood });
  const target = (): FloodTarget => ({ url: service.url, apiKey: own.api_key, share: options.share });

  await pause(calmMs);
  const calm = await observe(service, neighbours, calmMs);
  const startBytes = service.resident();
  const stopFlood = await startFlooder(flood, target());
  const flooded = await observe(service, neighbours, floodMs);
  await stopFlood();
  if (service.process.exitCode !== null || service.process.signalCode !== null) {
    await neighbours.stop();
    throw new Error(
      `The flood "${flood}" ended the service: ${service.process.signalCode ?? service.process.exitCode}`,
    );
  }
  await pause(restMs);
  const backlogBytes = service.resident();
  await deleteSources(target());
  await pause(restMs);
  const restedBytes = service.resident();

  const stopSecond = await startFlooder(flood, target());
  await pause(worstMs);
  await service.kill();
  await stopSecond();
  service = await startHeldService(data, args, options.mayHold ?? false);
  const restartMs = service.startMs;
  neighbours.moveTo({ url: service.url, apiKey });
  await neighbours.stop();
  problems.push(...(await neighbours.judge()));
  const restartBytes = service.takePeak();
  const { status } = await send({ url: service.url, apiKey }, "GET", "/users/me");
  if (status !== 200) problems.push(`GET /users/me after the restart: ${status}`);
  await service.kill("SIGTERM");
  problems.push(...checkFile(data));
  return {
    calm,
    flooded,
    startBytes,
    backlogBytes,
    restedBytes,
    restartMs,
    restartBytes,
    exitCode: service.process.exitCode,
    problems,
  };
}
