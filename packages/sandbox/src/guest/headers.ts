export const headerName: RegExp = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Line breaks and NUL end a header early; characters beyond Latin-1 cannot be sent. */
export const badHeaderValue: RegExp = /[\0\r\n]|[^\0-\u00ff]/;

export type HeadersInput = Headers | Iterable<readonly string[]> | Record<string, unknown> | undefined | null;

/** Throws when a function of the standard gets too few arguments. */
export function requireCount(given: number, wanted: number): void {
  if (given >= wanted) return;
  const message = `${wanted} argument${wanted === 1 ? "" : "s"} required, but only ${given} present.`;
  throw Object.assign(new TypeError(message), { code: "ERR_MISSING_ARGS" });
}

function checked(name: unknown): string {
  const text = String(name);
  if (!headerName.test(text)) throw new TypeError(`Header name "${text}" is not valid`);
  return text.toLowerCase();
}

function checkedValue(name: string, value: unknown): string {
  const text = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
  if (badHeaderValue.test(text))
    throw new TypeError(`The value of header "${name}" holds characters that are not allowed`);
  return text;
}

/** Makes headers read-only. */
export let lockHeaders: (headers: Headers) => void;
/** Read-only headers of these pairs, which are read when one of them is used. */
export let receivedHeaders: (pairs: readonly (readonly [string, string])[]) => Headers;
/** Sets a header that is missing; its name is in lower case. */
export let setMissing: (headers: Headers, name: string, value: string) => void;
/** The sorted names and values, as iterating gives them. */
export let pairsOf: (headers: Headers) => [string, string][];

/** The Fetch standard's Headers. */
export class Headers {
  #own: Map<string, string[]> | undefined;
  #unread: readonly (readonly [string, string])[] | undefined;
  #locked = false;

  static {
    lockHeaders = (headers) => {
      headers.#locked = true;
    };
    receivedHeaders = (pairs) => {
      const headers = new Headers();
      headers.#unread = pairs;
      headers.#locked = true;
      return headers;
    };
    setMissing = (headers, name, value) => {
      const all = headers.#values;
      if (!all.has(name)) all.set(name, [value]);
    };
    pairsOf = (headers) => {
      const pairs: [string, string][] = [];
      const values = headers.#values;
      const names = [...values.keys()];
      if (names.length > 1) names.sort();
      for (const name of names) {
        const list = values.get(name) ?? [];
        if (name === "set-cookie") for (const value of list) pairs.push([name, value]);
        else pairs.push([name, list.join(", ")]);
      }
      return pairs;
    };
  }

  constructor(given?: HeadersInput) {
    if (given === undefined) return;
    if (given === null) throw new TypeError("Headers takes pairs, an object or Headers");
    const iterate = (given as Iterable<readonly string[]>)[Symbol.iterator];
    if (typeof iterate === "function") {
      for (const pair of given as Iterable<readonly string[]>) {
        const [name, value, ...rest] = [...pair];
        if (name === undefined || value === undefined || rest.length > 0)
          throw new TypeError("A header is a pair of name and value");
        this.append(name, value);
      }
    } else if (typeof given === "object") {
      for (const [name, value] of Object.entries(given)) this.append(name, value);
    } else throw new TypeError("Headers takes pairs, an object or Headers");
  }

  get #values(): Map<string, string[]> {
    this.#own ??= new Map();
    const unread = this.#unread;
    this.#unread = undefined;
    if (unread) for (const [name, value] of unread) this.#add(checked(name), value);
    return this.#own;
  }
  #checkOpen(): void {
    if (this.#locked) throw new TypeError("immutable");
  }
  #add(key: string, value: unknown): void {
    const text = checkedValue(key, value);
    const all = this.#values;
    const values = all.get(key);
    if (values) values.push(text);
    else all.set(key, [text]);
  }
  append(name: string, value: unknown): void {
    requireCount(arguments.length, 2);
    const key = checked(name);
    this.#checkOpen();
    this.#add(key, value);
  }
  set(name: string, value: unknown): void {
    requireCount(arguments.length, 2);
    const key = checked(name);
    const text = checkedValue(key, value);
    this.#checkOpen();
    this.#values.set(key, [text]);
  }
  get(name: string): string | null {
    requireCount(arguments.length, 1);
    return this.#values.get(checked(name))?.join(", ") ?? null;
  }
  getSetCookie(): string[] {
    return [...(this.#values.get("set-cookie") ?? [])];
  }
  has(name: string): boolean {
    requireCount(arguments.length, 1);
    return this.#values.has(checked(name));
  }
  delete(name: string): void {
    requireCount(arguments.length, 1);
    const key = checked(name);
    this.#checkOpen();
    this.#values.delete(key);
  }
  forEach(visit: (value: string, name: string, headers: Headers) => void, self?: unknown): void {
    if (typeof visit !== "function") throw new TypeError("forEach takes a function");
    for (const [name, value] of this) visit.call(self, value, name, this);
  }
  *entries(): IterableIterator<[string, string]> {
    yield* pairsOf(this);
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this.entries()) yield name;
  }
  *values(): IterableIterator<string> {
    for (const [, value] of this.entries()) yield value;
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
  get [Symbol.toStringTag](): string {
    return "Headers";
  }
}
