import { shortestSecret } from "../accounts.ts";

/** Replaces a secret in a recording. */
const scrubbed = "***";

const secretField =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|.*(?:token|secret|password|passwd|api[-_]?key|signature|session)|key|sig|auth|x-auth.*)$/i;

/** Removes secrets from a recording: by names of headers, parameters and fields, and by value. */
export interface Scrub {
  text(text: string): string;
  url(url: string): string;
  headers(headers: Iterable<readonly [string, string]>): [string, string][];
  /** JSON and forms by field name and value, other text by value. */
  body(text: string): string;
}

/** `values` are the secrets of the test; `names` are further names of secret fields. */
export function createScrub(values: readonly string[], names: readonly string[] = []): Scrub {
  const own = new Set(names.map((name) => name.toLowerCase()));
  const isSecret = (name: string): boolean => secretField.test(name) || own.has(name.toLowerCase());
  // Longest first: a secret may contain another.
  const known = values.filter(({ length }) => length >= shortestSecret).toSorted((a, b) => b.length - a.length);
  const forms = known.flatMap((value) => [
    ...new Set([value, encodeURIComponent(value), Buffer.from(value).toString("base64")]),
  ]);
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
