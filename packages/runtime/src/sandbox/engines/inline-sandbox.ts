import { findBaseImage } from "../machine/base-image.ts";
import type { Sandbox } from "../contract.ts";
import {
  createMachineLoader,
  loadEngineCode,
  type MachineLoader,
  readEngineFiles,
} from "../machine/quickjs-machine.ts";
import { createGarage } from "../machine/garage.ts";
import { unwatched } from "../thread/heartbeat.ts";
import type { BaseImage } from "../machine/image.ts";
import { keepImages } from "../machine/kept-images.ts";
import { createLocalSandbox, type LocalSandboxOptions } from "./local-sandbox.ts";
import { createModuleMachines } from "../thread/module-machines.ts";
import { dropMachine } from "../machine/reclaim.ts";

const imageBytes = 128 * 1024 * 1024;
const warmBytes = 64 * 1024 * 1024;

interface LoadedEngine {
  readonly loader: MachineLoader;
  readonly base: BaseImage | undefined;
}

/** The engine's code, the same for every sandbox of this thread. */
let loaded: Promise<LoadedEngine> | undefined;

async function loadEngine(): Promise<LoadedEngine> {
  const files = readEngineFiles();
  return { loader: await createMachineLoader(await loadEngineCode(files)), base: findBaseImage(files) };
}

/**
 * The sandbox without threads: a call costs no hop to another one, but shares this one. Code that never ends holds
 * everything else up to its deadline, and one step of the engine that cannot be interrupted beyond it.
 */
export const createInlineSandbox = (options: LocalSandboxOptions): Sandbox =>
  createLocalSandbox({
    ...options,
    async machines(described) {
      const { loader, base } = await (loaded ??= loadEngine());
      const garage = await createGarage(loader, {
        base,
        warmBytes,
        memoryBytes: options.limits.memoryBytes,
        spares: 1,
      });
      return createModuleMachines({ garage, beat: unwatched, described, reclaim: dropMachine });
    },
    images: keepImages(imageBytes),
    limitMs: (timeoutMs) => timeoutMs,
  });
