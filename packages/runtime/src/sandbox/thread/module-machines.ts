import type { GuestError } from "../../model/model.ts";
import type { DescribeLimits } from "../contract.ts";
import { evaluate } from "./evaluation.ts";
import type { MachinePool } from "../machine/machine-pool.ts";
import type { GuestMachine } from "../machine/guest-machine.ts";
import { type Heartbeat, sharedNow } from "./heartbeat.ts";
import { captureImage, type Image } from "../machine/image.ts";
import type { CallEnd, SandboxCallMessage } from "./messages.ts";

/** A module's text, and its image once there is one. */
export interface KnownModule {
  readonly code: string;
  readonly image: Image | undefined;
}

/** A machine in which a module has been evaluated; it belongs to one call. */
export interface OpenedModule {
  readonly machine: GuestMachine;
  /** How much of the call's time went into evaluating it. */
  readonly spentMs: number;
  /** Made on the way: what later calls can start from. */
  readonly image?: Image | undefined;
  /** `clean`: the machine can be used again. `keep`: its realm is the next call's, when the source is warm. */
  close(clean: boolean, keep: boolean): void;
}

export interface DescribedModule {
  readonly json: string | undefined;
  readonly error: GuestError | undefined;
  readonly image: Image | undefined;
}

export type ModuleCall = Pick<SandboxCallMessage, "id" | "sourceId" | "hash" | "limits" | "warm">;

/** Machines of one thread, ready to be entered: with a module evaluated in them. */
export interface ModuleMachines {
  describe(callId: number, code: string, limits: DescribeLimits): Promise<DescribedModule>;
  /** How the call ended, when its module cannot be evaluated. */
  open(call: ModuleCall, module: KnownModule): Promise<OpenedModule | { readonly end: CallEnd }>;
}

export interface ModuleMachinesParts {
  readonly machinePool: MachinePool;
  readonly beat: Heartbeat;
  /** A module was evaluated in this machine to be described. */
  described(machine: GuestMachine): void;
  /** A machine with so much memory is dropped. */
  reclaim(bytes: number): void;
}

/** How a call ended whose module could not be evaluated. */
export const unevaluated = (error: GuestError, memoryBytes: number): CallEnd => {
  const status = error.code === "sandbox_timeout" ? "timeout" : "error";
  return { status, error, durationMs: 0, computeMs: 0, memoryBytes };
};

export function createModuleMachines({ machinePool, beat, described, reclaim }: ModuleMachinesParts): ModuleMachines {
  return {
    async describe(callId, code, { timeoutMs, memoryBytes, image: keepsImage = true }) {
      const machine = await machinePool.take("", machinePool.base, memoryBytes, false);
      const result = evaluate(machine, beat, { callId, code, timeoutMs, describe: true });
      described(machine);
      const image =
        keepsImage && !result.error && result.repeatable ? captureImage(machine, machinePool.base) : undefined;
      const kept = !result.error && machinePool.release(`describe ${callId}`, machine, machinePool.base, false);
      if (!kept) reclaim(machine.memory.buffer.byteLength);
      return { json: result.json, error: result.error, image };
    },
    async open({ id, sourceId, hash, limits, warm }, module) {
      const owner = `${sourceId} ${hash} ${limits.memoryBytes}`;
      const begunAt = sharedNow();
      const machine = await machinePool.take(
        owner,
        module.image ?? machinePool.base,
        limits.memoryBytes,
        warm && module.image !== undefined,
      );
      let image = module.image;
      if (!image) {
        const { timeoutMs } = limits;
        const result = evaluate(machine, beat, { callId: id, code: module.code, timeoutMs, describe: false });
        if (result.error) {
          const memoryBytes = machine.memory.buffer.byteLength;
          reclaim(memoryBytes);
          return { end: unevaluated(result.error, memoryBytes) };
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
