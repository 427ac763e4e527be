import { vi } from "vitest";

import { runCommandLine } from "./command-line.ts";

/**
 * Runs x to its end in this process: what it does and prints is the same, without a process to start. Not for commands
 * that wait for signals, nor for what the environment says.
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
  process.chdir(cwd);
  try {
    return { code: await runCommandLine(args), out: out.join(""), err: err.join("") };
  } finally {
    process.chdir(before);
  }
}
