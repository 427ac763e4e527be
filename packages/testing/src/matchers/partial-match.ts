import { shortened } from "../shown.ts";

/** A test runner's matcher inside an expected value, such as `expect.any(String)`. */
interface Asymmetric {
  asymmetricMatch(value: unknown): boolean;
  toAsymmetricMatcher?(): string;
}

/** A difference; `path` is for example `items[0].id`, and empty for the value itself. */
export interface Difference {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

type Fields = { readonly [field: string]: unknown };

const isAsymmetric = (value: unknown): value is Asymmetric =>
  typeof value === "object" && value !== null && typeof (value as Partial<Asymmetric>).asymmetricMatch === "function";

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Ignores fields that `expected` does not have. Lists must have the same length; a Date is compared with its JSON text. */
export function differences(expected: unknown, actual: unknown, path = ""): Difference[] {
  const differs: Difference[] = [{ path, expected, actual }];
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual) ? [] : differs;
  if (expected instanceof Date) return differences(expected.toJSON(), actual, path);
  if (expected instanceof RegExp) return typeof actual === "string" && expected.test(actual) ? [] : differs;
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return differs;
    return expected.flatMap((item, index) => differences(item, actual[index], `${path}[${index}]`));
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return differs;
    return Object.entries(expected).flatMap(([field, value]) =>
      differences(value, actual[field], path === "" ? field : `${path}.${field}`),
    );
  }
  return Object.is(expected, actual) ? [] : differs;
}

export const matches = (expected: unknown, actual: unknown): boolean => differences(expected, actual).length === 0;

/** A value in one line of at most `most` characters, with matchers by name. */
export function written(value: unknown, most = 160): string {
  if (value === undefined) return "undefined";
  const name = (matcher: Asymmetric): string => matcher.toAsymmetricMatcher?.() ?? "a matcher";
  if (isAsymmetric(value)) return name(value);
  const json = JSON.stringify(value, (_key, part: unknown) =>
    isAsymmetric(part) ? name(part) : part instanceof RegExp ? String(part) : part,
  ) as string | undefined;
  // Functions and symbols have no JSON.
  return shortened(json ?? typeof value, most);
}

const maxAlike = 60;
const shownBefore = 20;

/** For long texts with the same beginning, the text from shortly before the first difference. */
function fromDifference(expected: unknown, actual: unknown): readonly [expected: string, actual: string, at: string] {
  if (typeof expected === "string" && typeof actual === "string") {
    const end = Math.min(expected.length, actual.length);
    let alike = 0;
    while (alike < end && expected[alike] === actual[alike]) alike += 1;
    const rest = (text: string): string => `…${written(text.slice(alike - shownBefore))}`;
    if (alike > maxAlike) return [rest(expected), rest(actual), ` (alike up to character ${alike})`];
  }
  return [written(expected), written(actual), ""];
}

/** `id: expected 2, got 3` for each difference. */
export const explainDifferences = (found: readonly Difference[]): string[] =>
  found.map((each) => {
    const [expected, actual, at] = fromDifference(each.expected, each.actual);
    return `${each.path === "" ? "" : `${each.path}: `}expected ${expected}, got ${actual}${at}`;
  });
