import {
  newSortableId,
  nextEventId,
  recordedError,
  type Component,
  type ErrorCode,
  type EventId,
  type GuestError,
  type Json,
  type Source,
  type SourceType,
  type Steps,
  type StoredEvent,
  type TriggerOrigin,
  version,
} from "@x/model";
import { secretMask, type SecretMask } from "../secrets/secret-mask.ts";

export interface FailedExecution {
  readonly executionId: string;
  readonly type: SourceType;
  /** `run`, the hook's name, or the step of a workflow. */
  readonly entry: string;
  /** JSON text given to the entry; empty for hooks. */
  readonly event: string;
  /** When the trigger was accepted, epoch ms. */
  readonly at: number;
  readonly origin?: TriggerOrigin | undefined;
}

/** The context of an execution: a workflow step can read it, and its error record contains it. */
export function executionContext(
  source: Source,
  { executionId, at, type, origin }: Pick<FailedExecution, "executionId" | "at" | "type" | "origin">,
): { [field: string]: Json } {
  return {
    id: executionId,
    ts: new Date(at).toISOString(),
    workflow_id: source.id,
    deployment_id: source.deploymentId,
    source_type: type,
    verified: origin?.verified === true,
    owner_id: source.userId,
    platform_version: version,
  };
}

export interface ErrorRecordRules {
  readonly now: number;
  /** Hides secrets in the event. */
  readonly mask: Pick<SecretMask, "json">;
}

/** Payload of an `$errors` event, as JSON text. The event is in it as it was given: it may be long. */
export function* errorRecord(
  source: Source,
  failed: FailedExecution,
  error: GuestError,
  { now, mask }: ErrorRecordRules,
): Steps<string> {
  const event = failed.event === "" ? "null" : yield* mask.json(failed.event);
  const others = JSON.stringify({
    original_context: executionContext(source, failed),
    error: {
      code: error.name,
      cellId: `c_${failed.entry}`,
      msg: error.message,
      ts: new Date(now).toISOString(),
      stack: error.stack,
      ...(error.hint !== undefined && { hint: error.hint }),
    },
  });
  return `{"original_event":${event},${others.slice(1)}`;
}

/** The `$errors` event of a failure outside of a call. `head` is the newest event of the stream. */
export function* errorEvent(
  { source, component, head }: { source: Source; component: Component; head: EventId | undefined },
  failed: FailedExecution,
  reason: { readonly code: ErrorCode; readonly message: string },
  now: number,
): Steps<StoredEvent> {
  const mask = secretMask(component, source, {});
  return {
    emitterId: source.id,
    stream: "$errors",
    id: nextEventId(head, now),
    emitId: newSortableId(now),
    name: "$errors",
    payload: yield* errorRecord(source, failed, recordedError(reason.code, reason.message), { now, mask }),
  };
}
