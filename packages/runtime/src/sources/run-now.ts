import type { InvokeInput } from "../api/api.ts";
import { XError, timerOf, type Clock, type Execution, type Json, type Source, type SourceType } from "@x/model";
import type { Accepted } from "../invocation/inbox/arrivals.ts";
import type { Inbox } from "../invocation/inbox/inbox.ts";
import type { SourceCache } from "../invocation/lane/source-cache.ts";
import { testRequest } from "../http/test-request.ts";
import type { Change } from "@x/store";
import { timerEvent } from "../timers/timer.ts";

export interface RunNowParts {
  readonly inbox: Inbox;
  readonly sourceCache: SourceCache;
  readonly clock: Clock;
  endpointUrl(key: string): string;
  /** Committed together with the trigger. */
  readonly extraChanges?: readonly Change[];
}

interface Started {
  readonly type: SourceType;
  readonly event: object | Json;
  readonly httpProp?: string;
}

/** A request, which may respond, or a manual run: with the given event, a timer event when the source has a timer, or `{}`. */
async function startOf({ id }: Source, { event, tickAt, httpProp }: InvokeInput, parts: RunNowParts): Promise<Started> {
  const { component, source } = await parts.sourceCache.get(id);
  if (httpProp !== undefined) {
    if (!Object.hasOwn(source.endpoints, httpProp)) throw new XError("not_found", ["HTTP prop", httpProp]);
    return { type: "HTTP", event: event ?? {}, httpProp };
  }
  const request = testRequest(component.shape, event, (prop) => parts.endpointUrl(source.endpoints[prop] ?? ""));
  if (request) return { type: "MANUAL", ...request };
  if (event !== undefined) return { type: "MANUAL", event };
  const timer = timerOf(source, component);
  return { type: "MANUAL", event: timer ? timerEvent(timer, tickAt ?? parts.clock.now()) : {} };
}

/** The result of an accepted run, or status `queued` when `wait` is false. */
export async function resultOf({ id, done }: Accepted, wait: boolean): Promise<Execution> {
  if (wait) return done;
  return {
    executionId: id,
    status: "queued",
    durationMs: 0,
    computeMs: 0,
    memoryBytes: 0,
    emitted: [],
    deduped: 0,
    response: null,
    logs: [],
    error: null,
  };
}

async function acceptRun(source: Source, input: InvokeInput, parts: RunNowParts): Promise<Accepted> {
  if (!source.active && !input.force) throw new XError("inactive", [source.id]);
  const { event, ...start } = await startOf(source, input, parts);
  const { id: sourceId, userId } = source;
  return parts.inbox.accept({
    sourceId,
    userId,
    event: JSON.stringify(event),
    ...start,
    ...(parts.extraChanges && { extraChanges: parts.extraChanges }),
  });
}

/**
 * Runs a source now. Resolves with the result, or with status `queued` when `wait` is false. The wait does not hold the
 * event, which the store has.
 */
export function runNow(source: Source, input: InvokeInput, parts: RunNowParts): Promise<Execution> {
  const { wait = true } = input;
  return acceptRun(source, input, parts).then((accepted) => resultOf(accepted, wait));
}
