import { runInThisContext } from "node:vm";

import type { Sandbox } from "../../packages/sandbox/src/contract.ts";
import { runBody, tryComponent } from "../../packages/sandbox/src/sandbox.cases.ts";

/** The result of a suite: the names of the failed tests, in the sandbox and in Node. */
export interface Report {
  readonly name: string;
  readonly total: number;
  readonly guest: readonly string[];
  readonly node: readonly string[];
}

/** Runs the body of a function in the sandbox and in Node; both return JSON. */
export async function runBoth<Result>(sandbox: Sandbox, body: string): Promise<{ guest: Result; node: Result }> {
  const { emits, outcome } = await tryComponent(sandbox, runBody(`this.$emit(await (async () => {${body}\n})())`), {
    timeoutMs: 60_000,
  });
  if (outcome.error) throw new Error(`${outcome.error.message}\n${outcome.error.stack}`);
  const run = runInThisContext(`(async () => {${body}\n})`) as () => Promise<Result>;
  return { guest: JSON.parse(emits[0]?.payload ?? "null") as Result, node: await run() };
}
