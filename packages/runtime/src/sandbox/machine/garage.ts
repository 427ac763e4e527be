import { LRUCache } from "lru-cache";

import { bootBaseImage } from "./base-image.ts";
import { initialPages, type Machine, type MachineLoader, wasmPageBytes } from "./quickjs-machine.ts";
import { type BaseImage, type Image, restoreImage, wipeBeside } from "./image.ts";

/** Rough resident size of a machine beside its image. */
const machineBytes = 1024 * 1024;
const freeLimit = 32;

/**
 * Machines of one thread. The one that was used last is used next, whoever's turn it is: its memory is still in the
 * processor's caches. What its last owner left outside the new image is wiped. Warm sources keep a machine of their own.
 */
export interface Garage {
  readonly base: BaseImage;
  /** A machine with this image in its memory. It belongs to the caller until `park`. */
  take(owner: string, image: Image, memoryBytes: number, warm: boolean): Promise<Machine>;
  /** Takes back a machine that ended cleanly. False: it is not kept. */
  park(owner: string, machine: Machine, image: Image, warm: boolean): boolean;
}

export interface GarageOptions {
  readonly base: BaseImage | undefined;
  /** Bytes of warm machines that are kept. */
  readonly warmBytes: number;
  /** The cap that most sources have; spares are made for it. */
  readonly memoryBytes: number;
  /** Machines that are made before anybody needs them. */
  readonly spares: number;
}

interface Free {
  readonly machine: Machine;
  readonly owner: string;
}

const pagesOf = (memoryBytes: number): number => Math.max(initialPages, Math.floor(memoryBytes / wasmPageBytes));

export async function createGarage(loader: MachineLoader, options: GarageOptions): Promise<Garage> {
  const base = options.base ?? (await bootBaseImage(loader));
  const endAddress = base.heapEndAt;
  const warmMachines = new LRUCache<string, Machine>({ maxSize: Math.max(machineBytes, options.warmBytes) });
  /** By the pages they may have; last in, first out. */
  const free = new Map<number, Free[]>();
  const usualPages = pagesOf(options.memoryBytes);

  async function fill(): Promise<void> {
    const stack: Free[] = [];
    free.set(usualPages, stack);
    while (stack.length < options.spares) {
      const machine = await loader.create(usualPages);
      // Touching the pages now keeps their faults out of the first call.
      restoreImage(machine, base);
      stack.unshift({ machine, owner: "" });
      await new Promise(setImmediate);
    }
  }

  /** Without knowing the heap's end a machine stays with its tenant. */
  function popFor(owner: string, pages: number): Free | undefined {
    const stack = free.get(pages);
    const last = stack?.at(-1);
    if (!last || (endAddress === undefined && last.owner !== owner && last.owner !== "")) return undefined;
    return stack?.pop();
  }

  void fill();
  return {
    base,
    async take(owner, image, memoryBytes, warm) {
      const kept = warm ? warmMachines.get(owner) : undefined;
      if (kept) {
        warmMachines.delete(owner);
        return kept;
      }
      const pages = pagesOf(memoryBytes);
      const reused = image.pages <= initialPages ? popFor(owner, pages) : undefined;
      const machine = reused?.machine ?? (await loader.create(pages, Math.max(initialPages, image.pages)));
      if (reused && endAddress !== undefined && reused.owner !== owner)
        wipeBeside(machine, image, machine.heapEnd(endAddress));
      restoreImage(machine, image, base);
      return machine;
    },
    park(owner, machine, image, warm) {
      if (warm) {
        warmMachines.set(owner, machine, { size: image.bytes.byteLength + machineBytes });
        return true;
      }
      const stack = free.get(machine.maximumPages) ?? [];
      free.set(machine.maximumPages, stack);
      // A machine that grew cannot shrink; dropping it gives the memory back.
      const hasGrown = machine.memory.buffer.byteLength > initialPages * wasmPageBytes;
      if (hasGrown || stack.length >= freeLimit) return false;
      stack.push({ machine, owner });
      return true;
    },
  };
}
