import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { createRandom, type Random } from "../faults/random.ts";
import { startService } from "../faults/service.child.ts";
import { createDisk, type Disk, type Survival } from "./disk.ts";
import { judgeFolder, retention } from "./judge.ts";
import { type Claim, createLoad, type Load } from "./load.ts";
import { type Operation, prepareRecording, readRecording } from "./recording.ts";

import { createShelves, type Shelves } from "./shelves.ts";

export interface PowerOptions {
  /** An empty folder. */
  readonly folder: string;
  /** Load of each of the three services that are recorded. */
  readonly loadMs: number;
  /** Power failures that are replayed. */
  readonly states: number;
  readonly seed: number;
  readonly report?: (line: string) => void;
}

export interface PowerReport {
  readonly operations: number;
  readonly writes: number;
  readonly flushes: number;
  readonly acknowledged: number;
  /** Power failures by what survived of the writes that were not flushed. */
  readonly states: Readonly<Record<Survival, number>>;
  readonly problems: readonly string[];
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Records three services in turn: ended, killed, and after a new secret key killed again. */
async function record(
  options: PowerOptions,
  disk: string,
  shelves: Shelves,
): Promise<{ load: Load; operations: readonly Operation[] }> {
  const { env, file } = prepareRecording(options.folder, disk);
  const data = join(disk, "new", "data");
  const args = ["--retention", String(retention), "--registry", shelves.folder];
  const load = createLoad();
  const serve = async (end: NodeJS.Signals, isFirst: boolean): Promise<void> => {
    const service = await startService(data, { args, env });
    if (isFirst) await load.begin(service.url);
    const stop = load.start(service.url);
    await pause(options.loadMs);
    if (end === "SIGKILL") await service.kill(end);
    await stop();
    if (end !== "SIGKILL") await service.kill(end);
    shelves.change();
  };
  await serve("SIGTERM", true);
  await serve("SIGKILL", false);
  const program = ["packages/cli/dist/main.js", "secret-key", "rotate", "--data", data];
  const rotating = spawn(process.execPath, program, { cwd: root, env: { ...process.env, ...env }, stdio: "ignore" });
  const [code] = (await once(rotating, "exit")) as [number | null];
  if (code !== 0) throw new Error(`The rotation of the secret key ended with ${code}`);
  await serve("SIGKILL", false);
  return { load, operations: readRecording(file) };
}

/** The claims by the place of their answers in the record. */
function placeClaims(operations: readonly Operation[], load: Load): ReadonlyMap<number, Claim> {
  const places = new Map<string, number>();
  const counts = new Map<number, number>();
  for (const [index, operation] of operations.entries()) {
    if (operation.kind !== "answer") continue;
    const number = (counts.get(operation.port) ?? 0) + 1;
    counts.set(operation.port, number);
    places.set(`${operation.port} ${number}`, index);
  }
  return new Map(
    load.acknowledged.map(({ receipt, claim }) => {
      const place = places.get(`${receipt.port} ${receipt.number}`);
      if (place === undefined) throw new Error(`An answer was not recorded: ${JSON.stringify(claim)}`);
      return [place, claim];
    }),
  );
}

/** A power failure after this number of operations. */
interface Failure {
  readonly after: number;
  readonly survival: Survival;
}

/** Takes some of a list, spread evenly. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  if (all.length <= count) return all;
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)] as T);
}

/**
 * Half of them where most can be lost: after an acknowledgement and after a flush, without anything that was not flushed.
 * Half of them with parts of what was not flushed: before a flush, and anywhere.
 */
function planFailures(
  operations: readonly Operation[],
  claims: ReadonlySet<number>,
  states: number,
  random: Random,
): Failure[] {
  const after = (isPlace: (operation: Operation, index: number) => boolean, shift: number): number[] =>
    operations.flatMap((operation, index) => (isPlace(operation, index) ? [index + shift] : []));
  const flushes = after(({ kind }) => kind === "flush", 1);
  const acknowledged = after((_, index) => claims.has(index), 1);
  const anywhere = Array.from({ length: operations.length }, () => Math.floor(random() * (operations.length + 1)));
  const quarter = Math.ceil(states / 4);
  const plan = (places: readonly number[], survival: Survival, count = quarter): Failure[] =>
    spread(places, count).map((place) => ({ after: place, survival }));
  return [
    ...plan(acknowledged, "flushed"),
    ...plan(flushes, "flushed", quarter - 2),
    ...plan(
      flushes.map((place) => place - 1),
      "torn",
    ),
    ...plan(anywhere, "torn", quarter),
    { after: 0, survival: "all" } as const,
    { after: operations.length, survival: "all" } as const,
  ].toSorted((a, b) => a.after - b.after);
}

const what = (disk: Disk, { after, survival }: Failure, operations: readonly Operation[]): string => {
  const next = operations[after];
  const name = next && "path" in next ? ` ${next.path}` : "";
  return `power failure after ${after} of ${operations.length} operations (${survival}, ${disk.unflushed} not flushed, next ${next?.kind}${name})`;
};

/** Records a service, replays its writes up to many power failures, and compares what is left with what was acknowledged. */
export async function runPower(options: PowerOptions): Promise<PowerReport> {
  const { folder, states, report = () => undefined } = options;
  const random = createRandom(options.seed);
  const root = join(folder, "disk");
  mkdirSync(root);
  const shelves = createShelves(join(folder, "shelves"));
  const { load, operations } = await record(options, root, shelves);
  const claims = placeClaims(operations, load);
  const kinds = (kind: Operation["kind"]): number => operations.filter((operation) => operation.kind === kind).length;
  report(
    `${operations.length} operations, ${kinds("write")} writes, ${kinds("flush")} flushes; ${claims.size} acknowledgements`,
  );

  const problems = [...load.problems];
  const counts = { flushed: 0, all: 0, torn: 0 };
  const made: Claim[] = [];
  const disk = createDisk(root);
  let done = 0;
  for (const failure of planFailures(operations, new Set(claims.keys()), states, random)) {
    for (; done < failure.after; done += 1) {
      const [operation, claim] = [operations[done], claims.get(done)];
      if (operation) disk.apply(operation);
      if (claim) made.push(claim);
    }
    const target = join(folder, "after");
    mkdirSync(target);
    disk.crash(target, failure.survival, random);
    for (const problem of await judgeFolder(join(target, "new", "data"), made, shelves)) {
      problems.push(`${what(disk, failure, operations)}: ${problem}`);
      report(`PROBLEM ${problems.at(-1)}`);
    }
    rmSync(target, { recursive: true });
    counts[failure.survival] += 1;
  }
  return {
    operations: operations.length,
    writes: kinds("write"),
    flushes: kinds("flush"),
    acknowledged: claims.size,
    states: counts,
    problems,
  };
}
