import type { AnyFunction } from "./any-function.ts";
import type { EventOf } from "./event-schema.ts";
import type { Mistake } from "./mistake.ts";

/** The second argument of `$emit`. */
export interface EmitMetadata {
  /** The identity of the event, for dedupe. */
  id?: string | number | bigint | null | undefined;
  /** One line, shown in lists of events. */
  summary?: string | number | null | undefined;
  /** The time of the event: epoch milliseconds, a Date or ISO 8601 text. Events of a run are stored oldest first. */
  ts?: number | Date | string | null | undefined;
  /** The channel. Default, also as `default`: the default stream. Names that start with `$` are refused. */
  name?: string | null | undefined;
}

/** Metadata with `dedupe`: the id is required. */
export interface UniqueMetadata extends EmitMetadata {
  id: string | number | bigint;
}

/** Metadata with `dedupe: "greatest"`: the id is a number. */
export interface NumericMetadata extends EmitMetadata {
  id: number | bigint | `${number}`;
}

interface Promised {
  then(...args: never): unknown;
}

type NotData<T> = T extends bigint | symbol | ((...args: never) => unknown)
  ? Mistake<"an event must be data that JSON can hold">
  : T extends Promised
    ? Mistake<"a promise is no event: await it first">
    : T extends { toJSON(...args: never): unknown }
      ? unknown
      : [Lost<T[keyof T]>] extends [never]
        ? unknown
        : { readonly [N in keyof T]?: LostMember<T[N]> & LostFunction<T, N> };

/** Never for values that JSON can hold, and for `unknown`. */
type Lost<V> = unknown extends V ? never : V extends bigint | Promised | AnyFunction ? true : never;

type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

/** The members with their readonly modifiers only: types of functions may not be inferred yet. */
type Marks<T> = { [N in keyof T]: 1 };

/** Only for readonly members: those of a literal are, by the `const` type parameter; methods of a class are not, and JSON omits them. */
type LostFunction<T, N extends keyof T> = T[N] extends AnyFunction
  ? Same<Marks<Pick<T, N>>, { readonly [X in N]: 1 }> extends true
    ? Mistake<"JSON has no functions">
    : unknown
  : unknown;

type LostMember<V> = V extends Promised
  ? Mistake<"a promise is no data: await it first">
  : V extends bigint
    ? Mistake<"JSON cannot hold a bigint">
    : unknown;

/** `this.$emit(event, metadata)`. It copies the event at once and need not be awaited. */
export interface Emit {
  <const T>(event?: T & NotData<T>, metadata?: EmitMetadata): Promise<void>;
}

/** `$emit` of a component with `emits`. */
export interface DeclaredEmit<E> {
  (event: E, metadata?: EmitMetadata): Promise<void>;
}

/** `$emit` with `dedupe`. */
export interface DedupedEmit<Metadata, Text extends string> {
  <const T>(event: T & NotData<T>, metadata: Metadata): Promise<void>;
  /** Refuses a call without an id. */
  (this: Mistake<Text>, event?: Mistake<Text>): Promise<void>;
}

/** `$emit` of a component with `dedupe` and `emits`. */
export interface DeclaredDedupedEmit<E, Metadata, Text extends string> {
  (event: E, metadata: Metadata): Promise<void>;
  /** Refuses a call without an id. */
  (this: Mistake<Text>, event?: Mistake<Text>): Promise<void>;
}

type NeedsId = "with dedupe, $emit(event, metadata) needs metadata with an id";
type NeedsNumber = 'with dedupe: "greatest", $emit(event, metadata) needs metadata with a numeric id';

interface Strategies {
  readonly unique: DedupedEmit<UniqueMetadata, NeedsId>;
  readonly last: DedupedEmit<UniqueMetadata, NeedsId>;
  readonly greatest: DedupedEmit<NumericMetadata, NeedsNumber>;
}

interface DeclaredStrategies<E> {
  readonly unique: DeclaredDedupedEmit<E, UniqueMetadata, NeedsId>;
  readonly last: DeclaredDedupedEmit<E, UniqueMetadata, NeedsId>;
  readonly greatest: DeclaredDedupedEmit<E, NumericMetadata, NeedsNumber>;
}

/** The values of `dedupe`. */
export type DedupeStrategy = keyof Strategies;

/** `$emit` of a component with `dedupe: D` and `emits: E`; each is `unknown` when absent. */
export type EmitFor<D, E> = unknown extends D
  ? EmitAll<EventOf<E>>
  : D extends DedupeStrategy
    ? EmitNew<D, EventOf<E>>
    : EmitAll<EventOf<E>>;

type EmitAll<E> = unknown extends E ? Emit : DeclaredEmit<E>;

type EmitNew<D extends DedupeStrategy, E> = unknown extends E ? Strategies[D] : DeclaredStrategies<E>[D];

/** The type of a value after JSON serialization. */
type Sent<T> = T extends { toJSON(): infer J }
  ? J
  : T extends (...args: never) => unknown
    ? never
    : T extends object
      ? { [N in keyof T]: Sent<T[N]> }
      : T;

type Declared<C> = C extends { readonly emits?: infer E } ? EventOf<Exclude<E, undefined>> : unknown;
type Sample<C> = C extends { readonly sampleEmit?: infer E } ? E : unknown;

/**
 * The type of a component's events as listeners receive them: `Emits<typeof component>`. From its `emits`, else from its
 * `sampleEmit`.
 */
export type Emits<C> = unknown extends Declared<C> ? Sent<Exclude<Sample<C>, undefined>> : Sent<Declared<C>>;
