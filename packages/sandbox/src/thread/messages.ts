import type { GuestError } from "@x/model";
import type {
  CallLimits,
  DbChange,
  DescribeLimits,
  Entry,
  GuestReply,
  LeftWork,
  RequestFailure,
  ThrownError,
} from "../contract.ts";
import type { Engine } from "../machine/engine.ts";
import type { EngineFiles } from "../machine/engine-files.ts";
import type { CallText } from "../machine/guest-machine.ts";
import type { PackedImage } from "../machine/packed-image.ts";
import type { EffectRules } from "./effects.ts";

/** How a call ended, as its thread reports it. */
export interface CallEnd {
  readonly status: "ok" | "error" | "timeout" | "out_of_memory";
  readonly result?: string;
  readonly error?: ThrownError;
  readonly durationMs: number;
  readonly computeMs: number;
  readonly memoryBytes: number;
  readonly left?: LeftWork;
  /** How many log records were not posted. */
  readonly droppedLogs?: number;
}

/** What a thread starts with: nothing of it if it starts early. */
export interface BootData {
  /** The engine that another thread has opened; without one, the thread opens its own. */
  readonly engine?: Engine;
  /** Another engine or prelude, for tests. */
  readonly files?: EngineFiles;
  /** The default memory cap of sources, in bytes, if it is not that of `defaults`. */
  readonly memoryBytes?: number;
}

/** The first message to a worker thread. */
export interface ThreadData {
  readonly heartbeat: SharedArrayBuffer;
  /** Memory of the shared clock. */
  readonly clock: SharedArrayBuffer;
  readonly tickets: SharedArrayBuffer;
  readonly journal: SharedArrayBuffer;
  readonly rules: Omit<EffectRules, "dedupe">;
  /** Whether bundles contain counters, as for coverage. */
  readonly instrumented: boolean;
}

/** Starts a call. The buffer of its event is transferred. */
export interface SandboxCallMessage extends CallText {
  readonly k: "call";
  readonly id: number;
  /** Index into the tickets. The thread claims it to begin the call, the scheduler to withdraw the call. */
  readonly ticket: number;
  readonly hash: string;
  readonly sourceId: string;
  readonly entry: Entry;
  readonly limits: CallLimits;
  readonly dedupe: EffectRules["dedupe"];
  readonly warm: boolean;
  /** How many ms of its waits for timers may be skipped; 0: they take real time. */
  readonly maxSkippedMs: number;
}

export type ToWorker =
  | SandboxCallMessage
  | {
      readonly k: "describe";
      readonly id: number;
      readonly ticket: number;
      readonly code: string;
      readonly limits: DescribeLimits;
    }
  /** Answers `need` with the code, and its image if there is one. Without code: the call has left the thread. */
  | {
      readonly k: "bundle";
      readonly hash: string;
      readonly image: PackedImage | undefined;
      readonly code: string | undefined;
    }
  /** The call continues elsewhere, or was cancelled; its machine is dropped. */
  | { readonly k: "drop"; readonly id: number }
  | {
      readonly k: "reply";
      readonly id: number;
      readonly fetchId: number;
      readonly reply: (Omit<GuestReply, "cut"> & { readonly cut?: RequestFailure }) | undefined;
      readonly error: RequestFailure | undefined;
    }
  /** Other calls have changed the db of the call's source. */
  | { readonly k: "dbChanged"; readonly id: number; readonly changes: readonly DbChange[] }
  /** The host holds no bytes of an aborted request any more. */
  | { readonly k: "released"; readonly id: number; readonly fetchId: number };

/** The buffers that move to the thread with a message that starts a job. */
export const buffersOf = (message: ToWorker): ArrayBuffer[] =>
  message.k === "call" && message.event ? [message.event.buffer] : [];

/** The host counts a reply of at least so many bytes until the component has it. */
export const largeReply: number = 16 * 1024;

/** An effect of a call. `seq` counts the effects of a thread. */
export type EffectMessage =
  | {
      readonly k: "emit";
      readonly id: number;
      readonly seq: number;
      readonly meta: string;
      readonly payload: string;
      /** Epoch ms of the call. */
      readonly at: number;
    }
  | {
      readonly k: "db";
      readonly id: number;
      readonly seq: number;
      readonly key: string;
      readonly value: string | undefined;
    }
  | {
      readonly k: "log";
      readonly id: number;
      readonly seq: number;
      readonly level: string;
      readonly msg: string;
      readonly data: string;
      readonly at: number;
    }
  | { readonly k: "step"; readonly id: number; readonly seq: number; readonly name: string };

type Unnumbered<T> = T extends unknown ? Omit<T, "seq"> : never;
/** An effect before it is sent. */
export type UnnumberedEffect = Unnumbered<EffectMessage>;

export type FromWorker =
  /** With the engine that the thread has opened. */
  | { readonly k: "ready"; readonly engine: Engine | undefined }
  | { readonly k: "need"; readonly hash: string }
  | { readonly k: "image"; readonly hash: string; readonly image: PackedImage }
  | EffectMessage
  | {
      readonly k: "respond";
      readonly id: number;
      readonly status: number;
      readonly headers: [string, string][];
      readonly body: Uint8Array;
    }
  | {
      /** Both are answered by a reply. The body of a call of a data store is the value. */
      readonly k: "fetch" | "dataStore";
      readonly id: number;
      readonly fetchId: number;
      readonly head: string;
      readonly body: Uint8Array | undefined;
    }
  | { readonly k: "abort"; readonly id: number; readonly fetchId: number }
  /** The component has a large reply. */
  | { readonly k: "taken"; readonly id: number; readonly fetchId: number }
  | {
      readonly k: "described";
      readonly id: number;
      readonly json: string | undefined;
      readonly error: GuestError | undefined;
    }
  /** Follows `described`: making the image takes as long again. */
  | { readonly k: "captured"; readonly id: number; readonly image: PackedImage | undefined }
  /** Counters of instrumented code, as JSON text. */
  | { readonly k: "counters"; readonly id: number; readonly counted: string }
  | { readonly k: "end"; readonly id: number; readonly end: CallEnd };

/** States of a ticket. */
export const ticketState = { waiting: 0, taken: 1, withdrawn: 2 } as const;
