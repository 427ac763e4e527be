import { parse } from "node:path";
import { fileURLToPath } from "node:url";

import { type GuardedProcess, type ProcessEnd, startGuardedProcess } from "../../process/guarded-process.ts";
import type { BuildReply, BuildRequest } from "./bundle-messages.ts";
import { builtFile } from "../../process/built-file.ts";

export interface BundleChildOptions {
  /** Of processors: how long that is depends on what else the machine does. */
  readonly timeoutMs: number;
  readonly memoryBytes: number;
}

/** A build that takes no time of a processor hangs; one that gets little of it may take so many times as long. */
export const longestWait = 6;

/** How a build ended: with its reply, or with the end of the process that ran it. */
export type BuildEnd = BuildReply | ProcessEnd;

/** One bundling process, good for many builds, one at a time. After a bad end it is dead. */
export type BundleChild = GuardedProcess<BuildRequest, BuildReply>;

/** `bundle-process.ts`, as the build bundles it. */
const entry = fileURLToPath(builtFile("threads/bundler.mjs"));

const isReply = (message: unknown): message is BuildReply => typeof message === "object" && message !== null;

/** Starts a bundling process with an empty environment, far from every file. */
export function startBundleChild({ timeoutMs, memoryBytes }: BundleChildOptions): BundleChild {
  // For esbuild, which collects its garbage before; the other half is for the process around it.
  const env = { GOMEMLIMIT: String(Math.floor(memoryBytes / 2)) };
  return startGuardedProcess(
    {
      entry,
      cwd: parse(process.execPath).root,
      env,
      timeoutMs: timeoutMs * longestWait,
      cpuMs: timeoutMs,
      memoryBytes,
    },
    isReply,
  );
}
