import type { PlainReply } from "@x/runtime";

import { HarnessError } from "../harness-error.ts";
import { shown } from "../shown.ts";

/** An answer with status and headers; made by `reply`. */
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: { readonly [name: string]: string };

  constructor(status: number, body: unknown, headers: { readonly [name: string]: string }) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** An answer of an upstream with a status other than 200, or with headers. */
export const reply = (status: number, body?: unknown, headers: { readonly [name: string]: string } = {}): Reply =>
  new Reply(status, body, headers);

/** Statuses of answers without a body. */
const bodiless = new Set([204, 205, 304]);

const encoder = new TextEncoder();

/** Text and bytes are sent unchanged, other values as JSON; undefined means no body. */
function encode(body: unknown): { readonly body: Uint8Array; readonly type?: string } {
  if (body === undefined) return { body: new Uint8Array(0) };
  if (typeof body === "string") return { body: encoder.encode(body), type: "text/plain; charset=utf-8" };
  if (body instanceof Uint8Array) return { body, type: "application/octet-stream" };
  return { body: encoder.encode(JSON.stringify(body)), type: "application/json" };
}

const isName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);
const isValue = (value: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

function checkedHeader([name, given]: [string, unknown]): [string, string] {
  const value = String(given).trim();
  if (!isName(name))
    throw new HarnessError(`A route answers with the header ${shown(name)}, which is not a valid header name.`);
  if (!isValue(value))
    throw new HarnessError(
      `A route answers with the header ${name}: ${shown(value)}, which is not a valid header value.`,
    );
  return [name.toLowerCase(), value];
}

function checkedStatus(status: unknown): number {
  if (typeof status === "number" && Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new HarnessError(`A route answers with the status ${shown(status)}; it must be a number from 200 to 599.`);
}

/** Not `instanceof Response`: naming the class makes Node load it, which is slow. */
const isResponse = (given: unknown): given is Response => Object.prototype.toString.call(given) === "[object Response]";

/** Converts a route's answer to the one that the component gets. Throws `HarnessError` for a bad status or header. */
export async function plainReplyOf(given: unknown): Promise<PlainReply> {
  if (isResponse(given)) {
    // A body can be read once, and the route may answer again.
    const { status, statusText, headers } = given;
    return { status, statusText, headers: [...headers], body: await given.clone().bytes() };
  }
  const { status, body, headers } = given instanceof Reply ? given : new Reply(200, given, {});
  const encoded = bodiless.has(status) ? { body: new Uint8Array(0) } : encode(body);
  const list = Object.entries(headers).map(checkedHeader);
  const type = "type" in encoded ? encoded.type : undefined;
  if (type !== undefined && !list.some(([name]) => name === "content-type")) list.push(["content-type", type]);
  return { status: checkedStatus(status), headers: list, body: encoded.body };
}
