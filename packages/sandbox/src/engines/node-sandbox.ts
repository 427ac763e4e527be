import { LRUCache } from "lru-cache";

import type { Sandbox } from "../contract.ts";
import { readEngineFiles } from "../machine/engine-files.ts";
import { evaluate } from "../thread/evaluation.ts";
import type { GuestMachine } from "../machine/guest-machine.ts";
import { unwatched } from "../thread/heartbeat.ts";
import { createLocalSandbox, type LocalSandboxOptions } from "./local-sandbox.ts";
import { evaluationFailed, type ModuleMachines } from "../thread/module-machines.ts";
import { isDebugged, nodeMachines } from "../machine/node-machine.ts";

const maxWarm = 100;
/** In ms: longer than any process runs. */
const never = 2 ** 40;

function nodeModules(described: (machine: GuestMachine) => void): ModuleMachines {
  const makeMachine = nodeMachines(readEngineFiles());
  const warmMachines = new LRUCache<string, GuestMachine>({ max: maxWarm });
  return {
    describe(callId, code, { timeoutMs }) {
      const machine = makeMachine();
      const { error, json } = evaluate(machine, unwatched, { callId, code, timeoutMs, describe: true });
      described(machine);
      return Promise.resolve({ json, error, capture: () => undefined });
    },
    open({ id, sourceId, hash, limits, warm }, { code }) {
      const owner = `${sourceId} ${hash}`;
      const kept = warm ? warmMachines.get(owner) : undefined;
      if (kept) warmMachines.delete(owner);
      const machine = kept ?? makeMachine();
      const { timeoutMs } = limits;
      const error = kept
        ? undefined
        : evaluate(machine, unwatched, { callId: id, code, timeoutMs, describe: false }).error;
      if (error) return Promise.resolve({ end: evaluationFailed(error, 0) });
      return Promise.resolve({
        machine,
        spentMs: 0,
        close(clean, keep) {
          if (clean && keep && warm) warmMachines.set(owner, machine);
        },
      });
    },
  };
}

/**
 * Creates a sandbox that runs components in this thread, in realms of Node, for debuggers. It isolates nothing. Deadlines
 * do not hold while Node's inspector is open.
 */
export const createNodeSandbox = (options: LocalSandboxOptions): Sandbox =>
  createLocalSandbox({
    ...options,
    machines: (described) => Promise.resolve(nodeModules(described)),
    // A realm of Node cannot be copied.
    images: new Map(),
    limitMs: (timeoutMs) => (isDebugged() ? never : timeoutMs),
  });
