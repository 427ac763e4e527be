/**
 * `npm run bench:pair -- <checkout>`: 32 sources at once by this code and by that of another checkout, in turns, so that
 * what else the machine does affects both. Both must be built: `npm run build`.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { machine, median } from "../machine.ts";
import type { Round, Task } from "./child.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Processes of each side, one after the other: the same code differs by up to a tenth from process to process. */
    processes: { type: "string", default: "6" },
    /** Rounds of each process. */
    rounds: { type: "string", default: "8" },
    seconds: { type: "string", default: "1.5" },
    /** Without a data folder. */
    memory: { type: "boolean", default: false },
  },
});
const [before] = positionals;
if (before === undefined) throw new Error("Pass the folder of the other checkout: npm run bench:pair -- <folder>");

/** The figures of two rounds that followed each other. */
interface Pair {
  readonly before: Round;
  readonly now: Round;
}

async function next(child: ChildProcess): Promise<Round> {
  const answer = once(child, "message");
  child.send({});
  const [round] = (await answer) as [Round];
  return round;
}

async function open(checkout: string): Promise<ChildProcess> {
  const entry = join(resolve(checkout), "packages/runtime/dist/bundled/index.js");
  const task: Task = { entry, roundMs: Number(values.seconds) * 1_000, memory: values.memory };
  const child = fork(fileURLToPath(import.meta.resolve("./child.ts")), [JSON.stringify(task)]);
  child.once("exit", (code) => {
    if (code !== 0) throw new Error(`The process of ${checkout} ended with ${code}`);
  });
  // Until V8 has compiled what runs often, and the rows of each source are trimmed.
  for (let round = 0; round < 3; round += 1) await next(child);
  return child;
}

async function measure(other: string): Promise<Pair[]> {
  const pairs: Pair[] = [];
  const children = { before: await open(other), now: await open(".") };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    // The second of a pair may profit from the first.
    if (round % 2 === 0) pairs.push({ before: await next(children.before), now: await next(children.now) });
    else {
      const now = await next(children.now);
      pairs.push({ before: await next(children.before), now });
    }
  }
  for (const child of Object.values(children)) {
    const ended = once(child, "exit");
    child.disconnect();
    await ended;
  }
  return pairs;
}

const units = { perSecond: "events/s", cpu: "us of processor time an event" } as const;

function report(name: keyof Round, passes: readonly (readonly Pair[])[]): string {
  const pairs = passes.flat();
  const ratioOf = (some: readonly Pair[]): number => median(some.map(({ before, now }) => now[name] / before[name]));
  const ofPasses = passes.map(ratioOf).map((ratio) => ratio.toFixed(2));
  return (
    `${units[name]}: before ${median(pairs.map(({ before }) => before[name])).toFixed(0)}, ` +
    `now ${median(pairs.map(({ now }) => now[name])).toFixed(0)}; ` +
    `median of the ratios ${ratioOf(pairs).toFixed(2)}, by processes ${ofPasses.join(" ")}`
  );
}

console.log(`${machine()}, ${values.memory ? "in memory" : "on SQLite"}`);
const passes: Pair[][] = [];
for (let pass = 0; pass < Number(values.processes); pass += 1) passes.push(await measure(before));
console.log(report("perSecond", passes));
console.log(report("cpu", passes));
