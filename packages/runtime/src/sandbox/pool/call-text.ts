import { newSeed } from "../../process/ids.ts";
import type { SandboxCall } from "../contract.ts";

/** The parts of a call that the guest gets. */
type Described = Pick<SandboxCall, "entry" | "self" | "db" | "emit" | "httpProp" | "workflow" | "now" | "event">;

/** The call as JSON text for the guest. The event, which is JSON text already, is inserted as it is. */
export function callText(call: Described): string {
  const head = JSON.stringify({
    entry: call.entry,
    self: call.self,
    db: Object.fromEntries(call.db),
    emit: call.emit,
    httpProp: call.httpProp,
    workflow: call.workflow,
    now: call.now,
    seed: newSeed(),
  });
  return `${head.slice(0, -1)},"event":${call.event === "" ? "null" : call.event}}`;
}
