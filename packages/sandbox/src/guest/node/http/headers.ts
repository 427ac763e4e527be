import { typeError } from "../node-error.ts";

export type HeaderValue = string | number | readonly string[];
export type HeaderInput = Readonly<Record<string, HeaderValue | undefined>> | readonly unknown[] | undefined;

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const badValue = /[^\t\x20-\x7e\x80-\xff]/;

export function validateHeaderName(name: unknown): void {
  if (typeof name === "string" && token.test(name)) return;
  throw typeError("ERR_INVALID_HTTP_TOKEN", `Header name must be a valid HTTP token ["${String(name)}"]`);
}

export function validateHeaderValue(name: string, value: unknown): void {
  if (value === undefined)
    throw typeError("ERR_HTTP_INVALID_HEADER_VALUE", `Invalid value "undefined" for header "${name}"`);
  const values = Array.isArray(value) ? value : [value];
  if (values.some((each) => badValue.test(String(each))))
    throw typeError("ERR_INVALID_CHAR", `Invalid character in header content ["${name}"]`);
}

/** The pairs of the `headers` option: an object, pairs, or alternating names and values. */
export function headerPairs(given: HeaderInput): [string, HeaderValue][] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) return Object.entries(given as Record<string, HeaderValue>);
  if (given.every((item) => Array.isArray(item))) return given as [string, HeaderValue][];
  return given.flatMap((name: string, index): [string, HeaderValue][] =>
    index % 2 === 0 ? [[name, given[index + 1] as HeaderValue]] : [],
  );
}

/** The headers of a request; names keep their case. */
export class HeaderTable {
  readonly #entries = new Map<string, readonly [name: string, value: HeaderValue]>();

  set(name: string, value: HeaderValue): void {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    this.#entries.set(name.toLowerCase(), [name, value]);
  }
  append(name: string, value: HeaderValue): void {
    const known = this.get(name);
    this.set(name, known === undefined ? value : [known, value].flat().map(String));
  }
  get(name: string): HeaderValue | undefined {
    return this.#entries.get(String(name).toLowerCase())?.[1];
  }
  has(name: string): boolean {
    return this.#entries.has(String(name).toLowerCase());
  }
  delete(name: string): void {
    this.#entries.delete(String(name).toLowerCase());
  }
  names(): string[] {
    return [...this.#entries.keys()];
  }
  rawNames(): string[] {
    return [...this.#entries.values()].map(([name]) => name);
  }
  all(): Record<string, HeaderValue> {
    const entries = [...this.#entries].map(([key, [, value]]) => [key, value]);
    return Object.assign(Object.create(null) as object, Object.fromEntries(entries)) as Record<string, HeaderValue>;
  }
  /** One pair for each line that is sent. */
  lines(): [string, string][] {
    return [...this.#entries.values()].flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, String(each)]),
    );
  }
}
