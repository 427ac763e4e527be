import type { Cause, StreamKind, Subscription } from "@x/model";

/** What decides who receives an event. */
export interface Emitted {
  readonly emitterId: string;
  /** Owner of the emitter. */
  readonly userId: string;
  readonly stream: StreamKind;
  /** Channel; empty: the default stream. */
  readonly name: string;
}

/** Emitter ids that stand for all sources and all workflows of the user, including later ones. */
export const globs: readonly string[] = ["dc_*", "p_*"];

/** True for what stands for a source by its name slug, which has no underscore. */
export const isSourceName = (emitter: string): boolean => /^[a-z0-9-]{1,256}$/.test(emitter);

/** The glob that matches an emitter. */
export const globOf = (emitterId: string): string | undefined =>
  globs.find((glob) => emitterId.startsWith(glob.slice(0, -1)));

type Names = Pick<Emitted, "stream" | "name">;

/** `default` names the same stream as the empty name. */
const plainName = (name: string): string => (name === "default" ? "" : name);

/** What a subscription has to name to match the event. */
const nameOf = ({ stream, name }: Names): string => (stream === "emits" ? plainName(name) : stream);

/** True when the event name of a subscription matches the event. */
const namesStream = (eventName: string, { stream, name }: Emitted): boolean =>
  plainName(eventName) === nameOf({ stream, name }) &&
  // A channel with the name of a stream of the runtime, such as $errors, is not that stream.
  (stream !== "emits" || !name.startsWith("$"));

/** Finds the subscriptions that name an event's stream, without a look at the others. */
export function subscriptionsByName(subscriptions: readonly Subscription[]): (names: Names) => readonly Subscription[] {
  const byName = Map.groupBy(subscriptions, ({ eventName }) => plainName(eventName));
  return (names) => byName.get(nameOf(names)) ?? [];
}

/** True when the subscription matches the event. A glob does not match events of the listener itself. */
function matches(subscription: Subscription, emitted: Emitted): boolean {
  const { emitterId, listenerId, eventName, userId } = subscription;
  if (!namesStream(eventName, emitted)) return false;
  if (emitterId === emitted.emitterId) return true;
  return emitterId === globOf(emitted.emitterId) && userId === emitted.userId && listenerId !== emitted.emitterId;
}

/** The ids of the listeners that receive an event; each once, even when several of its subscriptions match. */
export const listenersOf = (emitted: Emitted, subscriptions: readonly Subscription[]): string[] => [
  ...new Set(subscriptions.filter((each) => matches(each, emitted)).map(({ listenerId }) => listenerId)),
];

/** False for an error in a run that handled an error: delivering it could cause an endless loop. */
export const isDelivered = (stream: StreamKind, cause: Cause): boolean => !(stream === "$errors" && cause.ofError);

/** True when the event may trigger runs of listeners. The run after the last hop is refused and reports the loop. */
export const mayTrigger = (cause: Cause, hopLimit: number): boolean => cause.hops <= hopLimit;
