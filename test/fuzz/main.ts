/** Runs fuzzers for minutes; keeps what they find in `test/fuzz/found`. */
import { parseArgs } from "node:util";

import { fuzzers } from "./all.ts";
import { runCampaign } from "./campaign.ts";
import { readFound, writeFound } from "./found.ts";
import type { Fuzzer, Target } from "./fuzzer.ts";
import { describeFailure } from "./report.ts";

const { values } = parseArgs({
  options: {
    /** For each fuzzer. */
    minutes: { type: "string", default: "1" },
    /** The name of one fuzzer. */
    only: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    /** Repeats one input of an earlier campaign with this seed. */
    path: { type: "string" },
  },
});
const seed = Number(values.seed);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

async function replay(name: string, { property }: Target): Promise<number> {
  let failures = 0;
  for (const { file, input } of readFound(name)) {
    try {
      await property(input);
    } catch (error) {
      failures += 1;
      print(`${name}: found/${name}/${file} fails again: ${String(error).slice(0, 300)}`);
    }
  }
  return failures;
}

/** Returns the number of failures. */
async function fuzz({ name, about, open }: Fuzzer): Promise<number> {
  const target = await open();
  if (typeof target === "string") {
    print(`${name}: skipped, ${target}`);
    return 0;
  }
  print(`${name}: ${about}, seed ${seed}`);
  try {
    const again = values.path === undefined ? await replay(name, target) : 0;
    const began = performance.now();
    const { runs, failure } = await runCampaign(target, {
      seed,
      ...(values.path === undefined ? { ms: Number(values.minutes) * 60_000 } : { path: values.path }),
    });
    const minutes = (performance.now() - began) / 60_000;
    print(`  ${runs} inputs, ${Math.round(runs / minutes)} per minute`);
    if (!failure) return again;
    print(describeFailure(name, seed, failure));
    print(`  kept    ${writeFound(name, failure.error instanceof Error ? failure.error.message : "", failure.input)}`);
    return again + 1;
  } finally {
    await target.close();
  }
}

const chosen = fuzzers.filter(({ name }) => values.only === undefined || name === values.only);
if (chosen.length === 0)
  throw new Error(`There is no fuzzer ${values.only}; there are ${fuzzers.map(({ name }) => name).join(", ")}`);
let failures = 0;
for (const each of chosen) failures += await fuzz(each);
print(failures === 0 ? "PASS" : "FAIL");
process.exit(failures === 0 ? 0 : 1);
