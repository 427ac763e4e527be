/** The values of `type` in a JSON Schema, and their TypeScript types. */
interface Types {
  readonly null: null;
  readonly boolean: boolean;
  readonly integer: number;
  readonly number: number;
  readonly string: string;
  readonly array: readonly unknown[];
  readonly object: { readonly [name: string]: unknown };
}

/** What tells a JSON Schema from the type of an event. The last one is a schema whose literals are lost, as in an imported JSON file. */
type SchemaLike =
  | { readonly type: keyof Types | readonly (keyof Types)[] }
  | { readonly $ref: string }
  | { readonly $schema: string }
  | { readonly enum: readonly unknown[] }
  | { readonly anyOf: readonly unknown[] }
  | { readonly oneOf: readonly unknown[] }
  | { readonly allOf: readonly unknown[] }
  | { readonly type: string; readonly properties: object; readonly required: readonly string[] };

/** The type of the events of a component with `emits: E`: what the JSON Schema E describes, else E itself. */
export type EventOf<E> = 0 extends 1 & E ? E : [E] extends [SchemaLike] ? Described<E, E> : E;

/** The values that a schema describes; `unknown` where it is not understood. `Root` has the definitions. */
type Described<S, Root> = S extends { readonly $ref: infer R }
  ? Referred<R, Root>
  : S extends { readonly const: infer V }
    ? V
    : S extends { readonly enum: readonly (infer V)[] }
      ? V
      : S extends { readonly anyOf: readonly (infer P)[] } | { readonly oneOf: readonly (infer P)[] }
        ? Either<P, Root>
        : S extends { readonly allOf: unknown }
          ? unknown
          : S extends { readonly type: infer T }
            ? Typed<S, T extends readonly (infer N)[] ? N : T, Root>
            : unknown;

type Either<P, Root> = P extends unknown ? Described<P, Root> : never;

/** Such as `#/$defs/order`. */
type Referred<R, Root> = R extends `#/${infer Place}/${infer Name}`
  ? Place extends keyof Root
    ? Name extends keyof Root[Place]
      ? Described<Root[Place][Name], Root>
      : unknown
    : unknown
  : unknown;

type Typed<S, N, Root> = N extends "array"
  ? S extends { readonly items: infer I }
    ? readonly Described<I, Root>[]
    : Types["array"]
  : N extends "object"
    ? S extends { readonly properties: infer P }
      ? Members<P, S extends { readonly required: readonly (infer R)[] } ? R : never, Root>
      : Types["object"]
    : N extends keyof Types
      ? Types[N]
      : unknown;

type Members<P, R, Root> = { readonly [N in keyof P as N extends R ? N : never]: Described<P[N], Root> } & {
  readonly [N in keyof P as N extends R ? never : N]?: Described<P[N], Root> | undefined;
};
