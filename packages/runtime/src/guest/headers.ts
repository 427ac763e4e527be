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

/** The Fetch standard's Headers. */
export class Headers {
  #values = new Map<string, string[]>();
  #locked = false;

  static {
    lockHeaders = (headers) => {
      headers.#locked = true;
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

  #checkOpen(): void {
    if (this.#locked) throw new TypeError("immutable");
  }
  append(name: string, value: unknown): void {
    requireCount(arguments.length, 2);
    const key = checked(name);
    this.#checkOpen();
    const values = this.#values.get(key);
    const text = checkedValue(key, value);
    if (values) values.push(text);
    else this.#values.set(key, [text]);
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
    for (const name of [...this.#values.keys()].sort()) {
      const values = this.#values.get(name) ?? [];
      if (name === "set-cookie") for (const value of values) yield [name, value];
      else yield [name, values.join(", ")];
    }
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
