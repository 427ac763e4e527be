export { viewAccount, viewConnection } from "./accounts.ts";
export { viewAppEndpoint, viewAppEndpointDetail, viewAppEvent, viewRequest } from "./app-endpoints.ts";
export { serverNames, viewApp, viewService } from "./apps.ts";
export { viewComponent } from "./components.ts";
export { viewDataStore, viewDbEntry } from "./data.ts";
export { shownEvent, viewEvent, wholeEventBytes } from "./events.ts";
export { viewExecutionDetail } from "./execution-detail.ts";
export { type Trigger, triggers, typeOfTrigger, viewExecutionSummary } from "./executions.ts";
export { node, viewNode } from "./nodes.ts";
export { viewProject } from "./projects.ts";
export { viewExecution } from "./runs.ts";
export { schemas } from "./schemas.ts";
export { allOf, dataOf, listOf, record, type Schema, schemaRef, type Shape } from "./shapes.ts";
export { viewActivity, viewNewSource, viewSource } from "./sources.ts";
export { viewAutoSubscription, viewSubscription } from "./subscriptions.ts";
export { activity, viewRecentActivity, viewUser, viewUserEntry, viewUserWithKey } from "./users.ts";
export { type Camel, camel, snake, toSeconds } from "./view.ts";
export {
  viewDelivery,
  viewDeliveryDetail,
  viewNewWebhook,
  viewRotatedWebhook,
  viewWebhook,
  viewWebhookActivity,
  viewWebhookDetail,
} from "./webhooks.ts";
export { viewWorkflow, viewWorkflowDetail } from "./workflows.ts";
