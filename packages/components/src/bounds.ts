import { cutText, pointer, type ComponentWarning, type Problem } from "@x/model";

/** Maximum bytes of UTF-8 of a component's own fields, which also bound responses and log lines. */
const maxBytes = { name: 256, version: 128, key: 256, description: 16 * 1024 } as const;
/** The same for one prop; `name` is the member of `props`. */
const maxPropBytes = {
  name: 256,
  type: 256,
  label: 1024,
  description: 16 * 1024,
  content: 16 * 1024,
  app: 128,
} as const;
/** Maximum bytes of all props together as JSON: every response about a component or source contains them. */
const maxPropsBytes = 1024 * 1024;
/** Compiling the check of a prop's values takes one millisecond. */
export const maxProps: number = 1_000;

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

/** Names and keys are stored as UTF-8, which cannot represent half of a surrogate pair. */
function halved(given: Texts, fields: readonly string[]): Problem[] {
  return fields.flatMap((field): Problem[] => {
    const text = Object.hasOwn(given, field) ? given[field] : undefined;
    if (typeof text !== "string" || text.isWellFormed()) return [];
    return [
      { path: pointer(field), message: `${field} ${JSON.stringify(text.slice(0, 60))} has half of a surrogate pair` },
    ];
  });
}

/** Problems of a component's own fields: too long, or not valid Unicode. */
export const componentBounds = (component: Texts): Problem[] => [
  ...tooLong(component, maxBytes, (field) => field),
  ...halved(component, ["name", "version", "key"]),
];

/** Fields of a prop that are too long. */
export const propBounds = (prop: Texts & { readonly name: string }): Problem[] =>
  tooLong(prop, maxPropBytes, (field) => `${field} of prop "${prop.name.slice(0, 60)}"`).map((problem) =>
    problem.path === "/name" ? { ...problem, path: "" } : problem,
  );

/** Problems of all props together. */
export function propsBounds(props: readonly object[]): Problem[] {
  if (props.length > maxProps)
    return [{ path: "/props", message: `props must be at most ${maxProps}, got ${props.length}` }];
  const bytes = Buffer.byteLength(JSON.stringify(props));
  return bytes <= maxPropsBytes
    ? []
    : [{ path: "/props", message: `props must be at most ${maxPropsBytes} bytes of JSON together, got ${bytes}` }];
}

/** Further problems or warnings of one component are only counted. */
export const maxProblems: number = 100;
const longestMessage = 2_048;
const longestPath = 1_024;

const shortened = <P extends Problem>(problems: readonly P[]): P[] =>
  problems.slice(0, maxProblems).map((each) => ({
    ...each,
    path: cutText(each.path, longestPath),
    message: cutText(each.message, longestMessage),
  }));

/** The first warnings, with texts of bounded length. */
export const fewWarnings: (warnings: readonly ComponentWarning[]) => ComponentWarning[] = shortened;

/** The first problems, with texts of bounded length, because a component controls their number and texts. */
export function fewProblems<P extends Problem>(problems: readonly P[]): readonly (P | Problem)[] {
  const shown = shortened(problems);
  const more = problems.length - shown.length;
  return more > 0 ? [...shown, { path: "", message: `and ${more} more` }] : shown;
}
