import { keyText } from "./database.ts";
import { askDataStore } from "./fetch.ts";
import { writeJson } from "./json-text.ts";

const { parse } = JSON;
const what = "data store";

/** A data store: its values are in the store of the host, so every method is asynchronous. */
export interface DataStore {
  get(key: unknown): Promise<unknown>;
  set(key: unknown, value: unknown): Promise<void>;
  has(key: unknown): Promise<boolean>;
  delete(key: unknown): Promise<boolean>;
  keys(): Promise<string[]>;
  entries(): Promise<[string, unknown][]>;
  size(): Promise<number>;
}

/** `prop` is the full name of the prop; `reader` names an entry that may only read. */
export function createDataStore(prop: string, reader?: string): DataStore {
  const refuseWrites = (method: string): void => {
    if (reader !== undefined)
      throw new Error(`${method} of a data store is not available in ${reader}: it can only be read there`);
  };
  const ask = async (op: string, key?: string, value?: string): Promise<unknown> => {
    const text = await askDataStore({ prop, op, ...(key === undefined ? {} : { key }) }, value);
    return text === "" ? undefined : (parse(text) as unknown);
  };
  return {
    get: async (key) => ask("get", keyText(key, what)),
    async set(key, value) {
      refuseWrites("set");
      const name = keyText(key, what);
      if (value === undefined) {
        await ask("delete", name);
        return;
      }
      const text = writeJson(value, `set("${name}") of a data store`, "value");
      if (text === undefined)
        throw new TypeError(`The value of data store key "${name}" is a ${typeof value}, which JSON cannot hold`);
      await ask("set", name, text);
    },
    has: async (key) => (await ask("has", keyText(key, what))) === true,
    async delete(key) {
      refuseWrites("delete");
      return (await ask("delete", keyText(key, what))) === true;
    },
    keys: async () => (await ask("keys")) as string[],
    entries: async () => (await ask("entries")) as [string, unknown][],
    size: async () => (await ask("size")) as number,
  };
}
