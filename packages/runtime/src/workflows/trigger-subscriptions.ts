import { XError, type WorkflowShape } from "@x/model";
import type { Store } from "@x/store";

import { isSourceName } from "../subscriptions/match.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";

/** The trigger of a workflow by events of others. */
export type Trigger = WorkflowShape["trigger"];

export interface TriggersParts {
  readonly store: Pick<Store, "sourceBySlug">;
  readonly subscriptions: Pick<Subscriptions, "unsubscribe" | "checkEmitter" | "await">;
}

/** The subscriptions that exist as long as the triggers of workflows. */
export interface Triggers {
  /** Rejects with `invalid_parameter` or `not_found` for a trigger that can never be. */
  check(trigger: Trigger, id: string, userId: string): Promise<void>;
  /** The trigger with the id of the source that it names; undefined while there is none of the name. */
  resolve(trigger: Trigger, userId: string): Promise<Trigger>;
  /** From now on a source that the trigger names triggers the workflow as soon as this process creates it. */
  await(id: string, trigger: Trigger, userId: string): void;
  /** Ends the subscription of a resolved trigger. */
  remove(id: string, trigger: NonNullable<Trigger>, userId: string): Promise<void>;
}

export function createTriggers({ store, subscriptions }: TriggersParts): Triggers {
  return {
    async check(trigger, id, userId) {
      if (!trigger) return;
      // A new workflow that subscribes to itself is not in the store yet.
      const emitterId = trigger.emitterId === id ? "p_*" : trigger.emitterId;
      await subscriptions.checkEmitter(emitterId, trigger.eventName, userId);
    },
    async resolve(trigger, userId) {
      if (!trigger || !isSourceName(trigger.emitterId)) return trigger;
      const source = await store.sourceBySlug(userId, trigger.emitterId);
      return source && { ...trigger, emitterId: source.id };
    },
    await(id, trigger, userId) {
      const isNamed = trigger !== undefined && isSourceName(trigger.emitterId);
      const awaited = isNamed ? { userId, nameSlug: trigger.emitterId, eventName: trigger.eventName } : undefined;
      subscriptions.await(id, awaited);
    },
    async remove(id, trigger, userId) {
      await subscriptions.unsubscribe({ ...trigger, listenerId: id }, userId).catch((error: unknown) => {
        // The subscription may be deleted already.
        if (!XError.is(error) || error.code !== "not_found") throw error;
      });
    },
  };
}
