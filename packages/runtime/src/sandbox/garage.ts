import { LRUCache } from "lru-cache";

import { initialPages, type Machine, type MachineLoader, wasmPageBytes } from "./engine.ts";
import { captureImage, type Image, restoreImage } from "./image.ts";

/** Rough resident size of a machine beside its image. */
const machineBytes = 1024 * 1024;
const spareCount = 2;

/** Machines of one thread: spares with the base image in place, and idle ones kept for their source. */
export interface Garage {
  readonly base: Image;
  /** A machine with this image in its memory. It belongs to the caller until `park`. */
  take(owner: string, image: Image, memoryBytes: number, warm: boolean): Promise<Machine>;
  /** Keeps a machine that ended cleanly for its owner's next call. */
  park(owner: string, machine: Machine, image: Image, warm: boolean): void;
}

export async function createGarage(
  loader: MachineLoader,
  given: Image | undefined,
  idleBytes: number,
  defaultMemoryBytes: number,
): Promise<Garage> {
  const base = given ?? (await bootBase(loader));
  const spares: Machine[] = [];
  const sparePages = Math.max(initialPages, Math.floor(defaultMemoryBytes / wasmPageBytes));
  const idle = new LRUCache<string, Machine>({ maxSize: idleBytes });
  let filling = false;

  async function create(memoryBytes: number, image: Image): Promise<Machine> {
    const pages = Math.max(initialPages, Math.floor(memoryBytes / wasmPageBytes));
    return loader.create(pages, Math.max(initialPages, image.pages));
  }

  async function fill(): Promise<void> {
    if (filling) return;
    filling = true;
    while (spares.length < spareCount) {
      const machine = await loader.create(sparePages);
      // Touching the pages now keeps their faults out of the first call.
      restoreImage(machine, base);
      spares.push(machine);
      await new Promise(setImmediate);
    }
    filling = false;
  }

  void fill();
  return {
    base,
    async take(owner, image, memoryBytes, warm) {
      const parked = idle.get(owner);
      if (parked) {
        idle.delete(owner);
        if (!warm) restoreImage(parked, image);
        return parked;
      }
      const spare = memoryBytes === defaultMemoryBytes && image.pages <= initialPages ? spares.pop() : undefined;
      const machine = spare ?? (await create(memoryBytes, image));
      if (spare) void fill();
      restoreImage(machine, image);
      return machine;
    },
    park(owner, machine, image, warm) {
      // A machine that grew cannot shrink; dropping it gives the memory back. Warm ones are kept for their state.
      if (!warm && machine.memory.buffer.byteLength > Math.max(initialPages, image.pages) * wasmPageBytes) return;
      idle.set(owner, machine, { size: image.bytes.byteLength + machineBytes });
    },
  };
}

async function bootBase(loader: MachineLoader): Promise<Image> {
  const machine = await loader.create(initialPages);
  machine.boot();
  return captureImage(machine);
}
