export { createRuntime } from "./runtime.ts";
export type {
  AutoSubscriptionInput,
  ComponentReference,
  DbEntry,
  DeployInput,
  EndpointRequest,
  EndpointResponse,
  EventPage,
  EventsFilter,
  InvokeInput,
  LiveEvent,
  NewWebhook,
  Runtime,
  SourceView,
  SubscriptionInput,
  UpdateInput,
  UserView,
  WebhookChange,
  WebhookView,
} from "./api.ts";
export { type Clock, type ManualClock, manualClock, systemClock } from "./clock.ts";
export type { CodeInput } from "./component/contract.ts";
export { configurableProps } from "./component/present.ts";
export { type ErrorCode, type ErrorDetails, messages, type Problem, XError } from "./errors.ts";
export { compareEventIds, formatEventId, parseEventId } from "./ids.ts";
export type {
  AutoSubscription,
  Component,
  ComponentShape,
  DedupeStrategy,
  Delivery,
  DeliveryAttempt,
  DeliveryStatus,
  EventId,
  Execution,
  ExecutionStatus,
  GuestError,
  Json,
  LogRecord,
  Page,
  Paged,
  PropShape,
  Source,
  SourceSettings,
  StoredEvent,
  StreamKind,
  Subscription,
  TimerValue,
  User,
  Webhook,
  WebhookFormat,
} from "./model.ts";
export {
  type AccountsCallback,
  defaults,
  type KeyvLike,
  type Limits,
  type Logger,
  type NetworkOptions,
  type RuntimeOptions,
} from "./options.ts";
export type { SourceDb } from "./store/contract.ts";
export { version } from "./version.ts";
