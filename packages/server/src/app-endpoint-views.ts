import type * as Rest from "@x/client";
import type { AppEndpointDetail, AppEndpointView, AppEventResult, RequestEntry } from "@x/runtime";

import { seconds } from "./views.ts";

export const viewAppEndpoint = (endpoint: AppEndpointView): Rest.AppEndpoint => ({
  app: endpoint.app,
  endpoint_url: endpoint.endpointUrl,
  service: endpoint.service,
  scheme: endpoint.scheme,
  parameters: endpoint.parameters,
  secrets: endpoint.secrets,
  reader: endpoint.reader,
  all_users: endpoint.allUsers,
  sources: endpoint.sources,
  steps: endpoint.steps,
  created_at: seconds(endpoint.createdAt),
  updated_at: seconds(endpoint.updatedAt),
});

export const viewRequest = (entry: RequestEntry): Rest.ReceivedRequest => ({
  at: entry.at,
  outcome: entry.outcome,
  reason: entry.reason ?? null,
  names: entry.names,
  event_id: entry.eventId ?? null,
  triggers: entry.triggers,
  skipped: entry.skipped,
  duration_ms: entry.durationMs,
});

export const viewAppEndpointDetail = (endpoint: AppEndpointDetail): Rest.AppEndpointDetail => ({
  ...viewAppEndpoint(endpoint),
  listeners: endpoint.listeners.map(({ sourceId, prop, names, accountId, active }) => ({
    source_id: sourceId,
    prop,
    event_names: names,
    account_id: accountId,
    active,
  })),
  unknown_accounts: endpoint.unknownAccounts,
  recent: endpoint.recent.map(viewRequest),
});

export const viewAppEvent = ({ id, duplicate, sources }: AppEventResult): Rest.AppEventResult => ({
  id,
  duplicate,
  sources,
});
