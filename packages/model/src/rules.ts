import { pointer } from "./json-pointer.ts";
import { type Hint, limitedHints } from "./did-you-mean.ts";
import { type Problem, XError } from "./errors.ts";

/** A rule for a value, with its description. `members` are the rules for the members of an object. */
export interface Rule {
  /** Completes the sentence "must be …". */
  readonly expected: string;
  /** True for a valid value. Not called for absent values. */
  fits(value: unknown): boolean;
  readonly members?: Rules;
  /** Errors do not show the value. */
  readonly secret?: boolean;
}

/** A rule for each name. */
export type Rules<Options = { readonly [name: string]: unknown }> = {
  readonly [Name in keyof Required<Options>]: Rule;
};

/** One problem with a given value. */
interface Wrong {
  /** Names, outermost first. */
  readonly path: readonly string[];
  readonly expected: string;
  readonly got: string;
}

const unknownName = "an unknown name";
const longestShown = 60;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Common rules. */
export const rule: {
  readonly of: (expected: string, fits: Rule["fits"]) => Rule;
  readonly text: (expected: string) => Rule;
  readonly flag: Rule;
  readonly fn: Rule;
  readonly positive: Rule;
  readonly count: Rule;
  readonly oneOf: (...values: readonly string[]) => Rule;
  readonly having: (...methods: readonly string[]) => Rule;
  readonly object: (expected: string, members?: Rules) => Rule;
  readonly secret: (secret: Rule) => Rule;
  readonly any: Rule;
} = {
  of: (expected, fits) => ({ expected, fits }),
  text: (expected) => ({ expected, fits: (value) => typeof value === "string" && value !== "" }),
  flag: { expected: "true or false", fits: (value) => typeof value === "boolean" },
  fn: { expected: "a function", fits: (value) => typeof value === "function" },
  positive: { expected: "a positive integer", fits: (value) => Number.isSafeInteger(value) && Number(value) >= 1 },
  count: { expected: "an integer of at least 0", fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0 },
  oneOf: (...values) => ({ expected: values.join(" or "), fits: (value) => values.some((each) => each === value) }),
  having: (...methods) => ({
    expected: `an object with ${methods.join(", ")}`,
    fits: (value) => {
      const given = Object(value) as Readonly<Record<string, unknown>>;
      return methods.every((method) => typeof given[method] === "function");
    },
  }),
  object: (expected, members) => ({ expected, fits: isObject, ...(members && { members }) }),
  secret: (secret) => ({ ...secret, secret: true }),
  /** For values that their user validates. */
  any: { expected: "anything", fits: () => true },
};

/** Describes a value in a message. */
function shown(value: unknown, isSecret = false): string {
  if (typeof value === "string")
    return isSecret ? `${value.length} characters` : JSON.stringify(value.slice(0, longestShown));
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  return typeof value === "function" ? "a function" : String(value);
}

function wrongIn(given: object, rules: Rules, path: readonly string[], hint: Hint = limitedHints()): Wrong[] {
  return Object.entries(given).flatMap(([name, value]): Wrong[] => {
    const known = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const here = [...path, name];
    if (!known) {
      const names = Object.keys(rules);
      return [{ path: here, expected: `one of ${names.join(", ")}${hint(name, names)}`, got: unknownName }];
    }
    if (value === undefined) return [];
    if (!known.fits(value)) return [{ path: here, expected: known.expected, got: shown(value, known.secret) }];
    return known.members && isObject(value) ? wrongIn(value, known.members, here, hint) : [];
  });
}

function refuse(code: "invalid_options" | "invalid_parameter", wrong: readonly Wrong[]): void {
  const [first] = wrong;
  if (!first) return;
  const parameter = first.path.join(".");
  const errors = wrong.map(({ path, expected }): Problem => ({
    path: pointer(...path),
    message: `must be ${expected}`,
  }));
  throw new XError(code, [parameter, first.expected, first.got], {
    details: { parameter, received: first.got, errors },
  });
}

const notObject = (given: unknown, name: string): Wrong => ({
  path: [name],
  expected: `an object with ${name}`,
  got: shown(given),
});

/**
 * Throws `invalid_options` for unknown names and invalid values; `details.errors` lists every problem. `within`: the path of the
 * checked object, if an option contains it.
 */
export function checkOptions<Options>(given: Options, rules: Rules<Options>, within: readonly string[] = []): void {
  refuse("invalid_options", isObject(given) ? wrongIn(given, rules, within) : [notObject(given, "options")]);
}

/**
 * The same for a parameter of a method, with `invalid_parameter`. `parent` is the name of the parameter that contains the
 * checked object, if any.
 */
export function checkInput<Input>(given: Input, rules: Rules<Input>, parent?: string): void {
  const path = parent === undefined ? [] : [parent];
  const wrong = isObject(given) ? wrongIn(given, rules, path) : [notObject(given, parent ?? "parameters")];
  refuse("invalid_parameter", wrong);
}
