import {
  type Component,
  configurableProps,
  type DbEntry,
  type Execution,
  formatEventId,
  type Json,
  type SourceView,
  type StoredEvent,
  type UserView,
} from "@x/runtime";

const seconds = (ms: number): number => Math.floor(ms / 1000);

/** Contract 3.2. */
export function viewComponent(component: Component): object {
  return {
    id: component.id,
    code: component.code,
    code_hash: component.codeHash,
    name: component.shape.name,
    version: component.shape.version,
    key: component.shape.key ?? null,
    configurable_props: configurableProps(component.shape),
    component_url: component.componentUrl,
    created_at: seconds(component.createdAt),
    updated_at: seconds(component.updatedAt),
  };
}

/** Contract 3.3, R010. */
export function viewSource({ source, configuredProps }: SourceView): object {
  return {
    id: source.id,
    component_id: source.componentId,
    configured_props: configuredProps,
    active: source.active,
    created_at: seconds(source.createdAt),
    updated_at: seconds(source.updatedAt),
    name: source.name,
    name_slug: source.nameSlug,
  };
}

/** The create response names the owner; no other does (R010). */
export const viewNewSource = (view: SourceView): object => ({ ...viewSource(view), user_id: view.source.userId });

/** R024; compute time in milliseconds. */
export function viewUser(view: UserView): object {
  return {
    id: view.user.id,
    username: view.user.username,
    email: view.user.email,
    api_key: view.user.apiKey,
    daily_compute_time_quota: Math.round(view.dailyComputeTimeQuota),
    daily_compute_time_used: Math.round(view.dailyComputeTimeUsed),
    daily_invocations_quota: view.dailyInvocationsQuota,
    daily_invocations_used: view.dailyInvocationsUsed,
  };
}

const wholeEventBytes = 1024;

/** Contract 3.5. Without `expanded`, events over 1 KiB are left out and their size is told. */
export function viewEvent(stored: StoredEvent, expanded: boolean): object {
  const bytes = Buffer.byteLength(stored.payload, "utf8");
  const event =
    expanded || bytes <= wholeEventBytes
      ? { event: JSON.parse(stored.payload) as Json }
      : { event_truncated: true, event_bytes: bytes };
  return {
    id: formatEventId(stored.id),
    indexed_at_ms: stored.id.ms,
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

/** S13. */
export const viewDbEntry = ({ key, value, updatedAt }: DbEntry): object => ({
  key,
  value,
  updated_at: updatedAt === null ? null : seconds(updatedAt),
});

/** Contract 3.10, S2. */
export function viewExecution(execution: Execution): object {
  const { executionId, status } = execution;
  if (status === "queued") return { execution_id: executionId, status };
  return {
    execution_id: executionId,
    status,
    duration_ms: Math.round(execution.durationMs),
    emitted: execution.emitted,
    deduped: execution.deduped,
    response: execution.response,
    logs: execution.logs,
    error: execution.error,
  };
}
