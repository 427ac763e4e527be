import type { AutoSubscriptionInput, SubscriptionInput } from "../api/api.ts";
import {
  XError,
  createDispatcher,
  newId,
  readEach,
  type AutoSubscription,
  type Clock,
  type Source,
  type Subscription,
} from "@x/model";
import type { Listeners } from "./listeners.ts";
import { globs, isSourceName } from "./match.ts";
import type { Change, Store } from "@x/store";

export interface SubscriptionsParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly listeners: Listeners;
}

/** A source that may not exist yet. */
export interface AwaitedSource {
  readonly userId: string;
  readonly nameSlug: string;
  readonly eventName: string;
}

/** Subscriptions of listeners to emitters. */
export interface Subscriptions {
  /** Resolves with the existing subscription when there is one with the same values. */
  subscribe(input: SubscriptionInput, userId: string): Promise<Subscription>;
  /** Rejects with `not_found` when there is no such subscription. */
  unsubscribe(input: SubscriptionInput, userId: string): Promise<void>;
  /**
   * Rejects with `invalid_parameter` or `not_found` unless the user can subscribe to this emitter and stream, or to a source of
   * this name, which need not exist.
   */
  checkEmitter(emitterId: string, eventName: string, userId: string): Promise<void>;
  list(userId: string): Promise<readonly Subscription[]>;
  autoSubscribe(input: AutoSubscriptionInput, userId: string): Promise<AutoSubscription>;
  removeAuto(input: AutoSubscriptionInput, userId: string): Promise<void>;
  listAuto(userId: string): Promise<readonly AutoSubscription[]>;
  /** From now on a listener is subscribed to each new source of a name, to the one of `await` before no more; undefined: to none. */
  await(listenerId: string, awaited: AwaitedSource | undefined): void;
  /**
   * Subscriptions to a new emitter by the auto-subscriptions of its owner and of those who await its name, for the commit that
   * creates the emitter.
   */
  forNew(emitter: Pick<Source, "id" | "userId" | "nameSlug">): Change[];
}

const invalid = (name: string, expected: string, got: string): XError =>
  new XError("invalid_parameter", [name, expected, JSON.stringify(got.slice(0, 60))], {
    details: { received: got.slice(0, 60) },
  });

/** Streams that are not channels. Other names with $ are refused: a misspelt one would never deliver anything. */
const streams = new Set(["$errors", "$logs"]);

function checkEventName(eventName: string): void {
  if (eventName.startsWith("$") && !streams.has(eventName))
    throw invalid("eventName", "$errors, $logs, default, empty, or the name of a channel", eventName);
  if (!eventName.isWellFormed()) throw invalid("eventName", "whole characters", JSON.stringify(eventName));
}

function checkListenerId(id: string): void {
  if (!/^(?:dc|p|wh)_/.test(id)) throw invalid("listenerId", "the id of a source, workflow or webhook", id);
}

/** Only the two globs are patterns. */
function checkEmitterId(id: string, others = ""): void {
  if (!globs.includes(id) && !/^(?:dc|p)_[^*]*$/.test(id))
    throw invalid("emitterId", `the id of a source or workflow, or ${globs.join(" or ")}${others}`, id);
}

export function createSubscriptions(parts: SubscriptionsParts): Subscriptions {
  const { store, clock, listeners } = parts;
  // One change of a user at a time, so that two equal requests create one subscription.
  const lanes = createDispatcher();
  /** By listener. */
  const awaiting = new Map<string, AwaitedSource>();

  async function checkOwn(what: string, id: string, userId: string): Promise<void> {
    const found = /^(?:dc|p)_/.test(id)
      ? await store.source(id)
      : id.startsWith("wh_")
        ? await store.webhook(id)
        : undefined;
    if (found?.userId !== userId) throw new XError("not_found", [what, id]);
  }
  async function checkEmitter(id: string, userId: string): Promise<void> {
    if (!globs.includes(id) && !isSourceName(id)) await checkOwn("emitter", id, userId);
  }
  const findAuto = ({ eventName, listenerId }: AutoSubscriptionInput, userId: string): AutoSubscription | undefined =>
    listeners.autoSubscriptions(userId).find((each) => each.eventName === eventName && each.listenerId === listenerId);

  return {
    subscribe: (input, userId) =>
      lanes.run(userId, async () => {
        const { emitterId, listenerId, eventName = "" } = input;
        readEach({
          eventName: () => checkEventName(eventName),
          emitterId: () => checkEmitterId(emitterId),
          listenerId: () => checkListenerId(listenerId),
        });
        await checkEmitter(emitterId, userId);
        await checkOwn("listener", listenerId, userId);
        const known = listeners.find({ userId, emitterId, listenerId, eventName });
        if (known) return known;
        const subscription = { id: newId("sub"), userId, emitterId, listenerId, eventName, createdAt: clock.now() };
        await store.commit([{ op: "subscription.add", subscription }]);
        return subscription;
      }),
    unsubscribe: (input, userId) =>
      lanes.run(userId, async () => {
        const { emitterId, listenerId, eventName = "" } = input;
        const known = listeners.find({ userId, emitterId, listenerId, eventName });
        if (!known) throw new XError("not_found", ["subscription", `${emitterId} ${listenerId} "${eventName}"`]);
        await store.commit([{ op: "subscription.delete", id: known.id }]);
      }),
    async checkEmitter(emitterId, eventName, userId) {
      readEach({
        eventName: () => checkEventName(eventName),
        emitterId: () =>
          isSourceName(emitterId) ? undefined : checkEmitterId(emitterId, ", or the name slug of a source"),
      });
      await checkEmitter(emitterId, userId);
    },
    list: (userId) => store.subscriptions(userId),
    autoSubscribe: (input, userId) =>
      lanes.run(userId, async () => {
        readEach({
          eventName: () => checkEventName(input.eventName),
          listenerId: () => checkListenerId(input.listenerId),
        });
        await checkOwn("listener", input.listenerId, userId);
        const known = findAuto(input, userId);
        if (known) return known;
        const autoSubscription = { ...input, id: newId("asub"), userId, createdAt: clock.now() };
        await store.commit([{ op: "auto_subscription.add", autoSubscription }]);
        return autoSubscription;
      }),
    removeAuto: (input, userId) =>
      lanes.run(userId, async () => {
        const known = findAuto(input, userId);
        if (!known) throw new XError("not_found", ["auto-subscription", `${input.listenerId} "${input.eventName}"`]);
        await store.commit([{ op: "auto_subscription.delete", id: known.id }]);
      }),
    listAuto: (userId) => store.autoSubscriptions(userId),
    await(listenerId, wanted) {
      if (wanted) awaiting.set(listenerId, wanted);
      else awaiting.delete(listenerId);
    },
    forNew({ id, userId, nameSlug }) {
      const named = [...awaiting].filter(([, each]) => each.userId === userId && each.nameSlug === nameSlug);
      const wanted = [
        ...listeners.autoSubscriptions(userId),
        ...named.map(([listenerId, { eventName }]) => ({ listenerId, eventName })),
      ];
      return wanted.map(({ listenerId, eventName }): Change => {
        const subscription = { id: newId("sub"), userId, emitterId: id, listenerId, eventName, createdAt: clock.now() };
        return { op: "subscription.add", subscription };
      });
    },
  };
}
