import { fileURLToPath } from "node:url";

import { type GuardedProcess, startGuardedProcess } from "../process/guarded-process.ts";
import type { InstallAnswer, InstallProgress, InstallQuestion } from "./messages.ts";

export type InstallChild = GuardedProcess<InstallQuestion, InstallAnswer>;

/** `install-process.ts`, as the build bundles it. */
const entry = fileURLToPath(new URL("../../dist/threads/packages.mjs", import.meta.url));

const isAnswer = (message: unknown): message is InstallAnswer =>
  typeof message === "object" && message !== null && "kind" in message;

export const isProgress = (message: unknown): message is InstallProgress =>
  typeof message === "object" && message !== null && "phase" in message;

/** Starts an installing process with this process's environment and working folder: npm is configured by both. */
export function startInstallChild(limits: { timeoutMs: number; memoryBytes: number }): InstallChild {
  return startGuardedProcess({ entry, cwd: process.cwd(), ...limits }, isAnswer);
}
