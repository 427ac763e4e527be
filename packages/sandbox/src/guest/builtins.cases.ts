import { afterAll, beforeAll, expect } from "vitest";

import type { Sandbox } from "../contract.ts";
import { openSandbox, runBody, type Trial, tryComponent } from "../sandbox.cases.ts";
import { bundled, compare, type Difference } from "./differential.cases.ts";

/** The events and logs of a run. */
export interface Ran {
  readonly emitted: unknown;
  readonly logs: readonly string[];
}

/** A sandbox for one test file of built-ins. */
export interface BuiltinTrials {
  /** Expects snippets to behave in the sandbox as in Node. */
  sameAsNode(snippets: readonly string[], differences?: readonly Difference[], trial?: Trial): Promise<void>;
  /** Runs the body of an async function in the sandbox, and expects no error. */
  ran(body: string, trial?: Trial): Promise<Ran>;
  sandbox(): Sandbox;
}

export function tryBuiltins(): BuiltinTrials {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });
  afterAll(() => sandbox.close());
  return {
    async sameAsNode(snippets, differences, trial) {
      const { guest, node, stale } = await compare(sandbox, snippets, differences, trial);
      expect(stale).toEqual([]);
      expect(guest).toEqual(node);
    },
    async ran(body, trial) {
      const code = await bundled(runBody(`this.$emit(await (async () => { ${body} })())`));
      const { emits, outcome, logs } = await tryComponent(sandbox, code, trial);
      expect(outcome.error).toBeUndefined();
      return {
        emitted: JSON.parse(emits[0]?.payload ?? "null") as unknown,
        logs: logs.map(({ level, msg }) => `${level}: ${msg}`),
      };
    },
    sandbox: () => sandbox,
  };
}
