export { type App, type AppInput, defineApp } from "./app.ts";
export {
  type Component,
  type ComponentHead,
  type ComponentInput,
  type DedupeStrategy,
  defineComponent,
  type EventFor,
  type Hooks,
  type Instance,
  type Methods,
  type None,
} from "./component.ts";
export type { Inferred, OptionsArguments, OptionsThis, PropFields, PropInput, PropsProblems, Sites } from "./props.ts";
export type {
  Auth,
  Database,
  Emit,
  EmitMetadata,
  HttpEvent,
  HttpInterface,
  HttpResponse,
  TimerEvent,
  TimerInterface,
} from "./services.ts";
export {
  type Action,
  type ActionInput,
  type ActionStep,
  defineAction,
  defineWorkflow,
  type OwnStep,
  type RunContext,
  type StepContext,
  type StepExports,
  type Steps,
  type StepServices,
  type TriggerEvent,
  type Workflow,
  type WorkflowInput,
  type WorkflowTrigger,
} from "./workflow.ts";
export type { AppInstance, PropType, PropValue, PropValues, ShortProp } from "./values.ts";
