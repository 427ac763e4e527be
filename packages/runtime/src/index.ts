export { createEngine } from "./engine.ts";
export { rotateSecretKey, type SecretKeyRotation } from "./store/sealed/rotate-secret-key.ts";
export { backupData, type BackupProgress, type DataBackup, type MadeBackup } from "./store/sqlite/backup.ts";
export { type DataRestore, restoreData, type RestoredData } from "./store/sealed/restore.ts";
export { type DataExport, exportData, type MadeExport } from "./store/move/export-data.ts";
export { type DataImport, importData, type MadeImport } from "./store/move/import-data.ts";
export type { RowSource, RowTarget } from "./store/move/moved-tables.ts";
export { checkSecretKey, inspectData, type InspectedData, type InspectedStore } from "./store/sealed/inspect.ts";
export { createRuntime } from "./runtime.ts";
export { createMemory } from "./store/memory/memory.ts";
export type * from "./api/api.ts";
export type { Runtime } from "./api/runtime-api.ts";
export type { UserRuntime } from "./api/user-api.ts";
export {
  type Advanced,
  advanceInSteps,
  type Clock,
  type ManualClock,
  manualClock,
  systemClock,
} from "./process/clock.ts";
export type { CodeInput, NoteFiles, SentFiles } from "./components/contract.ts";
export type { AuthorFile, Instrument, InstrumentedCode } from "./components/bundle/instrument.ts";
export { configurableProps } from "./components/props/present.ts";
export { readComponentFiles } from "./components/bundle/component-files.ts";
export { findBuildsFolder, findRoot } from "./components/bundle/root-folder.ts";
export type * from "./api/events-api.ts";
export type * from "./api/node-api.ts";
export type * from "./api/observe-api.ts";
export type * from "./api/executions-api.ts";
export type * from "./model/execution-model.ts";
export type { ReceivedHead } from "./model/received-request.ts";
export type { ExecutionCause, TriggerOrigin } from "./model/trigger-origin.ts";
export type { Project, ProjectKind, ProjectResource } from "./model/project.ts";
export { errorCatalogue, errorText } from "./model/error-catalogue/catalogue.ts";
export type { ErrorRow } from "./model/error-catalogue/catalogue.ts";
export { type ErrorCode, type ErrorDetails, type Problem, XError } from "./model/errors.ts";
export { checkOptions, rule, type Rule, type Rules } from "./model/rules.ts";
export { didYouMean, type Hint, limitedHints } from "./model/did-you-mean.ts";
export { readEach } from "./model/read-each.ts";
export { type FolderWatch, type FolderWatchOptions, watchFolders } from "./registry/watch.ts";
export { warningText } from "./invocation/records/notes.ts";
export { explainDrop } from "./invocation/dedupe.ts";
export { compareEventIds, type EventId, parseEventId } from "./model/event-id-text.ts";
export type {
  AutoSubscription,
  DeliveryAttempt,
  DeliveryPage,
  DeliveryResponse,
  DeliveryStatus,
  Subscription,
  Webhook,
  WebhookFormat,
} from "./model/listener-model.ts";
export type {
  BillingPeriod,
  Component,
  ComponentShape,
  ComponentTexts,
  ComponentWarning,
  DedupeReason,
  DedupeStrategy,
  DroppedEmit,
  Execution,
  ExecutionStatus,
  GuestError,
  HookName,
  Json,
  LogRecord,
  ObservedCall,
  Page,
  Paged,
  PropShape,
  SourceSettings,
  SourceType,
  StreamKind,
  TimerValue,
  User,
} from "./model/model.ts";
export {
  type AccountsCallback,
  defaults,
  type Engine,
  type EngineOptions,
  type Instrumentation,
  type KeyvLike,
  type Limits,
  type Memory,
  type NetworkOptions,
  type PlainReply,
  type PlainRequest,
  type PackageOptions,
  type RegistryModule,
  type RuntimeOptions,
  type SandboxKind,
} from "./api/options.ts";
export type * from "./api/account-api.ts";
export type {
  AccountOAuth,
  AppField,
  AuthorizationServer,
  ClientAuth,
  OAuthClient,
  OAuthGrant,
  RenewalFailure,
} from "./model/account-app.ts";
export { type Logger, type LogFields, logFields, type PinoLike, toLogger } from "./api/logger.ts";
export type { ComponentPackage, LockedPackage, PackageLock } from "./model/package-lock.ts";
export { userPackagesFolder } from "./packages/cache/cache-folder.ts";
export type { PackageProgress } from "./packages/contract.ts";
export type { SourceDb, Store } from "./store/contract.ts";
export { version } from "./model/version.ts";
export type * from "./api/workflow-api.ts";
