import { newSeed } from "@x/model";
import type { SandboxCall } from "../contract.ts";
import { type CallText, withEvent } from "../machine/guest-machine.ts";

/** The parts of a call that the guest gets. */
type Described = Pick<
  SandboxCall,
  "entry" | "self" | "db" | "dedupe" | "emit" | "exactIntegers" | "httpProp" | "workflow" | "now"
>;

/**
 * A thread gets a larger event as bytes, which move to it. In a message a text is copied several times, to memory that is new
 * each time: one of 256 KB takes the sending thread ten times as long as its bytes.
 */
const longestText = 128 * 1024;

const encoder = new TextEncoder();

/** The call as JSON text for the guest, without its event. */
export const callHead = (call: Described): string =>
  JSON.stringify({
    entry: call.entry,
    self: call.self,
    db: Object.fromEntries(call.db),
    dedupe: call.dedupe,
    emit: call.emit,
    exactIntegers: call.exactIntegers,
    httpProp: call.httpProp,
    workflow: call.workflow,
    now: call.now,
    seed: newSeed(),
  });

/** The call with its event, which is JSON text already. */
export const callText = (head: string, event: string): CallText =>
  event.length > longestText
    ? { text: head, event: encoder.encode(event) }
    : { text: withEvent(head, event === "" ? "null" : event) };
