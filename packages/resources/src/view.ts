import { fromMs, type Schema } from "./shapes.ts";

/** A name of REST in the runtime. */
export type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name;

/** The members that may be absent or null. */
type Loose<Resource> = {
  [Name in keyof Resource]-?: null extends Resource[Name] ? Name : object extends Pick<Resource, Name> ? Name : never;
}[keyof Resource];

/** What the runtime has of a resource, in its names: what may be null may be absent. */
type Given<Resource> = {
  readonly [Name in Exclude<keyof Resource, Loose<Resource>> as Camel<Name & string>]: Resource[Name];
} & { readonly [Name in Loose<Resource> as Camel<Name & string>]?: Resource[Name] | undefined };

/** `created_at` as `createdAt`. */
export const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `createdAt` as `created_at`. */
export const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const inSeconds = (ms: unknown): unknown => (typeof ms === "number" ? toSeconds(ms) : ms);

/** Epoch seconds. */
export const toSeconds = (ms: number): number => Math.floor(ms / 1000);

/**
 * Makes the view of a resource by its schema: `created_at` is `createdAt` of what the runtime has, in seconds where the schema
 * says so. The members `Own` are given; of everything else the resource has only what its schema names.
 */
export function viewBy<Resource extends object, Own extends keyof Resource = never>({
  properties,
  required,
}: Schema): (
  value: Given<Omit<Resource, Own>>,
  ...own: [Own] extends [never] ? [] : [Pick<Resource, Own>]
) => Resource {
  const needed = new Set(required as readonly string[]);
  const members = Object.entries(properties as Readonly<Record<string, Schema>>).map(([name, schema]) => ({
    name,
    from: camel(name),
    isNeeded: needed.has(name),
    isTime: schema[fromMs] === true,
  }));
  return (value, ...own) => {
    const given = value as Readonly<Record<string, unknown>>;
    // `map` gives an index.
    const others: Readonly<Record<string, unknown>> = typeof own[0] === "object" ? { ...own[0] } : {};
    const made: Record<string, unknown> = {};
    for (const { name, from, isNeeded, isTime } of members) {
      const isOwn = name in others;
      const member = isOwn ? others[name] : given[from];
      if (member !== undefined) made[name] = isTime && !isOwn ? inSeconds(member) : member;
      else if (isNeeded) made[name] = null;
    }
    return made as Resource;
  };
}
