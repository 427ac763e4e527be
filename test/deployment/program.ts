import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** The path of a program of the system. */
export function findProgram(name: string): string | undefined {
  for (const folder of [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/sbin"]) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // Another folder may have it.
    }
  }
  return undefined;
}

/** True when a program is missing, which is printed once with the reason for what is skipped. */
export function isMissing(name: string, works: () => boolean = () => true): boolean {
  const found = findProgram(name);
  const reason = found === undefined ? `${name} is not installed` : works() ? undefined : `${name} does not work here`;
  if (reason !== undefined) process.stderr.write(`skipped: ${reason}\n`);
  return reason !== undefined;
}

/** Whether a command ends with 0. */
export function succeeds(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

export interface StartOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** For a program that starts others: they end with it. Default: false. */
  readonly group?: boolean;
}

/** A program that runs until it is disposed of. */
export interface Running extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Everything printed so far. */
  readonly printed: () => string;
  readonly exit: Promise<number | null>;
}

export function start(
  command: string,
  args: readonly string[],
  { cwd, env = {}, group = false }: StartOptions = {},
): Running {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: group,
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (more: string) => (text += more));
  const exit = once(child, "close").then(([code]) => code as number | null);
  return {
    child,
    exit,
    printed: () => text,
    async [Symbol.asyncDispose]() {
      if (group && child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
      await exit;
    },
  };
}

/** Resolves with the first answer of the URL that is well; rejects when the program ends before. */
export async function answering(program: Running, url: string): Promise<Response> {
  let ended = false;
  void program.exit.then(() => (ended = true));
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return response;
    if (ended) throw new Error(`It ended before it answered:\n${program.printed()}`);
    await setTimeout(20);
  }
}
