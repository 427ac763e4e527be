import type { GuestError, Json, Source, SourceType } from "../../model/model.ts";
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

/** What an execution is told about itself, and what its error tells about it (R021). */
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
  /** Hides secrets that came with the event (S16). */
  readonly mask: { value(event: Json): Json };
}

/** Payload of a source's `$errors` event (contract 3.6), as JSON text. */
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
