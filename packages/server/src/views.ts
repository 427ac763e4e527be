import type * as Rest from "@x/client";
import {
  type Component,
  configurableProps,
  type DataStoreSize,
  type DbEntry,
  type Execution,
  type RecentActivity,
  type SavedComponent,
  type SourceActivity,
  type SourceView,
  type StoredEvent,
  type User,
  type UserEntry,
  type UserView,
  type WorkflowView,
} from "@x/runtime";

import { viewExecutionSummary } from "./execution-views.ts";
import { asJson, JsonText } from "@x/http";

/** Epoch seconds. */
export const seconds = (ms: number): number => Math.floor(ms / 1000);

/** The installed npm packages; absent when there are none. */
const viewPackages = ({ packages }: Component) => (packages === undefined ? {} : { packages });

/** Warnings about the component; absent when there are none. */
const viewWarnings = ({ shape: { warnings } }: Component) => (warnings === undefined ? {} : { warnings });

export function viewComponent(component: SavedComponent): Rest.Component {
  return {
    id: component.id,
    code: component.code,
    code_hash: component.codeHash,
    name: component.shape.name,
    version: component.shape.version,
    key: component.shape.key ?? null,
    ...(component.shape.description !== undefined && { description: component.shape.description }),
    configurable_props: configurableProps(component.shape) as unknown as Rest.Component["configurable_props"],
    component_url: component.componentUrl,
    ...(component.shape.emits && { emits: component.shape.emits }),
    ...viewPackages(component),
    ...viewWarnings(component),
    created_at: seconds(component.createdAt),
    updated_at: seconds(component.updatedAt),
  };
}

export function viewSource({ source, component, configuredProps }: SourceView): Rest.Source {
  return {
    id: source.id,
    component_id: source.componentId,
    configured_props: configuredProps,
    active: source.active,
    created_at: seconds(source.createdAt),
    updated_at: seconds(source.updatedAt),
    name: source.name,
    name_slug: source.nameSlug,
    ...viewPackages(component),
    ...viewWarnings(component),
  };
}

/** What a source or workflow does now, and did in the last day. */
export const viewActivity = (
  { nextTicksAt, queueDepth, eventsPerHour, failuresPerHour, lastExecution }: SourceActivity,
  { endpointChanged }: SourceView,
): NonNullable<Rest.Source["state"]> => ({
  next_tick_at_ms: nextTicksAt[0] ?? null,
  next_ticks_at_ms: nextTicksAt,
  queue_depth: queueDepth,
  endpoint_changed: endpointChanged,
  failures_24h: failuresPerHour.reduce((sum, count) => sum + count, 0),
  events_per_hour: eventsPerHour,
  failures_per_hour: failuresPerHour,
  last_execution: lastExecution ? viewExecutionSummary(lastExecution) : null,
});

/** A new source; only this answer has the owner. */
export const viewNewSource = (view: SourceView): Rest.NewSource => ({
  ...viewSource(view),
  user_id: view.source.userId,
  ...(view.webhook && { webhook: viewSourceWebhook(view.webhook) }),
  ...(view.change && { change: view.change }),
});

const viewSourceWebhook = ({ id, url, signingKey }: NonNullable<SourceView["webhook"]>) => ({
  id,
  url,
  ...(signingKey !== undefined && { signing_key: signingKey }),
});

const viewBilling = ({ periodStart, periodEnd }: NonNullable<UserEntry["billing"]>) => ({
  billing_period_start_ts: seconds(periodStart),
  billing_period_end_ts: seconds(periodEnd),
});

/** A user as the first user sees it. */
export const viewUserEntry = (user: UserEntry): Rest.UserEntry => ({
  id: user.id,
  username: user.username,
  email: user.email,
  ...(user.billing && viewBilling(user.billing)),
  created_at: seconds(user.createdAt),
});

/** A user with a new API key. */
export const viewUserWithKey = (user: User): Rest.UserWithKey => ({ ...viewUserEntry(user), api_key: user.apiKey });

