/** Generates a tree of components, serves it as a registry, and prints the resources it takes. */
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";

import { startTestRegistry } from "../../packages/components/src/packages/registry.cases.ts";
import { quantile } from "../quantiles.ts";
import { publishGeneratedPackages } from "./generated-packages.ts";
import { measureSharedModule } from "./shared-module.ts";
import { type Served, serveRegistry } from "./served.ts";
import { makeRegistryTree } from "./tree.ts";

const { values } = parseArgs({
  options: {
    components: { type: "string", default: "9750" },
    /** Measures the data file of so many components that share one module, too. */
    shared: { type: "string", default: "0" },
    /** Another checkout to measure. */
    program: { type: "string" },
    /** Ends the measurement of the first scan after so many minutes. */
    minutes: { type: "string", default: "60" },
    /** Times during the first scan at which the service is stopped, in seconds. */
    stops: { type: "string", default: "1,4,15" },
  },
});
const components = Number(values.components);
const work = join(tmpdir(), `x-registry-${process.pid}`);
const program = values.program === undefined ? {} : { program: resolve(values.program) };
const registryOf = join(work, "tree");
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const mb = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function bytesBelow(folder: string, isCounted: (name: string) => boolean = () => true): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && isCounted(entry.name))
      bytes += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  return bytes;
}

/** What the list of the registry says. */
interface Listed {
  readonly page_info: { readonly total_count: number };
  readonly progress?: {
    readonly known: number;
    readonly evaluated: number;
    readonly refused: number;
    readonly total: number;
  };
}

/** Asks for the list once a second, and notes the most memory of the process tree. */
function watchList(served: Served, keys: number) {
  const over = new AbortController();
  const seen = { firstMs: 0, allMs: 0, residentBytes: 0, treeBytes: 0, last: "" };
  const watching = (async () => {
    while (!over.signal.aborted) {
      const { status, body } = await served.get("/v1/components/registry?limit=1");
      const at = performance.now() - served.startedAt;
      const listed = status === 200 ? (JSON.parse(body) as Listed) : undefined;
      if (listed) seen.firstMs ||= at;
      if ((listed?.page_info.total_count ?? 0) >= keys) seen.allMs ||= at;
      if (listed?.progress) seen.last = JSON.stringify(listed.progress);
      const use = served.use();
      seen.residentBytes = Math.max(seen.residentBytes, use.bytes + use.childrenBytes);
      seen.treeBytes = Math.max(seen.treeBytes, use.treeBytes);
      await wait(1_000);
    }
  })();
  return {
    seen,
    async stop() {
      over.abort();
      await watching;
    },
  };
}

/** Asks for keys all over the tree, one after another. */
async function askKeys(served: Served, keys: readonly string[]): Promise<string> {
  const asked = Array.from({ length: 40 }, (_, n) => keys[Math.floor((n * keys.length) / 40)] ?? "");
  const times: number[] = [];
  const statuses = new Map<string, number>();
  for (const key of asked) {
    const { status, ms, body } = await served.get(`/v1/components/registry/${key}`, 20_000);
    times.push(ms);
    const said = status === 200 ? "200" : `${status} ${/"reason":"(\w+)"/.exec(body)?.[1] ?? ""}`;
    statuses.set(said, (statuses.get(said) ?? 0) + 1);
  }
  const answers = [...statuses].map(([said, count]) => `${count} x ${said}`).join(", ");
  return `${answers}; p50 ${percentile(times, 0.5)}, longest ${percentile(times, 1)}`;
}

const percentile = (times: readonly number[], share: number): string => `${quantile(times, share).toFixed(1)} ms`;

/** Sends requests until it is stopped. */
function poll(served: Served, path: string): { stop(): Promise<readonly number[]> } {
  const times: number[] = [];
  const over = new AbortController();
  const polling = (async () => {
    while (!over.signal.aborted) {
      times.push((await served.get(path)).ms);
      await wait(100);
    }
  })();
  return {
    async stop() {
      over.abort();
      await polling;
      return times;
    },
  };
}

if (Number(values.shared) > 0) {
  const { listed, bytes } = await measureSharedModule(Number(values.shared));
  print(`${listed} components with one module of 378 kB: data file ${(bytes / 1024 / 1024).toFixed(1)} MB`);
}
await using npm = await startTestRegistry();
publishGeneratedPackages(npm);
const tree = await makeRegistryTree(registryOf, components);
print(`${components} components (${tree.keys.length} load, ${tree.broken} are broken), ${mb(bytesBelow(registryOf))}`);
const serve = (data: string): Promise<Served> => {
  mkdirSync(data, { recursive: true });
  return serveRegistry({ registry: tree.folder, data, npmRegistry: npm.url, ...program });
};

