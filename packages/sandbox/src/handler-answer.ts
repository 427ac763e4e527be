import { didYouMean } from "@x/model";
import type { GuestResponse } from "./contract.ts";
import type { HandlerServices } from "./handler-contract.ts";

type Answer = Parameters<HandlerServices["respond"]>[0];
type Pair = [string, string];

const members = Object.keys({ status: true, headers: true, body: true } satisfies Record<keyof Answer, true>);

const kindOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? (value.constructor?.name ?? "an object") : `a ${typeof value}`;

const isPlain = (value: object): boolean =>
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

function readStatus(status: unknown): number {
  if (!Number.isInteger(status) || Number(status) < 100 || Number(status) > 599)
    throw new RangeError(`$.respond: status must be an integer from 100 to 599, got ${String(status)}`);
  if (Number(status) < 200)
    throw new RangeError(
      `$.respond: status ${String(status)} cannot be the answer: 100 to 199 only announce one; use 200 to 599`,
    );
  return Number(status);
}

/** A plain object, Headers, a Map, or pairs; a list is as many headers, and nothing none. */
function readHeaders(given: unknown): Pair[] {
  const expected = "$.respond: headers must be a plain object, Headers, a Map, or pairs of name and value, got";
  if (given === undefined) return [];
  if (typeof given !== "object" || given === null) throw new TypeError(`${expected} ${kindOf(given)}`);
  const isIterable = Symbol.iterator in given;
  if (!isIterable && !isPlain(given)) throw new TypeError(`${expected} ${kindOf(given)}`);
  const entries = isIterable ? [...(given as Iterable<unknown>)] : Object.entries(given);
  return entries.flatMap((entry): Pair[] => {
    if (!Array.isArray(entry) || entry.length !== 2)
      throw new TypeError(`${expected} ${kindOf(entry)} in ${kindOf(given)}`);
    const [name, value] = entry as [unknown, unknown];
    const values: unknown[] = Array.isArray(value) ? value : [value ?? []].flat();
    return values.map((each): Pair => [String(name), String(each)]);
  });
}

/** The bytes of a body and the type that it brings; undefined for JSON data. */
function readBytes(body: unknown): { readonly bytes: Uint8Array; readonly type?: string } | undefined {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  if (ArrayBuffer.isView(body)) return { bytes: new Uint8Array(body.buffer, body.byteOffset, body.byteLength).slice() };
  if (body instanceof ArrayBuffer) return { bytes: new Uint8Array(body).slice() };
  if (body instanceof URLSearchParams)
    return { bytes: encode(body.toString()), type: "application/x-www-form-urlencoded;charset=UTF-8" };
  if (body === undefined || body === null) return { bytes: encode("") };
  if (typeof body === "string") return { bytes: encode(body) };
  if (typeof body === "number" || typeof body === "boolean" || typeof body === "bigint")
    return { bytes: encode(String(body)) };
  return undefined;
}

/** Values that JSON would write as `{}`. */
const isJson = (body: object): boolean =>
  isPlain(body) || Array.isArray(body) || typeof (body as { toJSON?: unknown }).toJSON === "function";

/** The answer that a handler gave. Throws for what it does not take: nothing is dropped. `toJson` throws for what is no JSON. */
export function readAnswer(answer: Answer, toJson: (body: unknown) => string): GuestResponse {
  if (answer instanceof Response)
    throw new TypeError("$.respond takes { status, headers, body }, got Response: read its body first");
  const unknown = Object.keys(answer).find((name) => !members.includes(name));
  if (unknown !== undefined) throw new TypeError(`$.respond takes no "${unknown}"${didYouMean(unknown, members)}`);
  const { body } = answer as { readonly body?: unknown };
  const status = readStatus(answer.status);
  const headers = readHeaders(answer.headers);
  const read = readBytes(body);
  if (!read && !isJson(Object(body) as object))
    throw new TypeError(
      `$.respond: body must be text, bytes, URLSearchParams or JSON data, got ${kindOf(body)}: read it first`,
    );
  const { bytes, type } = read ?? { bytes: new TextEncoder().encode(toJson(body)), type: "application/json" };
  const isTyped = type === undefined || headers.some(([name]) => name.toLowerCase() === "content-type");
  return { status, headers: isTyped ? headers : [...headers, ["content-type", type]], body: bytes };
}
