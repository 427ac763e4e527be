export { type App, type AppInput, defineApp } from "./app.ts";
// Must be the whole module: named exports would prevent augmentation of `AppAuth`.
export type * from "./auth.ts";
export {
  type Component,
  type ComponentBody,
  type ComponentHead,
  type ComponentInput,
  defineComponent,
  type Hooks,
  type Unknown,
} from "./component.ts";
export {
  type AccountConfig,
  type Config,
  type ConfigValue,
  defineConfig,
  type ServerConfig,
  type SourceConfig,
  type SubscriptionConfig,
  type WebhookConfig,
} from "./config.ts";
export type { AccountValue, PropsOf, SourceOf, TimerValue } from "./configured.ts";
export type { DataStore } from "./data-store.ts";
export type { Database, DatabaseOf, DbProp, ShapedDatabase } from "./database.ts";
export type {
  DeclaredDedupedEmit,
  DeclaredEmit,
  DedupedEmit,
  DedupeStrategy,
  Emit,
  EmitFor,
  EmitMetadata,
  Emits,
  NumericMetadata,
  UniqueMetadata,
} from "./emit.ts";
export type { EventFor } from "./event.ts";
export type { AnsweringHttpInterface, HttpEvent, HttpInterface, HttpResponse } from "./http.ts";
export type { Instance } from "./instance.ts";
export type { Mistake } from "./mistake.ts";
export { defineMixin, type Mixin, type MixinInput } from "./mixin.ts";
export type { AppHookInterface } from "./app-hook.ts";
export type { None } from "./field.ts";
export type { OptionsArguments, PropFields, PropType, ShortProp } from "./prop-fields.ts";
export type { AppInstance, ConfiguredRequest, PropValue, PropValues, RequestAnswer } from "./prop-values.ts";
export type { OptionsThis, Props, Written } from "./props.ts";
export type { Schedule, TimerEvent, TimerInterface } from "./timer.ts";
export {
  type Action,
  type ActionInput,
  type ActionStep,
  defineAction,
  defineWorkflow,
  type OwnStep,
  type RunContext,
  type SentRequest,
  type StepContext,
  type StepExports,
  type Steps,
  type StepServices,
  type TriggerEvent,
  type Workflow,
  type WorkflowInput,
  type WorkflowTrigger,
} from "./workflow.ts";