try {
  // The packages, of one application each: the figures are those of a warm cache.
  const warm = join(work, "warm");
  const warming = await serveRegistry({
    registry: (await makeRegistryTree(join(work, "warming"), Math.min(components, 60))).folder,
    data: (mkdirSync(warm, { recursive: true }), warm),
    npmRegistry: npm.url,
    ...program,
  });
  await warming.isRead;
  await warming.terminate();
  const withPackages = (name: string): string => {
    const data = join(work, name);
    mkdirSync(data, { recursive: true });
    if (existsSync(join(warm, "packages"))) cpSync(join(warm, "packages"), join(data, "packages"), { recursive: true });
    return data;
  };
  const data = withPackages("data");

  const first = await serve(data);
  const health = poll(first, "/healthz");
  const user = poll(first, "/v1/users/me");
  const unknown = await first.get("/v1/components/registry/no-such-component", 20_000);
  print(
    `unknown key while reading: ${unknown.status || "no answer"} in ${unknown.ms.toFixed(0)} ms: ${unknown.body.slice(0, 160)}`,
  );
  const list = watchList(first, tree.keys.length);
  print(`40 keys at once after the start: ${await askKeys(first, tree.keys)}`);
  const limit = wait(Number(values.minutes) * 60_000, undefined, { ref: false });
  const readAt = await Promise.race([first.isRead, limit]);
  const scanned = (readAt ?? performance.now()) - first.startedAt;
  const healthTimes = await health.stop();
  const userTimes = await user.stop();
  await list.stop();
  const use = first.use();
  print(
    `first scan: ${seconds(scanned)}${readAt === undefined ? " (not done)" : ""}, ${(scanned / components).toFixed(0)} ms each`,
  );
  print(`  cpu ${use.cpuSeconds.toFixed(0)} s, peak resident ${mb(use.peakBytes)}, children ${mb(use.childrenBytes)}`);
  print(`  GET /healthz p50 ${percentile(healthTimes, 0.5)}, p99 ${percentile(healthTimes, 0.99)}`);
  print(`  GET /v1/users/me p50 ${percentile(userTimes, 0.5)}, p99 ${percentile(userTimes, 0.99)}`);
  const { firstMs, allMs, residentBytes, treeBytes, last: known } = list.seen;
  print(
    `  list: first answer after ${seconds(firstMs)}, all keys after ${allMs === 0 ? "(not seen)" : seconds(allMs)}; ${known}`,
  );
  print(`  process tree at most ${mb(treeBytes)}; ${mb(residentBytes)} with shared pages counted in each process`);
  print(`  40 keys later: ${await askKeys(first, tree.keys.toReversed())}`);
  const before = first.use().cpuSeconds;
  await wait(10_000);
  const after = first.use();
  print(`after it: resident ${mb(after.bytes)}, cpu of 10 s: ${(after.cpuSeconds - before).toFixed(1)} s`);
  print(`  data folder ${mb(bytesBelow(data))}, of it x.db ${mb(bytesBelow(data, (name) => name.startsWith("x.db")))}`);
  print(`  SIGTERM: ${seconds(await first.terminate())}`);

  const second = await serve(data);
  print(`restart: serving after ${seconds(performance.now() - second.startedAt)}`);
  const last = tree.keys.at(-1) ?? "";
  const found = await second.get(`/v1/components/registry/${last}`);
  const foundMs = performance.now() - second.startedAt;
  const againAt = await Promise.race([second.isRead, wait(60_000, performance.now(), { ref: false })]);
  const again = second.use();
  print(
    `  last key ${found.status} after ${seconds(foundMs)}, all read after ${seconds(againAt - second.startedAt)} (60 s at most)`,
  );
  print(
    `  cpu ${again.cpuSeconds.toFixed(1)} s, resident ${mb(again.bytes)}, peak ${mb(again.peakBytes)}, processes ${again.children}`,
  );
  print(`  SIGTERM: ${seconds(await second.terminate())}`);

  for (const stop of values.stops.split(",").filter((text) => text !== "")) {
    const place = withPackages(`stop-${stop}`);
    const stopped = await serve(place);
    await wait(Number(stop) * 1000);
    print(`SIGTERM ${stop} s into the first scan: ${seconds(await stopped.terminate())}`);
    rmSync(place, { recursive: true });
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
