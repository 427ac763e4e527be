import { join } from "node:path";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { type Shot, shoot } from "./one-shot.ts";
import type { OneShotOptions } from "./subject.ts";

/** What `x run` does with a file of the folder, on the tests' engine; usually once. */
export const shootHere = async (folder: string, file: string, given: Partial<OneShotOptions> = {}): Promise<Shot> => {
  const usual = { props: {}, event: undefined, emitOnDeploy: false, times: 1, runtime: {} };
  return await shoot(
    { ...usual, file: join(folder, file), root: folder, ...given },
    await testEngine(),
    (shot) => shot,
  );
};
