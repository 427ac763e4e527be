import { XError, type Json } from "@x/model";
import { isRecord } from "@x/components";

/** The parts of `$auth` that name the accounts of an event. */
export type Address = { readonly [field: string]: string };

/** What a request of an app's service means. */
export interface AppEvent {
  /** An id that the service repeats when it sends the event again. */
  readonly id?: string;
  readonly names: readonly string[];
  /** None: all accounts of the app. */
  readonly accounts: readonly Address[];
  readonly data: Json;
}

const maxEvents = 1_000;
const maxNames = 16;
const maxAddresses = 1_000;
const longestName = 200;
const longestId = 500;

function refuse(at: string, expected: string, got: string): never {
  throw new XError("invalid_parameter", [at, expected, got], { details: { parameter: at } });
}

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? (value as unknown[]) : [value];

function readNames(given: unknown, at: string): readonly string[] {
  const expected = `at most ${maxNames} names of 1 to ${longestName} characters`;
  const names = listOf(given);
  if (names.length > maxNames) refuse(at, expected, `${names.length}`);
  const isName = (name: unknown): name is string =>
    typeof name === "string" && name !== "" && name.length <= longestName;
  return names.every(isName) ? [...new Set(names)] : refuse(at, expected, "something else");
}

function readAddress(given: unknown, at: string): Address {
  const expected = 'an object with parts of $auth, such as {"team_id": "T1"}';
  if (!isRecord(given)) return refuse(at, expected, "something else");
  const fields = Object.entries(given).map(([name, value]): [string, string] => {
    const text = typeof value === "number" ? String(value) : value;
    return typeof text === "string" && text !== "" && text.length <= longestName && name.length <= longestName
      ? [name, text]
      : refuse(at, expected, "something else");
  });
  if (fields.length === 0 || fields.length > maxNames) refuse(at, expected, `${fields.length} fields`);
  return Object.fromEntries(fields);
}

function readEvent(given: unknown, at: string): AppEvent {
  if (!isRecord(given)) return refuse(at, "an object with data", "something else");
  const { id, names, name, accounts, account, data, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuse(`${at}.${unknown.slice(0, 60)}`, "one of id, names, accounts, data", "unknown");
  if (data === undefined) refuse(`${at}.data`, "given: the event", "nothing");
  const text = typeof id === "number" ? String(id) : (id ?? undefined);
  if (text !== undefined && (typeof text !== "string" || text === "" || text.length > longestId))
    refuse(`${at}.id`, `a text of 1 to ${longestId} characters`, "something else");
  const addresses = listOf(accounts ?? account);
  if (addresses.length > maxAddresses) refuse(`${at}.accounts`, `at most ${maxAddresses}`, `${addresses.length}`);
  return {
    ...(text !== undefined && { id: text }),
    names: readNames(names ?? name, `${at}.names`),
    accounts: addresses.map((each, index) => readAddress(each, `${at}.accounts[${index}]`)),
    data: data as Json,
  };
}

/** Events from what was given, or what a reader returned. Throws `invalid_parameter`. */
export function readEvents(given: unknown, at = "events"): readonly AppEvent[] {
  if (!Array.isArray(given)) return refuse(at, "a list of events", "something else");
  if (given.length > maxEvents) refuse(at, `at most ${maxEvents} events`, `${given.length}`);
  return given.map((event, index) => readEvent(event, `${at}[${index}]`));
}
