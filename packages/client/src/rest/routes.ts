// Written from the OpenAPI document by: vitest run test/client-types.test.ts -u

import type { AccountsRoutes } from "./accounts-routes.ts";
import type { AppsRoutes } from "./apps-routes.ts";
import type { ComponentsRoutes } from "./components-routes.ts";
import type { DataRoutes } from "./data-routes.ts";
import type { EventsRoutes } from "./events-routes.ts";
import type { ExecutionsRoutes } from "./executions-routes.ts";
import type { ProjectsRoutes } from "./projects-routes.ts";
import type { ServiceRoutes } from "./service-routes.ts";
import type { SourcesRoutes } from "./sources-routes.ts";
import type { SubscriptionsRoutes } from "./subscriptions-routes.ts";
import type { UserRoutes } from "./user-routes.ts";
import type { WebhooksRoutes } from "./webhooks-routes.ts";
import type { WorkflowsRoutes } from "./workflows-routes.ts";

/** The routes of the REST interface, by method and path. */
export interface Routes
  extends UserRoutes,
    ServiceRoutes,
    ComponentsRoutes,
    SourcesRoutes,
    EventsRoutes,
    WorkflowsRoutes,
    ExecutionsRoutes,
    DataRoutes,
    SubscriptionsRoutes,
    WebhooksRoutes,
    AccountsRoutes,
    ProjectsRoutes,
    AppsRoutes {}
