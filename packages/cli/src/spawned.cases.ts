import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { withoutHolds } from "../../../test/faults/thread-holds.ts";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** One process of x as it is built, which starts in half the time that its sources take. */
export interface Spawned extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Everything printed so far. */
  readonly out: () => string;
  /** `withoutHolds`. */
  readonly err: () => string;
  /** Resolves with the first match in what is printed; rejects when the process ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves when the process has ended. */
  readonly exit: Promise<number | null>;
}

/** Starts x with these arguments and no environment of its own but the given one. */
export function spawnX(args: readonly string[], options: { cwd?: string; env?: Record<string, string> } = {}): Spawned {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: options.cwd ?? tmpdir(),
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const exit = once(child, "close").then(([code]) => code as number | null);
  return {
    child,
    out: () => out,
    err: () => withoutHolds(err),
    exit,
    printed(pattern) {
      return new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(out);
          if (!match) return;
          child.stdout.off("data", look);
          resolve(match);
        };
        child.stdout.on("data", look);
        look();
        void exit.then((code) => {
          reject(new Error(`x ended with ${code} before it printed ${pattern}:\n${out}\n${err}`));
        });
      });
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exit;
    },
  };
}

/** Runs x to its end. */
export async function runX(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<{ code: number | null; out: string; err: string }> {
  await using x = spawnX(args, options);
  const code = await x.exit;
  return { code, out: x.out(), err: x.err() };
}

/** A folder with these files that goes away again. */
export async function makeFolder(
  files: { readonly [name: string]: string } = {},
): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "x-cli-"));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), text);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
