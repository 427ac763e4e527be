import type { Inferred, OptionsThis, PropInput, PropsProblems, Sites } from "./props.ts";
import type { Emit, EmitMetadata, HttpEvent, TimerEvent } from "./services.ts";
import type { PropValues } from "./values.ts";

/** How events with the same id are dropped. */
export type DedupeStrategy = "unique" | "greatest" | "last";

/** No call signature: the author's own parameters and result count. */
// oxlint-disable-next-line typescript/no-unsafe-function-type
type AnyFunction = Function;

export type Methods = { readonly [name: string]: AnyFunction };

/** No members, where a type parameter has nothing to be inferred from. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type
export type None = Record<never, never>;

/** With `dedupe` an event needs an id. */
type MetadataFor<D> = [D] extends [DedupeStrategy] ? EmitMetadata & { id: string | number } : EmitMetadata | undefined;

/** What `this` is in `run`, hooks, methods and option methods. */
export type Instance<P, M, D> = PropValues<P> & M & { readonly $emit: Emit<MetadataFor<D>> };

type TypesOf<P> = { [N in keyof P]: P[N] extends { readonly type: infer T } ? T : P[N] }[keyof P];

type InterfaceEvent<T> =
  | ("$.interface.http" extends T ? HttpEvent : never)
  | ("$.interface.timer" extends T ? TimerEvent : never);

/** What `run` gets: the events of the interfaces among the props. Without one, only run-now and deliveries call it. */
export type EventFor<P> = [InterfaceEvent<TypesOf<P>>] extends [never]
  ? { readonly [field: string]: unknown }
  : InterfaceEvent<TypesOf<P>>;

export interface Hooks {
  /** Once, when a source is made. */
  deploy?: AnyFunction;
  /** When a source becomes active. */
  activate?: AnyFunction;
  /** Before a source changes, rests or goes. */
  deactivate?: AnyFunction;
}

export interface ComponentHead {
  name: string;
  version: string;
  key?: string;
  description?: string;
  type?: "source";
  sampleEmit?: unknown;
}

/** A component as an author writes it. */
export interface ComponentInput<S, F, M, D> extends ComponentHead {
  dedupe?: D;
  props?: Sites<S, F> & { readonly [name: string]: PropInput } & PropsProblems<NoInfer<Inferred<S, F>>> & OptionsThis;
  methods?: M;
  hooks?: Hooks;
  run(event: EventFor<Inferred<S, F>>): unknown;
}

/** A component as other modules see it. */
export interface Component<P, M, D> extends ComponentHead {
  readonly dedupe?: D;
  readonly props: P;
  readonly methods: M;
  readonly hooks?: Hooks;
  run(event: EventFor<P>): unknown;
}

/** Gives types to a component written as a plain object; at run time it is the object itself. */
export function defineComponent<
  const S = None,
  const F = None,
  M extends Methods = None,
  const D extends DedupeStrategy | undefined = undefined,
>(component: ComponentInput<S, F, M, D> & ThisType<Instance<Inferred<S, F>, M, D>>): Component<Inferred<S, F>, M, D> {
  return component as unknown as Component<Inferred<S, F>, M, D>;
}
