import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { type ProcessUse, processUse } from "./processes.ts";

const apiKey = "registry-key-000001";
const root = fileURLToPath(new URL("../..", import.meta.url));

/** `x serve --registry` in a separate process. */
export interface Served {
  readonly url: string;
  readonly startedAt: number;
  /** Resolves with the time, by `performance.now`, when the log says that the registry is loaded. */
  readonly isRead: Promise<number>;
  use(): ProcessUse;
  /** Status 0: there was no answer in time. */
  get(
    path: string,
    withinMs?: number,
  ): Promise<{ readonly status: number; readonly ms: number; readonly body: string }>;
  /** Milliseconds until the process has exited. */
  terminate(): Promise<number>;
}

export interface ServeOptions {
  readonly registry: string;
  readonly data: string;
  readonly npmRegistry: string;
  /** Folder of the packages; may be warm. */
  readonly program?: string;
}

export async function serveRegistry({ registry, data, npmRegistry, program = root }: ServeOptions): Promise<Served> {
  const startedAt = performance.now();
  const args = ["serve", "--json-logs", "--port", "0", "--data", data, "--api-key", apiKey, "--registry", registry];
  const child = spawn(process.execPath, [`${program}/packages/cli/dist/main.js`, ...args], {
    cwd: data,
    env: { ...process.env, npm_config_registry: npmRegistry },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const gone = once(child, "exit");
  process.once("exit", () => child.kill("SIGKILL"));
  const serving = Promise.withResolvers<string>();
  const read = Promise.withResolvers<number>();
  const hear = (line: string): void => {
    if (!line.startsWith("{")) return;
    const said = JSON.parse(line) as { message?: string; base_url?: string };
    if (said.message === "serving" && said.base_url !== undefined) serving.resolve(said.base_url.replace(/\/v1$/, ""));
    if (said.message === "the registry is loaded") read.resolve(performance.now());
  };
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", hear);
  void gone.then(([code]) => {
    serving.reject(new Error(`x serve ended with ${String(code)} before it served`));
    read.reject(new Error(`x serve ended with ${String(code)} before the registry was read`));
  });
  read.promise.catch(() => undefined);
  const url = await serving.promise;
  return {
    url,
    startedAt,
    isRead: read.promise,
    use: () => processUse(child.pid ?? 0),
    async get(path, withinMs = 200_000) {
      const began = performance.now();
      const signal = AbortSignal.timeout(withinMs);
      const asked = fetch(`${url}${path}`, { headers: { authorization: `Bearer ${apiKey}` }, signal });
      const answer = await asked.then(
        async (response) => ({ status: response.status, body: await response.text() }),
        () => ({ status: 0, body: "" }),
      );
      return { ...answer, ms: performance.now() - began };
    },
    async terminate() {
      const began = performance.now();
      child.kill("SIGTERM");
      await Promise.race([gone, wait(60_000, undefined, { ref: false })]);
      const ms = performance.now() - began;
      child.kill("SIGKILL");
      await gone;
      return ms;
    },
  };
}
