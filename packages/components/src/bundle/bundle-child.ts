import { parse } from "node:path";
import { fileURLToPath } from "node:url";

import { startGuardedProcess, type GuardedProcess, type ProcessEnd } from "@x/model";
import { builtFile } from "../packages/built-file.ts";
import type { BuildReply, BuildRequest } from "./bundle-messages.ts";

export interface BundleChildOptions {
  /** CPU time in ms; the real time depends on the load of the machine. */
  readonly timeoutMs: number;
  readonly memoryBytes: number;
}

/** Real time of a build as a multiple of its CPU time, for a build that hangs or gets little CPU. */
export const longestWait = 6;

/** How a build ended: with its reply, or with the end of the process that ran it. */
export type BuildEnd = BuildReply | ProcessEnd;

/** A bundling process for many builds, one at a time. It is dead after a failed build. */
export type BundleChild = GuardedProcess<BuildRequest, BuildReply>;

/** The bundle of `bundle-process.ts`. */
const entry = fileURLToPath(builtFile("threads/bundler.mjs"));

const isReply = (message: unknown): message is BuildReply => typeof message === "object" && message !== null;

/** Yarn's Plug'n'Play, which finds packages without node_modules, is loaded by this variable. */
function findPackagesEnvironment(): { readonly NODE_OPTIONS?: string } {
  const { NODE_OPTIONS } = process.env;
  return process.versions["pnp"] === undefined || NODE_OPTIONS === undefined ? {} : { NODE_OPTIONS };
}

/** Starts a bundling process in the root folder, without the environment of this one. */
export function startBundleChild({ timeoutMs, memoryBytes }: BundleChildOptions): BundleChild {
  // esbuild collects garbage at half of the memory; the rest is for the process around it.
  const env = { GOMEMLIMIT: String(Math.floor(memoryBytes / 2)), ...findPackagesEnvironment() };
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
