import { fileURLToPath } from "node:url";

import { XError, startGuardedProcess, type GuardedProcess } from "@x/model";
import { builtFile } from "./built-file.ts";
import { homeFolder } from "./home-folder.ts";
import type { InstallPool } from "./contract.ts";
import type { InstallAnswer, InstallEnd, InstallProgress, InstallQuestion, OnProgress } from "./messages.ts";

export type InstallProcess = GuardedProcess<InstallQuestion, InstallAnswer>;

/** The bundle of `install-process.ts`. */
const entry = fileURLToPath(builtFile("threads/packages.mjs"));

const isAnswer = (message: unknown): message is InstallAnswer =>
  typeof message === "object" && message !== null && "kind" in message;

const isProgress = (message: unknown): message is InstallProgress =>
  typeof message === "object" && message !== null && "phase" in message;

/** Starts a process with this process's environment and working folder, because both configure npm. */
function startInstallProcess(limits: { timeoutMs: number; memoryBytes: number }): InstallProcess {
  const env = { ...process.env, HOME: homeFolder() };
  return startGuardedProcess({ entry, cwd: process.cwd(), env, ...limits }, isAnswer);
}

export interface InstallPoolOptions {
  readonly timeoutMs: number;
  readonly memoryBytes: number;
}

/** More processes would share the same network. */
const maxProcesses = 4;
const idleMs = 30_000;

function checkOpen(ended: AbortSignal): void {
  if (ended.aborted) throw new XError("closed", []);
}

/** Starts a process when none is idle. Idle processes do not keep the host alive. */
export function createInstallPool(limits: InstallPoolOptions): InstallPool {
  const idle: { readonly child: InstallProcess; readonly cancel: () => void }[] = [];
  const busy = new Set<InstallProcess>();
  const waiting = new Set<() => void>();
  const closing = new AbortController();
  let free = maxProcesses;

  async function acquireSlot(ended: AbortSignal): Promise<void> {
    checkOpen(ended);
    if (free > 0) {
      free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      if (waiting.delete(resolve)) reject(new XError("closed", []));
    };
    waiting.add(resolve);
    ended.addEventListener("abort", abort);
    await promise.finally(() => ended.removeEventListener("abort", abort));
  }

  function releaseSlot(): void {
    const [next] = waiting;
    if (next && waiting.delete(next)) next();
    else free += 1;
  }

  function acquire(): InstallProcess {
    const reused = idle.pop();
    reused?.cancel();
    const child = reused?.child.alive ? reused.child : startInstallProcess(limits);
    busy.add(child);
    return child;
  }

  function release(child: InstallProcess): void {
    busy.delete(child);
    if (!child.alive || closing.signal.aborted) return;
    const end = (): void => {
      const index = idle.findIndex((each) => each.child === child);
      if (index >= 0) idle.splice(index, 1);
      void child.kill();
    };
    // Real time. The timer does not keep the host alive.
    const timer = setTimeout(end, idleMs).unref();
    idle.push({ child, cancel: () => clearTimeout(timer) });
  }

  async function runIn(question: InstallQuestion, onProgress: OnProgress, ended: AbortSignal): Promise<InstallEnd> {
    checkOpen(ended);
    const child = acquire();
    const end = (): void => void child.kill();
    ended.addEventListener("abort", end);
    try {
      const answer = await child.ask(question, (message) => {
        if (isProgress(message)) onProgress(message);
      });
      checkOpen(ended);
      return answer;
    } finally {
      ended.removeEventListener("abort", end);
      release(child);
    }
  }

  return {
    async run(question, onProgress, signal) {
      const ended = AbortSignal.any([signal, closing.signal]);
      await acquireSlot(ended);
      try {
        return await runIn(question, onProgress, ended);
      } finally {
        releaseSlot();
      }
    },
    async close() {
      closing.abort();
      for (const { cancel } of idle) cancel();
      await Promise.all([...idle.map(({ child }) => child), ...busy].map((child) => child.kill()));
    },
  };
}
