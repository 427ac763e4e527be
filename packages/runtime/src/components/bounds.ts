import type { Problem } from "../model/errors.ts";
import type { ComponentWarning } from "../model/model.ts";
import { cutText } from "../model/text-limits.ts";
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
/** Compiling what checks their values takes a millisecond for each. */
export const mostProps: number = 1_000;

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

/** What others are found by is stored as UTF-8, in which texts that differ in such a half would be one. */
function halved(given: Texts, fields: readonly string[]): Problem[] {
  return fields.flatMap((field): Problem[] => {
    const text = Object.hasOwn(given, field) ? given[field] : undefined;
    if (typeof text !== "string" || text.isWellFormed()) return [];
    return [
      { path: pointer(field), message: `${field} ${JSON.stringify(text.slice(0, 60))} has half of a surrogate pair` },
    ];
  });
}

/** What is too long of a component's own fields, or cannot be kept as it is. */
export const componentBounds = (component: Texts): Problem[] => [
  ...tooLong(component, mostBytes, (field) => field),
  ...halved(component, ["name", "version", "key"]),
];

/** What is too long of a prop; the name itself has no place inside it. */
export const propBounds = (prop: Texts & { readonly name: string }): Problem[] =>
  tooLong(prop, mostPropBytes, (field) => `${field} of prop "${prop.name.slice(0, 60)}"`).map((problem) =>
    problem.path === "/name" ? { ...problem, path: "" } : problem,
  );

/** What is wrong with all props together. */
export function propsBounds(props: readonly object[]): Problem[] {
  if (props.length > mostProps)
    return [{ path: "/props", message: `props must be at most ${mostProps}, got ${props.length}` }];
  const bytes = Buffer.byteLength(JSON.stringify(props));
  return bytes <= mostPropsBytes
    ? []
    : [{ path: "/props", message: `props must be at most ${mostPropsBytes} bytes of JSON together, got ${bytes}` }];
}

/** More problems, or warnings, of one component are counted, not told. */
const mostProblems = 100;
const longestMessage = 2_048;
const longestPath = 1_024;

const shortened = <Told extends Problem>(told: readonly Told[]): Told[] =>
  told.slice(0, mostProblems).map((each) => ({
    ...each,
    path: cutText(each.path, longestPath),
    message: cutText(each.message, longestMessage),
  }));

/** The same of warnings. */
export const fewWarnings: (warnings: readonly ComponentWarning[]) => ComponentWarning[] = shortened;

/** The first of many problems, with texts of bounded length: a component decides how many there are, and what they name. */
export function fewProblems<Told extends Problem>(problems: readonly Told[]): readonly (Told | Problem)[] {
  const told = shortened(problems);
  const more = problems.length - told.length;
  return more > 0 ? [...told, { path: "", message: `and ${more} more` }] : told;
}
