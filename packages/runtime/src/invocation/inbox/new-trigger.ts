import {
  newSortableId,
  triggerBytes,
  type SourceType,
  type Trigger,
  type TriggerHead,
  type TriggerOrigin,
} from "@x/model";
import type { GuestResponse } from "@x/sandbox";
import type { Change } from "@x/store";
import type { Tracing } from "../../observe/contract.ts";

/** A trigger that is not stored yet. */
export interface NewTrigger {
  readonly sourceId: string;
  /** Owner of the source. */
  readonly userId: string;
  readonly type: SourceType;
  /** JSON text. */
  readonly event: string;
  /** Body of the request when `event` does not contain it. */
  readonly body?: Uint8Array;
  /** JSON text of the request's head, for the stored execution. */
  readonly received?: string;
  readonly httpProp?: string;
  /** Hops of the chain of events that led here; default 0. */
  readonly hops?: number;
  /** True if the trigger repeats one to which an `$errors` event led. */
  readonly ofError?: boolean;
  readonly origin?: TriggerOrigin;
  /** Called at the component's first `respond`. */
  readonly respond?: (response: GuestResponse) => void;
  /** Committed together with the trigger. */
  readonly extraChanges?: readonly Change[];
}

/** A trigger for the store, and its head for the lane. */
export interface MadeTrigger {
  readonly trigger: Trigger;
  readonly head: TriggerHead;
}

export function newTrigger(given: NewTrigger, at: number): MadeTrigger {
  const { sourceId, userId, type, event, body, received, httpProp, hops = 0, ofError = false, origin } = given;
  const base = {
    id: newSortableId(at),
    sourceId,
    type,
    ...(httpProp !== undefined && { httpProp }),
    at,
    crashes: 0,
    hops,
    ...(ofError && { ofError }),
    ...(origin && { origin }),
  };
  const trigger = { ...base, event, ...(body && { body }), ...(received !== undefined && { received }) };
  return { trigger, head: { ...base, userId, bytes: triggerBytes(trigger) } };
}

/** A run that an embedder asks for belongs to the trace of its caller; a tick has no caller. */
export function inTrace(given: NewTrigger, tracing: Tracing | undefined): NewTrigger {
  if (!tracing || given.type === "TIMER" || given.origin?.trace !== undefined) return given;
  const trace = tracing.active();
  return trace === undefined ? given : { ...given, origin: { ...given.origin, trace } };
}
