import type { AnyFunction } from "./any-function.ts";
import type { Mistake } from "./mistake.ts";

/** What describes an event to those who list, order and deduplicate it. */
export interface EmitMetadata {
  /** What makes this event different from others. */
  id?: string | number | bigint | null | undefined;
  /** One line for lists of events. */
  summary?: string | number | null | undefined;
  /** When it happened: epoch milliseconds, a Date or ISO text. Events leave oldest first. */
  ts?: number | Date | string | null | undefined;
  /** Channel; the default stream without it and as `default`. Names that begin with `$` are refused. */
  name?: string | null | undefined;
}

/** With `dedupe` an event needs an id. */
export interface UniqueMetadata extends EmitMetadata {
  id: string | number | bigint;
}

/** With `dedupe: "greatest"` ids are compared as numbers. */
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

/** Never for what JSON can hold, or what is not known. */
type Lost<V> = unknown extends V ? never : V extends bigint | Promised | AnyFunction ? true : never;

type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

/** Which members are readonly, without their types: those of functions may not be known yet. */
type Marks<T> = { [N in keyof T]: 1 };

/** Members of a literal are readonly, because `T` is a `const` type parameter; methods of a class are not, nor in its JSON. */
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

/** `this.$emit(event, metadata)`. It takes its copy at once and need not be awaited. */
export interface Emit {
  <const T>(event?: T & NotData<T>, metadata?: EmitMetadata): Promise<void>;
}

/** `$emit` of a component that declares what it `emits`. */
export interface DeclaredEmit<E> {
  (event: E, metadata?: EmitMetadata): Promise<void>;
}

/** `$emit` with `dedupe`. */
export interface DedupedEmit<Metadata, Text extends string> {
  <const T>(event: T & NotData<T>, metadata: Metadata): Promise<void>;
  /** Not without an id. */
  (this: Mistake<Text>, event?: Mistake<Text>): Promise<void>;
}

/** `$emit` with `dedupe`, of a component that declares what it `emits`. */
export interface DeclaredDedupedEmit<E, Metadata, Text extends string> {
  (event: E, metadata: Metadata): Promise<void>;
  /** Not without an id. */
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

/** How events with the same id are dropped. */
export type DedupeStrategy = keyof Strategies;

/** `$emit` of a component with `dedupe: D`, unknown without it, and `emits: E`. */
export type EmitFor<D, E> = unknown extends D ? EmitAll<E> : D extends DedupeStrategy ? EmitNew<D, E> : EmitAll<E>;

type EmitAll<E> = unknown extends E ? Emit : DeclaredEmit<E>;

type EmitNew<D extends DedupeStrategy, E> = unknown extends E ? Strategies[D] : DeclaredStrategies<E>[D];
