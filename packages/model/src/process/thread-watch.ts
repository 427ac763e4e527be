import { clearInterval, setInterval } from "node:timers";

/** What the thread has used of its processor, in ms. Undefined where Node, before 24, cannot tell. */
export const processorMs: (() => number) | undefined =
  "threadCpuUsage" in process
    ? () => {
        const { user, system } = process.threadCpuUsage();
        return (user + system) / 1_000;
      }
    : undefined;

/** Calls `check` in real time as often as the thread is free to, without keeping the process alive. Returns what ends it. */
export function watchThread(check: () => void, everyMs: number): () => void {
  const timer = setInterval(check, everyMs).unref();
  return () => clearInterval(timer);
}
