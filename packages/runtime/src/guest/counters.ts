import { countersName, hostOp } from "../sandbox/ops.ts";
import { send } from "./host.ts";

/** Coverage of one file: hits of statements, functions and branches. */
interface FileCounters {
  readonly s: Record<string, number>;
  readonly f: Record<string, number>;
  readonly b: Record<string, number[]>;
}

const { stringify } = JSON;

/** Sends the counters of instrumented code in this realm, if any of it ran; `restart` sets them to 0. */
export function sendCounters({ restart }: { restart: boolean }): void {
  const counted = (globalThis as Record<string, unknown>)[countersName] as Record<string, FileCounters> | undefined;
  if (counted === undefined) return;
  send(hostOp.counters, stringify(counted));
  if (!restart) return;
  // Code of a warm realm keeps using the same objects.
  for (const { s, f, b } of Object.values(counted)) {
    for (const hits of [s, f]) for (const key of Object.keys(hits)) hits[key] = 0;
    for (const hits of Object.values(b)) hits.fill(0);
  }
}
