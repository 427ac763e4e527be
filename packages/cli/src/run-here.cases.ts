import { vi } from "vitest";

import { runCommandLine } from "./command-line.ts";

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs x to its end in this process: what it does and prints is the same, without a process to start. Not for what runs
 * until a signal comes.
 */
export async function runHere(
  args: readonly string[],
  { cwd = process.cwd() }: { readonly cwd?: string } = {},
): Promise<{ code: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const before = process.cwd();
  using _log = vi.spyOn(console, "log").mockImplementation((line: string) => void out.push(`${line}\n`));
  using _error = vi.spyOn(console, "error").mockImplementation((line: string) => void err.push(`${line}\n`));
  const heard = signals.map((signal) => process.listeners(signal));
  process.chdir(cwd);
  try {
    return { code: await runCommandLine(args), out: out.join(""), err: err.join("") };
  } finally {
    process.chdir(before);
    // A service that could not start still listens: the process usually ends with it.
    for (const [index, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (!heard[index]?.includes(listener)) process.off(signal, listener);
  }
}
