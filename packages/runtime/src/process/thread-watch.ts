import { clearInterval, setInterval } from "node:timers";

import { monotonicMs } from "./clock.ts";

/** What the thread has used of its processor, in ms. Node before 24 cannot tell: all that passes counts there. */
export function processorMs(): number {
  if (!("threadCpuUsage" in process)) return monotonicMs();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Calls `check` in real time as often as the thread is free to, without keeping the process alive. Returns what ends it. */
export function watchThread(check: () => void, everyMs: number): () => void {
  const timer = setInterval(check, everyMs).unref();
  return () => clearInterval(timer);
}
