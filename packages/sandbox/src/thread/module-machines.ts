import type { GuestError } from "@x/model";
import type { DescribeLimits } from "../contract.ts";
import { evaluate } from "./evaluation.ts";
import type { MachinePool } from "../machine/machine-pool.ts";
import type { GuestMachine } from "../machine/guest-machine.ts";
import { type Heartbeat } from "./heartbeat.ts";
import { sharedNow } from "./shared-clock.ts";
import { type BaseImage, captureImage, type Image } from "../machine/image.ts";
import type { Machine } from "../machine/quickjs-machine.ts";
import type { CallEnd, SandboxCallMessage } from "./messages.ts";

/** A module's text, and its image if there is one. */
export interface CachedModule {
  readonly code: string;
  readonly image: Image | undefined;
}

/** A machine of one call in which the module has been evaluated. */
export interface OpenedModule {
  readonly machine: GuestMachine;
  /** How much of the call's time the evaluation took, in ms. */
  readonly spentMs: number;
  /** A new image, from which later calls can start. */
  readonly image?: Image | undefined;
  /** `clean`: the machine can be used again. `keep`: if the source is warm, its next call gets the same realm. */
  close(clean: boolean, keep: boolean): void;
}

export interface DescribedModule<Captured> {
  readonly json: string | undefined;
  readonly error: GuestError | undefined;
  /** Makes the image, if there is to be one, and gives the machine back. To be called once. */
  capture(): Captured | undefined;
}

export type ModuleCall = Pick<SandboxCallMessage, "id" | "sourceId" | "hash" | "limits" | "warm">;

/** The machines of one thread, with a module evaluated in them. */
export interface ModuleMachines {
  /** `capture` makes the image: nothing else needs it. */
  describe<Captured>(
    callId: number,
    code: string,
    limits: DescribeLimits,
    capture: (machine: Machine, base: BaseImage) => Captured,
  ): Promise<DescribedModule<Captured>>;
  /** Returns an end when the module cannot be evaluated. */
  open(call: ModuleCall, module: CachedModule): Promise<OpenedModule | { readonly end: CallEnd }>;
}

export interface ModuleMachinesParts {
  readonly machinePool: MachinePool;
  readonly beat: Heartbeat;
  /** A module was described in this machine. */
  described(machine: GuestMachine): void;
  /** A machine with so many bytes of memory is dropped. */
  reclaim(bytes: number): void;
}

/** The end of a call whose module could not be evaluated. */
export const evaluationFailed = (error: GuestError, memoryBytes: number): CallEnd => {
  const status = error.code === "sandbox_timeout" ? "timeout" : "error";
  return { status, error, durationMs: 0, computeMs: 0, memoryBytes };
};

export function createModuleMachines({ machinePool, beat, described, reclaim }: ModuleMachinesParts): ModuleMachines {
  return {
    async describe(callId, code, { timeoutMs, memoryBytes, image: keepsImage = true }, capture) {
      const machine = await machinePool.take("", machinePool.base, memoryBytes, false);
      const result = evaluate(machine, beat, { callId, code, timeoutMs, describe: true });
      described(machine);
      return {
        json: result.json,
        error: result.error,
        capture() {
          const image =
            keepsImage && !result.error && result.repeatable ? capture(machine, machinePool.base) : undefined;
          const kept = !result.error && machinePool.release(`describe ${callId}`, machine, machinePool.base, false);
          if (!kept) reclaim(machine.memory.buffer.byteLength);
          return image;
        },
      };
    },
    async open({ id, sourceId, hash, limits, warm }, module) {
      const owner = `${sourceId} ${hash} ${limits.memoryBytes}`;
      const machine = await machinePool.take(
        owner,
        module.image ?? machinePool.base,
        limits.memoryBytes,
        warm && module.image !== undefined,
      );
      const begunAt = sharedNow();
      let image = module.image;
      if (!image) {
        const { timeoutMs } = limits;
        const result = evaluate(machine, beat, { callId: id, code: module.code, timeoutMs, describe: false });
        if (result.error) {
          const memoryBytes = machine.memory.buffer.byteLength;
          reclaim(memoryBytes);
          return { end: evaluationFailed(result.error, memoryBytes) };
        }
        if (result.repeatable) image = captureImage(machine, machinePool.base);
      }
      return {
        machine,
        spentMs: module.image ? 0 : sharedNow() - begunAt,
        image: module.image ? undefined : image,
        close(clean, keep) {
          const kept = clean && image && machinePool.release(owner, machine, image, keep && warm);
          if (!kept) reclaim(machine.memory.buffer.byteLength);
        },
      };
    },
  };
}
