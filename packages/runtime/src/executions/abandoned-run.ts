import type { AbandonedRun } from "../invocation/recorder-contract.ts";
import { secretMask } from "../invocation/secrets/secret-mask.ts";
import { cutText, type ExecutionRecord, type Steps } from "@x/model";
import { baseBytes, type RecordRules } from "./execution-record.ts";
import { Room } from "./record-bounds.ts";
import { ranWithOf } from "./ran-with.ts";
import { recordedRequest } from "./recorded-request.ts";

/** The record of a run that ended without a call: its trigger was given up. Masked and bounded as others are. Pure. */
export function* abandonedRecord(
  { source, component, trigger, error, at }: AbandonedRun,
  { bounds, eventChars }: Pick<RecordRules, "bounds" | "eventChars">,
): Steps<ExecutionRecord> {
  const { event, received, httpProp, hops, ofError, origin } = trigger;
  const mask = secretMask(component, source, {});
  const masked = event.length > eventChars ? null : yield* mask.json(event);
  const request = received && recordedRequest(received, mask, new Room(bounds.bodies), bounds, masked !== null);
  const ranWith = ranWithOf({ source, component }, mask, bounds);
  const { code, name, message } = error;
  return {
    summary: {
      id: trigger.id,
      sourceId: source.id,
      userId: source.userId,
      entry: "run",
      type: trigger.type,
      status: "error",
      cause: origin?.cause,
      replayOf: origin?.replayOf,
      queuedAt: trigger.at,
      startedAt: at,
      endedAt: at,
      sandboxMs: 0,
      durationMs: 0,
      computeMs: 0,
      memoryBytes: 0,
      emittedCount: 0,
      deduped: 0,
      logCount: 0,
      callCount: 0,
      dbChangeCount: 0,
      appEvent: origin?.app,
      error: { code, name, message: cutText(message, bounds.shownMessage) },
    },
    detail: {
      ranWith,
      event: masked,
      eventBytes: Buffer.byteLength(event),
      eventMasked: masked !== null && masked !== event ? true : undefined,
      httpProp,
      request,
      hops,
      ofError: ofError === true ? true : undefined,
      emitted: [],
      dropped: [],
      logs: [],
      steps: [],
      calls: [],
      db: [],
      omitted: {},
      response: null,
      error,
    },
    bytes:
      baseBytes +
      (masked?.length ?? 0) +
      (request ? JSON.stringify(request).length : 0) +
      JSON.stringify(ranWith).length,
  };
}
