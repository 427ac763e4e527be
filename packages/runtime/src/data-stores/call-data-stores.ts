import { createBreath, XError, type Limits } from "@x/model";
import type { DataStoreCall } from "@x/sandbox";
import type { Change, DataStoreReads, DataStoreSize } from "@x/store";

/** Writes by name of the data store and by key, as JSON texts; undefined deletes. */
type Writes = Map<string, Map<string, string | undefined>>;

type Size = Pick<DataStoreSize, "keys" | "bytes">;
type DataStoreSet = Extract<Change, { op: "data_store.set" }>;

export interface CallDataStoresParts {
  readonly store: DataStoreReads;
  readonly userId: string;
  readonly limits: Limits;
  /** Changes that will be committed with those of the call: the call sees their writes. */
  readonly before?: readonly Change[];
}

/** A call that lists a data store reads all of it at once. */
const maxKeys = 10_000;

const sizeOf = (key: string, text: string | undefined): number =>
  text === undefined ? 0 : Buffer.byteLength(key) + Buffer.byteLength(text);

function writesOf(changes: readonly Change[]): Writes {
  const writes: Writes = new Map();
  for (const change of changes) if (change.op === "data_store.set") put(writes, change.name, change.key, change.value);
  return writes;
}

function put(writes: Writes, name: string, key: string, text: string | undefined): void {
  const own = writes.get(name) ?? new Map<string, string | undefined>();
  writes.set(name, own.set(key, text));
}

/** The data stores as one call sees them: as they are stored, with the call's own writes, which are committed with its outcome. */
export class CallDataStores {
  readonly #parts: CallDataStoresParts;
  readonly #seen: Writes;
  readonly #written: Writes = new Map();
  /** What was stored of the keys that the call has written. */
  readonly #before: Writes = new Map();
  /** The sizes of the data stores that were written to. */
  readonly #sizes = new Map<string, Size>();
  readonly #breath = createBreath();
  #last: Promise<unknown> = Promise.resolve();
  /** What is still done of what was asked. */
  #rest: "all" | "writes" | "nothing" = "all";
  /** Why the first write failed that did. */
  #refused: string | undefined;

  constructor(parts: CallDataStoresParts) {
    this.#parts = parts;
    this.#seen = writesOf(parts.before ?? []);
  }

  /** Answers in JSON text, as the sandbox asks. Calls are done one after another. */
  answer(call: DataStoreCall): Promise<string> {
    const isWrite = call.op === "set" || call.op === "delete";
    const answer = this.#last.then(async () => {
      if (this.#rest !== "all" && !(this.#rest === "writes" && isWrite)) return "";
      await this.#breath();
      return this.#answer(call);
    });
    this.#last = answer.catch((error: unknown) => {
      if (isWrite && error instanceof Error) this.#refused ??= error.message;
    });
    return answer;
  }

  /**
   * The call has ended: nobody gets an answer. If it succeeded, the writes that it did not await are done too; resolves with a
   * warning if a write was refused, for the component may not have waited for the error.
   */
  async end(hasSucceeded: boolean): Promise<string | undefined> {
    this.#rest = hasSucceeded ? "writes" : "nothing";
    if (!hasSucceeded) return undefined;
    await this.#last;
    const refused = this.#refused;
    return refused === undefined ? undefined : `A write to a data store was refused: ${refused}`;
  }

  /** The writes of the call; the last one of each key. */
  changes(at: number): DataStoreSet[] {
    const { userId } = this.#parts;
    return [...this.#written].flatMap(([name, own]) =>
      [...own].map(([key, value]): DataStoreSet => ({ op: "data_store.set", userId, name, key, value, at })),
    );
  }

  /** The value of a key, as JSON text, when the call first wrote the key. */
  before(name: string, key: string): string | undefined {
    return this.#before.get(name)?.get(key);
  }

  async #answer({ name, op, key, value }: DataStoreCall): Promise<string> {
    switch (op) {
      case "get":
        return (await this.#get(name, key)) ?? "";
      case "has":
        return String((await this.#get(name, key)) !== undefined);
      case "set":
        await this.#write(name, key, value);
        return "";
      case "delete": {
        const isThere = (await this.#get(name, key)) !== undefined;
        if (isThere) await this.#write(name, key, undefined);
        return String(isThere);
      }
      case "keys":
        return JSON.stringify(await this.#sorted(name).then((all) => all.map(([each]) => each)));
      case "entries":
        return `[${(await this.#sorted(name)).map(([each, text]) => `[${JSON.stringify(each)},${text}]`).join()}]`;
      case "size":
        return String((await this.#values(name)).size);
    }
  }

  async #get(name: string, key: string): Promise<string | undefined> {
    const seen = this.#seen.get(name);
    if (seen?.has(key)) return seen.get(key);
    return this.#parts.store.dataStoreValue(this.#parts.userId, name, key);
  }

  async #values(name: string): Promise<Map<string, string>> {
    const stored = await this.#parts.store.dataStoreValues(this.#parts.userId, name);
    const values = new Map(stored.map(({ key, value }) => [key, value]));
    for (const [key, text] of this.#seen.get(name) ?? []) {
      if (text === undefined) values.delete(key);
      else values.set(key, text);
    }
    return values;
  }

  async #sorted(name: string): Promise<[key: string, text: string][]> {
    return [...(await this.#values(name))].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  async #write(name: string, key: string, text: string | undefined): Promise<void> {
    const { dbBytes } = this.#parts.limits;
    const before = await this.#get(name, key);
    const size = this.#sizes.get(name) ?? (await this.#sizeOf(name));
    const bytes = size.bytes + sizeOf(key, text) - sizeOf(key, before);
    const keys = size.keys + Number(text !== undefined) - Number(before !== undefined);
    // What other sources write meanwhile does not count: together they may exceed the limits.
    const refuse = (most: string, got: number): XError => new XError("data_store_too_large", [name, most, String(got)]);
    if (text !== undefined && bytes > dbBytes) throw refuse(`${dbBytes} bytes`, bytes);
    if (keys > size.keys && keys > maxKeys) throw refuse(`${maxKeys} keys`, keys);
    this.#sizes.set(name, { keys, bytes });
    if (!this.#written.get(name)?.has(key)) put(this.#before, name, key, before);
    put(this.#seen, name, key, text);
    put(this.#written, name, key, text);
  }

  async #sizeOf(name: string): Promise<Size> {
    const { store, userId } = this.#parts;
    if (!this.#seen.has(name)) return (await store.dataStores(userId, name))[0] ?? { keys: 0, bytes: 0 };
    const values = await this.#values(name);
    return { keys: values.size, bytes: [...values].reduce((sum, [key, text]) => sum + sizeOf(key, text), 0) };
  }
}
