import type { ReplayInput, StoredExecutionDetail } from "../api/executions-api.ts";
import type { NewTrigger } from "../invocation/inbox/new-trigger.ts";
import { XError, type Json, type Source } from "@x/model";
import { completeRequest } from "../http/test-request.ts";

const isHook = "it is of a hook, and hooks run only with a change of their source";
const isMasked = "its event is stored without its secrets; pass an event";
const isTooLarge = "its event was too large to be stored; pass an event";

/** A request whose body was edited as a text: `body` is read from `bodyRaw`, as when it is received. */
const isRequestText = (event: Json): event is { readonly [name: string]: Json } =>
  typeof event === "object" &&
  event !== null &&
  !Array.isArray(event) &&
  typeof event["bodyRaw"] === "string" &&
  !Object.hasOwn(event, "body");

/** The event of a replay as JSON text. Throws `not_replayable` when the record does not have it. */
function eventFor(
  { id, entry, detail }: StoredExecutionDetail,
  { event }: ReplayInput,
  endpointUrl: string | undefined,
): string {
  if (entry !== "run") throw new XError("not_replayable", [id, isHook]);
  if (event !== undefined)
    return JSON.stringify(
      endpointUrl !== undefined && isRequestText(event) ? completeRequest(event, endpointUrl) : event,
    );
  if (detail.eventMasked) throw new XError("not_replayable", [id, isMasked]);
  if (detail.event === null) throw new XError("not_replayable", [id, isTooLarge]);
  return detail.event;
}

/** The trigger that repeats an execution. Throws `not_replayable`, and `inactive` for a paused source. */
export function replayTrigger(
  execution: StoredExecutionDetail,
  source: Source,
  input: ReplayInput,
  urlOf: (key: string) => string,
): NewTrigger {
  const { httpProp, hops, ofError } = execution.detail;
  const key = httpProp === undefined ? undefined : source.endpoints[httpProp];
  const event = eventFor(execution, input, key === undefined ? undefined : urlOf(key));
  if (!source.active) throw new XError("inactive", [source.id]);
  return {
    sourceId: source.id,
    userId: source.userId,
    type: execution.type,
    event,
    ...(key !== undefined && httpProp !== undefined && { httpProp }),
    hops,
    ...(ofError && { ofError }),
    origin: { replayOf: execution.id, ...(execution.appEvent && { app: execution.appEvent }) },
  };
}
