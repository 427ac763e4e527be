import type { ManualClock } from "@x/runtime";

import type { Route } from "../route.ts";
import type { Streams } from "../stream/streams.ts";
import { accountRoutes } from "./accounts.ts";
import { appEndpointRoutes } from "./app-endpoints.ts";
import { appRoutes } from "./apps.ts";
import { asyncApiRoutes } from "./asyncapi.ts";
import { clockRoutes } from "./clock.ts";
import { componentRoutes } from "./components.ts";
import { configureRoutes } from "./configure.ts";
import { connectionRoutes } from "./connections.ts";
import { dataRoutes } from "./data.ts";
import { dataStoreRoutes } from "./data-stores.ts";
import { executionRoutes } from "./executions.ts";
import { eventRoutes, logRoutes } from "./events.ts";
import { allLogRoutes } from "./logs.ts";
import type { Inspector } from "../inspector/inspector.ts";
import { sessionRoutes } from "./sessions.ts";
import { nodeRoutes } from "./nodes.ts";
import { projectRoutes } from "./projects.ts";
import { runRoutes } from "./runs.ts";
import { sourceRoutes } from "./sources.ts";
import { streamRoutes } from "./streams.ts";
import { subscriptionRoutes } from "./subscriptions.ts";
import { usersRoutes } from "./users.ts";
import { webhookRoutes } from "./webhooks.ts";
import { workflowRoutes } from "./workflows.ts";

/** Dependencies of routes besides the runtime. */
export interface RouteParts {
  readonly streams: Pick<Streams, "open" | "openExecutions" | "openLogs">;
  /** A manual clock; adds the route that moves it. */
  readonly clock?: ManualClock;
  /** Adds the routes of its sessions. */
  readonly inspector?: Pick<Inspector, "sessions">;
}

/** Every route below the base URL. Matching, 404, 405, `Allow` and the description all derive from this one list. */
export function createRoutes({ streams, clock, inspector }: RouteParts): readonly Route[] {
  return [
    ...usersRoutes,
    ...nodeRoutes,
    ...(inspector ? sessionRoutes(inspector, clock !== undefined) : []),
    ...componentRoutes,
    ...configureRoutes,
    ...sourceRoutes,
    ...runRoutes,
    ...eventRoutes,
    ...asyncApiRoutes,
    ...workflowRoutes,
    ...logRoutes,
    ...allLogRoutes(streams),
    ...streamRoutes(streams),
    ...executionRoutes(streams),
    ...dataRoutes,
    ...dataStoreRoutes,
    ...subscriptionRoutes,
    ...webhookRoutes,
    ...accountRoutes,
    ...projectRoutes,
    ...appRoutes,
    ...appEndpointRoutes,
    ...connectionRoutes,
    ...(clock ? clockRoutes(clock) : []),
  ];
}
