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
    rounds: { type: "string", default: "20" },
    seconds: { type: "string", default: "2" },
    /** Without a data folder. */
    memory: { type: "boolean", default: false },
  },
});
const [before] = positionals;
if (before === undefined) throw new Error("Pass the folder of the other checkout: npm run bench:pair -- <folder>");

interface Side {
  readonly child: ChildProcess;
  readonly rounds: Round[];
}

async function next({ child }: Side): Promise<Round> {
  const answer = once(child, "message");
  child.send({});
  const [round] = (await answer) as [Round];
  return round;
}

async function open(checkout: string): Promise<Side> {
  const entry = join(resolve(checkout), "packages/runtime/dist/bundled/index.js");
  const task: Task = { entry, roundMs: Number(values.seconds) * 1_000, memory: values.memory };
  const child = fork(fileURLToPath(import.meta.resolve("./child.ts")), [JSON.stringify(task)]);
  child.once("exit", (code) => {
    if (code !== 0) throw new Error(`The process of ${checkout} ended with ${code}`);
  });
  const side = { child, rounds: [] };
  // Until V8 has compiled what runs often, and the rows of each source are trimmed.
  for (let round = 0; round < 3; round += 1) await next(side);
  return side;
}

const then = await open(before);
const now = await open(".");
for (let round = 0; round < Number(values.rounds); round += 1)
  // The second of a pair may profit from the first.
  for (const side of round % 2 === 0 ? [then, now] : [now, then]) side.rounds.push(await next(side));

const ofAll = (side: Side, name: keyof Round): number => median(side.rounds.map((round) => round[name]));
const ratios = (name: keyof Round): number[] =>
  now.rounds.map((round, index) => round[name] / (then.rounds[index]?.[name] ?? Number.NaN));

console.log(`${machine()}; ${values.rounds} rounds of ${values.seconds} s, ${values.memory ? "memory" : "SQLite"}`);
for (const [name, unit] of [
  ["perSecond", "events/s"],
  ["cpu", "us of processor time an event"],
] as const) {
  const sorted = ratios(name).toSorted((a, b) => a - b);
  console.log(
    `${unit}: before ${ofAll(then, name).toFixed(0)}, now ${ofAll(now, name).toFixed(0)}; ` +
      `ratio of a pair: median ${median(sorted).toFixed(2)}, ${sorted[0]?.toFixed(2)} to ${sorted.at(-1)?.toFixed(2)}`,
  );
}
for (const { child } of [then, now]) child.disconnect();