/** The user of a key: a free or a paid account. Compute time is in milliseconds. */
export function viewUser(view: UserView): Rest.User {
  const { id, username, email } = view.user;
  if (view.user.billing)
    return {
      id,
      username,
      email,
      ...viewBilling(view.user.billing),
      billing_period_invocations: view.billingPeriodInvocations ?? 0,
    };
  return {
    id,
    username,
    email,
    api_key: view.user.apiKey,
    daily_compute_time_quota: Math.round(view.dailyComputeTimeQuota),
    daily_compute_time_used: Math.round(view.dailyComputeTimeUsed),
    daily_invocations_quota: view.dailyInvocationsQuota,
    daily_invocations_used: view.dailyInvocationsUsed,
  };
}

/** Largest event, in bytes, that lists contain without `expand=event`. */
export const wholeEventBytes = 1024;

/** The event as answers show it: an event of a workflow is wrapped in an object. */
export const shownEvent = ({ emitterId, stream, payload }: StoredEvent): JsonText =>
  stream === "emits" && emitterId.startsWith("p_")
    ? new JsonText('{"raw_event":', payload, "}")
    : new JsonText(payload);

/** An event; its size instead of a payload that the page omits. */
export function viewEvent(stored: StoredEvent): Rest.EventSummary {
  const event =
    stored.payloadBytes === undefined
      ? { event: asJson(shownEvent(stored)) }
      : { event_truncated: true as const, event_bytes: stored.payloadBytes };
  return {
    id: stored.id,
    indexed_at_ms: stored.indexedAt,
    ...event,
    metadata: {
      emit_id: stored.emitId,
      name: stored.name,
      emitter_id: stored.emitterId,
      ...(stored.dedupeId !== undefined && { id: stored.dedupeId }),
      ...(stored.summary !== undefined && { summary: stored.summary }),
      ...(stored.ts !== undefined && { ts: stored.ts }),
    },
  };
}

export const viewDataStore = ({ name, keys, bytes, updatedAt }: DataStoreSize): Rest.DataStore => ({
  name,
  keys,
  bytes,
  updated_at: seconds(updatedAt),
});

export const viewDbEntry = ({ key, value, updatedAt }: DbEntry): Rest.DbEntry => ({
  key,
  value,
  updated_at: updatedAt === null ? null : seconds(updatedAt),
});

/** A workflow; fields that need its code are absent. */
export const viewWorkflow = ({
  id,
  name,
  nameSlug,
  active,
  endpointUrl,
  createdAt,
  updatedAt,
}: WorkflowView): Rest.Workflow => ({
  id,
  name,
  name_slug: nameSlug,
  active,
  ...(endpointUrl !== undefined && { endpoint_url: endpointUrl }),
  created_at: seconds(createdAt),
  updated_at: seconds(updatedAt),
});

export function viewExecution(execution: Execution): Rest.Execution {
  const { executionId, status } = execution;
  if (status === "queued") return { execution_id: executionId, status };
  return {
    execution_id: executionId,
    status,
    duration_ms: Math.round(execution.durationMs),
    emitted: execution.emitted,
    deduped: execution.deduped,
    response: execution.response as NonNullable<Rest.Execution["response"]> | null,
    ...(execution.exports !== undefined && { exports: execution.exports }),
    logs: execution.logs,
    error: execution.error,
  };
}

/** What a user's sources did, by minutes. */
export const viewRecentActivity = ({ now, since, minutes }: RecentActivity): Rest.DataOf<"GET /users/me/activity"> => ({
  now_ms: now,
  since_ms: since,
  minutes: minutes.map(({ at, computeMs, queuedMs, p50Ms, p95Ms, ...counts }) => ({
    at_ms: at,
    ...counts,
    compute_ms: computeMs,
    queued_ms: queuedMs,
    p50_ms: p50Ms,
    p95_ms: p95Ms,
  })),
});
