import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

import type { Hostile } from "../../packages/sandbox/src/hostile.cases.ts";
import { ask, type ServiceChild } from "./service.child.ts";

interface Created {
  readonly data: {
    readonly id: string;
    readonly configured_props: { readonly http: { readonly endpoint_url: string } };
  };
}

interface Deployed {
  readonly id: string;
  readonly url: string;
}

/** The result of one hostile program for its client and its neighbours. */
export interface HostileEnd {
  readonly what: string;
  /** Of the HTTP answer. */
  readonly status: number;
  /** From the request to the answer. */
  readonly durationMs: number;
  /** Of the `$errors` record. */
  readonly code: string;
  /** Durations of `GET /users/me` for other clients meanwhile, sorted. */
  readonly latenciesMs: readonly number[];
  /** Peak memory of the process meanwhile, minus that before the first program; undefined where the system does not report it. */
  readonly memoryGrowthBytes: number | undefined;
  /** Requests that the neighbour answered meanwhile. */
  readonly neighbourAnswers: number;
}

export interface HostilityReport {
  readonly ends: readonly HostileEnd[];
  /** Memory of the process before the first program; undefined where the system does not report it. */
  readonly startBytes: number | undefined;
  /** Requests that the neighbour has answered in all. */
  readonly acknowledged: number;
  /** The neighbour's counter, without the request that read it. */
  readonly counted: number;
}

async function deploy(service: ServiceChild, code: string): Promise<Deployed> {
  const { data } = await ask<Created>(service.url, "POST", "/sources", { component_code: code });
  return { id: data.id, url: service.url + new URL(data.configured_props.http.endpoint_url).pathname };
}

const hostileCode = ({ body, rest = "" }: Hostile): string => `export default {
  name: "Hostile", version: "1",
  props: { db: "$.service.db", http: { type: "$.interface.http", customResponse: true } }, ${rest}
  async run(event) { ${body} },
};`;

const neighbourCode = `export default {
  name: "Neighbour", version: "1", props: { db: "$.service.db", http: "$.interface.http" },
  run() { const n = (this.db.get("n") ?? 0) + 1; this.db.set("n", n); this.$emit(n); },
};`;

/** A line of /proc/<pid>/status in bytes; undefined where the system has none. */
export function memoryOf(pid: number | undefined, line: "VmRSS" | "VmHWM"): number | undefined {
  try {
    const found = new RegExp(`${line}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return found ? Number(found[1]) * 1024 : undefined;
  } catch {
    return undefined;
  }
}

/** Resets the peak memory. */
function forgetPeak(pid: number | undefined): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    // Without the reset the peak is that of all programs so far.
  }
}

/** Repeats work until it is stopped. */
function repeat(work: () => Promise<void>): () => Promise<void> {
  const state = { going: true };
  const done = (async () => {
    while (state.going) await work();
  })();
  return async () => {
    state.going = false;
    await done;
  };
}

/** Runs hostile programs as sources of a service, in sequence, while a neighbour gets continuous requests. */
export async function runHostilePrograms(
  service: ServiceChild,
  programs: readonly Hostile[],
  options: { readonly pauseMs: number; readonly report?: (end: HostileEnd) => void },
): Promise<HostilityReport> {
  const neighbour = await deploy(service, neighbourCode);
  let acknowledged = 0;
  let latenciesMs: number[] = [];
  const stopAsking = repeat(async () => {
    const response = await fetch(neighbour.url, { method: "POST" });
    await response.text();
    if (response.status === 200) acknowledged += 1;
    else if (response.status !== 429) throw new Error(`The neighbour answered ${response.status}`);
    await pause(options.pauseMs);
  });
  const stopProbing = repeat(async () => {
    const start = performance.now();
    await ask(service.url, "GET", "/users/me");
    latenciesMs.push(performance.now() - start);
    await pause(options.pauseMs);
  });
  const before = memoryOf(service.process.pid, "VmRSS");
  const ends: HostileEnd[] = [];
  for (const program of programs) {
    const source = await deploy(service, hostileCode(program));
    latenciesMs = [];
    forgetPeak(service.process.pid);
    const answeredBefore = acknowledged;
    const start = performance.now();
    const response = await fetch(source.url, { method: "POST" });
    await response.text();
    const durationMs = performance.now() - start;
    const { data } = await ask<{ data: { event: { error: { code: string } } }[] }>(
      service.url,
      "GET",
      `/sources/${source.id}/$errors/event_summaries?expand=event`,
    );
    await ask(service.url, "DELETE", `/sources/${source.id}`);
    const peak = memoryOf(service.process.pid, "VmHWM");
    const end = {
      what: program.what,
      status: response.status,
      durationMs,
      code: data[0]?.event.error.code ?? "",
      latenciesMs: latenciesMs.toSorted((a, b) => a - b),
      memoryGrowthBytes: before === undefined || peak === undefined ? undefined : peak - before,
      neighbourAnswers: acknowledged - answeredBefore,
    };
    ends.push(end);
    options.report?.(end);
  }
  await Promise.all([stopAsking(), stopProbing()]);
  // Runs of a source are in order: this one counts after all answered ones.
  await ask(service.url, "POST", `/sources/${neighbour.id}/run`);
  const { data } = await ask<{ data: { event: number }[] }>(
    service.url,
    "GET",
    `/sources/${neighbour.id}/event_summaries?limit=1`,
  );
  return { ends, startBytes: before, acknowledged, counted: (data[0]?.event ?? 0) - 1 };
}

/**
 * The expected error in the `$errors` record of a program. A thrown error has its own name. A program that catches
 * everything may exceed either limit first, depending on the speed of the machine.
 */
export function isExpectedEnd({ ends, name }: Hostile, { code, status }: HostileEnd): boolean {
  if (ends === undefined) return code === "no_response" && status === 500;
  if (name === "EmitLimitError" && code === "sandbox_timeout") return true;
  // On a fast machine a component exceeds the limit of its timers first.
  if (ends === "sandbox_timeout" && code === "TimerLimitError") return true;
  // Records have Node's name for the engine's error.
  const reported = name === "InternalError" ? "RangeError" : name;
  if (ends === "component_threw") return reported === undefined ? !code.startsWith("sandbox_") : code === reported;
  if (code === "sandbox_timeout") return status === 504;
  return code === "sandbox_out_of_memory" && status === 500;
}
