import { join } from "node:path";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { type SingleRunResult, runOnEngine } from "./single-run.ts";
import type { SingleRunOptions } from "./run-target.ts";

/** What `x run` does with a file of the folder, on the tests' engine; usually once. */
export const singleRun = async (
  folder: string,
  file: string,
  options: Partial<SingleRunOptions> = {},
): Promise<SingleRunResult> => {
  const usual = { props: {}, event: undefined, emitOnDeploy: false, hooks: true, times: 1, runtime: {} };
  return await runOnEngine(
    { ...usual, file: join(folder, file), root: folder, ...options },
    await testEngine(),
    (shot) => shot,
  );
};
