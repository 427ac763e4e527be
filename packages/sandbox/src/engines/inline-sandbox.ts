import type { Sandbox } from "../contract.ts";
import { type Engine, openEngine } from "../machine/engine.ts";
import { createMachineLoader } from "../machine/quickjs-machine.ts";
import { createMachinePool } from "../machine/machine-pool.ts";
import { unwatched } from "../thread/heartbeat.ts";
import { imageSize } from "../machine/image.ts";
import { createImageCache } from "../machine/image-cache.ts";
import { createLocalSandbox, type LocalSandboxOptions } from "./local-sandbox.ts";
import { createModuleMachines } from "../thread/module-machines.ts";
import { countDroppedMachine } from "../machine/native-garbage.ts";

const imageBytes = 128 * 1024 * 1024;
const warmBytes = 64 * 1024 * 1024;

/** Opened once for all sandboxes of this thread. */
let opened: Promise<Engine> | undefined;

/**
 * Creates a sandbox without threads. A call needs no messages between threads, but blocks this one: code that never ends
 * blocks it until its deadline, and a step of the engine that cannot be interrupted even longer.
 */
export const createInlineSandbox = (options: LocalSandboxOptions): Sandbox =>
  createLocalSandbox({
    ...options,
    async machines(described) {
      const { code, base } = await (opened ??= openEngine());
      const machinePool = await createMachinePool(await createMachineLoader(code), {
        base,
        warmBytes,
        memoryBytes: options.limits.memoryBytes,
        spares: 1,
      });
      return createModuleMachines({ machinePool, beat: unwatched, described, reclaim: countDroppedMachine });
    },
    images: createImageCache(imageBytes, imageSize),
    limitMs: (timeoutMs) => timeoutMs,
  });
