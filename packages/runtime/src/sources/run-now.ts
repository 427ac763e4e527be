import type { InvokeInput } from "../api/api.ts";
import { XError, timerOf, type Clock, type Execution, type Json, type Source, type SourceType } from "@x/model";
import type { Accepted, Inbox } from "../invocation/inbox/inbox.ts";
import type { SourceCache } from "../invocation/lane/source-cache.ts";
import type { Change } from "@x/store";
import { timerEvent } from "../timers/timer.ts";

export interface RunNowParts {
  readonly inbox: Inbox;
  readonly sourceCache: SourceCache;
  readonly clock: Clock;
  /** Committed together with the trigger. */
  readonly extraChanges?: readonly Change[];
}

/** The event of a manual run: the given event, or a timer event when the source has a timer, or `{}`. */
async function eventFor(source: Source, event: Json | undefined, parts: RunNowParts): Promise<object | Json> {
  if (event !== undefined) return event;
  const { component, source: current } = await parts.sourceCache.get(source.id);
  const timer = timerOf(current, component);
  return timer ? timerEvent(timer, parts.clock.now()) : {};
}

/** A request to the named HTTP prop, which may respond, or a manual run. */
function triggerOf(source: Source, { httpProp }: InvokeInput): { type: SourceType; httpProp?: string } {
  if (httpProp === undefined) return { type: "MANUAL" };
  if (!Object.hasOwn(source.endpoints, httpProp)) throw new XError("not_found", ["HTTP prop", httpProp]);
  return { type: "HTTP", httpProp };
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
  const event = JSON.stringify(await eventFor(source, input.event, parts));
  const { id: sourceId, userId } = source;
  return parts.inbox.accept({
    sourceId,
    userId,
    event,
    ...triggerOf(source, input),
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
