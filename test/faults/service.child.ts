import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { certainMs, describeHold, type HoldLine, holdLines } from "./thread-holds.ts";

/** The API key of every service under test. */
export const apiKey = "faults-key-000001";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** `x serve` as a process that can be killed at any time. */
export interface ServiceChild {
  readonly process: ChildProcess;
  /** Without a trailing slash and without /v1. */
  readonly url: string;
  /** From the start of the process to the first 2xx of /healthz. */
  readonly startMs: number;
  /** Its log output. */
  log(): string;
  /** Resolves when the process has ended. */
  kill(signal?: NodeJS.Signals): Promise<void>;
}

const running = new Set<ChildProcess>();
const held: HoldLine[] = [];

/** The built program, as users run it. */
function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const program = "packages/cli/dist/main.js";
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Runs the program and kills it after `ms` milliseconds, unless it has ended before. */
export async function runAndKill(args: readonly string[], afterMs: number): Promise<void> {
  const child = start(args);
  child.stdout?.resume();
  child.stderr?.resume();
  const gone = once(child, "exit");
  const kill = setTimeout(() => child.kill("SIGKILL"), afterMs);
  await gone;
  clearTimeout(kill);
}

function gather(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = [];
  stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}

async function servingUrl(child: ChildProcess, stderr: () => string): Promise<string> {
  if (!child.stdout) throw new Error("The service has no output");
  for await (const line of createInterface({ input: child.stdout })) {
    const { message, base_url: url } = JSON.parse(line) as { message?: string; base_url?: string };
    if (message === "serving" && url !== undefined) return url.replace(/\/v1$/, "");
  }
  throw new Error(`The service ended before it served: ${stderr()}`);
}

export const serveArgs = (data: string, more: readonly string[] = []): readonly string[] => [
  "serve",
  "--json-logs",
  "--port",
  "0",
  "--data",
  data,
  "--api-key",
  apiKey,
  ...more,
];

interface ServiceOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The main thread may be held meanwhile: the caller reads the lines of the log about it. */
  readonly mayHold?: boolean;
}

/** Starts a service on a data folder; resolves when it is healthy. */
export async function startService(data: string, options: ServiceOptions = {}): Promise<ServiceChild> {
  const startedAt = performance.now();
  const child = start(serveArgs(data, options.args), options.env);
  // Not when it exits: what it wrote may come later.
  const gone = once(child, "close");
  const stderr = gather(child.stderr);
  if (options.mayHold !== true) child.once("close", () => held.push(...holdLines(stderr())));
  const url = await servingUrl(child, stderr);
  child.stdout?.resume();
  const health = await fetch(`${url}/healthz`);
  if (!health.ok) throw new Error(`The service serves, but is not healthy: ${health.status}`);
  const startMs = performance.now() - startedAt;
  return {
    process: child,
    url,
    startMs,
    log: stderr,
    async kill(signal = "SIGKILL") {
      child.kill(signal);
      await gone;
    },
  };
}

/** What held the main threads of the services that have ended since the last call, unless that was expected. */
export const takeHolds = (): readonly string[] => held.splice(0).map(describeHold);

/**
 * Kills every remaining process; for the end of a test file. Rejects when something has held the main thread of a service for
 * so long that no busy machine explains it.
 */
export async function killAll(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const gone = once(child, "close");
      child.kill("SIGKILL");
      await gone;
    }),
  );
  const certain = held.splice(0).filter(({ duration_ms: ms }) => ms >= certainMs);
  if (certain.length > 0) throw new Error(certain.map(describeHold).join("\n"));
}

/** A request below /v1 that must succeed; resolves with its JSON body. */
export async function ask<T>(url: string, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}
