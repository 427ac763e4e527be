import type { Kit } from "../kit.ts";
import { encodeMultipart, type Field, parseMultipart } from "./multipart.ts";

interface Form {
  append(name: unknown, value: unknown, fileName?: unknown): void;
}

export interface Forms {
  readonly classes: Record<string, unknown>;
  isForm(given: unknown): boolean;
  /** A form as a `multipart/form-data` body. */
  encode(form: unknown): { readonly bytes: Uint8Array; readonly type: string };
  /** The form in a body of this content type. */
  parse(bytes: Uint8Array, type: string): object;
}

const createFileClass = (Blob: Kit["Blob"]) =>
  class File extends Blob {
    readonly #name: string;
    readonly #lastModified: number;
    constructor(
      ...given: [parts?: Iterable<unknown>, name?: unknown, options?: { type?: string; lastModified?: number }]
    ) {
      if (given.length < 2) throw new TypeError('The "fileBits" and "fileName" arguments must be specified');
      const [parts, name, options] = given;
      super(parts, options);
      this.#name = String(name);
      this.#lastModified =
        options?.lastModified === undefined ? Date.now() : Math.trunc(Number(options.lastModified)) || 0;
    }
    override get [Symbol.toStringTag](): string {
      return "File";
    }
    get name(): string {
      return this.#name;
    }
    get lastModified(): number {
      return this.#lastModified;
    }
  };

/** `File` and `FormData`. */
export default (kit: Kit): Forms => {
  const { Blob } = kit;
  const File = createFileClass(Blob);

  const wellFormed = (value: unknown): string =>
    (String(value) as unknown as { toWellFormed(): string }).toWellFormed();

  function readField(given: readonly unknown[]): Field {
    const [name, value, fileName] = given;
    if (given.length < 2) throw new TypeError("2 arguments required");
    if (!(value instanceof Blob)) {
      if (given.length > 2) throw new TypeError("The value of a field with a file name must be a Blob");
      return [wellFormed(name), wellFormed(value)];
    }
    if (value instanceof File && fileName === undefined) return [wellFormed(name), value];
    const called = fileName === undefined ? "blob" : wellFormed(fileName);
    const lastModified = value instanceof File ? { lastModified: value.lastModified } : {};
    return [wellFormed(name), new File([value], called, { type: value.type, ...lastModified })];
  }

  class FormData {
    #fields: Field[] = [];
    static fields(form: FormData): readonly Field[] {
      return form.#fields;
    }
    constructor(given?: unknown) {
      if (given !== undefined) throw new TypeError("FormData takes no arguments here");
    }
    append(...given: unknown[]): void {
      this.#fields.push(readField(given));
    }
    set(...given: unknown[]): void {
      const field = readField(given);
      const at = this.#fields.findIndex(([name]) => name === field[0]);
      if (at < 0) this.#fields.push(field);
      else
        this.#fields = this.#fields.flatMap((each, index) =>
          index === at ? [field] : each[0] === field[0] ? [] : [each],
        );
    }
    delete(name: unknown): void {
      this.#fields = this.#fields.filter(([each]) => each !== wellFormed(name));
    }
    get(name: unknown): unknown {
      return this.#fields.find(([each]) => each === wellFormed(name))?.[1] ?? null;
    }
    getAll(name: unknown): unknown[] {
      return this.#fields.filter(([each]) => each === wellFormed(name)).map(([, value]) => value);
    }
    has(name: unknown): boolean {
      return this.#fields.some(([each]) => each === wellFormed(name));
    }
    forEach(visit: (value: unknown, name: string, form: FormData) => void, self?: unknown): void {
      for (const [name, value] of this) visit.call(self, value, name, this);
    }
    *entries(): IterableIterator<[string, unknown]> {
      for (const [name, value] of this.#fields) yield [name, value];
    }
    *keys(): IterableIterator<string> {
      for (const [name] of this.#fields) yield name;
    }
    *values(): IterableIterator<unknown> {
      for (const [, value] of this.#fields) yield value;
    }
    [Symbol.iterator](): IterableIterator<[string, unknown]> {
      return this.entries();
    }
    get [Symbol.toStringTag](): string {
      return "FormData";
    }
  }
  const { fields } = FormData;
  Reflect.deleteProperty(FormData, "fields");

  function fill(form: Form, given: Iterable<readonly [string, unknown, string?]>): object {
    for (const [name, value, fileName] of given)
      if (fileName === undefined) form.append(name, value);
      else form.append(name, value, fileName);
    return form;
  }

  return {
    classes: { File, FormData },
    isForm: (given) => given instanceof FormData,
    encode: (form) => encodeMultipart(kit, fields(form as FormData)),
    parse(bytes, type) {
      const [essence = ""] = type.toLowerCase().split(";");
      if (essence.trim() === "application/x-www-form-urlencoded")
        return fill(new FormData(), new URLSearchParams(kit.decodeUtf8(bytes)));
      if (essence.trim() === "multipart/form-data") return fill(new FormData(), parseMultipart(kit, bytes, type));
      throw new TypeError('Content-Type was not one of "multipart/form-data" or "application/x-www-form-urlencoded".');
    },
  };
};

declare const URLSearchParams: new (text: string) => Iterable<readonly [string, string]>;
