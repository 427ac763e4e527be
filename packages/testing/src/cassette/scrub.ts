/** What stands in a recording in place of a secret. */
const scrubbed = "***";

const secretField =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|.*(?:token|secret|password|passwd|api[-_]?key|signature|session)|key|sig|auth|x-auth.*)$/i;
const shortestSecret = 6;

/** Takes secrets out of what is recorded: by the names of headers, parameters and fields, and by their values. */
export interface Scrub {
  text(text: string): string;
  url(url: string): string;
  headers(headers: Iterable<readonly [string, string]>): [string, string][];
  /** JSON and forms by their fields, other text by values. */
  body(text: string): string;
}

/** `names` are further names of fields; `values` are secrets that the source was given. */
export function createScrub(values: readonly string[], names: readonly string[] = []): Scrub {
  const own = new Set(names.map((name) => name.toLowerCase()));
  const isSecret = (name: string): boolean => secretField.test(name) || own.has(name.toLowerCase());
  // The longest first: one may be part of another.
  const known = values.filter(({ length }) => length >= shortestSecret).toSorted((a, b) => b.length - a.length);
  const forms = known.flatMap((value) => [...new Set([value, encodeURIComponent(value), btoaOf(value)])]);
  const text = (given: string): string => forms.reduce((rest, form) => rest.replaceAll(form, scrubbed), given);

  const parameters = (given: string): string =>
    new URLSearchParams(
      [...new URLSearchParams(given)].map(([name, value]): [string, string] => [
        name,
        isSecret(name) ? scrubbed : text(value),
      ]),
    ).toString();
  const value = (given: unknown): unknown => {
    if (typeof given === "string") return text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== "object" || given === null) return given;
    return Object.fromEntries(
      Object.entries(given).map(([name, part]) => [
        name,
        isSecret(name) && (typeof part === "string" || typeof part === "number") ? scrubbed : value(part),
      ]),
    );
  };
  return {
    text,
    url(given) {
      const url = new URL(given);
      if (url.search !== "") url.search = parameters(url.search);
      return text(url.href);
    },
    headers: (given) =>
      [...given].map(([name, content]): [string, string] => [name, isSecret(name) ? scrubbed : text(content)]),
    body(given) {
      try {
        return JSON.stringify(value(JSON.parse(given)));
      } catch {
        return /^[\w.~%+-]+=[^\s]*$/.test(given) ? parameters(given) : text(given);
      }
    },
  };
}

const btoaOf = (value: string): string => Buffer.from(value).toString("base64");
