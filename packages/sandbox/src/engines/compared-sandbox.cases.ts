import { defaults, type Limits } from "../../../model/src/limits.ts";
import type { Sandbox } from "../contract.ts";
import { openEngine } from "../machine/engine.ts";
import { type BaseImage, type Image, imageSize } from "../machine/image.ts";
import { createImageCache } from "../machine/image-cache.ts";
import { createMachinePool, type MachinePool } from "../machine/machine-pool.ts";
import { createMachineLoader, type Machine } from "../machine/quickjs-machine.ts";
import { writeRuns } from "../machine/runs.ts";
import { unwatched } from "../thread/heartbeat.ts";
import { createModuleMachines } from "../thread/module-machines.ts";
import { createLocalSandbox } from "./local-sandbox.ts";

export interface ComparedSandbox {
  readonly sandbox: Sandbox;
  /** How many restored memories of used machines were compared. */
  compared(): number;
  /** Where restored memory was not that of a new machine with the same image. */
  differences(): readonly string[];
}

/** A sandbox without threads that compares the whole memory of each machine that it restores with what it must be. */
export async function openComparedSandbox(limits: Partial<Limits> = {}): Promise<ComparedSandbox> {
  const { code, base } = await openEngine();
  const loader = await createMachineLoader(code);
  if (!base) throw new Error("The build made no base image");
  const options = { base, warmBytes: 0, memoryBytes: defaults.memoryBytes, spares: 1 };
  const pool = await createMachinePool(loader, options);
  const used = new WeakSet<Machine>();
  const differences: string[] = [];
  let compared = 0;
  const checked: MachinePool = {
    ...pool,
    async take(owner, image, memoryBytes, warm) {
      const machine = await pool.take(owner, image, memoryBytes, warm);
      if (used.has(machine)) compared += 1;
      used.add(machine);
      const found = differenceOf(machine, image, base);
      if (found !== undefined) differences.push(`${owner} ${found}`);
      return machine;
    },
  };
  const sandbox = createLocalSandbox({
    limits: { ...defaults, ...limits },
    machines: (described) =>
      Promise.resolve(
        createModuleMachines({ machinePool: checked, beat: unwatched, described, reclaim: () => undefined }),
      ),
    images: createImageCache(64 * 1024 * 1024, imageSize),
    limitMs: (timeoutMs) => timeoutMs,
  });
  return { sandbox, compared: () => compared, differences: () => differences };
}

function differenceOf(machine: Machine, image: Image, base: BaseImage): string | undefined {
  const found = new Uint8Array(machine.memory.buffer);
  const expected = new Uint8Array(found.length);
  writeRuns(base, expected);
  if (image !== base) writeRuns(image, expected);
  if (Buffer.from(found.buffer).equals(expected)) return undefined;
  const at = expected.findIndex((byte, index) => byte !== found[index]);
  return `differs at ${at}: ${found[at]} instead of ${expected[at]}`;
}
