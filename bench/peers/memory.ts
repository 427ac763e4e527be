/** A process of its own for each engine: resident memory of parked tenants, and of tenants in the middle of a call. */
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

import { contestants } from "./contestants.ts";
import { answerText, eventText, openHost } from "./workload.ts";

/** Resident bytes of a tenant. */
export interface MemoryReport {
  readonly parked: number;
  readonly live: number;
}

const residentOf = (pid: number | "self"): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) * 1024;

/** After several collections, because some engines free native memory one collection later. */
async function resident(pids: readonly number[]): Promise<number> {
  for (let pass = 0; pass < 4; pass += 1) {
    globalThis.gc?.();
    await wait(100);
  }
  return residentOf("self") + pids.reduce((sum, pid) => sum + residentOf(pid), 0);
}

const early = 4;

async function measure(name: string, tenants: number): Promise<MemoryReport> {
  const contestant = contestants(early + tenants).find((each) => each.name === name);
  if (!contestant) throw new Error(`Nothing is called ${name}`);
  const { park, pids = [], close } = await contestant.open();
  for (let tenant = 0; tenant < early; tenant += 1) {
    const live = await (await park(tenant)).start(openHost());
    for (let call = 0; call < 5; call += 1) await live.call(eventText);
    await live.close();
  }
  const before = await resident(pids);
  const parked = [];
  for (let tenant = early; tenant < early + tenants; tenant += 1) parked.push(await park(tenant));
  const atRest = await resident(pids);
  const gate = Promise.withResolvers<string>();
  const asked: Promise<void>[] = [];
  const calls = parked.map(async ({ start }) => {
    const reached = Promise.withResolvers<void>();
    asked.push(reached.promise);
    const ask = (): Promise<string> => {
      reached.resolve();
      return gate.promise;
    };
    const live = await start({ ...openHost(), ask });
    await live.call(eventText);
    await live.close();
  });
  await Promise.all(asked);
  const inCalls = await resident(pids);
  gate.resolve(answerText);
  await Promise.all(calls);
  await close();
  return { parked: (atRest - before) / tenants, live: (inCalls - atRest) / tenants };
}

if (import.meta.main) {
  const [name = "", tenants = "10"] = process.argv.slice(2);
  const report = await measure(name, Number(tenants));
  process.send?.(report);
  process.disconnect?.();
  // Some engines keep threads.
  process.exit(0);
}
