import { parse } from "node:path";
import { fileURLToPath } from "node:url";

import { startGuardedProcess, type GuardedProcess, type GuardedProcessOptions, type ProcessEnd } from "@x/model";
import { builtFile } from "../packages/built-file.ts";
import type { BuildReply, BuildRequest, DeclareReply, DeclareRequest } from "./bundle-messages.ts";

export interface BundleChildOptions {
  /** CPU time in ms; the real time depends on the load of the machine. */
  readonly timeoutMs: number;
  readonly memoryBytes: number;
}

/** Real time of a build as a multiple of its CPU time, for a build that hangs or gets little CPU. */
export const longestWait = 6;

/** How a build ended: with its reply, or with the end of the process that ran it. */
export type BuildEnd = BuildReply | DeclareReply | ProcessEnd;

/** A bundling process for many builds, one at a time. It is dead after a failed build. */
export type BundleChild = GuardedProcess<BuildRequest | DeclareRequest, BuildReply | DeclareReply>;

/** The bundle of `bundle-process.ts`. */
const entry = fileURLToPath(builtFile("threads/bundler.mjs"));

const isReply = (message: unknown): message is BuildReply | DeclareReply =>
  typeof message === "object" && message !== null;

/** What says where esbuild is: its own variable, and the one that loads Yarn's Plug'n'Play, which has no node_modules. */
function placesOfPackages(): { readonly [name: string]: string } {
  const { NODE_OPTIONS, ESBUILD_BINARY_PATH } = process.env;
  return {
    ...(process.versions["pnp"] !== undefined && NODE_OPTIONS !== undefined && { NODE_OPTIONS }),
    ...(ESBUILD_BINARY_PATH !== undefined && { ESBUILD_BINARY_PATH }),
  };
}

/** The program, folder and environment of a bundling process: nothing of this process's environment but where packages are. */
export const bundlerStart = (memoryBytes: number): Pick<GuardedProcessOptions, "entry" | "cwd" | "env"> => ({
  entry,
  cwd: parse(process.execPath).root,
  // esbuild collects garbage at half of the memory; the rest is for the process around it.
  env: { GOMEMLIMIT: String(Math.floor(memoryBytes / 2)), ...placesOfPackages() },
});

/** Starts a bundling process. */
export function startBundleChild({ timeoutMs, memoryBytes }: BundleChildOptions): BundleChild {
  return startGuardedProcess(
    {
      ...bundlerStart(memoryBytes),
      timeoutMs: timeoutMs * longestWait,
      cpuMs: timeoutMs,
      memoryBytes,
    },
    isReply,
  );
}
