export { createEngine } from "./engine.ts";
export { rotateSecretKey, type SecretKeyRotation } from "./rotate-secret-key.ts";
export { createRuntime } from "./runtime.ts";
export { createMemory } from "./store/memory.ts";
export type {
  AccountChange,
  AccountView,
  AutoSubscriptionInput,
  ComponentReference,
  ConfigureInput,
  DbEntry,
  DeployInput,
  DynamicPropsAnswer,
  DynamicPropsInput,
  EndpointRequest,
  EndpointResponse,
  InvokeInput,
  NewAccount,
  NewUser,
  NewWebhook,
  PublishedComponent,
  SavedComponent,
  PublishInput,
  RegistryItem,
  OptionsAnswer,
  SourceView,
  SubscriptionInput,
  UpdateInput,
  UserEntry,
  WebhookChange,
  WebhookView,
} from "./api.ts";
export type { Runtime } from "./runtime-api.ts";
export type { UserRuntime } from "./user-api.ts";
export { type Advanced, advanceInSteps, type Clock, type ManualClock, manualClock, systemClock } from "./clock.ts";
export type { CodeInput, NoteFiles } from "./component/contract.ts";
export type { AuthorFile, Instrument, InstrumentedCode } from "./component/bundle/instrument.ts";
export { configurableProps } from "./component/props/present.ts";
export { findBuildsFolder, findRoot } from "./component/bundle/root-folder.ts";
export type { EventPage, EventsFilter, LiveEvent, RuntimeEventsFilter } from "./events-api.ts";
export { errorCatalogue, errorText } from "./error-catalogue/catalogue.ts";
export type { ErrorRow } from "./error-catalogue/error-row.ts";
export { type ErrorCode, type ErrorDetails, type Problem, XError } from "./errors.ts";
export { type FolderWatch, type FolderWatchOptions, watchFolders } from "./registry/watch.ts";
export { warningText } from "./execution/warning-text.ts";
export { explainDrop } from "./execution/explain-drop.ts";
export { compareEventIds, formatEventId, parseEventId } from "./event-id.ts";
export type {
  AutoSubscription,
  Delivery,
  DeliveryAttempt,
  DeliveryStatus,
  Subscription,
  Webhook,
  WebhookFormat,
} from "./listener-model.ts";
export type {
  BillingPeriod,
  Component,
  ComponentShape,
  ComponentTexts,
  ComponentWarning,
  DedupeReason,
  DedupeStrategy,
  DroppedEmit,
  EventId,
  Execution,
  ExecutionStatus,
  GuestError,
  HookName,
  Json,
  LogRecord,
  ObservedCall,
  ObservedExecution,
  Page,
  Paged,
  PropShape,
  Source,
  SourceSettings,
  SourceType,
  StoredEvent,
  StreamKind,
  TimerValue,
  User,
  UserView,
} from "./model.ts";
export {
  type AccountsCallback,
  defaults,
  type Engine,
  type EngineOptions,
  type Instrumentation,
  type KeyvLike,
  type Limits,
  type Logger,
  type Memory,
  type NetworkOptions,
  type PlainReply,
  type PlainRequest,
  type PackageOptions,
  type RegistryModule,
  type RuntimeOptions,
  type SandboxKind,
} from "./options.ts";
export type { ComponentPackage, LockedPackage, PackageLock } from "./package-lock.ts";
export { userPackagesFolder } from "./packages/cache-folder.ts";
export type { PackageProgress } from "./packages/contract.ts";
export type { SourceDb } from "./store/contract.ts";
export { version } from "./version.ts";
export type {
  HandlerServices,
  RunContext,
  WorkflowHandler,
  WorkflowInput,
  WorkflowStep,
  WorkflowTrigger,
  WorkflowView,
} from "./workflow-api.ts";
