import type { PlainReply } from "@x/runtime";

import { HarnessError } from "../harness-error.ts";
import { shown } from "../shown.ts";

/** An answer with a status of its own; made by `reply`. */
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

/** An answer of an upstream that is more than a 200 with a body. */
export const reply = (status: number, body?: unknown, headers: { readonly [name: string]: string } = {}): Reply =>
  new Reply(status, body, headers);

/** Statuses of answers that cannot have a body. */
const bodiless = new Set([204, 205, 304]);

const encoder = new TextEncoder();

/** Text and bytes go as they are, everything else as JSON; undefined is no body. */
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
  if (!isName(name)) throw new HarnessError(`A route answers with the header ${shown(name)}, which is no name of one.`);
  if (!isValue(value))
    throw new HarnessError(`A route answers with the header ${name}: ${shown(value)}, which no header can hold.`);
  return [name.toLowerCase(), value];
}

function checkedStatus(status: unknown): number {
  if (typeof status === "number" && Number.isInteger(status) && status >= 200 && status <= 599) return status;
  throw new HarnessError(`A route answers with the status ${shown(status)}; it must be a number from 200 to 599.`);
}

/** Not by its class: Node loads that when somebody names it, which takes a while. */
const isResponse = (given: unknown): given is Response => Object.prototype.toString.call(given) === "[object Response]";

/** What a route gave, as the answer that the component gets. */
export async function plainReplyOf(given: unknown): Promise<PlainReply> {
  if (isResponse(given)) {
    // A copy: the same route answers again.
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
