import type { GuestError, Json, Source, SourceType } from "./model.ts";
import { version } from "./version.ts";

export interface FailedExecution {
  readonly executionId: string;
  readonly type: SourceType;
  /** `run` or the hook's name. */
  readonly entry: string;
  /** JSON text given to the entry; empty for hooks. */
  readonly event: string;
  /** When the trigger was accepted, epoch ms. */
  readonly at: number;
}

/** Payload of a source's `$errors` event (contract 3.6), as JSON text. */
export function errorRecord(source: Source, failed: FailedExecution, error: GuestError, now: number): string {
  return JSON.stringify({
    original_event: JSON.parse(failed.event === "" ? "null" : failed.event) as Json,
    original_context: {
      id: failed.executionId,
      ts: new Date(failed.at).toISOString(),
      workflow_id: source.id,
      deployment_id: source.deploymentId,
      source_type: failed.type,
      verified: false,
      owner_id: source.userId,
      platform_version: version,
    },
    error: {
      code: error.name,
      cellId: `c_${failed.entry}`,
      msg: error.message,
      ts: new Date(now).toISOString(),
      stack: error.stack,
    },
  });
}
