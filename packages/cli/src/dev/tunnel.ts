import { spawn } from "node:child_process";
import { once } from "node:events";

import { systemClock } from "@x/runtime";

import { programEnvironment } from "../environment.ts";
import { EnvironmentError } from "../errors.ts";

/** A tunnel program takes seconds to connect; one that prints no URL in this time is given up. */
const maxWaitMs = 60_000;
const keptLines = 20;

const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\])$/.test(hostname);

/** The public URL in a line that a tunnel program prints; undefined for other URLs: of pages, and of this machine. */
export function tunnelUrl(line: string): string | undefined {
  for (const [text] of line.matchAll(/https?:\/\/[^\s"'|<>()\\]+/g)) {
    const url = URL.parse(text.replace(/[.,;:]$/, ""));
    if (url && !isLoopback(url.hostname) && url.pathname === "/" && url.search === "" && url.hash === "")
      return url.origin;
  }
  return undefined;
}

/** A program of the user that leads requests from a public URL to a port of this machine. */
export interface Tunnel extends AsyncDisposable {
  readonly url: string;
  /** Resolves when the program ends by itself or is disposed of. */
  readonly ended: Promise<unknown>;
}

/**
 * Starts the command in a shell, with the port as `PORT` and in place of `{port}`, and resolves when it prints its URL.
 * Rejects with `EnvironmentError` when it ends before, or prints none within a minute.
 */
export async function openTunnel(command: string, port: number, stop: AbortSignal): Promise<Tunnel> {
  const child = spawn(command.replaceAll("{port}", String(port)), {
    shell: true,
    // A group of its own: what the shell starts ends with it.
    detached: true,
    env: { ...programEnvironment(), PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close").catch(() => []);
  const printed: string[] = [];
  const { promise: found, resolve, reject } = Promise.withResolvers<string>();
  const fail = (what: string): void =>
    reject(new EnvironmentError([`the tunnel ${what}: ${command}`, ...printed.map((line) => `  ${line}`)].join("\n")));
  for (const stream of [child.stdout, child.stderr]) {
    let rest = "";
    stream.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split(/\r?\n/);
      rest = (lines.pop() ?? "").slice(-10_000);
      for (const line of lines) {
        const url = tunnelUrl(line);
        if (url !== undefined) resolve(url);
      }
      printed.push(...lines.filter((line) => line.trim() !== ""));
      printed.splice(0, printed.length - keptLines);
    });
  }
  void ended.then(([code]) => fail(`ended with ${String(code)} before it printed its URL`));
  const cancelWait = systemClock.wakeAt(systemClock.now() + maxWaitMs, () =>
    fail(`printed no URL within ${maxWaitMs / 1_000} s`),
  );
  const abort = (): void => fail("was stopped");
  stop.addEventListener("abort", abort, { once: true });
  const end = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      try {
        process.kill(-child.pid, "SIGTERM");
      } catch {
        // It ended meanwhile.
      }
    }
    await ended;
  };
  try {
    return { url: await found, ended, [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  } finally {
    cancelWait();
    stop.removeEventListener("abort", abort);
  }
}
