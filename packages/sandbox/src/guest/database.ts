import { hostOp } from "../ops.ts";
import { effect } from "./host.ts";
import { noteLate } from "./left-work.ts";
import { writeJson } from "./json-text.ts";

const { parse, stringify } = JSON;
/** Half of a surrogate pair: the store holds well-formed text only. */
const loneSurrogate = /\p{Surrogate}/u;

/** The text of a key; `what` has it: a db or a data store. */
export const keyText = (key: unknown, what = "db"): string => {
  const text = String(key);
  if ((typeof key !== "string" && typeof key !== "number") || text === "") {
    throw new TypeError(
      `A ${what} key must be a non-empty string or a number, got ${text === "" ? "an empty string" : typeof key}`,
    );
  }
  if (loneSurrogate.test(text))
    throw new TypeError(
      `A ${what} key must be whole characters, got ${stringify(text.slice(0, 64))}, which has half of a surrogate pair`,
    );
  return text;
};

/** `$.service.db`: synchronous over the namespace loaded before the call; every write reaches the host immediately. */
export interface Database {
  get(key: unknown): unknown;
  set(key: unknown, value: unknown): void;
  delete(key: unknown): boolean;
  has(key: unknown): boolean;
  keys(prefix?: string): string[];
}

/** The values of the current call, and the keys that it has written. */
let current = new Map<string, string>();
let written = new Set<string>();

/** Begins a call with these values: key -> JSON text. */
export function beginValues(texts: Record<string, string>): Map<string, string> {
  current = new Map(Object.entries(texts));
  written = new Set();
  return current;
}

/** Takes over what other calls have written; without a text a key was deleted. What this call has written stays. */
export function changeValues(changes: readonly (readonly [key: string, text?: string])[]): void {
  for (const [key, text] of changes) {
    if (written.has(key)) continue;
    if (text === undefined) current.delete(key);
    else current.set(key, text);
  }
}

/** `reader` names an entry that may only read; `prefix` begins every key in the store. */
export function createDatabase(values: Map<string, string>, reader?: string, prefix = ""): Database {
  const refuseWrites = (method: string): void => {
    if (reader !== undefined)
      throw new Error(`db.${method} is not available in ${reader}: the db can only be read there`);
  };
  const remove = (key: string): boolean => {
    if (!values.has(key)) return false;
    effect(hostOp.dbSet, `${stringify(prefix + key)}\n`);
    noteLate("db", key);
    written.add(key);
    return values.delete(key);
  };
  return {
    get(key) {
      const text = values.get(keyText(key));
      return text === undefined ? undefined : (parse(text) as unknown);
    },
    set(key, value) {
      refuseWrites("set");
      const name = keyText(key);
      if (value === undefined) {
        remove(name);
        return;
      }
      const text = writeJson(value, `db.set("${name}")`, "value");
      if (text === undefined)
        throw new TypeError(`The value of db key "${name}" is a ${typeof value}, which JSON cannot hold`);
      effect(hostOp.dbSet, `${stringify(prefix + name)}\n${text}`);
      noteLate("db", name);
      written.add(name);
      values.set(name, text);
    },
    delete(key) {
      refuseWrites("delete");
      return remove(keyText(key));
    },
    has: (key) => values.has(keyText(key)),
    keys: (prefix = "") => [...values.keys()].filter((key) => key.startsWith(prefix)).sort(),
  };
}
