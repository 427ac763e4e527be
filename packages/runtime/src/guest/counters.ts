import { countersName, hostOp } from "../sandbox/ops.ts";
import { send } from "./host.ts";

/** Of one file: hits of statements, functions and the ways of branches. */
interface FileCounters {
  readonly s: Record<string, number>;
  readonly f: Record<string, number>;
  readonly b: Record<string, number[]>;
}

const { stringify } = JSON;

/** Sends what instrumented code has counted in this realm; nothing when none of it ran. */
export function sendCounters({ restart }: { restart: boolean }): void {
  const counted = (globalThis as Record<string, unknown>)[countersName] as Record<string, FileCounters> | undefined;
  if (counted === undefined) return;
  send(hostOp.counters, stringify(counted));
  if (!restart) return;
  // A warm realm goes on with the same objects.
  for (const { s, f, b } of Object.values(counted)) {
    for (const hits of [s, f]) for (const key of Object.keys(hits)) hits[key] = 0;
    for (const ways of Object.values(b)) ways.fill(0);
  }
}
