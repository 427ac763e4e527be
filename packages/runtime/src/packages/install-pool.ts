import { fileURLToPath } from "node:url";

import { XError } from "../model/errors.ts";
import type { InstallCrew } from "./contract.ts";
import type { InstallAnswer, InstallEnd, InstallProgress, InstallQuestion, NoteProgress } from "./messages.ts";
import { type GuardedProcess, startGuardedProcess } from "../process/guarded-process.ts";

export type InstallChild = GuardedProcess<InstallQuestion, InstallAnswer>;

/** `install-process.ts`, as the build bundles it. */
const entry = fileURLToPath(new URL("../../dist/threads/packages.mjs", import.meta.url));

const isAnswer = (message: unknown): message is InstallAnswer =>
  typeof message === "object" && message !== null && "kind" in message;

const isProgress = (message: unknown): message is InstallProgress =>
  typeof message === "object" && message !== null && "phase" in message;

/** Starts an installing process with this process's environment and working folder: npm is configured by both. */
function startInstallChild(limits: { timeoutMs: number; memoryBytes: number }): InstallChild {
  return startGuardedProcess({ entry, cwd: process.cwd(), ...limits }, isAnswer);
}

export interface InstallCrewOptions {
  readonly timeoutMs: number;
  readonly memoryBytes: number;
}

/** More at once would share the same network. */
const mostAtOnce = 4;
const keptMs = 30_000;

function checkOpen(ended: AbortSignal): void {
  if (ended.aborted) throw new XError("closed", []);
}

/** Starts a process when none is free. Idle, they do not keep their host alive. */
export function createInstallCrew(limits: InstallCrewOptions): InstallCrew {
  const idle: { readonly child: InstallChild; readonly cancel: () => void }[] = [];
  const busy = new Set<InstallChild>();
  const waiting = new Set<() => void>();
  const closing = new AbortController();
  let places = mostAtOnce;

  async function takePlace(ended: AbortSignal): Promise<void> {
    checkOpen(ended);
    if (places > 0) {
      places -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (): void => {
      if (waiting.delete(resolve)) reject(new XError("closed", []));
    };
    waiting.add(resolve);
    ended.addEventListener("abort", leave);
    await promise.finally(() => ended.removeEventListener("abort", leave));
  }

  function leavePlace(): void {
    const [next] = waiting;
    if (next && waiting.delete(next)) next();
    else places += 1;
  }

  function take(): InstallChild {
    const kept = idle.pop();
    kept?.cancel();
    const child = kept?.child.alive ? kept.child : startInstallChild(limits);
    busy.add(child);
    return child;
  }

  function giveBack(child: InstallChild): void {
    busy.delete(child);
    if (!child.alive || closing.signal.aborted) return;
    const end = (): void => {
      const place = idle.findIndex((each) => each.child === child);
      if (place >= 0) idle.splice(place, 1);
      void child.kill();
    };
    // Real time, and no reason for its host to stay alive.
    const timer = setTimeout(end, keptMs).unref();
    idle.push({ child, cancel: () => clearTimeout(timer) });
  }

  async function askChild(question: InstallQuestion, noted: NoteProgress, ended: AbortSignal): Promise<InstallEnd> {
    checkOpen(ended);
    const child = take();
    const end = (): void => void child.kill();
    ended.addEventListener("abort", end);
    try {
      const answer = await child.ask(question, (message) => {
        if (isProgress(message)) noted(message);
      });
      checkOpen(ended);
      return answer;
    } finally {
      ended.removeEventListener("abort", end);
      giveBack(child);
    }
  }

  return {
    async ask(question, noted, leaving) {
      const ended = AbortSignal.any([leaving, closing.signal]);
      await takePlace(ended);
      try {
        return await askChild(question, noted, ended);
      } finally {
        leavePlace();
      }
    },
    async close() {
      closing.abort();
      for (const { cancel } of idle) cancel();
      await Promise.all([...idle.map(({ child }) => child), ...busy].map((child) => child.kill()));
    },
  };
}
