import { fileURLToPath } from "node:url";

import { vi } from "vitest";

import { runCommandLine } from "./command-line.ts";
import { withoutHolds } from "../../../test/faults/thread-holds.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const signals = ["SIGINT", "SIGTERM"] as const;

/** A command of x that runs in this process, until it ends or receives a signal. */
export interface RunningHere extends AsyncDisposable {
  /** Everything printed so far. */
  readonly out: () => string;
  /** `withoutHolds`. */
  readonly err: () => string;
  /** Resolves with the first match in what is printed; rejects when the command ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Tells the command of a signal; this process is not sent any. */
  hear(signal: (typeof signals)[number]): void;
  /** Its exit code, when it has ended. */
  readonly exit: Promise<number>;
}

/**
 * Starts x in this process: what it does and prints is the same, without a process to start. One at a time: it has this
 * process's output and working folder.
 */
export function startHere(
  args: readonly string[],
  { cwd = process.cwd() }: { readonly cwd?: string } = {},
): RunningHere {
  const printed = { out: "", err: "" };
  const looking = new Set<() => void>();
  const note = (stream: keyof typeof printed, text: string): true => {
    printed[stream] += text;
    for (const look of looking) look();
    return true;
  };
  const spies = [
    vi.spyOn(console, "log").mockImplementation((line: string) => void note("out", `${line}\n`)),
    vi.spyOn(console, "error").mockImplementation((line: string) => void note("err", `${line}\n`)),
    vi.spyOn(process.stderr, "write").mockImplementation((text) => note("err", String(text))),
  ];
  const heard = signals.map((signal) => process.listeners(signal));
  const ownListeners = (signal: (typeof signals)[number]): NodeJS.SignalsListener[] =>
    process.listeners(signal).filter((listener) => !heard[signals.indexOf(signal)]?.includes(listener));
  const variables = new Set(Object.keys(process.env));
  let over = false;
  const end = (): void => {
    over = true;
    // Those of an env file would be those of the next command, too.
    for (const name of Object.keys(process.env)) if (!variables.has(name)) delete process.env[name];
    // Not where it was: a folder of another run may be gone by then.
    process.chdir(root);
    for (const spy of spies) spy.mockRestore();
    // The process usually ends with them.
    for (const signal of signals) for (const listener of ownListeners(signal)) process.off(signal, listener);
  };
  process.chdir(cwd);
  const exit = runCommandLine(args).finally(end);
  const hear: RunningHere["hear"] = (signal) => {
    for (const listener of ownListeners(signal)) listener(signal);
  };
  return {
    out: () => printed.out,
    err: () => withoutHolds(printed.err),
    exit,
    hear,
    printed(pattern) {
      const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
      const look = (): void => {
        const match = pattern.exec(printed.out);
        if (match) resolve(match);
      };
      looking.add(look);
      look();
      void exit.then((code) =>
        reject(new Error(`x ended with ${code} before it printed ${pattern}:\n${printed.out}\n${printed.err}`)),
      );
      return promise.finally(() => looking.delete(look));
    },
    async [Symbol.asyncDispose]() {
      if (!over) hear("SIGTERM");
      await exit;
    },
  };
}

/** Runs x to its end in this process. Not for what runs until a signal comes. */
export async function runHere(
  args: readonly string[],
  options: { readonly cwd?: string } = {},
): Promise<{ code: number; out: string; err: string }> {
  const { exit, out, err } = startHere(args, options);
  return { code: await exit, out: out(), err: err() };
}
