import { XError } from "../errors.ts";
import { type InstallChild, type InstallEnd, isProgress, startInstallChild } from "./install-child.ts";
import type { InstallProgress, InstallQuestion } from "./messages.ts";

export interface InstallCrewOptions {
  readonly timeoutMs: number;
  readonly memoryBytes: number;
}

/** Installing processes: one for each installation at a time, started when needed, kept for a while. */
export interface InstallCrew {
  ask(question: InstallQuestion, noted: (progress: InstallProgress) => void): Promise<InstallEnd>;
  close(): Promise<void>;
}

/** More at once would share the same network. */
const mostAtOnce = 4;
const keptMs = 30_000;

export function createInstallCrew(limits: InstallCrewOptions): InstallCrew {
  const idle: { readonly child: InstallChild; readonly cancel: () => void }[] = [];
  const busy = new Set<InstallChild>();
  const waiting: (() => void)[] = [];
  let places = mostAtOnce;
  let closed = false;

  function take(): InstallChild {
    const kept = idle.pop();
    kept?.cancel();
    const child = kept?.child.alive ? kept.child : startInstallChild(limits);
    busy.add(child);
    return child;
  }

  function giveBack(child: InstallChild): void {
    busy.delete(child);
    if (!child.alive || closed) return;
    const end = (): void => {
      const place = idle.findIndex((each) => each.child === child);
      if (place >= 0) idle.splice(place, 1);
      void child.kill();
    };
    // Real time, and no reason for its host to stay alive.
    const timer = setTimeout(end, keptMs).unref();
    idle.push({ child, cancel: () => clearTimeout(timer) });
  }

  return {
    async ask(question, noted) {
      if (places === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      else places -= 1;
      try {
        if (closed) throw new XError("closed", []);
        const child = take();
        try {
          return await child.ask(question, (message) => {
            if (isProgress(message)) noted(message);
          });
        } finally {
          giveBack(child);
        }
      } finally {
        const next = waiting.shift();
        if (next) next();
        else places += 1;
      }
    },
    async close() {
      closed = true;
      for (const { cancel } of idle) cancel();
      await Promise.all([...idle.map(({ child }) => child), ...busy].map((child) => child.kill()));
    },
  };
}
