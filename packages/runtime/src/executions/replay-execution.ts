import type { ReplayInput, StoredExecutionDetail } from "../api/executions-api.ts";
import type { NewTrigger } from "../invocation/inbox/new-trigger.ts";
import { XError, type Source } from "@x/model";

const isHook = "it is of a hook, and hooks run only with a change of their source";
const isMasked = "its event is stored without its secrets; pass an event";
const isTooLarge = "its event was too large to be stored; pass an event";

/** The event of a replay as JSON text. Throws `not_replayable` when the record does not have it. */
function eventFor({ id, entry, detail }: StoredExecutionDetail, { event }: ReplayInput): string {
  if (entry !== "run") throw new XError("not_replayable", [id, isHook]);
  if (event !== undefined) return JSON.stringify(event);
  if (detail.eventMasked) throw new XError("not_replayable", [id, isMasked]);
  if (detail.event === null) throw new XError("not_replayable", [id, isTooLarge]);
  return detail.event;
}

/** The trigger that repeats an execution. Throws `not_replayable`, and `inactive` for a paused source. */
export function replayTrigger(execution: StoredExecutionDetail, source: Source, input: ReplayInput): NewTrigger {
  const event = eventFor(execution, input);
  if (!source.active) throw new XError("inactive", [source.id]);
  const { httpProp, hops, ofError } = execution.detail;
  const isHttp = httpProp !== undefined && Object.hasOwn(source.endpoints, httpProp);
  return {
    sourceId: source.id,
    userId: source.userId,
    type: execution.type,
    event,
    ...(isHttp && { httpProp }),
    hops,
    ...(ofError && { ofError }),
    origin: { replayOf: execution.id },
  };
}
