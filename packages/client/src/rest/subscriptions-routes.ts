// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { AutoSubscription, Subscription } from "./subscriptions.ts";

export interface SubscriptionsRoutes {
  /** Send events of an emitter to a listener. */
  readonly "POST /subscriptions": {
    readonly body?: {
      /** The id of a source or workflow, dc_* or p_*. */
      readonly emitter_id?: string | undefined;
      /** The id of a source, workflow or webhook. */
      readonly listener_id?: string | undefined;
      /** $errors, $logs, default, empty, or the name of a channel. */
      readonly event_name?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly data: Subscription;
    };
  };
  /** Delete a subscription. */
  readonly "DELETE /subscriptions": {
    readonly body?: {
      /** The id of a source or workflow, dc_* or p_*. */
      readonly emitter_id?: string | undefined;
      /** The id of a source, workflow or webhook. */
      readonly listener_id?: string | undefined;
      /** $errors, $logs, default, empty, or the name of a channel. */
      readonly event_name?: string | undefined;
    } | undefined;
    readonly answer: undefined;
  };
  /** List all subscriptions, newest first. */
  readonly "GET /users/me/subscriptions": {
    readonly answer: {
      readonly data: readonly Subscription[];
    };
  };
  /** Subscribe a listener to every emitter that is created from now on. */
  readonly "POST /auto_subscriptions": {
    readonly body?: {
      /** $errors, $logs, default, empty, or the name of a channel. */
      readonly event_name?: string | undefined;
      /** The id of a source, workflow or webhook. */
      readonly listener_id?: string | undefined;
    } | undefined;
    readonly answer: {
      readonly data: AutoSubscription;
    };
  };
  /** Delete an auto-subscription; the subscriptions it has made stay. */
  readonly "DELETE /auto_subscriptions": {
    readonly body?: {
      /** $errors, $logs, default, empty, or the name of a channel. */
      readonly event_name?: string | undefined;
      /** The id of a source, workflow or webhook. */
      readonly listener_id?: string | undefined;
    } | undefined;
    readonly answer: undefined;
  };
  /** List all auto-subscriptions, newest first. */
  readonly "GET /users/me/auto_subscriptions": {
    readonly answer: {
      readonly data: readonly AutoSubscription[];
    };
  };
}
