export { boundedCache } from "./bounded-cache.ts";
export type {
  AccountApp,
  AccountOAuth,
  AppField,
  AuthorizationServer,
  ClientAuth,
  OAuthClient,
  OAuthGrant,
  RenewalFailure,
} from "./account-app.ts";
export type {
  AccountIdentity,
  AppEndpoint,
  AppListener,
  AppOrigin,
  AppReader,
  IdentityField,
  RequestEntry,
  SourceAppEvents,
} from "./app-events.ts";
export { type Budget, createBudget, notExplained } from "./step-budget.ts";
export { connectionHeaders } from "./connection-headers.ts";
export { invalidCron, nextCron, previousCron } from "./cron.ts";
export { cursorPositions, unknownCursor } from "./cursor.ts";
export { type Hint, didYouMean, limitedHints, nearestName } from "./did-you-mean.ts";
export { endingWith } from "./ending-with.ts";
export { effectiveComponent } from "./effective-component.ts";
export { type ErrorRow, errorCatalogue, errorText } from "./error-catalogue/catalogue.ts";
export { guestError, recordedError, withMessage } from "./error-catalogue/guest-error.ts";
export { type ErrorCode, type ErrorDetails, type Problem, XError, isStoreFailure, listedNames } from "./errors.ts";
export {
  type EventId as EventIdText,
  compareEventIds as compareEventIdTexts,
  parseEventId as parseEventIdText,
  readEventId,
} from "./event-id-text.ts";
export { compareEventIds, formatEventId, nextEventId } from "./event-id.ts";
export { explainDrop } from "./explain-drop.ts";
export { checkPlatform, findPlatformProblem, nodeRange } from "./platform.ts";
export type {
  EmitListener,
  ExecutionDetail,
  ExecutionRecord,
  ExecutionSummary,
  Omitted,
  HttpSummary,
  RanWith,
  RecordedBody,
  RecordedCall,
  RecordedDataStoreChange,
  RecordedDbChange,
  RecordedDrop,
  RecordedEmit,
  RecordedPayload,
  RecordedRequest,
  RecordedResponse,
  RecordedStep,
} from "./execution-model.ts";
export { type Histogram, createBuckets, durationBounds, sizeBounds } from "./histogram.ts";
export { hasLongHost, maxHostChars } from "./host-length.ts";
export { isParsable, jsonParts } from "./json-parts.ts";
export { inferSchema } from "./event-schema/infer-schema.ts";
export { printType, type Schema } from "./event-schema/print-type.ts";
export { membersOf, pointer } from "./json-pointer.ts";
export { type Limits, defaults, limitsRule, resolveLimits } from "./limits.ts";
export {
  type AutoSubscription,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryPage,
  type DeliveryResponse,
  type DeliveryStatus,
  type QueuedDelivery,
  type SourceWebhook,
  type Subscription,
  type Webhook,
  type WebhookFormat,
  webhookFormats,
} from "./listener-model.ts";
export { type LogFields, type Logger, type PinoLike, logFields, toLogger } from "./logger.ts";
export type {
  Account,
  BillingPeriod,
  Cause,
  Component,
  ComponentShape,
  ComponentTexts,
  ComponentWarning,
  DedupeReason,
  DedupeState,
  DedupeStrategy,
  DroppedEmit,
  EventId,
  EventSchema,
  Execution,
  ExecutionStatus,
  GuestError,
  HookName,
  HookStep,
  Json,
  LoadedTrigger,
  LogRecord,
  Page,
  Paged,
  PropShape,
  Source,
  SourceSettings,
  SourceState,
  SourceType,
  StoredEvent,
  StreamKind,
  TimerValue,
  TransitionKind,
  Trigger,
  TriggerHead,
  User,
  WorkflowShape,
} from "./model.ts";
export { type NumericId, numericId } from "./numeric-id.ts";
export { isNoComponent, requiredMembers } from "./module-kind.ts";
export {
  type AskedPackage,
  type ComponentPackage,
  type LockedPackage,
  type PackageLock,
  bySpecifier,
  installedOf,
  listPackages,
  lockKey,
  nameOf,
  originOf,
  specifierOf,
} from "./package-lock.ts";
export { pruneLock } from "./prune-lock.ts";
export {
  type Advanced,
  type Clock,
  type ManualClock,
  createSteps,
  afterRealTime,
  deadlineAfter,
  inWholeMs,
  manualClock,
  monotonicMs,
  neverBack,
  systemClock,
} from "./process/clock.ts";
export { closedReason } from "./process/closing.ts";
export { type Dispatcher, createDispatcher } from "./process/dispatcher.ts";
export {
  type GuardedProcess,
  type GuardedProcessOptions,
  type ProcessEnd,
  startGuardedProcess,
} from "./process/guarded-process.ts";
export { type Holding, everySource } from "./process/holding.ts";
export {
  newApiKey,
  newEndpointKey,
  newId,
  newSeed,
  newSortableId,
  randomFraction,
  workflowIdOf,
} from "./process/ids.ts";
export { readRegular } from "./process/read-regular.ts";
export { sha256Hex, textHash } from "./process/sha256.ts";
export { type Steps, atOnce, createBreath, inSlices, mapInSteps, stepItems } from "./process/slices.ts";
export { processorMs, watchThread } from "./process/thread-watch.ts";
export { type Project, type ProjectKind, type ProjectResource, projectKinds } from "./project.ts";
export { readEach } from "./read-each.ts";
export type { LoadedRequest, ReceivedHead } from "./received-request.ts";
export { type Rule, type Rules, checkInput, checkOptions, rule } from "./rules.ts";
export { scheduleWarnings, withScheduleWarnings, withWarnings } from "./schedule-warnings.ts";
export { type ListFilter, type SearchTest, parseSearch } from "./search-words.ts";
export { timerOf } from "./source-timer.ts";
export { stackPlaces } from "./stack-places.ts";
export { cutError, cutText, longerThan, maxChars, tooLong } from "./text-limits.ts";
export { triggerBytes } from "./trigger-bytes.ts";
export type { ExecutionCause, TriggerOrigin } from "./trigger-origin.ts";
export type { SchemeParameters, Verification } from "./verification.ts";
export { version } from "./version.ts";
export type { ObservedCall, ObservedDataStoreWrite, ObservedExecution, ObservedQuestion } from "./observed.ts";
