import type { Subscription } from "../model/listener-model.ts";
import type { Cause, StreamKind } from "../model/model.ts";

/** What decides who hears of an event. */
export interface Emitted {
  readonly emitterId: string;
  /** Owner of the emitter. */
  readonly userId: string;
  readonly stream: StreamKind;
  /** Channel; empty for the default stream. */
  readonly name: string;
}

/** Stands for every source and every workflow of the user, later ones included (G19). */
export const globs: readonly string[] = ["dc_*", "p_*"];

/** The glob that an emitter falls under. */
export const globOf = (emitterId: string): string | undefined =>
  globs.find((glob) => emitterId.startsWith(glob.slice(0, -1)));

/** True when a subscription with this event name hears of the event (S11, G18). */
function namesStream(eventName: string, { stream, name }: Emitted): boolean {
  const wanted = eventName === "default" ? "" : eventName;
  if (stream !== "emits") return wanted === stream;
  // A channel that calls itself like a stream of the runtime is not that stream.
  return wanted === (name === "default" ? "" : name) && !name.startsWith("$");
}

/** True when this subscription brings the event to its listener; through a glob nobody hears itself (G19). */
function isHeard(subscription: Subscription, emitted: Emitted): boolean {
  const { emitterId, listenerId, eventName, userId } = subscription;
  if (!namesStream(eventName, emitted)) return false;
  if (emitterId === emitted.emitterId) return true;
  return emitterId === globOf(emitted.emitterId) && userId === emitted.userId && listenerId !== emitted.emitterId;
}

/** Who hears of an event: each listener once, however many of its subscriptions match. */
export const listenersOf = (emitted: Emitted, subscriptions: readonly Subscription[]): string[] => [
  ...new Set(subscriptions.filter((each) => isHeard(each, emitted)).map(({ listenerId }) => listenerId)),
];

/** An error of whoever listens for errors stays in its own list: nobody else gets it (G62, S33). */
export const isDelivered = (stream: StreamKind, cause: Cause): boolean => !(stream === "$errors" && cause.ofError);

/** True when the event may make listeners run. The run behind the last hop is refused and reports the loop (G21). */
export const mayTrigger = (cause: Cause, hopLimit: number): boolean => cause.hops <= hopLimit;
