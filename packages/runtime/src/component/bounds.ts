import type { Problem } from "../errors.ts";
import { pointer } from "./shown-value.ts";

/** Most bytes of UTF-8 of what a component says about itself. Every answer and log line that shows it is bounded by it. */
const mostBytes = { name: 256, version: 128, key: 256, description: 16 * 1024 } as const;
/** The same for one prop; `name` is the member of `props`. */
const mostPropBytes = {
  name: 256,
  type: 256,
  label: 1024,
  description: 16 * 1024,
  content: 16 * 1024,
  app: 128,
} as const;
/** Of all props together, as JSON: each answer about a component or a source has them. */
const mostPropsBytes = 1024 * 1024;

type Texts = { readonly [field: string]: unknown };

function tooLong(
  given: Texts,
  limits: { readonly [field: string]: number },
  say: (field: string) => string,
): Problem[] {
  return Object.entries(limits).flatMap(([field, most]): Problem[] => {
    const text = Object.hasOwn(given, field) ? given[field] : undefined;
    if (typeof text !== "string") return [];
    const bytes = Buffer.byteLength(text);
    return bytes <= most
      ? []
      : [{ path: pointer(field), message: `${say(field)} must be at most ${most} bytes, got ${bytes}` }];
  });
}

/** What is too long of a component's own fields. */
export const componentBounds = (component: Texts): Problem[] => tooLong(component, mostBytes, (field) => field);

/** What is too long of a prop; the name itself has no place inside it. */
export const propBounds = (prop: Texts & { readonly name: string }): Problem[] =>
  tooLong(prop, mostPropBytes, (field) => `${field} of prop "${prop.name.slice(0, 60)}"`).map((problem) =>
    problem.path === "/name" ? { ...problem, path: "" } : problem,
  );

/** What is wrong with all props together. */
export function propsBounds(props: readonly object[]): Problem[] {
  const bytes = Buffer.byteLength(JSON.stringify(props));
  return bytes <= mostPropsBytes
    ? []
    : [{ path: "/props", message: `props must be at most ${mostPropsBytes} bytes of JSON together, got ${bytes}` }];
}
