import type { GuestError } from "../../model/model.ts";
import type {
  CallLimits,
  DescribeLimits,
  Entry,
  GuestReply,
  LeftWork,
  RequestFailure,
  ThrownError,
} from "../contract.ts";
import type { EngineCode } from "../machine/engine-files.ts";
import type { BaseImage, Image } from "../machine/image.ts";
import type { EffectRules } from "./effects.ts";

/** How a call ended, before the owner adds what it knows. */
export interface CallEnd {
  readonly status: "ok" | "error" | "timeout" | "out_of_memory";
  readonly result?: string;
  readonly error?: ThrownError;
  readonly durationMs: number;
  readonly computeMs: number;
  readonly memoryBytes: number;
  readonly left?: LeftWork;
  /** Log records that never left the thread. */
  readonly droppedLogs?: number;
}

/** What a worker thread is started with. */
export interface WorkerSeat {
  readonly engine: EngineCode;
  readonly heartbeat: SharedArrayBuffer;
  readonly tickets: SharedArrayBuffer;
  readonly journal: SharedArrayBuffer;
  readonly base: BaseImage | undefined;
  /** Bytes of images, and of warm machines, that the thread keeps. */
  readonly idleBytes: number;
  /** The memory cap that most sources have. */
  readonly memoryBytes: number;
  readonly rules: Omit<EffectRules, "dedupe">;
  /** Bundles count what runs in them. */
  readonly instrumented: boolean;
}

export interface SandboxCallMessage {
  readonly k: "call";
  readonly id: number;
  /** Index into the tickets: whoever claims it first, worker or scheduler, owns the call. */
  readonly ticket: number;
  readonly hash: string;
  readonly sourceId: string;
  readonly entry: Entry;
  /** The call as JSON text for the guest. */
  readonly text: string;
  readonly limits: CallLimits;
  readonly dedupe: EffectRules["dedupe"];
  readonly warm: boolean;
  /** How much of its waits for timers may be skipped; 0: they take real time. */
  readonly mostSkippedMs: number;
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
  /** Answers `need`: an image, or code to evaluate on every call. Without code: the call that needed it has left the thread. */
  | {
      readonly k: "bundle";
      readonly hash: string;
      readonly image: Image | undefined;
      readonly code: string | undefined;
    }
  /** The call goes on elsewhere; its machine here is given up. */
  | { readonly k: "drop"; readonly id: number }
  | {
      readonly k: "reply";
      readonly id: number;
      readonly fetchId: number;
      readonly reply: (Omit<GuestReply, "cut"> & { readonly cut?: RequestFailure }) | undefined;
      readonly error: RequestFailure | undefined;
    }
  /** A request that was aborted holds nothing any more. */
  | { readonly k: "released"; readonly id: number; readonly fetchId: number };

/** The host keeps count of an answer of so many bytes until the component has it. */
export const largeAnswer: number = 16 * 1024;

/** An effect of a call; `seq` counts the effects of a thread. */
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

export type FromWorker =
  | { readonly k: "ready"; readonly base: BaseImage | undefined }
  | { readonly k: "need"; readonly hash: string }
  | { readonly k: "image"; readonly hash: string; readonly image: Image }
  | EffectMessage
  | {
      readonly k: "respond";
      readonly id: number;
      readonly status: number;
      readonly headers: [string, string][];
      readonly body: Uint8Array;
    }
  | {
      readonly k: "fetch";
      readonly id: number;
      readonly fetchId: number;
      readonly head: string;
      readonly body: Uint8Array | undefined;
    }
  | { readonly k: "abort"; readonly id: number; readonly fetchId: number }
  /** The component has an answer that was large. */
  | { readonly k: "taken"; readonly id: number; readonly fetchId: number }
  | {
      readonly k: "described";
      readonly id: number;
      readonly json: string | undefined;
      readonly error: GuestError | undefined;
      readonly image: Image | undefined;
    }
  /** What instrumented code has counted, as JSON text. */
  | { readonly k: "counters"; readonly id: number; readonly counted: string }
  | { readonly k: "end"; readonly id: number; readonly end: CallEnd };

export const ticketState = { waiting: 0, taken: 1, withdrawn: 2 } as const;
