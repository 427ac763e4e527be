import { fork, type ChildProcess } from "node:child_process";
import { parse } from "node:path";
import { fileURLToPath } from "node:url";

import type { BuildReply, BuildRequest } from "./bundle-messages.ts";
import { findProcessMemory } from "./process-memory.ts";

export interface BundleChildOptions {
  readonly timeoutMs: number;
  readonly memoryBytes: number;
}

/** How a build ended: with its reply, or with the end of the process that ran it. */
export type BuildEnd = BuildReply | { readonly kind: "timeout" | "out_of_memory" | "died" };

/** One bundling process, good for many builds, one at a time. After a bad end it is dead. */
export interface BundleChild {
  readonly alive: boolean;
  build(request: BuildRequest): Promise<BuildEnd>;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
}

/** `bundle-process.ts`, as the build bundles it. */
const entry = fileURLToPath(new URL("../../dist/threads/bundler.mjs", import.meta.url));
const memoryCheckMs = 20;

/** Starts a bundling process in a group of its own, with an empty environment. While idle it does not keep its host alive. */
export function startBundleChild(options: BundleChildOptions): BundleChild {
  const child = fork(entry, [], {
    cwd: parse(process.execPath).root,
    detached: true,
    env: { GOMEMLIMIT: String(options.memoryBytes) },
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  let alive = true;
  let ended = false;
  const kill = (): void => {
    alive = false;
    // A number of a process that is gone may already be another's.
    if (!ended) killGroup(child);
  };
  const gone = new Promise<void>((resolve) => {
    const end = (): void => {
      // esbuild may outlive the process that started it.
      kill();
      ended = true;
      resolve();
    };
    child.once("exit", end);
    child.on("error", end);
  });
  setReferenced(child, false);

  return {
    get alive() {
      return alive;
    },
    async build(request) {
      setReferenced(child, true);
      const { promise, resolve } = Promise.withResolvers<BuildEnd>();
      const stop = (kind: "timeout" | "out_of_memory"): void => {
        kill();
        resolve({ kind });
      };
      // Real time, not the runtime's clock: these two watch a process, not the schedule of a component.
      const deadline = setTimeout(() => stop("timeout"), options.timeoutMs);
      const watch = setInterval(() => {
        const bytes = child.pid === undefined ? undefined : findProcessMemory(child.pid);
        if (bytes !== undefined && bytes > options.memoryBytes) stop("out_of_memory");
      }, memoryCheckMs);
      const onMessage = (reply: unknown): void => resolve(reply as BuildReply);
      child.once("message", onMessage);
      void gone.then(() => resolve({ kind: "died" }));
      // A process that is gone answers by its end.
      child.send(request, () => {});
      try {
        return await promise;
      } finally {
        clearTimeout(deadline);
        clearInterval(watch);
        child.off("message", onMessage);
        setReferenced(child, false);
      }
    },
    async kill() {
      setReferenced(child, true);
      kill();
      await gone;
    },
  };
}

function setReferenced(child: ChildProcess, referenced: boolean): void {
  if (referenced) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group is gone already, or the system knows none.
    child.kill("SIGKILL");
  }
}
