import { requireCount } from "./headers.ts";
import { assignUrl, parseUrl } from "./host.ts";
import { decodeUtf8, encodeUtf8 } from "./text.ts";

type Parts = Record<string, string>;

function decodeForm(text: string): string {
  const spaced = text.replace(/\+/g, " ");
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    const bytes: number[] = [];
    const raw = encodeUtf8(spaced);
    for (let index = 0; index < raw.length; index++) {
      const pair = String.fromCharCode(raw[index + 1] ?? 0, raw[index + 2] ?? 0);
      if (raw[index] === 37 && /^[0-9a-fA-F]{2}$/.test(pair)) {
        bytes.push(parseInt(pair, 16));
        index += 2;
      } else bytes.push(raw[index] ?? 0);
    }
    return decodeUtf8(new Uint8Array(bytes));
  }
}

/** A text with lone surrogates replaced by U+FFFD. */
const wellFormed = (value: unknown): string =>
  String(value).replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");

const encodeForm = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, "+");

export type SearchInput = string | URLSearchParams | Iterable<readonly string[]> | Record<string, unknown> | undefined;

export class URLSearchParams {
  #pairs: [string, string][] = [];
  #changed: ((text: string) => void) | undefined;

  constructor(given: SearchInput = "") {
    if (
      typeof given === "object" &&
      given !== null &&
      typeof (given as Iterable<unknown>)[Symbol.iterator] === "function"
    ) {
      for (const pair of given as Iterable<readonly string[]>) {
        const [name, value, ...rest] = [...pair];
        if (name === undefined || value === undefined || rest.length > 0)
          throw new TypeError("Each query pair must be an iterable [name, value] tuple");
        this.#pairs.push([wellFormed(name), wellFormed(value)]);
      }
    } else if (typeof given === "object" && given !== null) {
      for (const [name, value] of Object.entries(given)) this.#pairs.push([wellFormed(name), wellFormed(value)]);
    } else this.#read(wellFormed(given));
  }

  /** A list that calls `changed` with its text after every change. */
  static observed(text: string, changed: (text: string) => void): URLSearchParams {
    const params = new URLSearchParams(text);
    params.#changed = changed;
    return params;
  }
  /** Replaces the list without calling `changed`. */
  static reset(params: URLSearchParams, text: string): void {
    params.#pairs = [];
    params.#read(text);
  }

  #read(text: string): void {
    for (const part of text.replace(/^\?/, "").split("&")) {
      if (part === "") continue;
      const cut = part.indexOf("=");
      this.#pairs.push(
        cut < 0 ? [decodeForm(part), ""] : [decodeForm(part.slice(0, cut)), decodeForm(part.slice(cut + 1))],
      );
    }
  }
  #notify(): void {
    this.#changed?.(this.toString());
  }
  get size(): number {
    return this.#pairs.length;
  }
  append(name: unknown, value: unknown): void {
    requireCount(arguments.length, 2);
    this.#pairs.push([wellFormed(name), wellFormed(value)]);
    this.#notify();
  }
  delete(name: unknown, value?: unknown): void {
    requireCount(arguments.length, 1);
    this.#pairs = this.#pairs.filter(
      ([key, item]) => key !== String(name) || (value !== undefined && item !== String(value)),
    );
    this.#notify();
  }
  get(name: unknown): string | null {
    requireCount(arguments.length, 1);
    return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null;
  }
  getAll(name: unknown): string[] {
    requireCount(arguments.length, 1);
    return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value);
  }
  has(name: unknown, value?: unknown): boolean {
    requireCount(arguments.length, 1);
    return this.#pairs.some(([key, item]) => key === String(name) && (value === undefined || item === String(value)));
  }
  set(name: unknown, value: unknown): void {
    requireCount(arguments.length, 2);
    const first = this.#pairs.find(([key]) => key === String(name));
    if (!first) return this.append(name, value);
    first[1] = wellFormed(value);
    this.#pairs = this.#pairs.filter((pair) => pair === first || pair[0] !== String(name));
    this.#notify();
  }
  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#notify();
  }
  forEach(visit: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void {
    if (typeof visit !== "function") throw new TypeError("forEach takes a function");
    for (const [name, value] of this.#pairs) visit.call(self, value, name, this);
  }
  *entries(): IterableIterator<[string, string]> {
    for (const [name, value] of this.#pairs) yield [name, value];
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this.#pairs) yield name;
  }
  *values(): IterableIterator<string> {
    for (const [, value] of this.#pairs) yield value;
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
  toString(): string {
    return this.#pairs.map(([name, value]) => `${encodeForm(name)}=${encodeForm(value)}`).join("&");
  }
  get [Symbol.toStringTag](): string {
    return "URLSearchParams";
  }
}

const settable = [
  "hash",
  "host",
  "hostname",
  "password",
  "pathname",
  "port",
  "protocol",
  "search",
  "username",
] as const;
type Settable = (typeof settable)[number];

const invalidUrl = (given: unknown): TypeError =>
  Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL", input: String(given) });

/**
 * A URL that parsing leaves as it is: a host of ASCII names that is no IP address and needs no punycode, no port, and no
 * character that would be encoded. Dots after a slash, also encoded ones, could be segments to resolve.
 */
const settled =
  /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z][a-z0-9]*(?:\/(?!\.|%2)[\w\-.~!$&()*+,;=:@%]*)+(?:\?[\w\-.~!$&()*+,;=:@%/?]*)?$/;
const longestSettled = 512;

/** What `new URL(text).href` would be, for a URL without credentials; otherwise undefined, and `URL` has to parse it. */
export const settledHref = (text: string): string | undefined =>
  text.length <= longestSettled && settled.test(text) ? text : undefined;

/** The URL standard's URL; the host parses. */
export class URL {
  #parts: Parts;
  #params: URLSearchParams | undefined;

  constructor(url: unknown, base?: unknown) {
    const parts = parseUrl(String(url), base === undefined ? undefined : String(base));
    if (!parts) throw invalidUrl(url);
    this.#parts = parts;
  }
  static canParse(url: unknown, base?: unknown): boolean {
    return parseUrl(String(url), base === undefined ? undefined : String(base)) !== undefined;
  }
  static parse(url: unknown, base?: unknown): URL | null {
    return URL.canParse(url, base) ? new URL(url, base) : null;
  }
  static #define(name: Settable): void {
    Object.defineProperty(URL.prototype, name, {
      configurable: true,
      enumerable: true,
      get(this: URL) {
        return this.#parts[name];
      },
      set(this: URL, value: unknown) {
        this.#take(assignUrl(this.href, name, String(value)));
      },
    });
  }
  static {
    for (const name of settable) URL.#define(name);
  }
  #take(parts: Parts | undefined): void {
    if (!parts) return;
    this.#parts = parts;
    if (this.#params) URLSearchParams.reset(this.#params, parts["search"] ?? "");
  }
  get href(): string {
    return this.#parts["href"] ?? "";
  }
  set href(value: string) {
    const parts = parseUrl(String(value));
    if (!parts) throw invalidUrl(value);
    this.#take(parts);
  }
  get origin(): string {
    return this.#parts["origin"] ?? "null";
  }
  get searchParams(): URLSearchParams {
    this.#params ??= URLSearchParams.observed(this.#parts["search"] ?? "", (text) => {
      this.#parts = assignUrl(this.href, "search", text) ?? this.#parts;
    });
    return this.#params;
  }
  toString(): string {
    return this.href;
  }
  toJSON(): string {
    return this.href;
  }
  get [Symbol.toStringTag](): string {
    return "URL";
  }
}
