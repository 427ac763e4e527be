import { recordedError } from "../../model/error-catalogue/guest-error.ts";
import type { ErrorCode } from "../../model/errors.ts";
import { nextEventId } from "../../model/event-id.ts";
import type { Component, EventId, GuestError, Json, Source, SourceType, StoredEvent } from "../../model/model.ts";
import { newSortableId } from "../../process/ids.ts";
import { secretMask } from "../secrets/secret-mask.ts";
import { version } from "../../model/version.ts";

export interface FailedExecution {
  readonly executionId: string;
  readonly type: SourceType;
  /** `run`, the hook's name, or the step of a workflow. */
  readonly entry: string;
  /** JSON text given to the entry; empty for hooks. */
  readonly event: string;
  /** When the trigger was accepted, epoch ms. */
  readonly at: number;
}

/** The context of an execution: a workflow step can read it, and its error record contains it. */
export function executionContext(
  source: Source,
  { executionId, at, type }: Pick<FailedExecution, "executionId" | "at" | "type">,
): { [field: string]: Json } {
  return {
    id: executionId,
    ts: new Date(at).toISOString(),
    workflow_id: source.id,
    deployment_id: source.deploymentId,
    source_type: type,
    verified: false,
    owner_id: source.userId,
    platform_version: version,
  };
}

export interface ErrorRecordRules {
  readonly now: number;
  /** Hides secrets in the event. */
  readonly mask: { value(event: Json): Json };
}

/** Payload of an `$errors` event, as JSON text. */
export function errorRecord(
  source: Source,
  failed: FailedExecution,
  error: GuestError,
  { now, mask }: ErrorRecordRules,
): string {
  return JSON.stringify({
    original_event: mask.value(JSON.parse(failed.event === "" ? "null" : failed.event) as Json),
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
}

/** The `$errors` event of a failure outside of a call. `head` is the newest event of the stream. */
export function errorEvent(
  { source, component, head }: { source: Source; component: Component; head: EventId | undefined },
  failed: FailedExecution,
  reason: { readonly code: ErrorCode; readonly message: string },
  now: number,
): StoredEvent {
  const mask = secretMask(component, source, {});
  return {
    emitterId: source.id,
    stream: "$errors",
    id: nextEventId(head, now),
    emitId: newSortableId(now),
    name: "$errors",
    payload: errorRecord(source, failed, recordedError(reason.code, reason.message), { now, mask }),
  };
}
