import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { array, integer, record } from "fast-check";
import { createMemory } from "@x/runtime";

import type { Store } from "../../packages/store/src/contract.ts";
import { openSqliteStore } from "../../packages/store/src/sqlite/sqlite.ts";
import { defineTarget, type Fuzzer } from "./fuzzer.ts";
import { changeList } from "./store-changes.ts";
import { type ChangeInput, readChange } from "./store-input.ts";
import { differenceOf, outcome } from "./store-steps.ts";

interface Input {
  readonly commits: readonly (readonly ChangeInput[])[];
  /** The process is killed when so many commits have ended; the others are on their way. */
  readonly after: number;
}

const program = fileURLToPath(new URL("store-kill.child.ts", import.meta.url));

/** Sends all commits at once and kills the process; returns how those ended that did. */
async function killAmidst(folder: string, { commits, after }: Input): Promise<string[]> {
  const child = spawn(process.execPath, ["--conditions=@x/source", program, folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  child.stdin.on("error", () => undefined);
  const ended: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "open")
      child.stdin.write(commits.map((each) => `${Buffer.from(JSON.stringify(each)).toString("base64")}\n`).join(""));
    else ended.push(line.slice(line.indexOf(" ") + 1));
    if (ended.length >= after) child.kill("SIGKILL");
  }
  await gone;
  return ended;
}

/** The store holds what some number of commits left, and at least those that have ended. */
async function checkLeft(store: Store, { commits }: Input, ended: readonly string[]): Promise<void> {
  const model = createMemory().open();
  const differences: string[] = [];
  for (let count = 0; ; count += 1) {
    if (count >= ended.length) {
      const difference = await differenceOf(model, store);
      if (difference === undefined) return;
      differences.push(`after ${count} commits ${difference}`);
    }
    const next = commits[count];
    if (!next) break;
    const expected = await outcome(model.commit(next.map(readChange)));
    if (count < ended.length && ended[count] !== expected)
      throw new Error(`commit ${count} ended with ${ended[count]}, in memory with ${expected}`);
  }
  throw new Error(`${ended.length} commits had ended: ${differences.join("; ")}`);
}

export const storeKillFuzzer: Fuzzer = {
  name: "store-kill",
  about: "the commits of a killed process are there whole, in their order, and all that had ended",
  runs: 6,
  open: async () =>
    defineTarget<Input>({
      arbitrary: record(
        {
          commits: array(changeList, { minLength: 1, maxLength: 12, size: "max" }),
          after: integer({ min: 0, max: 12 }),
        },
        { noNullPrototype: true },
      ).map(({ commits, after }) => ({ commits, after: Math.min(after, commits.length) })),
      async property(input) {
        const folder = await mkdtemp(join(tmpdir(), "x-fuzz-"));
        try {
          const ended = await killAmidst(folder, input);
          const store = await openSqliteStore({ folder });
          try {
            await checkLeft(store, input, ended);
          } finally {
            await store.close();
          }
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
    }),
};
