import { LRUCache } from "lru-cache";

import { bootBaseImage } from "./boot-base-image.ts";
import { initialPages, type Machine, type MachineLoader } from "./quickjs-machine.ts";
import { type BaseImage, type Image, restoreImage } from "./image.ts";
import { wasmPageBytes } from "./wasm.ts";

/** Approximate resident size of a machine, without its image. */
const machineBytes = 1024 * 1024;
const freeLimit = 32;

/**
 * The machines of one thread. Any owner gets the machine that was used last, because its memory is still in the
 * processor's caches; nothing of its last owner remains in it. Warm sources have their own machines.
 */
export interface MachinePool {
  readonly base: BaseImage;
  /** A machine with this image, for the caller until `release`; a warm owner gets its last machine as it was. */
  take(owner: string, image: Image, memoryBytes: number, warm: boolean): Promise<Machine>;
  /** Takes back a machine that ended cleanly. False: the pool has no room, or the machine has grown. */
  release(owner: string, machine: Machine, image: Image, warm: boolean): boolean;
  /** Drops the free machines that were not needed since the last time. */
  trim(): void;
}

export interface MachinePoolOptions {
  readonly base: BaseImage | undefined;
  /** Limit on the bytes of warm machines. */
  readonly warmBytes: number;
  /** The usual memory limit of a source; spare machines have it. */
  readonly memoryBytes: number;
  /** Machines that are created in advance. */
  readonly spares: number;
}

/** Free machines of one size. */
interface Stack {
  readonly machines: Machine[];
  /** How many were never taken since the last trim: always those at the bottom. */
  untouched: number;
}

const pagesOf = (memoryBytes: number): number => Math.max(initialPages, Math.floor(memoryBytes / wasmPageBytes));

export async function createMachinePool(loader: MachineLoader, options: MachinePoolOptions): Promise<MachinePool> {
  const base = options.base ?? (await bootBaseImage(loader));
  const warmMachines = new LRUCache<string, Machine>({ maxSize: Math.max(machineBytes, options.warmBytes) });
  /** By their maximum of pages; last in, first out. */
  const free = new Map<number, Stack>();
  const usualPages = pagesOf(options.memoryBytes);

  function stackOf(pages: number): Stack {
    const stack = free.get(pages) ?? { machines: [], untouched: 0 };
    free.set(pages, stack);
    return stack;
  }

  async function fill(): Promise<void> {
    const { machines } = stackOf(usualPages);
    while (machines.length < options.spares) {
      const machine = await loader.create(usualPages);
      // Moves the page faults out of the first call.
      restoreImage(machine, base);
      machines.unshift(machine);
      await new Promise(setImmediate);
    }
  }

  function popFree(pages: number): Machine | undefined {
    const stack = free.get(pages);
    const last = stack?.machines.pop();
    if (stack) stack.untouched = Math.min(stack.untouched, stack.machines.length);
    return last;
  }

  // Without memory for spares, the call that needs a machine says so.
  fill().catch(() => undefined);
  return {
    base,
    async take(owner, image, memoryBytes, warm) {
      const own = warm ? warmMachines.get(owner) : undefined;
      if (own) {
        warmMachines.delete(owner);
        return own;
      }
      const pages = pagesOf(memoryBytes);
      const reused = image.pages <= initialPages ? popFree(pages) : undefined;
      const machine = reused ?? (await loader.create(pages, Math.max(initialPages, image.pages)));
      restoreImage(machine, image, base);
      return machine;
    },
    release(owner, machine, image, warm) {
      if (warm) {
        warmMachines.set(owner, machine, { size: image.bytes.byteLength + machineBytes });
        return true;
      }
      const { machines } = stackOf(machine.maximumPages);
      if (!machine.isReusable || machines.length >= freeLimit) return false;
      machines.push(machine);
      return true;
    },
    trim() {
      for (const [pages, stack] of free) {
        const { machines, untouched } = stack;
        const spares = pages === usualPages ? options.spares : 0;
        machines.splice(0, Math.min(untouched, Math.max(0, machines.length - spares)));
        stack.untouched = machines.length;
      }
    },
  };
}
